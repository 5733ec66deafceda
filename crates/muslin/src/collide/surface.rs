//! The triangles that can touch: cloth first, then the meshes of bodies, in one numbering.

use super::aabb::Aabb;
use super::bvh::Bvh;
use crate::math::Vec3;

/// Four vertices that could touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// A vertex and a triangle.
    PointTriangle([u32; 4]),
    /// Two edges.
    EdgeEdge([u32; 4]),
}

impl Pair {
    /// The four vertices: the first feature's, then the second's.
    #[inline]
    pub fn vertices(&self) -> [u32; 4] {
        match self {
            Self::PointTriangle(v) | Self::EdgeEdge(v) => *v,
        }
    }
}

/// Triangles of cloth and bodies with their vertices and edges handed out to them.
///
/// Every vertex and every edge is owned by one of its triangles, so that going over pairs of triangles
/// meets every vertex–triangle and every edge–edge pair exactly once.
#[derive(Clone, Debug)]
pub struct Surface {
    triangles: Vec<[u32; 3]>,
    /// Bit `c`: corner `c` is owned; bit `3 + c`: the edge from corner `c` to the next is owned.
    owned: Vec<u8>,
    cloth_triangles: usize,
    cloth_tree: Bvh,
    body_tree: Option<Bvh>,
}

impl Surface {
    /// Surface of `cloth` and `bodies` triangles over one array of positions `x`.
    pub fn new(cloth: &[[u32; 3]], bodies: &[[u32; 3]], x: &[Vec3]) -> Self {
        let triangles: Vec<[u32; 3]> = cloth.iter().chain(bodies).copied().collect();
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0;
        let centroids: Vec<Vec3> = triangles.iter().map(centroid).collect();
        let body_tree = (!bodies.is_empty()).then(|| Bvh::new(&centroids[cloth.len()..]));
        Self {
            owned: ownership(&triangles, x.len()),
            cloth_triangles: cloth.len(),
            cloth_tree: Bvh::new(&centroids[..cloth.len()]),
            body_tree,
            triangles,
        }
    }

    /// All triangles, those of the cloth first.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Refits to the motion from `x0` to `x1`, every box grown by `margin` \[m\].
    pub fn refit(&mut self, x0: &[Vec3], x1: &[Vec3], margin: f64) {
        let Self { triangles, cloth_triangles, cloth_tree, body_tree, .. } = self;
        let bounds = |t: usize| {
            let [a, b, c] = triangles[t].map(|v| v as usize);
            Aabb::around([x0[a], x0[b], x0[c], x1[a], x1[b], x1[c]]).grown(margin)
        };
        cloth_tree.refit(|t| bounds(t as usize));
        if let Some(tree) = body_tree {
            tree.refit(|t| bounds(t as usize + *cloth_triangles));
        }
    }

    /// Visits every pair of features of different triangles whose boxes overlap and that share no
    /// vertex, cloth–cloth (if `within_cloth`) and cloth–body, each once; results in a fixed order.
    pub fn feature_pairs<T: Send>(
        &self,
        within_cloth: bool,
        visit: impl Fn(Pair, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let mut found = if within_cloth {
            self.cloth_tree.self_pairs(|a, b, out| {
                self.pairs_of(a as usize, b as usize, &mut |pair| visit(pair, out));
            })
        } else {
            Vec::new()
        };
        if let Some(tree) = &self.body_tree {
            found.extend(self.cloth_tree.pairs_with(tree, |a, b, out| {
                let b = b as usize + self.cloth_triangles;
                self.pairs_of(a as usize, b, &mut |pair| visit(pair, out));
            }));
        }
        found
    }

    fn pairs_of(&self, a: usize, b: usize, visit: &mut impl FnMut(Pair)) {
        let (ta, tb) = (self.triangles[a], self.triangles[b]);
        let (own_a, own_b) = (self.owned[a], self.owned[b]);
        for c in 0..3 {
            if own_a >> c & 1 == 1 && !tb.contains(&ta[c]) {
                visit(Pair::PointTriangle([ta[c], tb[0], tb[1], tb[2]]));
            }
            if own_b >> c & 1 == 1 && !ta.contains(&tb[c]) {
                visit(Pair::PointTriangle([tb[c], ta[0], ta[1], ta[2]]));
            }
        }
        for c in (0..3).filter(|c| own_a >> (3 + c) & 1 == 1) {
            let ea = sorted(ta[c], ta[(c + 1) % 3]);
            for d in (0..3).filter(|d| own_b >> (3 + d) & 1 == 1) {
                let eb = sorted(tb[d], tb[(d + 1) % 3]);
                if !eb.contains(&ea[0]) && !eb.contains(&ea[1]) {
                    let [p, q] = if ea < eb { [ea, eb] } else { [eb, ea] };
                    visit(Pair::EdgeEdge([p[0], p[1], q[0], q[1]]));
                }
            }
        }
    }
}

#[inline]
fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The first triangle that uses a vertex or an edge owns it.
fn ownership(triangles: &[[u32; 3]], vertex_count: usize) -> Vec<u8> {
    let mut taken = vec![false; vertex_count];
    let mut owned = vec![0u8; triangles.len()];
    let mut sides = Vec::with_capacity(triangles.len() * 3);
    for (t, corners) in triangles.iter().enumerate() {
        for c in 0..3 {
            let v = corners[c] as usize;
            if !taken[v] {
                taken[v] = true;
                owned[t] |= 1 << c;
            }
            sides.push((sorted(corners[c], corners[(c + 1) % 3]), t, c));
        }
    }
    sides.sort_unstable();
    sides.dedup_by_key(|(edge, _, _)| *edge);
    for (_, t, c) in sides {
        owned[t] |= 1 << (3 + c);
    }
    owned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Diagonals, Sheet};

    /// Every vertex–triangle and edge–edge pair without a common vertex, exactly once.
    #[test]
    fn bf4_feature_pairs_are_complete_and_unique() {
        let sheet = Sheet::grid([1.0, 1.0], [4, 4], Diagonals::Alternating).unwrap();
        let body = Sheet::disc(1.0, 1).unwrap();
        let n = sheet.positions.len() as u32;
        let bodies: Vec<[u32; 3]> =
            body.mesh.triangles().iter().map(|t| t.map(|v| v + n)).collect();
        let x: Vec<Vec3> = sheet.positions.iter().chain(&body.positions).copied().collect();
        let mut surface = Surface::new(sheet.mesh.triangles(), &bodies, &x);
        surface.refit(&x, &x, 10.0);
        let mut found = surface.feature_pairs(true, |pair, out| out.push(pair));
        let total = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), total, "a pair was found twice");

        let edges = |tris: &[[u32; 3]]| -> Vec<[u32; 2]> {
            let mut e: Vec<_> = tris
                .iter()
                .flat_map(|t| (0..3).map(move |c| sorted(t[c], t[(c + 1) % 3])))
                .collect();
            e.sort_unstable();
            e.dedup();
            e
        };
        let cloth = sheet.mesh.triangles();
        let all: Vec<[u32; 3]> = cloth.iter().chain(&bodies).copied().collect();
        let mut expected = 0;
        for v in 0..x.len() as u32 {
            for t in &all {
                let both_bodies = v >= n && t[0] >= n;
                expected += usize::from(!t.contains(&v) && !both_bodies);
            }
        }
        let all_edges = edges(&all);
        for (i, a) in all_edges.iter().enumerate() {
            for b in &all_edges[..i] {
                let both_bodies = a[0] >= n && b[0] >= n;
                let apart = !a.contains(&b[0]) && !a.contains(&b[1]);
                expected += usize::from(apart && !both_bodies);
            }
        }
        assert_eq!(total, expected);
    }
}
