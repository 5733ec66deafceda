//! What mixed dynamics needs of the step before, as named arrays.

use super::{flat, missing, vectors};
use crate::cache::Snapshot;
use crate::runner::RunError;
use muslin::integrate::mixed::{Previous, Reference};
use muslin::math::Vec3;

/// Adds the step before of island `k`.
pub fn save(previous: Option<&Previous>, k: usize, snapshot: &mut Snapshot) {
    let reference = previous.and_then(|previous| previous.reference.as_ref());
    snapshot.push(format!("previous_dt_{k}"), previous.map_or(Vec::new(), |p| vec![p.dt]));
    snapshot.push(format!("previous_v_{k}"), previous.map_or(Vec::new(), |p| flat(&p.v_mid)));
    snapshot.push(format!("reference_x_{k}"), reference.map_or(Vec::new(), |r| flat(&r.x)));
    snapshot.push(format!("reference_beta_{k}"), reference.map_or(Vec::new(), |r| vec![r.beta]));
    let iterations = reference.map_or(Vec::new(), |r| vec![r.fresh, r.excess]);
    snapshot.push(format!("reference_iterations_{k}"), super::widened(&iterations));
}

/// The step before of island `k`, which has `vertex_count` vertices.
pub fn load(
    snapshot: &Snapshot,
    k: usize,
    vertex_count: usize,
) -> Result<Option<Previous>, RunError> {
    let floats = |name: &str| snapshot.f64s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let every_vertex = |name: String| -> Result<Vec<Vec3>, RunError> {
        let list = vectors(snapshot, &name)?;
        if list.is_empty() || list.len() == vertex_count { Ok(list) } else { Err(missing(&name)) }
    };
    let &[dt] = floats("previous_dt")? else { return Ok(None) };
    let v_mid = every_vertex(format!("previous_v_{k}"))?;
    let x = every_vertex(format!("reference_x_{k}"))?;
    let iterations = snapshot.u64s(&format!("reference_iterations_{k}"));
    let iterations = iterations.ok_or_else(|| missing("reference_iterations"))?;
    let reference = match (floats("reference_beta")?, iterations) {
        (&[beta], &[fresh, excess]) => {
            Some(Reference { x: x.into(), beta, fresh: fresh as u32, excess: excess as u32 })
        }
        _ => None,
    };
    Ok(Some(Previous { dt, v_mid, reference }))
}
