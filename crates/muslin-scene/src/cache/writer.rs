//! Writing a cache so that `kill -9` at any instant loses at most the frame in flight (R3).
//!
//! Files appear whole or not at all, in this order:
//!
//! 1. `scene.toml`, `resolved.toml`, `topology.npz`, then `manifest.json`: from here on it is a cache;
//! 2. frame after frame; a checkpoint only after its frame; older checkpoints go after a newer one
//!    is safe, so that two are left;
//! 3. at the end `report.json`, then the manifest with its fingerprint, then the checkpoints that
//!    a finished cache does not need are removed, last the lock.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::disk::Disk;
use super::error::CacheError;
use super::frame::Frame;
use super::layout::{
    CHECKPOINTS, FRAMES, MANIFEST, Place, REPORT, RESOLVED, SCENE, TIMING, TOP_FILES, TOPOLOGY,
    inspect, leftovers,
};
use super::lock::Lock;
use super::manifest::{Manifest, Status};
use super::npz;
use super::reader::read_manifest;
use super::run::Run;
use super::sha256::Sha256;
use super::snapshot::Snapshot;
use super::topology::Topology;

/// Checkpoints kept while a run goes on: if the newest is damaged, the other one serves.
const CHECKPOINTS_KEPT: usize = 2;

/// What a new cache starts with.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The run as planned.
    pub run: Run,
    /// What stays the same from frame to frame.
    pub topology: &'a Topology,
    /// The scene file's exact text.
    pub scene_text: &'a str,
    /// The scene after overrides and defaults.
    pub resolved_text: &'a str,
}

/// What to do where a cache already stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Leave it, and say so.
    Keep,
    /// Remove its files and start anew. A folder that is no cache is left alone all the same.
    Replace,
}

/// The one writer of a cache. Dropping it leaves a cache that can be resumed.
#[derive(Debug)]
pub struct CacheWriter {
    pub(super) dir: PathBuf,
    pub(super) disk: Disk,
    pub(super) lock: Lock,
    pub(super) manifest: Manifest,
    /// The frame to be written next.
    pub(super) next_frame: u64,
    /// SHA-256 of the positions so far.
    pub(super) positions_sum: Sha256,
}

impl CacheWriter {
    /// Starts a cache in `dir`, which must be free: absent, empty, or left by a writer that was
    /// stopped before it had a manifest. An existing cache is replaced only if told.
    pub fn create(dir: &Path, start: &Start<'_>, existing: Existing) -> Result<Self, CacheError> {
        Self::create_on(Disk::default(), dir, start, existing)
    }

    pub(super) fn create_on(
        disk: Disk,
        dir: &Path,
        start: &Start<'_>,
        existing: Existing,
    ) -> Result<Self, CacheError> {
        let misfit = start.run.check().and_then(|()| start.topology.check(&start.run));
        misfit.map_err(|detail| CacheError::unfit("the cache", detail))?;
        let place = inspect(dir)?;
        match place {
            Place::Foreign => {
                return Err(CacheError::NotACache { dir: dir.to_owned() });
            }
            Place::Cache => may_replace(dir, existing)?,
            Place::Free => disk.make_folder(dir)?,
        }
        let lock = Lock::take(dir)?;
        if place == Place::Free && inspect(dir)? == Place::Cache {
            // Somebody else made one while we waited for the lock.
            may_replace(dir, existing)?;
        }
        let writer = Self {
            dir: dir.to_owned(),
            disk,
            lock,
            manifest: Manifest::new(start.run.clone(), start.scene_text),
            next_frame: start.run.first_frame,
            positions_sum: Sha256::default(),
        };
        writer.clear()?;
        writer.disk.make_folder(&FRAMES.folder(dir))?;
        writer.disk.make_folder(&CHECKPOINTS.folder(dir))?;
        writer.put(SCENE, start.scene_text.as_bytes())?;
        writer.put(RESOLVED, start.resolved_text.as_bytes())?;
        writer.put(TOPOLOGY, &npz::encode_topology(start.topology, &start.run)?)?;
        writer.put_manifest()?;
        Ok(writer)
    }

    /// The manifest as it stands.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The frame to be written next.
    pub fn next_frame(&self) -> u64 {
        self.next_frame
    }

    /// Writes the next frame; `index` must be [`Self::next_frame`]. When it returns, the frame is
    /// on the disk. Numbers that are not finite are refused (R5).
    pub fn write_frame(&mut self, index: u64, frame: &Frame) -> Result<(), CacheError> {
        let run = &self.manifest.run;
        if index != self.next_frame || index > run.last_frame {
            let detail = match self.next_frame {
                next if next > run.last_frame => format!("{} was the last one", run.last_frame),
                next => format!("frame {next} comes next"),
            };
            return Err(CacheError::unfit(format!("frame {index}"), detail));
        }
        frame.check(index, run)?;
        self.disk.write(&FRAMES.path(&self.dir, index), &npz::encode_frame(index, frame)?)?;
        npz::add_positions(&mut self.positions_sum, &frame.positions);
        self.next_frame += 1;
        Ok(())
    }

    /// Writes all that the next step reads; `index` must be the frame written last. The two newest
    /// checkpoints are kept.
    pub fn write_checkpoint(&mut self, index: u64, snapshot: &Snapshot) -> Result<(), CacheError> {
        let what = || format!("checkpoint {index}");
        if index.checked_add(1) != Some(self.next_frame) || self.written().is_none() {
            return Err(CacheError::unfit(what(), "only the frame written last can have one"));
        }
        snapshot.check(index)?;
        self.disk
            .write(&CHECKPOINTS.path(&self.dir, index), &npz::encode_snapshot(index, snapshot)?)?;
        let there = CHECKPOINTS.list(&self.dir)?;
        for old in there.iter().rev().skip(CHECKPOINTS_KEPT) {
            self.disk.remove(&CHECKPOINTS.path(&self.dir, *old))?;
        }
        Ok(())
    }

    /// Replaces `report.json`, for those who watch a run; [`Self::finish`] writes the last one.
    pub fn write_report(&self, report: &Value) -> Result<(), CacheError> {
        self.put_json(REPORT, report)
    }

    /// Replaces `timing.json`: seconds, machine, threads. It is the one file that may differ
    /// between two runs of one scene.
    pub fn write_timing(&self, timing: &Value) -> Result<(), CacheError> {
        self.put_json(TIMING, timing)
    }

    /// Ends the run as done, also before the last frame planned (a cloth at rest), and returns the
    /// fingerprint. Of the checkpoints only that of the last frame stays, so that the folder does
    /// not tell where a run was interrupted.
    pub fn finish(mut self, report: &Value) -> Result<String, CacheError> {
        let fingerprint = self.positions_sum.clone().finish();
        self.put_json(REPORT, report)?;
        self.manifest.status = Status::Finished;
        self.manifest.frame_count = Some(self.next_frame - self.manifest.run.first_frame);
        self.manifest.fingerprint = Some(fingerprint.clone());
        self.put_manifest()?;
        self.tidy()?;
        Ok(fingerprint)
    }

    /// Ends a run that cannot go on, keeping every good frame (R5); it can still be resumed.
    pub fn stop(mut self, reason: &str, report: &Value) -> Result<(), CacheError> {
        self.put_json(REPORT, report)?;
        self.manifest.status = Status::Stopped;
        self.manifest.stopped_because = Some(reason.to_owned());
        self.put_manifest()?;
        self.disk.remove(self.lock.path())
    }

    /// The frame written last.
    fn written(&self) -> Option<u64> {
        (self.next_frame > self.manifest.run.first_frame).then(|| self.next_frame - 1)
    }

    /// Removes what a finished cache does not need.
    pub(super) fn tidy(&self) -> Result<(), CacheError> {
        for path in leftovers(&self.dir)? {
            self.disk.remove(&path)?;
        }
        for index in CHECKPOINTS.list(&self.dir)? {
            if Some(index) != self.written() {
                self.disk.remove(&CHECKPOINTS.path(&self.dir, index))?;
            }
        }
        self.disk.remove(self.lock.path())
    }

    /// Removes every file of a cache from the folder, the manifest first; other files stay.
    fn clear(&self) -> Result<(), CacheError> {
        for name in TOP_FILES {
            self.disk.remove(&self.dir.join(name))?;
        }
        for path in leftovers(&self.dir)? {
            self.disk.remove(&path)?;
        }
        self.remove_from(0)
    }

    /// Removes frames and checkpoints numbered `first` and above, the newest first.
    pub(super) fn remove_from(&self, first: u64) -> Result<(), CacheError> {
        for family in [CHECKPOINTS, FRAMES] {
            for index in family.list(&self.dir)?.into_iter().rev().filter(|i| *i >= first) {
                self.disk.remove(&family.path(&self.dir, index))?;
            }
        }
        Ok(())
    }

    /// Writes the manifest.
    pub(super) fn put_manifest(&self) -> Result<(), CacheError> {
        self.put_json(MANIFEST, &self.manifest)
    }

    fn put_json(&self, name: &str, contents: &impl Serialize) -> Result<(), CacheError> {
        self.put(name, &pretty(name, contents)?)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), CacheError> {
        self.disk.write(&self.dir.join(name), bytes)
    }
}

/// The bytes of a JSON file of a cache.
pub(super) fn pretty(name: &str, contents: &impl Serialize) -> Result<Vec<u8>, CacheError> {
    let text = serde_json::to_string_pretty(contents)
        .map_err(|e| CacheError::unfit(name, e.to_string()))?;
    Ok(format!("{text}\n").into_bytes())
}

/// Whether the cache in `dir` may be replaced: only a cache, and only if told.
fn may_replace(dir: &Path, existing: Existing) -> Result<(), CacheError> {
    let found = read_manifest(dir)?;
    match existing {
        Existing::Replace => Ok(()),
        Existing::Keep => Err(CacheError::Exists {
            dir: dir.to_owned(),
            scene: found.run.scene,
            status: found.status,
        }),
    }
}
