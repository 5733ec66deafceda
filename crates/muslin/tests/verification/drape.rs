//! A drape over a sphere: the same bits on any number of threads, with and without scratch (R4).

use crate::common::{at_rest, cloth, grid, vacuum};
use muslin::body::{Body, BodyMotion, Shape, shape};
use muslin::cloth::Cloth;
use muslin::fabric::Fabric;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::motion::Motion;
use muslin::sim::{Params, Simulation, State};

const DT: f64 = 1.0 / 60.0;

fn sphere(radius: f64) -> Body {
    Body {
        shape: Shape::Sphere(radius),
        mesh: shape::sphere(radius, 0.3 * radius),
        motion: BodyMotion::Rigid(Motion::default()),
        friction: None,
    }
}

/// Sheets of 50 cm, one above the other, about to fall on a sphere of 15 cm.
fn drape(vertices: usize, layers: usize) -> Simulation {
    let fabric = Fabric::named("cotton poplin").unwrap();
    let sheet = grid([0.5, 0.5], [vertices; 2], Diagonals::Alternating);
    let layer = cloth(&sheet, &fabric);
    let made = Cloth::join(&vec![&layer; layers]);
    let x = (0..layers).flat_map(|k| {
        let place = Vec3::new(0.013, 0.007, 0.16 + 0.02 * k as f64);
        sheet.positions.iter().map(move |p| *p + place)
    });
    let params = Params { forecast: vacuum(), ..Params::default() };
    Simulation::new(made, vec![sphere(0.15)], vec![], at_rest(x.collect()), params)
}

fn bits(state: &State) -> Vec<u64> {
    let numbers = state.x.iter().chain(&state.v).copied().flat_map(Into::<[f64; 3]>::into);
    numbers.map(f64::to_bits).collect()
}

const STEPS: usize = 36;

#[test]
fn r4_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = drape(15, 2);
            let mut near = 0;
            for _ in 0..STEPS {
                near += simulation.step(DT).unwrap().contact.near;
            }
            (simulation.state, near)
        })
    };
    let (alone, near) = run(1);
    assert!(near > 1000, "only {near} contacts: this tests nothing");
    for threads in [2, 8] {
        let (state, _) = run(threads);
        assert_eq!(bits(&alone), bits(&state), "{threads} threads");
        assert_eq!(alone, state, "{threads} threads");
    }
}

/// Everything the next step reads is in the state: a new simulation before every step changes no bit.
#[test]
fn r4_scratch_changes_no_bit() {
    let mut kept = drape(15, 2);
    let mut renewed = drape(15, 2);
    for step in 0..STEPS {
        kept.step(DT).unwrap();
        let Simulation { cloth, bodies, pins, params, state, .. } = renewed;
        renewed = Simulation::new(cloth, bodies, pins, state, params);
        renewed.step(DT).unwrap();
        assert_eq!(bits(&kept.state), bits(&renewed.state), "step {step}");
        assert_eq!(kept.state, renewed.state, "step {step}");
    }
}
