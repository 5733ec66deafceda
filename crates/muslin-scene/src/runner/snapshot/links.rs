//! What links remember, as named arrays.

use super::missing;
use crate::cache::Snapshot;
use crate::runner::RunError;
use muslin::link::{Foot, Hold, Memory, Owner, Region, Stuck};
use muslin::sim::Simulation;

/// Adds the memory of island `k`.
pub fn save(memory: &Memory, k: usize, snapshot: &mut Snapshot) {
    let kind = |hold: &Hold| match hold {
        Hold::Free => 0u8,
        Hold::On(_) => 1,
        Hold::Broken => 2,
    };
    let foot = |hold: &Hold| match hold {
        Hold::On(foot) => *foot,
        _ => Foot::default(),
    };
    snapshot.push(format!("hold_kinds_{k}"), memory.holds.iter().map(kind).collect::<Vec<u8>>());
    save_feet("hold", memory.holds.iter().map(foot), k, snapshot);
    let stuck = memory.stuck.iter();
    let who = stuck.clone().flat_map(|s| [s.stick, s.vertex].map(u64::from));
    snapshot.push(format!("stuck_{k}"), who.collect::<Vec<u64>>());
    let heights = stuck.clone().map(|s| s.height);
    snapshot.push(format!("stuck_heights_{k}"), heights.collect::<Vec<f64>>());
    save_feet("stuck", stuck.map(|s| s.foot), k, snapshot);
}

fn save_feet(name: &str, feet: impl Iterator<Item = Foot> + Clone, k: usize, to: &mut Snapshot) {
    let corners = feet.clone().flat_map(|f| f.corners.map(u64::from));
    to.push(format!("{name}_corners_{k}"), corners.collect::<Vec<u64>>());
    to.push(format!("{name}_weights_{k}"), feet.flat_map(|f| f.weights).collect::<Vec<f64>>());
}

/// The memory of island `k`.
pub fn load(snapshot: &Snapshot, k: usize) -> Result<Memory, RunError> {
    let kinds = snapshot.u8s(&format!("hold_kinds_{k}")).ok_or_else(|| missing("hold_kinds"))?;
    let holds = kinds.iter().zip(feet(snapshot, "hold", k)?).map(|(kind, foot)| match kind {
        0 => Hold::Free,
        1 => Hold::On(foot),
        _ => Hold::Broken,
    });
    let who = snapshot.u64s(&format!("stuck_{k}")).ok_or_else(|| missing("stuck"))?;
    let heights = snapshot.f64s(&format!("stuck_heights_{k}"));
    let heights = heights.ok_or_else(|| missing("stuck_heights"))?;
    let stuck = who.chunks_exact(2).zip(feet(snapshot, "stuck", k)?).zip(heights);
    let stuck = stuck.map(|((who, foot), &height)| Stuck {
        stick: who[0] as u32,
        vertex: who[1] as u32,
        foot,
        height,
    });
    // Seams are closed before the first frame: no stitch carries anything then.
    Ok(Memory { holds: holds.collect(), stuck: stuck.collect(), ..Memory::default() })
}

fn feet(snapshot: &Snapshot, name: &str, k: usize) -> Result<Vec<Foot>, RunError> {
    let corners = snapshot.u64s(&format!("{name}_corners_{k}")).ok_or_else(|| missing(name))?;
    let weights = snapshot.f64s(&format!("{name}_weights_{k}")).ok_or_else(|| missing(name))?;
    let pairs = corners.chunks_exact(3).zip(weights.chunks_exact(3));
    let foot = |(c, w): (&[u64], &[f64])| Foot {
        corners: [c[0], c[1], c[2]].map(|v| v as u32),
        weights: [w[0], w[1], w[2]],
    };
    Ok(pairs.map(foot).collect())
}

/// Refuses a memory that names what is not there.
pub fn check(simulation: &Simulation) -> Result<(), RunError> {
    let (links, memory) = (&simulation.links, &simulation.state.links);
    let fits = |foot: &Foot, to: &Region| {
        let count = match to.owner {
            Owner::Cloth => simulation.cloth.vertex_count(),
            Owner::Body(k) => simulation.bodies.get(k).map_or(0, |b| b.mesh.positions.len()),
        };
        foot.corners.iter().all(|&v| (v as usize) < count)
    };
    let held = memory.holds.is_empty()
        || (memory.holds.len() == links.attachments.len()
            && memory.holds.iter().zip(&links.attachments).all(|(hold, attachment)| match hold {
                Hold::On(foot) => fits(foot, &attachment.to),
                _ => true,
            }));
    let stuck = memory.stuck.iter().all(|s| {
        let stick = links.sticks.get(s.stick as usize);
        (s.vertex as usize) < simulation.cloth.vertex_count()
            && stick.is_some_and(|stick| fits(&s.foot, &stick.to))
    });
    if held && stuck {
        Ok(())
    } else {
        Err(RunError::Snapshot("it holds other attachments or sticking".to_owned()))
    }
}
