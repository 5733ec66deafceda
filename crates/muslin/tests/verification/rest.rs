//! At rest means at rest (V16): cloth that lies on itself and on bodies, with the fabric's damping alone.

use crate::common::{at_rest, cloth, grid, limp, vacuum};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::cloth::{Cloth, Maps};
use muslin::fabric::{Fabric, Relaxation};
use muslin::math::{Quat, Vec3};
use muslin::mesh::{Diagonals, TriMesh};
use muslin::motion::Motion;
use muslin::sim::{Params, Simulation};

const DT: f64 = 1.0 / 96.0;

/// A body that stays where it is.
fn body(shape: Shape) -> Body {
    let motion = BodyMotion::Rigid(Motion::default());
    Body { shape, mesh: BodyMesh::default(), motion, friction: Some([0.5; 2]) }
}

/// A ribbon that stands upright and falls down on the ground in folds.
fn ribbon() -> Simulation {
    let ground = body(Shape::Plane(Vec3::Z));
    let sheet = grid([0.8, 0.08], [65, 7], Diagonals::Alternating);
    let turn = Quat::from_rotation_y(-1.55);
    let x = sheet.positions.iter().map(|p| turn * *p + Vec3::new(0.0, 0.0, 0.42)).collect();
    let params = Params { forecast: vacuum(), ..Params::default() };
    let made = cloth(&sheet, &Fabric::named("cotton poplin").unwrap());
    Simulation::new(made, vec![ground], vec![], at_rest(x), params)
}

/// Largest kinetic energy between two times \[s\] over its peak since the start, and how many pairs of the cloth press on
/// each other in the end.
fn left_over(simulation: &mut Simulation, [from, until]: [usize; 2]) -> (f64, usize) {
    let (mut peak, mut late, mut pairs) = (0.0_f64, 0.0_f64, 0);
    for step in 0..until * 96 {
        let report = simulation.step(DT).unwrap();
        let kinetic = simulation.energy().kinetic;
        peak = peak.max(kinetic);
        if step >= from * 96 {
            late = late.max(kinetic);
        }
        pairs = report.pair_forces.len();
    }
    println!("{:.1e} of the peak, {pairs} pairs of the cloth press on each other", late / peak);
    (late / peak, pairs)
}

/// Once its folds lie on each other, kinetic energy stays below 1e-6 of its peak; the bound is a tenth of that, because
/// without the loads that pairs carry from step to step it is 3e-7 here, and more where more presses.
#[test]
fn v16_a_folded_ribbon_comes_to_rest() {
    let (left, pairs) = left_over(&mut ribbon(), [4, 6]);
    assert!(pairs > 50, "only {pairs} pairs: this tests nothing");
    assert!(left < 1e-7, "{left:.1e} of the peak");
}

/// A square sheet over others.
struct Layer {
    size: f64,
    vertices: usize,
    /// Angle about the vertical \[rad\].
    turn: f64,
    height: f64,
}

/// Sheets above the ground, in one cloth.
fn layers(fabric: &str, layers: &[Layer]) -> Simulation {
    let (mut x, mut triangles, mut uv) = (Vec::new(), Vec::new(), Vec::new());
    for Layer { size, vertices, turn, height } in layers {
        let sheet = grid([*size; 2], [*vertices; 2], Diagonals::Alternating);
        let first = x.len() as u32;
        let turn = Quat::from_rotation_z(*turn);
        x.extend(sheet.positions.iter().map(|p| turn * *p + Vec3::Z * *height));
        triangles.extend(sheet.mesh.triangles().iter().map(|t| t.map(|v| v + first)));
        uv.extend_from_slice(sheet.mesh.uv());
    }
    let mesh = TriMesh::new(x.len(), triangles, uv).unwrap();
    let made = Cloth::new(&mesh, &Fabric::named(fabric).unwrap(), &Maps::default()).unwrap();
    let params = Params { forecast: vacuum(), ..Params::default() };
    Simulation::new(made, vec![body(Shape::Plane(Vec3::Z))], vec![], at_rest(x), params)
}

/// Five sheets dropped on each other, each turned against the one below.
fn stack() -> Simulation {
    let sheets = (0..5).map(f64::from).map(|k| {
        let (turn, height) = (0.65 * k, 0.05 + 0.06 * k);
        Layer { size: 0.5, vertices: 14, turn, height }
    });
    layers("linen", &sheets.collect::<Vec<_>>())
}

/// Pairs of stacked cloth share its weight by chance. They used to take turns in carrying it, in every solve, and that kept
/// the sheets moving for ever.
#[test]
fn v16_a_stack_of_sheets_comes_to_rest() {
    let (left, pairs) = left_over(&mut stack(), [3, 4]);
    assert!(pairs > 200, "only {pairs} pairs: this tests nothing");
    assert!(left < 1e-6, "{left:.1e} of the peak");
}

/// A small sheet laid on a larger one, both near the ground. Stopping all that is near once more after the solve, and lifting it
/// by its thickness springs a second time, kept them trembling with a tenth of their peak for ever.
#[test]
fn v16_a_small_sheet_laid_on_another_comes_to_rest() {
    let lower = Layer { size: 0.2, vertices: 9, turn: 0.0, height: 0.002 };
    let upper = Layer { size: 0.12, vertices: 6, turn: 0.35, height: 0.005 };
    let (left, pairs) = left_over(&mut layers("cotton poplin", &[lower, upper]), [2, 3]);
    assert!(pairs > 20, "only {pairs} pairs: this tests nothing");
    assert!(left < 1e-10, "{left:.1e} of the peak");
}

/// A stretched sheet let go on the ground slips together until friction holds it: no vertex that has come to rest is
/// held with more than `μN`. One that was put back to where a step began, after it had slipped in that step, was held
/// with many times that for ever.
#[test]
fn v16_a_stretched_sheet_slips_until_friction_holds_it() {
    let sheet = grid([0.4, 0.4], [24, 24], Diagonals::Alternating);
    let fabric = Fabric {
        density: 0.15,
        shear: 1000.0,
        bending: [1e-5; 2],
        friction_static: 0.4,
        friction_kinetic: 0.4,
        ..limp(1000.0)
    };
    let made = cloth(&sheet, &fabric.with_relaxation(Relaxation::STANDARD));
    let stretch = |p: &Vec3| Vec3::new(1.02 * p.x, 1.01 * p.y, 0.95 * made.thickness[0]);
    let x = sheet.positions.iter().map(stretch).collect();
    let params = Params { forecast: vacuum(), ..Params::default() };
    let ground = body(Shape::Plane(Vec3::Z));
    let mut simulation = Simulation::new(made, vec![ground], vec![], at_rest(x), params);
    let (mut peak, mut late, mut overload) = (0.0_f64, 0.0_f64, 0.0_f64);
    for step in 0..4 * 96 {
        let report = simulation.step(DT).unwrap();
        let kinetic = simulation.energy().kinetic;
        peak = peak.max(kinetic);
        if step >= 3 * 96 {
            late = late.max(kinetic);
            let ratio = |(_, f): &(u32, Vec3)| f.truncate().length() / (0.5 * f.z.max(1e-12));
            overload = report.contact_forces.iter().map(ratio).fold(overload, f64::max);
        }
    }
    println!("{:.1e} of the peak, at most {overload:.3} of friction", late / peak);
    assert!(late < 1e-6 * peak, "{:.1e} of the peak", late / peak);
    assert!(overload < 1.001, "{overload} times friction");
}
