use super::*;
use muslin::math::Random;

fn check(cdt: &Cdt) {
    for (t, triangle) in cdt.triangles.iter().enumerate() {
        let [a, b, c] = triangle.corners.map(|v| cdt.points[v as usize]);
        assert!(orient(a, b, c) > 0.0, "triangle {t} is turned over");
        for side in 0..3 {
            let n = triangle.neighbors[side];
            if n != NONE {
                let back = cdt.side_towards(n, t as u32);
                let [p, q] = cdt.side(t as u32, side);
                assert_eq!(cdt.side(n, back), [q, p]);
                assert_eq!(cdt.triangles[n as usize].fixed[back], triangle.fixed[side]);
                assert!(!cdt.breaks_delaunay(t as u32, side), "triangle {t} is not Delaunay");
            }
        }
    }
}

#[test]
fn random_and_lattice_points_become_delaunay() {
    let mut random = Random::new(3);
    let mut cdt = Cdt::new(Vec2::ZERO, Vec2::ONE);
    for _ in 0..300 {
        cdt.insert(Vec2::new(random.unit(), random.unit()));
    }
    // Exactly collinear and cocircular points.
    for i in 0..10 {
        for j in 0..10 {
            cdt.insert(Vec2::new(f64::from(i) / 16.0, f64::from(j) / 16.0));
        }
    }
    check(&cdt);
    // Euler: with v vertices and three on the hull, 2 v − 5 triangles.
    assert_eq!(cdt.triangles.len(), 2 * cdt.points.len() - 5);
    let known = cdt.point(17);
    assert_eq!(cdt.insert(known), 17);
}

#[test]
fn segments_become_edges_even_through_vertices() {
    let mut random = Random::new(4);
    let mut cdt = Cdt::new(Vec2::ZERO, Vec2::ONE);
    let ring = 40;
    for k in 0..ring {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(ring);
        cdt.insert(Vec2::splat(0.5) + 0.5 * Vec2::from_angle(angle));
    }
    for _ in 0..400 {
        cdt.insert(Vec2::new(random.between(0.2, 0.8), random.between(0.2, 0.8)));
    }
    let (left, middle, right) = (
        cdt.insert(Vec2::new(0.1, 0.5)),
        cdt.insert(Vec2::new(0.5, 0.5)),
        cdt.insert(Vec2::new(0.9, 0.5)),
    );
    cdt.fix_segment(left, right).expect("nothing is fixed yet");
    for (a, b) in [(left, middle), (middle, right)] {
        let (t, side) = cdt.find_edge(a + 3, b + 3).expect("the segment is an edge");
        assert!(cdt.triangles[t as usize].fixed[side]);
    }
    check(&cdt);
    let (low, high) = (cdt.insert(Vec2::new(0.4, 0.15)), cdt.insert(Vec2::new(0.45, 0.85)));
    assert!(cdt.fix_segment(low, high).is_err(), "it would cross a fixed segment");
}

#[test]
fn walls_tell_inside_from_outside_and_from_holes() {
    let mut cdt = Cdt::new(Vec2::ZERO, Vec2::splat(3.0));
    let square = |cdt: &mut Cdt, min: f64, max: f64| {
        let corners = [(min, min), (max, min), (max, max), (min, max)];
        let vertices = corners.map(|(x, y)| cdt.insert(Vec2::new(x, y)));
        (0..4).map(|k| [vertices[k], vertices[(k + 1) % 4]]).collect::<Vec<_>>()
    };
    let mut walls = square(&mut cdt, 0.0, 3.0);
    walls.extend(square(&mut cdt, 1.0, 2.0));
    for &[a, b] in &walls {
        cdt.fix_segment(a, b).expect("no crossing");
    }
    cdt.mark_inside(&walls);
    let area: f64 = cdt
        .inside()
        .map(|t| {
            let [a, b, c] = t.map(|v| cdt.point(v));
            0.5 * (b - a).perp_dot(c - a)
        })
        .sum();
    assert_eq!(area, 8.0);
}
