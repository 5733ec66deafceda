//! Sparse linear algebra: symmetric 3×3-block matrices, constraint filters, conjugate gradients.

mod block_matrix;
mod coupling;
mod factored;
mod filter;
mod pattern;
mod pcg;
mod preconditioner;
mod row_product;

pub use block_matrix::BlockMatrix;
pub use coupling::Coupling;
pub use factored::Factored;
pub use filter::{Constraint, Filter};
pub use pattern::Pattern;
pub use pcg::{Norm, Pcg, Solve, Tolerance};
pub use preconditioner::Preconditioner;

#[cfg(test)]
mod tests;
