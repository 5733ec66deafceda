use super::*;
use proptest::prelude::*;

fn keyed(keys: &[(f64, f64)], interpolation: Interpolation, repeat: bool) -> Keyed<f64> {
    Keyed::Keys(Keyframes::new(keys.to_vec(), interpolation, repeat).unwrap())
}

#[test]
fn linear_keys_are_straight_lines_and_hold_outside() {
    let value = keyed(&[(1.0, 2.0), (3.0, 6.0), (4.0, 5.0)], Interpolation::Linear, false);
    let table = [
        (0.0, 2.0, 0.0),
        (1.0, 2.0, 2.0),
        (2.0, 4.0, 2.0),
        (3.5, 5.5, -1.0),
        (4.0, 5.0, 0.0),
        (9.0, 5.0, 0.0),
    ];
    for (time, expected, rate) in table {
        assert_eq!(value.at(time), expected, "value at {time}");
        assert_eq!(value.velocity_at(time), rate, "rate at {time}");
    }
}

#[test]
fn constant_keys_hold_until_the_next() {
    let value = keyed(&[(0.0, 1.0), (1.0, 2.0)], Interpolation::Constant, false);
    let values = [-1.0, 0.5, 1.0, 7.0].map(|time| value.at(time));
    assert_eq!(values, [1.0, 1.0, 2.0, 2.0]);
    assert_eq!(value.velocity_at(0.5), 0.0);
}

/// Two smooth keys are the smoothstep 3s² − 2s³, whose slope is 6s(1 − s).
#[test]
fn two_smooth_keys_are_smoothstep() {
    let value = keyed(&[(2.0, 10.0), (6.0, 14.0)], Interpolation::Smooth, false);
    for s in [0.0, 0.1, 0.25, 0.5, 0.9] {
        let time = 2.0 + 4.0 * s;
        let expected = 10.0 + 4.0 * (3.0 * s * s - 2.0 * s * s * s);
        assert!((value.at(time) - expected).abs() < 1e-14 * 14.0);
        assert!((value.velocity_at(time) - 6.0 * s * (1.0 - s)).abs() < 1e-14);
    }
}

/// Smooth keys at equal distances along a line pass the middle key at the harmonic mean of equal
/// slopes, which is that slope.
#[test]
fn smooth_keys_do_not_stop_on_the_way() {
    let value = keyed(&[(0.0, 0.0), (1.0, 3.0), (2.0, 6.0)], Interpolation::Smooth, false);
    assert_eq!(value.at(1.0), 3.0);
    assert!((value.velocity_at(1.0) - 3.0).abs() < 1e-14);
}

#[test]
fn repeated_keys_start_over_on_both_sides() {
    let value = keyed(&[(1.0, 0.0), (3.0, 8.0)], Interpolation::Linear, true);
    for (time, expected) in [(1.5, 2.0), (3.5, 2.0), (-0.5, 2.0), (7.0, 0.0), (4.0, 4.0)] {
        assert!((value.at(time) - expected).abs() < 1e-12, "at {time}: {}", value.at(time));
    }
}

#[test]
fn vectors_are_interpolated_by_component() {
    let keys = vec![(0.0, Vec3::ZERO), (2.0, Vec3::new(2.0, -4.0, 6.0))];
    let value = Keyed::Keys(Keyframes::new(keys, Interpolation::Linear, false).unwrap());
    assert_eq!(value.at(0.5), Vec3::new(0.5, -1.0, 1.5));
    assert_eq!(value.velocity_at(0.5), Vec3::new(1.0, -2.0, 3.0));
}

#[test]
fn bad_keys_are_refused() {
    let new = |keys: &[(f64, f64)]| Keyframes::new(keys.to_vec(), Interpolation::Linear, false);
    assert_eq!(new(&[]), Err(KeyframeError::Empty));
    assert_eq!(new(&[(0.0, f64::NAN)]), Err(KeyframeError::NotFinite(0)));
    assert_eq!(new(&[(f64::INFINITY, 0.0)]), Err(KeyframeError::NotFinite(0)));
    let out_of_order = KeyframeError::OutOfOrder { index: 1, time: 1.0 };
    assert_eq!(new(&[(1.0, 0.0), (1.0, 0.0)]), Err(out_of_order));
}

#[test]
fn rotations_turn_about_x_then_y_then_z() {
    let close = |a: Vec3, b: Vec3| (a - b).length() < 1e-15;
    assert!(close(rotation(Vec3::new(90.0, 0.0, 0.0)) * Vec3::Y, Vec3::Z));
    // y → z about x, then z → x about y.
    assert!(close(rotation(Vec3::new(90.0, 90.0, 0.0)) * Vec3::Y, Vec3::X));
    assert!(close(rotation(Vec3::new(90.0, 90.0, 90.0)) * Vec3::Y, Vec3::Y));
}

fn animation() -> impl Strategy<Value = Keyed<f64>> {
    let steps = prop::collection::vec((0.01..3.0_f64, -5.0..5.0_f64), 1..8);
    let kind = prop::sample::select(vec![Interpolation::Linear, Interpolation::Smooth]);
    (steps, kind, any::<bool>()).prop_map(|(steps, kind, repeat)| {
        let mut time = 0.0;
        let keys = steps.into_iter().map(|(step, value)| {
            time += step;
            (time, value)
        });
        Keyed::Keys(Keyframes::new(keys.collect(), kind, repeat).unwrap())
    })
}

proptest! {
    #[test]
    fn values_stay_between_the_keys(value in animation(), time in -5.0..30.0_f64) {
        let values = value.values();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(value.at(time) >= low - 1e-12 && value.at(time) <= high + 1e-12);
    }

    /// Central differences over h agree with the rate to h² times the third derivative, away from
    /// keys; the cubic's third derivative is bounded by 12·10/0.01³ on these keys, so h = 1e-7 leaves
    /// rounding, ε·5/h ≈ 1e-8, and 1.2e8·h² ≈ 1e-6.
    #[test]
    fn rates_are_derivatives(value in animation(), time in 0.0..20.0_f64) {
        let h = 1e-7;
        let Keyed::Keys(keyframes) = &value else { unreachable!() };
        let span = keyframes.keys().last().unwrap().0 - keyframes.keys()[0].0;
        let wrapped = if keyframes.repeat() && span > 0.0 {
            keyframes.keys()[0].0 + (time - keyframes.keys()[0].0).rem_euclid(span)
        } else {
            time
        };
        prop_assume!(keyframes.keys().iter().all(|key| (key.0 - wrapped).abs() > 1e-5));
        let difference = (value.at(time + h) - value.at(time - h)) / (2.0 * h);
        prop_assert!((difference - value.velocity_at(time)).abs() < 1e-5);
    }

    /// R(t + h) R(t)ᵀ ≈ I + h [ω]×, with an error of h² |ω|² / 2.
    #[test]
    fn angular_velocity_is_the_derivative_of_rotation(
        angles in prop::array::uniform3(-180.0..180.0_f64),
        rates in prop::array::uniform3(-90.0..90.0_f64),
    ) {
        let (angles, rates) = (Vec3::from_array(angles), Vec3::from_array(rates));
        let h = 1e-6;
        let omega = angular_velocity(angles, rates);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let before = rotation(angles - rates * h) * axis;
            let after = rotation(angles + rates * h) * axis;
            let expected = omega.cross(rotation(angles) * axis);
            prop_assert!(((after - before) / (2.0 * h) - expected).length() < 1e-8);
        }
    }
}
