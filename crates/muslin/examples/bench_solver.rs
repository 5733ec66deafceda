//! Measures the linear solver and prints the tables of `docs/results/solver.md`.
//!
//! ```text
//! cargo run --release -p muslin --example bench_solver > solver.md
//! ```
//!
//! Every system comes from a square of 1 m hung by two corners, half a second after it was let go:
//! one backward Euler solve of the motion from there. With `RAYON_NUM_THREADS=1`
//! times are processor time, which other programs hardly change.
#![expect(clippy::print_stdout, reason = "a program that prints a report")]

use muslin::cloth::{Cloth, Maps};
use muslin::fabric::Fabric;
use muslin::force::{Linearised, System};
use muslin::integrate::implicit::Rule;
use muslin::linalg::{Constraint, Filter, Norm, Pcg, Preconditioner, Tolerance};
use muslin::math::Vec3;
use muslin::mesh::{Diagonals, Sheet};
use muslin::pin::Pin;
use muslin::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};
use rayon::prelude::*;
use std::error::Error;
use std::time::Instant;

/// Name, membrane stiffness \[N/m\] and step \[s\].
const MATERIALS: [(&str, f64, f64); 3] =
    [("soft", 50.0, 0.005), ("medium", 500.0, 0.01), ("stiff", 5000.0, 1.0 / 60.0)];

/// Vertices along a side.
const SIDES: [usize; 4] = [50, 100, 150, 300];

/// When the motion is stopped and measured \[s\].
const MEASURED_AT: f64 = 0.5;

/// A linear system out of a motion.
struct Case {
    cloth: Cloth,
    state: State,
    system: System,
    rhs: Vec<Vec3>,
    filter: Filter,
    h: f64,
}

impl Case {
    fn new(side: usize, stiffness: f64, h: f64) -> Result<Self, Box<dyn Error>> {
        let sheet = Sheet::grid([1.0, 1.0], [side, side], Diagonals::Alternating)?;
        let cloth = Cloth::new(&sheet.mesh, &fabric(stiffness), &Maps::default())?;
        let velocities = vec![Vec3::ZERO; sheet.positions.len()];
        let held = [0, side as u32 - 1];
        let vacuum = Weather { air: None, ..Weather::default() };
        let params = Params {
            forecast: Forecast::Constant(vacuum),
            contact: None,
            dynamics: Dynamics::Implicit { rule: Rule::BackwardEuler },
            strain_sweeps: 20,
            ..Params::default()
        };
        let state = State::new(sheet.positions, velocities);
        let pins = held.map(Pin::fixed).to_vec();
        let mut simulation = Simulation::new(cloth, Vec::new(), pins, state, params);
        for _ in 0..(MEASURED_AT / h).round() as usize {
            simulation.step(h)?;
        }
        let Simulation { cloth, state, .. } = simulation;
        let mut case = Self {
            system: System::new(&cloth),
            rhs: Vec::new(),
            filter: Filter::new(held.map(|v| Constraint::point(v, Vec3::ZERO)).to_vec()),
            cloth,
            state,
            h,
        };
        let shift = case.shift();
        case.assemble(&shift);
        let weight = Vec3::new(0.0, 0.0, -9.81);
        let forces = case.system.shifted_force.iter().zip(&case.cloth.mass);
        case.rhs = forces.map(|(force, mass)| (*force + weight * *mass) * h).collect();
        Ok(case)
    }

    /// How far vertices go in a step at their velocities \[m\].
    fn shift(&self) -> Vec<Vec3> {
        self.state.v.iter().map(|v| *v * self.h).collect()
    }

    fn assemble(&mut self, shift: &[Vec3]) {
        let (x, v) = (&self.state.x, &self.state.v);
        let at = Linearised { x, v, shift, air: None, winds: &[], beta: self.h };
        self.system.assemble(&self.cloth, &at);
    }

    /// Iterations, seconds and true relative residual of one kind.
    fn solve(&mut self, kind: Preconditioner, relative: f64) -> (usize, f64, f64) {
        let mut pcg = Pcg::with(kind, Norm::Euclidean);
        let tolerance = Tolerance { relative, max_iterations: 20_000 };
        let mut solution = vec![Vec3::ZERO; self.rhs.len()];
        let mut iterations = 0;
        let matrix = &mut self.system.matrix;
        let seconds = seconds(|| {
            solution.fill(Vec3::ZERO);
            let solve = pcg.solve(matrix, &self.rhs, &self.filter, tolerance, &mut solution);
            iterations = solve.iterations;
        });
        let mut image = vec![Vec3::ZERO; self.rhs.len()];
        matrix.multiply(&solution, &mut image);
        let mut residual: Vec<Vec3> = self.rhs.iter().zip(&image).map(|(b, a)| *b - *a).collect();
        let mut start = self.rhs.clone();
        self.filter.apply(&mut residual);
        self.filter.apply(&mut start);
        let norm = |a: &[Vec3]| a.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        (iterations, seconds, norm(&residual) / norm(&start))
    }
}

/// The cloth of the peers' comparison, with another stiffness.
fn fabric(stiffness: f64) -> Fabric {
    Fabric {
        density: 0.15,
        thickness: 0.002,
        stretch: [stiffness; 2],
        shear: 0.25 * stiffness,
        bending: [1e-5; 2],
        stretch_damping: 5e-4 * stiffness,
        shear_damping: 1.25e-4 * stiffness,
        bend_damping: 5e-8,
        friction_static: 0.4,
        friction_kinetic: 0.4,
        strain_limit: 0.1,
        compression_limit: f64::INFINITY,
    }
}

/// Seconds of a run, repeated for two seconds. With several threads, the fastest on the wall. With
/// one, the mean processor time: what an idle machine would take, on a busy one too.
fn seconds(mut run: impl FnMut()) -> f64 {
    let (start, processor) = (Instant::now(), processor_seconds());
    let (mut fastest, mut count) = (f64::INFINITY, 0);
    while count == 0 || start.elapsed().as_secs_f64() < 2.0 {
        let clock = Instant::now();
        run();
        fastest = fastest.min(clock.elapsed().as_secs_f64());
        count += 1;
    }
    match (processor, processor_seconds()) {
        (Some(start), Some(end)) => (end - start) / f64::from(count),
        _ => fastest,
    }
}

/// Processor time of a program with one thread, where the system tells it. It advances by
/// milliseconds, so only long times mean anything.
fn processor_seconds() -> Option<f64> {
    if rayon::current_num_threads() > 1 {
        return None;
    }
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<f64>().ok()?;
    }
    Some(1e-9 * nanoseconds)
}

/// Every kind on every case, to two residuals.
fn preconditioners() -> Result<(), Box<dyn Error>> {
    println!("\n## Preconditioners\n");
    println!("Stopped at ‖S(b − AΔv)‖ ≤ ε ‖S b‖; times include building the preconditioner.\n");
    println!(
        "| vertices | cloth | preconditioner | iterations, ms at ε = 1e-3 | true residual | iterations, ms at ε = 1e-6 | true residual |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, stiffness, h) in MATERIALS {
        for side in SIDES {
            let mut case = Case::new(side, stiffness, h)?;
            for kind in Preconditioner::ALL {
                print!("| {side}² | {name} | {kind:?} |");
                for relative in [1e-3, 1e-6] {
                    let (iterations, seconds, residual) = case.solve(kind, relative);
                    print!(" {iterations}, {:.2} | {residual:.1e} |", 1e3 * seconds);
                }
                println!();
            }
        }
    }
    Ok(())
}

/// P2: the product against a copy, and assembly against the product, beyond and inside the cache.
fn kernels() -> Result<(), Box<dyn Error>> {
    println!("\n## Kernels\n");
    println!(
        "| vertices | matrix MB | copy GB/s | read GB/s | product GB/s | share | product ms | assembly ms | products |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for side in [100, 300, 600, 1000] {
        let mut case = still_case(side)?;
        let matrix = &mut case.system.matrix;
        let blocks = matrix.diagonal.len() + matrix.lower.len();
        let bytes = (72 * blocks + 2 * 24 * matrix.diagonal.len()) as f64;
        let x = vec![Vec3::ONE; matrix.diagonal.len()];
        let mut y = x.clone();
        let product = rayon::scope(|_| seconds(|| matrix.multiply(&x, &mut y)));
        // As many bytes read and written as the product reads and writes.
        let source = vec![1.0f64; (bytes / 16.0) as usize];
        let mut target = source.clone();
        let copy = rayon::scope(|_| {
            seconds(|| {
                let chunks = target.par_chunks_mut(1 << 16).zip(source.par_chunks(1 << 16));
                chunks.for_each(|(to, from)| to.copy_from_slice(from));
            })
        });
        let read = rayon::scope(|_| seconds(|| read(&source))) * bytes / (8 * source.len()) as f64;
        let shift = case.shift();
        let assembly = rayon::scope(|_| seconds(|| case.assemble(&shift)));
        println!(
            "| {side}² | {:.0} | {:.1} | {:.1} | {:.1} | {:.0} % | {:.2} | {:.2} | {:.1} |",
            1e-6 * bytes,
            1e-9 * bytes / copy,
            1e-9 * bytes / read,
            1e-9 * bytes / product,
            1e2 * copy / product,
            1e3 * product,
            1e3 * assembly,
            assembly / product
        );
    }
    Ok(())
}

/// Reads numbers and does next to nothing with them: what no product can be faster than.
fn read(source: &[f64]) {
    source.par_chunks(1 << 16).for_each(|chunk| {
        let mut sums = [0.0; 32];
        for numbers in chunk.chunks_exact(sums.len()) {
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += *number);
        }
        std::hint::black_box(sums);
    });
}

/// A sheet that bulges, without a simulation before it.
fn still_case(side: usize) -> Result<Case, Box<dyn Error>> {
    let sheet = Sheet::grid([1.0, 1.0], [side, side], Diagonals::Alternating)?;
    let cloth = Cloth::new(&sheet.mesh, &fabric(500.0), &Maps::default())?;
    let bulge = |p: &Vec3| *p * 1.01 + Vec3::Z * (0.05 * (8.0 * p.x).sin() * (6.0 * p.y).cos());
    let positions: Vec<Vec3> = sheet.positions.iter().map(bulge).collect();
    let velocities = positions.iter().map(|p| *p * 0.1).collect();
    Ok(Case {
        system: System::new(&cloth),
        rhs: Vec::new(),
        filter: Filter::default(),
        cloth,
        state: State::new(positions, velocities),
        h: 0.01,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("# The linear solver, measured ({} threads)", rayon::current_num_threads());
    kernels()?;
    preconditioners()
}
