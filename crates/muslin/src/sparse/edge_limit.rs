//! Over-long edges are pulled together by moving their ends (OS2).

use super::springs::Springs;
use crate::math::Vec3;

/// What limiting did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limited {
    /// Edges that were too long before the first sweep.
    pub long: usize,
}

/// How edges are limited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeLimit {
    /// Stretch that is allowed \[-\].
    pub stretch: f64,
    /// Sweeps over all edges, forwards and backwards in turn.
    pub sweeps: usize,
}

impl EdgeLimit {
    /// Moves the ends of every edge that is too long together, in a step of `h` \[s\].
    ///
    /// Both ends move in proportion to their inverse masses, so momentum is kept. Velocities change
    /// by what positions did: they are those of the motion that took place.
    ///
    /// Deviation: the paper compares the length of the curve; here it is that of the chord, which is
    /// what springs act on. It does not mention velocities; left alone they would grow without bound
    /// in cloth that hangs on edges at their limit.
    pub fn apply(&self, springs: &Springs, x: &mut [Vec3], v: &mut [Vec3], h: f64) -> Limited {
        let mut limited = Limited::default();
        for sweep in 0..self.sweeps {
            let mut long = 0;
            let mut treat = |(ends, rest): ([usize; 2], f64)| {
                if let Some([a, b]) = self.moves(springs, x, ends, rest) {
                    x[ends[0]] += a;
                    x[ends[1]] += b;
                    v[ends[0]] += a / h;
                    v[ends[1]] += b / h;
                    long += 1;
                }
            };
            if sweep % 2 == 0 {
                springs.edges().for_each(&mut treat);
            } else {
                springs.edges().rev().for_each(&mut treat);
            }
            if sweep == 0 {
                limited.long = long;
            }
            if long == 0 {
                break;
            }
        }
        limited
    }

    /// How far the ends of an edge have to move \[m\], if it is too long.
    #[inline]
    fn moves(
        &self,
        springs: &Springs,
        x: &[Vec3],
        [i, j]: [usize; 2],
        rest: f64,
    ) -> Option<[Vec3; 2]> {
        let offset = x[j] - x[i];
        let (square, longest) = (offset.length_squared(), rest * (1.0 + self.stretch));
        let [wi, wj] = [i, j].map(|v| springs.inverse_masses[v]);
        if square <= longest * longest || wi + wj == 0.0 {
            return None;
        }
        let pull = offset * ((1.0 - longest / square.sqrt()) / (wi + wj));
        Some([pull * wi, -pull * wj])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::mesh::TriMesh;
    use crate::sparse::springs::Elastic;

    fn triangle(attached: [bool; 3]) -> Springs {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
        let elastic = Elastic { density: 0.3, bending: 0.0 };
        Springs::new(&mesh, &attached, &elastic)
    }

    /// One over-long edge: by hand both ends move by half the excess, 0.15 m, and in
    /// steps of 0.25 s that is a change of 0.6 m/s.
    #[test]
    fn os2_one_edge_by_hand() {
        let springs = triangle([false; 3]);
        let mut x = [Vec3::ZERO, Vec3::X * 1.4, Vec3::new(0.7, 0.3, 0.0)];
        let mut v = [-Vec3::X, Vec3::X * 3.0 + Vec3::Y, Vec3::ZERO];
        let limited = EdgeLimit { stretch: 0.1, sweeps: 1 }.apply(&springs, &mut x, &mut v, 0.25);
        assert_eq!(limited.long, 1);
        assert!(x[0].distance(Vec3::X * 0.15) < 1e-15 && x[1].distance(Vec3::X * 1.25) < 1e-15);
        assert!(v[0].distance(Vec3::X * -0.4) < 1e-15);
        assert!(v[1].distance(Vec3::new(2.4, 1.0, 0.0)) < 1e-15);
        assert_eq!((x[2], v[2]), (Vec3::new(0.7, 0.3, 0.0), Vec3::ZERO));
    }

    /// Attached ends stay; sweeps converge; short edges are left alone.
    #[test]
    fn os2_attached_ends_do_not_move() {
        let springs = triangle([true, false, false]);
        let mut x = [Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 2.0];
        let mut v = [Vec3::ZERO; 3];
        EdgeLimit { stretch: 0.0, sweeps: 100 }.apply(&springs, &mut x, &mut v, 0.01);
        assert_eq!(x[0], Vec3::ZERO);
        for (ends, rest) in springs.edges() {
            assert!(x[ends[0]].distance(x[ends[1]]) < rest * (1.0 + 1e-6));
        }
        let before = x.map(|p| p * 0.5);
        let mut after = before;
        let limit = EdgeLimit { stretch: 0.0, sweeps: 5 };
        assert_eq!(limit.apply(&springs, &mut after, &mut v, 0.01).long, 0);
        assert_eq!(before, after);
    }
}
