//! Bodies as rigid parts, for the real-time dynamics: one part a body, or one a bone.

use super::RunError;
use super::bodies::BuiltBody;
use super::mannequin::Bone;
use crate::spec::{self, BodyShape, SceneSpec, UpAxis};
use muslin::body::{BodyMesh, Shape};
use muslin::collide::aabb::Aabb;
use muslin::math::{Quat, Vec3};
use muslin::motion::{Motion, Pose};
use muslin::sparse::{PartMesh, PartShape};
use std::sync::Arc;

/// A rigid part that cloth meets.
#[derive(Clone, Debug)]
pub struct Part {
    /// Number of the body it belongs to.
    pub body: usize,
    /// Name of the bone that it is a piece of, `body.joint`.
    pub bone: Option<String>,
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

/// The parts of all bodies: figures bone by bone; what else deforms is refused.
pub fn parts(bodies: &[BuiltBody], scene: &SceneSpec) -> Result<Vec<Part>, RunError> {
    let mut parts = Vec::new();
    for (body, (built, spec)) in bodies.iter().zip(&scene.body).enumerate() {
        if built.bones.is_empty() {
            parts.push(part(body, built, spec, scene.up)?);
        }
        for bone in &built.bones {
            let friction = built.body.friction.map(|[_, kinetic]| kinetic);
            parts.push(bone_part(bone, body, friction)?);
        }
    }
    Ok(parts)
}

/// Least radius of the ridges of a figure where skirts reach [m]: shins and hips are rounder.
const ROUNDNESS: f64 = 0.04;

/// The piece of a bone, around its own middle: its velocity is that of the middle, and what lies
/// beyond the middle is told from there. A bone without a piece only carries particles.
fn bone_part(bone: &Bone, body: usize, friction: Option<f64>) -> Result<Part, RunError> {
    let bounds = Aabb::around(bone.piece.positions.iter().copied());
    let (shape, centre) = if bone.piece.triangles.is_empty() {
        (PartShape::Handle, Vec3::ZERO)
    } else {
        let centre = (bounds.min + bounds.max) * 0.5;
        let positions = bone.piece.positions.iter().map(|x| *x - centre).collect();
        let mesh = BodyMesh { positions, triangles: bone.piece.triangles.clone() };
        let place = format!("bone `{}`", bone.name);
        let mesh = PartMesh::rounded(&mesh, ROUNDNESS).map_err(|e| RunError::part(&place, e))?;
        (PartShape::Mesh(Arc::new(mesh)), centre)
    };
    let local = Pose { rotation: Quat::IDENTITY, translation: centre };
    let (bone, motion) = (Some(bone.name.clone()), bone.motion.clone());
    Ok(Part { body, bone, shape, local, motion, friction })
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
    Ok(Part { body, bone: None, shape, local, motion, friction })
}

#[cfg(test)]
mod tests;
