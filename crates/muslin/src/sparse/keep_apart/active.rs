//! Pairs that may come too near in a step, and how they are moved apart.

use super::pair::Pair;
use crate::collide::distance::Closest;
use crate::math::Vec3;
use crate::sparse::collision::Particles;
use crate::sparse::paths::Paths;

/// Part of the distance by which a pair that is too near comes apart in a step \[-\].
const RECOVERY: f64 = 0.25;

/// A pair that may come too near in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pair: Pair,
    /// Ways of its particles together \[m\] after which it must be looked at again.
    due: f64,
    /// Where it is nearest; `None` until somebody asks.
    nearest: Option<Nearest>,
}

/// Where a pair was nearest when the step began.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    /// Weights of the nearest points \[-\].
    weights: [f64; 4],
    /// Unit direction from the second to the first of them.
    normal: Vec3,
    /// How far apart they must be along it \[m\].
    least: f64,
    /// What a unit of impulse moves them apart \[1/kg\]; 0 if the pair touches, or nobody can move.
    softness: f64,
}

impl Nearest {
    /// Where the pair is nearest at `before`.
    fn new(pair: Pair, before: [Vec3; 4], cloth: &Particles, distance: f64) -> Self {
        let Closest { weights, delta, distance_squared } = pair.closest(before);
        let start = distance_squared.sqrt();
        let ends = pair.particles().into_iter().zip(weights);
        let softness: f64 = ends.map(|(v, w)| w * w * cloth.inverse_masses[v as usize]).sum();
        let least = distance.min(start + RECOVERY * distance);
        let good = start > 0.0 && start.is_finite() && softness > 0.0;
        let (normal, softness) = if good { (delta / start, softness) } else { (Vec3::ZERO, 0.0) };
        Self { weights, normal, least, softness }
    }

    /// What the nearest points lack of their least distance \[m\] if the particles are `of`.
    #[inline]
    fn missing(&self, index: [usize; 4], of: &[Vec3]) -> f64 {
        if self.softness > 0.0 { self.least - self.along(index, of) } else { f64::NEG_INFINITY }
    }

    /// The difference of the nearest points along the normal.
    #[inline]
    fn along(&self, index: [usize; 4], of: &[Vec3]) -> f64 {
        (0..4).map(|k| of[index[k]].dot(self.normal) * self.weights[k]).sum()
    }
}

impl Active {
    /// A pair that is to be looked at once its particles have gone `due` \[m\] together.
    pub fn new(pair: Pair, due: f64) -> Self {
        Self { pair, due, nearest: None }
    }

    /// Moves the pair apart if it is nearer than `distance` \[m\]; whether it was.
    ///
    /// What separates it, or what its nearest points have more than they need, shrinks by no more than the ways
    /// of its particles together: until they have gone that far it need not be looked at.
    #[inline]
    pub fn part(&mut self, cloth: &mut Particles, paths: &mut Paths, distance: f64) -> bool {
        let gone = paths.of(self.pair.particles().map(|v| v as usize));
        gone >= self.due && self.look(cloth, paths, distance, gone)
    }

    fn look(&mut self, cloth: &mut Particles, paths: &mut Paths, distance: f64, gone: f64) -> bool {
        let pair = self.pair;
        let index = pair.particles().map(|v| v as usize);
        if let Some(nearest) = self.nearest {
            let missing = nearest.missing(index, cloth.x);
            if missing <= 0.0 {
                self.due = gone - missing;
                return false;
            }
        }
        // The nearest points may have been others on the way.
        let spare = pair.separation_of(cloth.before, cloth.x) - distance;
        if spare > 0.0 {
            self.due = gone + spare;
            return false;
        }
        let ends = pair.ends(cloth.before, cloth.x);
        if pair.is_boxed_apart(&ends, distance) {
            return false;
        }
        let nearest =
            *self.nearest.get_or_insert_with(|| Nearest::new(pair, ends[0], cloth, distance));
        let missing = nearest.missing(index, cloth.x);
        if missing <= 0.0 {
            self.due = gone - missing;
            return false;
        }
        let Nearest { weights, normal, softness, .. } = nearest;
        let approach = nearest.along(index, cloth.v).min(0.0);
        for k in 0..4 {
            let share = normal * (weights[k] * cloth.inverse_masses[index[k]] / softness);
            cloth.x[index[k]] += share * missing;
            cloth.v[index[k]] -= share * approach;
        }
        paths.follow(cloth.x, index);
        true
    }
}
