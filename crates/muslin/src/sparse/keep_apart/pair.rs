//! Pairs of features of the cloth, and what separates them.

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

    /// The particles of the first feature and of the second.
    pub fn features(self, [a, b, c, d]: [usize; 4]) -> [[usize; 3]; 2] {
        match self {
            Self::PointFace(_) => [[a; 3], [b, c, d]],
            Self::EdgeEdge(_) => [[a, b, b], [c, d, d]],
        }
    }

    /// Whether the direction between the middles separates the features by more than `distance` \[m\] at
    /// both `ends` of their way.
    pub fn is_separated(self, ends: &[[Vec3; 4]; 2], distance: f64) -> bool {
        let (gap, squared) = self.gap(ends);
        gap > 0.0 && gap * gap > distance * distance * squared
    }

    /// By how much that direction separates them at least \[m\]; not above zero if it does not.
    pub fn separation(self, ends: &[[Vec3; 4]; 2]) -> f64 {
        let (gap, squared) = self.gap(ends);
        if squared > 0.0 { gap / squared.sqrt() } else { 0.0 }
    }

    /// The lesser gap at both `ends` along the direction between the middles, which is not of unit length, and the
    /// square of that length.
    #[inline]
    fn gap(self, ends: &[[Vec3; 4]; 2]) -> (f64, f64) {
        let direction = match self {
            Self::PointFace(_) => |[p, a, b, c]: [Vec3; 4]| p * 3.0 - (a + b + c),
            Self::EdgeEdge(_) => |[a, b, c, d]: [Vec3; 4]| (a + b) - (c + d),
        };
        let n = direction(ends[0]) + direction(ends[1]);
        let gap = |x: [Vec3; 4]| {
            let [a, b, c, d] = x.map(|p| p.dot(n));
            match self {
                Self::PointFace(_) => a - b.max(c).max(d),
                Self::EdgeEdge(_) => a.min(b) - c.max(d),
            }
        };
        (gap(ends[0]).min(gap(ends[1])), n.length_squared())
    }

    /// The nearest points of both features.
    pub fn closest(self, [a, b, c, d]: [Vec3; 4]) -> Closest {
        match self {
            Self::PointFace(_) => point_triangle(a, b, c, d),
            Self::EdgeEdge(_) => edge_edge(a, b, c, d),
        }
    }
}
