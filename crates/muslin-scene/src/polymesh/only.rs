//! Parts of a mesh by name.

use super::{CornerUv, FaceGroup, PolyMesh};

impl PolyMesh {
    /// The faces of all groups and objects of this name, with the vertices they use in their order;
    /// `None` where there is no such name.
    pub fn only(&self, name: &str) -> Option<Self> {
        let mut taken = vec![false; self.face_count()];
        let named: Vec<&FaceGroup> =
            self.groups.iter().filter(|group| group.name == name).collect();
        named.first()?;
        for &face in named.iter().flat_map(|group| &group.faces) {
            taken[face as usize] = true;
        }
        let vertices = self.group_vertices(name)?;
        let mut new = vec![0; self.vertex_count()];
        for (index, &vertex) in vertices.iter().enumerate() {
            new[vertex as usize] = index as u32;
        }
        let positions = vertices.iter().map(|&vertex| self.positions[vertex as usize]).collect();
        let mut part = Self { positions, materials: self.materials.clone(), ..Self::default() };
        let mut uv =
            self.uv.as_ref().map(|uv| CornerUv { values: uv.values.clone(), corners: vec![] });
        for face in (0..self.face_count()).filter(|&face| taken[face]) {
            let corners: Vec<u32> =
                self.face(face).iter().map(|&vertex| new[vertex as usize]).collect();
            part.push_face(&corners);
            part.face_materials.extend(self.face_materials.get(face));
            if let (Some(uv), Some(own)) = (&mut uv, &self.uv) {
                uv.corners.extend_from_slice(&own.corners[self.corners(face)]);
            }
        }
        part.uv = uv;
        let (name, kind) = (name.to_owned(), named[0].kind);
        let faces = (0..part.face_count() as u32).collect();
        part.groups.push(FaceGroup { name, kind, faces });
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polymesh::GroupKind;
    use muslin::math::Vec3;

    #[test]
    fn one_object_of_two_is_taken_with_its_vertices() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let mut mesh = PolyMesh::from_triangles(corners.to_vec(), &[[0, 1, 2], [4, 3, 1]]);
        mesh.materials = vec!["a".into(), "b".into()];
        mesh.face_materials = vec![Some(0), Some(1)];
        for (face, name) in ["one", "two"].into_iter().enumerate() {
            let faces = vec![face as u32];
            mesh.groups.push(FaceGroup { name: name.into(), kind: GroupKind::Object, faces });
        }
        let two = mesh.only("two").unwrap();
        assert_eq!(two.positions, [Vec3::X, Vec3::Z, Vec3::ONE]);
        assert_eq!(two.face_vertices, [2, 1, 0]);
        assert_eq!(two.face_materials, [Some(1)]);
        assert_eq!(two.validate(), Ok(()));
        assert_eq!(mesh.only("three"), None);
    }
}
