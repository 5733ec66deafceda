//! Checks of `[[cloth]]`: shape, size, fabric, paint.

use super::body::check_blend;
use super::rules::{DENSITY, FRICTION, Range, SIZE, STRAIN, THICKNESS, color};
use super::{
    Checked, KeyPath, Problem, SceneErrorKind, constraint, crease, exactly_one, file, known_name,
    realtime,
};
use crate::spec::sheet::count_grid;
use crate::spec::{
    Cloth, ClothShape, Directional, Fabric, MeshFile, Paint, Panel, RestAngles, SceneSpec,
};

/// The most vertices all cloths together may have.
const MAX_VERTICES: u64 = 20_000_000;

/// Memory a vertex takes in a simulation [bytes]: state, matrix blocks, hierarchies, contacts.
const BYTES_PER_VERTEX: u64 = 2500;

const SHAPES: [&str; 10] =
    ["grid", "strip", "disc", "tube", "skirt", "sphere", "blend", "mesh", "panel", "pattern"];

/// The key a shape is given by.
fn shape_key(shape: ClothShape<'_>) -> &'static str {
    match shape {
        ClothShape::Grid(_) => "grid",
        ClothShape::Strip(_) => "strip",
        ClothShape::Disc(_) => "disc",
        ClothShape::Tube(_) => "tube",
        ClothShape::Skirt(_) => "skirt",
        ClothShape::Sphere(_) => "sphere",
        ClothShape::Blend(_) => "blend",
        ClothShape::Mesh(_) => "mesh",
        ClothShape::Panels(_) => "panel",
        ClothShape::Pattern(_) => "pattern",
    }
}

/// How many vertices a shape has, where that is known without reading a file.
pub(super) fn vertex_count(shape: ClothShape<'_>) -> Option<u64> {
    Some(match shape {
        ClothShape::Grid(grid) => count_grid(grid.vertices),
        ClothShape::Strip(strip) => count_grid(strip.cells.map(|n| n.saturating_add(1))),
        ClothShape::Disc(disc) => disc.vertex_count(),
        ClothShape::Tube(tube) => count_grid(tube.vertices),
        ClothShape::Skirt(skirt) => skirt.rings.iter().map(|n| u64::from(*n)).sum(),
        ClothShape::Sphere(sphere) => sphere.vertex_count(),
        ClothShape::Panels(panels) => {
            panels.iter().fold(0, |sum: u64, panel| sum.saturating_add(panel.vertex_estimate()))
        }
        ClothShape::Blend(_) | ClothShape::Mesh(_) | ClothShape::Pattern(_) => return None,
    })
}

/// Refuses cloths that are too fine, before memory is taken for them.
pub(super) fn check_sizes(spec: &SceneSpec, top: &KeyPath) -> Checked {
    let mut total: u64 = 0;
    for (i, cloth) in spec.cloth.iter().enumerate() {
        let path = top.key("cloth").index(i);
        let given: Vec<&str> = cloth.shapes().into_iter().map(shape_key).collect();
        exactly_one(&path, &given, &SHAPES)?;
        let Some(shape) = cloth.shape() else { continue };
        let path = path.key(shape_key(shape));
        dimensions(shape, &path)?;
        let Some(count) = vertex_count(shape) else {
            continue;
        };
        total = total.saturating_add(count);
        if total > MAX_VERTICES {
            let gigabytes = (total.saturating_mul(BYTES_PER_VERTEX)) as f64 / 1e9;
            let message = format!(
                "`{path}` brings the scene to {} vertices, which would take about {gigabytes:.0} GB",
                grouped(total)
            );
            return Err(Problem::new(SceneErrorKind::TooLarge, &path, message)
                .expected(format!("at most {} vertices in all", grouped(MAX_VERTICES)))
                .help("a sheet of 150 × 150 vertices shows fine folds"));
        }
    }
    Ok(())
}

/// 1234567 as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn at_least(path: &KeyPath, counts: &[u32], least: &[f64]) -> Checked {
    (0..).zip(counts.iter().zip(least)).try_for_each(|(i, (count, least))| {
        Range::positive("").from(*least).check(&path.index(i), f64::from(*count))
    })
}

fn dimensions(shape: ClothShape<'_>, path: &KeyPath) -> Checked {
    match shape {
        ClothShape::Grid(grid) => {
            SIZE.check_all(&path.key("size"), &grid.size)?;
            at_least(&path.key("vertices"), &grid.vertices, &[2.0, 2.0])
        }
        ClothShape::Strip(strip) => {
            SIZE.check_all(&path.key("size"), &strip.size)?;
            at_least(&path.key("cells"), &strip.cells, &[1.0, 1.0])
        }
        ClothShape::Disc(disc) => {
            SIZE.check(&path.key("radius"), disc.radius)?;
            Range::positive("").from(1.0).check(&path.key("rings"), f64::from(disc.rings))
        }
        ClothShape::Tube(tube) => {
            SIZE.check(&path.key("radius"), tube.radius)?;
            SIZE.check_option(&path.key("radius_top"), tube.radius_top)?;
            SIZE.check(&path.key("length"), tube.length)?;
            at_least(&path.key("vertices"), &tube.vertices, &[3.0, 2.0])
        }
        ClothShape::Skirt(skirt) => {
            SIZE.check_all(&path.key("radius"), &skirt.radius)?;
            SIZE.check_all(&path.key("depth"), &skirt.depth.unwrap_or(skirt.radius))?;
            let share = Range::not_negative("").up_to(1.0, "it runs from 0 to 1");
            share.check(&path.key("flare"), skirt.flare)?;
            SIZE.check(&path.key("length"), skirt.length)?;
            at_least(&path.key("rings"), &skirt.rings, &vec![3.0; skirt.rings.len()])?;
            many_enough(&path.key("rings"), skirt.rings.len(), 2, "rings")
        }
        ClothShape::Sphere(sphere) => SIZE.check(&path.key("radius"), sphere.radius),
        ClothShape::Blend(blend) => check_blend(blend, path),
        ClothShape::Panels(panels) => {
            (0..).zip(panels).try_for_each(|(i, each)| panel(each, &path.index(i), &panels[..i]))
        }
        ClothShape::Mesh(_) => Ok(()),
        ClothShape::Pattern(pattern) => {
            Range::not_negative("s").check(&path.key("closing_time"), pattern.closing_time)?;
            SIZE.check(&path.key("edge_length"), pattern.edge_length)
        }
    }
}

fn many_enough(path: &KeyPath, count: usize, least: usize, what: &str) -> Checked {
    if count >= least {
        return Ok(());
    }
    let message = format!("`{path}` has {count} {what}");
    Err(Problem::new(SceneErrorKind::OutOfRange, path, message)
        .expected(format!("at least {least}"))
        .help(format!("add {what}")))
}

fn panel(panel: &Panel, path: &KeyPath, before: &[Panel]) -> Checked {
    SIZE.check(&path.key("edge_length"), panel.edge_length)?;
    SIZE.check_option(&path.key("wrap_radius"), panel.wrap_radius)?;
    many_enough(&path.key("outline"), panel.outline.len(), 3, "corners")?;
    if before.iter().any(|other| other.name == panel.name) {
        let path = path.key("name");
        let message = format!("`{path}` is \"{}\", but another panel has that name", panel.name);
        return Err(Problem::new(SceneErrorKind::WrongName, &path, message)
            .expected("a name that no other panel of this cloth has")
            .help("give each panel its own name"));
    }
    if panel.area() <= 0.0 {
        let path = path.key("outline");
        let message = format!("`{path}` encloses no area");
        return Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
            .expected("the corners of a polygon, once around")
            .help("give the corners in order, in metres"));
    }
    Ok(())
}

/// Checks all but shape and size, which [`check_sizes`] does.
pub(super) fn check(spec: &SceneSpec, cloth: &Cloth, path: &KeyPath) -> Checked {
    if let Some(mesh) = &cloth.mesh {
        mesh_file(spec, mesh, &path.key("mesh"))?;
    }
    if let Some(mesh) = &cloth.initial {
        mesh_file(spec, mesh, &path.key("initial"))?;
    }
    if let Some(pattern) = &cloth.pattern {
        let path = path.key("pattern");
        match pattern.built_in() {
            Some(name) => {
                let known: Vec<&str> = muslin_garment::library::names().collect();
                known_name(&path, name, "pattern", &known)?;
            }
            None => file(spec, &path, &pattern.file)?,
        }
    }
    Range::positive("").check(&path.key("scale"), cloth.scale)?;
    fabric(spec, &cloth.fabric, &path.key("fabric"))?;
    color(&path.key("color"), cloth.color.as_deref())?;
    color(&path.key("color_back"), cloth.color_back.as_deref())?;
    if let Some(shrink) = &cloth.shrink {
        let factor = Range::positive("").up_to(100.0, "shrink is a factor: 0.8 is 20 % shorter");
        directional(spec, shrink, &factor, &path.key("shrink"))?;
    }
    if let RestAngles::Painted(angles) = &cloth.rest_angles {
        let angle = Range::positive("degrees").from(-180.0).up_to(180.0, "");
        paint(spec, angles, &angle, &path.key("rest_angles"))?;
    }
    crease::check(spec, cloth, path)?;
    realtime::cloth(spec, cloth, path)?;
    constraint::check(spec, cloth, path)
}

pub(super) fn mesh_file(spec: &SceneSpec, mesh: &MeshFile, path: &KeyPath) -> Checked {
    file(spec, path, &mesh.file)?;
    if let Some(rest) = &mesh.rest_file {
        file(spec, &path.key("rest_file"), rest)?;
    }
    Range::positive("m").check_option(&path.key("uv_scale"), mesh.uv_scale)
}

fn fabric(spec: &SceneSpec, fabric: &Fabric, path: &KeyPath) -> Checked {
    DENSITY.check_option(&path.key("density"), fabric.density)?;
    THICKNESS.check_option(&path.key("thickness"), fabric.thickness)?;
    let stiff = Range::not_negative("N/m");
    if let Some(stretch) = &fabric.stretch {
        directional(spec, stretch, &Range::positive("N/m"), &path.key("stretch"))?;
    }
    if let Some(shear) = &fabric.shear {
        paint(spec, shear, &stiff, &path.key("shear"))?;
    }
    if let Some(bending) = &fabric.bending {
        directional(spec, bending, &Range::not_negative("N·m"), &path.key("bending"))?;
    }
    if let Some(damping) = fabric.damping {
        let (path, time) = (path.key("damping"), Range::not_negative("s"));
        time.check(&path.key("stretch"), damping.stretch)?;
        time.check(&path.key("shear"), damping.shear)?;
        time.check(&path.key("bend"), damping.bend)?;
    }
    for (key, value) in [
        ("friction", fabric.friction),
        ("friction_static", fabric.friction_static),
        ("friction_kinetic", fabric.friction_kinetic),
    ] {
        FRICTION.check_option(&path.key(key), value)?;
    }
    for (key, limit) in [
        ("strain_limit", fabric.strain_limit),
        ("strain_limit_compression", fabric.strain_limit_compression),
        ("strain_rate_limit", fabric.strain_rate_limit),
    ] {
        limit.map_or(Ok(()), |limit| STRAIN.check_limit(&path.key(key), limit))?;
    }
    let share = Range::not_negative("").up_to(1.0, "porosity runs from 0 (tight) to 1 (open)");
    share.check_option(&path.key("porosity"), fabric.porosity)?;
    Range::positive("").check_option(&path.key("yarn"), fabric.yarn)?;
    lab(fabric, &path.key("lab"))
}

fn lab(fabric: &Fabric, path: &KeyPath) -> Checked {
    let Some(lab) = &fabric.lab else {
        return Ok(());
    };
    DENSITY.check_option(&path.key("weight"), lab.weight)?;
    let length = Range::positive("m")
        .up_to(1.0, "expected SI units: did you give centimetres? 2.5 cm is 0.025 m");
    for (key, pair) in [("bending_length", lab.bending_length), ("overhang", lab.overhang)] {
        length.check_all(&path.key(key), pair.as_ref().map_or(&[][..], |pair| &pair[..]))?;
    }
    if let Some(tensile) = &lab.tensile {
        let path = path.key("tensile");
        Range::positive("N/m").check(&path.key("load"), tensile.load)?;
        STRAIN.check_all(&path.key("strain"), &tensile.strain)?;
    }
    if let Some(shear) = &lab.shear {
        let path = path.key("shear");
        Range::positive("N/m").check(&path.key("load"), shear.load)?;
        Range::positive("degrees").up_to(89.0, "").check(&path.key("angle"), shear.angle)?;
    }
    Ok(())
}

fn paint(spec: &SceneSpec, paint: &Paint, range: &Range, path: &KeyPath) -> Checked {
    match paint {
        Paint::Number(value) => range.check(path, *value),
        Paint::Formula(_) => Ok(()),
        Paint::File { file: name, .. } => file(spec, &path.key("file"), name),
        Paint::Group { value, otherwise, .. } => {
            range.check(&path.key("value"), *value)?;
            range.check_option(&path.key("otherwise"), *otherwise)
        }
    }
}

fn directional(spec: &SceneSpec, pair: &Directional, range: &Range, path: &KeyPath) -> Checked {
    paint(spec, &pair.u, range, path)?;
    paint(spec, &pair.v, range, path)
}
