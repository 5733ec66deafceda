//! Checks of `[[cloth.crease]]`.

use super::cloth::vertex_count;
use super::rules::Range;
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one};
use crate::spec::{Cloth, Crease, Dynamics, RestAngles, SceneSpec};

pub(super) fn check(spec: &SceneSpec, cloth: &Cloth, path: &KeyPath) -> Checked {
    for (i, each) in cloth.crease.iter().enumerate() {
        crease(cloth, each, &path.key("crease").index(i))?;
    }
    let shaped = !cloth.crease.is_empty() || cloth.rest_angles != RestAngles::Flat;
    if spec.solver.dynamics != Dynamics::Springs || !shaped {
        return Ok(());
    }
    let key = if cloth.crease.is_empty() { "rest_angles" } else { "crease" };
    let path = path.key(key);
    let message = format!("`{path}` gives hinges an angle, but \"springs\" dynamics has no hinges");
    Err(Problem::new(SceneErrorKind::WrongValue, &path, message)
        .expected("flat cloth, or dynamics that bends at hinges")
        .help("set `dynamics = \"mixed\"` or \"implicit\""))
}

fn crease(cloth: &Cloth, crease: &Crease, path: &KeyPath) -> Checked {
    let all = ["chain", "line", "formula"];
    let there = [crease.chain.is_some(), crease.line.is_some(), crease.formula.is_some()];
    let given: Vec<&str> = all.into_iter().zip(there).filter(|pair| pair.1).map(|p| p.0).collect();
    exactly_one(path, &given, &all)?;
    Range::positive("degrees")
        .from(-179.0)
        .up_to(179.0, "a crease folded flat is 179 degrees; give the angle between its two sides")
        .check(&path.key("angle"), crease.angle)?;
    Range::not_negative("")
        .up_to(1000.0, "stiffness is a factor: 5 is five times as stiff as the fabric")
        .check(&path.key("stiffness"), crease.stiffness)?;
    if let Some([from, to]) = crease.line {
        let path = path.key("line");
        let unit = Range::not_negative("").up_to(1.0, "u and v run from 0 to 1 across the cloth");
        unit.check_all(&path.index(0), &from)?;
        unit.check_all(&path.index(1), &to)?;
        if from == to {
            let message = format!("`{path}` starts where it ends");
            return Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
                .expected("two different points")
                .help("give the two ends of the crease in u and v"));
        }
    }
    crease.chain.as_ref().map_or(Ok(()), |chain| vertices(cloth, chain, &path.key("chain")))
}

/// At least two vertices, all of them of the cloth where their number is known.
fn vertices(cloth: &Cloth, chain: &[u32], path: &KeyPath) -> Checked {
    if chain.len() < 2 {
        let message = format!("`{path}` has {} vertices", chain.len());
        return Err(Problem::new(SceneErrorKind::OutOfRange, path, message)
            .expected("at least 2")
            .help("name the vertices along the crease"));
    }
    let Some(count) = cloth.shape().and_then(vertex_count) else { return Ok(()) };
    let outside = (0..).zip(chain).find(|(_, v)| u64::from(**v) >= count);
    outside.map_or(Ok(()), |(i, v)| {
        let path = path.index(i);
        let message = format!("`{path}` is vertex {v}, but the cloth has {count} vertices");
        Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
            .expected(format!("numbers from 0 to {}", count - 1))
            .help("count vertices from 0"))
    })
}
