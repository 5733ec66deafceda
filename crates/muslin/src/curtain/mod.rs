//! Curtains and flags in real time (XU1–XU9).
//!
//! A curtain is a grid of **first-level nodes**. The nodes of a column are joined by rigid rods and
//! swing like a chain of pendulums; neighbouring columns are joined row by row by rods of several
//! sections, whose joints are the **second-level nodes**: they only follow, and make the folds. There is
//! no matrix and no iteration, and no rod ever changes its length.
//!
//! Build once, update every frame, draw:
//!
//! ```
//! use muslin::curtain::{Curtain, CurtainSpec, Environment, PanelSpec, Rail, Top, folds};
//! use muslin::math::Vec3;
//! use muslin::wind::Wind;
//!
//! let panel = PanelSpec {
//!     rows: 24,
//!     gaps: folds::wave(12, 2.0, 4), // 2 m of cloth in 12 folds of 4 sections
//!     top: Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X)), // on 1 m of rail
//!     ..PanelSpec::default()
//! };
//! let mut curtain = Curtain::new(&CurtainSpec {
//!     panels: vec![panel],
//!     ..CurtainSpec::default()
//! })?;
//! let breeze = [Wind::uniform(Vec3::Y * 1.5)];
//! for frame in 0..60 {
//!     let environment = Environment {
//!         winds: &breeze,
//!         time: f64::from(frame) / 60.0,
//!         ..Environment::default()
//!     };
//!     curtain.update(1.0 / 60.0, &environment)?;
//!     assert_eq!(curtain.positions().len(), curtain.normals().len());
//! }
//! # Ok::<(), muslin::curtain::CurtainError>(())
//! ```
//!
//! A frame allocates nothing and starts no threads.

mod collide;
pub mod folds;
mod forces;
mod guard;
mod latitudinal;
mod layout;
mod longitudinal;
mod mesh;
mod nodes;
mod obstacle;
mod panel;
mod rail;
mod report;
pub mod scenes;
mod sections;
mod spec;
mod steer;
mod validate;

use crate::link::Pull;
use crate::math::{Vec2, Vec3};
use crate::wind::Wind;
use collide::{Collider, Moving};
pub use folds::Gap;
pub use guard::{Guard, GuardReport};
pub use layout::PanelLayout;
use mesh::Mesh;
use nodes::Nodes;
pub use obstacle::{Obstacle, Probe, Shape};
use panel::Panel;
pub use rail::{Rail, TieBack};
pub use report::Report;
pub use spec::{
    AirResistance, CollisionSpec, CurtainError, CurtainSpec, MAX_SECTIONS, MAX_VERTICES, PanelSpec,
    Top,
};
pub use steer::Controls;

/// Most steps a frame may be divided into.
const MOST_SUBSTEPS: f64 = 10_000.0;

/// What acts on a curtain during a frame. Everything may change from frame to frame (XU9).
#[derive(Clone, Copy, Debug)]
pub struct Environment<'a> {
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Sources of wind; they add up.
    pub winds: &'a [Wind],
    /// Surroundings as they are at the end of the frame.
    pub obstacles: &'a [Obstacle],
    /// Time at the start of the frame \[s\].
    pub time: f64,
}

impl Default for Environment<'_> {
    /// Still air on Earth, z up.
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, 0.0, -9.81), winds: &[], obstacles: &[], time: 0.0 }
    }
}

/// All that a curtain remembers from frame to frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CurtainState {
    /// Positions of the first-level nodes \[m\].
    pub positions: Vec<Vec3>,
    /// Velocities of the first-level nodes \[m/s\].
    pub velocities: Vec<Vec3>,
    /// Places of the rings along the rails, panel after panel \[m\].
    pub rings: Vec<f64>,
    /// Positions of all vertices \[m\]; empty where they follow from the nodes, which is without a [`Guard`].
    pub vertices: Vec<Vec3>,
}

/// One or several panels of cloth in motion.
#[derive(Clone, Debug)]
pub struct Curtain {
    panels: Vec<Panel>,
    nodes: Nodes,
    rings: Vec<f64>,
    mesh: Mesh,
    collider: Collider,
    air: AirResistance,
    max_step: f64,
    /// The node that a pointer pulls.
    pull: Option<(usize, Pull)>,
    /// Whether a guard has moved vertices away from where their nodes place them.
    displaced: bool,
    report: Report,
}

impl Curtain {
    /// Builds a curtain at rest, its columns straight.
    pub fn new(spec: &CurtainSpec) -> Result<Self, CurtainError> {
        spec.validate()?;
        let mut panels: Vec<Panel> = Vec::with_capacity(spec.panels.len());
        let (mut nodes, mut mesh) = (Nodes::default(), Mesh::default());
        let mut rings = Vec::new();
        for panel_spec in &spec.panels {
            let panel = Panel::new(panel_spec, spec.collisions.thickness, panels.last());
            let places = panel.first_rings(panel_spec);
            nodes.add(&panel, &spec.air, panel.start_positions(&places));
            mesh.add(&panel, &nodes.x[panel.nodes()]);
            rings.extend(places);
            panels.push(panel);
        }
        let collider = Collider::new(spec.collisions, &panels, nodes.x.len());
        Ok(Self {
            panels,
            nodes,
            rings,
            mesh,
            collider,
            air: spec.air,
            max_step: spec.max_step,
            pull: None,
            displaced: false,
            report: Report::default(),
        })
    }

    /// Moves the curtain on by `dt` \[s\].
    pub fn update(&mut self, dt: f64, environment: &Environment) -> Result<&Report, CurtainError> {
        let steps = ((dt - spec::STEP_SLACK) / self.max_step).ceil().max(1.0);
        if !(dt > 0.0 && steps <= MOST_SUBSTEPS) {
            return Err(CurtainError::Value {
                what: "the time step",
                value: dt,
                expected: "positive and at most 10000 times max_step",
            });
        }
        self.report = Report { substeps: steps as usize, ..Report::default() };
        let step = dt / steps;
        for k in 0..self.report.substeps {
            let ahead = dt - (k + 1) as f64 * step;
            self.step(step, environment.time + k as f64 * step, ahead, environment);
        }
        match self.nodes.x.iter().position(|x| !x.is_finite()) {
            None => Ok(&self.report),
            Some(node) => Err(CurtainError::Diverged { node, time: environment.time + dt }),
        }
    }

    /// One step, the paper's list: forces, longitudinal, latitudinal, collisions; `ahead` \[s\] is what
    /// remains of the frame after it.
    fn step(&mut self, dt: f64, time: f64, ahead: f64, environment: &Environment) {
        let nodes = &mut self.nodes;
        self.mesh.begin_step();
        forces::blow(nodes, &self.panels, &self.mesh.normals, environment, time);
        forces::predict(nodes, &self.air, environment.gravity, dt);
        if let Some((node, pull)) = self.pull {
            forces::pull(nodes, node, &pull.before(ahead), dt);
        }
        let mut first_ring = 0;
        for (k, panel) in self.panels.iter().enumerate() {
            let rings = &mut self.rings[first_ring..first_ring + panel.columns];
            first_ring += panel.columns;
            if let Top::Rail(rail) = &panel.top {
                rail.slide(rings, &panel.gaps, time + dt, dt);
            }
            forces::hold(nodes, panel, rings, time + dt);
            longitudinal::swing(nodes, panel);
            let excess = latitudinal::smooth_and_settle(nodes, panel, dt);
            self.collider.note_excess(k, excess);
            self.mesh.place(panel, &nodes.next[panel.nodes()], 0);
        }
        let mut step_report = Report::default();
        let mut moving = Moving { panels: &self.panels, nodes, mesh: &mut self.mesh };
        let obstacles = (environment.obstacles, ahead);
        self.collider.resolve(&mut moving, obstacles, dt, &mut step_report);
        self.report.add(&step_report);
        self.finish_step(dt);
    }

    fn finish_step(&mut self, dt: f64) {
        let nodes = &mut self.nodes;
        let rate = 1.0 / dt;
        for ((v, x), &next) in nodes.v.iter_mut().zip(&mut nodes.x).zip(&nodes.next) {
            *v = (next - *x) * rate;
            *x = next;
        }
        self.mesh.finish_velocities(dt);
        for panel in &self.panels {
            self.mesh.finish_normals(panel);
        }
    }

    /// Vertex buffer: positions of the nodes of both levels \[m\], panel after panel, row by row.
    pub fn positions(&self) -> &[Vec3] {
        &self.mesh.x
    }

    /// Velocities of the vertices \[m/s\].
    pub fn velocities(&self) -> &[Vec3] {
        &self.mesh.v
    }

    /// Unit normals of the vertices.
    pub fn normals(&self) -> &[Vec3] {
        &self.mesh.normals
    }

    /// Triangles, the same in every frame.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    /// Index buffer: the triangles, one index after the other.
    pub fn indices(&self) -> &[u32] {
        self.mesh.triangles.as_flattened()
    }

    /// Texture coordinates of every triangle's corners \[m\]: places on the flat cloth, as
    /// [`PanelLayout::rest`] has them.
    pub fn uv(&self) -> &[[Vec2; 3]] {
        &self.mesh.uv
    }

    /// Positions of the first-level nodes \[m\], panel after panel, row by row.
    pub fn nodes(&self) -> &[Vec3] {
        &self.nodes.x
    }

    /// What the last frame cost and left undone.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Kinetic plus potential energy \[J\], the latter relative to the origin.
    pub fn energy(&self, gravity: Vec3) -> f64 {
        let nodes = &self.nodes;
        let each = nodes.mass.iter().zip(&nodes.v).zip(&nodes.x);
        each.map(|((m, v), &x)| m * (0.5 * v.length_squared() - gravity.dot(x))).sum()
    }

    /// Kinetic energy \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        let each = self.nodes.mass.iter().zip(&self.nodes.v);
        each.map(|(m, v)| 0.5 * m * v.length_squared()).sum()
    }

    /// A checkpoint.
    pub fn state(&self) -> CurtainState {
        CurtainState {
            positions: self.nodes.x.clone(),
            velocities: self.nodes.v.clone(),
            rings: self.rings.clone(),
            vertices: if self.displaced { self.mesh.x.clone() } else { Vec::new() },
        }
    }

    /// Goes back to a checkpoint of a curtain with the same specification: the motion continues with
    /// the same bits.
    pub fn restore(&mut self, state: &CurtainState) -> Result<(), CurtainError> {
        for (given, expected) in [
            (state.positions.len(), self.nodes.x.len()),
            (state.velocities.len(), self.nodes.v.len()),
            (state.rings.len(), self.rings.len()),
            (state.vertices.len(), if state.vertices.is_empty() { 0 } else { self.mesh.x.len() }),
        ] {
            if given != expected {
                return Err(CurtainError::State { given, expected });
            }
        }
        self.nodes.x.copy_from_slice(&state.positions);
        self.nodes.v.copy_from_slice(&state.velocities);
        self.nodes.next.copy_from_slice(&state.positions);
        self.rings.copy_from_slice(&state.rings);
        for panel in &self.panels {
            self.mesh.place(panel, &self.nodes.x[panel.nodes()], 0);
            self.mesh.finish_normals(panel);
        }
        self.displaced = !state.vertices.is_empty();
        if self.displaced {
            guard::put(&mut self.mesh, &self.panels, &state.vertices);
        }
        self.mesh.carry_velocities(&self.nodes.v);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
