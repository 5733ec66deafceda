//! What is to be finished: a cache, or an animation of another program dressed up as one.

use super::FinishError;
use super::foreign::Foreign;
use crate::cache::{Cache, CacheError, Frame, Run, Topology};
use std::path::Path;

/// Frames to finish, with all that their cache says about them.
#[derive(Debug)]
pub struct Source {
    /// Cloths and bodies, frame rate, first and last frame.
    pub run: Run,
    /// What stays the same from frame to frame.
    pub topology: Topology,
    /// The scene file's exact text.
    pub scene_text: String,
    /// The scene after overrides and defaults, without its checks: they are about the simulated mesh.
    pub resolved_text: String,
    /// Numbers of the frames there are, ascending.
    pub frames: Vec<u64>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Cache(Box<Cache>),
    Foreign(Box<Foreign>),
}

impl Source {
    /// The frames of a cache that are there now.
    pub fn from_cache(dir: &Path) -> Result<Self, FinishError> {
        let cache = Cache::open(dir)?;
        let frames = cache.frames()?;
        let manifest = cache.manifest();
        let mut run = manifest.run.clone();
        if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
            (run.first_frame, run.last_frame) = (*first, *last);
        }
        let fingerprint = manifest.fingerprint.as_deref().unwrap_or("unfinished");
        run.overrides.insert("finish.source".to_owned(), fingerprint.to_owned());
        Ok(Self {
            run,
            topology: cache.topology().clone(),
            scene_text: cache.scene_text().to_owned(),
            resolved_text: without_checks(&cache)?,
            frames,
            kind: Kind::Cache(Box::new(cache)),
        })
    }

    /// An animation of another program, as the one cloth of a cache.
    pub(super) fn from_foreign(foreign: Foreign, run: Run, topology: Topology) -> Self {
        Self {
            frames: (run.first_frame..=run.last_frame).collect(),
            run,
            topology,
            scene_text: String::new(),
            resolved_text: String::new(),
            kind: Kind::Foreign(Box::new(foreign)),
        }
    }

    /// Reads a frame.
    pub fn frame(&self, number: u64) -> Result<Frame, FinishError> {
        match &self.kind {
            Kind::Cache(cache) => Ok(cache.frame(number)?),
            Kind::Foreign(foreign) => foreign.frame(number),
        }
    }
}

/// `resolved.toml` without what the scene expects of its result.
fn without_checks(cache: &Cache) -> Result<String, CacheError> {
    let path = cache.dir().join("resolved.toml");
    let text = std::fs::read_to_string(&path).map_err(|source| CacheError::Io {
        action: "read",
        path: path.clone(),
        source,
    })?;
    let damaged = |detail: String| CacheError::Damaged {
        path: path.clone(),
        detail: detail.lines().next().unwrap_or_default().to_owned(),
        remedy: crate::cache::Remedy::Replace,
    };
    let mut table: toml::Table =
        text.parse().map_err(|e: toml::de::Error| damaged(e.message().to_owned()))?;
    if table.remove("checks").is_none() {
        return Ok(text);
    }
    toml::to_string(&table).map_err(|e| damaged(e.to_string()))
}
