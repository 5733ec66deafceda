//! Curved PN triangles: a cubic patch per face from positions and normals (OS4).
//!
//! | paper | here |
//! |---|---|
//! | corner `p_i`, normal `n_i` | `p[i]`, `n[i]` |
//! | control points `b_ijk` | [`PnTriangle`], in the order `300 030 003 210 120 021 012 102 201 111` |
//!
//! A patch meets its neighbours because the four control points along a side depend on that side's
//! two ends alone, by a formula that gives the same bits from either side.

use crate::math::{Vec3, try_normalize};

/// Four control points of a cubic curve \[m\].
pub type Curve = [Vec3; 4];

/// The side of a PN triangle between `p[0]` and `p[1]` with unit normals `n` (OS4).
///
/// `b_210 = (2 p_1 + p_2 − w_12 n_1) / 3` with `w_12 = (p_2 − p_1)·n_1`: the end tangents lie in the
/// tangent planes. Deviation: none.
#[inline]
pub fn edge_curve(p: [Vec3; 2], n: [Vec3; 2]) -> Curve {
    let inner = |a: usize, b: usize| {
        let w = (p[b] - p[a]).dot(n[a]);
        (p[a] * 2.0 + p[b] - n[a] * w) / 3.0
    };
    [p[0], inner(0, 1), inner(1, 0), p[1]]
}

/// Unit normal half-way along a side: the quadratic normal of a PN triangle at its middle (OS4).
///
/// `n_110 = n_1 + n_2 − v (p_2 − p_1)`, `v = 2 (p_2 − p_1)·(n_1 + n_2) / |p_2 − p_1|²`, made unit;
/// then the middle of the quadratic, `(n_1 + n_2)/4 + n_110/2`.
#[inline]
pub fn middle_normal(p: [Vec3; 2], n: [Vec3; 2]) -> Vec3 {
    let (along, sum) = (p[1] - p[0], n[0] + n[1]);
    let length_squared = along.length_squared();
    let v = if length_squared > 0.0 { 2.0 * along.dot(sum) / length_squared } else { 0.0 };
    let reflected = try_normalize(sum - along * v).unwrap_or(n[0]);
    try_normalize(sum + reflected * 2.0).unwrap_or(reflected)
}

/// The point of a curve at `t` in `[0, 1]` \[m\].
#[inline]
pub fn curve_point(c: &Curve, t: f64) -> Vec3 {
    let s = 1.0 - t;
    c[0] * (s * s * s) + c[1] * (3.0 * s * s * t) + c[2] * (3.0 * s * t * t) + c[3] * (t * t * t)
}

/// The same curve in two halves (de Casteljau).
#[inline]
pub fn halves(c: &Curve) -> [Curve; 2] {
    let (a, b, d) = ((c[0] + c[1]) * 0.5, (c[1] + c[2]) * 0.5, (c[2] + c[3]) * 0.5);
    let (ab, bd) = ((a + b) * 0.5, (b + d) * 0.5);
    let middle = (ab + bd) * 0.5;
    [[c[0], a, ab, middle], [middle, bd, d, c[3]]]
}

/// The same curve run backwards: the same bits in another order.
#[inline]
pub fn reversed(c: &Curve) -> Curve {
    [c[3], c[2], c[1], c[0]]
}

/// Weights of the ten control points at barycentric coordinates `(w, u, v)`.
#[inline]
pub fn bernstein([w, u, v]: [f64; 3]) -> [f64; 10] {
    [
        w * w * w,
        u * u * u,
        v * v * v,
        3.0 * w * w * u,
        3.0 * w * u * u,
        3.0 * u * u * v,
        3.0 * u * v * v,
        3.0 * w * v * v,
        3.0 * w * w * v,
        6.0 * w * u * v,
    ]
}

/// A three-sided cubic patch (OS4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PnTriangle {
    /// Control points \[m\]: `b_300 b_030 b_003 b_210 b_120 b_021 b_012 b_102 b_201 b_111`.
    pub control: [Vec3; 10],
}

impl PnTriangle {
    /// The patch of a face with corners `p` \[m\] and unit normals `n`.
    pub fn new(p: [Vec3; 3], n: [Vec3; 3]) -> Self {
        let side = |a: usize, b: usize| edge_curve([p[a], p[b]], [n[a], n[b]]);
        Self::from_sides([&side(0, 1), &side(1, 2), &side(2, 0)])
    }

    /// The patch between three curves; side `k` runs from corner `k` to the next corner.
    ///
    /// The middle point is the PN triangle's: `b_111 = E + (E − V)/2` with `E` the mean of the six
    /// points on the sides and `V` the mean of the corners.
    #[inline]
    pub fn from_sides([a, b, c]: [&Curve; 3]) -> Self {
        let e = (a[1] + a[2] + b[1] + b[2] + c[1] + c[2]) / 6.0;
        let v = (a[0] + b[0] + c[0]) / 3.0;
        let control = [a[0], b[0], c[0], a[1], a[2], b[1], b[2], c[1], c[2], e + (e - v) * 0.5];
        Self { control }
    }

    /// The point at barycentric coordinates \[m\].
    pub fn point(&self, barycentric: [f64; 3]) -> Vec3 {
        self.weighted(&bernstein(barycentric))
    }

    /// The point with weights from [`bernstein`] \[m\].
    #[inline]
    pub fn weighted(&self, weights: &[f64; 10]) -> Vec3 {
        let mut sum = self.control[0] * weights[0];
        for k in 1..10 {
            sum += self.control[k] * weights[k];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn unit(random: &mut Random) -> Vec3 {
        let p = Vec3::new(random.unit(), random.unit(), random.unit()) - Vec3::splat(0.5);
        try_normalize(p).unwrap()
    }

    fn point(random: &mut Random) -> Vec3 {
        Vec3::new(random.unit(), random.unit(), random.unit())
    }

    /// V10: corners are met exactly, and end tangents are perpendicular to the normals.
    #[test]
    fn v10_patches_interpolate_corners_exactly() {
        let mut random = Random::new(4);
        for _ in 0..200 {
            let (p, n) =
                ([(); 3].map(|()| point(&mut random)), [(); 3].map(|()| unit(&mut random)));
            let patch = PnTriangle::new(p, n);
            for k in 0..3 {
                let mut at = [0.0; 3];
                at[k] = 1.0;
                assert_eq!(patch.point(at), p[k]);
                let side = edge_curve([p[k], p[(k + 1) % 3]], [n[k], n[(k + 1) % 3]]);
                assert!((side[1] - side[0]).dot(n[k]).abs() < 1e-15);
            }
        }
    }

    /// V10: two faces evaluate their common side to the same bits.
    #[test]
    fn v10_patches_agree_along_shared_sides() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let p = [(); 4].map(|()| point(&mut random));
            let n = [(); 4].map(|()| unit(&mut random));
            let left = PnTriangle::new([p[0], p[1], p[2]], [n[0], n[1], n[2]]);
            let right = PnTriangle::new([p[1], p[0], p[3]], [n[1], n[0], n[3]]);
            let side = |patch: &PnTriangle| [0, 3, 4, 1].map(|k| patch.control[k]);
            assert_eq!(side(&left), reversed(&side(&right)));
            for i in 0..=32 {
                let t = i as f64 / 32.0;
                let gap = left.point([1.0 - t, t, 0.0]) - right.point([t, 1.0 - t, 0.0]);
                assert!(gap.length() < 1e-15);
            }
        }
    }

    /// Flat in, flat out: with the face's own normal the patch is the face.
    #[test]
    fn os4_equal_normals_give_the_flat_triangle() {
        let p = [Vec3::ZERO, Vec3::new(2.0, 0.0, 1.0), Vec3::new(0.0, 3.0, 0.5)];
        let n = try_normalize((p[1] - p[0]).cross(p[2] - p[0])).unwrap();
        let patch = PnTriangle::new(p, [n; 3]);
        for [w, u, v] in [[0.2, 0.3, 0.5], [0.6, 0.4, 0.0], [1.0 / 3.0; 3]] {
            let flat = p[0] * w + p[1] * u + p[2] * v;
            assert!(patch.point([w, u, v]).distance(flat) < 1e-15);
        }
    }

    /// A quarter circle with its true normals: the middle lies at (5 + 1.5·√2·…)/8 by hand.
    ///
    /// Ends (1,0), (0,1), normals radial: `w = −1`, so `b_1 = (2(1,0) + (0,1) + (1,0))/3 = (1, 1/3)`
    /// and the middle of the curve is `((1,0) + 3(1,1/3) + 3(1/3,1) + (0,1))/8 = (5/8, 5/8)`.
    #[test]
    fn os4_quarter_circle_by_hand() {
        let c = edge_curve([Vec3::X, Vec3::Y], [Vec3::X, Vec3::Y]);
        assert!(c[1].distance(Vec3::new(1.0, 1.0 / 3.0, 0.0)) < 1e-15);
        assert!(curve_point(&c, 0.5).distance(Vec3::new(0.625, 0.625, 0.0)) < 1e-15);
        let n = middle_normal([Vec3::X, Vec3::Y], [Vec3::X, Vec3::Y]);
        assert!(n.distance(Vec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)) < 1e-15);
    }

    #[test]
    fn halves_trace_the_same_curve() {
        let mut random = Random::new(6);
        let c = [(); 4].map(|()| point(&mut random));
        let [a, b] = halves(&c);
        for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
            assert!(curve_point(&a, t).distance(curve_point(&c, 0.5 * t)) < 1e-15);
            assert!(curve_point(&b, t).distance(curve_point(&c, 0.5 + 0.5 * t)) < 1e-15);
        }
    }
}
