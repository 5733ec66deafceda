use super::*;
use crate::finish::Crossings;
use crate::mesh::{Diagonals, Sheet};

fn two_sheets(gap: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let Sheet { positions, mesh } =
        Sheet::grid([1.0, 1.0], [6, 6], Diagonals::Alternating).unwrap();
    let count = positions.len() as u32;
    let x = positions.iter().copied().chain(positions.iter().map(|p| *p + Vec3::Z * gap)).collect();
    let upper = mesh.triangles().iter().map(|t| t.map(|v| v + count));
    (x, mesh.triangles().iter().copied().chain(upper).collect())
}

/// Two sheets told to change places meet in the middle, by momentum, and stay apart.
#[test]
fn sheets_that_should_change_places_meet_halfway() {
    let (x, triangles) = two_sheets(0.1);
    let n = x.len() / 2;
    let wanted: Vec<Vec3> = x.iter().map(|p| Vec3::new(p.x, p.y, 0.1 - p.z)).collect();
    let moved = move_guarded(&x, &wanted, &triangles, &Obstacles::default());
    assert_eq!(Crossings::judge(&moved.positions, &triangles, &Obstacles::default()).total(), 0);
    assert!(moved.contacts > 0);
    for (a, b) in moved.positions[..n].iter().zip(&moved.positions[n..]) {
        assert!(b.z - a.z > 1e-5, "{a} {b}");
        assert!((a.z - 0.05).abs() < 0.01 && (b.z - 0.05).abs() < 0.01, "{a} {b}");
    }
}

#[test]
fn what_is_free_arrives_to_the_bit() {
    let (x, triangles) = two_sheets(0.1);
    let wanted: Vec<Vec3> = x.iter().map(|p| *p * 1.5 + Vec3::X * p.y).collect();
    let moved = move_guarded(&x, &wanted, &triangles, &Obstacles::default());
    assert_eq!((moved.contacts, moved.held), (0, 0));
    for (a, b) in moved.positions.iter().zip(&wanted) {
        assert!(a.distance(*b) <= 1e-15, "{a} {b}");
    }
}

/// A sheet told to fall through a table and a floor stops on both.
#[test]
fn bodies_and_planes_stop_cloth() {
    let Sheet { positions: x, mesh } =
        Sheet::grid([1.0, 1.0], [9, 9], Diagonals::Alternating).unwrap();
    let table =
        [Vec3::new(-2.0, -2.0, -0.1), Vec3::new(0.1, -2.0, -0.1), Vec3::new(-0.9, 3.0, -0.1)];
    let floor = [HalfSpace { point: Vec3::Z * -0.2, normal: Vec3::Z }];
    let obstacles = Obstacles { positions: &table, triangles: &[[0, 1, 2]], planes: &floor };
    let wanted: Vec<Vec3> = x.iter().map(|p| *p - Vec3::Z).collect();
    let moved = move_guarded(&x, &wanted, mesh.triangles(), &obstacles);
    assert_eq!(Crossings::judge(&moved.positions, mesh.triangles(), &obstacles).total(), 0);
    let lowest = moved.positions.iter().map(|p| p.z).fold(0.0, f64::min);
    assert!(lowest > -0.2 && lowest < -0.19, "{lowest}");
    let on_table = moved.positions.iter().filter(|p| p.x < -0.45).map(|p| p.z);
    assert!(on_table.fold(0.0, f64::min) > -0.1);
}

/// Cloth that touches itself from the start ends, and moves where it can.
#[test]
fn a_start_that_touches_is_no_trap() {
    let (x, triangles) = two_sheets(0.0);
    let wanted: Vec<Vec3> = x.iter().map(|p| *p + Vec3::Y * p.x).collect();
    let moved = move_guarded(&x, &wanted, &triangles, &Obstacles::default());
    assert!(moved.positions.iter().all(|p| p.is_finite()));
}
