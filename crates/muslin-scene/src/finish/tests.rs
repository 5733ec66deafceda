use super::finer::Finer;
use crate::cache::{Run, Span, Surface, SurfaceKind, Topology, UpAxis};
use muslin::finish::subdivide::{Cage, Subdivision};
use muslin::math::Vec2;
use muslin::mesh::TriMesh;
use std::collections::BTreeMap;

/// A quad with texture coordinates three times its size, wearing material 1, and a body of one triangle that
/// has texture coordinates and material 0.
fn quad_and_body() -> (Run, Topology) {
    let surface = |name: &str, kind, spans: [[u64; 2]; 3]| {
        let [vertices, triangles, polygons] = spans.map(|[first, count]| Span { first, count });
        let colour = [0.5; 3];
        Surface {
            name: name.to_owned(),
            kind,
            vertices,
            triangles,
            polygons,
            front_colour: colour,
            back_colour: colour,
            layer: 0,
        }
    };
    let run = Run {
        scene: "quad".to_owned(),
        overrides: BTreeMap::new(),
        seed: 0,
        fps: 24.0,
        first_frame: 0,
        last_frame: 0,
        up_axis: UpAxis::Z,
        metres_per_unit: 1.0,
        surfaces: vec![
            surface("quad", SurfaceKind::Cloth, [[0, 4], [0, 2], [0, 1]]),
            surface("wall", SurfaceKind::Body, [[4, 3], [2, 1], [1, 1]]),
        ],
    };
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let topology = Topology {
        triangles: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]],
        corner_uv: vec![
            [square[0], square[1], square[2]],
            [square[0], square[2], square[3]],
            [[0.0; 2]; 3],
        ],
        polygon_offsets: vec![0, 4, 7],
        polygon_vertices: (0..7).collect(),
        polygon_materials: vec![Some(1), Some(0)],
        material_names: vec!["stone".to_owned(), "silk".to_owned()],
        texture_uv: square.iter().map(|p| p.map(|c| 3.0 * c)).chain([[9.0, 9.0]]).collect(),
        polygon_uv: vec![Some(0), Some(1), Some(2), Some(3), Some(4), Some(4), Some(4)],
        edges: vec![[0, 1], [1, 2], [0, 2], [2, 3], [0, 3]],
        rest_lengths: vec![1.0, 1.0, 2f64.sqrt(), 1.0, 1.0],
        body_positions: vec![muslin::math::Vec3::X; 3],
    };
    (run, topology)
}

#[test]
fn looks_follow_the_finer_triangles_and_bodies_stay() {
    let (run, coarse) = quad_and_body();
    let uv = coarse.corner_uv[..2].iter().map(|t| t.map(Vec2::from)).collect();
    let mesh = TriMesh::new(4, coarse.triangles[..2].to_vec(), uv).unwrap();
    let twice = Subdivision::new(Cage::new(mesh), 2).unwrap();
    let finest = twice.finest();
    let finer = Finer {
        part_ends: finest.part_ends.clone(),
        triangles: finest.mesh.triangles().to_vec(),
        uv: finest.mesh.uv().to_vec(),
        per_triangle: 16,
        edges: finest.mesh.topology().edges().iter().map(|e| e.vertices).collect(),
        rest_lengths: finest.rest_lengths.clone(),
    };
    let (fine_run, fine) = finer.cache(&run, &coarse);
    assert_eq!(fine_run.cloth_vertex_count(), 25);
    let wall = &fine_run.surfaces[1];
    assert_eq!((wall.vertices.first, wall.triangles.first, wall.polygons.first), (25, 32, 32));
    assert_eq!(fine.triangles[32], [25, 26, 27]);
    assert_eq!(fine.polygon_vertices[96..], [25, 26, 27]);
    assert_eq!(fine.polygon_materials[..32], [Some(1); 32]);
    assert_eq!(fine.polygon_materials[32], Some(0));
    // 25 places of the cloth, each once, three times its rest place; then the body's.
    assert_eq!(fine.texture_uv.len(), 26);
    for t in 0..32 {
        for corner in 0..3 {
            let texture = fine.texture_uv[fine.polygon_uv[3 * t + corner].unwrap() as usize];
            let rest = fine.corner_uv[t][corner];
            assert_eq!(texture, rest.map(|c| 3.0 * c));
        }
    }
    let body_uv = fine.polygon_uv[96].unwrap();
    assert_eq!(fine.texture_uv[body_uv as usize], [9.0, 9.0]);
}
