//! The figure as rigid pieces, one a bone.

use crate::joint::Joint;
use crate::mesher::Triangulation;
use crate::skin::Influences;
use muslin::math::Vec3;

/// A closed piece of the surface that moves with one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct BonePart {
    /// The bone.
    pub joint: Joint,
    /// The piece in the rest pose, closed.
    pub mesh: Triangulation,
}

/// A piece holds the triangles whose corners the bone moves by more than this share: pieces of
/// neighbouring bones overlap, so that no gap opens at a joint.
const SHARE: f64 = 0.25;

/// The pieces of all bones that have one. Holes where a piece was cut off are closed by cones over
/// the middles of their rims.
pub fn parts(mesh: &Triangulation, influences: &[Influences]) -> Vec<BonePart> {
    let part = |joint: Joint| {
        let moved = |v: u32| influences[v as usize].weight(joint) > SHARE;
        let own: Vec<[u32; 3]> =
            mesh.triangles.iter().copied().filter(|t| t.iter().all(|&v| moved(v))).collect();
        let mesh = closed(mesh, &own);
        (!mesh.triangles.is_empty()).then_some(BonePart { joint, mesh })
    };
    Joint::ALL.into_iter().filter_map(part).collect()
}

/// The triangles with their own vertices, and a cone over every rim.
fn closed(mesh: &Triangulation, own: &[[u32; 3]]) -> Triangulation {
    let mut used: Vec<u32> = own.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let number = |v: u32| used.binary_search(&v).map_or(0, |k| k as u32);
    let mut part = Triangulation {
        positions: used.iter().map(|&v| mesh.positions[v as usize]).collect(),
        triangles: own.iter().map(|t| t.map(number)).collect(),
    };
    for rim in rims(&part.triangles) {
        let sum: Vec3 = rim.iter().map(|&v| part.positions[v as usize]).sum();
        let middle = part.positions.len() as u32;
        part.positions.push(sum / rim.len() as f64);
        for (k, &v) in rim.iter().enumerate() {
            part.triangles.push([v, rim[(k + 1) % rim.len()], middle]);
        }
    }
    part
}

/// Closed rims, against the direction of the triangles that they belong to. Where two rims touch
/// in a vertex, each stays a loop of its own.
fn rims(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for &[a, b, c] in triangles {
        edges.extend([(a, b), (b, c), (c, a)]);
    }
    edges.sort_unstable();
    let open = |e: &&(u32, u32)| edges.binary_search(&(e.1, e.0)).is_err();
    // Reversed: from the end of an open edge to its start.
    let mut steps: Vec<(u32, u32)> = edges.iter().filter(open).map(|e| (e.1, e.0)).collect();
    steps.sort_unstable();
    let mut done = vec![false; steps.len()];
    let mut rims = Vec::new();
    for first in 0..steps.len() {
        let (mut rim, mut at) = (Vec::new(), first);
        while !done[at] {
            done[at] = true;
            let (from, to) = steps[at];
            // A vertex met before closes a loop, which is cut off here.
            rim.push(from);
            if let Some(start) = rim.iter().position(|&v| v == to) {
                rims.push(rim.split_off(start));
            }
            let next = steps.partition_point(|s| s.0 < to);
            let free = (next..steps.len()).take_while(|&k| steps[k].0 == to).find(|&k| !done[k]);
            at = free.unwrap_or(at);
        }
    }
    rims
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesher::is_manifold;

    #[test]
    fn a_strip_of_a_tube_gets_two_lids() {
        // Six vertices around, two rings.
        let ring = |z: f64| {
            (0..6).map(move |k| {
                let (s, c) = (f64::from(k) / 6.0 * std::f64::consts::TAU).sin_cos();
                Vec3::new(c, s, z)
            })
        };
        let mesh = Triangulation {
            positions: ring(0.0).chain(ring(1.0)).collect(),
            triangles: (0..6)
                .flat_map(|k| {
                    let n = (k + 1) % 6;
                    [[k, n, n + 6], [k, n + 6, k + 6]]
                })
                .collect(),
        };
        let part = closed(&mesh, &mesh.triangles);
        assert_eq!(part.positions.len(), 14);
        assert!(is_manifold(&part.triangles));
    }
}
