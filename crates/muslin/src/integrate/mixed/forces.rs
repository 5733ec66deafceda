//! Forces of mixed dynamics without a matrix: what does not depend on the velocity, and damping as an
//! operator whose position-dependent factors are found once and used in every iteration (MF2).
//!
//! At fixed positions all forces are `f(v) = free − D v`, with `D` symmetric and positive semi-definite:
//!
//! | part | in `free` | in `D` |
//! |---|---|---|
//! | stretch and shear of a triangle (BW3, BW4, BW6) | `−∂E/∂x` | `k_d ∂C/∂x ∂C/∂xᵀ` per condition |
//! | hinge (MF4) | `−moment ∂θ/∂x` | `k_d u uᵀ` |
//! | springs (BF1) | along the spring | `k_d d̂ d̂ᵀ` |
//! | air, linearised at `v̂` (BW7) | `f(v̂) + R v̂` | `R` |

use super::Elastic;
use super::gather::Gather;
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air};
use crate::force::hinge;
use crate::force::membrane::{self, Map};
use crate::force::spring;
use crate::math::{Mat3, Vec3};
use crate::wind::Blow;
use rayon::prelude::*;

/// Elements per parallel piece.
const PIECE: usize = 256;

/// What a triangle's damping needs of its position.
#[derive(Clone, Copy, Debug)]
struct TriangleFactors {
    w: Map,
    /// `ŵ_u`, `ŵ_v`.
    unit: Map,
    /// Rate of the air \[N·s/m\], and a bound of its eigenvalues.
    air: Mat3,
    air_bound: f64,
}

impl TriangleFactors {
    /// Of a triangle that damps nothing.
    const NONE: Self = Self {
        w: Map { u: Vec3::ZERO, v: Vec3::ZERO },
        unit: Map { u: Vec3::ZERO, v: Vec3::ZERO },
        air: Mat3::ZERO,
        air_bound: 0.0,
    };
}

/// Where and in what air forces are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    pub x: &'a [Vec3],
    /// Velocities `v̂` the air is linearised at.
    pub v: &'a [Vec3],
    pub air: Option<&'a Air>,
    pub winds: &'a [Blow],
}

/// Forces and cached factors.
#[derive(Clone, Debug)]
pub(super) struct Forces {
    elastic: Elastic,
    gather: Gather,
    /// One force per corner of every element: triangles, then hinges or springs.
    slots: Vec<Vec3>,
    triangles: Vec<TriangleFactors>,
    /// `∂θ/∂x` of every hinge.
    hinges: Vec<[Vec3; 4]>,
    /// Unit directions of springs.
    axial: Vec<Vec3>,
    /// Damped directions of stabilising springs.
    bend: Vec<Vec3>,
    /// Forces at no velocity, without gravity \[N\].
    pub free: Vec<Vec3>,
}

impl Forces {
    pub fn new(cloth: &Cloth, elastic: Elastic) -> Self {
        let mut corners: Vec<u32> = cloth.triangles.as_flattened().to_vec();
        let (mut hinges, mut axial, mut bend) = (0, 0, 0);
        match elastic {
            Elastic::Triangles => {
                corners.extend(cloth.hinges.iter().flat_map(|h| h.vertices));
                hinges = cloth.hinges.len();
            }
            Elastic::Springs => {
                corners.extend(cloth.springs.axial.iter().flat_map(|s| s.vertices));
                corners.extend(cloth.springs.bend.iter().flat_map(|s| s.vertices));
                (axial, bend) = (cloth.springs.axial.len(), cloth.springs.bend.len());
            }
        }
        Self {
            elastic,
            gather: Gather::new(cloth.vertex_count(), &corners),
            slots: vec![Vec3::ZERO; corners.len()],
            triangles: vec![TriangleFactors::NONE; cloth.triangles.len()],
            hinges: vec![[Vec3::ZERO; 4]; hinges],
            axial: vec![Vec3::ZERO; axial],
            bend: vec![Vec3::ZERO; bend],
            free: vec![Vec3::ZERO; cloth.vertex_count()],
        }
    }

    /// Finds all factors and `free` at a position.
    pub fn evaluate(&mut self, cloth: &Cloth, at: &At) {
        let of_springs = self.elastic == Elastic::Springs;
        let Self { slots, triangles, hinges, axial, bend, gather, free, .. } = self;
        let (first, rest) = slots.split_at_mut(3 * triangles.len());
        each(triangles, first, |t, factors, out: &mut [Vec3; 3]| {
            (*factors, *out) = triangle(cloth, t, at, of_springs);
        });
        let (of_hinges, rest) = rest.split_at_mut(4 * hinges.len());
        each(hinges, of_hinges, |h, gradient, out: &mut [Vec3; 4]| {
            let rest = &cloth.hinges[h];
            let Some(angle) = hinge::angle(rest.vertices.map(|v| at.x[v as usize])) else {
                (*gradient, *out) = ([Vec3::ZERO; 4], [Vec3::ZERO; 4]);
                return;
            };
            let moment = hinge::elastic_moment(rest, angle.value);
            *gradient = angle.gradient;
            *out = angle.gradient.map(|g| g * -moment);
        });
        let (of_axial, of_bend) = rest.split_at_mut(2 * axial.len());
        each(axial, of_axial, |s, unit, out: &mut [Vec3; 2]| {
            let spring = &cloth.springs.axial[s];
            let (force, along) = spring::force(spring, spring.vertices.map(|v| at.x[v as usize]));
            (*unit, *out) = (along, [-force, force]);
        });
        each(bend, of_bend, |s, along, out: &mut [Vec3; 4]| {
            let spring = &cloth.springs.bend[s];
            let (force, unit) =
                spring::bend_force(spring, spring.vertices.map(|v| at.x[v as usize]));
            (*along, *out) = (unit, spring.weights.map(|w| force * w));
        });
        gather.sum(slots, free);
    }

    /// `out = D v` at the position last evaluated.
    pub fn damp(&mut self, cloth: &Cloth, v: &[Vec3], out: &mut [Vec3]) {
        let of_springs = self.elastic == Elastic::Springs;
        let Self { slots, triangles, hinges, axial, bend, gather, .. } = self;
        let (first, rest) = slots.split_at_mut(3 * triangles.len());
        each(triangles, first, |t, factors, out: &mut [Vec3; 3]| {
            let v = cloth.triangles[t].map(|c| v[c as usize]);
            *out = damp_triangle(&cloth.triangle_rest[t], factors, v, of_springs);
        });
        let (of_hinges, rest) = rest.split_at_mut(4 * hinges.len());
        each(hinges, of_hinges, |h, gradient, out: &mut [Vec3; 4]| {
            let rest = &cloth.hinges[h];
            let v = rest.vertices.map(|c| v[c as usize]);
            let rate: f64 = gradient.iter().zip(v).map(|(g, v)| g.dot(v)).sum();
            *out = gradient.map(|g| g * (rest.damping * rate));
        });
        let (of_axial, of_bend) = rest.split_at_mut(2 * axial.len());
        each(axial, of_axial, |s, unit, out: &mut [Vec3; 2]| {
            let spring = &cloth.springs.axial[s];
            let [a, b] = spring.vertices.map(|c| v[c as usize]);
            let force = *unit * (spring.damping * unit.dot(b - a));
            *out = [-force, force];
        });
        each(bend, of_bend, |s, along, out: &mut [Vec3; 4]| {
            let spring = &cloth.springs.bend[s];
            let rate = spring::combine(spring, spring.vertices.map(|c| v[c as usize]));
            let force = *along * (spring.damping * along.dot(rate));
            *out = spring.weights.map(|w| force * w);
        });
        gather.sum(slots, out);
    }

    /// An upper bound of the largest eigenvalue of `M⁻¹D` at the position last evaluated \[1/s\].
    ///
    /// For an element `c g gᵀ`, `(Σ g_i·v_i)² ≤ (Σ|g_j|) Σ |g_i||v_i|²`: the row sums of `c |g_i| Σ|g_j|` bound it.
    pub fn damping_rate(&mut self, cloth: &Cloth) -> f64 {
        let of_springs = self.elastic == Elastic::Springs;
        let mut rows = vec![0.0; cloth.vertex_count()];
        let mut add = |vertices: &[u32], sizes: &[f64], damping: f64| {
            let sum: f64 = sizes.iter().sum();
            vertices.iter().zip(sizes).for_each(|(&v, g)| rows[v as usize] += damping * g * sum);
        };
        for (t, factors) in self.triangles.iter().enumerate() {
            let (rest, corners) = (&cloth.triangle_rest[t], &cloth.triangles[t]);
            if !of_springs {
                let kd = rest.stretch_damping * rest.area;
                add(corners, &rest.du.map(f64::abs), kd);
                add(corners, &rest.dv.map(f64::abs), kd);
                let shear = [0, 1, 2]
                    .map(|i| (factors.w.v * rest.du[i] + factors.w.u * rest.dv[i]).length());
                add(corners, &shear, rest.shear_damping * rest.area);
            }
            add(corners, &[1.0 / 3.0; 3], factors.air_bound);
        }
        for (rest, gradient) in cloth.hinges.iter().zip(&self.hinges) {
            add(&rest.vertices, &gradient.map(Vec3::length), rest.damping);
        }
        if of_springs {
            cloth.springs.axial.iter().for_each(|s| add(&s.vertices, &[1.0; 2], s.damping));
            let bend = cloth.springs.bend.iter();
            bend.for_each(|s| add(&s.vertices, &s.weights.map(f64::abs), s.damping));
        }
        rows.iter().zip(&cloth.mass).map(|(row, m)| row / m).fold(0.0, f64::max)
    }
}

/// Visits every element with its factors and its `N` slots.
fn each<T: Send, const N: usize>(
    factors: &mut [T],
    slots: &mut [Vec3],
    visit: impl Fn(usize, &mut T, &mut [Vec3; N]) + Sync,
) {
    let (slots, _) = slots.as_chunks_mut::<N>();
    factors.par_chunks_mut(PIECE).zip(slots.par_chunks_mut(PIECE)).enumerate().for_each(
        |(piece, (factors, slots))| {
            for (k, (factors, slots)) in factors.iter_mut().zip(slots).enumerate() {
                visit(piece * PIECE + k, factors, slots);
            }
        },
    );
}

/// Factors and corner forces at no velocity of a triangle; of cloth made of springs only the air.
fn triangle(cloth: &Cloth, t: usize, at: &At, of_springs: bool) -> (TriangleFactors, [Vec3; 3]) {
    let corners = cloth.triangles[t];
    let x = corners.map(|v| at.x[v as usize]);
    let rest = &cloth.triangle_rest[t];
    let mut factors = TriangleFactors::NONE;
    let mut force = [Vec3::ZERO; 3];
    if !of_springs {
        let w = Map::of(rest, x);
        let unit = |a: Vec3| if a == Vec3::ZERO { a } else { a / a.length() };
        (factors.w, factors.unit) = (w, Map { u: unit(w.u), v: unit(w.v) });
        let stress = membrane::stress(rest, &w, &Map::default());
        force = [0, 1, 2].map(|i| -(stress.u * rest.du[i] + stress.v * rest.dv[i]));
    }
    if let Some(air) = at.air {
        let mean = corners.iter().map(|&v| at.v[v as usize]).sum::<Vec3>() / 3.0;
        let centre = x.iter().sum::<Vec3>() / 3.0;
        let blowing: Vec3 = at.winds.iter().map(|blow| blow.velocity(centre)).sum();
        let on = air::on_triangle(&Air { wind: air.wind + blowing, ..*air }, x, mean);
        (factors.air, factors.air_bound) = (on.rate, on.largest_rate());
        let third = (on.force + on.rate * mean) / 3.0;
        for f in &mut force {
            *f += third;
        }
    }
    (factors, force)
}

#[inline]
fn damp_triangle(
    rest: &TriangleRest,
    factors: &TriangleFactors,
    v: [Vec3; 3],
    of_springs: bool,
) -> [Vec3; 3] {
    let drag = factors.air * (v.iter().sum::<Vec3>() / 9.0);
    if of_springs {
        return [drag; 3];
    }
    let (w, unit, rate) = (&factors.w, &factors.unit, Map::of(rest, v));
    let (stretch, shear) = (rest.area * rest.stretch_damping, rest.area * rest.shear_damping);
    let turn = shear * (rate.u.dot(w.v) + w.u.dot(rate.v));
    let along_u = unit.u * (stretch * unit.u.dot(rate.u)) + w.v * turn;
    let along_v = unit.v * (stretch * unit.v.dot(rate.v)) + w.u * turn;
    [0, 1, 2].map(|i| drag + along_u * rest.du[i] + along_v * rest.dv[i])
}
