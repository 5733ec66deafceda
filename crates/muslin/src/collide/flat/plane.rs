//! Cloth laid out flat: its triangles in one plane, by their own `u` and `v`.

use crate::cloth::TriangleRest;
use crate::math::Vec2;
use std::collections::BTreeMap;

/// Lengths this close, relatively, are the same.
const SAME: f64 = 1e-9;

/// Share of a cell that may be missing by rounding.
const ROUNDING: f64 = 1e-6;

/// The triangle on the other side of an edge, and which of its corners the ends of the edge are.
type Beside = Option<(usize, [usize; 2])>;

/// A rectangle of the plane; empty when `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub min: Vec2,
    pub max: Vec2,
}

impl Rect {
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    pub fn around(points: &[Vec2]) -> Self {
        let grow = |r: Self, p: &Vec2| Self { min: r.min.min(*p), max: r.max.max(*p) };
        points.iter().fold(Self::EMPTY, grow)
    }

    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn clipped(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub fn grown(&self, by: Vec2) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    pub fn extent(&self) -> Vec2 {
        (self.max - self.min).max(Vec2::ZERO)
    }

    fn area(&self) -> f64 {
        let extent = self.extent();
        extent.x * extent.y
    }
}

/// All triangles in one plane. Triangles that share an edge, of the same direction and length in `u` and
/// `v`, lie beside each other; pieces that do not hang together in that way are laid side by side.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// Corners of every triangle.
    pub corners: Vec<[Vec2; 3]>,
    /// Which piece a triangle belongs to.
    pub piece: Vec<u32>,
    /// The rectangle around every piece.
    pub bounds: Vec<Rect>,
    /// Bit `c`: the edge from corner `c` to the next has a triangle beside it.
    joined: Vec<u8>,
}

impl Plane {
    pub fn new(triangles: &[[u32; 3]], rest: &[TriangleRest]) -> Self {
        let beside = neighbours(triangles);
        let own: Vec<[Vec2; 3]> = rest.iter().map(flat_corners).collect();
        let count = triangles.len();
        let (mut corners, mut piece) = (vec![[Vec2::ZERO; 3]; count], vec![u32::MAX; count]);
        let mut bounds = Vec::new();
        let mut free = 0.0;
        for seed in 0..count {
            if piece[seed] != u32::MAX {
                continue;
            }
            let name = bounds.len() as u32;
            (corners[seed], piece[seed]) = (own[seed], name);
            let mut members = vec![seed];
            let mut next = 0;
            while let Some(&t) = members.get(next) {
                next += 1;
                for c in 0..3 {
                    let Some((n, [a, b])) = beside[t][c] else { continue };
                    if piece[n] != u32::MAX {
                        continue;
                    }
                    let ([p, q], [r, s]) =
                        ([corners[t][c], corners[t][(c + 1) % 3]], [own[n][a], own[n][b]]);
                    if same(q - p, s - r, (q - p).length()) {
                        corners[n] = own[n].map(|corner| corner + (p - r));
                        piece[n] = name;
                        members.push(n);
                    }
                }
            }
            let around =
                members.iter().fold(Rect::EMPTY, |r, &t| r.union(&Rect::around(&corners[t])));
            let shift = Vec2::new(free, 0.0) - around.min;
            for &t in &members {
                corners[t] = corners[t].map(|corner| corner + shift);
            }
            let around = Rect { min: around.min + shift, max: around.max + shift };
            free = around.max.x + around.extent().max_element();
            bounds.push(around);
        }
        let mut plane = Self { corners, piece, bounds, joined: Vec::new() };
        plane.joined = (0..count).map(|t| plane.joins(t, &beside[t])).collect();
        plane
    }

    fn joins(&self, t: usize, beside: &[Beside; 3]) -> u8 {
        let joined = |c: usize| {
            let Some((n, [a, b])) = beside[c] else { return false };
            let ([p, q], [r, s]) = (
                [self.corners[t][c], self.corners[t][(c + 1) % 3]],
                [self.corners[n][a], self.corners[n][b]],
            );
            let length = (q - p).length();
            same(p, r, length) && same(q, s, length)
        };
        (0..3).map(|c| u8::from(joined(c)) << c).sum()
    }

    /// Shortest height of a triangle \[m\].
    pub fn height(&self, t: usize) -> f64 {
        let [a, b, c] = self.corners[t];
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        (b - a).perp_dot(c - a).abs() / longest
    }

    /// Whether the edge from corner `c` of triangle `t` is an end of the cloth inside the rectangle of its
    /// piece, not on the rim of that.
    fn is_cut(&self, t: usize, c: usize) -> bool {
        if self.joined[t] >> c & 1 == 1 {
            return false;
        }
        let (p, q) = (self.corners[t][c], self.corners[t][(c + 1) % 3]);
        let rim = &self.bounds[self.piece[t] as usize];
        let close = SAME * rim.extent().max_element();
        let on = |at: f64, x: f64, y: f64| (x - at).abs() <= close && (y - at).abs() <= close;
        !(on(rim.min.x, p.x, q.x)
            || on(rim.max.x, p.x, q.x)
            || on(rim.min.y, p.y, q.y)
            || on(rim.max.y, p.y, q.y))
    }
}

/// Where the plane is covered once, without a cut: counts of cells that are not, summed such that those of
/// a rectangle are known at once.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    cell: f64,
    size: [usize; 2],
    /// Cells not covered, left of and below.
    sums: Vec<u32>,
}

impl Covered {
    pub fn new(plane: &Plane) -> Self {
        let all = plane.bounds.iter().fold(Rect::EMPTY, |sum, r| sum.union(r));
        let count = plane.corners.len().max(1) as f64;
        let area: f64 =
            plane.corners.iter().map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a).abs()).sum();
        // About two triangles a cell, and no more cells than four a triangle.
        let cell =
            (2.0 * area / count).max(0.25 * all.area() / count).sqrt().max(f64::MIN_POSITIVE);
        let size = all.extent().to_array().map(|length| (length / cell).ceil() as usize + 1);
        let mut filled = vec![0.0; size[0] * size[1]];
        let mut bad = vec![false; filled.len()];
        for (t, corners) in plane.corners.iter().enumerate() {
            let cut = (0..3).any(|c| plane.is_cut(t, c));
            for_cells(cell, size, &Rect::around(corners), |index, rect| {
                filled[index] += overlap(corners, rect);
                bad[index] |= cut;
            });
        }
        for rim in &plane.bounds {
            for_cells(cell, size, rim, |index, rect| {
                let wanted = rect.clipped(rim).area();
                bad[index] |= (filled[index] - wanted).abs() > ROUNDING * cell * cell;
            });
        }
        Self { cell, size, sums: summed(&bad, size) }
    }

    /// Whether a rectangle is covered.
    pub fn is_covered(&self, rect: &Rect) -> bool {
        let [low, high] = cells(self.cell, self.size, rect);
        let at = |x: usize, y: usize| self.sums[y * (self.size[0] + 1) + x];
        at(high[0] + 1, high[1] + 1) + at(low[0], low[1])
            == at(low[0], high[1] + 1) + at(high[0] + 1, low[1])
    }
}

/// First and last cell that a rectangle meets.
fn cells(cell: f64, size: [usize; 2], rect: &Rect) -> [[usize; 2]; 2] {
    [rect.min, rect.max].map(|p| {
        let index = |x: f64, most: usize| ((x / cell).max(0.0) as usize).min(most - 1);
        [index(p.x, size[0]), index(p.y, size[1])]
    })
}

fn for_cells(cell: f64, size: [usize; 2], rect: &Rect, mut visit: impl FnMut(usize, &Rect)) {
    let [low, high] = cells(cell, size, rect);
    for y in low[1]..=high[1] {
        for x in low[0]..=high[0] {
            let min = Vec2::new(x as f64, y as f64) * cell;
            visit(y * size[0] + x, &Rect { min, max: min + Vec2::splat(cell) });
        }
    }
}

fn summed(bad: &[bool], [width, height]: [usize; 2]) -> Vec<u32> {
    let mut sums = vec![0; (width + 1) * (height + 1)];
    for y in 0..height {
        let mut row = 0;
        for x in 0..width {
            row += u32::from(bad[y * width + x]);
            sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
        }
    }
    sums
}

/// Area that a triangle and a rectangle share: the triangle cut by the four sides, one after the other.
fn overlap(triangle: &[Vec2; 3], rect: &Rect) -> f64 {
    let mut polygon: Vec<Vec2> = triangle.to_vec();
    let sides = [
        (Vec2::X, rect.min.x),
        (Vec2::NEG_X, -rect.max.x),
        (Vec2::Y, rect.min.y),
        (Vec2::NEG_Y, -rect.max.y),
    ];
    for (normal, offset) in sides {
        let inside = |p: Vec2| normal.dot(p) - offset;
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (a, b) = (inside(p), inside(q));
            if a >= 0.0 {
                kept.push(p);
            }
            if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
                kept.push(p + (q - p) * (a / (a - b)));
            }
        }
        polygon = kept;
    }
    let next = |i: usize| polygon[(i + 1) % polygon.len()];
    0.5 * polygon.iter().enumerate().map(|(i, p)| p.perp_dot(next(i))).sum::<f64>().abs()
}

/// The corners of a triangle by its rest state, the first at the origin: `w_u = e₁ du₁ + e₂ du₂` and so on
/// make `(du, dv)` the inverse of its edges.
fn flat_corners(rest: &TriangleRest) -> [Vec2; 3] {
    let ([_, du1, du2], [_, dv1, dv2]) = (rest.du, rest.dv);
    let determinant = du1 * dv2 - dv1 * du2;
    [Vec2::ZERO, Vec2::new(dv2, -du2) / determinant, Vec2::new(-dv1, du1) / determinant]
}

/// For every edge of every triangle the one other triangle that has it, and which corners of that its
/// ends are; none where there are more, or none.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[Beside; 3]> {
    let mut sides: BTreeMap<[u32; 2], Vec<(usize, usize)>> = BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for c in 0..3 {
            let (a, b) = (corners[c], corners[(c + 1) % 3]);
            sides.entry([a.min(b), a.max(b)]).or_default().push((t, c));
        }
    }
    let mut beside = vec![[None; 3]; triangles.len()];
    for pair in sides.values() {
        let &[(t, c), (n, d)] = pair.as_slice() else { continue };
        let ends = |a: usize, first: usize, b: usize| {
            let at = |v: u32| triangles[b].iter().position(|w| *w == v).unwrap_or(0);
            (b, [at(triangles[a][first]), at(triangles[a][(first + 1) % 3])])
        };
        beside[t][c] = Some(ends(t, c, n));
        beside[n][d] = Some(ends(n, d, t));
    }
    beside
}

fn same(a: Vec2, b: Vec2, scale: f64) -> bool {
    (a - b).length() <= SAME * scale
}
