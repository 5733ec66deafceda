//! The judge over frames (R1): exact intersections, strain, and triangles that have gone wrong.

use crate::cache_scene::{CacheScene, PlaneAt};
use muslin::judge::{self, Problem, Stretch};
use muslin::math::Vec3;
use muslin_scene::cache::{Cache, CacheError, Frame, Run, SurfaceKind, Topology};
use rayon::prelude::*;
use serde_json::Value;

/// A vertex counts as below a plane when it is deeper than this share of the size of its
/// coordinates: the rounding of the distance itself.
const PLANE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What a finished cache says of itself where it was cleaned up (MF8).
pub const CLEANED: &str = "finish.cleanup";

/// What a triangle of cloth crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Two triangles of cloth.
    Cloth(u32, u32),
    /// A triangle of cloth and one of a body; both numbered through all surfaces.
    Body(u32, u32),
    /// A triangle of cloth and a plane, numbered as the scene's planes.
    Plane(u32, usize),
}

/// What the judge says about one frame.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Number of the frame.
    pub frame: u64,
    /// Everything that crosses, except where bodies pinch.
    pub crossings: Vec<Crossing>,
    /// Cloth in bodies, in a frame in which bodies left it no clean place: listed apart (R1).
    pub pinched: Vec<Crossing>,
    /// The most stretched edge; `None` without edges.
    pub stretch: Option<Stretch>,
    /// Triangles without area and numbers that are not finite.
    pub problems: Vec<Problem>,
}

/// A judge of the frames of one cache, or of one scene before it moves.
pub struct Judge<'a> {
    run: &'a Run,
    topology: &'a Topology,
    scene: &'a CacheScene,
    cloth_triangles: Vec<[u32; 3]>,
    body_triangles: Vec<[u32; 3]>,
    /// Their numbers through all surfaces.
    body_numbers: Vec<u32>,
}

impl<'a> Judge<'a> {
    /// A judge for frames of this shape; `scene` says where planes are.
    pub fn new(run: &'a Run, topology: &'a Topology, scene: &'a CacheScene) -> Self {
        let bodies = || run.surfaces.iter().filter(|surface| surface.kind == SurfaceKind::Body);
        let all = &topology.triangles;
        let first_body = bodies().next().map_or(all.len(), |body| body.triangles.range().start);
        let cloth = &all[..first_body.min(all.len())];
        let offset = run.cloth_vertex_count() as u32;
        // Cloth meets the fields of level sets, not their triangles; once it is cleaned up it must be out of
        // these too.
        let cleaned = run.overrides.contains_key(CLEANED);
        let solid = bodies().filter(|body| cleaned || !scene.is_level_set(&body.name));
        let (body_numbers, body_triangles) = solid
            .flat_map(|body| body.triangles.range())
            .filter_map(|number| Some((number, all.get(number)?)))
            .map(|(number, t)| (number as u32, t.map(|v| v.wrapping_sub(offset))))
            .unzip();
        let cloth_triangles = cloth.to_vec();
        Self { run, topology, scene, cloth_triangles, body_triangles, body_numbers }
    }

    /// Judges one frame.
    pub fn frame(&self, number: u64, frame: &Frame) -> Verdict {
        let (cloth, x) = (&self.cloth_triangles, &frame.positions);
        let within = judge::intersecting_pairs(x, cloth).into_iter();
        let mut crossings: Vec<Crossing> = within.map(|(a, b)| Crossing::Cloth(a, b)).collect();
        let between = judge::crossing_pairs(x, cloth, &frame.bodies, &self.body_triangles);
        let owned = |b: u32| self.body_numbers[b as usize];
        crossings.extend(between.into_iter().map(|(a, b)| Crossing::Body(a, owned(b))));
        for (index, plane) in self.planes(frame).iter().enumerate() {
            let below: Vec<bool> = x.iter().map(|x| is_below(plane, *x)).collect();
            let is_crossing =
                |t: &&[u32; 3]| t.iter().any(|&v| below.get(v as usize) == Some(&true));
            let triangles = cloth.iter().zip(0..).filter(|(t, _)| is_crossing(t));
            crossings.extend(triangles.map(|(_, triangle)| Crossing::Plane(triangle, index)));
        }
        let caught = frame.report["pinched_vertices"].as_array();
        let caught: Vec<u64> = caught.into_iter().flatten().filter_map(Value::as_u64).collect();
        let is_caught = |t: u32| cloth[t as usize].iter().any(|&v| caught.contains(&u64::from(v)));
        let pinches = |crossing: &Crossing| match *crossing {
            Crossing::Cloth(..) => false,
            Crossing::Body(t, _) | Crossing::Plane(t, _) => is_caught(t),
        };
        let (pinched, crossings) = crossings.into_iter().partition(pinches);
        Verdict {
            frame: number,
            crossings,
            pinched,
            stretch: judge::largest_stretch(x, &self.topology.edges, &self.topology.rest_lengths),
            problems: judge::problems(x, cloth),
        }
    }

    /// Judges frames of a cache, in parallel, as they are on the disk; the answers are in the
    /// order of `frames`.
    pub fn frames(
        &self,
        cache: &Cache,
        frames: &[u64],
        done: impl Fn() + Sync,
    ) -> Vec<Result<Verdict, CacheError>> {
        let judge = |&number: &u64| {
            let verdict = cache.frame(number).map(|frame| self.frame(number, &frame));
            done();
            verdict
        };
        frames.par_iter().map(judge).collect()
    }

    /// Whether crossings are problems: not where the scene's contact does not promise that there are none,
    /// unless its checks ask for it all the same. They are counted in any case.
    pub fn crossings_are_wrong(&self) -> bool {
        let asked = self.scene.checks.as_ref().and_then(|checks| checks.crossings);
        match asked {
            Some(allowed) => allowed == 0,
            None => self.scene.keeps_apart(),
        }
    }

    /// A crossing in words: both triangles with their surfaces, numbered within them.
    pub fn describe(&self, crossing: Crossing) -> String {
        match crossing {
            Crossing::Cloth(a, b) | Crossing::Body(a, b) => {
                format!("{} crosses {}", self.triangle(a), self.triangle(b))
            }
            Crossing::Plane(a, plane) => {
                let planes = self.scene.planes(0.0, self.run.up_axis);
                let name = planes.get(plane).map_or("plane", |plane| plane.name);
                format!("{} is below body `{name}`", self.triangle(a))
            }
        }
    }

    /// A triangle in words.
    pub fn triangle(&self, triangle: u32) -> String {
        let owner = |t: usize| self.run.surfaces.iter().find(|s| s.triangles.range().contains(&t));
        match owner(triangle as usize) {
            Some(surface) => {
                let own = triangle as usize - surface.triangles.range().start;
                format!("triangle {own} of {} `{}`", surface.kind, surface.name)
            }
            None => format!("triangle {triangle}"),
        }
    }

    /// An edge of cloth in words: its two vertices, numbered within their cloth.
    pub fn edge(&self, edge: u32) -> String {
        let Some([a, b]) = self.topology.edges.get(edge as usize) else {
            return format!("edge {edge}");
        };
        match (self.run.owner(*a as usize), self.run.owner(*b as usize)) {
            (Some((surface, a)), Some((_, b))) => {
                format!("the edge between vertices {a} and {b} of cloth `{}`", surface.name)
            }
            _ => format!("the edge between vertices {a} and {b}"),
        }
    }

    fn planes(&self, frame: &Frame) -> Vec<PlaneAt<'a>> {
        self.scene.planes(frame.time, self.run.up_axis)
    }
}

fn is_below(plane: &PlaneAt, x: Vec3) -> bool {
    let depth = -plane.normal.dot(x - plane.point);
    depth > PLANE_ROUNDING * (x.abs() + plane.point.abs()).element_sum()
}
