//! Keeps a drawn surface out of a body: clean-up against the body's distance (beyond OS3).

use crate::math::Vec3;

/// Most sweeps over the points of a surface. One is enough away from places where two parts of a
/// body meet.
const MOST_SWEEPS: usize = 4;

/// What clean-up did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushedOut {
    /// Vertices moved.
    pub moved: usize,
    /// Vertices that are still inside: pinched between parts of the body.
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
}

impl Clearance {
    /// Distance \[m\] beyond which a triangle with sides up to `side` \[m\] is clear whatever lies between
    /// its corners.
    pub fn reach(&self, side: f64) -> f64 {
        let needed = self.between + self.roundness;
        let reach = (needed * needed + side * side / 3.0).sqrt() - self.roundness;
        reach.max(self.margin)
    }
}

/// Moves vertices until they, and the middles of triangles and sides between them, are as far outside as
/// the clearance asks.
///
/// `distance(corners, p)` is the signed distance \[m\] of the body from a point between these vertices and its
/// outward unit normal; it should be
/// infinite beyond [`Clearance::reach`], where nobody needs it. `known` has for every vertex a lower bound
/// of its distance \[m\] if that is beyond the reach, else −∞; it is used up.
pub fn push_out(
    positions: &mut [Vec3],
    triangles: &[[u32; 3]],
    clearance: Clearance,
    known: &mut [f64],
    distance: impl Fn([usize; 3], Vec3) -> (f64, Vec3),
) -> PushedOut {
    let margin = clearance.margin;
    let mut done = PushedOut::default();
    for (v, (p, clear)) in positions.iter_mut().zip(known.iter_mut()).enumerate() {
        if *clear == f64::NEG_INFINITY {
            let start = *p;
            *clear = lift(p, margin, &|p| distance([v; 3], p));
            done.moved += usize::from(*p != start);
        }
    }
    for _ in 0..MOST_SWEEPS {
        let mut lifted = 0;
        for t in triangles {
            lifted += usize::from(lift_triangle(positions, *t, clearance, known, &distance));
        }
        done.moved += lifted;
        if lifted == 0 {
            break;
        }
    }
    // Lifted triangles may have met another part; vertices have the last word.
    if done.moved > 0 {
        for (v, (p, clear)) in positions.iter_mut().zip(known.iter_mut()).enumerate() {
            if *clear < margin {
                *clear = lift(p, margin, &|p| distance([v; 3], p));
                done.inside += usize::from(*clear < 0.0);
            }
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

/// Lifts one point to the margin; its distance in the end \[m\].
fn lift(p: &mut Vec3, margin: f64, distance: &impl Fn(Vec3) -> (f64, Vec3)) -> f64 {
    let (mut depth, mut normal) = distance(*p);
    for _ in 0..MOST_SWEEPS {
        if depth >= margin {
            break;
        }
        *p += normal * (margin - depth);
        (depth, normal) = distance(*p);
        // Rounding must not ask for another sweep.
        depth += 1e-9 * margin;
    }
    depth
}

/// Lifts a triangle by its deepest sample; whether it had to.
fn lift_triangle(
    positions: &mut [Vec3],
    t: [u32; 3],
    Clearance { between: margin, roundness, .. }: Clearance,
    clear: &mut [f64],
    distance: &impl Fn([usize; 3], Vec3) -> (f64, Vec3),
) -> bool {
    let index = t.map(|v| v as usize);
    let own = [clear[index[0]], clear[index[1]], clear[index[2]]];
    let nearest = own[0].min(own[1]).min(own[2]);
    if nearest == f64::INFINITY {
        return false;
    }
    let [a, b, c] = [positions[index[0]], positions[index[1]], positions[index[2]]];
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    if stays_clear(nearest, longest, margin, roundness) {
        return false;
    }
    let mut deepest = (margin, Vec3::ZERO);
    for weights in SAMPLES {
        if clear_at(weights, own, [a, b, c], roundness) > margin {
            continue;
        }
        let found = distance(index, a * weights[0] + b * weights[1] + c * weights[2]);
        if found.0 < deepest.0 {
            deepest = found;
        }
    }
    let missing = margin - deepest.0;
    if missing <= 1e-9 * margin {
        return false;
    }
    for v in index {
        positions[v] += deepest.1 * missing;
        clear[v] = distance([v; 3], positions[v]).0;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::try_normalize;
    use crate::mesh::{Diagonals, Sheet};

    /// A flat sheet through a ball: afterwards every point of every triangle is outside.
    #[test]
    fn a_sheet_through_a_ball_is_lifted_off() {
        let Sheet { positions, mesh } =
            Sheet::grid([1.0, 1.0], [25, 25], Diagonals::Alternating).unwrap();
        let (centre, radius) = (Vec3::new(0.02, 0.01, -0.1), 0.2);
        let ball = |p: Vec3| {
            let r = p - centre;
            (r.length() - radius, try_normalize(r).unwrap_or(Vec3::Z))
        };
        let mut x = positions.clone();
        let mut known = vec![f64::NEG_INFINITY; x.len()];
        let keep = Clearance { margin: 0.004, between: 0.004, roundness: radius };
        let done = push_out(&mut x, mesh.triangles(), keep, &mut known, |_, p| ball(p));
        assert!(done.moved > 30 && done.inside == 0, "{done:?}");
        for t in mesh.triangles() {
            let [a, b, c] = t.map(|v| x[v as usize]);
            for i in 0..=8 {
                for j in 0..=8 - i {
                    let (u, v) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
                    let p = a * (1.0 - u - v) + b * u + c * v;
                    assert!(ball(p).0 > 0.0, "{p} is {} inside", -ball(p).0);
                }
            }
        }
        // What was clear of the ball stays where it was.
        for (before, after) in positions.iter().zip(&x) {
            assert!(ball(*before).0 < 0.06 || before == after);
        }
    }

    #[test]
    fn two_balls_push_one_after_the_other() {
        let balls = [Vec3::X * 0.15, -Vec3::X * 0.15];
        let distance = |p: Vec3| {
            let near = if p.x > 0.0 { balls[0] } else { balls[1] };
            (p.distance(near) - 0.2, try_normalize(p - near).unwrap_or(Vec3::Z))
        };
        let mut x =
            [Vec3::new(0.02, 0.0, 0.05), Vec3::new(-0.3, 0.0, 0.1), Vec3::new(0.0, 0.9, 0.0)];
        let keep = Clearance { margin: 0.002, between: 0.002, roundness: 0.0 };
        push_out(&mut x, &[[0, 1, 2]], keep, &mut [f64::NEG_INFINITY; 3], |_, p| distance(p));
        assert!(x.iter().all(|p| distance(*p).0 > 0.0019), "{x:?}");
    }
}
