//! The operator against the assembled matrix, bounds against the real thing, marching against closed forms.

use super::*;
use crate::cloth::Maps;
use crate::fabric::Fabric;
use crate::force::air::Air;
use crate::force::hinge::BendForm;
use crate::force::spring::{Layout, springs};
use crate::force::{Linearised, System};
use crate::linalg::Constraint;
use crate::math::Random;
use crate::mesh::{Diagonals, Sheet};

fn fabric() -> Fabric {
    let base = Fabric::named("muslin").unwrap();
    Fabric { stretch: [1200.0, 700.0], shear: 90.0, ..base }
        .with_relaxation(crate::fabric::Relaxation { stretch: 0.001, shear: 0.004, bend: 0.01 })
}

fn vector(random: &mut Random, size: f64) -> Vec3 {
    Vec3::new(random.between(-size, size), random.between(-size, size), random.between(-size, size))
}

/// A small sheet, bent and stretched, moving at random.
fn rumpled(elastic: Elastic) -> (Cloth, Vec<Vec3>, Vec<Vec3>) {
    let mut random = Random::new(9);
    let sheet = Sheet::grid([0.3, 0.2], [5, 4], Diagonals::Irregular(3)).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    let mut cloth = cloth.with_bend_form(BendForm::HalfSine);
    if elastic == Elastic::Springs {
        cloth = cloth.with_springs(springs(&sheet.mesh, &fabric(), Layout::Mesh));
    }
    let x = sheet.positions.iter().map(|p| *p + vector(&mut random, 0.02)).collect();
    let v = sheet.positions.iter().map(|_| vector(&mut random, 0.5)).collect();
    (cloth, x, v)
}

fn total(forces: &mut Forces, cloth: &Cloth, v: &[Vec3]) -> Vec<Vec3> {
    let mut image = vec![Vec3::ZERO; v.len()];
    forces.damp(cloth, v, &mut image);
    forces.free.iter().zip(&image).map(|(f, d)| *f - *d).collect()
}

/// MF2: `free − D v` is the force the implicit dynamics assembles, air included.
#[test]
fn mf2_the_operator_is_the_assembled_force() {
    let (cloth, x, v) = rumpled(Elastic::Triangles);
    let air = Air { wind: Vec3::new(1.0, -2.0, 0.5), lift: 0.3, ..Air::default() };
    let mut forces = Forces::new(&cloth, Elastic::Triangles);
    forces.evaluate(&cloth, &At { x: &x, v: &v, air: Some(&air), winds: &[] });
    let ours = total(&mut forces, &cloth, &v);
    let mut system = System::new(&cloth);
    let shift = vec![Vec3::ZERO; x.len()];
    let at = Linearised { x: &x, v: &v, shift: &shift, air: Some(&air), winds: &[], beta: 0.01 };
    system.assemble(&cloth, &at);
    let scale = system.force.iter().map(|f| f.length()).fold(0.0, f64::max);
    for (ours, theirs) in ours.iter().zip(&system.force) {
        assert!((*ours - *theirs).length() < 1e-12 * scale, "{ours} is not {theirs}");
    }
}

/// V1, V2: `D` is symmetric and takes energy; all forces keep linear and angular momentum.
#[test]
fn v2_forces_keep_momentum_and_damping_is_symmetric() {
    for elastic in [Elastic::Triangles, Elastic::Springs] {
        let (cloth, x, v) = rumpled(elastic);
        let mut forces = Forces::new(&cloth, elastic);
        forces.evaluate(&cloth, &At { x: &x, v: &v, air: None, winds: &[] });
        let f = total(&mut forces, &cloth, &v);
        let size: f64 = f.iter().map(|f| f.length()).sum();
        let force: Vec3 = f.iter().sum();
        let torque: Vec3 = x.iter().zip(&f).map(|(x, f)| x.cross(*f)).sum();
        assert!(size > 1.0 && force.length() < 1e-12 * size && torque.length() < 1e-12 * size);
        let mut random = Random::new(2);
        let w: Vec<Vec3> = x.iter().map(|_| vector(&mut random, 1.0)).collect();
        let mut image = [vec![Vec3::ZERO; x.len()], vec![Vec3::ZERO; x.len()]];
        forces.damp(&cloth, &v, &mut image[0]);
        forces.damp(&cloth, &w, &mut image[1]);
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let (vw, wv, vv) = (dot(&w, &image[0]), dot(&v, &image[1]), dot(&v, &image[0]));
        assert!((vw - wv).abs() < 1e-12 * vv && vv > 0.0);
    }
}

/// The largest eigenvalue of `M⁻¹A` by power iteration, from below.
fn largest_eigenvalue(cloth: &Cloth, mut apply: impl FnMut(&[Vec3]) -> Vec<Vec3>) -> f64 {
    let mut random = Random::new(6);
    let mut v: Vec<Vec3> = cloth.mass.iter().map(|_| vector(&mut random, 1.0)).collect();
    let mut value = 0.0;
    for _ in 0..3000 {
        let size = v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        for v in &mut v {
            *v /= size;
        }
        let image: Vec<Vec3> = apply(&v).iter().zip(&cloth.mass).map(|(a, m)| *a / *m).collect();
        value = image.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        v = image;
    }
    value
}

#[test]
fn bf12_the_damping_rate_is_a_bound() {
    for elastic in [Elastic::Triangles, Elastic::Springs] {
        let (cloth, x, v) = rumpled(elastic);
        let mut forces = Forces::new(&cloth, elastic);
        forces.evaluate(&cloth, &At { x: &x, v: &v, air: Some(&Air::default()), winds: &[] });
        let bound = forces.damping_rate(&cloth);
        let mut image = vec![Vec3::ZERO; x.len()];
        let exact = largest_eigenvalue(&cloth, |v| {
            forces.damp(&cloth, v, &mut image);
            image.clone()
        });
        assert!(exact <= bound && bound < 4.0 * exact, "{exact} 1/s, bound {bound}");
    }
}

/// MF1: the step is at most `2/ω_max`, with ω of the sheet at rest by differences of the force and power
/// iteration, and not needlessly short; also where bending or shear is what is stiff, for equal masses, and
/// for springs.
#[test]
fn mf1_the_stable_step_is_below_two_over_omega() {
    let bases = [
        Fabric { shear: 0.0, bending: [0.0; 2], ..fabric() },
        Fabric { shear: 3000.0, bending: [0.0; 2], ..fabric() },
        Fabric { bending: [0.02; 2], ..fabric() },
    ];
    for base in bases {
        for elastic in [Elastic::Triangles, Elastic::Springs] {
            let sheet = Sheet::grid([0.3, 0.2], [7, 5], Diagonals::Alternating).unwrap();
            let cloth = Cloth::new(&sheet.mesh, &base, &Maps::default()).unwrap();
            let layout = Layout::Grid { vertices: [7, 5] };
            let cloth = cloth.with_springs(springs(&sheet.mesh, &base, layout)).with_equal_masses();
            let mut forces = Forces::new(&cloth, elastic);
            let still = vec![Vec3::ZERO; cloth.vertex_count()];
            let mut force = |x: &[Vec3]| {
                forces.evaluate(&cloth, &At { x, v: &still, air: None, winds: &[] });
                forces.free.clone()
            };
            let squared = largest_eigenvalue(&cloth, |v| {
                let moved = |s: f64| -> Vec<Vec3> {
                    sheet.positions.iter().zip(v).map(|(x, v)| *x + *v * s).collect()
                };
                let (low, high) = (force(&moved(-1e-6)), force(&moved(1e-6)));
                low.iter().zip(&high).map(|(low, high)| (*low - *high) / 2e-6).collect()
            });
            let (ours, exact) = (stable_step(&cloth, elastic), 2.0 / squared.sqrt());
            println!("{elastic:?}: stable step {ours:.3e} s of {exact:.3e} s");
            assert!(ours < exact && ours > 0.35 * exact, "{elastic:?}: {ours} s of {exact} s");
        }
    }
}

/// MF1 in closed form: `√⅔ Δx √(ρ/k)` and its safety, for right triangles without shear and bending.
#[test]
fn mf1_the_constant_of_the_stable_step() {
    let base = Fabric { stretch: [1000.0; 2], shear: 0.0, bending: [0.0; 2], ..fabric() };
    let sheet = Sheet::grid([1.0, 1.0], [21, 21], Diagonals::Regular).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &base, &Maps::default()).unwrap();
    let exact = 0.9 * (2.0f64 / 3.0).sqrt() * 0.05 * (base.density / 1000.0).sqrt();
    let found = stable_step(&cloth, Elastic::Triangles);
    // The eigenvalue is found from above, to 3^(1/64).
    assert!(found <= exact && found > exact / 1.01, "{found} s, not {exact} s");
}

/// A cell with hardly any elasticity (damping comes in proportion to it) whose upper edge is held: each lower corner decays alone at a rate λ along y.
fn damper() -> (Cloth, Vec<Vec3>, Filter, f64) {
    let still = Fabric {
        stretch: [1e-12; 2],
        shear: 0.0,
        bending: [0.0; 2],
        stretch_damping: 3.0,
        shear_damping: 0.0,
        bend_damping: 0.0,
        ..fabric()
    };
    let sheet = Sheet::grid([0.1, 0.1], [2, 2], Diagonals::Regular).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &still, &Maps::default()).unwrap();
    let held = [2, 3].map(|v| Constraint::point(v, Vec3::ZERO)).to_vec();
    // Half the cell's area pulls at each corner: k_d A/2 / height².
    let rate = 0.5 * still.stretch_damping / cloth.mass[0];
    (cloth, sheet.positions, Filter::new(held), rate)
}

/// BF12: implicit gives `v/(1 + βλ)`, marching in M substeps `v/(1 + βλ/M)^M`, both to the tolerance.
#[test]
fn bf12_marched_and_implicit_updates() {
    let (cloth, x, filter, rate) = damper();
    let mut forces = Forces::new(&cloth, Elastic::Triangles);
    let base = vec![Vec3::new(0.0, -1.0, 0.0), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
    forces.evaluate(&cloth, &At { x: &x, v: &base, air: None, winds: &[] });
    for times in [0.1, 3.0, 40.0] {
        let beta = times / rate;
        let tolerance = Tolerance { relative: 1e-12, max_iterations: 100 };
        let half = HalfStep {
            cloth: &cloth,
            beta,
            gravity: Vec3::ZERO,
            base: &base,
            filter: &filter,
            tolerance,
        };
        let (v, solve) = half.solve(&mut forces, &mut Buffers::default(), None);
        assert!(solve.converged && (v[0].y + 1.0 / (1.0 + times)).abs() < 1e-10);
        let (v, marched) = half.march(&mut forces);
        let count = (2.0 * beta * forces.damping_rate(&cloth)).ceil();
        let exact = (1.0 + times / count).powf(-count);
        assert!(marched.converged && (v[0].y + exact).abs() < 1e-10, "{} {exact}", v[0].y);
    }
}

/// MF2: from any guess, even a wild one, the solve ends at the same velocity, in no more iterations than from a
/// good one plus those the guess is wrong by: a guess that is the solution costs none.
#[test]
fn mf2_the_start_is_the_best_on_the_line_to_the_guess() {
    let (cloth, x, v) = rumpled(Elastic::Triangles);
    let mut forces = Forces::new(&cloth, Elastic::Triangles);
    forces.evaluate(&cloth, &At { x: &x, v: &v, air: None, winds: &[] });
    let half = HalfStep {
        cloth: &cloth,
        beta: 0.005,
        gravity: Vec3::NEG_Z * 9.81,
        base: &v,
        filter: &Filter::new(vec![Constraint::point(0, Vec3::X)]),
        tolerance: Tolerance { relative: 1e-10, max_iterations: 1000 },
    };
    let work = &mut Buffers::default();
    let (exact, plain) = half.solve(&mut forces, work, None);
    assert!(plain.converged && plain.iterations > 10, "{plain:?}");
    let (_, again) = half.solve(&mut forces, work, Some(&exact));
    assert!(again.converged && again.iterations <= 1, "{again:?}");
    // As far beyond the base as the solution lies before it: on the same line.
    let beyond: Vec<Vec3> = v.iter().zip(&exact).map(|(v, e)| *v * 2.0 - *e).collect();
    let (_, along) = half.solve(&mut forces, work, Some(&beyond));
    assert!(along.converged && along.iterations <= plain.iterations, "{along:?}");
    let mut random = Random::new(4);
    let wild: Vec<Vec3> = v.iter().map(|_| vector(&mut random, 1e3)).collect();
    let (found, _) = half.solve(&mut forces, work, Some(&wild));
    let apart = found.iter().zip(&exact).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart < 1e-7, "{apart} m/s apart");
}

/// MF2: the last solve of a step foresees the first one of the next, whose matrix is the same: from there a few
/// iterations are left, and the result is the one of any other start.
#[test]
fn mf2_the_last_solve_of_a_step_foresees_the_first_of_the_next() {
    let (cloth, x, v) = rumpled(Elastic::Triangles);
    let mut forces = Forces::new(&cloth, Elastic::Triangles);
    forces.evaluate(&cloth, &At { x: &x, v: &v, air: None, winds: &[] });
    let filter = Filter::new(vec![Constraint::point(0, Vec3::ZERO)]);
    let tolerance = Tolerance { relative: 1e-6, max_iterations: 1000 };
    let gravity = Vec3::NEG_Z * 9.81;
    let (cloth, filter) = (&cloth, &filter);
    let first = HalfStep { cloth, beta: 0.005, gravity, base: &v, filter, tolerance };
    let work = &mut Buffers::default();
    let (end, last) = first.solve(&mut forces, work, None);
    let foreseen = first.foresee(work, &end);
    let next = HalfStep { base: &end, ..first };
    let (plain, from_end) = next.solve(&mut forces, work, None);
    let (found, from_foreseen) = next.solve(&mut forces, work, Some(&foreseen));
    assert!(last.converged && from_end.converged && from_foreseen.converged);
    let [plain_count, count] = [from_end.iterations, from_foreseen.iterations];
    assert!(count * 10 <= plain_count * 7, "{count} iterations, {plain_count} without foresight");
    let apart = found.iter().zip(&plain).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let moved = plain.iter().zip(&end).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart < 1e-4 * moved, "{apart} m/s apart of {moved} m/s");
}
