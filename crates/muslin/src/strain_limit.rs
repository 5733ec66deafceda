//! Strain and strain-rate limits by momentum-conserving impulses (BF2, MF3).
//!
//! First the rate: edges that would change their present length by more than their rate limit in the step
//! are slowed down, a few times around (BF2, Gauss–Seidel). Then the strain: edges that would end the step longer than `(1 + limit)` times their rest length, or shorter than
//! `(1 − limit)`, are pulled or pushed along themselves, each end by its share of inverse mass, until
//! all of them fit. Impulses along the line between two points keep linear and angular momentum.
//!
//! A compression limit of 0 lets no edge get shorter than at rest: cloth that is pushed buckles into folds (MF3).
//!
//! Deviation: BF2 limits strain by Jacobi iteration, "one or two", and lets strain grow beyond the limit where
//! that does not suffice; here the sweeps go on, in a fixed order, until the limit holds.

use crate::cloth::{Cloth, EdgeRest};
use crate::math::Vec3;
use std::sync::Arc;

/// Edges are held to this share of their limit: sweeps stop before they have converged, and what they
/// leave over must still be inside the limit.
const INNER_SHARE: f64 = 0.95;

/// Where sweeps stop: the largest excess strain left, as a share of the limit \[-\].
const GOAL_SHARE: f64 = 0.01;

/// What limiting did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limited {
    /// Sweeps over all edges.
    pub sweeps: usize,
    /// Edges outside their limit before the first sweep.
    pub edges: usize,
    /// Largest strain beyond a limit that is left \[-\].
    pub excess: f64,
    /// Kinetic energy given (positive) or taken by the impulses \[J\].
    pub work: f64,
}

impl Limited {
    /// Adds what a second limiting in the same step did.
    pub fn add(&mut self, other: &Self) {
        self.sweeps += other.sweeps;
        self.edges += other.edges;
        self.excess = self.excess.max(other.excess);
        self.work += other.work;
    }
}

/// Whether a cloth has any limits at all.
pub fn is_limited(cloth: &Cloth) -> bool {
    let limited = |e: &EdgeRest| e.strain_limit.min(e.compression_limit).min(e.rate_limit);
    cloth.edges.iter().any(|e| limited(e).is_finite())
}

/// Sweeps of the strain-rate limit, which need not converge: "only a few" (BF2).
const RATE_SWEEPS: usize = 5;

/// A step whose end positions `x + dt v` are to respect the limits.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The cloth.
    pub cloth: &'a Cloth,
    /// Positions at the start \[m\].
    pub x: &'a [Vec3],
    /// Inverse masses, zero for held vertices \[1/kg\].
    pub inverse_mass: &'a [f64],
    /// Length of the step \[s\].
    pub dt: f64,
}

impl Step<'_> {
    /// Gauss–Seidel in a fixed order until all limits hold, at most `max_sweeps` times.
    pub fn apply(&self, max_sweeps: usize, v: &mut [Vec3]) -> Limited {
        let mut limited = Limited::default();
        if max_sweeps == 0 || !is_limited(self.cloth) {
            return limited;
        }
        let before = self.kinetic(v);
        limited.edges = self.limit_rates(v);
        let outside = self.cloth.edges.iter().filter(|e| self.excess(e, v) > 0.0).count();
        if outside == 0 {
            limited.work = if limited.edges > 0 { self.kinetic(v) - before } else { 0.0 };
            return limited;
        }
        limited.edges += outside;
        limited.excess = f64::INFINITY;
        let smallest = |e: &EdgeRest| e.strain_limit.min(e.compression_limit);
        let limit = self.cloth.edges.iter().map(smallest).fold(f64::INFINITY, f64::min);
        let goal = GOAL_SHARE * limit.max(GOAL_SHARE);
        let mut open = OpenEdges::all(&Arc::new(EdgesOf::new(self.cloth)));
        while limited.excess > goal && limited.sweeps < max_sweeps {
            limited.excess = self.sweep(&mut open, v);
            limited.sweeps += 1;
        }
        limited.work = self.kinetic(v) - before;
        limited
    }

    /// BF2: slows edges that change their length by more than their rate limit. Returns how many did.
    fn limit_rates(&self, v: &mut [Vec3]) -> usize {
        let mut first = 0;
        for sweep in 0..RATE_SWEEPS {
            let mut count = 0;
            for edge in self.cloth.edges.iter().filter(|e| e.rate_limit.is_finite()) {
                let [i, j] = edge.vertices.map(|v| v as usize);
                let now = self.x[i].distance(self.x[j]);
                let change = INNER_SHARE * edge.rate_limit * now;
                let across = self.end_to_end(edge, v);
                let length = across.length();
                if (length - now).abs() > change {
                    let bounds = [now - change, now + change];
                    self.correct(edge, across, bounds, v);
                    count += 1;
                }
            }
            first = if sweep == 0 { count } else { first };
            if count == 0 {
                break;
            }
        }
        first
    }

    /// Visits the edges whose ends moved since they were last visited, in order; the others would be left alone.
    /// Returns the largest excess strain met \[-\].
    pub fn sweep(&self, open: &mut OpenEdges, v: &mut [Vec3]) -> f64 {
        let mut largest: f64 = 0.0;
        for word in 0..open.now.len() {
            while open.now[word] != 0 {
                let at = 64 * word + open.now[word].trailing_zeros() as usize;
                open.now[word] &= open.now[word] - 1;
                let edge = &self.cloth.edges[at];
                if let Some(excess) = self.visit(edge, v) {
                    largest = largest.max(excess);
                    edge.vertices.iter().for_each(|&vertex| open.moved(vertex, at));
                }
            }
        }
        std::mem::swap(&mut open.now, &mut open.next);
        largest
    }

    /// Corrects an edge that is outside its limits; returns its excess strain \[-\].
    #[inline]
    fn visit(&self, edge: &EdgeRest, v: &mut [Vec3]) -> Option<f64> {
        let across = self.end_to_end(edge, v);
        let squared = across.length_squared();
        let [shortest, longest] = bounds(edge);
        let outside = squared > longest * longest || squared < shortest * shortest;
        if !outside {
            return None;
        }
        let length = squared.sqrt();
        self.correct(edge, across, [shortest, longest], v);
        Some((length - longest).max(shortest - length) / edge.length)
    }

    /// From the first to the second end of an edge when the step ends \[m\].
    #[inline]
    fn end_to_end(&self, edge: &EdgeRest, v: &[Vec3]) -> Vec3 {
        let [i, j] = edge.vertices.map(|v| v as usize);
        self.x[j] - self.x[i] + (v[j] - v[i]) * self.dt
    }

    /// How far the strain of an edge is beyond its limits \[-\]; zero or less inside.
    fn excess(&self, edge: &EdgeRest, v: &[Vec3]) -> f64 {
        let length = self.end_to_end(edge, v).length();
        let [shortest, longest] = bounds(edge);
        (length - longest).max(shortest - length) / edge.length
    }

    /// Brings an edge to the nearer of two bounds of its length.
    fn correct(
        &self,
        edge: &EdgeRest,
        across: Vec3,
        [shortest, longest]: [f64; 2],
        v: &mut [Vec3],
    ) {
        let [i, j] = edge.vertices.map(|v| v as usize);
        let length = across.length();
        let (wi, wj) = (self.inverse_mass[i], self.inverse_mass[j]);
        if wi + wj == 0.0 || length == 0.0 {
            return;
        }
        let wanted = length.min(longest).max(shortest);
        let pull = across * ((length - wanted) / (length * (wi + wj) * self.dt));
        v[i] += pull * wi;
        v[j] -= pull * wj;
    }

    fn kinetic(&self, v: &[Vec3]) -> f64 {
        self.cloth.mass.iter().zip(v).map(|(m, v)| 0.5 * m * v.length_squared()).sum()
    }
}

/// The edges of every vertex.
#[derive(Clone, Debug, Default)]
pub struct EdgesOf {
    /// Where the edges of a vertex start in `list`; one more at the end.
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl EdgesOf {
    /// Of a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let mut starts = vec![0u32; cloth.vertex_count() + 1];
        for &v in cloth.edges.iter().flat_map(|e| &e.vertices) {
            starts[v as usize + 1] += 1;
        }
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let (mut places, mut list) = (starts.clone(), vec![0; 2 * cloth.edges.len()]);
        for (at, edge) in cloth.edges.iter().enumerate() {
            for v in edge.vertices.map(|v| v as usize) {
                list[places[v] as usize] = at as u32;
                places[v] += 1;
            }
        }
        Self { starts, list }
    }

    /// None of what is no vertex of the cloth.
    #[inline]
    fn of(&self, vertex: u32) -> &[u32] {
        match self.starts.get(vertex as usize..vertex as usize + 2) {
            Some(&[start, end]) => &self.list[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Which edges to visit, in bits: most of a sheet is far from where it is stretched too much.
#[derive(Clone, Debug)]
pub struct OpenEdges {
    /// In this sweep.
    now: Vec<u64>,
    /// In the next one.
    next: Vec<u64>,
    of: Arc<EdgesOf>,
}

impl OpenEdges {
    /// All edges.
    pub fn all(of: &Arc<EdgesOf>) -> Self {
        let count = of.list.len() / 2;
        let mut now = vec![u64::MAX; count.div_ceil(64)];
        if let Some(last) = now.last_mut()
            && !count.is_multiple_of(64)
        {
            *last = (1 << (count % 64)) - 1;
        }
        Self { next: vec![0; now.len()], now, of: Arc::clone(of) }
    }

    /// Opens the edges of a vertex that something else moved.
    #[inline]
    pub fn touch(&mut self, vertex: u32) {
        for &edge in self.of.of(vertex) {
            self.now[edge as usize / 64] |= 1 << (edge % 64);
        }
    }

    /// Opens the edges of a vertex that edge `at` moved: later ones in this sweep, the others in the next.
    #[inline]
    fn moved(&mut self, vertex: u32, at: usize) {
        for &edge in self.of.of(vertex) {
            let edge = edge as usize;
            let bits = if edge > at { &mut self.now } else { &mut self.next };
            bits[edge / 64] |= 1 << (edge % 64);
        }
    }
}

/// The lengths an edge is held between \[m\].
fn bounds(edge: &EdgeRest) -> [f64; 2] {
    let shortest = edge.length * (1.0 - INNER_SHARE * edge.compression_limit);
    [shortest.max(0.0), edge.length * (1.0 + INNER_SHARE * edge.strain_limit)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::Fabric;
    use crate::math::Random;
    use crate::mesh::{Diagonals, Sheet};

    fn case() -> (Cloth, Vec<Vec3>, Vec<Vec3>) {
        let sheet = Sheet::grid([0.5, 0.5], [9, 9], Diagonals::Alternating).unwrap();
        let fabric = Fabric {
            strain_limit: 0.1,
            compression_limit: 0.1,
            ..Fabric::named("muslin").unwrap()
        };
        let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
        let mut random = Random::new(1);
        let mut vector = || {
            Vec3::new(
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
            )
        };
        let v = sheet.positions.iter().map(|_| vector() * 2.0).collect();
        (cloth, sheet.positions, v)
    }

    #[test]
    fn bf2_limits_hold_and_momentum_is_kept() {
        let (cloth, x, mut v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let momentum =
            |v: &[Vec3]| -> Vec3 { v.iter().zip(&cloth.mass).map(|(v, m)| *v * *m).sum() };
        let before = momentum(&v);
        let dt = 0.01;
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt };
        let limited = step.apply(500, &mut v);
        assert!(limited.edges > 100 && limited.sweeps > 1, "{limited:?}");
        for edge in &cloth.edges {
            let strain = step.end_to_end(edge, &v).length() / edge.length - 1.0;
            assert!(strain.abs() <= 0.1, "{strain}");
        }
        assert!((momentum(&v) - before).length() < 1e-13);
    }

    /// Sweeps over open edges alone do what sweeps over all do, to the bit.
    #[test]
    fn bf2_closed_edges_need_no_visit() {
        let (cloth, x, v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt: 0.01 };
        // Only some vertices move, so that some edges stay inside.
        let v: Vec<Vec3> = v.iter().enumerate().map(|(i, v)| *v * f64::from(i % 9 < 3)).collect();
        let edges_of = Arc::new(EdgesOf::new(&cloth));
        let (mut all, mut some, mut open) = (v.clone(), v, OpenEdges::all(&edges_of));
        let mut least = cloth.edges.len();
        for _ in 0..40 {
            let left: u32 = open.now.iter().map(|word| word.count_ones()).sum();
            least = least.min(left as usize);
            let visit = |largest: f64, edge| step.visit(edge, &mut all).unwrap_or(0.0).max(largest);
            let largest = cloth.edges.iter().fold(0.0, visit);
            assert_eq!(largest, step.sweep(&mut open, &mut some));
            assert_eq!(all, some);
            // Something else moves a vertex.
            (all[40], some[40]) = (all[40] * 1.1, some[40] * 1.1);
            open.touch(40);
        }
        assert!(least < cloth.edges.len() / 2, "{least} of {} edges", cloth.edges.len());
    }

    #[test]
    fn bf2_cloth_inside_its_limits_is_left_alone_to_the_bit() {
        let (cloth, x, v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let slow: Vec<Vec3> = v.iter().map(|v| *v * 1e-3).collect();
        let mut out = slow.clone();
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt: 0.01 };
        assert_eq!(step.apply(500, &mut out), Limited::default());
        assert_eq!(out, slow);
    }

    /// BF2: a single fast edge ends within its rate limit, momentum kept; slow cloth is left alone.
    #[test]
    fn bf2_the_strain_rate_is_limited() {
        let (cloth, x, _) = case();
        let cloth = cloth.with_rate_limit(0.1);
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt: 0.01 };
        // One vertex alone moves across the sheet: its edges would change by half their length.
        let mut v = vec![Vec3::ZERO; x.len()];
        v[40] = Vec3::X * 0.5 * cloth.edges[0].length / 0.01;
        let before: Vec3 = v.iter().zip(&cloth.mass).map(|(v, m)| *v * *m).sum();
        let rate = |v: &[Vec3]| {
            let change = |e: &EdgeRest| {
                let [i, j] = e.vertices.map(|v| v as usize);
                let now = x[i].distance(x[j]);
                (step.end_to_end(e, v).length() / now - 1.0).abs()
            };
            cloth.edges.iter().map(change).fold(0.0, f64::max)
        };
        assert!(rate(&v) > 0.3);
        let fast = rate(&v);
        let count = step.limit_rates(&mut v);
        assert!(count > 3 && rate(&v) < 0.5 * fast, "{}", rate(&v));
        let after: Vec3 = v.iter().zip(&cloth.mass).map(|(v, m)| *v * *m).sum();
        assert!((after - before).length() < 1e-15);
        let mut slow: Vec<Vec3> = x.iter().map(|x| *x * 0.1).collect();
        let kept = slow.clone();
        assert_eq!((step.limit_rates(&mut slow), slow), (0, kept));
    }
}
