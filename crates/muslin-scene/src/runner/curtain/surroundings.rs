//! What acts on a curtain over time: hands, winds, gravity, bodies.

use crate::keyframes::Keyed;
use crate::runner::RunError;
use crate::runner::bodies::BuiltBody;
use crate::runner::parts::{self, Part};
use crate::runner::weather::{self, Gust};
use crate::spec::{self, ContactMethod, SceneSpec};
use muslin::curtain::{Controls, Curtain, CurtainError, Environment, Obstacle, Shape};
use muslin::math::Vec3;
use muslin::sparse::PartShape;
use muslin::wind::Wind;

/// Everything around a curtain.
pub struct Surroundings {
    hands: Vec<Hand>,
    gusts: Vec<Gust>,
    gravity: Keyed<Vec3>,
    parts: Vec<Part>,
    /// Friction of parts that have none of their own.
    friction: f64,
}

/// What moves a panel's rings and tie-backs.
struct Hand {
    lead: Keyed<f64>,
    offset: Keyed<Vec3>,
    ties: Vec<Keyed<f64>>,
    /// Nothing holds the top row.
    is_free: bool,
}

impl Surroundings {
    /// What acts in a scene, with the bodies that a curtain meets.
    ///
    /// Shapes that the bounded passes do not know are refused, unless robust contact meets them.
    pub fn new(scene: &SceneSpec, bodies: &[BuiltBody], friction: f64) -> Result<Self, RunError> {
        let known = |part: &Part| shape(part, 0.0).is_some();
        let parts = if scene.solver.contact == ContactMethod::Robust {
            let rigid = parts::rigid_parts(bodies, scene)?;
            rigid.into_iter().filter(known).collect()
        } else {
            let all = parts::parts(bodies, scene)?;
            if let Some(part) = all.iter().find(|part| !known(part)) {
                let place = format!("body `{}`", scene.body[part.body].name);
                let remedy = "build it of boxes, capsules and balls, or use contact = \"robust\"";
                return Err(RunError::unsupported(&place, "a mesh in a curtain's way", remedy));
            }
            all
        };
        Ok(Self {
            hands: scene.cloth.iter().map(Hand::new).collect(),
            gusts: weather::gusts(scene)?,
            gravity: scene.gravity.clone(),
            parts,
            friction,
        })
    }

    /// Gravity at the time `t` [s] [m/s²].
    pub fn gravity(&self, t: f64) -> Vec3 {
        self.gravity.at(t)
    }

    /// For every panel whether a rail or pole holds its top row.
    pub fn are_held(&self) -> impl Iterator<Item = bool> {
        self.hands.iter().map(|hand| !hand.is_free)
    }

    /// Moves the curtain on by `h` from the time `start` [s].
    pub fn advance(&self, curtain: &mut Curtain, start: f64, h: f64) -> Result<(), CurtainError> {
        let end = start + h;
        for (panel, hand) in self.hands.iter().enumerate() {
            let tied: Vec<f64> = hand.ties.iter().map(|tie| tie.at(end)).collect();
            let (lead, offset) = (hand.lead.at(end), hand.offset.at(end));
            curtain.steer(panel, &Controls { lead, offset, tied: &tied });
        }
        let winds: Vec<Wind> = self.gusts.iter().filter_map(|gust| gust.wind(start)).collect();
        let obstacles: Vec<Obstacle> =
            self.parts.iter().filter_map(|part| obstacle(part, self.friction, end, h)).collect();
        let environment = Environment {
            gravity: self.gravity.at(start),
            winds: &winds,
            obstacles: &obstacles,
            time: start,
        };
        curtain.update(h, &environment).map(|_| ())
    }
}

impl Hand {
    fn new(spec: &spec::Cloth) -> Self {
        let hang = spec.hang.as_ref();
        let rail = hang.and_then(|hang| hang.rail.as_ref());
        Self {
            lead: rail.map_or(Keyed::Constant(1.0), |rail| rail.lead.clone()),
            offset: hang
                .and_then(|hang| hang.offset.clone())
                .unwrap_or(Keyed::Constant(Vec3::ZERO)),
            ties: hang.map_or_else(Vec::new, |hang| {
                hang.tie_back.iter().map(|tie| tie.engaged.clone()).collect()
            }),
            is_free: hang.is_some_and(|h| h.rail.is_none() && h.pole.is_none() && h.free.is_some()),
        }
    }
}

/// The part at the end of a step of `h` [s], with its velocity.
fn obstacle(part: &Part, friction: f64, end: f64, h: f64) -> Option<Obstacle> {
    let before = part.pose(end - h).translation;
    Some(Obstacle {
        shape: shape(part, end)?,
        velocity: (part.pose(end).translation - before) / h,
        friction: part.friction.unwrap_or(friction),
    })
}

/// The part's shape at time `t` [s]; `None` for meshes, which curtains do not know.
fn shape(part: &Part, t: f64) -> Option<Shape> {
    let pose = part.pose(t);
    let center = pose.translation;
    Some(match part.shape {
        PartShape::Sphere { radius } => Shape::Sphere { center, radius },
        PartShape::Capsule { radius, half_length } => {
            let ends = [-half_length, half_length].map(|z| pose.apply(Vec3::Z * z));
            Shape::Capsule { ends, radius }
        }
        PartShape::Box { half_size } => {
            Shape::Box { center, half: half_size, rotation: pose.rotation }
        }
        PartShape::HalfSpace => Shape::Plane { point: center, normal: pose.rotation * Vec3::Z },
        PartShape::Handle | PartShape::Mesh(_) => return None,
    })
}
