//! Dynamic sticking (MF9): cloth clings to what it comes near, is carried along, and lets go when it is
//! pulled away; any number of times.
//!
//! When a vertex of the adhering region comes within the capture distance of a triangle of the sticky
//! region, its place in the triangle's own coordinates is recorded: barycentric coordinates of its foot on
//! the triangle's plane, and its height above it. From then on it is drawn to the mean of the places that
//! its triangles dictate, by a zero-length spring between *predicted* positions,
//!
//! ```text
//! F = k ((q + Δτ q̇) − (x + Δτ v)) = k (q − x) + (k Δτ)(q̇ − v),
//! ```
//!
//! which is a spring with damping `k Δτ`. A spring to the mean of n places is n springs to each of them, of
//! stiffness `k/n`. The stiffness fades as `(1 − (d/r)²)²` with the distance `d` from the mean, and at the
//! release distance `r` the vertex lets go.

use super::attachment::tie;
use super::place::{Foot, Owner, Region, Surroundings};
use super::{Spring, StepStart, Strength};
use crate::collide::distance;
use crate::math::Vec3;

/// An adhering region of cloth and the sticky region it clings to.
#[derive(Clone, Debug)]
pub struct Stick {
    /// Vertices of the adhering region.
    pub vertices: Vec<u32>,
    /// The sticky region.
    pub to: Region,
    /// Distance at which a vertex is captured \[m\].
    pub capture: f64,
    /// Distance from where it should be at which it lets go \[m\].
    pub release: f64,
    /// Stiffness `k` of each vertex' spring \[N/m\].
    pub stiffness: f64,
    /// The time Δτ over which positions are predicted \[s\].
    pub prediction: f64,
    /// Factor on the stiffness, zero where nothing sticks \[-\].
    pub strength: Strength,
}

/// A vertex stuck to a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stuck {
    /// Which [`Stick`].
    pub stick: u32,
    /// The vertex.
    pub vertex: u32,
    /// Its foot on the plane of the triangle; weights may be negative.
    pub foot: Foot,
    /// Its height above the triangle, along the normal \[m\].
    pub height: f64,
}

impl Stuck {
    fn key(&self) -> (u32, [u32; 3]) {
        (self.vertex, self.foot.corners)
    }

    /// Where the triangle says that the vertex is, of the owner's positions `x` \[m\].
    fn place(&self, x: &[Vec3]) -> Vec3 {
        self.foot.at(x) + self.foot.normal(x) * self.height
    }
}

impl Stick {
    /// What sticks during a step, sorted by vertex and triangle, and its springs.
    pub(super) fn update(
        &self,
        number: u32,
        mut stuck: Vec<Stuck>,
        start: &StepStart,
        around: &Surroundings,
    ) -> (Vec<Stuck>, Vec<Spring>) {
        let strength = self.strength.at(start.time + 0.5 * start.dt);
        if strength <= 0.0 {
            return (Vec::new(), Vec::new());
        }
        let known = stuck.len();
        let fresh = self.captured(number, start, around);
        let new = |s: &Stuck| stuck[..known].binary_search_by_key(&s.key(), Stuck::key).is_err();
        let fresh: Vec<Stuck> = fresh.into_iter().filter(new).collect();
        stuck.extend(fresh);
        stuck.sort_unstable_by_key(Stuck::key);
        let x = around.positions(self.to.owner, start);
        let (mut kept, mut springs) = (Vec::with_capacity(stuck.len()), Vec::new());
        for group in stuck.chunk_by(|a, b| a.vertex == b.vertex) {
            let mean = group.iter().map(|s| s.place(x)).sum::<Vec3>() / group.len() as f64;
            let apart = mean.distance(start.x[group[0].vertex as usize]) / self.release;
            if apart >= 1.0 {
                continue;
            }
            let fade = (1.0 - apart * apart) * (1.0 - apart * apart);
            let stiffness = strength * self.stiffness * fade / group.len() as f64;
            kept.extend_from_slice(group);
            springs.extend(group.iter().map(|s| Spring {
                stiffness,
                damping: stiffness * self.prediction,
                ..self.spring(s, start, around)
            }));
        }
        (kept, springs)
    }

    fn spring(&self, stuck: &Stuck, start: &StepStart, around: &Surroundings) -> Spring {
        let spring = tie(stuck.vertex, stuck.foot, &self.to, start, around);
        match self.to.owner {
            Owner::Cloth => Spring { height: stuck.height, ..spring },
            Owner::Body(body) => {
                let place = stuck.place(around.positions(self.to.owner, start));
                let velocity = (stuck.place(around.later(body)) - place) / start.dt;
                Spring { place, velocity, ..spring }
            }
        }
    }

    /// All pairs of an adhering vertex and a sticky triangle within the capture distance.
    fn captured(&self, number: u32, start: &StepStart, around: &Surroundings) -> Vec<Stuck> {
        let of_body = around.positions(self.to.owner, start);
        let mut sorted: Vec<(f64, u32)> =
            self.vertices.iter().map(|&v| (start.x[v as usize].x, v)).collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut found = Vec::new();
        for &corners in &self.to.triangles {
            let triangle = corners.map(|v| of_body[v as usize]);
            let [a, b, c] = triangle;
            let reach = Vec3::splat(self.capture);
            let (low, high) = (a.min(b).min(c) - reach, a.max(b).max(c) + reach);
            let first = sorted.partition_point(|(x, _)| *x < low.x);
            for &(_, vertex) in sorted[first..].iter().take_while(|(x, _)| *x <= high.x) {
                let p = start.x[vertex as usize];
                let inside = p.cmpge(low).all() && p.cmple(high).all();
                let own = self.to.owner == Owner::Cloth && corners.contains(&vertex);
                if inside
                    && !own
                    && distance::point_triangle(p, a, b, c).distance_squared
                        <= self.capture * self.capture
                {
                    let local = local_coordinates(p, triangle);
                    found.extend(local.map(|(weights, height)| Stuck {
                        stick: number,
                        vertex,
                        foot: Foot { corners, weights },
                        height,
                    }));
                }
            }
        }
        found
    }
}

/// Barycentric coordinates of the foot of `p` on the triangle's plane, and the height above it; `None` for
/// a triangle without area.
fn local_coordinates(p: Vec3, [a, b, c]: [Vec3; 3]) -> Option<([f64; 3], f64)> {
    let (e, f, d) = (b - a, c - a, p - a);
    let normal = e.cross(f);
    let squared = normal.length_squared();
    if squared <= 0.0 {
        return None;
    }
    let (u, v) = (d.cross(f).dot(normal) / squared, e.cross(d).dot(normal) / squared);
    Some(([1.0 - u - v, u, v], d.dot(normal) / squared.sqrt()))
}
