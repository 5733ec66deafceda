//! Over-long edges are pulled together by moving their ends (OS2).

use super::springs::Springs;
use crate::math::Vec3;
use std::cmp::Ordering;

/// Stretch beyond the limit that contacts may leave \[-\].
const SLACK: f64 = 0.02;
/// What the end that is farther from what is attached takes of a move in sweeps outwards, if both have the same mass
/// \[-\]. What is nearer was put right just before, and what hangs follows it.
const FARTHER: f64 = 0.6;

/// An edge with what its ends take of a move.
#[derive(Clone, Copy, Debug)]
struct LimitedEdge {
    ends: [u32; 2],
    /// Length not to be exceeded \[m\], and its square \[m²\].
    longest: f64,
    longest_squared: f64,
    /// What either end takes of a move in sweeps outwards, and in those back \[-\].
    outwards: [f64; 2],
    back: [f64; 2],
}

/// A particle and the attached one that the shortest way over edges leads to.
#[derive(Clone, Copy, Debug)]
struct Tether {
    particle: u32,
    anchor: u32,
    /// Length of that way with all its edges at their limits \[m\].
    longest: f64,
}

/// All edges with their limits.
#[derive(Clone, Debug)]
pub(super) struct EdgeLimit {
    edges: Vec<LimitedEdge>,
    tethers: Vec<Tether>,
    sweeps: usize,
    before: Vec<Vec3>,
}

impl EdgeLimit {
    /// Edges may be longer than at rest by the part `stretch` \[-\]; a step makes `sweeps` over all of them,
    /// from what is attached outwards and back in turn.
    pub fn new(springs: &Springs, stretch: f64, sweeps: usize) -> Self {
        let far = rings(springs);
        let mut edges: Vec<([usize; 2], f64)> = springs.edges().collect();
        // The sort is stable: edges of one ring stay in their order, along which a sweep carries corrections.
        edges.sort_by_key(|(ends, _)| far[ends[0]] + far[ends[1]]);
        let tethers = tethers(springs, stretch);
        let edges = edges.into_iter().filter_map(|(ends, rest)| {
            let inverse = ends.map(|v| springs.inverse_masses[v]);
            let longest = rest * (1.0 + stretch);
            (inverse[0] + inverse[1] > 0.0).then(|| LimitedEdge {
                ends: ends.map(|v| v as u32),
                longest,
                longest_squared: longest * longest,
                outwards: shares(inverse, ends.map(|v| far[v])),
                back: shares(inverse, [0, 0]),
            })
        });
        let before = vec![Vec3::ZERO; springs.masses.len()];
        Self { edges: edges.collect(), tethers, sweeps, before }
    }

    /// Moves the ends of every edge that is too long together, in a step of `h` \[s\]; how many edges
    /// were too long in the first sweep.
    ///
    /// Both ends move in proportion to their inverse masses, so momentum is kept; but in sweeps outwards, from what
    /// is attached and takes all momentum, the end that is farther from there moves more than its part, because
    /// the next edges would pull the nearer one out of its place. Velocities change by what positions did: they
    /// are those of the motion that took place.
    ///
    /// Deviation: the paper compares the length of the curve; here it is that of the chord, which is
    /// what springs act on. It does not mention velocities; left alone they would grow without bound
    /// in cloth that hangs on edges at their limit.
    pub fn apply(&mut self, x: &mut [Vec3], v: &mut [Vec3], h: f64) -> usize {
        self.sweep(x, v, h, self.sweeps)
    }

    /// The same with one sweep outwards and one back, to take turns with contacts, if the limit
    /// [is exceeded](Self::is_exceeded); how many edges were too long.
    pub fn tighten(&mut self, x: &mut [Vec3], v: &mut [Vec3], h: f64) -> usize {
        if self.is_exceeded(x) { self.sweep(x, v, h, 2) } else { 0 }
    }

    /// Whether any edge is longer than its limit by the part [`SLACK`].
    pub fn is_exceeded(&self, x: &[Vec3]) -> bool {
        let slack = (1.0 + SLACK) * (1.0 + SLACK);
        self.edges.iter().any(|edge| {
            let [a, b] = edge.ends.map(|v| x[v as usize]);
            a.distance_squared(b) > slack * edge.longest_squared
        })
    }

    fn sweep(&mut self, x: &mut [Vec3], v: &mut [Vec3], h: f64, sweeps: usize) -> usize {
        self.before.copy_from_slice(x);
        let mut first = self.tethers.iter().filter(|tether| tether.limit(x)).count();
        for sweep in 0..sweeps {
            let long = if sweep % 2 == 0 {
                self.edges.iter().filter(|edge| edge.limit(x, edge.outwards)).count()
            } else {
                self.edges.iter().rev().filter(|edge| edge.limit(x, edge.back)).count()
            };
            if sweep == 0 {
                first += long;
            }
            if long == 0 {
                break;
            }
        }
        if first > 0 {
            let per_step = 1.0 / h;
            for i in 0..x.len() {
                v[i] += (x[i] - self.before[i]) * per_step;
            }
        }
        first
    }
}

/// What the ends of an edge take of a move, by their inverse masses \[1/kg\] and how `far` they are from what is
/// attached \[-\].
fn shares([a, b]: [f64; 2], far: [usize; 2]) -> [f64; 2] {
    let (a, b) = match far[0].cmp(&far[1]) {
        Ordering::Less => (a * (1.0 - FARTHER), b * FARTHER),
        Ordering::Equal => (a, b),
        Ordering::Greater => (a * FARTHER, b * (1.0 - FARTHER)),
    };
    [a / (a + b), b / (a + b)]
}

/// How many edges lie between every particle and the nearest attached one; 0 for all if none is.
fn rings(springs: &Springs) -> Vec<usize> {
    let attached = |v: usize| springs.inverse_masses[v] == 0.0;
    let count = springs.inverse_masses.len();
    let start = |v: usize| if attached(v) { 0 } else { count };
    let mut far: Vec<usize> = (0..count).map(start).collect();
    if far.iter().all(|&f| f > 0) {
        return vec![0; count];
    }
    loop {
        let mut changed = false;
        for ([a, b], _) in springs.edges() {
            let (da, db) = (far[a].min(far[b] + 1), far[b].min(far[a] + 1));
            changed |= [da, db] != [far[a], far[b]];
            (far[a], far[b]) = (da, db);
        }
        if !changed {
            return far;
        }
    }
}

/// Tethers of all free particles that are two edges or more from what is attached.
///
/// Sweeps over edges carry a correction by one edge each, so cloth of many rings would stretch for as many
/// sweeps as it has rings squared. No particle can be farther from an attached one than the way over the
/// cloth is long, which holds all of it at once.
fn tethers(springs: &Springs, stretch: f64) -> Vec<Tether> {
    let count = springs.inverse_masses.len();
    let start = |v: usize| if springs.inverse_masses[v] == 0.0 { 0.0 } else { f64::INFINITY };
    let mut ways: Vec<(f64, usize)> = (0..count).map(|v| (start(v), v)).collect();
    loop {
        let mut changed = false;
        for ([a, b], rest) in springs.edges() {
            for [from, to] in [[a, b], [b, a]] {
                let way = ways[from].0 + rest;
                if way < ways[to].0 {
                    ways[to] = (way, ways[from].1);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let direct = |v: usize, anchor: usize| {
        springs.edges().any(|(ends, _)| ends == [v, anchor] || ends == [anchor, v])
    };
    let far = ways
        .iter()
        .enumerate()
        .filter(|(v, (way, anchor))| *way > 0.0 && way.is_finite() && !direct(*v, *anchor));
    far.map(|(v, (way, anchor))| Tether {
        particle: v as u32,
        anchor: *anchor as u32,
        longest: way * (1.0 + stretch),
    })
    .collect()
}

impl Tether {
    /// Moves the particle if it is too far away; whether it was.
    #[inline]
    fn limit(&self, x: &mut [Vec3]) -> bool {
        let (v, anchor) = (self.particle as usize, x[self.anchor as usize]);
        let offset = x[v] - anchor;
        let square = offset.length_squared();
        if square <= self.longest * self.longest {
            return false;
        }
        x[v] = anchor + offset * (self.longest / square.sqrt());
        true
    }
}

impl LimitedEdge {
    /// Moves both ends by their shares if the edge is too long; whether it was.
    #[inline]
    fn limit(&self, x: &mut [Vec3], shares: [f64; 2]) -> bool {
        let [i, j] = self.ends.map(|v| v as usize);
        let offset = x[j] - x[i];
        let square = offset.length_squared();
        if square <= self.longest_squared {
            return false;
        }
        let excess = offset * (1.0 - self.longest / square.sqrt());
        x[i] += excess * shares[0];
        x[j] -= excess * shares[1];
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::mesh::TriMesh;
    use crate::sparse::springs::Elastic;

    fn triangle(attached: [bool; 3]) -> Springs {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
        let elastic = Elastic { density: 0.3, bending: 0.0 };
        Springs::new(&mesh, &attached, &elastic)
    }

    /// One over-long edge: by hand both ends move by half the excess, 0.15 m, and in
    /// steps of 0.25 s that is a change of 0.6 m/s.
    #[test]
    fn os2_one_edge_by_hand() {
        let springs = triangle([false; 3]);
        let mut x = [Vec3::ZERO, Vec3::X * 1.4, Vec3::new(0.7, 0.3, 0.0)];
        let mut v = [-Vec3::X, Vec3::X * 3.0 + Vec3::Y, Vec3::ZERO];
        assert_eq!(EdgeLimit::new(&springs, 0.1, 1).apply(&mut x, &mut v, 0.25), 1);
        assert!(x[0].distance(Vec3::X * 0.15) < 1e-15 && x[1].distance(Vec3::X * 1.25) < 1e-15);
        assert!(v[0].distance(Vec3::X * -0.4) < 1e-15);
        assert!(v[1].distance(Vec3::new(2.4, 1.0, 0.0)) < 1e-15);
        assert_eq!((x[2], v[2]), (Vec3::new(0.7, 0.3, 0.0), Vec3::ZERO));
    }

    /// By hand: of two that are alike the farther one takes three fifths; what is attached takes nothing; at the same
    /// distance it goes by inverse masses.
    #[test]
    fn os2_shares_by_hand() {
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < 1e-15;
        assert!(near(shares([3.0, 3.0], [1, 2]), [0.4, 0.6]));
        assert!(near(shares([3.0, 3.0], [2, 1]), [0.6, 0.4]));
        assert!(near(shares([0.0, 5.0], [0, 1]), [0.0, 1.0]));
        assert!(near(shares([1.0, 3.0], [4, 4]), [0.25, 0.75]));
    }

    /// A strip of 40 rows, hung by its first row and stretched to three times its length: a few sweeps find
    /// the lengths of all ways to what is attached, where edges alone would need hundreds.
    #[test]
    fn os2_long_strips_are_held_at_once() {
        use crate::mesh::{Diagonals, Sheet};
        let Sheet { positions, mesh } =
            Sheet::grid([0.1, 4.0], [2, 41], Diagonals::Alternating).unwrap();
        let attached: Vec<bool> = (0..82).map(|v| v < 2).collect();
        let springs = Springs::new(&mesh, &attached, &Elastic { density: 0.3, bending: 0.0 });
        let top = positions[0].y;
        let mut x: Vec<Vec3> =
            positions.iter().map(|p| Vec3::new(p.x, top + 3.0 * (p.y - top), 0.0)).collect();
        let mut v = vec![Vec3::ZERO; 82];
        EdgeLimit::new(&springs, 0.05, 6).apply(&mut x, &mut v, 0.01);
        for (p, rest) in x.iter().zip(&positions) {
            assert!(p.y - top < (rest.y - top) * 1.05 + 1e-9, "{p} {rest}");
        }
        // Ways are at their limits, and single edges within the 10 % that garments may stretch.
        let stretch = springs.edges().map(|(e, rest)| x[e[0]].distance(x[e[1]]) / rest);
        let stretch = stretch.fold(0.0, f64::max);
        assert!(stretch < 1.1, "{stretch}");
    }

    /// Attached ends stay; sweeps converge; short edges are left alone.
    #[test]
    fn os2_attached_ends_do_not_move() {
        let springs = triangle([true, false, false]);
        let mut x = [Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 2.0];
        let mut v = [Vec3::ZERO; 3];
        EdgeLimit::new(&springs, 0.0, 100).apply(&mut x, &mut v, 0.01);
        assert_eq!(x[0], Vec3::ZERO);
        for (ends, rest) in springs.edges() {
            assert!(x[ends[0]].distance(x[ends[1]]) < rest * (1.0 + 1e-6));
        }
        let before = x.map(|p| p * 0.5);
        let mut after = before;
        assert_eq!(EdgeLimit::new(&springs, 0.0, 5).apply(&mut after, &mut v, 0.01), 0);
        assert_eq!(before, after);
    }
}
