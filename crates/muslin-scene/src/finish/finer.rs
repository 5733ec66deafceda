//! The topology of a cache with finer cloths: uv, materials and colours follow, bodies stay as they are.

use crate::cache::{Run, Span, SurfaceKind, Topology};
use muslin::math::Vec2;
use std::collections::BTreeMap;

/// Barycentric coordinates that are near a multiple of this are that multiple: subdivision and the paper's
/// tessellation make only those, and texture coordinates on a shared edge shall be equal to the bit.
const FRACTIONS: f64 = 3.0 * 4096.0;
const NEAR: f64 = 1e-9;

/// The cloths of a cache, made finer.
pub(super) struct Finer {
    /// End of each cloth's vertices.
    pub part_ends: Vec<usize>,
    /// Triangles of all cloths, those of one coarse triangle together and in its order.
    pub triangles: Vec<[u32; 3]>,
    /// Their rest coordinates, linear in the coarse triangle [m].
    pub uv: Vec<[Vec2; 3]>,
    /// Triangles made of each coarse one.
    pub per_triangle: usize,
    /// Edges.
    pub edges: Vec<[u32; 2]>,
    /// Their rest lengths [m].
    pub rest_lengths: Vec<f64>,
}

impl Finer {
    /// The run and topology of the finer cache.
    pub(super) fn cache(self, run: &Run, coarse: &Topology) -> (Run, Topology) {
        let looks = Looks::new(run, coarse);
        let cloth_triangles = looks.polygon_of.len();
        let run = self.run(run);
        let mut fine = Topology { polygon_offsets: vec![0], ..Topology::default() };
        fine.material_names.clone_from(&coarse.material_names);
        fine.body_positions.clone_from(&coarse.body_positions);
        for surface in run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Cloth) {
            // One list of texture coordinates a cloth: exports take it from first to last.
            let mut known = BTreeMap::new();
            for t in surface.triangles.range() {
                let parent = t / self.per_triangle;
                let weights = barycentric(&coarse.corner_uv[parent], &self.uv[t]);
                for (corner, w) in weights.into_iter().enumerate() {
                    let uv = looks.uv(coarse, parent, w).map(|uv| {
                        *known.entry(uv.map(f64::to_bits)).or_insert_with(|| {
                            fine.texture_uv.push(uv);
                            fine.texture_uv.len() as u32 - 1
                        })
                    });
                    fine.polygon_uv.push(uv);
                    fine.polygon_vertices.push(self.triangles[t][corner]);
                }
                fine.polygon_offsets.push(fine.polygon_vertices.len() as u32);
                let material = looks.polygon_of[parent].and_then(|p| coarse.polygon_materials[p]);
                fine.polygon_materials.push(material);
            }
        }
        let shift = self.part_ends.last().copied().unwrap_or(0) as u32 - looks.cloth_vertices;
        add_bodies(&mut fine, coarse, &looks, shift);
        let bodies = coarse.triangles[cloth_triangles..].iter().map(|t| t.map(|v| v + shift));
        fine.corner_uv = self.uv.iter().map(|t| t.map(|p| p.to_array())).collect();
        fine.corner_uv.extend_from_slice(&coarse.corner_uv[cloth_triangles..]);
        fine.triangles = self.triangles;
        fine.triangles.extend(bodies);
        (fine.edges, fine.rest_lengths) = (self.edges, self.rest_lengths);
        (run, fine)
    }

    /// The run with the spans of the finer cloths; every triangle of theirs is a polygon.
    fn run(&self, coarse: &Run) -> Run {
        let mut run = coarse.clone();
        let mut next = [0u64; 3];
        for (index, surface) in run.surfaces.iter_mut().enumerate() {
            if surface.kind == SurfaceKind::Cloth {
                surface.vertices.count = self.part_ends[index] as u64 - next[0];
                surface.triangles.count *= self.per_triangle as u64;
                surface.polygons.count = surface.triangles.count;
            }
            let spans = [&mut surface.vertices, &mut surface.triangles, &mut surface.polygons];
            for (span, next) in spans.into_iter().zip(&mut next) {
                *span = Span { first: *next, count: span.count };
                *next += span.count;
            }
        }
        run
    }
}

/// Copies the polygons of bodies, their vertices `shift` further on.
fn add_bodies(fine: &mut Topology, coarse: &Topology, looks: &Looks, shift: u32) {
    let first = coarse.polygon_offsets[looks.cloth_polygons] as usize;
    let offset = fine.polygon_vertices.len() as u32;
    fine.polygon_vertices.extend(coarse.polygon_vertices[first..].iter().map(|v| v + shift));
    let offsets = &coarse.polygon_offsets[looks.cloth_polygons + 1..];
    fine.polygon_offsets.extend(offsets.iter().map(|end| end - first as u32 + offset));
    fine.polygon_materials.extend_from_slice(&coarse.polygon_materials[looks.cloth_polygons..]);
    let uv = &coarse.polygon_uv[first..];
    let least = uv.iter().flatten().min().copied().unwrap_or(coarse.texture_uv.len() as u32);
    let added = fine.texture_uv.len() as u32;
    fine.texture_uv.extend_from_slice(&coarse.texture_uv[least as usize..]);
    fine.polygon_uv.extend(uv.iter().map(|index| index.map(|i| i - least + added)));
}

/// Which polygon each coarse triangle of cloth is part of, and its texture coordinates there.
struct Looks {
    polygon_of: Vec<Option<usize>>,
    corners: Vec<Option<[u32; 3]>>,
    cloth_polygons: usize,
    cloth_vertices: u32,
}

impl Looks {
    fn new(run: &Run, topology: &Topology) -> Self {
        let mut looks = Self {
            polygon_of: Vec::new(),
            corners: Vec::new(),
            cloth_polygons: 0,
            cloth_vertices: run.cloth_vertex_count() as u32,
        };
        for surface in run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Cloth) {
            // A polygon of n corners makes n − 2 triangles.
            let mut next = surface.triangles.range();
            for polygon in surface.polygons.range() {
                let ends = [polygon, polygon + 1].map(|p| topology.polygon_offsets[p] as usize);
                for t in next.by_ref().take((ends[1] - ends[0]).saturating_sub(2)) {
                    let triangle = topology.triangles[t];
                    let own = ends[0]..ends[1];
                    let corner = |v: u32| {
                        own.clone()
                            .find(|&c| topology.polygon_vertices[c] == v)
                            .and_then(|c| topology.polygon_uv[c])
                    };
                    let [a, b, c] = triangle.map(corner);
                    looks.polygon_of.push(Some(polygon));
                    looks.corners.push(a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]));
                }
            }
            let left = next.count();
            looks.polygon_of.extend(std::iter::repeat_n(None, left));
            looks.corners.extend(std::iter::repeat_n(None, left));
            looks.cloth_polygons = surface.polygons.range().end;
        }
        looks
    }

    /// The texture coordinate at a point of a coarse triangle.
    fn uv(&self, topology: &Topology, triangle: usize, weights: [f64; 3]) -> Option<[f64; 2]> {
        let [a, b, c] =
            self.corners[triangle]?.map(|i| Vec2::from(topology.texture_uv[i as usize]));
        Some((a * weights[0] + b * weights[1] + c * weights[2]).to_array())
    }
}

/// Barycentric coordinates of three points in a rest triangle.
fn barycentric(triangle: &[[f64; 2]; 3], points: &[Vec2; 3]) -> [[f64; 3]; 3] {
    let [a, b, c] = triangle.map(Vec2::from);
    let area = (b - a).perp_dot(c - a);
    let snap = |w: f64| {
        let near = (w * FRACTIONS).round() / FRACTIONS;
        if (w - near).abs() < NEAR { near } else { w }
    };
    points.map(|p| {
        let v = snap((p - a).perp_dot(c - a) / area);
        let w = snap((b - a).perp_dot(p - a) / area);
        [1.0 - v - w, v, w]
    })
}
