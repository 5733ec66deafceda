//! Seams (BW15): matched vertices of two borders drawn together by zero-length springs, then welded.

use super::{Spring, Strength};
use crate::cloth::Cloth;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use thiserror::Error;

/// A seam being closed.
#[derive(Clone, Debug)]
pub struct Seam {
    /// Matched vertices.
    pub stitches: Vec<[u32; 2]>,
    /// Stiffness of each stitch \[N/m\], growing while the seam closes.
    pub stiffness: Strength,
    /// Largest pull of a stitch \[N\]: one that gapes wide is as soft as this asks.
    pub force: Strength,
    /// Time constant of the closing \[s\]: the damping of a stitch is its stiffness times this, so that
    /// gaps shrink as `e^{−t/τ}`, however strong the stitches are.
    pub closing: f64,
}

impl Seam {
    /// The springs of a step that starts at time `t` \[s\] and positions `x` \[m\].
    pub(super) fn springs(&self, t: f64, x: &[Vec3]) -> Vec<Spring> {
        let (stiffness, force) = (self.stiffness.at(t), self.force.at(t));
        let spring = |&[a, b]: &[u32; 2]| {
            let gap = x[a as usize].distance(x[b as usize]);
            let stiffness = if stiffness * gap > force { force / gap } else { stiffness };
            Spring {
                vertices: [a, b, a, a],
                weights: [1.0, -1.0, 0.0, 0.0],
                since: t,
                stiffness,
                damping: stiffness * self.closing,
                ..Spring::default()
            }
        };
        self.stitches.iter().map(spring).collect()
    }

    /// The widest stitch at positions `x`: its number and its gap \[m\].
    pub fn widest(&self, x: &[Vec3]) -> Option<(usize, f64)> {
        let gaps = self.stitches.iter().map(|[a, b]| x[*a as usize].distance(x[*b as usize]));
        gaps.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

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
