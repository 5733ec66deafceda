//! The commands of the command line.

use crate::fault::error;
use muslin::math::Vec3;
use muslin_cli::{Outcome, Shot};
use numpy::PyArray3;
use numpy::ndarray::Array3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Does what arguments say without printing: whether nothing was wrong, and the JSON of `--json`.
#[pyfunction]
pub fn ask(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(bool, String)> {
    let (outcome, value) = py.detach(|| muslin_cli::ask(&arguments)).map_err(|e| error(py, e))?;
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
pub fn draw<'py>(
    py: Python<'py>,
    dir: PathBuf,
    frame: Option<u64>,
    size: [Option<u32>; 2],
    camera: [Option<[f64; 3]>; 2],
    fov: Option<f64>,
    strain: Option<f64>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let camera = camera.map(|point| point.map(Vec3::from_array));
    let shot = Shot { frame, size, camera, fov, strain };
    let image = py.detach(|| muslin_cli::draw(&dir, &shot)).map_err(|e| error(py, e))?;
    let shape = (image.height() as usize, image.width() as usize, 3);
    let pixels = Array3::from_shape_vec(shape, image.pixels().to_vec());
    let pixels = pixels.map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(PyArray3::from_owned_array(py, pixels))
}
