//! Moving vertices so that triangles become round.

use super::quality::least_angle;
use crate::cdt::Cdt;
use muslin::math::Vec2;

/// Vertices whose smallest angle is below this are moved to widen it \[rad\] (35°).
const WANTED_ANGLE: f64 = 0.61;
/// Directions tried.
const DIRECTIONS: usize = 12;

/// Triangles around each vertex.
struct Rings {
    starts: Vec<u32>,
    /// The other two corners of each triangle around a vertex, counter-clockwise.
    others: Vec<[u32; 2]>,
}

impl Rings {
    fn new(cdt: &Cdt) -> Self {
        let count = cdt.vertex_count();
        let mut starts = vec![0_u32; count + 1];
        for triangle in cdt.inside() {
            for v in triangle {
                starts[v as usize + 1] += 1;
            }
        }
        for v in 0..count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut others = vec![[0; 2]; starts[count] as usize];
        for [a, b, c] in cdt.inside() {
            for (v, rest) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                others[next[v as usize] as usize] = rest;
                next[v as usize] += 1;
            }
        }
        Self { starts, others }
    }

    fn of(&self, v: usize) -> &[[u32; 2]] {
        &self.others[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

fn worst(cdt: &Cdt, ring: &[[u32; 2]], at: Vec2) -> f64 {
    ring.iter()
        .map(|&[b, c]| least_angle([at, cdt.point(b), cdt.point(c)]))
        .fold(f64::INFINITY, f64::min)
}

/// Moves every free vertex towards the area-weighted mean of its triangles' circumcentres (the
/// optimal Delaunay triangulation of Chen & Xu 2004), as far as its angles do not suffer.
pub(super) fn smooth(cdt: &mut Cdt, given: usize, rounds: usize) {
    for _ in 0..rounds {
        let rings = Rings::new(cdt);
        for v in given..cdt.vertex_count() {
            let ring = rings.of(v);
            let at = cdt.point(v as u32);
            let Some(target) = target(cdt, ring, at) else { continue };
            let before = worst(cdt, ring, at);
            for part in [1.0, 0.5, 0.25] {
                let moved = at.lerp(target, part);
                let after = worst(cdt, ring, moved);
                if after > 0.0 && (after >= before || after > WANTED_ANGLE) {
                    cdt.set_point(v as u32, moved);
                    break;
                }
            }
        }
        cdt.restore();
    }
}

fn target(cdt: &Cdt, ring: &[[u32; 2]], at: Vec2) -> Option<Vec2> {
    let (mut sum, mut weight) = (Vec2::ZERO, 0.0);
    for &[b, c] in ring {
        let (u, v) = (cdt.point(b) - at, cdt.point(c) - at);
        let twice_area = u.perp_dot(v);
        // Area times circumcentre, which has no division: the centre has 2 (u × v) below it.
        sum += (v.perp() * -u.length_squared() + u.perp() * v.length_squared()) * 0.25;
        weight += 0.5 * twice_area;
    }
    (weight > 0.0).then(|| at + sum / weight)
}

/// Moves free vertices at small angles to where their smallest angle is largest, by trying
/// directions with shrinking steps.
pub(super) fn widen_angles(cdt: &mut Cdt, given: usize, rounds: usize) {
    for _ in 0..rounds {
        let rings = Rings::new(cdt);
        let mut any = false;
        for v in given..cdt.vertex_count() {
            let ring = rings.of(v);
            let start = cdt.point(v as u32);
            let mut best = (worst(cdt, ring, start), start);
            if best.0 >= WANTED_ANGLE || ring.is_empty() {
                continue;
            }
            let mut step = 0.3 * (cdt.point(ring[0][0]) - start).length();
            for _ in 0..6 {
                let from = best.1;
                for k in 0..DIRECTIONS {
                    let angle = std::f64::consts::TAU * k as f64 / DIRECTIONS as f64;
                    let tried = from + Vec2::from_angle(angle) * step;
                    let angle = worst(cdt, ring, tried);
                    if angle > best.0 + 1e-9 {
                        best = (angle, tried);
                    }
                }
                if best.1 == from {
                    step *= 0.5;
                }
            }
            any |= best.1 != start;
            cdt.set_point(v as u32, best.1);
        }
        cdt.restore();
        if !any {
            break;
        }
    }
}
