//! From `[solver]` to the engine's dynamics, and what cloth needs for them.

use super::RunError;
use super::cloth::Piece;
use crate::spec::{
    self, BendElement, ClothShape, Diagonals, Integrator, MassSpread, Paint, SceneSpec,
};
use muslin::cloth::Cloth;
use muslin::fabric::Fabric;
use muslin::force::hinge::BendForm;
use muslin::force::spring::{Layout, springs};
use muslin::integrate::implicit::Rule;
use muslin::integrate::mixed::{Elastic, Mixed, Scheme, VelocityUpdate};
use muslin::linalg::Preconditioner;
use muslin::sim::Dynamics;

/// The dynamics a scene asks for.
pub fn dynamics(scene: &SceneSpec) -> Result<Dynamics, RunError> {
    let solver = &scene.solver;
    let elastic = match solver.dynamics {
        spec::Dynamics::Implicit => return Ok(Dynamics::Implicit { rule: rule(solver)? }),
        spec::Dynamics::Mixed => Elastic::Triangles,
        spec::Dynamics::Springs => Elastic::Springs,
        spec::Dynamics::Sparse | spec::Dynamics::Curtain => {
            let what = format!("dynamics = {:?}", solver.dynamics).to_lowercase();
            let remedy = "use \"implicit\", \"mixed\" or \"springs\"";
            return Err(RunError::unsupported("solver", &what, remedy));
        }
    };
    let scheme = match solver.scheme {
        spec::Scheme::A => Scheme::A,
        spec::Scheme::B => Scheme::B,
        spec::Scheme::C => Scheme::C,
    };
    let update = match scene.contact.velocity_update {
        spec::VelocityUpdate::Auto | spec::VelocityUpdate::Implicit => VelocityUpdate::Implicit,
        spec::VelocityUpdate::Explicit => VelocityUpdate::Marched,
        spec::VelocityUpdate::None => VelocityUpdate::Kept,
    };
    Ok(Dynamics::Mixed(Mixed { scheme, elastic, update }))
}

fn rule(solver: &spec::Solver) -> Result<Rule, RunError> {
    match solver.integrator {
        Integrator::Auto | Integrator::TrBdf2 => Ok(Rule::TrBdf2),
        Integrator::BackwardEuler => Ok(Rule::BackwardEuler),
        other => {
            let what = format!("integrator = {other:?}").to_lowercase();
            let remedy = "use \"tr-bdf2\" or \"backward-euler\"";
            Err(RunError::unsupported("solver", &what, remedy))
        }
    }
}

/// The preconditioner a scene asks for (BW9); `None` leaves the choice to the size of the mesh.
pub fn preconditioner(asked: spec::Preconditioner) -> Result<Option<Preconditioner>, RunError> {
    match asked {
        spec::Preconditioner::Auto => Ok(None),
        spec::Preconditioner::BlockJacobi => Ok(Some(Preconditioner::BlockJacobi)),
        spec::Preconditioner::BlockIc => Ok(Some(Preconditioner::IncompleteCholesky)),
        spec::Preconditioner::Multilevel => Ok(Some(Preconditioner::TwoLevel)),
        spec::Preconditioner::Direct => {
            let what = "preconditioner = \"direct\"";
            let remedy = "use \"auto\", \"block-jacobi\", \"block-ic\" or \"multilevel\"";
            Err(RunError::unsupported("solver", what, remedy))
        }
    }
}

/// The cloth with the springs, masses, bending element and limits the scene asks for.
pub fn prepare(
    cloth: Cloth,
    piece: &Piece,
    fabric: &Fabric,
    spec: &spec::Cloth,
    scene: &SceneSpec,
) -> Result<Cloth, RunError> {
    let solver = &scene.solver;
    let mut cloth = cloth.with_bend_form(match (solver.bend_element, solver.dynamics) {
        (BendElement::HalfSine, _) | (BendElement::Auto, spec::Dynamics::Mixed) => {
            BendForm::HalfSine
        }
        _ => BendForm::Angle,
    });
    if solver.literal && solver.dynamics == spec::Dynamics::Springs {
        let what = "literal = true with \"springs\" dynamics";
        return Err(RunError::unsupported(
            "solver",
            what,
            "use \"implicit\" or \"mixed\" dynamics",
        ));
    }
    if solver.literal {
        cloth = cloth.with_literal_areas();
    }
    if solver.masses == MassSpread::Equal {
        cloth = cloth.with_equal_masses();
    }
    let rate = spec.fabric.strain_rate_limit.unwrap_or(solver.strain_rate_limit).value();
    cloth = cloth.with_rate_limit(rate.unwrap_or(f64::INFINITY));
    if solver.dynamics == spec::Dynamics::Springs {
        refuse_paint(spec)?;
        cloth = cloth.with_springs(springs(&piece.mesh, fabric, layout(spec)));
    }
    Ok(cloth)
}

/// Rows and columns where there are any.
fn layout(spec: &spec::Cloth) -> Layout {
    let counts = |n: [u32; 2]| n.map(|n| n as usize);
    match spec.shape() {
        Some(ClothShape::Grid(g)) if g.diagonals != Diagonals::Irregular => {
            Layout::Grid { vertices: counts(g.vertices) }
        }
        Some(ClothShape::Strip(s)) if s.diagonals != Diagonals::Irregular => {
            Layout::Grid { vertices: counts(s.cells.map(|n| n + 1)) }
        }
        _ => Layout::Mesh,
    }
}

/// Springs are the same all over a cloth.
fn refuse_paint(spec: &spec::Cloth) -> Result<(), RunError> {
    let painted = |paint: &Paint| !matches!(paint, Paint::Number(_));
    let directional = |pair: &Option<spec::Directional>| {
        pair.as_ref().is_some_and(|pair| painted(&pair.u) || painted(&pair.v))
    };
    let fabric = &spec.fabric;
    let used = [
        (directional(&fabric.stretch), "a painted `stretch`"),
        (fabric.shear.as_ref().is_some_and(painted), "a painted `shear`"),
        (directional(&fabric.bending), "a painted `bending`"),
        (spec.shrink.is_some(), "`shrink`"),
    ];
    match used.iter().find(|(used, _)| *used) {
        Some((_, what)) => {
            let place = format!("cloth `{}`", spec.name);
            let what = format!("{what} with \"springs\" dynamics");
            Err(RunError::unsupported(&place, &what, "use \"mixed\" or \"implicit\" dynamics"))
        }
        None => Ok(()),
    }
}
