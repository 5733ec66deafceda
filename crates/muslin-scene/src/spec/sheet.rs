//! Shapes that cloth can be cut from without a file.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the cells of a grid are cut into triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Diagonals {
    /// In turn one way and the other.
    #[default]
    Alternating,
    /// All the same way.
    Regular,
    /// Vertices shifted at random (from the seed) and the better diagonal taken.
    Irregular,
}

/// A rectangle; u runs along x and v along y (with y up: along −z), lying flat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Size along u and v [m].
    pub size: [f64; 2],
    /// Vertices along u and v.
    #[serde(default = "default_vertices")]
    pub vertices: [u32; 2],
    /// How cells are cut into triangles.
    #[serde(default)]
    pub diagonals: Diagonals,
}

fn default_vertices() -> [u32; 2] {
    [60, 60]
}

/// A narrow rectangle along u, flat, cut so that fold lines run across it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// Length (along u) and width (along v) [m].
    pub size: [f64; 2],
    /// Cells along u and v.
    pub cells: [u32; 2],
    /// How cells are cut into triangles.
    #[serde(default)]
    pub diagonals: Diagonals,
}

/// A disc, lying flat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disc {
    /// Radius [m].
    pub radius: f64,
    /// Rings of vertices around the middle one; ring k has 6 k vertices.
    #[serde(default = "default_rings")]
    pub rings: u32,
}

fn default_rings() -> u32 {
    30
}

/// An open tube around the up axis; u runs around it, v up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tube {
    /// Radius [m].
    pub radius: f64,
    /// Radius at the top [m]; `radius` when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius_top: Option<f64>,
    /// Length along the axis [m].
    pub length: f64,
    /// Vertices around and along it.
    #[serde(default = "default_vertices")]
    pub vertices: [u32; 2],
}

/// Rings of particles around the up axis, from the top down (OS7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skirt {
    /// Particles in each ring; the paper's skirt has [8, 12, 14, 16, 16].
    pub rings: Vec<u32>,
    /// Radius at the top and at the hem, along x [m].
    pub radius: [f64; 2],
    /// Radius at the top and at the hem from front to back [m]; `radius` when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<[f64; 2]>,
    /// Height from the hem to the top [m].
    pub length: f64,
    /// 0 for straight sides; up to 1 for sides that are steep above and flared below.
    #[serde(default = "default_flare")]
    pub flare: f64,
}

fn default_flare() -> f64 {
    0.3
}

/// A closed ball of cloth (MF10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereSheet {
    /// Radius [m].
    pub radius: f64,
    /// How often the 20 triangles of an icosahedron are each cut into four.
    #[serde(default = "default_subdivisions")]
    pub subdivisions: u32,
}

fn default_subdivisions() -> u32 {
    4
}

/// A sewing panel (BW15): a flat outline, meshed and placed around the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Name, for seams.
    pub name: String,
    /// Corners in (u, v), once around [m].
    pub outline: Vec<[f64; 2]>,
    /// Length of mesh edges [m].
    #[serde(default = "default_edge_length")]
    pub edge_length: f64,
    /// Place of the panel's origin [m].
    #[schemars(with = "[f64; 3]")]
    #[serde(default)]
    pub position: Vec3,
    /// Rotation about x, then y, then z [degrees].
    #[schemars(with = "[f64; 3]")]
    #[serde(default)]
    pub rotation: Vec3,
    /// Radius of the cylinder the panel is laid around [m]; flat when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap_radius: Option<f64>,
}

pub(super) fn default_edge_length() -> f64 {
    0.02
}

/// Vertices of `grid`-like shapes, counted without making them.
pub(super) fn count_grid(vertices: [u32; 2]) -> u64 {
    u64::from(vertices[0]) * u64::from(vertices[1])
}

impl Disc {
    /// How many vertices it has.
    pub fn vertex_count(&self) -> u64 {
        let rings = u128::from(self.rings);
        u64::try_from(1 + 3 * rings * (rings + 1)).unwrap_or(u64::MAX)
    }
}

impl SphereSheet {
    /// How many vertices it has.
    pub fn vertex_count(&self) -> u64 {
        let quadrupled = 4_u64.checked_pow(self.subdivisions);
        quadrupled.and_then(|n| n.checked_mul(10)).map_or(u64::MAX, |n| n.saturating_add(2))
    }
}

impl Panel {
    /// About how many vertices it has, from its area and boundary.
    pub fn vertex_estimate(&self) -> u64 {
        let (mut twice_area, mut length) = (0.0, 0.0);
        for (i, a) in self.outline.iter().enumerate() {
            let b = self.outline[(i + 1) % self.outline.len()];
            twice_area += a[0] * b[1] - a[1] * b[0];
            length += (a[0] - b[0]).hypot(a[1] - b[1]);
        }
        // An equilateral triangle of edge e has area √3/4 e², and there are half as many vertices.
        let inside = twice_area.abs() / (3.0_f64.sqrt() * self.edge_length * self.edge_length);
        (inside + length / self.edge_length) as u64
    }

    /// The area its outline encloses [m²].
    pub fn area(&self) -> f64 {
        let n = self.outline.len();
        let cross = |i: usize| {
            let (a, b) = (self.outline[i], self.outline[(i + 1) % n]);
            a[0] * b[1] - a[1] * b[0]
        };
        0.5 * (0..n).map(cross).sum::<f64>().abs()
    }
}
