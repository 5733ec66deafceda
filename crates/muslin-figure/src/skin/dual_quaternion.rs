//! Unit dual quaternions: rigid motions that can be averaged (Kavan et al. 2007).

use muslin::math::{Quat, Vec3};
use muslin::motion::Pose;
use std::ops::{Add, Mul};

/// `real + ε dual`; a rigid motion after division by the length of `real`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuaternion {
    /// The rotation.
    pub real: Quat,
    /// Half the translation times the rotation.
    pub dual: Quat,
}

impl DualQuaternion {
    /// Where a point goes: with `q` of any length, `x ↦ (q x q* + 2 d q*)/|q|²`.
    pub fn apply(&self, x: Vec3) -> Vec3 {
        let square = self.real.length_squared();
        let (w, v) = (self.real.w, self.real.xyz());
        let (dw, dv) = (self.dual.w, self.dual.xyz());
        let turned =
            x * (w * w - v.length_squared()) + v * (2.0 * v.dot(x)) + v.cross(x) * (2.0 * w);
        let shift = (dv * w - v * dw + v.cross(dv)) * 2.0;
        (turned + shift) / square
    }
}

impl From<&Pose> for DualQuaternion {
    fn from(pose: &Pose) -> Self {
        let t = pose.translation * 0.5;
        Self { real: pose.rotation, dual: Quat::from_xyzw(t.x, t.y, t.z, 0.0) * pose.rotation }
    }
}

impl Add for DualQuaternion {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { real: self.real + other.real, dual: self.dual + other.dual }
    }
}

impl Mul<f64> for DualQuaternion {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { real: self.real * factor, dual: self.dual * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::math::Mat3;

    #[test]
    fn it_moves_points_as_the_matrix_does_at_any_length() {
        let axis = Vec3::new(0.48, -0.6, 0.64);
        let pose = Pose {
            rotation: Quat::from_axis_angle(axis, 2.1),
            translation: Vec3::new(3.0, -1.0, 0.5),
        };
        let matrix = Mat3::from_axis_angle(axis, 2.1);
        let x = Vec3::new(0.2, 0.7, -1.3);
        for length in [1.0, 0.3] {
            let moved = (DualQuaternion::from(&pose) * length).apply(x);
            assert!(moved.distance(matrix * x + pose.translation) < 1e-14);
        }
    }

    /// Half of a turn about an axis through a point is the half turn about the same axis.
    #[test]
    fn the_mean_of_rest_and_a_turn_about_a_point_is_the_half_turn_about_it() {
        let (centre, angle) = (Vec3::new(0.3, -0.2, 1.0), 1.9);
        let about = |angle: f64| {
            let rotation = Quat::from_rotation_x(angle);
            Pose { rotation, translation: centre - rotation * centre }
        };
        let mean =
            DualQuaternion::from(&about(0.0)) * 0.5 + DualQuaternion::from(&about(angle)) * 0.5;
        let x = Vec3::new(-0.4, 0.9, 0.1);
        assert!(mean.apply(x).distance(about(0.5 * angle).apply(x)) < 1e-14);
    }
}
