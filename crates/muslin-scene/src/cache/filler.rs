//! Filling a cache with frames in any order, by one process or several: what `muslin finish` writes.
//!
//! Unlike a run, whose frames follow from one another, finished frames are made each on its own. The
//! folder is locked only while it is set up and while it is declared finished; frames appear whole or
//! not at all, so that several processes may fill one folder with frames of their own.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::disk::Disk;
use super::error::CacheError;
use super::frame::Frame;
use super::layout::{FRAMES, MANIFEST, Place, REPORT, inspect};
use super::lock::Lock;
use super::manifest::{Manifest, Status};
use super::npz;
use super::reader::{Cache, read_manifest};
use super::sha256::Sha256;
use super::writer::{CacheWriter, Existing, Start, pretty};

/// How often a lock that another process holds is tried for, and the pause in between.
const ATTEMPTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// A cache that takes frames in any order.
#[derive(Debug)]
pub struct CacheFiller {
    dir: PathBuf,
    disk: Disk,
    manifest: Manifest,
}

impl CacheFiller {
    /// Sets up the cache in `dir`, or goes on with one that was set up for the same run: frames that
    /// are there stay. Another cache is replaced only if told.
    pub fn open(dir: &Path, start: &Start<'_>, existing: Existing) -> Result<Self, CacheError> {
        if existing == Existing::Replace || inspect(dir)? != Place::Cache {
            let create = || CacheWriter::create(dir, start, existing);
            match while_locked(create) {
                Ok(writer) => writer.disk.remove(writer.lock.path())?,
                // Another process set it up in the meantime.
                Err(CacheError::Exists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let found = read_manifest(dir)?;
        let own = Manifest::new(start.run.clone(), start.scene_text);
        if let Some(what) = found.difference(&own) {
            return Err(CacheError::Differs { dir: dir.to_owned(), what });
        }
        Ok(Self { dir: dir.to_owned(), disk: Disk::default(), manifest: own })
    }

    /// Whether frame `index` is there and whole; a damaged one counts as missing.
    pub fn has(&self, index: u64) -> Result<bool, CacheError> {
        let bytes = match std::fs::read(FRAMES.path(&self.dir, index)) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            answer => answer.map_err(|e| CacheError::io("read", &FRAMES.path(&self.dir, index), e)),
        }?;
        Ok(npz::decode_frame(&bytes, index, &self.manifest.run).is_ok())
    }

    /// Writes a frame; when it returns, the frame is on the disk. Numbers that are not finite are
    /// refused (R5).
    pub fn write_frame(&self, index: u64, frame: &Frame) -> Result<(), CacheError> {
        let run = &self.manifest.run;
        if !(run.first_frame..=run.last_frame).contains(&index) {
            let detail = format!("frames are {} to {}", run.first_frame, run.last_frame);
            return Err(CacheError::unfit(format!("frame {index}"), detail));
        }
        frame.check(index, run)?;
        self.disk.write(&FRAMES.path(&self.dir, index), &npz::encode_frame(index, frame)?)
    }

    /// Declares the cache finished if all its frames are there, with the report that `summarise` makes
    /// of theirs, and returns its fingerprint; `None` while frames are missing.
    pub fn complete(
        &self,
        summarise: impl FnOnce(&[(u64, Value)]) -> Value,
    ) -> Result<Option<String>, CacheError> {
        let cache = Cache::open(&self.dir)?;
        if !cache.missing_frames()?.is_empty() {
            return Ok(None);
        }
        let lock = while_locked(|| Lock::take(&self.dir))?;
        let (mut sum, mut reports) = (Sha256::default(), Vec::new());
        for index in cache.frames()? {
            let frame = cache.frame(index)?;
            npz::add_positions(&mut sum, &frame.positions);
            reports.push((index, frame.report));
        }
        let fingerprint = sum.finish();
        let mut manifest = self.manifest.clone();
        manifest.status = Status::Finished;
        manifest.frame_count = Some(reports.len() as u64);
        manifest.fingerprint = Some(fingerprint.clone());
        self.disk.write(&self.dir.join(REPORT), &pretty(REPORT, &summarise(&reports))?)?;
        self.disk.write(&self.dir.join(MANIFEST), &pretty(MANIFEST, &manifest)?)?;
        self.disk.remove(lock.path())?;
        Ok(Some(fingerprint))
    }
}

/// Tries again for a while where another process has the folder.
fn while_locked<T>(attempt: impl Fn() -> Result<T, CacheError>) -> Result<T, CacheError> {
    for _ in 0..ATTEMPTS {
        match attempt() {
            Err(CacheError::Locked { .. }) => sleep(PAUSE),
            answer => return answer,
        }
    }
    attempt()
}
