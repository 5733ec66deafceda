//! Reading a cache: the manifest and the topology at once, frames when asked for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::error::{CacheError, Remedy};
use super::frame::Frame;
use super::layout::{CHECKPOINTS, FRAMES, MANIFEST, Place, REPORT, SCENE, TOPOLOGY, inspect};
use super::manifest::{FORMAT, FORMAT_VERSION, Manifest};
use super::npz;
use super::sha256::{Sha256, sha256_hex};
use super::snapshot::Snapshot;
use super::topology::Topology;

/// A cache on the disk. It may still be growing: frames are looked up when asked for.
#[derive(Debug, Clone)]
pub struct Cache {
    dir: PathBuf,
    manifest: Manifest,
    topology: Topology,
    scene_text: String,
    /// Set by somebody who does not want to wait any longer.
    stop: Arc<AtomicBool>,
}

impl Cache {
    /// Opens the cache in `dir` and checks everything but its frames.
    pub fn open(dir: &Path) -> Result<Self, CacheError> {
        match inspect(dir)? {
            Place::Cache => {}
            Place::Free | Place::Foreign => {
                return Err(CacheError::NotACache { dir: dir.to_owned() });
            }
        }
        let manifest = read_manifest(dir)?;
        let path = dir.join(TOPOLOGY);
        let topology = npz::decode_topology(&read(&path, Remedy::Replace)?, &manifest.run)
            .map_err(|detail| CacheError::damaged(&path, detail, Remedy::Replace))?;
        let scene_text = read_scene(dir, &manifest)?;
        Ok(Self { dir: dir.to_owned(), manifest, topology, scene_text, stop: Arc::default() })
    }

    /// The cache, whose frames can not be read any more once `stop` is set: so that everything that
    /// goes through the frames ends at the next one.
    #[must_use]
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Whether whoever holds the flag of [`Self::until`] has set it.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What made the cache and how far it got, as of opening.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What stays the same from frame to frame.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The exact text of the scene file that made the cache.
    pub fn scene_text(&self) -> &str {
        &self.scene_text
    }

    /// Numbers of the frames that are there now, ascending.
    pub fn frames(&self) -> Result<Vec<u64>, CacheError> {
        FRAMES.list(&self.dir)
    }

    /// Numbers of the frames that should be there and are not, in ranges `(from, to)`, both ends
    /// included: all that were planned, or all that were written if the run is finished.
    pub fn missing_frames(&self) -> Result<Vec<(u64, u64)>, CacheError> {
        let Some(last) = self.manifest.last_frame() else {
            return Ok(Vec::new());
        };
        let first = self.manifest.run.first_frame;
        let (mut next, mut missing) = (first, Vec::new());
        for present in self.frames()?.into_iter().filter(|i| (first..=last).contains(i)) {
            if present > next {
                missing.push((next, present - 1));
            }
            next = present + 1;
        }
        if next <= last {
            missing.push((next, last));
        }
        Ok(missing)
    }

    /// Reads one frame and checks it: a frame that is returned is the one that was written.
    pub fn frame(&self, index: u64) -> Result<Frame, CacheError> {
        if self.is_stopped() {
            return Err(CacheError::Stopped { dir: self.dir.clone() });
        }
        let path = FRAMES.path(&self.dir, index);
        let bytes = match fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(self.missing(index)?),
            answer => answer.map_err(|e| CacheError::io("read", &path, e))?,
        };
        let mut frame = npz::decode_frame(&bytes, index, &self.manifest.run)
            .map_err(|detail| CacheError::damaged(&path, detail, Remedy::Resume))?;
        if frame.bodies.is_empty() {
            frame.bodies.clone_from(&self.topology.body_positions);
        }
        Ok(frame)
    }

    /// Numbers of the checkpoints that are there now, ascending.
    pub fn checkpoints(&self) -> Result<Vec<u64>, CacheError> {
        CHECKPOINTS.list(&self.dir)
    }

    /// Reads the checkpoint after frame `index`.
    pub fn checkpoint(&self, index: u64) -> Result<Snapshot, CacheError> {
        read_snapshot(&self.dir, index)
    }

    /// The run's report; `None` where none is written yet.
    pub fn report(&self) -> Result<Option<Value>, CacheError> {
        let path = self.dir.join(REPORT);
        let bytes = match fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            answer => answer.map_err(|e| CacheError::io("read", &path, e))?,
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| CacheError::damaged(&path, e.to_string(), Remedy::Replace))
    }

    /// The fingerprint of the frames that are there now, to be compared with the manifest's.
    pub fn fingerprint_of_frames(&self) -> Result<String, CacheError> {
        let mut sum = Sha256::default();
        for index in self.frames()? {
            npz::add_positions(&mut sum, &self.frame(index)?.positions);
        }
        Ok(sum.finish())
    }

    /// The error for a frame that is not there.
    fn missing(&self, frame: u64) -> Result<CacheError, CacheError> {
        let frames = self.frames()?;
        let present = match (frames.first(), frames.last()) {
            (Some(first), Some(last)) => format!("{} frames from {first} to {last}", frames.len()),
            _ => "none".to_owned(),
        };
        Ok(CacheError::MissingFrame { dir: self.dir.clone(), frame, present })
    }
}

/// Reads and checks `manifest.json`; one of another program makes the folder no cache.
pub(super) fn read_manifest(dir: &Path) -> Result<Manifest, CacheError> {
    let path = dir.join(MANIFEST);
    let damaged = |detail: String| CacheError::damaged(&path, detail, Remedy::Replace);
    let bytes = read(&path, Remedy::Replace)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(CacheError::NotACache { dir: dir.to_owned() });
    }
    let found = value.get("format_version").and_then(Value::as_u64);
    let found = found.and_then(|v| u32::try_from(v).ok());
    let found = found.ok_or_else(|| damaged("`format_version` is no whole number".to_owned()))?;
    if found > FORMAT_VERSION {
        return Err(CacheError::Version { path, found, known: FORMAT_VERSION });
    }
    let manifest: Manifest = serde_json::from_value(value).map_err(|e| damaged(e.to_string()))?;
    manifest.check().map_err(damaged)?;
    Ok(manifest)
}

/// Reads `scene.toml` and checks it against the manifest.
fn read_scene(dir: &Path, manifest: &Manifest) -> Result<String, CacheError> {
    let path = dir.join(SCENE);
    let damaged = |detail: &str| CacheError::damaged(&path, detail, Remedy::Replace);
    let bytes = read(&path, Remedy::Replace)?;
    if sha256_hex(&bytes) != manifest.scene_sha256 {
        return Err(damaged("it is not the text that manifest.json names"));
    }
    String::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8 text"))
}

/// Reads one checkpoint and checks it.
pub(super) fn read_snapshot(dir: &Path, index: u64) -> Result<Snapshot, CacheError> {
    let path = CHECKPOINTS.path(dir, index);
    npz::decode_snapshot(&read(&path, Remedy::Resume)?, index)
        .map_err(|detail| CacheError::damaged(&path, detail, Remedy::Resume))
}

/// Reads a file that has to be there.
fn read(path: &Path, remedy: Remedy) -> Result<Vec<u8>, CacheError> {
    match fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            Err(CacheError::damaged(path, "it is missing", remedy))
        }
        answer => answer.map_err(|e| CacheError::io("read", path, e)),
    }
}
