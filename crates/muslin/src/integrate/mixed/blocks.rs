//! The preconditioner of a damping solve: the 3 × 3 blocks of `M + βD` on its diagonal (block Jacobi), from the
//! factors that are cached for the operator anyway (MF2).
//!
//! Along the cloth, damping of stretch makes a vertex many times heavier than across it, where only bending is
//! damped, and small triangles more so than large ones. The blocks know both; the mass alone knows neither.

use super::forces::Forces;
use crate::cloth::Cloth;
use crate::math::{Mat3, Vec3, outer};
use rayon::prelude::*;

/// Vertices per parallel piece.
const ROWS: usize = 512;

impl Forces {
    /// The inverse of every diagonal block of `M + βD` \[1/kg\] at the position last evaluated.
    pub fn inverse_blocks(&self, cloth: &Cloth, beta: f64, out: &mut Vec<Mat3>) {
        out.resize(cloth.vertex_count(), Mat3::ZERO);
        out.par_chunks_mut(ROWS).enumerate().for_each(|(piece, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let v = piece * ROWS + k;
                let corners = self.gather.slots_of(v).iter();
                let damping: Mat3 = corners.map(|&slot| self.block(cloth, slot as usize)).sum();
                // At least the mass in every direction, so it can be inverted.
                *out = (Mat3::from_diagonal(Vec3::splat(cloth.mass[v])) + damping * beta).inverse();
            }
        });
    }

    /// What the corner of an element adds to the block of `D` at its vertex \[N·s/m\].
    fn block(&self, cloth: &Cloth, slot: usize) -> Mat3 {
        let slot = match slot.checked_sub(3 * self.triangles.len()) {
            None => return self.block_of_triangle(cloth, slot / 3, slot % 3),
            Some(rest) => rest,
        };
        let slot = match slot.checked_sub(4 * self.hinges.len()) {
            None => {
                let along = self.hinges[slot / 4][slot % 4];
                return outer(along, along) * cloth.hinges[slot / 4].damping;
            }
            Some(rest) => rest,
        };
        match slot.checked_sub(2 * self.axial.len()) {
            None => {
                let along = self.axial[slot / 2];
                outer(along, along) * cloth.springs.axial[slot / 2].damping
            }
            Some(slot) => {
                let (along, spring) = (self.bend[slot / 4], &cloth.springs.bend[slot / 4]);
                let weight = spring.weights[slot % 4];
                outer(along, along) * (spring.damping * weight * weight)
            }
        }
    }

    fn block_of_triangle(&self, cloth: &Cloth, t: usize, corner: usize) -> Mat3 {
        let (rest, factors) = (&cloth.triangle_rest[t], &self.triangles[t]);
        let drag = factors.air * (1.0 / 9.0);
        if self.of_springs() {
            return drag;
        }
        let (du, dv, unit, w) = (rest.du[corner], rest.dv[corner], &factors.unit, &factors.w);
        let turn = w.v * du + w.u * dv;
        let stretch = outer(unit.u, unit.u) * (du * du) + outer(unit.v, unit.v) * (dv * dv);
        let shear = outer(turn, turn) * (rest.area * rest.shear_damping);
        drag + stretch * (rest.area * rest.stretch_damping) + shear
    }
}
