//! Fixed, well-spread sample points.

use crate::Vec3f;
use std::f32::consts::TAU;

/// Side of the pixel blocks that share one set of samples; a multiple of 4.
pub(crate) const BLOCK_SIDE: usize = 8;

/// Rank of pixel (x, y) in its 8 × 8 block. Ranks are dispersed, and each 4 × 4 quarter has a
/// contiguous run of them, so that a quarter's samples are a well-spread set as well.
fn block_rank(x: usize, y: usize) -> usize {
    let spread = |bit: usize| {
        let (bx, by) = (x >> bit & 1, y >> bit & 1);
        (bx ^ by) << 1 | by
    };
    spread(2) << 4 | spread(0) << 2 | spread(1)
}

/// The `index`-th point of the Sobol' (0,2)-sequence in the unit square: every aligned run of 2ᵏ
/// points has exactly one in each rectangle of area 2⁻ᵏ whose sides are powers of two.
pub(crate) fn net_point(index: u32) -> [f32; 2] {
    let to_unit = |bits: u32| (bits >> 8) as f32 / (1_u32 << 24) as f32;
    let mut second = 0;
    let mut direction = 1_u32 << 31;
    let mut rest = index;
    while rest != 0 {
        if rest & 1 != 0 {
            second ^= direction;
        }
        rest >>= 1;
        direction ^= direction >> 1;
    }
    [to_unit(index.reverse_bits()), to_unit(second)]
}

/// Sample points for every pixel of a block; together they are one larger net.
pub(crate) struct BlockSamples {
    points: Vec<Vec3f>,
    per_pixel: usize,
}

impl BlockSamples {
    /// Unit vectors around +z with density proportional to z (cosine-weighted).
    pub fn hemisphere(per_pixel: u32) -> Self {
        Self::new(per_pixel, |[a, b]| {
            let (sin, cos) = (TAU * a).sin_cos();
            Vec3f::new(b.sqrt() * cos, b.sqrt() * sin, (1.0 - b).max(0.0).sqrt())
        })
    }

    /// Points of the unit disc (z = 0), uniformly spread.
    pub fn disc(per_pixel: u32) -> Self {
        Self::new(per_pixel, |[a, b]| {
            let (sin, cos) = (TAU * a).sin_cos();
            Vec3f::new(b.sqrt() * cos, b.sqrt() * sin, 0.0)
        })
    }

    fn new(per_pixel: u32, map: impl Fn([f32; 2]) -> Vec3f) -> Self {
        let count = (BLOCK_SIDE * BLOCK_SIDE) as u32 * per_pixel;
        // Half a cell off the lower borders, so that no point is degenerate.
        let shift = 0.5 / count.max(1) as f32;
        let points = (0..count)
            .map(|i| map(net_point(i).map(|c| c + shift)))
            .collect();
        Self {
            points,
            per_pixel: per_pixel as usize,
        }
    }

    /// The samples of pixel (x, y).
    pub fn of_pixel(&self, x: usize, y: usize) -> &[Vec3f] {
        let start = block_rank(x, y) * self.per_pixel;
        &self.points[start..start + self.per_pixel]
    }

    /// All samples of a block.
    pub fn all(&self) -> &[Vec3f] {
        &self.points
    }
}

/// Two unit vectors that make a right-handed frame with the unit vector `n`.
pub(crate) fn tangent_frame(n: Vec3f) -> (Vec3f, Vec3f) {
    n.any_orthonormal_pair()
}

/// A value in −½ … ½ that is different in every pixel of an 8 × 8 block (ordered dither).
pub(crate) fn dither(x: usize, y: usize) -> f32 {
    let mut rank = 0;
    for bit in 0..3 {
        let (bx, by) = (x >> bit & 1, y >> bit & 1);
        rank = rank << 2 | (bx ^ by) << 1 | by;
    }
    (rank as f32 + 0.5) / 64.0 - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_aligned_run_is_stratified_in_every_elementary_rectangle() {
        for start in [0, 64, 4096] {
            for log_columns in 0..=6 {
                let (columns, rows) = (1 << log_columns, 64 >> log_columns);
                let mut seen = [false; 64];
                for i in start..start + 64 {
                    let [a, b] = net_point(i);
                    let cell = (a * columns as f32) as usize + columns * (b * rows as f32) as usize;
                    assert!(!std::mem::replace(&mut seen[cell], true));
                }
            }
        }
    }

    #[test]
    fn hemisphere_samples_have_the_mean_of_the_cosine_density() {
        // Mean of z under density z/π is 2/3; of x and y it is 0.
        let samples = BlockSamples::hemisphere(4);
        let mean = samples.all().iter().sum::<Vec3f>() / samples.all().len() as f32;
        assert!(
            (mean - Vec3f::new(0.0, 0.0, 2.0 / 3.0)).length() < 0.01,
            "{mean}"
        );
        assert!(
            samples
                .all()
                .iter()
                .all(|d| (d.length() - 1.0).abs() < 1e-6 && d.z > 0.0)
        );
    }

    #[test]
    fn a_block_uses_every_sample_once_and_dither_every_rank_once() {
        let samples = BlockSamples::disc(2);
        let mut used: Vec<u32> = Vec::new();
        for y in 16..16 + BLOCK_SIDE {
            for x in 8..8 + BLOCK_SIDE {
                used.extend(samples.of_pixel(x, y).iter().map(|p| p.x.to_bits()));
            }
        }
        let mut all: Vec<u32> = samples.all().iter().map(|p| p.x.to_bits()).collect();
        used.sort_unstable();
        all.sort_unstable();
        assert_eq!(used, all);
        let mut ranks: Vec<i32> = (0..64)
            .map(|i| ((dither(i % 8, i / 8) + 0.5) * 64.0 - 0.5) as i32)
            .collect();
        ranks.sort_unstable();
        assert_eq!(ranks, (0..64).collect::<Vec<_>>());
    }
}
