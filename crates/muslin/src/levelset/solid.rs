//! A mesh with an inside: exact distance from its triangles, sign from the generalised winding number,
//! which forgives small holes and parts that overlap (MF6).

use super::tree::{Nearest, TriangleTree};
use crate::body::BodyMesh;
use crate::collide::aabb::Aabb;
use crate::math::{Vec3, try_normalize};
use rayon::prelude::*;
use thiserror::Error;

/// A point is inside where the surface winds around it more often than this.
const INSIDE: f64 = 0.5;

/// How far off a triangle its outside is looked at, as a share of its size.
const OFFSET: f64 = 1e-4;

/// Largest mean deviation of winding numbers from whole ones, weighted by area. A closed surface has 0, a
/// sphere with a hole of a tenth of its area 0.03, a flat sheet 0.5.
const MOST_OPEN: f64 = 0.1;

/// Why a mesh has no inside.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolidError {
    /// No triangles.
    #[error("the body has no triangles; give it a closed mesh")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} of the body names a vertex that does not exist; export it again")]
    IndexOutOfRange {
        /// Triangle number.
        triangle: usize,
    },
    /// A position is NaN or infinite.
    #[error("vertex {vertex} of the body is not at a finite position; export it again")]
    NotFinite {
        /// Vertex number.
        vertex: usize,
    },
    /// Normals point inwards.
    #[error("the body is inside out: its triangles face inwards; flip its normals")]
    InsideOut,
    /// Too many holes to have an inside.
    #[error(
        "the body is too open for a distance field: from just outside its triangles, {:.0} % of a \
         full turn leaks through holes on average; close the holes, or use collision = \"mesh\"",
        100.0 * leak
    )]
    Open {
        /// Mean deviation of winding numbers from whole ones \[-\].
        leak: f64,
    },
}

/// A triangle mesh with an inside.
#[derive(Clone, Debug)]
pub struct Solid {
    /// All triangles, for winding numbers.
    whole: TriangleTree,
    /// The triangles that are not buried in another part of the body; `None` where that is all.
    surface: Option<TriangleTree>,
    closed: bool,
    buried: usize,
}

/// A signed distance and where it was measured to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signed {
    /// Distance, negative inside \[m\].
    pub distance: f64,
    /// The nearest triangle.
    pub triangle: u32,
}

impl Solid {
    /// Checks a mesh and builds its hierarchy.
    pub fn new(mesh: &BodyMesh) -> Result<Self, SolidError> {
        check(mesh)?;
        let (solid, look) = Self::build(mesh);
        if look.leak.is_nan() || look.leak > MOST_OPEN {
            return Err(SolidError::Open { leak: look.leak });
        }
        if look.mean < -0.5 {
            return Err(SolidError::InsideOut);
        }
        Ok(solid)
    }

    /// A later frame of a body that deforms and was sound in its first, with the same triangles.
    pub fn of_frame(mesh: &BodyMesh) -> Self {
        Self::build(mesh).0
    }

    fn build(mesh: &BodyMesh) -> (Self, Look) {
        let corners = |t: &[u32; 3]| t.map(|v| mesh.positions[v as usize]);
        let numbered = |(k, t): (usize, &[u32; 3])| (k as u32, corners(t));
        let all: Vec<(u32, [Vec3; 3])> = mesh.triangles.iter().enumerate().map(numbered).collect();
        let whole = TriangleTree::new(all.clone());
        let outside: Vec<f64> =
            all.par_iter().map(|(_, t)| winding_outside(&whole, t, [1.0 / 3.0; 3])).collect();
        let near_corners = [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]];
        let shows = |(k, t): &(u32, [Vec3; 3])| {
            outside[*k as usize] <= INSIDE
                || near_corners.iter().any(|w| winding_outside(&whole, t, *w) <= INSIDE)
        };
        let shown: Vec<(u32, [Vec3; 3])> = all.par_iter().copied().filter(shows).collect();
        let buried = all.len() - shown.len();
        let surface = (buried > 0 && !shown.is_empty()).then(|| TriangleTree::new(shown));
        let solid = Self { whole, surface, closed: is_closed(mesh), buried };
        (solid, Look::of(&all, &outside))
    }

    /// The box around the mesh.
    pub fn bounds(&self) -> Aabb {
        self.whole.bounds()
    }

    /// Whether every edge belongs to two triangles that agree about the outside.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Triangles left out because they lie inside another part of the body.
    pub fn buried(&self) -> usize {
        self.buried
    }

    /// Signed distance of a point within `reach` \[m\] of the surface.
    pub fn distance(&self, p: Vec3, reach: f64) -> Option<Signed> {
        let Nearest { distance, triangle } = self.nearest(p, reach)?;
        let distance = if self.is_inside(p) { -distance } else { distance };
        Some(Signed { distance, triangle })
    }

    pub(super) fn nearest(&self, p: Vec3, reach: f64) -> Option<Nearest> {
        self.surface.as_ref().unwrap_or(&self.whole).nearest(p, reach)
    }

    /// Whether a point is inside.
    pub fn is_inside(&self, p: Vec3) -> bool {
        self.whole.winding(p) > INSIDE
    }
}

/// What the winding numbers just outside all triangles say, weighted by area.
struct Look {
    /// Their mean: 0 for a sound body, −1 for one that is inside out.
    mean: f64,
    /// Their mean deviation from whole numbers.
    leak: f64,
}

impl Look {
    fn of(triangles: &[(u32, [Vec3; 3])], outside: &[f64]) -> Self {
        let (mut total, mut sum, mut leak) = (0.0, 0.0, 0.0);
        for ((_, t), w) in triangles.iter().zip(outside) {
            let area = twice_area(t);
            total += area;
            sum += w * area;
            leak += (w - w.round()).abs() * area;
        }
        Self { mean: sum / total, leak: leak / total }
    }
}

/// The winding number just outside a triangle, at these barycentric weights.
fn winding_outside(tree: &TriangleTree, [a, b, c]: &[Vec3; 3], w: [f64; 3]) -> f64 {
    let normal = (*b - *a).cross(*c - *a);
    let Some(direction) = try_normalize(normal) else { return 0.0 };
    let at = *a * w[0] + *b * w[1] + *c * w[2];
    tree.winding(at + direction * (OFFSET * normal.length().sqrt()))
}

fn twice_area([a, b, c]: &[Vec3; 3]) -> f64 {
    (*b - *a).cross(*c - *a).length()
}

fn check(mesh: &BodyMesh) -> Result<(), SolidError> {
    if mesh.triangles.is_empty() {
        return Err(SolidError::Empty);
    }
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(SolidError::NotFinite { vertex });
    }
    let count = mesh.positions.len();
    let outside = |t: &[u32; 3]| t.iter().any(|&v| v as usize >= count);
    match mesh.triangles.iter().position(outside) {
        Some(triangle) => Err(SolidError::IndexOutOfRange { triangle }),
        None => Ok(()),
    }
}

/// Whether every side of a triangle is met by the same side of another in the other direction. Vertices
/// in the same place count as one, so that a surface cut apart along texture seams is still closed.
fn is_closed(mesh: &BodyMesh) -> bool {
    // Adding 0 turns −0 into +0, so that equal positions sort together.
    let place = |v: u32| (mesh.positions[v as usize] + Vec3::ZERO).to_array();
    let compare = |a: &u32, b: &u32| {
        let (p, q) = (place(*a), place(*b));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(p[2].total_cmp(&q[2]))
    };
    let mut order: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    order.par_sort_by(|a, b| compare(a, b).then(a.cmp(b)));
    let mut one = vec![0u32; order.len()];
    for group in order.chunk_by(|a, b| compare(a, b).is_eq()) {
        for &v in group {
            one[v as usize] = group[0];
        }
    }
    let side = |t: &[u32; 3], k: usize| [one[t[k] as usize], one[t[(k + 1) % 3] as usize]];
    let mut sides: Vec<[u32; 2]> =
        mesh.triangles.iter().flat_map(|t| [0, 1, 2].map(|k| side(t, k))).collect();
    let mut turned: Vec<[u32; 2]> = sides.iter().map(|[a, b]| [*b, *a]).collect();
    sides.par_sort_unstable();
    turned.par_sort_unstable();
    sides == turned
}
