//! Going on where a run was cut short, so that the finished cache has the bits of a run that was
//! never interrupted (R3).

use std::path::Path;

use super::disk::Disk;
use super::error::CacheError;
use super::layout::{CHECKPOINTS, Place, inspect, leftovers};
use super::lock::Lock;
use super::manifest::{Manifest, Status};
use super::npz;
use super::reader::{Cache, read_snapshot};
use super::sha256::Sha256;
use super::snapshot::Snapshot;
use super::writer::CacheWriter;

/// What there is to resume.
#[derive(Debug)]
pub enum Resume {
    /// Nothing yet: start with [`CacheWriter::create`].
    NotStarted,
    /// The run goes on.
    From(Box<ResumePoint>),
    /// The run had ended; its manifest is here.
    Finished(Box<Manifest>),
}

/// Where an interrupted run goes on.
#[derive(Debug)]
pub struct ResumePoint {
    /// Writes on in the same cache. Compare its manifest with that of the run at hand
    /// ([`Manifest::difference`]) before going on.
    pub writer: CacheWriter,
    /// The state after the frame before `next_frame`; `None` where no checkpoint was whole, and
    /// the run starts again from its first frame.
    pub snapshot: Option<Snapshot>,
    /// The frame to be simulated and written next.
    pub next_frame: u64,
}

/// The point up to which everything on the disk is good.
struct Good {
    snapshot: Option<Snapshot>,
    next_frame: u64,
    positions_sum: Sha256,
}

impl CacheWriter {
    /// Takes up the run in `dir` after the newest checkpoint that is whole, together with all
    /// frames up to it. Frames and checkpoints after it are removed; they will be made again.
    pub fn resume(dir: &Path) -> Result<Resume, CacheError> {
        Self::resume_on(Disk::default(), dir)
    }

    pub(super) fn resume_on(disk: Disk, dir: &Path) -> Result<Resume, CacheError> {
        match inspect(dir)? {
            Place::Free => return Ok(Resume::NotStarted),
            Place::Foreign => {
                return Err(CacheError::NotACache {
                    dir: dir.to_owned(),
                });
            }
            Place::Cache => {}
        }
        let cache = Cache::open(dir)?;
        let lock = Lock::take(dir)?;
        // Read again: until the lock was ours, somebody else may have been writing.
        let cache = Cache::open(cache.dir())?;
        let manifest = cache.manifest().clone();
        let mut writer = Self {
            dir: dir.to_owned(),
            disk,
            lock,
            next_frame: manifest.run.first_frame,
            manifest,
            positions_sum: Sha256::default(),
        };
        if writer.manifest.status == Status::Finished {
            writer.next_frame += writer.manifest.frame_count.unwrap_or(0);
            writer.tidy()?;
            return Ok(Resume::Finished(Box::new(writer.manifest)));
        }
        for path in leftovers(dir)? {
            writer.disk.remove(&path)?;
        }
        let good = good_part(&cache)?;
        writer.remove_from(good.next_frame)?;
        writer.next_frame = good.next_frame;
        writer.positions_sum = good.positions_sum;
        if writer.manifest.status == Status::Stopped {
            writer.manifest.status = Status::Running;
            writer.manifest.stopped_because = None;
            writer.put_manifest()?;
        }
        let (snapshot, next_frame) = (good.snapshot, good.next_frame);
        Ok(Resume::From(Box::new(ResumePoint {
            writer,
            snapshot,
            next_frame,
        })))
    }
}

/// Reads frames from the first to the newest checkpoint and returns the newest checkpoint that is
/// whole and has only whole frames before it.
fn good_part(cache: &Cache) -> Result<Good, CacheError> {
    let (dir, run) = (cache.dir(), &cache.manifest().run);
    let mut sum = Sha256::default();
    let mut candidates = Vec::new();
    let mut next_frame = run.first_frame;
    for checkpoint in CHECKPOINTS.list(dir)? {
        while next_frame <= checkpoint && next_frame <= run.last_frame {
            match cache.frame(next_frame) {
                Ok(frame) => npz::add_positions(&mut sum, &frame.positions),
                Err(error) if is_damage(&error) => break,
                Err(error) => return Err(error),
            }
            next_frame += 1;
        }
        if next_frame.checked_sub(1) == Some(checkpoint) && checkpoint >= run.first_frame {
            candidates.push((checkpoint, sum.clone()));
        }
    }
    for (checkpoint, positions_sum) in candidates.into_iter().rev() {
        match read_snapshot(dir, checkpoint) {
            Ok(snapshot) => {
                let (snapshot, next_frame) = (Some(snapshot), checkpoint + 1);
                return Ok(Good {
                    snapshot,
                    next_frame,
                    positions_sum,
                });
            }
            Err(error) if is_damage(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Good {
        snapshot: None,
        next_frame: run.first_frame,
        positions_sum: Sha256::default(),
    })
}

/// Whether a file is damaged or missing, which making it again cures, rather than unreadable.
fn is_damage(error: &CacheError) -> bool {
    matches!(
        error,
        CacheError::Damaged { .. } | CacheError::MissingFrame { .. }
    )
}
