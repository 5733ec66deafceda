use super::*;
use crate::body::shape;
use crate::math::{Quat, Random};
use crate::motion::Pose;
use crate::sparse::{PartMesh, PartShape};
use std::sync::Arc;

/// However a particle moves afterwards, nothing is left out: whoever is nearer than the thickness may
/// touch, and bounds for corners stay below their distances.
#[test]
fn os3_bounds_hold_wherever_particles_go() {
    let round = PartMesh::rounded(&shape::capsule(0.08, 0.3, 48), 0.08).unwrap();
    let sharp = PartMesh::new(&shape::cuboid(Vec3::new(0.2, 0.3, 0.1))).unwrap();
    let turned = |x: f64| Pose {
        rotation: Quat::from_rotation_y(0.4 + x),
        translation: Vec3::new(x, 0.1, 0.0),
    };
    let parts = [
        BodyPart::still(PartShape::Mesh(Arc::new(round)), turned(0.1)),
        BodyPart::still(PartShape::Mesh(Arc::new(sharp)), turned(-0.2)),
        BodyPart::still(PartShape::Capsule { radius: 0.05, half_length: 0.2 }, turned(0.0)),
    ];
    let placed: Vec<Placed> = parts.iter().map(|part| part.placed(0.0)).collect();
    let body = NearParts { parts: &parts, near: &[0, 1, 2], before: &placed, now: &placed };
    let mut random = Random::new(5);
    let mut point =
        |size: f64| Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size;
    let (thickness, count) = (0.01, 300);
    let mut x: Vec<Vec3> = (0..count).map(|_| point(0.5)).collect();
    let (before, mut v, inverse_masses) = (x.clone(), vec![Vec3::ZERO; count], [1.0; 300]);
    let cloth =
        Particles { before: &before, x: &mut x, v: &mut v, inverse_masses: &inverse_masses };
    let mut nearness = Nearness::default();
    nearness.begin(count, 3);
    nearness.measure(&body, &cloth, [thickness, thickness, 0.2]);
    let (mut touched, mut skipped) = (0, 0);
    let mut beyond = 0;
    for (i, start) in before.iter().enumerate() {
        for size in [0.0, 0.01, 0.05, 0.3] {
            let x = *start + point(size);
            for (row, part) in parts.iter().enumerate() {
                let distance = part.shape.distance(placed[row].local(x), 1.0).0;
                // Beyond its grid a field answers with less than the distance: the bound is then
                // below the distance itself, but for the 6.2 mm that cells of 7.1 mm may be off.
                let most = match &part.shape {
                    PartShape::Mesh(mesh) => {
                        distance.max(mesh.exact_distance(placed[row].local(x)).0 + 0.0062)
                    }
                    _ => distance,
                };
                let bound = nearness.of_corners(row, [i; 3], &vec![x; count]);
                assert!(bound <= most + 1e-12, "{row}: {bound} {most}");
                let may = nearness.may_touch_part(row, i, x);
                assert!(may || distance >= thickness, "{row}: {distance}");
                assert!(!may || nearness.may_touch(i, x));
                // The same for faces of three corners, all of whose points a plane keeps away.
                let corners = [i, (i + 1) % count, (i + 2) % count];
                let ends = corners.map(|j| before[j].lerp(x, 0.5));
                let above = nearness.above_planes(row, corners, ends);
                if part.shape.is_convex() && above > thickness {
                    let middle = placed[row].local((ends[0] + ends[1] + ends[2]) / 3.0);
                    // A field of cells of 7.1 mm is off by what a plane knows nothing of.
                    assert!(part.shape.distance(middle, 1.0).0 > thickness - 0.0062);
                    beyond += 1;
                }
                touched += usize::from(distance < thickness);
                skipped += usize::from(!may);
            }
        }
    }
    assert!(touched > 100 && skipped > 1000, "{touched} {skipped}");
    assert!(beyond > 100, "{beyond}");
}
