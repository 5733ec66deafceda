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
        let mass = Precondition::new(&cloth, Elastic::Triangles, &forces);
        let (v, solve) = half.solve(&mut forces, &mut Buffers::default(), &mass);
        assert!(solve.converged && (v[0].y + 1.0 / (1.0 + times)).abs() < 1e-10);
        let (v, marched) = half.march(&mut forces);
        let count = (2.0 * beta * forces.damping_rate(&cloth)).ceil();
        let exact = (1.0 + times / count).powf(-count);
        assert!(marched.converged && (v[0].y + exact).abs() < 1e-10, "{} {exact}", v[0].y);
    }
}

/// MF2: what the factor is made of is the operator, air apart.
#[test]
fn mf2_the_assembled_matrix_is_the_operator() {
    for elastic in [Elastic::Triangles, Elastic::Springs] {
        let (cloth, x, v) = rumpled(elastic);
        let mut forces = Forces::new(&cloth, elastic);
        let mut assembled = forces::matrix::Assembled::new(&cloth, elastic);
        let beta = 0.003;
        forces.assemble(&cloth, &x, beta, &mut assembled);
        let mut image = [vec![Vec3::ZERO; x.len()], vec![Vec3::ZERO; x.len()]];
        forces.damp(&cloth, &v, &mut image[0]);
        assembled.matrix.multiply(&v, &mut image[1]);
        let scale = image[1].iter().map(|f| f.length()).fold(0.0, f64::max);
        for (i, v) in v.iter().enumerate() {
            let ours = *v * cloth.mass[i] + image[0][i] * beta;
            assert!(ours.distance(image[1][i]) < 1e-12 * scale && scale > 0.0);
        }
    }
}

/// MF2: with a factor, fresh or of a sheet that lay elsewhere, the solve ends where it does by the mass alone, in a
/// fraction of the iterations; pins hold exactly.
#[test]
fn mf2_a_factor_saves_iterations_and_changes_no_solution() {
    let sheet = Sheet::grid([0.5, 0.5], [16, 16], Diagonals::Alternating).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    let mut random = Random::new(5);
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p + vector(&mut random, 0.004)).collect();
    let v: Vec<Vec3> = x.iter().map(|_| vector(&mut random, 0.5)).collect();
    let mut forces = Forces::new(&cloth, Elastic::Triangles);
    let held = Filter::new(vec![Constraint::point(0, Vec3::X)]);
    for filter in [Filter::default(), held] {
        let half = HalfStep {
            cloth: &cloth,
            beta: 0.002,
            gravity: Vec3::NEG_Z * 9.81,
            base: &v,
            filter: &filter,
            tolerance: Tolerance { relative: 1e-8, max_iterations: 1000 },
        };
        let mut solve = |reference: Option<&[Vec3]>| {
            let mut precondition = Precondition::new(&cloth, Elastic::Triangles, &forces);
            if let Some(x) = reference {
                precondition.begin(&cloth, &mut forces, None, x, half.beta);
            }
            forces.evaluate(&cloth, &At { x: &x, v: &v, air: Some(&Air::default()), winds: &[] });
            half.solve(&mut forces, &mut Buffers::default(), &precondition)
        };
        let (by_mass, plain) = solve(None);
        let (by_fresh, fresh) = solve(Some(&x));
        let (by_old, old) = solve(Some(&sheet.positions));
        assert!(plain.converged && fresh.converged && old.converged);
        assert!(3 * fresh.iterations < plain.iterations, "{fresh:?}, {plain:?}");
        assert!(old.iterations < plain.iterations, "{old:?}, {plain:?}");
        // `e = A⁻¹r` and `A ≥ M`: the mass norm of an error is at most `√(rᵀM⁻¹r)`, 1e-8 of that at the start.
        let mut start = v.clone();
        filter.prescribe(&mut start);
        let mut first = total(&mut forces, &cloth, &start);
        for (i, f) in first.iter_mut().enumerate() {
            *f = (v[i] - start[i] + half.gravity * half.beta) * cloth.mass[i] + *f * half.beta;
        }
        filter.apply(&mut first);
        let norm = |list: &[Vec3], weight: &dyn Fn(f64) -> f64| {
            let parts = list.iter().zip(&cloth.mass).map(|(a, m)| a.length_squared() * weight(*m));
            parts.sum::<f64>().sqrt()
        };
        let bound = 2e-8 * norm(&first, &|m| 1.0 / m);
        for other in [by_fresh, by_old] {
            let apart: Vec<Vec3> = other.iter().zip(&by_mass).map(|(a, b)| *a - *b).collect();
            assert!(norm(&apart, &|m| m) < bound);
        }
    }
}

/// R3: a work space made anew before any step changes no bit, though the factor of the old one was several steps
/// old; it is renewed when it has cost more than a new one.
#[test]
fn r3_the_factor_is_made_again_from_the_state() {
    let sheet = Sheet::grid([0.3, 0.3], [8, 8], Diagonals::Alternating).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    let params = crate::sim::Params {
        dynamics: crate::sim::Dynamics::Mixed(Mixed::default()),
        contact: None,
        ..crate::sim::Params::default()
    };
    let pins = vec![crate::pin::Pin::fixed(0)];
    let fresh = |state: crate::sim::State| {
        crate::sim::Simulation::new(cloth.clone(), Vec::new(), pins.clone(), state, params.clone())
    };
    let spin = |p: &Vec3| Vec3::new(-p.y, p.x, 0.3 * p.x).cross(Vec3::Y) * 30.0;
    let v = sheet.positions.iter().map(spin).collect();
    let mut kept = fresh(crate::sim::State::new(sheet.positions.clone(), v));
    let (dt, mut renewals, mut last) = (1e-4, 0, None);
    for step in 0..300 {
        let anew = (step % 7 == 3).then(|| fresh(kept.state.clone()));
        kept.step(dt).unwrap();
        if let Some(mut anew) = anew {
            anew.step(dt).unwrap();
            assert_eq!(anew.state, kept.state, "step {step}");
        }
        let reference = kept.state.previous.clone().and_then(|p| p.reference).unwrap();
        renewals += usize::from(last.as_ref() != Some(&reference.x));
        last = Some(reference.x);
    }
    assert!((2..100).contains(&renewals), "{renewals} factors in 300 steps");
}
