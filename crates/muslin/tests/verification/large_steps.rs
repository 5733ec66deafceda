//! What the implicit engine does as its paper prints it: area scaling (BW3), contact by constraints alone
//! (BW11), position alteration (BW13).

use super::levelset::level_set;
use crate::common::{G, at_rest, bare, cloth, fixed, grid, limp, relative_error, settle};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape, shape};
use muslin::cloth::{Cloth, TriangleRest};
use muslin::contact::{ContactParams, Response};
use muslin::fabric::Fabric;
use muslin::force::elastic_energy;
use muslin::integrate::implicit::Rule;
use muslin::math::{Mat3, Vec3, outer};
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::sim::{Params, Simulation, StepSizes};

/// BW3: at the same strain, the energy of a triangle grows as `a²` where conditions are scaled by the
/// area as printed, as `a` where by its root; and is the same at 1 cm².
#[test]
fn bw3_literal_energy_grows_with_the_square_of_the_area() {
    let energies = |cell: f64| {
        let sheet = grid([cell, cell], [2, 2], Diagonals::Alternating);
        let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p * 1.1).collect();
        let made = cloth(&sheet, &Fabric { shear: 30.0, ..limp(100.0) });
        let usual = elastic_energy(&made, &x).membrane;
        [usual, elastic_energy(&made.with_literal_areas(), &x).membrane]
    };
    // A cell is two triangles of 1 cm².
    let side = 2e-4_f64.sqrt();
    let [usual, literal] = energies(side);
    assert!(relative_error(literal, usual) < 1e-12);
    // ½ k a (0.1² + 0.1²) in each; the shear condition is zero.
    assert!(relative_error(usual, 100.0 * 2e-4 * 0.01) < 1e-12);
    for times in [0.5, 3.0] {
        let [larger_usual, larger_literal] = energies(times * side);
        let area: f64 = times * times;
        assert!(relative_error(larger_usual / usual, area) < 1e-9);
        assert!(relative_error(larger_literal / literal, area * area) < 1e-9);
    }
}

/// BW3, V6: a hung strip gets longer by `ρgL²/2k`, whatever the mesh; with the printed scaling a mesh of
/// cells half as long, a quarter of the area, hangs down four times as far. Tolerance 1 %: at rest to
/// 10⁻⁶ m/s, and the mean over the width is exact only for small strains.
#[test]
fn bw3_literal_sag_depends_on_the_mesh() {
    let length = 0.4;
    let sag = |cells: usize, literal: bool| {
        let fabric = Fabric { shear: 200.0, ..limp(400.0) };
        let sheet =
            grid([0.5 * length, length], [cells / 2 + 1, cells + 1], Diagonals::Alternating);
        let columns = cells / 2 + 1;
        let upright = sheet.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.y));
        let start: Vec<Vec3> = upright.collect();
        let top = start[columns * cells].z;
        let made = cloth(&sheet, &fabric);
        let made = if literal { made.with_literal_areas() } else { made };
        let pins = fixed(columns * cells..columns * (cells + 1));
        let params = bare(Rule::BackwardEuler, 1e-8);
        let mut simulation = Simulation::new(made, vec![], pins, at_rest(start), params);
        settle(&mut simulation, 0.04, 1e-6, 1000);
        // The mean over the width: a border column has half a cell.
        let bottom = &simulation.state.x[..columns];
        let ends = 0.5 * (bottom[0].z + bottom[columns - 1].z);
        let mean = (bottom.iter().map(|x| x.z).sum::<f64>() - ends) / (columns - 1) as f64;
        top - mean - length
    };
    let expected = |k: f64| 0.2 * G * length * length / (2.0 * k);
    for cells in [8, 16] {
        let usual = sag(cells, false);
        let area = 0.5 * (length / cells as f64).powi(2);
        let literal = sag(cells, true);
        println!("{cells} cells: sag {usual:.3e} m, literal {literal:.3e} m");
        assert!(relative_error(usual, expected(400.0)) < 0.01, "{usual}");
        assert!(relative_error(literal, expected(400.0 * area / 1e-4)) < 0.01, "{literal}");
    }
}

fn ground() -> Body {
    Body {
        shape: Shape::Plane(Vec3::Z),
        mesh: BodyMesh::default(),
        motion: BodyMotion::Rigid(Motion::default()),
        friction: Some([0.5, 0.5]),
    }
}

fn by_constraints(rule: Rule, relative: f64) -> Params {
    let contact = ContactParams { response: Response::Constraint, ..ContactParams::default() };
    Params { contact: Some(contact), ..bare(rule, relative) }
}

/// A square of 10 cm, upright, standing on a corner that is `depth` \[m\] below the ground.
fn on_its_corner(depth: f64) -> (Cloth, Vec<Vec3>) {
    let sheet = grid([0.1, 0.1], [2, 2], Diagonals::Alternating);
    let (u, v) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 0.0, 1.0));
    let corner = sheet.positions[0];
    let place = |p: &Vec3| {
        let p = *p - corner;
        (u * p.x + v * p.y) * std::f64::consts::FRAC_1_SQRT_2 - Vec3::Z * depth
    };
    let made = cloth(&sheet, &Fabric { shear: 30.0, ..limp(100.0) });
    (made, sheet.positions.iter().map(place).collect())
}

/// `−∂f_i/∂x_j` of an undeformed cloth, where all conditions are zero: `Σ k a (∂C/∂x_i)(∂C/∂x_j)ᵀ`.
fn stiffness(cloth: &Cloth, x: &[Vec3]) -> Vec<Vec<Mat3>> {
    let n = x.len();
    let mut k = vec![vec![Mat3::ZERO; n]; n];
    for (rest, corners) in cloth.triangle_rest.iter().zip(&cloth.triangles) {
        let at = corners.map(|c| x[c as usize]);
        let map = |w: [f64; 3]| at[0] * w[0] + at[1] * w[1] + at[2] * w[2];
        let (wu, wv) = (map(rest.du), map(rest.dv));
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate() {
                let shear = |c: usize| wv * rest.du[c] + wu * rest.dv[c];
                let block = outer(wu, wu) * (rest.stretch[0] * rest.du[i] * rest.du[j])
                    + outer(wv, wv) * (rest.stretch[1] * rest.dv[i] * rest.dv[j])
                    + outer(shear(i), shear(j)) * rest.shear;
                k[*a as usize][*b as usize] += block * rest.area;
            }
        }
    }
    k
}

/// Gaussian elimination of a positive definite matrix.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for p in 0..n {
        for r in p + 1..n {
            let factor = a[r][p] / a[p][p];
            let pivot = a[p].clone();
            a[r].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
            b[r] -= factor * b[p];
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|c| a[p][c] * b[c]).sum();
        b[p] = (b[p] - known) / a[p][p];
    }
    b
}

/// BW13: one step of backward Euler puts a vertex 2 mm inside the ground on its surface, and its
/// neighbours move as the linear system says: `(M + h²K) Δv = h(Mg − K y)`, the vertex itself held.
#[test]
fn bw13_altering_a_position_is_felt_by_the_neighbours() {
    let (h, depth) = (0.01, 0.002);
    let (made, start) = on_its_corner(depth);
    let (k, mass) = (stiffness(&made, &start), made.mass.clone());
    let y = Vec3::Z * depth;
    let (mut a, mut b) = (vec![vec![0.0; 9]; 9], vec![0.0; 9]);
    for i in 0..9 {
        let (vertex, axis) = (1 + i / 3, i % 3);
        for j in 0..9 {
            a[i][j] = h * h * k[vertex][1 + j / 3].col(j % 3)[axis];
        }
        a[i][i] += mass[vertex];
        b[i] = h * (-Vec3::Z * G * mass[vertex] - k[vertex][0] * y)[axis];
    }
    let expected = eliminate(a, b);
    let params = by_constraints(Rule::BackwardEuler, 1e-12);
    let mut simulation = Simulation::new(made, vec![ground()], vec![], at_rest(start), params);
    let report = simulation.step(h).unwrap();
    assert_eq!(report.solves.len(), 1, "linearised once, where it starts");
    let v = &simulation.state.v;
    assert!(simulation.state.x[0].z.abs() < 1e-15 && v[0].length() < 1e-15);
    for vertex in 1..4 {
        let expected = Vec3::from_slice(&expected[3 * vertex - 3..3 * vertex]);
        assert!(v[vertex].distance(expected) < 1e-9, "{} instead of {expected}", v[vertex]);
    }
    // The corners beside it are pushed up and away, against gravity.
    assert!(v[1].z > 0.02 && v[2].z > 0.02, "{} {}", v[1], v[2]);
}

/// BW13: with the second-order rule too the vertex ends on the surface.
#[test]
fn bw13_the_second_order_rule_alters_positions_too() {
    let (made, start) = on_its_corner(0.002);
    let params = by_constraints(Rule::TrBdf2, 1e-9);
    let mut simulation = Simulation::new(made, vec![ground()], vec![], at_rest(start), params);
    simulation.step(0.01).unwrap();
    assert!(simulation.state.x[0].z.abs() < 1e-12, "{}", simulation.state.x[0].z);
}

/// BW13: vertices that are deeper come out by a quarter of their thickness a step, and rest at it in the
/// end: out of a plane, and out of a triangle mesh through its distance field, where the middles of edges and
/// faces add to it.
#[test]
fn bw13_deep_vertices_come_out_step_by_step() {
    let block = shape::cuboid(Vec3::new(0.3, 0.3, 0.1));
    let block = level_set(block, 0.01, Motion::Still(Pose::at(Vec3::Z * -0.05)));
    for (body, is_mesh) in [(ground(), false), (block, true)] {
        let sheet = grid([0.1, 0.1], [5, 5], Diagonals::Alternating);
        let fabric =
            Fabric { shear: 100.0, stretch_damping: 0.1, friction_static: 0.5, ..limp(400.0) };
        let made = cloth(&sheet, &fabric);
        let thickness = made.thickness[12];
        let start = sheet.positions.iter().map(|p| *p - Vec3::Z * (1.1 * thickness)).collect();
        let params = by_constraints(Rule::TrBdf2, 1e-9);
        let mut simulation = Simulation::new(made, vec![body], vec![], at_rest(start), params);
        for out in 1..=4 {
            simulation.step(0.01).unwrap();
            let expected = (-1.1 + 0.25 * f64::from(out)) * thickness;
            let height = simulation.state.x[12].z;
            let slack = if is_mesh { 0.25 * thickness * f64::from(out) } else { 1e-9 * thickness };
            let beyond = height - expected;
            assert!(beyond > -1e-9 * thickness && beyond < slack, "{height}, not {expected}");
        }
        for _ in 0..200 {
            let report = simulation.step(0.01).unwrap();
            assert_eq!((report.contact.impulses, report.contact.passes), (0, 0));
        }
        let height = simulation.state.x[12].z;
        assert!((height - thickness).abs() < 0.05 * thickness, "{height} of {thickness}");
    }
}

/// BW14: a soft sheet, let go from two corners with long steps. No step that is accepted changes the length of
/// `w_u` or `w_v`, as measured here, by more than is allowed; some are rejected; when the sheet hangs still
/// again, steps are as long as they were.
#[test]
fn bw14_no_step_is_accepted_that_stretches_too_much() {
    let sheet = grid([1.0, 1.0], [11, 11], Diagonals::Alternating);
    let fabric = Fabric { shear: 3.0, stretch_damping: 0.2, shear_damping: 0.2, ..limp(10.0) };
    let made = cloth(&sheet, &fabric);
    let start = at_rest(sheet.positions.clone());
    let params = bare(Rule::TrBdf2, 1e-6);
    let mut simulation = Simulation::new(made, vec![], fixed([110, 120]), start, params);
    let sizes = StepSizes {
        largest: 0.05,
        smallest: 1e-5,
        max_stretch_change: 0.05,
        collision_halvings: 0,
    };
    let lengths = |simulation: &Simulation| -> Vec<[f64; 2]> {
        let Simulation { cloth, state, .. } = simulation;
        let of = |(corners, rest): (&[u32; 3], &TriangleRest)| {
            let along = |weights: [f64; 3]| -> f64 {
                let terms = corners.iter().zip(weights).map(|(&v, w)| state.x[v as usize] * w);
                terms.sum::<Vec3>().length()
            };
            [along(rest.du), along(rest.dv)]
        };
        cloth.triangles.iter().zip(&cloth.triangle_rest).map(of).collect()
    };
    let (mut rejected, mut shortest, mut last) = (0, f64::INFINITY, 0.0);
    let mut before = lengths(&simulation);
    while simulation.state.time < 40.0 {
        let report = simulation.advance_once(40.0, &sizes).unwrap();
        let after = lengths(&simulation);
        let change =
            before.iter().flatten().zip(after.iter().flatten()).map(|(a, b)| (a - b).abs());
        let largest = change.fold(0.0, f64::max);
        assert!(largest <= sizes.max_stretch_change * (1.0 + 1e-9), "{largest}");
        assert!((largest - report.stretch_change).abs() < 1e-12);
        (rejected, shortest, last) =
            (rejected + report.rejected, f64::min(shortest, report.dt), report.dt);
        before = after;
    }
    println!("{rejected} rejected, shortest {shortest} s, last {last} s");
    assert!(rejected > 0 && shortest < 0.03, "{rejected} rejected, shortest {shortest}");
    assert!(last > 0.04, "{last}");
}
