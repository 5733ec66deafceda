use super::*;
use std::f64::consts::{PI, TAU};

/// V8: rods keep their length over 10,000 steps of gusts, with collisions.
#[test]
fn rods_keep_their_length() {
    let mut curtain = build(small(9));
    let ball =
        [Obstacle::still(Shape::Sphere { center: Vec3::new(0.25, 0.3, -0.6), radius: 0.15 }, 0.3)];
    let winds = gusts(2.0);
    let mut touched = 0;
    for step in 0..10_000 {
        let environment = Environment {
            winds: &winds,
            obstacles: &ball,
            time: f64::from(step) / 60.0,
            ..Environment::default()
        };
        touched += curtain.update(1.0 / 60.0, &environment).unwrap().obstacle_contacts;
        if step % 50 == 0 {
            let error = rod_error(&curtain);
            assert!(error < 1e-9, "step {step}: {error}");
        }
    }
    assert!(touched > 100, "the curtain met the ball {touched} times");
}

/// A column of `rods` rods without air, in steps of `max_step`.
fn column(rods: usize, length: f64, hang: Vec3, max_step: f64) -> Curtain {
    Curtain::new(&CurtainSpec {
        panels: vec![PanelSpec {
            rows: rods + 1,
            height: length,
            hang,
            smoothing: 0.0,
            ..PanelSpec::default()
        }],
        air: VACUUM,
        max_step,
        ..CurtainSpec::default()
    })
    .unwrap()
}

/// Period from the zero crossings of the lowest node's x.
fn period(curtain: &mut Curtain, step: f64, seconds: f64) -> f64 {
    let mut crossings = Vec::new();
    let mut before = curtain.nodes().last().unwrap().x;
    for k in 0..(seconds / step) as u32 {
        curtain.update(step, &Environment::default()).unwrap();
        let x = curtain.nodes().last().unwrap().x;
        if before * x < 0.0 {
            crossings.push(step * (f64::from(k) + before / (before - x)));
        }
        before = x;
    }
    let spans = crossings.len() - 1;
    2.0 * (crossings[spans] - crossings[0]) / spans as f64
}

/// V8: small swings of a one-node column take 2π √(l/g) (1 + θ²/16), at the frame rate.
#[test]
fn one_node_swings_like_a_pendulum() {
    for length in [0.3_f64, 1.0, 2.5] {
        let angle = 0.08_f64;
        let hang = Vec3::new(angle.sin(), 0.0, -angle.cos());
        let mut curtain = column(1, length, hang, 1.0 / 60.0);
        let expected = TAU * (length / GRAVITY).sqrt() * (1.0 + angle * angle / 16.0);
        let measured = period(&mut curtain, 1.0 / 60.0, 4.0 * expected);
        let error = measured / expected - 1.0;
        assert!(error.abs() < 0.01, "length {length}: {error}");
    }
}

/// `J₀` by its power series.
fn bessel_j0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= -(x * x / 4.0) / f64::from(k * k);
        sum += term;
    }
    sum
}

/// First zero of `J₀`.
const J0_ZERO: f64 = 2.404825557695773;

/// The slowest swing of a hanging chain has ω = j/2 √(g/L), `j` the first zero of J₀, however
/// many rods it is made of. (With the paper's Eqs. (7) and (8) it would swing as fast as one rod.)
#[test]
fn many_nodes_swing_like_a_chain() {
    let length = 2.0_f64;
    for rods in [12, 48] {
        let step = 1.0 / 480.0;
        let mut curtain = column(rods, length, Vec3::NEG_Z, step);
        let mut state = curtain.state();
        for (i, x) in state.positions.iter_mut().enumerate() {
            let below = 1.0 - i as f64 / rods as f64;
            x.x += 0.01 * bessel_j0(J0_ZERO * below.sqrt());
        }
        curtain.restore(&state).unwrap();
        let expected = 2.0 * TAU / J0_ZERO * (length / GRAVITY).sqrt();
        let measured = period(&mut curtain, step, 2.5 * expected);
        let error = measured / expected - 1.0;
        assert!(error.abs() < 0.01, "{rods} rods: {error}");
    }
}

/// V9: a falling sheet reaches the speed at which the drag law carries its weight, above the
/// threshold (ρ c v² = σ g) and below it (ρ c threshold v = σ g).
#[test]
fn a_falling_sheet_reaches_terminal_speed() {
    for (threshold, coefficient) in [(0.5, 0.8), (6.0, 1.1)] {
        let sheet = PanelSpec {
            rows: 8,
            height: 0.6,
            gaps: folds::flat(5, 0.5),
            top: Top::Free { start: Vec3::ZERO, end: Vec3::X * 0.5 },
            hang: Vec3::Y,
            ..PanelSpec::default()
        };
        let weight = sheet.density * GRAVITY;
        let air = AirResistance {
            density: 1.2,
            threshold,
            inside: coefficient,
            border: coefficient,
            corner: coefficient,
        };
        let mut curtain =
            Curtain::new(&CurtainSpec { panels: vec![sheet], air, ..CurtainSpec::default() })
                .unwrap();
        blow(&mut curtain, &[], 0..400);
        let quadratic = (weight / (1.2 * coefficient)).sqrt();
        let linear = weight / (1.2 * coefficient * threshold);
        let expected = if quadratic > threshold { quadratic } else { linear };
        for v in &curtain.nodes.v {
            assert!((v.z / -expected - 1.0).abs() < 1e-6, "{v} for {expected}");
        }
    }
}

/// A uniform wind holds a weightless node's place until it moves with the air.
#[test]
fn cloth_without_weight_drifts_with_the_wind() {
    let sheet = PanelSpec {
        rows: 4,
        gaps: folds::flat(3, 0.5),
        top: Top::Free { start: Vec3::ZERO, end: Vec3::X * 0.5 },
        ..PanelSpec::default()
    };
    let mut curtain = build(sheet);
    let winds = [Wind::uniform(Vec3::new(0.3, 2.0, -0.4))];
    for frame in 0..900 {
        let environment = Environment {
            gravity: Vec3::ZERO,
            winds: &winds,
            time: f64::from(frame) / 60.0,
            ..Environment::default()
        };
        curtain.update(1.0 / 60.0, &environment).unwrap();
    }
    for v in &curtain.nodes.v {
        assert!((*v - Vec3::new(0.3, 2.0, -0.4)).length() < 1e-3, "{v}");
    }
}

/// Energy stays bounded over an hour of gusts: no more than the cloth lifted to its rail and moving
/// faster than any gust.
#[test]
fn energy_stays_bounded_for_an_hour() {
    let mut curtain = build(small(7));
    let gravity = Vec3::NEG_Z * GRAVITY;
    let at_rest = curtain.energy(gravity);
    let mass: f64 = curtain.nodes.mass.iter().sum();
    let winds = gusts(2.0);
    // Four waves of the intensity 0.5 add up to less than 4 · 0.5 · √(15/8) of the mean.
    let gust = 2.0 * 1.05 * (1.0 + 4.0 * 0.5 * (15.0_f64 / 8.0).sqrt());
    let bound = mass * (GRAVITY * 1.0 + 0.5 * gust * gust);
    let mut highest = 0.0_f64;
    for second in 0..3600 {
        blow(&mut curtain, &winds, second * 60..(second + 1) * 60);
        highest = highest.max(curtain.energy(gravity) - at_rest);
    }
    assert!(highest < bound, "{highest} J of {bound} J");
    assert!(highest > 1e-3, "nothing moved: {highest} J");
}

/// A curtain that was blown about comes to rest in still air, and stays.
#[test]
fn a_still_curtain_rests() {
    let mut curtain = build(small(12));
    blow(&mut curtain, &gusts(2.0), 0..180);
    let mut peak = 0.0_f64;
    for frame in 180..1200 {
        blow(&mut curtain, &[], frame..frame + 1);
        peak = peak.max(kinetic(&curtain));
        if frame > 900 {
            assert!(kinetic(&curtain) < 1e-6 * peak, "frame {frame}");
        }
    }
    // Every column hangs straight down.
    let m = curtain.panels[0].columns;
    let x = curtain.nodes();
    for k in m..x.len() {
        let rod = x[k] - x[k - m];
        assert!(rod.angle_between(Vec3::NEG_Z) < 1e-4 * PI, "node {k}: {rod}");
    }
}

/// XU2, XU4: masses add up to density × area; border nodes meet more resistance per area.
#[test]
fn masses_and_resistances_follow_the_grid() {
    let curtain = build(PanelSpec { yarn: 1.5, ..small(5) });
    let mass: f64 = curtain.nodes.mass.iter().sum();
    assert!((mass - 0.25 * 1.5 * 1.0 * 1.0).abs() < 1e-12);
    let air = AirResistance::default();
    let panel = &curtain.panels[0];
    assert_eq!(panel.resistance(&air, 0, 0), air.corner);
    assert_eq!(panel.resistance(&air, 0, 3), air.border);
    assert_eq!(panel.resistance(&air, 2, 3), air.inside);
    assert!(air.inside < air.border && air.border < air.corner);
}
