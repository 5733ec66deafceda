//! The commands of the command line.

use crate::fault::error;
use crate::watch::watched;
use muslin::math::Vec3;
use muslin_cli::{Failure, Interrupt, Outcome, Shot};
use numpy::PyArray3;
use numpy::ndarray::Array3;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Does what arguments say without printing: whether nothing was wrong, and the JSON of `--json`.
#[pyfunction]
pub fn ask(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(bool, String)> {
    let (outcome, value) = interruptible(py, |stop| muslin_cli::ask(&arguments, stop))?;
    Ok((outcome == Outcome::Done, value.to_string()))
}

/// The command line: prints, and returns the exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| muslin_cli::run_with(&arguments))
}

/// Draws one picture of a cache: rows of pixels from the top, red, green, blue.
#[pyfunction]
#[pyo3(signature = (dir, frame, size, camera, fov, strain))]
pub fn draw(
    py: Python<'_>,
    dir: PathBuf,
    frame: Option<u64>,
    size: [Option<u32>; 2],
    camera: [Option<[f64; 3]>; 2],
    fov: Option<f64>,
    strain: Option<f64>,
) -> PyResult<Bound<'_, PyArray3<u8>>> {
    let camera = camera.map(|point| point.map(Vec3::from_array));
    let shot = Shot { frame, size, camera, fov, strain };
    let image = interruptible(py, |stop| muslin_cli::draw(&dir, &shot, stop))?;
    let shape = (image.height() as usize, image.width() as usize, 3);
    let pixels = Array3::from_shape_vec(shape, image.pixels().to_vec());
    let pixels = pixels.map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(PyArray3::from_owned_array(py, pixels))
}

/// Does `work`, which ends soon when it is told to because of Ctrl-C.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Interrupt) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let (answer, raised) = watched(py, || interrupt.ask(), || work(&interrupt));
    match (raised, answer) {
        (Some(raised), _) => Err(raised),
        (None, Some(answer)) => answer.map_err(|e| error(py, e)),
        (None, None) => Err(PyRuntimeError::new_err("the work ended without an answer")),
    }
}
