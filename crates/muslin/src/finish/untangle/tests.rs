use super::*;
use crate::finish::{CurvedFaces, CurvedSettings};
use crate::judge;
use crate::math::Random;
use crate::mesh::{Diagonals, Sheet};

/// Against the exact judge, for random pairs with and without a shared vertex.
#[test]
fn triangles_cross_as_the_judge_says() {
    let mut random = Random::new(77);
    let mut found = 0;
    for round in 0..2000 {
        let mut point = || Vec3::new(random.unit(), random.unit(), random.unit());
        let x: Vec<Vec3> = (0..6).map(|_| point()).collect();
        let second = if round % 2 == 0 { [3, 4, 5] } else { [0, 4, 5] };
        let index = [[0, 1, 2], second];
        let at = index.map(|t| t.map(|v: u32| x[v as usize]));
        let exact = !judge::intersecting_pairs(&x, &index).is_empty();
        assert_eq!(triangles_cross(index, at), exact, "{x:?}");
        found += usize::from(exact);
    }
    assert!(found > 100, "{found}");
}

/// A crumpled sheet whose coarse faces do not cross is drawn without crossings, one without this
/// care with many.
#[test]
fn os8_crumpled_cloth_is_drawn_without_crossings() {
    let Sheet { positions, mesh } =
        Sheet::grid([0.6, 0.6], [13, 7], Diagonals::Alternating).unwrap();
    // Pleats of four columns whose walls stand 6 cm apart, shortened along them so that walls fold
    // towards each other.
    let pleat = |p: &Vec3| {
        let column = ((p.x + 0.3) / 0.05).round() as i32;
        let z = [0.0, 0.045, 0.09, 0.045][(column % 4) as usize];
        Vec3::new(p.x * 0.6, p.y * 0.5, z)
    };
    let x: Vec<Vec3> = positions.iter().map(pleat).collect();
    assert_eq!(judge::intersecting_pairs(&x, mesh.triangles()).len(), 0);
    let drawn = |self_collision: bool| {
        let settings = CurvedSettings { self_collision, ..CurvedSettings::default() };
        let mut faces = CurvedFaces::new(&mesh, &positions, settings).unwrap();
        faces.update(&x).unwrap();
        let pairs = judge::intersecting_pairs(faces.positions(), faces.triangles()).len();
        (pairs, faces.counts())
    };
    let (with, counts) = drawn(true);
    let (without, _) = drawn(false);
    assert!(with == 0 && without > 10, "{with} of {without}");
    assert!(counts.flattened > 0 && counts.crossing == 0, "{counts:?}");
}

/// Looking only at faces that have changed finds and marks what looking at all of them does.
#[test]
fn looks_at_what_changed_find_the_same() {
    let Sheet { positions, mesh } =
        Sheet::grid([0.6, 0.6], [9, 9], Diagonals::Alternating).unwrap();
    let settings = CurvedSettings { self_collision: false, ..CurvedSettings::default() };
    let faces = CurvedFaces::new(&mesh, &positions, settings).unwrap();
    let mut random = Random::new(5);
    let mut x = faces.positions().to_vec();
    let mut point = || Vec3::new(random.unit(), random.unit(), random.unit()) - Vec3::splat(0.5);
    for p in &mut x {
        *p += point() * 0.05;
    }
    let new = || Untangle::new(&mesh, &positions, faces.triangles(), faces.uv());
    let (mut kept, mut crossings) = (new(), Vec::new());
    for round in 0..12 {
        let normals = faces.particle_normals();
        let drawn = Drawn { mesh: &mesh, positions: &x, triangles: faces.triangles(), normals };
        let mut fresh = new();
        let found = fresh.find(&drawn, false, Share::Alone);
        assert_eq!(kept.find(&drawn, round > 0, Share::Alone), found);
        assert_eq!((&kept.marked, &kept.crossed), (&fresh.marked, &fresh.crossed));
        let skipped = kept.changed.iter().filter(|changed| !**changed).count();
        assert!(round == 0 || skipped > 0);
        crossings.push(found);
        // Some vertices go on to the flat sheet, some the other way.
        for (v, p) in x.iter_mut().enumerate().filter(|(v, _)| v % 97 == round) {
            *p = p.lerp(faces.positions()[v], if v % 2 == 0 { 1.0 } else { -0.5 });
        }
    }
    let differ = crossings.iter().any(|n| *n != crossings[0]);
    assert!(differ && crossings.iter().all(|n| *n > 0), "{crossings:?}");
}
