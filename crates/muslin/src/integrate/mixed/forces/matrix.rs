//! `M + βD` as a matrix, but for the air: what preconditions its solves is made from it.

use super::Forces;
use crate::cloth::Cloth;
use crate::force::material_layout;
use crate::integrate::mixed::Elastic;
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::{Mat3, Vec3, outer};
use std::sync::Arc;

/// The matrix, and where the blocks of every element stand in it.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// `M + βD`.
    pub matrix: BlockMatrix,
    /// Positions of the blocks of all pairs of corners, element after element.
    slots: Vec<u32>,
}

impl Assembled {
    /// Pattern and lists of a cloth.
    pub fn new(cloth: &Cloth, elastic: Elastic) -> Self {
        let mut pairs = Vec::new();
        match elastic {
            Elastic::Triangles => {
                cloth.triangles.iter().for_each(|t| add_pairs(t, &mut pairs));
                cloth.hinges.iter().for_each(|h| add_pairs(&h.vertices, &mut pairs));
            }
            Elastic::Springs => {
                cloth.springs.axial.iter().for_each(|s| add_pairs(&s.vertices, &mut pairs));
                cloth.springs.bend.iter().for_each(|s| add_pairs(&s.vertices, &mut pairs));
            }
        }
        let pattern = Pattern::new(material_layout(cloth), pairs.iter().copied());
        // The pattern holds every pair.
        let slots = pairs.iter().filter_map(|&[low, high]| pattern.find(low, high));
        let slots = slots.map(|slot| slot as u32).collect();
        Self { matrix: BlockMatrix::new(Arc::new(pattern)), slots }
    }
}

/// Lists the pairs of different vertices of an element, each in order. Springs with fewer corners than others name one
/// of them twice.
fn add_pairs(vertices: &[u32], pairs: &mut Vec<[u32; 2]>) {
    for (k, &b) in vertices.iter().enumerate() {
        let others = vertices[..k].iter().filter(|&&a| a != b);
        pairs.extend(others.map(|&a| [a.min(b), a.max(b)]));
    }
}

/// Adds elements in the order of the lists.
struct Sum<'a> {
    diagonal: &'a mut [Mat3],
    lower: &'a mut [Mat3],
    slots: std::slice::Iter<'a, u32>,
}

impl Sum<'_> {
    /// Adds `Σ g gᵀ` over the conditions of an element, each with a vector per corner.
    #[inline]
    fn add<const N: usize, const C: usize>(&mut self, vertices: &[u32; N], g: &[[Vec3; N]; C]) {
        let block = |i: usize, j: usize| g.iter().map(|g| outer(g[i], g[j])).sum::<Mat3>();
        for (k, &b) in vertices.iter().enumerate() {
            self.diagonal[b as usize] += block(k, k);
            for (i, &a) in vertices[..k].iter().enumerate() {
                if a == b {
                    self.diagonal[b as usize] += block(i, k) + block(k, i);
                } else if let Some(&slot) = self.slots.next() {
                    // `A_ji` of the rows `i < j`.
                    let [row, column] = if a < b { [k, i] } else { [i, k] };
                    self.lower[slot as usize] += block(row, column);
                }
            }
        }
    }
}

impl Forces {
    /// Fills `M + βD` at a position, one element after the other.
    pub fn assemble(&mut self, cloth: &Cloth, x: &[Vec3], beta: f64, assembled: &mut Assembled) {
        self.evaluate_elastic(cloth, x);
        let Assembled { matrix: BlockMatrix { diagonal, lower, .. }, slots } = assembled;
        for (block, &mass) in diagonal.iter_mut().zip(&cloth.mass) {
            *block = Mat3::from_diagonal(Vec3::splat(mass));
        }
        lower.fill(Mat3::ZERO);
        let mut sum = Sum { diagonal, lower, slots: slots.iter() };
        let root = beta.sqrt();
        for (t, factors) in self.triangles.iter().enumerate() {
            let rest = &cloth.triangle_rest[t];
            let (stretch, shear) = (&factors.stretch, &factors.shear);
            let conditions = [
                rest.du.map(|du| stretch.u * (du * root)),
                rest.dv.map(|dv| stretch.v * (dv * root)),
                [0, 1, 2].map(|i| (shear.v * rest.du[i] + shear.u * rest.dv[i]) * root),
            ];
            sum.add(&cloth.triangles[t], &conditions);
        }
        let along = |unit: &Vec3, damping: f64| *unit * (beta * damping).sqrt();
        for (rest, gradient) in cloth.hinges.iter().zip(&self.hinges) {
            sum.add(&rest.vertices, &[gradient.map(|g| along(&g, rest.damping))]);
        }
        for (rest, unit) in cloth.springs.axial.iter().zip(&self.axial) {
            let along = along(unit, rest.damping);
            sum.add(&rest.vertices, &[[-along, along]]);
        }
        for (rest, unit) in cloth.springs.bend.iter().zip(&self.bend) {
            let along = along(unit, rest.damping);
            sum.add(&rest.vertices, &[rest.weights.map(|w| along * w)]);
        }
    }
}
