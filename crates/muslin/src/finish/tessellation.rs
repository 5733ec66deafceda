//! How a curved face is cut into small triangles (OS7), worked out once.

use super::pn_triangle::bernstein;

/// How finely faces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tessellation {
    /// The paper's 18 triangles a face: three corner patches of 4 and a fan of 6 in the middle one.
    Paper,
    /// This many segments along every edge, and its square of triangles a face.
    Segments(u32),
}

/// Most segments along an edge: 4,096 triangles a face.
pub const MOST_SEGMENTS: u32 = 64;

impl Tessellation {
    /// Segments along every edge.
    pub fn segments(self) -> usize {
        match self {
            Self::Paper => 4,
            Self::Segments(n) => n as usize,
        }
    }
}

/// A point inside a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InnerPoint {
    /// Barycentric coordinates in the face.
    pub barycentric: [f64; 3],
    /// Number of its sub-patch.
    pub patch: usize,
    /// Weights of the ten control points of its sub-patch.
    pub weights: [f64; 10],
}

/// A point on an edge: which piece, and where on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgePoint {
    pub piece: usize,
    pub t: f64,
}

/// A vertex of a drawn face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Corner(usize),
    /// Point `1..segments` of side `k`, counted from corner `k`.
    Side(usize, usize),
    Inner(usize),
}

/// The cut of one face, the same for all.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub segments: usize,
    pub edge_points: Vec<EdgePoint>,
    /// Sorted by sub-patch.
    pub inner: Vec<InnerPoint>,
    pub triangles: Vec<[Local; 3]>,
}

impl Template {
    /// A cut of faces whose edges have `2^depth` pieces.
    pub fn new(tessellation: Tessellation, depth: usize) -> Self {
        let segments = tessellation.segments();
        let mut cut = Cut { segments, points: Vec::new(), triangles: Vec::new() };
        match tessellation {
            Tessellation::Segments(_) => cut.lattice(|_| true),
            Tessellation::Paper => {
                // The middle patch is where no coordinate exceeds one half.
                cut.lattice(|centroid| centroid.iter().any(|&b| b > 0.5));
                cut.fan();
            }
        }
        let mut inner: Vec<(usize, InnerPoint)> = cut.points.iter().copied().enumerate().collect();
        for (_, point) in &mut inner {
            let (patch, local) = locate(point.barycentric, depth);
            (point.patch, point.weights) = (patch, bernstein(local));
        }
        inner.sort_by_key(|(_, point)| point.patch);
        let mut place = vec![0; inner.len()];
        for (new, (old, _)) in inner.iter().enumerate() {
            place[*old] = new;
        }
        let moved = |l: Local| if let Local::Inner(i) = l { Local::Inner(place[i]) } else { l };
        let pieces = 1 << depth;
        let edge_points = (1..segments)
            .map(|i| {
                let at = (i * pieces) as f64 / segments as f64;
                let piece = (i * pieces / segments).min(pieces - 1);
                EdgePoint { piece, t: at - piece as f64 }
            })
            .collect();
        Self {
            segments,
            edge_points,
            inner: inner.into_iter().map(|(_, point)| point).collect(),
            triangles: cut.triangles.into_iter().map(|t| t.map(moved)).collect(),
        }
    }
}

/// A cut in the making.
struct Cut {
    segments: usize,
    points: Vec<InnerPoint>,
    triangles: Vec<[Local; 3]>,
}

impl Cut {
    /// All triangles of the regular lattice whose centroid is wanted.
    fn lattice(&mut self, wanted: impl Fn([f64; 3]) -> bool) {
        let n = self.segments;
        for j in 0..n {
            for i in 0..n - j {
                let offer = |cut: &mut Self, lattice: [[usize; 2]; 3]| {
                    let sum = lattice.iter().fold([0, 0], |s, p| [s[0] + p[0], s[1] + p[1]]);
                    let (u, v) = (sum[0] as f64 / (3 * n) as f64, sum[1] as f64 / (3 * n) as f64);
                    if wanted([1.0 - u - v, u, v]) {
                        let triangle = lattice.map(|[i, j]| cut.vertex(i, j));
                        cut.triangles.push(triangle);
                    }
                };
                offer(self, [[i, j], [i + 1, j], [i, j + 1]]);
                if i + j + 2 <= n {
                    offer(self, [[i + 1, j], [i + 1, j + 1], [i, j + 1]]);
                }
            }
        }
    }

    /// Six triangles around the centre of the middle patch; the lattice has four segments.
    fn fan(&mut self) {
        let centre = self.inner([1.0 / 3.0; 3]);
        let rim = [[2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [1, 1]].map(|[i, j]| self.vertex(i, j));
        for k in 0..6 {
            self.triangles.push([centre, rim[k], rim[(k + 1) % 6]]);
        }
    }

    /// The vertex `i` steps towards corner 1 and `j` towards corner 2.
    fn vertex(&mut self, i: usize, j: usize) -> Local {
        let n = self.segments;
        let k = n - i - j;
        match (k, i, j) {
            (_, 0, 0) => Local::Corner(0),
            (0, _, 0) => Local::Corner(1),
            (0, 0, _) => Local::Corner(2),
            (_, _, 0) => Local::Side(0, i),
            (0, _, _) => Local::Side(1, j),
            (_, 0, _) => Local::Side(2, k),
            _ => {
                let part = |a: usize| a as f64 / n as f64;
                self.inner([part(k), part(i), part(j)])
            }
        }
    }

    fn inner(&mut self, barycentric: [f64; 3]) -> Local {
        let known = self.points.iter().position(|p| p.barycentric == barycentric);
        Local::Inner(known.unwrap_or_else(|| {
            self.points.push(InnerPoint { barycentric, patch: 0, weights: [0.0; 10] });
            self.points.len() - 1
        }))
    }
}

/// The sub-patch a point lies in after `depth` subdivisions, and its coordinates there.
///
/// Sub-patch `k < 3` holds corner `k`, its corners are `(P_k, M_k, M_k−1)`; sub-patch 3 is the middle
/// one with corners `(M_1, M_2, M_0)`; `M_k` is the middle of the side from corner `k` to the next.
fn locate(mut b: [f64; 3], depth: usize) -> (usize, [f64; 3]) {
    let mut patch = 0;
    for _ in 0..depth {
        let corner = (0..3).find(|&k| b[k] >= 0.5);
        patch = 4 * patch + corner.unwrap_or(3);
        b = match corner {
            Some(k) => [2.0 * b[k] - 1.0, 2.0 * b[(k + 1) % 3], 2.0 * b[(k + 2) % 3]],
            None => b.map(|x| 1.0 - 2.0 * x),
        };
    }
    (patch, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn barycentric(template: &Template, local: Local) -> [f64; 3] {
        let mut b = [0.0; 3];
        match local {
            Local::Corner(k) => b[k] = 1.0,
            Local::Side(k, i) => {
                let t = i as f64 / template.segments as f64;
                (b[k], b[(k + 1) % 3]) = (1.0 - t, t);
            }
            Local::Inner(i) => b = template.inner[i].barycentric,
        }
        b
    }

    /// Signed areas are positive and add up to the face: no holes, no overlaps, right winding.
    #[test]
    fn os7_cuts_cover_the_face() {
        let cases = [(Tessellation::Paper, 18), (Tessellation::Segments(1), 1)];
        let more = (2..9).map(|n| (Tessellation::Segments(n), (n * n) as usize));
        for (tessellation, count) in cases.into_iter().chain(more) {
            for depth in 0..4 {
                let template = Template::new(tessellation, depth);
                assert_eq!(template.triangles.len(), count);
                let mut sum = 0.0;
                for t in &template.triangles {
                    let [a, b, c] = t.map(|l| barycentric(&template, l));
                    let area = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
                    assert!(area > 1e-9);
                    sum += area;
                }
                assert!((sum - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn os7_paper_has_four_inner_points_and_three_on_a_side() {
        let template = Template::new(Tessellation::Paper, 1);
        assert_eq!((template.inner.len(), template.edge_points.len()), (4, 3));
        assert_eq!(template.edge_points[1], EdgePoint { piece: 1, t: 0.0 });
        let centre = template.inner.iter().find(|p| p.patch == 3 && p.weights[9] > 0.2);
        assert!(centre.is_some());
    }

    #[test]
    fn points_are_found_in_their_patch() {
        assert_eq!(locate([0.7, 0.2, 0.1], 0), (0, [0.7, 0.2, 0.1]));
        let (patch, b) = locate([0.1, 0.7, 0.2], 1);
        assert_eq!(patch, 1);
        // Corner 1 first, then towards corners 2 and 0.
        for (got, want) in b.into_iter().zip([0.4, 0.4, 0.2]) {
            assert!((got - want).abs() < 1e-15);
        }
        let (patch, b) = locate([0.4, 0.4, 0.2], 2);
        assert_eq!(patch, 4 * 3 + 2);
        assert!((b.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
}
