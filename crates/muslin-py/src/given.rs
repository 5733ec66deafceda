//! Meshes given as arrays, and how bodies of them move: arrays over time, or Python functions of time.

use crate::arrays;
use crate::fault::Fault;
use muslin::body::Deform;
use muslin::math::Vec3;
use muslin_scene::polymesh::{CornerUv, PolyMesh};
use muslin_scene::spec::GivenMesh;
use numpy::{PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Times whose positions are remembered: a step asks for its start, its end and its middle again and
/// again.
const REMEMBERED: usize = 4;

/// How a body moves.
#[derive(FromPyObject)]
pub enum Motion<'py> {
    /// Positions [m] of shape (times, vertices, 3), at this many times a second.
    Frames(PyReadonlyArray3<'py, f64>, f64),
    /// A function from a time [s] to positions [m] of shape (vertices, 3).
    Function(Py<PyAny>),
}

/// A mesh as Python gives it: name, positions [m], triangles, uv [m], motion.
pub type Given<'py> = (
    String,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, u32>,
    Option<PyReadonlyArray2<'py, f64>>,
    Option<Motion<'py>>,
);

/// The mesh with its motion; `fault` keeps what a function raises.
pub fn mesh(given: &Given<'_>, fault: &Fault, py: Python<'_>) -> PyResult<GivenMesh> {
    let (_, positions, triangles, uv, motion) = given;
    let triangles = arrays::triangles(triangles)?;
    let mut mesh = PolyMesh::from_triangles(arrays::points(positions)?, &triangles);
    if let Some(uv) = uv {
        let corners = triangles.as_flattened().iter().map(|vertex| Some(*vertex)).collect();
        mesh.uv = Some(CornerUv { values: arrays::plane_points(uv)?, corners });
    }
    let deform = match motion {
        None => None,
        Some(Motion::Frames(frames, rate)) => Some(played(frames, *rate)?),
        Some(Motion::Function(function)) => Some(called(function.clone_ref(py), fault.clone())),
    };
    Ok(GivenMesh { mesh, deform })
}

/// Straight from frame to frame; still before the first and after the last.
fn played(frames: &PyReadonlyArray3<'_, f64>, rate: f64) -> PyResult<Deform> {
    let view = frames.as_array();
    let frames: Vec<Vec<Vec3>> = view
        .outer_iter()
        .map(|frame| frame.rows().into_iter().map(|r| Vec3::new(r[0], r[1], r[2])).collect())
        .collect();
    let Some(last) = frames.len().checked_sub(1) else {
        return Err(PyValueError::new_err("a motion has at least one frame"));
    };
    Ok(Arc::new(move |t: f64, out: &mut [Vec3]| {
        let at = (t * rate).clamp(0.0, last as f64);
        let index = (at.floor() as usize).min(last);
        let share = at - index as f64;
        let (from, to) = (&frames[index], &frames[(index + 1).min(last)]);
        for ((x, a), b) in out.iter_mut().zip(from).zip(to) {
            *x = if share > 0.0 { *a + (*b - *a) * share } else { *a };
        }
    }))
}

/// As a Python function says; after it raised, where it was last.
fn called(function: Py<PyAny>, fault: Fault) -> Deform {
    let remembered: Mutex<Vec<(f64, Vec<Vec3>)>> = Mutex::new(Vec::new());
    Arc::new(move |t: f64, out: &mut [Vec3]| {
        let mut remembered = remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let known = remembered.iter().position(|(time, _)| *time == t);
        let known = if fault.happened() { remembered.len().checked_sub(1) } else { known };
        if let Some(known) = known {
            out.copy_from_slice(&remembered[known].1);
            return;
        }
        match Python::attach(|py| call(py, &function, t, out.len())) {
            Ok(positions) => {
                out.copy_from_slice(&positions);
                if remembered.len() == REMEMBERED {
                    remembered.remove(0);
                }
                remembered.push((t, positions));
            }
            Err(error) => {
                fault.keep(error);
                if let Some((_, positions)) = remembered.last() {
                    out.copy_from_slice(positions);
                }
            }
        }
    })
}

/// Calls the function; the package's Python side has wrapped it so that it answers with an array of the
/// right shape or raises.
fn call(py: Python<'_>, function: &Py<PyAny>, t: f64, count: usize) -> PyResult<Vec<Vec3>> {
    let answer = function.bind(py).call1((t,))?;
    let array: PyReadonlyArray2<'_, f64> = answer.extract()?;
    let positions = arrays::points(&array)?;
    if positions.len() != count {
        return Err(PyValueError::new_err(format!(
            "a body of {count} vertices was given {} positions",
            positions.len()
        )));
    }
    Ok(positions)
}
