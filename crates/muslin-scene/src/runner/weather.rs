//! Gravity, air and wind over time.

use super::RunError;
use crate::keyframes::Keyed;
use crate::spec::{self, SceneSpec, WindSource};
use muslin::force::air::Air;
use muslin::math::{Vec3, try_normalize};
use muslin::sim::{Forecast, Weather};
use muslin::wind::{Blow, Source, Turbulence, Wind};
use std::sync::Arc;

/// The scene's weather.
pub fn forecast(scene: &SceneSpec) -> Result<Forecast, RunError> {
    let winds = gusts(scene)?;
    let (gravity, air) = (scene.gravity.clone(), scene.air.clone());
    let weather = move |t: f64| {
        let (normal, lift) = (air.drag.at(t), air.lift.at(t));
        let acts = air.density > 0.0 && (normal > 0.0 || lift != 0.0);
        let air = acts.then_some(Air {
            density: air.density,
            normal,
            tangential: 0.0,
            lift,
            wind: Vec3::ZERO,
        });
        let winds = winds.iter().filter_map(|gust| gust.at(t)).collect();
        Weather { gravity: gravity.at(t), air, winds }
    };
    Ok(Forecast::Changing(Arc::new(weather)))
}

/// The scene's winds.
pub fn gusts(scene: &SceneSpec) -> Result<Vec<Gust>, RunError> {
    let mut winds = Vec::new();
    for (number, wind) in scene.wind.iter().enumerate() {
        let place = wind.name.clone().unwrap_or_else(|| format!("wind {number}"));
        winds.push(Gust::new(wind, scene, &place)?);
    }
    Ok(winds)
}

/// A wind of the scene.
pub struct Gust {
    wind: spec::Wind,
    seed: u64,
    /// Velocity at which eddies travel [m/s].
    drift: Option<Vec3>,
}

impl Gust {
    fn new(wind: &spec::Wind, scene: &SceneSpec, place: &str) -> Result<Self, RunError> {
        if wind.source().is_none() {
            return Err(RunError::part(place, "it must be one of uniform, cone and cylinder"));
        }
        let own = wind.turbulence.as_ref().map_or(0, |t| t.seed);
        let seed = u64::from(scene.seed) + u64::from(own);
        Ok(Self { wind: wind.clone(), seed, drift: drift(wind) })
    }

    /// The wind at time `t` [s]; `None` while it does not blow.
    ///
    /// Cones and cylinders give a force per area at the centre of their base, which acts as the air
    /// stream with that stagnation pressure (XU3).
    pub fn at(&self, t: f64) -> Option<Blow> {
        self.wind(t).map(|wind| wind.at(t))
    }

    /// The wind as it is at time `t` [s], steady but for its turbulence.
    pub fn wind(&self, t: f64) -> Option<Wind> {
        let from = self.wind.from.unwrap_or(f64::NEG_INFINITY);
        let until = self.wind.until.unwrap_or(f64::INFINITY);
        if !(from..until).contains(&t) {
            return None;
        }
        let source = match self.wind.source()? {
            WindSource::Uniform(uniform) => Source::Uniform(uniform.velocity.at(t)),
            WindSource::Cone(cone) => Source::Cone {
                apex: cone.apex.at(t),
                base: cone.base_center.at(t),
                radius: cone.base_radius,
                pressure: along(&cone.force, t, cone.base_center.at(t) - cone.apex.at(t))
                    / cone.decay,
            },
            WindSource::Cylinder(cylinder) => Source::Cylinder {
                base: cylinder.base_center.at(t),
                axis: cylinder.force.at(t),
                radius: cylinder.radius,
                pressure: cylinder.force.at(t).length() / cylinder.decay,
            },
        };
        let turbulence =
            self.wind.turbulence.as_ref().map_or(Turbulence::NONE, |turbulence| Turbulence {
                seed: self.seed,
                intensity: turbulence.amplitude.at(t),
                scale: turbulence.length,
            });
        Some(Wind { turbulence, drift: self.drift, ..Wind::steady(source) })
    }
}

/// The velocity [m/s] at which as many gusts of their length pass as the frequency says, in the
/// direction of the first wind that is not zero.
fn drift(wind: &spec::Wind) -> Option<Vec3> {
    let turbulence = wind.turbulence.as_ref()?;
    let directions = match wind.source()? {
        WindSource::Uniform(uniform) => uniform.velocity.values(),
        WindSource::Cone(cone) => cone.force.values(),
        WindSource::Cylinder(cylinder) => cylinder.force.values(),
    };
    let direction = directions.into_iter().find_map(try_normalize)?;
    Some(direction * (turbulence.frequency * turbulence.length))
}

/// Size of a force, negative where it points against `axis`.
fn along(force: &Keyed<Vec3>, t: f64, axis: Vec3) -> f64 {
    let force = force.at(t);
    force.length().copysign(force.dot(axis))
}
