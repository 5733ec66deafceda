//! More triangles where the shape is small.

use super::Triangulation;
use super::closed::directed_edges;
use crate::anatomy::Anatomy;
use muslin::math::Vec3;

/// Edges longer than this share of the wanted size are split.
const LONGEST: f64 = 1.35;

/// The wanted size of edges relative to the rest of the figure: hands, feet and face are finer.
pub fn size(p: Vec3, height: f64) -> f64 {
    let (x, z) = (p.x.abs() / height, p.z / height);
    if !(0.030..=0.868).contains(&z) {
        0.62
    } else if x > 0.325 {
        0.55
    } else {
        1.0
    }
}

/// Splits edges that are longer than `1.35 size` and puts the new vertices onto the surface.
pub fn refine(mesh: &mut Triangulation, anatomy: &Anatomy, size: impl Fn(Vec3) -> f64) {
    let edges: Vec<(u32, u32)> =
        directed_edges(&mesh.triangles).iter().filter(|e| e.0 < e.1).map(|e| (e.0, e.1)).collect();
    let mut split: Vec<(u32, u32, u32)> = Vec::new();
    for (a, b) in edges {
        let (p, q) = (mesh.positions[a as usize], mesh.positions[b as usize]);
        let middle = 0.5 * (p + q);
        if p.distance(q) > LONGEST * size(middle) {
            split.push((a, b, mesh.positions.len() as u32));
            mesh.positions.push(anatomy.project(middle, 2));
        }
    }
    let middle_of = |a: u32, b: u32| {
        let key = (a.min(b), a.max(b));
        split.binary_search_by_key(&key, |s| (s.0, s.1)).ok().map(|k| split[k].2)
    };
    let old = std::mem::take(&mut mesh.triangles);
    for corners in old {
        let [a, b, c] = corners;
        let middles = [middle_of(a, b), middle_of(b, c), middle_of(c, a)];
        divide(corners, middles, &mesh.positions, &mut mesh.triangles);
    }
}

/// A triangle with some edges split: `middles[k]` lies between the corners `k` and `k + 1`.
fn divide(
    corners: [u32; 3],
    middles: [Option<u32>; 3],
    positions: &[Vec3],
    out: &mut Vec<[u32; 3]>,
) {
    for turn in 0..3 {
        let [a, b, c] = [0, 1, 2].map(|k| corners[(k + turn) % 3]);
        match [0, 1, 2].map(|k| middles[(k + turn) % 3]) {
            [None, None, None] => return out.push(corners),
            [Some(ab), Some(bc), Some(ca)] => {
                return out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
            [Some(ab), None, None] => return out.extend([[a, ab, c], [ab, b, c]]),
            [Some(ab), Some(bc), None] => {
                let length =
                    |p: u32, q: u32| positions[p as usize].distance_squared(positions[q as usize]);
                out.push([ab, b, bc]);
                return if length(a, bc) < length(ab, c) {
                    out.extend([[a, ab, bc], [a, bc, c]]);
                } else {
                    out.extend([[a, ab, c], [ab, bc, c]]);
                };
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divided_triangle_keeps_its_area_and_orientation() {
        let p =
            [Vec3::ZERO, Vec3::X, Vec3::Y, 0.5 * Vec3::X, 0.5 * (Vec3::X + Vec3::Y), 0.5 * Vec3::Y];
        for mask in 0..8 {
            let middles = [0, 1, 2].map(|k| (mask >> k & 1 == 1).then_some(3 + k as u32));
            let mut out = Vec::new();
            divide([0, 1, 2], middles, &p, &mut out);
            assert_eq!(out.len(), 1 + middles.iter().flatten().count());
            let areas = out.iter().map(|t| {
                let [a, b, c] = t.map(|v| p[v as usize]);
                0.5 * (b - a).cross(c - a).z
            });
            let areas: Vec<f64> = areas.collect();
            assert!(areas.iter().all(|a| *a > 0.0));
            assert!((areas.iter().sum::<f64>() - 0.5).abs() < 1e-15);
        }
    }
}
