//! What a run will take, said before it starts.

use crate::text::{bytes, count, duration};
use muslin_scene::runner::Estimate;
use muslin_scene::spec::{ContactMethod, SceneSpec};

/// Seconds one core takes for a cloth vertex and a step without contact: rough, for the first
/// guess only.
const STEP_SECONDS: f64 = 12e-6;

/// Times as long with contact.
const CONTACT_FACTOR: f64 = 2.0;

/// Part of the work that more threads share.
const PARALLEL_SHARE: f64 = 0.8;

/// Seconds a run may take on `threads` threads: a rough guess from its size.
pub fn seconds(estimate: &Estimate, scene: &SceneSpec, frames: u64, threads: usize) -> f64 {
    let steps = (1.0 / (scene.fps * scene.max_step())).ceil() * frames as f64;
    let contact = if scene.solver.contact == ContactMethod::None { 1.0 } else { CONTACT_FACTOR };
    let share = 1.0 - PARALLEL_SHARE + PARALLEL_SHARE / threads.max(1) as f64;
    estimate.vertices as f64 * steps * STEP_SECONDS * contact * share
}

/// The estimate in words.
pub fn describe(estimate: &Estimate, scene: &SceneSpec, frames: u64, threads: usize) -> String {
    format!(
        "{}: {} vertices, {} triangles, {} frames; about {} of memory, {} on the disk and roughly \
         {} on {threads} threads",
        scene.name,
        count(estimate.vertices),
        count(estimate.triangles),
        count(frames),
        bytes(estimate.memory_bytes),
        bytes(estimate.frame_bytes.saturating_mul(frames)),
        duration(seconds(estimate, scene, frames, threads)),
    )
}
