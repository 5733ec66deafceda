//! A garment: what a pattern becomes.

use crate::panel_mesh::Quality;
use muslin::math::{Vec2, Vec3};
use muslin::mesh::{MeshError, TriMesh};
use std::ops::Range;

/// A meshed pattern, before and after sewing.
///
/// Unwelded, every panel has its own vertices, placed around the body; `stitches` pairs those that
/// sewing brings together. Welded, each class of stitched vertices is one. Triangles keep their
/// numbers and rest coordinates in both (BW1).
#[derive(Clone, Debug, PartialEq)]
pub struct Garment {
    /// Name of the pattern.
    pub name: String,
    /// The panels, in the pattern's order.
    pub parts: Vec<Part>,
    /// Where every unwelded vertex starts \[m\].
    pub positions: Vec<Vec3>,
    /// Unwelded triangles; the front is the garment's outside.
    pub triangles: Vec<[u32; 3]>,
    /// Rest coordinates of the corners \[m\]: u across the grain, v along it.
    pub uv: Vec<[Vec2; 3]>,
    /// Unwelded vertices that are sewn together, seam after seam.
    pub stitches: Vec<[u32; 2]>,
    /// The seams, as ranges of `stitches`.
    pub seams: Vec<SeamStitches>,
    /// The sewn mesh, with the same triangles.
    pub welded: TriMesh,
    /// The welded vertex of every unwelded one.
    pub weld: Vec<u32>,
    /// Mean starting place of every welded vertex \[m\].
    pub welded_positions: Vec<Vec3>,
    /// Rest length of every triangle along u and v as factors `b_u`, `b_v` (BW3): 1, or less in
    /// elastic bands.
    pub shrink: Vec<[f64; 2]>,
    /// Fold lines.
    pub folds: Vec<Fold>,
    /// Buttons and other points held together.
    pub attachments: Vec<Attachment>,
    /// Named unwelded vertices: panels (`front`), edges (`front.hem`), lines (`front.crease`).
    pub groups: Vec<Group>,
}

/// A panel of a garment.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its fabric, where the pattern names one.
    pub fabric: Option<String>,
    /// Layers with larger numbers are worn further outside.
    pub layer: i32,
    /// Its unwelded vertices.
    pub vertices: Range<u32>,
    /// Its triangles.
    pub triangles: Range<u32>,
}

/// The stitches of a seam.
#[derive(Clone, Debug, PartialEq)]
pub struct SeamStitches {
    /// Name of the seam.
    pub name: String,
    /// Its stitches, from end to end.
    pub stitches: Range<u32>,
    /// Rest angle across it \[rad\].
    pub angle: f64,
}

/// A chain of mesh edges with a rest angle.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// Name, as `panel.line`.
    pub name: String,
    /// Unwelded vertices from end to end.
    pub vertices: Vec<u32>,
    /// Rest angle \[rad\].
    pub angle: f64,
}

/// Two unwelded vertices held together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// The vertices.
    pub vertices: [u32; 2],
}

/// Named unwelded vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its vertices.
    pub vertices: Vec<u32>,
}

impl Garment {
    /// The unwelded mesh.
    pub fn unwelded(&self) -> Result<TriMesh, MeshError> {
        TriMesh::new(self.positions.len(), self.triangles.clone(), self.uv.clone())
    }

    /// The vertices of a group.
    pub fn group(&self, name: &str) -> Option<&[u32]> {
        self.groups.iter().find(|group| group.name == name).map(|group| group.vertices.as_slice())
    }

    /// How good its triangles are.
    pub fn quality(&self) -> Quality {
        Quality::of(&self.uv)
    }
}
