//! A sewing pattern as plain data: panels, seams, bands, buttons (BW15). Metres, z up.

mod placement;

pub use placement::{Placement, Wrap, WrapAxis};

use crate::curve::Curve;
use muslin::math::{Quat, Vec2, Vec3};

/// A sewing pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// The pieces of cloth.
    pub panels: Vec<Panel>,
    /// What is sewn to what.
    pub seams: Vec<Seam>,
    /// Elastic bands.
    pub bands: Vec<ElasticBand>,
    /// Points joined to points.
    pub buttons: Vec<Button>,
}

/// A flat piece of cloth.
///
/// Its outline runs counter-clockwise seen from the outside of the garment; where it runs
/// clockwise, the outside is behind the panel's plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its name.
    pub name: String,
    /// Edges once around, each starting where the one before ends.
    pub outline: Vec<PanelEdge>,
    /// Holes, each a closed loop of edges in either direction.
    pub holes: Vec<Vec<PanelEdge>>,
    /// Lines inside that become mesh edges.
    pub lines: Vec<InnerLine>,
    /// Direction of the warp, counter-clockwise from the panel's +v \[rad\]: rest coordinates are
    /// turned so that it becomes v.
    pub grain: f64,
    /// Where the panel starts in space.
    pub placement: Placement,
    /// Name of its fabric.
    pub fabric: Option<String>,
    /// Layers with larger numbers are worn further outside.
    pub layer: i32,
}

/// An edge of an outline or hole.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelEdge {
    /// Its name, unique in the panel.
    pub name: String,
    /// Its shape \[m\].
    pub curve: Curve,
}

/// A line inside a panel that becomes a chain of mesh edges.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerLine {
    /// Its name.
    pub name: String,
    /// Its curves, each starting where the one before ends \[m\].
    pub curves: Vec<Curve>,
    /// Rest angle of a fold line \[rad\], positive when both sides fold to the back; `None` for a
    /// line that is only kept in the mesh.
    pub fold: Option<f64>,
}

/// Two chains of edges that are sewn together.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Its name.
    pub name: String,
    /// One side, piece after piece.
    pub a: Vec<SeamPiece>,
    /// The other side.
    pub b: Vec<SeamPiece>,
    /// Whether one side may be much longer and is gathered.
    pub gather: bool,
    /// Rest angle across the seam \[rad\].
    pub angle: f64,
}

/// A stretch of an edge in a seam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeamPiece {
    /// Index of the panel.
    pub panel: usize,
    /// Index of the edge: the outline's edges first, then those of the holes.
    pub edge: usize,
    /// The stretch, as fractions of the edge's length, the smaller first.
    pub range: [f64; 2],
    /// Which way the chain runs along it.
    pub direction: Direction,
}

/// Which way a seam runs along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The way that brings the ends together from where the panels are placed.
    Auto,
    /// As the edge runs.
    Forward,
    /// Against it.
    Backward,
}

/// Cloth along an edge that shrinks along it (BW3): a cuff, a waistband.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticBand {
    /// Its name.
    pub name: String,
    /// Index of the panel.
    pub panel: usize,
    /// Indices of the edges, as in [`SeamPiece::edge`].
    pub edges: Vec<usize>,
    /// Width of the band, from the edge \[m\].
    pub width: f64,
    /// Rest length along the edge as a factor: below 1 it is tight.
    pub shrink: f64,
}

/// Two points of the pattern held together.
#[derive(Clone, Debug, PartialEq)]
pub struct Button {
    /// Its name.
    pub name: String,
    /// One point.
    pub a: PatternPoint,
    /// The other point.
    pub b: PatternPoint,
}

/// A point of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternPoint {
    /// Index of the panel.
    pub panel: usize,
    /// The point \[m\].
    pub at: Vec2,
}

impl Pattern {
    /// Total area of the panels \[m²\], exactly.
    pub fn area(&self) -> f64 {
        self.panels.iter().map(Panel::area).sum()
    }
}

impl Panel {
    /// The loops: the outline, then the holes.
    pub fn loops(&self) -> impl Iterator<Item = &[PanelEdge]> {
        std::iter::once(self.outline.as_slice()).chain(self.holes.iter().map(Vec::as_slice))
    }

    /// All edges: the outline's, then those of the holes.
    pub fn edges(&self) -> impl Iterator<Item = &PanelEdge> {
        self.loops().flatten()
    }

    /// The index of the edge of this name.
    pub fn edge_index(&self, name: &str) -> Option<usize> {
        self.edges().position(|edge| edge.name == name)
    }

    /// Whether the outside is in front of the plane (+1, counter-clockwise) or behind (−1).
    pub fn facing(&self) -> f64 {
        if loop_area(&self.outline) < 0.0 { -1.0 } else { 1.0 }
    }

    /// The area of the outline less the holes \[m²\], exactly.
    pub fn area(&self) -> f64 {
        let holes: f64 = self.holes.iter().map(|hole| loop_area(hole).abs()).sum();
        loop_area(&self.outline).abs() - holes
    }

    /// Where a point of the panel starts in space \[m\].
    pub fn place(&self, point: Vec2) -> Vec3 {
        self.placement.place(point, self.facing())
    }

    /// Its mirror image in the plane x = 0, in shape and in place.
    #[must_use]
    pub fn mirrored(&self, name: &str) -> Self {
        let flip = |p: Vec2| Vec2::new(-p.x, p.y);
        let turn = |edges: &[PanelEdge]| {
            let mirror = |edge: &PanelEdge| PanelEdge {
                name: edge.name.clone(),
                curve: edge.curve.mapped(flip, true).reversed(),
            };
            edges.iter().rev().map(mirror).collect()
        };
        let Placement { position, rotation, wrap } = self.placement;
        let line = |line: &InnerLine| InnerLine {
            curves: line.curves.iter().map(|curve| curve.mapped(flip, true)).collect(),
            ..line.clone()
        };
        Self {
            name: name.to_owned(),
            outline: turn(&self.outline),
            holes: self.holes.iter().map(|hole| turn(hole)).collect(),
            lines: self.lines.iter().map(line).collect(),
            grain: -self.grain,
            placement: Placement {
                position: Vec3::new(-position.x, position.y, position.z),
                // M R M with M = diag(−1, 1, 1).
                rotation: Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w),
                wrap: wrap.map(|wrap| match wrap.axis {
                    WrapAxis::U => wrap,
                    WrapAxis::V => Wrap { at: -wrap.at, ..wrap },
                }),
            },
            fabric: self.fabric.clone(),
            layer: self.layer,
        }
    }
}

/// Signed area of a closed loop \[m²\], positive counter-clockwise.
pub(crate) fn loop_area(edges: &[PanelEdge]) -> f64 {
    edges.iter().map(|edge| edge.curve.area_integral()).sum()
}

#[cfg(test)]
mod tests;
