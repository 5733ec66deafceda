//! What cloth meets: shapes and meshes that move as prescribed.

pub mod shape;

use crate::levelset::{BodyField, LevelSet, Sample};
use crate::math::{Vec3, try_normalize};
use crate::motion::Motion;
use std::fmt;
use std::sync::Arc;

/// Triangles of a body's surface, outward normals by the right-hand rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMesh {
    /// Vertices in the body's own frame \[m\].
    pub positions: Vec<Vec3>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

/// What a body is besides its triangles.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Only triangles.
    Mesh,
    /// A ball of this radius \[m\] around the origin; repulsion uses the exact sphere.
    Sphere(f64),
    /// Everything below the plane through the origin with this unit normal; no triangles at all.
    Plane(Vec3),
    /// A signed distance field (MF6); its triangles are drawn, and cloth never meets them.
    LevelSet(LevelSet),
}

/// Writes the vertices of a deforming body at a time \[s\].
pub type Deform = Arc<dyn Fn(f64, &mut [Vec3]) + Send + Sync>;

/// How a body moves.
#[derive(Clone)]
pub enum BodyMotion {
    /// As a rigid whole.
    Rigid(Motion),
    /// Every vertex on its own: writes world positions at a time \[s\].
    Deforming(Deform),
}

impl fmt::Debug for BodyMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rigid(motion) => motion.fmt(f),
            Self::Deforming(_) => f.write_str("Deforming"),
        }
    }
}

/// A body: fixed shape, prescribed motion.
#[derive(Clone, Debug)]
pub struct Body {
    /// Exact shape, where there is one.
    pub shape: Shape,
    /// Triangles in the body's own frame.
    pub mesh: BodyMesh,
    /// Motion.
    pub motion: BodyMotion,
    /// Static and kinetic friction against cloth \[-\]; the cloth's own where it is `None`.
    pub friction: Option<[f64; 2]>,
}

impl Body {
    /// World positions of the mesh at time `t` \[s\], appended to `out`.
    pub fn append_positions(&self, t: f64, out: &mut Vec<Vec3>) {
        match &self.motion {
            BodyMotion::Rigid(motion) => {
                let pose = motion.pose(t);
                out.extend(self.mesh.positions.iter().map(|p| pose.apply(*p)));
            }
            BodyMotion::Deforming(deform) => {
                let start = out.len();
                out.extend(&self.mesh.positions);
                deform(t, &mut out[start..]);
            }
        }
    }

    /// Whether the body is in the same place at two times \[s\]; not known of one that deforms.
    pub fn is_still(&self, t0: f64, t1: f64) -> bool {
        match &self.motion {
            BodyMotion::Rigid(motion) => motion.pose(t0) == motion.pose(t1),
            BodyMotion::Deforming(_) => false,
        }
    }

    /// Where a point that rides on the body at time `t0` is at time `t1`; `None` if it deforms and is not a
    /// level set.
    pub fn carry(&self, x: Vec3, t0: f64, t1: f64) -> Option<Vec3> {
        match &self.motion {
            BodyMotion::Rigid(motion) => {
                Some(motion.pose(t1).apply(motion.pose(t0).inverse().apply(x)))
            }
            BodyMotion::Deforming(_) => match &self.shape {
                Shape::LevelSet(LevelSet { field: BodyField::Deforming(frames), .. }) => {
                    Some(frames.carry(x, t0, t1))
                }
                _ => None,
            },
        }
    }

    /// Distance \[m\] and outward normal, at a world point at time `t`, of the exact shape that cloth meets: that of a
    /// level set lies `inset` below its surface.
    pub fn exact_distance(&self, x: Vec3, t: f64) -> Option<(f64, Vec3)> {
        let inset = self.level_set().map_or(0.0, |set| set.inset);
        let (distance, normal) = self.surface_distance(x, t)?;
        Some((distance + inset, normal))
    }

    /// The same of the surface itself, as it is drawn.
    pub fn surface_distance(&self, x: Vec3, t: f64) -> Option<(f64, Vec3)> {
        let of_field = |Sample { distance, gradient }| Some((distance, try_normalize(gradient)?));
        if let Shape::LevelSet(LevelSet { field: BodyField::Deforming(frames), .. }) = &self.shape {
            return of_field(frames.sample(x, t));
        }
        let BodyMotion::Rigid(motion) = &self.motion else { return None };
        let pose = motion.pose(t);
        let local = pose.inverse().apply(x);
        let (distance, normal) = match &self.shape {
            Shape::Sphere(radius) => (local.length() - radius, try_normalize(local)?),
            Shape::Plane(normal) => (local.dot(*normal), *normal),
            Shape::LevelSet(LevelSet { field: BodyField::Rigid(field), .. }) => {
                of_field(field.sample(local))?
            }
            Shape::Mesh | Shape::LevelSet(_) => return None,
        };
        Some((distance, pose.rotation * normal))
    }

    /// Radius of a ball that moves as a whole \[m\].
    pub fn radius(&self) -> Option<f64> {
        match (&self.shape, &self.motion) {
            (Shape::Sphere(radius), BodyMotion::Rigid(_)) => Some(*radius),
            _ => None,
        }
    }

    /// The body's distance field; `None` where it is none.
    pub fn level_set(&self) -> Option<&LevelSet> {
        match &self.shape {
            Shape::LevelSet(level_set) => Some(level_set),
            _ => None,
        }
    }
}
