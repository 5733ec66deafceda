//! Checks of `[[body]]`.

use super::cloth::mesh_file;
use super::rules::{FRICTION, Range, SIZE, color, direction};
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one, file};
use crate::spec::suggest::did_you_mean;
use crate::spec::{Blend, Body, BodyShape, Collision, Mannequin, MeshSequence, Round, SceneSpec};

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
    Range::positive("s")
        .check(&level_set.key("relaxation_time"), body.level_set.relaxation_time)?;
    if body.two_sided && body.collision == Collision::LevelSet {
        let path = path.key("two_sided");
        let message = format!("`{path}` does not go with `collision = \"level-set\"`");
        return Err(Problem::new(SceneErrorKind::WrongKeys, &path, message)
            .expected("a body with an inside")
            .help("use `collision = \"mesh\"`"));
    }
    Ok(())
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
        BodyShape::Mannequin(mannequin) => check_mannequin(spec, mannequin, path),
    }
}

fn check_round(round: &Round, path: &KeyPath) -> Checked {
    SIZE.check(&path.key("radius"), round.radius)?;
    SIZE.check(&path.key("length"), round.length)
}

fn check_blend(blend: &Blend, path: &KeyPath) -> Checked {
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
    Range::not_negative("m").check(&path.key("smooth"), blend.smooth)?;
    SIZE.check_option(&path.key("edge"), blend.edge)
}

fn check_sequence(spec: &SceneSpec, sequence: &MeshSequence, path: &KeyPath) -> Checked {
    Range::positive("1/s").check_option(&path.key("fps"), sequence.fps)?;
    let files = path.key("files");
    let Some(first) = sequence.file(sequence.first) else {
        let message = format!("`{files}` is {:?}, which has no `#` for the number", sequence.files);
        return Err(Problem::new(SceneErrorKind::WrongValue, &files, message)
            .expected("a file name with one # per digit")
            .help("write it like \"walk_####.obj\""));
    };
    file(spec, &files, &first)?;
    sequence.last.map_or(Ok(()), |last| {
        Range::not_negative("")
            .from(f64::from(sequence.first))
            .check(&path.key("last"), f64::from(last))
    })
}

fn check_mannequin(spec: &SceneSpec, mannequin: &Mannequin, path: &KeyPath) -> Checked {
    Range::positive("m")
        .up_to(3.0, "expected SI units: did you give centimetres? 175 cm is 1.75 m")
        .check(&path.key("height"), mannequin.height)?;
    Range::positive("").check(&path.key("speed"), mannequin.speed)?;
    Range::not_negative("s").check(&path.key("blend"), mannequin.blend)?;
    let Some(motion) = mannequin.motion_file() else {
        return Ok(());
    };
    let path = path.key("motion");
    if motion.to_lowercase().ends_with(".bvh") {
        return file(spec, &path, motion);
    }
    let message = format!("`{path}` cannot be \"{motion}\"");
    let help = match did_you_mean(motion, &Mannequin::MOTIONS) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None => "name one of them, or a file that ends in .bvh".to_owned(),
    };
    Err(Problem::new(SceneErrorKind::WrongValue, &path, message)
        .expected(format!("a .bvh file or one of \"{}\"", Mannequin::MOTIONS.join("\", \"")))
        .help(help))
}
