use super::*;
use crate::body::shape;
use crate::math::Random;

/// Against the analytic distance of a box, near all its faces, edges and corners, inside and out.
#[test]
fn os3_distances_of_a_box_mesh_are_exact() {
    let size = Vec3::new(0.4, 0.6, 1.0);
    let part = PartMesh::new(&shape::cuboid(size)).unwrap();
    let mut random = Random::new(8);
    for _ in 0..2000 {
        let unit = Vec3::new(random.unit(), random.unit(), random.unit());
        let p = (unit - Vec3::splat(0.5)) * 1.6;
        let q = p.abs() - size * 0.5;
        let exact = q.max(Vec3::ZERO).length() + q.max_element().min(0.0);
        let (distance, normal) = part.exact_distance(p);
        assert!((distance - exact).abs() < 1e-14, "{p}: {distance} {exact}");
        assert!((part.distance(p - normal * distance, 0.0).0).abs() < 1e-14);
        let (field, error) = (part.field_distance(p), part.field.error() + 1e-12);
        assert!(field <= exact + error);
        let in_field = q.max_element() < part.field.margin();
        assert!(field >= exact - error || !in_field);
        let (bounded, _) = part.distance(p, 0.05);
        assert!(bounded == distance || (bounded > 0.05 && bounded <= distance));
    }
}

/// Every triangle of a capsule mesh has its inside on the inside, far points included.
#[test]
fn signs_are_right_everywhere() {
    let part = PartMesh::new(&shape::capsule(0.1, 0.4, 24)).unwrap();
    let mut random = Random::new(9);
    for _ in 0..2000 {
        let unit = Vec3::new(random.unit(), random.unit(), random.unit());
        let p = (unit - Vec3::splat(0.5)) * Vec3::new(0.5, 0.5, 1.4);
        let exact = (p - Vec3::Z * p.z.clamp(-0.2, 0.2)).length() - 0.1;
        let (distance, _) = part.exact_distance(p);
        // The mesh is inscribed: at most a sagitta r(1 − cos(π/24)) smaller, edges of caps included.
        assert!(distance >= exact - 1e-12 && distance < exact + 0.003, "{p}: {distance} {exact}");
    }
    // Far outside the field it is still a bound.
    let far = part.field_distance(Vec3::new(3.0, 0.0, 0.0));
    assert!(far > 2.8 && far <= 2.9 + part.field.error(), "{far}");
}

#[test]
fn bad_meshes_are_refused_with_a_reason() {
    let new = |mesh: &BodyMesh| PartMesh::new(mesh).map(|_| ());
    assert_eq!(new(&BodyMesh::default()), Err(PartError::Empty));
    let good = shape::cuboid(Vec3::ONE);
    let mut open = good.clone();
    open.triangles.pop();
    assert!(matches!(new(&open), Err(PartError::Open { .. })));
    let mut flipped = good.clone();
    flipped.triangles[3].swap(0, 1);
    assert!(matches!(new(&flipped), Err(PartError::Open { .. })));
    let mut outside = good.clone();
    outside.triangles[0][1] = 99;
    let expected = PartError::IndexOutOfRange { triangle: 0, vertex: 99, vertex_count: 8 };
    assert_eq!(new(&outside), Err(expected));
    let mut thin = good.clone();
    thin.triangles[2] = [0, 0, 1];
    assert_eq!(new(&thin), Err(PartError::ZeroArea { triangle: 2 }));
    let mut bad = good;
    bad.positions[5].x = f64::INFINITY;
    assert_eq!(new(&bad), Err(PartError::NotFinite { vertex: 5 }));
}
