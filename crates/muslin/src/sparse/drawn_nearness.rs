//! Which parts can be near which drawn vertices, known from the particles they belong to (beyond OS3).

use super::first_distances::Question;
use super::nearness::NearParts;
use crate::finish::box_tree::distance_squared;
use crate::finish::{Asked, Clearance, Known, PushedOut, push_out};
use crate::math::Vec3;
use crate::share::{Share, Wide};

/// Particles and drawn vertices that a thread looks at at once.
const PARTICLES: usize = 64;
const VERTICES: usize = 2048;

/// Most that distances interpolated in the fields of limbs are off \[m\].
const INTERPOLATED: f64 = 0.008;

/// Rows of near parts that have a bit of their own; all others share the last one.
const BITS: usize = 64;

/// What is known of the distances of drawn vertices.
#[derive(Clone, Debug)]
pub(super) struct DrawnNearness {
    /// For every drawn vertex a lower bound of its distance \[m\], if no part is near, else −∞; and more.
    pub known: Known,
    /// For every drawn vertex one bit for each near part that may be within reach of it.
    own_rows: Vec<u64>,
    /// The particle next to every drawn vertex.
    owners: Vec<u32>,
    /// For every particle one bit for each near part that one of its drawn vertices may be near to.
    pub rows: Vec<u64>,
    /// For every drawn vertex, the square of its distance from its particle \[m²\].
    own_spread: Vec<f64>,
    /// For every particle, the greatest of these \[m²\].
    spread: Vec<f64>,
    /// For every particle, lower bound of the distance of its drawn vertices from all other parts \[m\].
    beyond: Vec<f64>,
    /// Particle by particle, its distances from the near parts \[m\].
    distances: Vec<f64>,
    /// Drawn vertices that must be asked for, and their distances \[m\].
    asked: Vec<u32>,
    found: Vec<f64>,
    /// Drawn vertices when they were last pushed out in this frame \[m\].
    pushed: Vec<Vec3>,
}

/// Bits and bounds of particles, and their distances from parts.
type Particles<'a> = (&'a mut [u64], (&'a mut [f64], Wide<'a, f64>));

impl DrawnNearness {
    /// For drawn vertices that belong to these particles, of which there are `count`.
    pub fn new(owners: Vec<u32>, count: usize) -> Self {
        let zeros = || vec![0.0; count];
        Self {
            known: Known::new(owners.len()),
            own_rows: vec![0; owners.len()],
            asked: Vec::with_capacity(owners.len()),
            found: Vec::with_capacity(owners.len()),
            own_spread: vec![0.0; owners.len()],
            pushed: vec![Vec3::ZERO; owners.len()],
            owners,
            rows: vec![0; count],
            spread: zeros(),
            beyond: zeros(),
            distances: Vec::new(),
        }
    }

    /// Begins a frame with a body of `parts`, in which so many look; takes memory only if there were fewer before.
    pub fn begin(&mut self, parts: usize, share: Share) {
        self.known.share = share;
        let count = self.distances.len().max(self.rows.len() * parts.max(1));
        self.distances.resize(count, 0.0);
    }

    /// Looks at the parts around drawn `positions` \[m\], the first of which are the particles: those
    /// within `reach` \[m\] of what belongs to a particle get their bit. When the surface is pushed out `again`
    /// in a frame, what is known of vertices that have not moved since is kept.
    ///
    /// Distance falls by no more than the way gone, so what is farther from a particle than its spread
    /// and the reach together is beyond the reach of all its vertices.
    pub fn measure(&mut self, body: &NearParts, positions: &[Vec3], reach: f64, again: bool) {
        let Self { owners, rows, own_spread, spread, beyond, distances, known, .. } = self;
        spread.fill(0.0);
        for ((owner, p), own) in owners.iter().zip(positions).zip(own_spread) {
            let owner = *owner as usize;
            *own = p.distance_squared(positions[owner]);
            spread[owner] = spread[owner].max(*own);
        }
        let each = body.parts.len().max(1);
        let count = rows.len();
        let own = Wide::new(&mut distances[..count * each], each);
        let rows = (rows.as_mut_slice(), (beyond.as_mut_slice(), own));
        let spread = &*spread;
        known.share.each(rows, PARTICLES, |first, (rows, (beyond, mut own)): Particles| {
            for (i, (rows, beyond)) in rows.iter_mut().zip(beyond).enumerate() {
                let (p, spread) = (positions[first + i], spread[first + i]);
                (*rows, *beyond) = body.around(p, [spread.sqrt(), reach], own.row(i));
            }
        });
        if again {
            self.known.go_on(|v| self.pushed[v] == positions[v]);
        } else {
            self.known.begin();
        }
        self.measure_vertices(body, reach);
    }

    /// The same vertex by vertex, from what is known of the particles.
    fn measure_vertices(&mut self, body: &NearParts, reach: f64) {
        let Self { owners, rows: all, own_rows, own_spread, beyond, distances, known, .. } = self;
        let (share, count) = (known.share, body.near.len());
        let (clear, is_new) = known.bounds();
        let rows = (own_rows.as_mut_slice(), clear);
        share.each(rows, VERTICES, |start, (own_rows, clear): (&mut [u64], &mut [f64])| {
            for (i, (own_rows, clear)) in own_rows.iter_mut().zip(clear).enumerate() {
                let v = start + i;
                let owner = owners[v] as usize;
                let (mut rows, mut least) = (0, beyond[owner]);
                if all[owner] != 0 {
                    let lost = own_spread[v].sqrt() + INTERPOLATED;
                    let first = owner * body.parts.len();
                    let own = &distances[first..first + count];
                    for row in rows_in(all[owner], count) {
                        let bound = own[row] - lost;
                        if bound <= reach {
                            rows |= bit(row);
                        } else {
                            least = least.min(bound);
                        }
                    }
                }
                *own_rows = rows;
                if is_new(v) {
                    *clear = if rows == 0 { least } else { f64::NEG_INFINITY };
                }
            }
        });
    }

    /// Asks for the distances of all vertices that nothing is known of, and takes note of those that are not nearer
    /// than the margin: they stay where they are.
    fn ask(&mut self, body: &NearParts, positions: &[Vec3], distances: [f64; 2]) {
        let Self { known, own_rows, asked, found, .. } = self;
        if body.near.len() >= BITS {
            return;
        }
        let unknown = |v: &u32| known.clear[*v as usize] == f64::NEG_INFINITY;
        asked.clear();
        asked.extend((0..positions.len() as u32).filter(unknown));
        let question = Question { positions, asked, rows: own_rows, distances };
        body.first_distances(question, found, known.share);
        for (v, distance) in asked.iter().zip(found) {
            if *distance >= distances[0] {
                known.clear[*v as usize] = *distance;
            }
        }
    }

    /// Pushes drawn vertices out of the near parts.
    pub fn push_out(
        &mut self,
        body: &NearParts,
        positions: &mut [Vec3],
        triangles: &[[u32; 3]],
        clearance: Clearance,
    ) -> PushedOut {
        let (margin, reach) = (clearance.margin, clearance.reach());
        self.ask(body, positions, [margin, reach]);
        let Self { known, own_rows, owners, rows, .. } = self;
        let done = push_out(positions, triangles, clearance, known, |asked, p| {
            let rows = match asked {
                Asked::Between([a, b, c]) => own_rows[a] | own_rows[b] | own_rows[c],
                Asked::Near(corners) => rows_of(rows, owners, corners),
                Asked::Anywhere => u64::MAX,
            };
            body.distance(rows, p, [margin, reach])
        });
        self.pushed.copy_from_slice(positions);
        done
    }
}

/// The bit of a row of near parts.
pub(super) fn bit(row: usize) -> u64 {
    1 << row.min(BITS - 1)
}

/// The rows of `count` that have their bit set; all that share the last one if that is.
pub(super) fn rows_in(mut bits: u64, count: usize) -> impl Iterator<Item = usize> {
    let mut shared = BITS - 1..count;
    std::iter::from_fn(move || {
        let row = bits.trailing_zeros() as usize;
        if row < BITS - 1 {
            bits &= bits - 1;
            return (row < count).then_some(row);
        }
        if bits == 0 { None } else { shared.next() }
    })
}

/// The near parts that can be near a point between these drawn vertices.
#[inline]
fn rows_of(rows: &[u64], owners: &[u32], corners: [usize; 3]) -> u64 {
    corners.into_iter().fold(0, |all, v| all | rows[owners[v] as usize])
}

impl NearParts<'_> {
    /// One bit for each near part that may be within `reach` \[m\] of what belongs to a particle and is up to `spread`
    /// \[m\] from it, and a lower bound of its distance from all others \[m\]; `own` receives the distances of the
    /// particle from the parts whose boxes are near.
    fn around(&self, p: Vec3, [spread, reach]: [f64; 2], own: &mut [f64]) -> (u64, f64) {
        let needed = spread + reach + INTERPOLATED;
        // The nearest of the parts that are too far, and of the boxes that are, squared.
        let (mut next, mut next_box) = (f64::INFINITY, f64::INFINITY);
        let mut rows = 0;
        for (row, &k) in self.near.iter().enumerate() {
            let at = &self.now[k];
            let from_box = distance_squared(&at.bounds, p);
            if from_box > needed * needed {
                next_box = next_box.min(from_box);
                continue;
            }
            own[row] = self.parts[k].shape.quick_distance(at.local(p));
            if own[row] <= needed {
                rows |= bit(row);
            } else {
                next = next.min(own[row]);
            }
        }
        (rows, next.min(next_box.sqrt()) - needed + reach)
    }

    /// Signed distance \[m\] and outward normal of the chosen parts together: the nearest or deepest one;
    /// infinite where all are farther than `reach` \[m\], and for meshes a lower bound beyond `exact` \[m\].
    pub fn distance(&self, rows: u64, x: Vec3, [exact, reach]: [f64; 2]) -> (f64, Vec3) {
        let mut best = (f64::INFINITY, Vec3::Z, None);
        for row in rows_in(rows, self.near.len()) {
            let k = self.near[row];
            let at = &self.now[k];
            // No part is nearer than its box.
            let worth = reach.min(best.0.max(0.0));
            if distance_squared(&at.bounds, x) > worth * worth {
                continue;
            }
            let (distance, normal) = self.parts[k].shape.distance(at.local(x), exact);
            if distance < best.0 && distance <= reach {
                best = (distance, normal, Some(at));
            }
        }
        let (distance, normal, at) = best;
        (distance, at.map_or(normal, |at| at.rotation * normal))
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
        nearness.begin(parts.len(), Share::Alone);
        nearness.measure(&body, &positions, reach, false);
        let (mut known, mut within) = (0, 0);
        for (v, p) in positions.iter().enumerate() {
            let each =
                parts.iter().zip(&placed).map(|(q, at)| q.shape.distance(at.local(*p), 1.0).0);
            let least = each.fold(f64::INFINITY, f64::min);
            assert!(nearness.known.clear[v] <= least, "{} {least}", nearness.known.clear[v]);
            known += usize::from(nearness.known.clear[v] > reach);
            if least <= reach {
                let rows = rows_of(&nearness.rows, &nearness.owners, [v; 3]);
                assert_eq!(body.distance(rows, *p, [0.0, reach]).0, least);
                assert_eq!(body.distance(nearness.own_rows[v], *p, [0.0, reach]).0, least);
                within += 1;
            }
        }
        assert!(known > 100 && within > 30, "{known} {within}");
    }

    #[test]
    fn rows_that_share_a_bit_are_all_looked_at() {
        assert!(rows_in(0, 80).next().is_none());
        assert_eq!(rows_in(0b1010, 80).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(rows_in(bit(70) | 1, 66).collect::<Vec<_>>(), [0, 63, 64, 65]);
        assert_eq!(rows_in(u64::MAX, 5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
