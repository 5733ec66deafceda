//! From the surfaces of a cache to meshes other programs know: the polygons that came in, vertex
//! order, uv and materials kept.

use crate::failure::Failure;
use muslin::math::{Vec2, Vec3};
use muslin_scene::cache::{Cache, Frame, Surface, SurfaceKind, Topology, UpAxis};
use muslin_scene::formats::animation::{self, SourceError};
use muslin_scene::polymesh::{self, CornerUv, PolyMesh};

/// The mesh of one surface, as it was imported; its positions are those of frame 0's bodies, or
/// zero for cloth.
pub fn mesh(cache: &Cache, surface: &Surface) -> Result<PolyMesh, Failure> {
    let topology = cache.topology();
    let vertices = surface.vertices.range();
    let mut mesh = PolyMesh { positions: vec![Vec3::ZERO; vertices.len()], ..PolyMesh::default() };
    for polygon in surface.polygons.range() {
        let corners = polygon_corners(topology, polygon);
        let local: Vec<u32> =
            corners.iter().map(|v| v.wrapping_sub(vertices.start as u32)).collect();
        if local.iter().any(|&v| v as usize >= vertices.len()) {
            let name = &surface.name;
            let message = format!(
                "polygon {polygon} of the cache is no polygon of `{name}`: make the cache again"
            );
            return Err(Failure::new("damaged", cache.dir().display().to_string(), message));
        }
        mesh.push_face(&local);
    }
    let polygons = surface.polygons.range();
    let [start, end] = [polygons.start, polygons.end].map(|p| topology.polygon_offsets[p] as usize);
    mesh.uv = own(&topology.texture_uv, &topology.polygon_uv[start..end]).map(|(uv, corners)| {
        CornerUv { values: uv.into_iter().map(Vec2::from).collect(), corners }
    });
    if let Some((names, faces)) =
        own(&topology.material_names, &topology.polygon_materials[polygons])
    {
        (mesh.materials, mesh.face_materials) = (names, faces);
    }
    Ok(mesh)
}

fn polygon_corners(topology: &Topology, polygon: usize) -> &[u32] {
    let ends = [polygon, polygon + 1].map(|i| topology.polygon_offsets[i] as usize);
    &topology.polygon_vertices[ends[0]..ends[1]]
}

/// The part of `list` that a surface's indices use, in its order, and the indices counted from its
/// start; `None` where there are no indices.
fn own<T: Clone>(list: &[T], indices: &[Option<u32>]) -> Option<(Vec<T>, Vec<Option<u32>>)> {
    let used = indices.iter().flatten();
    let (first, last) = (*used.clone().min()?, *used.max()?);
    let local = indices.iter().map(|index| index.map(|i| i - first)).collect();
    Some((list[first as usize..=last as usize].to_vec(), local))
}

/// Frames of one or several surfaces, z up and in metres, as the writers want them.
pub struct CacheFrames<'a> {
    cache: &'a Cache,
    surfaces: Vec<Surface>,
    numbers: Vec<u64>,
    /// The frame read last, so that several meshes of one frame are read once.
    held: Option<(u64, Frame)>,
}

impl<'a> CacheFrames<'a> {
    /// The frames `numbers` of `surfaces`.
    pub fn new(cache: &'a Cache, surfaces: Vec<Surface>, numbers: Vec<u64>) -> Self {
        Self { cache, surfaces, numbers, held: None }
    }

    /// Whether the surface moves within these frames.
    pub fn moves(&mut self, mesh: usize) -> Result<bool, Failure> {
        if self.surfaces[mesh].kind == SurfaceKind::Cloth {
            return Ok(true);
        }
        let still = |error: SourceError| Failure::new("damaged", "", error.to_string());
        let first = self.get(mesh, 0).map_err(still)?.positions;
        for frame in 1..self.numbers.len() {
            if self.get(mesh, frame).map_err(still)?.positions != first {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn get(&mut self, mesh: usize, frame: usize) -> Result<animation::Frame, SourceError> {
        let number = *self.numbers.get(frame).ok_or("there are no more frames")?;
        let surface = self.surfaces.get(mesh).ok_or("there are no more meshes")?;
        let held = match self.held.take() {
            Some((held, frame)) if held == number => frame,
            _ => self.cache.frame(number)?,
        };
        let run = &self.cache.manifest().run;
        let up = match run.up_axis {
            UpAxis::Y => polymesh::UpAxis::Y,
            UpAxis::Z => polymesh::UpAxis::Z,
        };
        let world = |v: &Vec3| up.world_from_file(*v) * run.metres_per_unit;
        let vertices = surface.vertices.range();
        let (positions, velocities) = match surface.kind {
            SurfaceKind::Cloth => (
                held.positions[vertices.clone()].iter().map(world).collect(),
                Some(held.velocities[vertices].iter().map(world).collect()),
            ),
            SurfaceKind::Body => {
                let offset = held.positions.len();
                let own = &held.bodies[vertices.start - offset..vertices.end - offset];
                (own.iter().map(world).collect(), None)
            }
        };
        let time = held.time;
        self.held = Some((number, held));
        Ok(animation::Frame { positions, velocities, time })
    }
}

impl animation::FrameSource for CacheFrames<'_> {
    fn frame(&mut self, mesh: usize, frame: usize) -> Result<animation::Frame, SourceError> {
        self.get(mesh, frame)
    }
}
