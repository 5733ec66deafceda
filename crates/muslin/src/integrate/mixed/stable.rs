//! The longest step of explicit elastic forces (MF1).
//!
//! On an oscillator of frequency ω with damping rate λ, scheme C is stable exactly for
//! `ω²Δt² < 4 (1 + ½λΔt)`: damping only helps, and `Δt < 2/ω_max` is safe whatever it is. `ω²_max` is the
//! largest eigenvalue of `M⁻¹K`, bounded from rest data alone, so that a resumed run has the same steps:
//!
//! - triangles: the mass of a vertex is shared out by area, and the largest eigenvalue of a whole is at most
//!   the largest of its elements (Fried 1972). Per triangle, `K` is `a Σ c cᵀ` over the conditions, whose
//!   largest eigenvalue is that of their 3 × 3 Gram matrix;
//! - hinges and springs: `(Σ g_i·v_i)² ≤ (Σ|g_j|) Σ |g_i||v_i|²`, summed at every vertex.
//!
//! For a grid of right triangles of side Δx without shear this is `Δt = √⅔ Δx √(ρ/k)`; the exact limit, that of
//! a chain, is `Δx √(ρ/k)`.

use super::Elastic;
use crate::cloth::{Cloth, TriangleRest};

/// Part of the bound that is used: elements get stiffer as they are stretched and folded.
const SAFETY: f64 = 0.9;

/// The longest safe step of a cloth \[s\]; infinite for one without stiffness.
pub fn stable_step(cloth: &Cloth, elastic: Elastic) -> f64 {
    let squared = match elastic {
        Elastic::Triangles => triangles(cloth) + hinges(cloth),
        Elastic::Springs => springs(cloth),
    };
    SAFETY * 2.0 / squared.sqrt()
}

/// Bound of ω² from stretch and shear \[1/s²\].
fn triangles(cloth: &Cloth) -> f64 {
    let mut areas = vec![0.0; cloth.vertex_count()];
    for (rest, corners) in cloth.triangle_rest.iter().zip(&cloth.triangles) {
        for &v in corners {
            areas[v as usize] += rest.area / 3.0;
        }
    }
    let density = |v: u32| cloth.mass[v as usize] / areas[v as usize];
    let each = cloth.triangle_rest.iter().zip(&cloth.triangles).map(|(rest, corners)| {
        let lightest = corners.iter().map(|&v| density(v)).fold(f64::INFINITY, f64::min);
        3.0 * largest_of_conditions(rest) / lightest
    });
    each.fold(0.0, f64::max)
}

/// Largest eigenvalue of the Gram matrix of `√k_u (du, 0)`, `√k_v (0, dv)`, `√G (dv, du)` \[N/m³\].
fn largest_of_conditions(rest: &TriangleRest) -> f64 {
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (uu, vv, uv) = (dot(&rest.du, &rest.du), dot(&rest.dv, &rest.dv), dot(&rest.du, &rest.dv));
    let ([ku, kv], g) = (rest.stretch, rest.shear);
    let (mu, mv) = ((ku * g).sqrt() * uv, (kv * g).sqrt() * uv);
    let gram = [[ku * uu, 0.0, mu], [0.0, kv * vv, mv], [mu, mv, g * (uu + vv)]];
    // The 64th root of the trace of the 64th power lies at most 3^(1/64) = 1.7 % above the eigenvalue.
    let scale = gram[0][0] + gram[1][1] + gram[2][2];
    if scale <= 0.0 {
        return 0.0;
    }
    let mut power = gram.map(|row| row.map(|a| a / scale));
    for _ in 0..6 {
        let p = power;
        power = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| p[i][k] * p[k][j]).sum())
        });
    }
    scale * (power[0][0] + power[1][1] + power[2][2]).powf(1.0 / 64.0)
}

/// Bound of ω² from bending \[1/s²\]: flat, all gradients of an angle lie along the normal.
fn hinges(cloth: &Cloth) -> f64 {
    let sides = Sides::new(cloth);
    let mut rows = vec![0.0; cloth.vertex_count()];
    for hinge in &cloth.hinges {
        let [tip0, tip1, a, b] = hinge.vertices;
        let (one, two) = (sides.wing(cloth, tip0, [a, b]), sides.wing(cloth, tip1, [a, b]));
        let sizes = [one[0], two[0], (one[1] + two[1]).abs(), (one[2] + two[2]).abs()];
        let sum: f64 = sizes.iter().sum();
        for (&v, g) in hinge.vertices.iter().zip(sizes) {
            rows[v as usize] += hinge.stiffness * g * sum;
        }
    }
    rows.iter().zip(&cloth.mass).map(|(row, m)| row / m).fold(0.0, f64::max)
}

/// Triangles by their sorted corners.
struct Sides(Vec<([u32; 3], u32)>);

impl Sides {
    fn new(cloth: &Cloth) -> Self {
        let sorted = |t: &[u32; 3]| {
            let mut corners = *t;
            corners.sort_unstable();
            corners
        };
        let mut list: Vec<_> =
            (0u32..).zip(&cloth.triangles).map(|(i, t)| (sorted(t), i)).collect();
        list.sort_unstable();
        Self(list)
    }

    /// What a wing adds to the gradient of the angle at its tip and at both ends of the edge \[1/m\]: with
    /// `∇λ` the gradients of barycentric coordinates, `|∇λ_tip|` and, for an end, `∇λ_end·∇λ_tip/|∇λ_tip|`.
    fn wing(&self, cloth: &Cloth, tip: u32, [a, b]: [u32; 2]) -> [f64; 3] {
        let mut key = [tip, a, b];
        key.sort_unstable();
        let found = self.0.binary_search_by_key(&key, |(corners, _)| *corners);
        let Ok(at) = found else { return [0.0; 3] };
        let t = self.0[at].1 as usize;
        let rest = &cloth.triangle_rest[t];
        let gradient = |v: u32| {
            let corner = cloth.triangles[t].iter().position(|&w| w == v).unwrap_or(0);
            [rest.du[corner], rest.dv[corner]]
        };
        let [of_tip, of_a, of_b] = [tip, a, b].map(gradient);
        let size = of_tip[0].hypot(of_tip[1]);
        let along = |g: [f64; 2]| (g[0] * of_tip[0] + g[1] * of_tip[1]) / size;
        [size, along(of_a), along(of_b)]
    }
}

/// Bound of ω² from springs \[1/s²\]: `(a − b)² ≤ 2a² + 2b²`, so twice the diagonal block of every vertex.
fn springs(cloth: &Cloth) -> f64 {
    let count = cloth.vertex_count();
    // Upper triangles of the symmetric 2 × 2 blocks, and what acts in all directions.
    let (mut blocks, mut rows) = (vec![[0.0; 3]; count], vec![0.0; count]);
    for spring in &cloth.springs.axial {
        let (d, k) = (spring.direction, 2.0 * spring.stiffness);
        for v in spring.vertices {
            let block = &mut blocks[v as usize];
            block[0] += k * d.x * d.x;
            block[1] += k * d.x * d.y;
            block[2] += k * d.y * d.y;
        }
    }
    for spring in &cloth.springs.bend {
        let sum: f64 = spring.weights.iter().map(|w| w.abs()).sum();
        for (&v, w) in spring.vertices.iter().zip(spring.weights) {
            rows[v as usize] += spring.stiffness * w.abs() * sum;
        }
    }
    let each = (0..count).map(|i| {
        let [a, b, d] = blocks[i];
        let largest = 0.5 * (a + d) + (0.25 * (a - d) * (a - d) + b * b).sqrt();
        (largest + rows[i]) / cloth.mass[i]
    });
    each.fold(0.0, f64::max)
}
