//! Boxes and normal signs over a panel's cells, from single patches up to the whole panel (XU7).

use crate::curtain::mesh::{ALL_SIGNS, Mesh, Signs};
use crate::curtain::panel::Panel;
use crate::math::Vec3;

/// Most cells a patch has in each direction.
const PATCH: u32 = 2;

/// A box parallel to the axes \[m\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    const EMPTY: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    pub fn include(&mut self, x: Vec3) {
        self.low = self.low.min(x);
        self.high = self.high.max(x);
    }

    /// Whether the boxes are within `reach` of each other along every axis.
    #[inline]
    pub fn near(&self, other: &Self, reach: Vec3) -> bool {
        let gap = (other.low - self.high).max(self.low - other.high);
        gap.cmple(reach).all()
    }

    /// Centre, and half of the extent along every axis.
    pub fn center(&self) -> (Vec3, Vec3) {
        let half = (self.high - self.low) * 0.5;
        (self.low + half, half)
    }
}

/// A box of a motion, less a common drift.
///
/// Layers of cloth mostly move together, farther in a step than they are apart. What happens between two
/// features does not change if both get the same motion on top, so each box holds the end
/// positions and the start positions plus `drift`; boxes of different drifts are compared with so
/// much more reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    pub bounds: Bounds,
    pub drift: Vec3,
}

impl Swept {
    const EMPTY: Self = Self { bounds: Bounds::EMPTY, drift: Vec3::ZERO };

    #[inline]
    pub fn near(&self, other: &Self, separation: f64) -> bool {
        let reach = (self.drift - other.drift).abs() + Vec3::splat(separation);
        self.bounds.near(&other.bounds, reach)
    }

    /// The box with another drift: start positions move by the difference, end positions stay.
    fn with_drift(&self, drift: Vec3) -> Bounds {
        let change = drift - self.drift;
        Bounds {
            low: self.bounds.low + change.min(Vec3::ZERO),
            high: self.bounds.high + change.max(Vec3::ZERO),
        }
    }

    fn union(&self, other: &Self) -> Self {
        let drift = (self.drift + other.drift) * 0.5;
        let (a, b) = (self.with_drift(drift), other.with_drift(drift));
        let bounds = Bounds { low: a.low.min(b.low), high: a.high.max(b.high) };
        Self { bounds, drift }
    }
}

/// The cells in some rows and columns; ends are exclusive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub rows: [u32; 2],
    pub columns: [u32; 2],
}

impl Region {
    /// Whether the two share a vertex (or more).
    pub fn touches(&self, other: &Self) -> bool {
        let meet = |a: [u32; 2], b: [u32; 2]| a[0] <= b[1] && b[0] <= a[1];
        meet(self.rows, other.rows) && meet(self.columns, other.columns)
    }

    pub fn cells(self) -> impl Iterator<Item = [u32; 2]> {
        let [from, to] = self.columns;
        (self.rows[0]..self.rows[1]).flat_map(move |r| (from..to).map(move |c| [r, c]))
    }
}

/// A region with what bounds it. Children come before their parents in the array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub region: Region,
    /// The two halves; `None` for a patch.
    pub halves: Option<[u32; 2]>,
    /// Box of the motion during the step.
    pub swept: Swept,
    /// Directions in which all normals point, at both ends of the step.
    pub signs: Signs,
}

/// The regions of one panel; the last is the whole of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub branches: Vec<Branch>,
}

impl Tree {
    pub fn new(panel: &Panel) -> Self {
        let mut tree = Self::default();
        if panel.mesh_columns > 1 {
            tree.grow(Region {
                rows: [0, panel.rows as u32 - 1],
                columns: [0, panel.mesh_columns as u32 - 1],
            });
        }
        tree
    }

    /// Index of the whole panel, if it has cells.
    pub fn root(&self) -> Option<usize> {
        self.branches.len().checked_sub(1)
    }

    fn grow(&mut self, region: Region) -> u32 {
        let halves = divide(region).map(|[a, b]| [self.grow(a), self.grow(b)]);
        self.branches.push(Branch { region, halves, swept: Swept::EMPTY, signs: ALL_SIGNS });
        self.branches.len() as u32 - 1
    }

    /// Fits all boxes and signs to the motion from `mesh.before` to `mesh.x`.
    pub fn refit(&mut self, panel: &Panel, mesh: &Mesh) {
        for k in 0..self.branches.len() {
            let branch = &self.branches[k];
            let (swept, signs) = match branch.halves {
                Some([a, b]) => {
                    let (a, b) = (&self.branches[a as usize], &self.branches[b as usize]);
                    (a.swept.union(&b.swept), a.signs & b.signs)
                }
                None => patch(branch.region, panel, mesh),
            };
            self.branches[k].swept = swept;
            self.branches[k].signs = signs;
        }
    }
}

/// Two halves across the longer side, or `None` for a patch.
fn divide(region: Region) -> Option<[Region; 2]> {
    let extent = |side: [u32; 2]| side[1] - side[0];
    let (rows, columns) = (extent(region.rows), extent(region.columns));
    if rows.max(columns) <= PATCH {
        return None;
    }
    // Halves are whole numbers of patches, so that few patches are incomplete.
    let middle = |[from, to]: [u32; 2]| from + (to - from).div_ceil(2).next_multiple_of(PATCH);
    let (mut a, mut b) = (region, region);
    if rows >= columns {
        let at = middle(region.rows);
        (a.rows[1], b.rows[0]) = (at, at);
    } else {
        let at = middle(region.columns);
        (a.columns[1], b.columns[0]) = (at, at);
    }
    Some([a, b])
}

fn patch(region: Region, panel: &Panel, mesh: &Mesh) -> (Swept, Signs) {
    let mut bounds = Bounds::EMPTY;
    let mut signs = ALL_SIGNS;
    let [from, to] = region.columns.map(|c| c as usize);
    let [top, bottom] = region.rows.map(|r| r as usize);
    let middle = panel.first_vertex
        + usize::midpoint(top, bottom) * panel.mesh_columns
        + usize::midpoint(from, to);
    let drift = mesh.x[middle] - mesh.before[middle];
    for r in top..=bottom {
        let row = panel.first_vertex + r * panel.mesh_columns;
        for k in row + from..=row + to {
            bounds.include(mesh.x[k]);
            bounds.include(mesh.before[k] + drift);
        }
        if r < bottom {
            let cells = panel.first_cell + r * (panel.mesh_columns - 1);
            for k in cells + from..cells + to {
                signs &= mesh.signs[k] & mesh.signs_before[k];
            }
        }
    }
    (Swept { bounds, drift }, signs)
}
