//! A scene being simulated, with its settings.

use super::grab;
use super::rebuild::{Work, work};
use crate::hub::{Hub, Stage};
use crate::inbox::Pull;
use crate::judge::Case;
use crate::settings::Settings;
use crate::stage::{self, Mode};
use crate::wire::{Points, Quantiser, Record, topology_message};
use muslin_scene::cache::{Run, Topology};
use muslin_scene::runner::{FrameReport, RunError, Runner};
use muslin_scene::spec::SceneError;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use thiserror::Error;

/// Why a scene can not be shown.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The scene file is wrong.
    #[error(transparent)]
    Scene(#[from] Box<SceneError>),
    /// The scene can not be simulated.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A scene being simulated.
pub struct World {
    settings: Settings,
    runner: Runner,
    run: Run,
    topology: Topology,
    geometry_id: u64,
    run_id: u32,
    quantisers: [Quantiser; 2],
    bodies: Option<Arc<Points>>,
    /// Run and frame that were laid down to be judged last.
    judged: (u32, u64),
    triangles: Arc<Vec<[u32; 3]>>,
    pull: Option<Pull>,
    /// What the pointer holds has changed since the last step.
    pull_changed: bool,
    /// Seconds of the clock spent on a frame that is not there yet [s]; `None` between frames.
    spent: Option<f64>,
    seconds_for_a_frame: f64,
}

impl World {
    /// Opens a scene; nothing has moved yet.
    pub fn open(text: &str, file_name: &str, sets: &[String]) -> Result<Self, OpenError> {
        let settings = Settings::new(text, file_name, sets).map_err(Box::new)?;
        let scene = settings.played();
        let runner = Runner::new(scene)?;
        let run = runner.plan(scene, &[], u64::from(scene.frames));
        let topology = runner.topology();
        let triangles = Arc::new(topology.triangles.clone());
        Ok(Self {
            settings,
            runner,
            run,
            topology,
            geometry_id: 0,
            run_id: 0,
            quantisers: Default::default(),
            bodies: None,
            judged: (0, 0),
            triangles,
            pull: None,
            pull_changed: false,
            spent: None,
            seconds_for_a_frame: 0.0,
        })
    }

    /// Number of the frame it stands at.
    pub fn frame(&self) -> u64 {
        self.runner.frame_number()
    }

    /// Simulated time of a frame [s].
    pub fn frame_seconds(&self) -> f64 {
        1.0 / self.run.fps
    }

    /// Seconds of the clock that the last frame took [s].
    pub fn seconds_for_a_frame(&self) -> f64 {
        self.seconds_for_a_frame
    }

    /// Whether it stands at the scene's last frame.
    pub fn is_at_end(&self) -> bool {
        self.frame() == self.run.last_frame
    }

    /// Shows the scene and its present frame, as a run of its own.
    pub fn show(&mut self, hub: &Hub) {
        self.geometry_id = hub.next_geometry();
        self.begin(hub);
    }

    fn begin(&mut self, hub: &Hub) {
        self.run_id = hub.begin_run();
        self.show_settings(hub);
        self.show_frame(hub, &FrameReport::default());
    }

    /// Shows the scene's settings as they are.
    pub fn show_settings(&self, hub: &Hub) {
        let scene = self.settings.played();
        let mut message = stage::describe(scene, &self.run, Mode::Live);
        stage::add_settings(&mut message, &self.settings);
        message["run"] = self.run_id.into();
        message["geometry"] = self.geometry_id.into();
        let cloth_count = self.run.cloth_vertex_count();
        let geometry = Arc::new(topology_message(&self.topology, cloth_count));
        let geometry_id = self.geometry_id;
        hub.show_stage(Stage { text: message.to_string(), geometry_id, geometry });
    }

    /// Simulates on, until the next frame is there to be shown, or `go_on` says no after a step. Says
    /// whether the frame is there.
    pub fn advance(
        &mut self,
        hub: &Hub,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<bool, String> {
        let begin = Instant::now();
        let spent = self.spent.take();
        if spent.is_none() || self.pull_changed {
            self.pull_changed = false;
            let pulled = grab::apply(&mut self.runner, &self.run, self.pull);
            pulled.map_err(|error| error.to_string())?;
        }
        let report = self.runner.advance_some(go_on).map_err(|error| error.to_string())?;
        let seconds = spent.unwrap_or_default() + begin.elapsed().as_secs_f64();
        let Some(report) = report else {
            self.spent = Some(seconds);
            return Ok(false);
        };
        self.seconds_for_a_frame = seconds;
        self.show_frame(hub, &report);
        Ok(true)
    }

    fn show_frame(&mut self, hub: &Hub, report: &FrameReport) {
        let frame = self.runner.frame();
        let number = self.frame();
        let [cloth, bodies] = &mut self.quantisers;
        let bodies = bodies.points(&frame.bodies);
        // Bodies that stand still share one array over all frames.
        let same = self.bodies.take().filter(|before| **before == bodies);
        let bodies = same.unwrap_or_else(|| Arc::new(bodies));
        self.bodies = Some(Arc::clone(&bodies));
        let record = Record {
            run: self.run_id,
            number,
            time: frame.time,
            cloth: Arc::new(cloth.points(&frame.positions)),
            bodies,
            marks: Arc::new(frame.marks),
        };
        let mut told = frame.report;
        let stages: Vec<Value> =
            report.seconds.stages().iter().map(|(name, s)| json!([name, s])).collect();
        told["seconds"] = stages.into();
        told["wall"] = self.seconds_for_a_frame.into();
        hub.show_frame(Arc::new(record), told);
        self.have_judged(hub);
    }

    /// Lays the frame it stands at down to be judged, once, if someone wants to know.
    pub fn have_judged(&mut self, hub: &Hub) {
        let this = (self.run_id, self.frame());
        if self.spent.is_some() || this == self.judged || !hub.wants_judging() {
            return;
        }
        self.judged = this;
        let (cloth, bodies) = (self.runner.positions(), self.runner.body_positions());
        let triangles = Arc::clone(&self.triangles);
        hub.desk.lay(Case { run: self.run_id, frame: this.1, cloth, bodies, triangles });
    }

    /// Begins again at frame 0, with the settings as they are.
    pub fn restart(&mut self, hub: &Hub) -> Result<(), String> {
        self.runner = Runner::new(self.settings.played()).map_err(|error| error.to_string())?;
        self.spent = None;
        self.begin(hub);
        Ok(())
    }

    /// Changes a setting; the next step is taken with it.
    pub fn set(&mut self, path: &str, value: &Value, hub: &Hub) -> Result<(), String> {
        let settings = self.settings.with(path, value).map_err(|error| error.to_string())?;
        self.adopt(settings, hub)
    }

    /// Takes back all changes.
    pub fn reset(&mut self, hub: &Hub) -> Result<(), String> {
        let settings = self.settings.original().map_err(|error| error.to_string())?;
        self.adopt(settings, hub)
    }

    fn adopt(&mut self, settings: Settings, hub: &Hub) -> Result<(), String> {
        let scene = settings.played();
        let work = work(self.settings.played(), scene);
        let mut goes_on = work == Work::Nothing;
        if work != Work::Nothing {
            let mut runner = Runner::new(scene).map_err(|error| error.to_string())?;
            let topology = runner.topology();
            let fits = stage::same_shape(&topology, &self.topology);
            goes_on = work == Work::Rebuild && fits && runner.go_on_from(&mut self.runner).is_ok();
            self.runner = runner;
            self.pull_changed = true;
            if !fits {
                self.geometry_id = hub.next_geometry();
            }
            self.triangles = Arc::new(topology.triangles.clone());
            self.topology = topology;
        }
        self.run = self.runner.plan(scene, &[], u64::from(scene.frames));
        self.settings = settings;
        if goes_on {
            self.show_settings(hub);
        } else {
            self.spent = None;
            hub.notice("this changes what the cloth is made of: it begins again");
            self.begin(hub);
        }
        Ok(())
    }

    /// Pulls what the pointer holds, or lets go.
    pub fn pull(&mut self, pull: Option<Pull>) {
        self.pull_changed |= pull != self.pull;
        self.pull = pull;
    }
}
