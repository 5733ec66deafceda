//! A toy simulation that writes caches, and what its tests share.

mod crash;
mod damage;
mod kill;
mod numpy;
mod refuse;
mod round_trip;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use muslin::math::Vec3;
use serde_json::{Value, json};

use super::disk::{Disk, fuse::Fuse};
use super::*;

/// Last frame of the toy's run; frame 0 is its initial state.
const LAST_FRAME: u64 = 5;
/// A checkpoint follows every frame that this divides, and the last one.
const CHECKPOINT_EVERY: u64 = 2;
const SCENE_TEXT: &str = "[scene]\nname = \"toy\"  # three particles over a tetrahedron\n";

/// A folder of its own for one test, in memory where the system has such a place.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let dir = root.join(format!("muslin-cache-test-{}-{serial}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn cache(&self) -> PathBuf {
        self.0.join("run.muslin")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Particles thrown about by a random walk: cheap, and every bit of its state matters.
#[derive(Debug, Clone, PartialEq)]
struct Toy {
    time: f64,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    random: u64,
}

impl Toy {
    fn new(particles: usize) -> Self {
        let positions = (0..particles).map(|i| Vec3::new(i as f64, 0.1, -0.3)).collect();
        let velocities = vec![Vec3::ZERO; particles];
        Self { time: 0.0, positions, velocities, random: 12 }
    }

    fn step(&mut self) {
        self.time += 1.0 / 24.0;
        for (x, v) in self.positions.iter_mut().zip(&mut self.velocities) {
            // Knuth's multiplier and increment.
            self.random =
                self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let push = (self.random >> 40) as f64 / f64::from(1 << 24) - 0.5;
            *v += Vec3::new(push, push * push, -0.1);
            *x += *v / 24.0;
        }
    }

    fn frame(&self) -> Frame {
        Frame {
            time: self.time,
            positions: self.positions.clone(),
            velocities: self.velocities.clone(),
            bodies: Vec::new(),
            marks: self.positions.iter().map(|x| u8::from(x.z > 0.0)).collect(),
            report: json!({ "speed": self.velocities.iter().map(|v| v.length()).fold(0.0, f64::max) }),
        }
    }

    fn snapshot(&self) -> Snapshot {
        let flat = |rows: &[Vec3]| -> Vec<f64> { rows.iter().flat_map(Vec3::to_array).collect() };
        let mut snapshot = Snapshot::default();
        snapshot.push("time", vec![self.time]);
        snapshot.push("x", flat(&self.positions));
        snapshot.push("v", flat(&self.velocities));
        snapshot.push("random.state", vec![self.random]);
        snapshot.push("note", b"toy".to_vec());
        snapshot
    }

    fn from_snapshot(snapshot: &Snapshot) -> Self {
        let rows = |name: &str| -> Vec<Vec3> {
            let (rows, _) = snapshot.f64s(name).unwrap().as_chunks::<3>();
            rows.iter().map(|r| Vec3::from_array(*r)).collect()
        };
        assert_eq!(snapshot.u8s("note"), Some(b"toy".as_slice()));
        Self {
            time: snapshot.f64s("time").unwrap()[0],
            positions: rows("x"),
            velocities: rows("v"),
            random: snapshot.u64s("random.state").unwrap()[0],
        }
    }
}

fn surface(name: &str, kind: SurfaceKind, vertices: Span, triangles: Span) -> Surface {
    Surface {
        name: name.to_owned(),
        kind,
        vertices,
        triangles,
        polygons: triangles,
        front_colour: [0.1, 0.7, 0.3],
        back_colour: [1.0, 0.0, 0.5],
        layer: 1,
    }
}

fn span(first: u64, count: u64) -> Span {
    Span { first, count }
}

/// One cloth of `particles` vertices and one triangle, and a tetrahedron to stand over.
fn toy_run(particles: u64) -> Run {
    Run {
        scene: "toy".to_owned(),
        overrides: BTreeMap::from([("solver.step".to_owned(), "0.01".to_owned())]),
        seed: u64::MAX,
        // Not a number that a sloppy decimal reader gets right.
        fps: 30000.0 / 1001.0,
        first_frame: 0,
        last_frame: LAST_FRAME,
        up_axis: UpAxis::Z,
        metres_per_unit: 1.0,
        surfaces: vec![
            surface("veil", SurfaceKind::Cloth, span(0, particles), span(0, 1)),
            surface("rock", SurfaceKind::Body, span(particles, 4), span(1, 4)),
        ],
    }
}

fn toy_topology(particles: u32) -> Topology {
    let body = |t: [u32; 3]| t.map(|v| v + particles);
    let triangles =
        vec![[0, 1, 2], body([0, 2, 1]), body([0, 1, 3]), body([1, 2, 3]), body([2, 0, 3])];
    Topology {
        corner_uv: (0..5).map(|i| [[0.0, 0.5], [1.0, 0.25], [f64::from(i), 1.0]]).collect(),
        polygon_offsets: vec![0, 3, 6, 9, 12, 15],
        polygon_vertices: triangles.as_flattened().to_vec(),
        polygon_materials: vec![None, Some(1), Some(0), None, Some(1)],
        material_names: vec!["moss \"wet\"".to_owned(), "pierre grisée".to_owned()],
        texture_uv: vec![[0.25, 0.5], [-1.0, 2.0]],
        polygon_uv: (0..15u32).map(|corner| (corner > 2).then_some(corner % 2)).collect(),
        triangles,
        edges: vec![[0, 1], [1, 2], [0, 2]],
        rest_lengths: vec![1.0, 1.0, 2.0],
        body_positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
    }
}

fn with_start<T>(particles: u32, use_it: impl FnOnce(&Start<'_>) -> T) -> T {
    let topology = toy_topology(particles);
    use_it(&Start {
        run: toy_run(u64::from(particles)),
        topology: &topology,
        scene_text: SCENE_TEXT,
        resolved_text: "[scene]\nname = \"toy\"\n[solver]\nstep = 0.01\n",
    })
}

fn create(dir: &Path) -> Result<CacheWriter, CacheError> {
    with_start(3, |start| CacheWriter::create(dir, start, Existing::Keep))
}

/// What `muslin run --resume` does: takes up the run or starts it, and goes on to the end. The
/// power fails after `steps` file operations; `acknowledged` counts the frames that were safe.
fn run_until(
    dir: &Path,
    steps: usize,
    particles: u32,
    acknowledged: &mut u64,
) -> Result<String, CacheError> {
    let disk = || Disk { fuse: Fuse::after(steps) };
    match CacheWriter::resume_on(disk(), dir)? {
        Resume::NotStarted => {
            let writer = with_start(particles, |start| {
                CacheWriter::create_on(disk(), dir, start, Existing::Keep)
            })?;
            simulate(writer, Toy::new(particles as usize), acknowledged)
        }
        Resume::From(point) => {
            let new = || Toy::new(particles as usize);
            let toy = point.snapshot.as_ref().map_or_else(new, Toy::from_snapshot);
            *acknowledged = point.next_frame;
            simulate(point.writer, toy, acknowledged)
        }
        Resume::Finished(manifest) => Ok(manifest.fingerprint.unwrap()),
    }
}

fn simulate(mut writer: CacheWriter, mut toy: Toy, safe: &mut u64) -> Result<String, CacheError> {
    for index in writer.next_frame()..=LAST_FRAME {
        if index > 0 {
            toy.step();
        }
        writer.write_frame(index, &toy.frame())?;
        *safe = index + 1;
        if index % CHECKPOINT_EVERY == 0 || index == LAST_FRAME {
            writer.write_checkpoint(index, &toy.snapshot())?;
        }
    }
    let report = report(&writer.dir)?;
    writer.finish(&report)
}

/// A report of the whole run, from the frames' own, so that a resumed run has all of them.
fn report(dir: &Path) -> Result<Value, CacheError> {
    let cache = Cache::open(dir)?;
    let frames = cache.frames()?.into_iter().map(|index| Ok(cache.frame(index)?.report));
    Ok(json!({ "frames": frames.collect::<Result<Vec<Value>, CacheError>>()? }))
}

/// A finished cache of the toy's run.
fn finished(dir: &Path) -> String {
    run_until(dir, usize::MAX, 3, &mut 0).unwrap()
}

/// Every file below `dir` with its bytes.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                files.insert(path.strip_prefix(dir).unwrap().to_owned(), bytes);
            }
        }
    }
    files
}

/// Names the first file that differs; comparing bytes directly would print them all.
fn assert_same(a: &BTreeMap<PathBuf, Vec<u8>>, b: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    let (names_a, names_b): (Vec<_>, Vec<_>) = (a.keys().collect(), b.keys().collect());
    assert_eq!(names_a, names_b, "{what}");
    for (name, bytes) in a {
        assert!(*bytes == b[name], "{what}: {} differs", name.display());
    }
}
