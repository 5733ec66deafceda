//! Files that commands are asked to write: never over something that is there, unless told.

use crate::failure::Failure;
use clap::Args;
use std::path::{Path, PathBuf};

/// Where a command writes.
#[derive(Args, Clone, Debug)]
pub struct OutPath {
    /// The file to write; its ending says the format
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace files that are there already
    #[arg(long)]
    pub overwrite: bool,
}

impl OutPath {
    /// The ending in lower case, without the dot; empty where there is none.
    pub fn extension(&self) -> String {
        self.output.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
    }

    /// Refuses a file that is there already, or whose folder is not.
    pub fn check(&self, file: &Path) -> Result<(), Failure> {
        let place = file.display().to_string();
        if file.is_dir() {
            let message = format!("{place} is a folder, expected the name of a file: add one");
            return Err(Failure::new("exists", place, message));
        }
        if !self.overwrite && file.exists() {
            let message =
                format!("{place} is there already: replace it with --overwrite, or name another");
            return Err(Failure::new("exists", place, message));
        }
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if folder.is_dir() {
            return Ok(());
        }
        let message = format!("there is no folder {}: make it, or name another", folder.display());
        Err(Failure::new("io", folder.display().to_string(), message))
    }
}
