//! Every pair of features, once.

use super::*;
use crate::mesh::{Diagonals, Sheet};

/// Every vertex–triangle and edge–edge pair without a common vertex, exactly once.
#[test]
fn bf4_feature_pairs_are_complete_and_unique() {
    let sheet = Sheet::grid([1.0, 1.0], [4, 4], Diagonals::Alternating).unwrap();
    let body = Sheet::disc(1.0, 1).unwrap();
    let n = sheet.positions.len() as u32;
    let bodies: Vec<[u32; 3]> = body.mesh.triangles().iter().map(|t| t.map(|v| v + n)).collect();
    let x: Vec<Vec3> = sheet.positions.iter().chain(&body.positions).copied().collect();
    let solid = Solid { triangles: bodies.clone(), radius: None, exact: false };
    let mut surface = Surface::new(sheet.mesh.triangles(), &[solid], n as usize, &x);
    surface.refit(&x, &x, 10.0);
    let mut found = surface.feature_pairs(Parts::ALL, None, |pair, out| out.push(pair));
    let total = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), total, "a pair was found twice");

    let edges = |tris: &[[u32; 3]]| -> Vec<[u32; 2]> {
        let mut e: Vec<_> =
            tris.iter().flat_map(|t| (0..3).map(move |c| sorted(t[c], t[(c + 1) % 3]))).collect();
        e.sort_unstable();
        e.dedup();
        e
    };
    let cloth = sheet.mesh.triangles();
    let all: Vec<[u32; 3]> = cloth.iter().chain(&bodies).copied().collect();
    let mut expected = 0;
    for v in 0..x.len() as u32 {
        for t in &all {
            let both_bodies = v >= n && t[0] >= n;
            expected += usize::from(!t.contains(&v) && !both_bodies);
        }
    }
    let all_edges = edges(&all);
    for (i, a) in all_edges.iter().enumerate() {
        for b in &all_edges[..i] {
            let both_bodies = a[0] >= n && b[0] >= n;
            let apart = !a.contains(&b[0]) && !a.contains(&b[1]);
            expected += usize::from(apart && !both_bodies);
        }
    }
    assert_eq!(total, expected);
}
