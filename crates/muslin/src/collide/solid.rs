//! Bodies as detection sees them: a hierarchy over the triangles of each, and what cloth cannot reach a ball.

use super::bvh::Bvh;
use crate::math::{Vec3, try_normalize};
use std::ops::Range;

/// What rounding may add to the distance of a mesh from the centre of its ball, relatively.
const ROUNDING: f64 = 1e-9;

/// The triangles of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
    /// Radius \[m\], if it is a ball: then all triangles are inside of it and their vertices around its
    /// centre, and other means keep its thickness.
    pub radius: Option<f64>,
    /// Whether other means keep cloth off its exact shape, and triangles are only there for what comes
    /// through all the same.
    pub exact: bool,
}

/// A body with its hierarchy.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    /// Over its triangles.
    pub tree: Bvh,
    /// Number of its first triangle.
    pub first: usize,
    /// What is known of it as a ball.
    pub ball: Option<Ball>,
    /// Whether other means keep cloth off it.
    pub exact: bool,
}

/// A ball that moves.
#[derive(Clone, Debug)]
pub(super) struct Ball {
    radius: f64,
    vertices: Range<usize>,
    /// For every node of the cloth's hierarchy whether the ball is out of its reach.
    pub away: Vec<bool>,
}

impl Hierarchy {
    /// A hierarchy; `x` are the positions of all vertices.
    pub fn new(solid: &Solid, first: usize, x: &[Vec3]) -> Self {
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0;
        let centroids: Vec<Vec3> = solid.triangles.iter().map(centroid).collect();
        let used = || solid.triangles.as_flattened().iter().map(|&v| v as usize);
        let vertices = used().min().unwrap_or(0)..used().max().map_or(0, |v| v + 1);
        let ball = solid.radius.map(|radius| Ball { radius, vertices, away: Vec::new() });
        Self { tree: Bvh::new(&centroids), first, ball, exact: solid.exact }
    }

    /// Whether it is a ball that no cloth can reach.
    pub fn is_out_of_reach(&self) -> bool {
        self.ball.as_ref().is_some_and(|ball| ball.away.first() == Some(&true))
    }
}

impl Ball {
    /// Finds the nodes of the cloth's hierarchy that stay farther than `apart` \[m\] from the ball while
    /// everything moves linearly from `x0` to `x1`.
    ///
    /// A triangle does if a plane is between them: along its normal `n`, the distance between the lowest
    /// corner and the highest point of the ball is a concave function of time, so it is enough to look
    /// at the start and the end.
    pub fn refit(&mut self, cloth: &Bvh, triangles: &[[u32; 3]], x: [&[Vec3]; 2], apart: f64) {
        let mean = |x: &[Vec3]| x.iter().sum::<Vec3>() / x.len().max(1) as f64;
        let centre = x.map(|x| mean(&x[self.vertices.clone()]));
        let reach = self.radius * (1.0 + ROUNDING) + apart;
        let is_away = |t: u32| {
            let corners = x.map(|x| triangles[t as usize].map(|v| x[v as usize]));
            let middle: Vec3 = corners.as_flattened().iter().sum::<Vec3>() / 6.0;
            let normal = try_normalize(middle - (centre[0] + centre[1]) * 0.5);
            normal.is_some_and(|n| {
                let beyond = |t: usize| corners[t].iter().all(|p| n.dot(*p - centre[t]) > reach);
                beyond(0) && beyond(1)
            })
        };
        self.away.resize(cloth.node_count(), true);
        cloth.gather_into(&mut self.away, &true, is_away, |a, b| *a && *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::collide::detect::{self, Scope};
    use crate::collide::surface::{Parts, Surface};
    use crate::math::Random;
    use crate::mesh::{Diagonals, Sheet};

    /// Cloth thrown at, along and past a moving ball: the same collisions whether or not it is known to be
    /// a ball.
    #[test]
    fn r8_a_ball_is_hit_by_the_same_as_its_triangles() {
        let sheet = Sheet::grid([0.5, 0.5], [13, 13], Diagonals::Alternating).unwrap();
        let ball = shape::sphere(0.2, 0.04);
        let n = sheet.positions.len();
        let triangles: Vec<[u32; 3]> =
            ball.triangles.iter().map(|t| t.map(|v| v + n as u32)).collect();
        let mut random = Random::new(9);
        let (mut total, mut spared) = (0, 0);
        for _ in 0..60 {
            let mut vector =
                |s: f64| Vec3::from_array(std::array::from_fn(|_| random.between(-s, s)));
            let (flight, drift) = (vector(0.3), vector(0.05));
            let mut at = |height: f64, ball_at: Vec3, noise: f64| -> Vec<Vec3> {
                let cloth = sheet.positions.iter().map(|p| *p + Vec3::Z * height + vector(noise));
                cloth
                    .collect::<Vec<_>>()
                    .into_iter()
                    .chain(ball.positions.iter().map(|p| *p + ball_at))
                    .collect()
            };
            let x0 = at(0.203, Vec3::ZERO, 0.002);
            let mut x1 = at(0.203, drift, 0.01);
            x1[..n].iter_mut().for_each(|p| *p += flight);
            let hits = |radius: Option<f64>| {
                let solid = Solid { triangles: triangles.clone(), radius, exact: false };
                let mut surface = Surface::new(sheet.mesh.triangles(), &[solid], n, &x0);
                surface.refit(&x0, &x1, 5e-5);
                let scope = Scope { within_cloth: false, excluded: &[], pinched: &[], sewn: &[] };
                let parts = Parts { within_cloth: false, ..Parts::ALL };
                let pairs = surface.feature_pairs(parts, None, |pair, out| out.push(pair)).len();
                let (active, motion) = (vec![true; x0.len()], (&x0[..], &x1[..]));
                (detect::hits(&surface, parts, motion, 1e-4, &active, &scope), pairs)
            };
            let ((all, many), (of_ball, few)) = (hits(None), hits(Some(0.2)));
            assert_eq!(all, of_ball);
            (total, spared) = (total + all.len(), spared + many - few);
        }
        assert!(total > 1000 && spared > 1000, "{total} {spared}");
    }
}
