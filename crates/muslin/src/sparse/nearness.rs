//! How near particles are to body parts, asked once a step: what is farther away than it has moved since
//! needs no second look (OS3).

use super::body_part::{BodyPart, Placed};
use super::collision::Particles;
use super::drawn_nearness::bit;
use crate::collide::aabb::Aabb;
use crate::finish::box_tree::distance_squared;
use crate::finish::clear_from;
use crate::math::Vec3;
use crate::share::{Share, Wide};

/// How much the bounds of a particle may lose by its motion after they were found, for the parts noted for its
/// faces to stay those that matter \[m\].
const ROOM: f64 = 0.01;

/// How fast distances change with place, at most \[-\]. Distance changes by the way gone; interpolated
/// between the nodes of a field it changes by that much along each axis, so by √3 times the way in all.
pub(super) const STEEPEST: f64 = 1.733;

/// How far beyond its way cloth may be pushed in a step \[m\]: parts within are looked at.
pub(super) const REACH: f64 = 0.05;

/// The parts over one step that cloth may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearParts<'a> {
    /// All parts.
    pub parts: &'a [BodyPart],
    /// Those that are near enough to matter.
    pub near: &'a [usize],
    /// Where parts were when the step began.
    pub before: &'a [Placed],
    /// Where they are when it ends.
    pub now: &'a [Placed],
}

/// Lower bounds of the distances of all particles from all near parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearness {
    /// Positions for which the bounds were found \[m\].
    at: Vec<Vec3>,
    /// Particle by particle, for each near part: lower bound of its distance there \[m\].
    distances: Vec<f64>,
    /// The same less all that makes a contact: thickness, and travel where it may be too fast \[m\].
    spare: Vec<f64>,
    /// Least of it over all parts; infinite for attached particles \[m\].
    least: Vec<f64>,
    /// For each particle one bit for every near part that its faces may meet.
    rows: Vec<u64>,
    /// Particle by particle, for each near part: unit direction in which the distance grows there; zero
    /// for parts that are not convex, and where the part is so far that it was not asked.
    normals: Vec<Vec3>,
    /// How far every particle has gone in the step when the bounds were found \[m\].
    gone: Vec<f64>,
    /// Near parts.
    near: usize,
    /// What the bounds from each near part depend on.
    facts: Vec<Facts>,
    /// Who looks.
    pub share: Share,
}

/// Distances of one particle from the near parts, what it has to spare, and directions.
type Own<'a> = (&'a mut [f64], &'a mut [f64], &'a mut [Vec3]);

/// What is the same for all particles that a near part is asked for.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Number of the part.
    part: usize,
    /// Whether the distance lies above its tangent planes.
    convex: bool,
    /// Most that its quick distance exceeds the distance \[m\].
    error: f64,
    /// Travel that is too fast \[m\].
    fast: f64,
    /// How far it carries any particle, at most \[m\].
    carried: f64,
    /// Distance from its box beyond which it is not asked \[m\].
    far: f64,
}

/// Particles that a thread measures at once.
const AT_ONCE: usize = 64;

/// Rows of all tables, particle by particle.
type Tables<'a> = (
    (&'a mut [f64], &'a mut [u64]),
    (&'a mut [f64], ((Wide<'a, f64>, Wide<'a, f64>), Wide<'a, Vec3>)),
);

impl Nearness {
    /// Begins a frame: makes room for all `particles` and a body of `parts`; takes memory only if there
    /// were fewer before.
    pub fn begin(&mut self, particles: usize, parts: usize) {
        self.at.resize(particles, Vec3::ZERO);
        self.least.resize(particles, 0.0);
        self.gone.resize(particles, 0.0);
        self.rows.resize(particles, 0);
        self.facts.reserve(parts.saturating_sub(self.facts.len()));
        let count = self.normals.len().max(particles * parts);
        self.normals.resize(count, Vec3::ZERO);
        for table in [&mut self.distances, &mut self.spare] {
            table.resize(count, 0.0);
        }
    }

    /// Takes the bounds of all particles as they are now, for contacts within `thickness` \[m\] and faces that are
    /// looked at within `reach` \[m\], whose sides are up to `side` \[m\] long.
    ///
    /// A part is asked only for particles that it, or their faces, may come near to: what is farther from its box
    /// than that has this distance for a bound.
    pub fn measure(
        &mut self,
        body: &NearParts,
        cloth: &Particles,
        [thickness, reach, side]: [f64; 3],
    ) {
        self.at.copy_from_slice(cloth.x);
        let way = Aabb::around(cloth.x.iter().copied());
        self.near = body.near.len();
        // Both ends of a side may move.
        let side = side + 2.0 * ROOM / STEEPEST;
        self.facts.clear();
        self.facts.extend(body.near.iter().map(|&part| {
            let shape = &body.parts[part].shape;
            Facts {
                part,
                convex: shape.is_convex(),
                error: shape.quick_error(),
                fast: 0.5 * shape.half_thickness() - REACH,
                carried: most_carried(&way, &body.before[part], &body.now[part]),
                far: ROOM + clear_from(side * side, reach, shape.roundness()),
            }
        }));
        let Self { distances, spare, least, rows, normals, gone, facts, near, share, .. } = self;
        let count = cloth.x.len() * *near;
        let bounds =
            (Wide::new(&mut distances[..count], *near), Wide::new(&mut spare[..count], *near));
        let bounds = (bounds, Wide::new(&mut normals[..count], *near));
        let tables = ((least.as_mut_slice(), rows.as_mut_slice()), (gone.as_mut_slice(), bounds));
        let (x, before, free) = (&*cloth.x, cloth.before, cloth.inverse_masses);
        share.each(tables, AT_ONCE, |first, tables: Tables| {
            let ((least, rows), (gone, ((mut distances, mut spare), mut normals))) = tables;
            for (n, ((least, rows), gone)) in least.iter_mut().zip(rows).zip(gone).enumerate() {
                let i = first + n;
                *gone = x[i].distance(before[i]);
                let own = (distances.row(n), spare.row(n), normals.row(n));
                let nearest;
                (*rows, nearest) =
                    measure_one(body, facts, [x[i], before[i]], *gone, (thickness, own));
                *least = if free[i] > 0.0 { nearest } else { f64::INFINITY };
            }
        });
    }

    /// One bit for every near part that a face with these corners, now at `x` \[m\], may be within reach of.
    #[inline]
    pub fn rows_of(&self, corners: [usize; 3], x: [Vec3; 3]) -> u64 {
        let [a, b, c] = corners;
        let moved = |i: usize, x: Vec3| self.at[i].distance_squared(x);
        let most = moved(a, x[0]).max(moved(b, x[1])).max(moved(c, x[2]));
        if most * (STEEPEST * STEEPEST) > ROOM * ROOM {
            return u64::MAX;
        }
        self.rows[a] | self.rows[b] | self.rows[c]
    }

    /// Lower bound \[m\] of the distance of a face, now with its corners at `x` \[m\], from the near part in `row`,
    /// which is convex: what one of the tangent planes at its corners says, or their mean, above which the
    /// distance lies as well.
    #[inline]
    pub fn above_planes(&self, row: usize, corners: [usize; 3], x: [Vec3; 3]) -> f64 {
        let (mut sum, mut known, mut best) = ([0.0; 3], 0, f64::NEG_INFINITY);
        for i in corners {
            let n = self.normals[i * self.near + row];
            if n == Vec3::ZERO {
                continue;
            }
            known += 1;
            let level = self.distances[i * self.near + row] - n.dot(self.at[i]);
            let heights = [level + n.dot(x[0]), level + n.dot(x[1]), level + n.dot(x[2])];
            best = best.max(least(heights));
            for (sum, height) in sum.iter_mut().zip(heights) {
                *sum += height;
            }
        }
        if known == 3 { best.max(least(sum) / 3.0) } else { best }
    }

    /// Unit direction in which the distance of the near part in `row` grew at particle `i`; nothing for parts that
    /// are not convex, and for particles so far that they have not been asked for.
    #[inline]
    pub fn normal(&self, row: usize, i: usize) -> Option<Vec3> {
        let entry = i * self.near + row;
        Some(self.normals[entry]).filter(|n| *n != Vec3::ZERO)
    }

    /// How much the bounds of particle `i` have lost by its motion since \[m\].
    #[inline]
    pub fn lost(&self, i: usize, x: Vec3) -> f64 {
        STEEPEST * self.at[i].distance(x)
    }

    /// Whether particle `i`, now at `x` \[m\], may be in contact with any part.
    #[inline]
    pub fn may_touch(&self, i: usize, x: Vec3) -> bool {
        self.spare_left(self.least[i], i, x)
    }

    /// The same for the near part in `row`.
    #[inline]
    pub fn may_touch_part(&self, row: usize, i: usize, x: Vec3) -> bool {
        self.spare_left(self.spare[i * self.near + row], i, x)
    }

    /// Travel grows by as much as a particle moves, and beyond the reach it may have become fast.
    fn spare_left(&self, spare: f64, i: usize, x: Vec3) -> bool {
        // In squares, because this is asked most often of all.
        let moved = self.at[i].distance_squared(x);
        let lost = (1.0 + STEEPEST) * (1.0 + STEEPEST) * moved;
        spare <= 0.0 || spare * spare <= lost || (moved > REACH * REACH && spare < f64::INFINITY)
    }

    /// Lower bound \[m\] of the distance of the nearest corner of a face from the near part in `row`.
    #[inline]
    pub fn of_corners(&self, row: usize, corners: [usize; 3], x: &[Vec3]) -> f64 {
        let bound = |i: usize| self.distances[i * self.near + row] - self.lost(i, x[i]);
        bound(corners[0]).min(bound(corners[1])).min(bound(corners[2]))
    }

    /// Addresses and capacities of all tables.
    #[cfg(test)]
    pub fn buffers(&self) -> Vec<(usize, usize)> {
        let table = |t: &Vec<f64>| (t.as_ptr() as usize, t.capacity());
        let points = |t: &Vec<Vec3>| (t.as_ptr() as usize, t.capacity());
        let tables = [&self.distances, &self.spare, &self.least, &self.gone];
        let points = [&self.at, &self.normals].map(points);
        tables.into_iter().map(table).chain(points).collect()
    }
}

/// Measures one particle, at its position now and before the step and this far from there \[m\], for contacts within
/// `thickness` \[m\]: one bit for every near part that its faces may meet, and what it has to spare of them all \[m\].
#[inline]
fn measure_one(
    body: &NearParts,
    facts: &[Facts],
    [x, start]: [Vec3; 2],
    gone: f64,
    (thickness, (distances, spare, normals)): (f64, Own),
) -> (u64, f64) {
    let (mut rows, mut least) = (0, f64::INFINITY);
    let bounds = distances.iter_mut().zip(spare).zip(normals);
    for (row, (((distance, spare), normal), facts)) in bounds.zip(facts).enumerate() {
        let (before, now) = (&body.before[facts.part], &body.now[facts.part]);
        let from_box = distance_squared(&now.bounds, x);
        let travel;
        if from_box > facts.far * facts.far {
            // No part is nearer than its box.
            travel = facts.carried + gone;
            *distance = if travel > facts.fast { from_box.sqrt() } else { facts.far };
            *normal = Vec3::ZERO;
        } else {
            let (shape, local) = (&body.parts[facts.part].shape, now.local(x));
            (*distance, *normal) = if facts.convex {
                let (distance, normal) = shape.distance(local, f64::INFINITY);
                (distance, now.rotation * normal)
            } else {
                (shape.quick_distance(local) - facts.error, Vec3::ZERO)
            };
            travel = local.distance(before.local(start));
            if *distance <= facts.far {
                rows |= bit(row);
            }
        }
        let too_fast = travel > facts.fast;
        *spare = *distance - thickness - if too_fast { travel } else { 0.0 };
        least = least.min(*spare);
    }
    (rows, least)
}

/// The most that a part carries any point of a box along in a step \[m\]: what the motion of the part is to
/// cloth that stays. It is convex in the point, so a corner has the most.
fn most_carried(bounds: &Aabb, before: &Placed, now: &Placed) -> f64 {
    let [low, high] = [bounds.min, bounds.max];
    let corner = |i: u32| {
        let pick = |bit: u32, a: f64, b: f64| if i >> bit & 1 == 0 { a } else { b };
        Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
    };
    let carried = |p: Vec3| now.local(p).distance_squared(before.local(p));
    (0..8).map(|i| carried(corner(i))).fold(0.0, f64::max).sqrt()
}

#[inline]
fn least([a, b, c]: [f64; 3]) -> f64 {
    a.min(b).min(c)
}

#[cfg(test)]
mod tests;
