use super::*;
use crate::cloth::{Cloth, Maps};
use crate::collide::detect::{self, Reach, Scope};
use crate::collide::surface::{Parts, Surface};
use crate::fabric::library;
use crate::math::Random;
use crate::mesh::{Diagonals, Sheet};

const SCOPE: Scope = Scope { within_cloth: true, excluded: &[], pinched: &[], sewn: &[] };

fn cloth(sheet: &Sheet) -> Cloth {
    Cloth::new(&sheet.mesh, &library()[0].fabric, &Maps::default()).unwrap()
}

/// A sheet rolled up, folded and crumpled, with noise of some size \[m\].
fn shapes(sheet: &Sheet, noise: f64, random: &mut Random) -> Vec<Vec<Vec3>> {
    let mut shake = |p: Vec3| {
        p + Vec3::new(
            random.between(-1.0, 1.0),
            random.between(-1.0, 1.0),
            random.between(-1.0, 1.0),
        ) * noise
    };
    let roll = |p: &Vec3| {
        let (radius, angle) = (0.05 + 0.01 * p.x, 9.0 * p.x);
        Vec3::new(radius * angle.cos(), p.y, radius * angle.sin())
    };
    let pleat = |p: &Vec3| Vec3::new(0.2 * p.x, p.y, 0.06 * (40.0 * p.x).sin() + 0.1 * p.y * p.x);
    let wave = |p: &Vec3| Vec3::new(p.x, p.y, 0.05 * (9.0 * p.x).sin() * (7.0 * p.y).cos());
    let mut all = vec![];
    for shape in [&roll as &dyn Fn(&Vec3) -> Vec3, &pleat, &wave] {
        all.push(sheet.positions.iter().map(|p| shake(shape(p))).collect());
    }
    all
}

fn sheets() -> Vec<Sheet> {
    vec![
        Sheet::grid([1.0, 0.7], [41, 30], Diagonals::Alternating).unwrap(),
        Sheet::grid([1.0, 1.0], [25, 37], Diagonals::Regular).unwrap(),
        Sheet::grid([0.8, 0.8], [31, 31], Diagonals::Irregular(3)).unwrap(),
        Sheet::disc(0.6, 12).unwrap(),
    ]
}

/// What is near, and what collides, is the same with and without leaving out smooth regions; and some
/// regions are left out.
#[test]
fn bf4_pruning_misses_nothing() {
    let mut random = Random::new(5);
    let mut smooth = 0;
    for sheet in sheets() {
        let cloth = cloth(&sheet);
        let triangles = &cloth.triangles;
        let n = sheet.positions.len();
        for noise in [0.0, 0.002, 0.01] {
            let shapes = shapes(&sheet, noise, &mut random);
            for (x0, x1) in shapes.iter().zip(shapes.iter().cycle().skip(1)) {
                let mut all = Surface::new(triangles, &[], n, x0);
                let mut pruned = all.clone().pruned(&cloth.triangle_rest);
                let thickness = vec![0.01; n];
                for surface in [&mut all, &mut pruned] {
                    surface.refit(x0, x0, 0.005);
                }
                smooth += pruned.smooth_nodes();
                let reach = Reach { thickness: &thickness, ahead: 1.0, close: 0.0 };
                let near = |surface: &Surface| detect::survey(surface, x0, x0, reach, &SCOPE).near;
                assert_eq!(near(&all), near(&pruned));
                for end in [x1, &x0.iter().map(|p| *p + Vec3::new(0.1 * p.z, 0.0, -p.z)).collect()]
                {
                    for surface in [&mut all, &mut pruned] {
                        surface.refit(x0, end, 0.0005);
                    }
                    smooth += pruned.smooth_nodes();
                    let active = vec![true; n];
                    let hits = |surface: &Surface| {
                        detect::hits(surface, Parts::ALL, (x0, end), 0.001, &active, &SCOPE)
                    };
                    assert_eq!(hits(&all), hits(&pruned));
                }
            }
        }
    }
    assert!(smooth > 1000, "{smooth}");
}

/// A flat sheet is left out as a whole, however it turns; a folded one is not.
#[test]
fn bf4_a_flat_sheet_needs_no_look() {
    let sheet = Sheet::grid([1.0, 1.0], [33, 33], Diagonals::Alternating).unwrap();
    let cloth = cloth(&sheet);
    let turned: Vec<Vec3> =
        sheet.positions.iter().map(|p| Vec3::new(p.x, 0.6 * p.y, 0.8 * p.y)).collect();
    let mut surface =
        Surface::new(&cloth.triangles, &[], turned.len(), &turned).pruned(&cloth.triangle_rest);
    surface.refit(&sheet.positions, &turned, 0.001);
    assert!(surface.feature_pairs(Parts::ALL, None, |pair, out| out.push(pair)).is_empty());
    let folded: Vec<Vec3> = sheet
        .positions
        .iter()
        .map(|p| if p.x > 0.0 { Vec3::new(-p.x, p.y, 1e-3) } else { *p })
        .collect();
    surface.refit(&folded, &folded, 0.001);
    assert!(!surface.feature_pairs(Parts::ALL, None, |pair, out| out.push(pair)).is_empty());
}

/// A slit, a hole and pieces that only lie beside each other in the plane are no convex region.
#[test]
fn bf4_cuts_are_seen() {
    let sheet = Sheet::grid([1.0, 1.0], [21, 21], Diagonals::Regular).unwrap();
    let cloth = cloth(&sheet);
    let kept = |t: &[u32; 3]| {
        let centre = t.iter().map(|&v| sheet.positions[v as usize]).sum::<Vec3>() / 3.0;
        centre.x.abs() > 0.05 || centre.y.abs() > 0.05
    };
    let list: Vec<usize> =
        (0..cloth.triangles.len()).filter(|&t| kept(&cloth.triangles[t])).collect();
    let triangles: Vec<[u32; 3]> = list.iter().map(|&t| cloth.triangles[t]).collect();
    let rest: Vec<TriangleRest> = list.iter().map(|&t| cloth.triangle_rest[t]).collect();
    assert!(triangles.len() < cloth.triangles.len());
    let mut surface =
        Surface::new(&triangles, &[], sheet.positions.len(), &sheet.positions).pruned(&rest);
    surface.refit(&sheet.positions, &sheet.positions, 0.001);
    let pairs = surface.feature_pairs(Parts::ALL, None, |pair, out| out.push(pair));
    assert!(!pairs.is_empty() && surface.smooth_nodes() > 10);
}
