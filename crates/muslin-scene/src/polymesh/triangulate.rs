//! Polygons to triangles: a fan where the polygon is convex, ear clipping otherwise, both in the
//! polygon's best-fit plane.

use super::{PolyMesh, normals::area_vector};
use muslin::math::{Vec2, Vec3, try_normalize};

/// The triangles of a [`PolyMesh`], face after face. A face of `n` corners gives `n - 2`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Triangulation {
    /// Vertices of each triangle, wound as its face.
    pub triangles: Vec<[u32; 3]>,
    /// Corners of each triangle (indices into `face_vertices`), so that uv follow.
    pub corners: Vec<[u32; 3]>,
    /// The face each triangle came from.
    pub faces: Vec<u32>,
}

/// Turns smaller than this, relative to the polygon's area, count as straight. Smaller values let
/// rounding make slivers out of points on a line; larger ones would call shallow corners straight.
const STRAIGHT: f64 = 1e-12;

impl PolyMesh {
    /// Splits every face into triangles. Faces of fewer than three corners give none.
    pub fn triangulate(&self) -> Triangulation {
        let mut result = Triangulation::default();
        let mut local = Vec::new();
        for face in 0..self.face_count() {
            local.clear();
            let vertices = self.face(face);
            self.split_face(vertices, &mut local);
            let first = self.face_offsets[face];
            for triangle in &local {
                result.triangles.push(triangle.map(|corner| vertices[corner]));
                result.corners.push(triangle.map(|corner| first + corner as u32));
                result.faces.push(face as u32);
            }
        }
        result
    }

    fn split_face(&self, vertices: &[u32], out: &mut Vec<[usize; 3]>) {
        match vertices.len() {
            0..3 => {}
            3 => out.push([0, 1, 2]),
            count => {
                let flat = flatten(vertices.iter().map(|&v| self.positions[v as usize]));
                if is_strictly_convex(&flat) {
                    out.extend((1..count - 1).map(|corner| [0, corner, corner + 1]));
                } else {
                    EarClipper::new(&flat).clip(out);
                }
            }
        }
    }
}

/// The polygon in its best-fit plane, counter-clockwise, scaled so that its area is about one.
fn flatten(points: impl Iterator<Item = Vec3> + Clone) -> Vec<Vec2> {
    let area = area_vector(points.clone());
    let normal = try_normalize(area).unwrap_or(Vec3::Z);
    let (side, up) = normal.any_orthonormal_pair();
    let origin = points.clone().next().unwrap_or(Vec3::ZERO);
    let length = area.length().sqrt();
    let scale = if length > 0.0 { length.recip() } else { 1.0 };
    points.map(|p| Vec2::new((p - origin).dot(side), (p - origin).dot(up)) * scale).collect()
}

/// Twice the signed area of a triangle.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b - a).perp_dot(c - b)
}

/// Whether every corner turns left and the outline goes around once (a pentagram goes twice).
fn is_strictly_convex(polygon: &[Vec2]) -> bool {
    let count = polygon.len();
    let at = |corner: usize| polygon[corner % count];
    let turns_left = (0..count).all(|i| turn(at(i), at(i + 1), at(i + 2)) > STRAIGHT);
    // Going around once, the edges change between rightward and leftward exactly twice.
    let rightward =
        |i: usize| at(i + 1).x > at(i).x || (at(i + 1).x == at(i).x && at(i + 1).y < at(i).y);
    let reversals = (0..count).filter(|&i| rightward(i) != rightward(i + 1)).count();
    turns_left && reversals == 2
}

/// Ear clipping on a doubly linked ring of corners. Whether a corner is an ear only changes for
/// the two neighbours of a clipped one, so the whole takes O(n²) at worst.
struct EarClipper<'a> {
    polygon: &'a [Vec2],
    next: Vec<usize>,
    previous: Vec<usize>,
    is_ear: Vec<bool>,
    clipped: Vec<bool>,
}

impl<'a> EarClipper<'a> {
    fn new(polygon: &'a [Vec2]) -> Self {
        let count = polygon.len();
        let mut clipper = Self {
            polygon,
            next: (0..count).map(|i| (i + 1) % count).collect(),
            previous: (0..count).map(|i| (i + count - 1) % count).collect(),
            is_ear: vec![false; count],
            clipped: vec![false; count],
        };
        for corner in 0..count {
            clipper.is_ear[corner] = clipper.test_ear(corner);
        }
        clipper
    }

    fn clip(mut self, out: &mut Vec<[usize; 3]>) {
        let count = self.polygon.len();
        let mut start = 0;
        for remaining in (3..=count).rev() {
            let ear = if remaining == 3 { start } else { self.choose_ear(start) };
            let (before, after) = (self.previous[ear], self.next[ear]);
            out.push([before, ear, after]);
            self.clipped[ear] = true;
            self.next[before] = after;
            self.previous[after] = before;
            self.is_ear[before] = self.test_ear(before);
            self.is_ear[after] = self.test_ear(after);
            start = after;
        }
    }

    /// The first ear from `start` on. A polygon that crosses itself may have none: then the
    /// corner with the largest left turn goes, so that the count of triangles still holds.
    fn choose_ear(&self, start: usize) -> usize {
        let mut widest = (start, f64::NEG_INFINITY);
        let mut corner = start;
        loop {
            if self.is_ear[corner] {
                return corner;
            }
            let left = self.turn_at(corner);
            if left > widest.1 {
                widest = (corner, left);
            }
            corner = self.next[corner];
            if corner == start {
                return widest.0;
            }
        }
    }

    fn turn_at(&self, corner: usize) -> f64 {
        let [a, b, c] = [self.previous[corner], corner, self.next[corner]];
        turn(self.polygon[a], self.polygon[b], self.polygon[c])
    }

    /// An ear turns left and its triangle holds no other corner that does not itself turn left.
    fn test_ear(&self, corner: usize) -> bool {
        if self.turn_at(corner) <= STRAIGHT {
            return false;
        }
        let ends = [self.previous[corner], corner, self.next[corner]];
        let [a, b, c] = ends.map(|end| self.polygon[end]);
        (0..self.polygon.len()).all(|other| {
            let p = self.polygon[other];
            self.clipped[other]
                || ends.contains(&other)
                || [a, b, c].contains(&p)
                || turn(a, b, p) < -STRAIGHT
                || turn(b, c, p) < -STRAIGHT
                || turn(c, a, p) < -STRAIGHT
                || self.turn_at(other) > STRAIGHT
        })
    }
}
