//! Bodies as rigid parts, for the real-time dynamics: one part a body, or one a bone.

use super::RunError;
use super::bodies::BuiltBody;
use crate::spec::{self, BodyShape, SceneSpec, UpAxis};
use muslin::body::Shape;
use muslin::math::{Quat, Vec3};
use muslin::motion::{Motion, Pose};
use muslin::sparse::{PartMesh, PartShape};
use std::sync::Arc;

/// A rigid part that cloth meets.
#[derive(Clone, Debug)]
pub struct Part {
    /// Number of the body it belongs to.
    pub body: usize,
    /// Its shape in its own frame.
    pub shape: PartShape,
    /// From the part's frame to that of the body.
    pub local: Pose,
    /// The body's motion.
    pub motion: Motion,
    /// Friction coefficient, where the body has its own.
    pub friction: Option<f64>,
}

impl Part {
    /// Where the part is at time `t` [s].
    pub fn pose(&self, t: f64) -> Pose {
        self.motion.pose(t).after(&self.local)
    }
}

/// The parts of all bodies; those that deform are refused.
pub fn parts(bodies: &[BuiltBody], scene: &SceneSpec) -> Result<Vec<Part>, RunError> {
    let each = bodies.iter().zip(&scene.body).enumerate();
    each.map(|(body, (built, spec))| part(body, built, spec, scene.up)).collect()
}

/// The parts of those bodies that do not deform.
pub fn rigid_parts(bodies: &[BuiltBody], scene: &SceneSpec) -> Result<Vec<Part>, RunError> {
    let each = bodies.iter().zip(&scene.body).enumerate();
    let rigid = each.filter(|(_, (built, _))| built.motion.is_some());
    rigid.map(|(body, (built, spec))| part(body, built, spec, scene.up)).collect()
}

fn part(body: usize, built: &BuiltBody, spec: &spec::Body, up: UpAxis) -> Result<Part, RunError> {
    let place = format!("body `{}`", spec.name);
    let Some(motion) = built.motion.clone() else {
        let remedy = "give it as rigid bodies, one a limb";
        return Err(RunError::unsupported(&place, "a body that deforms in real time", remedy));
    };
    let scale = spec.scale;
    // Round shapes stand upright in the frame of the body and along z in that of the part.
    let upright = Pose {
        rotation: match up {
            UpAxis::Y => Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
            UpAxis::Z => Quat::IDENTITY,
        },
        translation: Vec3::ZERO,
    };
    let (shape, local) = match spec.shape() {
        Some(BodyShape::Sphere(s)) => {
            (PartShape::Sphere { radius: s.radius * scale }, Pose::IDENTITY)
        }
        Some(BodyShape::Box(b)) => {
            (PartShape::Box { half_size: Vec3::from(b.size) * (0.5 * scale) }, Pose::IDENTITY)
        }
        Some(BodyShape::Capsule(c)) => {
            let (radius, half_length) = (c.radius * scale, 0.5 * c.length * scale);
            (PartShape::Capsule { radius, half_length }, upright)
        }
        _ => {
            if let Shape::Plane(normal) = built.body.shape {
                let rotation = Quat::from_rotation_arc(Vec3::Z, normal);
                (PartShape::HalfSpace, Pose { rotation, translation: Vec3::ZERO })
            } else {
                let mesh =
                    PartMesh::new(&built.body.mesh).map_err(|e| RunError::part(&place, e))?;
                (PartShape::Mesh(Arc::new(mesh)), Pose::IDENTITY)
            }
        }
    };
    let friction = built.body.friction.map(|[_, kinetic]| kinetic);
    Ok(Part { body, shape, local, motion, friction })
}
