//! Sections along an axis: how limbs and the trunk are described.

use muslin::math::{Vec2, Vec3};

/// How finely the sections are tabulated.
const SAMPLES: usize = 256;

/// Where a loft stands: `u` and `v` span its sections, `w` is its axis.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// A point on the axis \[m\].
    pub origin: Vec3,
    /// First direction across the axis.
    pub u: Vec3,
    /// Second direction across the axis.
    pub v: Vec3,
    /// The axis.
    pub w: Vec3,
}

/// A section: four quarters of ellipses, or fuller curves, around a centre.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Place along the axis \[m\].
    pub at: f64,
    /// The centre, in the directions u and v \[m\].
    pub centre: Vec2,
    /// Half width towards −u and +u \[m\].
    pub u: [f64; 2],
    /// Half width towards −v and +v \[m\].
    pub v: [f64; 2],
}

const CHANNELS: usize = 6;
type Row = [f64; CHANNELS];

impl Section {
    fn row(&self) -> Row {
        [self.centre.x, self.centre.y, self.u[0], self.u[1], self.v[0], self.v[1]]
    }
}

/// A surface through sections, smooth between them (cubic Hermite with Catmull–Rom slopes), with
/// an ellipsoidal cap at either end.
#[derive(Clone, Debug)]
pub struct Loft {
    frame: Frame,
    start: f64,
    end: f64,
    caps: [f64; 2],
    fullness: f64,
    table: Vec<Row>,
    ball: (Vec3, f64),
}

impl Loft {
    /// A loft through `sections`, which are at least two, in order of their place; its caps reach
    /// `caps` \[m\] beyond the first and last. `fullness` is 0 for ellipses and
    /// 1 for the squarish curves of fourth order.
    pub fn new(frame: Frame, sections: &[Section], caps: [f64; 2], fullness: f64) -> Self {
        let (start, end) = (sections[0].at, sections[sections.len() - 1].at);
        let at = |i: usize| start + (end - start) * i as f64 / (SAMPLES - 1) as f64;
        let table: Vec<Row> = (0..SAMPLES).map(|i| interpolate(sections, at(i))).collect();
        let mut loft =
            Self { frame, start, end, caps, fullness, table, ball: (Vec3::ZERO, f64::INFINITY) };
        loft.ball = loft.find_ball();
        loft
    }

    fn row(&self, at: f64) -> Row {
        let x = (at - self.start) / (self.end - self.start) * (SAMPLES - 1) as f64;
        let x = x.clamp(0.0, (SAMPLES - 1) as f64);
        let i = (x as usize).min(SAMPLES - 2);
        let s = x - i as f64;
        let (a, b) = (&self.table[i], &self.table[i + 1]);
        std::array::from_fn(|c| a[c] + s * (b[c] - a[c]))
    }

    /// The distance along the ray from the section's centre: right on the surface, too large by
    /// the slant of the surface away from it.
    pub fn value(&self, p: Vec3) -> f64 {
        let d = p - self.frame.origin;
        let at = d.dot(self.frame.w);
        let [cu, cv, u0, u1, v0, v1] = self.row(at);
        let (u, v) = (d.dot(self.frame.u) - cu, d.dot(self.frame.v) - cv);
        let beyond = (self.start - at).max(at - self.end).max(0.0);
        let cap = if at < self.start { self.caps[0] } else { self.caps[1] };
        let su = u / if u < 0.0 { u0 } else { u1 };
        let sv = v / if v < 0.0 { v0 } else { v1 };
        let (su, sv) = (su * su, sv * sv);
        let round = (su + sv).sqrt();
        let across = if self.fullness > 0.0 {
            round + self.fullness * ((su * su + sv * sv).sqrt().sqrt() - round)
        } else {
            round
        };
        let level = if beyond > 0.0 { across.hypot(beyond / cap) } else { across };
        let reach = (u * u + v * v + beyond * beyond).sqrt();
        if level > 1e-6 { (level - 1.0) * reach / level } else { -u0.min(u1).min(v0).min(v1) }
    }

    /// A ball around it.
    pub fn bounds(&self) -> (Vec3, f64) {
        self.ball
    }

    fn find_ball(&self) -> (Vec3, f64) {
        let f = &self.frame;
        let middle = self.table[SAMPLES / 2];
        let centre =
            f.origin + f.w * (0.5 * (self.start + self.end)) + f.u * middle[0] + f.v * middle[1];
        let mut radius: f64 = 0.0;
        for (i, row) in self.table.iter().enumerate() {
            let at = self.start + (self.end - self.start) * i as f64 / (SAMPLES - 1) as f64;
            for (u, v) in [(2, 4), (2, 5), (3, 4), (3, 5)] {
                let du = row[0] + if u == 2 { -row[u] } else { row[u] };
                let dv = row[1] + if v == 4 { -row[v] } else { row[v] };
                let corner = f.origin + f.w * at + f.u * du + f.v * dv;
                radius = radius.max(corner.distance(centre));
            }
        }
        (centre, radius + self.caps[0].max(self.caps[1]))
    }
}

/// The row at a place: cubic Hermite with slopes of the parabola through three sections.
fn interpolate(sections: &[Section], at: f64) -> Row {
    let last = sections.len() - 1;
    let i = sections.windows(2).position(|w| at <= w[1].at).unwrap_or(last - 1);
    let (a, b) = (&sections[i], &sections[i + 1]);
    let step = b.at - a.at;
    let s = ((at - a.at) / step).clamp(0.0, 1.0);
    let slope = |k: usize, c: usize| {
        let secant = |j: usize| {
            let (p, q) = (&sections[j], &sections[j + 1]);
            ((q.row()[c] - p.row()[c]) / (q.at - p.at), q.at - p.at)
        };
        if k == 0 {
            secant(0).0
        } else if k == last {
            secant(last - 1).0
        } else {
            let ((d0, h0), (d1, h1)) = (secant(k - 1), secant(k));
            (d0 * h1 + d1 * h0) / (h0 + h1)
        }
    };
    let (s2, s3) = (s * s, s * s * s);
    std::array::from_fn(|c| {
        (2.0 * s3 - 3.0 * s2 + 1.0) * a.row()[c]
            + (s3 - 2.0 * s2 + s) * step * slope(i, c)
            + (3.0 * s2 - 2.0 * s3) * b.row()[c]
            + (s3 - s2) * step * slope(i + 1, c)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upright() -> Frame {
        Frame { origin: Vec3::ZERO, u: Vec3::X, v: Vec3::Y, w: Vec3::Z }
    }

    fn round(at: f64, r: f64) -> Section {
        Section { at, centre: Vec2::ZERO, u: [r; 2], v: [r; 2] }
    }

    #[test]
    fn equal_round_sections_make_a_capsule() {
        let loft = Loft::new(upright(), &[round(0.0, 0.2), round(1.0, 0.2)], [0.2, 0.2], 0.0);
        for p in [Vec3::new(0.5, 0.1, 0.4), Vec3::new(0.1, 0.0, 1.5), Vec3::new(0.05, 0.0, 0.5)] {
            let axis = Vec3::Z * p.z.clamp(0.0, 1.0);
            assert!((loft.value(p) - (p.distance(axis) - 0.2)).abs() < 1e-12);
        }
        let (centre, radius) = loft.bounds();
        assert!(centre.distance(Vec3::Z * 0.5) < 1e-12 && radius >= 0.7);
    }

    #[test]
    fn sections_are_met_where_they_are_given() {
        let sections = [round(0.0, 0.1), round(0.4, 0.3), round(1.0, 0.2)];
        for s in &sections {
            assert!((interpolate(&sections, s.at)[2] - s.u[0]).abs() < 1e-15);
        }
    }
}
