//! What contact leaves out for the time being, and says so: cloth that crossed itself from the start, and
//! cloth caught where bodies leave it no room (R1).

use super::ladder::Unresolved;
use crate::body::{Body, Shape};
use crate::cloth::Cloth;
use crate::collide::aabb::Aabb;
use crate::collide::surface::Pair;
use crate::judge;
use crate::math::Vec3;
use rayon::prelude::*;

/// What contact leaves out; part of the state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loose {
    /// Crossing triangles of the cloth, by their vertices; sorted.
    pub tangled: Vec<[[u32; 3]; 2]>,
    /// Vertices caught between bodies, which they pass through; sorted.
    pub pinched: Vec<u32>,
}

/// What a step leaves out, as its detection asks for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exempt {
    /// Pairs of cloth features, sorted.
    pub pairs: Vec<Pair>,
    /// For every cloth vertex whether bodies are nothing to it; empty if there is none such.
    pub pinched: Vec<bool>,
}

impl Loose {
    /// Everything that crosses at positions `x` and time `t`.
    pub fn find(cloth: &Cloth, bodies: &[Body], x: &[Vec3], t: f64) -> Self {
        let crossing = judge::intersecting_pairs(x, &cloth.triangles);
        let corners = |i: u32| cloth.triangles[i as usize];
        let mut tangled: Vec<_> =
            crossing.into_iter().map(|(a, b)| [corners(a), corners(b)]).collect();
        tangled.sort_unstable();
        let all: Vec<u32> = (0..x.len() as u32).collect();
        Self { tangled, pinched: inside(cloth, bodies, x, t, &all) }
    }

    /// How many vertices are pinched, and how many pairs of triangles are tangled.
    pub fn counts(&self) -> (usize, usize) {
        (self.pinched.len(), self.tangled.len())
    }

    /// What a step with this cloth leaves out.
    pub fn exempt(&self, cloth: &Cloth) -> Exempt {
        let mut pairs: Vec<Pair> =
            self.tangled.iter().flat_map(|[a, b]| features(*a, *b)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut pinched = Vec::new();
        if !self.pinched.is_empty() {
            pinched.resize(cloth.vertex_count(), false);
            self.pinched.iter().for_each(|&v| pinched[v as usize] = true);
        }
        Exempt { pairs, pinched }
    }

    /// Lets go what collides with bodies in no step however small: their cloth vertices, or where only
    /// cloth meets cloth all of them. Returns whether that is anything new.
    pub fn pinch(&mut self, left: &Unresolved, cloth_count: usize) -> bool {
        let Unresolved { pairs, grounded } = left;
        let on_body = |pair: &Pair| pair.vertices().iter().any(|&v| v as usize >= cloth_count);
        let any_on_body = !grounded.is_empty() || pairs.iter().any(on_body);
        let caught = pairs.iter().filter(|pair| on_body(pair) || !any_on_body);
        let vertices = caught.flat_map(Pair::vertices).filter(|&v| (v as usize) < cloth_count);
        self.let_go(&vertices.chain(grounded.iter().copied()).collect::<Vec<u32>>())
    }

    /// Lets go of more vertices. Returns whether any of them is new.
    pub fn let_go(&mut self, vertices: &[u32]) -> bool {
        let before = self.pinched.len();
        self.pinched.extend(vertices);
        self.pinched.sort_unstable();
        self.pinched.dedup();
        self.pinched.len() > before
    }

    /// Takes up contact again where nothing crosses any more, at positions `x` and time `t`. A triangle that crosses
    /// a body is let go with all its corners: one that still touched would hang on the body, and the others
    /// could not leave it.
    pub fn release(&mut self, cloth: &Cloth, bodies: &[Body], x: &[Vec3], t: f64) {
        self.tangled.retain(|[a, b]| judge::triangles_intersect(x, *a, *b));
        if !self.pinched.is_empty() {
            self.pinched = inside(cloth, bodies, x, t, &self.pinched);
        }
    }
}

/// All pairs of features of two triangles, as detection names them.
fn features(a: [u32; 3], b: [u32; 3]) -> impl Iterator<Item = Pair> {
    let onto = |points: [u32; 3], t: [u32; 3]| {
        points.into_iter().map(move |v| Pair::PointTriangle([v, t[0], t[1], t[2]]))
    };
    let edge = |t: [u32; 3], c: usize| {
        let (p, q) = (t[c], t[(c + 1) % 3]);
        [p.min(q), p.max(q)]
    };
    let edges = (0..9).map(move |k| {
        let (p, q) = (edge(a, k / 3), edge(b, k % 3));
        let [p, q] = if p < q { [p, q] } else { [q, p] };
        Pair::EdgeEdge([p[0], p[1], q[0], q[1]])
    });
    onto(a, b).chain(onto(b, a)).chain(edges)
}

/// Which of `vertices` are inside a body, and the corners of all triangles around them that cross one; sorted.
fn inside(cloth: &Cloth, bodies: &[Body], x: &[Vec3], t: f64, vertices: &[u32]) -> Vec<u32> {
    let mut asked = vec![false; x.len()];
    for &v in vertices {
        asked[v as usize] = true;
    }
    let around: Vec<[u32; 3]> =
        cloth.triangles.iter().filter(|t| t.iter().any(|&v| asked[v as usize])).copied().collect();
    let mut crossing = vec![false; x.len()];
    for body in bodies {
        let mut surface = Vec::new();
        body.append_positions(t, &mut surface);
        let faces = &body.mesh.triangles;
        for (i, _) in judge::crossing_pairs(x, &around, &surface, faces) {
            around[i as usize].iter().for_each(|&v| crossing[v as usize] = true);
        }
        let bounds = Aabb::around(surface.iter().copied());
        let covers = |p: Vec3| match body.shape {
            Shape::Plane(_) => body.exact_distance(p, t).is_some_and(|(d, _)| d <= 0.0),
            _ => bounds.overlaps(&Aabb::around([p])) && encloses(&surface, faces, p),
        };
        let unknown = vertices.par_iter().filter(|&&v| !crossing[v as usize]);
        let covered: Vec<u32> = unknown.copied().filter(|&v| covers(x[v as usize])).collect();
        for v in covered {
            crossing[v as usize] = true;
        }
    }
    (0..x.len() as u32).filter(|&v| crossing[v as usize]).collect()
}

/// Whether a line upwards from `p` leaves a closed surface.
fn encloses(surface: &[Vec3], faces: &[[u32; 3]], p: Vec3) -> bool {
    let mut turns = 0;
    for face in faces {
        let [a, b, c] = face.map(|v| surface[v as usize] - p);
        // Half-open, so that a line through an edge meets one of its two triangles.
        let side = |a: Vec3, b: Vec3| a.x * b.y - a.y * b.x >= 0.0;
        let [u, v, w] = [side(a, b), side(b, c), side(c, a)];
        if u != v || v != w {
            continue;
        }
        let normal = (b - a).cross(c - a);
        if normal.z != 0.0 && a.dot(normal) / normal.z > 0.0 {
            turns += if u { 1 } else { -1 };
        }
    }
    turns != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;

    #[test]
    fn points_inside_closed_surfaces_are_known() {
        let ball = shape::sphere(1.0, 0.2);
        let mut random = crate::math::Random::new(5);
        let (mut within, mut without) = (0, 0);
        for _ in 0..2000 {
            let mut coordinate = || random.between(-1.2, 1.2);
            let p = Vec3::new(coordinate(), coordinate(), coordinate());
            // Between the ball and its tessellation, which is inscribed, either answer is right.
            if p.length() < 0.97 || p.length() > 1.0 {
                assert_eq!(encloses(&ball.positions, &ball.triangles, p), p.length() < 0.97, "{p}");
                *(if p.length() < 1.0 { &mut within } else { &mut without }) += 1;
            }
        }
        assert!(within > 300 && without > 300);
    }

    /// R1: what a plane and another body leave no room is let go, and not the cloth that only meets cloth.
    #[test]
    fn r1_vertices_behind_a_plane_are_pinched() {
        let cloth = Pair::PointTriangle([4, 5, 6, 7]);
        let left = Unresolved { pairs: vec![cloth], grounded: vec![3] };
        let mut loose = Loose::default();
        assert!(loose.pinch(&left, 8));
        assert_eq!(loose.pinched, [3]);
        assert!(!loose.pinch(&left, 8), "nothing new");
        assert!(loose.pinch(&Unresolved { grounded: Vec::new(), ..left }, 8));
        assert_eq!(loose.pinched, [3, 4, 5, 6, 7]);
    }

    #[test]
    fn features_are_named_as_detection_names_them() {
        let (a, b) = ([0, 1, 2], [7, 5, 6]);
        let x: Vec<Vec3> = (0..8).map(|i| Vec3::new(f64::from(i), 0.3, 0.1)).collect();
        let mut surface = crate::collide::surface::Surface::new(&[a, b], &[], 8, &x);
        surface.refit(&x, &x, 100.0);
        let mut found =
            surface.feature_pairs(crate::collide::surface::Parts::ALL, None, |pair, out| {
                out.push(pair);
            });
        let mut expected: Vec<Pair> = features(a, b).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
