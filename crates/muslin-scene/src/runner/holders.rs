//! Bodies that pins hold on to (BW10): rigid ones, and triangles of deforming ones.

use muslin::body::{Body, BodyMotion, Deform};
use muslin::collide::distance;
use muslin::math::{Mat3, Quat, Vec3, try_normalize};
use muslin::motion::{Motion, Pose};
use std::sync::{Arc, Mutex, PoisonError};

/// Times whose shapes are kept: the stages of a step and the time a pin took hold.
const KEPT_SHAPES: usize = 4;

/// A body that pins hold on to.
pub enum Holder {
    /// It moves as a whole.
    Rigid(Motion),
    /// It deforms: pins hold on to its triangles.
    Deforming(Arc<Shapes>),
}

/// The shapes of a deforming body, the latest of them kept. What is kept changes no result.
pub struct Shapes {
    triangles: Vec<[u32; 3]>,
    rest: Vec<Vec3>,
    deform: Deform,
    kept: Mutex<Vec<(f64, Arc<Vec<Vec3>>)>>,
}

impl Holder {
    /// A body as pins see it.
    pub fn new(body: &Body) -> Self {
        match &body.motion {
            BodyMotion::Rigid(motion) => Self::Rigid(motion.clone()),
            BodyMotion::Deforming(deform) => Self::Deforming(Arc::new(Shapes {
                triangles: body.mesh.triangles.clone(),
                rest: body.mesh.positions.clone(),
                deform: Arc::clone(deform),
                kept: Mutex::new(Vec::new()),
            })),
        }
    }

    /// How what is at `x` at time `t` moves from then on: with the body, or with the point of the
    /// nearest triangle, by its barycentric coordinates, turning as the triangle does.
    pub fn motion(&self, x: Vec3, t: f64) -> Motion {
        match self {
            Self::Rigid(motion) => motion.clone(),
            Self::Deforming(shapes) => {
                let at = shapes.at(t);
                let feet = shapes.triangles.iter().map(|&corners| {
                    let [a, b, c] = corners.map(|v| at[v as usize]);
                    let closest = distance::point_triangle(x, a, b, c);
                    (closest.distance_squared, corners, closest.weights)
                });
                let Some((_, corners, [_, u, v, w])) = feet.min_by(|a, b| a.0.total_cmp(&b.0))
                else {
                    return Motion::default();
                };
                let shapes = Arc::clone(shapes);
                Motion::moving(move |t| {
                    let at = shapes.at(t);
                    frame(corners.map(|v| at[v as usize]), [-u, -v, -w])
                })
            }
        }
    }
}

impl Shapes {
    fn at(&self, t: f64) -> Arc<Vec<Vec3>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shape)) = kept.iter().find(|(time, _)| *time == t) {
            return Arc::clone(shape);
        }
        let mut shape = self.rest.clone();
        (self.deform)(t, &mut shape);
        let shape = Arc::new(shape);
        if kept.len() == KEPT_SHAPES {
            kept.remove(0);
        }
        kept.push((t, Arc::clone(&shape)));
        shape
    }
}

/// The frame of a triangle: at the point with weights `w`, first axis along its first edge, third along
/// its normal. A triangle without area does not turn.
fn frame([a, b, c]: [Vec3; 3], w: [f64; 3]) -> Pose {
    let translation = a * w[0] + b * w[1] + c * w[2];
    let axes = try_normalize(b - a).zip(try_normalize((b - a).cross(c - a)));
    let rotation = axes.map_or(Quat::IDENTITY, |(first, normal)| {
        Quat::from_mat3(&Mat3::from_cols(first, normal.cross(first), normal))
    });
    Pose { rotation, translation }
}
