//! A scene being simulated.

use crate::arrays;
use crate::cache;
use crate::fault::{Fault, error};
use crate::scene::{Spec, unwritable};
use crate::watch::{Watch, join_engine};
use muslin::math::Vec3;
use muslin_cli::SceneSource;
use muslin_scene::cache::{CacheWriter, Existing, Run, Start, Topology};
use muslin_scene::runner::Runner;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// A simulation with the arrays that Python sees.
#[pyclass]
pub struct Simulation {
    runner: Runner,
    source: SceneSource,
    fault: Fault,
    plan: Run,
    topology: Topology,
    positions: Py<PyArray2<f64>>,
    velocities: Py<PyArray2<f64>>,
    writer: Option<CacheWriter>,
    reports: Vec<Value>,
    seconds: f64,
}

#[pymethods]
impl Simulation {
    /// Builds everything the scene names; nothing has moved yet.
    #[new]
    fn new(py: Python<'_>, spec: &Spec) -> PyResult<Self> {
        let (source, fault) = (spec.source.clone(), spec.fault.clone());
        drop(fault.take());
        // Functions of bodies are called from the engine's threads, so Python must not be held here.
        let built = py.detach(|| Runner::new(&source.scene));
        if let Some(raised) = fault.take() {
            return Err(raised);
        }
        let runner = built.map_err(|e| error(py, e))?;
        let positions = arrays::from_points(py, &runner.positions()).unbind();
        let velocities = arrays::from_points(py, &runner.velocities()).unbind();
        let plan = runner.plan(&source.scene, &[], u64::from(source.scene.frames));
        let topology = py.detach(|| runner.topology());
        let (writer, reports, seconds) = (None, Vec::new(), 0.0);
        Ok(Self {
            runner,
            source,
            fault,
            plan,
            topology,
            positions,
            velocities,
            writer,
            reports,
            seconds,
        })
    }

    /// Advances by one frame; on an exception everything stays as it was.
    fn step(&mut self, py: Python<'_>) -> PyResult<()> {
        join_engine(py)?;
        let Self { runner, fault, seconds, .. } = self;
        let mut watch = Watch::new();
        let advanced = py.detach(|| {
            let clock = Instant::now();
            let mut go_on = || !fault.happened() && watch.go_on();
            let advanced = runner.advance_watched(&mut go_on).map(drop);
            *seconds = clock.elapsed().as_secs_f64();
            advanced
        });
        let raised = watch.raised.or_else(|| fault.take());
        if advanced.is_ok() {
            arrays::fill(&mut self.positions.bind(py).readwrite(), &self.runner.positions());
            arrays::fill(&mut self.velocities.bind(py).readwrite(), &self.runner.velocities());
        }
        match raised {
            Some(raised) => Err(raised),
            None => advanced.map_err(|e| error(py, e)),
        }
    }

    /// The array of positions [m]: always the same one, filled anew by every step.
    fn positions(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.positions.clone_ref(py)
    }

    /// The array of velocities [m/s]: always the same one, filled anew by every step.
    fn velocities(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.velocities.clone_ref(py)
    }

    /// Vertices of all bodies [m].
    fn body_positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let runner = &self.runner;
        let positions = py.detach(|| runner.body_positions());
        arrays::from_points(py, &positions)
    }

    /// The fixed arrays and the surfaces, as [`cache::fixed`] gives them.
    fn fixed<'py>(&self, py: Python<'py>) -> PyResult<cache::Fixed<'py>> {
        cache::fixed(py, &self.plan, &self.topology)
    }

    /// Frame number.
    #[getter]
    fn frame(&self) -> u64 {
        self.runner.frame_number()
    }

    /// Time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.runner.time()
    }

    /// Seconds that the last step spent in the engine.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether the cloth is at rest (V16).
    #[getter]
    fn at_rest(&self) -> bool {
        self.runner.at_rest()
    }

    /// What happened on the way to the present frame, as JSON.
    fn report(&self) -> String {
        self.report_value().to_string()
    }

    /// Forces on all vertices [N]; `None` for none.
    fn set_forces(
        &mut self,
        py: Python<'_>,
        forces: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let forces = forces.as_ref().map_or_else(|| Ok(Vec::new()), arrays::points)?;
        self.runner.set_forces(forces).map_err(|e| error(py, e))
    }

    /// Where vertices must be at the end of the next frame [m].
    fn set_targets(
        &mut self,
        py: Python<'_>,
        vertices: PyReadonlyArray1<'_, u32>,
        places: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let places = arrays::points(&places)?;
        let vertices = vertices.as_array();
        let targets: Vec<(u32, Vec3)> = vertices.iter().copied().zip(places).collect();
        self.runner.set_targets(targets).map_err(|e| error(py, e))
    }

    /// Starts a cache for frames from the present one to `last`.
    fn start_cache(
        &mut self,
        py: Python<'_>,
        dir: PathBuf,
        last: u64,
        overwrite: bool,
    ) -> PyResult<()> {
        let Self { source, topology, .. } = self;
        let resolved = source.scene.to_toml().map_err(|e| error(py, unwritable(&e)))?;
        let (first_frame, last_frame) = (self.runner.frame_number(), last);
        let start = Start {
            run: Run { first_frame, last_frame, ..self.plan.clone() },
            topology,
            scene_text: &source.text,
            resolved_text: &resolved,
        };
        let existing = if overwrite { Existing::Replace } else { Existing::Keep };
        let writer = py.detach(|| CacheWriter::create(&dir, &start, existing));
        self.writer = Some(writer.map_err(|e| error(py, e))?);
        self.reports.clear();
        Ok(())
    }

    /// Writes the present frame into the cache that was started.
    fn write_frame(&mut self, py: Python<'_>) -> PyResult<()> {
        let report = self.report_value();
        let Self { runner, writer, reports, .. } = self;
        let Some(writer) = writer else { return Ok(()) };
        let frame = runner.frame_number();
        py.detach(|| writer.write_frame(frame, &runner.frame())).map_err(|e| error(py, e))?;
        reports.push(report);
        Ok(())
    }

    /// Ends the cache that was started: as done, or for a reason before its end.
    fn end_cache(&mut self, py: Python<'_>, reason: Option<&str>) -> PyResult<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let frames = std::mem::take(&mut self.reports);
        let ended = if reason.is_some() { "stopped" } else { "last frame" };
        let report = json!({
            "summary": { "frames": frames.len(), "ended": ended },
            "frames": frames,
        });
        let ended = match reason {
            None => writer.finish(&report).map(drop),
            Some(reason) => writer.stop(reason, &report),
        };
        ended.map_err(|e| error(py, e))
    }
}

impl Simulation {
    fn report_value(&self) -> Value {
        serde_json::to_value(self.runner.report()).unwrap_or_default()
    }
}
