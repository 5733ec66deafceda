//! A body of elliptic rings in an A-pose, to see and to measure how panels are placed around it.

use muslin::math::{Vec3, try_normalize};

/// A place along a limb: its centre and half its width and depth \[m\].
struct Station {
    center: Vec3,
    half: [f64; 2],
}

/// A figure facing −y, z up.
pub struct StandIn {
    limbs: Vec<Vec<Station>>,
}

impl StandIn {
    /// A figure of this height and these girths of chest, waist and hip \[m\].
    pub fn new(height: f64, [chest, waist, hip]: [f64; 3]) -> Self {
        // Half axes of an ellipse of this girth and depth over width (Ramanujan).
        let ellipse = |girth: f64, flat: f64| {
            let h3 = 3.0 * (1.0 + flat) - ((3.0 + flat) * (1.0 + 3.0 * flat)).sqrt();
            let a = girth / (std::f64::consts::PI * h3);
            [a, a * flat]
        };
        let at = |x: f64, z: f64| Vec3::new(x, 0.012, z) * height;
        let station = |center: Vec3, half: [f64; 2]| Station { center, half };
        let round = |r: f64| [r * height; 2];
        let torso = vec![
            // The mannequin's crotch is at 0.453 of its height.
            station(at(0.0, 0.485), [0.06 * height, 0.03 * height]),
            station(at(0.0, 0.515), ellipse(hip, 0.74)),
            station(at(0.0, 0.62), ellipse(waist, 0.74)),
            station(at(0.0, 0.72), ellipse(chest, 0.76)),
            station(at(0.0, 0.805), [0.098 * height, 0.05 * height]),
            station(at(0.0, 0.845), round(0.036)),
            station(at(0.0, 0.90), round(0.034)),
            station(at(0.0, 0.955), [0.045 * height, 0.055 * height]),
        ];
        let mut limbs = vec![torso];
        for side in [1.0, -1.0] {
            let (sin, cos) = 45.0_f64.to_radians().sin_cos();
            let along =
                |d: f64| at(side * (0.102 + d * sin), 0.801 - d * cos) + Vec3::Y * (0.006 * height);
            limbs.push(vec![
                station(along(0.0), round(0.032)),
                station(along(0.17), round(0.026)),
                station(along(0.32), round(0.018)),
                station(along(0.42), round(0.012)),
            ]);
            limbs.push(vec![
                station(at(side * 0.059, 0.48), [0.046 * height, 0.056 * height]),
                station(at(side * 0.058, 0.44), [0.048 * height, 0.055 * height]),
                station(at(side * 0.06, 0.285), round(0.034)),
                station(at(side * 0.07, 0.045), round(0.024)),
            ]);
        }
        Self { limbs }
    }

    /// About how far a point is outside the body \[m\]; negative inside.
    pub fn clearance(&self, point: Vec3) -> f64 {
        let mut least = f64::INFINITY;
        let pieces = |limb: &'_ [Station]| limb.len() - 1;
        let pairs = self.limbs.iter().flat_map(|limb| {
            limb.windows(2)
                .enumerate()
                .map(move |(k, pair)| (pair, [k == 0, k + 1 == pieces(limb)]))
        });
        for (pair, [first, last]) in pairs {
            let (a, b) = (&pair[0], &pair[1]);
            let axis = b.center - a.center;
            let along = (point - a.center).dot(axis) / axis.length_squared();
            // Limbs are rounded off at their ends; in between, the next piece goes on.
            if (along < 0.0 && !first) || (along > 1.0 && !last) {
                continue;
            }
            let t = along.clamp(0.0, 1.0);
            let off = point - (a.center + axis * t);
            let half = [0, 1].map(|k| a.half[k] + (b.half[k] - a.half[k]) * t);
            let across = off - Vec3::Y * off.y;
            let smaller = half[0].min(half[1]);
            let beyond = try_normalize(axis).map_or(0.0, |n| across.dot(n));
            let side = (across.length_squared() - beyond * beyond).max(0.0).sqrt();
            let value = (side / half[0]).hypot(off.y / half[1]).hypot(beyond / smaller);
            least = least.min((value - 1.0) * smaller);
        }
        least
    }

    /// Its surface, for pictures.
    pub fn surface(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        const AROUND: u32 = 28;
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for limb in &self.limbs {
            for (k, station) in limb.iter().enumerate() {
                let other = if k == 0 { &limb[1] } else { &limb[k - 1] };
                let sign = if k == 0 { 1.0 } else { -1.0 };
                let axis = try_normalize((other.center - station.center) * sign).unwrap_or(Vec3::Z);
                let across = Vec3::Y.cross(axis);
                let first = positions.len() as u32;
                for i in 0..AROUND {
                    let angle = std::f64::consts::TAU * f64::from(i) / f64::from(AROUND);
                    let offset = across * (station.half[0] * angle.cos())
                        + Vec3::Y * (station.half[1] * angle.sin());
                    positions.push(station.center + offset);
                }
                for i in 0..AROUND {
                    let (a, b) = (first + i, first + (i + 1) % AROUND);
                    if k > 0 {
                        triangles.extend([[a - AROUND, b, a], [a - AROUND, b - AROUND, b]]);
                    }
                    if k == 0 || k + 1 == limb.len() {
                        triangles.push([a, b, positions.len() as u32]);
                    }
                }
                if k == 0 || k + 1 == limb.len() {
                    positions.push(station.center);
                }
            }
        }
        (positions, triangles)
    }
}
