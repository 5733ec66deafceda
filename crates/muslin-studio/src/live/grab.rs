//! The pointer's hold on the cloth (BW7): the one place that knows how the runner is pulled.

use crate::inbox::Pull;
use muslin::math::Vec3;
use muslin_scene::cache::{Run, SurfaceKind};
use muslin_scene::runner::{RunError, Runner};

/// Pulls what the pointer holds towards where it is, or lets go.
pub fn apply(runner: &mut Runner, run: &Run, pull: Option<Pull>) -> Result<(), RunError> {
    let held = pull.and_then(|pull| Some((owner(run, pull.vertex)?, pull.target)));
    if let Some(((piece, vertex), target)) = held {
        return runner.grab(piece, vertex, Vec3::from_array(target));
    }
    runner.release();
    Ok(())
}

/// The cloth that a vertex belongs to, and its number there.
fn owner(run: &Run, vertex: u32) -> Option<(usize, u32)> {
    let mut cloths = run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Cloth).enumerate();
    cloths.find_map(|(piece, surface)| {
        let range = surface.vertices.range();
        range.contains(&(vertex as usize)).then(|| (piece, vertex - range.start as u32))
    })
}
