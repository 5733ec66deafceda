//! Where cloth is so flat that neighbours cannot pass each other (OS8).
//!
//! If all faces around a particle face along one direction, they lie side by side when seen along it: the corner angles
//! of one turn around the particle add up to one turn in that view too, so no two of them overlap. Then no feature
//! of these faces passes another, however near they are: that cloth is short there is no contact.

use super::pair::Pair;
use crate::math::Vec3;
use crate::mesh::TriMesh;

/// Cosine of the angle between the mean normal around a particle and that of a face, at least \[-\]: 60°, of 90° that
/// would do; the rest is for motion that nobody foresees.
const LEAST_COSINE: f64 = 0.5;

/// The particles around which cloth is flat.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// Where the neighbours of every particle begin in `neighbours`, and where the last ones end.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// For every particle one of 64 bits for each of its neighbours, by their numbers.
    signs: Vec<u64>,
    /// Sum of the normals around every particle, each as long as twice the area of its face \[m²\].
    sums: Vec<Vec3>,
    /// Whether cloth is flat around each particle.
    around: Vec<bool>,
}

impl Flat {
    /// Collects the neighbours of all particles.
    pub fn new(mesh: &TriMesh) -> Self {
        let count = mesh.vertex_count();
        let mut own = vec![Vec::new(); count];
        for edge in mesh.topology().edges() {
            let [a, b] = edge.vertices;
            own[a as usize].push(b);
            own[b as usize].push(a);
        }
        let mut starts = vec![0];
        let mut neighbours = Vec::new();
        let mut signs = Vec::with_capacity(count);
        for own in own {
            signs.push(own.iter().fold(0, |signs, &v| signs | sign(v)));
            neighbours.extend(own);
            starts.push(neighbours.len() as u32);
        }
        let (sums, around) = (vec![Vec3::ZERO; count], vec![false; count]);
        Self { starts, neighbours, signs, sums, around }
    }

    /// Finds out around which particles the faces are flat both at `x` and at `ahead` \[m\].
    pub fn look(&mut self, triangles: &[[u32; 3]], x: &[Vec3], ahead: &[Vec3]) {
        self.around.fill(true);
        for at in [x, ahead] {
            let area = |&[a, b, c]: &[u32; 3]| {
                let [a, b, c] = [at[a as usize], at[b as usize], at[c as usize]];
                (b - a).cross(c - a)
            };
            self.sums.fill(Vec3::ZERO);
            for t in triangles {
                let area = area(t);
                for &v in t {
                    self.sums[v as usize] += area;
                }
            }
            for t in triangles {
                let area = area(t);
                let least = LEAST_COSINE * LEAST_COSINE * area.length_squared();
                for &v in t {
                    let sum = self.sums[v as usize];
                    let along = area.dot(sum);
                    let inside = along > 0.0 && along * along > least * sum.length_squared();
                    self.around[v as usize] &= inside;
                }
            }
        }
    }

    /// Whether the features of a pair belong to faces around one particle where cloth is flat.
    #[inline]
    pub fn clears(&self, pair: Pair) -> bool {
        let near = |v: u32, others: &[u32]| {
            let wanted = others.iter().fold(0, |signs, &v| signs | sign(v));
            self.around[v as usize]
                && self.signs[v as usize] & wanted == wanted
                && others.iter().all(|other| self.of(v).contains(other))
        };
        match pair {
            Pair::PointFace([p, a, b, c]) => near(a, &[p]) || near(b, &[p]) || near(c, &[p]),
            Pair::EdgeEdge([a, b, c, d]) => {
                near(a, &[c, d]) || near(b, &[c, d]) || near(c, &[a, b]) || near(d, &[a, b])
            }
        }
    }

    /// The neighbours of a particle.
    #[inline]
    fn of(&self, v: u32) -> &[u32] {
        let v = v as usize;
        &self.neighbours[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

/// The bit of a particle.
#[inline]
fn sign(v: u32) -> u64 {
    1 << (v % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge;
    use crate::math::Random;
    use crate::sparse::skirt::skirt;

    /// Skirts that are crumpled more and more: wherever cloth is called flat, the judge finds no two faces around that
    /// particle that meet, at either end of the way; and a pair is cleared only if both belong to such faces.
    #[test]
    fn os8_faces_around_flat_particles_do_not_meet() {
        let (mesh, rest) = skirt(&[8, 12, 14, 16, 16]).unwrap();
        let mut random = Random::new(23);
        let mut flat = Flat::new(&mesh);
        let (mut called, mut not) = (0, 0);
        for round in 0..60 {
            let size = 0.004 * f64::from(round);
            let mut moved = || {
                let mut point = || Vec3::new(random.unit(), random.unit(), random.unit()) * size;
                rest.iter().map(|x| *x + point()).collect::<Vec<Vec3>>()
            };
            let (x, ahead) = (moved(), moved());
            flat.look(mesh.triangles(), &x, &ahead);
            for v in 0..rest.len() {
                if !flat.around[v] {
                    not += 1;
                    continue;
                }
                called += 1;
                let ring = mesh.topology().ring(v).iter();
                let faces: Vec<[u32; 3]> = ring.map(|&t| mesh.triangles()[t as usize]).collect();
                for at in [&x, &ahead] {
                    assert!(judge::intersecting_pairs(at, &faces).is_empty(), "{round} {v}");
                }
            }
            for t in mesh.triangles() {
                for p in 0..rest.len() as u32 {
                    if !t.contains(&p) && flat.clears(Pair::PointFace([p, t[0], t[1], t[2]])) {
                        let shared =
                            t.iter().any(|&v| flat.around[v as usize] && flat.of(v).contains(&p));
                        assert!(shared);
                    }
                }
            }
        }
        assert!(called > 500 && not > 500, "{called} {not}");
    }
}
