//! Where the picture is taken from.

use crate::Bounds;
use muslin::math::{Vec3, try_normalize};

/// A pinhole camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye [m].
    pub eye: Vec3,
    /// A point in the middle of the picture [m]; also sets the scale of the studio.
    pub target: Vec3,
    /// The direction that is up in the world; the ground is perpendicular to it. Any length but 0.
    pub up: Vec3,
    /// Angle between the top and the bottom of the picture [rad].
    pub vertical_fov: f64,
}

/// Orthonormal axes of a camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CameraAxes {
    pub right: Vec3,
    /// Up in the picture, perpendicular to `forward` (unlike [`Camera::up`]).
    pub up: Vec3,
    pub forward: Vec3,
}

/// Vertical field of view of automatic framing [rad]: a short telephoto (28°), little distortion.
const FRAMING_FOV: f64 = 0.49;
/// Part of the half-picture that automatic framing fills.
const FRAMING_FILL: f64 = 0.9;
/// Azimuth of the three-quarter view from the first horizontal axis [rad] (−60°).
const FRAMING_AZIMUTH: f64 = -1.05;
/// Height of the three-quarter view above the horizon [rad] (21°).
const FRAMING_ELEVATION: f64 = 0.37;
/// Half the size given to bounds that are empty or a single point [m].
const FRAMING_LEAST_HALF_SIZE: f64 = 1e-3;

impl Camera {
    /// A three-quarter view slightly from above in which all of `bounds` fits, centred.
    ///
    /// `aspect` is width over height. Give the bounds of *all* frames so that the camera of an
    /// animation stands still.
    ///
    /// A corner with picture coordinate x and depth z (along the view, from the bounds' centre)
    /// is inside the frustum of slope k when |x − c| ≤ k (z + d), with the eye at c, d behind the
    /// centre. With A = max(x − kz) and B = min(x + kz) this holds for all corners exactly when
    /// A − kd ≤ c ≤ B + kd; so c = (A + B)/2 and d ≥ (A − B)/2k, for both picture axes.
    pub fn framing(bounds: Bounds, aspect: f64, up: Vec3) -> Self {
        let finite = bounds.min.is_finite() && bounds.max.is_finite() && !bounds.is_empty();
        let bounds = if finite {
            bounds
        } else {
            Bounds {
                min: Vec3::ZERO,
                max: Vec3::ZERO,
            }
        };
        let margin = if bounds.max.distance(bounds.min) > 0.0 {
            0.0
        } else {
            FRAMING_LEAST_HALF_SIZE
        };
        let bounds = Bounds {
            min: bounds.min - margin,
            max: bounds.max + margin,
        };
        let up = try_normalize(up).unwrap_or(Vec3::Z);
        let centre = 0.5 * (bounds.min + bounds.max);

        let (first, second) = horizontal_axes(up);
        let (sin_azimuth, cos_azimuth) = FRAMING_AZIMUTH.sin_cos();
        let (sin_elevation, cos_elevation) = FRAMING_ELEVATION.sin_cos();
        let towards_eye =
            (first * cos_azimuth + second * sin_azimuth) * cos_elevation + up * sin_elevation;
        let axes = axes_looking(-towards_eye, up);

        let vertical_slope = (0.5 * FRAMING_FOV).tan() * FRAMING_FILL;
        let aspect = if aspect.is_finite() && aspect > 0.0 {
            aspect
        } else {
            1.0
        };
        let corners = bounds.corners().map(|c| c - centre);
        let (right, distance_x) = fit(&corners, axes.right, axes.forward, vertical_slope * aspect);
        let (above, distance_y) = fit(&corners, axes.up, axes.forward, vertical_slope);
        let target = centre + axes.right * right + axes.up * above;
        let distance = distance_x.max(distance_y);
        Self {
            eye: target - axes.forward * distance,
            target,
            up,
            vertical_fov: FRAMING_FOV,
        }
    }

    /// Axes of the picture; any usable choice where eye, target and up are degenerate.
    pub(crate) fn axes(&self) -> CameraAxes {
        let up = try_normalize(self.up).unwrap_or(Vec3::Z);
        axes_looking(try_normalize(self.target - self.eye).unwrap_or(Vec3::Y), up)
    }

    /// Picture coordinates of a world point: (−1, −1) bottom left to (1, 1) top right, or `None`
    /// behind the eye.
    pub fn project(&self, point: Vec3, aspect: f64) -> Option<(f64, f64)> {
        let axes = self.axes();
        let offset = point - self.eye;
        let depth = offset.dot(axes.forward);
        let slope = (0.5 * self.vertical_fov).tan();
        (depth > 0.0).then(|| {
            let scale = 1.0 / (depth * slope);
            (
                offset.dot(axes.right) * scale / aspect,
                offset.dot(axes.up) * scale,
            )
        })
    }
}

/// The eye's place along `axis` and its least distance behind the origin, see [`Camera::framing`].
fn fit(corners: &[Vec3; 8], axis: Vec3, forward: Vec3, slope: f64) -> (f64, f64) {
    let mut a = f64::NEG_INFINITY;
    let mut b = f64::INFINITY;
    for corner in corners {
        let (x, z) = (corner.dot(axis), corner.dot(forward));
        a = a.max(x - slope * z);
        b = b.min(x + slope * z);
    }
    (0.5 * (a + b), (a - b) / (2.0 * slope))
}

fn axes_looking(forward: Vec3, up: Vec3) -> CameraAxes {
    let right = try_normalize(forward.cross(up)).unwrap_or_else(|| horizontal_axes(up).0);
    let up = right.cross(forward);
    CameraAxes { right, up, forward }
}

/// Two axes that make a right-handed frame with the unit vector `up`; x and y for z up.
fn horizontal_axes(up: Vec3) -> (Vec3, Vec3) {
    let hint = if up.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
    let first = try_normalize(hint - up * up.dot(hint)).unwrap_or(Vec3::X);
    (first, up.cross(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_holds_every_corner_and_touches_two_opposite_sides() {
        let boxes = [
            (Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 2.0)),
            (Vec3::new(100.0, -3.0, 5.0), Vec3::new(100.5, 9.0, 5.1)),
            (Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 7.0)),
        ];
        for (min, max) in boxes {
            for (aspect, up) in [(16.0 / 9.0, Vec3::Z), (0.5, Vec3::Y), (1.0, Vec3::X)] {
                let bounds = Bounds { min, max };
                let camera = Camera::framing(bounds, aspect, up);
                let mut low = (f64::INFINITY, f64::INFINITY);
                let mut high = (f64::NEG_INFINITY, f64::NEG_INFINITY);
                for corner in bounds.corners() {
                    let (x, y) = camera.project(corner, aspect).expect("in front of the eye");
                    low = (low.0.min(x), low.1.min(y));
                    high = (high.0.max(x), high.1.max(y));
                }
                let reach = low.0.min(low.1).abs().max(high.0.max(high.1));
                assert!((reach - FRAMING_FILL).abs() < 1e-9, "{reach}");
                // The tighter axis touches on both sides: the content is centred.
                let centred_x =
                    (low.0 + high.0).abs() < 1e-9 && (high.0 - FRAMING_FILL).abs() < 1e-9;
                let centred_y =
                    (low.1 + high.1).abs() < 1e-9 && (high.1 - FRAMING_FILL).abs() < 1e-9;
                assert!(centred_x || centred_y);
                assert!(
                    (camera.eye - camera.target).dot(up) > 0.0,
                    "seen from above"
                );
            }
        }
    }

    #[test]
    fn framing_of_nothing_and_of_a_point_is_finite() {
        let point = Bounds {
            min: Vec3::ONE,
            max: Vec3::ONE,
        };
        for bounds in [
            Bounds::EMPTY,
            point,
            Bounds {
                min: Vec3::NAN,
                max: Vec3::NAN,
            },
        ] {
            let camera = Camera::framing(bounds, 1.5, Vec3::ZERO);
            assert!(camera.eye.is_finite() && camera.target.is_finite());
            assert!(camera.eye.distance(camera.target) > 0.0);
        }
    }

    #[test]
    fn axes_are_orthonormal_even_when_looking_straight_down() {
        let camera = Camera {
            eye: Vec3::Z * 3.0,
            target: Vec3::ZERO,
            up: Vec3::Z,
            vertical_fov: 0.5,
        };
        let axes = camera.axes();
        assert!((axes.right.length() - 1.0).abs() < 1e-12);
        assert!((axes.up.length() - 1.0).abs() < 1e-12);
        assert!(axes.right.dot(axes.up).abs() + axes.up.dot(axes.forward).abs() < 1e-12);
    }
}
