//! Normals made unit, four at a time (OS7).
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::math::lanes::{Number, Simd, Vector, level};
use crate::math::{Vec3, try_normalize};
use fearless_simd::dispatch;

/// Makes vectors unit; those without a direction become the z axis. The bits are those of [`try_normalize`].
pub(super) fn make_unit(vectors: &mut [Vec3]) {
    dispatch!(level(), simd => make_unit_in(simd, vectors));
}

#[inline(always)]
fn make_unit_in<S: Simd>(simd: S, vectors: &mut [Vec3]) {
    let (fours, rest) = vectors.as_chunks_mut::<4>();
    for four in fours {
        let n = Vector::of(simd, *four);
        let length = n.dot(n).root();
        if length.all_above(length.same(0.0)) && length.same(f64::INFINITY).all_above(length) {
            let unit = Vector { x: n.x / length, y: n.y / length, z: n.z / length };
            for (v, row) in four.iter_mut().zip(unit.rows(length)) {
                *v = Vec3::new(row[0], row[1], row[2]);
            }
        } else {
            make_each_unit(four);
        }
    }
    make_each_unit(rest);
}

fn make_each_unit(vectors: &mut [Vec3]) {
    for v in vectors {
        *v = try_normalize(*v).unwrap_or(Vec3::Z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// The bits of one after the other, also among vectors that have no direction, and where four do not come out even.
    #[test]
    fn os7_normals_in_lanes_have_the_bits_of_single_ones() {
        let mut random = Random::new(31);
        for count in 0..40 {
            let mut vectors: Vec<Vec3> = (0..count)
                .map(|_| Vec3::new(random.unit(), random.unit() - 0.5, random.unit() - 0.5))
                .collect();
            if let Some(v) = vectors.get_mut(9) {
                *v = Vec3::ZERO;
            }
            if let Some(v) = vectors.get_mut(22) {
                v.y = f64::INFINITY;
            }
            let mut single = vectors.clone();
            make_each_unit(&mut single);
            make_unit(&mut vectors);
            assert_eq!(vectors, single);
        }
    }
}
