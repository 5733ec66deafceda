use super::*;
use crate::levelset::{Field, Resolution, Solid};
use crate::math::Random;

fn ball(centre: Vec3, radius: f64) -> impl Fn(Vec3) -> Option<Sample> + Sync {
    move |x: Vec3| {
        let from = x - centre;
        Some(Sample { distance: from.length() - radius, gradient: try_normalize(from)? })
    }
}

/// Strictly increasing, with a continuous slope, onto `[ε, τ]`, and the same above `τ`.
#[test]
fn v13_the_map_is_strictly_monotone_and_smooth() {
    for settings in [
        CleanUp::default(),
        CleanUp { least: 1e-4, reach: 0.004, expected_depth: 0.05 },
        CleanUp { least: 1e-3, reach: 0.01, expected_depth: 0.0 },
    ] {
        let CleanUp { least, reach, expected_depth } = settings;
        let f = |d: f64| settings.map(d);
        let low = -2.0 * (expected_depth + reach);
        let n = 4000;
        let at = |i: usize| low + (reach - low) * i as f64 / n as f64;
        let step = at(1) - at(0);
        for i in 0..n {
            let slope = (f(at(i + 1)) - f(at(i))) / step;
            assert!(slope > 0.0 && slope < 1.0 + 1e-9, "slope {slope} at {}", at(i));
            assert!(f(at(i)) > least && f(at(i)) <= reach);
        }
        // C¹: slopes on either side agree where the pieces meet, and at τ the slope is 1.
        let d = 1e-7 * reach;
        for joint in [reach, -expected_depth] {
            let (left, right) = ((f(joint) - f(joint - d)) / d, (f(joint + d) - f(joint)) / d);
            assert!((left - right).abs() < 1e-4, "{left} {right} at {joint}");
        }
        assert_eq!(f(reach), reach);
        assert_eq!(f(2.0 * reach), 2.0 * reach);
        assert!(f(-1e9) >= least);
        // What was expected keeps nine tenths of the layer.
        let used = (reach - f(-expected_depth)) / (reach - least);
        assert!((used - 0.9).abs() < 1e-9, "{used}");
    }
}

/// Nothing is left inside, the order along a line stays, and what is above τ does not move.
#[test]
fn v13_points_leave_a_ball_in_order() {
    let settings = CleanUp { least: 5e-4, reach: 0.01, expected_depth: 0.02 };
    let part = ball(Vec3::new(0.1, 0.2, 0.3), 0.25);
    let direction = Vec3::new(0.48, -0.6, 0.64);
    let line: Vec<Vec3> = (0..200)
        .map(|i| Vec3::new(0.1, 0.2, 0.3) + direction * (0.2 + 0.0004 * f64::from(i)))
        .collect();
    let mut moved = line.clone();
    let done = clean_up(&mut moved, std::slice::from_ref(&part), &settings);
    assert!(done.moved > 100 && done.stuck == 0 && done.pinched == 0, "{done:?}");
    assert!((done.deepest - 0.05).abs() < 1e-9);
    let mut before = f64::MIN;
    for (old, new) in line.iter().zip(&moved) {
        let (d0, d1) = (part(*old).unwrap().distance, part(*new).unwrap().distance);
        assert!(d1 > settings.least - 1e-12 && d1 > before, "{d0} to {d1}, after {before}");
        assert!((d1 - settings.map(d0)).abs() < 1e-10);
        assert!(d0 < settings.reach || old == new);
        before = d1;
    }
}

/// The same in a stored field, from random places inside a box with sharp edges.
#[test]
fn v13_nothing_is_left_inside_a_stored_field() {
    let mesh = crate::body::shape::cuboid(Vec3::new(0.2, 0.3, 0.1));
    let field = Field::of(&Solid::new(&mesh).unwrap(), Resolution::new(0.005));
    let part = |x: Vec3| Some(field.sample(x));
    let mut random = Random::new(4);
    let mut x: Vec<Vec3> = (0..2000)
        .map(|_| {
            let side = |half: f64, random: &mut Random| random.between(-half, half);
            Vec3::new(side(0.11, &mut random), side(0.16, &mut random), side(0.06, &mut random))
        })
        .filter(|x| field.sample(*x).distance > -0.02)
        .collect();
    let start = x.clone();
    let settings = CleanUp { least: 2e-3, reach: 0.01, expected_depth: 0.02 };
    let done = clean_up(&mut x, &[part], &settings);
    assert!(done.moved > 500 && done.stuck == 0, "{done:?}");
    for (old, new) in start.iter().zip(&x) {
        let (d0, d1) = (field.sample(*old).distance, field.sample(*new).distance);
        assert!(d1 > settings.least * 0.999, "{d0} to {d1}");
        assert!(d0 < settings.reach || old == new);
    }
}

#[test]
fn v13_pinched_points_are_left_alone() {
    let parts = [ball(Vec3::X * 0.08, 0.1), ball(-Vec3::X * 0.08, 0.1)];
    let mut x = [Vec3::ZERO, Vec3::new(0.01, 0.02, 0.0), Vec3::new(0.1, 0.0, 0.095)];
    let start = x;
    let done = clean_up(&mut x, &parts, &CleanUp::default());
    assert_eq!((x[0], x[1], done.pinched, done.moved), (start[0], start[1], 2, 1));
    assert!(parts[0](x[2]).unwrap().distance > 0.0);
}

/// Wrinkles that have sunk into a body come out as wrinkles; projection onto the surface loses them.
#[test]
fn mf8_sunken_wrinkles_survive() {
    let ground = |x: Vec3| Some(Sample { distance: x.z, gradient: Vec3::Z });
    let settings = CleanUp { least: 5e-4, reach: 0.008, expected_depth: 0.008 };
    let height = |i: u32| -0.004 + 0.003 * (0.4 * f64::from(i)).sin();
    let mut x: Vec<Vec3> =
        (0..100).map(|i| Vec3::new(0.01 * f64::from(i), 0.0, height(i))).collect();
    let flattened: Vec<f64> = x.iter().map(|p| p.z.max(settings.least)).collect();
    clean_up(&mut x, &[ground], &settings);
    let amplitude = |heights: &[f64]| {
        let (low, high) =
            heights.iter().fold((f64::MAX, f64::MIN), |(a, b), h| (a.min(*h), b.max(*h)));
        0.5 * (high - low)
    };
    let cleaned: Vec<f64> = x.iter().map(|p| p.z).collect();
    assert_eq!(amplitude(&flattened), 0.0);
    // 16 mm of depths share a layer of 7.5 mm, of which a fifth belongs to the top: a third is left.
    let kept = amplitude(&cleaned) / 0.003;
    assert!(kept > 0.3, "{kept} of the amplitude");
    // Crests and troughs are where they were.
    for i in 1..99 {
        let turns = |h: [f64; 3]| (h[1] - h[0]) * (h[2] - h[1]) < 0.0;
        let now = [cleaned[i - 1], cleaned[i], cleaned[i + 1]];
        let before = [i - 1, i, i + 1].map(|k| height(k as u32));
        assert_eq!(turns(now), turns(before), "at {i}");
    }
}
