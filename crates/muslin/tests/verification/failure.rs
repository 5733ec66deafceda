//! R5: a step that cannot be taken says so and leaves the state as it was.

use crate::common::{bare, cloth, grid, limp};
use muslin::contact::ContactParams;
use muslin::integrate::implicit::Rule;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::sim::{Params, Simulation, State, StepError};

/// The bits of all positions and velocities.
fn bits(state: &State) -> Vec<u64> {
    let numbers = state.x.iter().chain(&state.v).copied().flat_map(Into::<[f64; 3]>::into);
    numbers.map(f64::to_bits).collect()
}

#[test]
fn r5_numbers_that_are_not_finite_stop_the_step_and_change_nothing() {
    let sheet = grid([0.3, 0.3], [7, 7], Diagonals::Alternating);
    for contact in [None, Some(ContactParams::default())] {
        for rule in [Rule::BackwardEuler, Rule::TrBdf2] {
            for bad in [f64::NAN, f64::INFINITY, 1e300] {
                let mut v = vec![Vec3::ZERO; 49];
                v[24].z = bad;
                let start = State::new(sheet.positions.clone(), v);
                let before = bits(&start);
                let params = Params { contact, ..bare(rule, 1e-3) };
                let made = cloth(&sheet, &limp(100.0));
                let mut simulation = Simulation::new(made, vec![], vec![], start, params);
                let result = simulation.step(0.01);
                if bad == 1e300 && result.is_ok() {
                    assert_eq!(simulation.state.first_non_finite(), None);
                    continue;
                }
                let named =
                    matches!(result, Err(StepError::Diverged { .. } | StepError::Colliding { .. }));
                assert!(named, "{rule:?}, {bad}: {result:?}");
                assert_eq!(before, bits(&simulation.state));
                assert_eq!(simulation.state.time, 0.0);
            }
        }
    }
}
