//! A pattern file as it is written.

use crate::expression::Number;
use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) type Point = [Number; 2];

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    #[default]
    M,
    Cm,
    Mm,
    In,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<String>,
    #[serde(default)]
    pub unit: Unit,
    #[serde(default)]
    pub parameters: BTreeMap<String, Number>,
    #[serde(default)]
    pub panel: Vec<Panel>,
    #[serde(default)]
    pub seam: Vec<Seam>,
    #[serde(default)]
    pub elastic: Vec<Elastic>,
    #[serde(default)]
    pub button: Vec<Button>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Panel {
    pub name: String,
    pub mirror_of: Option<String>,
    pub start: Option<Point>,
    #[serde(default)]
    pub edge: Vec<Edge>,
    #[serde(default)]
    pub hole: Vec<Hole>,
    #[serde(default)]
    pub dart: Vec<Dart>,
    #[serde(default)]
    pub line: Vec<Line>,
    pub grain: Option<Number>,
    pub position: Option<[Number; 3]>,
    pub rotation: Option<[Number; 3]>,
    pub wrap: Option<Wrap>,
    pub fabric: Option<String>,
    pub layer: Option<i32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edge {
    pub name: Option<String>,
    pub to: Option<Point>,
    pub curve: Option<Vec<Point>>,
    pub arc: Option<Arc>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arc {
    pub radius: Number,
    #[serde(default)]
    pub large: bool,
    #[serde(default)]
    pub bulge: Bulge,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Bulge {
    #[default]
    Right,
    Left,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hole {
    pub start: Option<Point>,
    #[serde(default)]
    pub edge: Vec<Edge>,
    pub circle: Option<Circle>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Circle {
    pub center: Point,
    pub radius: Number,
    pub name: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dart {
    pub edges: [String; 2],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub name: String,
    pub start: Point,
    pub edge: Vec<Edge>,
    pub fold: Option<Number>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wrap {
    pub radius: Number,
    #[serde(default)]
    pub axis: Axis,
    pub at: Option<Number>,
    pub flat: Option<Number>,
    pub turn: Option<Number>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Axis {
    U,
    #[default]
    V,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seam {
    pub name: Option<String>,
    pub a: Vec<Piece>,
    pub b: Vec<Piece>,
    #[serde(default)]
    pub gather: bool,
    pub angle: Option<Number>,
}

/// `"panel.edge"`, `"+panel.edge"`, `"-panel.edge"`, or a table with a range.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Piece {
    Whole(String),
    Part(PartialEdge),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartialEdge {
    pub edge: String,
    pub from: Option<Number>,
    pub to: Option<Number>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Elastic {
    pub name: Option<String>,
    pub edges: Vec<String>,
    pub width: Number,
    pub shrink: Number,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Button {
    pub name: Option<String>,
    pub a: ButtonEnd,
    pub b: ButtonEnd,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ButtonEnd {
    pub panel: String,
    pub at: Point,
}

impl Unit {
    /// One of it \[m\].
    pub fn meters(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
            Self::Mm => 0.001,
            Self::In => 0.0254,
        }
    }
}
