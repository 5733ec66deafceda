//! What is refused before anything is meshed.

use super::MAX_VERTICES;
use crate::curve::{Curve, Measured};
use crate::error::GarmentError;
use crate::pattern::{Panel, PanelEdge, Pattern, loop_area};
use muslin::math::Vec2;

/// Edges shorter than this part of the edge length are refused.
const SHORTEST: f64 = 0.02;
/// Ends of consecutive edges may differ by this part of the panel's size.
const JOIN_TOLERANCE: f64 = 1e-9;

/// Measured edges of every panel.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub edges: Vec<Vec<Measured>>,
    /// For each panel, index of the first edge of each loop, and the count at the end.
    pub loop_starts: Vec<Vec<usize>>,
    /// Index in its panel of the loop of each edge.
    pub loop_of: Vec<Vec<usize>>,
    /// Whether cloth lies to the left of each loop's edges.
    pub cloth_left: Vec<Vec<bool>>,
}

impl Shapes {
    /// The edge after `edge` in its loop.
    pub fn next(&self, panel: usize, edge: usize) -> usize {
        let starts = &self.loop_starts[panel];
        let which = self.loop_of[panel][edge];
        if edge + 1 == starts[which + 1] { starts[which] } else { edge + 1 }
    }
}

/// Checks a pattern's parts and measures its edges.
pub(super) fn check(pattern: &Pattern, edge_length: f64) -> Result<Shapes, GarmentError> {
    if !(edge_length > 0.0 && edge_length.is_finite()) {
        return Err(GarmentError::EdgeLength(edge_length));
    }
    if pattern.panels.is_empty() {
        return Err(GarmentError::NoPanels(pattern.name.clone()));
    }
    unique(&pattern.name, "panel", pattern.panels.iter().map(|panel| panel.name.as_str()))?;
    let mut shapes = Shapes {
        edges: Vec::new(),
        loop_starts: Vec::new(),
        loop_of: Vec::new(),
        cloth_left: Vec::new(),
    };
    let mut vertices = 0.0;
    for panel in &pattern.panels {
        unique(&panel.name, "edge", panel.edges().map(|edge| edge.name.as_str()))?;
        check_loops(panel)?;
        let edges = measure(panel, edge_length)?;
        let length: f64 = edges.iter().map(Measured::length).sum();
        let (low, high) = bounds(&edges);
        // Seeds of a hexagonal lattice over the bounding box, and the boundary.
        vertices += (high - low).element_product() / (0.866 * edge_length * edge_length)
            + length / edge_length;
        if vertices >= MAX_VERTICES as f64 || vertices.is_nan() {
            return Err(GarmentError::TooFine {
                what: format!("panel {:?}", panel.name),
                edge_length,
                limit: MAX_VERTICES,
            });
        }
        let mut starts = vec![0];
        let mut loop_of = Vec::new();
        let mut cloth_left = Vec::new();
        for (index, edges) in panel.loops().enumerate() {
            starts.push(starts[index] + edges.len());
            loop_of.extend(edges.iter().map(|_| index));
            cloth_left.push((loop_area(edges) > 0.0) == (index == 0));
        }
        shapes.edges.push(edges);
        shapes.loop_starts.push(starts);
        shapes.loop_of.push(loop_of);
        shapes.cloth_left.push(cloth_left);
    }
    Ok(shapes)
}

/// A box around the edges.
pub(super) fn bounds(edges: &[Measured]) -> (Vec2, Vec2) {
    let samples =
        edges.iter().flat_map(|edge| (0..=16).map(move |k| edge.curve().at(f64::from(k) / 16.0)));
    samples.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}

fn unique<'a>(
    place: &str,
    kind: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), GarmentError> {
    let mut sorted: Vec<&str> = names.collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(GarmentError::Twice { place: place.to_owned(), kind, name: pair[0].to_owned() })
        }
        None => Ok(()),
    }
}

fn check_loops(panel: &Panel) -> Result<(), GarmentError> {
    let shape = |message: String| GarmentError::Shape { panel: panel.name.clone(), message };
    for (index, edges) in panel.loops().enumerate() {
        let what = if index == 0 { "outline".to_owned() } else { format!("hole {index}") };
        if edges.is_empty() {
            return Err(shape(format!("the {what} has no edges; give it some")));
        }
        for (k, edge) in edges.iter().enumerate() {
            let before = &edges[(k + edges.len() - 1) % edges.len()];
            check_joint(panel, before, edge)?;
        }
    }
    let curves = panel.lines.iter().flat_map(|line| &line.curves);
    let all_finite = panel.edges().map(|edge| &edge.curve).chain(curves).all(Curve::is_finite);
    let Some(wrap) = panel.placement.wrap else {
        return if all_finite { Ok(()) } else { Err(shape("a coordinate is not finite".into())) };
    };
    if all_finite && wrap.radius > 0.0 {
        return Ok(());
    }
    Err(shape(format!("it is wrapped at radius {} m; give a positive number", wrap.radius)))
}

fn check_joint(panel: &Panel, before: &PanelEdge, edge: &PanelEdge) -> Result<(), GarmentError> {
    let gap = (edge.curve.start() - before.curve.end()).length();
    let size = edge.curve.start().abs().max(edge.curve.end().abs()).max_element();
    if gap <= JOIN_TOLERANCE * size.max(1e-3) {
        return Ok(());
    }
    Err(GarmentError::OpenOutline {
        panel: panel.name.clone(),
        edge: edge.name.clone(),
        before: before.name.clone(),
    })
}

fn measure(panel: &Panel, edge_length: f64) -> Result<Vec<Measured>, GarmentError> {
    let mut measured = Vec::new();
    for edge in panel.edges() {
        let shape = Measured::new(edge.curve.clone());
        let length = shape.length();
        if length < SHORTEST * edge_length || length.is_nan() {
            return Err(GarmentError::ShortEdge {
                panel: panel.name.clone(),
                edge: edge.name.clone(),
                length,
                edge_length,
            });
        }
        if length / edge_length >= MAX_VERTICES as f64 {
            return Err(GarmentError::TooFine {
                what: format!("edge {:?} of panel {:?}", edge.name, panel.name),
                edge_length,
                limit: MAX_VERTICES,
            });
        }
        measured.push(shape);
    }
    Ok(measured)
}
