//! Whether triangles close up.

use super::Triangulation;

/// Directed edges, sorted: `(from, to, triangle)`.
pub fn directed_edges(triangles: &[[u32; 3]]) -> Vec<(u32, u32, u32)> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        edges.extend([(a, b, t as u32), (b, c, t as u32), (c, a, t as u32)]);
    }
    edges.sort_unstable();
    edges
}

/// Whether every edge belongs to two triangles that agree on its direction, and the triangles
/// around every vertex form one fan.
pub fn is_manifold(triangles: &[[u32; 3]]) -> bool {
    let edges = directed_edges(triangles);
    let distinct = edges.windows(2).all(|w| (w[0].0, w[0].1) != (w[1].0, w[1].1));
    let reverse = |a: u32, b: u32| {
        edges.binary_search_by_key(&(b, a), |e| (e.0, e.1)).ok().map(|k| edges[k].2)
    };
    if !distinct || edges.iter().any(|e| e.0 == e.1 || reverse(e.0, e.1).is_none()) {
        return false;
    }
    // Around a vertex: from an outgoing edge to the next, until back at the first.
    let mut first = 0;
    while first < edges.len() {
        let vertex = edges[first].0;
        let degree = edges[first..].iter().take_while(|e| e.0 == vertex).count();
        let mut to = edges[first].1;
        let mut steps = 0;
        loop {
            let Some(t) = reverse(vertex, to) else { return false };
            let corners = triangles[t as usize];
            let Some(k) = corners.iter().position(|&v| v == vertex) else { return false };
            to = corners[(k + 1) % 3];
            steps += 1;
            if to == edges[first].1 || steps > degree {
                break;
            }
        }
        if steps != degree {
            return false;
        }
        first += degree;
    }
    true
}

/// Whether the mesh is one closed manifold piece without handles: V − E + F = 2.
pub fn is_closed_sphere(mesh: &Triangulation) -> bool {
    let (v, f) = (mesh.positions.len(), mesh.triangles.len());
    v + f == 3 * f / 2 + 2 && is_manifold(&mesh.triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_tetrahedron_is_closed_and_an_open_one_is_not() {
        assert!(is_manifold(&TETRAHEDRON));
        assert!(!is_manifold(&TETRAHEDRON[..3]));
        let mut turned = TETRAHEDRON;
        turned[0].reverse();
        assert!(!is_manifold(&turned));
    }

    #[test]
    fn two_pieces_that_share_a_vertex_are_no_manifold() {
        let mut both = TETRAHEDRON.to_vec();
        both.extend(TETRAHEDRON.map(|t| t.map(|v| if v == 0 { 0 } else { v + 3 })));
        assert!(!is_manifold(&both));
    }
}
