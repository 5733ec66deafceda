//! Unsteady air: a smooth, seeded function of time and place (XU3).

use crate::math::{Random, Vec3, try_normalize};

/// Number of waves that make up the fluctuation.
const WAVES: usize = 4;

/// Ratio of successive wavelengths; four waves span a factor of 8 in size.
const WAVELENGTH_RATIO: f64 = 0.5;

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
    pub const NONE: Self = Self { seed: 0, intensity: 0.0, scale: 1.0 };
}

/// Plane waves `Σ amplitude · wave(frequency·x + phase)`, transverse, so without divergence;
/// stored component by component.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waves {
    amplitude: [[f64; WAVES]; 3],
    /// Cycles per metre.
    frequency: [[f64; WAVES]; 3],
    /// Cycles, already at the time of interest.
    phase: [f64; WAVES],
}

impl Waves {
    /// The waves at `time` of a turbulence carried along by a wind of velocity `mean` \[m/s\]:
    /// eddies travel with the wind and slowly change.
    pub fn new(turbulence: &Turbulence, mean: Vec3, time: f64) -> Self {
        let mut waves = Self::default();
        if turbulence.intensity == 0.0 {
            return waves;
        }
        let mut random = Random::new(turbulence.seed);
        let mut sum_of_squares = 0.0;
        let mut wavelengths = [turbulence.scale; WAVES];
        for k in 1..WAVES {
            wavelengths[k] = wavelengths[k - 1] * WAVELENGTH_RATIO;
        }
        for l in wavelengths {
            sum_of_squares += l.cbrt() * l.cbrt() * WAVE_MEAN_SQUARE;
        }
        let scale = turbulence.intensity / sum_of_squares.sqrt();
        for (k, wavelength) in wavelengths.into_iter().enumerate() {
            let along = direction(&mut random);
            let across = along.any_orthonormal_vector();
            let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
            let drift = random.between(-DRIFT, DRIFT) * mean.length() / wavelength;
            let frequency = along / wavelength;
            let size = scale * wavelength.cbrt();
            let amplitude = (across * cos + along.cross(across) * sin) * size;
            for axis in 0..3 {
                waves.amplitude[axis][k] = amplitude[axis];
                waves.frequency[axis][k] = frequency[axis];
            }
            waves.phase[k] = (random.unit() + (drift - frequency.dot(mean)) * time) % 1.0;
        }
        waves
    }

    /// The fluctuation at `x`, in units of the mean wind.
    #[inline]
    pub fn fluctuation(&self, x: Vec3) -> Vec3 {
        let [fx, fy, fz] = &self.frequency;
        let [ax, ay, az] = &self.amplitude;
        let mut heights = [0.0; WAVES];
        for k in 0..WAVES {
            heights[k] = wave(fx[k] * x.x + fy[k] * x.y + fz[k] * x.z + self.phase[k]);
        }
        let mut sum = Vec3::ZERO;
        for k in 0..WAVES {
            sum += Vec3::new(ax[k], ay[k], az[k]) * heights[k];
        }
        sum
    }
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
