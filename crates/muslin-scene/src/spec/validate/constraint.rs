//! Checks of pins, attachments, seams and sticking.

use muslin::math::Vec3;

use super::cloth::vertex_count;
use super::rules::{Range, SIZE, direction, schedule};
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one, known_name};
use crate::spec::{
    Cloth, ClothShape, Panel, Pin, SceneSpec, Seam, SeamSide, Select, Selection, Side,
};

pub(super) fn check(spec: &SceneSpec, cloth: &Cloth, path: &KeyPath) -> Checked {
    for (name, select) in &cloth.group {
        selection(cloth, select, &path.key("group").key(name))?;
    }
    for (i, each) in cloth.pin.iter().enumerate() {
        pin(spec, cloth, each, &path.key("pin").index(i))?;
    }
    let bodies = spec.body.iter().map(|body| body.name.as_str());
    let things: Vec<&str> = spec.cloth.iter().map(|c| c.name.as_str()).chain(bodies).collect();
    for (i, attach) in cloth.attach.iter().enumerate() {
        let path = path.key("attach").index(i);
        known_name(&path.key("to"), &attach.to, "cloth or body", &things)?;
        selection(cloth, &attach.select, &path.key("select"))?;
        other_selection(spec, &attach.to, attach.select_to.as_ref(), &path.key("select_to"))?;
        Range::not_negative("N/m").check_keyed(&path.key("stiffness"), &attach.stiffness)?;
        Range::not_negative("N·s/m").check(&path.key("damping"), attach.damping)?;
        Range::positive("N").check_option(&path.key("break_force"), attach.break_force)?;
        schedule(&path, attach.from, attach.until)?;
    }
    for (i, stick) in cloth.stick.iter().enumerate() {
        let path = path.key("stick").index(i);
        known_name(&path.key("to"), &stick.to, "cloth or body", &things)?;
        selection(cloth, &stick.select, &path.key("select"))?;
        other_selection(spec, &stick.to, stick.select_to.as_ref(), &path.key("select_to"))?;
        SIZE.check(&path.key("capture_distance"), stick.capture_distance)?;
        SIZE.from(stick.capture_distance)
            .check(&path.key("release_distance"), stick.release_distance)?;
        Range::not_negative("N/m").check(&path.key("stiffness"), stick.stiffness)?;
        Range::positive("s").check(&path.key("relaxation_time"), stick.relaxation_time)?;
        Range::not_negative("")
            .up_to(1.0, "strength runs from 0 (off) to 1")
            .check_keyed(&path.key("strength"), &stick.strength)?;
    }
    for (i, each) in cloth.seam.iter().enumerate() {
        seam(cloth, each, &path.key("seam").index(i))?;
    }
    Ok(())
}

fn pin(spec: &SceneSpec, cloth: &Cloth, pin: &Pin, path: &KeyPath) -> Checked {
    selection(cloth, &pin.select, &path.key("select"))?;
    let all = ["directions", "along_line", "on_plane", "on_body"];
    let there = [
        pin.directions.is_some(),
        pin.along_line.is_some(),
        pin.on_plane.is_some(),
        pin.on_body.is_some(),
    ];
    let given: Vec<&str> = all.into_iter().zip(there).filter(|pair| pair.1).map(|p| p.0).collect();
    if !given.is_empty() {
        exactly_one(path, &given, &all)?;
    }
    if pin.offset.is_some() && pin.velocity.is_some() {
        exactly_one(path, &["move", "velocity"], &["move", "velocity"])?;
    }
    if let Some(directions) = &pin.directions {
        independent(directions, &path.key("directions"))?;
    }
    pin.along_line.map_or(Ok(()), |line| direction(&path.key("along_line"), line))?;
    pin.on_plane.map_or(Ok(()), |normal| direction(&path.key("on_plane"), normal))?;
    if let Some(body) = &pin.on_body {
        let bones = spec.body.iter().filter(|b| b.mannequin.is_some()).flat_map(|b| {
            muslin_figure::Joint::ALL.iter().map(move |joint| format!("{}.{joint}", b.name))
        });
        let names: Vec<String> =
            spec.body.iter().map(|body| body.name.clone()).chain(bones).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        known_name(&path.key("on_body"), body, "body", &names)?;
    }
    schedule(path, pin.from, pin.until)
}

/// One to three directions, none zero and none along the others.
fn independent(directions: &[Vec3], path: &KeyPath) -> Checked {
    /// Sine of the angle below which directions count as the same.
    const LEAST_SINE: f64 = 1e-6;
    for (i, vector) in directions.iter().enumerate() {
        direction(&path.index(i), *vector)?;
    }
    let unit: Vec<Vec3> =
        directions.iter().filter_map(|d| muslin::math::try_normalize(*d)).collect();
    let spread = match unit.as_slice() {
        [_] => 1.0,
        [a, b] => a.cross(*b).length(),
        [a, b, c] => a.cross(*b).dot(*c).abs(),
        _ => 0.0,
    };
    if spread > LEAST_SINE {
        return Ok(());
    }
    let message = format!("`{path}` is not one to three independent directions");
    Err(Problem::new(SceneErrorKind::OutOfRange, path, message)
        .expected("[[x, y, z], …], at most three, none in the plane of the others")
        .help("leave `directions` out to hold the vertices in all directions"))
}

/// A selection on the cloth or body called `name`; of bodies only the form is known.
fn other_selection(
    spec: &SceneSpec,
    name: &str,
    select: Option<&Select>,
    path: &KeyPath,
) -> Checked {
    match (select, spec.cloth.iter().find(|cloth| cloth.name == name)) {
        (None, _) => Ok(()),
        (Some(select), Some(cloth)) => selection(cloth, select, path),
        (Some(select), None) => form(select, path).map(|_| ()),
    }
}

fn form<'a>(select: &'a Select, path: &KeyPath) -> Result<Selection<'a>, Problem> {
    select.selection().ok_or_else(|| {
        let message = format!("`{path}` does not choose vertices in exactly one way");
        Problem::new(SceneErrorKind::WrongKeys, path, message)
            .expected(
                "one of `corners`, `edge`, `vertices`, `formula`, `group`, or `near` with `radius`",
            )
            .help("write it like { corners = [\"u0v0\", \"u1v0\"] }")
    })
}

fn selection(cloth: &Cloth, select: &Select, path: &KeyPath) -> Checked {
    let shape = cloth.shape();
    let misfit = |key: &str, what: &str| {
        let path = path.key(key);
        let message = format!("`{path}` does not fit: \"{}\" has no {what}", cloth.name);
        Problem::new(SceneErrorKind::WrongValue, &path, message)
            .expected("a way of choosing that fits the cloth's shape")
            .help("use `formula`, `vertices` or `near`")
    };
    let is_rectangle = matches!(shape, Some(ClothShape::Grid(_) | ClothShape::Strip(_)));
    match form(select, path)? {
        Selection::All | Selection::Formula(_) => Ok(()),
        Selection::Corners([]) | Selection::Vertices([]) => {
            let message = format!("`{path}` chooses no vertices");
            Err(Problem::new(SceneErrorKind::WrongValue, path, message)
                .expected("at least one vertex")
                .help("add one, or leave the whole entry out"))
        }
        Selection::Corners(_) if is_rectangle => Ok(()),
        Selection::Corners(_) => Err(misfit("corners", "corners")),
        Selection::Edge(side) => {
            let is_tube = matches!(shape, Some(ClothShape::Tube(_) | ClothShape::Skirt(_)));
            let fits = is_rectangle
                || side == Side::Border
                || (is_tube && matches!(side, Side::V0 | Side::V1));
            if fits { Ok(()) } else { Err(misfit("edge", "such side")) }
        }
        Selection::Vertices(vertices) => vertices_exist(shape, vertices, &path.key("vertices")),
        Selection::Group(name) => group_exists(cloth, name, path),
        Selection::Near { radius, .. } => SIZE.check(&path.key("radius"), radius),
    }
}

fn vertices_exist(shape: Option<ClothShape<'_>>, vertices: &[u32], path: &KeyPath) -> Checked {
    let exact = shape.filter(|shape| !matches!(shape, ClothShape::Panels(_)));
    let Some(count) = exact.and_then(vertex_count) else {
        return Ok(());
    };
    match (0..).zip(vertices).find(|(_, vertex)| u64::from(**vertex) >= count) {
        None => Ok(()),
        Some((i, vertex)) => {
            let path = path.index(i);
            let message = format!("`{path}` is vertex {vertex}, but the cloth has {count}");
            Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
                .expected(format!("a vertex from 0 to {}", count - 1))
                .help("vertices are counted from 0, along u first"))
        }
    }
}

/// Groups of files are known only when the file is read.
fn group_exists(cloth: &Cloth, name: &str, path: &KeyPath) -> Checked {
    if cloth.mesh.is_some() || cloth.pattern.is_some() {
        return Ok(());
    }
    let panels = cloth.panel.iter().map(|panel| panel.name.as_str());
    let known: Vec<&str> = cloth.group.keys().map(String::as_str).chain(panels).collect();
    known_name(path, name, "group", &known)
}

fn seam(cloth: &Cloth, seam: &Seam, path: &KeyPath) -> Checked {
    Range::not_negative("s").check(&path.key("closing_time"), seam.closing_time)?;
    Range::positive("degrees")
        .from(-180.0)
        .up_to(180.0, "")
        .check(&path.key("angle"), seam.angle)?;
    side(&cloth.panel, &seam.a, &path.key("a"))?;
    side(&cloth.panel, &seam.b, &path.key("b"))
}

fn side(panels: &[Panel], side: &SeamSide, path: &KeyPath) -> Checked {
    let names: Vec<&str> = panels.iter().map(|panel| panel.name.as_str()).collect();
    known_name(&path.key("panel"), &side.panel, "panel", &names)?;
    let edges = panels.iter().find(|p| p.name == side.panel).map_or(0, |p| p.outline.len());
    if (side.edge as usize) < edges {
        return Ok(());
    }
    let path = path.key("edge");
    let message = format!("`{path}` is {}, but the panel has {edges} edges", side.edge);
    Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
        .expected(format!("an edge from 0 to {}", edges.saturating_sub(1)))
        .help("edge k runs from outline point k to point k + 1"))
}
