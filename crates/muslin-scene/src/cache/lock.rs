//! One writer per folder: `writer.lock` is locked by the system for as long as its process lives.
//!
//! The lock is the system's advisory lock on the open file, so it goes with a killed process and a
//! leftover file hinders nobody. The file holds the process number, for the message to others.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::CacheError;

/// Name of the lock file.
pub(super) const LOCK_FILE: &str = "writer.lock";

/// Said of a writer that left no process number.
const UNKNOWN: &str = "unknown";

/// Times a lock is tried for again when its file was removed by a writer that just ended.
const ATTEMPTS: usize = 100;

/// The right to write in one folder, until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the folder, or says who has it.
    pub(super) fn take(dir: &Path) -> Result<Self, CacheError> {
        let path = dir.join(LOCK_FILE);
        for _ in 0..ATTEMPTS {
            let lock = Self::try_path(dir, &path)?;
            if lock.is_still_there() {
                return Ok(lock);
            }
        }
        Err(CacheError::Locked {
            dir: dir.to_owned(),
            process: UNKNOWN.to_owned(),
        })
    }

    fn try_path(dir: &Path, path: &Path) -> Result<Self, CacheError> {
        let failed = |source| CacheError::io("lock", path, source);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CacheError::Locked {
                    dir: dir.to_owned(),
                    process: owner(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let note = |file: &mut File| -> io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(std::process::id().to_string().as_bytes())
        };
        note(&mut file).map_err(failed)?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Whether the locked file is the one that still has the name: a writer that ends removes it,
    /// perhaps between our opening and our locking it.
    #[cfg(unix)]
    fn is_still_there(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        match (self.file.metadata(), std::fs::metadata(&self.path)) {
            (Ok(ours), Ok(named)) => (ours.dev(), ours.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }

    /// Other systems do not let an open file be removed.
    #[cfg(not(unix))]
    fn is_still_there(&self) -> bool {
        self.path.exists() && self.file.metadata().is_ok()
    }

    /// Path of the lock file, which its owner removes when the work is done.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The process number a writer left in its lock file.
fn owner(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(20).read_to_string(&mut text) {
        Ok(_) if text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() => text,
        _ => UNKNOWN.to_owned(),
    }
}
