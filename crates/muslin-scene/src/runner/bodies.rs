//! From `[[body]]` to the engine's bodies.

use super::RunError;
use super::cloth::read_mesh;
use super::fields::{self, FieldNote};
use crate::keyframes::rotation;
use crate::polymesh::PolyMesh;
use crate::spec::{self, BodyShape, Collision, MeshFile, SceneSpec, UpAxis};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape, shape};
use muslin::levelset::{Limb, blend};
use muslin::math::{Quat, Vec3, try_normalize};
use muslin::motion::{Motion, Pose};
use std::sync::Arc;

/// Edge of the triangles of a sphere, as a share of its radius: with it, the sphere's surface is at most
/// 0.06 % of the radius above its triangles.
const SPHERE_EDGE: f64 = 0.07;

/// How far the round side of a cylinder may be above its triangles, as a share of the radius.
const ROUND_SAGITTA: f64 = 1e-3;

/// Edges along the longest limb of a blend whose scene gives no size, and at most.
const BLEND_EDGES: f64 = 50.0;
const MOST_BLEND_EDGES: f64 = 200.0;

/// A body with the mesh it was read from.
pub struct BuiltBody {
    /// The engine's body.
    pub body: Body,
    /// The imported mesh, whose polygons the cache keeps.
    pub source: Option<PolyMesh>,
    /// Its motion, if it is rigid.
    pub motion: Option<Motion>,
    /// Its distance field in numbers, if it has one.
    pub field: Option<FieldNote>,
}

/// Builds a body.
pub fn build(spec: &spec::Body, scene: &SceneSpec) -> Result<BuiltBody, RunError> {
    let place = format!("body `{}`", spec.name);
    let mut built = without_field(spec, scene, &place)?;
    if spec.collision == Collision::LevelSet {
        built.field = fields::attach(&mut built.body, spec, scene, &place)?;
    }
    Ok(built)
}

fn without_field(spec: &spec::Body, scene: &SceneSpec, place: &str) -> Result<BuiltBody, RunError> {
    if let Some(BodyShape::MeshSequence(sequence)) = spec.shape() {
        return from_sequence(spec, sequence, scene, place);
    }
    let (exact, mesh, source) = shape_of(spec, scene, place)?;
    let exact = if spec.collision == Collision::Mesh
        && exact != Shape::Mesh
        && !mesh.triangles.is_empty()
    {
        Shape::Mesh
    } else {
        exact
    };
    let motion = rigid_motion(spec);
    let body = Body {
        shape: exact,
        mesh,
        motion: BodyMotion::Rigid(motion.clone()),
        friction: friction(spec),
    };
    Ok(BuiltBody { body, source, motion: Some(motion), field: None })
}

/// The exact shape, the triangles, and the mesh they were read from.
fn shape_of(
    spec: &spec::Body,
    scene: &SceneSpec,
    place: &str,
) -> Result<(Shape, BodyMesh, Option<PolyMesh>), RunError> {
    let upright = if scene.up == UpAxis::Y {
        Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2)
    } else {
        Quat::IDENTITY
    };
    let turned = |mut mesh: BodyMesh| {
        mesh.positions.iter_mut().for_each(|x| *x = upright * *x);
        mesh
    };
    let scale = spec.scale;
    Ok(match spec.shape() {
        Some(BodyShape::Sphere(s)) => {
            let radius = s.radius * scale;
            (Shape::Sphere(radius), shape::sphere(radius, SPHERE_EDGE * radius), None)
        }
        Some(BodyShape::Box(b)) => (Shape::Mesh, shape::cuboid(Vec3::from(b.size) * scale), None),
        Some(BodyShape::Cylinder(c)) => {
            (Shape::Mesh, turned(round(c, scale, shape::cylinder)), None)
        }
        Some(BodyShape::Capsule(c)) => (Shape::Mesh, turned(round(c, scale, shape::capsule)), None),
        Some(BodyShape::Blend(b)) => (Shape::Mesh, blended(b, scale), None),
        Some(BodyShape::Plane(p)) => {
            let normal = try_normalize(p.normal.unwrap_or(scene.up.vector()))
                .ok_or_else(|| RunError::part(place, "the plane's normal is zero"))?;
            (Shape::Plane(normal), BodyMesh::default(), None)
        }
        Some(BodyShape::Mesh(file)) => {
            let (mesh, source) = from_file(file, spec, scene, place)?;
            (Shape::Mesh, mesh, Some(source))
        }
        Some(BodyShape::Gltf(_)) => {
            return Err(RunError::unsupported(
                place,
                "gltf",
                "export the motion as a mesh sequence",
            ));
        }
        Some(BodyShape::Mannequin(_)) => {
            return Err(RunError::unsupported(place, "mannequin", "use capsules or a mesh"));
        }
        Some(BodyShape::MeshSequence(_)) | None => {
            return Err(RunError::part(place, "it has no shape; give one, such as sphere"));
        }
    })
}

fn round(spec: &spec::Round, scale: f64, make: fn(f64, f64, usize) -> BodyMesh) -> BodyMesh {
    let radius = spec.radius * scale;
    make(radius, spec.length * scale, shape::sides_for(radius, ROUND_SAGITTA * radius))
}

/// The triangles of limbs that flow into each other.
fn blended(spec: &spec::Blend, scale: f64) -> BodyMesh {
    let limbs: Vec<Limb> = spec
        .limbs
        .iter()
        .map(|limb| Limb {
            ends: [limb.from, limb.to].map(|x| x * scale),
            radii: limb.radii.map(|r| r * scale),
        })
        .collect();
    let reach = |limb: &Limb| limb.ends[0].distance(limb.ends[1]) + limb.radii[0] + limb.radii[1];
    let size = limbs.iter().map(reach).fold(0.0, f64::max);
    let edge =
        spec.edge.map_or(size / BLEND_EDGES, |edge| edge * scale).max(size / MOST_BLEND_EDGES);
    blend(&limbs, spec.smooth * scale, edge).surface()
}

fn friction(spec: &spec::Body) -> Option<[f64; 2]> {
    let sticking = spec.friction_static.or(spec.friction)?;
    let sliding = spec.friction_kinetic.or(spec.friction).unwrap_or(sticking);
    Some([sticking, sliding])
}

fn rigid_motion(spec: &spec::Body) -> Motion {
    let (position, turn) = (spec.position.clone(), spec.rotation.clone());
    let pose = move |t: f64| Pose { rotation: rotation(turn.at(t)), translation: position.at(t) };
    if spec.position.is_animated() || spec.rotation.is_animated() {
        Motion::moving(pose)
    } else {
        Motion::Still(pose(0.0))
    }
}

/// The triangles of a mesh file. Cloth is kept outside of it, so it must have an outside: a mesh
/// that is not closed is refused unless the scene says that it has two sides (R6).
fn from_file(
    file: &MeshFile,
    spec: &spec::Body,
    scene: &SceneSpec,
    place: &str,
) -> Result<(BodyMesh, PolyMesh), RunError> {
    let mesh = read_mesh(file, scene, place)?;
    let fatal = mesh.problems(usize::MAX).into_iter().find(|p| !p.is_harmless_for_bodies());
    if let Some(problem) = fatal {
        return Err(RunError::part(place, format!("{}: {problem}", file.file)));
    }
    // A distance field forgives small holes, and refuses large ones itself.
    let may_be_open = spec.two_sided || spec.collision == Collision::LevelSet;
    let open = if may_be_open { Vec::new() } else { mesh.open_edges() };
    if let Some([a, b]) = open.first() {
        return Err(RunError::part(
            place,
            format!(
                "{} is not closed: {} of its edges belong to one face only, the first between                  vertices {a} and {b} (counted from 0); close it, or set two_sided = true",
                file.file,
                open.len()
            ),
        ));
    }
    let positions = mesh.positions.iter().map(|x| *x * spec.scale).collect();
    Ok((BodyMesh { positions, triangles: mesh.triangulate().triangles }, mesh))
}

/// A body that deforms through numbered meshes, linear in time between them.
fn from_sequence(
    spec: &spec::Body,
    sequence: &spec::MeshSequence,
    scene: &SceneSpec,
    place: &str,
) -> Result<BuiltBody, RunError> {
    let numbered = |number: u32| {
        let file = sequence.file(number)?;
        let exists = scene.path(&file).exists();
        let (unit, up) = (sequence.unit, sequence.up);
        exists.then(|| MeshFile { file, unit, up, ..MeshFile::default() })
    };
    let first = numbered(sequence.first).ok_or_else(|| {
        RunError::part(
            place,
            format!("there is no file number {} of {}", sequence.first, sequence.files),
        )
    })?;
    let (mesh, source) = from_file(&first, spec, scene, place)?;
    let mut frames = vec![mesh.positions.clone()];
    let last = sequence.last.unwrap_or(u32::MAX);
    for number in sequence.first.saturating_add(1)..=last {
        let Some(file) = numbered(number) else {
            if sequence.last.is_some() {
                return Err(RunError::part(
                    place,
                    format!("there is no file number {number} of {}", sequence.files),
                ));
            }
            break;
        };
        let (next, other) = from_file(&file, spec, scene, place)?;
        if !source.same_topology(&other) {
            return Err(RunError::part(
                place,
                format!(
                    "{} has other faces than the first file; keep the topology constant",
                    file.file
                ),
            ));
        }
        frames.push(next.positions);
    }
    let fps = sequence.fps.unwrap_or(scene.fps);
    let (frames, pose) = (Arc::new(frames), rigid_motion(spec));
    let deform = move |t: f64, out: &mut [Vec3]| {
        let at = (t * fps).clamp(0.0, (frames.len() - 1) as f64);
        let k = (at as usize).min(frames.len().saturating_sub(2));
        let (a, b) = (&frames[k], &frames[(k + 1).min(frames.len() - 1)]);
        let (s, pose) = (at - k as f64, pose.pose(t));
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = pose.apply(a.lerp(*b, s));
        }
    };
    let body = Body {
        shape: Shape::Mesh,
        mesh,
        motion: BodyMotion::Deforming(Arc::new(deform)),
        friction: friction(spec),
    };
    Ok(BuiltBody { body, source: Some(source), motion: None, field: None })
}
