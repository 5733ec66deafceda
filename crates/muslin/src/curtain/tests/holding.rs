use super::*;
use crate::curtain::rail::Gaps;
use crate::wind::{Interpolation, Keyframes};

fn keys(list: &[(f64, f64)]) -> Keyframes {
    Keyframes::new(list.to_vec(), Interpolation::Linear).unwrap()
}

/// The lead pushes rings together one after the other and pulls them along when the cloth is taut.
#[test]
fn rings_bunch_and_spread() {
    let rail = Rail {
        lead: keys(&[(0.0, 1.0), (1.0, 0.4), (2.0, 0.4), (3.0, 1.0)]),
        bunched: 0.05,
        evening: 0.0,
        ..Rail::default()
    };
    let widths = Gaps { widths: vec![0.3; 5], spacings: vec![1.0; 5] };
    let mut rings = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
    rail.slide(&mut rings, &widths, 0.5, 0.1);
    // The lead is at 0.7; it pushed ring 4 before it, rings 1 to 3 have not moved.
    let near = |rings: &[f64], expected: [f64; 6]| {
        let pairs = rings.iter().zip(expected);
        assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-12), "{rings:?}");
    };
    near(&rings, [0.0, 0.2, 0.4, 0.6, 0.65, 0.7]);
    rail.slide(&mut rings, &widths, 1.5, 0.1);
    near(&rings, [0.0, 0.2, 0.25, 0.3, 0.35, 0.4]);
    rail.slide(&mut rings, &widths, 3.0, 0.1);
    near(&rings, [0.0, 0.2, 0.25, 0.4, 0.7, 1.0]);
}

/// With evening, gaps come to share the rail by their spacing.
#[test]
fn folds_even_out() {
    let rail = Rail::default();
    let mut rings = [0.0, 0.05, 0.1, 0.9, 1.0];
    let gaps = Gaps { widths: vec![0.9; 4], spacings: vec![1.0, 3.0, 2.0, 2.0] };
    for step in 0..900 {
        rail.slide(&mut rings, &gaps, f64::from(step) / 60.0, 1.0 / 60.0);
    }
    for (ring, expected) in rings.iter().zip([0.0, 0.125, 0.5, 0.75, 1.0]) {
        assert!((ring - expected).abs() < 1e-4, "{rings:?}");
    }
}

/// Live controls move the lead and the whole rail at once.
#[test]
fn steering_moves_lead_and_rail() {
    let mut curtain = build(small(8));
    let start = curtain.nodes()[..7].to_vec();
    let offset = Vec3::new(0.0, 0.3, 0.1);
    curtain.steer(0, &Controls { lead: 0.5, offset, tied: &[] });
    curtain.steer(9, &Controls { lead: 0.0, offset, tied: &[1.0] });
    blow(&mut curtain, &[], 0..1);
    let top = &curtain.nodes()[..7];
    assert!(top[0].distance(start[0] + offset) < 1e-12);
    let half = start[0] + (start[6] - start[0]) * 0.5;
    assert!(top[6].distance(half + offset) < 1e-12, "{} {half}", top[6]);
}

/// Rings stay on the rail, in order, through a whole opening and closing.
#[test]
fn rings_stay_on_the_rail() {
    let mut panel = small(8);
    panel.top = Top::Rail(Rail {
        start: Vec3::new(0.0, 1.0, 2.0),
        end: Vec3::new(0.6, 1.0, 2.0),
        lead: keys(&[(0.0, 1.0), (1.0, 0.2), (2.0, 1.0)]),
        bunched: 0.012,
        evening: 16.0,
        offset: Vec3::ZERO,
    });
    let mut curtain = build(panel);
    for frame in 0..150 {
        blow(&mut curtain, &[], frame..frame + 1);
        let top = &curtain.nodes()[..7];
        for pair in top.windows(2) {
            assert!(pair[1].x - pair[0].x > 0.0119, "frame {frame}: {pair:?}");
        }
        assert!(top.iter().all(|x| x.y == 1.0 && x.z == 2.0));
        assert_eq!(top[0].x, 0.0);
        assert!(rod_error(&curtain) < 1e-12);
    }
    assert!((curtain.nodes()[6].x - 0.6).abs() < 1e-12);
}

/// A tie-back gathers its row to its own width at the hook; off, it does nothing.
#[test]
fn tie_backs_gather() {
    let spread = |engaged: f64| {
        let mut panel = small(11);
        panel.tie_backs = vec![TieBack {
            height: 0.5,
            hook: Vec3::new(0.1, 0.05, -0.5),
            width: 0.14,
            engaged: keys(&[(0.5, 0.0), (1.5, engaged)]),
        }];
        let mut curtain = build(panel);
        blow(&mut curtain, &[], 0..600);
        let row = curtain.nodes()[5 * 7..6 * 7].to_vec();
        assert!(rod_error(&curtain) < 1e-12);
        assert!(kinetic(&curtain) < 1e-8, "{}", kinetic(&curtain));
        row
    };
    let tied = spread(1.0);
    let width = tied[6].x - tied[0].x;
    assert!((width - 0.12).abs() < 0.015, "{width}");
    let middle = (tied[0] + tied[6]) / 2.0;
    assert!((middle.x - 0.1).abs() < 0.01 && (middle.y - 0.05).abs() < 0.01, "{middle}");
    let off = spread(0.0);
    assert!((off[6].x - off[0].x - 0.55).abs() < 1e-9);
}

/// Obstacles, at rest and walking, keep the cloth out.
#[test]
fn obstacles_keep_cloth_out() {
    let mut curtain = build(small(16));
    let capsule = Obstacle {
        shape: Shape::Capsule {
            ends: [Vec3::new(0.2, -0.7, -0.3), Vec3::new(0.2, -0.7, -0.9)],
            radius: 0.15,
        },
        velocity: Vec3::new(0.02, 0.35, 0.0),
        friction: 0.2,
    };
    let (mut met, mut deepest) = (0, 0.0_f64);
    for frame in 0..180 {
        let time = f64::from(frame) / 60.0;
        let now = [capsule.after(time + 1.0 / 60.0)];
        let environment = Environment { obstacles: &now, time, ..Environment::default() };
        let report = *curtain.update(1.0 / 60.0, &environment).unwrap();
        met += report.obstacle_contacts;
        deepest = deepest.max(report.deepest);
        let inside = |x: &&Vec3| now[0].probe(**x).distance < 0.0;
        assert_eq!(curtain.positions().iter().filter(inside).count(), report.vertices_inside);
    }
    assert!(met > 100, "met {met} times");
    // A tenth of the section length: what finishing the rows undoes is small, and is reported.
    assert!(deepest < 0.005, "{deepest}");
    let lowest = curtain.nodes().last().unwrap();
    assert!(lowest.y > 0.1, "the walker pushed the hem to {lowest}");
}

/// Styles make the folds they are named after.
#[test]
fn styles_have_their_folds() {
    let total = |gaps: &[Gap]| gaps.iter().map(|g| g.width).sum::<f64>();
    let wave = folds::wave(10, 2.0, 4);
    assert!((total(&wave) - 2.0).abs() < 1e-12);
    assert!(wave.windows(2).all(|pair| pair[0].front != pair[1].front));
    let pinch = folds::pinch_pleat(5, 3.0);
    assert!((total(&pinch) - 3.0).abs() < 1e-12);
    let fronts: Vec<_> = pinch[..4].iter().map(|g| g.front).collect();
    assert_eq!(fronts, [true, true, true, false]);
    let goblet = folds::goblet(5, 3.0);
    assert!((total(&goblet) - 3.0).abs() < 1e-12);
    assert_eq!(goblet.len(), 10);
    let uneven = folds::uneven(wave.clone(), 0.3, 1);
    assert!((total(&uneven) - 2.0).abs() < 1e-12);
    assert_ne!(uneven, wave);
    // Pinch and goblet pleats stand out to the front only, the wave to both sides.
    for (gaps, rail, back) in [(pinch, 1.98, 0.04), (goblet, 2.0, 0.05), (wave, 1.0, 0.1)] {
        let curtain = build(PanelSpec {
            gaps,
            top: Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X * rail)),
            ..small(4)
        });
        let front = curtain.panels[0].frame[2];
        let depth = |sign: f64| {
            let out = curtain.positions().iter().map(|x| sign * x.dot(front));
            out.fold(0.0, f64::max)
        };
        assert!(depth(1.0) > 0.04 && depth(-1.0) <= back, "{} {}", depth(1.0), depth(-1.0));
    }
}

/// XU8: random sections come from the seed and stay in their range.
#[test]
fn random_sections_follow_the_seed() {
    let gaps = folds::random(200, 20.0, (2, 5), 7);
    assert_eq!(gaps, folds::random(200, 20.0, (2, 5), 7));
    assert_ne!(gaps, folds::random(200, 20.0, (2, 5), 8));
    for count in 2..=5 {
        assert!(gaps.iter().any(|g| g.sections.len() == count));
    }
    assert!(gaps.iter().all(|g| (2..=5).contains(&g.sections.len())));
}

/// One rod with one node, pulled sideways: where it comes to rest, weight and spring have no moment about
/// the ring, `r × (m g + k (p − r)) = 0` (BW7).
#[test]
fn bw7_a_pulled_pendulum_rests_where_moments_balance() {
    let panel = PanelSpec {
        rows: 2,
        height: 0.5,
        gaps: Vec::new(),
        top: Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X)),
        ..PanelSpec::default()
    };
    let spec = CurtainSpec { panels: vec![panel], ..CurtainSpec::default() };
    let mut curtain = Curtain::new(&spec).unwrap();
    let mass = curtain.nodes.mass[1];
    let pull = Pull {
        target: Vec3::new(0.0, 0.4, -0.1),
        velocity: Vec3::ZERO,
        stiffness: 3.0 * mass * 9.81,
        damping: mass,
    };
    assert_eq!(curtain.node_near(1), Some(1));
    curtain.pull(Some((1, pull)));
    for _ in 0..1200 {
        curtain.update(1.0 / 60.0, &Environment::default()).unwrap();
    }
    let r = curtain.nodes()[1];
    let force = Vec3::NEG_Z * (9.81 * mass) + (pull.target - r) * pull.stiffness;
    assert!((r.length() - 0.5).abs() < 1e-9, "the rod keeps its length");
    assert!(r.cross(force).length() < 1e-6 * mass * 9.81, "{r}");
    assert!(r.y > 0.2, "{r}");
    curtain.pull(Some((7, pull)));
    curtain.pull(Some((1, Pull { stiffness: f64::NAN, ..pull })));
    for _ in 0..1200 {
        curtain.update(1.0 / 60.0, &Environment::default()).unwrap();
    }
    assert!(curtain.nodes()[1].distance(Vec3::NEG_Z * 0.5) < 1e-4, "let go, it hangs");
}
