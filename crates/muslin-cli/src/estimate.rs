//! What a run will take, said before it starts.

use crate::text::{bytes, count, duration, number};
use muslin_scene::runner::Estimate;
use muslin_scene::spec::{ContactMethod, SceneSpec};

/// Seconds one core takes for a step, per cloth vertex and per vertex along a side: conjugate
/// gradients need more iterations on finer meshes. Measured on square sheets of 25 to 100 vertices
/// a side; rough, for the first guess only.
const SOLVE_SECONDS: f64 = 4e-7;

/// Seconds one core takes for the contacts of a step, per cloth vertex.
const CONTACT_SECONDS: f64 = 2e-5;

/// Seconds one core takes for a step of explicit elastic forces, per cloth vertex.
const EXPLICIT_SECONDS: f64 = 4e-6;

/// Part of the work that more threads share.
const PARALLEL_SHARE: f64 = 0.8;

/// Seconds a run may take on `threads` threads: a rough guess from its size.
fn seconds(estimate: &Estimate, scene: &SceneSpec, frames: u64, threads: usize) -> f64 {
    let step = scene.max_step().min(estimate.stable_step.unwrap_or(f64::INFINITY));
    let steps = (1.0 / (scene.fps * step)).ceil() * frames as f64;
    let vertices = estimate.vertices as f64;
    let has_contact = scene.solver.contact != ContactMethod::None;
    let contact = if has_contact { CONTACT_SECONDS } else { 0.0 };
    let share = 1.0 - PARALLEL_SHARE + PARALLEL_SHARE / threads.max(1) as f64;
    let solve = match estimate.stable_step {
        Some(_) => EXPLICIT_SECONDS,
        None => SOLVE_SECONDS * vertices.sqrt(),
    };
    vertices * steps * (solve + contact) * share
}

/// The estimate in words.
pub fn describe(estimate: &Estimate, scene: &SceneSpec, frames: u64, threads: usize) -> String {
    let stable = estimate.stable_step.map_or(String::new(), |step| {
        format!("; steps of at most {} ms, which explicit forces bear", number(1e3 * step))
    });
    format!(
        "{}: {} vertices, {} triangles, {} frames; about {} of memory, {} on the disk and roughly \
         {} on {threads} threads{stable}",
        scene.name,
        count(estimate.vertices),
        count(estimate.triangles),
        count(frames),
        bytes(estimate.memory_bytes),
        bytes(estimate.frame_bytes.saturating_mul(frames)),
        duration(seconds(estimate, scene, frames, threads)),
    )
}
