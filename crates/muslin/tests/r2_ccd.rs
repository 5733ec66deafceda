//! R2: continuous collision has no false negatives. The small tier; `examples/ccd_torture.rs`
//! asks the same questions by the million.

mod exact;

use exact::contact::{Answer, GridMotion, Kind};
use exact::families::{Family, Tally, remaining_distance};
use exact::random::Random;
use muslin::collide::{ccd, distance};
use muslin::math::Vec3;

#[test]
fn no_contact_is_missed_and_no_clear_miss_is_reported() {
    const EACH: u64 = 10_000;
    let mut total = Tally::default();
    for family in Family::ALL {
        for kind in [Kind::PointTriangle, Kind::EdgeEdge] {
            let mut random = Random(2002 + family as u64);
            let mut tally = Tally::default();
            for _ in 0..EACH {
                tally.ask(family, kind, &mut random);
            }
            assert_eq!(tally.false_negatives, 0, "{family:?} {kind:?}: {tally:?}");
            assert_eq!(tally.false_positives, 0, "{family:?} {kind:?}: {tally:?}");
            total.add(&tally);
        }
    }
    assert!(total.hits * 10 >= total.queries * 3, "too few true hits: {total:?}");
    assert!(total.undecided * 10_000 <= total.queries, "too many undecided: {total:?}");
}

/// The oracle itself, on motions whose contacts are known by hand.
#[test]
fn oracle_knows_simple_motions() {
    let triangle = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    let motion = |p: [i64; 3], q: [i64; 3]| GridMotion {
        start: [p, triangle[0], triangle[1], triangle[2]],
        end: [q, triangle[0], triangle[1], triangle[2]],
    };
    let cases = [
        (motion([1, 1, 3], [1, 1, -1]), Answer::Hit { first: 0.75 }),
        (motion([1, 1, 3], [1, 1, 1]), Answer::Miss),
        (motion([2, 2, 3], [2, 2, -3]), Answer::Hit { first: 0.5 }),
        (motion([3, 2, 3], [3, 2, -3]), Answer::Miss),
        (motion([-2, 1, 0], [2, 1, 0]), Answer::Hit { first: 0.5 }),
        (motion([5, 0, 0], [0, 5, 0]), Answer::Miss),
        (motion([1, 1, 0], [1, 1, 5]), Answer::Hit { first: 0.0 }),
    ];
    for (motion, expected) in cases {
        assert_eq!(motion.first_contact(Kind::PointTriangle), expected, "{motion:?}");
    }
    // The second edge crosses y = 0 at its fraction 1/(2+t), at the height
    // ((1−2t)(1+t) + 1−3t)/(2+t), which vanishes when t² + 2t = 1.
    let turning = GridMotion {
        start: [[0, 0, 0], [8, 0, 0], [0, -2, 1], [0, 2, 1]],
        end: [[0, 0, 0], [8, 0, 0], [8, -2, -1], [8, 4, -2]],
    };
    let Answer::Hit { first } = turning.first_contact(Kind::EdgeEdge) else {
        panic!("the edges cross");
    };
    let late = first - (2f64.sqrt() - 1.0);
    assert!((0.0..1e-6).contains(&late), "{first}");
}

fn ask(kind: Kind, x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Option<ccd::Impact> {
    match kind {
        Kind::PointTriangle => ccd::point_triangle(x0, x1, separation),
        Kind::EdgeEdge => ccd::edge_edge(x0, x1, separation),
    }
}

fn closest(kind: Kind, x: [Vec3; 4]) -> f64 {
    let [a, b, c, d] = x;
    let closest = match kind {
        Kind::PointTriangle => distance::point_triangle(a, b, c, d),
        Kind::EdgeEdge => distance::edge_edge(a, b, c, d),
    };
    closest.distance_squared.sqrt()
}

/// With a separation: what sampling in time finds too close is a hit, no later than found, and
/// every hit is as close as it says.
#[test]
fn separation_is_kept_at_every_sampled_time() {
    let mut random = Random(7);
    let mut hits = 0;
    for _ in 0..10_000 {
        let mut position = || [0; 3].map(|_| random.within(1 << 40) as f64 / (1u64 << 40) as f64);
        let x0: [Vec3; 4] = std::array::from_fn(|_| Vec3::from(position()));
        let x1: [Vec3; 4] = std::array::from_fn(|_| Vec3::from(position()));
        let separation = 0.1 * position()[0].abs();
        for kind in [Kind::PointTriangle, Kind::EdgeEdge] {
            let impact = ask(kind, &x0, &x1, separation);
            let sampled = (0..=128).map(|i| i as f64 / 128.0).find(|t| {
                let x = std::array::from_fn(|i| x0[i] * (1.0 - t) + x1[i] * *t);
                closest(kind, x) < separation - 1e-14
            });
            if let Some(t) = sampled {
                hits += 1;
                assert!(impact.is_some_and(|impact| impact.time <= t), "{x0:?} {x1:?}");
            }
            if let Some(impact) = impact {
                let size =
                    (0..4).flat_map(|i| [(x0[i] - x0[0]).length(), (x1[i] - x1[0]).length()]);
                let size = size.fold(0.0, f64::max);
                let distance = remaining_distance(&impact, &x0, &x1) * size;
                assert!(distance <= separation + 1e-6 * size, "{distance} {separation}");
                assert!((impact.normal.length() - 1.0).abs() < 1e-15);
            }
        }
    }
    assert!(hits > 2_000, "only {hits} sampled hits");
}

/// Relabelling the triangle's vertices or swapping the edges changes no clear answer.
#[test]
fn answers_do_not_depend_on_the_order_of_vertices() {
    let mut random = Random(11);
    for _ in 0..20_000 {
        let mut position = || [0; 3].map(|_| random.within(1 << 40) as f64 / (1u64 << 40) as f64);
        let x0: [Vec3; 4] = std::array::from_fn(|_| Vec3::from(position()));
        let x1: [Vec3; 4] = std::array::from_fn(|_| Vec3::from(position()));
        let orders = [
            (Kind::PointTriangle, [0, 2, 3, 1]),
            (Kind::PointTriangle, [0, 1, 3, 2]),
            (Kind::EdgeEdge, [2, 3, 0, 1]),
            (Kind::EdgeEdge, [1, 0, 2, 3]),
            (Kind::EdgeEdge, [0, 1, 3, 2]),
        ];
        for (kind, order) in orders {
            let (y0, y1) = (order.map(|i| x0[i]), order.map(|i| x1[i]));
            let (a, b) = (ask(kind, &x0, &x1, 0.01), ask(kind, &y0, &y1, 0.01));
            match (a, b) {
                (Some(a), Some(b)) => {
                    let gap = |t: f64| {
                        closest(kind, std::array::from_fn(|i| x0[i] * (1.0 - t) + x1[i] * t))
                    };
                    assert!((gap(a.time) - gap(b.time)).abs() < 1e-6, "{x0:?} {x1:?}");
                }
                (None, None) => {}
                (Some(_), None) => assert!(ask(kind, &y0, &y1, 0.01 + 1e-5).is_some()),
                (None, Some(_)) => assert!(ask(kind, &x0, &x1, 0.01 + 1e-5).is_some()),
            }
        }
    }
}
