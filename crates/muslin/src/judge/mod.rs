//! The judge: is this surface free of intersections (R1)?
//!
//! It looks at positions alone, decides by exact orientation predicates (Shewchuk's, from the
//! `robust` crate), and shares no code with [`crate::collide`]: neither distances nor hierarchies.
//! Its answers are exact for all coordinates whose triple products neither overflow nor underflow
//! (about 1e-100 m to 1e100 m).

mod sanity;
mod sweep;
mod triangle;

pub use sanity::{Problem, Stretch, largest_stretch, problems};

use crate::math::Vec3;
use sweep::Bounds;

/// Pairs of triangles of one mesh that intersect, each `(lower, higher)`, in increasing order.
///
/// Touching counts. Neighbours meet by nature, so a pair that shares a vertex is reported
/// only if the triangles have another point in common, and a pair that shares an edge only if they are
/// folded flat onto each other. Two triangles on the same three vertices intersect.
///
/// Triangles with vertices that repeat, are missing or not finite are left out; [`problems`] lists
/// them. Triangles of no area are judged as the union of their edges; with a shared
/// vertex on the edge opposite to it, they count as intersecting.
pub fn intersecting_pairs(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let bounds = bounds_of(positions, triangles, 0);
    sweep::pairs(&bounds, |i, j| {
        let (a, b) = (triangles[i as usize], triangles[j as usize]);
        triangles_intersect(positions, a, b)
    })
}

/// Pairs `(triangle of a, triangle of b)` of two meshes that intersect or touch, in increasing
/// order. See [`intersecting_pairs`] for triangles that are left out.
pub fn crossing_pairs(
    a_positions: &[Vec3],
    a_triangles: &[[u32; 3]],
    b_positions: &[Vec3],
    b_triangles: &[[u32; 3]],
) -> Vec<(u32, u32)> {
    let first_b = a_triangles.len() as u32;
    let mut bounds = bounds_of(a_positions, a_triangles, 0);
    bounds.extend(bounds_of(b_positions, b_triangles, first_b));
    let found = sweep::pairs(&bounds, |i, j| {
        i < first_b
            && j >= first_b
            && triangle::intersect(
                &a_triangles[i as usize].map(|v| a_positions[v as usize]),
                &b_triangles[(j - first_b) as usize].map(|v| b_positions[v as usize]),
            )
    });
    found.into_iter().map(|(i, j)| (i, j - first_b)).collect()
}

/// Boxes of the triangles that can be judged, numbered from `first` on.
fn bounds_of(positions: &[Vec3], triangles: &[[u32; 3]], first: u32) -> Vec<Bounds> {
    let judged = |&[a, b, c]: &[u32; 3]| {
        let corners = [a, b, c].map(|v| positions.get(v as usize).filter(|x| x.is_finite()));
        let [Some(p), Some(q), Some(r)] = corners else {
            return None;
        };
        (a != b && b != c && c != a).then_some([*p, *q, *r])
    };
    let numbered = triangles.iter().zip(first..);
    numbered.filter_map(|(t, id)| judged(t).map(|corners| Bounds::new(id, &corners))).collect()
}

/// Whether two triangles of one mesh intersect in more than the vertices they share.
pub fn triangles_intersect(positions: &[Vec3], mut a: [u32; 3], mut b: [u32; 3]) -> bool {
    let shared = a.iter().filter(|v| b.contains(v)).count();
    let (a_before, b_before) = (a, b);
    a.sort_by_key(|v| !b_before.contains(v));
    b.sort_by_key(|v| !a_before.contains(v));
    // Shared vertices come first now.
    let (a, b) = (a.map(|v| positions[v as usize]), b.map(|v| positions[v as usize]));
    match shared {
        0 => triangle::intersect(&a, &b),
        1 => triangle::intersect_beyond_first_vertex(&a, &b),
        2 => triangle::folded_flat(&a, b[2]),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
