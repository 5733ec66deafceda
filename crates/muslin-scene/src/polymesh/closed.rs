//! Whether a mesh encloses a volume: vertices in the same place count as one, so that a surface cut
//! apart along its uv seams is still closed.

use super::PolyMesh;
use muslin::math::Vec3;

impl PolyMesh {
    /// The edges that only one face uses, ascending: none where the mesh is closed. Each is named by
    /// the lowest vertex at either end, lower one first. Indices must be in range.
    pub fn open_edges(&self) -> Vec<[u32; 2]> {
        let mut place: Vec<u32> = (0..self.vertex_count() as u32).collect();
        for group in self.coincident_vertices() {
            for &vertex in &group {
                place[vertex as usize] = group[0];
            }
        }
        let mut uses = Vec::with_capacity(self.face_vertices.len());
        for face in self.faces() {
            for (&vertex, &after) in face.iter().zip(face.iter().cycle().skip(1)) {
                let (a, b) = (place[vertex as usize], place[after as usize]);
                uses.push([a.min(b), a.max(b)]);
            }
        }
        uses.sort_unstable();
        uses.chunk_by(|a, b| a == b).filter(|uses| uses.len() == 1).map(|uses| uses[0]).collect()
    }

    /// Groups of two or more vertices in the same place, each ascending.
    pub(super) fn coincident_vertices(&self) -> Vec<Vec<u32>> {
        // Adding 0 turns -0 into +0, so that equal positions sort together.
        let key = |vertex: u32| self.positions[vertex as usize] + Vec3::ZERO;
        let mut order: Vec<u32> = (0..self.vertex_count() as u32).collect();
        order.sort_by(|&a, &b| {
            let (p, q) = (key(a), key(b));
            let by_axis = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
            by_axis.then(p.z.total_cmp(&q.z)).then(a.cmp(&b))
        });
        let groups = order.chunk_by(|&a, &b| key(a) == key(b));
        groups.filter(|group| group.len() > 1).map(<[u32]>::to_vec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron: whole, cut into its four faces, without one, and with a fin.
    #[test]
    fn open_edges_are_those_of_one_face() {
        let faces: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let closed = PolyMesh::from_triangles(positions.clone(), &faces);
        assert_eq!(closed.open_edges(), [[0; 2]; 0]);
        let cut_apart = PolyMesh::from_triangles(
            faces.as_flattened().iter().map(|&v| positions[v as usize]).collect(),
            &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]],
        );
        assert_eq!(cut_apart.open_edges(), [[0; 2]; 0]);
        let lidless = PolyMesh::from_triangles(positions.clone(), &faces[1..]);
        assert_eq!(lidless.open_edges(), [[0, 1], [0, 2], [1, 2]]);
        // A fin hangs on an edge of three faces and has two open edges.
        let mut finned = PolyMesh::from_triangles(positions, &faces);
        finned.positions.push(Vec3::new(-1.0, -1.0, 0.0));
        finned.push_face(&[0, 3, 4]);
        assert_eq!(finned.open_edges(), [[0, 4], [3, 4]]);
    }
}
