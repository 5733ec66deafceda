//! Aggregates of vertices and their affine functions.

use super::factor::BlockFactor;
use super::graph::Graph;
use crate::linalg::Pattern;
use crate::math::{Mat3, Vec2};
use std::ops::Range;

/// Functions of an aggregate: `1`, `s`, `t`.
pub(super) const FUNCTIONS: usize = 3;

/// Vertices of an aggregate on small meshes: 144, 200 and 256 needed 28, 31 and 33 iterations on stiff
/// cloth of 100² vertices.
const LEAST_SIZE: usize = 144;

/// Vertices up to which aggregates have that size. Beyond, their number grows with the power 2/3 of the
/// vertices: the exact factor of so many, by nested dissection, costs their power 3/2, and so as much a
/// vertex as here.
const MANY: f64 = 144_000.0;

/// A function whose root mean square is below this share of the aggregate's extent is left out: the
/// aggregate has no width in that direction.
const LEAST_WIDTH: f64 = 1e-3;

/// Aggregates of at most this many vertices only translate.
const RIGID_SIZE: usize = 8;

/// Which aggregate every vertex belongs to, and the values of its functions.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct Aggregates {
    of: Vec<u32>,
    /// `s` and `t` per vertex.
    weights: Vec<[f64; 2]>,
    /// Functions that vanish: aggregate and function.
    pub dead: Vec<[u32; 2]>,
    /// First aggregate of every chunk; one more at the end.
    chunk_starts: Vec<usize>,
}

impl Aggregates {
    /// Compact aggregates inside the chunks of a pattern.
    pub fn new(pattern: &Pattern) -> Self {
        let size = aggregate_size(pattern.size());
        let mut all = Self { chunk_starts: vec![0], ..Self::default() };
        let mut count = 0;
        for chunk in 0..pattern.chunk_count() {
            let (parts, part_count) = chunk_graph(pattern, chunk).parts(size);
            all.of.extend(parts.iter().map(|part| count as u32 + part));
            count += part_count;
            all.chunk_starts.push(count);
        }
        all.weights = vec![[0.0; 2]; pattern.size()];
        let mut members = vec![Vec::new(); count];
        for (v, &aggregate) in all.of.iter().enumerate() {
            members[aggregate as usize].push(v);
        }
        for (aggregate, members) in members.iter().enumerate() {
            all.spread(pattern.layout(), aggregate as u32, members);
        }
        all
    }

    /// The aggregate of a vertex.
    #[inline]
    pub fn of(&self, v: usize) -> usize {
        self.of[v] as usize
    }

    /// `s` and `t` of a vertex.
    #[inline]
    pub fn weights(&self, v: usize) -> [f64; 2] {
        self.weights[v]
    }

    /// Aggregates and functions of the vertices from `start` on.
    #[inline]
    pub fn from(&self, start: usize) -> impl Iterator<Item = (usize, [f64; 2])> {
        let of = self.of[start..].iter().map(|&aggregate| aggregate as usize);
        of.zip(self.weights[start..].iter().copied())
    }

    /// The aggregates of a chunk.
    pub fn chunk(&self, chunk: usize) -> Range<usize> {
        self.chunk_starts[chunk]..self.chunk_starts[chunk + 1]
    }

    /// Sets the functions of an aggregate: the longer coordinate, then what the other adds to it.
    fn spread(&mut self, layout: &[Vec2], aggregate: u32, members: &[usize]) {
        let count = members.len() as f64;
        let mean = members.iter().map(|&v| layout[v]).sum::<Vec2>() / count;
        let places: Vec<Vec2> = members.iter().map(|&v| layout[v] - mean).collect();
        let square = |of: &dyn Fn(&Vec2) -> f64| places.iter().map(of).sum::<f64>() / count;
        let (xx, yy) = (square(&|p| p.x * p.x), square(&|p| p.y * p.y));
        let turn = |p: &Vec2| if xx >= yy { *p } else { Vec2::new(p.y, p.x) };
        let (long, xy) = (xx.max(yy), square(&|p| p.x * p.y));
        let slope = if long > 0.0 { xy / long } else { 0.0 };
        let rest = |p: &Vec2| turn(p).y - slope * turn(p).x;
        let sizes = [long.sqrt(), square(&|p| rest(p) * rest(p)).sqrt()];
        let alive = sizes.map(|s| members.len() > RIGID_SIZE && s > LEAST_WIDTH * sizes[0]);
        for (&v, place) in members.iter().zip(&places) {
            let values = [turn(place).x, rest(place)];
            self.weights[v] =
                std::array::from_fn(|f| if alive[f] { values[f] / sizes[f] } else { 0.0 });
        }
        let dead = (0..2).filter(|&f| !alive[f]);
        self.dead.extend(dead.map(|f| [aggregate, f as u32 + 1]));
    }

    /// A factor with all fill of the coarse pattern, and the first row of every aggregate in it.
    pub(super) fn exact_factor(&self, pattern: &Pattern) -> (BlockFactor<Mat3>, Vec<u32>) {
        let count = self.chunk_starts.last().copied().unwrap_or(0);
        let mut edges: Vec<[u32; 2]> = (0..pattern.size())
            .flat_map(|i| pattern.row(i).map(move |k| [self.of[i], self.of[pattern.column(k)]]))
            .filter(|[p, q]| p != q)
            .map(|[p, q]| [p.min(q), p.max(q)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let graph = Graph::new(self.centres(pattern.layout(), count), edges.iter().copied());
        // Rows are eliminated from the last to the first.
        let mut places = vec![0u32; count];
        for (rank, v) in graph.dissection().into_iter().enumerate() {
            places[v as usize] = (count - 1 - rank) as u32;
        }
        let edges = edges.into_iter().map(|pair| pair.map(|p| places[p as usize]));
        let rows = filled_rows(count, edges);
        let rows = rows.iter().enumerate().flat_map(|(p, columns)| expand(p as u32, columns));
        let rows: Vec<Vec<u32>> = rows.collect();
        let first = places.iter().map(|place| place * FUNCTIONS as u32).collect();
        (BlockFactor::new(rows.iter().map(Vec::as_slice)), first)
    }

    fn centres(&self, layout: &[Vec2], count: usize) -> Vec<Vec2> {
        let mut centres = vec![(Vec2::ZERO, 0.0); count];
        for (place, &aggregate) in layout.iter().zip(&self.of) {
            let (sum, members) = &mut centres[aggregate as usize];
            *sum += *place;
            *members += 1.0;
        }
        centres.into_iter().map(|(sum, members)| sum / members).collect()
    }
}

/// Vertices of an aggregate of a mesh of that many.
fn aggregate_size(vertices: usize) -> usize {
    let growth = (vertices as f64 / MANY).max(1.0).cbrt();
    (LEAST_SIZE as f64 * growth) as usize
}

/// The graph of the blocks inside a chunk.
fn chunk_graph(pattern: &Pattern, chunk: usize) -> Graph {
    let rows = pattern.chunk(chunk);
    let start = rows.start;
    let local = |row: usize| (row - start) as u32;
    let edges = rows
        .clone()
        .flat_map(|i| pattern.inner(i).map(move |k| [local(i), local(pattern.column(k))]));
    Graph::new(pattern.layout()[rows].to_vec(), edges)
}

/// The upper pattern of a factor with all fill, rows eliminated from the last to the first.
///
/// Eliminating `m` joins the rows that meet it: they pass on to the next of them to be eliminated.
fn filled_rows(count: usize, edges: impl Iterator<Item = [u32; 2]>) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); count];
    for [p, q] in edges {
        columns[p.max(q) as usize].push(p.min(q));
    }
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); count];
    for m in (0..count).rev() {
        let mut column = std::mem::take(&mut columns[m]);
        column.sort_unstable();
        column.dedup();
        for &row in &column {
            rows[row as usize].push(m as u32);
        }
        if let Some((&next, rest)) = column.split_last() {
            columns[next as usize].extend(rest);
        }
    }
    for row in &mut rows {
        row.reverse();
    }
    rows
}

/// The rows of an aggregate's functions: its own later functions, then all of its neighbours'.
fn expand(row: u32, columns: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let functions = FUNCTIONS as u32;
    let others =
        move || columns.iter().flat_map(move |&q| (0..functions).map(move |b| q * functions + b));
    (0..functions).map(move |a| {
        let own = (a + 1..functions).map(|b| row * functions + b);
        own.chain(others()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Vec3};

    /// A grid of 20 × 15 with all eight neighbours.
    fn grid() -> Pattern {
        let [width, height] = [20u32, 15];
        let layout = (0..height).flat_map(|j| (0..width).map(move |i| [i, j]));
        let at = |i: u32, j: u32| i + width * j;
        let mut pairs = Vec::new();
        for [i, j] in layout.clone() {
            for [p, q] in [[i + 1, j], [i, j + 1], [i + 1, j + 1], [i.wrapping_sub(1), j + 1]] {
                if p < width && q < height {
                    pairs.push([at(i, j), at(p, q)]);
                }
            }
        }
        let layout = layout.map(|[i, j]| Vec2::new(i.into(), j.into())).collect();
        Pattern::new(layout, pairs.into_iter())
    }

    /// With all fill the factor is exact: `A (A⁻¹ r) = r` for a random definite matrix.
    #[test]
    fn factor_with_all_fill_is_exact() {
        let pattern = grid();
        let count = pattern.size();
        let edges = (0..count).flat_map(|i| pattern.row(i).map(move |k| [i, k]));
        let edges: Vec<[u32; 2]> =
            edges.map(|[i, k]| [i as u32, pattern.column(k) as u32]).collect();
        let order = Graph::new(pattern.layout().to_vec(), edges.iter().copied()).dissection();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &v)| i == v as usize), "not a permutation");
        let mut places = vec![0u32; count];
        for (rank, v) in order.into_iter().enumerate() {
            places[v as usize] = (count - 1 - rank) as u32;
        }
        let placed = edges.iter().map(|pair| pair.map(|v| places[v as usize]));
        let rows = filled_rows(count, placed.clone());
        let fill = rows.iter().map(Vec::len).sum::<usize>();
        assert!(fill < count * 15, "a banded factor has width 20, dissection must beat it: {fill}");
        let mut random = Random::new(2);
        let mut entry = || random.between(-1.0, 1.0);
        let mut upper = std::collections::BTreeMap::new();
        for [p, q] in placed {
            let block = Mat3::from_cols_array(&std::array::from_fn(|_| entry()));
            upper.insert([p.min(q), p.max(q)], block);
        }
        // Eight neighbours, each at most 3 in any row sum: 30 is dominant.
        let diagonal = Mat3::from_diagonal(Vec3::splat(30.0));
        let mut factor = BlockFactor::<Mat3>::new(rows.iter().map(Vec::as_slice));
        let block =
            |i: usize, k: usize| upper.get(&[i as u32, rows[i][k]]).copied().unwrap_or(Mat3::ZERO);
        assert!(factor.refill(0.0, |_| diagonal, block).is_some());
        let r: Vec<Vec3> = (0..count).map(|_| Vec3::new(entry(), entry(), entry())).collect();
        let mut z = r.clone();
        let product = factor.solve(&r, &mut z);
        let mut image: Vec<Vec3> = z.iter().map(|z| diagonal * *z).collect();
        for ([p, q], block) in &upper {
            image[*p as usize] += *block * z[*q as usize];
            image[*q as usize] += block.transpose() * z[*p as usize];
        }
        assert!(image.iter().zip(&r).all(|(a, b)| a.distance(*b) < 1e-12));
        let expected: f64 = r.iter().zip(&z).map(|(r, z)| r.dot(*z)).sum();
        assert!((product - expected).abs() < 1e-12);
    }

    /// Functions of an aggregate are centred, orthogonal and of unit size.
    #[test]
    fn functions_are_orthonormal() {
        let pattern = grid();
        let aggregates = Aggregates::new(&pattern);
        let count = aggregates.chunk(0).end;
        assert_eq!(count, 2, "300 vertices make two aggregates");
        assert!(aggregates.dead.is_empty());
        for aggregate in 0..count {
            let members: Vec<usize> =
                (0..pattern.size()).filter(|&v| aggregates.of(v) == aggregate).collect();
            assert!((100..=200).contains(&members.len()), "{}", members.len());
            let mean = |of: &dyn Fn([f64; 2]) -> f64| {
                members.iter().map(|&v| of(aggregates.weights(v))).sum::<f64>()
                    / members.len() as f64
            };
            for (found, expected) in [
                (mean(&|[s, _]| s), 0.0),
                (mean(&|[_, t]| t), 0.0),
                (mean(&|[s, t]| s * t), 0.0),
                (mean(&|[s, _]| s * s), 1.0),
                (mean(&|[_, t]| t * t), 1.0),
            ] {
                assert!((found - expected).abs() < 1e-12);
            }
        }
    }

    /// A chain of vertices has no width: its second function is dead, and no weight of it is left.
    #[test]
    fn thin_aggregates_lose_a_function() {
        let layout = (0..40).map(|i| Vec2::new(i.into(), 2.0 * f64::from(i))).collect();
        let pattern = Pattern::new(layout, (1..40).map(|i| [i - 1, i]));
        let aggregates = Aggregates::new(&pattern);
        assert_eq!(aggregates.dead, [[0, 2]]);
        assert!((0..40).all(|v| aggregates.weights(v)[1] == 0.0));
    }
}
