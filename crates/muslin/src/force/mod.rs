//! Internal forces of cloth, one energy per file, and their assembly into one linear system.
//!
//! Every element is linearised in its own few coordinates (`w_u`, `w_v` of a triangle; the angle of a
//! hinge). The assembly goes over the matrix in fixed chunks of rows; each chunk computes the elements
//! that touch it and adds them in a fixed order, so no float is added atomically (R4).

pub mod air;
mod assembly;
pub mod hinge;
pub mod membrane;
pub mod pressure;
pub mod spring;

pub(crate) use assembly::material_layout;
pub use assembly::{Linearised, System};

use crate::cloth::Cloth;
use crate::math::Vec3;
use rayon::prelude::*;

/// Elements whose energies one task sums.
const PART: usize = 1024;

/// Elastic energy \[J\] by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticEnergy {
    /// Stretch and shear.
    pub membrane: f64,
    /// Bending.
    pub bend: f64,
}

/// Elastic energy of a cloth of springs at positions `x` (BF1).
pub fn spring_energy(cloth: &Cloth, x: &[Vec3]) -> ElasticEnergy {
    let axial = cloth.springs.axial.iter();
    let bend = cloth.springs.bend.iter();
    ElasticEnergy {
        membrane: axial.map(|s| spring::energy(s, s.vertices.map(|v| x[v as usize]))).sum(),
        bend: bend.map(|s| spring::bend_energy(s, s.vertices.map(|v| x[v as usize]))).sum(),
    }
}

/// Elastic energy of a cloth at positions `x`.
pub fn elastic_energy(cloth: &Cloth, x: &[Vec3]) -> ElasticEnergy {
    // Sums of fixed parts in a fixed order: the same bits on any number of threads.
    let triangles: Vec<usize> = (0..cloth.triangles.len()).step_by(PART).collect();
    let membrane = triangles.par_iter().map(|&start| {
        let end = cloth.triangles.len().min(start + PART);
        (start..end).map(|t| cloth.membrane_energy(t, x)).sum::<f64>()
    });
    let bend = cloth.hinges.par_chunks(PART).map(|hinges| {
        hinges.iter().map(|h| hinge::energy(h, h.vertices.map(|v| x[v as usize]))).sum::<f64>()
    });
    ElasticEnergy {
        membrane: membrane.collect::<Vec<f64>>().iter().sum(),
        bend: bend.collect::<Vec<f64>>().iter().sum(),
    }
}

#[cfg(test)]
mod tests;
