//! Distances of a body part on a regular grid in its own frame, built once (OS3).

mod signs;

use crate::collide::aabb::Aabb;
use crate::math::lanes::{Four, Number, Simd, Vector, each, four};
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
    /// The last node and the first of the last cell, in cells.
    last: Vec3,
    last_cell: Vec3,
    /// In single precision: distances are asked for here and there, and most of that was waiting for memory. Half a
    /// metre is rounded by 30 nm, where interpolation is off by a tenth of a millimetre.
    values: Vec<f32>,
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
    /// Values at the four corners with the lesser z: two rows along x, y growing \[m\].
    near: [[f64; 2]; 2],
    /// The same for the greater z \[m\].
    far: [[f64; 2]; 2],
    /// Place in the cell, from 0 to 1 \[-\].
    at: Vec3,
}

/// Coordinates along one axis, in cells.
#[derive(Clone, Copy)]
struct Along<N> {
    all: N,
    /// The nearest ones in the grid.
    inside: N,
    /// First nodes of the cells that hold these.
    first: N,
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
        let (per_cell, last_cell) = (1.0 / cell, last - Vec3::ONE);
        Self { origin: grown.min, cell, per_cell, counts, last, last_cell, values }
    }

    /// Takes the distance \[m\] of every node.
    pub fn fill(&mut self, distance: impl Fn(Vec3) -> f64) {
        for i in 0..self.values.len() {
            self.values[i] = distance(self.node(i)) as f32;
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
            Place::Beyond(off) => self.beyond(off),
        }
    }

    /// The same with the unit direction in which it grows; some direction beyond `reach` \[m\].
    #[inline]
    pub fn with_direction(&self, p: Vec3, reach: f64) -> (f64, Vec3) {
        match self.locate(p) {
            Place::Within(cell) => {
                let (value, slope) = cell.value_and_slope();
                let slope = if value <= reach { try_normalize(slope) } else { None };
                (value, slope.unwrap_or(Vec3::Z))
            }
            Place::Beyond(off) => {
                let length = off.length();
                (self.margin() + length, off / length)
            }
        }
    }

    /// [`Field::at`] of four points, to the bit.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or it is not in vector registers")]
    pub fn at_four<S: Simd>(&self, p: Vector<Four<S>>) -> [f64; 4] {
        let simd = p.x.simd;
        let (x, y, z) = (self.along(p.x, 0), self.along(p.y, 1), self.along(p.z, 2));
        // Whole numbers of this size are exact.
        let [row, rows, _] = self.counts;
        let first = x.first + (y.first + z.first * rows as f64) * row as f64;
        let cells = each(|lane| {
            let first = first[lane] as i64 as usize;
            [self.quad(first), self.quad(first + row * rows)]
        });
        let corner = |k: usize, i: usize, j: usize| four(simd, each(|lane| cells[lane][k][i][j]));
        let row = |k: usize, i: usize| {
            let (low, high) = (corner(k, i, 0), corner(k, i, 1));
            low + (high - low) * (x.inside - x.first)
        };
        let plane = |k: usize| {
            let (low, high) = (row(k, 0), row(k, 1));
            low + (high - low) * (y.inside - y.first)
        };
        let (near, far) = (plane(0), plane(1));
        let within = near + (far - near) * (z.inside - z.first);
        // By hand: `map` of arrays is not inlined.
        let off = [x.all - x.inside, y.all - y.inside, z.all - z.inside];
        each(|lane| {
            let off = Vec3::new(off[0][lane], off[1][lane], off[2][lane]);
            if off == Vec3::ZERO { within[lane] } else { self.beyond(off * self.cell) }
        })
    }

    /// Where coordinates along one axis are, in cells.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or it is not in vector registers")]
    fn along<N: Number>(&self, p: N, axis: usize) -> Along<N> {
        let all = (p - p.same(self.origin[axis])) * self.per_cell;
        let inside = all.larger(p.same(0.0)).smaller(p.same(self.last[axis]));
        Along { all, inside, first: inside.smaller(p.same(self.last_cell[axis])).whole() }
    }

    /// Lower bound of the distance of a point so far from the grid \[m\].
    #[inline]
    fn beyond(&self, off: Vec3) -> f64 {
        self.margin() + off.length()
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a third of a frame is spent here")]
    fn locate(&self, p: Vec3) -> Place {
        let q = (p - self.origin) * self.per_cell;
        let inside = q.clamp(Vec3::ZERO, self.last);
        if q != inside {
            return Place::Beyond((q - inside) * self.cell);
        }
        // Nothing is negative, so this rounds down; processors convert signed numbers faster.
        let base = inside.min(self.last_cell).as_ivec3();
        let row = self.counts[0];
        let first = base.x as usize + row * (base.y as usize + self.counts[1] * base.z as usize);
        let (near, far) = (self.quad(first), self.quad(first + row * self.counts[1]));
        Place::Within(InCell { near, far, at: inside - base.as_dvec3() })
    }

    /// Values at a node and its neighbours along x, y and both \[m\].
    #[inline]
    fn quad(&self, first: usize) -> [[f64; 2]; 2] {
        let row = self.counts[0];
        let low = &self.values[first..first + 2];
        let high = &self.values[first + row..first + row + 2];
        [[low[0].into(), low[1].into()], [high[0].into(), high[1].into()]]
    }
}

impl InCell {
    /// Trilinear interpolation \[m\].
    #[inline]
    fn value(&self) -> f64 {
        let Vec3 { x, y, z } = self.at;
        let row = |[a, b]: [f64; 2]| a + (b - a) * x;
        let plane = |[low, high]: [[f64; 2]; 2]| row(low) + (row(high) - row(low)) * y;
        plane(self.near) + (plane(self.far) - plane(self.near)) * z
    }

    /// The same and its gradient, times the side of a cell.
    #[inline]
    fn value_and_slope(&self) -> (f64, Vec3) {
        let Vec3 { x, y, z } = self.at;
        let [[a, b], [c, d]] = self.near;
        let [[e, f], [g, h]] = self.far;
        // Along x first: four rows with their slopes; then along y: two planes; then along z.
        let (ab, cd, ef, gh) = (b - a, d - c, f - e, h - g);
        let (r0, r1, r2, r3) = (a + ab * x, c + cd * x, e + ef * x, g + gh * x);
        let (up0, up1) = (r1 - r0, r3 - r2);
        let (p0, p1) = (r0 + up0 * y, r2 + up1 * y);
        let (s0, s1) = (ab + (cd - ab) * y, ef + (gh - ef) * y);
        let slope = Vec3::new(s0 + (s1 - s0) * z, up0 + (up1 - up0) * z, p1 - p0);
        (p0 + (p1 - p0) * z, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trilinear function is met but for the rounding of the nodes, gradient included, which is over cells of a
    /// tenth; beyond the grid the bound is below the distance from the box.
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
            // No node around them is greater than 16.
            let rounding = 8.0 * f64::from(f32::EPSILON);
            assert!((value - f(p)).abs() < rounding && value == field.at(p), "{p}: {value}");
            let expected = slope(p) / slope(p).length();
            let turned = 2.0 * rounding / field.cell / slope(p).length();
            assert!(direction.distance(expected) < turned, "{p}: {direction} {expected}");
        }
        let far = Vec3::new(4.0, 0.0, 1.0);
        let (value, direction) = field.with_direction(far, 0.0);
        assert!(value <= 3.0 && value > 2.0 && direction == Vec3::X, "{value} {direction}");
    }
}
