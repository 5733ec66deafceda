//! Sheets, fabrics and settings the tests share.

use muslin::cloth::{Cloth, Maps};
use muslin::fabric::Fabric;
use muslin::integrate::implicit::Rule;
use muslin::linalg::Tolerance;
use muslin::math::Vec3;
use muslin::mesh::{Diagonals, Sheet};
use muslin::pin::Pin;
use muslin::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};

/// Gravity \[m/s²\].
pub const G: f64 = 9.81;

/// An ideal sheet: it stretches by `stretch` \[N/m\], weighs 0.2 kg/m², and does nothing else.
pub fn limp(stretch: f64) -> Fabric {
    Fabric {
        density: 0.2,
        thickness: 5e-4,
        stretch: [stretch; 2],
        shear: 0.0,
        bending: [0.0; 2],
        stretch_damping: 0.0,
        shear_damping: 0.0,
        bend_damping: 0.0,
        friction_static: 0.0,
        friction_kinetic: 0.0,
        strain_limit: f64::INFINITY,
        compression_limit: f64::INFINITY,
    }
}

/// A rectangle of `size` \[m\].
pub fn grid(size: [f64; 2], vertices: [usize; 2], diagonals: Diagonals) -> Sheet {
    Sheet::grid(size, vertices, diagonals).unwrap()
}

/// The sheet made of a fabric.
pub fn cloth(sheet: &Sheet, fabric: &Fabric) -> Cloth {
    Cloth::new(&sheet.mesh, fabric, &Maps::default()).unwrap()
}

/// Gravity downwards, no air.
pub fn vacuum() -> Forecast {
    Forecast::Constant(Weather { gravity: Vec3::new(0.0, 0.0, -G), air: None, winds: Vec::new() })
}

/// Nothing but internal forces and gravity, solved to `relative`.
pub fn bare(rule: Rule, relative: f64) -> Params {
    Params {
        forecast: vacuum(),
        dynamics: Dynamics::Implicit { rule },
        tolerance: Tolerance { relative, max_iterations: 10_000 },
        preconditioner: None,
        strain_sweeps: 0,
        contact: None,
    }
}

/// At rest at positions `x`.
pub fn at_rest(x: Vec<Vec3>) -> State {
    let v = vec![Vec3::ZERO; x.len()];
    State::new(x, v)
}

/// Pins that never move.
pub fn fixed(vertices: impl IntoIterator<Item = usize>) -> Vec<Pin> {
    vertices.into_iter().map(|v| Pin::fixed(v as u32)).collect()
}

/// Steps of `dt` \[s\] until nothing moves faster than `speed` \[m/s\]; backward Euler with long steps is
/// the quickest way there, and where forces balance does not depend on how one arrives.
pub fn settle(simulation: &mut Simulation, dt: f64, speed: f64, max_steps: usize) {
    for _ in 0..max_steps {
        simulation.step(dt).unwrap();
        if fastest(simulation) < speed {
            return;
        }
    }
    panic!("still moving at {} m/s after {max_steps} steps", fastest(simulation));
}

/// Largest speed of a vertex \[m/s\].
pub fn fastest(simulation: &Simulation) -> f64 {
    simulation.state.v.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// `|value/reference − 1|`.
pub fn relative_error(value: f64, reference: f64) -> f64 {
    (value / reference - 1.0).abs()
}
