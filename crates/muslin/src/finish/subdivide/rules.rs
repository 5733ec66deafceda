//! Which mask each vertex has: inside a smooth surface, along a boundary or crease, or kept (BF13).

use super::level::Cage;
use super::mask::Mask;
use crate::math::Vec2;
use crate::mesh::{Edge, NO_TRIANGLE};
use std::f64::consts::{FRAC_PI_4, PI};

/// A boundary that turns more than this at a vertex, at rest, has a corner there \[rad\].
const CORNER: f64 = FRAC_PI_4;

/// How a vertex is smoothed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum VertexRule {
    /// By all its neighbours, in order around it; `whole` if no crease ends here, so that its edges may
    /// use its mask as well.
    Smooth {
        /// The neighbours.
        ring: Vec<u32>,
        /// No sharp edge at it.
        whole: bool,
    },
    /// As a cubic B-spline along the boundary or crease, by the vertices before and after it.
    Curve([u32; 2]),
    /// Not at all: corners, and where several creases meet.
    Fixed,
}

/// The rules of all vertices of a cage, and the masks they use.
pub(super) struct Rules<'a> {
    creases: &'a [[u32; 2]],
    vertices: Vec<VertexRule>,
    /// By valence.
    masks: Vec<Mask>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(cage: &'a Cage) -> Self {
        let mut rules = Self { creases: &cage.creases, vertices: Vec::new(), masks: Vec::new() };
        let mut sharp: Vec<Vec<u32>> = vec![Vec::new(); cage.mesh.vertex_count()];
        let mut on_boundary = vec![false; cage.mesh.vertex_count()];
        for edge in cage.mesh.topology().edges().iter().filter(|e| rules.is_sharp(e)) {
            let [a, b] = edge.vertices;
            for (v, other) in [(a, b), (b, a)] {
                sharp[v as usize].push(other);
                on_boundary[v as usize] |= edge.triangles[1] == NO_TRIANGLE;
            }
        }
        let rule = |v: usize| match sharp[v].as_slice() {
            [a, b] if on_boundary[v] && is_corner(cage, v) => {
                debug_assert!(a != b);
                VertexRule::Fixed
            }
            &[a, b] => VertexRule::Curve([a, b]),
            list if list.len() < 2 => match ring(cage, v) {
                Some(ring) => VertexRule::Smooth { ring, whole: list.is_empty() },
                None => VertexRule::Fixed,
            },
            _ => VertexRule::Fixed,
        };
        rules.vertices = (0..cage.mesh.vertex_count()).map(rule).collect();
        let largest = rules.vertices.iter().map(|rule| match rule {
            VertexRule::Smooth { ring, .. } => ring.len(),
            _ => 0,
        });
        rules.masks = (0..=largest.max().unwrap_or(0)).map(|n| Mask::new(n.max(3))).collect();
        rules
    }

    pub(super) fn of(&self, v: u32) -> &VertexRule {
        &self.vertices[v as usize]
    }

    /// The mask for a ring of `valence` vertices.
    pub(super) fn mask(&self, valence: usize) -> &Mask {
        &self.masks[valence]
    }

    /// Whether an edge is a boundary or a crease.
    pub(super) fn is_sharp(&self, edge: &Edge) -> bool {
        edge.triangles[1] == NO_TRIANGLE || self.creases.binary_search(&edge.vertices).is_ok()
    }
}

/// The neighbours of a vertex inside the surface, in order; `None` if its triangles are not one closed fan of
/// three or more.
fn ring(cage: &Cage, v: usize) -> Option<Vec<u32>> {
    let around = cage.mesh.topology().ring(v);
    let steps: Vec<[u32; 2]> = around
        .iter()
        .map(|&t| {
            let corners = cage.mesh.triangles()[t as usize];
            let k = corners.iter().position(|&c| c as usize == v).unwrap_or(0);
            [corners[(k + 1) % 3], corners[(k + 2) % 3]]
        })
        .collect();
    let first = steps.iter().map(|step| step[0]).min()?;
    let mut ring = vec![first];
    while ring.len() < steps.len() {
        let last = *ring.last()?;
        let next = steps.iter().find(|step| step[0] == last)?[1];
        if next == first {
            return None;
        }
        ring.push(next);
    }
    (ring.len() >= 3).then_some(ring)
}

/// Whether the boundary turns sharply at a vertex, at rest.
fn is_corner(cage: &Cage, v: usize) -> bool {
    let angle = |&t: &u32| {
        let corners = cage.mesh.triangles()[t as usize];
        let k = corners.iter().position(|&c| c as usize == v).unwrap_or(0);
        let uv = cage.mesh.uv()[t as usize];
        let side = |j: usize| -> Vec2 { uv[(k + j) % 3] - uv[k] };
        side(1).angle_to(side(2)).abs()
    };
    let inside: f64 = cage.mesh.topology().ring(v).iter().map(angle).sum();
    (PI - inside).abs() > CORNER
}
