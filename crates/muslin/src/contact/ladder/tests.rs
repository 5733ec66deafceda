//! What is foreseen at the start of a step is all there is to look at later.

use super::*;
use crate::body::{BodyMotion, shape};
use crate::cloth::Maps;
use crate::fabric::Fabric;
use crate::math::Random;
use crate::mesh::{Diagonals, Sheet};
use crate::motion::Pose;

/// BF4, R2: the same collisions whether the hierarchy is asked for all of them, or only for vertices that end
/// farther from free flight than foreseen: crumpled cloth on a mesh and a ball, whose vertices stray little,
/// some of them much, or all of them.
#[test]
fn bf4_collisions_are_among_those_foreseen() {
    let sheet = Sheet::grid([0.5, 0.5], [26, 26], Diagonals::Alternating).unwrap();
    let cloth =
        Cloth::new(&sheet.mesh, &Fabric::named("muslin").unwrap(), &Maps::default()).unwrap();
    let mut random = Random::new(11);
    let mut noise = |s: f64| Vec3::from_array(std::array::from_fn(|_| random.between(-s, s)));
    let crumple = |p: &Vec3| {
        Vec3::new(0.12 * (9.0 * p.x).sin(), p.y, 0.203 + 0.03 * (9.0 * p.x).cos() + 0.02 * p.x)
    };
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| crumple(p) + noise(2e-4)).collect();
    let ball = |shape: Shape, z: f64| Body {
        shape,
        mesh: shape::sphere(0.2, 0.03),
        motion: BodyMotion::Rigid(crate::motion::Motion::Still(Pose::at(Vec3::Z * z))),
        friction: None,
    };
    let bodies = [ball(Shape::Mesh, -0.04), ball(Shape::Sphere(0.2), 0.47)];
    let params = ContactParams::default();
    let inverse_mass: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
    let mut ladder = Ladder::new(&cloth, &bodies, &x, 0.0, &params);
    let (mut among, mut total) = (0, 0);
    for round in 0..24 {
        let v: Vec<Vec3> = x.iter().map(|p| *p * 3.0 - Vec3::Z * 0.5 + noise(0.3)).collect();
        let motion = Motion {
            acceleration: &[],
            cloth: &cloth,
            x: &x,
            v: &v,
            gravity: Vec3::Z * -9.81,
            inverse_mass: &inverse_mass,
            start: 0.0,
            dt: 0.01,
            exempt: Exempt::default(),
            gripped: false,
        };
        let Approach { mut all, outlook, .. } = ladder.look_around(&bodies, &motion, &params);
        for (i, x1) in all.x1[..x.len()].iter_mut().enumerate() {
            let far = [0, 20, 1][round % 3];
            let strays = far > 0 && i % far == 0;
            *x1 += noise(if strays { 0.02 } else { 0.5 * outlook.way });
        }
        let changed: Vec<bool> = (0..all.x0.len()).map(|i| round % 2 == 0 || i % 3 == 0).collect();
        let scope = motion.scope(&params);
        let found = ladder.detect(&all, &changed, &outlook, &scope);
        ladder.surface.refit(&all.x0, &all.x1, 0.5 * ladder.separation);
        let (motion, separation) = ((&all.x0[..], &all.x1[..]), ladder.separation);
        let every = detect::hits(&ladder.surface, Parts::ALL, motion, separation, &changed, &scope);
        assert_eq!(found, every, "round {round}");
        total += found.len();
        among += found.iter().filter(|hit| outlook.close.contains(&hit.pair)).count();
    }
    assert!(total > 2000 && among > 500, "{among} of {total}");
}
