//! Faces cut by the body: their deepest points, looked for where they may have come near (OS3).

use super::look_ahead::Ahead;
use super::{Collider, Particles};
use crate::collide::aabb::Aabb;
use crate::math::{Vec2, Vec3};
use crate::sparse::deepest::{Deepest, deepest};
use crate::sparse::drawn_nearness::rows_in;
use crate::sparse::nearness::{Nearness, STEEPEST};
use crate::sparse::paths::Paths;

/// Distance beyond the thickness within which parts are noted for a face \[m\].
pub(super) const WATCHED: f64 = 0.01;
/// Distance beyond the thickness from which on the search for a deepest point is given up \[m\]: the face may then
/// move by as much before it is looked at again.
const GIVEN_UP: f64 = 0.002;

/// Smallest part of a face's weight that free vertices must carry to be moved for the whole face.
const LEAST_FREE: f64 = 0.25;

/// Points in contact, or nearly so, that are kept for every face.
const POINTS_EACH: usize = 3;

/// A point of a face that a part is near to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FacePoint {
    index: [usize; 3],
    part: usize,
    weights: [f64; 3],
    /// Where it was when its distance was last asked for \[m\].
    at: Vec3,
    /// What was left of that distance beyond the thickness \[m\].
    spare: f64,
}

/// What is known of the faces in a step.
#[derive(Clone, Debug)]
pub(in crate::sparse) struct FaceLooks {
    paths: Paths,
    /// Ways of its corners together \[m\] after which a face may be in contact elsewhere than at its points.
    due: Vec<f64>,
    points: Vec<FacePoint>,
    /// Face by face, for each part: where the last search for the deepest point ended in this frame, barycentric \[-\].
    pub(super) searches: Vec<Option<Vec2>>,
    /// Parts of the body.
    pub(super) parts: usize,
    /// What threads found out beforehand, if they did.
    pub(super) ahead: Ahead,
}

impl FaceLooks {
    /// For particles at `x` \[m\] and this many faces.
    pub fn new(x: &[Vec3], faces: usize) -> Self {
        let points = Vec::with_capacity(POINTS_EACH * faces);
        let ahead = Ahead::new(x.len(), faces);
        let (paths, due) = (Paths::new(x), vec![0.0; faces]);
        Self { paths, due, points, searches: Vec::new(), parts: 0, ahead }
    }

    /// Begins a frame with a body of `parts`; takes memory only if there were fewer before.
    pub fn begin_frame(&mut self, parts: usize) {
        self.parts = parts;
        self.searches.clear();
        self.searches.resize(self.due.len() * parts, None);
    }

    /// Begins a step: all faces are due.
    pub fn begin(&mut self, x: &[Vec3]) {
        self.paths.begin(x);
        self.due.fill(0.0);
        self.points.clear();
        self.ahead.forget();
    }

    /// Addresses and capacities of the lists.
    #[cfg(test)]
    pub fn buffers(&self) -> Vec<(usize, usize)> {
        let due = (self.due.as_ptr() as usize, self.due.capacity());
        let points = (self.points.as_ptr() as usize, self.points.capacity());
        let searches = (self.searches.as_ptr() as usize, self.searches.capacity());
        self.paths.buffers().into_iter().chain([due, points, searches]).collect()
    }
}

/// A look at a face and a near part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Corners of the face.
    pub index: [usize; 3],
    /// Row of the part among those that are near.
    pub row: usize,
    /// Number of the part.
    pub part: usize,
}

impl Collider<'_> {
    /// Moves faces that a part cuts out by the deepest point, with all their free vertices; how many. Looks at those
    /// only that are due: a face comes no nearer than by the longest way of a corner.
    pub fn faces(
        &self,
        cloth: &mut Particles,
        triangles: &[[u32; 3]],
        nearness: &Nearness,
        looks: &mut FaceLooks,
    ) -> usize {
        let mut contacts = 0;
        looks.paths.follow(cloth.x, 0..cloth.x.len());
        for (number, face) in triangles.iter().enumerate() {
            let index = face.map(|v| v as usize);
            let gone = looks.paths.of(index);
            if gone < looks.due[number] {
                continue;
            }
            let own = number * looks.parts..(number + 1) * looks.parts;
            if let Some(spare) = looks.ahead.take(number, index, &mut looks.searches[own.clone()]) {
                looks.due[number] = gone + spare / STEEPEST;
                continue;
            }
            let rows = nearness.rows_of(index, index.map(|v| cloth.x[v]));
            let mut spare = WATCHED;
            if rows != 0 {
                let moved;
                let points = (&mut looks.points, POINTS_EACH * triangles.len());
                let searches = &mut looks.searches[own];
                (spare, moved) = self.face(cloth, nearness, (index, rows), points, searches);
                contacts += moved;
                if moved > 0 {
                    looks.ahead.moved(index);
                }
            }
            looks.paths.follow(cloth.x, index);
            looks.due[number] = gone + spare / STEEPEST;
        }
        // What comes now may move anything.
        looks.ahead.forget();
        contacts
    }

    /// Moves a face out of the parts in these rows: how far it is beyond the thickness from those that it is not
    /// near to \[m\], at least, and how often it was moved. Takes the deepest points in others.
    fn face(
        &self,
        cloth: &mut Particles,
        nearness: &Nearness,
        (index, rows): ([usize; 3], u64),
        (points, room): (&mut Vec<FacePoint>, usize),
        searches: &mut [Option<Vec2>],
    ) -> (f64, usize) {
        let around = |x: &[Vec3]| Aabb::around(index.map(|v| x[v])).grown(self.reach());
        let mut bounds = around(cloth.x);
        let (mut spare, mut moved) = (WATCHED, 0);
        for row in rows_in(rows, self.body.near.len()) {
            let part = self.body.near[row];
            if !bounds.overlaps(&self.body.now[part].bounds) {
                continue;
            }
            let at = [cloth.before, &*cloth.x];
            match self.deepest(at, nearness, Look { index, row, part }, &mut searches[part]) {
                Err(least) => spare = spare.min(least - self.thickness),
                Ok(deep) => {
                    let mut left = deep.distance - self.thickness;
                    if self.move_face(cloth, index, part, &deep) {
                        moved += 1;
                        bounds = around(cloth.x);
                        left = 0.0;
                    }
                    if points.len() < room {
                        let weights = deep.weights;
                        let at = weighted(cloth.x, index, weights);
                        points.push(FacePoint { index, part, weights, at, spare: left });
                    } else {
                        spare = spare.min(left);
                    }
                }
            }
        }
        (spare, moved)
    }

    /// Moves faces out by the points found before, and looks at faces that have come near elsewhere.
    pub fn faces_again(
        &self,
        cloth: &mut Particles,
        triangles: &[[u32; 3]],
        nearness: &Nearness,
        looks: &mut FaceLooks,
    ) {
        for point in &mut looks.points {
            let FacePoint { index, part, weights, .. } = *point;
            let at = weighted(cloth.x, index, weights);
            if point.spare > STEEPEST * at.distance(point.at) {
                continue;
            }
            let local = self.body.now[part].local(at);
            let (distance, normal) = self.body.parts[part].shape.distance(local, self.thickness);
            (point.at, point.spare) = (at, distance - self.thickness);
            self.move_face(cloth, index, part, &Deepest { weights, distance, normal });
        }
        self.faces(cloth, triangles, nearness, looks);
    }

    /// Finds out how near particles are to the parts.
    pub fn measure(&self, cloth: &Particles, triangles: &[[u32; 3]], nearness: &mut Nearness) {
        let side = longest_squared(cloth.x, triangles).sqrt();
        nearness.measure(&self.body, cloth, [self.thickness, self.reach(), side]);
    }

    /// Distance within which parts are noted for faces \[m\].
    pub(super) fn reach(&self) -> f64 {
        self.thickness + WATCHED
    }

    /// Lower bound of the distance of a face from a part \[m\], by what is known of its corners.
    #[inline]
    fn distance_of_face(&self, x: &[Vec3], nearness: &Nearness, look: &Look, enough: f64) -> f64 {
        let &Look { index, row, part, .. } = look;
        let shape = &self.body.parts[part].shape;
        let [a, b, c] = [x[index[0]], x[index[1]], x[index[2]]];
        let above = if shape.is_convex() {
            nearness.above_planes(row, index, [a, b, c])
        } else {
            f64::NEG_INFINITY
        };
        if above > enough {
            return above;
        }
        let nearest = nearness.of_corners(row, index, x);
        let roundness = shape.roundness();
        if roundness == f64::INFINITY {
            return nearest;
        }
        // See `stays_clear`.
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        let corner = (nearest + roundness).max(0.0);
        above.max((corner * corner - longest / 3.0).max(0.0).sqrt() - roundness)
    }

    /// The deepest point of a face in a near part, or if it is not near, a lower bound of the distance \[m\].
    ///
    /// Particles were and are at `before` and `x` \[m\]; `last` is where the last search ended.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most faces are far, which costs less than a call")]
    pub(super) fn deepest(
        &self,
        [before, x]: [&[Vec3]; 2],
        nearness: &Nearness,
        look: Look,
        last: &mut Option<Vec2>,
    ) -> Result<Deepest, f64> {
        let enough = self.thickness + GIVEN_UP;
        let least = self.distance_of_face(x, nearness, &look, enough);
        if least > enough {
            return Err(least);
        }
        let Look { index, row, part: k } = look;
        let now = &self.body.now[k];
        let face = index.map(|v| now.local(x[v]));
        let shape = &self.body.parts[k].shape;
        let normal = |c: usize| {
            // Far corners know the box around the part only.
            match nearness.normal(row, index[c]) {
                Some(normal) => now.inverse * normal,
                None => shape.distance(face[c], f64::INFINITY).1,
            }
        };
        let normals = || [normal(0), normal(1), normal(2)];
        let distances = [self.thickness, enough];
        deepest(shape, face, normals, distances, last, || {
            outward(face, index.map(|v| self.body.before[k].local(before[v])))
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
