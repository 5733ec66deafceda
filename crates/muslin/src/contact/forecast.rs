//! Interface forecasting (MF7): a point that would be inside a level set at the end of the step gets the
//! normal velocity that puts it on the surface after the relaxation time, and friction for the change.
//!
//! For vertices, and for the middles of edges and faces: coarse cloth misses corners otherwise.

use super::approach::{Everything, Nearby};
use super::impulse::{Active, Contact};
use super::ladder::{ContactParams, LANDING_SHARE, Ladder, Motion};
use super::obstacle::Obstacle;
use crate::body::Body;
use crate::collide::surface::Pair;
use crate::math::Vec3;
use crate::pin::StepHold;
use rayon::prelude::*;

/// Share of the thickness that forecasting leaves above the surface: less than what the solve keeps, so
/// that it only corrects what the solve could not foresee.
const FORECAST_SHARE: f64 = 0.25;

/// A level set at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// `φ` \[m\].
    pub distance: f64,
    /// `N = ∇φ`.
    pub normal: Vec3,
    /// `v`: velocity of the level set there \[m/s\].
    pub velocity: Vec3,
}

impl Interface {
    /// The normal speed \[m/s\] relative to the surface that a point of velocity `v_p` gets, where
    /// `φ_new = φ + Δt (v_p − v)·N < 0`: it becomes `v_N − φ/Δτ`, that is `−φ/Δτ` relative to the
    /// surface. `None` where the point stays outside.
    pub fn forecast(&self, v_p: Vec3, dt: f64, relaxation: f64) -> Option<f64> {
        let ahead = self.distance + dt * (v_p - self.velocity).dot(self.normal);
        (ahead < 0.0).then(|| -self.distance / relaxation)
    }

    /// The velocity of a point after forecasting, with friction `μ`:
    /// `v_T,rel ← max(0, 1 − μ Δv_N/|v_T,rel|) v_T,rel`.
    pub fn respond(&self, v_p: Vec3, dt: f64, relaxation: f64, friction: f64) -> Vec3 {
        let Some(target) = self.forecast(v_p, dt, relaxation) else { return v_p };
        let relative = v_p - self.velocity;
        let speed = relative.dot(self.normal);
        let slip = relative - self.normal * speed;
        let pressed = friction * (target - speed).max(0.0);
        let kept = if slip.length() > pressed { 1.0 - pressed / slip.length() } else { 0.0 };
        self.velocity + self.normal * target + slip * kept
    }
}

/// What the solve has taken care of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    /// Held and gripped by what is near.
    pub near: &'a [Nearby],
    /// Caught between bodies, sorted by vertex.
    pub pinched: &'a [StepHold],
}

/// A vertex, or the middle of an edge or face.
#[derive(Clone, Copy, Debug)]
struct Middle {
    vertices: [u32; 4],
    weights: [f64; 4],
}

impl Middle {
    fn of(corners: &[u32]) -> Self {
        let weight = 1.0 / corners.len() as f64;
        let mut middle = Self { vertices: [corners[0]; 4], weights: [0.0; 4] };
        for (k, &v) in corners.iter().enumerate() {
            (middle.vertices[k], middle.weights[k]) = (v, weight);
        }
        middle
    }

    fn mean(&self, of: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&v, w)| of[v as usize] * w).sum()
    }
}

impl Ladder {
    /// Adjusts the mean velocities of the cloth for all level sets. What the solve has held or gripped
    /// already is left to repulsion; what is pinched stays as it is held.
    pub(super) fn forecast(
        &self,
        bodies: &[Body],
        motion: &Motion,
        params: &ContactParams,
        Held { near, pinched }: Held,
        all: &mut Everything,
    ) {
        let mut held: Vec<[u32; 4]> = near.iter().map(|near| near.contact.vertices).collect();
        held.sort_unstable();
        for body in bodies.iter().filter(|body| body.level_set().is_some()) {
            let obstacle = Obstacle { body, start: motion.start, dt: motion.dt };
            let mut contacts = self.foreseen_in(&obstacle, motion, pinched, &all.v);
            contacts.retain(|contact| held.binary_search(&contact.vertices).is_err());
            let mut active: Vec<Active> = contacts
                .into_iter()
                .filter_map(|contact| Active::new(contact, &all.inverse_mass))
                .collect();
            all.relax(&mut active, motion, params.sweeps);
        }
    }

    fn foreseen_in(
        &self,
        obstacle: &Obstacle,
        motion: &Motion,
        pinched: &[StepHold],
        v: &[Vec3],
    ) -> Vec<Contact> {
        let (x, cloth) = (motion.x, motion.cloth);
        // Distance of every vertex, less by how far the surface below it moves.
        let room = |x: &Vec3| {
            let (distance, _) = obstacle.body.exact_distance(*x, obstacle.start)?;
            Some(distance - obstacle.reach(*x)?)
        };
        let room: Vec<f64> = x.par_iter().map(|x| room(x).unwrap_or(f64::INFINITY)).collect();
        let free = |v: &u32| pinched.binary_search_by_key(v, |hold| hold.vertex).is_err();
        // Distance changes by at most the way: what lies this far away cannot get there.
        let may_hit = |corners: &[u32]| {
            let at = |v: u32| x[v as usize];
            let first = at(corners[0]);
            let nearest = corners.iter().map(|&v| room[v as usize]).fold(f64::MAX, f64::min);
            let size = corners.iter().map(|&v| at(v).distance(first)).fold(0.0, f64::max);
            let speed = corners.iter().map(|&k| v[k as usize].length()).fold(0.0, f64::max);
            nearest < self.thickness[corners[0] as usize] + size + 2.0 * speed * motion.dt
                && corners.iter().all(free)
        };
        let contact = |corners: &[u32]| {
            may_hit(corners).then(|| self.hit(obstacle, Middle::of(corners), x, v)).flatten()
        };
        let vertices = (0..x.len() as u32).into_par_iter().filter_map(|i| contact(&[i]));
        let edges = cloth.edges.par_iter().filter_map(|edge| contact(&edge.vertices));
        let faces = cloth.triangles.par_iter().filter_map(|t| contact(t));
        vertices.chain(edges).chain(faces).collect()
    }

    /// The edges and faces whose middles are nearer to a level set than half their thickness, or would be:
    /// gripped inside the solve, so that cloth comes to rest over corners.
    pub(super) fn middles_near(&self, obstacle: &Obstacle, motion: &Motion) -> Vec<Nearby> {
        let ahead: Vec<Vec3> =
            motion.v.iter().map(|v| *v + motion.gravity * (0.5 * motion.dt)).collect();
        let near = |corners: &[u32], pair: Pair| {
            let middle = Middle::of(corners);
            let first = corners[0] as usize;
            let friction = obstacle.body.friction.or(self.friction[first]).unwrap_or_default();
            let at = [middle.mean(motion.x), middle.mean(&ahead)];
            let thickness = LANDING_SHARE * self.thickness[first];
            let near = obstacle.near(corners[0], at, thickness, friction)?;
            let Middle { vertices, weights } = middle;
            let contact = Contact { vertices, weights, ..near.contact };
            Some(Nearby { contact, pair: Some(pair), ..near })
        };
        // An edge against itself, and a face against its own corner, are no pairs of features: they stand
        // for the middle of the edge or face.
        let edges = motion.cloth.edges.par_iter().filter_map(|edge| {
            let [a, b] = edge.vertices;
            near(&[a, b], Pair::EdgeEdge([a, b, a, b]))
        });
        let faces = motion.cloth.triangles.par_iter().filter_map(|t| {
            let [a, b, c] = *t;
            near(t, Pair::PointTriangle([a, a, b, c]))
        });
        edges.chain(faces).collect()
    }

    /// The contact of a point that would come nearer than a quarter of its thickness.
    fn hit(&self, obstacle: &Obstacle, middle: Middle, x: &[Vec3], v: &[Vec3]) -> Option<Contact> {
        let first = middle.vertices[0] as usize;
        let mut interface = obstacle.interface(middle.mean(x))?;
        interface.distance -= FORECAST_SHARE * self.thickness[first];
        let relaxation = obstacle.relaxation_time();
        let target = interface.forecast(middle.mean(v), obstacle.dt, relaxation)?;
        let friction = obstacle.body.friction.or(self.friction[first]).unwrap_or_default();
        let Middle { vertices, weights } = middle;
        let (normal, surface) = (interface.normal, interface.velocity);
        Some(Contact { vertices, weights, normal, surface, target, friction })
    }
}

#[cfg(test)]
mod tests;
