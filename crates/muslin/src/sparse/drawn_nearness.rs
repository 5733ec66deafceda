//! Which parts can be near which drawn vertices, known from the particles they belong to (beyond OS3).

use super::nearness::NearParts;
use crate::finish::box_tree::distance_squared;
use crate::math::Vec3;

/// Most that distances interpolated in the fields of limbs are off \[m\].
const INTERPOLATED: f64 = 0.008;

/// Rows of near parts that have a bit of their own; all others share the last one.
const BITS: usize = 64;

/// What is known of the distances of drawn vertices.
#[derive(Clone, Debug)]
pub(super) struct DrawnNearness {
    /// For every drawn vertex a lower bound of its distance \[m\], if no part is near, else −∞.
    pub known: Vec<f64>,
    /// The particle next to every drawn vertex.
    pub owners: Vec<u32>,
    /// For every particle one bit for each near part that one of its drawn vertices may be near to.
    pub rows: Vec<u64>,
    /// For every particle, how far away its drawn vertices are at most \[m\].
    spread: Vec<f64>,
    /// For every particle, lower bound of the distance of its drawn vertices from all other parts \[m\].
    beyond: Vec<f64>,
}

impl DrawnNearness {
    /// For drawn vertices that belong to these particles, of which there are `count`.
    pub fn new(owners: Vec<u32>, count: usize) -> Self {
        let known = vec![0.0; owners.len()];
        let zeros = || vec![0.0; count];
        Self { known, owners, rows: vec![0; count], spread: zeros(), beyond: zeros() }
    }

    /// Looks at the parts around drawn `positions` \[m\], the first `count` of which are the particles: those
    /// within `reach` \[m\] of what belongs to a particle get their bit.
    ///
    /// Distance falls by no more than the way gone, so what is farther from a particle than its spread
    /// and the reach together is beyond the reach of all its vertices.
    pub fn measure(&mut self, body: &NearParts, positions: &[Vec3], count: usize, reach: f64) {
        let Self { known, owners, rows, spread, beyond } = self;
        spread.fill(0.0);
        for (owner, p) in owners.iter().zip(positions) {
            let owner = *owner as usize;
            spread[owner] = spread[owner].max(p.distance_squared(positions[owner]));
        }
        for (i, p) in positions[..count].iter().enumerate() {
            let needed = spread[i].sqrt() + reach + INTERPOLATED;
            (rows[i], beyond[i]) = (0, f64::INFINITY);
            for (row, &k) in body.near.iter().enumerate() {
                let at = &body.now[k];
                let mut distance = distance_squared(&at.bounds, *p).sqrt();
                if distance <= needed {
                    distance = body.parts[k].shape.quick_distance(at.local(*p));
                }
                if distance <= needed {
                    rows[i] |= bit(row);
                } else {
                    beyond[i] = beyond[i].min(distance - needed + reach);
                }
            }
        }
        for (known, &owner) in known.iter_mut().zip(&*owners) {
            let owner = owner as usize;
            *known = if rows[owner] == 0 { beyond[owner] } else { f64::NEG_INFINITY };
        }
    }
}

fn bit(row: usize) -> u64 {
    1 << row.min(BITS - 1)
}

/// The near parts that can be near a point between these drawn vertices.
#[inline]
pub(super) fn rows_of(rows: &[u64], owners: &[u32], corners: [usize; 3]) -> u64 {
    corners.into_iter().fold(0, |all, v| all | rows[owners[v] as usize])
}

impl NearParts<'_> {
    /// Signed distance \[m\] and outward normal of the chosen parts together: the nearest or deepest one;
    /// infinite where all are farther than `reach` \[m\], and for meshes a lower bound beyond `exact` \[m\].
    pub fn distance(&self, rows: u64, x: Vec3, [exact, reach]: [f64; 2]) -> (f64, Vec3) {
        let mut best = (f64::INFINITY, Vec3::Z);
        for (row, &k) in self.near.iter().enumerate() {
            if rows & bit(row) == 0 {
                continue;
            }
            let at = &self.now[k];
            // No part is nearer than its box.
            let worth = reach.min(best.0.max(0.0));
            if distance_squared(&at.bounds, x) > worth * worth {
                continue;
            }
            let (distance, normal) = self.parts[k].shape.distance(at.local(x), exact);
            if distance < best.0 && distance <= reach {
                best = (distance, at.rotation * normal);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::motion::Pose;
    use crate::sparse::body_part::{BodyPart, PartShape, Placed};

    /// Vertices around particles among capsules: what is known never exceeds the least distance of all
    /// parts, and within the reach the chosen parts give that distance.
    #[test]
    fn nothing_near_is_left_out() {
        let mut random = Random::new(12);
        let mut point = |size: f64| {
            Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size
        };
        let capsule = PartShape::Capsule { radius: 0.08, half_length: 0.25 };
        let parts: Vec<BodyPart> =
            (0..8).map(|_| BodyPart::still(capsule.clone(), Pose::at(point(1.0)))).collect();
        let placed: Vec<Placed> = parts.iter().map(|part| part.placed(0.0)).collect();
        let near: Vec<usize> = (0..8).collect();
        let body = NearParts { parts: &parts, near: &near, before: &placed, now: &placed };
        let particles: Vec<Vec3> = (0..60).map(|_| point(1.2)).collect();
        let mut positions = particles.clone();
        let mut owners: Vec<u32> = (0..60).collect();
        for i in 0..600 {
            positions.push(particles[i % 60] + point(0.1));
            owners.push((i % 60) as u32);
        }
        let (mut nearness, reach) = (DrawnNearness::new(owners, 60), 0.02);
        nearness.measure(&body, &positions, 60, reach);
        let (mut known, mut within) = (0, 0);
        for (v, p) in positions.iter().enumerate() {
            let each =
                parts.iter().zip(&placed).map(|(q, at)| q.shape.distance(at.local(*p), 1.0).0);
            let least = each.fold(f64::INFINITY, f64::min);
            assert!(nearness.known[v] <= least, "{} {least}", nearness.known[v]);
            known += usize::from(nearness.known[v] > reach);
            if least <= reach {
                let rows = rows_of(&nearness.rows, &nearness.owners, [v; 3]);
                assert_eq!(body.distance(rows, *p, [0.0, reach]).0, least);
                within += 1;
            }
        }
        assert!(known > 100 && within > 30, "{known} {within}");
    }
}
