//! Wrinkle-preserving clean-up (MF8): cloth that is in a body, or just above it, is moved to depths in a
//! thin layer outside, in the same order as before, so that its wrinkles stay.

use crate::body::Body;
use crate::levelset::{Sample, union};
use crate::math::{Vec3, try_normalize};
use rayon::prelude::*;

/// Most steps on the way to the new depth.
const MOST_STEPS: usize = 40;

/// How near to its new depth a point must come, as a share of the layer \[-\].
const GOAL: f64 = 1e-9;

/// Share of the layer kept for what is deeper than expected \[-\].
const RESERVE: f64 = 0.1;

/// Share of the layer over which the map turns from leaving points alone to squeezing them \[-\].
const BLEND: f64 = 0.2;

/// Settings of the clean-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CleanUp {
    /// `ε`: least distance afterwards \[m\].
    pub least: f64,
    /// `τ`: points farther than this stay where they are \[m\]; above `ε`.
    pub reach: f64,
    /// `τ̂`: the deepest that cloth is expected to be in a body \[m\]. Deeper points are moved out as
    /// well, squeezed together.
    pub expected_depth: f64,
}

impl Default for CleanUp {
    fn default() -> Self {
        Self { least: 5e-4, reach: 0.01, expected_depth: 0.01 }
    }
}

/// What the clean-up did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CleanedUp {
    /// Points moved.
    pub moved: usize,
    /// Points inside two parts, left alone.
    pub pinched: usize,
    /// Points that did not get to their new depth: the field has a ridge there.
    pub stuck: usize,
    /// The deepest point before \[m\]; 0 where none was inside.
    pub deepest: f64,
}

impl CleanUp {
    /// The new distance of a point at distance `φ` \[m\]: strictly increasing and with a continuous slope,
    /// from `ε` far inside to `τ`, where it is `φ` and its slope 1.
    ///
    /// Measured from the top, `u = τ − φ`, it is `τ − h(u)`: the slope of `h` falls from 1 to the `m` that
    /// squeezes everything down to the expected depth evenly into the layer, all but a reserve, which
    /// deeper points approach exponentially.
    pub fn map(&self, distance: f64) -> f64 {
        let top = self.reach - distance;
        if top <= 0.0 {
            return distance;
        }
        let layer = self.reach - self.least;
        let expected = self.reach + self.expected_depth.max(0.0);
        let blend = BLEND * layer;
        let fallen = |u: f64| blend * (1.0 - (-u / blend).exp());
        let slope = ((1.0 - RESERVE) * layer - fallen(expected)) / (expected - fallen(expected));
        let h = |u: f64| slope * u + (1.0 - slope) * fallen(u);
        if top <= expected {
            return self.reach - h(top);
        }
        let rest = layer - h(expected);
        let steepness = slope + (1.0 - slope) * (-expected / blend).exp();
        self.least + rest * (-(top - expected) * steepness / rest).exp()
    }
}

/// Moves points out of the union of `parts`, each a distance field.
pub fn clean_up<P>(positions: &mut [Vec3], parts: &[P], settings: &CleanUp) -> CleanedUp
where
    P: Fn(Vec3) -> Option<Sample> + Sync,
{
    let fates: Vec<Fate> = positions.par_iter_mut().map(|x| move_out(x, parts, settings)).collect();
    let mut done = CleanedUp::default();
    for fate in fates {
        done.moved += usize::from(matches!(fate, Fate::Moved { .. }));
        done.pinched += usize::from(fate == Fate::Pinched);
        if let Fate::Moved { depth, arrived } = fate {
            done.stuck += usize::from(!arrived);
            done.deepest = done.deepest.max(depth);
        }
    }
    done
}

/// Moves points out of bodies at time `t` \[s\]: level sets (without their inset), spheres and planes. Bodies of mere
/// triangles have no field and are passed over.
pub fn clean_up_of_bodies(
    positions: &mut [Vec3],
    bodies: &[Body],
    t: f64,
    settings: &CleanUp,
) -> CleanedUp {
    let field = |body: &'_ Body, x: Vec3| {
        body.surface_distance(x, t).map(|(distance, gradient)| Sample { distance, gradient })
    };
    let parts: Vec<_> = bodies.iter().map(|body| move |x: Vec3| field(body, x)).collect();
    clean_up(positions, &parts, settings)
}

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Left,
    Pinched,
    Moved { depth: f64, arrived: bool },
}

fn move_out<P>(x: &mut Vec3, parts: &[P], settings: &CleanUp) -> Fate
where
    P: Fn(Vec3) -> Option<Sample>,
{
    let all = |x: Vec3| parts.iter().filter_map(move |part| part(x));
    let Some(start) = union(all(*x)) else { return Fate::Left };
    if start.distance >= settings.reach || !start.distance.is_finite() {
        return Fate::Left;
    }
    if all(*x).filter(|part| part.distance < 0.0).count() > 1 {
        return Fate::Pinched;
    }
    let target = settings.map(start.distance);
    let goal = GOAL * (settings.reach - settings.least);
    let mut best = ((start.distance - target).abs(), *x);
    let (mut at, mut here) = (*x, start);
    for _ in 0..MOST_STEPS {
        let Some(normal) = try_normalize(here.gradient) else { break };
        at += normal * (target - here.distance);
        let Some(next) = union(all(at)) else { break };
        here = next;
        let missing = (here.distance - target).abs();
        if missing < best.0 {
            best = (missing, at);
        }
        if missing <= goal {
            break;
        }
    }
    *x = best.1;
    Fate::Moved { depth: (-start.distance).max(0.0), arrived: best.0 <= 1e3 * goal }
}

#[cfg(test)]
mod tests;
