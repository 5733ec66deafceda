//! How long a 200,000-triangle body takes to become a distance field, how large it is, and how long a
//! question takes (MF6). `cargo run --release -p muslin --example levelset_bench [CELL]`.
#![expect(clippy::print_stdout, reason = "an example reports on the console")]

use muslin::body::BodyMesh;
use muslin::levelset::{Field, Resolution, Solid, deviation};
use muslin::math::{Random, Vec3};
use std::f64::consts::TAU;
use std::time::Instant;

/// A lumpy closed body 1.7 m tall, with folds a few centimetres wide.
fn body(rings: usize, sides: usize) -> BodyMesh {
    let mut mesh = BodyMesh::default();
    for i in 0..=rings {
        let s = i as f64 / rings as f64;
        let swell = 0.12 + 0.06 * (9.0 * s).sin() + 0.02 * (40.0 * s).sin();
        let radius = (s * (1.0 - s)).sqrt() * 2.0 * swell;
        for j in 0..sides {
            let angle = TAU * j as f64 / sides as f64;
            let r = radius * (1.0 + 0.15 * (5.0 * angle + 6.0 * s).sin());
            mesh.positions.push(Vec3::new(r * angle.cos(), r * angle.sin(), 1.7 * s));
        }
    }
    let at = |i: usize, j: usize| (i * sides + j % sides) as u32;
    for i in 0..rings {
        for j in 0..sides {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            if i > 0 {
                mesh.triangles.push([a, b, c]);
            }
            if i + 1 < rings {
                mesh.triangles.push([a, c, d]);
            }
        }
    }
    mesh
}

fn main() {
    let cell = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(0.005);
    let mesh = body(320, 316);
    println!("{} triangles", mesh.triangles.len());
    let start = Instant::now();
    let solid = match Solid::new(&mesh) {
        Ok(solid) => solid,
        Err(error) => return println!("{error}"),
    };
    println!("hierarchy and signs: {:.2} s", start.elapsed().as_secs_f64());
    let field = Field::of(&solid, Resolution::new(cell));
    println!("field of {} mm cells: {:.2} s in all", cell * 1e3, start.elapsed().as_secs_f64());
    println!(
        "{} leaves, {} distances, {:.1} MB, {:.2} % of a uniform grid",
        field.leaf_count(),
        field.value_count(),
        field.memory_bytes() as f64 / 1e6,
        100.0 * field.memory_bytes() as f64 / field.uniform_bytes() as f64
    );
    println!("{:?}", deviation(&field, &solid, &mesh, 2.0 * cell, 20_000));
    let mut random = Random::new(1);
    let bounds = field.bounds();
    let anywhere: Vec<Vec3> = (0..1_000_000)
        .map(|_| {
            let unit = Vec3::new(random.unit(), random.unit(), random.unit());
            bounds.min + (bounds.max - bounds.min) * unit
        })
        .collect();
    // As cloth asks: neighbours after each other, near the surface.
    let around: Vec<Vec3> = (0..1_000_000)
        .map(|i| mesh.positions[i % mesh.positions.len()] * (1.0 + 0.01 * random.unit()))
        .collect();
    for (name, points) in [("anywhere", &anywhere), ("along the surface", &around)] {
        let best = (0..5).map(|_| question_seconds(&field, points)).fold(f64::INFINITY, f64::min);
        println!("{:.0} ns a question {name}", best * 1e9);
    }
}

/// Seconds this thread spends on one question.
fn question_seconds(field: &Field, points: &[Vec3]) -> f64 {
    let start = thread_seconds();
    let sum: f64 = points.iter().map(|p| field.sample(*p).distance).sum();
    std::hint::black_box(sum);
    (thread_seconds() - start) / points.len() as f64
}

/// Time this thread has been running [s], where the system tells; else the time of day.
fn thread_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let running = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    let now = || std::time::UNIX_EPOCH.elapsed().map_or(0.0, |d| d.as_secs_f64());
    running.map_or_else(now, |nanoseconds| nanoseconds * 1e-9)
}
