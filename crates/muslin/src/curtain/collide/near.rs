//! What of a panel is near an obstacle (XU7).

use super::tree::{Branch, Tree};
use crate::curtain::mesh::Mesh;
use crate::curtain::obstacle::{Obstacle, Probe};
use crate::curtain::panel::Panel;

impl Tree {
    /// Calls `visit` for the vertices of all patches within `reach` \[m\] of the obstacle, each once.
    pub fn near(&self, obstacle: &Obstacle, panel: &Panel, reach: f64, mut visit: impl FnMut(u32)) {
        if let Some(root) = self.root() {
            self.near_branch(root, obstacle, (panel, reach), &mut visit);
        }
    }

    fn near_branch(
        &self,
        index: usize,
        obstacle: &Obstacle,
        (panel, reach): (&Panel, f64),
        visit: &mut impl FnMut(u32),
    ) {
        let branch = &self.branches[index];
        // Obstacles are convex: all of one lies behind the plane through its point nearest to the centre. The
        // box holds the end positions.
        let (center, half) = branch.swept.bounds.center();
        let probe = obstacle.probe(center);
        if probe.distance > probe.normal.abs().dot(half) + reach {
            return;
        }
        if let Some(halves) = branch.halves {
            for half in halves {
                self.near_branch(half as usize, obstacle, (panel, reach), visit);
            }
            return;
        }
        branch.vertices(panel).for_each(visit);
    }
}

/// The other ends of the edges that begin at `vertex`: to the right, below, and along the diagonal.
pub(super) fn edges_from(vertex: u32, panel: &Panel) -> impl Iterator<Item = u32> {
    let (stride, local) = (panel.mesh_columns, vertex as usize - panel.first_vertex);
    let right = local % stride + 1 < stride;
    let below = local / stride + 1 < panel.rows;
    let stride = stride as u32;
    let ends = [(right, 1), (below, stride), (right && below, stride + 1)];
    ends.into_iter().filter_map(move |(exists, step)| exists.then_some(vertex + step))
}

/// A lower bound of the distance \[m\] between an obstacle and the edges and triangles that begin at `vertex`, where
/// the obstacle was probed: it is convex, so all of it lies behind the plane through its nearest point.
pub(super) fn clearance(probe: Probe, vertex: u32, panel: &Panel, mesh: &Mesh) -> f64 {
    let from = mesh.x[vertex as usize];
    let rises = edges_from(vertex, panel).map(|v| probe.normal.dot(mesh.x[v as usize] - from));
    probe.distance + rises.fold(0.0, f64::min)
}

/// The triangles of the cell to the right of and below `vertex`.
pub(super) fn triangles_from(vertex: u32, panel: &Panel) -> impl Iterator<Item = [u32; 3]> {
    let (columns, local) = (panel.mesh_columns, vertex as usize - panel.first_vertex);
    let exists = local % columns + 1 < columns && local / columns + 1 < panel.rows;
    let stride = columns as u32;
    let [a, b, c, d] = [vertex, vertex + 1, vertex + stride + 1, vertex + stride];
    let triangles = [[a, b, c], [a, c, d]];
    triangles.into_iter().filter(move |_| exists)
}

impl Branch {
    /// Vertices of the region; those on its right and lower border only where the panel ends.
    fn vertices(&self, panel: &Panel) -> impl Iterator<Item = u32> {
        let end = |last: u32, size: usize| last + u32::from(last as usize + 1 == size);
        let rows = self.region.rows[0]..end(self.region.rows[1], panel.rows);
        let columns = self.region.columns[0]..end(self.region.columns[1], panel.mesh_columns);
        let first = panel.first_vertex as u32;
        let stride = panel.mesh_columns as u32;
        rows.flat_map(move |r| columns.clone().map(move |c| first + r * stride + c))
    }
}
