//! Scenes, checked.

use crate::fault::{Fault, error};
use crate::given::{self, Given};
use muslin_cli::{Failure, SceneSource};
use muslin_scene::spec::{self, SceneSpec};
use pyo3::prelude::*;

/// A checked scene.
#[pyclass(frozen)]
pub struct Spec {
    /// The scene with its text.
    pub source: SceneSource,
    /// What its Python functions raise.
    pub fault: Fault,
}

#[pymethods]
impl Spec {
    /// The TOML text it was read from.
    #[getter]
    fn text(&self) -> &str {
        &self.source.text
    }

    /// The scene as TOML, defaults and presets written out.
    fn resolved(&self, py: Python<'_>) -> PyResult<String> {
        self.source.scene.to_toml().map_err(|e| error(py, unwritable(&e)))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.source.scene.name
    }

    /// Frames per second [1/s].
    #[getter]
    fn fps(&self) -> f64 {
        self.source.scene.fps
    }

    /// Frames after frame 0.
    #[getter]
    fn frames(&self) -> u32 {
        self.source.scene.frames
    }
}

/// A scene that cannot be written down.
pub fn unwritable(cause: &dyn std::fmt::Display) -> Failure {
    Failure::new("scene", "", format!("the scene cannot be written down: {cause}"))
}

/// Reads a scene file, or `@name` of the gallery.
#[pyfunction]
pub fn load(py: Python<'_>, name: &str, overrides: Vec<String>) -> PyResult<Spec> {
    let source = SceneSource::load(name, &overrides).map_err(|e| error(py, e))?;
    Ok(Spec { source, fault: Fault::default() })
}

/// Reads a scene from text, with meshes that it names as if they were files.
#[pyfunction]
pub fn parse(
    py: Python<'_>,
    text: String,
    name: &str,
    overrides: Vec<String>,
    meshes: Vec<Given<'_>>,
) -> PyResult<Spec> {
    let fault = Fault::default();
    let mut all = spec::Given::default();
    for mesh in &meshes {
        all.add(&mesh.0, given::mesh(mesh, &fault, py)?);
    }
    let scene = SceneSpec::from_toml_given(&text, name, &overrides, all);
    let scene = scene.map_err(|e| error(py, e))?;
    Ok(Spec { source: SceneSource { scene, text }, fault })
}

/// The TOML text of a scene that is given as JSON.
#[pyfunction]
pub fn toml_of(py: Python<'_>, json: &str) -> PyResult<String> {
    let value: serde_json::Value =
        serde_json::from_str(json).map_err(|e| error(py, unwritable(&e)))?;
    toml::to_string(&value).map_err(|e| error(py, unwritable(&e)))
}
