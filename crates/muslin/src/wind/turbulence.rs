//! Unsteady air: a smooth, seeded function of time and place (XU3).

use crate::math::{Random, Vec3, try_normalize};

/// Number of waves that make up the fluctuation.
pub(super) const WAVES: usize = 6;

/// Ratio of successive wavelengths; six waves span a factor of 11 in size.
const WAVELENGTH_RATIO: f64 = 0.62;

/// How fast a wave changes on its own, as a fraction of the speed at which the wind carries it.
const DRIFT: f64 = 0.35;

/// Mean square of [`wave`]: `∫ 64 r² (1 − 2|r|)² dr` over a period.
const WAVE_MEAN_SQUARE: f64 = 8.0 / 15.0;

/// Random disturbance of a wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turbulence {
    /// Decides the pattern.
    pub seed: u64,
    /// Root mean square of the fluctuation over the mean wind \[-\].
    pub intensity: f64,
    /// Size of the largest eddies \[m\].
    pub scale: f64,
}

impl Turbulence {
    /// A steady wind.
    pub const NONE: Self = Self {
        seed: 0,
        intensity: 0.0,
        scale: 1.0,
    };
}

/// One plane wave `amplitude · wave(frequency·x + phase)`, transverse, so without divergence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wave {
    amplitude: Vec3,
    /// Cycles per metre.
    frequency: Vec3,
    /// Cycles, already at the time of interest.
    phase: f64,
}

/// The waves at `time` of a turbulence carried along by a wind of velocity `mean` \[m/s\]: eddies
/// travel with the wind and slowly change.
pub(super) fn waves(turbulence: &Turbulence, mean: Vec3, time: f64) -> [Wave; WAVES] {
    let mut waves = [Wave::default(); WAVES];
    if turbulence.intensity == 0.0 {
        return waves;
    }
    let mut random = Random::new(turbulence.seed);
    let mut wavelength = turbulence.scale;
    let mut sum_of_squares = 0.0;
    for wave in &mut waves {
        let along = direction(&mut random);
        let across = along.any_orthonormal_vector();
        let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
        let size = wavelength.cbrt();
        let drift = random.between(-DRIFT, DRIFT) * mean.length() / wavelength;
        let frequency = along / wavelength;
        wave.amplitude = (across * cos + along.cross(across) * sin) * size;
        wave.frequency = frequency;
        wave.phase = (random.unit() + (drift - frequency.dot(mean)) * time) % 1.0;
        sum_of_squares += size * size * WAVE_MEAN_SQUARE;
        wavelength *= WAVELENGTH_RATIO;
    }
    let scale = turbulence.intensity / sum_of_squares.sqrt();
    for wave in &mut waves {
        wave.amplitude *= scale;
    }
    waves
}

/// The fluctuation at `x`, in units of the mean wind.
#[inline]
pub(super) fn fluctuation(waves: &[Wave; WAVES], x: Vec3) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for w in waves {
        sum += w.amplitude * wave(w.frequency.dot(x) + w.phase);
    }
    sum
}

/// A sine-like wave of period 1 and amplitude 1 from two parabolas, continuous with its slope.
/// Unlike a sine it is the same on every machine, and fast.
#[inline]
pub(super) fn wave(cycles: f64) -> f64 {
    // Adding and taking away 1.5 · 2⁵² rounds to the nearest whole number.
    const ROUND: f64 = 6755399441055744.0;
    let r = cycles - ((cycles + ROUND) - ROUND);
    8.0 * r * (1.0 - 2.0 * r.abs())
}

fn direction(random: &mut Random) -> Vec3 {
    loop {
        let mut coordinate = || random.between(-1.0, 1.0);
        let v = Vec3::new(coordinate(), coordinate(), coordinate());
        if v.length_squared() <= 1.0
            && let Some(unit) = try_normalize(v)
        {
            return unit;
        }
    }
}
