//! The ladder of ever more drastic responses (BF3): repel what is near, stop what would collide, make
//! rigid what will not untangle; and only then give up, so that the step is retried smaller.

use super::approach::{Approach, Everything, Nearby, Outlook};
use super::forecast::Held;
use super::impulse::{Active, Contact};
use super::loose::Exempt;
use super::obstacle::Obstacle;
use super::zone::{RigidMotion, Zones, following};
use crate::body::{Body, Shape};
use crate::clock;
use crate::cloth::Cloth;
use crate::collide::detect::{self, Hit, Scope};
use crate::collide::solid::Solid;
use crate::collide::surface::{Pair, Parts, Surface};
use crate::math::Vec3;
use crate::report::{ContactCounts, Seconds};
use crate::strain_limit::EdgesOf;
use rayon::prelude::*;
use std::sync::Arc;

/// How far contact goes to stop things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// Grips inside the solve, then the whole ladder: nothing ever passes (BF).
    #[default]
    Robust,
    /// Grips inside the solve alone (BW11, BW12), with positions altered where a vertex is inside a body
    /// (BW13). Cloth may pass through cloth, and between its vertices through bodies.
    Constraint,
}

/// Settings of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParams {
    /// How far it goes.
    pub response: Response,
    /// Whether cloth collides with cloth.
    pub self_collision: bool,
    /// Stiffness of the thickness spring \[N/m\] (BF8).
    pub repulsion_stiffness: f64,
    /// Share of an overlap that repulsion may undo in one step \[-\] (BF8: 0.1).
    pub repulsion_share: f64,
    /// Smallest distance that continuous collision keeps, as a share of the thickness \[-\].
    pub separation_share: f64,
    /// Whether pairs of features go on with the load they carried in the step before; without that contact yields
    /// slowly to what presses on it.
    pub carries: bool,
    /// Most sweeps over near contacts.
    pub sweeps: usize,
    /// Most passes of collision detection before zones are made rigid.
    pub max_passes: usize,
    /// Most passes with rigid zones before the step is given up.
    pub max_zone_passes: usize,
}

impl Default for ContactParams {
    fn default() -> Self {
        Self {
            response: Response::default(),
            self_collision: true,
            repulsion_stiffness: 1000.0,
            repulsion_share: 0.1,
            separation_share: 0.01,
            carries: true,
            sweeps: 8,
            max_passes: 24,
            max_zone_passes: 24,
        }
    }
}

/// Speed changes below this end the sweeps \[m/s\]: a micrometre in a hundredth of a second.
pub(super) const SWEEP_GOAL: f64 = 1e-4;

/// Vertices looked at by one parallel task, at least.
const MIN_VERTICES: usize = 1024;

/// Sweeps over the collisions of a step after each detection.
const COLLISION_SWEEPS: usize = 20;

/// Share of the thickness that a collision leaves between two features: inside the reach of repulsion,
/// which then holds them apart, and far from touching.
pub(super) const LANDING_SHARE: f64 = 0.5;

/// What the ladder did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// Counts for the report.
    pub counts: ContactCounts,
    /// Vertices whose velocity was changed.
    pub touched: Vec<bool>,
    /// Those that only pushed each other, group by group (V2).
    pub groups: Vec<Vec<u32>>,
    /// Vertices that moved in rigid zones (R10).
    pub zoned: Vec<u32>,
}

/// Collisions that no rung could resolve.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved {
    /// The pairs still colliding.
    pub pairs: Vec<Pair>,
    /// Cloth vertices that still end behind a plane.
    pub grounded: Vec<u32>,
}

/// One step as the ladder sees it.
#[derive(Clone, Debug)]
pub struct Motion<'a> {
    /// The cloth, whose strain limits hold during contact too.
    pub cloth: &'a Cloth,
    /// Positions of the cloth at the start \[m\].
    pub x: &'a [Vec3],
    /// Velocities of the cloth at the start \[m/s\].
    pub v: &'a [Vec3],
    /// How velocities changed in the step before \[m/s²\]; empty where there was none.
    pub acceleration: &'a [Vec3],
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Inverse masses of the cloth, zero where held \[1/kg\].
    pub inverse_mass: &'a [f64],
    /// Start of the step \[s\].
    pub start: f64,
    /// Length of the step \[s\].
    pub dt: f64,
    /// What is left out.
    pub exempt: Exempt,
    /// Whether the solve has gripped the pairs of features that are near (BW12).
    pub gripped: bool,
}

impl Motion<'_> {
    /// What detection looks at.
    pub(super) fn scope(&self, params: &ContactParams) -> Scope<'_> {
        let Exempt { pairs, pinched } = &self.exempt;
        Scope { within_cloth: params.self_collision, excluded: pairs, pinched, sewn: &[] }
    }

    /// Whether bodies are nothing to a cloth vertex.
    pub(super) fn is_pinched(&self, vertex: usize) -> bool {
        self.exempt.pinched.get(vertex) == Some(&true)
    }
}

/// Hierarchy and buffers over cloth and bodies; the topology is fixed, the rest is scratch.
#[derive(Debug)]
pub struct Ladder {
    pub(super) surface: Surface,
    pub(super) cloth_count: usize,
    pub(super) thickness: Vec<f64>,
    pub(super) friction: Vec<Option<[f64; 2]>>,
    pub(super) margin: f64,
    pub(super) separation: f64,
    /// Vertices that will be one, by number; empty where no seam is being closed (BW15).
    pub(super) sewn: Arc<[u32]>,
    /// The edges of every vertex.
    pub(super) edges_of: Arc<EdgesOf>,
}

impl Ladder {
    /// The ladder for a cloth among bodies, with the cloth at `x` and the time `start` \[s\].
    pub fn new(
        cloth: &Cloth,
        bodies: &[Body],
        x: &[Vec3],
        start: f64,
        params: &ContactParams,
    ) -> Self {
        let mut all = x.to_vec();
        let mut solids = Vec::new();
        let mut thickness = cloth.thickness.clone();
        let mut friction: Vec<_> = cloth.friction.iter().map(|f| Some(*f)).collect();
        for body in bodies {
            let offset = all.len() as u32;
            body.append_positions(start, &mut all);
            if body.level_set().is_none() {
                let triangles = body.mesh.triangles.iter().map(|t| t.map(|v| v + offset));
                let exact = body.shape != Shape::Mesh;
                let (triangles, radius) = (triangles.collect(), body.radius());
                solids.push(Solid { triangles, radius, exact });
            }
            let marker = if body.shape == Shape::Mesh { 0.0 } else { -1.0 };
            thickness.resize(all.len(), marker);
            friction.resize(all.len(), body.friction);
        }
        let largest = cloth.thickness.iter().copied().fold(0.0, f64::max);
        let smallest = cloth.thickness.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            surface: Surface::new(&cloth.triangles, &solids, x.len(), &all)
                .pruned(&cloth.triangle_rest)
                .remembering(x),
            cloth_count: x.len(),
            thickness,
            friction,
            margin: 0.5 * largest,
            separation: params.separation_share * smallest,
            sewn: Arc::default(),
            edges_of: Arc::new(EdgesOf::new(cloth)),
        }
    }

    /// Closing seams are left alone: vertices with the same number in `sewn` will be one (BW15).
    pub fn sew(&mut self, sewn: &[u32]) {
        self.sewn = sewn.into();
    }

    /// Changes the mean velocities `v` of the cloth such that nothing passes through anything; with
    /// constraints alone they stay as they are.
    pub fn resolve(
        &mut self,
        bodies: &[Body],
        approach: Approach,
        motion: &Motion,
        params: &ContactParams,
        v: &mut [Vec3],
        seconds: &mut Seconds,
    ) -> Result<Resolved, Unresolved> {
        let Approach { mut all, near, pinched, outlook } = approach;
        if params.response == Response::Constraint {
            let counts = ContactCounts { near: near.len(), ..ContactCounts::default() };
            return Ok(Resolved { counts, touched: vec![false; v.len()], ..Resolved::default() });
        }
        all.v[..self.cloth_count].copy_from_slice(v);
        let mut resolved = Resolved::default();
        resolved.counts.pinched = pinched.len();
        let mut clock = clock::start();
        // MF: adjustments for bodies come before cloth meets itself.
        let held = Held { near: &near, pinched: &pinched };
        self.forecast(bodies, motion, params, held, &mut all);
        self.repel(near, motion, params, &mut all, &mut resolved.counts);
        seconds.repulsion += clock.lap();
        let counts = &mut resolved.counts;
        let outcome = self.stop_collisions(bodies, motion, params, &outlook, &mut all, counts);
        seconds.collision += clock.lap();
        resolved.zoned = outcome?;
        resolved.touched = v.iter().zip(&all.v).map(|(before, after)| before != after).collect();
        v.copy_from_slice(&all.v[..self.cloth_count]);
        let Motion { cloth, inverse_mass, .. } = *motion;
        resolved.groups = all.exchange.groups(cloth, &resolved.touched, inverse_mass);
        Ok(resolved)
    }

    /// Friction of a pair: the body's where it has its own, else the mean of both cloths'.
    pub(super) fn pair_friction(&self, vertices: [u32; 4]) -> [f64; 2] {
        let body = vertices.iter().find(|&&v| v as usize >= self.cloth_count);
        if let Some(friction) = body.and_then(|&v| self.friction[v as usize]) {
            return friction;
        }
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for &v in vertices.iter().filter(|&&v| (v as usize) < self.cloth_count) {
            let [sticking, sliding] = self.friction[v as usize].unwrap_or_default();
            sum = [sum[0] + sticking, sum[1] + sliding];
            count += 1.0;
        }
        sum.map(|s| s / count)
    }

    /// BF8, BF9: first stop the approach, with friction; then the thickness springs.
    ///
    /// Pairs that the solve has gripped have had both: doing it again here would undo, in every step, what the solve
    /// balanced against the forces of the cloth, and nothing would come to rest (V16). They are kept only from coming as near
    /// as a collision may.
    fn repel(
        &self,
        near: Vec<Nearby>,
        motion: &Motion,
        params: &ContactParams,
        all: &mut Everything,
        counts: &mut ContactCounts,
    ) {
        counts.near = near.iter().filter(|near| !near.watched).count();
        let mut active = Vec::with_capacity(near.len());
        let mut springs = Vec::with_capacity(near.len());
        for Nearby { contact, pair, overlap, .. } in near {
            let gripped = pair.is_some() && motion.gripped;
            let spring = if gripped {
                self.landing(contact.vertices, self.thickest(contact.vertices) - overlap, all.dt)
            } else {
                contact.target
            };
            let stop = Contact { target: spring.min(0.0), ..contact };
            if let Some(contact) = Active::new(stop, &all.inverse_mass) {
                active.push(contact);
                springs.push(spring);
            }
        }
        let before = all.kinetic();
        all.relax(&mut active, motion, params.sweeps);
        let stopped = all.kinetic();
        for (contact, spring) in active.iter_mut().zip(springs) {
            contact.aim(spring);
        }
        all.relax(&mut active, motion, params.sweeps);
        counts.repulsions = active.iter().filter(|contact| contact.pushed()).count();
        counts.energy_taken += before - stopped;
        counts.spring_energy += all.kinetic() - stopped;
    }

    /// BF6, BF7, BF10, BF11: detects and stops collisions until a pass finds none. Returns the vertices in rigid zones.
    fn stop_collisions(
        &mut self,
        bodies: &[Body],
        motion: &Motion,
        params: &ContactParams,
        outlook: &Outlook,
        all: &mut Everything,
        counts: &mut ContactCounts,
    ) -> Result<Vec<u32>, Unresolved> {
        let sewn = Arc::clone(&self.sewn);
        let scope = &Scope { sewn: &sewn, ..motion.scope(params) };
        let mut collisions: Vec<Active> = Vec::new();
        let mut changed = vec![true; all.x0.len()];
        let mut zones = Zones::new(self.cloth_count);
        for pass in 0..params.max_passes + params.max_zone_passes {
            all.advance();
            let hits = self.detect(all, &changed, outlook, scope);
            let grounded = self.plane_hits(bodies, motion, all);
            counts.passes = pass + 1;
            if hits.is_empty() && grounded.is_empty() {
                return Ok(zones.members());
            }
            let before = (all.kinetic(), all.v.clone());
            let fresh = hits.iter().map(|hit| self.collision(hit, all)).chain(grounded);
            let start = collisions.len();
            collisions.extend(fresh.filter_map(|c| Active::new(c, &all.inverse_mass)));
            counts.impulses += collisions.len() - start;
            if pass < params.max_passes {
                all.relax(&mut collisions, motion, COLLISION_SWEEPS);
            } else {
                zones.make_rigid(&hits, all, counts);
            }
            counts.energy_taken += before.0 - all.kinetic();
            for (changed, (a, b)) in changed.iter_mut().zip(before.1.iter().zip(&all.v)) {
                *changed = a != b;
            }
            // What could not be moved is still there, and must be found again.
            for v in hits.iter().flat_map(|hit| hit.pair.vertices()) {
                changed[v as usize] = true;
            }
        }
        all.advance();
        let left = self.detect(all, &vec![true; all.x0.len()], outlook, scope);
        let grounded = self.plane_hits(bodies, motion, all);
        if left.is_empty() && grounded.is_empty() {
            return Ok(zones.members());
        }
        let pairs = left.into_iter().map(|hit| hit.pair).collect();
        let grounded = grounded.into_iter().map(|contact| contact.vertices[0]).collect();
        Err(Unresolved { pairs, grounded })
    }

    /// Collisions of changed vertices. Where cloth ends as expected they are known to be among the pairs of
    /// the outlook; the hierarchy is asked for the vertices that stray from it.
    fn detect(
        &mut self,
        all: &Everything,
        changed: &[bool],
        outlook: &Outlook,
        scope: &Scope,
    ) -> Vec<Hit> {
        let Everything { x0, x1, .. } = all;
        let strays = |(x, end): (&Vec3, &Vec3)| {
            let squared = (*x - *end).length_squared();
            squared > outlook.way * outlook.way || squared.is_nan()
        };
        let astray: Vec<bool> = x1.iter().zip(&outlook.end).map(strays).collect();
        let any = |of: &[bool], pair: &[u32; 4]| pair.iter().any(|&v| of[v as usize]);
        let known = |pair: &[u32; 4]| any(changed, pair) && !any(&astray, pair);
        let separation = self.separation;
        let mut hits = detect::hits_among(&outlook.close, x0, x1, separation, known);
        let count = |of: &[bool]| of.iter().filter(|is| **is).count();
        let (moved, strayed) = (count(changed), count(&astray));
        let unknown = if strayed > 0 { Parts::ALL } else { Parts::EXACT };
        self.surface.refit_for(moved.min(strayed), unknown, x0, x1, 0.5 * separation);
        hits.extend(detect::hits(
            &self.surface,
            Parts::EXACT,
            (x0, x1),
            separation,
            changed,
            scope,
        ));
        if unknown != Parts::EXACT {
            let rarer = if moved < strayed { changed } else { &astray };
            let parts = Parts::SURVEYED;
            let found = detect::hits(&self.surface, parts, (x0, x1), separation, rarer, scope);
            let both = |pair: &[u32; 4]| any(changed, pair) && any(&astray, pair);
            hits.extend(found.into_iter().filter(|hit| both(&hit.pair.vertices())));
        }
        hits.sort_unstable_by_key(|hit| hit.pair);
        hits
    }

    /// The contact of a collision. The features may come nearer until half their thickness is left
    /// between them: stopping them where they are would leave cloth hanging above what it falls on.
    pub(super) fn collision(&self, hit: &Hit, all: &Everything) -> Contact {
        let vertices = hit.pair.vertices();
        let gap: f64 =
            (0..4).map(|i| hit.weights[i] * all.x0[vertices[i] as usize].dot(hit.normal)).sum();
        Contact {
            vertices,
            weights: hit.weights,
            normal: hit.normal,
            surface: Vec3::ZERO,
            target: self.landing(vertices, gap, all.dt),
            friction: self.pair_friction(vertices),
        }
    }

    /// Separation speed of features `gap` apart that may come nearer until half their thickness is left \[m/s\].
    fn landing(&self, vertices: [u32; 4], gap: f64, dt: f64) -> f64 {
        -(gap - LANDING_SHARE * self.thickest(vertices)).max(0.0) / dt
    }

    /// The largest thickness among vertices \[m\].
    pub(super) fn thickest(&self, vertices: [u32; 4]) -> f64 {
        vertices.iter().map(|&v| self.thickness[v as usize]).fold(0.0, f64::max)
    }

    fn plane_hits(&self, bodies: &[Body], motion: &Motion, all: &Everything) -> Vec<Contact> {
        let mut found = Vec::new();
        for body in bodies {
            let obstacle = Obstacle { body, start: motion.start, dt: motion.dt };
            let vertices = (0..self.cloth_count).into_par_iter().with_min_len(MIN_VERTICES);
            let met = vertices.filter(|&i| !motion.is_pinched(i));
            found.par_extend(met.filter_map(|i| {
                let (x0, x1) = (all.x0[i], all.x1[i]);
                let gaps = [self.separation, LANDING_SHARE * self.thickness[i]];
                let friction = body.friction.or(self.friction[i]).unwrap_or_default();
                obstacle.hit(i as u32, x0, x1, gaps, friction)
            }));
        }
        found
    }
}

impl Zones {
    /// Joins what the hits connect and gives every zone one rigid motion. Infinite masses do not join
    /// zones; a zone that touches some follows them.
    fn make_rigid(&mut self, hits: &[Hit], all: &mut Everything, counts: &mut ContactCounts) {
        let is_free = |v: &u32| all.inverse_mass[*v as usize] > 0.0;
        let mut anchors: Vec<(u32, u32)> = Vec::new();
        for hit in hits {
            let vertices = hit.pair.vertices();
            let free: Vec<u32> = vertices.iter().copied().filter(is_free).collect();
            let Some(&first) = free.first() else { continue };
            self.join(&free);
            all.exchange.note(vertices, hit.weights, &all.inverse_mass);
            anchors.extend(vertices.iter().filter(|v| !is_free(v)).map(|&v| (first, v)));
        }
        let groups = self.groups();
        counts.zones = groups.len();
        counts.zone_vertices = groups.iter().map(Vec::len).sum();
        for group in groups {
            let held: Vec<u32> = anchors
                .iter()
                .filter(|(free, _)| group.binary_search(free).is_ok())
                .map(|(_, anchor)| *anchor)
                .collect();
            let of = |list: &[u32], a: &[Vec3]| -> Vec<Vec3> {
                list.iter().map(|&v| a[v as usize]).collect()
            };
            let rigid = if held.is_empty() {
                let mass: Vec<f64> =
                    group.iter().map(|&v| 1.0 / all.inverse_mass[v as usize]).collect();
                RigidMotion::of(&of(&group, &all.x0), &of(&group, &all.v), &mass)
            } else {
                following(&of(&held, &all.x0), &of(&held, &all.v))
            };
            for &v in &group {
                let x = all.x0[v as usize];
                all.v[v as usize] = (rigid.carry(x, all.dt) - x) / all.dt;
                all.open.touch(v);
            }
        }
    }
}

#[cfg(test)]
mod tests;
