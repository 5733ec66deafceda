//! Cases with known answers; `tests/r1_judge.rs` compares with rational arithmetic.

use super::*;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// A flat `n` × `n` grid of unit squares, two triangles each, lifted by `height(x, y)`.
fn sheet(n: u32, height: impl Fn(f64, f64) -> f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let row = n + 1;
    let place = |i: u32| {
        let (x, y) = (f64::from(i % row), f64::from(i / row));
        v(x, y, height(x, y))
    };
    let positions = (0..row * row).map(place).collect();
    let corners = (0..n * n).map(|i| i / n * row + i % n);
    let triangles =
        corners.flat_map(|c| [[c, c + 1, c + row], [c + 1, c + row + 1, c + row]]).collect();
    (positions, triangles)
}

#[test]
fn smooth_sheet_is_clean() {
    let (positions, triangles) = sheet(100, |x, y| (0.1 * x).sin() * (0.13 * y).cos());
    assert_eq!(intersecting_pairs(&positions, &triangles), []);
    assert_eq!(problems(&positions, &triangles), []);
}

#[test]
fn pushed_vertex_crosses_the_sheet_below() {
    // Two layers; one vertex of the upper one is pushed through the lower one, inside the lower
    // triangle 0 of its cell. Its six triangles cross what they reach.
    let (mut positions, mut triangles) = sheet(4, |_, _| 0.0);
    let (upper, layer) = sheet(4, |_, _| 1.0);
    let (vertices, lower_count) = (positions.len() as u32, triangles.len() as u32);
    positions.extend(upper.iter().map(|x| *x + v(0.25, 0.25, 0.0)));
    triangles.extend(layer.iter().map(|t| t.map(|i| i + vertices)));
    assert_eq!(intersecting_pairs(&positions, &triangles), []);
    positions[(vertices + 12) as usize].z = -0.01;
    let pairs = intersecting_pairs(&positions, &triangles);
    let pushed = |t: u32| triangles[t as usize].contains(&(vertices + 12));
    assert!(pairs.iter().all(|&(a, b)| a < lower_count && pushed(b)), "{pairs:?}");
    for t in (lower_count..triangles.len() as u32).filter(|&t| pushed(t)) {
        assert!(pairs.iter().any(|&(_, b)| b == t), "triangle {t} ends below: {pairs:?}");
    }
    // As two meshes, the same pairs.
    let (lower, upper) = triangles.split_at(lower_count as usize);
    let apart = crossing_pairs(&positions, lower, &positions, upper);
    let same: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (a, b - lower_count)).collect();
    assert_eq!(apart, same);
}

#[test]
fn neighbours_meet_only_where_they_share() {
    let base = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let judge = |extra: &[Vec3], second: [u32; 3]| {
        let positions: Vec<Vec3> = base.iter().chain(extra).copied().collect();
        !intersecting_pairs(&positions, &[[0, 1, 2], second]).is_empty()
    };
    // Sharing the edge 0–1: flat apart, folded to 90°, folded flat, almost flat.
    assert!(!judge(&[v(0.0, -1.0, 0.0)], [1, 0, 3]));
    assert!(!judge(&[v(0.0, 0.0, 1.0)], [1, 0, 3]));
    assert!(judge(&[v(0.5, 0.5, 0.0)], [1, 0, 3]));
    assert!(!judge(&[v(0.5, 0.5, 1e-300)], [1, 0, 3]));
    // Sharing vertex 0: beside, above, through, flat on top, along an edge.
    assert!(!judge(&[v(-1.0, 0.0, 0.0), v(0.0, -1.0, 0.0)], [0, 3, 4]));
    assert!(!judge(&[v(0.3, 0.3, 1.0), v(0.2, 0.5, 1.0)], [0, 3, 4]));
    assert!(judge(&[v(0.3, 0.3, 1.0), v(0.3, 0.3, -1.0)], [0, 3, 4]));
    assert!(judge(&[v(0.2, 0.1, 0.0), v(0.1, 0.2, 0.0)], [0, 3, 4]));
    assert!(judge(&[v(2.0, 0.0, 0.0), v(0.0, -1.0, 0.0)], [0, 3, 4]));
    // The same triangle twice.
    assert!(judge(&[], [2, 1, 0]));
}

#[test]
fn touching_by_a_hair_is_told_from_missing_by_a_hair() {
    let plane = [v(0.1, 0.2, 0.3), v(1.3, 0.2, 0.3), v(0.1, 1.7, 0.3)];
    let triangle = |z: f64| [v(0.4, 0.5, z), v(0.5, 0.5, 1.0), v(0.4, 0.6, 1.0)];
    let t = [[0, 1, 2]];
    assert_eq!(crossing_pairs(&plane, &t, &triangle(0.3), &t), [(0, 0)]);
    assert_eq!(crossing_pairs(&plane, &t, &triangle(0.3f64.next_up()), &t), []);
    assert_eq!(crossing_pairs(&plane, &t, &triangle(0.3f64.next_down()), &t), [(0, 0)]);
}

#[test]
fn broken_meshes_are_described_and_not_judged() {
    let positions = [Vec3::ZERO, Vec3::X, v(2.0, 0.0, 0.0), v(f64::NAN, 0.0, 0.0)];
    let triangles = [[0, 1, 2], [0, 1, 3], [0, 1, 9], [0, 0, 1]];
    let expected = [
        Problem::NonFiniteVertex { vertex: 3 },
        Problem::DegenerateTriangle { triangle: 0 },
        Problem::MissingVertex { triangle: 2, vertex: 9 },
        Problem::DegenerateTriangle { triangle: 3 },
    ];
    assert_eq!(problems(&positions, &triangles), expected);
    assert_eq!(intersecting_pairs(&positions, &triangles), []);
    assert_eq!(intersecting_pairs(&[], &[]), []);
}

#[test]
fn largest_stretch_is_the_worst_edge() {
    let positions = [Vec3::ZERO, v(3.0, 4.0, 0.0), v(0.0, 0.0, 2.0)];
    let edges = [[0, 1], [0, 2]];
    let worst = largest_stretch(&positions, &edges, &[4.0, 1.0]).unwrap();
    assert_eq!(worst, Stretch { edge: 1, strain: 1.0 });
    let worst = largest_stretch(&positions, &edges, &[4.0, 4.0]).unwrap();
    assert_eq!(worst, Stretch { edge: 0, strain: 0.25 });
    assert_eq!(largest_stretch(&positions, &[], &[]), None);
    let broken = largest_stretch(&positions, &[[0, 7]], &[1.0]).unwrap();
    assert_eq!(broken.strain, f64::INFINITY);
}

#[test]
fn sweep_finds_what_brute_force_finds() {
    let mut random = 12345u64;
    let mut next = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut positions = vec![];
    for _ in 0..600 {
        let corner = v(3.0 * next(), 9.0 * next(), next());
        positions.extend([0; 3].map(|_| corner + v(next(), next(), next())));
    }
    let triangles: Vec<[u32; 3]> = (0..600).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let corners = |t: u32| triangles[t as usize].map(|i| positions[i as usize]);
    let all = (0..600).flat_map(|i| (i + 1..600).map(move |j| (i, j)));
    let expected: Vec<(u32, u32)> =
        all.filter(|&(i, j)| triangle::intersect(&corners(i), &corners(j))).collect();
    assert!(expected.len() > 300);
    assert_eq!(intersecting_pairs(&positions, &triangles), expected);
}
