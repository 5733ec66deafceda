//! A constrained Delaunay triangulation of points in the plane, with exact predicates.
//!
//! Three far points enclose everything, so every given vertex has triangles all around it.
//! Points are inserted one by one and made Delaunay by flips (Lawson 1977); segments are forced in
//! by flipping the edges they cross (Sloan 1993) and are never flipped after.

mod segment;

use muslin::math::Vec2;
use robust::{Coord, incircle, orient2d};

/// Marks a missing neighbour.
pub(crate) const NONE: u32 = u32::MAX;
/// The three far points come first.
const FAR: usize = 3;

/// A triangle, counter-clockwise. Side `i` lies opposite corner `i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub corners: [u32; 3],
    pub neighbors: [u32; 3],
    /// Sides that are segments and stay.
    pub fixed: [bool; 3],
    /// Whether it is part of the panel.
    pub inside: bool,
}

/// A triangulation that points and segments can be added to.
#[derive(Clone, Debug)]
pub(crate) struct Cdt {
    points: Vec<Vec2>,
    triangles: Vec<Triangle>,
    /// One triangle of each vertex.
    triangle_of: Vec<u32>,
    last: u32,
}

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Inside(u32),
    OnSide(u32, usize),
    OnVertex(u32),
}

/// Positive where `a`, `b`, `c` turn left; exact in sign.
pub(crate) fn orient(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    orient2d(coord(a), coord(b), coord(c))
}

fn coord(p: Vec2) -> Coord<f64> {
    Coord { x: p.x, y: p.y }
}

impl Cdt {
    /// An empty triangulation for points in the box from `min` to `max`.
    pub fn new(min: Vec2, max: Vec2) -> Self {
        let center = 0.5 * (min + max);
        // Far enough that the far triangle's sides clear the box many times over.
        let reach = 50.0 * (max - min).max_element().max(f64::MIN_POSITIVE);
        let points = vec![
            center + Vec2::new(-reach, -reach),
            center + Vec2::new(reach, -reach),
            center + Vec2::new(0.0, reach),
        ];
        let triangle =
            Triangle { corners: [0, 1, 2], neighbors: [NONE; 3], fixed: [false; 3], inside: false };
        Self { points, triangles: vec![triangle], triangle_of: vec![0; FAR], last: 0 }
    }

    /// A vertex's place; vertices are counted without the far points.
    pub fn point(&self, vertex: u32) -> Vec2 {
        self.points[vertex as usize + FAR]
    }

    pub fn set_point(&mut self, vertex: u32, point: Vec2) {
        self.points[vertex as usize + FAR] = point;
    }

    pub fn vertex_count(&self) -> usize {
        self.points.len() - FAR
    }

    /// The triangles marked inside, by vertices counted without the far points.
    pub fn inside(&self) -> impl Iterator<Item = [u32; 3]> {
        let real = |t: &&Triangle| t.inside;
        self.triangles.iter().filter(real).map(|t| t.corners.map(|v| v - FAR as u32))
    }

    /// The triangles marked inside, with which of their sides are fixed.
    pub fn inside_with_fixed(&self) -> impl Iterator<Item = ([u32; 3], [bool; 3])> {
        let real = self.triangles.iter().filter(|t| t.inside);
        real.map(|t| (t.corners.map(|v| v - FAR as u32), t.fixed))
    }

    pub fn is_inside(&self, triangle: u32) -> bool {
        self.triangles[triangle as usize].inside
    }

    /// Adds a point; gives the vertex there was at the very same place.
    pub fn insert(&mut self, point: Vec2) -> u32 {
        let place = self.locate(point);
        if let Place::OnVertex(v) = place {
            return v - FAR as u32;
        }
        let new = self.points.len() as u32;
        self.points.push(point);
        self.triangle_of.push(NONE);
        let mut suspects = Vec::with_capacity(8);
        match place {
            Place::Inside(t) => self.split_triangle(t, new, &mut suspects),
            Place::OnSide(t, side) => self.split_side(t, side, new, &mut suspects),
            Place::OnVertex(_) => {}
        }
        self.legalize(&mut suspects);
        new - FAR as u32
    }

    /// Finds the triangle of a point by walking towards it.
    pub fn locate(&mut self, point: Vec2) -> Place {
        let mut t = self.last;
        for step in 0..2 * self.triangles.len() + 8 {
            let Some(next) = self.step_towards(t, point, step) else {
                self.last = t;
                return self.place_in(t, point);
            };
            t = next;
        }
        // The walk can go in circles beside segments; then every triangle is asked.
        let all = 0..self.triangles.len() as u32;
        let found = all.clone().find(|&t| self.step_towards(t, point, 0).is_none()).unwrap_or(0);
        self.last = found;
        self.place_in(found, point)
    }

    fn step_towards(&self, t: u32, point: Vec2, turn: usize) -> Option<u32> {
        let triangle = &self.triangles[t as usize];
        (0..3).map(|k| (k + turn) % 3).find_map(|side| {
            let [a, b] = self.side(t, side);
            let beyond = orient(self.points[a as usize], self.points[b as usize], point) < 0.0;
            (beyond && triangle.neighbors[side] != NONE).then_some(triangle.neighbors[side])
        })
    }

    fn place_in(&self, t: u32, point: Vec2) -> Place {
        let corners = self.triangles[t as usize].corners;
        if let Some(&v) = corners.iter().find(|&&v| self.points[v as usize] == point) {
            return Place::OnVertex(v);
        }
        for side in 0..3 {
            let [a, b] = self.side(t, side);
            if orient(self.points[a as usize], self.points[b as usize], point) == 0.0 {
                return Place::OnSide(t, side);
            }
        }
        Place::Inside(t)
    }

    fn side(&self, t: u32, side: usize) -> [u32; 2] {
        let corners = self.triangles[t as usize].corners;
        [corners[(side + 1) % 3], corners[(side + 2) % 3]]
    }

    fn side_towards(&self, t: u32, neighbor: u32) -> usize {
        self.triangles[t as usize].neighbors.iter().position(|&n| n == neighbor).unwrap_or(0)
    }

    /// Writes a triangle and tells its corners and neighbours about it.
    fn set(&mut self, t: u32, corners: [u32; 3], sides: [(u32, bool); 3], inside: bool) {
        let triangle = Triangle {
            corners,
            neighbors: sides.map(|(neighbor, _)| neighbor),
            fixed: sides.map(|(_, fixed)| fixed),
            inside,
        };
        if (t as usize) < self.triangles.len() {
            self.triangles[t as usize] = triangle;
        } else {
            self.triangles.push(triangle);
        }
        for v in corners {
            self.triangle_of[v as usize] = t;
        }
    }

    /// Lets neighbour `n` point to `new` where it pointed to `old`.
    fn relink(&mut self, n: u32, old: u32, new: u32) {
        if n != NONE {
            let side = self.side_towards(n, old);
            self.triangles[n as usize].neighbors[side] = new;
        }
    }

    fn split_triangle(&mut self, t: u32, p: u32, suspects: &mut Vec<(u32, usize)>) {
        let Triangle { corners: [a, b, c], neighbors: n, fixed: f, inside } =
            self.triangles[t as usize];
        let (t1, t2) = (self.triangles.len() as u32, self.triangles.len() as u32 + 1);
        self.set(t, [p, b, c], [(n[0], f[0]), (t1, false), (t2, false)], inside);
        self.set(t1, [p, c, a], [(n[1], f[1]), (t2, false), (t, false)], inside);
        self.set(t2, [p, a, b], [(n[2], f[2]), (t, false), (t1, false)], inside);
        self.relink(n[1], t, t1);
        self.relink(n[2], t, t2);
        suspects.extend([(t, 0), (t1, 0), (t2, 0)]);
    }

    fn split_side(&mut self, t: u32, side: usize, p: u32, suspects: &mut Vec<(u32, usize)>) {
        let Triangle { corners, neighbors, fixed, inside } = self.triangles[t as usize];
        let (i, j, k) = (side, (side + 1) % 3, (side + 2) % 3);
        let (a, b, c) = (corners[i], corners[j], corners[k]);
        let keep = fixed[i];
        let beyond = neighbors[i];
        let t1 = self.triangles.len() as u32;
        if beyond == NONE {
            // Only the far triangle has open sides, and no point comes near them.
            return;
        }
        let other = self.triangles[beyond as usize];
        let oi = self.side_towards(beyond, t);
        let (oj, ok) = ((oi + 1) % 3, (oi + 2) % 3);
        let d = other.corners[oi];
        let t2 = t1 + 1;
        // (a, b, p) and (a, p, c) on this side; (d, c, p) and (d, p, b) beyond.
        self.set(t, [a, b, p], [(t2, keep), (t1, false), (neighbors[k], fixed[k])], inside);
        self.set(t1, [a, p, c], [(beyond, keep), (neighbors[j], fixed[j]), (t, false)], inside);
        self.set(
            beyond,
            [d, c, p],
            [(t1, keep), (t2, false), (other.neighbors[ok], other.fixed[ok])],
            other.inside,
        );
        self.set(
            t2,
            [d, p, b],
            [(t, keep), (other.neighbors[oj], other.fixed[oj]), (beyond, false)],
            other.inside,
        );
        self.relink(neighbors[j], t, t1);
        self.relink(other.neighbors[oj], beyond, t2);
        suspects.extend([(t, 2), (t1, 1), (beyond, 2), (t2, 1)]);
    }

    /// Flips the edge opposite corner `side` of `t`; its two triangles form a convex quadrangle.
    fn flip(&mut self, t: u32, side: usize) {
        let first = self.triangles[t as usize];
        let u = first.neighbors[side];
        let second = self.triangles[u as usize];
        let (i, j, k) = (side, (side + 1) % 3, (side + 2) % 3);
        let oi = self.side_towards(u, t);
        let (oj, ok) = ((oi + 1) % 3, (oi + 2) % 3);
        // t = (a, b, c), u = (d, c, b) become (a, b, d) and (a, d, c).
        let (a, b, c, d) =
            (first.corners[i], first.corners[j], first.corners[k], second.corners[oi]);
        let ab = (first.neighbors[k], first.fixed[k]);
        let ca = (first.neighbors[j], first.fixed[j]);
        let bd = (second.neighbors[oj], second.fixed[oj]);
        let dc = (second.neighbors[ok], second.fixed[ok]);
        self.set(t, [a, b, d], [bd, (u, false), ab], first.inside);
        self.set(u, [a, d, c], [dc, ca, (t, false)], first.inside);
        self.relink(bd.0, u, t);
        self.relink(ca.0, t, u);
    }

    /// Flips until every edge reached from the suspects is Delaunay or fixed.
    fn legalize(&mut self, suspects: &mut Vec<(u32, usize)>) {
        while let Some((t, side)) = suspects.pop() {
            if !self.breaks_delaunay(t, side) {
                continue;
            }
            let u = self.triangles[t as usize].neighbors[side];
            self.flip(t, side);
            // Sides 0 and 2 of t, 0 and 1 of u are the outer sides of the quadrangle.
            suspects.extend([(t, 0), (t, 2), (u, 0), (u, 1)]);
        }
    }

    fn breaks_delaunay(&self, t: u32, side: usize) -> bool {
        let triangle = &self.triangles[t as usize];
        let u = triangle.neighbors[side];
        if u == NONE || triangle.fixed[side] {
            return false;
        }
        let d = self.triangles[u as usize].corners[self.side_towards(u, t)];
        let [a, b, c] = triangle.corners.map(|v| coord(self.points[v as usize]));
        incircle(a, b, c, coord(self.points[d as usize])) > 0.0
    }

    /// Makes all edges inside Delaunay again after vertices moved without folding a triangle.
    pub fn restore(&mut self) {
        let inside = |t: &u32| self.triangles[*t as usize].inside;
        let all: Vec<u32> = (0..self.triangles.len() as u32).filter(inside).collect();
        let mut suspects: Vec<_> = all.iter().flat_map(|&t| [(t, 0), (t, 1), (t, 2)]).collect();
        self.legalize(&mut suspects);
    }

    /// Marks the triangles inside: crossing one of the `walls` leads in or out, starting outside.
    pub fn mark_inside(&mut self, walls: &[[u32; 2]]) {
        let mut sorted: Vec<[u32; 2]> =
            walls.iter().map(|&[a, b]| [a.min(b) + FAR as u32, a.max(b) + FAR as u32]).collect();
        sorted.sort_unstable();
        let mut seen = vec![false; self.triangles.len()];
        let start = self.triangle_of[0];
        seen[start as usize] = true;
        let mut queue = vec![start];
        while let Some(t) = queue.pop() {
            for side in 0..3 {
                let n = self.triangles[t as usize].neighbors[side];
                if n == NONE || seen[n as usize] {
                    continue;
                }
                let [a, b] = self.side(t, side);
                let wall = sorted.binary_search(&[a.min(b), a.max(b)]).is_ok();
                seen[n as usize] = true;
                self.triangles[n as usize].inside = self.triangles[t as usize].inside != wall;
                queue.push(n);
            }
        }
    }
}

#[cfg(test)]
mod tests;
