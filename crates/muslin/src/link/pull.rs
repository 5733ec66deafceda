//! The pointer's spring on one particle of real-time dynamics (BW7).

use super::Grab;
use crate::math::Vec3;

/// A spring with a damper from one particle to a moving place, for one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Where the place is at the end of the step \[m\].
    pub target: Vec3,
    /// Its velocity \[m/s\].
    pub velocity: Vec3,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N·s/m\].
    pub damping: f64,
}

impl Pull {
    /// What a grab does during a step of `h` from the time `start` \[s\].
    pub fn of(grab: &Grab, start: f64, h: f64) -> Self {
        let [from, to] = [start, start + h].map(|t| grab.target.pose(t).translation);
        Self {
            target: to,
            velocity: (to - from) / h,
            stiffness: grab.stiffness.at(start + 0.5 * h),
            damping: grab.damping,
        }
    }

    /// The same, a time before its end \[s\].
    #[must_use]
    pub fn before(self, ahead: f64) -> Self {
        Self { target: self.target - self.velocity * ahead, ..self }
    }

    /// The velocity `v'` after a step of `h` \[s\] of a particle of mass `m` \[kg\] that was at `x` and
    /// without the spring would now have the velocity `v`. Spring and damper act as they are at the end,
    ///
    /// `m (v' − v) = h k (p − x − h v') + h d (u − v')`,
    ///
    /// which no stiffness and no length of step makes unstable.
    pub fn velocity_after(&self, x: Vec3, v: Vec3, m: f64, h: f64) -> Vec3 {
        let along = (self.target - x) * self.stiffness + self.velocity * self.damping;
        (v * m + along * h) / (m + self.inertia(h))
    }

    /// Whether its numbers can be used.
    pub fn is_valid(&self) -> bool {
        let spring = self.stiffness >= 0.0 && self.damping >= 0.0;
        spring && self.inertia(1.0).is_finite() && (self.target + self.velocity).is_finite()
    }

    /// What the spring adds to the mass of its particle in a step of `h` \[s\]: `h d + h² k` \[kg\].
    pub fn inertia(&self, h: f64) -> f64 {
        h * (self.damping + h * self.stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PULL: Pull = Pull {
        target: Vec3::new(1.0, 2.0, 3.0),
        velocity: Vec3::ZERO,
        stiffness: 50.0,
        damping: 0.5,
    };

    /// The equation that defines `v'` holds, whatever moves.
    #[test]
    fn bw7_the_new_velocity_satisfies_its_equation() {
        let pull = Pull { velocity: Vec3::new(0.3, -2.0, 1.0), ..PULL };
        let (x, v, m, h) = (Vec3::new(0.5, 0.0, -1.0), Vec3::new(4.0, 1.0, 0.0), 0.002, 0.01);
        let after = pull.velocity_after(x, v, m, h);
        let force = (pull.target - x - after * h) * 50.0 + (pull.velocity - after) * 0.5;
        assert!(((after - v) * m - force * h).length() < 1e-12);
    }

    /// A milligram on a spring of a million newton a metre comes to rest at the target in any step.
    #[test]
    fn bw7_no_stiffness_is_too_much() {
        let pull = Pull { stiffness: 1e6, ..PULL };
        let (mut x, mut v) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..100 {
            v = pull.velocity_after(x, v, 1e-6, 1.0 / 60.0);
            x += v / 60.0;
        }
        assert!(x.distance(pull.target) < 1e-9 && v.length() < 1e-9);
    }

    #[test]
    fn a_moving_target_is_where_it_was() {
        let pull = Pull { velocity: Vec3::X * 3.0, ..PULL };
        assert_eq!(pull.before(0.5).target, Vec3::new(-0.5, 2.0, 3.0));
    }
}
