//! Where a run writes: a new cache, one to go on with, or one that is finished.

use crate::failure::Failure;
use crate::scene_source::SceneSource;
use crate::sheet;
use muslin_scene::cache::{
    Cache, CacheError, CacheWriter, Existing, Manifest, Resume, ResumePoint, Run, Start, Topology,
};
use serde_json::Value;
use std::io;
use std::path::Path;

/// The run at hand.
pub struct Plan<'a> {
    /// The cache folder.
    pub dir: &'a Path,
    /// What goes into the manifest.
    pub run: Run,
    /// What stays the same from frame to frame.
    pub topology: Topology,
    /// The scene and its text.
    pub source: &'a SceneSource,
}

/// What a run finds at its folder.
pub enum Place {
    /// Frames can be written.
    Writing(Box<ResumePoint>),
    /// The run had ended.
    Finished,
}

/// Opens the folder for writing.
pub fn open(plan: &Plan, resume: bool, overwrite: bool) -> Result<Place, Failure> {
    if resume {
        // Look before anything is touched: another scene's cache is left alone.
        match Cache::open(plan.dir) {
            Ok(cache) => compare(plan, cache.manifest())?,
            Err(CacheError::NotACache { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        match CacheWriter::resume(plan.dir)? {
            Resume::NotStarted => {}
            Resume::From(point) => {
                compare(plan, point.writer.manifest())?;
                return Ok(Place::Writing(point));
            }
            Resume::Finished(manifest) => {
                compare(plan, &manifest)?;
                return Ok(Place::Finished);
            }
        }
    }
    let resolved_text = plan.source.scene.to_toml().map_err(|error| {
        Failure::new("scene", "", format!("the scene cannot be written down: {error}"))
    })?;
    let start = Start {
        run: plan.run.clone(),
        topology: &plan.topology,
        scene_text: &plan.source.text,
        resolved_text: &resolved_text,
    };
    let existing = if overwrite { Existing::Replace } else { Existing::Keep };
    let writer = CacheWriter::create(plan.dir, &start, existing)?;
    remove_sheet(plan.dir)?;
    let next_frame = writer.next_frame();
    Ok(Place::Writing(Box::new(ResumePoint { writer, snapshot: None, next_frame })))
}

/// Going on with another run's frames would not give the bits of either.
fn compare(plan: &Plan, found: &Manifest) -> Result<(), Failure> {
    let own = Manifest::new(plan.run.clone(), &plan.source.text);
    let Some(what) = found.difference(&own) else { return Ok(()) };
    let place = plan.dir.display().to_string();
    let message = format!(
        "{place} cannot be resumed: this run differs from it in {what}; give the same, \
         name another folder with -o, or start anew with --overwrite"
    );
    Err(Failure::new("differs", place, message))
}

/// The contact sheet of the cache that was replaced shows another run.
fn remove_sheet(dir: &Path) -> Result<(), Failure> {
    let path = dir.join(sheet::SHEET);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::io("remove", &path, &error))
        }
        _ => Ok(()),
    }
}

/// The reports of the frames before `next_frame`.
pub fn reports(dir: &Path, next_frame: u64) -> Result<Vec<Value>, Failure> {
    let cache = Cache::open(dir)?;
    let before = cache.frames()?.into_iter().filter(|frame| *frame < next_frame);
    before.map(|frame| Ok(cache.frame(frame)?.report)).collect()
}
