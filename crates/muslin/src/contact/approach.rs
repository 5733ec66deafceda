//! The start of a step: what is near, and what would collide.

use super::clutch::Clutch;
use super::exchange::Exchange;
use super::grips::{Grips, Memory};
use super::impulse::{self, Active, Beside, Contact};
use super::ladder::{ContactParams, LANDING_SHARE, Ladder, Motion, Response, SWEEP_GOAL};
use super::loose::Loose;
use super::obstacle::Obstacle;
use super::pinch;
use super::touch::{self, Grip};
use crate::body::{Body, Shape};
use crate::clock;
use crate::collide::detect::{self, Hit, Near, Reach, Scope, Survey};
use crate::collide::surface::{Pair, Parts};
use crate::math::Vec3;
use crate::pin::StepHold;
use crate::report::Seconds;
use crate::strain_limit::{self, EdgesOf, OpenEdges};
use rayon::prelude::*;
use std::sync::Arc;

/// Most of its thickness that a vertex is moved in a step by altering its position: of an edge it is a tenth
/// at most, which steps that watch the stretch of triangles can take.
const ALTERED_SHARE: f64 = 0.25;

/// Share of the thickness by which features overlap before they meet: what rests on each other then stays within
/// its thickness, instead of leaving it as soon as it is reached.
const SLACK: f64 = 0.1;

/// What is nearer than this many times the thickness may come into contact during the step: the tension of
/// cloth pulls it inwards faster than its velocity foretells.
const AHEAD: f64 = 1.5;

/// Share of its thickness beyond which overlapped cloth gets firmer, and over which it does \[-\]: collisions keep half a
/// thickness, and what the solve presses farther they would have to undo in every step.
const DEEP: f64 = 0.25;

/// How many times firmer cloth gets, as firm along its normal as it is along itself \[-\].
const FIRMER: f64 = 30.0;

/// Share of the way a vertex may stray that is used: the rest is for rounding.
const WAY_SHARE: f64 = 1.0 - 1e-6;

/// Most sweeps over impacts at the start of a step.
const LANDING_SWEEPS: usize = 20;

/// What is near at the start of a step.
#[derive(Debug)]
pub struct Approach {
    pub(super) all: Everything,
    pub(super) near: Vec<Nearby>,
    pub(super) pinched: Vec<StepHold>,
    pub(super) outlook: Outlook,
}

/// What could collide in a step: while no vertex ends farther than `way` from where it is expected, all pairs
/// that collide are among `close`. Two features come nearer by twice the way at most.
#[derive(Debug)]
pub(super) struct Outlook {
    /// Pairs that come within the separation of collisions and twice the way as expected, sorted.
    pub(super) close: Vec<Pair>,
    /// Where cloth and bodies are expected, by `fly_on` \[m\].
    pub(super) end: Vec<Vec3>,
    /// How far a vertex may be from there \[m\].
    pub(super) way: f64,
}

/// A contact within its thickness.
#[derive(Clone, Copy, Debug)]
pub struct Nearby {
    /// How far the thickness is overlapped \[m\]; negative where contact is only foreseen.
    pub overlap: f64,
    /// How far the solve moves the vertex along the normal, besides its velocity \[m\] (BW13).
    pub altered: f64,
    /// Share of the load that a pair carried before which it still carries: none where features are as far apart as what is
    /// not known any more, so that no load is dropped at once.
    pub carries: f64,
    /// How many times as firm a pair of cloth is: the deeper its thickness is overlapped, the firmer.
    pub firmness: f64,
    /// Whether the vertex will not come here by itself, but could be taken here: then it is let go until it turns out to be.
    pub watched: bool,
    /// The contact.
    pub contact: Contact,
    /// Which features; `None` for a vertex on an exact shape.
    pub pair: Option<Pair>,
}

impl Approach {
    /// What the solve holds and grips (BW11, BW12). `v` are the cloth's velocities.
    pub fn capture(&self, v: &[Vec3], before: &Memory) -> Grips {
        let bodies = touch::Bodies {
            cloth_count: v.len(),
            x: &self.all.x0,
            body_velocity: &self.all.v[v.len()..],
            dt: self.all.dt,
        };
        let inverse_mass = &self.all.inverse_mass;
        let mut touching = touch::capture(&self.near, &bodies, inverse_mass, v, &before.touches);
        let on_body = |near: &&Nearby| !touch::is_vertex_on_body(&near.contact, v.len());
        let pairs = self.near.par_iter().filter(on_body);
        let clutches = pairs.filter_map(|near| {
            Clutch::new(near.pair?, near, &bodies, inverse_mass, v, &before.clutches)
        });
        let mut clutches: Vec<Clutch> = clutches.collect();
        for (near, first) in touch::wedged(&self.near, &touching, v.len()) {
            let Some(clutch) = Clutch::on_body(&near, &bodies, inverse_mass, v, &before.clutches)
            else {
                continue;
            };
            if clutch.grip != Grip::Released {
                touching[first].slide();
            }
            clutches.push(clutch);
        }
        Grips { clutches, touching, pinched: self.pinched.clone(), landed: self.landed(v) }
    }

    /// Velocities after impacts between features, as far as they come nearer than they may; what rests
    /// stays as it is. Empty where there is none.
    fn landed(&self, v: &[Vec3]) -> Vec<Vec3> {
        let mut all = self.all.v.clone();
        all[..v.len()].copy_from_slice(v);
        let between = |near: &&Nearby| {
            near.pair.is_some() && !touch::is_vertex_on_body(&near.contact, v.len())
        };
        let impact = |near: &Nearby| {
            let target = near.contact.target.min(0.0);
            let contact = Contact { target, ..near.contact };
            Active::new(contact, &self.all.inverse_mass)
        };
        let mut impacts: Vec<Active> =
            self.near.iter().filter(between).filter_map(impact).collect();
        let inverse_mass = &self.all.inverse_mass;
        impulse::relax(&mut impacts, inverse_mass, LANDING_SWEEPS, SWEEP_GOAL, &mut all, &mut ());
        all.truncate(v.len());
        if impacts.iter().any(Active::pushed) { all } else { Vec::new() }
    }
}

/// Positions, velocities and inverse masses of cloth and bodies together.
#[derive(Debug)]
pub(super) struct Everything {
    pub(super) x0: Vec<Vec3>,
    pub(super) x1: Vec<Vec3>,
    pub(super) v: Vec<Vec3>,
    pub(super) inverse_mass: Vec<f64>,
    pub(super) dt: f64,
    /// Who pushed whom.
    pub(super) exchange: Exchange,
    /// Edges that may be beyond their strain limits.
    pub(super) open: OpenEdges,
}

/// Strain limits beside contacts.
struct Limits<'a> {
    step: strain_limit::Step<'a>,
    open: &'a mut OpenEdges,
    /// Speed that changes the strain of the longest edge by one during the step \[m/s\].
    speed: f64,
}

impl Beside for Limits<'_> {
    fn moved(&mut self, vertices: [u32; 4]) {
        for v in vertices {
            self.open.touch(v);
        }
    }

    fn sweep(&mut self, v: &mut [Vec3]) -> f64 {
        self.step.sweep(self.open, v) * self.speed
    }
}

impl Everything {
    pub(super) fn advance(&mut self) {
        for ((x1, x0), v) in self.x1.iter_mut().zip(&self.x0).zip(&self.v) {
            *x1 = *x0 + *v * self.dt;
        }
    }

    /// Everything at the start of the step; the cloth's velocities are still zero.
    pub(super) fn new(bodies: &[Body], motion: &Motion, edges_of: &Arc<EdgesOf>) -> Self {
        let mut x0 = motion.x.to_vec();
        let mut x1 = x0.clone();
        for body in bodies {
            let end = motion.start + motion.dt;
            body.append_positions(motion.start, &mut x0);
            if body.is_still(motion.start, end) {
                x1.extend_from_slice(&x0[x1.len()..]);
            } else {
                body.append_positions(end, &mut x1);
            }
        }
        let v = x0.iter().zip(&x1).map(|(x0, x1)| (*x1 - *x0) / motion.dt).collect();
        let mut inverse_mass = motion.inverse_mass.to_vec();
        inverse_mass.resize(x0.len(), 0.0);
        let exchange = Exchange::new(motion.x.len());
        let open = OpenEdges::all(edges_of);
        Self { x0, x1, v, inverse_mass, dt: motion.dt, exchange, open }
    }

    /// Contacts and strain limits together, so that an impact is felt by the cloth around it.
    pub(super) fn relax(&mut self, contacts: &mut [Active], motion: &Motion, max_sweeps: usize) {
        if contacts.is_empty() {
            return;
        }
        let Motion { cloth, x, inverse_mass, dt, .. } = *motion;
        let step = strain_limit::Step { cloth, x, inverse_mass, dt };
        let (masses, v) = (&self.inverse_mass, &mut self.v);
        if strain_limit::is_limited(cloth) {
            let longest = cloth.edges.iter().map(|e| e.length).fold(0.0, f64::max);
            let mut limits = Limits { step, open: &mut self.open, speed: longest / dt };
            impulse::relax(contacts, masses, max_sweeps, SWEEP_GOAL, v, &mut limits);
        } else {
            impulse::relax(contacts, masses, max_sweeps, SWEEP_GOAL, v, &mut ());
        }
        for contact in contacts.iter().filter(|contact| contact.pushed()) {
            let (vertices, weights) = contact.between();
            self.exchange.note(vertices, weights, &self.inverse_mass);
        }
    }

    /// Kinetic energy of what can move \[J\].
    pub(super) fn kinetic(&self) -> f64 {
        self.v
            .iter()
            .zip(&self.inverse_mass)
            .filter(|(_, w)| **w > 0.0)
            .map(|(v, w)| 0.5 * v.length_squared() / w)
            .sum()
    }
}

impl Ladder {
    /// What is near at the start of a step, before anything has moved. What bodies will have no room for
    /// is let go.
    pub fn approach(
        &mut self,
        bodies: &[Body],
        motion: &mut Motion,
        loose: &mut Loose,
        params: &ContactParams,
        seconds: &mut Seconds,
    ) -> Approach {
        let clock = clock::start();
        let mut approach = self.look_around(bodies, motion, params);
        if loose.let_go(&approach.squeezed(self)) {
            motion.exempt = loose.exempt(motion.cloth);
            approach = self.look_around(bodies, motion, params);
        }
        seconds.proximity += clock.seconds();
        approach
    }

    pub(super) fn look_around(
        &mut self,
        bodies: &[Body],
        motion: &Motion,
        params: &ContactParams,
    ) -> Approach {
        let mut all = Everything::new(bodies, motion, &self.edges_of);
        let sewn = Arc::clone(&self.sewn);
        let scope = Scope { sewn: &sewn, ..motion.scope(params) };
        self.fly_on(motion, &mut all);
        let farthest = AHEAD * 2.0 * self.margin;
        let reach = Reach { thickness: &self.thickness, ahead: AHEAD, close: farthest };
        self.surface.refit_parts(Parts::SURVEYED, &all.x0, &all.x1, 0.5 * farthest);
        let Survey { near, close } = detect::survey(&self.surface, &all.x0, &all.x1, reach, &scope);
        let mut near = self.near_contacts(bodies, motion, &all, params, near);
        near.extend(self.foreseen(motion, &near, &all, &close, params));
        let way = 0.5 * (farthest - self.separation) * WAY_SHARE;
        let outlook = Outlook { close, end: all.x1.clone(), way };
        let pinched = pinch::find(bodies, motion);
        if !pinched.is_empty() {
            let held = |v: u32| pinched.binary_search_by_key(&v, |hold| hold.vertex).is_ok();
            // Weights of pairs of features sum to zero, those of contacts with a field to one.
            let on_field = |c: &Contact| c.weights.iter().sum::<f64>() > 0.5;
            near.retain(|n| !on_field(&n.contact) || !n.contact.vertices.iter().any(|&v| held(v)));
        }
        Approach { all, near, pinched, outlook }
    }

    /// Everything within its thickness at the start of the step, with the speed the thickness spring
    /// may reach (BF8), and what is not much farther away: it may come as near as that.
    fn near_contacts(
        &self,
        bodies: &[Body],
        motion: &Motion,
        all: &Everything,
        params: &ContactParams,
        near: Vec<Near>,
    ) -> Vec<Nearby> {
        let mut contacts: Vec<Nearby> = near
            .into_par_iter()
            .map(|near| {
                let overlap = near.thickness - near.distance;
                let contact = Contact {
                    vertices: near.pair.vertices(),
                    weights: near.weights,
                    normal: near.normal,
                    surface: Vec3::ZERO,
                    target: overlap.min(0.0) / all.dt,
                    friction: self.pair_friction(near.pair.vertices()),
                };
                let share = overlap / near.thickness;
                Nearby {
                    overlap,
                    altered: 0.0,
                    carries: (1.0 + share / (AHEAD - 1.0)).clamp(0.0, 1.0),
                    firmness: 1.0 + FIRMER * ((share - DEEP) / DEEP).clamp(0.0, 1.0),
                    watched: false,
                    contact,
                    pair: Some(near.pair),
                }
            })
            .collect();
        for body in bodies.iter().filter(|body| body.shape != Shape::Mesh) {
            let obstacle = Obstacle { body, start: motion.start, dt: motion.dt };
            let met = motion.x.par_iter().enumerate().filter(|(i, _)| !motion.is_pinched(*i));
            contacts.par_extend(met.filter_map(|(i, x)| {
                let friction = body.friction.or(self.friction[i]).unwrap_or_default();
                let ahead = motion.v[i] + motion.gravity * (0.5 * motion.dt);
                obstacle.near(i as u32, [*x, ahead], self.thickness[i], friction)
            }));
            if body.level_set().is_some() {
                contacts.extend(self.middles_near(&obstacle, motion));
            }
        }
        self.aim(&mut contacts, all, params);
        contacts
    }

    /// Gives every overlap the speed at which the thickness spring undoes it (BF8), and what has not met yet the
    /// speed at which it may; with constraints alone, a vertex inside a body is moved out instead (BW13).
    fn aim(&self, contacts: &mut [Nearby], all: &Everything, params: &ContactParams) {
        contacts.par_iter_mut().for_each(|near| {
            let Nearby { overlap, altered, contact, pair, .. } = near;
            let thickness = self.thickness[contact.vertices[0] as usize];
            if pair.is_none() && *overlap <= 0.0 {
                return;
            }
            let inside = pair.is_none() && *overlap > thickness;
            if inside && params.response == Response::Constraint {
                *altered = (*overlap - thickness).min(ALTERED_SHARE * thickness);
                return;
            }
            let compliance: f64 = contact
                .vertices
                .iter()
                .zip(contact.weights)
                .map(|(&v, w)| w * w * all.inverse_mass[v as usize])
                .sum();
            let slack = if pair.is_some() { SLACK * thickness.max(0.0) } else { 0.0 };
            let excess = *overlap - slack;
            if excess <= 0.0 {
                contact.target = excess / all.dt;
                return;
            }
            let spring = all.dt * params.repulsion_stiffness * excess * compliance;
            contact.target = spring.min(params.repulsion_share * excess / all.dt);
        });
    }

    /// Moves the cloth to where it would be if everything went on as in the step before: what fell falls, what
    /// was held up is. No acceleration is taken over that exceeds gravity: an impact does not go on.
    fn fly_on(&self, motion: &Motion, all: &mut Everything) {
        let most = motion.gravity.length();
        self.fly(motion, &mut all.x1, |i| {
            let before = motion.acceleration.get(i);
            before.map_or(motion.gravity, |a| a.clamp_length_max(most))
        });
    }

    /// Where the cloth ends if nothing holds it and `acceleration` \[m/s²\] is that of its vertices.
    fn fly(&self, motion: &Motion, end: &mut [Vec3], acceleration: impl Fn(usize) -> Vec3) {
        let dt = motion.dt;
        for (i, end) in end[..self.cloth_count].iter_mut().enumerate() {
            let held = motion.inverse_mass[i] == 0.0;
            let gained = if held { Vec3::ZERO } else { acceleration(i) * (0.5 * dt * dt) };
            *end = motion.x[i] + motion.v[i] * dt + gained;
        }
    }

    /// Collisions that would happen if everything flew on freely: the solve stops them as contacts that
    /// may still come nearer, so that the cloth around feels the impact in the step in which it happens.
    fn foreseen(
        &self,
        motion: &Motion,
        near: &[Nearby],
        all: &Everything,
        close: &[Pair],
        params: &ContactParams,
    ) -> Vec<Nearby> {
        let mut known: Vec<Pair> = near.iter().filter_map(|near| near.pair).collect();
        known.sort_unstable();
        let mut end = all.x1.clone();
        self.fly(motion, &mut end, |_| motion.gravity);
        let hits = detect::hits_among(close, &all.x0, &end, self.separation, |_| true);
        let on_exact_shape =
            |hit: &Hit| hit.pair.vertices().iter().any(|&v| self.thickness[v as usize] < 0.0);
        let new = |hit: &&Hit| !on_exact_shape(hit) && known.binary_search(&hit.pair).is_err();
        let foreseen = hits.iter().filter(new).map(|hit| {
            let contact = self.collision(hit, all);
            let landed = (1.0 - LANDING_SHARE) * self.thickest(contact.vertices);
            Nearby {
                overlap: landed + contact.target * motion.dt,
                altered: 0.0,
                carries: 0.0,
                firmness: 1.0,
                watched: false,
                contact,
                pair: Some(hit.pair),
            }
        });
        // What slides is within its thickness of features it has not reached: they repel it as those do that are near, or
        // both would pull at each other.
        let is_within = |near: &Nearby| near.overlap > SLACK * self.thickest(near.contact.vertices);
        let (mut within, beyond): (Vec<_>, Vec<_>) = foreseen.partition(is_within);
        self.aim(&mut within, all, params);
        within.extend(beyond);
        within
    }
}

#[cfg(test)]
mod tests;
