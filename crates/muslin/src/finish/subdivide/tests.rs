use super::*;
use crate::finish::HalfSpace;
use crate::math::{Random, Vec2};
use crate::mesh::{Diagonals, Sheet, TriMesh};
use std::f64::consts::TAU;

const NOTHING: Obstacles = Obstacles { positions: &[], triangles: &[], planes: &[] };

fn sheet(n: usize) -> (Vec<Vec3>, TriMesh) {
    let Sheet { positions, mesh } =
        Sheet::grid([1.0, 1.0], [n, n], Diagonals::Alternating).unwrap();
    (positions, mesh)
}

/// A mesh of free triangles with rest shapes of their own.
fn of_shape(x: &[Vec3], triangles: &[[u32; 3]]) -> TriMesh {
    let uv = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| x[v as usize]);
        let (e, f) = (b - a, c - a);
        let along = f.dot(e) / e.length();
        let across = e.cross(f).length() / e.length();
        [Vec2::ZERO, Vec2::new(e.length(), 0.0), Vec2::new(along, across)]
    });
    TriMesh::new(x.len(), triangles.to_vec(), uv.collect()).unwrap()
}

/// A tight, clean heap: a sheet squeezed towards a point and waved about, stopped by itself.
fn crumpled(n: usize) -> (Vec<Vec3>, TriMesh) {
    let (flat, mesh) = sheet(n);
    let mut x = flat.clone();
    let mut random = Random::new(11);
    for _ in 0..10 {
        let mut wave = || {
            let k = Vec3::new(random.between(-16.0, 16.0), random.between(-16.0, 16.0), 0.0);
            (k, random.between(0.0, TAU))
        };
        let waves = [wave(), wave(), wave()];
        let push = |(p, rest): (&Vec3, &Vec3)| {
            let part = |k: usize| 0.08 * (waves[k].0.dot(*rest) + waves[k].1).sin();
            *p * 0.85 + Vec3::new(part(0), part(1), part(2))
        };
        let wanted: Vec<Vec3> = x.iter().zip(&flat).map(push).collect();
        x = move_guarded(&x, &wanted, mesh.triangles(), &NOTHING).positions;
    }
    (x, mesh)
}

/// Smoothing alone would pass cloth through cloth in the heap; guarded it does not, at any level (R1).
#[test]
fn bf13_a_crumpled_cloth_stays_clean_at_every_level() {
    let (x, mesh) = crumpled(20);
    let subdivision = Subdivision::new(Cage::new(mesh.clone()), 2).unwrap();
    let naive = subdivision.levels().iter().fold(x.clone(), |x, level| level.smooth(&x));
    let finest = subdivision.finest().mesh.triangles();
    let through = Crossings::judge(&naive, finest, &NOTHING).cloth;
    assert!(through > 20, "the heap is no test: {through}");
    let done = subdivision.apply(&x, &NOTHING, None);
    assert_eq!(done.levels, [Crossings::default(); 3]);
    assert_eq!(done.positions.len(), 77 * 77);
    assert!(done.contacts[0] > 0);
    // Stopped, not frozen: most vertices arrive where smoothing wants them.
    let first = subdivision.levels()[0].smooth(&x);
    let once = Subdivision::new(Cage::new(mesh), 1).unwrap().apply(&x, &NOTHING, None);
    let arrived = once.positions.iter().zip(&first).filter(|(a, b)| a.distance(**b) < 1e-12);
    assert!(2 * arrived.count() > first.len());
}

/// Cloth folded around a thin plate: the fold may not be pulled through the plate.
#[test]
fn bf13_a_fold_is_not_pulled_through_a_body() {
    let (mut x, mesh) = sheet(12);
    for p in &mut x {
        // A hairpin 4 mm wide whose bend is one row of vertices.
        *p = Vec3::new(-p.x.abs() + 0.5, p.y, 0.002 * (p.x * 100.0).clamp(-1.0, 1.0));
    }
    let plate = [Vec3::new(-1.0, -2.0, 0.0), Vec3::new(0.45, 0.0, 0.0), Vec3::new(-1.0, 2.0, 0.0)];
    let floor = [HalfSpace { point: Vec3::Z * -0.0021, normal: Vec3::Z }];
    let obstacles = Obstacles { positions: &plate, triangles: &[[0, 1, 2]], planes: &floor };
    let subdivision = Subdivision::new(Cage::new(mesh), 3).unwrap();
    let naive = subdivision.levels().iter().fold(x.clone(), |x, level| level.smooth(&x));
    let finest = subdivision.finest().mesh.triangles();
    assert!(Crossings::judge(&naive, finest, &obstacles).bodies > 0, "the plate is no test");
    let done = subdivision.apply(&x, &obstacles, None);
    assert_eq!(done.levels, [Crossings::default(); 4]);
}

#[test]
fn bf13_planes_stay_planes_and_corners_stay() {
    let (x, mesh) = sheet(7);
    let place = |p: &Vec3| Vec3::new(p.x, p.y, 0.5 * p.x - 0.25 * p.y);
    let x: Vec<Vec3> = x.iter().map(place).collect();
    let subdivision = Subdivision::new(Cage::new(mesh), 3).unwrap();
    let done = subdivision.apply(&x, &NOTHING, None);
    assert!(done.positions.iter().all(|p| (p.z - 0.5 * p.x + 0.25 * p.y).abs() < 1e-15));
    let reach = done.positions.iter().fold(Vec3::ZERO, |most, p| most.max(p.abs()));
    assert_eq!((reach.x, reach.y), (0.5, 0.5), "the four corners are kept");
    assert_eq!(done.held, [0, 0, 0]);
}

/// The boundary is the cubic B-spline of the boundary vertices: its limit points are
/// `(p₋ + 4p + p₊)/6`, whatever is inside.
#[test]
fn bf13_boundaries_are_cubic_splines() {
    let n = 9;
    let (mut x, mesh) = sheet(n);
    for p in &mut x {
        *p += Vec3::new(0.0, 0.05 * (9.0 * p.x).sin(), 0.1 * (7.0 * p.x + 5.0 * p.y).cos());
    }
    let levels = 6;
    let subdivision = Subdivision::new(Cage::new(mesh), levels).unwrap();
    let fine = subdivision.levels().iter().fold(x.clone(), |x, level| level.smooth(&x));
    // The first row of the grid; vertices that stay keep their numbers in a single cloth.
    for i in 1..n - 1 {
        let limit = (x[i - 1] + x[i] * 4.0 + x[i + 1]) / 6.0;
        // Each level leaves a quarter of what is missing.
        let error = fine[i].distance(limit);
        assert!(error < 0.4 * 0.25f64.powi(levels as i32), "{i}: {error}");
    }
}

/// An icosahedron (all vertices with five neighbours) becomes round: the angle between neighbouring
/// triangles halves with every level, and all vertices lie between two close spheres.
#[test]
fn bf13_an_icosahedron_becomes_smooth() {
    let phi = 0.5 * (1.0 + 5f64.sqrt());
    let mut x = Vec::new();
    for (a, b) in [(1.0, phi), (1.0, -phi), (-1.0, phi), (-1.0, -phi)] {
        x.extend([Vec3::new(0.0, a, b), Vec3::new(a, b, 0.0), Vec3::new(b, 0.0, a)]);
    }
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let near = |a: usize, b: usize| (x[a].distance(x[b]) - 2.0).abs() < 1e-9;
                if near(i, j) && near(j, k) && near(k, i) {
                    let outward = (x[j] - x[i]).cross(x[k] - x[i]).dot(x[i]) > 0.0;
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] }.map(|v| v as u32));
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    let cage = Cage::new(of_shape(&x, &triangles));
    let sharpest = |levels: u32| {
        let subdivision = Subdivision::new(cage.clone(), levels).unwrap();
        let x = subdivision.apply(&x, &NOTHING, None).positions;
        let fine = &subdivision.finest().mesh;
        let normal = |t: u32| {
            let [a, b, c] = fine.triangles()[t as usize].map(|v| x[v as usize]);
            (b - a).cross(c - a)
        };
        let angle =
            |e: &crate::mesh::Edge| normal(e.triangles[0]).angle_between(normal(e.triangles[1]));
        let radii: Vec<f64> = x.iter().map(|p| p.length()).collect();
        let spread = radii.iter().copied().fold(0.0, f64::max)
            / radii.iter().copied().fold(f64::INFINITY, f64::min);
        (fine.topology().edges().iter().map(angle).fold(0.0, f64::max), spread)
    };
    let angles: Vec<(f64, f64)> = (1..=5).map(sharpest).collect();
    for pair in angles.windows(2).skip(1) {
        let ratio = pair[1].0 / pair[0].0;
        assert!((0.4..0.6).contains(&ratio), "{angles:?}");
    }
    assert!(angles[4].1 < 1.05, "{angles:?}");
}

/// A roof folded along a crease keeps its ridge; without the crease it is rounded.
#[test]
fn bf13_creases_are_kept() {
    let n = 9;
    let (mut x, mesh) = sheet(n);
    for p in &mut x {
        p.z = -p.x.abs();
    }
    let ridge = |v: u32| x[v as usize].x.abs() < 1e-12;
    let on_ridge = mesh.topology().edges().iter().map(|e| e.vertices);
    let creases: Vec<[u32; 2]> = on_ridge.filter(|e| ridge(e[0]) && ridge(e[1])).collect();
    assert_eq!(creases.len(), n - 1);
    let highest = |creases: Vec<[u32; 2]>| {
        let cage = Cage { creases, ..Cage::new(mesh.clone()) };
        let subdivision = Subdivision::new(cage, 3).unwrap();
        let x = subdivision.apply(&x, &NOTHING, None).positions;
        let middle = x.iter().filter(|p| p.x.abs() < 1e-9 && p.y.abs() < 0.4);
        middle.map(|p| p.z).fold(-1.0, f64::max)
    };
    assert!(highest(creases).abs() < 1e-14);
    assert!(highest(Vec::new()) < -0.01);
}

/// Two cloths are refined as each alone, numbered one after the other; rest lengths are halved.
#[test]
fn cloths_keep_their_vertices_together() {
    let (x, mesh) = sheet(4);
    let (y, other) = sheet(3);
    let offset = x.len() as u32;
    let triangles = other.triangles().iter().map(|t| t.map(|v| v + offset));
    let triangles = mesh.triangles().iter().copied().chain(triangles).collect();
    let uv = mesh.uv().iter().chain(other.uv()).copied().collect();
    let both = TriMesh::new(x.len() + y.len(), triangles, uv).unwrap();
    let mut cage = Cage::new(both);
    cage.part_ends = vec![x.len(), x.len() + y.len()];
    let joined = Subdivision::new(cage, 2).unwrap();
    let (first, second) = (
        Subdivision::new(Cage::new(mesh), 2).unwrap(),
        Subdivision::new(Cage::new(other), 2).unwrap(),
    );
    let far = |p: &Vec3| *p + Vec3::Z;
    let all: Vec<Vec3> = x.iter().copied().chain(y.iter().map(far)).collect();
    let fine = joined.split(&all);
    let (a, b) = (first.split(&x), second.split(&y.iter().map(far).collect::<Vec<_>>()));
    assert_eq!(fine, [a.clone(), b].concat());
    assert_eq!(joined.finest().part_ends, [a.len(), fine.len()]);
    for (e, edge) in joined.finest().mesh.topology().edges().iter().enumerate() {
        let [p, q] = edge.vertices.map(|v| fine[v as usize]);
        assert!((joined.finest().rest_lengths[e] - p.distance(q)).abs() < 1e-15);
    }
}

#[test]
fn subdivision_does_not_depend_on_threads() {
    let (x, mesh) = crumpled(12);
    let subdivision = Subdivision::new(Cage::new(mesh), 2).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| subdivision.apply(&x, &NOTHING, None))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn too_many_levels_are_refused() {
    let error = Subdivision::new(Cage::new(sheet(4).1), 40).unwrap_err();
    assert!(matches!(error, SubdivideError::TooLarge { levels: 40, .. }), "{error}");
    assert!(error.to_string().contains("use fewer levels"));
}
