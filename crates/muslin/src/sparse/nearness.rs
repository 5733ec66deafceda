//! How near particles are to body parts, asked once a step: what is farther away than it has moved since
//! needs no second look (OS3).

use super::body_part::{BodyPart, Placed};
use super::collision::Particles;
use crate::collide::aabb::Aabb;
use crate::finish::box_tree::distance_squared;
use crate::finish::stays_clear;
use crate::math::{Vec2, Vec3};

/// Distance from the box around a part beyond which the part itself is not asked \[m\].
const FAR: f64 = 0.1;

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
    /// Near part by near part, for each particle: lower bound of its distance there \[m\].
    distances: Vec<f64>,
    /// The same less all that makes a contact: thickness, and travel where it may be too fast \[m\].
    spare: Vec<f64>,
    /// Least of it over all parts; infinite for attached particles \[m\].
    least: Vec<f64>,
    /// Near part by near part: least of its distances \[m\].
    nearest: Vec<f64>,
    /// Near parts that faces may meet.
    rows: Vec<usize>,
    /// Near part by near part, for each particle: unit direction in which the distance grows there; zero
    /// for parts that are not convex.
    normals: Vec<Vec3>,
    /// How far every particle has gone in the step when the bounds were found \[m\].
    gone: Vec<f64>,
    /// Parts of the body.
    parts: usize,
    /// Face by face, for each part: where the last search for the deepest point ended in this frame, barycentric.
    searches: Vec<Option<Vec2>>,
}

impl Nearness {
    /// Begins a frame: makes room for all `particles`, `faces` and a body of `parts`; takes memory only if there
    /// were fewer before.
    pub fn begin(&mut self, particles: usize, faces: usize, parts: usize) {
        self.parts = parts;
        self.searches.clear();
        self.searches.resize(faces * parts, None);
        self.at.resize(particles, Vec3::ZERO);
        self.least.resize(particles, 0.0);
        self.gone.resize(particles, 0.0);
        self.nearest.resize(self.nearest.len().max(parts), 0.0);
        self.rows.clear();
        self.rows.reserve(parts);
        let count = self.normals.len().max(particles * parts);
        self.normals.resize(count, Vec3::ZERO);
        for table in [&mut self.distances, &mut self.spare] {
            table.resize(count, 0.0);
        }
    }

    /// Takes the bounds of all particles as they are now, for contacts within `thickness` \[m\].
    pub fn measure(&mut self, body: &NearParts, cloth: &Particles, thickness: f64) {
        let count = cloth.x.len();
        self.at.copy_from_slice(cloth.x);
        self.least.fill(f64::INFINITY);
        for ((gone, x), before) in self.gone.iter_mut().zip(&*cloth.x).zip(cloth.before) {
            *gone = x.distance(*before);
        }
        let way = Aabb::around(cloth.x.iter().copied());
        for (row, &k) in body.near.iter().enumerate() {
            let shape = &body.parts[k].shape;
            let (convex, error) = (shape.is_convex(), shape.quick_error());
            let fast = 0.5 * shape.half_thickness() - REACH;
            let (before, now) = (&body.before[k], &body.now[k]);
            let carried = most_carried(&way, before, now);
            let rows = row * count..(row + 1) * count;
            self.nearest[row] = f64::INFINITY;
            let bounds = self.distances[rows.clone()].iter_mut().zip(&mut self.spare[rows.clone()]);
            let table = bounds.zip(&mut self.normals[rows]);
            for (i, ((distance, spare), normal)) in table.enumerate() {
                let from_box = distance_squared(&now.bounds, cloth.x[i]);
                let travel;
                if from_box > FAR * FAR {
                    // The box is convex, and no part is nearer than its box.
                    *distance = from_box.sqrt();
                    *normal = off_box(&now.bounds, cloth.x[i]) / *distance;
                    travel = carried + self.gone[i];
                } else {
                    let local = now.local(cloth.x[i]);
                    (*distance, *normal) = if convex {
                        let (distance, normal) = shape.distance(local, f64::INFINITY);
                        (distance, now.rotation * normal)
                    } else {
                        (shape.quick_distance(local) - error, Vec3::ZERO)
                    };
                    travel = local.distance(before.local(cloth.before[i]));
                }
                self.nearest[row] = self.nearest[row].min(*distance);
                let too_fast = travel > fast;
                *spare = *distance - thickness - if too_fast { travel } else { 0.0 };
                if cloth.inverse_masses[i] > 0.0 {
                    self.least[i] = self.least[i].min(*spare);
                }
            }
        }
    }

    /// Notes which of `count` near parts a face with sides up to `longest_squared` \[m²\] may come within `reach`
    /// \[m\] of, however its corners have moved by up to [`REACH`] since.
    pub fn find_rows(
        &mut self,
        count: usize,
        longest_squared: f64,
        reach: f64,
        roundness: impl Fn(usize) -> f64,
    ) {
        self.rows.clear();
        let is_far = |row: usize| {
            let nearest = self.nearest[row] - STEEPEST * REACH;
            let roundness = roundness(row);
            roundness < f64::INFINITY && stays_clear(nearest, longest_squared, reach, roundness)
        };
        self.rows.extend((0..count).filter(|&row| !is_far(row)));
    }

    /// The near parts noted last.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Whether a face, now with its corners at `x` \[m\], is farther than `reach` \[m\] from the near part in
    /// `row`, which is convex: one of the tangent planes at its corners says so, or their mean, above which the
    /// distance lies as well.
    #[inline]
    pub fn is_beyond_plane(
        &self,
        row: usize,
        corners: [usize; 3],
        x: [Vec3; 3],
        reach: f64,
    ) -> bool {
        let first = row * self.at.len();
        let mut sum = [0.0; 3];
        for i in corners {
            let (n, level) = (self.normals[first + i], self.distances[first + i] - reach);
            let level = level - n.dot(self.at[i]);
            let heights = x.map(|x| level + n.dot(x));
            if least(heights) > 0.0 {
                return true;
            }
            for (sum, height) in sum.iter_mut().zip(heights) {
                *sum += height;
            }
        }
        least(sum) > 0.0
    }

    /// Unit direction in which the distance of the near part in `row` grew at particle `i`; zero for parts that
    /// are not convex, nothing for particles so far that they have not been asked for.
    #[inline]
    pub fn normal(&self, row: usize, i: usize) -> Option<Vec3> {
        let entry = row * self.at.len() + i;
        (self.distances[entry] <= FAR).then(|| self.normals[entry])
    }

    /// Where the last search of a face for its deepest point in a part ended in this frame, barycentric \[-\].
    pub fn last_search(&mut self, face: usize, part: usize) -> &mut Option<Vec2> {
        &mut self.searches[face * self.parts + part]
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
        self.spare_left(self.spare[row * self.at.len() + i], i, x)
    }

    /// Travel grows by as much as a particle moves, and beyond the reach it may have become fast.
    fn spare_left(&self, spare: f64, i: usize, x: Vec3) -> bool {
        let moved = self.at[i].distance(x);
        spare <= (1.0 + STEEPEST) * moved || (moved > REACH && spare < f64::INFINITY)
    }

    /// Lower bound \[m\] of the distance of the nearest corner of a face from the near part in `row`.
    #[inline]
    pub fn of_corners(&self, row: usize, corners: [usize; 3], x: &[Vec3]) -> f64 {
        let first = row * self.at.len();
        let bound = |i: usize| self.distances[first + i] - self.lost(i, x[i]);
        bound(corners[0]).min(bound(corners[1])).min(bound(corners[2]))
    }

    /// Addresses and capacities of all tables.
    #[cfg(test)]
    pub fn buffers(&self) -> Vec<(usize, usize)> {
        let table = |t: &Vec<f64>| (t.as_ptr() as usize, t.capacity());
        let points = |t: &Vec<Vec3>| (t.as_ptr() as usize, t.capacity());
        let tables = [&self.distances, &self.spare, &self.least, &self.nearest, &self.gone];
        let searches = (self.searches.as_ptr() as usize, self.searches.capacity());
        let points = [&self.at, &self.normals].map(points);
        tables.into_iter().map(table).chain(points).chain([searches]).collect()
    }
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

/// The way from the nearest point of a box to `p` \[m\].
#[inline]
fn off_box(bounds: &Aabb, p: Vec3) -> Vec3 {
    p - p.clamp(bounds.min, bounds.max)
}

#[inline]
fn least([a, b, c]: [f64; 3]) -> f64 {
    a.min(b).min(c)
}

#[cfg(test)]
mod tests;
