//! Segments that are kept as edges, and edges that are taken out.

use super::{Cdt, FAR, NONE, orient};
use std::collections::VecDeque;

impl Cdt {
    /// Forces the segment between two vertices to be edges and fixes them. `Err` gives a fixed
    /// edge that it would cross.
    pub fn fix_segment(&mut self, a: u32, b: u32) -> Result<(), [u32; 2]> {
        let (mut a, b) = (a + FAR as u32, b + FAR as u32);
        // Each round ends at the next vertex on the segment.
        while a != b {
            a = self.fix_to_next_vertex(a, b)?;
        }
        Ok(())
    }

    fn fix_to_next_vertex(&mut self, a: u32, b: u32) -> Result<u32, [u32; 2]> {
        let (end, mut crossed) = self.crossed_edges(a, b)?;
        let mut made = Vec::new();
        // Every edge becomes flippable in turn (Sloan 1993); the bound only guards the loop.
        let mut budget = 16 + crossed.len() * (crossed.len() + 16);
        while let Some([p, q]) = crossed.pop_front() {
            budget = budget.saturating_sub(1);
            if budget == 0 {
                return Err([p - FAR as u32, q - FAR as u32]);
            }
            let Some((t, side)) = self.find_edge(p, q) else { continue };
            if !self.is_convex(t, side) {
                crossed.push_back([p, q]);
                continue;
            }
            self.flip(t, side);
            // The new diagonal is the side of t opposite its corner 1.
            let corners = self.triangles[t as usize].corners;
            let (r, s) = (corners[2], corners[0]);
            if self.crosses(r, s, a, end) {
                crossed.push_back([r, s]);
            } else {
                made.push([r, s]);
            }
        }
        self.fix_edge(a, end);
        let mut suspects: Vec<_> = made.iter().filter_map(|&[p, q]| self.find_edge(p, q)).collect();
        self.legalize(&mut suspects);
        Ok(end)
    }

    /// The edges between `a` and the next vertex on the way to `b`.
    fn crossed_edges(&self, a: u32, b: u32) -> Result<(u32, VecDeque<[u32; 2]>), [u32; 2]> {
        let (pa, pb) = (self.points[a as usize], self.points[b as usize]);
        let mut crossed = VecDeque::new();
        let turn = |v: u32| orient(pa, pb, self.points[v as usize]);
        let mut start = None;
        for (t, corner) in self.fan(a) {
            let [p, q] = self.side(t, corner);
            for v in [p, q] {
                if v == b {
                    return Ok((b, crossed));
                }
                let ahead = (self.points[v as usize] - pa).dot(pb - pa) > 0.0;
                if ahead && turn(v) == 0.0 {
                    return Ok((v, crossed));
                }
            }
            // p lies to the right and q to the left of the segment.
            if turn(p) < 0.0 && turn(q) > 0.0 {
                start = Some((t, corner));
            }
        }
        let Some((mut t, mut side)) = start else {
            return Err([a - FAR as u32, b - FAR as u32]);
        };
        loop {
            let [p, q] = self.side(t, side);
            let next = self.triangles[t as usize].neighbors[side];
            if next == NONE || self.triangles[t as usize].fixed[side] {
                return Err([p.saturating_sub(FAR as u32), q.saturating_sub(FAR as u32)]);
            }
            crossed.push_back([p, q]);
            let back = self.side_towards(next, t);
            let apex = self.triangles[next as usize].corners[back];
            if apex == b || turn(apex) == 0.0 {
                return Ok((apex, crossed));
            }
            // Leave through the side that the segment crosses: the apex replaces p or q.
            let leaving = if turn(apex) > 0.0 { q } else { p };
            side = self.corner_of(next, leaving);
            t = next;
        }
    }

    /// Triangles around a vertex with the corner it is.
    pub(super) fn fan(&self, v: u32) -> Vec<(u32, usize)> {
        let start = self.triangle_of[v as usize];
        let mut around = Vec::with_capacity(8);
        let mut t = start;
        while t != NONE && around.len() <= self.triangles.len() {
            let corner = self.corner_of(t, v);
            around.push((t, corner));
            t = self.triangles[t as usize].neighbors[(corner + 1) % 3];
            if t == start {
                break;
            }
        }
        around
    }

    fn corner_of(&self, t: u32, v: u32) -> usize {
        self.triangles[t as usize].corners.iter().position(|&w| w == v).unwrap_or(0)
    }

    pub(super) fn find_edge(&self, p: u32, q: u32) -> Option<(u32, usize)> {
        self.fan(p).into_iter().find_map(|(t, corner)| {
            let corners = self.triangles[t as usize].corners;
            if corners[(corner + 1) % 3] == q {
                return Some((t, (corner + 2) % 3));
            }
            (corners[(corner + 2) % 3] == q).then_some((t, (corner + 1) % 3))
        })
    }

    /// Whether the two triangles at a side form a strictly convex quadrangle.
    fn is_convex(&self, t: u32, side: usize) -> bool {
        let triangle = &self.triangles[t as usize];
        let u = triangle.neighbors[side];
        if u == NONE {
            return false;
        }
        let at = |v: u32| self.points[v as usize];
        let [b, c] = self.side(t, side).map(at);
        let a = at(triangle.corners[side]);
        let d = at(self.triangles[u as usize].corners[self.side_towards(u, t)]);
        orient(a, b, d) > 0.0 && orient(a, d, c) > 0.0
    }

    fn crosses(&self, r: u32, s: u32, a: u32, b: u32) -> bool {
        if [r, s].iter().any(|&v| v == a || v == b) {
            return false;
        }
        let at = |v: u32| self.points[v as usize];
        let (sr, ss) = (orient(at(a), at(b), at(r)), orient(at(a), at(b), at(s)));
        (sr > 0.0 && ss < 0.0) || (sr < 0.0 && ss > 0.0)
    }

    fn fix_edge(&mut self, a: u32, b: u32) {
        if let Some((t, side)) = self.find_edge(a, b) {
            self.triangles[t as usize].fixed[side] = true;
            let u = self.triangles[t as usize].neighbors[side];
            if u != NONE {
                let back = self.side_towards(u, t);
                self.triangles[u as usize].fixed[back] = true;
            }
        }
    }

    /// Takes the edge between two vertices out of the mesh: flips it and fixes the new edge when
    /// the angles allow it (`least_angle` \[rad\]) and `welcome` approves the new edge, else
    /// splits it in the middle. Gives the new vertex, if any.
    pub fn remove_edge(
        &mut self,
        a: u32,
        b: u32,
        least_angle: f64,
        welcome: impl Fn(u32, u32) -> bool,
    ) -> Option<u32> {
        let (p, q) = (a + FAR as u32, b + FAR as u32);
        let (t, side) = self.find_edge(p, q)?;
        let triangle = self.triangles[t as usize];
        let u = triangle.neighbors[side];
        if triangle.fixed[side] || u == NONE {
            return None;
        }
        let c = triangle.corners[side];
        let d = self.triangles[u as usize].corners[self.side_towards(u, t)];
        let at = |v: u32| self.points[v as usize];
        let smallest = crate::panel_mesh::least_angle([at(c), at(p), at(d)])
            .min(crate::panel_mesh::least_angle([at(c), at(q), at(d)]));
        if self.is_convex(t, side)
            && smallest >= least_angle
            && welcome(c - FAR as u32, d - FAR as u32)
        {
            self.flip(t, side);
            self.fix_edge(c, d);
            return None;
        }
        let middle = 0.5 * (at(p) + at(q));
        let new = self.points.len() as u32;
        self.points.push(middle);
        self.triangle_of.push(NONE);
        let mut suspects = Vec::new();
        self.split_side(t, side, new, &mut suspects);
        Some(new - FAR as u32)
    }
}

impl Cdt {
    /// Vertices of a triangle and of its neighbours, without the far points.
    pub fn around(&self, t: u32) -> Vec<u32> {
        let triangle = &self.triangles[t as usize];
        let beside = triangle.neighbors.iter().filter(|&&n| n != NONE);
        let far = FAR as u32;
        beside
            .map(|&n| self.triangles[n as usize].corners)
            .chain([triangle.corners])
            .flatten()
            .filter_map(|v| v.checked_sub(far))
            .collect()
    }
}
