//! Stitched vertices become one.

use crate::panel_mesh::PanelMesh;
use crate::plan::Plan;
use crate::union_find::UnionFind;
use muslin::math::Vec3;

/// First vertex of every panel, and the count at the end.
pub(super) fn offsets(meshes: &[PanelMesh]) -> Vec<u32> {
    let mut offsets = vec![0];
    for (p, mesh) in meshes.iter().enumerate() {
        offsets.push(offsets[p] + mesh.vertex_count() as u32);
    }
    offsets
}

/// The welded vertex of every vertex, numbered in their order, and their mean places \[m\].
pub(super) fn weld(positions: &[Vec3], stitches: &[[u32; 2]]) -> (Vec<u32>, Vec<Vec3>) {
    let mut classes = UnionFind::new(positions.len());
    for &[a, b] in stitches {
        classes.join(a, b);
    }
    let mut number = vec![u32::MAX; positions.len()];
    let mut weld = Vec::with_capacity(positions.len());
    let mut sums: Vec<(Vec3, f64)> = Vec::new();
    for (v, &position) in positions.iter().enumerate() {
        let root = classes.find(v as u32) as usize;
        if number[root] == u32::MAX {
            number[root] = sums.len() as u32;
            sums.push((Vec3::ZERO, 0.0));
        }
        let sum = &mut sums[number[root] as usize];
        *sum = (sum.0 + position, sum.1 + 1.0);
        weld.push(number[root]);
    }
    (weld, sums.into_iter().map(|(sum, count)| sum / count).collect())
}

/// Edges inside each panel that, once sewn, would shrink to a point or coincide with another
/// edge: both their ends are on seams.
pub(super) fn clashes(meshes: &[PanelMesh], plan: &Plan) -> Vec<Vec<[u32; 2]>> {
    let offsets = offsets(meshes);
    let count = offsets[meshes.len()] as usize;
    let mut classes = UnionFind::new(count);
    for &[(p, a), (q, b)] in plan.stitches.iter().flatten() {
        classes.join(a + offsets[p], b + offsets[q]);
    }
    // Sides of triangles by sewn ends: (ends, panel, own ends).
    let mut sides: Vec<([u32; 2], usize, [u32; 2])> = Vec::new();
    for (p, mesh) in meshes.iter().enumerate() {
        for triangle in mesh.triangles() {
            for k in 0..3 {
                let own = [triangle[k], triangle[(k + 1) % 3]];
                let own = [own[0].min(own[1]), own[0].max(own[1])];
                let ends = own.map(|v| classes.find(v + offsets[p]));
                sides.push(([ends[0].min(ends[1]), ends[0].max(ends[1])], p, own));
            }
        }
    }
    sides.sort_unstable();
    let mut clashes = vec![Vec::new(); meshes.len()];
    for same in sides.chunk_by(|x, y| x.0 == y.0) {
        let crowded = same.len() > 2 || same[0].0[0] == same[0].0[1];
        if !crowded {
            continue;
        }
        // An edge that occurs twice with its own ends lies inside its panel.
        for pair in same.windows(2).filter(|w| w[0] == w[1]) {
            clashes[pair[0].1].push(pair[0].2);
        }
    }
    clashes
}
