//! Distance fields in numbers (MF6, V11): how far they are off, what they take, how long a question takes.

use crate::text::{bytes, count, table};
use muslin::body::{BodyMesh, shape};
use muslin::levelset::{Deviation, Field, Resolution, Solid, SolidError, deviation};
use muslin::math::{Random, Vec3};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::time::Instant;

/// Side of the finest cells of the error table [m].
const CELL: f64 = 0.004;

/// Points at which a field is compared with the exact distance.
const POINTS: usize = 20_000;

/// Vertices around and across the large body: 200,704 triangles.
const LARGE: [usize; 2] = [448, 224];

/// Finest cells of the large body, 1.4 m across [m].
const LARGE_CELL: f64 = 0.005;

/// Questions that are timed, and how often; the fastest counts.
const QUESTIONS: usize = 200_000;
const TRIES: usize = 3;

/// A field against the exact distance from its mesh.
struct ErrorRow {
    name: &'static str,
    stored: &'static str,
    found: Deviation,
    /// What the settings promise [m].
    bound: f64,
    /// Memory as a share of the uniform grid's.
    share: f64,
}

/// A body of 200,000 triangles.
struct Large {
    triangles: u64,
    seconds: f64,
    field_bytes: u64,
    /// Most memory of the whole program so far [bytes]; known on Linux.
    peak_bytes: Option<u64>,
    nanoseconds: f64,
    found: Deviation,
}

/// All that was measured.
pub struct Fields {
    rows: Vec<ErrorRow>,
    large: Large,
}

/// Measures. To be called first: it is the program's own peak of memory that is looked at.
pub fn measure() -> Result<Fields, SolidError> {
    let large = large()?;
    let mut rows = Vec::new();
    for (name, mesh) in bodies() {
        let solid = Solid::new(&mesh)?;
        let adaptive = Resolution::new(CELL);
        let uniform = Resolution { levels: 0, ..adaptive };
        for (stored, resolution) in [("uniform", uniform), ("adaptive", adaptive)] {
            let field = Field::of(&solid, resolution);
            let found = deviation(&field, &solid, &mesh, 0.5 * resolution.band, POINTS);
            let share = field.memory_bytes() as f64 / field.uniform_bytes() as f64;
            rows.push(ErrorRow { name, stored, found, bound: resolution.error_bound(), share });
        }
    }
    Ok(Fields { rows, large })
}

/// Smooth, sharp, pointed and thin bodies, and two that are nearer to each other than a cell.
fn bodies() -> [(&'static str, BodyMesh); 6] {
    let mut needle = shape::cylinder(0.03, 0.3, 48);
    for p in needle.positions.iter_mut().filter(|p| p.z > 0.0) {
        (p.x, p.y) = (p.x * 1e-3, p.y * 1e-3);
    }
    let mut gap = BodyMesh::default();
    for side in [-0.051, 0.051] {
        let (half, offset) = (shape::cuboid(Vec3::splat(0.1)), gap.positions.len() as u32);
        gap.positions.extend(half.positions.iter().map(|p| *p + Vec3::X * side));
        gap.triangles.extend(half.triangles.iter().map(|t| t.map(|v| v + offset)));
    }
    [
        ("sphere", shape::sphere(0.2, 0.006)),
        ("box", shape::cuboid(Vec3::new(0.3, 0.2, 0.24))),
        ("torus", ring([0.2, 0.08], [160, 80], 0.0)),
        ("needle", needle),
        ("plate of 1 mm", shape::cuboid(Vec3::new(0.3, 0.2, 0.001))),
        ("gap of 2 mm", gap),
    ]
}

/// A torus about z with these radii, rippled by a share of the smaller one.
fn ring([big, small]: [f64; 2], [around, across]: [usize; 2], ripple: f64) -> BodyMesh {
    let mut mesh = BodyMesh::default();
    for i in 0..around {
        for j in 0..across {
            let (a, b) = (TAU * i as f64 / around as f64, TAU * j as f64 / across as f64);
            let thick = small * (1.0 + ripple * (9.0 * a).sin() * (5.0 * b).sin());
            let r = big + thick * b.cos();
            mesh.positions.push(Vec3::new(r * a.cos(), r * a.sin(), thick * b.sin()));
            let at = |i: usize, j: usize| ((i % around) * across + j % across) as u32;
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    mesh
}

fn large() -> Result<Large, SolidError> {
    let mesh = ring([0.5, 0.2], LARGE, 0.15);
    let resolution = Resolution::new(LARGE_CELL);
    let clock = Instant::now();
    let solid = Solid::new(&mesh)?;
    let field = Field::of(&solid, resolution);
    let seconds = clock.elapsed().as_secs_f64();
    let peak_bytes = peak_memory();
    Ok(Large {
        triangles: mesh.triangles.len() as u64,
        seconds,
        field_bytes: field.memory_bytes() as u64,
        peak_bytes,
        nanoseconds: question(&field, &mesh, resolution.band),
        found: deviation(&field, &solid, &mesh, 0.5 * resolution.band, POINTS),
    })
}

/// Nanoseconds of a question near the surface, for distance and gradient, on one thread.
fn question(field: &Field, mesh: &BodyMesh, reach: f64) -> f64 {
    let mut random = Random::new(1);
    let mut near = || {
        let at = (random.bits() % mesh.positions.len() as u64) as usize;
        let mut off = || random.between(-reach, reach);
        mesh.positions[at] + Vec3::new(off(), off(), off())
    };
    let points: Vec<Vec3> = (0..QUESTIONS).map(|_| near()).collect();
    let mut fastest = f64::INFINITY;
    for _ in 0..TRIES {
        let clock = Instant::now();
        let sum: f64 =
            points.iter().map(|p| field.sample(*p)).map(|s| s.distance + s.gradient.x).sum();
        std::hint::black_box(sum);
        fastest = fastest.min(clock.elapsed().as_secs_f64());
    }
    1e9 * fastest / QUESTIONS as f64
}

/// The most memory this program ever had [bytes], where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| 1024 * kibibytes)
}

impl Fields {
    /// The part of `--json`.
    pub fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "name": row.name,
                "stored": row.stored,
                "error_max": row.found.largest,
                "error_rms": row.found.rms,
                "error_bound": row.bound,
                "slope": row.found.slope,
                "memory_share": row.share,
            })
        });
        let Large { triangles, seconds, field_bytes, peak_bytes, nanoseconds, found } = &self.large;
        json!({
            "errors": rows.collect::<Vec<_>>(),
            "large": {
                "triangles": triangles,
                "seconds": seconds,
                "field_bytes": field_bytes,
                "peak_bytes": peak_bytes,
                "query_nanoseconds": nanoseconds,
                "error_max": found.largest,
            },
        })
    }

    /// The table, and a sentence about the large body.
    pub fn in_words(&self) -> String {
        let header = ["body", "stored", "largest error", "bound", "rms", "slope off by", "memory"];
        let mut cells = vec![header.map(str::to_owned).to_vec()];
        let millimetres = |x: f64| format!("{:.3} mm", 1e3 * x);
        for row in &self.rows {
            cells.push(vec![
                row.name.to_owned(),
                row.stored.to_owned(),
                millimetres(row.found.largest),
                millimetres(row.bound),
                millimetres(row.found.rms),
                format!("{:.3}", row.found.slope),
                format!("{:.1} %", 100.0 * row.share),
            ]);
        }
        let Large { triangles, seconds, field_bytes, peak_bytes, nanoseconds, found } = &self.large;
        let peak = peak_bytes.map_or("unknown".to_owned(), bytes);
        format!(
            "Distance fields of cells of {:.0} mm, memory as a share of a uniform grid's\n{}\n\n{} triangles to \
             a field of {:.0} mm: {seconds:.2} s, {} in the field, {peak} at most in all; {nanoseconds:.0} ns a \
             question; off by at most {}\n",
            1e3 * CELL,
            table(&cells),
            count(*triangles),
            1e3 * LARGE_CELL,
            bytes(*field_bytes),
            millimetres(found.largest),
        )
    }
}
