//! Distances of a body part on a regular grid in its own frame, built once (OS3).

use crate::collide::aabb::Aabb;
use crate::math::{Vec3, try_normalize};

/// Nodes of the field, about: a thigh gets cells of 1 cm, and building it takes some 30 ms.
const FIELD_NODES: f64 = 32_768.0;
/// Most cells along the longest side, for parts that are thin otherwise.
const MOST_CELLS: f64 = 256.0;
/// Cells added around the mesh.
const FIELD_MARGIN: f64 = 2.0;

/// Signed distances \[m\] at the nodes of a grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    origin: Vec3,
    cell: f64,
    /// One over the cell \[1/m\].
    per_cell: f64,
    counts: [usize; 3],
    /// The last node, in cells.
    last: Vec3,
    values: Vec<f64>,
}

/// Where a point is.
enum Place {
    /// In a cell.
    Within(InCell),
    /// Beyond the grid: the way from there to the point \[m\].
    Beyond(Vec3),
}

/// A point in the cell that holds it.
struct InCell {
    /// Values at the corners; x changes fastest, then y \[m\].
    corners: [f64; 8],
    /// Place in the cell, from 0 to 1 \[-\].
    at: Vec3,
}

impl Field {
    /// An empty field around a part.
    pub fn around(bounds: Aabb) -> Self {
        let size = bounds.max - bounds.min;
        let longest = size.max_element();
        let size = size.max(Vec3::splat(longest / MOST_CELLS));
        let cell = (size.x * size.y * size.z / FIELD_NODES).cbrt().max(longest / MOST_CELLS);
        let grown = bounds.grown(FIELD_MARGIN * cell);
        let size = (grown.max - grown.min) / cell;
        let counts = [size.x, size.y, size.z].map(|s| s.ceil() as usize + 1);
        let values = vec![0.0; counts[0] * counts[1] * counts[2]];
        let last = Vec3::from(counts.map(|n| (n - 1) as f64));
        Self { origin: grown.min, cell, per_cell: 1.0 / cell, counts, last, values }
    }

    /// Takes the distance \[m\] of every node.
    pub fn fill(&mut self, distance: impl Fn(Vec3) -> f64) {
        let [nx, ny, _] = self.counts;
        for (i, value) in self.values.iter_mut().enumerate() {
            let at = Vec3::new((i % nx) as f64, (i / nx % ny) as f64, (i / (nx * ny)) as f64);
            *value = distance(self.origin + at * self.cell);
        }
    }

    /// Width of the grid around the part \[m\].
    pub fn margin(&self) -> f64 {
        FIELD_MARGIN * self.cell
    }

    /// Most that an interpolated value differs from the distance \[m\]: distance changes by at most the
    /// way gone, and no point is farther than half a diagonal from the weighted corners of its cell.
    pub fn error(&self) -> f64 {
        0.5 * 3f64.sqrt() * self.cell
    }

    /// Interpolated distance \[m\]; beyond the grid, a lower bound: the part is at least as far as its box,
    /// which is the margin farther than the grid.
    #[inline]
    pub fn at(&self, p: Vec3) -> f64 {
        match self.locate(p) {
            Place::Within(cell) => cell.value(),
            Place::Beyond(off) => self.margin() + off.length(),
        }
    }

    /// The same with the unit direction in which it grows; some direction beyond `reach` \[m\].
    #[inline]
    pub fn with_direction(&self, p: Vec3, reach: f64) -> (f64, Vec3) {
        match self.locate(p) {
            Place::Within(cell) => {
                let value = cell.value();
                let slope = if value <= reach { try_normalize(cell.slope()) } else { None };
                (value, slope.unwrap_or(Vec3::Z))
            }
            Place::Beyond(off) => {
                let length = off.length();
                (self.margin() + length, off / length)
            }
        }
    }

    #[inline]
    fn locate(&self, p: Vec3) -> Place {
        let q = (p - self.origin) * self.per_cell;
        let inside = q.clamp(Vec3::ZERO, self.last);
        if q != inside {
            return Place::Beyond((q - inside) * self.cell);
        }
        let [nx, ny, nz] = self.counts;
        // Nothing is negative, so this rounds down.
        let node = |x: f64, n: usize| (x as usize).min(n - 2);
        let [i, j, k] = [node(inside.x, nx), node(inside.y, ny), node(inside.z, nz)];
        let base = Vec3::new(i as f64, j as f64, k as f64);
        let first = i + nx * (j + ny * k);
        let mut corners = [0.0; 8];
        for (pair, start) in
            [first, first + nx, first + nx * ny, first + nx * ny + nx].into_iter().enumerate()
        {
            corners[2 * pair..2 * pair + 2].copy_from_slice(&self.values[start..start + 2]);
        }
        Place::Within(InCell { corners, at: inside - base })
    }
}

impl InCell {
    /// Trilinear interpolation \[m\].
    fn value(&self) -> f64 {
        let Self { corners: c, at, .. } = self;
        let row = |k: usize| c[k] + (c[k + 1] - c[k]) * at.x;
        let plane = |k: usize| row(k) + (row(k + 2) - row(k)) * at.y;
        plane(0) + (plane(4) - plane(0)) * at.z
    }

    /// Its gradient, times the side of a cell.
    fn slope(&self) -> Vec3 {
        let Self { corners: c, at, .. } = self;
        let bilinear = |d: [f64; 4], s: f64, t: f64| {
            let (low, high) = (d[0] + (d[1] - d[0]) * s, d[2] + (d[3] - d[2]) * s);
            low + (high - low) * t
        };
        let along = |step: usize, first: [usize; 4]| first.map(|k| c[k + step] - c[k]);
        Vec3::new(
            bilinear(along(1, [0, 2, 4, 6]), at.y, at.z),
            bilinear(along(2, [0, 1, 4, 5]), at.x, at.z),
            bilinear(along(4, [0, 1, 2, 3]), at.x, at.y),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trilinear function is met exactly, gradient included; beyond the grid the bound is below the
    /// distance from the box.
    #[test]
    fn trilinear_functions_are_exact() {
        let bounds = Aabb { min: Vec3::new(-1.0, -2.0, 0.0), max: Vec3::new(1.0, 2.0, 3.0) };
        let mut field = Field::around(bounds);
        let f = |p: Vec3| 0.3 + p.x - 2.0 * p.y + 0.5 * p.z + p.x * p.y - p.y * p.z * p.x;
        let slope =
            |p: Vec3| Vec3::new(1.0 + p.y - p.y * p.z, -2.0 + p.x - p.z * p.x, 0.5 - p.y * p.x);
        field.fill(f);
        for p in [Vec3::new(0.31, -1.7, 2.2), Vec3::new(-0.99, 1.99, 0.01), bounds.max] {
            let (value, direction) = field.with_direction(p, f64::INFINITY);
            assert!((value - f(p)).abs() < 1e-12 && value == field.at(p), "{p}: {value}");
            let expected = slope(p) / slope(p).length();
            assert!(direction.distance(expected) < 1e-9, "{p}: {direction} {expected}");
        }
        let far = Vec3::new(4.0, 0.0, 1.0);
        let (value, direction) = field.with_direction(far, 0.0);
        assert!(value <= 3.0 && value > 2.0 && direction == Vec3::X, "{value} {direction}");
    }
}
