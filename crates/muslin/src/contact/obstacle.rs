//! Contact of cloth vertices with the exact shapes of bodies: spheres, planes and level sets.

use super::approach::Nearby;
use super::forecast::Interface;
use super::impulse::Contact;
use crate::body::{Body, Shape};
use crate::math::Vec3;

/// What is no farther than this share of its thickness from contact is watched: it rests there, or leaves, and the cloth
/// may pull it back.
const WATCHED: f64 = 0.5;

/// A body during one step.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// The body.
    pub body: &'a Body,
    /// Start of the step \[s\].
    pub start: f64,
    /// Length of the step \[s\].
    pub dt: f64,
}

impl Obstacle<'_> {
    /// Contact of a vertex at `x` that moves at `v`, if it is within `thickness` \[m\] of the shape at the
    /// start, or would be at the end of the step; with how far it overlaps the thickness. One that is
    /// still outside may come as near as its thickness.
    pub fn near(
        &self,
        vertex: u32,
        [x, v]: [Vec3; 2],
        thickness: f64,
        friction: [f64; 2],
    ) -> Option<Nearby> {
        let (distance, normal) = self.body.exact_distance(x, self.start)?;
        let overlap = thickness - distance;
        let watched = thickness + self.watched() * thickness;
        if overlap <= 0.0 && distance > watched + v.length() * self.dt + self.reach(x)? {
            return None;
        }
        let carried = self.body.carry(x, self.start, self.start + self.dt)?;
        let surface = (carried - x) / self.dt;
        let approach = (v - surface).dot(normal) * self.dt;
        if overlap <= 0.0 && distance + approach.min(0.0) >= watched {
            return None;
        }
        let watched = overlap <= 0.0 && distance + approach >= thickness;
        let target = overlap.min(0.0) / self.dt;
        let contact = Contact { target, ..one_vertex(vertex, normal, surface, friction) };
        Some(Nearby {
            overlap,
            altered: 0.0,
            carries: 1.0,
            firmness: 1.0,
            watched,
            contact,
            pair: None,
        })
    }

    /// Share of the thickness within which what leaves is watched: not with a level set, which forecasts what comes too near
    /// (MF7).
    fn watched(&self) -> f64 {
        if self.body.level_set().is_some() { 0.0 } else { WATCHED }
    }

    /// The body's surface as a point at `x` sees it.
    pub(super) fn interface(&self, x: Vec3) -> Option<Interface> {
        let (distance, normal) = self.body.exact_distance(x, self.start)?;
        let carried = self.body.carry(x, self.start, self.start + self.dt)?;
        Some(Interface { distance, normal, velocity: (carried - x) / self.dt })
    }

    /// `Δτ` \[s\] (MF7): the level set's, and at least the step, or points would overshoot.
    pub(super) fn relaxation_time(&self) -> f64 {
        self.body.level_set().map_or(self.dt, |set| set.relaxation_time.max(self.dt))
    }

    /// How far the shape's material at `x` moves during the step \[m\].
    pub(super) fn reach(&self, x: Vec3) -> Option<f64> {
        Some((self.body.carry(x, self.start, self.start + self.dt)? - x).length())
    }

    /// For planes: the contact of a vertex that would end the step nearer than `separation` \[m\]; it may
    /// come as near as `landing` \[m\].
    ///
    /// Cloth whose vertices are all on one side of a plane is on that side.
    pub fn hit(
        &self,
        vertex: u32,
        x0: Vec3,
        x1: Vec3,
        [separation, landing]: [f64; 2],
        friction: [f64; 2],
    ) -> Option<Contact> {
        if !matches!(self.body.shape, Shape::Plane(_)) {
            return None;
        }
        let (at_start, _) = self.body.exact_distance(x0, self.start)?;
        let (at_end, normal) = self.body.exact_distance(x1, self.start + self.dt)?;
        if at_end >= separation.min(0.5 * at_start) {
            return None;
        }
        let carried = self.body.carry(x0, self.start, self.start + self.dt)?;
        let contact = one_vertex(vertex, normal, (carried - x0) / self.dt, friction);
        Some(Contact { target: -(at_start - landing).max(0.0) / self.dt, ..contact })
    }
}

fn one_vertex(vertex: u32, normal: Vec3, surface: Vec3, friction: [f64; 2]) -> Contact {
    Contact {
        vertices: [vertex; 4],
        weights: [1.0, 0.0, 0.0, 0.0],
        normal,
        surface,
        target: 0.0,
        friction,
    }
}
