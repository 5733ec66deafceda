//! Binary USD (`.usdc`, `.usdz`) through Pixar's own library, where Python has it: `usd-core` turns
//! it into text that [`super::usda`] reads, and text into it. `MUSLIN_PYTHON` names the interpreter.

use super::{ReadError, WriteProblem};
use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

/// Everything a stage composes, as one layer of text.
const FLATTEN: &str = "import sys
from pxr import Usd
Usd.Stage.Open(sys.argv[1]).Flatten().Export(sys.argv[2])";

/// One layer in another form.
const CONVERT: &str = "import sys
from pxr import Sdf
layer = Sdf.Layer.FindOrOpen(sys.argv[1])
sys.exit(0 if layer.Export(sys.argv[2], args={'format': 'usdc'}) else 1)";

/// How often a program is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// A file that goes when it is dropped.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// A path in `folder` that no one else uses; nothing is written there yet.
    pub fn new(folder: &Path, ending: &str) -> Self {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!(".muslin-{}-{serial}.{ending}", std::process::id());
        Self(folder.join(name))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A leftover file in the temporary folder is harmless.
        let _ = fs::remove_file(&self.0);
    }
}

/// A binary or composed stage as one text layer.
pub fn flattened(path: &Path) -> Result<Temporary, ReadError> {
    let text = Temporary::new(&std::env::temp_dir(), "usda");
    run(FLATTEN, path, text.path(), &|| false)
        .map_err(|problem| ReadError::file(&path.display().to_string(), problem))?;
    Ok(text)
}

/// Writes `usdc` from the text layer at `usda`, unless `stopped` says so before the end.
pub fn convert(usda: &Path, usdc: &Path, stopped: &dyn Fn() -> bool) -> Result<(), WriteProblem> {
    run(CONVERT, usda, usdc, stopped).map_err(WriteProblem::Invalid)
}

fn run(code: &str, from: &Path, to: &Path, stopped: &dyn Fn() -> bool) -> Result<(), String> {
    let python = std::env::var("MUSLIN_PYTHON").unwrap_or_else(|_| "python3".into());
    let advice = format!(
        "binary USD needs Pixar's usd-core in Python (pip install usd-core, then set MUSLIN_PYTHON \
         if `{python}` is not that Python), or use .usda"
    );
    let child = Command::new(&python)
        .args(["-c", code])
        .arg(from)
        .arg(to)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let done = child.and_then(|child| wait(child, stopped));
    let done = done.map_err(|error| format!("`{python}` does not start ({error}): {advice}"))?;
    if stopped() {
        return Err("somebody asked to stop".into());
    }
    if done.status.success() && to.is_file() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    if said.contains("No module named") {
        return Err(format!("`{python}` has no usd-core: {advice}"));
    }
    Err(format!("usd-core refuses it: {}", last.trim()))
}

/// Waits until the program ends, or ends it as soon as `stopped` says so.
fn wait(mut child: Child, stopped: &dyn Fn() -> bool) -> io::Result<Output> {
    let mut errors = child.stderr.take();
    // Read aside, so that a program with much to say is not kept waiting.
    let reader = thread::spawn(move || {
        let mut said = Vec::new();
        errors.as_mut().map_or(Ok(0), |errors| errors.read_to_end(&mut said)).map(|_| said)
    });
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stopped() {
            child.kill()?;
            break child.wait()?;
        }
        thread::sleep(PAUSE);
    };
    let stderr = reader.join().unwrap_or_else(|_| Ok(Vec::new()))?;
    Ok(Output { status, stdout: Vec::new(), stderr })
}
