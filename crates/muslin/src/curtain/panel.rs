//! One panel's layout: which node is where in the flat arrays, masses, second-level vertices.

use super::folds::Gap;
use super::rail::{Gaps, TieBack, spread};
use super::sections::{Rod, rods};
use super::spec::{AirResistance, PanelSpec, Top};
use crate::math::{Vec3, try_normalize};
use crate::wind::Permeability;
use std::ops::Range;

/// Layout and constants of a panel. Nodes and vertices are stored row by row, from the top.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub rows: usize,
    /// First-level columns.
    pub columns: usize,
    /// Columns of both levels.
    pub mesh_columns: usize,
    pub first_node: usize,
    pub first_vertex: usize,
    /// A cell is the quadrilateral between four vertices of the mesh.
    pub first_cell: usize,
    /// Length `l^v` of a rod of a column \[m\].
    pub rod: f64,
    /// Lengths `l^u` of the rods in the gaps, and their shares of the rail.
    pub gaps: Gaps,
    /// Least distance of the columns beside each gap: the fold between them is two layers thick \[m\].
    pub closest: Vec<f64>,
    /// Distance kept between layers, zero without collisions \[m\].
    pub thickness: f64,
    /// The sections of each gap.
    pub rods: Vec<Rod>,
    pub top: Top,
    /// Unit vectors: along the rail, down the cloth, and out of its front.
    pub frame: [Vec3; 3],
    pub permeability: Permeability,
    pub smoothing: f64,
    pub tie_backs: Vec<TieBack>,
    /// Density times the yarn's factor \[kg/m²\].
    pub density: f64,
}

impl Panel {
    /// The panel that follows `previous` in the arrays.
    pub fn new(spec: &PanelSpec, thickness: f64, previous: Option<&Self>) -> Self {
        let (start, end) = match &spec.top {
            Top::Rail(rail) => (rail.start, rail.end),
            Top::Free { start, end } => (*start, *end),
        };
        let hang = try_normalize(spec.hang).unwrap_or(Vec3::NEG_Z);
        let along = try_normalize(end - start).unwrap_or_else(|| hang.any_orthonormal_vector());
        let front =
            try_normalize(along.cross(hang)).unwrap_or_else(|| hang.any_orthonormal_vector());
        let rods = rods(&spec.gaps);
        let sections: usize = spec.gaps.iter().map(|g| g.sections.len()).sum();
        Self {
            rows: spec.rows,
            columns: spec.gaps.len() + 1,
            mesh_columns: sections + 1,
            first_node: previous.map_or(0, |p| p.nodes().end),
            first_vertex: previous.map_or(0, |p| p.vertices().end),
            first_cell: previous.map_or(0, |p| p.cells().end),
            rod: spec.height / (spec.rows - 1) as f64,
            gaps: Gaps {
                widths: spec.gaps.iter().map(|g| g.width).collect(),
                spacings: spec.gaps.iter().map(|g| g.spacing).collect(),
            },
            closest: closest(spec, thickness),
            thickness,
            rods,
            top: spec.top.clone(),
            frame: [along, hang, front],
            permeability: spec.permeability,
            smoothing: spec.smoothing,
            tie_backs: spec.tie_backs.clone(),
            density: spec.density * spec.yarn,
        }
    }

    /// Indices of the panel's nodes.
    pub fn nodes(&self) -> Range<usize> {
        self.first_node..self.first_node + self.rows * self.columns
    }

    /// Indices of the panel's vertices.
    pub fn vertices(&self) -> Range<usize> {
        self.first_vertex..self.first_vertex + self.rows * self.mesh_columns
    }

    /// Indices of the panel's cells.
    pub fn cells(&self) -> Range<usize> {
        self.first_cell..self.first_cell + (self.rows - 1) * (self.mesh_columns - 1)
    }

    /// Mesh columns of the first-level nodes of a row.
    pub fn node_columns(&self) -> impl Iterator<Item = usize> {
        let columns = self.rods.iter().map(|rod| rod.first_column);
        columns.chain(std::iter::once(self.mesh_columns - 1))
    }

    /// Whether nothing holds the top row.
    pub fn is_free(&self) -> bool {
        matches!(self.top, Top::Free { .. })
    }

    /// Places of the columns along the rail at the start \[m\].
    pub fn first_rings(&self, spec: &PanelSpec) -> Vec<f64> {
        let span = match &self.top {
            Top::Rail(rail) => rail.span_at(0.0),
            Top::Free { start, end } => start.distance(*end),
        };
        let mut rings = spread(&spec.gaps, span);
        if let Top::Rail(rail) = &self.top {
            rail.slide(&mut rings, &self.gaps, 0.0, 0.0);
        }
        rings
    }

    /// Start positions: straight columns.
    pub fn start_positions(&self, rings: &[f64]) -> impl Iterator<Item = Vec3> {
        let start = match &self.top {
            Top::Rail(rail) => rail.point(0.0),
            Top::Free { start, .. } => *start,
        };
        let [along, hang, _] = self.frame;
        let step = hang * self.rod;
        (0..self.rows).flat_map(move |i| {
            let row = start + step * i as f64;
            rings.iter().map(move |&place| row + along * place)
        })
    }

    /// Area \[m²\] that belongs to the node in row `i` and column `j`. A lone column is taken to be
    /// as wide as its rods are long.
    pub fn area(&self, i: usize, j: usize) -> f64 {
        let half = |exists: bool, length: f64| if exists { length / 2.0 } else { 0.0 };
        let down = half(i > 0, self.rod) + half(i + 1 < self.rows, self.rod);
        let across = match self.gaps.widths.len() {
            0 => self.rod,
            n => {
                half(j > 0, self.gaps.widths[j.saturating_sub(1)])
                    + half(j < n, self.gaps.widths[j.min(n - 1)])
            }
        };
        down * across
    }

    /// Mass of a node (XU2): density, yarn and area \[kg\].
    pub fn mass(&self, i: usize, j: usize) -> f64 {
        self.density * self.area(i, j)
    }

    /// Resistance coefficient of a node by its number of neighbours (XU4).
    pub fn resistance(&self, air: &AirResistance, i: usize, j: usize) -> f64 {
        let sides = [i > 0, i + 1 < self.rows, j > 0, j + 1 < self.columns];
        match sides.iter().filter(|&&s| s).count() {
            4 => air.inside,
            3 => air.border,
            _ => air.corner,
        }
    }

    /// Two triangles for every cell of the mesh.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let stride = self.mesh_columns;
        let first = self.first_vertex;
        (0..self.rows - 1).flat_map(move |r| {
            (0..stride - 1).flat_map(move |c| {
                let a = (first + r * stride + c) as u32;
                let d = a + stride as u32;
                [[a, a + 1, d + 1], [a, d + 1, d]]
            })
        })
    }
}

/// Least distances of neighbouring columns. A gap of one section has no fold, and rings may be closer.
fn closest(spec: &PanelSpec, thickness: f64) -> Vec<f64> {
    let bunched = match &spec.top {
        Top::Rail(rail) => rail.bunched,
        Top::Free { .. } => f64::INFINITY,
    };
    let least = (2.0 * thickness).min(bunched);
    let of_gap = |gap: &Gap| {
        if gap.sections.len() > 1 { least.min(0.5 * gap.width) } else { 0.0 }
    };
    spec.gaps.iter().map(of_gap).collect()
}
