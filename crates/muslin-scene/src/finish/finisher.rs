//! The work on each frame.

use super::curved::Curved;
use super::finer::Finer;
use super::{Fineness, FinishError, FinishSettings, Source};
use crate::cache::{Frame, Run, SurfaceKind, Topology};
use muslin::body::BodyMesh;
use muslin::finish::subdivide::{Cage, Subdivided, Subdivision};
use muslin::finish::{BodyField, BodyParts, Crossings, HalfSpace, Obstacles, move_guarded};
use muslin::math::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// Finishes frames, each on its own.
#[derive(Debug)]
pub struct Finisher {
    settings: FinishSettings,
    plan: Plan,
    cage: Cage,
    run: Run,
    topology: Topology,
    body_triangles: Vec<[u32; 3]>,
    /// Vertices and triangles of each body among those of all bodies.
    bodies: Vec<(Range<usize>, Range<usize>)>,
    /// Distances to the bodies where they stand at first: most never move.
    still: OnceLock<BodyParts>,
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
        let cloth_vertices = source.run.cloth_vertex_count();
        let cloth_triangles = cage.mesh.triangles().len();
        let bodies = source.run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Body);
        let own = |range: Range<usize>, first: usize| range.start - first..range.end - first;
        Ok(Self {
            settings,
            plan,
            cage,
            run,
            topology,
            body_triangles: source.topology.triangles[cloth_triangles..]
                .iter()
                .map(|t| t.map(|v| v - cloth_vertices as u32))
                .collect(),
            bodies: bodies
                .map(|s| {
                    let (vertices, triangles) = (s.vertices.range(), s.triangles.range());
                    (own(vertices, cloth_vertices), own(triangles, cloth_triangles))
                })
                .collect(),
            still: OnceLock::new(),
        })
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
            Obstacles { positions: &frame.bodies, triangles: &self.body_triangles, planes };
        let parts = self.settings.clean_up.map(|_| self.body_parts(&frame.bodies));
        let field = parts.as_deref().zip(self.settings.clean_up);
        let field = field.map(|(parts, margin)| BodyField { parts, planes, margin });
        let coarse = self.cage.mesh.triangles();
        let done = match &self.plan {
            Plan::Subdivide(subdivision) => subdivision.apply(x, &obstacles, field.as_ref()),
            Plan::Curved(curved, flat) => {
                let flat = flat.apply(x, &obstacles, field.as_ref());
                draw(curved, flat, &obstacles, field.as_ref())?
            }
        };
        let input = match field {
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
        let left_out = parts.as_ref().map_or(0, |parts| parts.left_out.len());
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

    /// Names of bodies that clean-up cannot use, because they are not closed.
    pub fn left_out(&self) -> Vec<&str> {
        if self.settings.clean_up.is_none() {
            return Vec::new();
        }
        let parts = self.body_parts(&self.topology.body_positions);
        let bodies: Vec<&str> = self
            .run
            .surfaces
            .iter()
            .filter(|s| s.kind == SurfaceKind::Body && s.triangles.count > 0)
            .map(|s| s.name.as_str())
            .collect();
        parts.left_out.iter().filter_map(|(index, _)| bodies.get(*index).copied()).collect()
    }

    fn body_parts(&self, positions: &[Vec3]) -> Cow<'_, BodyParts> {
        let build = || {
            let mesh = |(vertices, triangles): &(Range<usize>, Range<usize>)| BodyMesh {
                positions: positions[vertices.clone()].to_vec(),
                triangles: self.body_triangles[triangles.clone()]
                    .iter()
                    .map(|t| t.map(|v| v - vertices.start as u32))
                    .collect(),
            };
            let solid = self.bodies.iter().filter(|(_, triangles)| !triangles.is_empty());
            BodyParts::new(&solid.map(mesh).collect::<Vec<_>>())
        };
        if positions == self.topology.body_positions {
            Cow::Borrowed(self.still.get_or_init(build))
        } else {
            Cow::Owned(build())
        }
    }
}

/// Curved faces, from the flat ones as far as nothing is in the way.
fn draw(
    curved: &Curved,
    mut done: Subdivided,
    obstacles: &Obstacles,
    field: Option<&BodyField>,
) -> Result<Subdivided, FinishError> {
    let (start, wanted) = (curved.flat(&done.positions), curved.draw(&done.positions)?);
    let moved = move_guarded(&start, &wanted, curved.triangles(), obstacles);
    done.positions = moved.positions;
    done.contacts.push(moved.contacts);
    done.held.push(moved.held);
    if let Some(field) = field {
        let (cleared, count) = field.clear(&done.positions, curved.triangles(), obstacles);
        done.positions = cleared;
        done.cleaned.push(count);
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
    all.extend(settings.clean_up.map(|margin| ("cleanup", margin.to_string())));
    all.extend(settings.sharp_seams.then(|| ("sharp_seams", "true".to_owned())));
    all.into_iter().map(|(key, value)| (format!("finish.{key}"), value)).collect()
}

/// What was done to a frame, for its report.
fn tell(done: &Subdivided, input: &Crossings, left_out: usize) -> Value {
    let counts =
        |c: &Crossings| json!({ "cloth": c.cloth, "bodies": c.bodies, "planes": c.planes });
    json!({
        "input": counts(input),
        "levels": done.levels.iter().map(counts).collect::<Vec<_>>(),
        "contacts": done.contacts,
        "held": done.held,
        "cleaned": done.cleaned,
        "bodies_left_out": left_out,
    })
}
