use super::*;

fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// Length of a quadratic Bézier in closed form: |x′| = √(A t² + B t + C).
fn quadratic_length(p: Vec2, c: Vec2, q: Vec2) -> f64 {
    let (a, b) = (p - 2.0 * c + q, 2.0 * (c - p));
    let (aa, bb, cc) = (4.0 * a.dot(a), 4.0 * a.dot(b), b.dot(b));
    let f = |t: f64| {
        let root = (aa * t * t + bb * t + cc).sqrt();
        let inner = 2.0 * aa.sqrt() * root + 2.0 * aa * t + bb;
        (2.0 * aa * t + bb) / (4.0 * aa) * root
            + (4.0 * aa * cc - bb * bb) / (8.0 * aa.powf(1.5)) * inner.ln()
    };
    f(1.0) - f(0.0)
}

#[test]
fn quadratic_lengths_match_the_closed_form() {
    for (p, c, q) in [
        (v(0.0, 0.0), v(1.0, 2.0), v(3.0, 0.5)),
        (v(-1.0, 4.0), v(5.0, 4.5), v(0.2, -3.0)),
        (v(0.0, 0.0), v(0.1, 9.0), v(0.3, 0.1)),
    ] {
        let measured = Measured::new(Curve::Quadratic { from: p, control: c, to: q });
        let exact = quadratic_length(p, c, q);
        assert!((measured.length() - exact).abs() < 1e-11 * exact, "{} {exact}", measured.length());
    }
}

#[test]
fn equal_fractions_are_equal_lengths() {
    // A cubic with a cusp-like corner and an uneven speed.
    let curve =
        Curve::Cubic { from: v(0.0, 0.0), controls: [v(2.0, 0.1), v(-1.0, 0.2)], to: v(1.0, 0.3) };
    let measured = Measured::new(curve.clone());
    let mut before = 0.0;
    for k in 1..=10 {
        let t = measured.parameter(f64::from(k) / 10.0);
        // Brute force: a polyline with many points, whose error falls with the square.
        let n = 20_000;
        let length: f64 = (0..n)
            .map(|i| {
                let at = |i: i32| curve.at(before + (t - before) * f64::from(i) / f64::from(n));
                (at(i + 1) - at(i)).length()
            })
            .sum();
        assert!((length - 0.1 * measured.length()).abs() < 1e-7, "{k}: {length}");
        before = t;
    }
}

#[test]
fn arcs_bulge_and_turn_as_asked() {
    let (a, b) = (v(0.0, 0.0), v(2.0, 0.0));
    for (large, right, middle) in [
        (false, true, v(1.0, -(2.0 - 3.0_f64.sqrt()))),
        (false, false, v(1.0, 2.0 - 3.0_f64.sqrt())),
        (true, true, v(1.0, -(2.0 + 3.0_f64.sqrt()))),
        (true, false, v(1.0, 2.0 + 3.0_f64.sqrt())),
    ] {
        let arc = Measured::new(Curve::arc(a, b, 2.0, large, right).expect("radius is enough"));
        assert!((arc.point(0.5) - middle).length() < 1e-14, "{large} {right}");
        let angle =
            if large { std::f64::consts::PI * 5.0 / 3.0 } else { std::f64::consts::PI / 3.0 };
        assert!((arc.length() - 2.0 * angle).abs() < 1e-14);
        let reversed = Measured::new(arc.curve().reversed());
        assert!((reversed.point(0.25) - arc.point(0.75)).length() < 1e-14);
    }
    assert_eq!(Curve::arc(a, b, 0.9, false, true), None);
    assert_eq!(Curve::arc(a, a, 0.9, false, true), None);
}

#[test]
fn area_integrals_add_up_to_areas() {
    let half = |from, to| Curve::arc(from, to, 1.0, false, true).expect("a half circle");
    let circle = half(v(3.0, 1.0), v(1.0, 1.0)).area_integral()
        + half(v(1.0, 1.0), v(3.0, 1.0)).area_integral();
    assert!((circle - std::f64::consts::PI).abs() < 1e-14);
    // Under the parabola y = 1 − x² between −1 and 1 lies 4/3.
    let parabola = Curve::Quadratic { from: v(1.0, 0.0), control: v(0.0, 2.0), to: v(-1.0, 0.0) };
    let base = Curve::Line { from: v(-1.0, 0.0), to: v(1.0, 0.0) };
    assert!((parabola.area_integral() + base.area_integral() - 4.0 / 3.0).abs() < 1e-14);
    // The same parabola raised to a cubic.
    let cubic = Curve::Cubic {
        from: v(1.0, 0.0),
        controls: [v(1.0 / 3.0, 4.0 / 3.0), v(-1.0 / 3.0, 4.0 / 3.0)],
        to: v(-1.0, 0.0),
    };
    assert!((cubic.area_integral() - parabola.area_integral()).abs() < 1e-14);
}

#[test]
fn curves_can_be_moved_between_other_ends() {
    let arc = Curve::arc(v(0.0, 0.0), v(2.0, 0.0), 1.0, false, true).expect("a half circle");
    let moved = arc.between(v(1.0, 1.0), v(1.0, 5.0));
    // Twice as large, turned by 90°: it bulges to +x by its radius 2.
    assert!((moved.at(0.5) - v(3.0, 3.0)).length() < 1e-14);
}

#[test]
fn closest_points_are_closest() {
    let arc = Measured::new(Curve::arc(v(1.0, 0.0), v(-1.0, 0.0), 1.0, false, true).expect("arc"));
    let (fraction, distance) = arc.closest(v(2.0, 2.0));
    // Around a minimum, distances differ by rounding within the square root of rounding.
    assert!((fraction - 0.25).abs() < 1e-7);
    assert!((distance - (8.0_f64.sqrt() - 1.0)).abs() < 1e-12);
}
