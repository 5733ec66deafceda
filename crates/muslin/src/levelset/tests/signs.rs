//! Signs of meshes that are open, overlap themselves, or are wrong.

use super::*;

#[test]
fn mf6_a_few_missing_triangles_do_not_change_signs() {
    let mut mesh = shape::sphere(0.2, 0.02);
    let whole = Solid::new(&mesh).unwrap();
    assert!(whole.is_closed());
    // A hole of 3 % of the triangles, at the top.
    mesh.triangles.retain(|t| t.iter().any(|&v| mesh.positions[v as usize].z < 0.187));
    let open = Solid::new(&mesh).unwrap();
    assert!(!open.is_closed());
    let field = Field::of(&open, Resolution::new(0.005));
    let mut random = Random::new(3);
    for _ in 0..3000 {
        let p = Vec3::from([0; 3].map(|_: u8| random.between(-0.25, 0.25)));
        let depth = p.length() - 0.2;
        if depth.abs() > 0.03 {
            assert_eq!(open.is_inside(p), depth < 0.0, "{p}");
            assert_eq!(field.sample(p).distance < 0.0, depth < 0.0, "{p}");
        }
    }
}

/// Two capsules in one mesh: inside is the union, and what is buried is not a surface.
#[test]
fn mf6_parts_that_overlap_are_one_solid() {
    let shift = Vec3::X * 0.08;
    let mesh =
        joined(&[moved(shape::sphere(0.1, 0.01), shift), moved(shape::sphere(0.1, 0.01), -shift)]);
    let solid = Solid::new(&mesh).unwrap();
    assert!(solid.buried() > 100, "{} triangles", solid.buried());
    let exact = |p: Vec3| (p.distance(shift).min(p.distance(-shift))) - 0.1;
    let mut random = Random::new(6);
    for _ in 0..1000 {
        let p = Vec3::from([0; 3].map(|_: u8| random.between(-0.2, 0.2)));
        if exact(p).abs() > 1e-3 {
            assert_eq!(solid.is_inside(p), exact(p) < 0.0, "{p}");
        }
    }
    // The lens in the middle is deep inside: the nearest surface is its rim, 6 cm away. Triangles that
    // are partly buried remain, so it is that to the length of a side.
    let middle = solid.distance(Vec3::ZERO, 1.0).unwrap().distance;
    assert!((middle + 0.06).abs() < 0.01, "{middle}");
}

#[test]
fn bad_bodies_are_named() {
    let solid = |mesh: &BodyMesh| Solid::new(mesh).map(|_| ()).unwrap_err();
    let mut inside_out = shape::sphere(0.2, 0.05);
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(solid(&inside_out), SolidError::InsideOut);
    let mut cup = shape::sphere(0.2, 0.02);
    cup.triangles.retain(|t| t.iter().all(|&v| cup.positions[v as usize].z < 0.05));
    assert!(matches!(solid(&cup), SolidError::Open { .. }));
    assert_eq!(solid(&BodyMesh::default()), SolidError::Empty);
    let mut broken = shape::cuboid(Vec3::ONE);
    broken.triangles[3][1] = 8;
    assert_eq!(solid(&broken), SolidError::IndexOutOfRange { triangle: 3 });
    let mut broken = shape::cuboid(Vec3::ONE);
    broken.positions[5].y = f64::NAN;
    assert_eq!(solid(&broken), SolidError::NotFinite { vertex: 5 });
    let mut flat = shape::cuboid(Vec3::ONE);
    flat.positions.iter_mut().for_each(|x| x.z = 0.0);
    // A body without volume has no inside to be wrong about: nothing is inside it.
    assert!(Solid::new(&flat).is_ok_and(|solid| !solid.is_inside(Vec3::new(0.1, 0.1, 0.01))));
}
