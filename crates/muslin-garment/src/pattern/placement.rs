//! Where panels start in space, flat or bent around a body.

use muslin::math::{Quat, Vec2, Vec3};

/// Where a panel starts in space. Unturned, u points along +x and v along +z (up), and a
/// counter-clockwise outline faces −y, to the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Place of the panel's origin \[m\].
    pub position: Vec3,
    /// Turn about the panel's origin.
    pub rotation: Quat,
    /// Bent around what is behind it.
    pub wrap: Option<Wrap>,
}

/// How a panel is bent, so that it starts around a body: flat in the middle, then a bend on
/// either side, then flat again. Bending keeps all lengths.
///
/// Without a flat middle and with bends that never end, it lies on a cylinder; with quarter turns,
/// it is half of a box with rounded corners, as the panels of a trouser leg are, whose forks reach
/// between the thighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// Radius of the bends \[m\]; where it is negative, the panel is bent to its front.
    pub radius: f64,
    /// The panel's axis that the bends' axes are parallel to.
    pub axis: WrapAxis,
    /// The line u = `at` (around the axis v) or v = `at` (around u) stays in place \[m\].
    pub at: f64,
    /// Half the width of the flat middle \[m\].
    pub flat: f64,
    /// Largest angle of each bend \[rad\], or infinity.
    pub turn: f64,
}

/// An axis of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrapAxis {
    /// Along u: v is bent.
    U,
    /// Along v: u is bent.
    V,
}

impl Placement {
    /// Upright at the origin, flat, facing −y.
    pub const FLAT: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, wrap: None };

    /// Where a point of a panel with this `facing` starts \[m\].
    pub(super) fn place(&self, point: Vec2, facing: f64) -> Vec3 {
        let local = match self.wrap {
            None => Vec3::new(point.x, 0.0, point.y),
            Some(wrap) => match wrap.axis {
                WrapAxis::V => {
                    let (u, depth) = wrap.bent(point.x);
                    Vec3::new(u, facing * depth, point.y)
                }
                WrapAxis::U => {
                    let (v, depth) = wrap.bent(point.y);
                    Vec3::new(point.x, facing * depth, v)
                }
            },
        };
        self.position + self.rotation * local
    }
}

impl Wrap {
    /// All of the panel on a cylinder of this radius \[m\] that touches it at `at` \[m\].
    pub const fn cylinder(radius: f64, axis: WrapAxis, at: f64) -> Self {
        Self { radius, axis, at, flat: 0.0, turn: f64::INFINITY }
    }

    /// Where the line at `x` comes to: along the panel, and behind it \[m\].
    fn bent(&self, x: f64) -> (f64, f64) {
        let from_middle = x - self.at;
        let beyond = from_middle.abs() - self.flat;
        if beyond <= 0.0 {
            return (x, 0.0);
        }
        let radius = self.radius.abs();
        let angle = (beyond / radius).min(self.turn);
        let straight = beyond - radius * angle;
        let (sin, cos) = angle.sin_cos();
        let along = self.flat + radius * sin + straight * cos;
        let depth = radius * (1.0 - cos) + straight * sin;
        (self.at + along * from_middle.signum(), depth * self.radius.signum())
    }
}
