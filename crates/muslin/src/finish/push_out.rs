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

/// Moves vertices until they, and the middles of triangles and sides between them, are at least
/// `margin` \[m\] outside.
///
/// `distance(p)` is the signed distance \[m\] of the body and its outward unit normal; it may be any
/// value above the longest side of the triangles where the body is farther than that. `clearance` is
/// scratch, one per vertex.
pub fn push_out(
    positions: &mut [Vec3],
    triangles: &[[u32; 3]],
    margin: f64,
    clearance: &mut [f64],
    distance: impl Fn(Vec3) -> (f64, Vec3),
) -> PushedOut {
    let mut done = PushedOut::default();
    for (p, clear) in positions.iter_mut().zip(clearance.iter_mut()) {
        let start = *p;
        *clear = lift(p, margin, &distance);
        done.moved += usize::from(*p != start);
    }
    for _ in 0..MOST_SWEEPS {
        let mut lifted = 0;
        for t in triangles {
            lifted += usize::from(lift_triangle(positions, *t, margin, clearance, &distance));
        }
        done.moved += lifted;
        if lifted == 0 {
            break;
        }
    }
    // Lifted triangles may have met another part; vertices have the last word.
    if done.moved > 0 {
        for (p, clear) in positions.iter_mut().zip(clearance.iter_mut()) {
            if *clear <= 2.0 * margin {
                *clear = lift(p, margin, &distance);
                done.inside += usize::from(*clear < 0.0);
            }
        }
    }
    done
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
    margin: f64,
    clearance: &mut [f64],
    distance: &impl Fn(Vec3) -> (f64, Vec3),
) -> bool {
    let index = t.map(|v| v as usize);
    let [a, b, c] = index.map(|v| positions[v]);
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    let near = clearance[index[0]].min(clearance[index[1]]).min(clearance[index[2]]);
    // No sample is farther than 2/3 of the longest side from every vertex, and distance falls by at
    // most the way gone.
    if near > margin && (near - margin) * (near - margin) > 4.0 / 9.0 * longest {
        return false;
    }
    let mut deepest = (margin, Vec3::ZERO);
    let samples = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0];
    for sample in samples {
        let found = distance(sample);
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
        clearance[v] = distance(positions[v]).0;
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
        let mut clearance = vec![0.0; x.len()];
        let done = push_out(&mut x, mesh.triangles(), 0.004, &mut clearance, ball);
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
        push_out(&mut x, &[[0, 1, 2]], 0.002, &mut [0.0; 3], distance);
        assert!(x.iter().all(|p| distance(*p).0 > 0.0019), "{x:?}");
    }
}
