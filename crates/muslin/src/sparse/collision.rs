//! Cloth against body parts: vertices inside, faces cut, and contact (OS3).

mod contact;
mod faces;
mod look_ahead;

use super::body_part::PartShape;
use super::nearness::{NearParts, Nearness};
use crate::math::Vec3;
pub(super) use faces::FaceLooks;

/// Steps of the search for the point where a fast particle enters a part.
const MOST_TRACES: usize = 32;

/// The body over one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collider<'a> {
    /// Its parts.
    pub body: NearParts<'a>,
    /// Distance \[m\] that is kept from the body.
    pub thickness: f64,
    /// Coefficient of friction \[-\].
    pub friction: f64,
}

/// The particles over one step.
#[derive(Debug)]
pub(super) struct Particles<'a> {
    /// Positions when the step began \[m\].
    pub before: &'a [Vec3],
    /// Positions now \[m\].
    pub x: &'a mut [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a mut [Vec3],
    /// Zero for attached particles \[1/kg\].
    pub inverse_masses: &'a [f64],
}

impl Collider<'_> {
    /// Moves particles that are inside, or passed through, to the nearest surface point; how many.
    pub fn vertices(&self, cloth: &mut Particles, nearness: &Nearness) -> usize {
        let mut contacts = 0;
        for i in 0..cloth.x.len() {
            if cloth.inverse_masses[i] == 0.0 || !nearness.may_touch(i, cloth.x[i]) {
                continue;
            }
            for (row, &k) in self.body.near.iter().enumerate() {
                if nearness.may_touch_part(row, i, cloth.x[i]) {
                    contacts += usize::from(self.vertex(cloth, i, k));
                }
            }
        }
        contacts
    }

    fn vertex(&self, cloth: &mut Particles, i: usize, k: usize) -> bool {
        let (shape, now) = (&self.body.parts[k].shape, &self.body.now[k]);
        let local = now.local(cloth.x[i]);
        let start = self.body.before[k].local(cloth.before[i]);
        let travel = local.distance(start);
        let (distance, normal) = shape.distance(local, self.thickness);
        let mut target = (distance < self.thickness)
            .then(|| (local + normal * (self.thickness - distance), normal));
        // A fast particle may be nearer to the far side already: it stays on the side it came from.
        if travel > 0.5 * shape.half_thickness() && distance < self.thickness + travel {
            target = entry(shape, start, local, self.thickness).or(target);
        }
        let Some((target, normal)) = target else { return false };
        let push = (target - local).dot(normal);
        cloth.x[i] = now.world(target + self.held_back(target - start, normal, push));
        let (x, normal) = (cloth.x[i], now.rotation * normal);
        let relative = cloth.v[i] - now.velocity_at(x);
        cloth.v[i] += self.contact_change(relative, normal);
        true
    }
}

/// Where a particle that moved from `start` to `end` must go if it met the part on the way: onto the
/// tangent plane at the point where it came within `thickness`; and the normal there.
fn entry(shape: &PartShape, start: Vec3, end: Vec3, thickness: f64) -> Option<(Vec3, Vec3)> {
    let travel = end.distance(start);
    let least = 1e-3 * thickness.max(1e-3 * travel);
    let mut t = 0.0;
    for _ in 0..MOST_TRACES {
        let p = start.lerp(end, t);
        let (distance, normal) = shape.distance(p, thickness + travel);
        if distance <= thickness + least {
            let depth = (p - end).dot(normal);
            return (depth > 0.0).then(|| (end + normal * depth, normal));
        }
        t += (distance - thickness) / travel;
        if t > 1.0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests;
