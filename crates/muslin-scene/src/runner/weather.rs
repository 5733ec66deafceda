//! Gravity, air and wind over time.

use super::RunError;
use crate::spec::{SceneSpec, WindSource};
use muslin::force::air::Air;
use muslin::math::Vec3;
use muslin::sim::{Forecast, Weather};
use std::sync::Arc;

/// The scene's weather.
pub fn forecast(scene: &SceneSpec) -> Result<Forecast, RunError> {
    if scene.air.lift.values().iter().any(|lift| *lift != 0.0) {
        return Err(RunError::unsupported("air", "lift", "leave it out"));
    }
    let mut winds = Vec::new();
    for (number, wind) in scene.wind.iter().enumerate() {
        let place = wind.name.clone().unwrap_or_else(|| format!("wind {number}"));
        if wind.turbulence.is_some() {
            return Err(RunError::unsupported(&place, "turbulence", "keyframe the wind"));
        }
        let Some(WindSource::Uniform(uniform)) = wind.source() else {
            let what = "a wind that is not uniform";
            return Err(RunError::unsupported(&place, what, "use a uniform wind"));
        };
        let (from, until) =
            (wind.from.unwrap_or(f64::NEG_INFINITY), wind.until.unwrap_or(f64::INFINITY));
        winds.push((uniform.velocity.clone(), from, until));
    }
    let (gravity, drag, density) =
        (scene.gravity.clone(), scene.air.drag.clone(), scene.air.density);
    let weather = move |t: f64| {
        let blowing = winds.iter().filter(|(_, from, until)| (*from..*until).contains(&t));
        let wind: Vec3 = blowing.map(|(velocity, _, _)| velocity.at(t)).sum();
        let normal = drag.at(t);
        let air = (normal > 0.0 && density > 0.0).then_some(Air {
            density,
            normal,
            tangential: 0.0,
            wind,
        });
        Weather { gravity: gravity.at(t), air }
    };
    Ok(Forecast::Changing(Arc::new(weather)))
}
