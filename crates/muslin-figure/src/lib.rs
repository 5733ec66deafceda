//! The human figure of Muslin: one closed, jointed, skinned surface made from a tailor's measures.

mod anatomy;
pub mod bvh;
mod figure;
mod girth;
mod joint;
mod mesher;
pub mod motion;
mod parts;
mod pose;
mod proportions;
mod skeleton;
mod skin;
mod surface;

pub use figure::Figure;
pub use girth::Girth;
pub use joint::{Joint, Side};
pub use mesher::Triangulation;
pub use motion::{Motion, Performance};
pub use parts::BonePart;
pub use pose::{Angles, ArmAngles, LegAngles, PoseData, Stance};
pub use proportions::{Build, ProportionError, Proportions};
pub use skeleton::Skeleton;
pub use skin::{Influences, MOST_INFLUENCES};
