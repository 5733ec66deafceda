//! The mesh of both levels: positions, normals, and the curvature test's normal signs.

use super::panel::Panel;
use super::{layout, sections};
use crate::math::{Vec2, Vec3, try_normalize};

/// Signs of a normal along seven directions, one bit for each direction and its opposite: set if
/// the normal points that way. A region whose masks have a common bit has all its normals in one half
/// space, so it does not fold back on itself (XU7, curvature pruning).
pub(super) type Signs = u16;

/// No normals seen yet: every direction is possible.
pub(super) const ALL_SIGNS: Signs = (1 << 14) - 1;

/// How a vertex follows the first-level nodes: `x ≈ (1 − w) x_a + w x_b + fold`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub nodes: [u32; 2],
    /// Weights of the two nodes; their sum is 1.
    pub weights: [f64; 2],
}

/// Vertices of all panels.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    /// Positions \[m\].
    pub x: Vec<Vec3>,
    /// Positions at the start of the step \[m\].
    pub before: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub v: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Rest coordinates of the corners of every triangle \[m\].
    pub uv: Vec<[Vec2; 3]>,
    pub support: Vec<Support>,
    /// Twice the area normal of each cell.
    cell_normals: Vec<Vec3>,
    /// Signs of the normals of each cell's two triangles, now and at the start of the step.
    pub signs: Vec<Signs>,
    pub signs_before: Vec<Signs>,
}

impl Mesh {
    /// Adds a panel whose nodes are at `x`.
    pub fn add(&mut self, panel: &Panel, x: &[Vec3]) {
        self.triangles.extend(panel.triangles());
        let rest = layout::rest(panel);
        let at = |v: u32| rest[v as usize - panel.first_vertex];
        self.uv.extend(panel.triangles().map(|t| t.map(at)));
        for i in 0..panel.rows {
            let first = (panel.first_node + i * panel.columns) as u32;
            for (j, rod) in panel.rods.iter().enumerate() {
                let node = first + j as u32;
                self.support.extend(
                    rod.fractions[..rod.sections]
                        .iter()
                        .map(|&w| Support { nodes: [node, node + 1], weights: [1.0 - w, w] }),
                );
            }
            let last = first + panel.rods.len() as u32;
            self.support.push(Support { nodes: [last, last], weights: [1.0, 0.0] });
        }
        let vertices = panel.vertices().end;
        for vectors in [&mut self.x, &mut self.before, &mut self.v] {
            vectors.resize(vertices, Vec3::ZERO);
        }
        self.normals.resize(vertices, panel.frame[2]);
        self.cell_normals.resize(panel.cells().end, Vec3::ZERO);
        self.signs.resize(panel.cells().end, ALL_SIGNS);
        self.signs_before.resize(panel.cells().end, ALL_SIGNS);
        self.place(panel, x, 0);
        self.finish_normals(panel);
    }

    /// Makes the present place the start of a step; all panels have to be placed anew.
    pub fn begin_step(&mut self) {
        std::mem::swap(&mut self.before, &mut self.x);
        std::mem::swap(&mut self.signs_before, &mut self.signs);
    }

    /// Places the panel's vertices for the nodes `x` and finds the cells' normals, where these nodes
    /// have changed from `changed_row` on.
    pub fn place(&mut self, panel: &Panel, x: &[Vec3], changed_row: usize) {
        let vertices = &mut self.x[panel.vertices()];
        // A row's folds depend on the rows above and below, a cell on its own and the next row.
        sections::place(panel, x, vertices, changed_row.saturating_sub(1));
        self.measure_cells(panel, changed_row.saturating_sub(2));
    }

    /// Finds the normals of the panel's cells from `first_row` on.
    pub fn measure_cells(&mut self, panel: &Panel, first_row: usize) {
        let vertices = &self.x[panel.vertices()];
        let (m, cells) = (panel.mesh_columns, panel.mesh_columns - 1);
        if cells == 0 {
            return;
        }
        let collides = panel.thickness > 0.0;
        let normals = self.cell_normals[panel.cells()].chunks_exact_mut(cells);
        let signs = self.signs[panel.cells()].chunks_exact_mut(cells);
        let rows = normals.zip(signs).enumerate();
        for (r, (normals, signs)) in rows.skip(first_row) {
            let upper = vertices[r * m..(r + 1) * m].windows(2);
            let lower = vertices[(r + 1) * m..(r + 2) * m].windows(2);
            let cells = normals.iter_mut().zip(signs).zip(upper.zip(lower));
            for ((normal, signs), (upper, lower)) in cells {
                let diagonal = lower[1] - upper[0];
                let right = (upper[1] - upper[0]).cross(diagonal);
                let left = diagonal.cross(lower[0] - upper[0]);
                *normal = right + left;
                if collides {
                    *signs = signs_of(right, &panel.frame) & signs_of(left, &panel.frame);
                }
            }
        }
    }

    /// Mean unit normals of the panel's vertices from its cells.
    pub fn finish_normals(&mut self, panel: &Panel) {
        let (m, cells) = (panel.mesh_columns, panel.mesh_columns - 1);
        if cells == 0 {
            return;
        }
        let all = &self.cell_normals[panel.cells()];
        let row_of_cells = |r: usize| &all[r * cells..(r + 1) * cells];
        let rows = self.normals[panel.vertices()].chunks_exact_mut(m);
        for (r, normals) in rows.enumerate() {
            let above = row_of_cells(r.saturating_sub(1));
            let below = row_of_cells(r.min(panel.rows - 2));
            let mut left = above[0] + below[0];
            for (c, normal) in normals.iter_mut().enumerate() {
                let right = above[c.min(cells - 1)] + below[c.min(cells - 1)];
                *normal = try_normalize(left + right).unwrap_or(panel.frame[2]);
                left = right;
            }
        }
    }

    /// Velocities from the motion during a step of `dt` \[s\].
    pub fn finish_velocities(&mut self, dt: f64) {
        let rate = 1.0 / dt;
        for ((v, &x), &before) in self.v.iter_mut().zip(&self.x).zip(&self.before) {
            *v = (x - before) * rate;
        }
    }

    /// Velocities from those of the nodes.
    pub fn carry_velocities(&mut self, nodes: &[Vec3]) {
        for (v, support) in self.v.iter_mut().zip(&self.support) {
            let [a, b] = support.nodes.map(|n| nodes[n as usize]);
            *v = a * support.weights[0] + b * support.weights[1];
        }
    }
}

/// Signs of `n` along the panel's front, the four directions half way from there to its edges,
/// along the rail and down.
#[inline]
fn signs_of(n: Vec3, &[along, down, front]: &[Vec3; 3]) -> Signs {
    let (a, d, f) = (n.dot(along), n.dot(down), n.dot(front));
    let negative = |value: f64, bit: u32| ((value.to_bits() >> 63) as Signs) << bit;
    let signs = negative(f, 0)
        | negative(f + a, 1)
        | negative(f - a, 2)
        | negative(f + d, 3)
        | negative(f - d, 4)
        | negative(a, 5)
        | negative(d, 6);
    signs | ((!signs & 0x7f) << 7)
}
