//! Between numpy arrays and the engine's vectors.

use muslin::math::{Vec2, Vec3};
use numpy::ndarray::Array2;
use numpy::{PyArray2, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The rows of an array as points.
pub fn points(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<Vec3>> {
    let view = array.as_array();
    if view.ncols() != 3 {
        return Err(PyValueError::new_err("an array of points has three columns"));
    }
    Ok(view.rows().into_iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect())
}

/// The rows of an array as points of the plane.
pub fn plane_points(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<Vec2>> {
    let view = array.as_array();
    if view.ncols() != 2 {
        return Err(PyValueError::new_err("an array of plane points has two columns"));
    }
    Ok(view.rows().into_iter().map(|row| Vec2::new(row[0], row[1])).collect())
}

/// The rows of an array as triangles.
pub fn triangles(array: &PyReadonlyArray2<'_, u32>) -> PyResult<Vec<[u32; 3]>> {
    let view = array.as_array();
    if view.ncols() != 3 {
        return Err(PyValueError::new_err("an array of triangles has three columns"));
    }
    Ok(view.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

/// A new array with a row per point.
pub fn from_points<'py>(py: Python<'py>, points: &[Vec3]) -> Bound<'py, PyArray2<f64>> {
    from_rows(py, points.iter().map(Vec3::to_array))
}

/// A new array with a row per item.
pub fn from_rows<T: numpy::Element + Copy + Default, const N: usize>(
    py: Python<'_>,
    rows: impl Iterator<Item = [T; N]>,
) -> Bound<'_, PyArray2<T>> {
    let flat: Vec<T> = rows.flatten().collect();
    let shape = (flat.len() / N.max(1), N);
    // The vector has the length of the shape by construction.
    PyArray2::from_owned_array(py, Array2::from_shape_vec(shape, flat).unwrap_or_default())
}

/// Writes points into an array that has a row for each.
pub fn fill(array: &mut PyReadwriteArray2<'_, f64>, points: &[Vec3]) {
    let mut view = array.as_array_mut();
    for (mut row, point) in view.rows_mut().into_iter().zip(points) {
        (row[0], row[1], row[2]) = (point.x, point.y, point.z);
    }
}
