//! Files that appear whole or not at all.

use super::OutputError;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A file being made under a temporary name beside its final one. Dropped before
/// [`WholeFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct WholeFile {
    path: PathBuf,
    temporary: PathBuf,
    finished: bool,
}

impl WholeFile {
    pub fn new(path: &Path) -> Self {
        // The process number keeps two programs that write the same picture apart.
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.part", std::process::id()));
        Self {
            path: path.to_owned(),
            temporary: path.with_file_name(name),
            finished: false,
        }
    }

    /// The final name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name to write to.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its final name, replacing what was there.
    pub fn finish(mut self) -> Result<(), OutputError> {
        fs::rename(&self.temporary, &self.path).map_err(|source| self.error(source))?;
        self.finished = true;
        Ok(())
    }

    pub fn error(&self, source: std::io::Error) -> OutputError {
        OutputError::Write {
            path: self.path.clone(),
            source,
        }
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing can be done about a leftover that cannot be removed.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes `bytes` as the file `path`.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let file = WholeFile::new(path);
    fs::write(file.temporary(), bytes).map_err(|source| file.error(source))?;
    file.finish()
}
