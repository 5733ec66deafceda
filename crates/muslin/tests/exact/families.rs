//! Random and adversarial motions for R2, on a grid where the oracle is exact.

use super::contact::{Answer, GridMotion, Kind};
use super::random::{Placement, Random};
use muslin::collide::ccd::{self, Impact};
use muslin::math::Vec3;

/// What kinds of motion are tried; [`Family::motion`] says what each is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    Uniform,
    FewCoordinates,
    Aimed,
    Grazing,
    ParallelEdges,
    FlatMotion,
    Degenerate,
    TouchAtStart,
    TouchAtEnd,
    SharedPath,
}

impl Family {
    pub const ALL: [Self; 10] = [
        Self::Uniform,
        Self::FewCoordinates,
        Self::Aimed,
        Self::Grazing,
        Self::ParallelEdges,
        Self::FlatMotion,
        Self::Degenerate,
        Self::TouchAtStart,
        Self::TouchAtEnd,
        Self::SharedPath,
    ];

    /// A random motion of this family.
    pub fn motion(self, kind: Kind, random: &mut Random) -> GridMotion {
        let (start, end) = match self {
            Self::Uniform => (random.vertices(15), random.vertices(15)),
            // Ties, coincidences and flat configurations abound.
            Self::FewCoordinates => (random.vertices(1), random.vertices(1)),
            // The features touch at t = 1/2, anywhere.
            Self::Aimed => around(touching(kind, random), random.vertices(7), 1),
            // They touch at t = 1/4 in a vertex or on an edge, moving little, or miss by a grid step.
            Self::Grazing => {
                let mut contact = touching(kind, random);
                contact[0] = if random.next().is_multiple_of(2) { contact[1] } else { contact[0] };
                contact[0][random.next() as usize % 3] += random.within(1);
                around(contact, random.vertices(1), 3)
            }
            Self::ParallelEdges => {
                let (mut start, mut end) = (random.vertices(5), random.vertices(5));
                for x in [&mut start, &mut end] {
                    let factor = random.within(2);
                    x[3] = std::array::from_fn(|k| x[2][k] + (x[1][k] - x[0][k]) * factor / 2);
                }
                (start, end)
            }
            // All in one plane at all times; the plane may move.
            Self::FlatMotion => {
                let (mut start, mut end) = (random.vertices(9), random.vertices(9));
                let (a, b) = (random.within(6), random.within(6));
                for i in 0..4 {
                    (start[i][2], end[i][2]) = (a, b);
                }
                (start, end)
            }
            // Repeated vertices and triangles folded to a segment, at the start, the end or both.
            Self::Degenerate => {
                let (mut start, mut end) = (random.vertices(5), random.vertices(5));
                let choice = random.next();
                for (i, x) in [&mut start, &mut end].into_iter().enumerate() {
                    match choice >> (2 * i) & 3 {
                        0 => x[3] = x[2],
                        1 => x[3] = std::array::from_fn(|k| 2 * x[2][k] - x[1][k]),
                        2 => x[1] = x[2],
                        _ => {}
                    }
                }
                (start, end)
            }
            Self::TouchAtStart => (touching(kind, random), random.vertices(15)),
            Self::TouchAtEnd => (random.vertices(15), touching(kind, random)),
            // Vertices of both features start or end in the same place, or move in parallel.
            Self::SharedPath => {
                let (mut start, mut end) = (random.vertices(6), random.vertices(6));
                let (i, j) = (random.next() as usize % 2, 2 + random.next() as usize % 2);
                match random.next() % 3 {
                    0 => start[i] = start[j],
                    1 => end[i] = end[j],
                    _ => end[i] = std::array::from_fn(|k| start[i][k] + end[j][k] - start[j][k]),
                }
                let clamp = |x: [[i64; 3]; 4]| x.map(|x| x.map(|c| c.clamp(-15, 15)));
                (start, clamp(end))
            }
        };
        GridMotion { start, end }
    }
}

/// The contact at time `1 / (1 + after)` of vertices with the given velocities.
fn around(
    contact: [[i64; 3]; 4],
    velocity: [[i64; 3]; 4],
    after: i64,
) -> ([[i64; 3]; 4], [[i64; 3]; 4]) {
    let at = |t: i64| {
        std::array::from_fn(|i| std::array::from_fn(|k| contact[i][k] + t * velocity[i][k]))
    };
    (at(-1), at(after))
}

/// Four vertices whose features touch: inside, on an edge or at a vertex.
fn touching(kind: Kind, random: &mut Random) -> [[i64; 3]; 4] {
    let mut x = random.vertices(1).map(|x| x.map(|c| 4 * c));
    let (s, t) = (random.next() % 5, random.next() % 5);
    let (s, t) = (s as i64, t as i64);
    let mix = |a: [i64; 3], b: [i64; 3], w: i64| -> [i64; 3] {
        std::array::from_fn(|k| (a[k] * (4 - w) + b[k] * w) / 4)
    };
    match kind {
        Kind::PointTriangle => {
            let t = t.min(4 - s);
            x[0] = std::array::from_fn(|k| (x[1][k] * (4 - s - t) + x[2][k] * s + x[3][k] * t) / 4);
        }
        // Moves the second edge so that its point t lies at point s of the first.
        Kind::EdgeEdge => {
            let (a, b) = (mix(x[0], x[1], s), mix(x[2], x[3], t));
            for i in 2..4 {
                x[i] = std::array::from_fn(|k| (x[i][k] + a[k] - b[k]).clamp(-8, 8));
            }
        }
    }
    x
}

/// Positions at the start and at the end.
fn place(placement: &Placement, motion: &GridMotion) -> [[Vec3; 4]; 2] {
    [motion.start.map(|x| placement.place(x, 0)), motion.end.map(|x| placement.place(x, 1))]
}

/// Counts of one family.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub queries: u64,
    pub hits: u64,
    pub misses: u64,
    /// Contacts that were not reported, or reported after they happen. Must be 0.
    pub false_negatives: u64,
    /// Hits without contact; all of them are closer than the stated tolerance.
    pub near_hits: u64,
    /// Hits at a place or time where the features are farther apart than that. Must be 0.
    pub false_positives: u64,
    /// Questions the oracle could not decide.
    pub undecided: u64,
}

/// Largest distance of a hit without contact, as a fraction of the largest vertex distance.
const TOLERANCE: f64 = 1e-6;

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.hits += other.hits;
        self.misses += other.misses;
        self.false_negatives += other.false_negatives;
        self.near_hits += other.near_hits;
        self.false_positives += other.false_positives;
        self.undecided += other.undecided;
    }

    /// Asks one question and compares the answer with the oracle's.
    pub fn ask(&mut self, family: Family, kind: Kind, random: &mut Random) {
        let motion = family.motion(kind, random);
        let [x0, x1] = place(&Placement::random(random), &motion);
        let impact = match kind {
            Kind::PointTriangle => ccd::point_triangle(&x0, &x1, 0.0),
            Kind::EdgeEdge => ccd::edge_edge(&x0, &x1, 0.0),
        };
        let expected = motion.first_contact(kind);
        self.queries += 1;
        match expected {
            Answer::Hit { first } => {
                self.hits += 1;
                let missed = impact.is_none_or(|impact| impact.time > first);
                self.false_negatives += u64::from(missed);
            }
            Answer::Miss => {
                self.misses += 1;
                self.near_hits += u64::from(impact.is_some());
            }
            Answer::Undecided => self.undecided += 1,
        }
        let far = impact.is_some_and(|impact| remaining_distance(&impact, &x0, &x1) > TOLERANCE);
        self.false_positives += u64::from(far);
    }
}

/// Distance of the reported points at the reported time, an upper bound of the features' distance,
/// as a fraction of the largest distance of a vertex from vertex 0.
pub fn remaining_distance(impact: &Impact, x0: &[Vec3; 4], x1: &[Vec3; 4]) -> f64 {
    let mut delta = Vec3::ZERO;
    let mut size = f64::MIN_POSITIVE;
    for i in 1..4 {
        let (start, end) = (x0[i] - x0[0], x1[i] - x1[0]);
        delta += (start * (1.0 - impact.time) + end * impact.time) * impact.weights[i];
        size = size.max(start.length()).max(end.length());
    }
    delta.length() / size
}
