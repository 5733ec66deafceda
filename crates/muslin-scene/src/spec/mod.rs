//! Scene files: TOML text in, a checked [`SceneSpec`] out. Pure data; nothing is simulated here.

mod air;
mod body;
mod cloth;
mod constraint;
mod crease;
mod decode;
mod error;
mod fabric;
mod flex;
mod forms;
mod given;
mod hang;
mod keyed;
mod load;
mod mannequin;
mod mesh_file;
mod nesting;
mod node;
mod output;
mod overrides;
mod paint;
mod scene;
mod sheet;
mod solver;
mod sparse;
pub(crate) mod suggest;
#[cfg(test)]
mod tests;
mod validate;

pub use air::{Air, ConeWind, CylinderWind, Resistance, Turbulence, UniformWind, Wind, WindSource};
pub use body::{
    Blend, Body, BodyShape, Collision, Cuboid, GltfFile, LevelSet, Limb, Plane, Round, Sphere,
};
pub use cloth::{Cloth, ClothShape, RestAngles};
pub use constraint::{Attach, Corner, Pin, Seam, SeamSide, Select, Selection, Side, Stick};
pub use crease::Crease;
pub use error::{SceneError, SceneErrorDetails, SceneErrorKind};
pub use fabric::{Damping, Fabric, Lab, ShearTest, StretchCurve, Tensile};
pub use flex::Flex;
pub use forms::{FORMULA_VARIABLES, Limit, PaintPoint};
pub use given::{Given, GivenMesh};
pub use hang::{Hang, Line, Pleats, Rail, Rods, TieBack};
pub use mannequin::{Mannequin, MannequinBuild, Pose};
pub use mesh_file::{Between, MeshFile, MeshSequence, PatternFile, RestShape, Unit};
pub use output::{Camera, Checks, Cleanup, Curved, Finish, Output, Render};
pub use paint::{Directional, Paint, Per};
pub use scene::{Quality, SceneSpec, UpAxis};
pub use sheet::{Diagonals, Disc, Grid, Panel, Skirt, SphereSheet, Strip, Tube};
pub use solver::{
    BendElement, Contact, ContactMethod, Drag, Dynamics, Integrator, MassSpread, Pointer,
    Preconditioner, Scheme, Solver, Sweep, VelocityUpdate,
};
pub use sparse::{Drawn, FoldSide, Folds, Sparse};
