//! Two elements at once: the same formula in both lanes of a vector register.
//!
//! Every x86-64 and every 64-bit ARM machine has registers of two `f64`, and their additions, products,
//! quotients and roots are the correctly rounded ones of `f64`: both lanes have the bits that a scalar
//! program has, on every machine (R4).

use super::Vec3;
use std::ops::{Add, Mul, Neg, Sub};

/// A number of either element.
pub(crate) use wide::f64x2 as Two;

/// The larger number in each lane; the second where one is not a number.
#[inline]
pub(crate) fn larger(a: Two, b: Two) -> Two {
    a.fast_max(b)
}

/// The smaller number in each lane; the second where one is not a number.
#[inline]
pub(crate) fn smaller(a: Two, b: Two) -> Two {
    a.fast_min(b)
}

/// Where `a > b`: all bits of the lane, else none. `&` with it keeps a number or makes it zero.
#[inline]
pub(crate) fn above(a: Two, b: Two) -> Two {
    a.simd_gt(b)
}

/// The first lanes of two numbers, and their second ones.
#[inline]
pub(crate) fn transpose(a: Two, b: Two) -> [Two; 2] {
    Two::transpose([a, b])
}

/// Coefficients of `(atan(t)/t − 1)/t²` in powers of `t²`, from Chebyshev's points of
/// `0 ≤ t ≤ tan(π/8)`: they are within 7e-18 of `atan(t)/t`.
const ARCTANGENT: [f64; 11] = [
    -0.3333333333333333,
    0.1999999999999552,
    -0.14285714284666542,
    0.11111111015256292,
    -0.09090904578121085,
    0.07692183190760651,
    -0.0666451144646022,
    0.05858148904795124,
    -0.050854496960392584,
    0.039231657085083686,
    -0.019176885636589053,
];

/// The angle of the points `(x, y)` from the x axis, in `[−π, π]` \[rad\], for finite coordinates below
/// 1e300; zero at the origin. Odd in `y`, to the bit.
///
/// Unlike that of the system's library it has the same bits on every machine. Error: 1 ulp or so.
#[inline]
pub(crate) fn angle_of(y: Two, x: Two) -> Two {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
    let sign = Two::splat(-0.0);
    let (ax, ay) = (x.abs(), y.abs());
    let (low, high) = (smaller(ax, ay), larger(ax, ay));
    // From the diagonal where that is nearer: atan(q) = π/4 + atan((q − 1)/(q + 1)).
    let diagonal = above(low, high * Two::splat(SQRT_2 - 1.0));
    let top = low - (diagonal & high);
    let bottom = high + (diagonal & low);
    let t = top / larger(bottom, Two::splat(f64::MIN_POSITIVE));
    let z = t * t;
    // Two chains, that one need not wait for the other.
    let (zz, c) = (z * z, ARCTANGENT.map(Two::splat));
    let even = ((((c[10] * zz + c[8]) * zz + c[6]) * zz + c[4]) * zz + c[2]) * zz + c[0];
    let odd = (((c[9] * zz + c[7]) * zz + c[5]) * zz + c[3]) * zz + c[1];
    let near = t + t * (z * (even + z * odd));
    let octant = near + (diagonal & Two::splat(FRAC_PI_4));
    let steep = above(ay, ax);
    let quadrant = (octant ^ (steep & sign)) + (steep & Two::splat(FRAC_PI_2));
    let back = x.simd_lt(Two::splat(0.0));
    let half = (quadrant ^ (back & sign)) + (back & Two::splat(PI));
    half ^ (y & sign)
}

/// [`angle_of`] of one point.
#[inline]
pub(crate) fn angle_of_one(y: f64, x: f64) -> f64 {
    angle_of(Two::splat(y), Two::splat(x)).to_array()[0]
}

/// A vector of either element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoVec3 {
    pub x: Two,
    pub y: Two,
    pub z: Two,
}

impl TwoVec3 {
    #[inline]
    pub fn new([a, b]: [Vec3; 2]) -> Self {
        Self { x: Two::new([a.x, b.x]), y: Two::new([a.y, b.y]), z: Two::new([a.z, b.z]) }
    }

    #[inline]
    pub fn dot(self, b: Self) -> Two {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline]
    pub fn cross(self, b: Self) -> Self {
        Self {
            x: self.y * b.z - self.z * b.y,
            y: self.z * b.x - self.x * b.z,
            z: self.x * b.y - self.y * b.x,
        }
    }

    /// The vector of each lane.
    #[inline]
    pub fn lanes(self) -> [Vec3; 2] {
        let ([x0, x1], [y0, y1]) = (self.x.to_array(), self.y.to_array());
        let [z0, z1] = self.z.to_array();
        [Vec3::new(x0, y0, z0), Vec3::new(x1, y1, z1)]
    }
}

impl Add for TwoVec3 {
    type Output = Self;

    #[inline]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl Sub for TwoVec3 {
    type Output = Self;

    #[inline]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl Mul<Two> for TwoVec3 {
    type Output = Self;

    #[inline]
    fn mul(self, s: Two) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

impl Neg for TwoVec3 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        let sign = Two::splat(-0.0);
        Self { x: self.x ^ sign, y: self.y ^ sign, z: self.z ^ sign }
    }
}

#[cfg(test)]
mod tests;
