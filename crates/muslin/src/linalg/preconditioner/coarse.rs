//! The coarse level: aggregates of vertices that move as affine functions of the material coordinates,
//! their matrix `PᵀÃP` factorised exactly.
//!
//! A column of `P` is one function times one axis. Functions of an aggregate are `1`, `s`, `t`: its two
//! coordinates, centred, orthogonal and scaled to one. Translations, rotations and uniform strains of a
//! region are what a local preconditioner cannot carry across a sheet.
//!
//! | squares of a grid | iterations at 100², stiff | coarse rows |
//! |---|---|---|
//! | translations, 64 vertices | 33 | 169 |
//! | translations, 36 vertices | 26 | 289 |
//! | affine, 256 vertices | 27 | 147 |

use super::aggregates::{Aggregates, FUNCTIONS};
use super::factor::BlockFactor;
use super::held::HeldMatrix;
use crate::linalg::Pattern;
use crate::math::{Mat3, Vec3};
use rayon::prelude::*;

/// What fine blocks sum to between two aggregates, function by function.
type Sums = [[Mat3; FUNCTIONS]; FUNCTIONS];

/// No block yet.
const NOTHING: Sums = [[Mat3::ZERO; FUNCTIONS]; FUNCTIONS];

/// Aggregates from which a solve is long beside waking a thread.
const LARGE: usize = 100;

/// Where the sums between two different aggregates go.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// First upper block of each row of the aggregate with the smaller coarse rows.
    at: [u32; FUNCTIONS],
    /// Whether the fine blocks run from the larger to the smaller.
    transposed: bool,
}

/// The fine rows of one chunk as the coarse level sees them.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct ChunkMap {
    /// First aggregate of the chunk.
    first: usize,
    inside: Vec<Sums>,
    /// Per fine block that leaves its aggregate, in storage order: which link it belongs to.
    leaving: Vec<u32>,
    links: Vec<Link>,
    across: Vec<Sums>,
    /// `Pᵀr` of the chunk's aggregates.
    residual: Vec<[Vec3; FUNCTIONS]>,
}

/// The coarse level of a matrix; without aggregates it does nothing.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct Coarse {
    aggregates: Aggregates,
    chunks: Vec<ChunkMap>,
    /// Whether the factor can be used.
    definite: bool,
    factor: BlockFactor<Mat3>,
    /// First coarse row of every aggregate.
    rows: Vec<u32>,
    diagonal: Vec<Mat3>,
    upper: Vec<Mat3>,
    /// Where the coarse rows of `upper` start.
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
        let aggregates = Aggregates::new(pattern);
        let (factor, rows) = aggregates.exact_factor(pattern);
        let mut row_starts = vec![0];
        for row in 0..factor.size() {
            row_starts.push(row_starts[row] + factor.columns(row).len());
        }
        let mut coarse = Self {
            chunks: Vec::new(),
            definite: false,
            diagonal: vec![Mat3::ZERO; factor.size()],
            upper: vec![Mat3::ZERO; row_starts[factor.size()]],
            residual: vec![Vec3::ZERO; factor.size()],
            motion: vec![Vec3::ZERO; factor.size()],
            aggregates,
            rows,
            row_starts,
            factor,
        };
        coarse.chunks = (0..pattern.chunk_count()).map(|c| coarse.map(pattern, c)).collect();
        coarse
    }

    /// Refills `PᵀÃP` and its factor. A level that is not positive definite is left out until the next
    /// refill.
    pub fn refill(&mut self, fine: &HeldMatrix) {
        if self.rows.is_empty() {
            return;
        }
        let Self { chunks, aggregates, .. } = self;
        chunks.par_iter_mut().enumerate().for_each(|(c, map)| map.sum(aggregates, c, fine));
        self.gather();
        let Self { factor, diagonal, upper, row_starts, .. } = self;
        let filled = factor.refill(0.0, |i| diagonal[i], |i, k| upper[row_starts[i] + k]);
        self.definite = filled.is_some();
    }

    /// Whether a solve takes long enough that the chunks should not wait for it.
    pub fn is_large(&self) -> bool {
        self.rows.len() > LARGE
    }

    /// The parts of all chunks, and the aggregates they sum over.
    pub fn split(&mut self) -> (&mut [ChunkMap], &Aggregates) {
        (&mut self.chunks, &self.aggregates)
    }

    /// Solves for the motion of all aggregates; returns `(Pᵀr)ᵀ (PᵀÃP)⁻¹ Pᵀr`.
    pub fn solve(&mut self) -> f64 {
        if !self.definite {
            return 0.0;
        }
        for map in &self.chunks {
            for (&row, r) in self.rows[map.first..].iter().zip(&map.residual) {
                self.residual[row as usize..row as usize + FUNCTIONS].copy_from_slice(r);
            }
        }
        self.factor.solve(&self.residual, &mut self.motion)
    }

    /// Adds the motion of the aggregates to the vertices `z` of a chunk, the first of which is `start`.
    #[inline]
    pub fn prolong(&self, start: usize, z: &mut [Vec3]) {
        if self.definite {
            for (z, (aggregate, [s, t])) in z.iter_mut().zip(self.aggregates.from(start)) {
                let row = self.rows[aggregate] as usize;
                *z += self.motion[row] + self.motion[row + 1] * s + self.motion[row + 2] * t;
            }
        }
    }

    /// Adds up what the chunks found.
    fn gather(&mut self) {
        self.upper.fill(Mat3::ZERO);
        for map in &self.chunks {
            for (&row, sums) in self.rows[map.first..].iter().zip(&map.inside) {
                let row = row as usize;
                for a in 0..FUNCTIONS {
                    self.diagonal[row + a] = sums[a][a] + sums[a][a].transpose();
                    for b in a + 1..FUNCTIONS {
                        // Row a holds its own aggregate's later functions first.
                        self.upper[self.row_starts[row + a] + b - a - 1] +=
                            sums[a][b] + sums[b][a].transpose();
                    }
                }
            }
            for (link, sums) in map.links.iter().zip(&map.across) {
                for (a, &at) in link.at.iter().enumerate() {
                    for b in 0..FUNCTIONS {
                        let add = if link.transposed { sums[b][a].transpose() } else { sums[a][b] };
                        self.upper[at as usize + b] += add;
                    }
                }
            }
        }
        for &dead in &self.aggregates.dead {
            let row = self.rows[dead[0] as usize] as usize + dead[1] as usize;
            self.diagonal[row] = Mat3::IDENTITY;
        }
    }

    /// Lists what leaves the aggregates of a chunk, and where it goes.
    fn map(&self, pattern: &Pattern, chunk: usize) -> ChunkMap {
        let own = |i: usize| self.aggregates.of(i);
        let range = self.aggregates.chunk(chunk);
        let blocks = pattern.chunk(chunk).flat_map(|i| pattern.row(i).map(move |k| (i, k)));
        let leaving: Vec<[usize; 2]> =
            blocks.map(|(i, k)| [own(i), own(pattern.column(k))]).filter(|[p, q]| p != q).collect();
        let mut pairs = leaving.clone();
        pairs.sort_unstable();
        pairs.dedup();
        let index = |pair: &[usize; 2]| pairs.partition_point(|other| other < pair) as u32;
        ChunkMap {
            first: range.start,
            inside: vec![NOTHING; range.len()],
            leaving: leaving.iter().map(index).collect(),
            links: pairs.iter().map(|pair| self.link(*pair)).collect(),
            across: vec![NOTHING; pairs.len()],
            residual: vec![[Vec3::ZERO; FUNCTIONS]; range.len()],
        }
    }

    fn link(&self, pair: [usize; 2]) -> Link {
        let [p, q] = pair.map(|aggregate| self.rows[aggregate]);
        let (low, high) = (p.min(q), p.max(q));
        let at = std::array::from_fn(|a| {
            let row = low as usize + a;
            let before = self.factor.columns(row).partition_point(|&column| column < high);
            (self.row_starts[row] + before) as u32
        });
        Link { at, transposed: q < p }
    }
}

impl ChunkMap {
    /// `Pᵀr` of the vertices of the chunk, the first of which is `start`.
    #[inline]
    pub fn restrict(&mut self, aggregates: &Aggregates, start: usize, r: &[Vec3]) {
        if self.residual.is_empty() {
            return;
        }
        self.residual.fill([Vec3::ZERO; FUNCTIONS]);
        for (r, (aggregate, [s, t])) in r.iter().zip(aggregates.from(start)) {
            let sum = &mut self.residual[aggregate - self.first];
            sum[0] += *r;
            sum[1] += *r * s;
            sum[2] += *r * t;
        }
    }

    /// Sums the fine blocks of the chunk's rows, `Σ w_i A_ij w_jᵀ`; half of the diagonal, because
    /// [`Coarse::gather`] adds the transpose of all that stays inside.
    fn sum(&mut self, aggregates: &Aggregates, chunk: usize, fine: &HeldMatrix) {
        let pattern = fine.matrix.pattern();
        self.inside.fill(NOTHING);
        self.across.fill(NOTHING);
        let mut leaving = self.leaving.iter();
        for i in pattern.chunk(chunk) {
            let (own, w) = (aggregates.of(i), aggregates.weights(i));
            let half = fine.diagonal(i) * 0.5;
            let mut row = [half, half * w[0], half * w[1]];
            for k in pattern.row(i) {
                let j = pattern.column(k);
                let block = fine.upper(k, i, j);
                let [s, t] = aggregates.weights(j);
                if aggregates.of(j) == own {
                    row[0] += block;
                    row[1] += block * s;
                    row[2] += block * t;
                } else if let Some(&link) = leaving.next() {
                    add_row(&mut self.across[link as usize], w, &[block, block * s, block * t]);
                }
            }
            add_row(&mut self.inside[own - self.first], w, &row);
        }
    }
}

/// Adds a row of functions, weighted by those of its vertex.
#[inline]
fn add_row(sums: &mut Sums, [s, t]: [f64; 2], row: &[Mat3; FUNCTIONS]) {
    for b in 0..FUNCTIONS {
        sums[0][b] += row[b];
        sums[1][b] += row[b] * s;
        sums[2][b] += row[b] * t;
    }
}
