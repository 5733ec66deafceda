//! Files that appear whole or not at all, whatever happens to the process.

use super::{WriteError, WriteProblem};
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

/// What [`write()`] hands to its closure: buffered, and able to go back to patch a header.
pub type Writer = BufWriter<File>;

/// Large enough that a frame of a small mesh goes to the system in a few calls.
const BUFFER_BYTES: usize = 1 << 18;

/// Writes `path` through a temporary file in the same folder: the content reaches the disk, then
/// takes its name in one step. On an error, what was at `path` before stays and the temporary
/// file goes.
pub fn write(
    path: &Path,
    content: impl FnOnce(&mut Writer) -> Result<(), WriteProblem>,
) -> Result<(), WriteError> {
    let fail = |problem: WriteProblem| WriteError { path: path.into(), problem };
    let temporary = temporary_path(path).map_err(fail)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary);
    let file = file.map_err(|error| fail(error.into()))?;
    let written = fill(file, content).and_then(|()| Ok(fs::rename(&temporary, path)?));
    if let Err(problem) = written {
        // The first problem is the one to report; a leftover file is harmless.
        let _ = fs::remove_file(&temporary);
        return Err(fail(problem));
    }
    sync_folder(path).map_err(|error| fail(error.into()))
}

fn fill(
    file: File,
    content: impl FnOnce(&mut Writer) -> Result<(), WriteProblem>,
) -> Result<(), WriteProblem> {
    let mut writer = BufWriter::with_capacity(BUFFER_BYTES, file);
    content(&mut writer)?;
    writer.flush()?;
    writer.get_ref().sync_all()?;
    Ok(())
}

fn temporary_path(path: &Path) -> Result<PathBuf, WriteProblem> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| WriteProblem::Invalid("the path names no file: add a file name".into()))?;
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{serial}.tmp", process::id()));
    Ok(path.with_file_name(temporary))
}

/// The new name lives in the folder, which has to reach the disk too.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the system keeps their entries in order by itself.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
