//! Which features are near (BF5) and which will collide (BF6).

use super::surface::{Pair, Parts, Surface};
use super::{ccd, distance};
use crate::math::Vec3;
use rayon::prelude::*;

/// Distances this close, relatively, are the same.
const TIE: f64 = 1e-9;

/// Sine of the slope by which an edge must come closer to count as doing so \[-\].
const SLANT: f64 = 1e-4;

/// Pairs looked at by one parallel task, at least.
const MIN_PAIRS: usize = 512;

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

/// What a look at a motion finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Pairs that are near at the start.
    pub near: Vec<Near>,
    /// Pairs that may come within the reach of the survey; all others stay farther apart.
    pub close: Vec<Pair>,
}

/// How far a survey looks.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    /// Thickness at every vertex \[m\]: zero on bodies, negative on bodies whose exact shape repels
    /// instead of their triangles. Cloth–cloth pairs take the mean of both sides, cloth–body pairs the cloth's.
    pub thickness: &'a [f64],
    /// Near is what is closer than so many times its thickness.
    pub ahead: f64,
    /// Close is what comes within this \[m\].
    pub close: f64,
}

/// All pairs that are near at `x0`, and all that come close while moving linearly to `x1`, but for bodies whose
/// exact shape repels. The surface must be refitted to that motion, with a margin of half of the farthest reach.
///
/// What lies beside a feature, and not over it, is left to the neighbour it lies over: the direction to
/// the rim of a triangle is slanted, and cloth that slides on cloth would stumble over every edge of it.
///
/// Sorted by pair: the order does not depend on how the hierarchy was built.
pub fn survey(surface: &Surface, x0: &[Vec3], x1: &[Vec3], reach: Reach, scope: &Scope) -> Survey {
    let parts = Parts { within_cloth: scope.within_cloth, ..Parts::SURVEYED };
    let mut close = surface.feature_pairs(parts, None, |pair, out| {
        let near = reach.ahead * pair_thickness(&pair, reach.thickness);
        let [start, end] = [x0, x1].map(|x| pair.vertices().map(|v| x[v as usize]));
        let may_reach = match pair {
            Pair::PointTriangle(_) => ccd::point_may_reach_triangle,
            Pair::EdgeEdge(_) => ccd::edge_may_reach_edge,
        };
        if may_reach(&start, &end, near.max(reach.close)) && !scope.skips(&pair) {
            out.push(pair);
        }
    });
    close.par_sort_unstable();
    let near = close.par_iter().with_min_len(MIN_PAIRS).filter_map(|pair| {
        let thickness = pair_thickness(pair, reach.thickness);
        let start = pair.vertices().map(|v| x0[v as usize]);
        is_near(*pair, &start, thickness, reach.ahead * thickness)
    });
    let found: Vec<Near> = near.collect();
    let same_point = |a: &Near, b: &Near| match (a.pair, b.pair) {
        (Pair::PointTriangle(a), Pair::PointTriangle(b)) => a[0] == b[0],
        _ => false,
    };
    let groups = found.chunk_by(same_point);
    let left_out = |near: &Near, group| is_beside(near, group) || is_slanted(near, surface, x0);
    let kept = groups.flat_map(|group| group.iter().filter(|near| !left_out(near, group)).copied());
    Survey { near: kept.collect(), close }
}

/// The closest points of a pair with its vertices at `x`, if they are nearer than `reach` \[m\].
fn is_near(pair: Pair, x: &[Vec3; 4], thickness: f64, reach: f64) -> Option<Near> {
    if reach <= 0.0 {
        return None;
    }
    let [a, b, c, d] = *x;
    let closest = match pair {
        Pair::PointTriangle(_) => distance::point_triangle(a, b, c, d),
        Pair::EdgeEdge(_) => distance::edge_edge(a, b, c, d),
    };
    if closest.distance_squared >= reach * reach {
        return None;
    }
    // An end of an edge is a vertex, and meets the triangles beside the other edge as one.
    let at_end = matches!(pair, Pair::EdgeEdge(_)) && closest.weights.contains(&0.0);
    let distance = closest.distance_squared.sqrt();
    (distance > 0.0 && !at_end).then(|| Near {
        pair,
        weights: closest.weights,
        normal: closest.delta / distance,
        distance,
        thickness,
    })
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

/// All pairs of some parts that come closer than their separation while moving linearly from `x0` to `x1`, if one
/// of their cloth vertices is `active`. The surface must be refitted to that motion.
///
/// The separation of a pair is `separation`, but at most half its distance at the start, so that what
/// is already close may stay close. Sorted by pair.
pub fn hits(
    surface: &Surface,
    parts: Parts,
    (x0, x1): (&[Vec3], &[Vec3]),
    separation: f64,
    active: &[bool],
    scope: &Scope,
) -> Vec<Hit> {
    let parts = Parts { within_cloth: parts.within_cloth && scope.within_cloth, ..parts };
    let mut found = surface.feature_pairs(parts, Some(active), |pair, out| {
        let is_active = pair.vertices().iter().any(|&v| active[v as usize]);
        if is_active && !scope.skips(&pair) {
            out.extend(hit(pair, x0, x1, separation));
        }
    });
    found.par_sort_unstable_by_key(|hit| hit.pair);
    found
}

/// Of these pairs all that come closer than their separation, as in [`hits`], in the same order.
pub fn hits_among(
    pairs: &[Pair],
    x0: &[Vec3],
    x1: &[Vec3],
    separation: f64,
    is_wanted: impl Fn(&[u32; 4]) -> bool + Sync,
) -> Vec<Hit> {
    let wanted = pairs.par_iter().with_min_len(MIN_PAIRS);
    let wanted = wanted.filter(|pair| is_wanted(&pair.vertices()));
    wanted.filter_map(|pair| hit(*pair, x0, x1, separation)).collect()
}

#[inline]
fn hit(pair: Pair, x0: &[Vec3], x1: &[Vec3], separation: f64) -> Option<Hit> {
    let start = pair.vertices().map(|v| x0[v as usize]);
    let end = pair.vertices().map(|v| x1[v as usize]);
    let impact = first_impact(&pair, &start, &end, separation)?;
    Some(Hit { pair, weights: impact.weights, normal: impact.normal, time: impact.time })
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
