//! Finding collisions between frames: vertex–triangle and edge–edge pairs (XU7).

use super::tree::{Bounds, Region, Tree};
use crate::collide::ccd::{self, Impact};
use crate::curtain::mesh::Mesh;
use crate::curtain::panel::Panel;
use crate::math::Vec3;

/// Two features that come too close during the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Vertices of both features.
    pub vertices: [u32; 4],
    /// Closest points at the impact, positive for the first feature: `Σ w = 0`.
    pub weights: [f64; 4],
    /// From the second feature to the first.
    pub normal: Vec3,
    /// Whether the features are a vertex and a triangle; two edges otherwise.
    pub point_triangle: bool,
}

impl Contact {
    /// Whether the features come closer than `separation` \[m\] during the step.
    pub fn is_closer(&self, mesh: &Mesh, separation: f64) -> bool {
        impact(mesh, self.vertices, self.point_triangle, separation).is_some()
    }
}

/// The exact test of a vertex and a triangle, or of two edges.
fn impact(
    mesh: &Mesh,
    vertices: [u32; 4],
    point_triangle: bool,
    separation: f64,
) -> Option<Impact> {
    let x0 = vertices.map(|v| mesh.before[v as usize]);
    let x1 = vertices.map(|v| mesh.x[v as usize]);
    if point_triangle {
        ccd::point_triangle(&x0, &x1, separation)
    } else {
        ccd::edge_edge(&x0, &x1, separation)
    }
}

/// Contacts in a buffer of fixed size.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub list: Vec<Contact>,
    /// Found but not kept for lack of room.
    pub dropped: usize,
    /// Pairs of features given to the exact test.
    pub tested: usize,
}

impl Contacts {
    pub fn with_capacity(capacity: usize) -> Self {
        Self { list: Vec::with_capacity(capacity), ..Self::default() }
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.dropped = 0;
        self.tested = 0;
    }

    fn push(&mut self, contact: Contact) {
        if self.list.len() < self.list.capacity() {
            self.list.push(contact);
        } else {
            self.dropped += 1;
        }
    }
}

/// One panel and its tree.
#[derive(Clone, Copy)]
struct Side<'a> {
    panel: &'a Panel,
    tree: &'a Tree,
}

/// A search for contacts at distances below `separation` \[m\].
pub(super) struct Search<'a> {
    pub mesh: &'a Mesh,
    pub separation: f64,
    pub contacts: &'a mut Contacts,
}

impl Search<'_> {
    /// Collects the contacts within and between all panels, in a fixed order.
    pub fn run(&mut self, panels: &[Panel], trees: &[Tree]) {
        for (k, (panel, tree)) in panels.iter().zip(trees).enumerate() {
            let side = Side { panel, tree };
            let Some(root) = tree.root() else { continue };
            self.within(side, root);
            for (other, other_tree) in panels[k + 1..].iter().zip(&trees[k + 1..]) {
                if let Some(other_root) = other_tree.root() {
                    let other = Side { panel: other, tree: other_tree };
                    self.between([side, other], [root, other_root], false);
                }
            }
        }
    }

    /// A region against itself. Normals that share a half space end the search (XU7, curvature).
    fn within(&mut self, side: Side, index: usize) {
        let branch = &side.tree.branches[index];
        if branch.signs != 0 {
            return;
        }
        if let Some(halves) = branch.halves {
            let [a, b] = halves.map(|h| h as usize);
            self.within(side, a);
            self.within(side, b);
            self.between([side, side], [a, b], true);
            return;
        }
        let cells = || branch.region.cells();
        for (n, a) in cells().enumerate() {
            self.cell_alone(side, a);
            for b in cells().skip(n + 1) {
                self.cell_pair([side, side], [a, b]);
            }
        }
    }

    /// A region against another, of the same or another panel.
    fn between(&mut self, sides: [Side; 2], index: [usize; 2], same: bool) {
        let a = &sides[0].tree.branches[index[0]];
        let b = &sides[1].tree.branches[index[1]];
        if !a.swept.near(&b.swept, self.separation) {
            return;
        }
        if same && a.signs & b.signs != 0 && a.region.touches(&b.region) {
            return;
        }
        let larger = |halves: Option<[u32; 2]>, region: &Region| {
            let extent = |side: [u32; 2]| side[1] - side[0];
            halves.map_or(0, |_| extent(region.rows) * extent(region.columns))
        };
        let (size_a, size_b) = (larger(a.halves, &a.region), larger(b.halves, &b.region));
        match (a.halves, b.halves) {
            (Some(halves), _) if size_a >= size_b => {
                for half in halves {
                    self.between(sides, [half as usize, index[1]], same);
                }
            }
            (_, Some(halves)) => {
                for half in halves {
                    self.between(sides, [index[0], half as usize], same);
                }
            }
            _ => {
                for cell_a in a.region.cells() {
                    for cell_b in b.region.cells() {
                        self.cell_pair(sides, [cell_a, cell_b]);
                    }
                }
            }
        }
    }

    /// The features owned by two cells against each other.
    fn cell_pair(&mut self, sides: [Side; 2], cells: [[u32; 2]; 2]) {
        let corners = [0, 1].map(|k| corners(sides[k].panel, cells[k]));
        let vertex = corners[0][0] as usize;
        let drift = self.mesh.x[vertex] - self.mesh.before[vertex];
        let bounds = corners.map(|c| self.bounds_of(&c, drift));
        let reach = Vec3::splat(self.separation);
        if !bounds[0].near(&bounds[1], reach) {
            return;
        }
        let owned = [0, 1].map(|k| Owned::new(sides[k].panel, cells[k], corners[k]));
        for [k, l] in [[0, 1], [1, 0]] {
            let [a, b, c, d] = corners[l];
            for &p in owned[k].vertices() {
                if !self.bounds_of(&[p], drift).near(&bounds[l], reach) {
                    continue;
                }
                for [t0, t1, t2] in [[a, b, c], [a, c, d]] {
                    self.test([p, t0, t1, t2], true, drift);
                }
            }
        }
        for edge in owned[0].edges() {
            if !self.bounds_of(edge, drift).near(&bounds[1], reach) {
                continue;
            }
            for other in owned[1].edges() {
                self.test([edge[0], edge[1], other[0], other[1]], false, drift);
            }
        }
    }

    /// The features owned by one cell against each other. Most cells own three edges that meet.
    fn cell_alone(&mut self, side: Side, cell: [u32; 2]) {
        let corners = corners(side.panel, cell);
        let owned = Owned::new(side.panel, cell, corners);
        let [a, b, c, d] = corners;
        for &p in &owned.vertices()[1..] {
            for [t0, t1, t2] in [[a, b, c], [a, c, d]] {
                self.test([p, t0, t1, t2], true, Vec3::ZERO);
            }
        }
        for (k, &[p, q]) in owned.edges().iter().enumerate().skip(3) {
            for &[r, s] in &owned.edges()[..k] {
                self.test([p, q, r, s], false, Vec3::ZERO);
            }
        }
    }

    /// Tests a pair of features and keeps the contact if there is one.
    fn test(&mut self, vertices: [u32; 4], point_triangle: bool, drift: Vec3) {
        let first = if point_triangle { 1 } else { 2 };
        let (a, b) = vertices.split_at(first);
        if a.iter().any(|v| b.contains(v)) {
            return;
        }
        let bounds = [a, b].map(|feature| self.bounds_of(feature, drift));
        if !bounds[0].near(&bounds[1], Vec3::splat(self.separation)) {
            return;
        }
        self.contacts.tested += 1;
        let found = impact(self.mesh, vertices, point_triangle, self.separation);
        if let Some(Impact { weights, normal, .. }) = found {
            self.contacts.push(Contact { vertices, weights, normal, point_triangle });
        }
    }

    /// Box of the vertices' motion less `drift`, see [`Swept`](super::tree::Swept).
    #[inline]
    fn bounds_of(&self, vertices: &[u32], drift: Vec3) -> Bounds {
        let x = self.mesh.x[vertices[0] as usize];
        let mut bounds = Bounds { low: x, high: x };
        for &v in vertices {
            bounds.include(self.mesh.x[v as usize]);
            bounds.include(self.mesh.before[v as usize] + drift);
        }
        bounds
    }
}

/// Vertices of a cell: upper left, upper right, lower right, lower left.
fn corners(panel: &Panel, [row, column]: [u32; 2]) -> [u32; 4] {
    let stride = panel.mesh_columns as u32;
    let a = panel.first_vertex as u32 + row * stride + column;
    [a, a + 1, a + stride + 1, a + stride]
}

/// Vertices and edges that belong to a cell, so that each is tested once: the upper left corner and
/// the three edges from it; cells at the right and lower border have those of the border too.
struct Owned {
    vertices: [u32; 4],
    vertex_count: usize,
    edges: [[u32; 2]; 5],
    edge_count: usize,
}

impl Owned {
    fn new(panel: &Panel, [row, column]: [u32; 2], [a, b, c, d]: [u32; 4]) -> Self {
        let mut owned = Self {
            vertices: [a; 4],
            vertex_count: 1,
            edges: [[a, b], [a, d], [a, c], [a, a], [a, a]],
            edge_count: 3,
        };
        let last_column = column as usize + 2 == panel.mesh_columns;
        let last_row = row as usize + 2 == panel.rows;
        if last_column {
            owned.add([b, c], b);
        }
        if last_row {
            owned.add([d, c], d);
        }
        if last_column && last_row {
            owned.vertices[owned.vertex_count] = c;
            owned.vertex_count += 1;
        }
        owned
    }

    fn add(&mut self, edge: [u32; 2], vertex: u32) {
        self.edges[self.edge_count] = edge;
        self.edge_count += 1;
        self.vertices[self.vertex_count] = vertex;
        self.vertex_count += 1;
    }

    fn vertices(&self) -> &[u32] {
        &self.vertices[..self.vertex_count]
    }

    fn edges(&self) -> &[[u32; 2]] {
        &self.edges[..self.edge_count]
    }
}
