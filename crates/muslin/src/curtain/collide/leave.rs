//! Cloth leaves obstacles: vertices, edges at their deepest point, triangles at the corners of boxes (XU7).

use super::respond::{Combination, Response, slowed};
use crate::curtain::mesh::Mesh;
use crate::curtain::nodes::Nodes;
use crate::curtain::obstacle::{Obstacle, corner_through, deepest_on_edge};
use crate::math::Vec3;

/// How cloth is pushed out of obstacles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving<'a> {
    pub nodes: &'a Nodes,
    pub mesh: &'a Mesh,
    /// Distance to keep \[m\].
    pub thickness: f64,
    /// Length of the step \[s\].
    pub dt: f64,
    /// Whether to push across the rods. A push along a rod is taken back when the rod gets its length again, so
    /// what is left after straight pushes is led around.
    pub across: bool,
}

/// A vertex with a weight, and where it is after the shifts so far \[m\].
type Point = (u32, f64, Vec3);

impl Response {
    /// Pushes the vertex out of the obstacle to a distance of the thickness and slows its
    /// sliding on the surface; returns whether it was closer.
    ///
    /// The push is shared between the vertex's nodes; held nodes stay.
    pub fn leave(&mut self, vertex: u32, obstacle: &Obstacle, law: &Leaving) -> bool {
        let x = self.shifted(vertex, law.mesh);
        obstacle.probe(x).distance < law.thickness
            && self.push_out(&[(vertex, 1.0, x)], (x, law.thickness), obstacle, law)
    }

    /// Pushes an edge that reaches into the obstacle between its ends out to half of the thickness, at its
    /// deepest point; returns whether it had to.
    ///
    /// Half, because an edge between two vertices at the whole distance from a round obstacle is
    /// closer to it, and may be.
    pub fn leave_edge(&mut self, edge: [u32; 2], obstacle: &Obstacle, law: &Leaving) -> bool {
        let ends = edge.map(|vertex| self.shifted(vertex, law.mesh));
        let reach = 0.5 * law.thickness;
        let Some(deep) = deepest_on_edge(obstacle, ends, reach) else { return false };
        let points = [(edge[0], 1.0 - deep.share, ends[0]), (edge[1], deep.share, ends[1])];
        self.push_out(&points, (ends[0].lerp(ends[1], deep.share), reach), obstacle, law)
    }

    /// Pushes a triangle off the corners of a box that reach through it, to half of the thickness;
    /// returns how many do.
    pub fn leave_corners(
        &mut self,
        triangle: [u32; 3],
        (obstacle, corners): (&Obstacle, &[Vec3; 8]),
        law: &Leaving,
    ) -> usize {
        let reach = 0.5 * law.thickness;
        let mut count = 0;
        let mut x = triangle.map(|vertex| self.shifted(vertex, law.mesh));
        for &corner in corners {
            let Some(through) = corner_through(obstacle, corner, x, reach) else { continue };
            let points = [0, 1, 2].map(|k| (triangle[k], through.weights[k], x[k]));
            let push = through.normal * (reach + through.depth);
            count += usize::from(self.push(&points, push, law.nodes, law.mesh));
            x = triangle.map(|vertex| self.shifted(vertex, law.mesh));
        }
        count
    }

    /// Pushes the point `x` between vertices to `wanted` \[m\] from the obstacle, and slows its sliding;
    /// returns whether anything there can move.
    fn push_out(
        &mut self,
        points: &[Point],
        (x, wanted): (Vec3, f64),
        obstacle: &Obstacle,
        law: &Leaving,
    ) -> bool {
        if law.across {
            let rods = points.iter().map(|&(vertex, weight, _)| {
                let node = law.mesh.support[vertex as usize].nodes[0];
                law.nodes.rod[node as usize] * weight
            });
            let push = obstacle.way_out(x, wanted, rods.sum());
            return self.push(points, push, law.nodes, law.mesh);
        }
        let probe = obstacle.probe(x);
        let lacking = wanted - probe.distance;
        let mut motion = obstacle.velocity * -law.dt;
        for &(vertex, weight, x) in points {
            motion += (x - law.mesh.before[vertex as usize]) * weight;
        }
        let slowed = slowed(motion, probe.normal, obstacle.friction * lacking);
        self.push(points, probe.normal * lacking - slowed, law.nodes, law.mesh)
    }

    /// Moves a point between vertices by `push` \[m\], shared between the nodes that can move; returns whether
    /// there are any.
    fn push(&mut self, points: &[Point], push: Vec3, nodes: &Nodes, mesh: &Mesh) -> bool {
        let mut sum = Combination::default();
        for &(vertex, weight, _) in points {
            let support = &mesh.support[vertex as usize];
            for k in 0..2 {
                if nodes.mobility[support.nodes[k] as usize] > 0.0 {
                    sum.add(support.nodes[k], weight * support.weights[k]);
                }
            }
        }
        let norm: f64 = sum.terms().map(|(_, factor)| factor * factor).sum();
        if norm == 0.0 {
            return false;
        }
        for (node, factor) in sum.terms() {
            self.shift[node] += push * (factor / norm);
        }
        true
    }
}
