//! Cloth in level sets (MF8): what was simulated may lie below a body's surface until it has been cleaned up.
//!
//! Measured against the body's triangles, as they are drawn, with exact distances that the solver does not use.

use crate::cache_scene::CacheScene;
use crate::judgement::CLEANED;
use crate::text::{count, number};
use muslin::body::BodyMesh;
use muslin::finish::BodySolids;
use muslin_scene::cache::{Frame, Run, SurfaceKind, Topology};

/// How deep cloth lies in one level set, in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Sunk {
    /// Number of the frame.
    frame: u64,
    /// Number of the level set.
    body: usize,
    /// Vertices below the surface.
    vertices: usize,
    /// The deepest [m].
    depth: f64,
}

/// A level set among the surfaces of a cache.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    inset: f64,
    /// Its triangles, with vertices numbered through all bodies.
    triangles: Vec<[u32; 3]>,
}

/// The level sets of a cache.
#[derive(Clone, Debug, Default)]
pub struct LevelSets(Vec<Part>);

impl LevelSets {
    /// Those of a run; none where cloth has been cleaned up, and its crossings are counted instead.
    pub fn new(run: &Run, topology: &Topology, scene: &CacheScene) -> Self {
        if run.overrides.contains_key(CLEANED) {
            return Self::default();
        }
        let offset = run.cloth_vertex_count() as u32;
        let parts = run.surfaces.iter().filter(|surface| surface.kind == SurfaceKind::Body);
        let parts = parts.filter_map(|surface| {
            let inset = scene.inset(&surface.name)?;
            let range = surface.triangles.range();
            let triangles = topology.triangles.get(range)?.iter();
            let triangles = triangles.map(|t| t.map(|v| v.wrapping_sub(offset))).collect();
            Some(Part { name: surface.name.clone(), inset, triangles })
        });
        Self(parts.collect())
    }

    /// How deep the cloth of frame `number` lies in each of them; without those it does not lie in.
    pub fn sunk(&self, number: u64, frame: &Frame) -> Vec<Sunk> {
        let parts = self.0.iter().enumerate();
        let of = |(body, part): (usize, &Part)| {
            let (vertices, depth) = part.sunk(frame)?;
            Some(Sunk { frame: number, body, vertices, depth })
        };
        parts.filter_map(of).collect()
    }

    /// A note for every level set that cloth lies in.
    pub fn in_words(&self, sunk: &[Sunk]) -> Vec<String> {
        let note = |(body, part): (usize, &Part)| {
            let of_body = || sunk.iter().filter(|sunk| sunk.body == body);
            let most = of_body().map(|sunk| sunk.vertices).max()?;
            let deepest = of_body().max_by(|a, b| a.depth.total_cmp(&b.depth))?;
            let Part { name, inset, .. } = part;
            Some(format!(
                "cloth lies in body `{name}`, a level set that it met {} mm below the surface: up to {} vertices a \
                 frame, {:.2} mm deep in frame {}; `muslin finish --cleanup` brings it out",
                number(inset * 1e3),
                count(most as u64),
                deepest.depth * 1e3,
                deepest.frame
            ))
        };
        self.0.iter().enumerate().filter_map(note).collect()
    }
}

impl Part {
    /// How many vertices of the cloth lie inside, and how deep [m].
    fn sunk(&self, frame: &Frame) -> Option<(usize, f64)> {
        let positions = frame.bodies.clone();
        if self.triangles.iter().flatten().any(|&v| v as usize >= positions.len()) {
            return None;
        }
        let mesh = BodyMesh { positions, triangles: self.triangles.clone() };
        let solids = BodySolids::new(std::slice::from_ref(&mesh));
        let depths = frame.positions.iter().filter_map(|x| solids.sample(0, *x, 0.0));
        let inside = depths.map(|sample| -sample.distance).filter(|depth| *depth > 0.0);
        let (vertices, depth) =
            inside.fold((0, 0.0f64), |(count, most), depth| (count + 1, most.max(depth)));
        (vertices > 0).then_some((vertices, depth))
    }
}
