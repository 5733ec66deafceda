//! What tests of dressed bodies share.

use muslin::judge;
use muslin_scene::runner::Runner;

/// Crossings of the cloth with itself and with bodies.
pub fn crossings(runner: &Runner) -> usize {
    let (topology, frame) = (runner.topology(), runner.frame());
    let cloth = frame.positions.len() as u32;
    let (of_cloth, of_body): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
        topology.triangles.iter().partition(|t| t[0] < cloth);
    let of_body: Vec<[u32; 3]> = of_body.into_iter().map(|t| t.map(|v| v - cloth)).collect();
    judge::intersecting_pairs(&frame.positions, &of_cloth).len()
        + judge::crossing_pairs(&frame.positions, &of_cloth, &frame.bodies, &of_body).len()
}
