//! Forces on particles: springs and bending at edges, gravity, air, damping (OS1).
//!
//! | paper | here | unit |
//! |---|---|---|
//! | `f_ij = K (\|p_j − p_i\| − L_ij) (p_j − p_i)/\|p_j − p_i\|`, Eq. (1) | [`Springs::accelerations`] | N |
//! | `K` | `stiffness` | N/m |
//! | `L_ij` | `rest` | m |

use super::bending::{Bend, Bending};
use crate::force::air::{Air, on_triangle};
use crate::force::hinge;
use crate::math::Vec3;
use crate::mesh::TriMesh;

/// Step bound of the explicit rules: `γ h + ½ λ h²` must stay below this, with `γ` the largest damping
/// rate and `λ` the largest squared frequency. Symplectic Euler becomes unstable at 2, RK4 not before
/// 2.7; the rest is for what a bound at rest does not see.
pub(super) const STEP_BOUND: f64 = 1.6;

/// An edge as a spring with a damper.
#[derive(Clone, Copy, Debug)]
struct Spring {
    vertices: [u32; 2],
    rest: f64,
    damping: f64,
}

/// What acts on the particles, and their masses.
#[derive(Clone, Debug)]
pub(super) struct Springs {
    elastic: Vec<Spring>,
    bends: Vec<Bend>,
    triangles: Vec<[u32; 3]>,
    /// Mass per particle \[kg\].
    pub masses: Vec<f64>,
    /// One over the mass; zero for attached particles \[1/kg\].
    pub inverse_masses: Vec<f64>,
    /// Spring constant \[N/m\].
    pub stiffness: f64,
    bending: f64,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// The air.
    pub air: Air,
    /// Wind at each face, besides that of the air \[m/s\].
    pub gusts: Vec<Vec3>,
}

/// Numbers from which springs are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elastic {
    /// Areal density \[kg/m²\].
    pub density: f64,
    /// Bending stiffness of a hinge \[N·m\].
    pub bending: f64,
}

impl Springs {
    /// Springs without stiffness yet; see [`Springs::set_stiffness`].
    pub fn new(mesh: &TriMesh, attached: &[bool], elastic: &Elastic) -> Self {
        let mut masses = vec![0.0; mesh.vertex_count()];
        for (t, corners) in mesh.triangles().iter().enumerate() {
            for &v in corners {
                masses[v as usize] += elastic.density * mesh.rest_area(t) / 3.0;
            }
        }
        let inverse = |(m, fixed): (&f64, &bool)| if *fixed { 0.0 } else { 1.0 / m };
        let edges = mesh.topology().edges().iter().enumerate();
        let springs = edges.map(|(e, edge)| Spring {
            vertices: edge.vertices,
            rest: mesh.rest_length(e),
            damping: 0.0,
        });
        let bends = mesh.topology().hinges().iter();
        Self {
            elastic: springs.collect(),
            bends: bends.map(|h| Bend { vertices: h.vertices, rest_angle: 0.0 }).collect(),
            triangles: mesh.triangles().to_vec(),
            inverse_masses: masses.iter().zip(attached).map(inverse).collect(),
            masses,
            stiffness: 0.0,
            bending: elastic.bending,
            gravity: Vec3::ZERO,
            air: Air::default(),
            gusts: vec![Vec3::ZERO; mesh.triangles().len()],
        }
    }

    /// Sets the spring constant \[N/m\] and the dampers to the given part of critical damping.
    pub fn set_stiffness(&mut self, stiffness: f64, damping: f64) {
        self.stiffness = stiffness;
        for spring in &mut self.elastic {
            let [a, b] = spring.vertices.map(|v| self.masses[v as usize]);
            spring.damping = 2.0 * damping * (stiffness * a * b / (a + b)).sqrt();
        }
    }

    /// Largest spring constant \[N/m\] that steps of `h` \[s\] allow.
    ///
    /// A particle with springs of constant `k` to `n` neighbours has `λ ≤ 2nk/m` and
    /// `γ ≤ 2 Σ c/m` (Gershgorin), and `c` grows like `√k`: a quadratic inequality in `√k`.
    pub fn largest_stiffness(&self, damping: f64, h: f64) -> f64 {
        let mut per_root = vec![0.0; self.masses.len()];
        let mut per_stiffness = vec![0.0; self.masses.len()];
        for spring in &self.elastic {
            let [a, b] = spring.vertices.map(|v| self.masses[v as usize]);
            let c = 2.0 * damping * (a * b / (a + b)).sqrt();
            for v in spring.vertices {
                per_root[v as usize] += 2.0 * c / self.masses[v as usize];
                per_stiffness[v as usize] += 2.0 / self.masses[v as usize];
            }
        }
        let root = |v: usize| {
            let (a, b) = (0.5 * h * h * per_stiffness[v], h * per_root[v]);
            ((b * b + 4.0 * a * STEP_BOUND).sqrt() - b) / (2.0 * a)
        };
        let least = (0..self.masses.len()).map(root).fold(f64::INFINITY, f64::min);
        least * least
    }

    /// Largest bending stiffness \[N·m\] that steps of `h` \[s\] allow for hinges as at `x`.
    ///
    /// Rows of `Σ k ∇θ ∇θᵀ` are bounded by `|∇_i θ| Σ_j |∇_j θ|`.
    pub fn largest_bending(&self, x: &[Vec3], h: f64) -> f64 {
        let mut rows = vec![0.0; self.masses.len()];
        for bend in &self.bends {
            let Some(angle) = hinge::angle(bend.vertices.map(|v| x[v as usize])) else { continue };
            let sizes = angle.gradient.map(Vec3::length);
            let sum: f64 = sizes.iter().sum();
            for (v, size) in bend.vertices.iter().zip(sizes) {
                rows[*v as usize] += size * sum / self.masses[*v as usize];
            }
        }
        let largest = rows.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 { 2.0 * STEP_BOUND / (h * h * largest) } else { f64::INFINITY }
    }

    /// Takes the angles at `x` as rest angles.
    pub fn set_rest_angles(&mut self, x: &[Vec3]) {
        for bend in &mut self.bends {
            let angle = hinge::angle(bend.vertices.map(|v| x[v as usize]));
            bend.rest_angle = angle.map_or(0.0, |a| a.value);
        }
    }

    /// Accelerations \[m/s²\] at positions `x` and velocities `v`, zero for attached particles; `h` is
    /// the step \[s\] that they will act for.
    pub fn accelerations(&self, x: &[Vec3], v: &[Vec3], h: f64, out: &mut [Vec3]) {
        out.fill(Vec3::ZERO);
        self.add_springs(x, v, out);
        self.add_bending(x, h, out);
        self.add_air(x, v, h, out);
        for (a, w) in out.iter_mut().zip(&self.inverse_masses) {
            *a = if *w > 0.0 { *a * *w + self.gravity } else { Vec3::ZERO };
        }
    }

    fn add_springs(&self, x: &[Vec3], v: &[Vec3], out: &mut [Vec3]) {
        for spring in &self.elastic {
            let [i, j] = spring.vertices.map(|v| v as usize);
            let offset = x[j] - x[i];
            let length = offset.length();
            if length == 0.0 {
                continue;
            }
            let along = offset * (1.0 / length);
            let rate = (v[j] - v[i]).dot(along);
            let pull = self.stiffness * (length - spring.rest) + spring.damping * rate;
            out[i] += along * pull;
            out[j] -= along * pull;
        }
    }

    fn add_bending(&self, x: &[Vec3], h: f64, out: &mut [Vec3]) {
        if self.bending != 0.0 {
            let Self { bending: stiffness, inverse_masses, .. } = self;
            Bending { stiffness: *stiffness, step: h, inverse_masses }.add(&self.bends, x, out);
        }
    }

    /// Drag of every face, divided by `1 + h c/m` so that light cloth is stopped and not thrown back.
    fn add_air(&self, x: &[Vec3], v: &[Vec3], h: f64, out: &mut [Vec3]) {
        if self.air.density == 0.0 {
            return;
        }
        for (t, gust) in self.triangles.iter().zip(&self.gusts) {
            let index = t.map(|v| v as usize);
            // Air that moves with the gust is still air to cloth that moves against it.
            let mean = (v[index[0]] + v[index[1]] + v[index[2]]) / 3.0 - *gust;
            let drag = on_triangle(&self.air, index.map(|v| x[v]), mean);
            let lightest = index.map(|v| self.inverse_masses[v]).into_iter().fold(0.0, f64::max);
            let rate = drag.largest_rate() * lightest;
            let share = drag.force / (3.0 * (1.0 + h * rate));
            for v in index {
                out[v] += share;
            }
        }
    }

    /// Kinetic energy of the free particles \[J\].
    pub fn kinetic_energy(&self, v: &[Vec3]) -> f64 {
        let free =
            self.inverse_masses.iter().zip(&self.masses).zip(v).filter(|((w, _), _)| **w > 0.0);
        free.map(|((_, m), v)| 0.5 * m * v.length_squared()).sum()
    }

    /// Edges with their rest lengths \[m\].
    pub fn edges(&self) -> impl Iterator<Item = ([usize; 2], f64)> {
        self.elastic.iter().map(|s| (s.vertices.map(|v| v as usize), s.rest))
    }
}

#[cfg(test)]
mod tests;
