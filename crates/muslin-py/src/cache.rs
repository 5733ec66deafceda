//! Caches, read frame by frame.

use crate::arrays;
use crate::fault::error;
use muslin_scene::cache::{self, Run, SurfaceKind, Topology};
use numpy::ndarray::Array3;
use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A surface: name, kind, first and end of its vertices, first and end of its triangles.
type Surface = (String, String, usize, usize, usize, usize);

/// What stays the same from frame to frame: triangles of all surfaces, rest coordinates of their corners
/// [m], surfaces.
pub type Fixed<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray3<f64>>, Vec<Surface>);

/// A frame: time [s], positions [m], velocities [m/s], body vertices [m], report as JSON.
type Frame<'py> =
    (f64, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, String);

/// The fixed arrays of a run.
pub fn fixed<'py>(py: Python<'py>, run: &Run, topology: &Topology) -> PyResult<Fixed<'py>> {
    let triangles = arrays::from_rows(py, topology.triangles.iter().copied());
    let flat = topology.corner_uv.as_flattened().as_flattened().to_vec();
    let uv = Array3::from_shape_vec((topology.corner_uv.len(), 3, 2), flat);
    let uv = uv.map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))?;
    let surface = |surface: &cache::Surface| {
        let kind = match surface.kind {
            SurfaceKind::Cloth => "cloth",
            SurfaceKind::Body => "body",
        };
        let (vertices, triangles) = (surface.vertices.range(), surface.triangles.range());
        let name = surface.name.clone();
        (name, kind.to_owned(), vertices.start, vertices.end, triangles.start, triangles.end)
    };
    let surfaces = run.surfaces.iter().map(surface).collect();
    Ok((triangles, PyArray3::from_owned_array(py, uv), surfaces))
}

/// A cache on the disk.
#[pyclass(frozen)]
pub struct Cache {
    cache: cache::Cache,
}

#[pymethods]
impl Cache {
    /// Opens the cache in a folder and checks everything but its frames.
    #[new]
    fn new(py: Python<'_>, dir: PathBuf) -> PyResult<Self> {
        let cache = py.detach(|| cache::Cache::open(&dir)).map_err(|e| error(py, e))?;
        Ok(Self { cache })
    }

    /// Numbers of the frames that are there now, ascending.
    fn frames(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.cache.frames().map_err(|e| error(py, e))
    }

    /// Reads one frame and checks it.
    fn frame<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Frame<'py>> {
        let frame = py.detach(|| self.cache.frame(index)).map_err(|e| error(py, e))?;
        let array = |points: &[_]| arrays::from_points(py, points);
        let (x, v, bodies) = (&frame.positions, &frame.velocities, &frame.bodies);
        Ok((frame.time, array(x), array(v), array(bodies), frame.report.to_string()))
    }

    /// The fixed arrays and the surfaces.
    fn fixed<'py>(&self, py: Python<'py>) -> PyResult<Fixed<'py>> {
        fixed(py, &self.cache.manifest().run, self.cache.topology())
    }

    /// The manifest, as JSON.
    fn manifest(&self) -> String {
        serde_json::to_value(self.cache.manifest()).unwrap_or_default().to_string()
    }

    /// The run's report, as JSON; "null" where none is written yet.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let report = self.cache.report().map_err(|e| error(py, e))?;
        Ok(report.unwrap_or_default().to_string())
    }

    /// The exact text of the scene that made the cache.
    #[getter]
    fn scene_text(&self) -> &str {
        self.cache.scene_text()
    }
}
