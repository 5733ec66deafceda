use super::turbulence::wave;
use super::*;

const CLOTH: Permeability =
    Permeability { porosity: 0.25, porosity_weight: 0.8, distance_weight: 2.0 };

/// Apex at the origin, base of radius 0.5 at x = 1, so the cone opens by atan(0.5).
fn cone() -> Wind {
    Wind::steady(Source::Cone { apex: Vec3::ZERO, base: Vec3::X, radius: 0.5, pressure: 10.0 })
}

fn assert_near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-12, "{a} is not {b}");
}

/// Equations (2) and (3) worked by hand on and off the axis.
#[test]
fn cone_follows_the_equations() {
    // On the axis at x = 3: d = (2, 0, 0), f_temp = f_w, (1 − 0.8·0.25) / (2·(1 + 4)) = 0.08.
    let on_axis = cone().force_on(Vec3::new(3.0, 0.0, 0.0), Vec3::X, &CLOTH, 0.0);
    assert_near(on_axis, Vec3::X * 0.8);
    // Off the axis at C = (2, 0.6, 0): B = (1, 0.3, 0), d = (1, 0.3, 0), |d|² = 1.09,
    // f_temp = (10/1.09) d; the normal y makes cos Ψ = 0.3/√1.09.
    let off_axis = cone().force_on(Vec3::new(2.0, 0.6, 0.0), Vec3::Y, &CLOTH, 0.0);
    let d = Vec3::new(1.0, 0.3, 0.0);
    let factor = 0.8 * (0.3 / 1.09_f64.sqrt()) / (2.0 * 2.09);
    assert_near(off_axis, d * (10.0 / 1.09 * factor));
}

#[test]
fn wind_is_zero_outside_and_behind_and_finite_at_the_base() {
    let force = |x: f64, y: f64| cone().force_on(Vec3::new(x, y, 0.0), Vec3::X, &CLOTH, 0.0);
    assert_eq!(force(2.0, 1.01), Vec3::ZERO);
    assert_ne!(force(2.0, 0.99), Vec3::ZERO);
    assert_eq!(force(0.99, 0.0), Vec3::ZERO);
    assert_eq!(force(-2.0, 0.0), Vec3::ZERO);
    // d = 0: (1 − 0.2) / 2 of f_w.
    assert_near(force(1.0, 0.0), Vec3::X * 4.0);
}

/// A flipped normal does not reverse the wind.
#[test]
fn sides_of_the_cloth_are_equal() {
    let n = Vec3::new(0.6, 0.8, 0.0);
    let x = Vec3::new(1.5, 0.2, 0.1);
    let front = cone().force_on(x, n, &CLOTH, 0.0);
    assert_eq!(front, cone().force_on(x, -n, &CLOTH, 0.0));
    assert!(front.x > 0.0);
}

/// A cone whose apex is far away blows like the cylinder, up to base radius / distance.
#[test]
fn cylinder_is_the_limit_of_the_cone() {
    let far = Wind::steady(Source::Cone {
        apex: Vec3::X * -1e6,
        base: Vec3::ZERO,
        radius: 0.5,
        pressure: 10.0,
    });
    let cylinder = Wind::steady(Source::Cylinder {
        base: Vec3::ZERO,
        axis: Vec3::X * 3.0,
        radius: 0.5,
        pressure: 10.0,
    });
    let n = Vec3::new(0.8, 0.0, 0.6);
    for x in [Vec3::new(0.7, 0.3, 0.1), Vec3::new(2.0, -0.4, 0.2)] {
        let difference = far.force_on(x, n, &CLOTH, 0.0) - cylinder.force_on(x, n, &CLOTH, 0.0);
        assert!(difference.length() < 1e-5, "{difference}");
    }
    let outside = Vec3::new(1.0, 0.0, 0.51);
    assert_eq!(cylinder.force_on(outside, n, &CLOTH, 0.0), Vec3::ZERO);
}

/// ½ ρ v² = p / (1 + |d|²): 10 N/m² at the base is 4.08 m/s.
#[test]
fn jet_speed_has_the_pressure_as_stagnation_pressure() {
    let v = cone().velocity_at(Vec3::X, 0.0);
    assert_near(v, Vec3::X * (2.0_f64 * 10.0 / 1.2).sqrt());
    let uniform = Wind::uniform(Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(uniform.velocity_at(Vec3::Y, 7.0), Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(uniform.force_on(Vec3::Y, Vec3::X, &CLOTH, 7.0), Vec3::ZERO);
}

#[test]
fn strength_follows_its_keys() {
    let keys = |i| Keyframes::new(vec![(3.0, 5.0), (1.0, 1.0)], i).unwrap();
    for (interpolation, quarter) in [
        (Interpolation::Constant, 1.0),
        (Interpolation::Linear, 2.0),
        // 1 + 4 (3/16 − 2/64) = 1.625
        (Interpolation::Smooth, 1.625),
    ] {
        let k = keys(interpolation);
        assert_eq!([k.at(0.0), k.at(1.5), k.at(9.0)], [1.0, quarter, 5.0]);
    }
    assert_eq!(Keyframes::new(vec![], Interpolation::Linear), None);
    assert_eq!(Keyframes::new(vec![(f64::NAN, 0.0)], Interpolation::Linear), None);
    let mut wind = Wind::uniform(Vec3::X * 2.0);
    wind.strength = keys(Interpolation::Linear);
    assert_near(wind.velocity_at(Vec3::ZERO, 2.0), Vec3::X * 6.0);
}

/// The fluctuation has the intensity asked for, no mean, and changes smoothly.
#[test]
fn turbulence_has_its_intensity_and_is_smooth() {
    let mut wind = Wind::uniform(Vec3::X * 3.0);
    wind.turbulence = Turbulence { seed: 5, intensity: 0.3, scale: 1.5 };
    let (mut mean, mut square, mut steepest) = (Vec3::ZERO, 0.0, 0.0_f64);
    let count = 40_000;
    for k in 0..count {
        let t = k as f64 * 0.173;
        let x = Vec3::new(0.37, 0.73, 0.19) * k as f64;
        let u = wind.velocity_at(x, t) - Vec3::X * 3.0;
        mean += u / count as f64;
        square += u.length_squared() / count as f64;
        let nearby = wind.velocity_at(x + Vec3::splat(1e-6), t + 1e-6) - Vec3::X * 3.0;
        steepest = steepest.max((nearby - u).length() / 1e-6);
    }
    assert!((square.sqrt() / 0.9 - 1.0).abs() < 0.05, "rms {}", square.sqrt());
    assert!(mean.length() < 0.03, "mean {mean}");
    // Slope of a wave ≤ 8 per cycle; shortest wavelength 1.5/8 = 0.1875 m, speed 3 (1 + 0.35).
    assert!(steepest < 8.0 * 0.9 * 4.0 * (3.0_f64.sqrt() + 4.05) / 0.1875);
    let again = wind.velocity_at(Vec3::ONE, 2.0);
    assert_eq!(again, wind.velocity_at(Vec3::ONE, 2.0));
    wind.turbulence.seed = 6;
    assert_ne!(again, wind.velocity_at(Vec3::ONE, 2.0));
}

#[test]
fn wave_is_periodic_with_unit_amplitude() {
    for (cycles, value) in [(0.0, 0.0), (0.25, 1.0), (0.5, 0.0), (0.75, -1.0), (-3.75, 1.0)] {
        assert_eq!(wave(cycles), value);
    }
}
