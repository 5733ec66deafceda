//! Edges, hinges and rings of a triangle mesh, built once.

use super::MeshError;

/// Marks the missing second triangle of a boundary edge.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// An edge and the one or two triangles that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// End points, the smaller index first.
    pub vertices: [u32; 2],
    /// Triangles on both sides; the second is [`NO_TRIANGLE`] on the boundary.
    pub triangles: [u32; 2],
}

/// Two triangles that share an edge, in the order of MF4.
///
/// ```text
///            x3 (index 3)
///           /|\
///          / | \          N1 = (x0−x2)×(x0−x3),  N2 = (x1−x3)×(x1−x2)
///  x0 (0) /  |  \ x1 (1)  E  = x3 − x2
///         \  |  /         both normals on the front side
///          \ | /
///           \|/
///            x2 (index 2)
/// ```
///
/// The paper numbers them 1, 2, 3, 4; here they are 0, 1, 2, 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hinge {
    /// The two wing tips, then the two ends of the shared edge.
    pub vertices: [u32; 4],
    /// The triangles of the first and second wing tip.
    pub triangles: [u32; 2],
    /// Index of the shared edge.
    pub edge: u32,
}

/// Which edges, hinges and rings a mesh has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    edges: Vec<Edge>,
    hinges: Vec<Hinge>,
    ring_starts: Vec<u32>,
    ring_triangles: Vec<u32>,
}

impl Topology {
    /// Edges sorted by their vertices; hinges in the order of their edges.
    pub(super) fn build(vertex_count: usize, triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        let mut sides = Vec::with_capacity(triangles.len() * 3);
        for (t, corners) in triangles.iter().enumerate() {
            for c in 0..3 {
                let (a, b) = (corners[c], corners[(c + 1) % 3]);
                sides.push((a.min(b), a.max(b), t as u32, a < b));
            }
        }
        sides.sort_unstable();
        let mut edges = Vec::with_capacity(sides.len() / 2 + 1);
        let mut hinges = Vec::with_capacity(sides.len() / 2);
        for group in sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            let vertices = [group[0].0, group[0].1];
            let mut edge = Edge { vertices, triangles: [group[0].2, NO_TRIANGLE] };
            match group {
                [_] => {}
                [p, q] => {
                    if p.3 == q.3 {
                        return Err(MeshError::OppositeWinding { vertices, triangles: [p.2, q.2] });
                    }
                    edge.triangles[1] = q.2;
                    hinges.push(hinge(edges.len(), vertices, [*p, *q], triangles));
                }
                _ => {
                    return Err(MeshError::CrowdedEdge { vertices, count: group.len() });
                }
            }
            edges.push(edge);
        }
        let (ring_starts, ring_triangles) = rings(vertex_count, triangles)?;
        Ok(Self { edges, hinges, ring_starts, ring_triangles })
    }

    /// All edges, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// All interior edges with their wing tips.
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// The triangles around vertex `v`, in increasing order.
    pub fn ring(&self, v: usize) -> &[u32] {
        &self.ring_triangles[self.ring_starts[v] as usize..self.ring_starts[v + 1] as usize]
    }
}

/// Orders a hinge such that triangle 0 runs x0 → x2 → x3 (its normal is `(x0−x2)×(x0−x3)`).
fn hinge(
    edge: usize,
    [low, high]: [u32; 2],
    sides: [(u32, u32, u32, bool); 2],
    triangles: &[[u32; 3]],
) -> Hinge {
    let tip = |t: u32| {
        let corners = triangles[t as usize];
        corners.into_iter().find(|&v| v != low && v != high).unwrap_or(low)
    };
    // The side that runs low → high has x2 = low, x3 = high in its winding x0, x2, x3.
    let (first, second) = if sides[0].3 { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
    Hinge {
        vertices: [tip(first.2), tip(second.2), low, high],
        triangles: [first.2, second.2],
        edge: edge as u32,
    }
}

fn rings(vertex_count: usize, triangles: &[[u32; 3]]) -> Result<(Vec<u32>, Vec<u32>), MeshError> {
    let mut starts = vec![0u32; vertex_count + 1];
    for &v in triangles.iter().flatten() {
        starts[v as usize + 1] += 1;
    }
    if let Some(vertex) = (0..vertex_count).find(|&v| starts[v + 1] == 0) {
        return Err(MeshError::LooseVertex { vertex });
    }
    for v in 0..vertex_count {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut ring = vec![0u32; triangles.len() * 3];
    for (t, corners) in triangles.iter().enumerate() {
        for &v in corners {
            ring[next[v as usize] as usize] = t as u32;
            next[v as usize] += 1;
        }
    }
    Ok((starts, ring))
}
