//! Pairs of features of the cloth, and what separates them.

use crate::collide::aabb::Aabb;
use crate::collide::distance::{Closest, edge_edge, point_triangle};
use crate::math::Vec3;

/// Two features that share no particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// A particle and the corners of a face.
    PointFace([u32; 4]),
    /// The ends of two edges.
    EdgeEdge([u32; 4]),
}

impl Pair {
    /// Its particles, those of the first feature first.
    #[inline]
    pub fn particles(&self) -> [u32; 4] {
        let (Self::PointFace(all) | Self::EdgeEdge(all)) = self;
        *all
    }

    /// Whether the boxes around the ways of both features between their `ends` are more than `distance` \[m\] apart.
    pub fn is_boxed_apart(
        self,
        &[[a, b, c, d], [e, f, g, h]]: &[[Vec3; 4]; 2],
        distance: f64,
    ) -> bool {
        let [first, second] = match self {
            Self::PointFace(_) => [Aabb::around([a, e]), Aabb::around([b, c, d, f, g, h])],
            Self::EdgeEdge(_) => [Aabb::around([a, b, e, f]), Aabb::around([c, d, g, h])],
        };
        !first.grown(distance).overlaps(&second)
    }

    /// By how much the direction between the middles separates the features at least at both `ends` of their way
    /// \[m\]; not above zero if it does not.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or eight positions are copied")]
    pub fn separation(self, ends: &[[Vec3; 4]; 2]) -> f64 {
        let (gap, squared) = self.gap(ends);
        if squared > 0.0 { gap / squared.sqrt() } else { 0.0 }
    }

    /// Whether [`Pair::separation`] is more than `least` \[m\] for particles at these positions \[m\] before and after; without a root.
    #[inline]
    pub fn is_separated(self, before: &[Vec3], after: &[Vec3], least: f64) -> bool {
        let (gap, squared) = self.gap(&self.ends(before, after));
        gap > 0.0 && gap * gap > least * least * squared
    }

    /// [`Pair::separation`] for particles at these positions \[m\] before and after.
    pub fn separation_of(self, before: &[Vec3], after: &[Vec3]) -> f64 {
        self.separation(&self.ends(before, after))
    }

    /// Its particles before and after \[m\].
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or eight positions are copied, twice")]
    pub fn ends(self, before: &[Vec3], after: &[Vec3]) -> [[Vec3; 4]; 2] {
        let [a, b, c, d] = self.particles();
        let [a, b, c, d] = [a as usize, b as usize, c as usize, d as usize];
        [[before[a], before[b], before[c], before[d]], [after[a], after[b], after[c], after[d]]]
    }

    /// The lesser gap at both `ends` along the direction between the middles, which is not of unit length, and the
    /// square of that length.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or eight positions are copied")]
    fn gap(self, ends: &[[Vec3; 4]; 2]) -> (f64, f64) {
        // Arrays are taken apart by hand: their `map` is not inlined.
        let [[a, b, c, d], [e, f, g, h]] = *ends;
        match self {
            Self::PointFace(_) => {
                let n = (a + e) * 3.0 - ((b + c + d) + (f + g + h));
                let before = a.dot(n) - b.dot(n).max(c.dot(n)).max(d.dot(n));
                let after = e.dot(n) - f.dot(n).max(g.dot(n)).max(h.dot(n));
                (before.min(after), n.length_squared())
            }
            Self::EdgeEdge(_) => {
                let n = (a + b + e + f) - (c + d + g + h);
                let before = a.dot(n).min(b.dot(n)) - c.dot(n).max(d.dot(n));
                let after = e.dot(n).min(f.dot(n)) - g.dot(n).max(h.dot(n));
                (before.min(after), n.length_squared())
            }
        }
    }

    /// The nearest points of both features.
    pub fn closest(self, [a, b, c, d]: [Vec3; 4]) -> Closest {
        match self {
            Self::PointFace(_) => point_triangle(a, b, c, d),
            Self::EdgeEdge(_) => edge_edge(a, b, c, d),
        }
    }
}
