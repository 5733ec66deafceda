//! Keeps a drawn surface out of a body: clean-up against the body's distance (beyond OS3).

use crate::math::{Vec3, try_normalize};
use crate::share::Share;

/// Most sweeps over the points of a surface. One is enough away from places where two parts of a
/// body meet.
const MOST_SWEEPS: usize = 4;
/// Most steps along one way out of a body.
const MOST_MARCHES: usize = 64;
/// Least such step as a part of the margin \[-\].
const LEAST_MARCH: f64 = 0.1;

/// What clean-up did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushedOut {
    /// Vertices moved.
    pub moved: usize,
    /// Vertices that are still inside: no way out was found.
    pub inside: usize,
}

/// What a surface keeps clear of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// Least distance of vertices \[m\].
    pub margin: f64,
    /// Least distance of the middles of triangles and sides between them \[m\].
    pub between: f64,
    /// Least radius of curvature of the body's ridges \[m\]; 0 where it has sharp edges.
    pub roundness: f64,
    /// Longest side of a triangle for which [`Clearance::reach`] is enough \[m\].
    pub side: f64,
}

impl Clearance {
    /// Distance \[m\] beyond which a triangle with sides up to [`Clearance::side`] is clear whatever lies between
    /// its corners.
    pub fn reach(&self) -> f64 {
        let needed = self.between + self.roundness;
        let reach = (needed * needed + self.side * self.side / 3.0).sqrt() - self.roundness;
        reach.max(self.margin)
    }
}

/// What is known of the vertices of a surface while it is pushed out.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// For every vertex a lower bound of its distance \[m\]; −∞ if it must be asked for.
    pub clear: Vec<f64>,
    /// When every vertex was last moved, in looks at triangles: [`UNCHANGED`], [`NEW`] or later.
    moved: Vec<u32>,
    /// Who looks.
    pub(crate) share: Share,
    /// Triangles that must be lifted if none before them moves a corner of theirs; only where threads look.
    low: Vec<bool>,
}

/// Vertices and triangles that a thread looks at at once.
const AT_ONCE: usize = 1024;

/// A vertex that has not moved since the surface was last pushed out.
const UNCHANGED: u32 = 0;
/// A vertex that nobody has moved yet.
const NEW: u32 = 1;
/// A vertex that was moved before triangles were looked at.
const LIFTED: u32 = 2;

impl Known {
    /// Nothing is known of `count` vertices.
    pub fn new(count: usize) -> Self {
        let clear = vec![f64::NEG_INFINITY; count];
        Self { clear, moved: vec![NEW; count], share: Share::Alone, low: Vec::new() }
    }

    /// Begins anew: everything must be looked at.
    pub fn begin(&mut self) {
        self.moved.fill(NEW);
    }

    /// Goes on with a surface that was pushed out before: vertex `v` is where it was, and what is known of it
    /// holds, if it `stays`.
    pub fn go_on(&mut self, stays: impl Fn(usize) -> bool) {
        for (v, moved) in self.moved.iter_mut().enumerate() {
            *moved = if stays(v) { UNCHANGED } else { NEW };
        }
    }

    /// The bounds, and whether a vertex is not one that stays.
    pub(crate) fn bounds(&mut self) -> (&mut [f64], impl Fn(usize) -> bool + Sync) {
        let moved = &self.moved;
        (&mut self.clear, |v| moved[v] != UNCHANGED)
    }

    /// Whether triangle `t` needs a look in a `sweep` over `count` of them: in the first if it is new, later if
    /// a corner was moved since it was looked at.
    #[inline]
    fn is_due(&self, t: [u32; 3], [sweep, number, count]: [usize; 3]) -> bool {
        let last = if sweep == 0 { NEW } else { time([sweep - 1, number, count]) };
        t.into_iter().any(|v| self.moved[v as usize] >= last)
    }
}

impl Known {
    /// Looks at all triangles as they are before the first sweep, where threads share the work.
    fn look_ahead(
        &mut self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        clearance: Clearance,
        distance: &(impl Fn(Asked, Vec3) -> (f64, Vec3) + Sync),
    ) {
        let mut low = std::mem::take(&mut self.low);
        low.clear();
        if self.share == Share::Pool {
            low.resize(triangles.len(), false);
            let (known, count) = (&*self, triangles.len());
            self.share.each(low.as_mut_slice(), AT_ONCE, |first, low| {
                for (i, low) in low.iter_mut().enumerate() {
                    let t = triangles[first + i];
                    *low = known.is_due(t, [0, first + i, count])
                        && deepest_sample(positions, t, clearance, known, distance).is_some();
                }
            });
        }
        self.low = low;
    }

    /// Whether a triangle was found high enough, and no corner of it has moved since.
    #[inline]
    fn stays_high(&self, t: [u32; 3], number: usize) -> bool {
        self.low.get(number) == Some(&false)
            && t.into_iter().all(|v| self.moved[v as usize] <= LIFTED)
    }
}

/// Positions of vertices, lower bounds of their distances, and when they moved.
type Vertices<'a> = (&'a mut [Vec3], (&'a mut [f64], &'a mut [u32]));

/// Lifts all vertices of which nothing is known to the margin; how many.
fn lift_unknown(
    positions: &mut [Vec3],
    margin: f64,
    known: &mut Known,
    distance: &(impl Fn(Asked, Vec3) -> (f64, Vec3) + Sync),
) -> usize {
    let Known { clear, moved, share, .. } = known;
    let work = |first: usize, (positions, (clear, moved)): Vertices| {
        let mut lifted = 0;
        for (i, (p, (clear, moved))) in
            positions.iter_mut().zip(clear.iter_mut().zip(moved)).enumerate()
        {
            if *clear != f64::NEG_INFINITY {
                continue;
            }
            let start = *p;
            *clear = lift(p, margin, first + i, true, distance);
            if *clear < 0.0 {
                // Pinched: it is seen to in the end, from where it belongs.
                *p = start;
            } else if *p != start {
                *moved = LIFTED;
                lifted += 1;
            }
        }
        lifted
    };
    let rows = (positions, (clear.as_mut_slice(), moved.as_mut_slice()));
    share.sum(rows, AT_ONCE, work, |a, b| a + b)
}

/// When triangle `number` of `count` is looked at in a `sweep`.
fn time([sweep, number, count]: [usize; 3]) -> u32 {
    LIFTED + 1 + (sweep * count + number) as u32
}

/// Where a distance is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Between these vertices, none of which has moved yet, nor is farther than the [`Clearance::side`] from
    /// the others.
    Between([usize; 3]),
    /// Near these vertices.
    Near([usize; 3]),
    /// Anywhere.
    Anywhere,
}

/// Moves vertices until they, and the middles of triangles and sides between them, are as far outside as
/// the clearance asks. A vertex that is pushed from one part of a body into another and back goes the shortest
/// way out of both.
///
/// `distance(asked, p)` is the signed distance \[m\] of the body from `p` and its outward unit normal; it should
/// be infinite beyond [`Clearance::reach`], where nobody needs it.
pub fn push_out(
    positions: &mut [Vec3],
    triangles: &[[u32; 3]],
    clearance: Clearance,
    known: &mut Known,
    distance: impl Fn(Asked, Vec3) -> (f64, Vec3) + Sync,
) -> PushedOut {
    let margin = clearance.margin;
    let moved = lift_unknown(positions, margin, known, &distance);
    let mut done = PushedOut { moved, inside: 0 };
    known.look_ahead(positions, triangles, clearance, &distance);
    for sweep in 0..MOST_SWEEPS {
        let mut lifted = 0;
        for (number, t) in triangles.iter().enumerate() {
            let when = [sweep, number, triangles.len()];
            if !(sweep == 0 && known.stays_high(*t, number))
                && known.is_due(*t, when)
                && lift_triangle(positions, *t, clearance, known, (time(when), &distance))
            {
                lifted += 1;
            }
        }
        done.moved += lifted;
        if lifted == 0 {
            break;
        }
    }
    // Lifted triangles may have met another part; vertices have the last word.
    for (v, (p, clear)) in positions.iter_mut().zip(&mut known.clear).enumerate() {
        if *clear < margin {
            let start = *p;
            *clear = lift(p, margin, v, false, &distance);
            if *clear < 0.0 {
                *p = start;
                *clear = escape(p, margin, &|p| distance(Asked::Anywhere, p));
            }
            done.inside += usize::from(*clear < 0.0);
        }
    }
    done
}

/// Whether a triangle whose corners are `nearest` \[m\] from a body, and whose longest side squared is
/// `longest_squared` \[m²\], is everywhere at least `margin` \[m\] from it.
///
/// A body with round ridges is all that lies within their radius `r` of some core. Squared distance `g²`
/// from any set is a minimum of paraboloids `|p − y|²`, so `g²(p) ≥ Σ wᵢ gᵢ² − Σ wᵢ |p − pᵢ|²` inside a
/// triangle, and the last sum is at most a third of the longest side squared.
pub(crate) fn stays_clear(nearest: f64, longest_squared: f64, margin: f64, roundness: f64) -> bool {
    let (corner, needed) = (nearest + roundness, margin + roundness);
    corner > 0.0 && corner * corner - longest_squared / 3.0 > needed * needed
}

/// Distance \[m\] from which on [`stays_clear`] says so, about.
pub(crate) fn clear_from(longest_squared: f64, margin: f64, roundness: f64) -> f64 {
    if roundness == f64::INFINITY {
        return margin;
    }
    let needed = margin + roundness;
    (needed * needed + longest_squared / 3.0).sqrt() - roundness
}

/// Where triangles are looked at between their corners: the middles of the sides and of the whole.
const SAMPLES: [[f64; 3]; 4] =
    [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]];

/// Lower bound \[m\] of the distance at a point of a triangle from those of its corners: the inequality of
/// [`stays_clear`], with `Σ wᵢ |p − pᵢ|² = Σ wᵢ wⱼ |pᵢ − pⱼ|²` over the three sides.
fn clear_at(w: [f64; 3], corners: [f64; 3], [a, b, c]: [Vec3; 3], roundness: f64) -> f64 {
    let g = corners.map(|clear| (clear + roundness).max(0.0));
    let level = w[0] * g[0] * g[0] + w[1] * g[1] * g[1] + w[2] * g[2] * g[2];
    let spread = w[0] * w[1] * a.distance_squared(b)
        + w[1] * w[2] * b.distance_squared(c)
        + w[2] * w[0] * c.distance_squared(a);
    (level - spread).max(0.0).sqrt() - roundness
}

/// Lifts vertex `v` to the margin; its distance in the end \[m\]. `still`: it has not moved yet.
fn lift(
    p: &mut Vec3,
    margin: f64,
    v: usize,
    still: bool,
    distance: &impl Fn(Asked, Vec3) -> (f64, Vec3),
) -> f64 {
    let first = if still { Asked::Between([v; 3]) } else { Asked::Near([v; 3]) };
    let (mut depth, mut normal) = distance(first, *p);
    for _ in 0..MOST_SWEEPS {
        if depth >= margin {
            break;
        }
        *p += normal * (margin - depth);
        (depth, normal) = distance(Asked::Near([v; 3]), *p);
        // Rounding must not ask for another sweep.
        depth += 1e-9 * margin;
    }
    depth
}

/// Takes a point that is inside several parts of a body the shortest way out of all, of 26 directions; its
/// distance in the end \[m\].
///
/// Within the distance of a point inside there is nothing outside, so steps of that length pass nothing by.
fn escape(p: &mut Vec3, margin: f64, distance: &impl Fn(Vec3) -> (f64, Vec3)) -> f64 {
    let start = *p;
    let (mut shortest, mut end) = (f64::INFINITY, distance(start).0);
    for n in 0..27_i32 {
        let axis = Vec3::new(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) - Vec3::ONE;
        let Some(direction) = try_normalize(axis) else { continue };
        let mut way = 0.0;
        for _ in 0..MOST_MARCHES {
            let depth = distance(start + direction * way).0;
            if depth >= margin {
                (shortest, end) = (way, depth);
                *p = start + direction * way;
                break;
            }
            way += (margin - depth).max(LEAST_MARCH * margin);
            if way >= shortest {
                break;
            }
        }
    }
    end
}

/// Lifts a triangle by its deepest sample, at this time; whether it had to.
fn lift_triangle(
    positions: &mut [Vec3],
    t: [u32; 3],
    clearance: Clearance,
    known: &mut Known,
    (now, distance): (u32, &impl Fn(Asked, Vec3) -> (f64, Vec3)),
) -> bool {
    let Some(way) = deepest_sample(positions, t, clearance, known, distance) else { return false };
    for v in t.map(|v| v as usize) {
        positions[v] += way;
        known.clear[v] = distance(Asked::Near([v; 3]), positions[v]).0;
        known.moved[v] = now;
    }
    true
}

/// How a triangle must be lifted for its deepest sample \[m\]; `None` if none is too deep.
#[inline(always)]
#[expect(clippy::inline_always, reason = "most triangles are clear, which costs less than a call")]
fn deepest_sample(
    positions: &[Vec3],
    t: [u32; 3],
    Clearance { between: margin, roundness, side, .. }: Clearance,
    known: &Known,
    distance: &impl Fn(Asked, Vec3) -> (f64, Vec3),
) -> Option<Vec3> {
    let index = t.map(|v| v as usize);
    let own = index.map(|v| known.clear[v]);
    let nearest = own[0].min(own[1]).min(own[2]);
    if nearest == f64::INFINITY {
        return None;
    }
    let [a, b, c] = [positions[index[0]], positions[index[1]], positions[index[2]]];
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    if stays_clear(nearest, longest, margin, roundness) {
        return None;
    }
    let still = longest <= side * side && index.iter().all(|&v| known.moved[v] <= NEW);
    let asked = if still { Asked::Between(index) } else { Asked::Near(index) };
    let mut deepest = (margin, Vec3::ZERO);
    for weights in SAMPLES {
        if clear_at(weights, own, [a, b, c], roundness) > margin {
            continue;
        }
        let found = distance(asked, a * weights[0] + b * weights[1] + c * weights[2]);
        if found.0 < deepest.0 {
            deepest = found;
        }
    }
    let missing = margin - deepest.0;
    (missing > 1e-9 * margin).then(|| deepest.1 * missing)
}

#[cfg(test)]
mod tests;
