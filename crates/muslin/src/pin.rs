//! What is held, and where it is at time t (BW10).

use crate::linalg::{Constraint, Filter};
use crate::math::Vec3;
use crate::motion::Motion;

/// Which directions of a pinned vertex are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// All three: the vertex is where its motion says.
    Point,
    /// It may slide along this unit direction.
    Line(Vec3),
    /// It may slide in the plane across this unit normal.
    Plane(Vec3),
}

/// A held vertex.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Held vertex.
    pub vertex: u32,
    /// Held directions.
    pub hold: Hold,
    /// How the held place moves; relative to where the vertex was when the pin took hold.
    pub motion: Motion,
    /// Time the pin takes hold \[s\].
    pub from: f64,
    /// Time it lets go \[s\]; infinite for never.
    pub until: f64,
}

impl Pin {
    /// A pin that never moves and never lets go.
    pub fn fixed(vertex: u32) -> Self {
        Self {
            vertex,
            hold: Hold::Point,
            motion: Motion::default(),
            from: f64::NEG_INFINITY,
            until: f64::INFINITY,
        }
    }

    /// Whether the pin holds during a step that starts at `t`.
    pub fn holds_at(&self, t: f64) -> bool {
        self.from <= t && t < self.until
    }

    /// Where a vertex that was at `anchor` when the pin took hold is at time `t`.
    pub fn target(&self, anchor: Vec3, t: f64) -> Vec3 {
        let start = self.motion.pose(self.from.max(0.0));
        self.motion.pose(t).apply(start.inverse().apply(anchor))
    }
}

/// Takes note of where pins took hold: the anchor of a pin that holds for the first time is the
/// vertex' position. A pin that let go forgets its anchor.
pub fn update_anchors(pins: &[Pin], t: f64, x: &[Vec3], anchors: &mut Vec<Option<Vec3>>) {
    anchors.resize(pins.len(), None);
    for (pin, anchor) in pins.iter().zip(anchors) {
        if !pin.holds_at(t) {
            *anchor = None;
        } else if anchor.is_none() {
            *anchor = Some(x[pin.vertex as usize]);
        }
    }
}

/// What a stage of the implicit step knows: `x = x* + β v` at time `t`, linearised about `v`.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// `x*` \[m\].
    pub base: &'a [Vec3],
    /// Velocities the solve starts from \[m/s\].
    pub v: &'a [Vec3],
    /// `β` \[s\].
    pub beta: f64,
    /// Time at the end of the stage \[s\].
    pub time: f64,
}

/// The constraints of a stage: the velocity change that puts every held vertex exactly on its target.
pub fn constraints(pins: &[Pin], anchors: &[Option<Vec3>], stage: &Stage) -> Filter {
    let held = pins.iter().zip(anchors).filter_map(|(pin, anchor)| Some((pin, (*anchor)?)));
    let list = held.map(|(pin, anchor)| {
        let i = pin.vertex as usize;
        let wanted = (pin.target(anchor, stage.time) - stage.base[i]) / stage.beta - stage.v[i];
        match pin.hold {
            Hold::Point => Constraint::point(pin.vertex, wanted),
            Hold::Line(direction) => Constraint::line(pin.vertex, direction, wanted),
            Hold::Plane(normal) => Constraint::plane(pin.vertex, normal, normal.dot(wanted)),
        }
    });
    Filter::new(list.collect())
}
