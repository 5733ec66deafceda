//! Ellipsoids and cones with round ends.

use muslin::math::Vec3;

/// An ellipsoid with its axes along x, y and z.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    /// Centre \[m\].
    pub centre: Vec3,
    /// Half axes \[m\].
    pub radii: Vec3,
}

impl Ellipsoid {
    /// The level over the length of its gradient: right to first order at the surface.
    pub fn value(&self, p: Vec3) -> f64 {
        let d = p - self.centre;
        let level = (d / self.radii).length();
        let slope = (d / (self.radii * self.radii)).length();
        if slope > 0.0 { level * (level - 1.0) / slope } else { -self.radii.min_element() }
    }
}

/// The hull of two balls.
#[derive(Clone, Copy, Debug)]
pub struct RoundCone {
    /// Centres of the balls \[m\].
    pub ends: [Vec3; 2],
    /// Radii of the balls \[m\].
    pub radii: [f64; 2],
}

impl RoundCone {
    /// The distance to the hull of two balls whose distance is larger than the difference of
    /// their radii: in the half plane of the axis, the straight side touches both circles, and the
    /// nearest point on the axis is the foot of the line across that side.
    pub fn value(&self, p: Vec3) -> f64 {
        let [a, b] = self.ends;
        let [ra, rb] = self.radii;
        let axis = b - a;
        let length = axis.length();
        let along = (p - a).dot(axis) / length;
        let across = ((p - a).length_squared() - along * along).max(0.0).sqrt();
        let sine = (ra - rb) / length;
        let cosine = (1.0 - sine * sine).max(1e-6).sqrt();
        let foot = (along - across * sine / cosine).clamp(0.0, length);
        let radius = ra + (rb - ra) * foot / length;
        (across * across + (along - foot) * (along - foot)).sqrt() - radius
    }

    /// A ball around it.
    pub fn bounds(&self) -> (Vec3, f64) {
        let [a, b] = self.ends;
        (0.5 * (a + b), 0.5 * a.distance(b) + self.radii[0].max(self.radii[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_cone_is_the_hull_of_its_balls() {
        let cone = RoundCone { ends: [Vec3::ZERO, Vec3::Z], radii: [0.4, 0.1] };
        // The hull's distance by brute force: the balls in between, at 1e5 places.
        for p in [Vec3::new(0.9, 0.1, 0.3), Vec3::new(0.1, 0.2, 1.4), Vec3::new(-0.5, 0.0, -0.2)] {
            let ball = |i: i32| {
                let s = f64::from(i) / 1e5;
                p.distance(Vec3::Z * s) - (0.4 - 0.3 * s)
            };
            let brute = (0..=100_000).map(ball).fold(f64::INFINITY, f64::min);
            assert!((cone.value(p) - brute).abs() < 1e-8, "{} {brute}", cone.value(p));
        }
    }

    #[test]
    fn an_ellipsoid_is_zero_on_its_surface_with_slope_one() {
        let e = Ellipsoid { centre: Vec3::X, radii: Vec3::new(1.0, 2.0, 3.0) };
        for (theta, phi) in [(0.3, 0.2), (1.2, 2.0), (2.5, 4.0)] {
            let (st, ct) = f64::sin_cos(theta);
            let (sp, cp) = f64::sin_cos(phi);
            let x = Vec3::X + Vec3::new(st * cp, 2.0 * st * sp, 3.0 * ct);
            let d = x - e.centre;
            let normal = d / (e.radii * e.radii);
            let normal = normal / normal.length();
            assert!(e.value(x).abs() < 1e-14);
            assert!((e.value(x + normal * 1e-5) - 1e-5).abs() < 1e-9);
        }
    }
}
