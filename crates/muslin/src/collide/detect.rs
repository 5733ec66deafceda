//! Which features are near (BF5) and which will collide (BF6).

use super::surface::{Pair, Surface};
use super::{ccd, distance};
use crate::math::Vec3;
use rayon::prelude::*;

/// Distances this close, relatively, are the same.
const TIE: f64 = 1e-9;

/// Sine of the slope by which an edge must come closer to count as doing so \[-\].
const SLANT: f64 = 0.02;

/// Two features near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Which features.
    pub pair: Pair,
    /// Weights of the closest points, summing to zero.
    pub weights: [f64; 4],
    /// Unit vector from the second feature to the first.
    pub normal: Vec3,
    /// Distance \[m\].
    pub distance: f64,
    /// Thickness of the pair \[m\].
    pub thickness: f64,
}

/// Two features that come too close during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Which features.
    pub pair: Pair,
    /// Weights at the impact, summing to zero.
    pub weights: [f64; 4],
    /// Unit vector from the second feature to the first.
    pub normal: Vec3,
    /// When, as a fraction of the step.
    pub time: f64,
}

/// What a detection looks at.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Whether cloth is checked against cloth.
    pub within_cloth: bool,
    /// Pairs left out, sorted: tangled ones (R1).
    pub excluded: &'a [Pair],
    /// For every cloth vertex whether bodies are nothing to it (R1); empty if there is none such.
    pub pinched: &'a [bool],
    /// Where seams are being closed (BW15): vertices with the same number will be one. Features that will
    /// share a vertex do not collide, as if they shared it already. Empty where there are none.
    pub sewn: &'a [u32],
}

impl Scope<'_> {
    fn skips(&self, pair: &Pair) -> bool {
        let tangled = !self.excluded.is_empty() && self.excluded.binary_search(pair).is_ok();
        tangled
            || (!self.pinched.is_empty() && self.is_pinched(pair))
            || (!self.sewn.is_empty() && self.will_touch(pair))
    }

    fn is_pinched(&self, pair: &Pair) -> bool {
        let vertices = pair.vertices();
        let pinched = |v: &u32| self.pinched.get(*v as usize) == Some(&true);
        let on_body = vertices.iter().any(|&v| v as usize >= self.pinched.len());
        on_body && vertices.iter().any(pinched)
    }

    /// Whether the features of a pair will share a vertex once seams are welded.
    fn will_touch(&self, pair: &Pair) -> bool {
        let [a, b, c, d] = pair.vertices().map(|v| self.sewn.get(v as usize));
        let same = |p: Option<&u32>, q: Option<&u32>| p.is_some() && p == q;
        match pair {
            Pair::PointTriangle(_) => same(a, b) || same(a, c) || same(a, d),
            Pair::EdgeEdge(_) => same(a, c) || same(a, d) || same(b, c) || same(b, d),
        }
    }
}

/// All pairs closer than `ahead` times their thickness at positions `x`. The surface must be refitted to `x`
/// with a margin of half of that, for the largest thickness.
///
/// `thickness[i]` is the thickness at vertex `i` \[m\], zero on bodies, negative on bodies whose exact
/// shape repels instead of their triangles; balls are not looked at. Cloth–cloth pairs take the mean of both sides, cloth–body
/// pairs the cloth's.
///
/// What lies beside a feature, and not over it, is left to the neighbour it lies over: the direction to
/// the rim of a triangle is slanted, and cloth that slides on cloth would stumble over every edge of it.
///
/// Sorted by pair: the order does not depend on how the hierarchy was built.
pub fn near(
    surface: &Surface,
    x: &[Vec3],
    thickness: &[f64],
    ahead: f64,
    scope: &Scope,
) -> Vec<Near> {
    let mut found = surface.feature_pairs(scope.within_cloth, false, |pair, out| {
        let together = pair_thickness(&pair, thickness);
        let reach = ahead * together;
        if reach <= 0.0 || scope.skips(&pair) {
            return;
        }
        let [a, b, c, d] = pair.vertices().map(|v| x[v as usize]);
        let closest = match pair {
            Pair::PointTriangle(_) => distance::point_triangle(a, b, c, d),
            Pair::EdgeEdge(_) => distance::edge_edge(a, b, c, d),
        };
        if closest.distance_squared >= reach * reach {
            return;
        }
        // An end of an edge is a vertex, and meets the triangles beside the other edge as one.
        let at_end = matches!(pair, Pair::EdgeEdge(_)) && closest.weights.contains(&0.0);
        let length = closest.distance_squared.sqrt();
        if length > 0.0 && !at_end {
            out.push(Near {
                pair,
                weights: closest.weights,
                normal: closest.delta / length,
                distance: length,
                thickness: together,
            });
        }
    });
    found.par_sort_unstable_by_key(|near| near.pair);
    let same_point = |a: &Near, b: &Near| match (a.pair, b.pair) {
        (Pair::PointTriangle(a), Pair::PointTriangle(b)) => a[0] == b[0],
        _ => false,
    };
    let groups = found.chunk_by(same_point);
    let left_out = |near: &Near, group| is_beside(near, group) || is_slanted(near, surface, x);
    groups.flat_map(|group| group.iter().filter(|near| !left_out(near, group)).copied()).collect()
}

/// Whether a vertex beside a rim is not the point of its own surface that is nearest to the rim, but an edge
/// of it comes closer: that edge meets the rim, along the normal of that surface. The direction to the vertex is
/// slanted, and a rim that slides on flat cloth would stumble over every vertex of it.
fn is_slanted(near: &Near, surface: &Surface, x: &[Vec3]) -> bool {
    let Pair::PointTriangle([vertex, ..]) = near.pair else { return false };
    let at = x[vertex as usize];
    let comes_closer = |&v: &u32| {
        let along = x[v as usize] - at;
        along.dot(near.normal) < -SLANT * along.length()
    };
    near.weights.contains(&0.0) && surface.neighbours(vertex).iter().any(comes_closer)
}

/// Whether a vertex is nearest to the rim of its triangle, and nearer to a triangle beside that one.
fn is_beside(near: &Near, group: &[Near]) -> bool {
    let [_, corners @ ..] = near.pair.vertices();
    let closer = |other: &Near| {
        let [_, others @ ..] = other.pair.vertices();
        other.distance < near.distance * (1.0 - TIE) && others.iter().any(|v| corners.contains(v))
    };
    near.weights.contains(&0.0) && group.iter().any(closer)
}

/// Thickness at which the features of a pair push each other apart \[m\].
#[inline]
fn pair_thickness(pair: &Pair, thickness: &[f64]) -> f64 {
    let [a, b, c, d] = pair.vertices().map(|v| thickness[v as usize]);
    let (first, second) = match pair {
        Pair::PointTriangle(_) => (a, b.min(c).min(d)),
        Pair::EdgeEdge(_) => (a.min(b), c.min(d)),
    };
    if first < 0.0 || second < 0.0 {
        0.0
    } else if first == 0.0 || second == 0.0 {
        first.max(second)
    } else {
        0.5 * (first + second)
    }
}

/// All pairs that come closer than their separation while moving linearly from `x0` to `x1`, if one
/// of their vertices is `active`. The surface must be refitted to that motion.
///
/// The separation of a pair is `separation`, but at most half its distance at the start, so that what
/// is already close may stay close. Sorted by pair.
pub fn hits(
    surface: &Surface,
    x0: &[Vec3],
    x1: &[Vec3],
    separation: f64,
    active: &[bool],
    scope: &Scope,
) -> Vec<Hit> {
    let mut found = surface.feature_pairs(scope.within_cloth, true, |pair, out| {
        let vertices = pair.vertices();
        if !vertices.iter().any(|&v| active[v as usize]) {
            return;
        }
        if scope.skips(&pair) {
            return;
        }
        let start = vertices.map(|v| x0[v as usize]);
        let end = vertices.map(|v| x1[v as usize]);
        if let Some(impact) = first_impact(&pair, &start, &end, separation) {
            out.push(Hit {
                pair,
                weights: impact.weights,
                normal: impact.normal,
                time: impact.time,
            });
        }
    });
    found.par_sort_unstable_by_key(|hit| hit.pair);
    found
}

fn first_impact(
    pair: &Pair,
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    separation: f64,
) -> Option<ccd::Impact> {
    let query = match pair {
        Pair::PointTriangle(_) => ccd::point_triangle,
        Pair::EdgeEdge(_) => ccd::edge_edge,
    };
    let impact = query(start, end, separation)?;
    if impact.time > 0.0 {
        return Some(impact);
    }
    let [a, b, c, d] = *start;
    let closest = match pair {
        Pair::PointTriangle(_) => distance::point_triangle(a, b, c, d),
        Pair::EdgeEdge(_) => distance::edge_edge(a, b, c, d),
    };
    let distance = closest.distance_squared.sqrt();
    if distance > 2.0 * separation { Some(impact) } else { query(start, end, 0.5 * distance) }
}
