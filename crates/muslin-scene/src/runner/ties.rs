//! What ties the cloths of a scene by a force: drags (BW7), attachments, sticking (MF9) and pressure.
//!
//! Ties are kept in the numbering of single cloths; an island gets its own, renumbered, and what their
//! memory says moves along when islands merge.

mod build;

pub use build::{Things, build};

use super::RunError;
use crate::spec;
use muslin::force::pressure::Pressure;
use muslin::link::{Attachment, Foot, Grab, Hold, Links, Memory, Owner, Point, Region, Stick};
use muslin::link::{Strength, Stuck};

/// Refuses what only implicit dynamics can do.
pub fn refuse(spec: &spec::Cloth, place: &str) -> Result<(), RunError> {
    let remedy = "use dynamics = \"implicit\"";
    let sewn = !spec.panel.is_empty() || spec.pattern.is_some() || !spec.seam.is_empty();
    let missing = [
        (!spec.attach.is_empty(), "[[cloth.attach]] in real time"),
        (!spec.stick.is_empty(), "[[cloth.stick]] in real time"),
        (sewn, "sewing in real time"),
        (spec.pressure.values().iter().any(|p| *p != 0.0), "pressure in real time"),
    ];
    match missing.iter().find(|(used, _)| *used) {
        Some((_, what)) => Err(RunError::unsupported(place, what, remedy)),
        None => Ok(()),
    }
}

/// A link of a cloth, and the cloth it leads to, if that is one.
#[derive(Clone, Debug)]
pub struct Tie<T> {
    /// The cloth.
    pub piece: usize,
    /// The cloth at the other end.
    pub to: Option<usize>,
    /// The link, in the numbering of both.
    pub link: T,
}

/// All ties of a scene.
#[derive(Clone, Debug, Default)]
pub struct Ties {
    /// Drags of the scene, and the pointer's.
    pub grabs: Vec<Tie<Grab>>,
    /// Attachments.
    pub attachments: Vec<Tie<Attachment>>,
    /// Sticking regions.
    pub sticks: Vec<Tie<Stick>>,
    /// The pressure in each cloth, and its number of triangles.
    pub pressures: Vec<(Option<Strength>, usize)>,
}

/// Where the vertices of each cloth of an island begin.
pub struct Offsets<'a> {
    /// Numbers of the cloths, increasing.
    pub members: &'a [usize],
    /// Where each begins.
    pub starts: Vec<u32>,
}

impl Offsets<'_> {
    fn of(&self, piece: usize) -> Option<u32> {
        self.members.iter().position(|&m| m == piece).map(|k| self.starts[k])
    }
}

/// The ties of an island's cloths, with their place among all.
fn among<'a, T>(ties: &'a [Tie<T>], members: &'a [usize]) -> impl Iterator<Item = &'a Tie<T>> {
    ties.iter().filter(|tie| members.contains(&tie.piece))
}

impl Ties {
    /// Whether a tie leads from one group of cloths to another: then they are simulated together.
    pub fn join(&self, a: &[usize], b: &[usize]) -> bool {
        let between = |piece: usize, to: Option<usize>| {
            to.is_some_and(|to| {
                (a.contains(&piece) && b.contains(&to)) || (b.contains(&piece) && a.contains(&to))
            })
        };
        self.attachments.iter().any(|t| between(t.piece, t.to))
            || self.sticks.iter().any(|t| between(t.piece, t.to))
    }

    /// The links of an island.
    pub fn links(&self, island: &Offsets) -> Links {
        let attachments = among(&self.attachments, island.members).map(|tie| {
            let own = island.of(tie.piece).unwrap_or(0);
            Attachment {
                vertex: tie.link.vertex + own,
                to: moved(&tie.link.to, tie.to, island),
                ..tie.link.clone()
            }
        });
        let sticks = among(&self.sticks, island.members).map(|tie| {
            let own = island.of(tie.piece).unwrap_or(0);
            Stick {
                vertices: tie.link.vertices.iter().map(|v| v + own).collect(),
                to: moved(&tie.link.to, tie.to, island),
                ..tie.link.clone()
            }
        });
        Links {
            attachments: attachments.collect(),
            sticks: sticks.collect(),
            grabs: self.grabs(island),
            ..Links::default()
        }
    }

    /// The drags of an island.
    pub fn grabs(&self, island: &Offsets) -> Vec<Grab> {
        let grabs = among(&self.grabs, island.members).map(|tie| {
            let own = island.of(tie.piece).unwrap_or(0);
            let point =
                Point { vertices: tie.link.point.vertices.map(|v| v + own), ..tie.link.point };
            Grab { point, ..tie.link.clone() }
        });
        grabs.collect()
    }

    /// The inflated pieces of an island.
    pub fn pressures(&self, members: &[usize]) -> Vec<Pressure> {
        let mut first = 0;
        let mut found = Vec::new();
        for &m in members {
            let (value, count) = &self.pressures[m];
            let triangles = first..first + count;
            found.extend(value.clone().map(|value| Pressure { triangles, value }));
            first += count;
        }
        found
    }

    /// What the links of islands `from` remember, for the island they become.
    pub fn carry(&self, from: &[(Offsets, &Memory)], island: &Offsets) -> Memory {
        let mut memory = Memory::default();
        for tie in among(&self.attachments, island.members) {
            let hold = from.iter().find_map(|(old, memory)| {
                old.of(tie.piece)?;
                let number = among(&self.attachments, old.members)
                    .position(|other| std::ptr::eq(other, tie))?;
                let hold = memory.holds.get(number).copied()?;
                Some(match hold {
                    Hold::On(foot) => Hold::On(moved_foot(foot, tie.to, old, island)),
                    other => other,
                })
            });
            memory.holds.push(hold.unwrap_or_default());
        }
        for (number, tie) in among(&self.sticks, island.members).enumerate() {
            for (old, memory_before) in from {
                let (Some(before), Some(now)) = (old.of(tie.piece), island.of(tie.piece)) else {
                    continue;
                };
                let known =
                    among(&self.sticks, old.members).position(|other| std::ptr::eq(other, tie));
                let own = memory_before.stuck.iter().filter(|s| Some(s.stick as usize) == known);
                memory.stuck.extend(own.map(|s| Stuck {
                    stick: number as u32,
                    vertex: s.vertex - before + now,
                    foot: moved_foot(s.foot, tie.to, old, island),
                    height: s.height,
                }));
            }
        }
        memory
    }
}

/// A region in the numbering of an island.
fn moved(region: &Region, to: Option<usize>, island: &Offsets) -> Region {
    let offset = to.and_then(|to| island.of(to));
    match (region.owner, offset) {
        (Owner::Cloth, Some(offset)) => Region {
            owner: Owner::Cloth,
            triangles: region.triangles.iter().map(|t| t.map(|v| v + offset)).collect(),
        },
        _ => region.clone(),
    }
}

fn moved_foot(foot: Foot, to: Option<usize>, old: &Offsets, new: &Offsets) -> Foot {
    match (to.and_then(|to| old.of(to)), to.and_then(|to| new.of(to))) {
        (Some(before), Some(now)) => {
            Foot { corners: foot.corners.map(|v| v - before + now), ..foot }
        }
        _ => foot,
    }
}

#[cfg(test)]
mod tests;
