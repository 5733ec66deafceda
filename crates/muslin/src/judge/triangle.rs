//! Exact intersection of two triangles at rest.

use crate::math::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

type Triangle = [Vec3; 3];

/// Whether two closed triangles have a point in common.
///
/// They do if and only if an edge of one meets the other.
pub fn intersect(a: &Triangle, b: &Triangle) -> bool {
    !on_one_side(a, b)
        && !on_one_side(b, a)
        && (edges(a).into_iter().any(|edge| segment_meets_triangle(edge, b))
            || edges(b).into_iter().any(|edge| segment_meets_triangle(edge, a)))
}

/// Whether triangles with the same first vertex have another point in common.
///
/// The segment from the vertex to such a point goes on, within both triangles, until it leaves
/// one of them through the edge opposite to the vertex.
pub fn intersect_beyond_first_vertex(a: &Triangle, b: &Triangle) -> bool {
    !part_at_first_vertex(a, b) && !part_at_first_vertex(b, a) && meet_beyond_first_vertex(a, b)
}

/// Whether a plane through the first vertex that two triangles share has the rest of `a` strictly on one side of it, and of
/// `b` nothing there and some vertex strictly on the other: then they have no other point in common, and no side runs through
/// the vertex. Looks only at planes that need few signs: across an axis, and along an axis through a side of `b`.
fn part_at_first_vertex(a: &Triangle, b: &Triangle) -> bool {
    let across = |axis: usize| {
        let at = a[0][axis];
        let ends = |t: &Triangle| (t[1][axis].min(t[2][axis]), t[1][axis].max(t[2][axis]));
        let ((a_least, a_most), (b_least, b_most)) = (ends(a), ends(b));
        (a_least > at && b_most <= at && b_least < at)
            || (a_most < at && b_least >= at && b_most > at)
    };
    let along = |axis: usize, [from, other]: [Vec3; 2]| {
        let first = area(axis, b[0], from, a[1]);
        first != 0
            && area(axis, b[0], from, a[2]) == first
            && area(axis, b[0], from, other) == -first
    };
    AXES.into_iter().any(across)
        || AXES.into_iter().any(|axis| along(axis, [b[1], b[2]]) || along(axis, [b[2], b[1]]))
}

fn meet_beyond_first_vertex(a: &Triangle, b: &Triangle) -> bool {
    segment_meets_triangle([a[1], a[2]], b) || segment_meets_triangle([b[1], b[2]], a)
}

/// Whether the triangles `v w p` and `v w q` overlap beyond their common edge: coplanar, with `p`
/// and `q` on the same side of it.
pub fn folded_flat(vwp: &Triangle, q: Vec3) -> bool {
    let &[v, w, p] = vwp;
    let same_side = |axis: usize| area(axis, v, w, p) * area(axis, v, w, q) > 0;
    AXES.into_iter().any(same_side) && side(vwp, q) == 0
}

/// Whether a triangle has no area.
pub fn is_degenerate(t: &Triangle) -> bool {
    projection_axis(t).is_none()
}

const AXES: [usize; 3] = [0, 1, 2];

/// Sign of the volume spanned by a triangle and a point: on which side of its plane the point is.
fn side(&[a, b, c]: &Triangle, p: Vec3) -> i32 {
    let coord = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    sign(orient3d(coord(a), coord(b), coord(c), coord(p)))
}

/// Sign of the area of `a b c` as seen along an axis.
fn area(axis: usize, a: Vec3, b: Vec3, c: Vec3) -> i32 {
    let coord = |v: Vec3| Coord { x: v[(axis + 1) % 3], y: v[(axis + 2) % 3] };
    sign(orient2d(coord(a), coord(b), coord(c)))
}

fn sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

fn edges(&[a, b, c]: &Triangle) -> [[Vec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// An axis along which the triangle is seen with some area.
fn projection_axis(&[a, b, c]: &Triangle) -> Option<usize> {
    AXES.into_iter().find(|&axis| area(axis, a, b, c) != 0)
}

/// Whether all of `other` lies strictly on one side of the plane of `t`.
fn on_one_side(t: &Triangle, other: &Triangle) -> bool {
    let first = side(t, other[0]);
    first != 0 && side(t, other[1]) == first && side(t, other[2]) == first
}

/// Whether a closed segment and a closed triangle have a point in common.
fn segment_meets_triangle([p, q]: [Vec3; 2], t: &Triangle) -> bool {
    let (side_p, side_q) = (side(t, p), side(t, q));
    if side_p * side_q > 0 {
        return false;
    }
    if side_p == 0 && side_q == 0 {
        let inside = projection_axis(t).is_some_and(|axis| contains_seen_along(axis, t, p));
        return inside || edges(t).into_iter().any(|edge| segments_meet([p, q], edge));
    }
    // The line pq crosses the plane once: inside if it passes all edges on the same side.
    let turns = edges(t).map(|[a, b]| side(&[p, q, a], b));
    !(turns.contains(&1) && turns.contains(&-1))
}

/// Whether a point in the plane of a triangle lies in it, seen along an axis that shows its area.
fn contains_seen_along(axis: usize, t: &Triangle, p: Vec3) -> bool {
    let turns = edges(t).map(|[a, b]| area(axis, a, b, p));
    !(turns.contains(&1) && turns.contains(&-1))
}

/// Whether two closed segments have a point in common.
fn segments_meet([p, q]: [Vec3; 2], [a, b]: [Vec3; 2]) -> bool {
    if side(&[p, q, a], b) != 0 {
        return false;
    }
    let cross_seen_along = |axis: usize| {
        area(axis, p, q, a) * area(axis, p, q, b) < 0
            && area(axis, a, b, p) * area(axis, a, b, q) < 0
    };
    on_segment(p, a, b)
        || on_segment(q, a, b)
        || on_segment(a, p, q)
        || on_segment(b, p, q)
        || AXES.into_iter().any(cross_seen_along)
}

/// Whether `p` lies on the closed segment `a b`.
fn on_segment(p: Vec3, a: Vec3, b: Vec3) -> bool {
    let within = p.cmpge(a.min(b)).all() && p.cmple(a.max(b)).all();
    within && AXES.into_iter().all(|axis| area(axis, a, b, p) == 0)
}
