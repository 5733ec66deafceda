//! `manifest.json`: what made the cache, what is in it, and how far it got.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::sha256::sha256_hex;

/// What `manifest.json` says under `format`.
pub const FORMAT: &str = "muslin-cache";

/// Version of the cache format that this program writes; it reads this one and older ones.
pub const FORMAT_VERSION: u32 = 1;

/// The largest frame number: a year and more at 120 frames per second.
const MAX_FRAME: u64 = u32::MAX as u64;

/// The contents of `manifest.json`. Nothing here depends on the machine or the time of day, so two
/// runs of one scene give equal files (R3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub format_version: u32,
    /// Version of the Muslin that made the cache.
    pub muslin_version: String,
    /// SHA-256 of `scene.toml`, hexadecimal.
    pub scene_sha256: String,
    /// The run, as planned.
    #[serde(flatten)]
    pub run: Run,
    /// How far it got.
    pub status: Status,
    /// Why a stopped run stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_because: Option<String>,
    /// Number of frames written; set when the run is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_count: Option<u64>,
    /// SHA-256 over the `positions` of all frames in order (f64, little endian), hexadecimal; set
    /// when the run is finished. Equal fingerprints mean equal results, on any machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

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

/// How far a run got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Being written, or cut short without a chance to say so.
    Running,
    /// Everything asked for is there.
    Finished,
    /// Stopped before its end, for the reason given.
    Stopped,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
        })
    }
}

impl Manifest {
    /// The manifest of a run that is about to start.
    pub fn new(run: Run, scene_text: &str) -> Self {
        Self {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            muslin_version: env!("CARGO_PKG_VERSION").to_owned(),
            scene_sha256: sha256_hex(scene_text.as_bytes()),
            run,
            status: Status::Running,
            stopped_because: None,
            frame_count: None,
            fingerprint: None,
        }
    }

    /// The last frame that should be there: the last one written if finished, else the last planned.
    pub fn last_frame(&self) -> Option<u64> {
        match self.frame_count {
            None => Some(self.run.last_frame),
            Some(count) => (self.run.first_frame + count).checked_sub(1),
        }
    }

    /// Checks what was read from a file; the message says what does not make sense.
    pub(super) fn check(&self) -> Result<(), String> {
        self.run.check()?;
        let planned = self.run.last_frame - self.run.first_frame + 1;
        match self.frame_count {
            Some(count) if count > planned => Err(format!(
                "it counts {count} frames, and {planned} were planned"
            )),
            None if self.status == Status::Finished => {
                Err("it is finished and counts no frames".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The first thing in which the run recorded here differs from another one, in words; `None`
    /// where continuing the other one's work gives the bits this one would have given (R3).
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (&self.run, &other.run);
        let parts = [
            (
                "the version of Muslin",
                self.muslin_version == other.muslin_version,
            ),
            ("the scene file", self.scene_sha256 == other.scene_sha256),
            ("the overridden settings", a.overrides == b.overrides),
            ("the seed", a.seed == b.seed),
            ("the frame rate", a.fps.to_bits() == b.fps.to_bits()),
            ("the first frame", a.first_frame == b.first_frame),
            ("the last frame", a.last_frame == b.last_frame),
            ("the meshes", a.surfaces == b.surfaces),
            ("the run", a == b),
        ];
        parts
            .into_iter()
            .find(|(_, equal)| !equal)
            .map(|(name, _)| name)
    }
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
