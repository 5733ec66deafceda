//! The built-in figure as a body.

use super::RunError;
use super::bodies::BuiltBody;
use crate::spec::{self, Mannequin, SceneSpec, UpAxis};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::math::{Quat, Vec3};
use muslin::motion::{Motion, Pose};
use muslin_figure::bvh::{Bvh, Clip, ClipRange};
use muslin_figure::{Figure, Joint, Motion as FigureMotion, Performance, PoseData};
use std::sync::{Arc, Mutex};

/// How many times positions are kept for: a step asks for its start and its end, several times.
const KEPT: usize = 4;

/// A figure that performs.
struct Actor {
    figure: Figure,
    performance: Performance,
    hold: f64,
    scale: f64,
    upright: Quat,
    place: Motion,
    recent: Mutex<Vec<(f64, Arc<Vec<Vec3>>)>>,
}

impl Actor {
    fn pose(&self, t: f64) -> PoseData {
        self.performance.at(t - self.hold)
    }

    /// The vertices at a time; the last few are remembered.
    fn positions(&self, t: f64) -> Arc<Vec<Vec3>> {
        let found = |kept: &Vec<(f64, Arc<Vec<Vec3>>)>| {
            kept.iter().find(|(at, _)| *at == t).map(|(_, x)| Arc::clone(x))
        };
        if let Some(x) = self.recent.lock().ok().and_then(|kept| found(&kept)) {
            return x;
        }
        let mut x = vec![Vec3::ZERO; self.figure.mesh().positions.len()];
        self.figure.positions(&self.pose(t), &mut x);
        let place = self.place.pose(t);
        for x in &mut x {
            *x = place.apply(self.upright * *x * self.scale);
        }
        let x = Arc::new(x);
        if let Ok(mut kept) = self.recent.lock() {
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            kept.push((t, Arc::clone(&x)));
        }
        x
    }

    /// Where a bone takes points of the scaled figure in its rest pose: a rigid motion.
    fn bone(&self, joint: Joint, t: f64) -> Pose {
        let bone = self.pose(t).bone_transforms(self.figure.skeleton())[joint.index()];
        let shape = Pose {
            rotation: self.upright * bone.rotation,
            translation: self.upright * bone.translation * self.scale,
        };
        self.place.pose(t).after(&shape)
    }
}

/// A bone of a figure: what cloth can be pinned to, and what it meets in real time.
#[derive(Clone, Debug)]
pub struct Bone {
    /// `body.joint`.
    pub name: String,
    /// The rigid motion of its piece.
    pub motion: Motion,
    /// Its closed piece of the surface in the rest pose; without triangles where it has none.
    pub piece: BodyMesh,
}

/// All bones with their pieces, in the order of the joints.
fn bones(actor: &Arc<Actor>, body: &str) -> Vec<Bone> {
    let mut pieces = actor.figure.parts();
    let bone = |joint: Joint| {
        let found = pieces.iter().position(|part| part.joint == joint);
        let piece = found.map(|k| pieces.swap_remove(k).mesh).map_or_else(BodyMesh::default, |m| {
            let positions = m.positions.iter().map(|x| *x * actor.scale).collect();
            BodyMesh { positions, triangles: m.triangles }
        });
        let actor = Arc::clone(actor);
        let motion = Motion::moving(move |t| actor.bone(joint, t));
        Bone { name: format!("{body}.{joint}"), motion, piece }
    };
    Joint::ALL.into_iter().map(bone).collect()
}

/// Builds the figure as a body that deforms, and a rigid motion for every bone, named
/// `body.joint`, to which cloth can be pinned.
pub fn build(
    spec: &spec::Body,
    mannequin: &Mannequin,
    scene: &SceneSpec,
    place: &str,
) -> Result<BuiltBody, RunError> {
    let figure = Figure::new(&mannequin.proportions()).map_err(|e| RunError::part(place, e))?;
    let from = mannequin.stance().pose(figure.skeleton());
    let motion = motion(mannequin, &figure, &from, scene, place)?;
    let performance = Performance {
        from,
        motion,
        start: mannequin.start,
        speed: mannequin.speed,
        blend: mannequin.blend,
    };
    let upright = match scene.up {
        UpAxis::Y => Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
        UpAxis::Z => Quat::IDENTITY,
    };
    let actor = Arc::new(Actor {
        figure,
        performance,
        hold: mannequin.hold,
        scale: spec.scale,
        upright,
        place: super::bodies::rigid_motion(spec, scene),
        recent: Mutex::new(Vec::new()),
    });
    let mesh = BodyMesh {
        positions: actor.positions(0.0).to_vec(),
        triangles: actor.figure.mesh().triangles.clone(),
    };
    let bones = bones(&actor, &spec.name);
    let deform = move |t: f64, out: &mut [Vec3]| out.copy_from_slice(&actor.positions(t));
    let body = Body {
        shape: Shape::Mesh,
        mesh,
        motion: BodyMotion::Deforming(Arc::new(deform)),
        friction: super::bodies::friction(spec),
    };
    Ok(BuiltBody { body, source: None, motion: None, bones, playback: None })
}

fn motion(
    mannequin: &Mannequin,
    figure: &Figure,
    pose: &PoseData,
    scene: &SceneSpec,
    place: &str,
) -> Result<FigureMotion, RunError> {
    if let Some(built_in) = FigureMotion::by_name(&mannequin.motion, figure.skeleton()) {
        return Ok(built_in);
    }
    let Some(file) = mannequin.motion_file() else {
        return Ok(FigureMotion::Still(pose.clone()));
    };
    let problem = |what: String| RunError::part(place, format!("{file}: {what}"));
    let bytes = std::fs::read(scene.path(file)).map_err(|e| problem(e.to_string()))?;
    let bvh = Bvh::parse(&bytes).map_err(|e| problem(e.to_string()))?;
    let [from, to] = match mannequin.range {
        Some([from, to]) => [Some(from), Some(to)],
        None => [None, None],
    };
    let clip = Clip::new(&bvh, figure.skeleton(), ClipRange { from, to });
    Ok(FigureMotion::Clip(clip.map_err(|e| problem(e.to_string()))?))
}
