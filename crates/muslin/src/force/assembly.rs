//! From elements to a linear system: every element is linearised once, where its rows are.

mod bending;
mod block;
mod chunk;
mod elements;
mod fold;
mod groups;
mod layout;
mod planar;
mod triangles;

use super::air::Air;
use crate::cloth::Cloth;
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::Vec3;
use crate::wind::Blow;
use chunk::{Beyond, Chunk, Rows};
use elements::ChunkElements;
use fearless_simd::{Level, Simd, dispatch};
pub(crate) use layout::material_layout;
use rayon::prelude::*;
use std::sync::Arc;

/// Where and how a system is linearised: forces at `x`, `v`, and their change for `x → x + shift`.
#[derive(Clone, Copy, Debug)]
pub struct Linearised<'a> {
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
    /// Known displacement the forces are advanced by, `d` in `f + (∂f/∂x) d` \[m\].
    pub shift: &'a [Vec3],
    /// The air, if there is any.
    pub air: Option<&'a Air>,
    /// Winds as they blow now.
    pub winds: &'a [Blow],
    /// Implicit time `β` \[s\]: the matrix is `M − β ∂f/∂v − β² ∂f/∂x`.
    pub beta: f64,
}

/// The linear system of a cloth: pattern and element lists built once, values refilled every solve. The lists hold
/// what elements are like at rest, so a cloth that is changed needs another system.
#[derive(Clone, Debug)]
pub struct System {
    /// `M − β ∂f/∂v − β² ∂f/∂x`.
    pub matrix: BlockMatrix,
    /// Forces `f(x, v)` without gravity \[N\].
    pub force: Vec<Vec3>,
    /// Forces after the known shift, `f + (∂f/∂x) d` \[N\].
    pub shifted_force: Vec<Vec3>,
    chunks: Vec<ChunkElements>,
    /// What every chunk adds beyond its rows, kept between solves.
    beyond: Vec<Beyond>,
}

impl System {
    /// Pattern and element lists of a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let size = cloth.vertex_count();
        let of_triangles = cloth.triangles.iter().flat_map(|t| pairs(t.as_slice()));
        let of_hinges = cloth.hinges.iter().flat_map(|h| pairs(&h.vertices));
        let layout = material_layout(cloth);
        let pattern = Pattern::new(layout, of_triangles.chain(of_hinges));
        let chunks = ChunkElements::distribute(&pattern, cloth);
        let beyond = chunks.iter().enumerate();
        let beyond = beyond.map(|(c, e)| Beyond::new(e, pattern.chunk(c).len())).collect();
        Self {
            matrix: BlockMatrix::new(Arc::new(pattern)),
            force: vec![Vec3::ZERO; size],
            shifted_force: vec![Vec3::ZERO; size],
            chunks,
            beyond,
        }
    }

    /// Fills the matrix and both force vectors, chunk by chunk and in a fixed order (R4): first every
    /// chunk its own elements, then what they add to rows of others.
    pub fn assemble(&mut self, cloth: &Cloth, at: &Linearised) {
        self.assemble_with(Level::new(), cloth, at);
    }

    /// The same with registers of any kind that the machine has. All give the same bits (R4); the newest are the fastest.
    fn assemble_with(&mut self, level: Level, cloth: &Cloth, at: &Linearised) {
        let Self { matrix, force, shifted_force, chunks, beyond } = self;
        let pattern = Arc::clone(matrix.pattern());
        let mut rows = Rows::of_chunks(&pattern, matrix, [force, shifted_force]);
        rows.par_iter_mut().zip(&*chunks).zip(&mut *beyond).for_each(
            |((rows, elements), beyond)| {
                let mut chunk = Chunk { rows, beyond };
                dispatch!(level, simd => fill(simd, &mut chunk, &pattern, elements, (cloth, at)));
            },
        );
        rows.par_iter_mut().zip(&*chunks).for_each(|(rows, elements)| {
            for inflow in &elements.inflows {
                let from = (&chunks[inflow.chunk], &beyond[inflow.chunk]);
                rows.merge(&pattern, from, inflow);
            }
        });
    }
}

/// One chunk, window by window, four triangles at a time.
#[inline(always)]
#[expect(clippy::inline_always, reason = "is dispatched to what registers the machine has")]
fn fill<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    pattern: &Pattern,
    elements: &ChunkElements,
    (cloth, at): (&Cloth, &Linearised),
) {
    chunk.begin(elements, at);
    let mut columns_beyond = elements.columns_beyond.iter();
    let mut cleared = 0;
    for window in &elements.windows {
        chunk.clear(simd, pattern, (&cloth.mass, at), cleared..window.reach);
        cleared = window.reach;
        triangles::add(simd, chunk, (cloth, at), &elements.triangles[window.triangles.clone()]);
        chunk.close(simd, pattern, window.rows.clone(), &mut columns_beyond);
    }
    chunk.close_beyond(simd, elements);
}

/// All pairs of different vertices of an element.
fn pairs(vertices: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..vertices.len()).flat_map(move |i| (0..i).map(move |j| [vertices[i], vertices[j]]))
}

#[cfg(test)]
mod tests;
