//! Cloth in panels that are not sewn together yet (BW15).

use muslin::cloth::Cloth;
use muslin::link::Weld;
use muslin::math::Vec3;
use muslin::mesh::TriMesh;

/// The stitches of a seam.
#[derive(Clone, Debug, PartialEq)]
pub struct Stitches {
    /// Matched vertices of the panels.
    pub pairs: Vec<[u32; 2]>,
    /// Time in which they are drawn together [s].
    pub closing_time: f64,
    /// Rest angle across the seam [rad].
    pub angle: f64,
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

impl Unsewn {
    /// Gives the hinges of the sewn `mesh` that lie on a seam its rest angle (MF5).
    pub fn bend_seams(&self, mesh: &TriMesh, angles: &mut Vec<f64>) {
        let hinges = mesh.topology().hinges();
        for seam in self.seams.iter().filter(|seam| seam.angle != 0.0) {
            angles.resize(hinges.len(), 0.0);
            let along: Vec<u32> =
                seam.pairs.iter().map(|[a, _]| self.weld.map()[*a as usize]).collect();
            let lies_on = |edge: [u32; 2]| {
                along.windows(2).any(|w| edge == [w[0], w[1]] || edge == [w[1], w[0]])
            };
            for (hinge, angle) in hinges.iter().zip(angles.iter_mut()) {
                if lies_on([hinge.vertices[2], hinge.vertices[3]]) {
                    *angle = seam.angle;
                }
            }
        }
    }
}
