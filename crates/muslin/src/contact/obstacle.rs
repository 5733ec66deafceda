//! Contact of cloth vertices with the exact shapes of bodies: spheres and planes.

use super::impulse::Contact;
use crate::body::{Body, Shape};
use crate::math::Vec3;

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
    /// Contact of a vertex at `x`, if it is within `thickness` \[m\] of the shape at the start.
    pub fn near(
        &self,
        vertex: u32,
        x: Vec3,
        thickness: f64,
        friction: [f64; 2],
    ) -> Option<(f64, Contact)> {
        let (distance, normal) = self.body.exact_distance(x, self.start)?;
        if distance >= thickness {
            return None;
        }
        let carried = self.body.carry(x, self.start, self.start + self.dt)?;
        let surface = (carried - x) / self.dt;
        Some((thickness - distance, one_vertex(vertex, normal, surface, friction)))
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
