//! Loop's masks with bounded curvature and no negative weights (BF13, Loop 2001).
//!
//! Around a vertex `v` with `n` neighbours `p_0 … p_{n−1}` one level of subdivision makes
//!
//! ```text
//! v'   = α v + (1 − α)/n Σ p_j          the new place of v
//! e_i  = β v + Σ_j w_{j−i} p_j          the new vertex on the edge from v to p_i
//! ```
//!
//! The matrix of the ring splits into one block per frequency `k`: the eigenvalue of frequency `k` is
//! `ŵ(k) = Σ_j w_j cos(2πjk/n)`, and frequency 0 has 1 and `α − β`. The tangent plane belongs to
//! `λ1 = ŵ(1) = 3/8 + ¼ cos(2π/n)`, Loop's own. Curvature neither vanishes nor grows without bound under
//! repeated subdivision if the quadratic parts shrink as `λ1²`: `ŵ(2) = λ1²` and `α − β = λ1²`. Loop's
//! first scheme has the second, and the first only for `n = 6`.
//!
//! For `n ≥ 6` the weights are samples `w_j = f(cos 2πj/n)/n` of a polynomial that has no negative value
//! on `[−1, 1]`:
//!
//! ```text
//! f(c) = A (1 + c)(c + a)²,   a = 1/λ1 − 3/2,   A = 2 λ1³/(1 − λ1)
//! ```
//!
//! Its cosine series `A [a² + a + ½ + (a + ½)(a + 3/2) cos θ + (a + ½) cos 2θ + ¼ cos 3θ]` gives `ŵ(1) = λ1`
//! and `ŵ(2) = λ1²`; for `n = 6` it is the regular mask 3/8, 1/8, 0, 0, 0, 1/8 with `β = 3/8`. Rings of
//! fewer vertices have no room for frequency 3; there `β = 3/8` stays, and the three frequencies
//! `ŵ = 5/8, λ1, λ1²` alone make weights that are positive.
//!
//! With three neighbours there is no frequency 2 either and the mask is Loop's first; the second ring then
//! has the eigenvalue 1/8, larger than `λ1² = 1/16`, so curvature at such a vertex is not bounded.

use std::f64::consts::TAU;

/// The weights at a vertex inside a smooth surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// `α`: weight of the vertex in its own new place \[-\]; its neighbours share the rest.
    pub vertex: f64,
    /// `β`: weight of the vertex in the new vertices on its edges \[-\].
    pub centre: f64,
    /// `w_j`: weight of the neighbour `j` places on from the one the edge leads to \[-\].
    pub ring: Vec<f64>,
}

impl Mask {
    /// The mask for `valence` neighbours, three or more.
    pub fn new(valence: usize) -> Self {
        let n = valence as f64;
        let tangent = tangent_eigenvalue(valence);
        let quadratic = tangent * tangent;
        let angle = |j: usize| TAU * j as f64 / n;
        let (centre, ring): (f64, Vec<f64>) = if valence >= 6 {
            let a = 1.0 / tangent - 1.5;
            let scale = 2.0 * tangent * quadratic / (1.0 - tangent);
            let weight = |j: usize| {
                let c = angle(j).cos();
                scale * (1.0 + c) * (c + a) * (c + a) / n
            };
            (1.0 - scale * (a * a + a + 0.5), (0..valence).map(weight).collect())
        } else {
            // Two waves of frequency 1 and 2, except that frequency 2 of four vertices is one wave and
            // three vertices have none.
            let second = [0.0, 1.0, 2.0][valence.saturating_sub(3).min(2)];
            let weight = |j: usize| {
                let waves = 2.0 * tangent * angle(j).cos();
                (0.625 + waves + second * quadratic * (2.0 * angle(j)).cos()) / n
            };
            (0.375, (0..valence).map(weight).collect())
        };
        Self { vertex: centre + quadratic, centre, ring }
    }
}

/// `λ1 = 3/8 + ¼ cos(2π/n)`: how much tangents shrink in one level.
pub fn tangent_eigenvalue(valence: usize) -> f64 {
    0.375 + 0.25 * (TAU / valence as f64).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix that takes a vertex and its ring to the next level.
    fn ring_matrix(mask: &Mask) -> Vec<Vec<f64>> {
        let n = mask.ring.len();
        let mut rows = vec![vec![mask.vertex]];
        rows[0].extend(vec![(1.0 - mask.vertex) / n as f64; n]);
        for i in 0..n {
            let mut row = vec![mask.centre];
            row.extend((0..n).map(|j| mask.ring[(j + n - i) % n]));
            rows.push(row);
        }
        rows
    }

    /// `‖M x − μ x‖∞` for `x` with value `c` at the vertex and `cos(2πjk/n + φ)` on the ring.
    fn residual(rows: &[Vec<f64>], centre: f64, k: usize, phase: f64, mu: f64) -> f64 {
        let n = rows.len() - 1;
        let wave = |j: usize| (TAU * (j * k) as f64 / n as f64 + phase).cos();
        let x: Vec<f64> = std::iter::once(centre).chain((0..n).map(wave)).collect();
        let image = |row: &Vec<f64>| row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>();
        rows.iter().zip(&x).map(|(row, x)| (image(row) - mu * x).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn bf13_masks_are_convex_for_every_valence() {
        for n in 3..=40 {
            let mask = Mask::new(n);
            let sum: f64 = mask.centre + mask.ring.iter().sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-14, "{n}: {sum}");
            assert!(mask.ring.iter().all(|w| *w >= -1e-17), "{n}: {mask:?}");
            assert!(mask.centre > 0.0 && mask.vertex > 0.0 && mask.vertex < 1.0, "{n}: {mask:?}");
        }
    }

    /// Eigenvalues 1, λ1 (twice), λ1² (once for the bowl, twice for the saddle), all others smaller.
    #[test]
    fn bf13_tangents_shrink_by_lambda_and_curvature_by_its_square() {
        for n in 3..=12 {
            let rows = ring_matrix(&Mask::new(n));
            let tangent = 0.375 + 0.25 * (TAU / n as f64).cos();
            let square = tangent * tangent;
            for phase in [0.0, 0.7] {
                assert!(residual(&rows, 0.0, 1, phase, tangent) < 1e-14, "tangent of {n}");
                if n > 3 {
                    assert!(residual(&rows, 0.0, 2, phase, square) < 1e-14, "saddle of {n}");
                }
            }
            // The bowl: [α − 1, β…] up to scale, as (1 − α) ring + α centre = μ centre.
            let bowl = (1.0 - rows[0][0]) / (square - rows[0][0]);
            assert!(residual(&rows, bowl, 0, 0.0, square) < 1e-14, "bowl of {n}");
            assert!(residual(&rows, 1.0, 0, 0.0, 1.0) < 1e-14);
            for k in 3..=n / 2 {
                let mu: f64 =
                    (0..n).map(|j| rows[1][1 + j] * (TAU * (j * k) as f64 / n as f64).cos()).sum();
                assert!(mu.abs() < square, "frequency {k} of {n}: {mu} against {square}");
            }
        }
    }

    #[test]
    fn bf13_six_neighbours_have_loops_regular_mask() {
        let mask = Mask::new(6);
        let regular = [0.375, 0.125, 0.0, 0.0, 0.0, 0.125];
        assert!(mask.ring.iter().zip(regular).all(|(a, b)| (a - b).abs() < 1e-15), "{mask:?}");
        assert!((mask.vertex - 0.625).abs() < 1e-15 && (mask.centre - 0.375).abs() < 1e-15);
    }
}
