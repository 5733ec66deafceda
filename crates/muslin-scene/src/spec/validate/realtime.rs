//! Checks of what the real-time dynamics read: `[cloth.hang]`, `cloth.rods`, `[sparse]`.

use super::rules::{COUNT, Range, SIZE, STRAIN, direction};
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one};
use crate::spec::{Cloth, ContactMethod, Dynamics, Hang, Rods, SceneSpec, Sparse};

/// Checks what is about the whole scene.
pub(super) fn scene(spec: &SceneSpec, top: &KeyPath) -> Checked {
    sparse(&spec.sparse, &top.key("sparse"))?;
    let solver = &spec.solver;
    let real_time = matches!(solver.dynamics, Dynamics::Curtain | Dynamics::Sparse);
    let path = top.key("solver").key("contact");
    let refused = |message: String, help: &str| {
        Err(Problem::new(SceneErrorKind::WrongValue, &path, message)
            .expected("a contact method of the chosen dynamics")
            .help(help))
    };
    match solver.contact {
        ContactMethod::Bounded if !real_time => refused(
            format!("`{path}` is \"bounded\", which only real-time dynamics has"),
            "use \"robust\", or `dynamics = \"curtain\"` or \"sparse\"",
        ),
        ContactMethod::Constraint if real_time => refused(
            format!("`{path}` is \"constraint\", which real-time dynamics does not have"),
            "use \"bounded\" or \"none\"",
        ),
        _ => COUNT.check(
            &top.key("contact").key("bounded_passes"),
            f64::from(spec.contact.bounded_passes),
        ),
    }
}

/// Checks what is about one cloth.
pub(super) fn cloth(spec: &SceneSpec, cloth: &Cloth, path: &KeyPath) -> Checked {
    if spec.solver.dynamics == Dynamics::Curtain && cloth.grid.is_none() {
        let message = format!("`{path}` is no grid, but \"curtain\" dynamics moves only grids");
        return Err(Problem::new(SceneErrorKind::WrongKeys, path, message)
            .expected("`grid`")
            .help("use `grid`, or another `dynamics`"));
    }
    if let Some(each) = &cloth.hang {
        if cloth.grid.is_none() {
            let path = path.key("hang");
            let message = format!("`{path}` holds columns, which only a grid has");
            return Err(Problem::new(SceneErrorKind::WrongKeys, &path, message)
                .expected("`hang` together with `grid`")
                .help("use `grid`, or hold the cloth by `[[cloth.pin]]`"));
        }
        hang(each, &path.key("hang"))?;
    }
    rods(&cloth.rods, &path.key("rods"))?;
    let pleated = cloth.hang.is_some() || spec.solver.dynamics == Dynamics::Curtain;
    match &cloth.grid {
        Some(grid) if pleated => whole_pleats(&cloth.rods, grid.vertices[0], path),
        _ => Ok(()),
    }
}

fn hang(hang: &Hang, path: &KeyPath) -> Checked {
    let all = ["rail", "pole", "free"];
    let there = [hang.rail.is_some(), hang.pole.is_some(), hang.free.is_some()];
    let given: Vec<&str> = all.into_iter().zip(there).filter(|pair| pair.1).map(|p| p.0).collect();
    exactly_one(path, &given, &all)?;
    hang.direction.map_or(Ok(()), |along| direction(&path.key("direction"), along))?;
    let share = Range::not_negative("").up_to(1.0, "it runs from 0 to 1");
    for (key, line) in [("pole", &hang.pole), ("free", &hang.free)] {
        if let Some(line) = line {
            direction(&path.key(key).key("to"), line.to - line.from)?;
        }
    }
    if let Some(rail) = &hang.rail {
        let path = path.key("rail");
        direction(&path.key("to"), rail.to - rail.from)?;
        share.check_keyed(&path.key("lead"), &rail.lead)?;
        Range::not_negative("m").check(&path.key("bunched"), rail.bunched)?;
        Range::not_negative("1/s").check(&path.key("evening"), rail.evening)?;
    }
    for (i, tie) in hang.tie_back.iter().enumerate() {
        let path = path.key("tie_back").index(i);
        share.check(&path.key("height"), tie.height)?;
        SIZE.check(&path.key("width"), tie.width)?;
        share.check_keyed(&path.key("engaged"), &tie.engaged)?;
    }
    Ok(())
}

fn rods(rods: &Rods, path: &KeyPath) -> Checked {
    let sections = path.key("sections");
    let few = || COUNT.up_to(64.0, "a rod of 64 sections is a rope");
    few().check(&sections.index(0), f64::from(rods.sections[0]))?;
    few()
        .from(f64::from(rods.sections[0]))
        .check(&sections.index(1), f64::from(rods.sections[1]))?;
    Range::not_negative("")
        .up_to(0.9, "folds differ by a fraction of their size")
        .check(&path.key("uneven"), rods.uneven)?;
    Range::not_negative("1/s").check(&path.key("smoothing"), rods.smoothing)?;
    let Some(lengths) = &rods.lengths else {
        return Ok(());
    };
    let path = path.key("lengths");
    few().check(&path, lengths.len() as f64)?;
    Range::positive("").check_all(&path, lengths)?;
    let sum: f64 = lengths.iter().sum();
    if (sum - 1.0).abs() <= 1e-6 {
        return Ok(());
    }
    let message = format!("the fractions of `{path}` add up to {sum}");
    Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
        .expected("fractions that add up to 1")
        .help("divide each by their sum"))
}

/// Pleats take several columns each, and there must be whole ones.
fn whole_pleats(rods: &Rods, columns: u32, path: &KeyPath) -> Checked {
    let each = rods.style.gaps();
    let gaps = columns.saturating_sub(1);
    if gaps.is_multiple_of(each) {
        return Ok(());
    }
    let path = path.key("grid").key("vertices");
    let message = format!(
        "`{path}` has {columns} columns, but such a pleat takes {each} gaps between columns"
    );
    let whole = each * gaps.div_ceil(each) + 1;
    Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
        .expected(format!("a multiple of {each} and one more"))
        .help(format!("give {whole} vertices along u")))
}

fn sparse(sparse: &Sparse, path: &KeyPath) -> Checked {
    if let Some(segments) = sparse.segments {
        COUNT
            .up_to(64.0, "64 segments are 4096 triangles a face")
            .check(&path.key("segments"), f64::from(segments))?;
    }
    Range::positive("").check(&path.key("fold_guess"), sparse.fold_guess)?;
    Range::positive("N/m").check_option(&path.key("stiffness"), sparse.stiffness)?;
    Range::not_negative("")
        .up_to(1.0, "1 is critical damping")
        .check(&path.key("damping"), sparse.damping)?;
    STRAIN.check(&path.key("stretch_limit"), sparse.stretch_limit)?;
    COUNT.check(&path.key("limit_sweeps"), f64::from(sparse.limit_sweeps))?;
    Range::not_negative("m").check(&path.key("margin"), sparse.margin)
}
