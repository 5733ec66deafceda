//! The solver against dense algebra, physics and itself.

use super::preconditioner::{Held, HeldMatrix, Prepared};
use super::*;
use crate::cloth::{Cloth, Maps};
use crate::fabric::Fabric;
use crate::force::{Linearised, System};
use crate::math::{Mat3, Random, Vec3};
use crate::mesh::{Diagonals, Sheet};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

fn fabric(stiffness: f64) -> Fabric {
    Fabric {
        density: 0.15,
        thickness: 0.001,
        stretch: [stiffness; 2],
        shear: 0.3 * stiffness,
        bending: [1e-5; 2],
        stretch_damping: 1e-3 * stiffness,
        shear_damping: 1e-3 * stiffness,
        bend_damping: 1e-8,
        friction_static: 0.0,
        friction_kinetic: 0.0,
        strain_limit: f64::INFINITY,
        compression_limit: f64::INFINITY,
    }
}

/// A wrinkled, moving sheet of `side`² vertices, its system and right-hand side.
struct Case {
    cloth: Cloth,
    system: System,
    rhs: Vec<Vec3>,
}

impl Case {
    fn new(side: usize, stiffness: f64, beta: f64) -> Self {
        let sheet = Sheet::grid([1.0, 1.0], [side, side], Diagonals::Irregular(7)).unwrap();
        Self::shaped(&sheet, stiffness, beta, |p| {
            Vec3::new(1.02, 0.99, 0.0) * p + Vec3::Z * (0.04 * (17.0 * p.x + 9.0 * p.y).sin())
        })
    }

    /// The same of a sheet that is moved to `place`.
    fn shaped(sheet: &Sheet, stiffness: f64, beta: f64, place: impl Fn(Vec3) -> Vec3) -> Self {
        let cloth = Cloth::new(&sheet.mesh, &fabric(stiffness), &Maps::default()).unwrap();
        let x: Vec<Vec3> = sheet.positions.iter().map(|p| place(*p)).collect();
        let mut random = Random::new(5);
        let mut noise = || random.between(-0.1, 0.1);
        let v: Vec<Vec3> = x.iter().map(|_| Vec3::new(noise(), noise(), noise())).collect();
        let shift: Vec<Vec3> = v.iter().map(|v| *v * beta).collect();
        let mut system = System::new(&cloth);
        system.assemble(
            &cloth,
            &Linearised { x: &x, v: &v, shift: &shift, air: None, winds: &[], beta },
        );
        let forces = system.shifted_force.iter().zip(&cloth.mass);
        let rhs = forces.map(|(f, m)| (*f + GRAVITY * *m) * beta).collect();
        Self { cloth, system, rhs }
    }

    /// Points, a line and planes, all with a prescribed change.
    fn filter(&self) -> Filter {
        let last = self.rhs.len() as u32 - 1;
        let oblique = Vec3::new(0.6, 0.0, 0.8);
        Filter::new(vec![
            Constraint::plane(last / 2, Vec3::Y, 0.25),
            Constraint::point(0, Vec3::new(0.1, -0.2, 0.3)),
            Constraint::line(last, oblique, Vec3::new(0.0, 0.5, 0.0)),
            Constraint::plane(last / 2 + 1, oblique, -0.5),
            Constraint::point(last / 3, Vec3::ZERO),
        ])
    }
}

fn tolerance(relative: f64, max_iterations: usize) -> Tolerance {
    Tolerance { relative, max_iterations }
}

fn random_vectors(size: usize, random: &mut Random) -> Vec<Vec3> {
    let mut number = || random.between(-1.0, 1.0);
    (0..size).map(|_| Vec3::new(number(), number(), number())).collect()
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// `z = S P⁻¹ r`, part by part.
fn precondition(
    prepared: &mut Prepared,
    filter: &Filter,
    pattern: &Pattern,
    r: &[Vec3],
) -> Vec<Vec3> {
    let mut z = vec![Vec3::ZERO; r.len()];
    for (c, local) in prepared.local.iter().enumerate() {
        local.solve(&r[pattern.chunk(c)], &mut z[pattern.chunk(c)]);
    }
    let (maps, aggregates) = prepared.coarse.split();
    for (c, map) in maps.iter_mut().enumerate() {
        let rows = pattern.chunk(c);
        map.restrict(aggregates, rows.start, &r[rows]);
    }
    prepared.coarse.solve();
    for c in 0..pattern.chunk_count() {
        let rows = pattern.chunk(c);
        prepared.coarse.prolong(rows.start, &mut z[rows]);
    }
    filter.apply(&mut z);
    z
}

/// BW9: on the filtered space every preconditioner is symmetric and positive definite; two chunks.
#[test]
fn preconditioners_are_symmetric_positive_definite() {
    let case = Case::new(50, 2000.0, 0.01);
    let (matrix, filter) = (&case.system.matrix, case.filter());
    let pattern = matrix.pattern();
    assert_eq!(pattern.chunk_count(), 2);
    let mut held = Held::default();
    held.refill(&filter, pattern);
    let mut random = Random::new(1);
    for kind in Preconditioner::ALL {
        let mut prepared = Prepared::default();
        prepared.refill(kind, &HeldMatrix { matrix, held: &held });
        for _ in 0..20 {
            let [a, b] = [0, 1].map(|_| {
                let mut a = random_vectors(case.rhs.len(), &mut random);
                filter.apply(&mut a);
                a
            });
            let pa = precondition(&mut prepared, &filter, pattern, &a);
            let pb = precondition(&mut prepared, &filter, pattern, &b);
            let (energy_a, energy_b) = (dot(&a, &pa), dot(&b, &pb));
            assert!(energy_a > 0.0 && energy_b > 0.0);
            let scale = (energy_a * energy_b).sqrt();
            assert!((dot(&a, &pb) - dot(&b, &pa)).abs() < 1e-11 * scale, "{kind:?}");
        }
    }
}

/// The dense matrix `S A S + (I − S)` and the right-hand side `S (b − A z)`, then `z + S x`.
fn dense_solution(matrix: &BlockMatrix, rhs: &[Vec3], filter: &Filter) -> Vec<Vec3> {
    let size = rhs.len();
    let mut allowed = vec![Mat3::IDENTITY; size];
    let mut z = vec![Vec3::ZERO; size];
    for c in filter.constraints() {
        allowed[c.vertex as usize] = c.allowed;
        z[c.vertex as usize] = c.change;
    }
    let n = 3 * size;
    let mut a = vec![0.0; n * n];
    let mut put = |i: usize, j: usize, block: Mat3| {
        for r in 0..3 {
            for c in 0..3 {
                a[(3 * i + r) * n + 3 * j + c] += block.col(c)[r];
            }
        }
    };
    let mut b = rhs.to_vec();
    for i in 0..size {
        let s = allowed[i];
        put(i, i, s * matrix.diagonal[i] * s + Mat3::IDENTITY - s);
        b[i] -= matrix.diagonal[i] * z[i];
        for k in matrix.pattern().row(i) {
            let (j, block) = (matrix.pattern().column(k), matrix.lower[k].transpose());
            put(i, j, s * block * allowed[j]);
            put(j, i, allowed[j] * block.transpose() * s);
            b[i] -= block * z[j];
            b[j] -= block.transpose() * z[i];
        }
    }
    let flat: Vec<f64> = (0..size).flat_map(|i| (allowed[i] * b[i]).to_array()).collect();
    let x = dense_cholesky(a, flat);
    (0..size).map(|i| z[i] + allowed[i] * Vec3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])).collect()
}

/// Solves a dense symmetric positive definite system, rows one after the other.
fn dense_cholesky(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let (row_i, row_j) = (&a[i * n..i * n + j], &a[j * n..j * n + j]);
            let sum = a[i * n + j] - row_i.iter().zip(row_j).map(|(p, q)| p * q).sum::<f64>();
            a[i * n + j] = if i == j { sum.sqrt() } else { sum / a[j * n + j] };
        }
        let known: f64 = (0..i).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[j * n + i] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    b
}

/// All preconditioners, from zero and from a wrong start, find what a dense Cholesky factor finds.
#[test]
fn solutions_match_dense_cholesky() {
    let mut case = Case::new(18, 2000.0, 0.01);
    let filter = case.filter();
    let exact = dense_solution(&case.system.matrix, &case.rhs, &filter);
    let size = exact.iter().map(|v| v.length()).fold(0.0, f64::max);
    for kind in Preconditioner::ALL {
        for start in [Vec3::ZERO, Vec3::new(1.0, -2.0, 0.5)] {
            let mut found = vec![start; exact.len()];
            let mut pcg = Pcg::with(kind, Norm::Preconditioned);
            let matrix = &mut case.system.matrix;
            let solve = pcg.solve(matrix, &case.rhs, &filter, tolerance(1e-13, 5000), &mut found);
            assert!(solve.converged, "{kind:?} {solve:?}");
            for (a, b) in found.iter().zip(&exact) {
                // κ ≈ 1e4 here: 1e-13 in the residual is at most 1e-9 in the solution.
                assert!(a.distance(*b) < 1e-9 * size, "{kind:?}: {a} against {b}");
            }
        }
    }
}

/// BW9: constraints hold after one iteration as after a thousand.
#[test]
fn constraints_hold_at_any_iteration_count() {
    let mut case = Case::new(50, 5000.0, 1.0 / 60.0);
    let filter = case.filter();
    for kind in Preconditioner::ALL {
        for iterations in [0, 1, 2, 1000] {
            let mut found = vec![Vec3::ZERO; case.rhs.len()];
            let mut pcg = Pcg::with(kind, Norm::Preconditioned);
            let limit = tolerance(0.0, iterations);
            let matrix = &mut case.system.matrix;
            let solve = pcg.solve(matrix, &case.rhs, &filter, limit, &mut found);
            assert!(solve.iterations <= iterations);
            for c in filter.constraints() {
                let at = found[c.vertex as usize];
                let held = at - c.allowed * at;
                // Rounding of the projector itself, twice.
                let bound =
                    if c.allowed == Mat3::ZERO { 0.0 } else { 4e-16 * at.length().max(1.0) };
                assert!(held.distance(c.change) <= bound, "{kind:?}, {iterations}: {held}");
            }
        }
    }
}

/// BW9: at rest the constraint forces of a hung sheet carry exactly its weight.
#[test]
fn constraint_forces_carry_the_weight_at_rest() {
    let sheet = Sheet::grid([0.3, 0.3], [8, 8], Diagonals::Alternating).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(50.0), &Maps::default()).unwrap();
    let mut x: Vec<Vec3> = sheet.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.y)).collect();
    let top: Vec<u32> = (56..64).collect();
    let filter = Filter::new(top.iter().map(|&v| Constraint::point(v, Vec3::ZERO)).collect());
    let still = vec![Vec3::ZERO; x.len()];
    let mut system = System::new(&cloth);
    let mut pcg = Pcg::default();
    let beta = 0.2;
    let mut forces = Vec::new();
    for _ in 0..100 {
        let at = Linearised { x: &x, v: &still, shift: &still, air: None, winds: &[], beta };
        system.assemble(&cloth, &at);
        let rhs: Vec<Vec3> =
            system.force.iter().zip(&cloth.mass).map(|(f, m)| (*f + GRAVITY * *m) * beta).collect();
        let mut change = still.clone();
        pcg.solve(&mut system.matrix, &rhs, &filter, tolerance(1e-12, 2000), &mut change);
        forces = pcg.constraint_forces(&mut system.matrix, &rhs, &filter, &change, beta);
        x.iter_mut().zip(&change).for_each(|(x, v)| *x += *v * beta);
    }
    let total: Vec3 = forces.iter().sum();
    let weight = -GRAVITY * cloth.total_mass();
    assert!(total.distance(weight) < 1e-8 * weight.length(), "{total} against {weight}");
    // A straight sheet: every held vertex carries the column of mass below it.
    assert!(forces.iter().all(|f| f.z > 0.0));
}

/// R4: one, two and eight threads give the same bits, matrix and forces included.
#[test]
fn threads_do_not_change_a_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut case = Case::new(80, 1000.0, 0.01);
            assert_eq!(case.system.matrix.pattern().chunk_count(), 4);
            let filter = case.filter();
            let mut found = vec![Vec3::ZERO; case.rhs.len()];
            let matrix = &mut case.system.matrix;
            let solve =
                Pcg::default().solve(matrix, &case.rhs, &filter, tolerance(1e-6, 500), &mut found);
            assert!(solve.converged);
            let bits: Vec<[u64; 3]> =
                found.iter().map(|v| v.to_array().map(f64::to_bits)).collect();
            (bits, case.rhs, matrix.lower.clone(), solve)
        })
    };
    let one = run(1);
    assert!(one == run(2));
    assert!(one == run(8));
}

/// V2: a free sheet gains exactly the momentum of the load, however early the solver stops.
#[test]
fn momentum_is_kept_at_any_tolerance() {
    let mut case = Case::new(50, 3000.0, 0.01);
    let load: Vec3 = case.rhs.iter().sum();
    for kind in Preconditioner::ALL {
        for iterations in [1, 3, 1000] {
            let mut found = vec![Vec3::ZERO; case.rhs.len()];
            let mut pcg = Pcg::with(kind, Norm::Preconditioned);
            let limit = tolerance(1e-3, iterations);
            pcg.solve(&mut case.system.matrix, &case.rhs, &Filter::default(), limit, &mut found);
            let momentum: Vec3 = found.iter().zip(&case.cloth.mass).map(|(v, m)| *v * *m).sum();
            // Rounding: masses are 1e-5 of the blocks that cancel in a row.
            assert!(momentum.distance(load) < 1e-9 * load.length(), "{kind:?}: {momentum}, {load}");
        }
    }
}

/// Iterations of the default grow slower than √n: by less than 2 for four times the vertices.
#[test]
fn iterations_grow_slower_than_the_root_of_the_size() {
    let iterations = |side: usize| {
        let mut case = Case::new(side, 5000.0, 1.0 / 60.0);
        let filter = Filter::new(vec![Constraint::point(0, Vec3::ZERO)]);
        let mut pcg = Pcg::with(Preconditioner::TwoLevel, Norm::Euclidean);
        let mut found = vec![Vec3::ZERO; case.rhs.len()];
        let matrix = &mut case.system.matrix;
        let solve = pcg.solve(matrix, &case.rhs, &filter, tolerance(1e-6, 2000), &mut found);
        assert!(solve.converged);
        solve.iterations as f64
    };
    assert!(iterations(80) < 2.0 * iterations(40));
}

/// Flat cloth is the worst that incomplete factors meet, the stiffer the worse; they still need less than half
/// of the iterations of block-Jacobi.
#[test]
fn incomplete_factors_stay_stable() {
    let sheet = Sheet::grid([1.0, 1.0], [60, 60], Diagonals::Alternating).unwrap();
    for stiffness in [1e3, 1e4, 3e4, 1e5, 1e6] {
        let mut case = Case::shaped(&sheet, stiffness, 0.003, |p| p);
        let filter = Filter::new(vec![Constraint::point(0, Vec3::ZERO)]);
        let mut iterations = |kind: Preconditioner| {
            let mut pcg = Pcg::with(kind, Norm::Euclidean);
            let mut found = vec![Vec3::ZERO; case.rhs.len()];
            let matrix = &mut case.system.matrix;
            pcg.solve(matrix, &case.rhs, &filter, tolerance(1e-5, 3000), &mut found).iterations
        };
        let [jacobi, incomplete, two_level] = Preconditioner::ALL.map(&mut iterations);
        println!("{stiffness:e} N/m: {jacobi}, {incomplete}, {two_level} iterations");
        assert!(2 * incomplete < jacobi && two_level < incomplete);
    }
}

/// A matrix that is not definite, or not finite, ends the solve: no panic, no endless loop, the same
/// answer again, and constraints still hold.
#[test]
fn bad_matrices_end_the_solve() {
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY, 1e300] {
        for kind in Preconditioner::ALL {
            let mut case = Case::new(18, 500.0, 0.01);
            case.system.matrix.diagonal[100] = Mat3::from_diagonal(Vec3::splat(bad));
            let filter = case.filter();
            let mut run = || {
                let mut found = vec![Vec3::ZERO; case.rhs.len()];
                let mut pcg = Pcg::with(kind, Norm::Preconditioned);
                let limit = tolerance(1e-6, 300);
                pcg.solve(&mut case.system.matrix, &case.rhs, &filter, limit, &mut found);
                found[0]
            };
            let first = run();
            assert_eq!(first, Vec3::new(0.1, -0.2, 0.3), "{kind:?}, {bad}");
            assert_eq!(first, run());
        }
    }
}
