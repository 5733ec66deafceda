//! Strain limits inside the implicit solve (BF2): an edge that is nearly at its limit pulls.
//!
//! ```text
//! E = ½ k (l − l₀)²,  l > l₀ = (1 + 0.9 limit) L
//! ```
//!
//! with a stiffness `k` of several times that of the membrane. Limits by impulses after the solve
//! ([`crate::strain_limit`]) move the ends of an edge and nothing else: they make an edge fit by compressing
//! those beside it, the energy of which the next solve gives back as motion. Where cloth is held at its limit, that
//! goes on in every step. What pulls within the solve, and stronger the longer the edge, finds its balance with
//! everything around it, and the impulses have only what is left to correct.
//!
//! Its derivatives, with `n` along the edge: `H = k (nnᵀ + (1 − l₀/l)(I − nnᵀ))`, positive semi-definite since `l > l₀`.

use super::System;
use crate::cloth::{Cloth, EdgeRest};
use crate::math::{Mat3, Vec3, outer};
use rayon::prelude::*;

/// Share of its limit from which an edge pulls \[-\].
const FROM: f64 = 0.9;

/// How many times as stiff as the membrane it then is \[-\].
const STIFFER: f64 = 10.0;

/// Edges looked at by one parallel task, at least.
const MIN_EDGES: usize = 2048;

/// An edge that pulls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taut {
    vertices: [u32; 2],
    /// Unit vector from its first to its second end.
    along: Vec3,
    /// How much longer it is than where it begins to pull \[m\]; negative where it only will be longer.
    longer: f64,
    /// `1 − l₀/l`, zero where that is negative \[-\].
    across: f64,
    /// `k` \[N/m\].
    stiffness: f64,
}

impl Taut {
    /// An edge that is longer than where it begins to pull, or will be after `shift`.
    fn of(edge: &EdgeRest, x: &[Vec3], shift: &[Vec3]) -> Option<Self> {
        let [a, b] = edge.vertices.map(|v| v as usize);
        let from = begins(edge);
        let (now, ahead) = (x[b] - x[a], x[b] - x[a] + (shift[b] - shift[a]));
        let longest = now.length_squared().max(ahead.length_squared());
        let length = now.length();
        let pulls = longest > from * from && length > 0.0;
        pulls.then(|| Self {
            vertices: edge.vertices,
            along: now / length,
            longer: length - from,
            across: (1.0 - from / length).max(0.0),
            stiffness: stiffness(edge),
        })
    }

    /// `H` \[N/m\].
    fn slope(&self) -> Mat3 {
        let along = outer(self.along * (1.0 - self.across), self.along);
        (along + Mat3::from_diagonal(Vec3::splat(self.across))) * self.stiffness
    }
}

/// The length at which an edge begins to pull \[m\]; infinite where it has no limit.
fn begins(edge: &EdgeRest) -> f64 {
    edge.length * (1.0 + FROM * edge.strain_limit)
}

fn stiffness(edge: &EdgeRest) -> f64 {
    STIFFER * edge.stiffness
}

/// All edges that pull at `x` or will after `shift`, in their order.
pub(crate) fn find(cloth: &Cloth, x: &[Vec3], shift: &[Vec3]) -> Vec<Taut> {
    let edges = cloth.edges.par_iter().with_min_len(MIN_EDGES);
    edges.filter_map(|edge| Taut::of(edge, x, shift)).collect()
}

/// Adds edges that pull to a system of implicit time `beta` \[s\], for a known `shift`.
pub(crate) fn add(taut: &[Taut], shift: &[Vec3], beta: f64, system: &mut System) {
    let System { matrix, force, shifted_force, .. } = system;
    for edge in taut {
        let [a, b] = edge.vertices.map(|v| v as usize);
        let slope = edge.slope();
        let now = edge.along * (edge.stiffness * edge.longer);
        let ahead = now + slope * (shift[b] - shift[a]);
        if edge.longer > 0.0 {
            force[a] += now;
            force[b] -= now;
        }
        shifted_force[a] += ahead;
        shifted_force[b] -= ahead;
        let block = slope * (beta * beta);
        matrix.diagonal[a] += block;
        matrix.diagonal[b] += block;
        let place = matrix.pattern().find(a.min(b) as u32, a.max(b) as u32);
        if let Some(place) = place {
            matrix.lower[place] -= block;
        }
    }
}

/// Energy of all edges that pull \[J\].
pub fn energy(cloth: &Cloth, x: &[Vec3]) -> f64 {
    let of = |edge: &EdgeRest| {
        let [a, b] = edge.vertices.map(|v| x[v as usize]);
        let longer = a.distance(b) - begins(edge);
        if longer > 0.0 { 0.5 * stiffness(edge) * longer * longer } else { 0.0 }
    };
    cloth.edges.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::Fabric;
    use crate::math::Random;
    use crate::mesh::{Diagonals, Sheet};

    /// A sheet stretched around its limit, some of its edges beyond where they begin to pull.
    fn case() -> (Cloth, Vec<Vec3>) {
        let sheet = Sheet::grid([0.2, 0.2], [4, 4], Diagonals::Alternating).unwrap();
        let fabric = Fabric { strain_limit: 0.1, ..Fabric::named("muslin").unwrap() };
        let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
        let mut random = Random::new(7);
        let mut near = |p: &Vec3| {
            let [x, y, z] = [0, 1, 2].map(|_| random.between(-0.005, 0.005));
            *p * 1.1 + Vec3::new(x, y, z)
        };
        let x = sheet.positions.iter().map(&mut near).collect();
        (cloth, x)
    }

    fn added(cloth: &Cloth, x: &[Vec3], shift: &[Vec3]) -> System {
        let mut system = System::new(cloth);
        add(&find(cloth, x, shift), shift, 1.0, &mut system);
        system
    }

    /// V1: forces are minus the slope of the energy, by central differences; linear and angular momentum are kept (V2).
    #[test]
    fn v1_forces_are_the_slope_of_the_energy() {
        let (cloth, x) = case();
        let still = vec![Vec3::ZERO; x.len()];
        let system = added(&cloth, &x, &still);
        let pulling = find(&cloth, &x, &still).len();
        assert!(
            pulling > 5 && pulling < cloth.edges.len() - 5,
            "{pulling} of {}",
            cloth.edges.len()
        );
        let largest = system.force.iter().map(|f| f.length()).fold(0.0, f64::max);
        let step = 1e-7;
        for v in 0..x.len() {
            for axis in 0..3 {
                let energy_at = |by: f64| {
                    let mut x = x.clone();
                    x[v][axis] += by;
                    energy(&cloth, &x)
                };
                let slope = (energy_at(step) - energy_at(-step)) / (2.0 * step);
                // The curvature jumps where an edge begins to pull: off by k·step at most.
                assert!((system.force[v][axis] + slope).abs() < 1e-5 * largest);
            }
        }
        let momentum: Vec3 = system.force.iter().sum();
        let turning: Vec3 = x.iter().zip(&system.force).map(|(x, f)| x.cross(*f)).sum();
        assert!(momentum.length() < 1e-12 * largest && turning.length() < 1e-12 * largest);
    }

    /// V1: the matrix is minus the slope of the forces, and so are shifted forces ahead of them; it is never negative.
    #[test]
    fn v1_the_matrix_is_the_slope_of_the_forces() {
        let (cloth, x) = case();
        let mut random = Random::new(8);
        let mut vector =
            || Vec3::new(random.unit(), random.unit(), random.unit()) - Vec3::splat(0.5);
        for _ in 0..20 {
            let shift: Vec<Vec3> = x.iter().map(|_| vector() * 2e-8).collect();
            let back: Vec<Vec3> = shift.iter().map(|d| -*d).collect();
            let still = vec![Vec3::ZERO; x.len()];
            let mut system = added(&cloth, &x, &still);
            let mut image = still.clone();
            system.matrix.multiply(&shift, &mut image);
            let moved = |by: &[Vec3]| -> Vec<Vec3> {
                let x: Vec<Vec3> = x.iter().zip(by).map(|(x, d)| *x + *d).collect();
                added(&cloth, &x, &still).force
            };
            let (ahead, behind) = (moved(&shift), moved(&back));
            let largest = image.iter().map(|f| f.length()).fold(0.0, f64::max);
            for v in 0..x.len() {
                let change = (ahead[v] - behind[v]) * 0.5;
                assert!((change + image[v]).length() < 1e-5 * largest);
            }
            let linear = added(&cloth, &x, &shift).shifted_force;
            for v in 0..x.len() {
                assert!((linear[v] - (system.force[v] - image[v])).length() < 1e-5 * largest);
            }
            let along: f64 = shift.iter().zip(&image).map(|(d, a)| d.dot(*a)).sum();
            assert!(along >= 0.0);
        }
    }

    /// An edge that will be beyond its limit already counts, but pulls only when it is there.
    #[test]
    fn bf2_edges_that_will_be_too_long_are_found() {
        let (cloth, _) = case();
        let x: Vec<Vec3> =
            Sheet::grid([0.2, 0.2], [4, 4], Diagonals::Alternating).unwrap().positions;
        let still = vec![Vec3::ZERO; x.len()];
        assert!(find(&cloth, &x, &still).is_empty());
        let grown: Vec<Vec3> = x.iter().map(|x| *x * 0.2).collect();
        assert_eq!(find(&cloth, &x, &grown).len(), cloth.edges.len());
        let system = added(&cloth, &x, &grown);
        assert!(system.force.iter().all(|f| *f == Vec3::ZERO));
        // At the end of the shift it is 1.2 times as long, and begins to pull at 1.09 times.
        let expected: f64 =
            cloth.edges.iter().map(|e| STIFFER * e.stiffness * 0.11 * e.length).sum();
        let found: f64 = find(&cloth, &x, &grown)
            .iter()
            .map(|e| {
                let [a, b] = e.vertices.map(|v| grown[v as usize]);
                e.stiffness * (e.longer + e.along.dot(b - a))
            })
            .sum();
        assert!((found - expected).abs() < 1e-9 * expected);
    }
}
