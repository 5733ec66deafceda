//! From elements to a linear system: linearise each element once, then gather row by row.

use super::air::{self, Air, AirForce};
use super::hinge;
use super::membrane::{self, Map, MapMatrix};
use crate::cloth::{Cloth, TriangleRest};
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::{Mat3, Vec3, outer};
use rayon::prelude::*;
use std::sync::Arc;

/// Elements per parallel task.
const MIN_ELEMENTS: usize = 256;

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
    /// Implicit time `β` \[s\]: the matrix is `M − β ∂f/∂v − β² ∂f/∂x`.
    pub beta: f64,
}

/// A triangle after linearisation.
#[derive(Clone, Copy, Debug, Default)]
struct TriangleRecord {
    matrix: MapMatrix,
    stress: Map,
    shifted: Map,
    air: AirForce,
}

/// A hinge after linearisation.
#[derive(Clone, Copy, Debug, Default)]
struct HingeRecord {
    gradient: [Vec3; 4],
    /// `β² k + β k_d`.
    weight: f64,
    moment: f64,
    shifted: f64,
}

/// Which corner of which element contributes to a row, and which pair to a block.
#[derive(Clone, Debug, Default)]
struct Gather {
    starts: Vec<u32>,
    /// `element · 16 + first corner · 4 + second corner`.
    items: Vec<u32>,
}

impl Gather {
    fn new(count: usize, mut items: Vec<(u32, u32)>) -> Self {
        items.par_sort_unstable();
        let mut starts = vec![0u32; count + 1];
        for (slot, _) in &items {
            starts[*slot as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Self { starts, items: items.into_iter().map(|(_, item)| item).collect() }
    }

    #[inline]
    fn of(&self, slot: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        self.items[self.starts[slot] as usize..self.starts[slot + 1] as usize]
            .iter()
            .map(|&item| ((item >> 4) as usize, (item >> 2 & 3) as usize, (item & 3) as usize))
    }
}

/// The linear system of a cloth: pattern and gather lists built once, values refilled every solve.
#[derive(Clone, Debug)]
pub struct System {
    /// `M − β ∂f/∂v − β² ∂f/∂x`.
    pub matrix: BlockMatrix,
    /// Forces `f(x, v)` without gravity \[N\].
    pub force: Vec<Vec3>,
    /// Forces after the known shift, `f + (∂f/∂x) d` \[N\].
    pub shifted_force: Vec<Vec3>,
    triangles: Vec<TriangleRecord>,
    hinges: Vec<HingeRecord>,
    vertex_triangles: Gather,
    vertex_hinges: Gather,
    block_triangles: Gather,
    block_hinges: Gather,
}

impl System {
    /// Pattern and gather lists of a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let size = cloth.vertex_count();
        let of_triangles = cloth.triangles.iter().flat_map(|t| pairs(t.as_slice()));
        let of_hinges = cloth.hinges.iter().flat_map(|h| pairs(&h.vertices));
        let pattern = Pattern::new(size, of_triangles.chain(of_hinges));
        let (vertex_triangles, block_triangles) =
            gather_lists(&pattern, cloth.triangles.iter().map(|t| t.as_slice()));
        let (vertex_hinges, block_hinges) =
            gather_lists(&pattern, cloth.hinges.iter().map(|h| h.vertices.as_slice()));
        Self {
            matrix: BlockMatrix::new(Arc::new(pattern)),
            force: vec![Vec3::ZERO; size],
            shifted_force: vec![Vec3::ZERO; size],
            triangles: vec![TriangleRecord::default(); cloth.triangles.len()],
            hinges: vec![HingeRecord::default(); cloth.hinges.len()],
            vertex_triangles,
            vertex_hinges,
            block_triangles,
            block_hinges,
        }
    }

    /// Fills the matrix and both force vectors.
    pub fn assemble(&mut self, cloth: &Cloth, at: &Linearised) {
        self.linearise(cloth, at);
        self.gather_forces(cloth);
        self.gather_matrix(cloth);
    }

    fn linearise(&mut self, cloth: &Cloth, at: &Linearised) {
        self.triangles.par_iter_mut().with_min_len(MIN_ELEMENTS).enumerate().for_each(
            |(t, out)| {
                let rest = &cloth.triangle_rest[t];
                let of = |a: &[Vec3]| cloth.triangles[t].map(|v| a[v as usize]);
                let (x, v) = (of(at.x), of(at.v));
                let (w, rate) = (Map::of(rest, x), Map::of(rest, v));
                let (k, d) = membrane::stiffness_and_damping(rest, &w, &rate);
                out.stress = membrane::stress(rest, &w, &rate);
                let change = k.times(&Map::of(rest, of(at.shift)));
                out.shifted = Map { u: out.stress.u + change.u, v: out.stress.v + change.v };
                let (bx, bv) = (at.beta * at.beta, at.beta);
                out.matrix = MapMatrix {
                    uu: k.uu * bx + d.uu * bv,
                    uv: k.uv * bx + d.uv * bv,
                    vv: k.vv * bx + d.vv * bv,
                };
                out.air = at.air.map_or_else(AirForce::default, |air| {
                    let mut force = air::on_triangle(air, x, (v[0] + v[1] + v[2]) / 3.0);
                    force.normal_rate *= at.beta;
                    force.tangential_rate *= at.beta;
                    force
                });
            },
        );
        self.hinges.par_iter_mut().with_min_len(MIN_ELEMENTS).enumerate().for_each(|(i, out)| {
            let rest = &cloth.hinges[i];
            let of = |a: &[Vec3]| rest.vertices.map(|v| a[v as usize]);
            *out = hinge::angle(of(at.x)).map_or_else(HingeRecord::default, |angle| {
                let shift: f64 =
                    angle.gradient.iter().zip(of(at.shift)).map(|(g, d)| g.dot(d)).sum();
                let moment = hinge::moment(rest, &angle, of(at.v));
                HingeRecord {
                    gradient: angle.gradient,
                    weight: at.beta * (at.beta * rest.stiffness + rest.damping),
                    moment,
                    shifted: moment + rest.stiffness * shift,
                }
            });
        });
    }

    /// Forces on every vertex: `f_i = −Σ (du_i P_u + dv_i P_v) − Σ moment ∂θ/∂x_i + air/3`.
    fn gather_forces(&mut self, cloth: &Cloth) {
        let Self {
            force, shifted_force, triangles, hinges, vertex_triangles, vertex_hinges, ..
        } = self;
        force
            .par_iter_mut()
            .zip(shifted_force.par_iter_mut())
            .with_min_len(MIN_ELEMENTS)
            .enumerate()
            .for_each(|(i, (force, shifted))| {
                (*force, *shifted) = (Vec3::ZERO, Vec3::ZERO);
                for (t, c, _) in vertex_triangles.of(i) {
                    let (record, rest) = (&triangles[t], &cloth.triangle_rest[t]);
                    let (du, dv) = (rest.du[c], rest.dv[c]);
                    let air = record.air.force / 3.0;
                    *force += air - record.stress.u * du - record.stress.v * dv;
                    *shifted += air - record.shifted.u * du - record.shifted.v * dv;
                }
                for (h, c, _) in vertex_hinges.of(i) {
                    let record = &hinges[h];
                    *force -= record.gradient[c] * record.moment;
                    *shifted -= record.gradient[c] * record.shifted;
                }
            });
    }

    /// Blocks of the matrix, each gathered from its elements in a fixed order.
    fn gather_matrix(&mut self, cloth: &Cloth) {
        let Self { matrix, triangles, hinges, .. } = self;
        let BlockMatrix { diagonal, upper, .. } = matrix;
        let (at_vertices, hinged) = (&self.vertex_triangles, &self.vertex_hinges);
        diagonal.par_iter_mut().with_min_len(MIN_ELEMENTS).enumerate().for_each(|(i, block)| {
            *block = Mat3::from_diagonal(Vec3::splat(cloth.mass[i]));
            for (t, c, _) in at_vertices.of(i) {
                *block += triangles[t].block(&cloth.triangle_rest[t], c, c);
            }
            for (h, c, _) in hinged.of(i) {
                *block += hinges[h].block(c, c);
            }
        });
        let (at_blocks, hinged) = (&self.block_triangles, &self.block_hinges);
        upper.par_iter_mut().with_min_len(MIN_ELEMENTS).enumerate().for_each(|(k, block)| {
            *block = Mat3::ZERO;
            for (t, c, d) in at_blocks.of(k) {
                *block += triangles[t].block(&cloth.triangle_rest[t], c, d);
            }
            for (h, c, d) in hinged.of(k) {
                *block += hinges[h].block(c, d);
            }
        });
    }
}

impl TriangleRecord {
    /// Block (c, d): `du_c du_d H_uu + du_c dv_d H_uv + dv_c du_d H_uvᵀ + dv_c dv_d H_vv`, and a ninth
    /// of the air's rate, because a corner carries a third of the force and of the mean velocity.
    #[inline]
    fn block(&self, rest: &TriangleRest, c: usize, d: usize) -> Mat3 {
        let m = &self.matrix;
        let elastic = m.uu * (rest.du[c] * rest.du[d])
            + m.uv * (rest.du[c] * rest.dv[d])
            + m.uv.transpose() * (rest.dv[c] * rest.du[d])
            + m.vv * (rest.dv[c] * rest.dv[d]);
        let air = &self.air;
        if air.normal_rate == 0.0 && air.tangential_rate == 0.0 {
            return elastic;
        }
        let across = (air.normal_rate - air.tangential_rate) / 9.0;
        elastic
            + outer(air.normal * across, air.normal)
            + Mat3::from_diagonal(Vec3::splat(air.tangential_rate / 9.0))
    }
}

impl HingeRecord {
    #[inline]
    fn block(&self, c: usize, d: usize) -> Mat3 {
        outer(self.gradient[c] * self.weight, self.gradient[d])
    }
}

/// All pairs of different vertices of an element.
fn pairs(vertices: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..vertices.len()).flat_map(move |i| (0..i).map(move |j| [vertices[i], vertices[j]]))
}

/// Per vertex: the elements that touch it. Per upper block: the element corners whose pair it is.
fn gather_lists<'a>(
    pattern: &Pattern,
    elements: impl Iterator<Item = &'a [u32]>,
) -> (Gather, Gather) {
    let mut at_vertices = Vec::new();
    let mut at_blocks = Vec::new();
    for (e, vertices) in elements.enumerate() {
        for (c, &row) in vertices.iter().enumerate() {
            at_vertices.push((row, (e * 16 + c * 4 + c) as u32));
            for (d, &column) in vertices.iter().enumerate() {
                if let Some(slot) = (row < column).then(|| pattern.find(row, column)).flatten() {
                    at_blocks.push((slot as u32, (e * 16 + c * 4 + d) as u32));
                }
            }
        }
    }
    (Gather::new(pattern.size(), at_vertices), Gather::new(pattern.upper_count(), at_blocks))
}
