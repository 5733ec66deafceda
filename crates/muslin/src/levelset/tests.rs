//! V11: fields against closed forms and against the exact distance from the mesh.

use super::*;
use crate::body::{BodyMesh, shape};
use crate::math::{Random, Vec3};
use std::f64::consts::TAU;
use std::sync::Arc;

mod deforming;
mod signs;

/// A name, a mesh, and the distance it should have.
type Case<'a> = (&'a str, &'a BodyMesh, &'a dyn Fn(Vec3) -> f64);

/// A torus about z with these radii.
fn torus(big: f64, small: f64, around: usize, across: usize) -> BodyMesh {
    let mut mesh = BodyMesh::default();
    for i in 0..around {
        for j in 0..across {
            let (a, b) = (TAU * i as f64 / around as f64, TAU * j as f64 / across as f64);
            let r = big + small * b.cos();
            mesh.positions.push(Vec3::new(r * a.cos(), r * a.sin(), small * b.sin()));
            let at = |i: usize, j: usize| ((i % around) * across + j % across) as u32;
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    mesh
}

fn joined(meshes: &[BodyMesh]) -> BodyMesh {
    let mut all = BodyMesh::default();
    for mesh in meshes {
        let offset = all.positions.len() as u32;
        all.positions.extend(&mesh.positions);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + offset)));
    }
    all
}

fn moved(mut mesh: BodyMesh, by: Vec3) -> BodyMesh {
    mesh.positions.iter_mut().for_each(|x| *x += by);
    mesh
}

fn box_distance(p: Vec3, half: Vec3) -> f64 {
    let q = p.abs() - half;
    q.max(Vec3::ZERO).length() + q.max_element().min(0.0)
}

/// Largest error over random points of a box that are within `band` of the surface by the exact form.
fn worst(field: &Field, exact: impl Fn(Vec3) -> f64, half: Vec3, band: f64) -> f64 {
    let mut random = Random::new(17);
    let mut largest: f64 = 0.0;
    for _ in 0..20_000 {
        let unit = [0; 3].map(|_: u8| random.between(-1.0, 1.0));
        let p = Vec3::from(unit) * half;
        if exact(p).abs() < band {
            largest = largest.max((field.sample(p).distance - exact(p)).abs());
        }
    }
    largest
}

#[test]
fn v11_errors_fall_with_the_cell_for_sphere_box_and_torus() {
    let half = Vec3::new(0.15, 0.1, 0.12);
    let ball = shape::sphere(0.2, 0.006);
    let cuboid = shape::cuboid(half * 2.0);
    let ring = torus(0.2, 0.08, 160, 80);
    let of_ball = |p: Vec3| p.length() - 0.2;
    let of_box = |p: Vec3| box_distance(p, half);
    let of_ring = |p: Vec3| (p.truncate().length() - 0.2).hypot(p.z) - 0.08;
    let cases: [Case; 3] =
        [("sphere", &ball, &of_ball), ("box", &cuboid, &of_box), ("torus", &ring, &of_ring)];
    for (name, mesh, exact) in cases {
        let solid = Solid::new(mesh).unwrap();
        let errors = [0.032, 0.016, 0.008].map(|cell| {
            let uniform = Resolution { band: 0.03, levels: 0, ..Resolution::new(cell) };
            let error = worst(&Field::of(&solid, uniform), exact, Vec3::splat(0.33), 0.03);
            assert!(error < uniform.error_bound(), "{name}: {error} at {cell}");
            error
        });
        eprintln!("{name}: errors {errors:?} m at cells of 32, 16 and 8 mm");
        // First order: a quarter of the cell, a quarter of the error, with a tenth for where points fall.
        assert!(errors[1] < errors[0] && errors[2] < 0.35 * errors[0], "{name} {errors:?}");
    }
}

/// Cusps, thin parts, and parts closer to each other than a coarse cell.
#[test]
fn v11_the_error_table() {
    let cell = 0.004;
    let resolution = Resolution::new(cell);
    let mut needle = shape::cylinder(0.03, 0.3, 48);
    for p in needle.positions.iter_mut().filter(|p| p.z > 0.0) {
        (p.x, p.y) = (p.x * 1e-3, p.y * 1e-3);
    }
    let plate = shape::cuboid(Vec3::new(0.3, 0.2, 0.001));
    let gap = joined(&[
        moved(shape::cuboid(Vec3::splat(0.1)), Vec3::X * 0.051),
        moved(shape::cuboid(Vec3::splat(0.1)), -Vec3::X * 0.051),
    ]);
    let ring = torus(0.2, 0.08, 96, 48);
    for (name, mesh) in [("needle", needle), ("plate", plate), ("gap", gap), ("torus", ring)] {
        let solid = Solid::new(&mesh).unwrap();
        let field = Field::of(&solid, resolution);
        let found = deviation(&field, &solid, &mesh, 0.5 * resolution.band, 20_000);
        let share = field.memory_bytes() as f64 / field.uniform_bytes() as f64;
        eprintln!(
            "{name}: largest {:.3} mm, rms {:.4} mm, slope off by {:.3}, memory {:.1} % of uniform",
            found.largest * 1e3,
            found.rms * 1e3,
            found.slope,
            share * 100.0
        );
        assert!(found.largest < resolution.error_bound(), "{name}: {found:?}");
        assert!(found.rms < 0.15 * cell, "{name}: {found:?}");
        if name == "torus" {
            assert!(found.slope < 0.1, "|∇φ| is near 1: {found:?}");
        }
    }
}

/// Smooth bodies keep the tolerance everywhere in the band, not only where cells were looked at.
#[test]
fn v11_smooth_bodies_keep_the_tolerance() {
    let bodies = [
        ("sphere", shape::sphere(0.2, 0.01)),
        ("torus", torus(0.2, 0.08, 160, 80)),
        ("thin torus", torus(0.15, 0.03, 160, 48)),
        ("capsule", shape::capsule(0.06, 0.2, 48)),
    ];
    for (name, mesh) in bodies {
        let solid = Solid::new(&mesh).unwrap();
        for cell in [0.004, 0.007] {
            let resolution = Resolution::new(cell);
            let field = Field::of(&solid, resolution);
            let found = deviation(&field, &solid, &mesh, resolution.band, 30_000);
            eprintln!("{name}: {:.3} of the tolerance", found.largest / resolution.tolerance);
            assert!(found.largest < resolution.tolerance, "{name}, cells of {cell} m: {found:?}");
        }
    }
}

/// The error bound at a stated fraction of the memory of a uniform grid: an eighth at 300 cells a side.
#[test]
fn v11_an_adaptive_field_takes_a_fraction_of_the_memory() {
    let solid = Solid::new(&torus(0.2, 0.08, 96, 48)).unwrap();
    let resolution = Resolution::new(0.002);
    let field = Field::of(&solid, resolution);
    let share = field.memory_bytes() as f64 / field.uniform_bytes() as f64;
    eprintln!("{} leaves, {:.1} % of uniform", field.leaf_count(), share * 100.0);
    assert!(share < 1.0 / 8.0, "{share}");
    let exact = |p: Vec3| solid.distance(p, 1.0).unwrap().distance;
    let error = worst(&field, exact, Vec3::new(0.3, 0.3, 0.1), resolution.band);
    assert!(error < resolution.error_bound(), "{error}");
}

/// MF6: cells of different sizes agree where they meet.
#[test]
fn mf6_there_are_no_cracks_where_cells_change_size() {
    let field = Field::of(&Solid::new(&torus(0.2, 0.08, 96, 48)).unwrap(), Resolution::new(0.005));
    let bounds = field.bounds();
    let mut random = Random::new(8);
    let (mut unequal, step) = (0, 1e-10);
    for _ in 0..100_000 {
        let unit = [0; 3].map(|_: u8| random.unit());
        let mut p = bounds.min + (bounds.max - bounds.min) * Vec3::from(unit) * 0.999;
        // Onto a plane of the lattice.
        let axis = (random.bits() % 3) as usize;
        let number = ((p[axis] - bounds.min[axis]) / 0.005).round().max(1.0);
        p[axis] = bounds.min[axis] + number * 0.005;
        let mut off = Vec3::ZERO;
        off[axis] = step;
        let sides = [field.place(p - off).side, field.place(p + off).side];
        unequal += usize::from(sides[0] != sides[1]);
        let jump = field.sample(p + off).distance - field.sample(p - off).distance;
        assert!(jump.abs() < 1e-9, "a jump of {jump} at {p} between cells of {sides:?}");
    }
    assert!(unequal > 2000, "only {unequal} places between cells of different sizes");
}

/// Beyond the band the field is coarse, and in the middle, where the distance has a peak, within one and a
/// half of the coarsest cells; outside the box the way to it is added.
#[test]
fn v11_far_distances_are_close_inside_and_outside_the_box() {
    let solid = Solid::new(&shape::sphere(0.2, 0.03)).unwrap();
    let field = Field::of(&solid, Resolution { levels: 3, ..Resolution::new(0.005) });
    let off = |p: Vec3| (field.sample(p).distance - (p.length() - 0.2)).abs();
    assert!(off(Vec3::ZERO) < 0.06, "{}", off(Vec3::ZERO));
    for p in [Vec3::X * 0.12, Vec3::splat(0.14), Vec3::new(1.0, 2.0, -1.0)] {
        assert!(off(p) < 0.01 + 0.05 * p.length(), "{} at {p}", off(p));
    }
}

/// R4: the same bits on any number of threads.
#[test]
fn r4_fields_do_not_depend_on_threads() {
    let mesh = torus(0.2, 0.08, 40, 20);
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Field::with_nearest(&Solid::new(&mesh).unwrap(), Resolution::new(0.01)))
    };
    assert_eq!(build(1), build(3));
}

/// A grid is a field: linear functions come back exactly; bad ones are named.
#[test]
fn mf6_sculpted_grids_are_fields() {
    let normal = Vec3::new(0.6, 0.0, 0.8);
    let distance = |p: Vec3| p.dot(normal) - 0.21;
    let grid = Grid::sample([6, 5, 7], Vec3::new(-0.1, 0.0, 0.1), 0.1, distance);
    let field = grid.clone().into_field().unwrap();
    let mut random = Random::new(2);
    for _ in 0..200 {
        let p = Vec3::new(
            random.between(-0.1, 0.4),
            random.between(0.0, 0.4),
            random.between(0.1, 0.7),
        );
        let Sample { distance: found, gradient } = field.sample(p);
        assert!((found - distance(p)).abs() < 1e-14 && gradient.distance(normal) < 1e-12);
    }
    let with = |change: &dyn Fn(&mut Grid)| {
        let mut grid = grid.clone();
        change(&mut grid);
        grid.into_field().unwrap_err()
    };
    assert!(matches!(with(&|g| g.values[7] = f64::NAN), GridError::NotFinite { at: [0, 1, 0] }));
    assert!(matches!(with(&|g| g.values[7] = 5.0), GridError::TooSteep { .. }));
    assert!(matches!(with(&|g| g.counts[0] = 1), GridError::Size { .. }));
    assert!(matches!(with(&|g| g.counts[0] = 7), GridError::Length { found: 210, expected: 245 }));
    assert!(matches!(with(&|g| g.spacing = -1.0), GridError::Placement));
    assert!(matches!(with(&|g| g.values.fill(0.3)), GridError::NoSurface));
}

#[test]
fn mf6_unions_take_the_smaller_distance_and_parts_meet_in_between() {
    let at = |distance: f64, gradient: Vec3| Sample { distance, gradient };
    let (a, b) = (at(-0.03, Vec3::X), at(-0.01, -Vec3::X));
    assert_eq!(union([a, b]), Some(a));
    // 3 cm inside one and 1 cm inside the other: both are 2 cm away 1 cm further along +x.
    let found = meeting(&a, &b).unwrap();
    assert!((found.normal * found.offset).distance(Vec3::X * 0.01) < 1e-15, "{found:?}");
    assert!(meeting(&a, &at(-0.02, Vec3::X)).is_none());
}

fn arc_frame(mesh: &BodyMesh, cell: f64) -> Arc<Frame> {
    let field = Field::with_nearest(&Solid::new(mesh).unwrap(), Resolution::new(cell));
    Arc::new(Frame { positions: mesh.positions.clone(), field })
}
