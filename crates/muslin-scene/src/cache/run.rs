//! A run as planned, and the surfaces it moves: the caller's part of the manifest.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The largest frame number: a year and more at 120 frames per second.
const MAX_FRAME: u64 = u32::MAX as u64;

/// A run as planned: everything the caller decides before the first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Name of the scene.
    pub scene: String,
    /// Settings changed on the command line: key path to value, as typed.
    pub overrides: BTreeMap<String, String>,
    /// Seed of everything random.
    pub seed: u64,
    /// Frames per second [1/s].
    pub fps: f64,
    /// First frame, the initial state.
    pub first_frame: u64,
    /// Last frame planned, included.
    pub last_frame: u64,
    /// Which axis points up.
    pub up_axis: UpAxis,
    /// Length of one unit of the stored coordinates [m].
    pub metres_per_unit: f64,
    /// Cloths, then bodies, in vertex order.
    pub surfaces: Vec<Surface>,
}

/// One cloth or body and its share of the arrays. Vertices of all surfaces are numbered through:
/// cloths first (the rows of `positions`), bodies after them (the rows of `bodies`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Name in the scene.
    pub name: String,
    /// Cloth or body.
    pub kind: SurfaceKind,
    /// Its vertices, numbered through all surfaces.
    pub vertices: Span,
    /// Its rows of `triangles` in `topology.npz`.
    pub triangles: Span,
    /// Its polygons in `topology.npz`.
    pub polygons: Span,
    /// Colour of the front, sRGB, 0 to 1.
    pub front_colour: [f64; 3],
    /// Colour of the back, sRGB, 0 to 1.
    pub back_colour: [f64; 3],
    /// Layer of the garment: higher lies farther out.
    pub layer: i32,
}

/// A run of consecutive indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Span {
    /// First index.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Span {
    /// The indices as a range; empty where the sum overflows.
    pub fn range(self) -> Range<usize> {
        let first = self.first as usize;
        first..first.saturating_add(self.count as usize)
    }
}

/// What a surface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SurfaceKind {
    /// Simulated.
    Cloth,
    /// Prescribed.
    Body,
}

impl fmt::Display for SurfaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cloth => "cloth",
            Self::Body => "body",
        })
    }
}

/// Which axis points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// +y, as in many animation programs.
    Y,
    /// +z, Muslin's own.
    Z,
}

impl Run {
    /// Number of cloth vertices: rows of `positions`.
    pub fn cloth_vertex_count(&self) -> usize {
        self.vertex_count(SurfaceKind::Cloth)
    }

    /// Number of body vertices: rows of `bodies`.
    pub fn body_vertex_count(&self) -> usize {
        self.vertex_count(SurfaceKind::Body)
    }

    fn vertex_count(&self, kind: SurfaceKind) -> usize {
        let of_kind = self.surfaces.iter().filter(|surface| surface.kind == kind);
        of_kind.map(|surface| surface.vertices.count as usize).sum()
    }

    /// The surface that owns a vertex (numbered through) and the vertex's number within it.
    pub fn owner(&self, vertex: usize) -> Option<(&Surface, usize)> {
        let surface = self
            .surfaces
            .iter()
            .find(|s| s.vertices.range().contains(&vertex))?;
        Some((surface, vertex - surface.vertices.range().start))
    }

    /// Checks that frames, rates and spans make sense; the message says which does not.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.last_frame < self.first_frame {
            return Err(format!(
                "its last frame {} comes before its first frame {}",
                self.last_frame, self.first_frame
            ));
        }
        if self.last_frame > MAX_FRAME {
            return Err(format!(
                "its last frame {} is above {MAX_FRAME}",
                self.last_frame
            ));
        }
        let rates = [("fps", self.fps), ("metres_per_unit", self.metres_per_unit)];
        if let Some((name, value)) = rates.iter().find(|(_, v)| !(v.is_finite() && *v > 0.0)) {
            return Err(format!(
                "`{name}` is {value}, and must be a finite number above 0"
            ));
        }
        self.check_spans()
    }

    /// Surfaces tile vertices, triangles and polygons without gap or overlap, cloths first.
    fn check_spans(&self) -> Result<(), String> {
        let (mut next, mut bodies_began) = ([0u64; 3], false);
        for surface in &self.surfaces {
            let name = &surface.name;
            bodies_began |= surface.kind == SurfaceKind::Body;
            if bodies_began && surface.kind == SurfaceKind::Cloth {
                return Err(format!(
                    "cloth `{name}` is listed after a body; cloths come first"
                ));
            }
            let spans = [
                ("vertices", surface.vertices),
                ("triangles", surface.triangles),
                ("polygons", surface.polygons),
            ];
            for ((what, span), next) in spans.into_iter().zip(&mut next) {
                if span.first != *next {
                    return Err(format!(
                        "{what} of surface `{name}` start at {}, and the surface before ends at {next}",
                        span.first
                    ));
                }
                let end = next
                    .checked_add(span.count)
                    .filter(|end| u32::try_from(*end).is_ok());
                *next = end.ok_or_else(|| format!("surface `{name}` has more than 2³² {what}"))?;
            }
            let colours = surface.front_colour.iter().chain(&surface.back_colour);
            if colours.into_iter().any(|c| !(0.0..=1.0).contains(c)) {
                return Err(format!("a colour of surface `{name}` is outside 0 to 1"));
            }
        }
        Ok(())
    }
}
