//! `manifest.json`: what made the cache, what is in it, and how far it got.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::run::Run;
use super::sha256::sha256_hex;

/// What `manifest.json` says under `format`.
pub const FORMAT: &str = "muslin-cache";

/// Version of the cache format that this program writes; it reads this one and older ones.
pub const FORMAT_VERSION: u32 = 1;

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
