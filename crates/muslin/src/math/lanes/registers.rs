//! What is best said in the instructions of a machine.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::{Four, Simd};
use fearless_simd::Level;
use fearless_simd::prelude::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256d, _MM_HINT_T0, _mm_prefetch, _mm256_permute2f128_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd,
};

/// The registers that four numbers at once are best computed with: of two kinds of the same width, those that are
/// longer known. Assembly alone takes what AVX-512 offers beside AVX2: twice as many registers, and eight numbers in one.
pub(crate) fn level() -> Level {
    let level = Level::new();
    #[cfg(target_arch = "x86_64")]
    let level = level.as_avx2().map_or(level, Level::Avx2);
    level
}

/// Asks for the memory at an address, which will be read soon. A hint: any address may be given.
#[inline(always)]
pub(crate) fn fetch<S: Simd, T>(simd: S, address: *const T) {
    #[cfg(target_arch = "x86_64")]
    if let Some(sse2) = simd.level().as_sse2() {
        fetch_line(sse2, address.cast());
    }
}

/// Asks for all of a value, line by line.
#[inline(always)]
pub(crate) fn fetch_all<S: Simd, T>(simd: S, address: *const T) {
    for start in (0..size_of::<T>()).step_by(64) {
        fetch(simd, address.cast::<u8>().wrapping_add(start));
    }
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn fetch_line(sse2: Sse2, address: *const i8) {
        _mm_prefetch::<_MM_HINT_T0>(address);
    }
);

/// First lanes of all, second lanes of all, and so on.
#[inline(always)]
pub(crate) fn transpose<S: Simd>([a, b, c, d]: [Four<S>; 4]) -> [Four<S>; 4] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = a.simd.level().as_avx2() {
        let rows = transpose_registers(avx2, a.into(), b.into(), c.into(), d.into());
        return rows.map(|row| row.simd_into(a.simd));
    }
    let ((ac, ac_high), (bd, bd_high)) = (a.interleave(c), b.interleave(d));
    let ((first, second), (third, fourth)) = (ac.interleave(bd), ac_high.interleave(bd_high));
    [first, second, third, fourth]
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    /// Eight moves: pairs inside the halves of registers, and then the halves.
    #[inline(always)]
    fn transpose_registers(
        avx2: Avx2,
        a: __m256d,
        b: __m256d,
        c: __m256d,
        d: __m256d,
    ) -> [__m256d; 4] {
        let (ab, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab, cd),
            _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
            _mm256_permute2f128_pd::<0x31>(ab, cd),
            _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
        ]
    }
);
