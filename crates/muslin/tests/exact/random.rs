//! Random integers, and exact maps from the integer grid to floating-point positions.

use muslin::math::Vec3;

/// A small, fast generator with a fixed sequence (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// An integer from `-most` to `most`.
    pub fn within(&mut self, most: i64) -> i64 {
        (self.next() % (2 * most as u64 + 1)) as i64 - most
    }

    /// Three such integers.
    pub fn vector(&mut self, most: i64) -> [i64; 3] {
        [self.within(most), self.within(most), self.within(most)]
    }

    /// Such integers for several vertices.
    pub fn vertices<const N: usize>(&mut self, most: i64) -> [[i64; 3]; N] {
        std::array::from_fn(|_| self.vector(most))
    }
}

/// An affine map from grid to floating-point positions without rounding: it keeps contacts.
pub struct Placement {
    exponents: [i32; 3],
    shear: [i64; 3],
    shift: [[i64; 3]; 2],
}

impl Placement {
    /// Plain, huge, tiny, flattened, sheared and far from the origin, in any combination.
    pub fn random(random: &mut Random) -> Self {
        let choice = random.next();
        let has = |bit: u32| choice >> bit & 1 == 1;
        let scale = if has(0) { random.within(60) as i32 } else { 0 };
        let flat = if has(1) && has(2) { 20 } else { 0 };
        let shift = if has(3) { 1 << 20 } else { 0 };
        Self {
            exponents: [0; 3].map(|_| scale + random.within(flat) as i32),
            shear: if has(4) { random.vector(3) } else { [0; 3] },
            shift: [random.vector(shift), random.vector(shift)],
        }
    }

    /// The position of a grid point, at the start (0) or at the end (1).
    pub fn place(&self, x: [i64; 3], end: usize) -> Vec3 {
        let [a, b, c] = self.shear;
        let sheared = [x[0] + a * x[1] + b * x[2], x[1] + c * x[2], x[2]];
        let [x, y, z] = std::array::from_fn(|k| {
            (sheared[k] + self.shift[end][k]) as f64 * 2f64.powi(self.exponents[k])
        });
        Vec3::new(x, y, z)
    }
}
