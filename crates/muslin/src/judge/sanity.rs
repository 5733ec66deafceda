//! What can be wrong with a surface besides intersections.

use super::triangle;
use crate::math::Vec3;

/// A defect of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not a finite number")]
    NonFiniteVertex {
        /// Index of the vertex.
        vertex: u32,
    },
    /// A triangle refers to a vertex that is not there.
    #[error("triangle {triangle} refers to vertex {vertex}, which does not exist")]
    MissingVertex {
        /// Index of the triangle.
        triangle: u32,
        /// The index it refers to.
        vertex: u32,
    },
    /// A triangle has exactly no area: its vertices coincide or lie on a line.
    #[error("triangle {triangle} has no area")]
    DegenerateTriangle {
        /// Index of the triangle.
        triangle: u32,
    },
}

/// All defects of a mesh: vertices first, then triangles, each in order.
pub fn problems(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Problem> {
    let mut found: Vec<Problem> = positions
        .iter()
        .zip(0..)
        .filter(|(x, _)| !x.is_finite())
        .map(|(_, vertex)| Problem::NonFiniteVertex { vertex })
        .collect();
    for (t, triangle) in triangles.iter().zip(0..) {
        let missing = t.iter().find(|&&vertex| vertex as usize >= positions.len());
        if let Some(&vertex) = missing {
            found.push(Problem::MissingVertex { triangle, vertex });
            continue;
        }
        let corners = t.map(|vertex| positions[vertex as usize]);
        if corners.iter().all(|x| x.is_finite()) && triangle::is_degenerate(&corners) {
            found.push(Problem::DegenerateTriangle { triangle });
        }
    }
    found
}

/// How far an edge is from its rest length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Index of the edge.
    pub edge: u32,
    /// `length / rest − 1`: 0 at rest, 0.1 when stretched by 10 %.
    pub strain: f64,
}

/// The most stretched edge, given each edge's rest length [m]; the first of equals. `None` without
/// edges. An edge that is not finite, or has vertices that do not exist, counts as infinitely stretched.
pub fn largest_stretch(
    positions: &[Vec3],
    edges: &[[u32; 2]],
    rest_lengths: &[f64],
) -> Option<Stretch> {
    let strain = |&[a, b]: &[u32; 2], rest: f64| {
        let (a, b) = (positions.get(a as usize)?, positions.get(b as usize)?);
        Some(a.distance(*b) / rest - 1.0).filter(|strain| strain.is_finite())
    };
    let all = edges.iter().zip(rest_lengths).zip(0..);
    all.map(|((vertices, &rest), edge)| Stretch {
        edge,
        strain: strain(vertices, rest).unwrap_or(f64::INFINITY),
    })
    .reduce(|worst, other| if other.strain > worst.strain { other } else { worst })
}
