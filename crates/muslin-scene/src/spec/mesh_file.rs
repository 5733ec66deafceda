//! Files of meshes and patterns, with the unit and up axis they are in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::forms::{allow_string, string_or_table};
use super::scene::UpAxis;
use super::sheet::default_edge_length;

/// The unit of lengths in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Metres.
    #[default]
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Inches.
    In,
}

impl Unit {
    /// One of it in metres.
    pub fn meters(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
            Self::Mm => 0.001,
            Self::In => 0.0254,
        }
    }
}

/// What a mesh file says about the rest shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RestShape {
    /// Its uv coordinates [m] where it has them, else the mesh itself.
    #[default]
    Auto,
    /// Its uv coordinates [m] (BW1).
    Uv,
    /// The mesh itself.
    Mesh,
}

/// A mesh file: `"shirt.obj"`, or a table that also says how to read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = allow_string)]
pub struct MeshFile {
    /// The file, relative to the scene file.
    pub file: String,
    /// Unit of its lengths; the file's own, else metres, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Its up axis; the file's own, else the scene's, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
    /// Where the rest shape of cloth comes from.
    #[serde(default)]
    pub rest: RestShape,
    /// A mesh of the rest shape with the same vertices, instead of `rest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_file: Option<String>,
    /// Size of uv coordinate 1 [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uv_scale: Option<f64>,
    /// The object or node of the file to take; all of it when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

impl MeshFile {
    fn plain(file: String) -> Self {
        Self { file, ..Self::default() }
    }

    fn only_file(&self) -> Option<&str> {
        (*self == Self::plain(self.file.clone())).then_some(&self.file)
    }
}

string_or_table!(MeshFile, MeshFile::plain, MeshFile::only_file, "a file name or { file = …, … }");

/// A sewing pattern: built in (`"@t-shirt"`), Muslin's own format (`"shirt.toml"`) or GarmentCode's
/// (`"shirt.json"`), or a table that also says how to mesh it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = allow_string)]
pub struct PatternFile {
    /// The file, relative to the scene file, or the name of a pattern built in, with @.
    pub file: String,
    /// Length of mesh edges [m].
    #[serde(default = "default_edge_length")]
    pub edge_length: f64,
    /// Other values for parameters of the pattern, in its unit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Time in which its seams are drawn together [s]; longer where much cloth must find its way.
    #[serde(default = "default_closing_time")]
    pub closing_time: f64,
}

/// Time in which the seams of a pattern are drawn together [s].
fn default_closing_time() -> f64 {
    0.4
}

impl PatternFile {
    /// The name of the pattern built in, without @.
    pub fn built_in(&self) -> Option<&str> {
        self.file.strip_prefix('@')
    }

    fn plain(file: String) -> Self {
        Self {
            file,
            edge_length: default_edge_length(),
            parameters: BTreeMap::new(),
            closing_time: default_closing_time(),
        }
    }

    fn only_file(&self) -> Option<&str> {
        (*self == Self::plain(self.file.clone())).then_some(&self.file)
    }
}

string_or_table!(
    PatternFile,
    PatternFile::plain,
    PatternFile::only_file,
    "a file name or { file = …, edge_length = …, parameters = { … } }"
);

/// A mesh that moves as files say: numbered meshes, a vertex cache, or a USD file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshSequence {
    /// File names with # for the digits of the number, "walk_####.obj", or one file that moves by
    /// itself: .pc2, .mdd, .usda.
    pub files: String,
    /// The mesh a .pc2 or .mdd belongs to; the .obj of the same name when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// Number of the first file; the lowest there is when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// Number of the last file; as many as there are when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
    /// Frames per second; the file's own, else the scene's, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// Time of the motion at time 0 of the scene [s].
    #[serde(default)]
    pub start: f64,
    /// Speed of the motion; 1 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Play it over and over.
    #[serde(default)]
    pub repeat: bool,
    /// What happens between frames.
    #[serde(default)]
    pub interpolation: Between,
    /// Unit of lengths; the file's own, else metres, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Up axis; the file's own, else the scene's, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
    /// The prim of a USD file to take; all of it when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

/// What happens between the frames of a [`MeshSequence`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Between {
    /// Straight from frame to frame.
    #[default]
    Linear,
    /// A smooth curve through all frames.
    Smooth,
}

impl MeshSequence {
    /// The endings of files that move by themselves.
    pub const MOVING: [&'static str; 6] = [".pc2", ".mdd", ".usda", ".usd", ".usdc", ".usdz"];

    /// The file with this number, or `None` where `files` has no `#`.
    pub fn file(&self, number: u32) -> Option<String> {
        let start = self.files.rfind('#')? + 1;
        let digits = self.files[..start].chars().rev().take_while(|&c| c == '#').count();
        let (before, after) = (&self.files[..start - digits], &self.files[start..]);
        Some(format!("{before}{number:0digits$}{after}"))
    }

    /// Whether `files` is one file that moves by itself.
    pub fn moves_by_itself(&self) -> bool {
        let files = self.files.to_lowercase();
        Self::MOVING.iter().any(|ending| files.ends_with(ending))
    }
}
