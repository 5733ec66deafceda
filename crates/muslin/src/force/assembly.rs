//! From elements to a linear system: every element is linearised once, where its rows are.

mod elements;
mod layout;
mod planar;

use super::air::{self, Air, AirForce};
use super::hinge;
use super::membrane::Map;
use crate::cloth::Cloth;
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::{Mat3, Vec3, outer};
use crate::wind::Blow;
use elements::{ChunkElements, Element, Hinge, Triangle};
use rayon::prelude::*;
use std::sync::Arc;

/// Where and how a system is linearised: forces at `x`, `v`, and their change for `x → x + shift`.
#[derive(Clone, Copy, Debug)]
pub struct Linearised<'a> {
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
    /// Known displacement the forces are advanced by, `d` in `f + (∂f/∂x) d` \[m\].
    pub shift: &'a [Vec3],
    /// The air, if there is any.
    pub air: Option<&'a Air>,
    /// Winds as they blow now.
    pub winds: &'a [Blow],
    /// Implicit time `β` \[s\]: the matrix is `M − β ∂f/∂v − β² ∂f/∂x`.
    pub beta: f64,
}

/// The linear system of a cloth: pattern and element lists built once, values refilled every solve.
#[derive(Clone, Debug)]
pub struct System {
    /// `M − β ∂f/∂v − β² ∂f/∂x`.
    pub matrix: BlockMatrix,
    /// Forces `f(x, v)` without gravity \[N\].
    pub force: Vec<Vec3>,
    /// Forces after the known shift, `f + (∂f/∂x) d` \[N\].
    pub shifted_force: Vec<Vec3>,
    chunks: Vec<ChunkElements>,
}

impl System {
    /// Pattern and element lists of a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let size = cloth.vertex_count();
        let of_triangles = cloth.triangles.iter().flat_map(|t| pairs(t.as_slice()));
        let of_hinges = cloth.hinges.iter().flat_map(|h| pairs(&h.vertices));
        let layout = layout::material_layout(cloth);
        let pattern = Pattern::new(layout, of_triangles.chain(of_hinges));
        let mut chunks = vec![ChunkElements::default(); pattern.chunk_count()];
        let triangles = cloth.triangles.iter().copied();
        Triangle::distribute(&pattern, triangles, &mut chunks, |c| &mut c.triangles);
        let hinges = cloth.hinges.iter().map(|h| h.vertices);
        Hinge::distribute(&pattern, hinges, &mut chunks, |c| &mut c.hinges);
        Self {
            matrix: BlockMatrix::new(Arc::new(pattern)),
            force: vec![Vec3::ZERO; size],
            shifted_force: vec![Vec3::ZERO; size],
            chunks,
        }
    }

    /// Fills the matrix and both force vectors, chunk by chunk and in a fixed order (R4).
    pub fn assemble(&mut self, cloth: &Cloth, at: &Linearised) {
        let Self { matrix, force, shifted_force, chunks } = self;
        let pattern = Arc::clone(matrix.pattern());
        let rows = pattern.chunk_rows();
        let uppers = upper_chunks(&pattern, &mut matrix.upper);
        let parts = matrix.diagonal.par_chunks_mut(rows).zip(uppers);
        let forces = force.par_chunks_mut(rows).zip(shifted_force.par_chunks_mut(rows));
        parts.zip(forces).zip(chunks.par_iter()).enumerate().for_each(
            |(c, (((diagonal, upper), (force, shifted)), elements))| {
                let mut chunk = Chunk { start: c * rows, diagonal, upper, force, shifted };
                chunk.clear(cloth);
                elements.triangles.iter().for_each(|t| chunk.add_triangle(cloth, at, t));
                elements.hinges.iter().for_each(|h| chunk.add_hinge(cloth, at, h));
                chunk.close(&pattern);
            },
        );
    }
}

/// The rows of one chunk, being filled.
struct Chunk<'a> {
    start: usize,
    diagonal: &'a mut [Mat3],
    upper: &'a mut [Mat3],
    force: &'a mut [Vec3],
    shifted: &'a mut [Vec3],
}

impl Chunk<'_> {
    fn clear(&mut self, cloth: &Cloth) {
        for (block, mass) in self.diagonal.iter_mut().zip(&cloth.mass[self.start..]) {
            *block = Mat3::from_diagonal(Vec3::splat(*mass));
        }
        self.upper.fill(Mat3::ZERO);
        self.force.fill(Vec3::ZERO);
        self.shifted.fill(Vec3::ZERO);
    }

    /// Membrane and air of a triangle: `f_i = −(du_i P_u + dv_i P_v) + air/3`.
    #[inline]
    fn add_triangle(&mut self, cloth: &Cloth, at: &Linearised, element: &Triangle) {
        let index = element.index as usize;
        let (rest, corners) = (&cloth.triangle_rest[index], &cloth.triangles[index]);
        let of = |a: &[Vec3]| corners.map(|v| a[v as usize]);
        let (x, v) = (of(at.x), of(at.v));
        let (w, rate) = (Map::of(rest, x), Map::of(rest, v));
        let membrane = if cloth.tables.is_empty() {
            planar::linearise(rest, &w, &rate, at.beta)
        } else {
            planar::linearise(&cloth.rest_at(index, &w), &w, &rate, at.beta)
        };
        let change = membrane.stiffness.times(&w, &Map::of(rest, of(at.shift)));
        let stress = membrane.stress;
        let weights = element.corners.map(|c| [rest.du[c as usize], rest.dv[c as usize]]);
        let (mut air, mut on_corner) = (Mat3::ZERO, Vec3::ZERO);
        if let Some(flow) = at.air {
            let [centre, mean] = [x, v].map(|corners| corners.iter().sum::<Vec3>() / 3.0);
            let blowing: Vec3 = at.winds.iter().map(|blow| blow.velocity(centre)).sum();
            let flow = Air { wind: flow.wind + blowing, ..*flow };
            let force = air::on_triangle(&flow, x, mean);
            (air, on_corner) = (air_block(&force, at.beta), force.force / 3.0);
        }
        for (&vertex, [du, dv]) in element.vertices.iter().zip(weights) {
            let force = on_corner - stress.u * du - stress.v * dv;
            self.add_force(vertex, force, force - change.u * du - change.v * dv);
        }
        let between = |c: usize, d: usize| membrane.matrix.between(weights[c], weights[d]);
        self.add_pair(element, 0, [0, 1], air + between(0, 1).expand(&w));
        self.add_pair(element, 1, [0, 2], air + between(0, 2).expand(&w));
        self.add_pair(element, 2, [1, 2], air + between(1, 2).expand(&w));
        if at.air.is_some() {
            // Three times, because `close` takes the two pairs of every corner away again.
            element.vertices.iter().for_each(|&vertex| self.add_diagonal(vertex, air * 3.0));
        }
    }

    /// Bending of a hinge: `f_i = −moment ∂θ/∂x_i`, blocks `(β² k + β k_d) ∂θ/∂x_i ∂θ/∂x_jᵀ`.
    #[inline]
    fn add_hinge(&mut self, cloth: &Cloth, at: &Linearised, element: &Hinge) {
        let rest = &cloth.hinges[element.index as usize];
        let of = |a: &[Vec3]| rest.vertices.map(|v| a[v as usize]);
        let Some(angle) = hinge::angle(of(at.x)) else { return };
        let moment = hinge::moment(rest, &angle, of(at.v));
        let shift: f64 = angle.gradient.iter().zip(of(at.shift)).map(|(g, d)| g.dot(d)).sum();
        let stiffness = hinge::tangent(rest, &angle);
        let shifted = moment + stiffness * shift;
        let weight = at.beta * (at.beta * stiffness + rest.damping);
        let gradient = element.corners.map(|c| angle.gradient[c as usize]);
        for (&vertex, g) in element.vertices.iter().zip(gradient) {
            self.add_force(vertex, g * -moment, g * -shifted);
        }
        let weighted = gradient.map(|g| g * weight);
        let mut add = |pair: usize, c: usize, d: usize| {
            self.add_pair(element, pair, [c, d], outer(weighted[c], gradient[d]));
        };
        add(0, 0, 1);
        add(1, 0, 2);
        add(2, 0, 3);
        add(3, 1, 2);
        add(4, 1, 3);
        add(5, 2, 3);
    }

    /// Adds to the forces of a vertex, if it belongs to this chunk.
    #[inline]
    fn add_force(&mut self, vertex: u32, force: Vec3, shifted: Vec3) {
        let row = (vertex as usize).wrapping_sub(self.start);
        if let (Some(f), Some(s)) = (self.force.get_mut(row), self.shifted.get_mut(row)) {
            *f += force;
            *s += shifted;
        }
    }

    /// Adds to the diagonal block of a vertex, if it belongs to this chunk.
    #[inline]
    fn add_diagonal(&mut self, vertex: u32, add: Mat3) {
        if let Some(block) = self.diagonal.get_mut((vertex as usize).wrapping_sub(self.start)) {
            *block += add;
        }
    }

    /// Adds the block of a pair of vertices, row and column. One that another chunk stores counts for
    /// its column's diagonal block, if that is here; [`Self::close`] does the same for all others.
    #[inline]
    fn add_pair<const N: usize, const P: usize>(
        &mut self,
        element: &Element<N, P>,
        pair: usize,
        [_, column]: [usize; 2],
        add: Mat3,
    ) {
        match self.upper.get_mut(element.blocks[pair] as usize) {
            Some(block) => *block += add,
            None => self.add_diagonal(element.vertices[column], -add.transpose()),
        }
    }

    /// Completes the diagonal: elastic forces do not change when all vertices move together, so every
    /// row of the matrix sums to its mass.
    fn close(&mut self, pattern: &Pattern) {
        let rows = self.start..self.start + self.diagonal.len();
        let first = pattern.row(self.start).start;
        for row in rows {
            let mut sum = Mat3::ZERO;
            for k in pattern.row(row) {
                let block = self.upper[k - first];
                sum += block;
                if let Some(diagonal) = self.diagonal.get_mut(pattern.column(k) - self.start) {
                    *diagonal -= block.transpose();
                }
            }
            // Blocks of later rows never reach this one: it is complete.
            let block = &mut self.diagonal[row - self.start];
            let complete = *block - sum;
            *block = (complete + complete.transpose()) * 0.5;
        }
    }
}

/// `β/9` of the air's rate, because a corner carries a third of the force and of the mean velocity.
#[inline]
fn air_block(air: &AirForce, beta: f64) -> Mat3 {
    air.rate * (beta / 9.0)
}

/// All pairs of different vertices of an element.
fn pairs(vertices: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..vertices.len()).flat_map(move |i| (0..i).map(move |j| [vertices[i], vertices[j]]))
}

/// The upper blocks of every chunk of rows.
fn upper_chunks<'a>(pattern: &Pattern, mut upper: &'a mut [Mat3]) -> Vec<&'a mut [Mat3]> {
    let counts = (0..pattern.chunk_count()).map(|c| {
        let rows = pattern.chunk(c);
        rows.map(|row| pattern.row(row).len()).sum()
    });
    counts
        .map(|count: usize| {
            let (chunk, rest) = std::mem::take(&mut upper).split_at_mut(count);
            upper = rest;
            chunk
        })
        .collect()
}
