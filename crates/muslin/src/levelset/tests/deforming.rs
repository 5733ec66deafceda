//! Fields between frames.

use super::*;

fn sequence(fps: f64, meshes: &[BodyMesh], cell: f64) -> Sequence {
    let triangles = meshes[0].triangles.clone();
    let frames: Vec<Arc<Frame>> = meshes.iter().map(|mesh| arc_frame(mesh, cell)).collect();
    let count = frames.len();
    Sequence::new(fps, count, triangles, Arc::new(move |k| Arc::clone(&frames[k])))
}

/// A ball that moves by twice its radius a frame is still a ball half-way.
#[test]
fn mf6_fast_parts_keep_their_shape_between_frames() {
    let at = |k: usize| moved(shape::sphere(0.05, 0.01), Vec3::X * (0.1 * k as f64));
    let frames = sequence(20.0, &[0, 1, 2].map(at), 0.005);
    let mut random = Random::new(1);
    for t in [0.0, 0.0125, 0.025, 0.07, 0.1] {
        let centre = Vec3::X * (2.0 * t);
        for _ in 0..200 {
            let away = Vec3::from([0; 3].map(|_: u8| random.between(-0.06, 0.06)));
            let exact = away.length() - 0.05;
            if exact.abs() < 0.02 {
                let found = frames.sample(centre + away, t);
                assert!((found.distance - exact).abs() < 1.5e-3, "{} {exact}", found.distance);
                let size = found.gradient.length() * away.length();
                assert!(found.gradient.dot(away) > 0.97 * size, "{}", found.gradient);
            }
        }
        let x = centre + Vec3::new(0.0, 0.04, 0.05);
        let carried = frames.carry(x, t, t + 0.01) - x;
        let exact = if t < 0.1 { Vec3::X * 0.02 } else { Vec3::ZERO };
        assert!(carried.distance(exact) < 1e-9, "{carried} at {t}");
    }
}

/// A swelling ball: half-way between radii it has the mean radius, and what rides on it moves outwards.
#[test]
fn mf6_a_swelling_ball_carries_what_is_on_it() {
    let mesh = shape::sphere(0.1, 0.015);
    let grown = |k: usize| {
        let mut mesh = mesh.clone();
        mesh.positions.iter_mut().for_each(|x| *x *= 1.0 + 0.1 * k as f64);
        mesh
    };
    let frames = sequence(10.0, &[0, 1].map(grown), 0.005);
    let outward = Vec3::new(0.6, 0.0, 0.8);
    let found = frames.sample(outward * 0.108, 0.05);
    assert!((found.distance - 0.003).abs() < 5e-4, "{}", found.distance);
    let carried = frames.carry(outward * 0.104, 0.02, 0.07) - outward * 0.104;
    assert!(carried.distance(outward * 0.005) < 5e-5, "{carried}");
}
