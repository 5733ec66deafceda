//! Checks of `[[body]]`.

use super::cloth::mesh_file;
use super::rules::{FRICTION, Range, SIZE, color, direction};
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one, file, known_name, mannequin};
use crate::spec::{Blend, Body, BodyShape, Collision, LevelSet, MeshSequence, Round, SceneSpec};

const SHAPES: [&str; 10] = [
    "sphere",
    "box",
    "cylinder",
    "capsule",
    "blend",
    "plane",
    "mesh",
    "mesh_sequence",
    "gltf",
    "mannequin",
];

fn shape_key(shape: BodyShape<'_>) -> &'static str {
    match shape {
        BodyShape::Sphere(_) => "sphere",
        BodyShape::Box(_) => "box",
        BodyShape::Cylinder(_) => "cylinder",
        BodyShape::Capsule(_) => "capsule",
        BodyShape::Blend(_) => "blend",
        BodyShape::Plane(_) => "plane",
        BodyShape::Mesh(_) => "mesh",
        BodyShape::MeshSequence(_) => "mesh_sequence",
        BodyShape::Gltf(_) => "gltf",
        BodyShape::Mannequin(_) => "mannequin",
    }
}

pub(super) fn check(spec: &SceneSpec, body: &Body, path: &KeyPath) -> Checked {
    let given: Vec<&str> = body.shapes().into_iter().map(shape_key).collect();
    exactly_one(path, &given, &SHAPES)?;
    if let Some(shape) = body.shape() {
        check_shape(spec, shape, &path.key(shape_key(shape)))?;
    }
    Range::positive("").check(&path.key("scale"), body.scale)?;
    check_flex(body, path)?;
    if let Some(parent) = &body.parent {
        let before = spec.body.iter().map(|b| b.name.as_str());
        let before: Vec<&str> = before.take_while(|name| *name != body.name).collect();
        known_name(&path.key("parent"), parent, "body before this one", &before)?;
    }
    for (key, value) in [
        ("friction", body.friction),
        ("friction_static", body.friction_static),
        ("friction_kinetic", body.friction_kinetic),
    ] {
        FRICTION.check_option(&path.key(key), value)?;
    }
    color(&path.key("color"), body.color.as_deref())?;
    let level_set = path.key("level_set");
    SIZE.check_option(&level_set.key("cell"), body.level_set.cell)?;
    SIZE.check_option(&level_set.key("band"), body.level_set.band)?;
    SIZE.check_option(&level_set.key("tolerance"), body.level_set.tolerance)?;
    if let Some(sculpted) = &body.level_set.file {
        file(spec, &level_set.key("file"), sculpted)?;
    }
    Range::not_negative("m").check(&level_set.key("inset"), body.level_set.inset)?;
    Range::positive("s")
        .check(&level_set.key("relaxation_time"), body.level_set.relaxation_time)?;
    if body.two_sided && body.collision == Collision::LevelSet {
        let path = path.key("two_sided");
        let message = format!("`{path}` does not go with `collision = \"level-set\"`");
        return Err(Problem::new(SceneErrorKind::WrongKeys, &path, message)
            .expected("a body with an inside")
            .help("use `collision = \"mesh\"`"));
    }
    if body.level_set != LevelSet::default() && body.collision != Collision::LevelSet {
        let message = format!("`{level_set}` has no effect: cloth does not meet this body's field");
        return Err(Problem::new(SceneErrorKind::WrongKeys, &level_set, message)
            .expected("a body with `collision = \"level-set\"`")
            .help("add `collision = \"level-set\"`, or leave `level_set` out"));
    }
    Ok(())
}

/// What flexes has an inside and does not move by itself; the upper height is above the lower.
fn check_flex(body: &Body, path: &KeyPath) -> Checked {
    let Some(flex) = &body.flex else { return Ok(()) };
    let path = path.key("flex");
    let rigid = !matches!(
        body.shape(),
        Some(
            BodyShape::Plane(_)
                | BodyShape::MeshSequence(_)
                | BodyShape::Gltf(_)
                | BodyShape::Mannequin(_)
        )
    );
    if !rigid {
        let message = format!("`{path}` is for shapes and meshes that are rigid otherwise");
        return Err(Problem::new(SceneErrorKind::WrongKeys, &path, message)
            .expected("a sphere, box, cylinder, capsule, blend or mesh")
            .help("leave `flex` out, or give the body another shape"));
    }
    let [low, high] = flex.between;
    Range::positive("m").check(&path.key("between"), high - low)
}

fn check_shape(spec: &SceneSpec, shape: BodyShape<'_>, path: &KeyPath) -> Checked {
    match shape {
        BodyShape::Sphere(sphere) => SIZE.check(&path.key("radius"), sphere.radius),
        BodyShape::Box(cuboid) => SIZE.check_all(&path.key("size"), &cuboid.size),
        BodyShape::Cylinder(round) | BodyShape::Capsule(round) => check_round(round, path),
        BodyShape::Blend(blend) => check_blend(blend, path),
        BodyShape::Plane(plane) => {
            plane.normal.map_or(Ok(()), |normal| direction(&path.key("normal"), normal))
        }
        BodyShape::Mesh(mesh) => mesh_file(spec, mesh, path),
        BodyShape::MeshSequence(sequence) => check_sequence(spec, sequence, path),
        BodyShape::Gltf(gltf) => {
            Range::positive("").check_option(&path.key("speed"), gltf.speed)?;
            file(spec, path, &gltf.file)
        }
        BodyShape::Mannequin(mannequin) => mannequin::check(spec, mannequin, path),
    }
}

fn check_round(round: &Round, path: &KeyPath) -> Checked {
    SIZE.check(&path.key("radius"), round.radius)?;
    SIZE.check(&path.key("length"), round.length)
}

pub(super) fn check_blend(blend: &Blend, path: &KeyPath) -> Checked {
    let limbs = path.key("limbs");
    if blend.limbs.is_empty() {
        let message = format!("`{limbs}` is empty");
        return Err(Problem::new(SceneErrorKind::WrongValue, &limbs, message)
            .expected("at least one limb")
            .help("write limbs = [{ from = [0, 0, 0], to = [0, 0, 1], radii = [0.2, 0.1] }]"));
    }
    for limb in &blend.limbs {
        SIZE.check_all(&limbs.key("radii"), &limb.radii)?;
    }
    for limb in &blend.carved {
        SIZE.check_all(&path.key("carved").key("radii"), &limb.radii)?;
    }
    Range::not_negative("m").check(&path.key("smooth"), blend.smooth)?;
    SIZE.check_option(&path.key("edge"), blend.edge)
}

fn check_sequence(spec: &SceneSpec, sequence: &MeshSequence, path: &KeyPath) -> Checked {
    Range::positive("1/s").check_option(&path.key("fps"), sequence.fps)?;
    Range::positive("").check_option(&path.key("speed"), sequence.speed)?;
    let files = path.key("files");
    if let Some(mesh) = &sequence.mesh {
        file(spec, &path.key("mesh"), mesh)?;
    }
    if sequence.moves_by_itself() {
        return file(spec, &files, &sequence.files);
    }
    let number = sequence.first.unwrap_or(1);
    let Some(first) = sequence.file(number) else {
        let message = format!("`{files}` is {:?}, which has no `#` for the number", sequence.files);
        return Err(Problem::new(SceneErrorKind::WrongValue, &files, message)
            .expected("a file name with one # per digit, or a .pc2, .mdd or .usda file")
            .help("write it like \"walk_####.obj\""));
    };
    let from_zero =
        sequence.first.is_none() && sequence.file(0).is_some_and(|zero| spec.path(&zero).is_file());
    if !from_zero {
        file(spec, &files, &first)?;
    }
    sequence.last.map_or(Ok(()), |last| {
        Range::not_negative("")
            .from(f64::from(sequence.first.unwrap_or(0)))
            .check(&path.key("last"), f64::from(last))
    })
}
