//! A signed distance field in an octree: one question, how far and which way (MF6).

use super::lattice::Lattice;
use crate::collide::aabb::Aabb;
use crate::math::Vec3;

/// Marks a node that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;

/// A signed distance field. The coarsest cells form a grid; each may be split into eight, again and
/// again; distances at corners are shared by the cells around them, and in between they are trilinear.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub(super) lattice: Lattice,
    /// The first of eight children, or a leaf with [`LEAF`] added; the coarsest cells come first.
    pub(super) nodes: Vec<u32>,
    /// The corners of each leaf.
    pub(super) corners: Vec<[u32; 8]>,
    /// Signed distances \[m\].
    pub(super) values: Vec<f64>,
    /// The nearest triangle at each of them; empty where nobody asked for it.
    pub(super) nearest: Vec<u32>,
}

/// The field at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// `φ`: signed distance, negative inside \[m\].
    pub distance: f64,
    /// `∇φ` \[-\].
    pub gradient: Vec3,
}

/// A leaf and where a point is in it.
pub(super) struct Place {
    pub leaf: usize,
    /// From 0 to 1 along each axis.
    pub within: Vec3,
    /// Side of the leaf \[m\].
    pub side: f64,
}

impl Field {
    /// Distance and gradient at a point. Outside the field's box, the way to the box is added.
    #[inline]
    pub fn sample(&self, p: Vec3) -> Sample {
        let Aabb { min, max } = self.bounds();
        let inside = p.clamp(min, max);
        let Place { leaf, within, side } = self.place(inside);
        let corners = &self.corners[leaf];
        let at = |k: usize| self.values[corners[k] as usize];
        let value = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
        let sample = interpolate(&value, within, side);
        if inside == p {
            return sample;
        }
        // The box is far from the surface, so the way on leads straight away from it.
        let beyond = p - inside;
        let away = sample.gradient * sample.distance + beyond;
        let length = away.length();
        let gradient = if length > 0.0 { away / length } else { sample.gradient };
        Sample { distance: sample.distance + beyond.length(), gradient }
    }

    /// The box in which distances are stored \[m\].
    pub fn bounds(&self) -> Aabb {
        let Lattice { origin, .. } = self.lattice;
        Aabb { min: origin, max: self.lattice.place(self.lattice.extent()) }
    }

    /// How far the deepest point of the lattice lies below the surface \[m\].
    pub fn deepest(&self) -> f64 {
        -self.values.iter().copied().fold(0.0, f64::min)
    }

    /// Side of the finest cells \[m\].
    pub fn cell(&self) -> f64 {
        self.lattice.cell
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.corners.len()
    }

    /// Number of distances stored.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Memory it takes \[bytes\].
    pub fn memory_bytes(&self) -> usize {
        4 * self.nodes.len()
            + 32 * self.corners.len()
            + 8 * self.values.len()
            + 4 * self.nearest.len()
    }

    /// Memory of the distances of a uniform grid with the same finest cells \[bytes\].
    pub fn uniform_bytes(&self) -> usize {
        self.lattice.extent().iter().map(|n| *n as usize + 1).product::<usize>() * 8
    }

    /// The nearest triangles of the corners around a point; none where they were not kept.
    pub fn nearby_triangles(&self, p: Vec3) -> impl Iterator<Item = u32> {
        let Aabb { min, max } = self.bounds();
        let corners = self.corners[self.place(p.clamp(min, max)).leaf];
        corners.into_iter().filter_map(|i| self.nearest.get(i as usize).copied())
    }

    /// The leaf of a point inside the box.
    #[inline]
    pub(super) fn place(&self, p: Vec3) -> Place {
        let Lattice { origin, cell, levels, roots } = self.lattice;
        let q = (p - origin) / cell;
        let top = |c: f64, n: u32| (c.max(0.0) as u32).min((n << levels) - 1);
        let at = [top(q.x, roots[0]), top(q.y, roots[1]), top(q.z, roots[2])];
        let (leaf, level) = self.leaf_at(at);
        let shift = levels - level;
        let low = |c: u32| f64::from(c >> shift << shift);
        let side = f64::from(1u32 << shift);
        let within = (q - Vec3::new(low(at[0]), low(at[1]), low(at[2]))) / side;
        Place { leaf, within, side: side * cell }
    }

    /// The leaf and its level that hold the finest cell whose lowest corner is `at`.
    #[inline]
    pub(super) fn leaf_at(&self, at: [u32; 3]) -> (usize, u32) {
        let Lattice { levels, roots, .. } = self.lattice;
        let [x, y, z] = [at[0] >> levels, at[1] >> levels, at[2] >> levels];
        let mut node = self.nodes[(x + roots[0] * (y + roots[1] * z)) as usize];
        let mut level = 0;
        while node & LEAF == 0 {
            level += 1;
            let bit = |c: u32| c >> (levels - level) & 1;
            node = self.nodes[(node + bit(at[0]) + 2 * bit(at[1]) + 4 * bit(at[2])) as usize];
        }
        ((node & !LEAF) as usize, level)
    }
}

/// Trilinear interpolation of the corners of a cell of `side` \[m\], and its gradient.
#[inline]
pub(super) fn interpolate(value: &[f64; 8], at: Vec3, side: f64) -> Sample {
    let [c000, c100, c010, c110, c001, c101, c011, c111] = *value;
    let mix = |a: f64, b: f64, s: f64| a + (b - a) * s;
    let (x00, x10) = (mix(c000, c100, at.x), mix(c010, c110, at.x));
    let (x01, x11) = (mix(c001, c101, at.x), mix(c011, c111, at.x));
    let (y0, y1) = (mix(x00, x10, at.y), mix(x01, x11, at.y));
    let dx = mix(mix(c100 - c000, c110 - c010, at.y), mix(c101 - c001, c111 - c011, at.y), at.z);
    let dy = mix(x10 - x00, x11 - x01, at.z);
    Sample { distance: mix(y0, y1, at.z), gradient: Vec3::new(dx, dy, y1 - y0) / side }
}
