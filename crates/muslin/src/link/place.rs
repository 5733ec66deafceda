//! Points of cloth and bodies that something can be tied to.

use super::StepStart;
use crate::collide::distance;
use crate::math::Vec3;

/// A material point of the cloth: a weighted sum of up to three vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Vertices; unused ones have weight zero.
    pub vertices: [u32; 3],
    /// Weights, summing to one.
    pub weights: [f64; 3],
}

impl Point {
    /// A vertex.
    pub fn vertex(vertex: u32) -> Self {
        Self { vertices: [vertex; 3], weights: [1.0, 0.0, 0.0] }
    }

    /// Where it is \[m\].
    pub fn at(&self, x: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(&self.weights).map(|(&v, w)| x[v as usize] * *w).sum()
    }
}

/// Whose triangles they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The cloth's own.
    Cloth,
    /// Those of a body, by its number.
    Body(usize),
}

/// Triangles that something can be tied to.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Whose they are.
    pub owner: Owner,
    /// Their corners, in the numbering of the owner.
    pub triangles: Vec<[u32; 3]>,
}

/// A point of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Foot {
    /// Corners, in the numbering of the triangle's owner.
    pub corners: [u32; 3],
    /// Their weights, summing to one.
    pub weights: [f64; 3],
}

impl Foot {
    /// Where it is, of the owner's positions `x` \[m\].
    pub fn at(&self, x: &[Vec3]) -> Vec3 {
        self.corners.iter().zip(&self.weights).map(|(&v, w)| x[v as usize] * *w).sum()
    }

    /// The unit normal of its triangle; zero where it has none.
    pub fn normal(&self, x: &[Vec3]) -> Vec3 {
        let [a, b, c] = self.corners.map(|v| x[v as usize]);
        crate::math::try_normalize((b - a).cross(c - a)).unwrap_or(Vec3::ZERO)
    }
}

/// The bodies that links refer to, at the start and the end of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    bodies: Vec<Option<[Vec<Vec3>; 2]>>,
}

impl Surroundings {
    pub fn new(start: &StepStart, owners: impl Iterator<Item = Owner>) -> Self {
        let mut bodies = vec![None; start.bodies.len()];
        for owner in owners {
            if let Owner::Body(k) = owner
                && bodies[k].is_none()
            {
                bodies[k] = Some([start.time, start.time + start.dt].map(|t| {
                    let mut x = Vec::new();
                    start.bodies[k].append_positions(t, &mut x);
                    x
                }));
            }
        }
        Self { bodies }
    }

    /// Positions of an owner's vertices at the start of the step.
    pub fn positions<'a>(&'a self, owner: Owner, start: &StepStart<'a>) -> &'a [Vec3] {
        match owner {
            Owner::Cloth => start.x,
            Owner::Body(k) => self.bodies[k].as_ref().map_or(&[], |x| &x[0]),
        }
    }

    /// Positions of a body's vertices at the end of the step.
    pub fn later(&self, body: usize) -> &[Vec3] {
        self.bodies[body].as_ref().map_or(&[], |x| &x[1])
    }
}

impl Region {
    /// The point of the region nearest to `p`, and its distance \[m\]; `None` if it has no triangles
    /// besides those that hold the vertex `except`.
    pub(super) fn nearest(&self, p: Vec3, except: Option<u32>, x: &[Vec3]) -> Option<(Foot, f64)> {
        let others = self.triangles.iter().filter(|t| except.is_none_or(|v| !t.contains(&v)));
        let feet = others.map(|&corners| {
            let [a, b, c] = corners.map(|v| x[v as usize]);
            let closest = distance::point_triangle(p, a, b, c);
            let [_, w0, w1, w2] = closest.weights;
            (Foot { corners, weights: [-w0, -w1, -w2] }, closest.distance_squared)
        });
        let (foot, squared) = feet.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((foot, squared.sqrt()))
    }
}
