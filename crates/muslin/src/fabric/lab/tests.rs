use super::{Bend, LabError, LabSheet, Shear, Tensile, Weight};
use crate::fabric::Fabric;

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value / expected - 1.0).abs() < tolerance, "{value} against {expected}");
}

#[test]
fn units_agree_with_exact_constants() {
    // 1 gf = 9.80665e-3 N exactly; each line is the unit written out in SI.
    let exact = 4.0 * f64::EPSILON;
    assert_close(Weight::GramsPerSquareMetre(150.0).density().unwrap(), 0.15, exact);
    let ounce = 28349523125.0 / 836127360000.0;
    assert_close(Weight::OuncesPerSquareYard(1.0).density().unwrap(), ounce, exact);
    assert_close(Weight::Momme(1.0).density().unwrap(), 0.00434, 1e-4);
    assert_close(Bend::Kes(1.0).rigidity(0.1).unwrap(), 9.80665e-5, exact);
    assert_close(Shear::Kes(1.0).stiffness().unwrap(), 0.980665 * 1f64.to_degrees(), exact);
    assert_close(Tensile::Emt(5.0).stiffness().unwrap(), 490.3325 / 0.05, exact);
    let at = Tensile::At { force_per_width: 98.0665, strain: 0.02 };
    assert_close(at.stiffness().unwrap(), 4903.325, exact);
}

#[test]
fn bias_extension_agrees_with_the_formula_fast_prints() {
    // FAST: G = 123 / EB5, 123 being 122.58 rounded.
    assert_close(Shear::BiasExtension(4.7).stiffness().unwrap(), 123.0 / 4.7, 0.004);
}

#[test]
fn bending_length_agrees_with_a_worked_fast_sheet() {
    // A wool of 168 g/m²: c = 15.00 and 14.50 mm print as 5.56 and 5.02 µN·m.
    assert_close(Bend::Length(0.0150).rigidity(0.168).unwrap(), 5.56e-6, 1e-3);
    assert_close(Bend::Length(0.0145).rigidity(0.168).unwrap(), 5.02e-6, 1e-3);
    assert_eq!(Bend::Overhang(0.030).rigidity(0.168), Bend::Length(0.015).rigidity(0.168));
}

/// Slope θ, curvature θ′, reach x and drop y along a strip of length 1.
type Strip = [f64; 4];

/// The heavy elastica `θ″ = −Γ (1 − s) cos θ`, θ downward from the horizontal, `Γ = ρ g L³ / D`.
fn elastica_rate(gamma: f64, s: f64, [slope, curvature, ..]: Strip) -> Strip {
    [curvature, -gamma * (1.0 - s) * slope.cos(), slope.cos(), slope.sin()]
}

/// The free end of a strip clamped level with the given curvature there, by Runge and Kutta.
fn free_end(gamma: f64, clamp_curvature: f64) -> Strip {
    const STEPS: usize = 400;
    let h = 1.0 / STEPS as f64;
    let advance =
        |from: Strip, rate: Strip, by: f64| std::array::from_fn(|i| from[i] + by * rate[i]);
    let mut strip: Strip = [0.0, clamp_curvature, 0.0, 0.0];
    for step in 0..STEPS {
        let s = step as f64 * h;
        let k1 = elastica_rate(gamma, s, strip);
        let k2 = elastica_rate(gamma, s + 0.5 * h, advance(strip, k1, 0.5 * h));
        let k3 = elastica_rate(gamma, s + 0.5 * h, advance(strip, k2, 0.5 * h));
        let k4 = elastica_rate(gamma, s + h, advance(strip, k3, h));
        strip = std::array::from_fn(|i| {
            strip[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
        });
    }
    strip
}

/// The root of an increasing function, by halving.
fn root(mut low: f64, mut high: f64, increasing: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if increasing(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Drop over reach of the free end, `θ′(1) = 0` met by shooting.
fn drop_over_reach(gamma: f64) -> f64 {
    let clamp_curvature = root(0.0, gamma, |curvature| free_end(gamma, curvature)[1]);
    let [_, _, reach, drop] = free_end(gamma, clamp_curvature);
    drop / reach
}

#[test]
fn shooting_meets_the_known_drops() {
    // V5's table, and the small-load limit drop = Γ/8 of a uniformly loaded cantilever.
    assert_close(drop_over_reach(1.0), 0.1246, 5e-4);
    assert_close(drop_over_reach(10.0), 1.0668, 5e-5);
    assert_close(drop_over_reach(1e-3), 1e-3 / 8.0, 1e-5);
}

#[test]
fn overhang_at_41_5_degrees_is_twice_the_bending_length() {
    // Γ = (L/c)³, so Peirce's rule says 8; the elastica says 8.0042, L = 2.00035 c, and the rigidity
    // read off an overhang is 0.05 % too large.
    let target = 41.5_f64.to_radians().tan();
    let gamma = root(1.0, 20.0, |gamma| drop_over_reach(gamma) - target);
    assert!((gamma.cbrt() - 2.00035).abs() < 5e-6, "L / c = {}", gamma.cbrt());

    let (density, overhang) = (0.25, 0.06);
    let exact = density * super::STANDARD_GRAVITY * f64::powi(overhang, 3) / gamma;
    let read = Bend::Overhang(overhang).rigidity(density).unwrap();
    let excess = read / exact - 1.0;
    assert!((excess - 5.2e-4).abs() < 1e-5, "{excess}");
}

#[test]
fn a_full_sheet_replaces_all_it_measures_and_keeps_relaxation_times() {
    let base = Fabric::named("wool suiting").unwrap();
    let sheet = LabSheet {
        weight: Some(Weight::GramsPerSquareMetre(200.0)),
        thickness: Some(0.4e-3),
        tensile: [Some(Tensile::Emt(5.0)), Some(Tensile::Emt(10.0))],
        shear: Some(Shear::Kes(0.5)),
        bend: [Some(Bend::Kes(0.1)), Some(Bend::Length(0.02))],
    };
    let fabric = sheet.apply(&base).unwrap();
    let weft = 0.2 * 9.80665 * 8e-6;
    assert_close(fabric.density, 0.2, 1e-15);
    assert_eq!(fabric.thickness, 0.4e-3);
    assert_close(fabric.stretch[0], 9806.65, 1e-14);
    assert_close(fabric.stretch[1], 4903.325, 1e-14);
    assert_close(fabric.shear, 28.094, 1e-4);
    assert_close(fabric.bending[0], 9.80665e-6, 1e-14);
    assert_close(fabric.bending[1], weft, 1e-14);
    assert_close(fabric.bend_damping, 0.01 * 0.5 * (9.80665e-6 + weft), 1e-13);
    assert_close(fabric.stretch_damping, 0.002 * 7354.9875, 1e-13);
    assert_eq!(fabric.friction_static, base.friction_static);
}

#[test]
fn an_empty_sheet_gives_the_base_back() {
    let base = Fabric::named("denim").unwrap();
    let same = LabSheet::default().apply(&base).unwrap();
    assert_eq!(
        Fabric { stretch_damping: 0.0, shear_damping: 0.0, bend_damping: 0.0, ..same.clone() },
        Fabric { stretch_damping: 0.0, shear_damping: 0.0, bend_damping: 0.0, ..base.clone() }
    );
    assert_close(same.bend_damping, base.bend_damping, 1e-15);
}

#[test]
fn numbers_that_are_not_positive_are_refused_by_name() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Weight::Momme(bad).density().is_err());
        assert!(Bend::Length(bad).rigidity(0.1).is_err());
        assert!(Bend::Length(0.02).rigidity(bad).is_err());
        assert!(Bend::Overhang(bad).rigidity(0.1).is_err());
        assert!(Bend::Kes(bad).rigidity(0.1).is_err());
        assert!(Tensile::Emt(bad).stiffness().is_err());
        assert!(Tensile::At { force_per_width: 1.0, strain: bad }.stiffness().is_err());
        assert!(Tensile::At { force_per_width: bad, strain: 0.1 }.stiffness().is_err());
        assert!(Shear::Kes(bad).stiffness().is_err());
        assert!(Shear::BiasExtension(bad).stiffness().is_err());
    }
    assert_eq!(
        Tensile::Emt(-3.0).stiffness().unwrap_err().to_string(),
        "lab sheet: EMT is -3, expected a positive number of percent"
    );
}

#[test]
fn a_bending_length_in_millimetres_is_caught() {
    let base = Fabric::named("muslin").unwrap();
    let sheet = LabSheet { bend: [Some(Bend::Length(18.0)), None], ..LabSheet::default() };
    assert!(matches!(sheet.apply(&base), Err(LabError::Fabric(_))));
}
