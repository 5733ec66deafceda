//! How every edge is cut into mesh edges, once for both sides of its seam.
//!
//! `checks` refuses broken outlines, `directions` turns seam pieces into directed runs, `breaks`
//! collects the places on edges that must be vertices, `knots` matches those of both sides of a
//! seam and cuts everything into *strands* (stretches without a break, with one or two sides),
//! `sampling` divides each strand, and `boundary` lists each panel's vertices.

mod boundary;
mod breaks;
mod checks;
mod directions;
mod knots;
mod sampling;

pub(crate) use boundary::segments_meet;
pub(crate) use checks::Shapes;
pub(crate) use directions::material_left;

use crate::error::GarmentError;
use crate::pattern::Pattern;
use muslin::math::Vec2;

/// Most vertices of a garment.
pub(crate) const MAX_VERTICES: usize = 2_000_000;
/// Breaks closer than this part of an edge length are one.
const SNAP: f64 = 0.35;

/// A directed stretch of an edge, as fractions of its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub panel: usize,
    pub edge: usize,
    pub from: f64,
    pub to: f64,
}

/// A stretch that is divided as one: a piece of an edge, of a line, or of two sewn edges.
#[derive(Clone, Debug)]
pub(crate) struct Strand {
    pub sides: Vec<Run>,
    /// The seam that joins its sides.
    pub seam: Option<usize>,
    /// Where its vertices are, from 0 to 1.
    pub fractions: Vec<f64>,
    /// Spacing wanted at both ends \[m\].
    pub sizes: [f64; 2],
}

/// What a panel's mesh must contain.
#[derive(Clone, Debug, Default)]
pub(crate) struct PanelPlan {
    /// Given vertices: on edges, on lines, under buttons \[m\].
    pub points: Vec<Vec2>,
    /// Spacing around each of them \[m\].
    pub sizes: Vec<f64>,
    /// Vertices of every loop, once around.
    pub loops: Vec<Vec<u32>>,
    /// Vertices of every edge, end points included.
    pub edges: Vec<Vec<u32>>,
    /// Vertices of every inner line, end points included.
    pub lines: Vec<Vec<u32>>,
}

/// Two vertices that are sewn: panel and vertex, twice.
pub(crate) type Stitch = [(usize, u32); 2];

/// The whole plan.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub panels: Vec<PanelPlan>,
    /// Stitches of each seam in order.
    pub stitches: Vec<Vec<Stitch>>,
    /// Strands with two sides.
    pub sewn: Vec<Strand>,
    /// Vertices of the buttons' two ends.
    pub buttons: Vec<Stitch>,
}

/// Plans all panels for mesh edges of `edge_length` \[m\].
pub(crate) fn plan(pattern: &Pattern, edge_length: f64) -> Result<(Plan, Shapes), GarmentError> {
    let shapes = checks::check(pattern, edge_length)?;
    let seams = directions::directed_seams(pattern, &shapes)?;
    let (mut breaks, inner) = breaks::collect(pattern, &shapes, &seams, edge_length)?;
    let mut strands = knots::sewn_strands(pattern, &shapes, &seams, &mut breaks, edge_length)?;
    knots::free_strands(&breaks, &mut strands);
    let line_strands = inner.strands();
    let setting =
        sampling::Setting { pattern, shapes: &shapes, breaks: &breaks, inner: &inner, edge_length };
    let lines = sampling::divide(&setting, &mut strands, line_strands)?;
    let plan = boundary::assemble(&setting, strands, &lines)?;
    Ok((plan, shapes))
}
