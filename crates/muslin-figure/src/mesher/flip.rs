//! Edge flips towards a Delaunay triangulation of the surface.

use super::Triangulation;
use super::closed::directed_edges;
use muslin::math::Vec3;

/// Passes over all edges; later ones find next to nothing.
const PASSES: usize = 6;

/// Flips edges whose opposite angles sum to more than π, where the new triangles face the same
/// way as the old ones.
pub fn flip_to_delaunay(mesh: &mut Triangulation) {
    for _ in 0..PASSES {
        if flip_once(mesh) == 0 {
            break;
        }
    }
}

fn flip_once(mesh: &mut Triangulation) -> usize {
    let edges = directed_edges(&mesh.triangles);
    let find = |a: u32, b: u32| edges.binary_search_by_key(&(a, b), |e| (e.0, e.1)).ok();
    let mut touched = vec![false; mesh.positions.len()];
    let mut flips = 0;
    for &(a, b, t) in edges.iter().filter(|e| e.0 < e.1) {
        let Some(other) = find(b, a).map(|k| edges[k].2) else { continue };
        let opposite = |t: u32| mesh.triangles[t as usize].into_iter().find(|&v| v != a && v != b);
        let (Some(c), Some(d)) = (opposite(t), opposite(other)) else { continue };
        let quad = [a, b, c, d];
        if quad.iter().any(|&v| touched[v as usize]) || find(c, d).is_some() || find(d, c).is_some()
        {
            continue;
        }
        let x = quad.map(|v| mesh.positions[v as usize]);
        if should_flip(x) {
            mesh.triangles[t as usize] = [a, d, c];
            mesh.triangles[other as usize] = [d, b, c];
            for v in quad {
                touched[v as usize] = true;
            }
            flips += 1;
        }
    }
    flips
}

/// For the triangles `a b c` and `b a d`.
fn should_flip([a, b, c, d]: [Vec3; 4]) -> bool {
    let cotangent = |at: Vec3, p: Vec3, q: Vec3| {
        let (u, v) = (p - at, q - at);
        u.dot(v) / u.cross(v).length().max(1e-300)
    };
    // cot α + cot β < 0 exactly when α + β > π.
    if cotangent(c, a, b) + cotangent(d, a, b) >= -1e-9 {
        return false;
    }
    let old = (b - a).cross(c - a) + (a - b).cross(d - b);
    let new = [(d - a).cross(c - a), (b - d).cross(c - d)];
    let facing = |n: &Vec3| n.dot(old) > 0.5 * n.length() * old.length();
    new.iter().all(facing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_diagonal_of_a_rhombus_flips_and_the_short_one_stays() {
        let (a, b) = (Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        let (c, d) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, -1.0, 0.0));
        assert!(should_flip([a, b, c, d]));
        assert!(!should_flip([d, c, a, b]));
    }
}
