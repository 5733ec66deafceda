//! Evens out the triangles of a sculpture: short edges are collapsed, edges are flipped until about six meet at every
//! vertex, and vertices slide along the surface to the middle of their neighbours.
//!
//! Explicit elastic forces bear steps in proportion to the smallest height of a triangle (MF1), and cloth folds the same
//! in all directions only where its triangles are alike.

use muslin::body::BodyMesh;
use muslin::math::{Vec3, try_normalize};
use std::collections::BTreeSet;

/// Rounds of collapsing, flipping and sliding.
const ROUNDS: usize = 16;

/// Passes of flips in a round: a flip may make another one worth while.
const PASSES: usize = 4;

/// Share of the way to the middle of its neighbours that a vertex goes in a round [-].
const SHARE: f64 = 0.5;

/// Edges shorter than this share of the mean are collapsed [-].
const SHORT: f64 = 0.62;

/// Least cosine between the normals of triangles before and after a change [-]: what the sculpture is stays.
const TURN: f64 = 0.8;

/// Edges that meet at a vertex of an even mesh.
const VALENCE: i32 = 6;

/// Makes the triangles of a closed surface more alike while its shape stays.
pub(super) fn even_out(mesh: &mut BodyMesh) {
    for _ in 0..ROUNDS {
        collapse(mesh);
        for _ in 0..PASSES {
            if !flip(mesh) {
                break;
            }
        }
        slide(mesh);
    }
}

/// An edge between exactly two triangles.
struct Edge {
    ends: [u32; 2],
    /// The triangles on both sides; the first has its ends in this order.
    triangles: [usize; 2],
    /// Their third corners.
    tips: [u32; 2],
}

fn edges(mesh: &BodyMesh) -> Vec<Edge> {
    // Sorted by their ends, with whether a triangle has them in that order.
    let mut sides: Vec<([u32; 2], bool, usize, u32)> = Vec::new();
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let [a, b, tip] = [0, 1, 2].map(|j| corners[(k + j) % 3]);
            sides.push(([a.min(b), a.max(b)], a > b, t, tip));
        }
    }
    sides.sort_unstable();
    let same_edge = sides.chunk_by(|a, b| a.0 == b.0);
    let both = same_edge.filter_map(|sides| match sides {
        [one, two] if !one.1 && two.1 => {
            Some(Edge { ends: one.0, triangles: [one.2, two.2], tips: [one.3, two.3] })
        }
        _ => None,
    });
    both.collect()
}

fn normal(mesh: &BodyMesh, corners: [u32; 3]) -> Option<Vec3> {
    let [a, b, c] = corners.map(|v| mesh.positions[v as usize]);
    try_normalize((b - a).cross(c - a))
}

/// Whether a triangle faces the same way after a change.
fn agrees(before: Option<Vec3>, after: Option<Vec3>) -> bool {
    before.zip(after).is_some_and(|(a, b)| a.dot(b) > TURN)
}

/// Flips edges where that brings valences nearer to six; whether any was.
fn flip(mesh: &mut BodyMesh) -> bool {
    let edges = edges(mesh);
    let mut valence = vec![0; mesh.positions.len()];
    let mut there: BTreeSet<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
    for edge in &edges {
        edge.ends.iter().for_each(|&v| valence[v as usize] += 1);
    }
    let mut changed = vec![false; mesh.triangles.len()];
    let mut any = false;
    for Edge { ends: [a, b], triangles: [one, two], tips: [c, d] } in edges {
        let across = [c.min(d), c.max(d)];
        if changed[one] || changed[two] || c == d || there.contains(&across) {
            continue;
        }
        let off = |v: u32, change: i32| (valence[v as usize] + change - VALENCE).pow(2);
        let now: i32 = [a, b, c, d].iter().map(|&v| off(v, 0)).sum();
        let then: i32 = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
        let flipped = [[a, d, c], [d, b, c]];
        let before = [one, two].map(|t| normal(mesh, mesh.triangles[t]));
        let faces = |t: [u32; 3]| before.iter().all(|before| agrees(*before, normal(mesh, t)));
        if then >= now || !flipped.into_iter().all(faces) {
            continue;
        }
        (mesh.triangles[one], mesh.triangles[two]) = (flipped[0], flipped[1]);
        for (v, change) in [(a, -1), (b, -1), (c, 1), (d, 1)] {
            valence[v as usize] += change;
        }
        there.insert(across);
        (changed[one], changed[two], any) = (true, true, true);
    }
    any
}

/// Collapses short edges, shortest first, no two of them next to each other.
fn collapse(mesh: &mut BodyMesh) {
    let edges = edges(mesh);
    let length = |edge: &Edge| {
        let [a, b] = edge.ends.map(|v| mesh.positions[v as usize]);
        a.distance(b)
    };
    let mean = edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64;
    let mut short: Vec<&Edge> = edges.iter().filter(|edge| length(edge) < SHORT * mean).collect();
    short.sort_by(|a, b| length(a).total_cmp(&length(b)));
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); mesh.positions.len()];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for &v in corners {
            around[v as usize].push(t);
        }
    }
    let mut touched = vec![false; mesh.positions.len()];
    let mut gone = vec![false; mesh.triangles.len()];
    for edge in short {
        let [a, b] = edge.ends;
        let ring: BTreeSet<usize> =
            edge.ends.iter().flat_map(|&v| around[v as usize].clone()).collect();
        let corners = |t: &usize| mesh.triangles[*t].map(|v| v as usize);
        if ring.iter().flat_map(corners).any(|v| touched[v])
            || !can_merge(mesh, edge, &around, &ring)
        {
            continue;
        }
        ring.iter().flat_map(corners).for_each(|v| touched[v] = true);
        mesh.positions[a as usize] = middle(mesh, edge);
        edge.triangles.iter().for_each(|&t| gone[t] = true);
        for &t in &around[b as usize] {
            mesh.triangles[t] = mesh.triangles[t].map(|v| if v == b { a } else { v });
        }
    }
    let mut keep = gone.into_iter().map(|gone| !gone);
    mesh.triangles.retain(|_| keep.next().unwrap_or(true));
    drop_unused(mesh);
}

fn middle(mesh: &BodyMesh, edge: &Edge) -> Vec3 {
    let [a, b] = edge.ends.map(|v| mesh.positions[v as usize]);
    0.5 * (a + b)
}

/// Whether the surface stays what it is, and its other triangles face the same way, without an edge.
fn can_merge(mesh: &BodyMesh, edge: &Edge, around: &[Vec<usize>], ring: &BTreeSet<usize>) -> bool {
    let neighbours = |v: u32| -> BTreeSet<u32> {
        around[v as usize].iter().flat_map(|&t| mesh.triangles[t]).filter(|&w| w != v).collect()
    };
    let [a, b] = edge.ends.map(neighbours);
    // On a closed surface: just the two tips, each of which keeps at least three edges.
    let tips_stay = edge.tips.iter().all(|&tip| neighbours(tip).len() > 4);
    if a.intersection(&b).count() != 2 || !tips_stay {
        return false;
    }
    let to = middle(mesh, edge);
    ring.iter().filter(|t| !edge.triangles.contains(t)).all(|&t| {
        let corners = mesh.triangles[t];
        let place = |v: u32| if edge.ends.contains(&v) { to } else { mesh.positions[v as usize] };
        let [a, b, c] = corners.map(place);
        agrees(normal(mesh, corners), try_normalize((b - a).cross(c - a)))
    })
}

fn drop_unused(mesh: &mut BodyMesh) {
    let mut used = vec![false; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut next = 0;
    let number: Vec<u32> = used
        .iter()
        .map(|&used| {
            next += u32::from(used);
            next.saturating_sub(1)
        })
        .collect();
    mesh.triangles.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
    let mut used = used.into_iter();
    mesh.positions.retain(|_| used.next().unwrap_or(true));
}

/// Moves every vertex towards the middle of its neighbours, along the surface.
fn slide(mesh: &mut BodyMesh) {
    let x = &mesh.positions;
    let mut normals = vec![Vec3::ZERO; x.len()];
    let mut sums = vec![(Vec3::ZERO, 0.0); x.len()];
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| x[v as usize]);
        let normal = (b - a).cross(c - a);
        for k in 0..3 {
            let (v, next) = (t[k] as usize, x[t[(k + 1) % 3] as usize]);
            normals[v] += normal;
            // On a closed surface every neighbour is the next one in exactly one triangle.
            sums[v].0 += next;
            sums[v].1 += 1.0;
        }
    }
    for ((x, (sum, count)), normal) in mesh.positions.iter_mut().zip(sums).zip(normals) {
        let Some(normal) = try_normalize(normal) else { continue };
        let way = sum / f64::max(count, 1.0) - *x;
        *x += (way - normal * normal.dot(way)) * SHARE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::levelset::{Limb, blend};

    /// Two limbs and a notch: closed as before (Euler's number stays), of the same volume, and without needles.
    #[test]
    fn mf10_triangles_get_alike_and_the_shape_stays() {
        let limb = |from, to, r| Limb { ends: [from, to], radii: [r, 0.7 * r] };
        let limbs = [
            limb(Vec3::ZERO, Vec3::Z * 0.4, 0.12),
            limb(Vec3::Z * 0.3, Vec3::new(0.3, 0.1, 0.5), 0.06),
        ];
        let notch = [limb(Vec3::new(-0.1, -0.1, 0.1), Vec3::new(0.1, -0.1, 0.1), 0.03)];
        let mut mesh = blend(&limbs, &notch, 0.05, 0.015).surface();
        let (volume, first) = (volume(&mesh), worst_height(&mesh));
        even_out(&mut mesh);
        assert_eq!(mesh.triangles.len(), 2 * mesh.positions.len() - 4);
        assert_eq!(edges(&mesh).len(), 3 * mesh.triangles.len() / 2);
        let change = self::tests::volume(&mesh) / volume - 1.0;
        assert!(change.abs() < 0.01, "the volume changed by {change}");
        let last = worst_height(&mesh);
        assert!(
            last > 0.35 && last > 3.0 * first,
            "heights from {first} to {last} of the mean edge"
        );
    }

    fn volume(mesh: &BodyMesh) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        mesh.triangles.iter().map(of).sum()
    }

    /// Smallest height of a triangle as a share of the mean edge.
    fn worst_height(mesh: &BodyMesh) -> f64 {
        let lengths: Vec<f64> = edges(mesh)
            .iter()
            .map(|e| {
                mesh.positions[e.ends[0] as usize].distance(mesh.positions[e.ends[1] as usize])
            })
            .collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let height = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            (b - a).cross(c - a).length() / longest
        };
        mesh.triangles.iter().map(height).fold(f64::MAX, f64::min) / mean
    }
}
