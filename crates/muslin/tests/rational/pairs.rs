//! Random and adversarial pairs of triangles for R1, on a grid where the oracle is exact.

use super::random::{Placement, Random};
use muslin::judge::{crossing_pairs, intersecting_pairs};
use muslin::math::Vec3;

/// What kinds of pairs are tried; [`Family::pair`] says what each is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    Uniform,
    FewCoordinates,
    Coplanar,
    VertexOnFace,
    CrossingEdges,
    Degenerate,
    SharedVertex,
    SharedEdge,
}

/// Two triangles as positions and indices; they share what they index in common.
pub struct Pair {
    pub positions: [[i64; 3]; 6],
    pub triangles: [[usize; 3]; 2],
}

impl Family {
    pub const ALL: [Self; 8] = [
        Self::Uniform,
        Self::FewCoordinates,
        Self::Coplanar,
        Self::VertexOnFace,
        Self::CrossingEdges,
        Self::Degenerate,
        Self::SharedVertex,
        Self::SharedEdge,
    ];

    /// A random pair of this family.
    pub fn pair(self, random: &mut Random) -> Pair {
        let most = match self {
            Self::FewCoordinates => 1,
            // Neighbours seldom meet unless crowded.
            Self::SharedVertex | Self::SharedEdge => {
                1 + 6 * i64::from(random.next().is_multiple_of(4))
            }
            _ => 7,
        };
        let mut x = random.vertices(most);
        let mut second = [3, 4, 5];
        match self {
            Self::Uniform | Self::FewCoordinates => {}
            Self::Coplanar => x = x.map(|[x, y, _]| [x, y, 1]),
            // A vertex lies on the other triangle: inside, on an edge or at a vertex.
            Self::VertexOnFace => {
                for i in 0..3 {
                    x[i] = random.vector(1).map(|c| 4 * c);
                }
                let s = (random.next() % 5) as i64;
                let t = ((random.next() % 5) as i64).min(4 - s);
                x[3] = std::array::from_fn(|k| {
                    (x[0][k] * (4 - s - t) + x[1][k] * s + x[2][k] * t) / 4
                });
            }
            // Two edges cross in their middles.
            Self::CrossingEdges => {
                let offset = random.vector(3);
                x[4] = std::array::from_fn(|k| (x[0][k] + x[1][k] - x[3][k]).clamp(-7, 7));
                x[5] = std::array::from_fn(|k| (x[5][k] + offset[k]).clamp(-7, 7));
            }
            Self::Degenerate => {
                for i in [0, 3] {
                    match random.next() % 4 {
                        0 => x[i] = x[i + 1],
                        1 => {
                            x[i] = std::array::from_fn(|k| {
                                (2 * x[i + 1][k] - x[i + 2][k]).clamp(-7, 7)
                            });
                        }
                        2 => x[i + 1] = x[0],
                        _ => {}
                    }
                }
            }
            Self::SharedVertex => second[random.next() as usize % 3] = random.next() as usize % 3,
            Self::SharedEdge => {
                let (i, j) = (random.next() as usize % 3, random.next() as usize % 3);
                (second[i], second[(i + 1) % 3]) = (j, (j + 1) % 3);
                second.rotate_left(random.next() as usize % 3);
            }
        }
        Pair { positions: x, triangles: [[0, 1, 2], second] }
    }
}

impl Pair {
    fn corners(&self, triangle: usize) -> [[i64; 3]; 3] {
        self.triangles[triangle].map(|i| self.positions[i])
    }

    fn shared(&self) -> Vec<[i64; 3]> {
        let [a, b] = self.triangles;
        b.into_iter().filter(|i| a.contains(i)).map(|i| self.positions[i]).collect()
    }

    fn expected(&self) -> bool {
        super::intersect(self.corners(0), self.corners(1), &self.shared())
    }

    fn is_degenerate(&self) -> bool {
        [self.corners(0), self.corners(1)].into_iter().any(|[a, b, c]| {
            let edge = |p: [i64; 3]| std::array::from_fn(|k| i128::from(p[k] - a[k]));
            super::cross(edge(b), edge(c)) == [0; 3]
        })
    }

    /// The judge's answer for the pair as one mesh, checked to be that for two meshes if nothing
    /// is shared.
    fn judged(&self, placement: &Placement) -> bool {
        let positions: [Vec3; 6] = self.positions.map(|x| placement.place(x, 0));
        let triangles = self.triangles.map(|t| t.map(|i| i as u32));
        let answer = !intersecting_pairs(&positions, &triangles).is_empty();
        if self.shared().is_empty() {
            let apart = crossing_pairs(&positions, &triangles[1..], &positions, &triangles[..1]);
            assert_eq!(answer, !apart.is_empty(), "one mesh and two meshes differ");
        }
        answer
    }
}

/// Counts of one family.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub pairs: u64,
    pub intersecting: u64,
    /// Intersections the judge did not see. Must be 0.
    pub missed: u64,
    /// Pairs the judge calls intersecting although they are not. Must be 0.
    pub invented: u64,
}

impl Tally {
    /// Judges one pair and compares. Neighbours of no area are outside the judge's promise.
    pub fn ask(&mut self, family: Family, random: &mut Random) {
        let mut pair = family.pair(random);
        while !pair.shared().is_empty() && pair.is_degenerate() {
            pair = family.pair(random);
        }
        let (expected, judged) = (pair.expected(), pair.judged(&Placement::random(random)));
        self.pairs += 1;
        self.intersecting += u64::from(expected);
        self.missed += u64::from(expected && !judged);
        self.invented += u64::from(judged && !expected);
    }
}
