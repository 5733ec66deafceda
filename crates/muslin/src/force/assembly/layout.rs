//! Material coordinates of vertices, one each: where a mesh lies when its panels are spread out.

use crate::cloth::{Cloth, TriangleRest};
use crate::math::Vec2;
use std::collections::VecDeque;

/// A place for every vertex \[m\]: differences along triangles are those of their rest coordinates, as
/// far as seams allow; separate pieces lie side by side along x.
pub(crate) fn material_layout(cloth: &Cloth) -> Vec<Vec2> {
    let size = cloth.vertex_count();
    let mut starts = vec![0u32; size + 1];
    for &v in cloth.triangles.iter().flatten() {
        starts[v as usize + 1] += 1;
    }
    for v in 0..size {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut around = vec![0u32; cloth.triangles.len() * 3];
    for (t, corners) in cloth.triangles.iter().enumerate() {
        for &v in corners {
            around[next[v as usize] as usize] = t as u32;
            next[v as usize] += 1;
        }
    }
    let mut layout: Vec<Option<Vec2>> = vec![None; size];
    let mut right = 0.0f64;
    for first in 0..size {
        if layout[first].is_some() {
            continue;
        }
        let mut places = vec![(first, Vec2::ZERO)];
        layout[first] = Some(Vec2::ZERO);
        let mut queue = VecDeque::from([(first, Vec2::ZERO)]);
        while let Some((v, place)) = queue.pop_front() {
            for &t in &around[starts[v] as usize..starts[v + 1] as usize] {
                let corners = cloth.triangles[t as usize].map(|w| w as usize);
                let rest = rest_corners(&cloth.triangle_rest[t as usize]);
                let Some(own) = corners.iter().position(|&w| w == v) else { continue };
                for (&w, corner) in corners.iter().zip(rest) {
                    if layout[w].is_none() {
                        let there = place + corner - rest[own];
                        layout[w] = Some(there);
                        places.push((w, there));
                        queue.push_back((w, there));
                    }
                }
            }
        }
        let left = places.iter().map(|(_, p)| p.x).fold(f64::INFINITY, f64::min);
        let shift = Vec2::new(right - left, 0.0);
        for (v, place) in places {
            layout[v] = Some(place + shift);
            right = right.max(place.x + shift.x);
        }
    }
    layout.into_iter().map(Option::unwrap_or_default).collect()
}

/// Rest coordinates of the corners, the first at the origin: `du`, `dv` are the inverse of the edges.
fn rest_corners(rest: &TriangleRest) -> [Vec2; 3] {
    let twice = 2.0 * rest.area;
    let first = Vec2::new(rest.dv[2], -rest.du[2]) * twice;
    let second = Vec2::new(-rest.dv[1], rest.du[1]) * twice;
    [Vec2::ZERO, first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::library;
    use crate::mesh::{Diagonals, Sheet};

    /// Sheets keep their rest coordinates; two of them lie side by side.
    #[test]
    fn sheets_lie_side_by_side() {
        let sheet = Sheet::grid([0.6, 0.4], [7, 5], Diagonals::Irregular(3)).unwrap();
        let fabric = &library()[0].fabric;
        let cloth = Cloth::new(&sheet.mesh, fabric, &Maps::default()).unwrap();
        let layout = material_layout(&Cloth::join(&[&cloth, &cloth]));
        for (piece, shift) in [(0, 0.0), (35, 0.6)] {
            for (place, rest) in layout[piece..].iter().zip(&sheet.positions) {
                let expected = Vec2::new(rest.x + 0.3 + shift, rest.y + 0.2);
                assert!(place.distance(expected) < 1e-12, "{place} against {expected}");
            }
        }
    }
}
