//! The coarse level: one 3×3 block per aggregate of vertices, its matrix `PᵀÃP` factorised exactly.
//!
//! `P` gives every vertex the motion of its aggregate: translations are what a local preconditioner
//! cannot carry across a sheet. `Pᵀ` therefore only sums, and so does the coarse matrix.

use super::factor::BlockFactor;
use super::graph::Graph;
use super::held::HeldMatrix;
use crate::linalg::Pattern;
use crate::math::{Mat3, Vec3};
use rayon::prelude::*;

/// Vertices of an aggregate on small meshes: 36, 64 and 144 needed 28, 29 and 33 iterations on stiff
/// cloth of 100² vertices, and 36 twice the coarse rows.
const LEAST_AGGREGATE: usize = 64;

/// Most aggregates: their exact factor must stay cheap beside the fine level.
const MOST_AGGREGATES: usize = 512;

/// Where a sum of fine blocks goes in the coarse matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// Onto diagonal block `p`.
    Diagonal(u32),
    /// Onto diagonal block `p`, together with its transpose.
    Inside(u32),
    /// Onto an upper block.
    Upper(u32),
    /// Onto an upper block, transposed.
    Lower(u32),
}

/// The fine rows of one chunk as the coarse level sees them.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct ChunkMap {
    /// Per row: its aggregate among those of the chunk.
    aggregates: Vec<u32>,
    /// Per aggregate of the chunk: its coarse row.
    coarse_rows: Vec<u32>,
    /// Per upper block of the chunk's rows: the sum it belongs to.
    block_sums: Vec<u32>,
    targets: Vec<Target>,
    /// Diagonal sums, one per aggregate of the chunk, then the sums of upper blocks.
    sums: Vec<Mat3>,
    /// `Pᵀr` of the chunk.
    residual: Vec<Vec3>,
}

/// The coarse level of a matrix; without aggregates it does nothing.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct Coarse {
    chunks: Vec<ChunkMap>,
    /// Whether the factor can be used.
    definite: bool,
    factor: BlockFactor,
    diagonal: Vec<Mat3>,
    upper: Vec<Mat3>,
    /// Where the rows of `upper` start.
    row_starts: Vec<usize>,
    residual: Vec<Vec3>,
    motion: Vec<Vec3>,
}

impl Coarse {
    /// No coarse level.
    pub fn none(pattern: &Pattern) -> Self {
        Self { chunks: vec![ChunkMap::default(); pattern.chunk_count()], ..Self::default() }
    }

    /// Aggregates and coarse pattern; both depend on the mesh alone.
    pub fn new(pattern: &Pattern) -> Self {
        let size = LEAST_AGGREGATE.max(pattern.size() / MOST_AGGREGATES);
        let mut aggregates = vec![0u32; pattern.size()];
        let mut count = 0u32;
        let mut chunks = Vec::new();
        for chunk in 0..pattern.chunk_count() {
            let rows = pattern.chunk(chunk);
            let (parts, part_count) = chunk_graph(pattern, chunk).parts(size);
            for (row, part) in rows.zip(&parts) {
                aggregates[row] = count + part;
            }
            let coarse_rows = (count..count + part_count as u32).collect();
            count += part_count as u32;
            chunks.push(ChunkMap { aggregates: parts, coarse_rows, ..ChunkMap::default() });
        }
        let (factor, positions) = exact_factor(pattern, &aggregates, count as usize);
        for own in &mut chunks {
            own.coarse_rows.iter_mut().for_each(|row| *row = positions[*row as usize]);
        }
        for aggregate in &mut aggregates {
            *aggregate = positions[*aggregate as usize];
        }
        let mut row_starts = vec![0];
        for row in 0..factor.size() {
            row_starts.push(row_starts[row] + factor.columns(row).len());
        }
        let mut coarse = Self {
            chunks,
            definite: false,
            diagonal: vec![Mat3::ZERO; factor.size()],
            upper: vec![Mat3::ZERO; row_starts[factor.size()]],
            residual: vec![Vec3::ZERO; factor.size()],
            motion: vec![Vec3::ZERO; factor.size()],
            row_starts,
            factor,
        };
        for chunk in 0..pattern.chunk_count() {
            coarse.list_sums(pattern, &aggregates, chunk);
        }
        coarse
    }

    /// Refills `PᵀÃP` and its factor. A level that is not positive definite is left out until the next
    /// refill.
    pub fn refill(&mut self, fine: &HeldMatrix) {
        if self.diagonal.is_empty() {
            return;
        }
        let pattern = fine.matrix.pattern();
        self.chunks.par_iter_mut().enumerate().for_each(|(c, map)| map.sum(pattern, c, fine));
        self.diagonal.fill(Mat3::ZERO);
        self.upper.fill(Mat3::ZERO);
        for map in &self.chunks {
            for (target, sum) in map.targets.iter().zip(&map.sums) {
                match *target {
                    Target::Diagonal(p) => self.diagonal[p as usize] += *sum,
                    Target::Inside(p) => self.diagonal[p as usize] += *sum + sum.transpose(),
                    Target::Upper(k) => self.upper[k as usize] += *sum,
                    Target::Lower(k) => self.upper[k as usize] += sum.transpose(),
                }
            }
        }
        let Self { factor, diagonal, upper, row_starts, .. } = self;
        let filled = factor.refill(0.0, |i| diagonal[i], |i, k| upper[row_starts[i] + k]);
        self.definite = filled.is_some();
    }

    /// The parts of all chunks.
    pub fn chunks_mut(&mut self) -> &mut [ChunkMap] {
        &mut self.chunks
    }

    /// Solves for the motion of all aggregates; returns `(Pᵀr)ᵀ (PᵀÃP)⁻¹ Pᵀr`.
    pub fn solve(&mut self) -> f64 {
        if !self.definite {
            return 0.0;
        }
        for map in &self.chunks {
            for (&row, r) in map.coarse_rows.iter().zip(&map.residual) {
                self.residual[row as usize] = *r;
            }
        }
        self.factor.solve(&self.residual, &mut self.motion)
    }

    /// Adds the motion of the aggregates to the rows `z` of a chunk.
    #[inline]
    pub fn prolong(&self, chunk: usize, z: &mut [Vec3]) {
        if self.definite {
            let map = &self.chunks[chunk];
            for (z, &aggregate) in z.iter_mut().zip(&map.aggregates) {
                *z += self.motion[map.coarse_rows[aggregate as usize] as usize];
            }
        }
    }

    /// Decides which sum every upper block of a chunk's rows belongs to.
    fn list_sums(&mut self, pattern: &Pattern, aggregates: &[u32], chunk: usize) {
        let target = |i: usize, j: usize| {
            let (p, q) = (aggregates[i], aggregates[j]);
            if p == q {
                return Target::Inside(p);
            }
            let row = p.min(q) as usize;
            let columns = self.factor.columns(row);
            let k = self.row_starts[row] + columns.partition_point(|&c| c < p.max(q));
            if p < q { Target::Upper(k as u32) } else { Target::Lower(k as u32) }
        };
        let rows = pattern.chunk(chunk);
        let blocks = rows.flat_map(|i| pattern.row(i).map(move |k| (i, pattern.column(k))));
        let all: Vec<Target> = blocks.map(|(i, j)| target(i, j)).collect();
        let mut different = all.clone();
        different.sort_unstable();
        different.dedup();
        let map = &mut self.chunks[chunk];
        let first = map.coarse_rows.len();
        let index = |t: &Target| (first + different.partition_point(|other| other < t)) as u32;
        map.block_sums = all.iter().map(index).collect();
        map.targets = map.coarse_rows.iter().map(|&p| Target::Diagonal(p)).collect();
        map.targets.extend(different);
        map.sums = vec![Mat3::ZERO; map.targets.len()];
        map.residual = vec![Vec3::ZERO; map.coarse_rows.len()];
    }
}

impl ChunkMap {
    /// `Pᵀr` of the rows of the chunk.
    #[inline]
    pub fn restrict(&mut self, r: &[Vec3]) {
        self.residual.fill(Vec3::ZERO);
        for (r, &aggregate) in r.iter().zip(&self.aggregates) {
            self.residual[aggregate as usize] += *r;
        }
    }

    fn sum(&mut self, pattern: &Pattern, chunk: usize, fine: &HeldMatrix) {
        self.sums.fill(Mat3::ZERO);
        let rows = pattern.chunk(chunk);
        let mut sums = self.block_sums.iter();
        for (i, &aggregate) in rows.zip(&self.aggregates) {
            self.sums[aggregate as usize] += fine.diagonal(i);
            for (k, &sum) in pattern.row(i).zip(&mut sums) {
                self.sums[sum as usize] += fine.upper(k, i, pattern.column(k));
            }
        }
    }
}

/// The graph of the blocks inside a chunk.
fn chunk_graph(pattern: &Pattern, chunk: usize) -> Graph {
    let rows = pattern.chunk(chunk);
    let start = rows.start;
    let local = |row: usize| (row - start) as u32;
    let edges = rows
        .clone()
        .flat_map(|i| pattern.inner(i).map(move |k| [local(i), local(pattern.column(k))]));
    Graph::new(rows.len(), edges)
}

/// A factor with all fill of the coarse pattern, and the row of every aggregate in it.
fn exact_factor(pattern: &Pattern, aggregates: &[u32], count: usize) -> (BlockFactor, Vec<u32>) {
    let mut edges: Vec<[u32; 2]> = (0..pattern.size())
        .flat_map(|i| pattern.row(i).map(move |k| [aggregates[i], aggregates[pattern.column(k)]]))
        .filter(|[p, q]| p != q)
        .map(|[p, q]| [p.min(q), p.max(q)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let graph = Graph::new(count, edges.iter().copied());
    // Rows are eliminated from the last to the first.
    let mut positions = vec![0u32; count];
    for (rank, v) in graph.dissection().into_iter().enumerate() {
        positions[v as usize] = (count - 1 - rank) as u32;
    }
    // Eliminating `m` joins the rows that meet it: they pass on to the next one to be eliminated.
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); count];
    for [p, q] in edges {
        let [p, q] = [positions[p as usize], positions[q as usize]];
        columns[p.max(q) as usize].push(p.min(q));
    }
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); count];
    for m in (0..count).rev() {
        let mut column = std::mem::take(&mut columns[m]);
        column.sort_unstable();
        column.dedup();
        column.iter().for_each(|&row| rows[row as usize].push(m as u32));
        if let Some((&next, rest)) = column.split_last() {
            columns[next as usize].extend(rest);
        }
    }
    rows.iter_mut().for_each(|row| row.reverse());
    (BlockFactor::new(rows.iter().map(Vec::as_slice)), positions)
}
