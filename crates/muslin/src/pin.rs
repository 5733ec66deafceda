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

/// A vertex held for one step on a straight path: contact with a body (BW11).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepHold {
    /// Held vertex.
    pub vertex: u32,
    /// Held directions.
    pub hold: Hold,
    /// Where it is when the step starts \[m\].
    pub from: Vec3,
    /// Its velocity during the step \[m/s\].
    pub velocity: Vec3,
}

/// Everything that is held during a step.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// Pins.
    pub pins: &'a [Pin],
    /// Where the pins took hold.
    pub anchors: &'a [Option<Vec3>],
    /// Vertices held for this step only; none of them pinned.
    pub holds: &'a [StepHold],
    /// When the step starts \[s\].
    pub start: f64,
}

impl Held<'_> {
    /// The constraints of a stage: the velocity change that puts every held vertex on its target
    /// exactly. Pins first, then the holds, each in their order.
    pub fn constraints(&self, stage: &Stage) -> Filter {
        let constraint = |vertex: u32, hold: Hold, target: Vec3| {
            let i = vertex as usize;
            let wanted = (target - stage.base[i]) / stage.beta - stage.v[i];
            match hold {
                Hold::Point => Constraint::point(vertex, wanted),
                Hold::Line(direction) => Constraint::line(vertex, direction, wanted),
                Hold::Plane(normal) => Constraint::plane(vertex, normal, normal.dot(wanted)),
            }
        };
        let anchored = self.pins.iter().zip(self.anchors);
        let pins = anchored.filter_map(|(pin, anchor)| {
            Some(constraint(pin.vertex, pin.hold, pin.target((*anchor)?, stage.time)))
        });
        let holds = self.holds.iter().map(|hold| {
            let target = hold.from + hold.velocity * (stage.time - self.start);
            constraint(hold.vertex, hold.hold, target)
        });
        Filter::new(pins.chain(holds).collect())
    }
}
