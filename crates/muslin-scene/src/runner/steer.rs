//! What a program sets from frame to frame: forces on vertices, and places where vertices must be.

use super::engine::Engine;
use super::islands::{Island, Stock};
use super::{RunError, Runner};
use muslin::math::Vec3;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};

/// Forces and targets from outside; vertices are numbered over all cloths. Prescribed like the weather:
/// no part of the state.
#[derive(Clone, Debug, Default)]
pub struct Steering {
    forces: Vec<Vec3>,
    targets: Vec<(u32, Vec3)>,
}

impl Stock {
    /// Tells the islands what acts on them until `end` [s].
    pub fn steer(&self, islands: &mut [Island], end: f64) {
        let mut first = 0;
        let firsts = self.cloths.iter().map(|cloth| {
            first += cloth.vertex_count();
            first - cloth.vertex_count()
        });
        let firsts: Vec<usize> = firsts.collect();
        for island in islands {
            let (_, own_pins) = self.counts(&island.members);
            let mut external = Vec::new();
            let mut held = Vec::new();
            for &m in &island.members {
                let (range, _) = self.ranges(island, m);
                let of_scene = firsts[m]..firsts[m] + range.len();
                if !self.steering.forces.is_empty() {
                    external.extend_from_slice(&self.steering.forces[of_scene.clone()]);
                }
                let own = self.steering.targets.iter();
                let own = own.filter(|(vertex, _)| of_scene.contains(&(*vertex as usize)));
                held.extend(own.map(|(vertex, target)| {
                    (*vertex - of_scene.start as u32 + range.start as u32, *target)
                }));
            }
            let simulation = &mut island.simulation;
            simulation.external = external;
            simulation.pins.truncate(own_pins);
            // Forgotten anchors make the pins take hold anew, where the vertices are now.
            simulation.state.anchors.truncate(own_pins);
            let (now, x) = (simulation.state.time, &simulation.state.x);
            let pins = held
                .iter()
                .map(|&(vertex, to)| straight(vertex, x[vertex as usize], to, [now, end]));
            simulation.pins.extend(pins);
        }
    }
}

/// A pin that takes a vertex straight from one place to another during `span` [s].
fn straight(vertex: u32, from: Vec3, to: Vec3, [start, end]: [f64; 2]) -> Pin {
    let way = to - from;
    let motion = Motion::moving(move |t| {
        let share = if end > start { ((t - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
        Pose::at(way * share)
    });
    Pin { vertex, hold: Hold::Point, motion, from: start, until: f64::INFINITY }
}

impl Runner {
    /// Forces on the vertices of all cloths [N], from now on, on top of gravity, air and contact; none
    /// where empty.
    pub fn set_forces(&mut self, forces: Vec<Vec3>) -> Result<(), RunError> {
        let count = self.vertex_count();
        if !forces.is_empty() && forces.len() != count {
            let found = forces.len();
            let message = format!("{found} forces are given, but there are {count} vertices");
            return Err(RunError::part("forces", message));
        }
        if let Some(vertex) = forces.iter().position(|f| !f.is_finite()) {
            let message = format!("the force on vertex {vertex} is not finite");
            return Err(RunError::part("forces", message));
        }
        self.steering("forces")?.forces = forces;
        Ok(())
    }

    /// Vertices (numbered over all cloths) that a frame takes straight from where they are to a place
    /// [m], and holds there; those of the call before are let go.
    pub fn set_targets(&mut self, targets: Vec<(u32, Vec3)>) -> Result<(), RunError> {
        let refuse = |message: String| Err(RunError::part("targets", message));
        let count = self.vertex_count();
        let mut vertices: Vec<u32> = targets.iter().map(|(vertex, _)| *vertex).collect();
        vertices.sort_unstable();
        if let Some([twice, ..]) = vertices.windows(2).find(|pair| pair[0] == pair[1]) {
            return refuse(format!("vertex {twice} is given twice"));
        }
        let pinned = self.pinned_vertices();
        for (vertex, place) in &targets {
            if *vertex as usize >= count {
                return refuse(format!("there is no vertex {vertex}: there are {count} vertices"));
            }
            if !place.is_finite() {
                return refuse(format!("the place of vertex {vertex} is not finite"));
            }
            if pinned.binary_search(vertex).is_ok() {
                let message = format!("vertex {vertex} is pinned by the scene: take that pin out");
                return refuse(message);
            }
        }
        self.steering("targets")?.targets = targets;
        Ok(())
    }

    /// Number of vertices of all cloths.
    pub fn vertex_count(&self) -> usize {
        self.pieces.iter().map(|piece| piece.positions.len()).sum()
    }

    /// Vertices that the scene pins, ascending.
    fn pinned_vertices(&self) -> Vec<u32> {
        let Engine::Implicit(engine) = &self.engine else { return Vec::new() };
        let (mut first, mut pinned) = (0, Vec::new());
        let stock = engine.stock();
        for (cloth, pins) in stock.cloths.iter().zip(&stock.pins) {
            pinned.extend(pins.iter().map(|pin| pin.vertex + first));
            first += cloth.vertex_count() as u32;
        }
        pinned.sort_unstable();
        pinned
    }

    fn steering(&mut self, what: &str) -> Result<&mut Steering, RunError> {
        match &mut self.engine {
            Engine::Implicit(engine) => Ok(&mut engine.stock_mut().steering),
            Engine::Curtain(_) | Engine::Sparse(_) => {
                let what = format!("setting {what} in real-time dynamics");
                Err(RunError::unsupported("solver", &what, "use dynamics = \"implicit\""))
            }
        }
    }
}
