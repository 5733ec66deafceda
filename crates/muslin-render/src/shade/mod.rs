//! What is seen and how it is lit.

pub(crate) mod filter;
pub(crate) mod geometry;
pub(crate) mod look;
pub(crate) mod sampling;
pub(crate) mod studio;
pub(crate) mod view;
