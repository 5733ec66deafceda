//! The work on each frame.

use super::curved::Curved;
use super::finer::Finer;
use super::obstacles::Bodies;
use super::{Cleaning, Fineness, FinishError, FinishSettings, Source};
use crate::cache::{Frame, Run, SurfaceKind, Topology};
use muslin::finish::cleanup::CleanUp;
use muslin::finish::subdivide::{Cage, Subdivided, Subdivision};
use muslin::finish::{CleanCounts, Cleaner, Crossings, HalfSpace, Obstacles, move_guarded};
use muslin::math::Vec2;
use muslin::mesh::TriMesh;
use serde_json::{Value, json};

/// Finishes frames, each on its own.
#[derive(Debug)]
pub struct Finisher {
    plan: Plan,
    cage: Cage,
    run: Run,
    topology: Topology,
    bodies: Bodies,
}

#[derive(Debug)]
enum Plan {
    Subdivide(Subdivision),
    /// The curved faces, and the flat ones they start from.
    Curved(Box<Curved>, Subdivision),
}

/// A finished frame.
#[derive(Debug)]
pub struct Finished {
    /// The frame to write; its report says what was done, under `finish`.
    pub frame: Frame,
    /// What the judge found before.
    pub input: Crossings,
    /// What the judge finds at each level: first the input after clean-up.
    pub levels: Vec<Crossings>,
}

impl Finisher {
    /// Plans the work on the frames of a source.
    pub fn new(source: &Source, settings: FinishSettings) -> Result<Self, FinishError> {
        let cage = cage(&source.run, &source.topology, settings.sharp_seams)?;
        let (plan, finer) = match settings.fineness {
            Fineness::Subdivide(levels) => {
                let subdivision = Subdivision::new(cage.clone(), levels)?;
                let finer = subdivided(&subdivision, levels);
                (Plan::Subdivide(subdivision), finer)
            }
            Fineness::Curved(segments) => {
                let first = source.frames.first().copied().unwrap_or(source.run.first_frame);
                let start = source.frame(first)?.positions;
                let (curved, finer) = Curved::new(&cage, segments, &start)?;
                (Plan::Curved(Box::new(curved), Subdivision::new(cage.clone(), 0)?), finer)
            }
        };
        let (mut run, topology) = finer.cache(&source.run, &source.topology);
        run.overrides.extend(describe(&settings));
        let bodies = Bodies::new(source, cage.mesh.triangles().len(), settings.clean_up);
        Ok(Self { plan, cage, run, topology, bodies })
    }

    /// The run of the finished cache.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The topology of the finished cache.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Finishes one frame; `planes` are the infinite planes at its time.
    pub fn frame(&self, frame: Frame, planes: &[HalfSpace]) -> Result<Finished, FinishError> {
        let x = &frame.positions;
        let obstacles =
            Obstacles { positions: &frame.bodies, triangles: &self.bodies.triangles, planes };
        let inside = self.bodies.inside(&frame.bodies);
        let cleaner = inside.as_deref().map(|inside| inside.cleaner(planes));
        let coarse = self.cage.mesh.triangles();
        let done = match &self.plan {
            Plan::Subdivide(subdivision) => subdivision.apply(x, &obstacles, cleaner.as_ref()),
            Plan::Curved(curved, flat) => {
                let first = cleaner.as_ref().filter(|cleaner| !cleaner.is_last());
                let flat = flat.apply(x, &obstacles, first);
                draw(curved, flat, &obstacles, cleaner.as_ref())?
            }
        };
        let input = match cleaner {
            Some(_) => Crossings::judge(x, coarse, &obstacles),
            None => done.levels.first().copied().unwrap_or_default(),
        };
        let velocities = match &self.plan {
            Plan::Subdivide(subdivision) => subdivision.split(&frame.velocities),
            Plan::Curved(curved, _) => curved.flat(&frame.velocities),
        };
        let mut report = match frame.report {
            Value::Object(report) => report,
            _ => serde_json::Map::new(),
        };
        let left_out = inside.as_deref().map_or(0, |inside| inside.left_out().len());
        report.insert("finish".to_owned(), tell(&done, &input, left_out));
        // Bodies that stand where the topology has them are not written again.
        let still = frame.bodies == self.topology.body_positions;
        let bodies = if still { Vec::new() } else { frame.bodies };
        let report = Value::Object(report);
        let (positions, levels) = (done.positions, done.levels);
        let frame =
            Frame { time: frame.time, positions, velocities, bodies, report, marks: Vec::new() };
        Ok(Finished { frame, input, levels })
    }

    /// Names of bodies that clean-up cannot use, because they have no inside.
    pub fn left_out(&self) -> Vec<&str> {
        let inside = self.bodies.inside(&self.topology.body_positions);
        let Some(inside) = inside else { return Vec::new() };
        let bodies: Vec<&str> = self
            .run
            .surfaces
            .iter()
            .filter(|s| s.kind == SurfaceKind::Body && s.triangles.count > 0)
            .map(|s| s.name.as_str())
            .collect();
        inside.left_out().iter().filter_map(|index| bodies.get(*index).copied()).collect()
    }
}

/// Curved faces, from the flat ones as far as nothing is in the way.
fn draw(
    curved: &Curved,
    mut done: Subdivided,
    obstacles: &Obstacles,
    cleaner: Option<&Cleaner>,
) -> Result<Subdivided, FinishError> {
    let (start, wanted) = (curved.flat(&done.positions), curved.draw(&done.positions)?);
    let nothing = Obstacles::default();
    let waits = cleaner.is_some_and(Cleaner::is_last);
    let in_the_way = if waits { &nothing } else { obstacles };
    let moved = move_guarded(&start, &wanted, curved.triangles(), in_the_way);
    done.positions = moved.positions;
    done.contacts.push(moved.contacts);
    done.held.push(moved.held);
    if let Some(cleaner) = cleaner {
        let (cleared, counts) = cleaner.clear(&done.positions, curved.triangles(), obstacles);
        done.positions = cleared;
        done.cleaned.push(counts);
    }
    done.levels.push(Crossings::judge(&done.positions, curved.triangles(), obstacles));
    Ok(done)
}

/// The cloths of a cache as one mesh.
fn cage(run: &Run, topology: &Topology, sharp_seams: bool) -> Result<Cage, FinishError> {
    let place = || format!("the cloth of `{}`", run.scene);
    let cloths: Vec<_> = run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Cloth).collect();
    let Some(last) = cloths.last() else {
        return Err(FinishError::NoCloth { place: format!("`{}`", run.scene) });
    };
    let triangles = topology.triangles[..last.triangles.range().end].to_vec();
    let uv = topology.corner_uv[..triangles.len()].iter().map(|t| t.map(Vec2::from)).collect();
    let mesh = TriMesh::new(run.cloth_vertex_count(), triangles, uv)
        .map_err(|problem| FinishError::Mesh { place: place(), problem })?;
    let mut cage = Cage::new(mesh);
    cage.part_ends = cloths.iter().map(|s| s.vertices.range().end).collect();
    let mut known: Vec<([u32; 2], f64)> = topology
        .edges
        .iter()
        .zip(&topology.rest_lengths)
        .map(|(&[a, b], &length)| ([a.min(b), a.max(b)], length))
        .collect();
    known.sort_unstable_by_key(|(vertices, _)| *vertices);
    for (edge, length) in cage.mesh.topology().edges().iter().zip(&mut cage.rest_lengths) {
        if let Ok(at) = known.binary_search_by_key(&edge.vertices, |(vertices, _)| *vertices)
            && known[at].1 > 0.0
        {
            *length = known[at].1;
        }
    }
    if sharp_seams {
        cage.creases = cage.seams();
    }
    Ok(cage)
}

fn subdivided(subdivision: &Subdivision, levels: u32) -> Finer {
    let finest = subdivision.finest();
    Finer {
        part_ends: finest.part_ends.clone(),
        triangles: finest.mesh.triangles().to_vec(),
        uv: finest.mesh.uv().to_vec(),
        per_triangle: 4usize.pow(levels),
        edges: finest.mesh.topology().edges().iter().map(|edge| edge.vertices).collect(),
        rest_lengths: finest.rest_lengths.clone(),
    }
}

/// The settings for the manifest, so that another finish is told from this one.
fn describe(settings: &FinishSettings) -> Vec<(String, String)> {
    let (key, value) = match settings.fineness {
        Fineness::Subdivide(levels) => ("subdivide", levels.to_string()),
        Fineness::Curved(None) => ("curved", "18 triangles a face".to_owned()),
        Fineness::Curved(Some(segments)) => ("curved", format!("{segments} segments an edge")),
    };
    let mut all = vec![(key, value)];
    all.extend(settings.clean_up.map(|how| {
        let text = match how {
            Cleaning::Flatten(margin) => format!("flat, clearance {margin}"),
            Cleaning::KeepWrinkles(CleanUp { least, reach, expected_depth }) => {
                format!("wrinkles, clearance {least}, reach {reach}, depth {expected_depth}")
            }
        };
        ("cleanup", text)
    }));
    all.extend(settings.sharp_seams.then(|| ("sharp_seams", "true".to_owned())));
    all.into_iter().map(|(key, value)| (format!("finish.{key}"), value)).collect()
}

/// What was done to a frame, for its report.
fn tell(done: &Subdivided, input: &Crossings, left_out: usize) -> Value {
    let counts =
        |c: &Crossings| json!({ "cloth": c.cloth, "bodies": c.bodies, "planes": c.planes });
    let cleaned =
        |kind: fn(&CleanCounts) -> usize| done.cleaned.iter().map(kind).collect::<Vec<_>>();
    json!({
        "input": counts(input),
        "levels": done.levels.iter().map(counts).collect::<Vec<_>>(),
        "contacts": done.contacts,
        "held": done.held,
        "cleaned": cleaned(|c| c.moved),
        "pinched": cleaned(|c| c.pinched),
        "stuck": cleaned(|c| c.stuck),
        "bodies_left_out": left_out,
    })
}
