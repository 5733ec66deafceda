//! Welding (BW15): stitched vertices become one.

use crate::cloth::Cloth;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use thiserror::Error;

/// Which vertices become one when seams are welded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weld {
    map: Vec<u32>,
    count: usize,
}

/// Why a weld cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WeldError {
    /// A stitch names a vertex that is not there.
    #[error(
        "stitch {stitch} names vertex {vertex}, but there are {count} vertices, numbered from 0"
    )]
    NoSuchVertex {
        /// The stitch.
        stitch: usize,
        /// The vertex.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// The welded mesh is no mesh.
    #[error(
        "the welded cloth is not a surface: {0}; check which edges are sewn, and which way round"
    )]
    Mesh(#[from] crate::mesh::MeshError),
}

impl Weld {
    /// Welds the ends of every stitch; vertices that several stitches meet in become one. Welded vertices
    /// are numbered in the order of their first member.
    pub fn new(vertex_count: usize, stitches: &[[u32; 2]]) -> Result<Self, WeldError> {
        let mut root: Vec<u32> = (0..vertex_count as u32).collect();
        let find = |root: &[u32], mut v: u32| {
            while root[v as usize] != v {
                v = root[v as usize];
            }
            v
        };
        for (stitch, pair) in stitches.iter().enumerate() {
            if let Some(&vertex) = pair.iter().find(|&&v| v as usize >= vertex_count) {
                return Err(WeldError::NoSuchVertex { stitch, vertex, count: vertex_count });
            }
            let [a, b] = pair.map(|v| find(&root, v));
            root[a.max(b) as usize] = a.min(b);
        }
        let mut number = vec![u32::MAX; vertex_count];
        let mut count = 0;
        let mut map = Vec::with_capacity(vertex_count);
        for v in 0..vertex_count as u32 {
            let slot = &mut number[find(&root, v) as usize];
            if *slot == u32::MAX {
                *slot = count;
                count += 1;
            }
            map.push(*slot);
        }
        Ok(Self { map, count: count as usize })
    }

    /// A weld by the welded vertex of every vertex, where all numbers up to the largest occur.
    pub fn from_map(map: Vec<u32>) -> Self {
        let count = map.iter().max().map_or(0, |&last| last as usize + 1);
        Self { map, count }
    }

    /// The welded vertex of every vertex.
    pub fn map(&self) -> &[u32] {
        &self.map
    }

    /// Number of welded vertices.
    pub fn vertex_count(&self) -> usize {
        self.count
    }

    /// The mesh after welding: the same triangles with the same rest shapes.
    pub fn mesh(&self, mesh: &TriMesh) -> Result<TriMesh, WeldError> {
        let triangles = mesh.triangles().iter().map(|t| t.map(|v| self.map[v as usize])).collect();
        Ok(TriMesh::new(self.count, triangles, mesh.uv().to_vec())?)
    }

    /// Positions after welding: the mean of what becomes one.
    pub fn positions(&self, x: &[Vec3]) -> Vec<Vec3> {
        self.means(x, |_| 1.0)
    }

    /// Velocities after welding: momentum is kept.
    pub fn velocities(&self, cloth: &Cloth, v: &[Vec3]) -> Vec<Vec3> {
        self.means(v, |i| cloth.mass[i])
    }

    /// The cloth after welding: the same triangles, edges and hinges, those of both sides of a seam apart, so that
    /// it bends freely along seams. Masses add up; the thinner side decides how near others may come.
    pub fn cloth(&self, cloth: &Cloth) -> Cloth {
        let to = |v: u32| self.map[v as usize];
        let mut welded = cloth.clone();
        welded.triangles.iter_mut().for_each(|t| *t = t.map(to));
        welded.edges.iter_mut().for_each(|e| e.vertices = e.vertices.map(to));
        welded.hinges.iter_mut().for_each(|h| h.vertices = h.vertices.map(to));
        welded.springs.axial.iter_mut().for_each(|s| s.vertices = s.vertices.map(to));
        welded.springs.bend.iter_mut().for_each(|s| s.vertices = s.vertices.map(to));
        welded.mass = vec![0.0; self.count];
        welded.thickness = vec![f64::INFINITY; self.count];
        welded.friction = vec![[0.0; 2]; self.count];
        welded.piece = vec![0; self.count];
        for (v, to) in self.map.iter().map(|&to| to as usize).enumerate() {
            welded.mass[to] += cloth.mass[v];
            welded.thickness[to] = welded.thickness[to].min(cloth.thickness[v]);
            welded.friction[to] = cloth.friction[v];
            welded.piece[to] = cloth.piece[v];
        }
        welded
    }

    fn means(&self, a: &[Vec3], weight: impl Fn(usize) -> f64) -> Vec<Vec3> {
        let mut sums = vec![(Vec3::ZERO, 0.0); self.count];
        for (i, (&to, a)) in self.map.iter().zip(a).enumerate() {
            let (sum, total) = &mut sums[to as usize];
            *sum += *a * weight(i);
            *total += weight(i);
        }
        sums.into_iter().map(|(sum, total)| sum / total).collect()
    }
}
