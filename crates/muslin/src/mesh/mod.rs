//! Validated triangle meshes: triangles with a planar rest coordinate at every corner (BW1).

mod sheet;
mod topology;

pub use sheet::{Diagonals, Sheet, SheetError, flattened};
pub use topology::{Edge, Hinge, NO_TRIANGLE, Topology};

use crate::math::Vec2;
use thiserror::Error;

/// Smallest rest area of a triangle relative to its longest rest edge squared. Below it the
/// deformation map of a triangle has lost all its digits.
const MIN_RELATIVE_AREA: f64 = 1e-8;

/// A triangle mesh whose every corner carries a rest coordinate in the plane (BW1).
///
/// A vertex on a seam has as many rest coordinates as it has triangles; nothing asks them to
/// agree. Construction checks everything the engine later relies on, so indices are trusted after.
#[derive(Clone, Debug, PartialEq)]
pub struct TriMesh {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    uv: Vec<[Vec2; 3]>,
    topology: Topology,
}

impl TriMesh {
    /// Checks and takes a mesh: `uv[t][c]` is the rest coordinate \[m\] of corner `c` of triangle `t`.
    pub fn new(
        vertex_count: usize,
        triangles: Vec<[u32; 3]>,
        uv: Vec<[Vec2; 3]>,
    ) -> Result<Self, MeshError> {
        if triangles.is_empty() || vertex_count == 0 {
            return Err(MeshError::Empty);
        }
        if uv.len() != triangles.len() {
            return Err(MeshError::UvCount { expected: triangles.len(), found: uv.len() });
        }
        for (t, corners) in triangles.iter().enumerate() {
            check_indices(t, *corners, vertex_count)?;
            check_rest_shape(t, &uv[t])?;
        }
        let topology = Topology::build(vertex_count, &triangles)?;
        Ok(Self { vertex_count, triangles, uv, topology })
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Vertex indices of every triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Rest coordinates \[m\] of the corners of every triangle.
    pub fn uv(&self) -> &[[Vec2; 3]] {
        &self.uv
    }

    /// Edges, hinges and rings.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Rest area \[m²\] of triangle `t`.
    pub fn rest_area(&self, t: usize) -> f64 {
        0.5 * twice_signed_area(&self.uv[t])
    }

    /// Rest length \[m\] of edge `e`: the mean over its triangles, which differ only on a seam.
    pub fn rest_length(&self, e: usize) -> f64 {
        let edge = &self.topology.edges()[e];
        let mut sum = 0.0;
        let mut count = 0.0;
        for &t in edge.triangles.iter().filter(|&&t| t != NO_TRIANGLE) {
            let [a, b] = self.edge_uv(t as usize, edge.vertices);
            sum += (b - a).length();
            count += 1.0;
        }
        sum / count
    }

    /// Rest coordinates of the two `vertices` of an edge as triangle `t` sees them.
    pub fn edge_uv(&self, t: usize, vertices: [u32; 2]) -> [Vec2; 2] {
        let at = |v: u32| {
            let corner = self.triangles[t].iter().position(|&w| w == v).unwrap_or(0);
            self.uv[t][corner]
        };
        [at(vertices[0]), at(vertices[1])]
    }
}

/// Twice the signed area of a planar triangle: `Δu1Δv2 − Δu2Δv1`.
fn twice_signed_area(uv: &[Vec2; 3]) -> f64 {
    (uv[1] - uv[0]).perp_dot(uv[2] - uv[0])
}

fn check_indices(t: usize, corners: [u32; 3], vertex_count: usize) -> Result<(), MeshError> {
    for v in corners {
        if v as usize >= vertex_count {
            return Err(MeshError::IndexOutOfRange { triangle: t, vertex: v, vertex_count });
        }
    }
    let [a, b, c] = corners;
    if a == b || b == c || c == a {
        return Err(MeshError::RepeatedVertex { triangle: t, corners });
    }
    Ok(())
}

fn check_rest_shape(t: usize, uv: &[Vec2; 3]) -> Result<(), MeshError> {
    if uv.iter().any(|c| !c.is_finite()) {
        return Err(MeshError::NotFinite { triangle: t });
    }
    let longest = (0..3).map(|c| (uv[(c + 1) % 3] - uv[c]).length_squared()).fold(0.0, f64::max);
    let area = twice_signed_area(uv);
    if area.abs() <= MIN_RELATIVE_AREA * longest {
        return Err(MeshError::ZeroArea { triangle: t });
    }
    if area < 0.0 {
        return Err(MeshError::FlippedUv { triangle: t });
    }
    Ok(())
}

/// Why a mesh cannot be cloth.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshError {
    /// No vertices or no triangles.
    #[error("the mesh is empty; give it at least one triangle")]
    Empty,
    /// One rest triangle is needed per triangle.
    #[error("the mesh has {expected} triangles but {found} rest triangles; give one per triangle")]
    UvCount {
        /// Number of triangles.
        expected: usize,
        /// Number of rest triangles given.
        found: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} names vertex {vertex}, but there are only {vertex_count} vertices \
         (numbered from 0); remove the triangle or add the vertex"
    )]
    IndexOutOfRange {
        /// Triangle number.
        triangle: usize,
        /// The index that is too large.
        vertex: u32,
        /// Number of vertices.
        vertex_count: usize,
    },
    /// A triangle uses one vertex twice.
    #[error("triangle {triangle} uses a vertex twice {corners:?}; remove it")]
    RepeatedVertex {
        /// Triangle number.
        triangle: usize,
        /// Its corners.
        corners: [u32; 3],
    },
    /// A rest coordinate is NaN or infinite.
    #[error("triangle {triangle} has a rest coordinate that is not a finite number")]
    NotFinite {
        /// Triangle number.
        triangle: usize,
    },
    /// The rest triangle is a line or a point.
    #[error(
        "triangle {triangle} has no area at rest; remove it, or give its corners distinct uv \
         coordinates"
    )]
    ZeroArea {
        /// Triangle number.
        triangle: usize,
    },
    /// The rest triangle is wound clockwise.
    #[error(
        "triangle {triangle} is flipped in uv (clockwise); mirror the uv map or reverse the triangle"
    )]
    FlippedUv {
        /// Triangle number.
        triangle: usize,
    },
    /// Cloth is a manifold: at most two triangles meet at an edge.
    #[error(
        "the edge between vertices {} and {} belongs to {count} triangles; cloth may have at most \
         two there, so split the mesh along it",
        vertices[0], vertices[1]
    )]
    CrowdedEdge {
        /// The edge.
        vertices: [u32; 2],
        /// How many triangles share it.
        count: usize,
    },
    /// Two neighbours disagree about which side is the front.
    #[error(
        "triangles {} and {} share the edge {}–{} but face opposite ways; reverse one of them",
        triangles[0], triangles[1], vertices[0], vertices[1]
    )]
    OppositeWinding {
        /// The edge.
        vertices: [u32; 2],
        /// The two triangles.
        triangles: [u32; 2],
    },
    /// A vertex without triangles would have no mass.
    #[error("vertex {vertex} belongs to no triangle and so has no mass; remove it")]
    LooseVertex {
        /// Vertex number.
        vertex: usize,
    },
}

#[cfg(test)]
mod tests;
