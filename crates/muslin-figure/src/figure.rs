//! The figure: a mesh in its rest pose, bones, and the weights that tie them together.

use crate::girth::{self, Girth};
use crate::joint::Joint;
use crate::mesher::{self, Triangulation};
use crate::parts::{self, BonePart};
use crate::pose::PoseData;
use crate::proportions::{ProportionError, Proportions};
use crate::skeleton::Skeleton;
use crate::skin::{self, DualQuaternion, Influences};
use muslin::math::Vec3;
use muslin::motion::Pose;
use rayon::prelude::*;

/// A human figure.
///
/// It stands on z = 0 with z up, faces −y, its left side at positive x; its rest pose is the A
/// pose with the hips above the origin.
#[derive(Clone, Debug)]
pub struct Figure {
    proportions: Proportions,
    skeleton: Skeleton,
    mesh: Triangulation,
    influences: Vec<Influences>,
}

/// Vertices that one task moves.
const CHUNK: usize = 1024;

impl Figure {
    /// A figure of given proportions.
    pub fn new(proportions: &Proportions) -> Result<Self, ProportionError> {
        proportions.check()?;
        let skeleton = Skeleton::new(proportions);
        let anatomy = girth::fit(proportions, &skeleton);
        let mesh = mesher::mesh(&anatomy, proportions.height, proportions.triangles)
            .ok_or(ProportionError::Surface(proportions.triangles))?;
        let influences = skin::bind(&mesh, &anatomy, &skeleton);
        Ok(Self { proportions: proportions.clone(), skeleton, mesh, influences })
    }

    /// What the figure was made from.
    pub fn proportions(&self) -> &Proportions {
        &self.proportions
    }

    /// The joints in the rest pose.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The closed mesh in the rest pose, outward normals by the right-hand rule.
    pub fn mesh(&self) -> &Triangulation {
        &self.mesh
    }

    /// The bones that move every vertex.
    pub fn influences(&self) -> &[Influences] {
        &self.influences
    }

    /// A girth measured on the mesh in the rest pose \[m\].
    pub fn girth(&self, girth: Girth) -> f64 {
        girth::measure_mesh(&self.mesh, &self.skeleton, girth)
    }

    /// Closed pieces, one a bone, that overlap at the joints: for real-time use as rigid bodies, or
    /// for a level set a piece. [`Figure::bone_transforms`] moves them.
    pub fn parts(&self) -> Vec<BonePart> {
        parts::parts(&self.mesh, &self.influences)
    }

    /// For every joint the rigid motion that takes the rest pose to `pose`.
    pub fn bone_transforms(&self, pose: &PoseData) -> [Pose; Joint::COUNT] {
        pose.bone_transforms(&self.skeleton)
    }

    /// Writes the vertices in a pose \[m\]; what `out` holds beyond their number stays.
    pub fn positions(&self, pose: &PoseData, out: &mut [Vec3]) {
        let bones = self.bone_transforms(pose).map(|bone| DualQuaternion::from(&bone));
        let rest = self.mesh.positions.par_chunks(CHUNK);
        let influences = self.influences.par_chunks(CHUNK);
        out.par_chunks_mut(CHUNK).zip(rest).zip(influences).for_each(
            |((out, rest), influences)| {
                for ((out, x), influence) in out.iter_mut().zip(rest).zip(influences) {
                    *out = influence.apply(&bones, *x);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests;
