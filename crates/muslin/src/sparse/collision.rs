//! Cloth against body parts: vertices inside, faces cut, and contact (OS3).

mod contact;

use super::body_part::PartShape;
use super::deepest::{Deepest, deepest};
use super::nearness::{NearParts, Nearness, STEEPEST};
use crate::collide::aabb::Aabb;
use crate::finish::stays_clear;
use crate::math::Vec3;

/// Steps of the search for the point where a fast particle enters a part.
const MOST_TRACES: usize = 32;

/// Distance beyond the thickness at which a face's deepest point is remembered \[m\]: what limits on
/// edges may move a face in a step.
const WATCHED: f64 = 0.01;

/// Smallest part of a face's weight that free vertices must carry to be moved for the whole face.
const LEAST_FREE: f64 = 0.25;

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

/// A point of a face that a part is near to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FacePoint {
    face: [u32; 3],
    part: u32,
    weights: [f64; 3],
    /// Where it was when its distance was last asked for \[m\].
    at: Vec3,
    /// What was left of that distance beyond the thickness \[m\].
    spare: f64,
}

/// A look at a face and a near part.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Number of the face.
    number: usize,
    /// Its corners.
    index: [usize; 3],
    /// Row of the part among those that are near.
    row: usize,
    /// Number of the part.
    part: usize,
    /// Distance \[m\] beyond which nobody asks.
    reach: f64,
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

    /// Moves faces that a part cuts out by the deepest point, with all their free vertices; how many. Takes the
    /// deepest points of those that are in contact, or could be when limits on edges have moved them, as far as
    /// `points` has room.
    pub fn faces(
        &self,
        cloth: &mut Particles,
        triangles: &[[u32; 3]],
        nearness: &mut Nearness,
        points: &mut Vec<FacePoint>,
    ) -> usize {
        let mut contacts = 0;
        points.clear();
        let reach = self.thickness + WATCHED;
        self.find_rows(cloth.x, triangles, nearness, reach);
        for (number, face) in triangles.iter().enumerate() {
            let index = face.map(|v| v as usize);
            let around = |x: &[Vec3]| Aabb::around(index.map(|v| x[v])).grown(reach);
            let mut bounds = around(cloth.x);
            for place in 0..nearness.rows().len() {
                let row = nearness.rows()[place];
                let k = self.body.near[row];
                if !bounds.overlaps(&self.body.now[k].bounds) {
                    continue;
                }
                let look = Look { number, index, row, part: k, reach };
                let Some(deep) = self.deepest(cloth, nearness, look) else {
                    continue;
                };
                let mut spare = deep.distance - self.thickness;
                if self.move_face(cloth, index, k, &deep) {
                    contacts += 1;
                    bounds = around(cloth.x);
                    spare = 0.0;
                }
                if points.len() < points.capacity() {
                    let (part, weights) = (k as u32, deep.weights);
                    let at = weighted(cloth.x, index, weights);
                    points.push(FacePoint { face: *face, part, weights, at, spare });
                }
            }
        }
        contacts
    }

    /// Notes the near parts that any face may come within `reach` \[m\] of.
    fn find_rows(&self, x: &[Vec3], triangles: &[[u32; 3]], nearness: &mut Nearness, reach: f64) {
        let longest = longest_squared(x, triangles);
        let roundness = |row: usize| self.body.parts[self.body.near[row]].shape.roundness();
        nearness.find_rows(self.body.near.len(), longest, reach, roundness);
    }

    /// Whether no point of a face can be within reach, judging by what is known of its corners.
    fn is_clear(&self, x: &[Vec3], nearness: &Nearness, look: &Look) -> bool {
        let &Look { index, row, part: k, reach, .. } = look;
        let shape = &self.body.parts[k].shape;
        let [a, b, c] = [x[index[0]], x[index[1]], x[index[2]]];
        if shape.is_convex() && nearness.is_beyond_plane(row, index, [a, b, c], reach) {
            return true;
        }
        let nearest = nearness.of_corners(row, index, x);
        let roundness = shape.roundness();
        if roundness == f64::INFINITY {
            return nearest > reach;
        }
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        stays_clear(nearest, longest, reach, roundness)
    }

    /// Moves faces out by the points found before; how many.
    pub fn face_points(&self, cloth: &mut Particles, points: &mut [FacePoint]) -> usize {
        let mut contacts = 0;
        for point in points {
            let (index, k) = (point.face.map(|v| v as usize), point.part as usize);
            let at = weighted(cloth.x, index, point.weights);
            if point.spare > STEEPEST * at.distance(point.at) {
                continue;
            }
            let local = self.body.now[k].local(at);
            let (distance, normal) = self.body.parts[k].shape.distance(local, self.thickness);
            (point.at, point.spare) = (at, distance - self.thickness);
            let deep = Deepest { weights: point.weights, distance, normal };
            contacts += usize::from(self.move_face(cloth, index, k, &deep));
        }
        contacts
    }

    /// The deepest point of a face in a near part, if it is within reach.
    fn deepest(&self, cloth: &Particles, nearness: &mut Nearness, look: Look) -> Option<Deepest> {
        if self.is_clear(cloth.x, nearness, &look) {
            return None;
        }
        let Look { number, index, row, part: k, reach } = look;
        let now = &self.body.now[k];
        let face = index.map(|v| now.local(cloth.x[v]));
        let shape = &self.body.parts[k].shape;
        let normal = |c: usize| {
            // Far corners know the box around the part only.
            match nearness.normal(row, index[c]) {
                Some(normal) => now.inverse * normal,
                None => shape.distance(face[c], f64::INFINITY).1,
            }
        };
        let normals = [normal(0), normal(1), normal(2)];
        let distances = [self.thickness, reach];
        deepest(shape, face, normals, distances, nearness.last_search(number, k), || {
            outward(face, index.map(|v| self.body.before[k].local(cloth.before[v])))
        })
    }

    /// Moves a face out of a part by a point of it that is too near; whether it is and could be moved.
    fn move_face(
        &self,
        cloth: &mut Particles,
        index: [usize; 3],
        k: usize,
        deep: &Deepest,
    ) -> bool {
        let now = &self.body.now[k];
        let depth = self.thickness - deep.distance;
        let free = index.map(|v| cloth.inverse_masses[v] > 0.0);
        let carried: f64 = (0..3).filter(|&c| free[c]).map(|c| deep.weights[c]).sum();
        if depth <= 0.0 || carried < LEAST_FREE {
            return false;
        }
        let normal = now.rotation * deep.normal;
        let sum = |of: &[Vec3]| weighted(of, index, deep.weights);
        let slid = now.local(sum(cloth.x)) - self.body.before[k].local(sum(cloth.before));
        let held = now.rotation * self.held_back(slid, deep.normal, depth);
        let push = (normal * depth + held) / carried;
        let relative = sum(cloth.v) - now.velocity_at(sum(cloth.x));
        let change = self.contact_change(relative, normal) / carried;
        for c in (0..3).filter(|&c| free[c]) {
            cloth.x[index[c]] += push;
            cloth.v[index[c]] += change;
        }
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

/// The longest side of all faces, squared \[m²\].
fn longest_squared(x: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    triangles.iter().fold(0.0, |longest, &[a, b, c]| {
        let [a, b, c] = [x[a as usize], x[b as usize], x[c as usize]];
        let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        side.max(longest)
    })
}

/// A point of a face by its weights.
#[inline]
fn weighted(of: &[Vec3], index: [usize; 3], weights: [f64; 3]) -> Vec3 {
    of[index[0]] * weights[0] + of[index[1]] * weights[1] + of[index[2]] * weights[2]
}

/// The side of a face that faced away from the middle of a part when the step began.
fn outward(face: [Vec3; 3], before: [Vec3; 3]) -> Vec3 {
    let area = |f: [Vec3; 3]| (f[1] - f[0]).cross(f[2] - f[0]);
    let middle = before[0] + before[1] + before[2];
    if middle.dot(area(before)) < 0.0 { -area(face) } else { area(face) }
}

#[cfg(test)]
mod tests;
