//! Cloth in panels that are not sewn together yet (BW15).

use muslin::cloth::Cloth;
use muslin::link::Weld;
use muslin::math::Vec3;
use muslin::mesh::TriMesh;

/// The stitches of a seam.
#[derive(Clone, Debug, PartialEq)]
pub struct Stitches {
    /// Name of the seam.
    pub name: String,
    /// Matched vertices of the panels.
    pub pairs: Vec<[u32; 2]>,
    /// Time in which they are drawn together [s].
    pub closing_time: f64,
}

/// Panels placed around a body, with the seams that will join them.
#[derive(Clone, Debug)]
pub struct Unsewn {
    /// Where the panels' vertices start [m].
    pub positions: Vec<Vec3>,
    /// The panels as one mesh.
    pub mesh: TriMesh,
    /// The seams.
    pub seams: Vec<Stitches>,
    /// From panels' vertices to those of the sewn cloth.
    pub weld: Weld,
    /// The panels as cloth, once their fabric is known.
    pub cloth: Option<Cloth>,
}
