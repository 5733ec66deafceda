use super::*;
use crate::finish::Tessellation;
use crate::finish::pn_triangle::PnTriangle;
use crate::finish::pn_triangle::curve_point;
use crate::math::Random;
use crate::mesh::{Diagonals, Sheet};

fn settings(folds: Folds, tessellation: Tessellation) -> CurvedSettings {
    CurvedSettings {
        folds,
        tessellation,
        side: FoldSide::Normal,
        self_collision: false,
        ..CurvedSettings::default()
    }
}

/// A sheet squeezed by up to 40 % along x, wavy and noisy.
fn crumpled() -> (TriMesh, Vec<Vec3>) {
    let Sheet { positions, mesh } =
        Sheet::grid([1.0, 1.0], [7, 7], Diagonals::Alternating).unwrap();
    let mut random = Random::new(21);
    let x = positions
        .iter()
        .map(|p| {
            let noise = || Vec3::new(0.01, 0.01, 0.03);
            let mut shake = |s: f64| s * random.between(-1.0, 1.0);
            let noise = noise() * Vec3::new(shake(1.0), shake(1.0), shake(1.0));
            Vec3::new(p.x * (0.8 + 0.3 * p.y), p.y * 0.95, 0.1 * (4.0 * p.x).sin()) + noise
        })
        .collect();
    (mesh, x)
}

const ALL: [Folds; 4] = [Folds::None, Folds::One, Folds::Two, Folds::Four];

/// V10: the drawn surface passes through the particles exactly and has no cracks: every side of a
/// drawn triangle belongs to two of them, in opposite directions, except on the cloth's border.
#[test]
fn v10_drawn_surfaces_are_watertight() {
    let (mesh, x) = crumpled();
    let border = mesh.topology().edges().len() - mesh.topology().hinges().len();
    for folds in ALL {
        for tessellation in
            [Tessellation::Paper, Tessellation::Segments(1), Tessellation::Segments(5)]
        {
            let faces = CurvedFaces::new(&mesh, &x, settings(folds, tessellation)).unwrap();
            assert_eq!(&faces.positions()[..x.len()], &x[..]);
            let mut sides: Vec<(u32, u32)> = Vec::new();
            for t in faces.triangles() {
                sides.extend((0..3).map(|k| (t[k], t[(k + 1) % 3])));
            }
            sides.sort_unstable();
            assert!(sides.windows(2).all(|w| w[0] != w[1]));
            let open =
                sides.iter().filter(|(a, b)| sides.binary_search(&(*b, *a)).is_err()).count();
            assert_eq!(open, border * tessellation.segments());
            assert!(faces.positions().iter().all(|p| p.is_finite()));
        }
    }
}

/// V10: after control every edge that was too short is within 1 % of its rest length.
#[test]
fn v10_shortened_edges_get_their_rest_length() {
    let (mesh, x) = crumpled();
    let plain = CurvedFaces::new(&mesh, &x, settings(Folds::None, Tessellation::Paper)).unwrap();
    let measure = |faces: &CurvedFaces, e: usize| {
        let mut sum = 0.0;
        for piece in faces.edge_pieces(e) {
            let at = |i: i32| curve_point(piece, f64::from(i) / 1000.0);
            sum += (0..1000).map(|i| at(i).distance(at(i + 1))).sum::<f64>();
        }
        sum
    };
    for folds in [Folds::One, Folds::Two, Folds::Four] {
        let faces = CurvedFaces::new(&mesh, &x, settings(folds, Tessellation::Paper)).unwrap();
        let mut shortened = 0;
        for e in 0..mesh.topology().edges().len() {
            let rest = mesh.rest_length(e);
            if measure(&plain, e) < rest {
                let length = measure(&faces, e);
                assert!((length - rest).abs() < 0.01 * rest, "edge {e}: {length} of {rest}");
                shortened += usize::from(measure(&plain, e) < 0.95 * rest);
            }
        }
        assert!(shortened > 20, "only {shortened} edges were short");
        assert_eq!(faces.counts().limited, 0);
    }
}

/// Drawn points lie on the patches: with plain PN faces against patches made directly.
#[test]
fn os4_drawn_points_lie_on_the_patch_of_their_face() {
    let (mesh, x) = crumpled();
    let plain = settings(Folds::None, Tessellation::Paper);
    let faces = CurvedFaces::new(&mesh, &x, plain).unwrap();
    let n = faces.particle_normals();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let at = corners.map(|v| v as usize);
        let patch = PnTriangle::new(at.map(|v| x[v]), at.map(|v| n[v]));
        let rest = &mesh.uv()[t];
        for k in 18 * t..18 * (t + 1) {
            for c in 0..3 {
                // Barycentric coordinates by areas in uv.
                let uv = faces.uv()[k][c];
                let area = |a: Vec2, b: Vec2, c: Vec2| (b - a).perp_dot(c - a);
                let whole = area(rest[0], rest[1], rest[2]);
                let u = area(rest[0], uv, rest[2]) / whole;
                let v = area(rest[0], rest[1], uv) / whole;
                let drawn = faces.positions()[faces.triangles()[k][c] as usize];
                assert!(patch.point([1.0 - u - v, u, v]).distance(drawn) < 1e-12);
            }
        }
    }
}

/// A flat sheet at rest stays flat and is drawn at its uv coordinates, whatever the settings.
#[test]
fn a_flat_sheet_is_drawn_flat() {
    let Sheet { positions, mesh } = Sheet::grid([2.0, 1.0], [5, 4], Diagonals::Regular).unwrap();
    for folds in ALL {
        let faces = CurvedFaces::new(&mesh, &positions, settings(folds, Tessellation::Segments(6)))
            .unwrap();
        assert_eq!(faces.counts(), CurvedCounts::default());
        for (t, uv) in faces.triangles().iter().zip(faces.uv()) {
            for c in 0..3 {
                let flat = (uv[c] - Vec2::new(1.0, 0.5)).extend(0.0);
                assert!(faces.positions()[t[c] as usize].distance(flat) < 1e-14);
            }
        }
        assert!(faces.normals().iter().all(|n| n.distance(Vec3::Z) < 1e-12));
    }
}

/// Two squeezed sheets close above each other: folds keep to their half of the gap.
#[test]
fn os8_folds_do_not_reach_other_faces() {
    let Sheet { positions, mesh } = Sheet::grid([1.0, 1.0], [4, 4], Diagonals::Regular).unwrap();
    let count = positions.len() as u32;
    let mut triangles = mesh.triangles().to_vec();
    // The upper sheet faces down, so that both fold into the gap.
    triangles.extend(mesh.triangles().iter().map(|t| [t[0] + count, t[2] + count, t[1] + count]));
    let mut uv = mesh.uv().to_vec();
    uv.extend(mesh.uv().iter().map(|t| [t[0], t[2], t[1]].map(|p| Vec2::new(-p.x, p.y))));
    let both = TriMesh::new(2 * count as usize, triangles, uv).unwrap();
    let (squeeze, gap) = (0.8, 0.05);
    let mut x: Vec<Vec3> = positions.iter().map(|p| *p * squeeze).collect();
    // Moved a little, so that rays do not run exactly into edges.
    x.extend(positions.iter().map(|p| *p * squeeze + Vec3::new(0.011, 0.007, gap)));
    let draw = |self_collision: bool| {
        let settings =
            CurvedSettings { self_collision, ..settings(Folds::One, Tessellation::Paper) };
        CurvedFaces::new(&both, &x, settings).unwrap()
    };
    let reach = |faces: &CurvedFaces| {
        let on_lower = |e: usize| both.topology().edges()[e].vertices[0] < count;
        let tops = faces.control_vectors().folds.iter().enumerate();
        tops.filter(|(e, _)| on_lower(*e)).map(|(_, (p, d))| p.z + d.z).fold(0.0, f64::max)
    };
    let (free, kept) = (draw(false), draw(true));
    assert!(reach(&free) > gap, "{}", reach(&free));
    let edges = both.topology().edges();
    let mut inner = 0;
    for (e, (p, d)) in kept.control_vectors().folds.iter().enumerate() {
        // Edges whose middle lies under the other sheet.
        if p.x.abs() < 0.35 && p.y.abs() < 0.35 && edges[e].vertices[0] < count {
            assert!(p.z + d.z < 0.5 * gap);
            inner += 1;
        }
    }
    assert!(inner > 5 && kept.counts().limited >= inner);
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let Sheet { mut positions, mesh } =
        Sheet::grid([1.0, 1.0], [3, 3], Diagonals::Regular).unwrap();
    let new = |x: &[Vec3], s: CurvedSettings| CurvedFaces::new(&mesh, x, s).map(|_| ());
    let base = settings(Folds::One, Tessellation::Segments(0));
    assert_eq!(new(&positions, base), Err(CurvedError::Segments { segments: 0 }));
    let base = settings(Folds::One, Tessellation::Segments(65));
    assert_eq!(new(&positions, base), Err(CurvedError::Segments { segments: 65 }));
    let fine = CurvedSettings::default();
    let guess = CurvedSettings { fold_guess: -1.0, ..fine };
    assert_eq!(new(&positions, guess), Err(CurvedError::FoldGuess { value: -1.0 }));
    assert_eq!(
        new(&positions[1..], fine),
        Err(CurvedError::PositionCount { expected: 9, found: 8 })
    );
    positions[4].y = f64::NAN;
    assert_eq!(new(&positions, fine), Err(CurvedError::NotFinite { vertex: 4 }));
}

/// Hidden state would show: drawing other poses between changes no bit.
#[test]
fn drawing_depends_on_the_pose_alone() {
    let (mesh, x) = crumpled();
    let mut faces = CurvedFaces::new(&mesh, &x, CurvedSettings::default()).unwrap();
    let (positions, normals) = (faces.positions().to_vec(), faces.normals().to_vec());
    let other: Vec<Vec3> = x.iter().map(|p| *p * 0.7).collect();
    faces.update(&other).unwrap();
    assert_ne!(faces.positions(), &positions[..]);
    faces.update(&x).unwrap();
    assert_eq!((faces.positions(), faces.normals()), (&positions[..], &normals[..]));
}
