//! How stiff the springs of a garment are, and what steps cannot hold (OS1).

use crate::sparse::spec::{GarmentError, GarmentSpec};
use crate::sparse::springs::{Elastic, Springs};

/// Springs of the asked or largest stiffness; refuses what steps cannot hold.
pub(super) fn springs(spec: &GarmentSpec) -> Result<Springs, GarmentError> {
    let mut attached = vec![false; spec.mesh.vertex_count()];
    for a in spec.attachments {
        attached[a.particle as usize] = true;
    }
    let elastic = Elastic { density: spec.density, bending: spec.bending };
    let mut springs = Springs::new(spec.mesh, &attached, &elastic);
    springs.gravity = spec.settings.gravity;
    springs.air = spec.settings.air;
    if spec.settings.keep_start_angles {
        springs.set_rest_angles(spec.positions);
    }
    let step = spec.settings.step;
    let too_stiff = |what, value, largest| GarmentError::TooStiff { what, value, largest, step };
    let largest = springs.largest_stiffness(spec.damping, step);
    let stiffness = spec.stiffness.unwrap_or(largest);
    if stiffness > largest {
        return Err(too_stiff("the stiffness [N/m]", stiffness, largest));
    }
    let largest = springs.largest_bending(spec.positions, step);
    if spec.bending > largest {
        return Err(too_stiff("the bending [N·m]", spec.bending, largest));
    }
    springs.set_stiffness(stiffness, spec.damping);
    Ok(springs)
}
