//! Counting folds, so that "it has more wrinkles" is a number.

use crate::math::Vec3;

/// How many ridges and valleys a line on the cloth has, seen along `axis`: bends that turn by more than
/// `threshold` \[rad\] one way before turning as much the other way.
///
/// The line is seen along the axis, so a hem is counted with the axis up. Its heading swings to and fro;
/// every swing larger than the threshold is a bend, smaller ones are noise. A wave of n periods has 2n bends, a
/// straight line and a polygon none but the turns it makes.
pub fn count(line: &[Vec3], axis: Vec3, threshold: f64) -> usize {
    let Some(axis) = crate::math::try_normalize(axis) else { return 0 };
    let (mut heading, mut low, mut high) = (0.0f64, 0.0f64, 0.0f64);
    let mut bends = 0;
    // Which way the present swing goes, once it is large enough to tell.
    let mut way: Option<bool> = None;
    for turn in turns(line, axis) {
        heading += turn;
        (low, high) = (low.min(heading), high.max(heading));
        let rising = heading - low > threshold;
        let falling = high - heading > threshold;
        let next = match way {
            None | Some(false) if rising => true,
            None | Some(true) if falling => false,
            _ => continue,
        };
        bends += 1;
        way = Some(next);
        // The new swing is measured from the far end of the last one.
        (low, high) = (heading, heading);
    }
    bends
}

/// Turns at the inner points of a line, seen along a unit axis \[rad\]; points that coincide are skipped.
fn turns(line: &[Vec3], axis: Vec3) -> impl Iterator<Item = f64> {
    let flat = line.iter().map(move |p| *p - axis * p.dot(axis));
    let mut steps: Vec<Vec3> = Vec::with_capacity(line.len());
    let mut last: Option<Vec3> = None;
    for p in flat {
        if let Some(before) = last.filter(|before| before.distance_squared(p) > 0.0) {
            steps.push(p - before);
        }
        last = Some(p);
    }
    (1..steps.len()).map(move |k| {
        let (a, b) = (steps[k - 1], steps[k]);
        a.cross(b).dot(axis).atan2(a.dot(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn line(at: impl Fn(f64) -> Vec3) -> Vec<Vec3> {
        (0..=2000).map(|k| at(f64::from(k) / 2000.0)).collect()
    }

    #[test]
    fn a_wave_of_n_periods_has_2n_folds_whatever_its_noise() {
        for n in [1, 4, 11] {
            let wave = |s: f64, noise: f64| {
                let y = 0.2 / f64::from(n) * (TAU * f64::from(n) * s).sin();
                Vec3::new(s, y + noise * (s * 900.0).sin(), s * s)
            };
            assert_eq!(count(&line(|s| wave(s, 0.0)), Vec3::Z, 0.35), 2 * n as usize);
            assert_eq!(count(&line(|s| wave(s, 1e-4)), Vec3::Z, 0.35), 2 * n as usize);
        }
    }

    #[test]
    fn a_straight_line_has_none_and_an_arc_one() {
        assert_eq!(count(&line(|s| Vec3::new(s, 2.0 * s, s * s)), Vec3::Z, 0.35), 0);
        let arc = |s: f64| Vec3::new((3.0 * s).cos(), (3.0 * s).sin(), 0.0);
        assert_eq!(count(&line(arc), Vec3::Z, 0.35), 1);
        assert_eq!(count(&[], Vec3::Z, 0.35), 0);
    }
}
