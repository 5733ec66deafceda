//! One formula for one element, or for four at once in the lanes of vector registers.
//!
//! Additions, products, quotients and roots of lanes are the correctly rounded ones of `f64`, and none is fused
//! with another: every lane has the bits that a scalar program has, on every machine, however wide its registers
//! are (R4). What they are is found out when the program runs.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

mod registers;

use super::Vec3;
pub(crate) use fearless_simd::prelude::Simd;
use fearless_simd::prelude::*;
pub(crate) use registers::{fetch, fetch_all, level, transpose};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of each of four elements.
pub(crate) use fearless_simd::f64x4 as Four;

/// Two numbers of each of four elements, or eight of one: a register, or as many as it takes.
pub(crate) use fearless_simd::f64x8 as Eight;

/// A number, or several of them side by side.
pub(crate) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// `value` in every lane.
    fn same(self, value: f64) -> Self;

    /// The square root.
    fn root(self) -> Self;

    /// Without its sign.
    fn size(self) -> Self;

    /// The next whole number below.
    fn whole(self) -> Self;

    /// The size of this with the sign of another.
    fn signed_as(self, sign: Self) -> Self;

    /// `yes` in lanes where this is above `bound`, else `no`.
    fn if_above(self, bound: Self, yes: Self, no: Self) -> Self;

    /// Whether this is above `bound` in all lanes.
    fn all_above(self, bound: Self) -> bool;

    /// The larger number; the second where one is not a number.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.if_above(other, self, other)
    }

    /// The smaller number; the second where one is not a number.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        other.if_above(self, self, other)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn same(self, value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn whole(self) -> Self {
        self.floor()
    }

    #[inline(always)]
    fn signed_as(self, sign: Self) -> Self {
        self.copysign(sign)
    }

    #[inline(always)]
    fn if_above(self, bound: Self, yes: Self, no: Self) -> Self {
        if self > bound { yes } else { no }
    }

    #[inline(always)]
    fn all_above(self, bound: Self) -> bool {
        self > bound
    }
}

impl<S: Simd> Number for Four<S> {
    #[inline(always)]
    fn same(self, value: f64) -> Self {
        Self::splat(self.simd, value)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn whole(self) -> Self {
        self.floor()
    }

    #[inline(always)]
    fn signed_as(self, sign: Self) -> Self {
        self.copysign(sign)
    }

    #[inline(always)]
    fn if_above(self, bound: Self, yes: Self, no: Self) -> Self {
        self.simd_gt(bound).select(yes, no)
    }

    #[inline(always)]
    fn all_above(self, bound: Self) -> bool {
        self.simd_gt(bound).all_true()
    }
}

/// Four numbers.
#[inline(always)]
pub(crate) fn four<S: Simd>(simd: S, numbers: [f64; 4]) -> Four<S> {
    numbers.simd_into(simd)
}

/// What comes of each of four elements.
#[inline(always)]
pub(crate) fn each<T>(of: impl Fn(usize) -> T) -> [T; 4] {
    [of(0), of(1), of(2), of(3)]
}

/// Four numbers out of memory.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, from: &[f64; 4]) -> Four<S> {
    Four::from_slice(simd, from)
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
/// Unlike that of the system's library it has the same bits on every machine. Error: 1 ulp or so. Where all points are
/// within π/8 of the x axis, as hinges of smooth cloth are, the way to them is shorter, but the bits are the same.
#[inline(always)]
pub(crate) fn angle_of<N: Number>(y: N, x: N) -> N {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
    let (zero, smallest) = (y.same(0.0), y.same(f64::MIN_POSITIVE));
    let (ax, ay) = (x.size(), y.size());
    if (x * (SQRT_2 - 1.0)).all_above(ay.larger(smallest)) {
        return arctangent(ay / x).signed_as(y);
    }
    let (low, high) = (ax.smaller(ay), ax.larger(ay));
    // From the diagonal where that is nearer: atan(q) = π/4 + atan((q − 1)/(q + 1)).
    let middle = high * (SQRT_2 - 1.0);
    let top = low - low.if_above(middle, high, zero);
    let bottom = high + low.if_above(middle, low, zero);
    let near = arctangent(top / bottom.larger(smallest));
    let octant = near + low.if_above(middle, y.same(FRAC_PI_4), zero);
    let quadrant = ay.if_above(ax, -octant, octant) + ay.if_above(ax, y.same(FRAC_PI_2), zero);
    let half = zero.if_above(x, -quadrant, quadrant) + zero.if_above(x, y.same(PI), zero);
    half.signed_as(y)
}

/// The angles of three points each, `y` before `x`: the bits of [`angle_of`], which waits for itself more often.
#[inline(always)]
pub(crate) fn angles_of<N: Number>(points: [[N; 2]; 3]) -> [N; 3] {
    use std::f64::consts::SQRT_2;
    let [[ay, ax], [by, bx], [cy, cx]] = points;
    let smallest = ay.same(f64::MIN_POSITIVE);
    let room = |y: N, x: N| x * (SQRT_2 - 1.0) - y.size().larger(smallest);
    let least = room(ay, ax).smaller(room(by, bx)).smaller(room(cy, cx));
    if least.all_above(ay.same(0.0)) {
        let [a, b, c] = [ay.size() / ax, by.size() / bx, cy.size() / cx];
        return [
            arctangent(a).signed_as(ay),
            arctangent(b).signed_as(by),
            arctangent(c).signed_as(cy),
        ];
    }
    [angle_of(ay, ax), angle_of(by, bx), angle_of(cy, cx)]
}

/// The arctangent of numbers between `−tan(π/8)` and `tan(π/8)`.
#[inline(always)]
fn arctangent<N: Number>(t: N) -> N {
    let z = t * t;
    // Two chains, that one need not wait for the other.
    let (zz, c) = (z * z, ARCTANGENT);
    let even = ((((zz * c[10] + c[8]) * zz + c[6]) * zz + c[4]) * zz + c[2]) * zz + c[0];
    let odd = (((zz * c[9] + c[7]) * zz + c[5]) * zz + c[3]) * zz + c[1];
    t + t * (z * (even + z * odd))
}

/// A vector, or one of each element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<N> {
    pub x: N,
    pub y: N,
    pub z: N,
}

impl<N: Number> Vector<N> {
    #[inline(always)]
    pub fn dot(self, b: Self) -> N {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self {
            x: self.y * b.z - self.z * b.y,
            y: self.z * b.x - self.x * b.z,
            z: self.x * b.y - self.y * b.x,
        }
    }
}

impl<S: Simd> Vector<Four<S>> {
    /// A vector of each element.
    #[inline(always)]
    pub fn of(simd: S, [a, b, c, d]: [Vec3; 4]) -> Self {
        Self {
            x: four(simd, [a.x, b.x, c.x, d.x]),
            y: four(simd, [a.y, b.y, c.y, d.y]),
            z: four(simd, [a.z, b.z, c.z, d.z]),
        }
    }

    /// The vector of each element, and a number after its three.
    #[inline(always)]
    pub fn rows(self, last: Four<S>) -> [Four<S>; 4] {
        transpose([self.x, self.y, self.z, last])
    }
}

impl<N: Number> Add for Vector<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl<N: Number> Sub for Vector<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<N: Number> Mul<N> for Vector<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, s: N) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

impl<N: Number> Neg for Vector<N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

/// All kinds of registers of this machine, those that every machine has first.
#[cfg(test)]
pub(crate) fn levels() -> Vec<fearless_simd::Level> {
    use fearless_simd::Level;
    let newest = Level::new();
    #[cfg(target_arch = "x86_64")]
    let between = [newest.as_sse4_2().map(Level::Sse4_2), newest.as_avx2().map(Level::Avx2)];
    #[cfg(not(target_arch = "x86_64"))]
    let between = [None; 2];
    [Level::baseline()].into_iter().chain(between.into_iter().flatten()).chain([newest]).collect()
}

#[cfg(test)]
mod tests;
