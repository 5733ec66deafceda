use super::*;
use crate::math::Vec3;

fn signed_areas_are_positive(mesh: &TriMesh) {
    for t in 0..mesh.triangles().len() {
        assert!(mesh.rest_area(t) > 0.0);
    }
}

fn total_area(mesh: &TriMesh) -> f64 {
    (0..mesh.triangles().len()).map(|t| mesh.rest_area(t)).sum()
}

/// Euler's formula for a disc-like sheet: V − E + F = 1; a tube has 0.
fn euler(mesh: &TriMesh) -> i64 {
    mesh.vertex_count() as i64 - mesh.topology().edges().len() as i64
        + mesh.triangles().len() as i64
}

#[test]
fn grids_have_the_right_counts_area_and_lengths() {
    for diagonals in [Diagonals::Regular, Diagonals::Alternating, Diagonals::Irregular(7)] {
        let sheet = Sheet::grid([2.0, 1.0], [9, 5], diagonals).unwrap();
        assert_eq!(sheet.positions.len(), 45);
        assert_eq!(sheet.mesh.triangles().len(), 2 * 8 * 4);
        assert_eq!(euler(&sheet.mesh), 1);
        assert!((total_area(&sheet.mesh) - 2.0).abs() < 1e-12);
        signed_areas_are_positive(&sheet.mesh);
        for (e, edge) in sheet.mesh.topology().edges().iter().enumerate() {
            let [a, b] = edge.vertices.map(|v| sheet.positions[v as usize]);
            assert!((sheet.mesh.rest_length(e) - a.distance(b)).abs() < 1e-12);
        }
    }
}

#[test]
fn discs_and_tubes_close() {
    let disc = Sheet::disc(0.5, 6).unwrap();
    assert_eq!(disc.positions.len(), 1 + 3 * 6 * 7);
    assert_eq!(euler(&disc.mesh), 1);
    // A regular 36-gon's area is a lower bound; the circle's an upper one.
    let area = total_area(&disc.mesh);
    assert!(area < std::f64::consts::PI * 0.25 && area > 0.99 * std::f64::consts::PI * 0.25);
    let tube = Sheet::tube(0.2, 1.0, [24, 11]).unwrap();
    assert_eq!(euler(&tube.mesh), 0);
    for (e, edge) in tube.mesh.topology().edges().iter().enumerate() {
        let [a, b] = edge.vertices.map(|v| tube.positions[v as usize]);
        assert!((tube.mesh.rest_length(e) - a.distance(b)).abs() < 1e-12, "starts without strain");
    }
}

#[test]
fn hinges_turn_the_same_way_as_their_triangles() {
    let sheet = Sheet::grid([1.0, 1.0], [6, 6], Diagonals::Alternating).unwrap();
    let x = &sheet.positions;
    for hinge in sheet.mesh.topology().hinges() {
        let [x0, x1, x2, x3] = hinge.vertices.map(|v| x[v as usize]);
        let n1 = (x0 - x2).cross(x0 - x3);
        let n2 = (x1 - x3).cross(x1 - x2);
        assert!(n1.dot(Vec3::Z) > 0.0 && n2.dot(Vec3::Z) > 0.0);
    }
    let interior = sheet.mesh.topology().edges().iter().filter(|e| e.triangles[1] != NO_TRIANGLE);
    assert_eq!(interior.count(), sheet.mesh.topology().hinges().len());
}

#[test]
fn rings_hold_exactly_the_triangles_that_use_the_vertex() {
    let mesh = Sheet::disc(1.0, 3).unwrap().mesh;
    for v in 0..mesh.vertex_count() {
        let brute: Vec<u32> = (0..mesh.triangles().len() as u32)
            .filter(|&t| mesh.triangles()[t as usize].contains(&(v as u32)))
            .collect();
        assert_eq!(mesh.topology().ring(v), brute);
    }
}

/// Vertex count, triangles, rest triangles and a part of the message.
type Case = (usize, Vec<[u32; 3]>, Vec<[Vec2; 3]>, &'static str);

/// R6: every broken mesh is refused with its own message.
#[test]
fn broken_meshes_are_refused() {
    let uv = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let cases: [Case; 10] = [
        (0, vec![], vec![], "the mesh is empty"),
        (3, vec![[0, 1, 2]], vec![], "1 triangles but 0 rest triangles"),
        (3, vec![[0, 1, 3]], vec![uv], "triangle 0 names vertex 3, but there are only 3"),
        (3, vec![[0, 1, 1]], vec![uv], "triangle 0 uses a vertex twice"),
        (3, vec![[0, 1, 2]], vec![[Vec2::NAN, Vec2::X, Vec2::Y]], "not a finite number"),
        (3, vec![[0, 1, 2]], vec![[Vec2::ZERO, Vec2::X, Vec2::X * 2.0]], "no area at rest"),
        (3, vec![[0, 1, 2]], vec![[Vec2::ZERO, Vec2::Y, Vec2::X]], "flipped in uv"),
        (5, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]], vec![uv; 3], "belongs to 3 triangles"),
        (4, vec![[0, 1, 2], [0, 1, 3]], vec![uv; 2], "face opposite ways"),
        (4, vec![[0, 1, 2]], vec![uv], "vertex 3 belongs to no triangle"),
    ];
    for (vertex_count, triangles, uv, message) in cases {
        let error = TriMesh::new(vertex_count, triangles, uv).unwrap_err().to_string();
        assert!(error.contains(message), "{error:?} should contain {message:?}");
    }
}

#[test]
fn impossible_sheets_are_refused_before_memory_is_taken() {
    assert!(matches!(
        Sheet::grid([1.0, 1.0], [100_000, 100_000], Diagonals::Regular),
        Err(SheetError::Count { .. })
    ));
    assert!(matches!(
        Sheet::grid([-1.0, 1.0], [10, 10], Diagonals::Regular),
        Err(SheetError::Size { .. })
    ));
    assert!(Sheet::disc(1.0, usize::MAX / 2).is_err());
}
