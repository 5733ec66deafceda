//! Bending at a hinge with a rest angle (BW5, MF4, MF5) and damping of the angle (BW6).
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | `θ` | signed angle between the normals, `sin θ = (n̂1×n̂2)·ê`, `cos θ = n̂1·n̂2` | rad |
//! | `u_i` of MF4 | `−gradient[i]` | 1/m |
//! | `k_e` of V5 | `rest.stiffness = D|e|²/(A1+A2)` | N·m |
//! | `k_e` of MF4 | `4D`, so that its factor `k|E|²/(|N1|+|N2|)` is `2 rest.stiffness` | N·m |
//!
//! Two laws for the moment, the same for small angles: [`BendForm`]. Both energies are convex in θ, and
//! forces lie along `u` alone: elastic and damping forces keep momentum and leave in-plane motion alone.
//!
//! Deviations: lengths and areas of the factor are those at rest, else the force would be the gradient of no
//! energy. The Hessian is `k ∇θ ∇θᵀ`; the term `moment ∇²θ` is dropped, because it is indefinite
//! (Gauss–Newton, V1). It changes how fast a step converges, not where to.

use crate::cloth::HingeRest;
use crate::math::Vec3;
use crate::math::lanes::angle_of;

/// How the moment of a hinge grows with its angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BendForm {
    /// `k_e (θ − θ̄)`.
    #[default]
    Angle,
    /// `2 k_e (sin(θ/2) − sin(θ̄/2))`: the element of MF4, gentler to sharp folds.
    HalfSine,
}

/// The angle of a hinge and its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// Signed angle \[rad\].
    pub value: f64,
    /// `∂θ/∂x_i` \[1/m\].
    pub gradient: [Vec3; 4],
}

/// Angle and gradient at positions `x`; `None` for a wing without area.
///
/// MF4: `N1 = (x0−x2)×(x0−x3)`, `N2 = (x1−x3)×(x1−x2)`, `E = x3−x2`, `u = −∂θ/∂x`.
#[inline]
pub fn angle(x: [Vec3; 4]) -> Option<Angle> {
    let e = x[3] - x[2];
    let n1 = (x[0] - x[2]).cross(x[0] - x[3]);
    let n2 = (x[1] - x[3]).cross(x[1] - x[2]);
    let (length, q1, q2) = (e.length(), n1.length_squared(), n2.length_squared());
    let smallest = f64::MIN_POSITIVE;
    if length <= smallest || q1 <= smallest || q2 <= smallest {
        return None;
    }
    let value = angle_of(n1.cross(n2).dot(e) / length, n1.dot(n2));
    let (h1, h2) = (n1 / q1, n2 / q2);
    let along = e / length;
    let u0 = h1 * length;
    let u1 = h2 * length;
    let u2 = h1 * (x[0] - x[3]).dot(along) + h2 * (x[1] - x[3]).dot(along);
    let u3 = -(h1 * (x[0] - x[2]).dot(along) + h2 * (x[1] - x[2]).dot(along));
    Some(Angle { value, gradient: [-u0, -u1, -u2, -u3] })
}

/// Bending energy \[J\], zero at the rest angle.
///
/// MF4 integrates to `4k_e (cos(θ̄/2) − cos(θ/2) − ½(θ − θ̄) sin(θ̄/2))`.
pub fn energy(rest: &HingeRest, x: [Vec3; 4]) -> f64 {
    let Some(Angle { value, .. }) = angle(x) else { return 0.0 };
    let c = value - rest.rest_angle;
    match rest.form {
        BendForm::Angle => 0.5 * rest.stiffness * c * c,
        BendForm::HalfSine => {
            let (sin, cos) = (0.5 * rest.rest_angle).sin_cos();
            4.0 * rest.stiffness * (cos - (0.5 * value).cos() - 0.5 * c * sin)
        }
    }
}

/// Elastic moment at an angle \[N·m\]: the force on vertex `i` is `−moment · ∂θ/∂x_i`.
#[inline]
pub fn elastic_moment(rest: &HingeRest, angle: f64) -> f64 {
    match rest.form {
        BendForm::Angle => rest.stiffness * (angle - rest.rest_angle),
        BendForm::HalfSine => {
            2.0 * rest.stiffness * ((0.5 * angle).sin() - (0.5 * rest.rest_angle).sin())
        }
    }
}

/// Elastic moment and damping `k_d θ̇` \[N·m\].
#[inline]
pub fn moment(rest: &HingeRest, angle: &Angle, v: [Vec3; 4]) -> f64 {
    let rate: f64 = angle.gradient.iter().zip(v).map(|(g, v)| g.dot(v)).sum();
    elastic_moment(rest, angle.value) + rest.damping * rate
}

/// Derivative of the elastic moment by the angle \[N·m\]; never negative.
#[inline]
pub fn tangent(rest: &HingeRest, angle: f64) -> f64 {
    match rest.form {
        BendForm::Angle => rest.stiffness,
        BendForm::HalfSine => rest.stiffness * (0.5 * angle).cos(),
    }
}
