//! From `[[body]]` to the engine's bodies.

mod flex;
pub(super) mod given;
pub(super) mod moving;

use super::RunError;
use super::cloth::read_mesh;
use super::fields::{self, FieldNote};
use super::mannequin::Bone;
use crate::formats::foreign::Playback;
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
    /// Its bones, if it is a figure.
    pub bones: Vec<Bone>,
    /// The files it is read from as it moves.
    pub playback: Option<Arc<Playback>>,
}

/// Builds a body, and its distance field in numbers if it has one.
pub fn build(
    spec: &spec::Body,
    scene: &SceneSpec,
) -> Result<(BuiltBody, Option<FieldNote>), RunError> {
    let place = format!("body `{}`", spec.name);
    let mut built = without_field(spec, scene, &place)?;
    let field = match spec.collision {
        Collision::LevelSet => fields::attach(&mut built.body, spec, scene, &place)?,
        _ => None,
    };
    Ok((built, field))
}

fn without_field(spec: &spec::Body, scene: &SceneSpec, place: &str) -> Result<BuiltBody, RunError> {
    match spec.shape() {
        Some(BodyShape::MeshSequence(sequence)) => {
            return moving::from_sequence(spec, sequence, scene, place);
        }
        Some(BodyShape::Gltf(gltf)) => return moving::from_gltf(spec, gltf, scene, place),
        Some(BodyShape::Mesh(file)) => {
            if let Some(built) = given::moving(spec, file, scene, place)? {
                return Ok(built);
            }
        }
        _ => {}
    }
    if let Some(BodyShape::Mannequin(mannequin)) = spec.shape() {
        return super::mannequin::build(spec, mannequin, scene, place);
    }
    let (exact, mesh, source) = shape_of(spec, scene, place)?;
    if let Some(flex) = &spec.flex {
        return Ok(flex::build(spec, flex, mesh, scene));
    }
    let exact = if spec.collision == Collision::Mesh
        && exact != Shape::Mesh
        && !mesh.triangles.is_empty()
    {
        Shape::Mesh
    } else {
        exact
    };
    let motion = rigid_motion(spec, scene);
    let body = Body {
        shape: exact,
        mesh,
        motion: BodyMotion::Rigid(motion.clone()),
        friction: friction(spec),
    };
    Ok(BuiltBody { body, source, motion: Some(motion), bones: Vec::new(), playback: None })
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
        Some(BodyShape::Blend(b)) => (Shape::Mesh, blended(b, scale, 1.0), None),
        Some(BodyShape::Plane(p)) => {
            let normal = try_normalize(p.normal.unwrap_or(scene.up.vector()))
                .ok_or_else(|| RunError::part(place, "the plane's normal is zero"))?;
            (Shape::Plane(normal), BodyMesh::default(), None)
        }
        Some(BodyShape::Mesh(file)) => {
            let (mesh, source) = from_file(file, spec, scene, place)?;
            (Shape::Mesh, mesh, Some(source))
        }
        Some(BodyShape::MeshSequence(_) | BodyShape::Gltf(_) | BodyShape::Mannequin(_)) | None => {
            return Err(RunError::part(place, "it has no shape; give one, such as sphere"));
        }
    })
}

fn round(spec: &spec::Round, scale: f64, make: fn(f64, f64, usize) -> BodyMesh) -> BodyMesh {
    let radius = spec.radius * scale;
    make(radius, spec.length * scale, shape::sides_for(radius, ROUND_SAGITTA * radius))
}

/// The triangles of limbs that flow into each other; their edges are `share` of what is asked for.
pub(super) fn blended(spec: &spec::Blend, scale: f64, share: f64) -> BodyMesh {
    let scaled = |limb: &spec::Limb| Limb {
        ends: [limb.from, limb.to].map(|x| x * scale),
        radii: limb.radii.map(|r| r * scale),
    };
    let limbs: Vec<Limb> = spec.limbs.iter().map(scaled).collect();
    let carved: Vec<Limb> = spec.carved.iter().map(scaled).collect();
    let reach = |limb: &Limb| limb.ends[0].distance(limb.ends[1]) + limb.radii[0] + limb.radii[1];
    let size = limbs.iter().map(reach).fold(0.0, f64::max);
    let edge =
        spec.edge.map_or(size / BLEND_EDGES, |edge| edge * scale).max(size / MOST_BLEND_EDGES);
    blend(&limbs, &carved, spec.smooth * scale, edge * share).surface()
}

pub(super) fn friction(spec: &spec::Body) -> Option<[f64; 2]> {
    let sticking = spec.friction_static.or(spec.friction)?;
    let sliding = spec.friction_kinetic.or(spec.friction).unwrap_or(sticking);
    Some([sticking, sliding])
}

/// The motion of a body: its own, carried by that of its parent.
pub(super) fn rigid_motion(spec: &spec::Body, scene: &SceneSpec) -> Motion {
    let (position, turn, pivot) = (spec.position.clone(), spec.rotation.clone(), spec.pivot);
    let pose = move |t: f64| {
        let rotation = rotation(turn.at(t));
        Pose { rotation, translation: position.at(t) - rotation * pivot }
    };
    let moves = spec.position.is_animated() || spec.rotation.is_animated();
    let own = if moves { Motion::moving(pose) } else { Motion::Still(pose(0.0)) };
    // Parents come before their children, so this ends.
    let mut before = scene.body.iter().take_while(|body| body.name != spec.name);
    let parent = before.find(|body| Some(&body.name) == spec.parent.as_ref());
    match (parent.map(|parent| rigid_motion(parent, scene)), own) {
        (None, own) => own,
        (Some(Motion::Still(parent)), Motion::Still(own)) => Motion::Still(parent.after(&own)),
        (Some(parent), own) => Motion::moving(move |t| parent.pose(t).after(&own.pose(t))),
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
    check_mesh(&mesh, &file.file, spec, place)?;
    let positions = mesh.positions.iter().map(|x| *x * spec.scale).collect();
    Ok((BodyMesh { positions, triangles: mesh.triangulate().triangles }, mesh))
}

fn check_mesh(mesh: &PolyMesh, file: &str, spec: &spec::Body, place: &str) -> Result<(), RunError> {
    let fatal = mesh.problems(usize::MAX).into_iter().find(|p| !p.is_harmless_for_bodies());
    if let Some(problem) = fatal {
        return Err(RunError::part(place, format!("{file}: {problem}")));
    }
    // A distance field forgives small holes, and refuses large ones itself.
    let may_be_open = spec.two_sided || spec.collision == Collision::LevelSet;
    let open = if may_be_open { Vec::new() } else { mesh.open_edges() };
    if let Some([a, b]) = open.first() {
        return Err(RunError::part(
            place,
            format!(
                "{file} is not closed: {} of its edges belong to one face only, the first between \
                 vertices {a} and {b} (counted from 0); close it, or set two_sided = true",
                open.len()
            ),
        ));
    }
    Ok(())
}
