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

pub(super) mod matrix;

use super::Elastic;
use super::gather::Gather;
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air};
use crate::force::hinge;
use crate::force::membrane::{self, Map};
use crate::force::spring;
use crate::math::{Mat3, Vec3};
use crate::wind::Blow;

/// What a triangle's damping needs of its position, each times the root of its damping.
#[derive(Clone, Copy, Debug)]
struct TriangleFactors {
    /// `√(a k_d) ŵ_u` and `ŵ_v` \[√(N·s/m) m\].
    stretch: Map,
    /// `√(a k_d) w_u` and `w_v` of shear.
    shear: Map,
}

impl TriangleFactors {
    /// Of a triangle that damps nothing.
    const NONE: Self = Self {
        stretch: Map { u: Vec3::ZERO, v: Vec3::ZERO },
        shear: Map { u: Vec3::ZERO, v: Vec3::ZERO },
    };
}

/// What the air does to a triangle.
#[derive(Clone, Copy, Debug)]
struct AirFactors {
    /// Rate \[N·s/m\], and a bound of its eigenvalues.
    rate: Mat3,
    bound: f64,
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
    /// Corners of triangles only.
    of_triangles: Gather,
    triangles: Vec<TriangleFactors>,
    /// Empty in a vacuum.
    airs: Vec<AirFactors>,
    /// `∂θ/∂x` of every hinge.
    hinges: Vec<[Vec3; 4]>,
    /// Unit directions of springs.
    axial: Vec<Vec3>,
    /// Damped directions of stabilising springs.
    bend: Vec<Vec3>,
    /// Whether anything but the air damps.
    damps: bool,
    /// Positions that the elastic forces are of \[m\], and these \[N\].
    x: Vec<Vec3>,
    elastic_force: Vec<Vec3>,
    /// Forces at no velocity, without gravity \[N\].
    pub free: Vec<Vec3>,
}

impl Forces {
    pub fn new(cloth: &Cloth, elastic: Elastic) -> Self {
        let of_triangles = cloth.triangles.as_flattened().to_vec();
        let mut corners: Vec<u32> = Vec::new();
        let (mut triangles, mut hinges, mut axial, mut bend) = (0, 0, 0, 0);
        let damps = match elastic {
            Elastic::Triangles => {
                corners.extend(&of_triangles);
                corners.extend(cloth.hinges.iter().flat_map(|h| h.vertices));
                (triangles, hinges) = (cloth.triangles.len(), cloth.hinges.len());
                let damped = |t: &TriangleRest| t.stretch_damping != 0.0 || t.shear_damping != 0.0;
                cloth.triangle_rest.iter().any(damped)
                    || cloth.hinges.iter().any(|h| h.damping != 0.0)
            }
            Elastic::Springs => {
                let springs = &cloth.springs;
                corners.extend(springs.axial.iter().flat_map(|s| s.vertices));
                corners.extend(springs.bend.iter().flat_map(|s| s.vertices));
                (axial, bend) = (springs.axial.len(), springs.bend.len());
                springs.axial.iter().any(|s| s.damping != 0.0)
                    || springs.bend.iter().any(|s| s.damping != 0.0)
            }
        };
        let count = cloth.vertex_count();
        Self {
            elastic,
            gather: Gather::new(count, corners),
            of_triangles: Gather::new(count, of_triangles),
            triangles: vec![TriangleFactors::NONE; triangles],
            airs: Vec::new(),
            hinges: vec![[Vec3::ZERO; 4]; hinges],
            axial: vec![Vec3::ZERO; axial],
            bend: vec![Vec3::ZERO; bend],
            damps,
            x: Vec::new(),
            elastic_force: vec![Vec3::ZERO; count],
            free: vec![Vec3::ZERO; count],
        }
    }

    /// Finds all factors and `free` at a position. A step ends where the next one starts, so that every other
    /// time only the air is new.
    pub fn evaluate(&mut self, cloth: &Cloth, at: &At) {
        self.evaluate_elastic(cloth, at.x);
        let Self { of_triangles, airs, free, elastic_force, .. } = self;
        let Some(air) = at.air else {
            airs.clear();
            free.copy_from_slice(elastic_force);
            return;
        };
        airs.resize(cloth.triangles.len(), AirFactors { rate: Mat3::ZERO, bound: 0.0 });
        let mut sink = of_triangles.sink(free);
        sink.each(airs, |t, factors| {
            let corners = cloth.triangles[t];
            let third;
            (*factors, third) = on_triangle(corners, at, air);
            [third; 3]
        });
        sink.finish();
        for (free, elastic) in free.iter_mut().zip(elastic_force) {
            *free += *elastic;
        }
    }

    /// Whether anything but the air damps.
    pub fn damps(&self) -> bool {
        self.damps
    }

    /// Finds all but the air, where it is not of that position already.
    fn evaluate_elastic(&mut self, cloth: &Cloth, x: &[Vec3]) {
        if self.x == x {
            return;
        }
        self.x.clear();
        self.x.extend_from_slice(x);
        let Self { triangles, hinges, axial, bend, gather, elastic_force, .. } = self;
        let mut sink = gather.sink(elastic_force);
        sink.each(triangles, |t, factors| {
            let force;
            (*factors, force) = triangle(&cloth.triangle_rest[t], corners(x, &cloth.triangles[t]));
            force
        });
        sink.each(hinges, |h, gradient| {
            let rest = &cloth.hinges[h];
            let Some(angle) = hinge::angle(corners(x, &rest.vertices)) else {
                *gradient = [Vec3::ZERO; 4];
                return [Vec3::ZERO; 4];
            };
            let moment = hinge::elastic_moment(rest, angle.value);
            *gradient = angle.gradient;
            times(gradient, -moment)
        });
        sink.each(axial, |s, unit| {
            let spring = &cloth.springs.axial[s];
            let (force, along) = spring::force(spring, corners(x, &spring.vertices));
            *unit = along;
            [-force, force]
        });
        sink.each(bend, |s, along| {
            let spring = &cloth.springs.bend[s];
            let (force, unit) = spring::bend_force(spring, corners(x, &spring.vertices));
            *along = unit;
            spring.weights.map(|w| force * w)
        });
        sink.finish();
    }

    /// `out = D v` at the position last evaluated.
    pub fn damp(&mut self, cloth: &Cloth, v: &[Vec3], out: &mut [Vec3]) {
        if self.damps {
            self.damp_elastic(cloth, v, out);
        } else {
            out.fill(Vec3::ZERO);
        }
        self.drag(cloth, v, out);
    }

    /// Adds what of `D v` is due to the air: it acts on whole triangles, one after the other, for it is little work.
    pub fn drag(&self, cloth: &Cloth, v: &[Vec3], out: &mut [Vec3]) {
        for (corners, air) in cloth.triangles.iter().zip(&self.airs) {
            let mean = corners.iter().map(|&c| v[c as usize]).sum::<Vec3>() / 9.0;
            let drag = air.rate * mean;
            for &c in corners {
                out[c as usize] += drag;
            }
        }
    }

    fn damp_elastic(&mut self, cloth: &Cloth, v: &[Vec3], out: &mut [Vec3]) {
        let Self { triangles, hinges, axial, bend, gather, .. } = self;
        let mut sink = gather.sink(out);
        sink.each(triangles, |t, factors| {
            let rest = &cloth.triangle_rest[t];
            damp_triangle(rest, factors, corners(v, &cloth.triangles[t]))
        });
        sink.each(hinges, |h, gradient| {
            let rest = &cloth.hinges[h];
            let [a, b, c, d] = corners(v, &rest.vertices);
            let [p, q, r, s] = *gradient;
            let rate = p.dot(a) + q.dot(b) + r.dot(c) + s.dot(d);
            times(gradient, rest.damping * rate)
        });
        sink.each(axial, |s, unit| {
            let spring = &cloth.springs.axial[s];
            let [a, b] = corners(v, &spring.vertices);
            let force = *unit * (spring.damping * unit.dot(b - a));
            [-force, force]
        });
        sink.each(bend, |s, along| {
            let spring = &cloth.springs.bend[s];
            let rate = spring::combine(spring, corners(v, &spring.vertices));
            let force = *along * (spring.damping * along.dot(rate));
            spring.weights.map(|w| force * w)
        });
        sink.finish();
    }

    /// An upper bound of the largest eigenvalue of `M⁻¹D` at the position last evaluated \[1/s\].
    ///
    /// For an element `c g gᵀ`, `(Σ g_i·v_i)² ≤ (Σ|g_j|) Σ |g_i||v_i|²`: the row sums of `c |g_i| Σ|g_j|` bound it.
    pub fn damping_rate(&mut self, cloth: &Cloth) -> f64 {
        let mut rows = vec![0.0; cloth.vertex_count()];
        let mut add = |vertices: &[u32], sizes: &[f64], damping: f64| {
            let sum: f64 = sizes.iter().sum();
            vertices.iter().zip(sizes).for_each(|(&v, g)| rows[v as usize] += damping * g * sum);
        };
        for (t, TriangleFactors { shear, .. }) in self.triangles.iter().enumerate() {
            let (rest, corners) = (&cloth.triangle_rest[t], &cloth.triangles[t]);
            let kd = rest.stretch_damping * rest.area;
            add(corners, &rest.du.map(f64::abs), kd);
            add(corners, &rest.dv.map(f64::abs), kd);
            let sizes = [0, 1, 2].map(|i| (shear.v * rest.du[i] + shear.u * rest.dv[i]).length());
            add(corners, &sizes, 1.0);
        }
        for (corners, air) in cloth.triangles.iter().zip(&self.airs) {
            add(corners, &[1.0 / 3.0; 3], air.bound);
        }
        for (rest, gradient) in cloth.hinges.iter().zip(&self.hinges) {
            add(&rest.vertices, &gradient.map(Vec3::length), rest.damping);
        }
        if self.elastic == Elastic::Springs {
            cloth.springs.axial.iter().for_each(|s| add(&s.vertices, &[1.0; 2], s.damping));
            let bend = cloth.springs.bend.iter();
            bend.for_each(|s| add(&s.vertices, &s.weights.map(f64::abs), s.damping));
        }
        rows.iter().zip(&cloth.mass).map(|(row, m)| row / m).fold(0.0, f64::max)
    }
}

/// The vectors of an element's corners. (Not by `map`, which is not compiled into the loop.)
#[inline]
fn corners<const N: usize>(of: &[Vec3], vertices: &[u32; N]) -> [Vec3; N] {
    let mut corners = [Vec3::ZERO; N];
    for (corner, &v) in corners.iter_mut().zip(vertices) {
        *corner = of[v as usize];
    }
    corners
}

/// All of them times `factor`.
#[inline]
fn times([a, b, c, d]: &[Vec3; 4], factor: f64) -> [Vec3; 4] {
    [*a * factor, *b * factor, *c * factor, *d * factor]
}

/// Factors and elastic corner forces of a triangle at `x`.
#[inline]
fn triangle(rest: &TriangleRest, x: [Vec3; 3]) -> (TriangleFactors, [Vec3; 3]) {
    let w = Map::of(rest, x);
    let unit = |a: Vec3| if a == Vec3::ZERO { a } else { a / a.length() };
    let stretch = (rest.area * rest.stretch_damping).sqrt();
    let shear = (rest.area * rest.shear_damping).sqrt();
    let factors = TriangleFactors {
        stretch: Map { u: unit(w.u) * stretch, v: unit(w.v) * stretch },
        shear: Map { u: w.u * shear, v: w.v * shear },
    };
    let stress = membrane::stress(rest, &w, &Map::default());
    (factors, [0, 1, 2].map(|i| -(stress.u * rest.du[i] + stress.v * rest.dv[i])))
}

/// Factors of the air, and a third of its force at no velocity.
fn on_triangle(corners: [u32; 3], at: &At, air: &Air) -> (AirFactors, Vec3) {
    let x = corners.map(|v| at.x[v as usize]);
    let mean = corners.iter().map(|&v| at.v[v as usize]).sum::<Vec3>() / 3.0;
    let centre = x.iter().sum::<Vec3>() / 3.0;
    let blowing: Vec3 = at.winds.iter().map(|blow| blow.velocity(centre)).sum();
    let on = air::on_triangle(&Air { wind: air.wind + blowing, ..*air }, x, mean);
    let factors = AirFactors { rate: on.rate, bound: on.largest_rate() };
    (factors, (on.force + on.rate * mean) / 3.0)
}

#[inline]
fn damp_triangle(rest: &TriangleRest, factors: &TriangleFactors, v: [Vec3; 3]) -> [Vec3; 3] {
    let (TriangleFactors { stretch, shear }, rate) = (factors, Map::of(rest, v));
    let turn = rate.u.dot(shear.v) + shear.u.dot(rate.v);
    let along_u = stretch.u * stretch.u.dot(rate.u) + shear.v * turn;
    let along_v = stretch.v * stretch.v.dot(rate.v) + shear.u * turn;
    let ([u0, u1, u2], [v0, v1, v2]) = (rest.du, rest.dv);
    let corner = |du: f64, dv: f64| along_u * du + along_v * dv;
    [corner(u0, v0), corner(u1, v1), corner(u2, v2)]
}
