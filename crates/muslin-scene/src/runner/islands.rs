//! Islands (V17): cloths that never come within reach of each other are simulated apart, each with its
//! own solves and steps, so that adding one changes no bit of the others.

use super::steer::Steering;
use muslin::body::Body;
use muslin::cloth::Cloth;
use muslin::collide::aabb::Aabb;
use muslin::collide::surface::Pair;
use muslin::contact::Memory;
use muslin::contact::clutch::Clutched;
use muslin::contact::touch::Touch;
use muslin::math::Vec3;
use muslin::pin::Pin;
use muslin::sim::{Params, Simulation, State};

use super::ties::{Offsets, Ties};

/// What all islands are made of.
pub struct Stock {
    /// The scene's cloths.
    pub cloths: Vec<Cloth>,
    /// The pins of each cloth.
    pub pins: Vec<Vec<Pin>>,
    /// Which `[[cloth.pin]]` each of them belongs to.
    pub pin_entries: Vec<Vec<u32>>,
    /// What ties the cloths by a force.
    pub ties: Ties,
    /// All bodies.
    pub bodies: Vec<Body>,
    /// Their names.
    pub body_names: Vec<String>,
    /// Settings.
    pub params: Params,
    /// Forces and targets from outside.
    pub steering: Steering,
    /// Whether constraint forces are listed one by one.
    pub lists_forces: bool,
}

/// Cloths that are simulated together.
pub struct Island {
    /// Numbers of the cloths, increasing.
    pub members: Vec<usize>,
    /// The simulation of all of them as one.
    pub simulation: Simulation,
}

impl Stock {
    /// An island of `members` in the given state.
    pub fn island(&self, members: Vec<usize>, state: State) -> Island {
        let cloths: Vec<&Cloth> = members.iter().map(|&m| &self.cloths[m]).collect();
        let cloth = Cloth::join(&cloths);
        let mut pins = Vec::new();
        let mut offset = 0;
        for &m in &members {
            let moved = self.pins[m].iter().map(|p| Pin { vertex: p.vertex + offset, ..p.clone() });
            pins.extend(moved);
            offset += self.cloths[m].vertex_count() as u32;
        }
        let mut simulation =
            Simulation::new(cloth, self.bodies.clone(), pins, state, self.params.clone());
        simulation.links = self.ties.links(&self.offsets(&members));
        simulation.pressures = self.ties.pressures(&members);
        Island { members, simulation }
    }

    /// Where the vertices of each cloth of an island begin.
    pub fn offsets<'a>(&self, members: &'a [usize]) -> Offsets<'a> {
        let mut next = 0;
        let starts = members.iter().map(|&m| {
            let start = next;
            next += self.cloths[m].vertex_count() as u32;
            start
        });
        Offsets { starts: starts.collect(), members }
    }

    /// How far apart cloths must be to be out of each other's reach [m].
    fn reach(&self) -> f64 {
        self.cloths.iter().flat_map(|c| &c.thickness).copied().fold(0.0, f64::max)
    }

    /// Number of vertices and pins of an island of `members`.
    pub fn counts(&self, members: &[usize]) -> (usize, usize) {
        let vertices = members.iter().map(|&m| self.cloths[m].vertex_count()).sum();
        (vertices, members.iter().map(|&m| self.pins[m].len()).sum())
    }

    /// Two islands as one, in the state they are in.
    pub fn merge(&self, a: &Island, b: &Island) -> Island {
        let mut members: Vec<usize> = a.members.iter().chain(&b.members).copied().collect();
        members.sort_unstable();
        let mut state = State { time: a.simulation.state.time, ..State::default() };
        let level = |i: &Island| i.simulation.state.controller;
        state.controller = if level(a).level >= level(b).level { level(a) } else { level(b) };
        // Where the vertices of both islands go.
        let mut moved = [a, b].map(|island| vec![0; island.simulation.state.x.len()]);
        for &m in &members {
            let from_a = a.members.contains(&m);
            let island = if from_a { a } else { b };
            let (vertices, pins) = self.ranges(island, m);
            let from = &island.simulation.state;
            let offset = state.x.len() as u32;
            let places = &mut moved[usize::from(!from_a)][vertices.clone()];
            places.iter_mut().zip(offset..).for_each(|(place, new)| *place = new);
            state.x.extend(&from.x[vertices.clone()]);
            state.v.extend(&from.v[vertices.clone()]);
            add_contact(&from.contact, &vertices, offset, &mut state.contact);
            if !from.anchors.is_empty() {
                state.anchors.extend(&from.anchors[pins]);
            }
        }
        for (island, moved) in [a, b].into_iter().zip(&moved) {
            let (loose, to) = (&island.simulation.state.loose, |v: u32| moved[v as usize]);
            state.loose.tangled.extend(loose.tangled.iter().map(|pair| pair.map(|t| t.map(to))));
            state.loose.pinched.extend(loose.pinched.iter().map(|&v| to(v)));
        }
        state.loose.tangled.sort_unstable();
        state.loose.pinched.sort_unstable();
        let before = [a, b].map(|i| (self.offsets(&i.members), &i.simulation.state.links));
        state.links = self.ties.carry(&before, &self.offsets(&members));
        self.island(members, state)
    }

    /// Vertices of an island as they are numbered over all cloths of the scene, in their order.
    pub fn numbered(&self, island: &Island, vertices: &[u32]) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(vertices.len());
        for &m in &island.members {
            let offset: usize = self.cloths[..m].iter().map(Cloth::vertex_count).sum();
            let (range, _) = self.ranges(island, m);
            let own = vertices.iter().filter(|&&v| range.contains(&(v as usize)));
            numbers.extend(own.map(|&v| (v as usize - range.start + offset) as u32));
        }
        numbers
    }

    /// Where cloth `m` stands in the arrays of its island: vertices and pins.
    pub fn ranges(
        &self,
        island: &Island,
        m: usize,
    ) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let before: Vec<usize> = island.members.iter().copied().take_while(|&k| k != m).collect();
        let (v, p) = self.counts(&before);
        (v..v + self.cloths[m].vertex_count(), p..p + self.pins[m].len())
    }

    /// Merges islands whose boxes come within reach, or that are tied together, until none are left.
    pub fn merge_touching(
        &self,
        mut islands: Vec<Island>,
        mut boxes: Vec<Aabb>,
    ) -> (Vec<Island>, bool) {
        let reach = self.reach();
        let mut merged = false;
        'again: loop {
            for i in 0..islands.len() {
                for j in i + 1..islands.len() {
                    let tied = || self.ties.join(&islands[i].members, &islands[j].members);
                    if boxes[i].grown(reach).overlaps(&boxes[j]) || tied() {
                        let joined = self.merge(&islands[i], &islands[j]);
                        boxes[i] = boxes[i].union(&boxes[j]);
                        islands[i] = joined;
                        islands.remove(j);
                        boxes.remove(j);
                        merged = true;
                        continue 'again;
                    }
                }
            }
            return (islands, merged);
        }
    }
}

/// Adds what contact remembers of the given vertices, renumbered to start at `offset`. Pairs between
/// vertices of one cloth only: other cloths of an island bring their own.
fn add_contact(from: &Memory, vertices: &std::ops::Range<usize>, offset: u32, to: &mut Memory) {
    let within = |v: u32| vertices.contains(&(v as usize));
    let moved = |v: u32| v - vertices.start as u32 + offset;
    let touches = from.touches.iter().filter(|t| within(t.vertex));
    to.touches.extend(touches.map(|t| Touch { vertex: moved(t.vertex), ..*t }));
    let kept = from.clutches.iter().filter(|c| c.pair.vertices().into_iter().all(within));
    to.clutches.extend(kept.map(|clutched| {
        let pair = match clutched.pair {
            Pair::PointTriangle(v) => Pair::PointTriangle(v.map(moved)),
            Pair::EdgeEdge(v) => Pair::EdgeEdge(v.map(moved)),
        };
        Clutched { pair, ..*clutched }
    }));
    to.clutches.sort_unstable_by_key(|c| c.pair);
}

/// The box of positions.
pub fn bounds(x: &[Vec3]) -> Aabb {
    Aabb::around(x.iter().copied())
}
