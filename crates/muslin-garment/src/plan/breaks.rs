//! Places on edges that must be vertices, and the lines inside panels.

use super::directions::DirectedSeam;
use super::{Run, SNAP, Shapes, Strand};
use crate::curve::{Curve, Measured};
use crate::error::GarmentError;
use crate::pattern::Pattern;
use muslin::math::Vec2;

/// For every panel and edge, the sorted fractions of its length that are vertices.
#[derive(Clone, Debug)]
pub(super) struct Breaks {
    pub fractions: Vec<Vec<Vec<f64>>>,
}

/// An end of a line inside a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Joint {
    /// On an edge, at a fraction of its length.
    OnEdge(usize, f64),
    /// At one of the panel's inner points.
    Inner(usize),
}

/// A curve of a line inside a panel.
#[derive(Clone, Debug)]
pub(super) struct InnerCurve {
    pub panel: usize,
    pub line: usize,
    pub shape: Measured,
    pub joints: [Joint; 2],
}

/// Lines and points inside panels.
#[derive(Clone, Debug, Default)]
pub(super) struct Inner {
    pub curves: Vec<InnerCurve>,
    /// Inner points of every panel.
    pub points: Vec<Vec<Vec2>>,
    /// The joints of the two ends of every button.
    pub buttons: Vec<[(usize, Joint); 2]>,
}

impl Inner {
    /// One strand per curve; `edge` of its side is the curve's index.
    pub fn strands(&self) -> Vec<Strand> {
        let strand = |(edge, curve): (usize, &InnerCurve)| Strand {
            sides: vec![Run { panel: curve.panel, edge, from: 0.0, to: 1.0 }],
            seam: None,
            fractions: Vec::new(),
            sizes: [0.0; 2],
        };
        self.curves.iter().enumerate().map(strand).collect()
    }
}

impl Breaks {
    /// The settled break nearest to a fraction.
    pub fn index(&self, panel: usize, edge: usize, fraction: f64) -> usize {
        let breaks = &self.fractions[panel][edge];
        let after = breaks.partition_point(|&f| f < fraction).min(breaks.len() - 1);
        let before = after.saturating_sub(1);
        if fraction - breaks[before] < breaks[after] - fraction { before } else { after }
    }

    pub fn snap(&self, panel: usize, edge: usize, fraction: f64) -> f64 {
        self.fractions[panel][edge][self.index(panel, edge, fraction)]
    }

    /// Adds a break where a seam's other side has one.
    pub fn add(&mut self, panel: usize, edge: usize, fraction: f64) {
        let breaks = &mut self.fractions[panel][edge];
        let at = breaks.partition_point(|&f| f < fraction);
        if breaks.get(at) != Some(&fraction) {
            breaks.insert(at, fraction);
        }
    }

    fn settle(&mut self, shapes: &Shapes, edge_length: f64) {
        for (panel, edges) in self.fractions.iter_mut().enumerate() {
            for (edge, wanted) in edges.iter_mut().enumerate() {
                let length = shapes.edges[panel][edge].length();
                let tolerance = (SNAP * edge_length / length).min(0.2);
                wanted.sort_by(f64::total_cmp);
                let mut settled = vec![0.0];
                for &fraction in wanted.iter() {
                    let last = settled[settled.len() - 1];
                    if fraction - last > tolerance && 1.0 - fraction > tolerance {
                        settled.push(fraction);
                    }
                }
                settled.push(1.0);
                *wanted = settled;
            }
        }
    }
}

/// Collects the breaks that seams, lines and buttons ask for, and finds where lines end.
pub(super) fn collect(
    pattern: &Pattern,
    shapes: &Shapes,
    seams: &[DirectedSeam],
    edge_length: f64,
) -> Result<(Breaks, Inner), GarmentError> {
    let fractions = shapes.edges.iter().map(|edges| vec![Vec::new(); edges.len()]).collect();
    let mut breaks = Breaks { fractions };
    for run in seams.iter().flat_map(|seam| seam.sides.iter().flatten()) {
        breaks.fractions[run.panel][run.edge].extend([run.from, run.to]);
    }
    let mut inner = Inner { points: vec![Vec::new(); pattern.panels.len()], ..Inner::default() };
    let reach = SNAP * edge_length;
    for (p, panel) in pattern.panels.iter().enumerate() {
        for (l, line) in panel.lines.iter().enumerate() {
            for curve in &line.curves {
                let joints = [curve.start(), curve.end()]
                    .map(|end| joint(&shapes.edges[p], &mut inner.points[p], end, reach));
                let shape = Measured::new(curve.clone());
                inner.curves.push(InnerCurve { panel: p, line: l, shape, joints });
            }
        }
    }
    for button in &pattern.buttons {
        let ends = [button.a, button.b].map(|end| {
            let edges = &shapes.edges[end.panel];
            (end.panel, joint(edges, &mut inner.points[end.panel], end.at, reach))
        });
        inner.buttons.push(ends);
    }
    let curve_ends = inner.curves.iter().flat_map(|c| c.joints.map(|joint| (c.panel, joint)));
    for (panel, joint) in curve_ends.chain(inner.buttons.iter().flatten().copied()) {
        if let Joint::OnEdge(edge, fraction) = joint {
            breaks.fractions[panel][edge].push(fraction);
        }
    }
    breaks.settle(shapes, edge_length);
    attach_lines(pattern, shapes, &breaks, &mut inner, edge_length)?;
    Ok((breaks, inner))
}

fn joint(edges: &[Measured], points: &mut Vec<Vec2>, end: Vec2, reach: f64) -> Joint {
    let mut best: Option<(f64, Joint)> = None;
    for (e, edge) in edges.iter().enumerate() {
        let (fraction, distance) = edge.closest(end);
        if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, Joint::OnEdge(e, fraction)));
        }
    }
    if let Some((_, joint)) = best {
        return joint;
    }
    if let Some(known) = points.iter().position(|p| (*p - end).length() <= reach) {
        return Joint::Inner(known);
    }
    points.push(end);
    Joint::Inner(points.len() - 1)
}

/// Moves the ends of the lines to where their joints settled.
fn attach_lines(
    pattern: &Pattern,
    shapes: &Shapes,
    breaks: &Breaks,
    inner: &mut Inner,
    edge_length: f64,
) -> Result<(), GarmentError> {
    let Inner { curves, points, buttons } = inner;
    let settle = |panel: usize, joint: &mut Joint| {
        if let Joint::OnEdge(edge, fraction) = joint {
            *fraction = breaks.snap(panel, *edge, *fraction);
        }
    };
    for (panel, joint) in buttons.iter_mut().flatten() {
        settle(*panel, joint);
    }
    for curve in curves {
        let panel = curve.panel;
        let ends = curve.joints.each_mut().map(|joint| {
            settle(panel, joint);
            match *joint {
                Joint::OnEdge(edge, fraction) => shapes.edges[panel][edge].point(fraction),
                Joint::Inner(index) => points[panel][index],
            }
        });
        let moved: Curve = curve.shape.curve().between(ends[0], ends[1]);
        curve.shape = Measured::new(moved);
        if curve.shape.length() < SNAP * edge_length {
            let line = &pattern.panels[panel].lines[curve.line].name;
            return Err(GarmentError::ShortEdge {
                panel: pattern.panels[panel].name.clone(),
                edge: line.clone(),
                length: curve.shape.length(),
                edge_length,
            });
        }
    }
    Ok(())
}
