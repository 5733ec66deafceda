//! What a run will take, and the parts of a cache that do not change from frame to frame.

use super::{Piece, Runner};
use crate::cache::{self, Run, Span, Surface, SurfaceKind, Topology};
use crate::polymesh::{CornerUv, PolyMesh};
use crate::spec::{SceneSpec, UpAxis};
use muslin::body::Body;
use muslin::math::Vec2;
use muslin::mesh::TriMesh;
use std::collections::BTreeMap;

/// Colours of cloths that name none, front and back, sRGB.
const CLOTH_COLOURS: [[[f64; 3]; 2]; 4] = [
    [[0.72, 0.26, 0.18], [0.88, 0.65, 0.56]],
    [[0.23, 0.43, 0.65], [0.62, 0.73, 0.85]],
    [[0.35, 0.50, 0.31], [0.72, 0.79, 0.66]],
    [[0.80, 0.60, 0.22], [0.92, 0.81, 0.58]],
];

/// Colour of bodies that name none, sRGB.
const BODY_COLOUR: [f64; 3] = [0.72, 0.70, 0.67];

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Cloth vertices.
    pub vertices: u64,
    /// Cloth triangles.
    pub triangles: u64,
    /// Memory [bytes].
    pub memory_bytes: u64,
    /// Size of a frame on disk [bytes].
    pub frame_bytes: u64,
    /// Longest step of explicit elastic forces [s]; `None` for implicit dynamics (MF1).
    pub stable_step: Option<f64>,
}

impl Runner {
    /// What a run will take: vertices, triangles, bytes of memory, bytes of a frame on disk.
    pub fn estimate(&self) -> Estimate {
        let vertices: u64 = self.pieces.iter().map(|p| p.positions.len() as u64).sum();
        let triangles = self.pieces.iter().map(|p| p.mesh.triangles().len() as u64).sum();
        let body_vertices: u64 = self.bodies.iter().map(|b| b.mesh.positions.len() as u64).sum();
        Estimate {
            vertices,
            triangles,
            memory_bytes: vertices * self.engine.bytes_per_vertex() + body_vertices * 500,
            frame_bytes: vertices * 49 + body_vertices * 24,
            stable_step: self.stable_step(),
        }
    }

    /// The caller's part of a cache's manifest, for frames 0 to `last_frame`.
    pub fn plan(&self, scene: &SceneSpec, overrides: &[String], last_frame: u64) -> Run {
        let split = |text: &String| {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            (key.to_owned(), value.to_owned())
        };
        Run {
            scene: scene.name.clone(),
            overrides: overrides.iter().map(split).collect::<BTreeMap<_, _>>(),
            seed: u64::from(scene.seed),
            fps: scene.fps,
            first_frame: 0,
            last_frame,
            up_axis: match scene.up {
                UpAxis::Y => cache::UpAxis::Y,
                UpAxis::Z => cache::UpAxis::Z,
            },
            metres_per_unit: 1.0,
            surfaces: self.surfaces(scene),
        }
    }

    fn surfaces(&self, scene: &SceneSpec) -> Vec<Surface> {
        let mut at = [0u64; 3];
        let mut next = |counts: [usize; 3]| {
            let spans = [0, 1, 2].map(|k| Span { first: at[k], count: counts[k] as u64 });
            (0..3).for_each(|k| at[k] += counts[k] as u64);
            spans
        };
        let mut surfaces = Vec::new();
        for (k, (piece, spec)) in self.pieces.iter().zip(&scene.cloth).enumerate() {
            let triangles = piece.mesh.triangles().len();
            let polygons = piece.source.as_ref().map_or(triangles, PolyMesh::face_count);
            let [vertices, triangles, polygons] =
                next([piece.positions.len(), triangles, polygons]);
            let [front, back] = CLOTH_COLOURS[k % CLOTH_COLOURS.len()];
            let front_colour = spec.color.as_deref().and_then(colour).unwrap_or(front);
            let own_back = spec.color_back.as_deref().and_then(colour);
            let pale = |c: [f64; 3]| c.map(|c| 0.5 + 0.5 * c);
            let back_colour =
                own_back.unwrap_or(if spec.color.is_some() { pale(front_colour) } else { back });
            let (name, layer) = (piece.name.clone(), spec.layer);
            surfaces.push(Surface {
                name,
                kind: SurfaceKind::Cloth,
                vertices,
                triangles,
                polygons,
                front_colour,
                back_colour,
                layer,
            });
        }
        for ((body, source), spec) in self.bodies.iter().zip(&self.body_sources).zip(&scene.body) {
            let triangles = body.mesh.triangles.len();
            let polygons = source.as_ref().map_or(triangles, PolyMesh::face_count);
            let [vertices, triangles, polygons] =
                next([body.mesh.positions.len(), triangles, polygons]);
            let front_colour = spec.color.as_deref().and_then(colour).unwrap_or(BODY_COLOUR);
            surfaces.push(Surface {
                name: spec.name.clone(),
                kind: SurfaceKind::Body,
                vertices,
                triangles,
                polygons,
                front_colour,
                back_colour: front_colour,
                layer: 0,
            });
        }
        surfaces
    }

    /// What stays the same from frame to frame.
    pub fn topology(&self) -> Topology {
        let mut topology = Topology { polygon_offsets: vec![0], ..Topology::default() };
        let mut offset = 0u32;
        for (m, piece) in self.pieces.iter().enumerate() {
            add_cloth(&mut topology, piece, offset);
            for (vertices, length) in self.engine.edges(m) {
                topology.edges.push(vertices.map(|v| v + offset));
                topology.rest_lengths.push(length);
            }
            offset += piece.positions.len() as u32;
        }
        for (body, source) in self.bodies.iter().zip(&self.body_sources) {
            add_body(&mut topology, body, source.as_ref(), offset);
            offset += body.mesh.positions.len() as u32;
            body.append_positions(0.0, &mut topology.body_positions);
        }
        topology
    }

    /// Names of the scene's bodies.
    pub fn body_names(&self) -> &[String] {
        &self.body_names
    }
}

fn add_cloth(topology: &mut Topology, piece: &Piece, offset: u32) {
    for (t, uv) in piece.mesh.triangles().iter().zip(piece.mesh.uv()) {
        topology.triangles.push(t.map(|v| v + offset));
        topology.corner_uv.push(uv.map(|p| p.to_array()));
    }
    if let Some(source) = &piece.source {
        add_imported(topology, source, offset);
    } else {
        add_polygons(topology, piece.mesh.triangles(), offset);
        add_rest_uv(topology, &piece.mesh);
    }
}

fn add_body(topology: &mut Topology, body: &Body, source: Option<&PolyMesh>, offset: u32) {
    for t in &body.mesh.triangles {
        topology.triangles.push(t.map(|v| v + offset));
        topology.corner_uv.push([[0.0; 2]; 3]);
    }
    if let Some(source) = source {
        add_imported(topology, source, offset);
    } else {
        add_polygons(topology, &body.mesh.triangles, offset);
        topology.polygon_uv.resize(topology.polygon_vertices.len(), None);
    }
}

/// Adds the polygons of an imported mesh with their materials and texture coordinates.
fn add_imported(topology: &mut Topology, mesh: &PolyMesh, offset: u32) {
    let first_material = topology.material_names.len() as u32;
    topology.material_names.extend_from_slice(&mesh.materials);
    for (index, face) in mesh.faces().enumerate() {
        let material = mesh.face_materials.get(index).copied().flatten();
        add_polygon(topology, face, offset, material.map(|m| m + first_material));
    }
    let first_uv = topology.texture_uv.len() as u32;
    if let Some(CornerUv { values, corners }) = &mesh.uv {
        topology.texture_uv.extend(values.iter().map(Vec2::to_array));
        topology.polygon_uv.extend(corners.iter().map(|corner| corner.map(|c| c + first_uv)));
    } else {
        topology.polygon_uv.resize(topology.polygon_vertices.len(), None);
    }
}

/// Adds triangles that no file names as polygons.
fn add_polygons(topology: &mut Topology, triangles: &[[u32; 3]], offset: u32) {
    for triangle in triangles {
        add_polygon(topology, triangle, offset, None);
    }
}

fn add_polygon(topology: &mut Topology, face: &[u32], offset: u32, material: Option<u32>) {
    topology.polygon_vertices.extend(face.iter().map(|v| v + offset));
    topology.polygon_offsets.push(topology.polygon_vertices.len() as u32);
    topology.polygon_materials.push(material);
}

/// Makes the rest coordinates of a sheet its texture coordinates. Corners that meet at a vertex
/// share one, except across a seam.
fn add_rest_uv(topology: &mut Topology, mesh: &TriMesh) {
    let mut latest: Vec<Option<u32>> = vec![None; mesh.vertex_count()];
    for (&vertex, rest) in mesh.triangles().as_flattened().iter().zip(mesh.uv().as_flattened()) {
        let uv = rest.to_array();
        let known = latest[vertex as usize].filter(|&k| topology.texture_uv[k as usize] == uv);
        let index = known.unwrap_or_else(|| {
            topology.texture_uv.push(uv);
            topology.texture_uv.len() as u32 - 1
        });
        latest[vertex as usize] = Some(index);
        topology.polygon_uv.push(Some(index));
    }
}

/// A colour "#rrggbb" as sRGB from 0 to 1.
fn colour(text: &str) -> Option<[f64; 3]> {
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let part = |k: usize| {
        u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok().map(|b| f64::from(b) / 255.0)
    };
    Some([part(0)?, part(1)?, part(2)?])
}
