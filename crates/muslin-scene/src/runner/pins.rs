//! From `[[cloth.pin]]` to held vertices (BW9, BW10).

use super::cloth::Piece;
use super::holders::Holder;
use super::{RunError, hang, select};
use crate::keyframes::{Keyed, rotation};
use crate::spec;
use muslin::math::Vec3;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};
use std::collections::BTreeMap;

/// The pins of a cloth, each with the number of its entry in the scene.
pub fn pins(
    spec: &spec::Cloth,
    piece: &Piece,
    bodies: &BTreeMap<String, Holder>,
) -> Result<Vec<(u32, Pin)>, RunError> {
    // What hangs from a rail comes after the numbers of the pins.
    let rail = spec.pin.len() as u32;
    let mut pins: Vec<(u32, Pin)> =
        hang::pins(spec, piece)?.into_iter().map(|pin| (rail, pin)).collect();
    for (number, pin) in spec.pin.iter().enumerate() {
        let place = format!("cloth `{}`, pin {number}", spec.name);
        let vertices = select::vertices(&pin.select, piece, &place)?;
        let hold = hold(pin, &place)?;
        let at = |v: u32| piece.positions[v as usize];
        let centre = pin.center.unwrap_or_else(|| {
            vertices.iter().map(|&v| at(v)).sum::<Vec3>() / vertices.len() as f64
        });
        let find = |name: &String| {
            bodies.get(name).ok_or_else(|| {
                let message = format!(
                    "there is no body `{name}` to hold on to; name a body, or a bone of a \
                     mannequin such as `name.neck`"
                );
                RunError::part(&place, message)
            })
        };
        let holder = pin.on_body.as_ref().map(find).transpose()?;
        let common = motion(pin, centre, &place)?;
        let from = pin.from.unwrap_or(f64::NEG_INFINITY);
        for vertex in vertices {
            let motion = match holder {
                Some(holder) => holder.motion(at(vertex), from.max(0.0)),
                None => common.clone(),
            };
            let until = pin.until.unwrap_or(f64::INFINITY);
            pins.push((number as u32, Pin { vertex, hold, motion, from, until }));
        }
    }
    Ok(pins)
}

pub fn hold(pin: &spec::Pin, place: &str) -> Result<Hold, RunError> {
    let unit = |d: Vec3| {
        muslin::math::try_normalize(d).ok_or_else(|| RunError::part(place, "a direction is zero"))
    };
    match (pin.along_line, pin.on_plane, pin.directions.as_deref()) {
        (Some(direction), _, _) => Ok(Hold::Line(unit(direction)?)),
        (_, Some(normal), _) => Ok(Hold::Plane(unit(normal)?)),
        (_, _, Some([one])) => Ok(Hold::Plane(unit(*one)?)),
        (_, _, Some([one, two])) => Ok(Hold::Line(unit(one.cross(*two))?)),
        _ => Ok(Hold::Point),
    }
}

pub fn motion(pin: &spec::Pin, centre: Vec3, place: &str) -> Result<Motion, RunError> {
    let zero = Keyed::Constant(Vec3::ZERO);
    let (offset, turn) =
        (pin.offset.clone().unwrap_or(zero.clone()), pin.rotate.clone().unwrap_or(zero));
    let velocity = pin.velocity.clone();
    if let Some(Keyed::Keys(_)) = &velocity {
        return Err(RunError::unsupported(place, "a keyframed velocity", "keyframe `move`"));
    }
    let velocity = velocity.map_or(Vec3::ZERO, |v| v.at(0.0));
    if !offset.is_animated() && !turn.is_animated() && velocity == Vec3::ZERO {
        return Ok(Motion::default());
    }
    Ok(Motion::moving(move |t| {
        let rotation = rotation(turn.at(t));
        let translation = centre - rotation * centre + offset.at(t) + velocity * t;
        Pose { rotation, translation }
    }))
}
