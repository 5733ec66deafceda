//! Curves that outlines are made of: lines, quadratic and cubic Béziers, circular arcs.

use muslin::math::Vec2;

/// A curve of an outline or of a line inside a panel, from its start to its end \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// A straight line.
    Line {
        /// Start.
        from: Vec2,
        /// End.
        to: Vec2,
    },
    /// A quadratic Bézier curve.
    Quadratic {
        /// Start.
        from: Vec2,
        /// Control point.
        control: Vec2,
        /// End.
        to: Vec2,
    },
    /// A cubic Bézier curve.
    Cubic {
        /// Start.
        from: Vec2,
        /// Control points.
        controls: [Vec2; 2],
        /// End.
        to: Vec2,
    },
    /// A circular arc.
    Arc {
        /// Start.
        from: Vec2,
        /// End.
        to: Vec2,
        /// Centre of the circle.
        center: Vec2,
        /// Angle from start to end, positive counter-clockwise \[rad\].
        sweep: f64,
    },
}

impl Curve {
    /// The arc of this `radius` \[m\] between two points; `large` takes the longer way around the
    /// circle, `right` lets it bulge to the right of the way from start to end. A radius a little
    /// below half the distance (by rounding) becomes half the distance; `None` below that, or
    /// where the points coincide.
    pub fn arc(from: Vec2, to: Vec2, radius: f64, large: bool, right: bool) -> Option<Self> {
        let chord = to - from;
        let half = 0.5 * chord.length();
        // Files round to about seven digits.
        if !(half > 0.0 && radius >= half * (1.0 - 1e-6) && radius.is_finite()) {
            return None;
        }
        let radius = radius.max(half);
        let half_angle = (half / radius).min(1.0).asin();
        let angle = if large { std::f64::consts::TAU - 2.0 * half_angle } else { 2.0 * half_angle };
        // An arc that bulges right turns left (counter-clockwise), with its centre on the left
        // unless it is the longer way around.
        let left = chord.perp() / (2.0 * half);
        let height = (radius * radius - half * half).max(0.0).sqrt();
        let side = if right == large { -1.0 } else { 1.0 };
        let center = 0.5 * (from + to) + left * (height * side);
        Some(Self::Arc { from, to, center, sweep: if right { angle } else { -angle } })
    }

    /// Where it starts.
    pub fn start(&self) -> Vec2 {
        match *self {
            Self::Line { from, .. }
            | Self::Quadratic { from, .. }
            | Self::Cubic { from, .. }
            | Self::Arc { from, .. } => from,
        }
    }

    /// Where it ends.
    pub fn end(&self) -> Vec2 {
        match *self {
            Self::Line { to, .. }
            | Self::Quadratic { to, .. }
            | Self::Cubic { to, .. }
            | Self::Arc { to, .. } => to,
        }
    }

    /// The point at parameter `t` in 0 … 1, not proportional to length on Bézier curves.
    pub fn at(&self, t: f64) -> Vec2 {
        if t <= 0.0 {
            return self.start();
        }
        if t >= 1.0 {
            return self.end();
        }
        let s = 1.0 - t;
        match *self {
            Self::Line { from, to } => from * s + to * t,
            Self::Quadratic { from, control, to } => {
                from * (s * s) + control * (2.0 * s * t) + to * (t * t)
            }
            Self::Cubic { from, controls: [c, d], to } => {
                from * (s * s * s)
                    + c * (3.0 * s * s * t)
                    + d * (3.0 * s * t * t)
                    + to * (t * t * t)
            }
            Self::Arc { from, center, sweep, .. } => {
                center + Vec2::from_angle(sweep * t).rotate(from - center)
            }
        }
    }

    /// The derivative by the parameter \[m\].
    pub fn derivative(&self, t: f64) -> Vec2 {
        let s = 1.0 - t;
        match *self {
            Self::Line { from, to } => to - from,
            Self::Quadratic { from, control, to } => {
                ((control - from) * s + (to - control) * t) * 2.0
            }
            Self::Cubic { from, controls: [c, d], to } => {
                ((c - from) * (s * s) + (d - c) * (2.0 * s * t) + (to - d) * (t * t)) * 3.0
            }
            Self::Arc { from, center, sweep, .. } => {
                Vec2::from_angle(sweep * t).rotate((from - center).perp()) * sweep
            }
        }
    }

    /// `½ ∫ x × dx` along the curve \[m²\]: summed over a closed outline, its area.
    pub fn area_integral(&self) -> f64 {
        match *self {
            Self::Line { from, to } => 0.5 * from.perp_dot(to),
            Self::Arc { from, to, center, sweep } => {
                0.5 * (from - center).length_squared() * sweep + 0.5 * center.perp_dot(to - from)
            }
            // The integrand is a polynomial of degree ≤ 5, which five Gauss points integrate.
            Self::Quadratic { .. } | Self::Cubic { .. } => {
                gauss(0.0, 1.0, |t| 0.5 * self.at(t).perp_dot(self.derivative(t)))
            }
        }
    }

    /// The same curve after `map`, which must keep shapes (rotation, mirror, scale, translation).
    #[must_use]
    pub fn mapped(&self, map: impl Fn(Vec2) -> Vec2, mirrors: bool) -> Self {
        match *self {
            Self::Line { from, to } => Self::Line { from: map(from), to: map(to) },
            Self::Quadratic { from, control, to } => {
                Self::Quadratic { from: map(from), control: map(control), to: map(to) }
            }
            Self::Cubic { from, controls: [c, d], to } => {
                Self::Cubic { from: map(from), controls: [map(c), map(d)], to: map(to) }
            }
            Self::Arc { from, to, center, sweep } => Self::Arc {
                from: map(from),
                to: map(to),
                center: map(center),
                sweep: if mirrors { -sweep } else { sweep },
            },
        }
    }

    /// The same curve run backwards.
    #[must_use]
    pub fn reversed(&self) -> Self {
        match *self {
            Self::Line { from, to } => Self::Line { from: to, to: from },
            Self::Quadratic { from, control, to } => {
                Self::Quadratic { from: to, control, to: from }
            }
            Self::Cubic { from, controls: [c, d], to } => {
                Self::Cubic { from: to, controls: [d, c], to: from }
            }
            Self::Arc { from, to, center, sweep } => {
                Self::Arc { from: to, to: from, center, sweep: -sweep }
            }
        }
    }

    /// The curve turned, scaled and moved so that it runs between these ends.
    #[must_use]
    pub(crate) fn between(&self, from: Vec2, to: Vec2) -> Self {
        let (old, new) = (self.end() - self.start(), to - from);
        let start = self.start();
        // Complex division: the factor that turns and scales `old` into `new`.
        let square = old.length_squared();
        if square == 0.0 {
            return Self::Line { from, to };
        }
        let factor = Vec2::new(new.dot(old), old.perp_dot(new)) / square;
        let mut moved = self.mapped(|p| from + factor.rotate(p - start), false);
        match &mut moved {
            Self::Line { from: a, to: b }
            | Self::Quadratic { from: a, to: b, .. }
            | Self::Cubic { from: a, to: b, .. }
            | Self::Arc { from: a, to: b, .. } => (*a, *b) = (from, to),
        }
        moved
    }

    /// Whether all its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let inner = match *self {
            Self::Line { .. } => true,
            Self::Quadratic { control, .. } => control.is_finite(),
            Self::Cubic { controls: [c, d], .. } => c.is_finite() && d.is_finite(),
            Self::Arc { center, sweep, .. } => center.is_finite() && sweep.is_finite(),
        };
        inner && self.start().is_finite() && self.end().is_finite()
    }
}

/// Nodes and weights of Gauss–Legendre quadrature with five points on −1 … 1 (degree 9).
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

fn gauss(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    half * GAUSS.iter().map(|&(x, w)| w * f(middle + half * x)).sum::<f64>()
}

/// Spans of the length table of a Bézier curve.
const SPANS: usize = 16;
/// Halvings of a span where a cusp makes the speed vanish.
const MAX_HALVINGS: u32 = 20;
/// Error of a span's length relative to the control polygon's.
const LENGTH_TOLERANCE: f64 = 1e-13;

/// A curve with its arc length, so that points can be asked for by length.
#[derive(Clone, Debug)]
pub struct Measured {
    curve: Curve,
    /// Length up to parameter `k / SPANS`, for Bézier curves.
    table: Vec<f64>,
    length: f64,
}

impl Measured {
    /// Measures a curve.
    pub fn new(curve: Curve) -> Self {
        let (table, length) = match curve {
            Curve::Line { from, to } => (Vec::new(), (to - from).length()),
            Curve::Arc { from, center, sweep, .. } => {
                (Vec::new(), (from - center).length() * sweep.abs())
            }
            Curve::Quadratic { .. } | Curve::Cubic { .. } => {
                let scale = (curve.end() - curve.start()).length()
                    + (0..=SPANS)
                        .map(|k| curve.derivative(k as f64 / SPANS as f64).length())
                        .fold(0.0, f64::max);
                let mut table = vec![0.0];
                let mut sum = 0.0;
                for k in 0..SPANS {
                    let (a, b) = (k as f64 / SPANS as f64, (k + 1) as f64 / SPANS as f64);
                    sum += speed_integral(&curve, a, b, LENGTH_TOLERANCE * scale, MAX_HALVINGS);
                    table.push(sum);
                }
                (table, sum)
            }
        };
        Self { curve, table, length }
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Arc length \[m\].
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The parameter at which `fraction` (0 … 1) of the length is passed.
    pub fn parameter(&self, fraction: f64) -> f64 {
        if self.table.is_empty() || fraction <= 0.0 || fraction >= 1.0 {
            return fraction.clamp(0.0, 1.0);
        }
        let target = fraction * self.length;
        let span = self.table.partition_point(|&s| s <= target).clamp(1, SPANS) - 1;
        let start = span as f64 / SPANS as f64;
        let (mut low, mut high) = (start, (span + 1) as f64 / SPANS as f64);
        let mut t = 0.5 * (low + high);
        let tolerance = LENGTH_TOLERANCE * self.length;
        // Newton's method kept inside a shrinking bracket; 60 halvings exhaust the digits.
        for _ in 0..60 {
            let passed =
                self.table[span] + speed_integral(&self.curve, start, t, tolerance, MAX_HALVINGS);
            let error = passed - target;
            if error.abs() <= 4.0 * tolerance {
                break;
            }
            if error > 0.0 {
                high = t;
            } else {
                low = t;
            }
            let newton = t - error / self.curve.derivative(t).length();
            t = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        t
    }

    /// The point at which `fraction` (0 … 1) of the length is passed \[m\].
    pub fn point(&self, fraction: f64) -> Vec2 {
        self.curve.at(self.parameter(fraction))
    }

    /// The nearest point, as a fraction of the length, and its distance \[m\].
    pub(crate) fn closest(&self, point: Vec2) -> (f64, f64) {
        const COARSE: usize = 64;
        let distance = |f: f64| (self.point(f) - point).length();
        let step = 1.0 / COARSE as f64;
        let mut best = (0.0, distance(0.0));
        for k in 1..=COARSE {
            let f = k as f64 * step;
            let d = distance(f);
            if d < best.1 {
                best = (f, d);
            }
        }
        let mut step = 0.5 * step;
        while step > 1e-12 {
            for f in [(best.0 - step).max(0.0), (best.0 + step).min(1.0)] {
                let d = distance(f);
                if d < best.1 {
                    best = (f, d);
                }
            }
            step *= 0.5;
        }
        best
    }
}

/// `∫ |x′(t)| dt` from `a` to `b`, halving until two halves agree with the whole.
fn speed_integral(curve: &Curve, a: f64, b: f64, tolerance: f64, halvings: u32) -> f64 {
    let speed = |t: f64| curve.derivative(t).length();
    let whole = gauss(a, b, speed);
    let middle = 0.5 * (a + b);
    let halves = gauss(a, middle, speed) + gauss(middle, b, speed);
    // `is_nan` ends the recursion too.
    if halvings == 0 || (whole - halves).abs() <= tolerance || halves.is_nan() {
        return halves;
    }
    speed_integral(curve, a, middle, tolerance, halvings - 1)
        + speed_integral(curve, middle, b, tolerance, halvings - 1)
}

#[cfg(test)]
mod tests;
