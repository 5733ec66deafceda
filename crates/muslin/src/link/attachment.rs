//! Vertices on a leash: dragged by a pointer (BW7), or attached to cloth and bodies on a schedule.

use super::place::{Foot, Owner, Point, Region, Surroundings};
use super::{Spring, StepStart, Strength};
use crate::motion::Motion;

/// A point of the cloth pulled towards a moving place: the pointer's spring (BW7).
#[derive(Clone, Debug)]
pub struct Grab {
    /// The point that is pulled.
    pub point: Point,
    /// Where to: the translation of this motion.
    pub target: Motion,
    /// Stiffness \[N/m\].
    pub stiffness: Strength,
    /// Damping \[N·s/m\].
    pub damping: f64,
    /// Time it takes hold \[s\].
    pub from: f64,
    /// Time it lets go \[s\].
    pub until: f64,
}

impl Grab {
    /// Its spring during a step, if it holds.
    pub(super) fn spring(&self, start: &StepStart) -> Option<Spring> {
        if start.time < self.from || self.until <= start.time {
            return None;
        }
        let [from, to] = [0.0, start.dt].map(|s| self.target.pose(start.time + s).translation);
        let Point { vertices: [a, b, c], weights: [u, v, w] } = self.point;
        Some(Spring {
            vertices: [a, b, c, a],
            weights: [u, v, w, 0.0],
            place: from,
            velocity: (to - from) / start.dt,
            since: start.time,
            height: 0.0,
            stiffness: self.stiffness.at(start.time + 0.5 * start.dt),
            damping: self.damping,
        })
    }
}

/// A vertex tied to the point of a region that is nearest when it takes hold.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// The attached vertex.
    pub vertex: u32,
    /// What it is attached to.
    pub to: Region,
    /// Stiffness \[N/m\].
    pub stiffness: Strength,
    /// Damping \[N·s/m\].
    pub damping: f64,
    /// Time it takes hold \[s\].
    pub from: f64,
    /// Time it lets go \[s\].
    pub until: f64,
    /// Force at which it breaks, for good \[N\]; infinite for never.
    pub break_force: f64,
}

/// What an attachment does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// It does not hold now.
    #[default]
    Free,
    /// It holds on to this point.
    On(Foot),
    /// It broke.
    Broken,
}

impl Attachment {
    /// What it does during a step, and its spring.
    pub(super) fn update(
        &self,
        was: Hold,
        start: &StepStart,
        around: &Surroundings,
    ) -> (Hold, Option<Spring>) {
        let holds = self.from <= start.time && start.time < self.until;
        let x = around.positions(self.to.owner, start);
        let foot = match was {
            Hold::Broken => return (Hold::Broken, None),
            _ if !holds => return (Hold::Free, None),
            Hold::On(foot) => foot,
            Hold::Free => {
                let own = (self.to.owner == Owner::Cloth).then_some(self.vertex);
                match self.to.nearest(start.x[self.vertex as usize], own, x) {
                    Some((foot, _)) => foot,
                    None => return (Hold::Free, None),
                }
            }
        };
        let stiffness = self.stiffness.at(start.time + 0.5 * start.dt);
        let spring = Spring {
            stiffness,
            damping: self.damping,
            ..tie(self.vertex, foot, &self.to, start, around)
        };
        if spring.pull(start.x, start.v, start.time).length() > self.break_force {
            return (Hold::Broken, None);
        }
        (Hold::On(foot), Some(spring))
    }
}

/// A spring, still without strength, from a vertex to a point of a region.
pub(super) fn tie(
    vertex: u32,
    foot: Foot,
    to: &Region,
    start: &StepStart,
    around: &Surroundings,
) -> Spring {
    match to.owner {
        Owner::Cloth => {
            let ([a, b, c], [u, v, w]) = (foot.corners, foot.weights);
            Spring {
                vertices: [vertex, a, b, c],
                weights: [1.0, -u, -v, -w],
                since: start.time,
                ..Spring::default()
            }
        }
        Owner::Body(body) => {
            let place = foot.at(around.positions(to.owner, start));
            Spring {
                vertices: [vertex; 4],
                weights: [1.0, 0.0, 0.0, 0.0],
                place,
                velocity: (foot.at(around.later(body)) - place) / start.dt,
                since: start.time,
                ..Spring::default()
            }
        }
    }
}
