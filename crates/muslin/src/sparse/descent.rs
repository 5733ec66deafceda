//! The deepest point of a flat face in the field of a rounded part, by a quadratic model (OS3).
//!
//! Over a face the distance is a function `f(u, v)` of two barycentric coordinates. Its slope is known at
//! the three corners, from which a first matrix of second derivatives follows, and wherever it is sampled.
//! Every sample puts the model's value and slope right at its place, the change of slope between two
//! samples the second derivatives along the way (BFGS), and the next sample is where the model is lowest
//! in the face.

use super::deepest::Deepest;
use super::part_mesh::PartMesh;
use crate::math::{Vec2, Vec3};

/// Most samples of a search.
const MOST_SAMPLES: usize = 12;
/// A search ends where the model promises less than this \[m\] ...
const LEAST_GAIN: f64 = 2e-4;
/// ... or than this part of the depth: what is left is found in the next step.
const PART_OF_DEPTH: f64 = 0.02;
/// Least second derivative as a part of the squared side over the size of a limb \[1/m\]: flat bodies.
const LEAST_BEND: f64 = 0.5;

/// Second derivatives in `u` and `v`, a positive definite matrix `[[a, b], [b, c]]` \[m\].
#[derive(Clone, Copy, Debug)]
struct Bend {
    a: f64,
    b: f64,
    c: f64,
}

/// Searches a face for the deepest point in the field of `mesh`, if it is less than `reach` \[m\] outside;
/// `normals` are the directions in which the distance grows at the corners, about, and `last` is where the
/// last search ended, if there was one: where to begin. This one leaves there where it ends, whatever it finds: a
/// face that was given up is mostly given up again at once. Where that is not certain, and the face may be
/// less than `contact` \[m\] outside, the search begins anew.
///
/// Limbs are convex but for shallow hollows, so distance lies above its tangent planes: a face is given
/// up as soon as one of these is above `reach` at all its corners; what is lowest there is then the answer.
pub(super) fn by_descent(
    mesh: &PartMesh,
    face: [Vec3; 3],
    normals: impl FnOnce() -> [Vec3; 3],
    [contact, reach]: [f64; 2],
    last: &mut Option<Vec2>,
) -> Result<Deepest, f64> {
    let sides = [face[1] - face[0], face[2] - face[0]];
    let descent = Descent { mesh, corner: face[0], sides, reach };
    let first = last.map(|at| (at, descent.sample(at)));
    if let Some((at, (distance, _, g))) = first {
        // Most are given up again at once, and then nobody needs more.
        let least = distance - gain(g, at);
        if least > reach {
            return Err(least);
        }
    }
    let normals = normals();
    let slope = |n: Vec3| Vec2::new(n.dot(sides[0]), n.dot(sides[1]));
    let slopes = [slope(normals[0]), slope(normals[1]), slope(normals[2])];
    let bend = Bend::between(slopes, sides);
    let anew = || {
        let at = start(slopes, &bend);
        (at, descent.sample(at))
    };
    let mut end = descent.search(bend, first.unwrap_or_else(anew));
    if last.is_some() && end.distance >= reach && end.least <= contact {
        end = descent.search(bend, anew());
    }
    let at = end.at;
    *last = Some(at);
    let weights = [1.0 - at.x - at.y, at.x, at.y];
    let (distance, normal) = (end.distance, end.normal);
    if distance < reach {
        Ok(Deepest { weights, distance, normal })
    } else {
        Err(end.least.max(reach))
    }
}

/// A search in progress.
struct Descent<'a> {
    mesh: &'a PartMesh,
    /// First corner of the face and its sides from there \[m\].
    corner: Vec3,
    sides: [Vec3; 2],
    reach: f64,
}

/// Where a search ended.
struct End {
    at: Vec2,
    distance: f64,
    normal: Vec3,
    /// Where the tangent plane there is lowest \[m\].
    least: f64,
}

impl Descent<'_> {
    fn sample(&self, at: Vec2) -> (f64, Vec3, Vec2) {
        let [u, v] = self.sides;
        let (distance, n) = self.mesh.distance(self.corner + u * at.x + v * at.y, f64::INFINITY);
        (distance, n, Vec2::new(n.dot(u), n.dot(v)))
    }

    /// Goes on from a sample.
    fn search(&self, mut bend: Bend, (mut at, sample): (Vec2, (f64, Vec3, Vec2))) -> End {
        let (mut distance, mut normal, mut g) = sample;
        let (mut shorter, mut gain) = (1.0, 0.0);
        for _ in 1..MOST_SAMPLES {
            gain = self::gain(g, at);
            if distance - gain > self.reach {
                break;
            }
            let enough = LEAST_GAIN.max(PART_OF_DEPTH * (self.reach - distance));
            if gain < enough {
                break;
            }
            let way = bend.lowest(at, g) - at;
            let promised = -(g.dot(way) + 0.5 * bend.along(way));
            if promised < enough {
                break;
            }
            let next = at + way * shorter;
            let found = self.sample(next);
            bend.learn(next - at, found.2 - g);
            if found.0 < distance {
                (distance, normal, g) = found;
                (at, shorter) = (next, 1.0);
            } else {
                // A ridge lies between; the field is not smooth there.
                shorter *= 0.5;
            }
        }
        End { at, distance, normal, least: distance - gain }
    }
}

/// How much lower than at `at` the tangent plane with slope `g` is where it is lowest, at a corner \[m\].
fn gain(g: Vec2, at: Vec2) -> f64 {
    g.dot(at) - 0f64.min(g.x).min(g.y)
}

/// Where to begin: the lowest point of the model through the slopes at the corners, which are of equal
/// height where the slopes say so.
fn start(slopes: [Vec2; 3], bend: &Bend) -> Vec2 {
    // The mean of the slopes is that at the middle, if second derivatives are the same everywhere.
    let middle = Vec2::splat(1.0 / 3.0);
    bend.lowest(middle, (slopes[0] + slopes[1] + slopes[2]) / 3.0)
}

impl Bend {
    /// From the slopes at the corners of a face with these `sides` \[m\] from its first corner.
    fn between([g0, g1, g2]: [Vec2; 3], sides: [Vec3; 2]) -> Self {
        let (along_u, along_v) = (g1 - g0, g2 - g0);
        let least = sides.map(|side| LEAST_BEND * side.length_squared());
        let (a, c) = (along_u.x.max(least[0]), along_v.y.max(least[1]));
        let most = 0.9 * (a * c).sqrt();
        Self { a, b: (0.5 * (along_u.y + along_v.x)).clamp(-most, most), c }
    }

    fn times(&self, d: Vec2) -> Vec2 {
        Vec2::new(self.a * d.x + self.b * d.y, self.b * d.x + self.c * d.y)
    }

    /// `dᵀ B d`.
    fn along(&self, d: Vec2) -> f64 {
        d.dot(self.times(d))
    }

    /// The BFGS rule: afterwards the slope changes by `y` along `s`; nothing is learnt where it falls.
    fn learn(&mut self, s: Vec2, y: Vec2) {
        let (sy, bs) = (s.dot(y), self.times(s));
        let sbs = s.dot(bs);
        if sy > 0.05 * sbs && sbs > 0.0 {
            self.a += y.x * y.x / sy - bs.x * bs.x / sbs;
            self.b += y.x * y.y / sy - bs.x * bs.y / sbs;
            self.c += y.y * y.y / sy - bs.y * bs.y / sbs;
        }
    }

    /// Where in the face the model with slope `g` at `from` is lowest.
    fn lowest(&self, from: Vec2, g: Vec2) -> Vec2 {
        let per = 1.0 / (self.a * self.c - self.b * self.b);
        let free = from + Vec2::new(self.b * g.y - self.c * g.x, self.b * g.x - self.a * g.y) * per;
        if free.x >= 0.0 && free.y >= 0.0 && free.x + free.y <= 1.0 {
            return free;
        }
        // Else it is on a side: the model is convex, so on each the lowest of a parabola.
        let mut best = (f64::INFINITY, from);
        let mut offer = |d: Vec2| {
            let value = g.dot(d) + 0.5 * self.along(d);
            if value < best.0 {
                best = (value, from + d);
            }
        };
        let off = -from;
        let slope = g + self.times(off);
        offer(off + Vec2::X * (-slope.x / self.a).clamp(0.0, 1.0));
        let (off, side) = (Vec2::X - from, Vec2::new(-1.0, 1.0));
        let slope = g + self.times(off);
        let bend = (self.a - self.b) + (self.c - self.b);
        offer(off + side * ((slope.x - slope.y) / bend).clamp(0.0, 1.0));
        let off = Vec2::Y - from;
        let slope = g + self.times(off);
        offer(off - Vec2::Y * (slope.y / self.c).clamp(0.0, 1.0));
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::math::{Random, try_normalize};

    /// Against a lattice of 120 segments on faces of 1 to 20 cm around a limb: whatever is in contact is found,
    /// to less than half a millimetre or a tenth of its depth, also with slopes at the corners that are off by
    /// 0.08 rad, as when the corners have moved since.
    #[test]
    fn os3_deepest_points_of_limbs_agree_with_brute_force() {
        let limb = PartMesh::rounded(&shape::capsule(0.08, 0.3, 64), 0.08).unwrap();
        let (mut random, mut shifts) = (Random::new(41), Random::new(42));
        // Within the 14 mm of the field's margin, beyond which distances are mere bounds.
        let (reach, mut found) = (0.012, [0; 3]);
        for round in 0..600 {
            let mut point = |s: f64| {
                Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * s
            };
            let (centre, size) = (point(0.4), 0.01 + 0.19 * f64::from(round % 20) / 20.0);
            let face = [(); 3].map(|()| centre + point(size));
            let at = |u: f64, v: f64| face[0] * (1.0 - u - v) + face[1] * u + face[2] * v;
            let mut least = f64::INFINITY;
            for i in 0..=120 {
                for j in 0..=120 - i {
                    let p = at(f64::from(i) / 120.0, f64::from(j) / 120.0);
                    least = least.min(limb.distance(p, 0.0).0);
                }
            }
            // Deeper than this, distance is not convex: the field has its ridge at the axis.
            if least < -0.04 {
                continue;
            }
            let true_normals = face.map(|p| limb.distance(p, f64::INFINITY).1);
            let turned = true_normals.map(|n| try_normalize(n + point(0.15)).unwrap());
            // A search that begins where that of a step before ended, up to 9 mm away, finds the same.
            let mut earlier = None;
            let shift =
                Vec3::new(shifts.unit() - 0.5, shifts.unit() - 0.5, shifts.unit() - 0.5) * 0.01;
            let _ = by_descent(&limb, face.map(|p| p + shift), || turned, [reach; 2], &mut earlier);
            let kinds = [(true_normals, None), (turned, None), (turned, earlier)];
            for (kind, (normals, mut last)) in kinds.into_iter().enumerate() {
                let deep = by_descent(&limb, face, || normals, [reach; 2], &mut last);
                // A step takes care of nine tenths of a depth, the next of what is left; cells of 7 mm round
                // the limb off by cell²/8r, 0.08 mm.
                let slack = 4e-4f64.max(0.1 * (reach - least)) + 1e-4;
                match deep {
                    Ok(deep) => {
                        let [_, u, v] = deep.weights;
                        assert!((limb.distance(at(u, v), 0.0).0 - deep.distance).abs() < 1e-12);
                        let off = deep.distance - least;
                        assert!(off < slack, "{kind} {size}: {off} off at {least}");
                        assert!(deep.weights.iter().all(|w| *w > -1e-12));
                        found[kind] += 1;
                    }
                    Err(_) => assert!(least > reach - slack, "missed {least}"),
                }
            }
        }
        assert!(found.iter().all(|n| *n > 100), "{found:?}");
    }
}
