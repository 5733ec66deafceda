//! Where cells are split: level by level, near the surface, until interpolation is as good as asked.

use super::lattice::{Lattice, Point, corner, key, point};
use super::march::March;
use super::solid::Solid;
use super::{Resolution, tree::Nearest};
use rayon::prelude::*;

/// How much of the distance beyond the band may be added to the error there \[-\].
const FAR_SLACK: f64 = 0.02;

/// Share of the tolerance that cells are held to at the points where they are looked at \[-\]: the error between
/// them may be larger.
///
/// In a cell of side `h` interpolation misses `½h² Σ ∂²φ/∂xᵢ² sᵢ(1 − sᵢ)`, with `0 ≤ sᵢ ≤ 1` across the cell. While these
/// derivatives are constant, that is largest at one of the points looked at. Next to a surface of radius `R` they
/// change by a share `h/2R` from the middle of the cell to its rim, where the error is smaller. At a kink they do not exist:
/// there the error may be twice that in the middle, and only the finest cells are small enough.
const LOOKED_SHARE: f64 = 0.85;

/// Cells looked at by one parallel task, at least.
const MIN_CELLS: usize = 64;

/// A point whose distance is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sampled {
    pub key: u64,
    /// Signed distance \[m\].
    pub distance: f64,
    /// The nearest triangle.
    pub triangle: u32,
}

/// A cell with the distances at its corners.
#[derive(Clone, Copy, Debug)]
struct Cell {
    at: Point,
    corners: [f64; 8],
}

/// A cell that is not split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaf {
    pub at: Point,
    pub level: u32,
}

/// What a tree is made of.
pub(super) struct Tree {
    /// The first of eight children, or a leaf with [`super::field::LEAF`] added; the coarsest cells first.
    pub nodes: Vec<u32>,
    pub leaves: Vec<Leaf>,
    /// The points of each level, sorted by key: those that are corners on no coarser level.
    pub shells: Vec<Vec<Sampled>>,
}

/// The solid as the points of a lattice see it.
pub(super) struct Refinement<'a> {
    pub solid: &'a Solid,
    pub lattice: Lattice,
    pub resolution: Resolution,
}

impl Refinement<'_> {
    /// Splits cells from the coarsest to the finest.
    pub fn run(&self) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new(), shells: Vec::new() };
        let (mut cells, shell) = self.coarsest();
        tree.shells.push(shell);
        for level in 0..=self.lattice.levels {
            let next = self.split(&cells, level, &mut tree.shells);
            let mut children = (tree.nodes.len() + cells.len()) as u32;
            let mut split = next.iter().map(|(i, _)| *i as usize).peekable();
            for (i, cell) in cells.iter().enumerate() {
                if split.next_if_eq(&i).is_some() {
                    tree.nodes.push(children);
                    children += 8;
                } else {
                    tree.nodes.push(super::field::LEAF | tree.leaves.len() as u32);
                    tree.leaves.push(Leaf { at: cell.at, level });
                }
            }
            cells = next.into_iter().flat_map(|(_, children)| children).collect();
        }
        tree
    }

    /// The coarsest cells: exact near the surface, by fast marching elsewhere.
    fn coarsest(&self) -> (Vec<Cell>, Vec<Sampled>) {
        let Self { lattice, resolution, .. } = self;
        let side = lattice.side(0);
        let counts = lattice.roots.map(|n| n as usize + 1);
        let total = counts[0] * counts[1] * counts[2];
        let at = |i: usize| {
            let [nx, ny, _] = counts;
            [i % nx, i / nx % ny, i / (nx * ny)].map(|c| c as u32 * side)
        };
        // A cell that may hold points of the band has all its corners within this.
        let spacing = lattice.cell * f64::from(side);
        let reach = resolution.band + 1.5 * 3f64.sqrt() * spacing;
        let known: Vec<(f64, u32)> = (0..total)
            .into_par_iter()
            .map(|i| {
                let found = self.solid.distance(lattice.place(at(i)), reach);
                found.map_or((f64::NAN, 0), |signed| (signed.distance, signed.triangle))
            })
            .collect();
        let (values, nearest) = known.into_iter().unzip();
        let mut march = March { counts, spacing, values, nearest };
        march.fill();
        let index = |[x, y, z]: Point| {
            let [x, y, z] = [x, y, z].map(|c| (c / side) as usize);
            x + counts[0] * (y + counts[1] * z)
        };
        let cell = |at: Point| Cell {
            at,
            corners: std::array::from_fn(|k| march.values[index(corner(at, side, k as u32))]),
        };
        let cells = lattice.root_cells().map(cell).collect();
        let sampled = |i: usize| Sampled {
            key: key(at(i)),
            distance: march.values[i],
            triangle: march.nearest[i],
        };
        let mut shell: Vec<Sampled> = (0..total).map(sampled).collect();
        shell.par_sort_unstable_by_key(|s| s.key);
        (cells, shell)
    }

    /// The cells of a level that must be split, in order, and their children; samples what is between their corners.
    fn split(
        &self,
        cells: &[Cell],
        level: u32,
        shells: &mut Vec<Vec<Sampled>>,
    ) -> Vec<(u32, [Cell; 8])> {
        if level == self.lattice.levels {
            return Vec::new();
        }
        let half = self.lattice.side(level + 1);
        let may_split: Vec<bool> = cells.iter().map(|cell| self.may_split(cell, level)).collect();
        let mut wanted: Vec<(u64, u32)> = cells
            .par_iter()
            .zip(&may_split)
            .enumerate()
            .filter(|(_, (_, may))| **may)
            .flat_map_iter(|(i, (cell, _))| {
                between().map(move |m| (key(moved(cell.at, half, m)), i as u32))
            })
            .collect();
        wanted.par_sort_unstable();
        wanted.dedup_by_key(|(key, _)| *key);
        let shell: Vec<Sampled> = wanted
            .par_iter()
            .with_min_len(MIN_CELLS)
            .map(|&(key, i)| self.sample(key, &cells[i as usize], level))
            .collect();
        let next = cells
            .par_iter()
            .with_min_len(MIN_CELLS)
            .zip(&may_split)
            .enumerate()
            .filter_map(|(i, (cell, may))| {
                let values = may.then(|| fine_values(cell, half, &shell))?;
                self.must_split(&values).then(|| (i as u32, children(cell.at, half, &values)))
            })
            .collect();
        shells.push(shell);
        next
    }

    /// Whether a cell may hold points of the band: none of its points is farther from a corner than half
    /// its diagonal.
    fn may_split(&self, cell: &Cell, level: u32) -> bool {
        let diagonal = 3f64.sqrt() * self.lattice.cell * f64::from(self.lattice.side(level));
        let nearest = cell.corners.iter().map(|d| d.abs()).fold(f64::INFINITY, f64::min);
        nearest <= self.resolution.band + 0.5 * diagonal
    }

    /// Whether interpolation between the corners misses one of the points between them.
    fn must_split(&self, values: &[f64; 27]) -> bool {
        let Resolution { band, tolerance, .. } = self.resolution;
        between().any(|m| {
            let exact = values[m];
            let guess: f64 = (0..8).map(|k| values[fine_corner(k)] * weight(m, k)).sum();
            (guess - exact).abs()
                > LOOKED_SHARE * tolerance + FAR_SLACK * (exact.abs() - band).max(0.0)
        })
    }

    /// Samples a point of a cell. Its corners bound the distance; and for a closed surface they tell the
    /// sign, where the surface is too far away to be in between.
    fn sample(&self, key: u64, cell: &Cell, level: u32) -> Sampled {
        let p = self.lattice.place(point(key));
        let side = self.lattice.side(level);
        let (mut bound, mut known) = (f64::INFINITY, None);
        for (k, distance) in cell.corners.iter().enumerate() {
            let away = self.lattice.place(corner(cell.at, side, k as u32)).distance(p);
            bound = bound.min(distance.abs() + away);
            if distance.abs() > away * (1.0 + 1e-9) && self.solid.is_closed() {
                known = Some(*distance < 0.0);
            }
        }
        let nearest = self.solid.nearest(p, bound * (1.0 + 1e-9));
        let Nearest { distance, triangle } = nearest
            .or_else(|| self.solid.nearest(p, f64::INFINITY))
            .unwrap_or(Nearest { distance: bound, triangle: 0 });
        let inside = known.unwrap_or_else(|| self.solid.is_inside(p));
        Sampled { key, distance: if inside { -distance } else { distance }, triangle }
    }
}

/// The points of a split cell that are not its corners, of the 27 numbered x fastest.
fn between() -> impl Iterator<Item = usize> {
    (0..27).filter(|m| [m % 3, m / 3 % 3, m / 9].contains(&1))
}

fn moved(at: Point, half: u32, m: usize) -> Point {
    let [x, y, z] = [m % 3, m / 3 % 3, m / 9].map(|c| c as u32 * half);
    [at[0] + x, at[1] + y, at[2] + z]
}

/// Corner `k` of a cell among its 27 points.
fn fine_corner(k: usize) -> usize {
    2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2)
}

/// Weight of corner `k` at point `m`.
fn weight(m: usize, k: usize) -> f64 {
    let along = |c: usize, bit: usize| {
        let s = c as f64 * 0.5;
        if bit == 1 { s } else { 1.0 - s }
    };
    along(m % 3, k & 1) * along(m / 3 % 3, k >> 1 & 1) * along(m / 9, k >> 2)
}

/// All 27 distances of a cell, those between its corners from the shell.
fn fine_values(cell: &Cell, half: u32, shell: &[Sampled]) -> [f64; 27] {
    let mut values = [0.0; 27];
    for (k, distance) in cell.corners.iter().enumerate() {
        values[fine_corner(k)] = *distance;
    }
    for m in between() {
        let key = key(moved(cell.at, half, m));
        if let Ok(i) = shell.binary_search_by_key(&key, |s| s.key) {
            values[m] = shell[i].distance;
        }
    }
    values
}

fn children(at: Point, half: u32, values: &[f64; 27]) -> [Cell; 8] {
    std::array::from_fn(|child| {
        let low = fine_corner(child) / 2;
        Cell {
            at: corner(at, half, child as u32),
            corners: std::array::from_fn(|k| values[low + fine_corner(k) / 2]),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn unit_point(m: usize) -> Vec3 {
        Vec3::new((m % 3) as f64, (m / 3 % 3) as f64, (m / 9) as f64) * 0.5
    }

    /// Weights interpolate linear functions, and children share the 27 points.
    #[test]
    fn cells_are_cut_consistently() {
        let linear = |p: Vec3| 1.0 + p.dot(Vec3::new(2.0, -3.0, 0.5));
        let values: [f64; 27] = std::array::from_fn(|m| linear(unit_point(m)));
        for m in 0..27 {
            let guess: f64 = (0..8).map(|k| values[fine_corner(k)] * weight(m, k)).sum();
            assert!((guess - values[m]).abs() < 1e-14);
        }
        assert_eq!(between().count(), 19);
        for (k, child) in children([0; 3], 1, &values).iter().enumerate() {
            for j in 0..8 {
                let at = corner(child.at, 1, j).map(|c| f64::from(c) * 0.5);
                assert_eq!(
                    child.corners[j as usize],
                    linear(Vec3::from(at)),
                    "child {k} corner {j}"
                );
            }
        }
    }
}
