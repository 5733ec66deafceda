//! What ties cloth to something by a force: pointer springs (BW7), attachments, seams that close (BW15)
//! and dynamic sticking (MF9).
//!
//! All of them become the same thing for one step, a list of zero-length [`Spring`]s, whose values and
//! gradients are in the implicit system. Which springs there are is decided from the state at the start
//! of the step; what is remembered from step to step is part of the state (R3).

mod attachment;
mod place;
mod pull;
mod seam;
pub mod spring;
mod stick;
mod weld;

pub use attachment::{Attachment, Grab, Hold};
pub use place::{Foot, Owner, Point, Region};
pub use pull::Pull;
pub use seam::Seam;
pub use spring::Spring;
pub use stick::{Stick, Stuck};
pub use weld::{Weld, WeldError};

use crate::body::Body;
use crate::cloth::Cloth;
use crate::math::Vec3;
use place::Surroundings;
use std::fmt;
use std::sync::Arc;

/// A number at every time \[s\].
#[derive(Clone)]
pub enum Strength {
    /// Always the same.
    Constant(f64),
    /// Any function of time.
    Changing(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl Strength {
    /// The value at time `t` \[s\].
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Changing(value) => value(t),
        }
    }
}

impl fmt::Debug for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => f.debug_tuple("Constant").field(value).finish(),
            Self::Changing(_) => f.write_str("Changing"),
        }
    }
}

/// Everything that ties a cloth by a force.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Points dragged along a path (BW7).
    pub grabs: Vec<Grab>,
    /// Vertices attached to cloth or bodies.
    pub attachments: Vec<Attachment>,
    /// Seams being closed (BW15).
    pub seams: Vec<Seam>,
    /// Adhering and sticky regions (MF9).
    pub sticks: Vec<Stick>,
}

/// What links remember from step to step; part of the state (R3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// What each attachment does.
    pub holds: Vec<Hold>,
    /// What sticks where: sorted by stick, vertex and triangle.
    pub stuck: Vec<Stuck>,
    /// What the stitches of each seam carry \[N\] (BW15).
    pub carried: Vec<Vec<Vec3>>,
}

/// Where a spring of a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A grab, by its number.
    Grab(u32),
    /// An attachment, by its number.
    Attachment(u32),
    /// A seam, by its number.
    Seam(u32),
    /// A stick, by its number.
    Stick(u32),
}

/// The state at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepStart<'a> {
    /// The cloth.
    pub cloth: &'a Cloth,
    /// The bodies.
    pub bodies: &'a [Body],
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
    /// Time \[s\].
    pub time: f64,
    /// Length of the step \[s\].
    pub dt: f64,
}

/// The springs of one step, where they come from, and what is remembered of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tied {
    /// The springs.
    pub springs: Vec<Spring>,
    /// Where each spring comes from.
    pub sources: Vec<Source>,
    /// What the next step needs to know.
    pub memory: Memory,
}

impl Links {
    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.grabs.is_empty()
            && self.attachments.is_empty()
            && self.seams.is_empty()
            && self.sticks.is_empty()
    }

    /// The springs of a step: takes hold, lets go and breaks as the state at its start says.
    pub fn springs(&self, start: &StepStart, before: &Memory) -> Tied {
        let mut tied = Tied::default();
        if self.is_empty() {
            return tied;
        }
        let owners = self.attachments.iter().map(|a| a.to.owner);
        let owners = owners.chain(self.sticks.iter().map(|s| s.to.owner));
        let around = Surroundings::new(start, owners);
        for (k, grab) in self.grabs.iter().enumerate() {
            tied.extend(Source::Grab(k as u32), grab.spring(start));
        }
        for (k, attachment) in self.attachments.iter().enumerate() {
            let was = before.holds.get(k).copied().unwrap_or_default();
            let (hold, spring) = attachment.update(was, start, &around);
            tied.memory.holds.push(hold);
            tied.extend(Source::Attachment(k as u32), spring);
        }
        for (k, seam) in self.seams.iter().enumerate() {
            let was = before.carried.get(k).map_or(&[][..], Vec::as_slice);
            let (springs, carried) = seam.springs(start, was);
            tied.memory.carried.push(carried);
            tied.extend(Source::Seam(k as u32), springs);
        }
        for (k, stick) in self.sticks.iter().enumerate() {
            let was = before.stuck.iter().filter(|s| s.stick as usize == k).copied().collect();
            let (stuck, springs) = stick.update(k as u32, was, start, &around);
            tied.memory.stuck.extend(stuck);
            tied.extend(Source::Stick(k as u32), springs);
        }
        tied
    }
}

impl Tied {
    fn extend(&mut self, source: Source, springs: impl IntoIterator<Item = Spring>) {
        for spring in springs {
            self.springs.push(spring);
            self.sources.push(source);
        }
    }

    /// The pull of every spring on its first vertex at positions `x`, velocities `v`, time `t` \[N\].
    pub fn forces(&self, x: &[Vec3], v: &[Vec3], t: f64) -> Vec<(Source, u32, Vec3)> {
        let springs = self.springs.iter().zip(&self.sources);
        springs.map(|(s, source)| (*source, s.vertices[0], s.pull(x, v, t))).collect()
    }
}

#[cfg(test)]
mod tests;
