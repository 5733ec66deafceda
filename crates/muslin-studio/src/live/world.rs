//! A scene being simulated, with its settings.

use super::grab;
use super::judge::{Case, JudgeDesk};
use super::rebuild::{Work, work};
use crate::hub::{Hub, Stage};
use crate::inbox::Pull;
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
    desk: Arc<JudgeDesk>,
    triangles: Arc<Vec<[u32; 3]>>,
    pull: Option<Pull>,
    seconds_for_a_frame: f64,
}

impl World {
    /// Opens a scene; nothing has moved yet.
    pub fn open(text: &str, file_name: &str, sets: &[String]) -> Result<Self, OpenError> {
        let settings = Settings::new(text, file_name, sets).map_err(Box::new)?;
        let runner = Runner::new(settings.scene())?;
        let scene = settings.scene();
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
            desk: Arc::default(),
            triangles,
            pull: None,
            seconds_for_a_frame: 0.0,
        })
    }

    /// The scene, with its frames laid on this desk to be judged.
    #[must_use]
    pub fn judged_on(mut self, desk: &Arc<JudgeDesk>) -> Self {
        self.desk = Arc::clone(desk);
        self
    }

    /// Where its frames are laid to be judged.
    pub fn desk(&self) -> &Arc<JudgeDesk> {
        &self.desk
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
        let scene = self.settings.scene();
        let mut message = stage::describe(scene, &self.run, Mode::Live);
        stage::add_settings(&mut message, &self.settings);
        message["run"] = self.run_id.into();
        message["geometry"] = self.geometry_id.into();
        let cloth_count = self.run.cloth_vertex_count();
        let geometry = Arc::new(topology_message(&self.topology, cloth_count));
        let geometry_id = self.geometry_id;
        hub.show_stage(Stage { text: message.to_string(), geometry_id, geometry });
    }

    /// Simulates a frame and shows it.
    pub fn advance(&mut self, hub: &Hub) -> Result<(), String> {
        let begin = Instant::now();
        let pulled = grab::apply(&mut self.runner, &self.run, self.pull);
        let report = pulled.and_then(|()| self.runner.advance()).map_err(|e| e.to_string())?;
        self.seconds_for_a_frame = begin.elapsed().as_secs_f64();
        self.show_frame(hub, &report);
        Ok(())
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
            marks: Arc::new(self.runner.marks()),
        };
        let mut told = frame.report;
        let stages: Vec<Value> =
            report.seconds.stages().iter().map(|(name, s)| json!([name, s])).collect();
        told["seconds"] = stages.into();
        told["wall"] = self.seconds_for_a_frame.into();
        hub.show_frame(Arc::new(record), told);
        if hub.wants_judging() {
            self.desk.lay(Case {
                run: self.run_id,
                frame: number,
                cloth: frame.positions,
                bodies: frame.bodies,
                triangles: Arc::clone(&self.triangles),
            });
        }
    }

    /// Begins again at frame 0, with the settings as they are.
    pub fn restart(&mut self, hub: &Hub) -> Result<(), String> {
        self.runner = Runner::new(self.settings.scene()).map_err(|error| error.to_string())?;
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
        let scene = settings.scene();
        let work = work(self.settings.scene(), scene);
        let mut goes_on = work == Work::Nothing;
        if work != Work::Nothing {
            let mut runner = Runner::new(scene).map_err(|error| error.to_string())?;
            let topology = runner.topology();
            let fits = stage::same_shape(&topology, &self.topology);
            self.runner.release();
            goes_on = work == Work::Rebuild
                && fits
                && runner.restore(&self.runner.snapshot(), self.frame()).is_ok();
            self.runner = runner;
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
            hub.notice("this changes what the cloth is made of: it begins again");
            self.begin(hub);
        }
        Ok(())
    }

    /// Pulls what the pointer holds, or lets go.
    pub fn pull(&mut self, pull: Option<Pull>) {
        self.pull = pull;
    }
}
