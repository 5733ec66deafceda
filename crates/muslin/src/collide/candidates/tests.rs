//! BF4: what is near and what collides is the same with and without a list, to the last bit.

use crate::cloth::{Cloth, Maps};
use crate::collide::detect::{self, Reach, Scope};
use crate::collide::surface::{Parts, Surface};
use crate::fabric::Fabric;
use crate::math::{Random, Vec3};
use crate::mesh::{Diagonals, Sheet};

const THICKNESS: f64 = 0.002;

/// A sheet folded over itself twice, which flies, turns and crumples in short steps, now slowly and now fast.
fn crumpled(positions: &[Vec3], time: f64) -> Vec<Vec3> {
    let place = |p: &Vec3| {
        let fold = (12.0 * p.x).sin();
        let z = 0.02 * fold + 0.006 * (30.0 * p.y + 5.0 * time).sin() * (1.0 + time);
        let folded = Vec3::new((p.x * 4.0).sin() * 0.05, p.y, z + 0.01 * p.x);
        folded + Vec3::new(0.0, 2.0 * time, -5.0 * time * time)
    };
    positions.iter().map(place).collect()
}

#[test]
fn bf4_a_list_of_candidates_changes_no_bit() {
    let sheet = Sheet::grid([1.0, 0.4], [41, 17], Diagonals::Alternating).unwrap();
    let fabric = Fabric::named("muslin").unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
    let n = sheet.positions.len();
    let plain = || {
        Surface::new(sheet.mesh.triangles(), &[], n, &sheet.positions).pruned(&cloth.triangle_rest)
    };
    let (mut asked, mut listing) = (plain(), plain().remembering(&sheet.positions));
    let scope = Scope { within_cloth: true, excluded: &[], pinched: &[], sewn: &[] };
    let thickness = vec![THICKNESS; n];
    let active = vec![true; n];
    let mut random = Random::new(5);
    let (mut near, mut hits, mut listed, mut time) = (0, 0, 0, 0.0);
    for step in 0..160 {
        let dt = if step % 40 < 30 { 1e-4 } else { 4e-3 };
        let x0 = crumpled(&sheet.positions, time);
        time += dt;
        let mut x1 = crumpled(&sheet.positions, time);
        for x in &mut x1 {
            *x += Vec3::from_array(std::array::from_fn(|_| random.between(-1e-3, 1e-3)));
        }
        let mut both = Vec::new();
        for surface in [&mut asked, &mut listing] {
            let reach = Reach { thickness: &thickness, ahead: 1.5, close: 0.0 };
            surface.refit(&x0, &x0, 0.75 * THICKNESS);
            let near = detect::survey(surface, &x0, &x0, reach, &scope).near;
            surface.refit(&x0, &x1, 1e-5);
            let motion = (&x0[..], &x1[..]);
            both.push((near, detect::hits(surface, Parts::ALL, motion, 2e-5, &active, &scope)));
        }
        listed += usize::from(listing.is_listed());
        assert_eq!(both[0], both[1], "step {step}");
        (near, hits) = (near + both[0].0.len(), hits + both[0].1.len());
    }
    assert!(near > 1000 && hits > 1000 && listed > 50, "{near} near, {hits} hits, {listed} listed");
}
