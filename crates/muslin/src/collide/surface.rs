//! The triangles that can touch: cloth first, then the meshes of bodies, in one numbering.

use super::aabb::Aabb;
use super::bvh::{Apart, Bvh};
use super::candidates::{self, Candidates, Recall};
use super::flat::Flatness;
use super::solid::{Hierarchy, Solid};
use crate::cloth::TriangleRest;
use crate::math::Vec3;
use rayon::prelude::*;

/// Four vertices that could touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// A vertex and a triangle.
    PointTriangle([u32; 4]),
    /// Two edges.
    EdgeEdge([u32; 4]),
}

impl Pair {
    /// The four vertices: the first feature's, then the second's.
    #[inline]
    pub fn vertices(&self) -> [u32; 4] {
        match self {
            Self::PointTriangle(v) | Self::EdgeEdge(v) => *v,
        }
    }
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Cloth against cloth.
    pub within_cloth: bool,
    /// Cloth against bodies that have nothing but their triangles.
    pub meshes: bool,
    /// Cloth against the triangles of bodies whose exact shape keeps cloth off.
    pub exact: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Self = Self { within_cloth: true, meshes: true, exact: true };
    /// Bodies with an exact shape.
    pub const EXACT: Self = Self { within_cloth: false, meshes: false, exact: true };
    /// All but those.
    pub const SURVEYED: Self = Self { within_cloth: true, meshes: true, exact: false };

    fn has(self, body: &Hierarchy) -> bool {
        if body.exact { self.exact } else { self.meshes }
    }
}

/// Triangles of cloth and bodies with their vertices and edges handed out to them.
///
/// Every vertex and every edge is owned by one of its triangles, so that going over pairs of triangles
/// meets every vertex–triangle and every edge–edge pair exactly once.
#[derive(Clone, Debug)]
pub struct Surface {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Edges of every triangle, the one from corner 0 to 1 first.
    triangle_edges: Vec<[u32; 3]>,
    /// Bit `c`: corner `c` is owned; bit `3 + c`: the edge from corner `c` to the next is owned.
    owned: Vec<u8>,
    /// Vertices that share an edge with a vertex.
    neighbours: Neighbours,
    cloth_triangles: usize,
    cloth_vertices: usize,
    /// Cloth against cloth, in the frame that moves with the cloth's mean motion.
    within: Level,
    /// Where the cloth is too smooth to touch itself.
    flat: Option<Flatness>,
    /// Whether that is known of the motion refitted to.
    is_pruned: bool,
    /// So many times more cloth is taken for crumpled.
    crumpled_for: u32,
    /// Pairs of cloth that can meet while it moves little.
    listed: Option<Candidates>,
    /// Whether the motion refitted to is one that the list is good for.
    is_listed: bool,
    /// Cloth against bodies.
    across: Option<(Level, Vec<Hierarchy>)>,
}

/// Lists of vertices, one for every vertex, one after the other.
#[derive(Clone, Debug)]
struct Neighbours {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbours {
    fn new(edges: &[[u32; 2]], vertex_count: usize) -> Self {
        let mut ends: Vec<[u32; 2]> = edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        ends.sort_unstable();
        let before = |v: usize| ends.partition_point(|end| (end[0] as usize) < v) as u32;
        let starts = (0..=vertex_count).map(before).collect();
        Self { starts, list: ends.iter().map(|end| end[1]).collect() }
    }

    fn of(&self, v: usize) -> &[u32] {
        &self.list[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

/// A hierarchy over the cloth with the boxes of all features it is compared with.
#[derive(Clone, Debug)]
struct Level {
    tree: Bvh,
    vertices: Vec<Aabb>,
    edges: Vec<Aabb>,
    triangles: Vec<Aabb>,
}

impl Level {
    fn new(tree: Bvh) -> Self {
        Self { tree, vertices: Vec::new(), edges: Vec::new(), triangles: Vec::new() }
    }
}

/// Vertices are few when they are fewer than one in this many: for a third of them pruning takes as long as it saves.
const FEW: usize = 3;

/// Where less than this share of cloth is smooth, finding out which is takes longer than it saves \[-\]: a drape has two
/// fifths and more, a heap a tenth.
const SMOOTH: f64 = 0.25;

/// So many times crumpled cloth is not asked whether it has become smooth.
const CRUMPLED_FOR: u32 = 8;

/// Features handled by one parallel task, at least.
const MIN_FEATURES: usize = 1024;

impl Surface {
    /// Surface of `cloth` and `bodies` over one array of positions `x`, of which the first
    /// `cloth_vertices` are the cloth's.
    pub fn new(cloth: &[[u32; 3]], bodies: &[Solid], cloth_vertices: usize, x: &[Vec3]) -> Self {
        let mut triangles = cloth.to_vec();
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0;
        let tree = Bvh::new(&cloth.iter().map(centroid).collect::<Vec<_>>());
        let mut hierarchies = Vec::new();
        for solid in bodies.iter().filter(|solid| !solid.triangles.is_empty()) {
            hierarchies.push(Hierarchy::new(solid, triangles.len(), x));
            triangles.extend(&solid.triangles);
        }
        let across = (!hierarchies.is_empty()).then(|| (Level::new(tree.clone()), hierarchies));
        let (edges, triangle_edges, owned) = ownership(&triangles, x.len());
        let neighbours = Neighbours::new(&edges, x.len());
        Self {
            triangles,
            edges,
            triangle_edges,
            owned,
            neighbours,
            cloth_triangles: cloth.len(),
            cloth_vertices,
            within: Level::new(tree),
            flat: None,
            is_pruned: false,
            crumpled_for: 0,
            listed: None,
            is_listed: false,
            across,
        }
    }

    /// The same surface, which leaves out pairs where the cloth, of this rest state, is too smooth to touch
    /// itself (BF4).
    #[must_use]
    pub fn pruned(mut self, rest: &[TriangleRest]) -> Self {
        let cloth = &self.triangles[..self.cloth_triangles];
        self.flat = Some(Flatness::new(&self.within.tree, cloth, rest));
        self
    }

    /// The same surface, which remembers the pairs of cloth that can meet while it moves little. For
    /// positions `x`, as at the start.
    #[must_use]
    pub fn remembering(mut self, x: &[Vec3]) -> Self {
        let n = self.cloth_vertices;
        let cloth = &self.edges[..self.edges.partition_point(|e| (e[0] as usize) < n)];
        let length = |e: &[u32; 2]| x[e[0] as usize].distance(x[e[1] as usize]);
        let mean = cloth.iter().map(length).sum::<f64>() / cloth.len().max(1) as f64;
        self.listed = Some(Candidates::new(mean));
        self
    }

    /// All triangles, those of the cloth first.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The vertices that share an edge with vertex `v`.
    pub fn neighbours(&self, v: u32) -> &[u32] {
        self.neighbours.of(v as usize)
    }

    /// Refits to the motion from `x0` to `x1`, every box grown by `margin` \[m\].
    ///
    /// Whether cloth meets cloth does not change if all of it moves along; taking its mean motion off
    /// keeps the boxes of a falling sheet as small as those of a resting one.
    pub fn refit(&mut self, x0: &[Vec3], x1: &[Vec3], margin: f64) {
        self.refit_parts(Parts::ALL, x0, x1, margin);
    }

    /// The same for some parts; only those may then be looked at.
    pub fn refit_parts(&mut self, parts: Parts, x0: &[Vec3], x1: &[Vec3], margin: f64) {
        self.refit_for(usize::MAX, parts, x0, x1, margin);
    }

    /// The same for looking at the pairs of so many vertices. Where they are few, it takes longer to find out which of
    /// them are in smooth cloth than to look at them.
    pub fn refit_for(
        &mut self,
        vertices: usize,
        parts: Parts,
        x0: &[Vec3],
        x1: &[Vec3],
        margin: f64,
    ) {
        let n = self.cloth_vertices;
        if parts.within_cloth {
            self.is_pruned = vertices > n / FEW && self.may_be_smooth();
            self.refit_within(&x0[..n], &x1[..n], margin);
        }
        let Some((level, bodies)) = &mut self.across else { return };
        let cloth = &self.triangles[..self.cloth_triangles];
        for body in bodies.iter_mut().filter(|body| parts.has(body)) {
            if let Some(ball) = &mut body.ball {
                ball.refit(&level.tree, cloth, [x0, x1], 2.0 * margin);
            }
        }
        // Balls that no cloth can reach need no boxes; often that is all there is.
        let mut reached = bodies.iter_mut().filter(|b| parts.has(b) && !b.is_out_of_reach());
        let mut next = reached.next();
        if next.is_some() {
            level.refit((&self.triangles, &self.edges), (x0, x1), Vec3::ZERO, margin);
        }
        while let Some(Hierarchy { tree, first, .. }) = next {
            tree.refit(|t| level.triangles[t as usize + *first]);
            next = reached.next();
        }
    }

    /// Whether it is worth looking for smooth cloth. Of the pairs that meet nothing depends on it.
    fn may_be_smooth(&mut self) -> bool {
        self.crumpled_for = self.crumpled_for.saturating_sub(1);
        self.crumpled_for == 0
    }

    /// Refits what cloth meets cloth with; `x0` and `x1` are the cloth's.
    fn refit_within(&mut self, x0: &[Vec3], x1: &[Vec3], margin: f64) {
        let moved: Vec3 = x1.iter().zip(x0).map(|(x1, x0)| *x1 - *x0).sum();
        let along = moved / x0.len().max(1) as f64;
        self.is_listed = self.recall(x0, x1, margin);
        if let Some(listed) = self.listed.as_ref().filter(|_| self.is_listed) {
            let boxes = &mut self.within.vertices;
            boxes.resize(x0.len(), Aabb::EMPTY);
            for &v in listed.vertices() {
                boxes[v as usize] = swept(x0[v as usize], x1[v as usize] - along, margin);
            }
        } else {
            self.ask_within(x0, x1, along, margin);
        }
    }

    /// Whether there is a list of all pairs of cloth that can meet; makes one where that is of use.
    fn recall(&mut self, x0: &[Vec3], x1: &[Vec3], margin: f64) -> bool {
        let Some(mut listed) = self.listed.take() else { return false };
        let mut recall = listed.recall(x0, x1, margin);
        if let Recall::ListAnew(reach) = recall {
            self.is_pruned = true;
            self.ask_within(x0, x0, Vec3::ZERO, 0.5 * reach);
            let pairs = self.pairs_within(None, |pair, out| {
                if candidates::is_near(&pair, x0, reach) {
                    out.push(pair);
                }
            });
            listed.list(pairs, reach, x0);
            recall = listed.recall(x0, x1, margin);
        }
        self.listed = Some(listed);
        recall == Recall::Listed
    }

    /// Refits the hierarchy over the cloth.
    fn ask_within(&mut self, x0: &[Vec3], x1: &[Vec3], along: Vec3, margin: f64) {
        let Self {
            triangles, edges, within, flat, is_pruned, cloth_triangles, crumpled_for, ..
        } = self;
        let cloth_edges = edges.partition_point(|e| (e[0] as usize) < x0.len());
        let parts = (&triangles[..*cloth_triangles], &edges[..cloth_edges]);
        within.refit(parts, (x0, x1), along, margin);
        if let Some(flat) = flat.as_mut().filter(|_| *is_pruned) {
            flat.refit(&within.tree, parts.0, (x0, x1), 2.0 * margin);
            *crumpled_for = if flat.share() < SMOOTH { CRUMPLED_FOR } else { 0 };
        }
    }

    /// Visits every pair of features of different triangles whose boxes overlap and that share no
    /// vertex, cloth–cloth and cloth–body, each once; results in a fixed order. Those known to stay farther
    /// apart than twice the margin of the boxes may be left out, and so may those without a vertex that is
    /// marked in `touching`, if it is given.
    pub fn feature_pairs<T: Send>(
        &self,
        parts: Parts,
        touching: Option<&[bool]>,
        visit: impl Fn(Pair, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let mut found = match &self.listed {
            _ if !parts.within_cloth => Vec::new(),
            Some(listed) if self.is_listed => listed.visit(&self.within.vertices, &visit),
            _ => self.pairs_within(touching, &visit),
        };
        let Some((level, bodies)) = &self.across else { return found };
        let reached: Vec<&Hierarchy> =
            bodies.iter().filter(|b| parts.has(b) && !b.is_out_of_reach()).collect();
        if reached.is_empty() {
            return found;
        }
        let wanted = touching.map(|vertices| self.nodes_touching(level, vertices));
        for Hierarchy { tree, first, ball, .. } in reached {
            let away = ball.as_ref().map(|ball| ball.away.as_slice());
            let apart = Apart { away, wanted: wanted.as_deref(), ..Apart::default() };
            found.extend(level.tree.pairs_with(tree, apart, |a, b, out| {
                let b = b as usize + first;
                self.pairs_of(level, a as usize, b, &mut |pair| visit(pair, out));
            }));
        }
        found
    }

    /// The pairs of cloth, by the hierarchy; of certain vertices, if only those are asked for.
    fn pairs_within<T: Send>(
        &self,
        touching: Option<&[bool]>,
        visit: impl Fn(Pair, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let level = &self.within;
        let wanted = touching.map(|vertices| self.nodes_touching(level, vertices));
        let apart = Apart {
            flat: self.flat.as_ref().filter(|_| self.is_pruned),
            wanted: wanted.as_deref(),
            mutual: true,
            ..Apart::default()
        };
        level.tree.self_pairs(apart, |a, b, out| {
            self.pairs_of(level, a as usize, b as usize, &mut |pair| visit(pair, out));
        })
    }

    /// For every node over the cloth whether a triangle of it has one of the vertices.
    fn nodes_touching(&self, level: &Level, vertices: &[bool]) -> Vec<bool> {
        let has = |t: u32| self.triangles[t as usize].iter().any(|&v| vertices[v as usize]);
        level.tree.gather(false, has, |a, b| *a || *b)
    }

    /// Whether the motion last refitted to is looked up in a list.
    #[cfg(test)]
    pub(super) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// How many nodes of the hierarchy are known not to touch themselves.
    #[cfg(test)]
    pub(super) fn smooth_nodes(&self) -> usize {
        let nodes = 0..self.within.tree.node_count();
        self.flat.as_ref().map_or(0, |flat| nodes.filter(|&node| flat.within(node)).count())
    }

    #[inline]
    fn pairs_of(&self, level: &Level, a: usize, b: usize, visit: &mut impl FnMut(Pair)) {
        let (ta, tb) = (self.triangles[a], self.triangles[b]);
        let (own_a, own_b) = (self.owned[a], self.owned[b]);
        let (box_a, box_b) = (&level.triangles[a], &level.triangles[b]);
        for c in 0..3 {
            let (va, vb) = (ta[c], tb[c]);
            if own_a >> c & 1 == 1
                && level.vertices[va as usize].overlaps(box_b)
                && !tb.contains(&va)
            {
                visit(Pair::PointTriangle([va, tb[0], tb[1], tb[2]]));
            }
            if own_b >> c & 1 == 1
                && level.vertices[vb as usize].overlaps(box_a)
                && !ta.contains(&vb)
            {
                visit(Pair::PointTriangle([vb, ta[0], ta[1], ta[2]]));
            }
        }
        for c in (0..3).filter(|c| own_a >> (3 + c) & 1 == 1) {
            let i = self.triangle_edges[a][c] as usize;
            if !level.edges[i].overlaps(box_b) {
                continue;
            }
            for d in (0..3).filter(|d| own_b >> (3 + d) & 1 == 1) {
                let j = self.triangle_edges[b][d] as usize;
                if level.edges[i].overlaps(&level.edges[j]) {
                    self.edge_pair(i, j, visit);
                }
            }
        }
    }

    #[inline]
    fn edge_pair(&self, i: usize, j: usize, visit: &mut impl FnMut(Pair)) {
        let (ea, eb) = (self.edges[i], self.edges[j]);
        if !eb.contains(&ea[0]) && !eb.contains(&ea[1]) {
            let [p, q] = if ea < eb { [ea, eb] } else { [eb, ea] };
            visit(Pair::EdgeEdge([p[0], p[1], q[0], q[1]]));
        }
    }
}

impl Level {
    /// Refits all boxes to a motion, seen from a frame that moves by `along` during it.
    fn refit(
        &mut self,
        (triangles, edges): (&[[u32; 3]], &[[u32; 2]]),
        (x0, x1): (&[Vec3], &[Vec3]),
        along: Vec3,
        margin: f64,
    ) {
        let Self { tree, vertices, edges: edge_boxes, triangles: triangle_boxes } = self;
        x0.par_iter()
            .with_min_len(MIN_FEATURES)
            .zip(x1)
            .map(|(x0, x1)| swept(*x0, *x1 - along, margin))
            .collect_into_vec(vertices);
        let around = |list: &[u32]| {
            let first = vertices[list[0] as usize];
            list[1..].iter().fold(first, |sum, &v| sum.union(&vertices[v as usize]))
        };
        let boxes = edges.par_iter().with_min_len(MIN_FEATURES).map(|e| around(e));
        boxes.collect_into_vec(edge_boxes);
        let boxes = triangles.par_iter().with_min_len(MIN_FEATURES).map(|t| around(t));
        boxes.collect_into_vec(triangle_boxes);
        tree.refit(|t| triangle_boxes[t as usize]);
    }
}

/// The box of a vertex on its way, grown by a margin \[m\].
#[inline]
fn swept(start: Vec3, end: Vec3, margin: f64) -> Aabb {
    Aabb { min: start.min(end), max: start.max(end) }.grown(margin)
}

#[inline]
fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// All edges, sorted; the edges of every triangle; and what every triangle owns: a vertex or an edge
/// belongs to the first triangle that uses it.
fn ownership(
    triangles: &[[u32; 3]],
    vertex_count: usize,
) -> (Vec<[u32; 2]>, Vec<[u32; 3]>, Vec<u8>) {
    let mut taken = vec![false; vertex_count];
    let mut owned = vec![0u8; triangles.len()];
    let mut sides = Vec::with_capacity(triangles.len() * 3);
    for (t, corners) in triangles.iter().enumerate() {
        for c in 0..3 {
            let v = corners[c] as usize;
            if !taken[v] {
                taken[v] = true;
                owned[t] |= 1 << c;
            }
            sides.push((sorted(corners[c], corners[(c + 1) % 3]), t, c));
        }
    }
    sides.sort_unstable();
    let mut edges: Vec<[u32; 2]> = Vec::new();
    let mut triangle_edges = vec![[0u32; 3]; triangles.len()];
    for (edge, t, c) in sides {
        if edges.last() != Some(&edge) {
            edges.push(edge);
            owned[t] |= 1 << (3 + c);
        }
        triangle_edges[t][c] = edges.len() as u32 - 1;
    }
    (edges, triangle_edges, owned)
}

#[cfg(test)]
mod tests;
