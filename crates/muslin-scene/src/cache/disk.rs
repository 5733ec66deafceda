//! File operations in an order that a crash cannot spoil, one step at a time (R3).
//!
//! Every change a cache makes to its folder goes through [`Disk`], so that tests can cut the power
//! after any step.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::CacheError;

/// Ending of a file that is not whole yet; a leftover one is removed on resume.
pub(super) const UNFINISHED: &str = "tmp";

/// Where a cache's writes go.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fuse: fuse::Fuse,
}

impl Disk {
    /// Puts `bytes` at `path` so that, whatever happens, the file there is the old one or the new
    /// one, whole: a new file beside it, flushed to the disk, takes its name.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), CacheError> {
        let unfinished = unfinished_path(path);
        let written = self.fill(&unfinished, bytes).and_then(|()| {
            self.step()?;
            fs::rename(&unfinished, path)
        });
        if let Err(source) = written {
            // Give the space of a half-written file back; the error to report is the first one.
            if self.step().is_ok() {
                drop(fs::remove_file(&unfinished));
            }
            return Err(CacheError::io("write", path, source));
        }
        self.flush_folder_of(path)
    }

    /// Writes a file and flushes it to the disk.
    fn fill(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        let mut file = File::create(path)?;
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        self.step()?;
        file.write_all(second)?;
        self.step()?;
        file.sync_all()
    }

    /// Removes a file; one that is not there is fine.
    pub(super) fn remove(&self, path: &Path) -> Result<(), CacheError> {
        let removed = self.step().and_then(|()| match fs::remove_file(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            answer => answer,
        });
        removed.map_err(|source| CacheError::io("remove", path, source))
    }

    /// Makes a folder, and those above it; one that is there is fine.
    pub(super) fn make_folder(&self, path: &Path) -> Result<(), CacheError> {
        let made = self.step().and_then(|()| fs::create_dir_all(path));
        made.map_err(|source| CacheError::io("make the folder", path, source))?;
        self.flush_folder_of(path)
    }

    /// Makes a new name in the folder of `path` last through a power cut.
    fn flush_folder_of(&self, path: &Path) -> Result<(), CacheError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let flushed = self.step().and_then(|()| flush_folder(folder));
        flushed.map_err(|source| CacheError::io("flush the folder", folder, source))
    }

    /// One step more: in tests, the point where the power may fail.
    #[cfg_attr(
        not(test),
        expect(
            clippy::unnecessary_wraps,
            clippy::unused_self,
            reason = "fails only in tests"
        )
    )]
    fn step(&self) -> io::Result<()> {
        #[cfg(test)]
        self.fuse.burn()?;
        Ok(())
    }
}

/// Opening a folder to flush it is a Unix habit; other systems keep names in order themselves.
#[cfg(unix)]
fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "same signature as on Unix, where it can fail"
)]
fn flush_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Where a file grows before it takes its name.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    path.with_file_name(name)
}

/// Cutting the power, for tests.
#[cfg(test)]
pub(super) mod fuse {
    use std::cell::Cell;
    use std::io;

    /// Lets a number of steps pass, then fails every later one, as if the process were gone.
    #[derive(Debug)]
    pub(in crate::cache) struct Fuse {
        left: Cell<usize>,
    }

    impl Default for Fuse {
        fn default() -> Self {
            Self::after(usize::MAX)
        }
    }

    impl Fuse {
        /// A fuse that blows after `steps` steps.
        pub(in crate::cache) fn after(steps: usize) -> Self {
            Self {
                left: Cell::new(steps),
            }
        }

        /// Takes one step.
        pub(in crate::cache) fn burn(&self) -> io::Result<()> {
            let left = self.left.get();
            if left == 0 {
                return Err(io::Error::other("the power is cut"));
            }
            self.left.set(left - 1);
            Ok(())
        }
    }
}
