//! Names of files in a cache folder, and what a folder turns out to be.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::UNFINISHED;
use super::error::CacheError;
use super::lock::LOCK_FILE;

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SCENE: &str = "scene.toml";
pub(super) const RESOLVED: &str = "resolved.toml";
pub(super) const TOPOLOGY: &str = "topology.npz";
pub(super) const REPORT: &str = "report.json";
pub(super) const TIMING: &str = "timing.json";

/// Files at the top of a cache, the manifest first: without it the rest is no cache.
pub(super) const TOP_FILES: [&str; 6] = [MANIFEST, SCENE, RESOLVED, TOPOLOGY, REPORT, TIMING];

/// A family of numbered files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbered {
    folder: &'static str,
    prefix: &'static str,
}

/// `frames/frame_000012.npz`.
pub(super) const FRAMES: Numbered = Numbered {
    folder: "frames",
    prefix: "frame_",
};
/// `checkpoints/checkpoint_000012.npz`.
pub(super) const CHECKPOINTS: Numbered = Numbered {
    folder: "checkpoints",
    prefix: "checkpoint_",
};

impl Numbered {
    /// The folder that holds them.
    pub(super) fn folder(self, dir: &Path) -> PathBuf {
        dir.join(self.folder)
    }

    /// The file of frame `index`.
    pub(super) fn path(self, dir: &Path, index: u64) -> PathBuf {
        self.folder(dir).join(self.name(index))
    }

    fn name(self, index: u64) -> String {
        format!("{}{index:06}.npz", self.prefix)
    }

    /// The number in a file name that this family would have given.
    fn index_of(self, name: &str) -> Option<u64> {
        let index = name
            .strip_prefix(self.prefix)?
            .strip_suffix(".npz")?
            .parse()
            .ok()?;
        (self.name(index) == name).then_some(index)
    }

    /// Numbers of the files there are, ascending; none where the folder is missing.
    pub(super) fn list(self, dir: &Path) -> Result<Vec<u64>, CacheError> {
        let names = names_in(&self.folder(dir))?;
        let mut indices: Vec<u64> = names
            .iter()
            .filter_map(|name| self.index_of(name))
            .collect();
        indices.sort_unstable();
        Ok(indices)
    }
}

/// Half-written files that an interrupted writer left in the cache.
pub(super) fn leftovers(dir: &Path) -> Result<Vec<PathBuf>, CacheError> {
    let is_ours = |name: &str| {
        TOP_FILES.contains(&name)
            || FRAMES.index_of(name).is_some()
            || CHECKPOINTS.index_of(name).is_some()
    };
    let mut paths = Vec::new();
    for folder in [dir.to_owned(), FRAMES.folder(dir), CHECKPOINTS.folder(dir)] {
        for name in names_in(&folder)? {
            let whole = name
                .strip_suffix(UNFINISHED)
                .and_then(|name| name.strip_suffix('.'));
            if whole.is_some_and(is_ours) {
                paths.push(folder.join(name));
            }
        }
    }
    Ok(paths)
}

/// What stands where a cache is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing, an empty folder, or a cache whose writer was stopped before the manifest.
    Free,
    /// A folder with a manifest.
    Cache,
    /// Something of somebody else's.
    Foreign,
}

/// Looks at what stands at `dir`.
pub(super) fn inspect(dir: &Path) -> Result<Place, CacheError> {
    match fs::metadata(dir) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Place::Free),
        Err(e) => return Err(CacheError::io("look at", dir, e)),
        Ok(found) if !found.is_dir() => return Ok(Place::Foreign),
        Ok(_) => {}
    }
    let names = names_in(dir)?;
    if names.iter().any(|name| name == MANIFEST) {
        return Ok(Place::Cache);
    }
    let begun = names.is_empty() || names.iter().any(|name| name == LOCK_FILE);
    Ok(if begun { Place::Free } else { Place::Foreign })
}

/// Names in a folder, sorted; none where the folder is missing.
fn names_in(folder: &Path) -> Result<Vec<String>, CacheError> {
    let failed = |e| CacheError::io("list", folder, e);
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        answer => answer.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(
            entry
                .map_err(failed)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.sort_unstable();
    Ok(names)
}
