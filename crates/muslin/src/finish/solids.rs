//! Distances to the triangles of bodies that may have small holes and overlapping parts (MF6, MF8).

use crate::body::BodyMesh;
use crate::collide::distance::point_triangle;
use crate::levelset::{Sample, Signed, Solid, SolidError};
use crate::math::{Vec3, try_normalize};

/// Nearer to the surface than this share of its box the direction to it is mere rounding \[-\].
const ON_SURFACE: f64 = 1e-12;

/// The bodies that have an inside, ready to be asked for distances.
#[derive(Clone, Debug, Default)]
pub struct BodySolids {
    parts: Vec<(Solid, Vec<[Vec3; 3]>)>,
    /// Meshes that were left out: mostly open, inside out, or damaged.
    pub left_out: Vec<(usize, SolidError)>,
}

impl BodySolids {
    /// Takes the meshes that have an inside \[m\].
    pub fn new(meshes: &[BodyMesh]) -> Self {
        let mut taken = Self::default();
        for (index, mesh) in meshes.iter().enumerate() {
            let corners = |t: &[u32; 3]| t.map(|v| mesh.positions[v as usize]);
            match Solid::new(mesh) {
                Ok(solid) => {
                    taken.parts.push((solid, mesh.triangles.iter().map(corners).collect()));
                }
                Err(error) => taken.left_out.push((index, error)),
            }
        }
        taken
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Exact signed distance of body `index` \[m\] and the unit direction in which it grows; `None` farther
    /// than `reach` \[m\] outside its box.
    pub fn sample(&self, index: usize, x: Vec3, reach: f64) -> Option<Sample> {
        let (solid, corners) = self.parts.get(index)?;
        let bounds = solid.bounds();
        let near = bounds.grown(reach);
        if !(x.cmpge(near.min).all() && x.cmple(near.max).all()) {
            return None;
        }
        let Signed { distance, triangle } = solid.distance(x, f64::INFINITY)?;
        let [a, b, c] = *corners.get(triangle as usize)?;
        let size = (bounds.max - bounds.min).max_element();
        let outwards = if distance.abs() > ON_SURFACE * size {
            try_normalize(point_triangle(x, a, b, c).delta * distance.signum())
        } else {
            try_normalize((b - a).cross(c - a))
        };
        Some(Sample { distance, gradient: outwards? })
    }
}
