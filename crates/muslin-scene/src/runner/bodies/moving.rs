//! Bodies whose motion comes from files: skinned glTF figures, numbered meshes, vertex caches, USD.

use super::{BuiltBody, check_mesh, friction, rigid_motion};
use crate::formats::ReadError;
use crate::formats::foreign::{Animation, Interpolation, Options, Playback};
use crate::formats::gltf::{Choice, Figure};
use crate::formats::sequence::Pattern;
use crate::polymesh::{self, PolyMesh};
use crate::runner::RunError;
use crate::spec::{self, Between, GltfFile, MeshSequence, SceneSpec, Unit, UpAxis};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::math::{Quat, Vec3};
use muslin::motion::{Motion, Pose};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A body that moves further than this from one frame to the next [m] is a mistake in units, rates or
/// keys: cloth cannot be expected to stay on it.
const LARGEST_MOVE: f64 = 1.0;

/// The name of a body and the files it is read from as it moves.
pub type Reading = (String, Arc<Playback>);

/// Fails if a file could not be read since the last time.
pub fn check_files(files: &[Reading]) -> Result<(), RunError> {
    for (name, playback) in files {
        if let Some(source) = playback.failure() {
            return Err(RunError::File { place: format!("body `{name}`"), source });
        }
    }
    Ok(())
}

/// From a file's axes and unit to the scene's.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    turn: Quat,
    metres_per_unit: f64,
}

impl Placed {
    /// What the scene says about a file comes before what the file says about itself.
    pub fn new(
        animation: &Animation,
        up: Option<UpAxis>,
        unit: Option<Unit>,
        scene: &SceneSpec,
    ) -> Self {
        let own = animation.up().map(|up| match up {
            polymesh::UpAxis::Y => UpAxis::Y,
            polymesh::UpAxis::Z => UpAxis::Z,
        });
        let metres = unit.map(Unit::meters).or(animation.metres_per_unit());
        Self::from_axes(up.or(own).unwrap_or(scene.up), metres.unwrap_or(1.0), scene)
    }

    fn from_axes(up: UpAxis, metres_per_unit: f64, scene: &SceneSpec) -> Self {
        let turn = match (up, scene.up) {
            (UpAxis::Y, UpAxis::Z) => Quat::from_rotation_x(FRAC_PI_2),
            (UpAxis::Z, UpAxis::Y) => Quat::from_rotation_x(-FRAC_PI_2),
            _ => Quat::IDENTITY,
        };
        Self { turn, metres_per_unit }
    }

    /// A point of the file in the scene [m]. Quarter turns are exact.
    pub fn scene_from_file(&self, x: Vec3) -> Vec3 {
        let turned = match self.turn.x {
            0.0 => x,
            sine if sine > 0.0 => Vec3::new(x.x, -x.z, x.y),
            _ => Vec3::new(x.x, x.z, -x.y),
        };
        turned * self.metres_per_unit
    }

    /// A motion of the file in the scene, of points scaled by `scale`.
    fn pose(&self, pose: &Pose, scale: f64) -> Pose {
        Pose {
            rotation: self.turn * pose.rotation * self.turn.conjugate(),
            translation: self.scene_from_file(pose.translation) * scale,
        }
    }
}

/// From the time of the scene to that of a file.
#[derive(Clone, Copy, Debug)]
struct Clock {
    start: f64,
    speed: f64,
    repeat: bool,
    duration: f64,
}

impl Clock {
    fn at(&self, time: f64) -> f64 {
        let own = self.start + self.speed * time;
        if self.repeat && self.duration > 0.0 { own.rem_euclid(self.duration) } else { own }
    }

    /// The frame of the scene after which nothing new comes.
    fn last_frame(&self, scene: &SceneSpec) -> u32 {
        let once = if self.repeat { self.duration } else { self.duration - self.start };
        let frames = (once.max(0.0) / self.speed * scene.fps).ceil() + 1.0;
        scene.frames.min(frames.min(f64::from(u32::MAX)) as u32)
    }
}

/// A body from a glTF file: deforming with skins or morph targets, rigid where its one node only moves.
pub fn from_gltf(
    spec: &spec::Body,
    gltf: &GltfFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<BuiltBody, RunError> {
    let choice = Choice {
        node: gltf.node.as_deref(),
        skin: gltf.skin.as_deref(),
        animation: gltf.animation.as_deref(),
    };
    let figure = Figure::open(&scene.path(&gltf.file), choice).map_err(|e| file_error(place, e))?;
    let metres = gltf.unit.unwrap_or_default().meters();
    let placed = Placed::from_axes(gltf.up.unwrap_or(UpAxis::Y), metres, scene);
    let clock = Clock {
        start: gltf.start,
        speed: gltf.speed.unwrap_or(1.0),
        repeat: gltf.repeat,
        duration: figure.duration(),
    };
    let mut source = figure.mesh().clone();
    let rigid = figure.is_rigid();
    if !rigid {
        figure.positions_at(clock.at(0.0), &mut source.positions);
    }
    for x in &mut source.positions {
        *x = placed.scene_from_file(*x);
    }
    check_mesh(&source, &gltf.file, spec, place)?;
    let (scale, motion) = (spec.scale, rigid_motion(spec, scene));
    let (motion, rigid_motion) = if rigid && !figure.is_animated() {
        (BodyMotion::Rigid(motion.clone()), Some(motion))
    } else if rigid {
        let whole = Motion::moving(move |t| {
            let own = figure.rigid_pose(clock.at(t)).unwrap_or(Pose::IDENTITY);
            motion.pose(t).after(&placed.pose(&own, scale))
        });
        (BodyMotion::Rigid(whole.clone()), Some(whole))
    } else {
        let deform = move |t: f64, out: &mut [Vec3]| {
            figure.positions_at(clock.at(t), out);
            let pose = motion.pose(t);
            for x in out.iter_mut() {
                *x = pose.apply(placed.scene_from_file(*x) * scale);
            }
        };
        (BodyMotion::Deforming(Arc::new(deform)), None)
    };
    let body = body(spec, &source, motion);
    check_moves(&body, &clock, scene, place)?;
    Ok(BuiltBody {
        body,
        source: Some(source),
        motion: rigid_motion,
        bones: Vec::new(),
        playback: None,
    })
}

/// A body that deforms through numbered meshes, a vertex cache or a USD file.
pub fn from_sequence(
    spec: &spec::Body,
    sequence: &MeshSequence,
    scene: &SceneSpec,
    place: &str,
) -> Result<BuiltBody, RunError> {
    let path = scene.path(&sequence.files);
    let mesh = sequence.mesh.as_ref().map(|mesh| scene.path(mesh));
    let own_rate = ["usda", "usd", "usdc", "usdz", "mdd"];
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let says_rate = Pattern::parse(&path).is_none() && own_rate.contains(&ending.as_str());
    let options = Options {
        mesh: mesh.as_deref(),
        fps: sequence.fps.or((!says_rate).then_some(scene.fps)),
        object: sequence.object.as_deref(),
        numbers: (sequence.first.map(u64::from), sequence.last.map(u64::from)),
    };
    let animation = Animation::open(&path, &options).map_err(|e| file_error(place, e))?;
    let placed = Placed::new(&animation, sequence.up, sequence.unit, scene);
    let interpolation = match sequence.interpolation {
        Between::Linear => Interpolation::Linear,
        Between::Smooth => Interpolation::Smooth,
    };
    let mut source = animation.mesh().clone();
    for x in &mut source.positions {
        *x = placed.scene_from_file(*x);
    }
    check_mesh(&source, &sequence.files, spec, place)?;
    let playback = Arc::new(Playback::new(animation, interpolation));
    let clock = Clock {
        start: sequence.start,
        speed: sequence.speed.unwrap_or(1.0),
        repeat: sequence.repeat,
        duration: playback.duration(),
    };
    let (scale, motion, reading) = (spec.scale, rigid_motion(spec, scene), Arc::clone(&playback));
    let deform = move |t: f64, out: &mut [Vec3]| {
        if reading.positions_at(clock.at(t), out) {
            let pose = motion.pose(t);
            for x in out.iter_mut() {
                *x = pose.apply(placed.scene_from_file(*x) * scale);
            }
        }
    };
    let body = body(spec, &source, BodyMotion::Deforming(Arc::new(deform)));
    let moves = check_moves(&body, &clock, scene, place);
    if let Some(error) = playback.failure() {
        return Err(file_error(place, error));
    }
    moves?;
    Ok(BuiltBody {
        body,
        source: Some(source),
        motion: None,
        bones: Vec::new(),
        playback: Some(playback),
    })
}

fn file_error(place: &str, source: ReadError) -> RunError {
    RunError::File { place: place.to_owned(), source }
}

pub(super) fn body(spec: &spec::Body, source: &PolyMesh, motion: BodyMotion) -> Body {
    let positions = source.positions.iter().map(|x| *x * spec.scale).collect();
    let mesh = BodyMesh { positions, triangles: source.triangulate().triangles };
    Body { shape: Shape::Mesh, mesh, motion, friction: friction(spec) }
}

/// Looks at every frame once: refuses jumps, and reads every file before the run starts.
fn check_moves(body: &Body, clock: &Clock, scene: &SceneSpec, place: &str) -> Result<(), RunError> {
    let mut before = Vec::new();
    body.append_positions(0.0, &mut before);
    for frame in 1..=clock.last_frame(scene) {
        let mut now = Vec::with_capacity(before.len());
        body.append_positions(f64::from(frame) / scene.fps, &mut now);
        let far = (before.iter().zip(&now)).position(|(a, b)| {
            let moved = a.distance(*b);
            moved.is_nan() || moved > LARGEST_MOVE
        });
        if let Some(vertex) = far {
            let moved = before[vertex].distance(now[vertex]);
            let message = format!(
                "vertex {vertex} (counted from 0) moves {moved:.3} m from frame {} to frame {frame}, \
                 but {LARGEST_MOVE} m is the most; check unit, fps and speed, or give the scene \
                 more frames per second",
                frame - 1
            );
            return Err(RunError::part(place, message));
        }
        before = now;
    }
    Ok(())
}
