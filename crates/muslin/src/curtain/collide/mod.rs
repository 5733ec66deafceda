//! Collisions of the cloth with itself, other panels and its surroundings (XU7).
//!
//! First the cloth leaves the obstacles. Then each pass finds what meets between the start and the
//! end of the step and moves nodes apart; the last pass moves what still collides as zones. What is left even then gets
//! a few further rounds. After each
//! change the rows concerned are finished again, which keeps the rods' lengths and may undo a little
//! of it. What is left in the end is counted.

mod detect;
mod leave;
mod near;
mod respond;
mod tree;

use super::latitudinal;
use super::mesh::Mesh;
use super::nodes::Nodes;
use super::obstacle::{Obstacle, corner_through, deepest_on_edge};
use super::panel::Panel;
use super::report::Report;
use super::spec::CollisionSpec;
use crate::math::Vec3;
use detect::{Contact, Contacts, Search};
use leave::Leaving;
use near::{clearance, edges_from, triangles_from};
use respond::Response;
use tree::Tree;

/// Distance below which the second and later passes still act, as a share of the thickness: the
/// first pass aims at the whole, and rounding must not bring its contacts back.
const LATER_SEPARATION: f64 = 0.5;

/// The same for counting what is left: practically touching or crossing.
const LEFT_SEPARATION: f64 = 1e-3;

/// Most times the cloth is pushed out of obstacles before it is tested against itself: finishing the
/// rows after one push brings some vertices back.
const OBSTACLE_ROUNDS: usize = 3;

/// Most further times, for what still collides or is inside: mostly none.
const CLEARING_ROUNDS: usize = 8;

/// Of these, the first that still push straight out of obstacles; the others push across the rods.
const STRAIGHT_ROUNDS: usize = 2;

/// Contacts there is room for, per node.
const CONTACTS_PER_NODE: usize = 8;

/// Least room for contacts.
const FEWEST_CONTACTS: usize = 1024;

/// Everything collisions need from step to step, allocated once.
#[derive(Clone, Debug)]
pub(super) struct Collider {
    spec: CollisionSpec,
    trees: Vec<Tree>,
    contacts: Contacts,
    response: Response,
    /// Panels whose mesh has changed since their tree was fitted.
    moved: Vec<bool>,
    /// Width excess of each panel.
    excess: Vec<f64>,
}

/// The moving parts of a step.
pub(super) struct Moving<'a> {
    pub panels: &'a [Panel],
    pub nodes: &'a mut Nodes,
    pub mesh: &'a mut Mesh,
}

impl Collider {
    pub fn new(spec: CollisionSpec, panels: &[Panel], node_count: usize) -> Self {
        let capacity = (node_count * CONTACTS_PER_NODE).max(FEWEST_CONTACTS);
        Self {
            spec,
            trees: panels.iter().map(Tree::new).collect(),
            contacts: Contacts::with_capacity(capacity),
            response: Response::new(node_count),
            moved: vec![true; panels.len()],
            excess: vec![0.0; panels.len()],
        }
    }

    /// Settings.
    pub fn spec(&self) -> &CollisionSpec {
        &self.spec
    }

    /// Notes the width excess that the latitudinal phase left in a panel.
    pub fn note_excess(&mut self, panel: usize, excess: f64) {
        self.excess[panel] = excess;
    }

    /// Resolves the collisions of one step. Obstacles are given as they are `ahead` \[s\] after it.
    pub fn resolve(
        &mut self,
        moving: &mut Moving,
        (obstacles, ahead): (&[Obstacle], f64),
        dt: f64,
        report: &mut Report,
    ) {
        if self.spec.thickness > 0.0 {
            self.moved.fill(true);
            self.make_passes(moving, (obstacles, ahead), dt, report);
        }
        report.width_excess = self.excess.iter().fold(0.0, |a, &b| a.max(b));
    }

    fn make_passes(
        &mut self,
        moving: &mut Moving,
        surroundings: (&[Obstacle], f64),
        dt: f64,
        report: &mut Report,
    ) {
        let mut pushed = 0;
        for _ in 0..OBSTACLE_ROUNDS {
            self.refit(moving);
            self.response.shift.fill(Vec3::ZERO);
            let hits = self.avoid(moving, surroundings, dt, false);
            if hits == 0 {
                break;
            }
            pushed += hits;
            self.apply(moving);
        }
        for pass in 0..self.spec.passes {
            self.find(moving, if pass == 0 { 1.0 } else { LATER_SEPARATION });
            report.contacts += self.contacts.list.len();
            report.contacts_dropped += self.contacts.dropped;
            report.pairs_tested += self.contacts.tested;
            if self.contacts.list.is_empty() {
                break;
            }
            self.response.shift.fill(Vec3::ZERO);
            if pass > 0 && pass + 1 == self.spec.passes {
                report.zones += self.respond_in_zones(moving);
            } else {
                self.respond(moving);
            }
            pushed += self.avoid(moving, surroundings, dt, false);
            report.passes = pass + 1;
            self.apply(moving);
        }
        report.obstacle_contacts += pushed;
        self.clear(moving, surroundings, dt, report);
    }

    /// Goes on while anything collides or is inside obstacles, cloth off cloth and off obstacles together, so that
    /// the one does not bring back the other; counts what is left in the end.
    ///
    /// Where nothing touches an obstacle the passes have the last word: a tie-back may gather layers more tightly
    /// than they are thick.
    fn clear(
        &mut self,
        moving: &mut Moving,
        surroundings: (&[Obstacle], f64),
        dt: f64,
        report: &mut Report,
    ) {
        let (passes, touched) = (report.passes, report.obstacle_contacts > 0);
        let rounds = if touched { CLEARING_ROUNDS } else { 0 };
        for round in 0..=rounds {
            let last = round == rounds;
            let mut left = Report::default();
            if touched {
                left = self.count_inside(moving, surroundings);
            }
            if report.passes > 0 || left.inside() > 0 {
                self.find(moving, if last { LEFT_SEPARATION } else { LATER_SEPARATION });
                left.contacts_left = self.count_left(moving) + self.contacts.dropped;
            }
            if last || left.inside() + left.contacts_left == 0 {
                report.add(&left);
                return;
            }
            report.contacts += self.contacts.list.len();
            self.response.shift.fill(Vec3::ZERO);
            self.respond(moving);
            let across = round >= STRAIGHT_ROUNDS;
            report.obstacle_contacts += self.avoid(moving, surroundings, dt, across);
            report.passes = passes + round + 1;
            self.apply(moving);
        }
    }

    /// Fits the trees of panels that moved.
    fn refit(&mut self, moving: &Moving) {
        let panels = self.trees.iter_mut().zip(moving.panels);
        for ((tree, panel), moved) in panels.zip(&mut self.moved) {
            if std::mem::take(moved) {
                tree.refit(panel, moving.mesh);
            }
        }
    }

    /// Collects contacts closer than a share of the thickness.
    fn find(&mut self, moving: &Moving, share: f64) {
        self.refit(moving);
        self.contacts.clear();
        let mut search = Search {
            mesh: moving.mesh,
            separation: self.spec.thickness * share,
            contacts: &mut self.contacts,
        };
        search.run(moving.panels, &self.trees);
    }

    /// How many of the contacts found practically touch or cross.
    fn count_left(&self, moving: &Moving) -> usize {
        let separation = self.spec.thickness * LEFT_SEPARATION;
        let left = |contact: &&Contact| contact.is_closer(moving.mesh, separation);
        self.contacts.list.iter().filter(left).count()
    }

    fn respond(&mut self, moving: &Moving) {
        let cloth = (&*moving.nodes, &*moving.mesh);
        let law = (self.spec.thickness, self.spec.friction);
        for contact in &self.contacts.list {
            self.response.separate(contact, cloth, law);
        }
    }

    fn respond_in_zones(&mut self, moving: &Moving) -> usize {
        let list = &self.contacts.list;
        self.response.freeze_zones(list, moving.nodes, moving.mesh)
    }

    /// Pushes cloth out of obstacles, straight or across the rods; returns how many features.
    fn avoid(
        &mut self,
        moving: &Moving,
        around: (&[Obstacle], f64),
        dt: f64,
        across: bool,
    ) -> usize {
        let (obstacles, ahead) = around;
        let (nodes, mesh) = (&*moving.nodes, &*moving.mesh);
        let law = Leaving { nodes, mesh, thickness: self.spec.thickness, dt, across };
        let response = &mut self.response;
        let mut pushed = 0;
        for obstacle in obstacles {
            let obstacle = obstacle.after(-ahead);
            let corners = obstacle.corners();
            for (tree, panel) in self.trees.iter().zip(moving.panels) {
                tree.near(&obstacle, panel, law.thickness, |vertex| {
                    pushed += usize::from(response.leave(vertex, &obstacle, &law));
                    let probe = obstacle.probe(mesh.x[vertex as usize]);
                    if clearance(probe, vertex, panel, mesh) > 2.0 * law.thickness {
                        return;
                    }
                    for other in edges_from(vertex, panel) {
                        let edge = [vertex, other];
                        pushed += usize::from(response.leave_edge(edge, &obstacle, &law));
                    }
                    if let Some(corners) = &corners {
                        for triangle in triangles_from(vertex, panel) {
                            pushed += response.leave_corners(triangle, (&obstacle, corners), &law);
                        }
                    }
                });
            }
        }
        pushed
    }

    /// Moves the nodes and finishes rows and mesh of the panels concerned again.
    fn apply(&mut self, moving: &mut Moving) {
        for (k, panel) in moving.panels.iter().enumerate() {
            let shift = &self.response.shift[panel.nodes()];
            let Some(first) = shift.iter().position(|&s| s != Vec3::ZERO) else {
                continue;
            };
            for (next, &shift) in moving.nodes.next[panel.nodes()].iter_mut().zip(shift) {
                *next += shift;
            }
            let row = first / panel.columns;
            self.excess[k] = latitudinal::settle(moving.nodes, panel, row);
            moving.mesh.place(panel, &moving.nodes.next[panel.nodes()], row);
            self.moved[k] = true;
        }
    }

    /// Counts the vertices, the edges between vertices outside, and the corners of boxes through
    /// triangles, that are still inside.
    fn count_inside(&mut self, moving: &Moving, (obstacles, ahead): (&[Obstacle], f64)) -> Report {
        self.refit(moving);
        let mut report = Report::default();
        for obstacle in obstacles {
            let obstacle = obstacle.after(-ahead);
            let corners = obstacle.corners();
            for (tree, panel) in self.trees.iter().zip(moving.panels) {
                tree.near(&obstacle, panel, 0.0, |vertex| {
                    let at = |v: u32| moving.mesh.x[v as usize];
                    let probe = obstacle.probe(at(vertex));
                    let distance = probe.distance;
                    report.vertices_inside += usize::from(distance < 0.0);
                    report.deepest = report.deepest.max(-distance);
                    if clearance(probe, vertex, panel, moving.mesh) > 0.0 {
                        return;
                    }
                    for other in edges_from(vertex, panel) {
                        let ends = [at(vertex), at(other)];
                        let outside = distance >= 0.0 && obstacle.probe(ends[1]).distance >= 0.0;
                        if let Some(deep) = deepest_on_edge(&obstacle, ends, 0.0)
                            && outside
                        {
                            report.edges_inside += 1;
                            report.deepest = report.deepest.max(-deep.probe.distance);
                        }
                    }
                    for corner in corners.iter().flatten() {
                        for triangle in triangles_from(vertex, panel) {
                            let through = corner_through(&obstacle, *corner, triangle.map(at), 0.0);
                            report.corners_inside += usize::from(through.is_some());
                            let depth = through.map_or(0.0, |through| through.depth);
                            report.deepest = report.deepest.max(depth);
                        }
                    }
                });
            }
        }
        report
    }
}

#[cfg(test)]
mod tests;
