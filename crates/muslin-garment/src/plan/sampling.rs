//! How many mesh edges every strand gets, and where its vertices are.

use super::breaks::{Breaks, Inner, Joint};
use super::{MAX_VERTICES, Run, Shapes, Strand};
use crate::curve::{Curve, Measured};
use crate::error::GarmentError;
use crate::pattern::Pattern;
use crate::union_find::UnionFind;
use muslin::math::Vec2;

/// Spacing grows by this much per length, away from short edges.
const GRADING: f64 = 0.35;
/// Part of a panel's area that chords of its curved edges may cut off or add, in all.
const AREA_BUDGET: f64 = 6e-4;
/// Segments used to estimate what chords cut off.
const AREA_SEGMENTS: usize = 8;
/// Steps of the integral of 1 / spacing along a strand.
const STEPS: usize = 256;

/// What sampling needs to know.
pub(super) struct Setting<'a> {
    pub pattern: &'a Pattern,
    pub shapes: &'a Shapes,
    pub breaks: &'a Breaks,
    pub inner: &'a Inner,
    pub edge_length: f64,
}

/// Numbers for the ends of strands: breaks of edges, then inner points.
pub(super) struct Nodes {
    edges: Vec<Vec<usize>>,
    inner: Vec<usize>,
    pub count: usize,
}

impl Nodes {
    pub fn new(breaks: &Breaks, inner: &Inner) -> Self {
        let mut count = 0;
        let mut take = |n: usize| {
            count += n;
            count - n
        };
        let edges = breaks
            .fractions
            .iter()
            .map(|edges| edges.iter().map(|breaks| take(breaks.len())).collect())
            .collect();
        let inner = inner.points.iter().map(|points| take(points.len())).collect();
        Self { edges, inner, count }
    }

    pub fn on_edge(&self, breaks: &Breaks, panel: usize, edge: usize, fraction: f64) -> u32 {
        (self.edges[panel][edge] + breaks.index(panel, edge, fraction)) as u32
    }

    pub fn joint(&self, breaks: &Breaks, panel: usize, joint: Joint) -> u32 {
        match joint {
            Joint::OnEdge(edge, fraction) => self.on_edge(breaks, panel, edge, fraction),
            Joint::Inner(index) => (self.inner[panel] + index) as u32,
        }
    }
}

/// Divides all strands of edges, and gives the divided strands of lines.
pub(super) fn divide(
    setting: &Setting<'_>,
    strands: &mut [Strand],
    mut lines: Vec<Strand>,
) -> Result<Vec<Strand>, GarmentError> {
    let Setting { shapes, breaks, inner, edge_length, .. } = *setting;
    let nodes = Nodes::new(breaks, inner);
    let mut classes = UnionFind::new(nodes.count);
    for (panel, edges) in shapes.edges.iter().enumerate() {
        for edge in 0..edges.len() {
            let next = shapes.next(panel, edge);
            let end = nodes.on_edge(breaks, panel, edge, 1.0);
            classes.join(end, nodes.on_edge(breaks, panel, next, 0.0));
        }
    }
    let edge_ends =
        |run: &Run| [run.from, run.to].map(|f| nodes.on_edge(breaks, run.panel, run.edge, f));
    for strand in strands.iter() {
        let first = edge_ends(&strand.sides[0]);
        for side in &strand.sides[1..] {
            let other = edge_ends(side);
            classes.join(first[0], other[0]);
            classes.join(first[1], other[1]);
        }
    }
    let length_of =
        |run: &Run| shapes.edges[run.panel][run.edge].length() * (run.to - run.from).abs();
    let mean = |strand: &Strand| {
        strand.sides.iter().map(length_of).sum::<f64>() / strand.sides.len() as f64
    };
    let lengths: Vec<f64> = strands.iter().map(mean).collect();
    let least = least_counts(setting, strands, &lengths);
    let mut jobs = Vec::new();
    for ((strand, &length), &least) in strands.iter().zip(&lengths).zip(&least) {
        let ends = edge_ends(&strand.sides[0]).map(|node| classes.find(node));
        jobs.push(Job { length, least, ends });
    }
    for curve in &inner.curves {
        let ends = curve.joints.map(|joint| classes.find(nodes.joint(breaks, curve.panel, joint)));
        jobs.push(Job { length: curve.shape.length(), least: 1, ends });
    }
    let sizes = node_sizes(&jobs, nodes.count, edge_length);
    let mut total = 0.0;
    for (job, strand) in jobs.iter().zip(strands.iter_mut().chain(&mut lines)) {
        strand.sizes = job.ends.map(|node| sizes[node as usize]);
        strand.fractions = spread(job, strand.sizes, edge_length);
        total += strand.fractions.len() as f64;
    }
    if total > MAX_VERTICES as f64 {
        return Err(GarmentError::TooFine {
            what: format!("pattern {:?}", setting.pattern.name),
            edge_length,
            limit: MAX_VERTICES,
        });
    }
    Ok(lines)
}

/// A strand to be divided.
struct Job {
    /// Mean length of its sides \[m\].
    length: f64,
    /// Least number of mesh edges.
    least: usize,
    /// Classes of its end nodes.
    ends: [u32; 2],
}

/// Spacing at every node: no more than any strand there, growing slowly along strands \[m\].
fn node_sizes(jobs: &[Job], count: usize, edge_length: f64) -> Vec<f64> {
    let mut sizes = vec![edge_length; count];
    for job in jobs {
        let own = job.length / job.least as f64;
        for end in job.ends {
            sizes[end as usize] = sizes[end as usize].min(own);
        }
    }
    // Shortest paths by relaxation; each round carries sizes one strand further.
    for _ in 0..jobs.len() {
        let mut changed = false;
        for job in jobs {
            let [a, b] = job.ends.map(|end| end as usize);
            let growth = GRADING * job.length;
            for (from, to) in [(a, b), (b, a)] {
                if sizes[to] > sizes[from] + growth {
                    sizes[to] = sizes[from] + growth;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    sizes
}

/// The fewest chords of every strand that keep the panels' areas.
///
/// What a chord cuts off falls with the square of their number. Where chords of the edge length
/// would cut off more than a panel's budget, all its curved strands get more by one factor.
fn least_counts(setting: &Setting<'_>, strands: &[Strand], lengths: &[f64]) -> Vec<usize> {
    let panels = &setting.pattern.panels;
    let natural = |length: f64| (length / setting.edge_length).max(1.0);
    let mut cut_off = vec![0.0; panels.len()];
    for (strand, &length) in strands.iter().zip(lengths) {
        for run in &strand.sides {
            let count = natural(length);
            cut_off[run.panel] += cut_off_by_one(setting.shapes, run) / (count * count);
        }
    }
    let factor =
        |panel: usize| (cut_off[panel] / (AREA_BUDGET * panels[panel].area().abs())).sqrt();
    let least = |(strand, &length): (&Strand, &f64)| {
        let more = strand
            .sides
            .iter()
            .filter(|run| cut_off_by_one(setting.shapes, run) > 0.0)
            .map(|run| factor(run.panel))
            .fold(0.0, f64::max);
        if more > 1.0 && more.is_finite() {
            ((natural(length) * more).ceil() as usize).min(MAX_VERTICES)
        } else {
            1
        }
    };
    strands.iter().zip(lengths).map(least).collect()
}

/// The area between a run and its chords, times the square of their number \[m²\].
fn cut_off_by_one(shapes: &Shapes, run: &Run) -> f64 {
    let edge = &shapes.edges[run.panel][run.edge];
    if matches!(edge.curve(), Curve::Line { .. }) {
        return 0.0;
    }
    let n = AREA_SEGMENTS;
    let at = |k: usize| edge.point(run.from + (run.to - run.from) * k as f64 / (2 * n) as f64);
    let segment = |k: usize| {
        let (a, middle, b) = (at(2 * k), at(2 * k + 1), at(2 * k + 2));
        // Simpson: an arc's area is 4/3 of the triangle under it.
        (2.0 / 3.0) * (middle - a).perp_dot(b - a).abs()
    };
    (0..n).map(segment).sum::<f64>() * (n * n) as f64
}

/// Fractions of a strand's vertices: equal steps of ∫ ds / spacing.
fn spread(job: &Job, [first, last]: [f64; 2], edge_length: f64) -> Vec<f64> {
    let length = job.length;
    // No chord longer than those that keep the area, wherever short ones stand closer.
    let most = edge_length.min(length / job.least as f64);
    let spacing = |s: f64| (first + GRADING * s).min(last + GRADING * (length - s)).min(most);
    let step = length / STEPS as f64;
    let mut passed = vec![0.0];
    for k in 0..STEPS {
        // Midpoint rule; spacing is linear in pieces.
        let add = step / spacing((k as f64 + 0.5) * step);
        passed.push(passed[k] + add);
    }
    let whole = passed[STEPS];
    let count = ((whole - 0.2).ceil().max(1.0) as usize).max(job.least);
    let uniform = first >= most && last >= most;
    let place = |k: usize| {
        let fraction = k as f64 / count as f64;
        if uniform || k == 0 || k == count {
            return fraction;
        }
        let target = fraction * whole;
        let after = passed.partition_point(|&p| p < target).clamp(1, STEPS);
        let (low, high) = (passed[after - 1], passed[after]);
        (after as f64 - 1.0 + (target - low) / (high - low)) / STEPS as f64
    };
    (0..=count).map(place).collect()
}

/// The vertices' places along a run \[m\].
pub(super) fn points(edge: &Measured, run: &Run, fractions: &[f64]) -> Vec<Vec2> {
    fractions.iter().map(|&f| edge.point(run.from + (run.to - run.from) * f)).collect()
}
