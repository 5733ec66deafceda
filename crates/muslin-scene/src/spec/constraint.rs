//! What holds cloth: `[[cloth.pin]]`, `[[cloth.attach]]`, `[[cloth.seam]]`, `[[cloth.stick]]`.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::forms::{allow_string, string_or_table};
use crate::formula::Formula;
use crate::keyframes::Keyed;

/// A corner of a grid, by its rest coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Corner {
    /// u = 0, v = 0.
    U0V0,
    /// u = 1, v = 0.
    U1V0,
    /// u = 0, v = 1.
    U0V1,
    /// u = 1, v = 1.
    U1V1,
}

/// A side of a grid or tube, by its rest coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// u = 0.
    U0,
    /// u = 1.
    U1,
    /// v = 0.
    V0,
    /// v = 1.
    V1,
    /// Every vertex of the boundary.
    Border,
}

/// Chosen vertices: "all", or a table with exactly one of `corners`, `edge`, `vertices`, `formula`,
/// `group`, and `near` with `radius`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields, default)]
#[schemars(transform = allow_string)]
pub struct Select {
    /// Corners of a grid: "u0v0", "u1v0", "u0v1", "u1v1".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<Vec<Corner>>,
    /// A side: "u0", "u1", "v0", "v1" or "border".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<Side>,
    /// Vertices by number, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Vec<u32>>,
    /// Vertices where the formula is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
    /// A vertex group of the mesh or of `[cloth.group]`; "all" is every vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Vertices near this point [m].
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Vec3>,
    /// How near [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
}

/// What a [`Select`] chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection<'a> {
    /// Every vertex.
    All,
    /// Corners of a grid.
    Corners(&'a [Corner]),
    /// A side of a grid or tube.
    Edge(Side),
    /// Vertices by number.
    Vertices(&'a [u32]),
    /// Vertices where the formula is not 0.
    Formula(&'a Formula),
    /// A vertex group.
    Group(&'a str),
    /// Vertices within a distance of a point.
    Near {
        /// The point [m].
        point: Vec3,
        /// The distance [m].
        radius: f64,
    },
}

impl Select {
    /// The vertices of `group`.
    pub fn group(group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..Self::default() }
    }

    /// Every vertex.
    pub fn all() -> Self {
        Self::group("all")
    }

    /// What is chosen; `None` where not exactly one way is given, which a checked scene rules out.
    pub fn selection(&self) -> Option<Selection<'_>> {
        let mut ways = [
            self.corners.as_deref().map(Selection::Corners),
            self.edge.map(Selection::Edge),
            self.vertices.as_deref().map(Selection::Vertices),
            self.formula.as_ref().map(Selection::Formula),
            self.group.as_deref().map(|name| match name {
                "all" => Selection::All,
                _ => Selection::Group(name),
            }),
            self.near.map(|point| Selection::Near { point, radius: self.radius.unwrap_or(0.0) }),
        ]
        .into_iter()
        .flatten();
        let first = ways.next();
        let radius_fits = self.radius.is_some() == self.near.is_some();
        if ways.next().is_none() && radius_fits { first } else { None }
    }
}

string_or_table!(
    Select,
    Select::group,
    |select| select.group.as_deref(),
    "\"all\", a group's name, or a table with one of corners, edge, vertices, formula, group, near"
);

/// Held vertices (BW10): fixed, moved, on a line, on a plane or on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The vertices.
    pub select: Select,
    /// Held directions, up to three; all when not given.
    #[schemars(with = "Option<Vec<[f64; 3]>>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<Vec<Vec3>>,
    /// Free along this direction only.
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along_line: Option<Vec3>,
    /// Free in the plane with this normal only.
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_plane: Option<Vec3>,
    /// Moves with this body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_body: Option<String>,
    /// Held from this time on [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Held until this time [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Offset from where the vertices were when first held [m]; keyframable.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub offset: Option<Keyed<Vec3>>,
    /// Rotation about `center` from how they were when first held [degrees]; keyframable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Keyed<Vec3>>,
    /// Centre of `rotate` [m]; the middle of the held vertices when not given.
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center: Option<Vec3>,
    /// Velocity [m/s], instead of `move`; keyframable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Keyed<Vec3>>,
}

/// Springs from chosen vertices to the nearest points of another cloth or a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// The cloth or body.
    pub to: String,
    /// The vertices that are attached.
    pub select: Select,
    /// The vertices they are attached to; the nearest points anywhere when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select_to: Option<Select>,
    /// Stiffness of each spring [N/m]; keyframable.
    #[serde(default = "attach_stiffness")]
    pub stiffness: Keyed<f64>,
    /// Damping of each spring [N·s/m].
    #[serde(default)]
    pub damping: f64,
    /// Attached from this time on [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Attached until this time [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Force at which a spring breaks, for good [N]; never when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_force: Option<f64>,
}

fn attach_stiffness() -> Keyed<f64> {
    Keyed::Constant(100.0)
}

/// One side of a seam: an edge of a panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeamSide {
    /// The panel.
    pub panel: String,
    /// The edge: edge k runs from outline point k to point k + 1.
    pub edge: u32,
    /// Run along the edge backwards.
    #[serde(default)]
    pub reverse: bool,
}

/// Two panel edges sewn together (BW15).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seam {
    /// The first edge.
    pub a: SeamSide,
    /// The second edge.
    pub b: SeamSide,
    /// Rest angle across the seam [degrees].
    #[serde(default)]
    pub angle: f64,
    /// Time in which the seam is drawn together [s]; a tenth of a second at least.
    #[serde(default)]
    pub closing_time: f64,
}

/// Dynamic sticking: forms and breaks any number of times (MF9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stick {
    /// The adhering region of this cloth.
    pub select: Select,
    /// The sticky cloth or body.
    pub to: String,
    /// The sticky region on it; all of it when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select_to: Option<Select>,
    /// Distance at which sticking begins [m].
    #[serde(default = "capture_distance")]
    pub capture_distance: f64,
    /// Distance at which the spring has faded to nothing [m].
    #[serde(default = "release_distance")]
    pub release_distance: f64,
    /// Stiffness of each spring [N/m].
    #[serde(default = "stick_stiffness")]
    pub stiffness: f64,
    /// The time Δτ over which positions are predicted [s].
    #[serde(default = "relaxation_time")]
    pub relaxation_time: f64,
    /// Factor on the stiffness, from 0 (off) to 1; keyframable.
    #[serde(default = "full_strength")]
    pub strength: Keyed<f64>,
}

fn capture_distance() -> f64 {
    0.005
}

fn release_distance() -> f64 {
    0.02
}

fn stick_stiffness() -> f64 {
    100.0
}

fn relaxation_time() -> f64 {
    0.01
}

fn full_strength() -> Keyed<f64> {
    Keyed::Constant(1.0)
}
