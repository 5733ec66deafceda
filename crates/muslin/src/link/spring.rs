//! A zero-length spring between material points, or between one and a prescribed place.
//!
//! With `p = Σ w_i x_i` over up to four vertices, the spring pulls `p` to a place `q(t)` that moves
//! evenly during the step:
//!
//! ```text
//! F = k (q(t) − p) + k_d (q̇ − ṗ),      f_i = w_i F
//! ```
//!
//! Weights that sum to one tie the cloth to a prescribed place; weights that sum to zero tie two of its
//! own points together. The force is linear, so its part of the implicit matrix,
//! `(β² k + β k_d) w_i w_j I`, is exact: a [`Coupling`].
//!
//! A spring of a vertex to a point at some `height` above a triangle of cloth pulls `p` to `h n̂`, where
//! `n̂` turns with the triangle. Then `f_i` is the gradient of `½ k |h n̂ − p|²`, `n̂` included, which keeps
//! angular momentum (V2). The change of `n̂` is left out of the matrix: it is of second order in `h`.

use crate::linalg::Coupling;
use crate::math::{Mat3, Vec3};

/// A zero-length spring during one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// Vertices; unused ones have weight zero. With a `height`, a vertex and the corners of a triangle.
    pub vertices: [u32; 4],
    /// Weights `w`.
    pub weights: [f64; 4],
    /// Where `Σ w_i x_i` is pulled to at the time `since`, `q` \[m\].
    pub place: Vec3,
    /// How that place moves, `q̇` \[m/s\].
    pub velocity: Vec3,
    /// When it is at `place` \[s\].
    pub since: f64,
    /// Height of the place above the triangle \[m\].
    pub height: f64,
    /// Stiffness `k` \[N/m\].
    pub stiffness: f64,
    /// Damping `k_d` \[N·s/m\].
    pub damping: f64,
}

impl Spring {
    /// Force `F` at positions `x`, velocities `v` \[m/s\] and time `t` \[s\], on `Σ w_i x_i` \[N\].
    pub fn pull(&self, x: &[Vec3], v: &[Vec3], t: f64) -> Vec3 {
        self.pull_at(&|i| x[i as usize], v, t)
    }

    fn pull_at(&self, x: &impl Fn(u32) -> Vec3, v: &[Vec3], t: f64) -> Vec3 {
        let mut gap = self.place + self.velocity * (t - self.since);
        let mut rate = self.velocity;
        for (&vertex, &w) in self.vertices.iter().zip(&self.weights) {
            gap -= x(vertex) * w;
            rate -= v[vertex as usize] * w;
        }
        if self.height != 0.0
            && let Some(face) = Face::of(self.vertices, x)
        {
            gap += face.normal * self.height;
            rate += face.turning(self.vertices.map(|i| v[i as usize])) * self.height;
        }
        gap * self.stiffness + rate * self.damping
    }

    /// Adds the forces on its vertices to `f`.
    fn add(&self, x: &impl Fn(u32) -> Vec3, v: &[Vec3], t: f64, f: &mut [Vec3]) {
        let pull = self.pull_at(x, v, t);
        for (&vertex, &w) in self.vertices.iter().zip(&self.weights) {
            f[vertex as usize] += pull * w;
        }
        if self.height != 0.0
            && let Some(face) = Face::of(self.vertices, x)
        {
            let [_, corners @ ..] = self.vertices;
            for (vertex, g) in corners.into_iter().zip(face.transposed(pull * self.height)) {
                f[vertex as usize] -= g;
            }
        }
    }

    /// Its part of the matrix `M − β ∂f/∂v − β² ∂f/∂x`.
    pub fn coupling(&self, beta: f64) -> Coupling {
        let rate = beta * (beta * self.stiffness + self.damping);
        let block = Mat3::from_diagonal(Vec3::splat(rate));
        Coupling { vertices: self.vertices, weights: self.weights, block }
    }

    /// Energy \[J\] at positions `x` and time `t` \[s\].
    pub fn energy(&self, x: &[Vec3], t: f64) -> f64 {
        let undamped = Self { damping: 0.0, stiffness: 1.0, ..*self };
        let gap = undamped.pull_at(&|i| x[i as usize], x, t);
        0.5 * self.stiffness * gap.length_squared()
    }
}

/// The triangle of a spring with a height.
struct Face {
    edges: [Vec3; 2],
    normal: Vec3,
    twice_area: f64,
}

impl Face {
    fn of([_, a, b, c]: [u32; 4], x: &impl Fn(u32) -> Vec3) -> Option<Self> {
        let edges = [x(b) - x(a), x(c) - x(a)];
        let cross = edges[0].cross(edges[1]);
        let twice_area = cross.length();
        (twice_area > 0.0).then(|| Self { edges, normal: cross / twice_area, twice_area })
    }

    /// `dn̂/dt = (I − n̂n̂ᵀ)(ė₁ × e₂ + e₁ × ė₂)/|N|`.
    fn turning(&self, [_, a, b, c]: [Vec3; 4]) -> Vec3 {
        let rate = (b - a).cross(self.edges[1]) + self.edges[0].cross(c - a);
        (rate - self.normal * self.normal.dot(rate)) / self.twice_area
    }

    /// `(∂n̂/∂x_i)ᵀ g` of the three corners.
    fn transposed(&self, g: Vec3) -> [Vec3; 3] {
        let across = (g - self.normal * self.normal.dot(g)) / self.twice_area;
        let (b, c) = (self.edges[1].cross(across), across.cross(self.edges[0]));
        [-b - c, b, c]
    }
}

/// Adds the forces of all springs at positions `x`, velocities `v` and time `t` to `f`: for dynamics that
/// evaluate forces explicitly.
pub fn forces(springs: &[Spring], x: &[Vec3], v: &[Vec3], t: f64, f: &mut [Vec3]) {
    for spring in springs {
        spring.add(&|i| x[i as usize], v, t, f);
    }
}

/// The same at positions `x + shift`.
pub fn shifted_forces(
    springs: &[Spring],
    [x, shift]: [&[Vec3]; 2],
    v: &[Vec3],
    t: f64,
    f: &mut [Vec3],
) {
    let at = |i: u32| x[i as usize] + shift[i as usize];
    for spring in springs {
        spring.add(&at, v, t, f);
    }
}

/// Adds `−(∂f/∂v) u` of all springs, `w_i k_d Σ w_j u_j`, to `out`: for dynamics that solve for damping
/// without a matrix.
pub fn damping_product(springs: &[Spring], u: &[Vec3], out: &mut [Vec3]) {
    for spring in springs {
        let ends = || spring.vertices.iter().zip(&spring.weights);
        let sum: Vec3 = ends().map(|(&i, w)| u[i as usize] * *w).sum();
        for (&i, w) in ends() {
            out[i as usize] += sum * (spring.damping * w);
        }
    }
}
