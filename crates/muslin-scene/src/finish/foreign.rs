//! Animations of other programs as caches with one cloth.

use super::{FinishError, Source};
use crate::cache::{self, Frame, Run, Span, Surface, SurfaceKind, Topology};
use crate::formats::foreign::{Animation, Options};
use crate::polymesh::{PolyMesh, UnitError, UpAxis};
use muslin::math::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use std::collections::BTreeMap;
use std::path::Path;

/// Front and back of a cloth that came without colours, sRGB.
const COLOURS: [[f64; 3]; 2] = [[0.55, 0.66, 0.78], [0.80, 0.86, 0.92]];

/// What the file does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ForeignSettings<'a> {
    /// The faces of a `.pc2` or `.mdd`; the `.obj` or `.ply` of the same name when not given.
    pub mesh: Option<&'a Path>,
    /// The object to take; all when not given.
    pub object: Option<&'a str>,
    /// Frames per second [1/s]; the file's own, else 24, when not given.
    pub fps: Option<f64>,
    /// Up axis; the file's own, else z, when not given.
    pub up: Option<UpAxis>,
    /// Length of the file's unit [m]; the file's own, else 1, when not given.
    pub metres_per_unit: Option<f64>,
}

/// An animation read frame by frame.
#[derive(Debug)]
pub(super) struct Foreign {
    animation: Animation,
    up: UpAxis,
    unit: f64,
}

impl Source {
    /// Opens an animation of another program: numbered `.obj` or `.ply` files (`walk_####.obj`), `.pc2` or
    /// `.mdd` with a mesh, USD, glTF. Its first frame is its rest shape.
    pub fn from_file(path: &Path, settings: &ForeignSettings) -> Result<Self, FinishError> {
        let options = Options {
            mesh: settings.mesh,
            fps: settings.fps,
            object: settings.object,
            ..Options::default()
        };
        let animation = Animation::open(path, &options)?;
        let up = settings.up.or(animation.up()).unwrap_or_default();
        let unit = settings.metres_per_unit.or(animation.metres_per_unit()).unwrap_or(1.0);
        if !(unit > 0.0 && unit.is_finite()) {
            return Err(UnitError { metres_per_unit: unit }.into());
        }
        let foreign = Foreign { animation, up, unit };
        let place = path.display().to_string();
        let mesh = foreign.animation.mesh();
        if let Some(problem) = mesh.problems(1).into_iter().next() {
            return Err(FinishError::Polygons { place, problem: problem.to_string() });
        }
        let topology = topology(mesh, unit, &place)?;
        let run = foreign.run(path, &topology);
        Ok(Self::from_foreign(foreign, run, topology))
    }
}

impl Foreign {
    fn run(&self, path: &Path, topology: &Topology) -> Run {
        let stem = path.file_stem().map_or("cloth".into(), |s| s.to_string_lossy());
        let word = |c: char| c.is_alphanumeric() || c == '-';
        let name = stem.trim_matches(|c| !word(c)).to_owned();
        let name = if name.is_empty() { "cloth".to_owned() } else { name };
        let times = self.animation.times();
        let span = |count: usize| Span { first: 0, count: count as u64 };
        Run {
            scene: name.clone(),
            overrides: BTreeMap::from([("finish.source".to_owned(), path.display().to_string())]),
            seed: 0,
            fps: match times {
                [first, .., last] => (times.len() - 1) as f64 / (last - first),
                _ => 24.0,
            },
            first_frame: 0,
            last_frame: times.len() as u64 - 1,
            up_axis: cache::UpAxis::Z,
            metres_per_unit: 1.0,
            surfaces: vec![Surface {
                name,
                kind: SurfaceKind::Cloth,
                vertices: span(self.animation.mesh().vertex_count()),
                triangles: span(topology.triangles.len()),
                polygons: span(self.animation.mesh().face_count()),
                front_colour: COLOURS[0],
                back_colour: COLOURS[1],
                layer: 0,
            }],
        }
    }

    fn positions(&self, frame: usize) -> Result<Vec<Vec3>, FinishError> {
        let positions = self.animation.positions(frame)?;
        Ok(positions.iter().map(|p| self.up.world_from_file(*p) * self.unit).collect())
    }

    /// A frame, with velocities from the frames before and after it.
    pub(super) fn frame(&self, number: u64) -> Result<Frame, FinishError> {
        let times = self.animation.times();
        let at = number as usize;
        let positions = self.positions(at)?;
        let (before, after) = (at.saturating_sub(1), (at + 1).min(times.len() - 1));
        let velocities = if before == after {
            vec![Vec3::ZERO; positions.len()]
        } else {
            let (a, b) = (self.positions(before)?, self.positions(after)?);
            let seconds = times[after] - times[before];
            a.iter().zip(&b).map(|(a, b)| (*b - *a) / seconds).collect()
        };
        let (bodies, report) = (Vec::new(), serde_json::Value::Null);
        Ok(Frame { time: times[at], positions, velocities, bodies, report, marks: Vec::new() })
    }
}

/// The mesh of the first frame: triangles whose rest shape is the one they have there.
fn topology(mesh: &PolyMesh, unit: f64, place: &str) -> Result<Topology, FinishError> {
    let cut = mesh.triangulate();
    let flat = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.positions[v as usize] * unit);
        let (e, f) = (b - a, c - a);
        let length = e.length();
        [
            Vec2::ZERO,
            Vec2::new(length, 0.0),
            Vec2::new(f.dot(e) / length, e.cross(f).length() / length),
        ]
    };
    let uv: Vec<[Vec2; 3]> = cut.triangles.iter().map(flat).collect();
    let cloth = TriMesh::new(mesh.vertex_count(), cut.triangles.clone(), uv)
        .map_err(|problem| FinishError::Mesh { place: place.to_owned(), problem })?;
    let edges = cloth.topology().edges();
    let (texture_uv, polygon_uv) = match &mesh.uv {
        Some(uv) => (uv.values.iter().map(Vec2::to_array).collect(), uv.corners.clone()),
        None => (Vec::new(), vec![None; mesh.face_vertices.len()]),
    };
    let mut polygon_materials = mesh.face_materials.clone();
    polygon_materials.resize(mesh.face_count(), None);
    Ok(Topology {
        corner_uv: cloth.uv().iter().map(|t| t.map(|p| p.to_array())).collect(),
        polygon_offsets: mesh.face_offsets.clone(),
        polygon_vertices: mesh.face_vertices.clone(),
        polygon_materials,
        material_names: mesh.materials.clone(),
        texture_uv,
        polygon_uv,
        edges: edges.iter().map(|edge| edge.vertices).collect(),
        rest_lengths: (0..edges.len()).map(|e| cloth.rest_length(e)).collect(),
        body_positions: Vec::new(),
        triangles: cut.triangles,
    })
}
