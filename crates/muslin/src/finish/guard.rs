//! Moving a surface to a better shape without letting it pass through anything (BF13).
//!
//! The way from where a vertex is to where it should be is treated as a velocity over one unit of
//! pseudo-time. Continuous collision (BF6) finds what would pass through what, impulses stop it as if it had
//! collided inelastically (BF7), and what will not come clean that way is held back, in the end at its start.
//! The start is clean, so there always is an answer.

use crate::collide::detect::{self, Hit, Scope};
use crate::collide::solid::Solid;
use crate::collide::surface::{Parts, Surface};
use crate::contact::impulse::{self, Active, Contact};
use crate::math::Vec3;

/// Passes in which impulses act; after these, colliding vertices are held back.
const IMPULSE_PASSES: usize = 12;
/// Most passes with vertices held back; then everything stays at its start.
const HOLDING_PASSES: usize = 60;
/// Sweeps over all contacts after each detection.
const SWEEPS: usize = 20;
/// How often the way of a vertex is halved before it does not move at all.
const HALVINGS: u8 = 3;
/// Impulses leave this many separations between features.
const LANDING: f64 = 2.0;
/// Share of the mean edge that is kept between features \[-\]. Features that start nearer keep half their
/// distance.
const SEPARATION_SHARE: f64 = 1e-3;

/// A side of a plane that cloth stays on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// A point on the plane \[m\].
    pub point: Vec3,
    /// Unit normal, towards the cloth.
    pub normal: Vec3,
}

impl HalfSpace {
    /// Distance of a point above the plane \[m\], negative below.
    pub fn distance(&self, x: Vec3) -> f64 {
        self.normal.dot(x - self.point)
    }
}

/// What cloth must not pass through, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Obstacles<'a> {
    /// Vertices of all body meshes \[m\].
    pub positions: &'a [Vec3],
    /// Triangles of all body meshes, both sides solid.
    pub triangles: &'a [[u32; 3]],
    /// Infinite planes.
    pub planes: &'a [HalfSpace],
}

/// Where a guarded move ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guarded {
    /// Positions \[m\].
    pub positions: Vec<Vec3>,
    /// Contacts that acted.
    pub contacts: usize,
    /// Vertices held back because impulses were not enough.
    pub held: usize,
}

/// Moves the vertices of `triangles` from `start` towards `wanted` \[m\] such that no two triangles pass
/// through each other, nor through an obstacle, on the way; the end is as clean as the start.
pub fn move_guarded(
    start: &[Vec3],
    wanted: &[Vec3],
    triangles: &[[u32; 3]],
    obstacles: &Obstacles,
) -> Guarded {
    if start.is_empty() || start == wanted {
        return Guarded { positions: start.to_vec(), ..Guarded::default() };
    }
    let mut walk = Walk::new(start, wanted, triangles, obstacles);
    walk.go();
    walk.x1.truncate(start.len());
    let held = walk.halvings.iter().filter(|halved| **halved > 0).count();
    Guarded { positions: walk.x1, contacts: walk.contacts.len(), held }
}

/// A guarded move under way; vertices of bodies follow those of the cloth.
struct Walk<'a> {
    surface: Surface,
    planes: &'a [HalfSpace],
    separation: f64,
    cloth_count: usize,
    x0: Vec<Vec3>,
    x1: Vec<Vec3>,
    v: Vec<Vec3>,
    inverse_mass: Vec<f64>,
    contacts: Vec<Active>,
    halvings: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(
        start: &[Vec3],
        wanted: &[Vec3],
        triangles: &[[u32; 3]],
        obstacles: &Obstacles<'a>,
    ) -> Self {
        let cloth_count = start.len();
        let x0: Vec<Vec3> = start.iter().chain(obstacles.positions).copied().collect();
        let offset = cloth_count as u32;
        let bodies = Solid {
            triangles: obstacles.triangles.iter().map(|t| t.map(|v| v + offset)).collect(),
            radius: None,
            exact: false,
        };
        let mut v: Vec<Vec3> = wanted.iter().zip(start).map(|(b, a)| *b - *a).collect();
        v.resize(x0.len(), Vec3::ZERO);
        let mut inverse_mass = vec![1.0; cloth_count];
        inverse_mass.resize(x0.len(), 0.0);
        Self {
            surface: Surface::new(triangles, &[bodies], cloth_count, &x0),
            planes: obstacles.planes,
            separation: SEPARATION_SHARE * mean_side(start, triangles),
            cloth_count,
            x1: x0.clone(),
            x0,
            v,
            inverse_mass,
            contacts: Vec::new(),
            halvings: vec![0; cloth_count],
        }
    }

    fn go(&mut self) {
        let mut changed = vec![true; self.x0.len()];
        for pass in 0..IMPULSE_PASSES + HOLDING_PASSES {
            self.advance();
            let hits = self.detect(&changed);
            let grounded = self.grounded();
            if hits.is_empty() && grounded.is_empty() {
                return;
            }
            let before = self.v.clone();
            if pass < IMPULSE_PASSES {
                self.push(&hits, grounded);
            } else if !self.hold(&hits, &grounded) {
                // What still touches does not move: it started that way.
                return;
            }
            for (changed, (a, b)) in changed.iter_mut().zip(before.iter().zip(&self.v)) {
                *changed = a != b;
            }
            // What could not be moved is still there, and must be found again.
            for v in hits.iter().flat_map(|hit| hit.pair.vertices()) {
                changed[v as usize] = true;
            }
        }
        self.halvings.fill(HALVINGS);
        self.v.fill(Vec3::ZERO);
        self.advance();
    }

    fn advance(&mut self) {
        for ((x1, x0), v) in self.x1.iter_mut().zip(&self.x0).zip(&self.v) {
            *x1 = *x0 + *v;
        }
    }

    fn detect(&mut self, changed: &[bool]) -> Vec<Hit> {
        let scope = Scope { within_cloth: true, excluded: &[], pinched: &[], sewn: &[] };
        self.surface.refit(&self.x0, &self.x1, 0.5 * self.separation);
        let motion = (self.x0.as_slice(), self.x1.as_slice());
        detect::hits(&self.surface, Parts::ALL, motion, self.separation, changed, &scope)
    }

    /// Contacts of vertices that would end too near to a plane, or below it.
    fn grounded(&self) -> Vec<Contact> {
        let mut found = Vec::new();
        for plane in self.planes {
            for i in 0..self.cloth_count {
                let (start, end) = (plane.distance(self.x0[i]), plane.distance(self.x1[i]));
                let least = self.separation.min(0.5 * start);
                if end < least && end < start {
                    found.push(Contact {
                        vertices: [i as u32; 4],
                        weights: [1.0, 0.0, 0.0, 0.0],
                        normal: plane.normal,
                        surface: Vec3::ZERO,
                        target: -(start - LANDING * self.separation).max(0.0),
                        friction: [0.0; 2],
                    });
                }
            }
        }
        found
    }

    /// Stops what collides, all contacts so far together.
    fn push(&mut self, hits: &[Hit], grounded: Vec<Contact>) {
        let stops = hits.iter().map(|hit| {
            let vertices = hit.pair.vertices();
            let gap: f64 = (0..4)
                .map(|i| hit.weights[i] * self.x0[vertices[i] as usize].dot(hit.normal))
                .sum();
            Contact {
                vertices,
                weights: hit.weights,
                normal: hit.normal,
                surface: Vec3::ZERO,
                target: -(gap - LANDING * self.separation).max(0.0),
                friction: [0.0; 2],
            }
        });
        let fresh = stops.chain(grounded).filter_map(|c| Active::new(c, &self.inverse_mass));
        let fresh: Vec<Active> = fresh.collect();
        self.contacts.extend(fresh);
        let goal = 0.01 * self.separation;
        impulse::relax(&mut self.contacts, &self.inverse_mass, SWEEPS, goal, &mut self.v, &mut ());
    }

    /// Holds back what collides; whether anything could be.
    fn hold(&mut self, hits: &[Hit], grounded: &[Contact]) -> bool {
        let of_hits = hits.iter().flat_map(|hit| hit.pair.vertices());
        let mut vertices: Vec<u32> =
            of_hits.chain(grounded.iter().map(|contact| contact.vertices[0])).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut any = false;
        for v in vertices.into_iter().map(|v| v as usize).filter(|v| *v < self.cloth_count) {
            let moving = self.v[v] != Vec3::ZERO;
            any |= moving;
            if moving {
                self.halvings[v] += 1;
                self.v[v] *= if self.halvings[v] < HALVINGS { 0.5 } else { 0.0 };
            }
        }
        any
    }
}

/// Mean length of the triangles' sides \[m\].
fn mean_side(x: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let sides = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x[v as usize]);
        a.distance(b) + b.distance(c) + c.distance(a)
    };
    triangles.iter().map(sides).sum::<f64>() / (3 * triangles.len().max(1)) as f64
}

#[cfg(test)]
mod tests;
