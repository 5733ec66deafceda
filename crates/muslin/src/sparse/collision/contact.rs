//! What a contact does to the motion of cloth (OS3).

use super::Collider;
use crate::math::Vec3;

impl Collider<'_> {
    /// Friction on positions: of the way `slid` \[m\] along the surface in this step, at most `μ` times the
    /// way pushed out is taken back. Without it cloth creeps off a body by its corrections alone.
    pub(super) fn held_back(&self, slid: Vec3, normal: Vec3, push: f64) -> Vec3 {
        let along = slid - normal * slid.dot(normal);
        let length = along.length();
        if length > 0.0 {
            along * -(self.friction * push / length).clamp(0.0, 1.0)
        } else {
            Vec3::ZERO
        }
    }

    /// Change of velocity \[m/s\] at a contact: approaching motion is removed, and friction takes at most
    /// `μ` times as much along the surface.
    ///
    /// Deviation: the paper constrains the acceleration; over a step that is the same, and this also
    /// holds for a body that jumps. Friction is not in the paper.
    pub(super) fn contact_change(&self, relative: Vec3, normal: Vec3) -> Vec3 {
        let approach = relative.dot(normal);
        if approach >= 0.0 {
            return Vec3::ZERO;
        }
        let along = relative - normal * approach;
        let speed = along.length();
        let taken = if speed > 0.0 { (-self.friction * approach / speed).min(1.0) } else { 0.0 };
        normal * -approach - along * taken
    }
}
