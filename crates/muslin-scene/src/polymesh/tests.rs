use super::*;
use muslin::math::Quat;
use proptest::prelude::*;

/// A single polygon in the plane z = 0.
fn polygon(points: &[(f64, f64)]) -> PolyMesh {
    let positions = points.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect();
    let mut mesh = PolyMesh { positions, ..PolyMesh::default() };
    mesh.push_face(&(0..points.len() as u32).collect::<Vec<_>>());
    mesh
}

fn unit_square() -> PolyMesh {
    polygon(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
}

/// Twice the area vector of each triangle.
fn triangle_normals(mesh: &PolyMesh) -> Vec<Vec3> {
    let corner = |vertex: u32| mesh.positions[vertex as usize];
    let triangles = mesh.triangulate().triangles;
    triangles
        .iter()
        .map(|&[a, b, c]| (corner(b) - corner(a)).cross(corner(c) - corner(a)))
        .collect()
}

/// The shoelace formula, twice the area.
fn shoelace(points: &[(f64, f64)]) -> f64 {
    let after = points.iter().cycle().skip(1);
    points.iter().zip(after).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum()
}

#[test]
fn triangles_cover_the_polygon_once_whatever_its_shape() {
    let shapes: [&[(f64, f64)]; 6] = [
        // an arrow head, three points on a line, an L, a comb, a spiral, a slot
        &[(0.0, 0.0), (2.0, -1.0), (1.0, 0.0), (2.0, 1.0)],
        &[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)],
        &[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)],
        &[(0.0, 0.0), (5.0, 0.0), (5.0, 3.0), (4.0, 0.5), (3.0, 3.0), (2.0, 0.5), (1.0, 3.0)],
        &[
            (0.0, 0.0),
            (5.0, 0.0),
            (5.0, 5.0),
            (1.0, 5.0),
            (1.0, 2.0),
            (3.0, 2.0),
            (3.0, 3.0),
            (2.0, 3.0),
            (2.0, 4.0),
            (4.0, 4.0),
            (4.0, 1.0),
            (0.0, 1.0),
        ],
        &[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.1, 4.0), (2.0, 0.1), (1.9, 4.0), (0.0, 4.0)],
    ];
    for shape in shapes {
        for turn in 0..shape.len() {
            let mut points = shape.to_vec();
            points.rotate_left(turn);
            let normals = triangle_normals(&polygon(&points));
            assert_eq!(normals.len(), points.len() - 2);
            assert!(normals.iter().all(|n| n.z > 0.0), "{points:?} {normals:?}");
            let area: f64 = normals.iter().map(|n| n.z).sum();
            assert!((area - shoelace(&points)).abs() < 1e-12, "{points:?}");
        }
    }
}

#[test]
fn convex_polygons_are_fans_and_corners_follow() {
    let mut mesh = unit_square();
    mesh.positions.push(Vec3::new(2.0, 0.5, 0.0));
    mesh.push_face(&[1, 4, 2]);
    let split = mesh.triangulate();
    assert_eq!(split.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2]]);
    assert_eq!(split.corners, [[0, 1, 2], [0, 2, 3], [4, 5, 6]]);
    assert_eq!(split.faces, [0, 0, 1]);
}

#[test]
fn polygons_that_cross_themselves_or_collapse_still_give_their_count() {
    let pentagram: Vec<(f64, f64)> =
        (0..5).map(|i| (i as f64 * 0.8 * std::f64::consts::PI).sin_cos()).collect();
    let bow_tie = vec![(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)];
    let line = vec![(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)];
    let point = vec![(1.0, 1.0); 6];
    for shape in [pentagram, bow_tie, line, point] {
        assert_eq!(polygon(&shape).triangulate().triangles.len(), shape.len() - 2);
    }
    assert_eq!(polygon(&[(0.0, 0.0), (1.0, 0.0)]).triangulate().triangles.len(), 0);
}

proptest! {
    #[test]
    fn star_shaped_polygons_in_space_keep_their_area(
        radii in prop::collection::vec(0.1_f64..3.0, 4..40),
        axis in prop::array::uniform3(-1.0_f64..1.0),
        angle in 0.0_f64..6.0,
    ) {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let flat: Vec<(f64, f64)> = radii
            .iter()
            .enumerate()
            .map(|(i, r)| (r * (i as f64 * step).cos(), r * (i as f64 * step).sin()))
            .collect();
        let turn = Quat::from_axis_angle(
            muslin::math::try_normalize(Vec3::from(axis)).unwrap_or(Vec3::X),
            angle,
        );
        let mut mesh = polygon(&flat);
        for p in &mut mesh.positions {
            *p = turn * *p + Vec3::new(10.0, -20.0, 5.0);
        }
        let normals = triangle_normals(&mesh);
        let up = turn * Vec3::Z;
        prop_assert!(normals.iter().all(|n| n.dot(up) > -1e-9));
        let area: f64 = normals.iter().map(|n| n.length()).sum();
        prop_assert!((area - shoelace(&flat)).abs() < 1e-9 * area.max(1.0));
    }
}

#[test]
fn normals_are_weighted_by_area_and_point_outwards() {
    let mesh = unit_square();
    assert_eq!(mesh.vertex_normals(&mesh.positions), [Vec3::Z; 4]);
    // Two faces at a right angle; the second has three times the area.
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, 3.0 * Vec3::Z];
    let mesh = PolyMesh::from_triangles(positions, &[[0, 1, 2], [0, 3, 1]]);
    let expected = Vec3::new(0.0, 3.0, 1.0) / 10.0_f64.sqrt();
    assert!((mesh.vertex_normals(&mesh.positions)[0] - expected).length() < 1e-15);
}

#[test]
fn uv_are_per_vertex_unless_there_is_a_seam() {
    let mut mesh = unit_square();
    assert_eq!(mesh.vertex_uv(), None);
    let values: Vec<Vec2> = mesh.positions.iter().map(|p| p.truncate()).collect();
    let corners = (0..4).map(Some).collect();
    mesh.uv = Some(CornerUv { values: values.clone(), corners });
    assert_eq!(mesh.vertex_uv(), Some(values.clone()));
    mesh.positions.push(Vec3::new(2.0, 0.5, 0.0));
    mesh.push_face(&[1, 4, 2]);
    let seam = CornerUv { values, corners: [0, 1, 2, 3, 0, 1, 2].map(Some).to_vec() };
    mesh.uv = Some(seam);
    assert_eq!(mesh.vertex_uv(), None);
}

#[test]
fn group_names_give_their_vertices() {
    let mut mesh = unit_square();
    mesh.positions.push(Vec3::new(2.0, 0.5, 0.0));
    mesh.push_face(&[1, 4, 2]);
    let group = |faces: &[u32]| FaceGroup {
        name: "hem".into(),
        kind: GroupKind::Group,
        faces: faces.to_vec(),
    };
    mesh.groups = vec![group(&[1])];
    assert_eq!(mesh.group_vertices("hem"), Some(vec![1, 2, 4]));
    assert_eq!(mesh.group_vertices("collar"), None);
}

#[test]
fn axes_and_units_are_converted_as_told() {
    let mesh = PolyMesh::from_triangles(vec![Vec3::new(1.0, 2.0, 3.0)], &[]);
    let world = mesh.clone().into_world(UpAxis::Y, 0.01).unwrap();
    assert_eq!(world.positions, [Vec3::new(1.0, -3.0, 2.0) * 0.01]);
    let v = Vec3::new(1.0, 2.0, 3.0);
    for up in [UpAxis::Y, UpAxis::Z] {
        assert_eq!(up.file_from_world(up.world_from_file(v)), v);
    }
    // Up goes up, and no axis is mirrored.
    assert_eq!(UpAxis::Y.world_from_file(Vec3::Y), Vec3::Z);
    let turned = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| UpAxis::Y.world_from_file(axis));
    assert_eq!(turned[0].cross(turned[1]), turned[2]);
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(mesh.clone().into_world(UpAxis::Z, unit).is_err());
    }
    assert_eq!(
        mesh.into_world(UpAxis::Z, 0.0).unwrap_err().to_string(),
        "the unit is 0 metres, but it must be a positive number: \
         1 for metres, 0.01 for centimetres"
    );
}

fn with(mut mesh: PolyMesh, change: impl FnOnce(&mut PolyMesh)) -> PolyMesh {
    change(&mut mesh);
    mesh
}

#[test]
fn sound_meshes_are_accepted() {
    assert_eq!(unit_square().validate(), Ok(()));
    // Connected at one vertex only, and an unused vertex: both are fine.
    let positions = (0..6).map(|i| Vec3::new(i as f64, (i * i) as f64, 0.0)).collect();
    let mesh = PolyMesh::from_triangles(positions, &[[0, 1, 2], [2, 3, 4]]);
    assert_eq!(mesh.validate(), Ok(()));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn every_problem_is_told_with_its_elements() {
    let square = unit_square;
    let cases: Vec<(PolyMesh, &str)> = vec![
        (
            PolyMesh::default(),
            "the mesh has 0 vertices and 0 faces, but it needs at least one face: \
             check that the right object was exported",
        ),
        (
            with(square(), |m| m.face_vertices[2] = 7),
            "face 0 (counted from 0) names vertex 7, but the mesh has 4: export the mesh again",
        ),
        (
            with(square(), |m| m.face_materials = vec![Some(2)]),
            "face 0 (counted from 0) names material 2, but the mesh has 0: export the mesh again",
        ),
        (
            with(square(), |m| m.uv = Some(CornerUv::default())),
            "the mesh lists 0 uv corners, but 4 are needed: give one for each",
        ),
        (
            with(square(), |m| m.face_offsets.push(9)),
            "the mesh lists 9 corners in its offsets, but 4 are needed: give one for each",
        ),
        (
            with(square(), |m| m.positions[3].y = f64::NAN),
            "vertex 3 (counted from 0) has a coordinate that is not finite: repair it",
        ),
        (
            with(square(), |m| {
                let values = vec![Vec2::ZERO, Vec2::new(0.0, f64::INFINITY)];
                m.uv = Some(CornerUv { values, corners: vec![Some(0); 4] });
            }),
            "uv 1 (counted from 0) is not finite: repair it or export without uv",
        ),
        (
            with(square(), |m| m.push_face(&[0, 1, 0])),
            "face 1 (counted from 0) uses a vertex twice: remove it (in Blender: Mesh > Clean Up \
             > Degenerate Dissolve)",
        ),
        (
            with(square(), |m| m.push_face(&[0, 1])),
            "face 1 (counted from 0) has fewer than three corners: remove it (in Blender: Mesh > \
             Clean Up > Degenerate Dissolve)",
        ),
        (
            with(square(), |m| m.positions[1] = m.positions[0]),
            "face 0 (counted from 0) has an edge of length zero: remove it (in Blender: Mesh > \
             Clean Up > Degenerate Dissolve)",
        ),
        (
            polygon(&[(0.0, 0.0), (0.1, 0.3), (0.2, 0.6)]),
            "face 0 (counted from 0) has no area: remove it (in Blender: Mesh > Clean Up > \
             Degenerate Dissolve)",
        ),
        (
            with(square(), |m| m.positions.push(Vec3::new(1.0, 1.0, -0.0))),
            "vertices 2 and 4 (counted from 0) lie in the same place but are not connected: \
             merge them, or the surface tears there",
        ),
        (
            with(square(), |m| {
                m.positions.extend([Vec3::Z, -Vec3::Z, Vec3::new(0.3, 0.0, 2.0)]);
                for apex in [4, 5, 6] {
                    m.push_face(&[1, 0, apex]);
                }
            }),
            "the edge between vertices 0 and 1 (counted from 0) is shared by 4 faces \
             (0, 1, 2, ...), but a cloth has at most two on an edge: remove the extra faces",
        ),
    ];
    for (mesh, message) in cases {
        assert_eq!(mesh.validate().unwrap_err().to_string(), message);
    }
}

#[test]
fn problems_are_listed_up_to_a_limit() {
    let mut mesh = unit_square();
    for _ in 0..5 {
        mesh.positions.push(Vec3::ZERO);
    }
    let pairs = |limit| mesh.problems(limit).len();
    assert_eq!((pairs(0), pairs(3), pairs(100)), (0, 3, 5));
    assert_eq!(mesh.problems(1), [MeshError::Duplicate { first: 0, second: 4 }]);
}
