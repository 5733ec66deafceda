//! What near pairs are told about themselves: two flat sheets, one above the other, which is held.

use super::*;
use crate::cloth::{Cloth, Maps};
use crate::contact::loose::Exempt;
use crate::fabric::Fabric;
use crate::mesh::{Diagonals, Sheet};

/// Step \[s\].
const DT: f64 = 0.02;

/// Pairs of a small sheet that slides with `speed` \[m/s\] over a large one, `distance` thicknesses above it.
fn pairs(distance: f64, speed: f64) -> (Vec<Nearby>, f64) {
    let made = |size: f64, cells: usize| {
        let sheet = Sheet::grid([size; 2], [cells + 1; 2], Diagonals::Alternating).unwrap();
        let fabric = Fabric::named("muslin").unwrap();
        (Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap(), sheet.positions)
    };
    let ((small, mut x), (large, below)) = (made(0.1, 4), made(0.8, 32));
    let thickness = small.thickness[0];
    for p in &mut x {
        // Not vertex above vertex.
        *p += Vec3::new(0.007, 0.003, distance * thickness);
    }
    let moving = x.len();
    x.extend(below);
    let mut v = vec![Vec3::ZERO; x.len()];
    v[..moving].fill(Vec3::X * speed);
    let cloth = Cloth::join(&[&small, &large]);
    let held = |(i, m): (usize, &f64)| if i < moving { 1.0 / m } else { 0.0 };
    let inverse_mass: Vec<f64> = cloth.mass.iter().enumerate().map(held).collect();
    let params = ContactParams::default();
    let mut ladder = Ladder::new(&cloth, &[], &x, 0.0, &params);
    let motion = Motion {
        acceleration: &[],
        cloth: &cloth,
        x: &x,
        v: &v,
        gravity: Vec3::Z * -9.81,
        inverse_mass: &inverse_mass,
        start: 0.0,
        dt: DT,
        exempt: Exempt::default(),
        gripped: true,
    };
    (ladder.look_around(&[], &motion, &params).near, thickness)
}

/// A load fades between one thickness and the distance from which pairs are known; nothing gets firmer up to a quarter of
/// overlap, and all that it can over the next quarter.
#[test]
fn bf8_loads_fade_with_distance_and_pairs_get_firm_with_depth() {
    for (distance, carries, firmness) in [
        (0.4, 1.0, 1.0 + FIRMER),
        (0.625, 1.0, 1.0 + 0.5 * FIRMER),
        (0.8, 1.0, 1.0),
        (1.0, 1.0, 1.0),
        (1.25, 0.5, 1.0),
        (1.45, 0.1, 1.0),
    ] {
        let (near, _) = pairs(distance, 0.0);
        assert!(near.len() > 20, "{} pairs", near.len());
        for near in near {
            assert!((near.carries - carries).abs() < 1e-9, "{near:?} at {distance}");
            assert!((near.firmness - firmness).abs() < 1e-7, "{near:?} at {distance}");
        }
    }
}

/// What slides to other triangles within a step is repelled by those as by the first: all wish for the same speed, a tenth of
/// the overlap a step or what the spring gives, so that no pair pulls at another.
#[test]
fn bf8_features_ahead_of_what_slides_repel_as_those_do_that_are_near() {
    let ((still, thickness), (sliding, _)) = (pairs(0.6, 0.0), pairs(0.6, 2.0));
    assert!(sliding.len() > still.len() + 20, "it slides over more than a triangle");
    let excess = (1.0 - 0.6 - SLACK) * thickness;
    let most = ContactParams::default().repulsion_share * excess / DT;
    for near in sliding {
        let up = near.contact.target;
        assert!(up > 0.0 && up < most * (1.0 + 1e-9), "{up} m/s, {most} at most");
        assert!((near.overlap - 0.4 * thickness).abs() < 1e-9, "{near:?}");
    }
}
