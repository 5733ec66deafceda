//! A closed mesh as a rigid part: a tree over its triangles for exact nearest points, and a coarse
//! field of distances that answers "far away" at once (OS3).

mod winding;

use super::part_field::Field;
use crate::body::BodyMesh;
use crate::collide::aabb::Aabb;
use crate::collide::distance::point_triangle;
use crate::finish::box_tree::{BoxTree, distance_squared};
use crate::math::{Vec3, try_normalize};
use thiserror::Error;
use winding::winds_around;

/// Why a mesh cannot be a body part.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PartError {
    /// No triangles.
    #[error("the body part has no triangles; give it a closed mesh")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} of the body part names vertex {vertex}, but there are only {vertex_count}"
    )]
    IndexOutOfRange {
        /// Triangle number.
        triangle: usize,
        /// The index that is too large.
        vertex: u32,
        /// Number of vertices.
        vertex_count: usize,
    },
    /// A position is NaN or infinite.
    #[error("vertex {vertex} of the body part is not at a finite position")]
    NotFinite {
        /// Vertex number.
        vertex: usize,
    },
    /// A triangle is a line or a point.
    #[error("triangle {triangle} of the body part has no area; remove it")]
    ZeroArea {
        /// Triangle number.
        triangle: usize,
    },
    /// Inside and outside are not known.
    #[error(
        "the body part is not closed at the edge between vertices {} and {}; close the hole, or make \
         all triangles face outwards",
        edge[0], edge[1]
    )]
    Open {
        /// The edge that does not have one triangle on either side.
        edge: [u32; 2],
    },
}

/// A closed triangle mesh in its own frame.
#[derive(Clone, Debug)]
pub struct PartMesh {
    corners: Vec<[Vec3; 3]>,
    /// Unit face normal, then the sums of normals at the sides opposite corner 0, 1, 2, then at the
    /// corners, weighted by angle: the sign of the distance is the sign with respect to these.
    normals: Vec<[Vec3; 7]>,
    tree: BoxTree,
    field: Field,
    /// Least radius of its ridges \[m\], if distances are those of the field.
    rounded: Option<f64>,
}

impl PartMesh {
    /// Checks a mesh and builds its tree and field.
    pub fn new(mesh: &BodyMesh) -> Result<Self, PartError> {
        check(mesh)?;
        let corners: Vec<[Vec3; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize])).collect();
        let normals = pseudo_normals(mesh, &corners)?;
        let centroids: Vec<Vec3> = corners.iter().map(|t| (t[0] + t[1] + t[2]) / 3.0).collect();
        let mut tree = BoxTree::new(&centroids);
        tree.refit(|t| Aabb::around(corners[t as usize]));
        let field = Field::around(tree.bounds());
        let mut part = Self { corners, normals, tree, field, rounded: None };
        part.fill_field();
        Ok(part)
    }

    /// The same for a round part, such as a limb: all its distances are interpolated in the field, some
    /// fifty times faster. A ridge of radius `r` is off by about `cell²/8r`: less than a millimetre
    /// where flesh is round, more at edges that are sharper than a cell. `roundness` \[m\] is the least
    /// radius of its ridges; those inside other parts do not count.
    pub fn rounded(mesh: &BodyMesh, roundness: f64) -> Result<Self, PartError> {
        Ok(Self { rounded: Some(roundness), ..Self::new(mesh)? })
    }

    /// Least radius of curvature of a ridge \[m\].
    pub(super) fn roundness(&self) -> f64 {
        self.rounded.unwrap_or(0.0)
    }

    /// Whether distances are those of the field.
    pub(super) fn is_rounded(&self) -> bool {
        self.rounded.is_some()
    }

    /// Box around the mesh.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// Exact signed distance \[m\] and outward unit normal, of a rounded part that of its field; a mere
    /// lower bound and some direction where that bound exceeds `reach` \[m\].
    pub fn distance(&self, p: Vec3, reach: f64) -> (f64, Vec3) {
        if self.is_rounded() {
            return self.field.with_direction(p, reach);
        }
        let bound = self.field_distance(p) - self.field.error();
        if bound > reach { (bound, Vec3::Z) } else { self.exact_distance(p) }
    }

    /// Exact signed distance \[m\] and outward unit normal.
    pub fn exact_distance(&self, p: Vec3) -> (f64, Vec3) {
        let (mut nearest, mut delta, mut feature) = (f64::INFINITY, Vec3::ZERO, Vec3::Z);
        self.tree.search(
            f64::INFINITY,
            |bounds| distance_squared(bounds, p),
            |t, best| {
                let [a, b, c] = self.corners[t as usize];
                let closest = point_triangle(p, a, b, c);
                if closest.distance_squared < nearest {
                    nearest = closest.distance_squared;
                    delta = closest.delta;
                    feature = self.feature_normal(t as usize, &closest.weights);
                }
                best.min(nearest)
            },
        );
        let sign = if delta.dot(feature) < 0.0 { -1.0 } else { 1.0 };
        let normal = try_normalize(delta * sign).or(try_normalize(feature)).unwrap_or(Vec3::Z);
        (sign * nearest.sqrt(), normal)
    }

    /// Signed distance interpolated in the field \[m\], off by at most [`Field::error`].
    pub(super) fn field_distance(&self, p: Vec3) -> f64 {
        self.field.at(p)
    }

    /// Its field.
    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    /// Most that the field's distance exceeds that of [`PartMesh::distance`] \[m\].
    pub(super) fn field_error(&self) -> f64 {
        if self.is_rounded() { 0.0 } else { self.field.error() }
    }

    fn feature_normal(&self, t: usize, weights: &[f64; 4]) -> Vec3 {
        let zero = |k: usize| weights[k + 1] == 0.0;
        let normals = &self.normals[t];
        match (zero(0), zero(1), zero(2)) {
            (false, false, false) => normals[0],
            (true, false, false) => normals[1],
            (false, true, false) => normals[2],
            (false, false, true) => normals[3],
            (false, true, true) => normals[4],
            (true, false, true) => normals[5],
            _ => normals[6],
        }
    }

    fn fill_field(&mut self) {
        let mut field = std::mem::take(&mut self.field);
        field.fill(|node| self.exact_distance(node).0);
        field.set_sides(|node| winds_around(&self.corners, node));
        self.field = field;
    }
}

fn check(mesh: &BodyMesh) -> Result<(), PartError> {
    let vertex_count = mesh.positions.len();
    if mesh.triangles.is_empty() {
        return Err(PartError::Empty);
    }
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(PartError::NotFinite { vertex });
    }
    for (triangle, t) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = t.iter().find(|&&v| v as usize >= vertex_count) {
            return Err(PartError::IndexOutOfRange { triangle, vertex, vertex_count });
        }
        let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
        if try_normalize((b - a).cross(c - a)).is_none() {
            return Err(PartError::ZeroArea { triangle });
        }
    }
    Ok(())
}

fn pseudo_normals(mesh: &BodyMesh, corners: &[[Vec3; 3]]) -> Result<Vec<[Vec3; 7]>, PartError> {
    let unit = |[a, b, c]: [Vec3; 3]| try_normalize((b - a).cross(c - a)).unwrap_or(Vec3::Z);
    let mut sides: Vec<(u32, u32, usize)> = Vec::with_capacity(3 * corners.len());
    let mut vertex_normals = vec![Vec3::ZERO; mesh.positions.len()];
    for (t, index) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            sides.push((index[k], index[(k + 1) % 3], t));
            let p = corners[t];
            let angle = (p[(k + 1) % 3] - p[k]).angle_between(p[(k + 2) % 3] - p[k]);
            vertex_normals[index[k] as usize] += unit(p) * angle;
        }
    }
    sides.sort_unstable();
    if let Some(w) = sides.windows(2).find(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
        return Err(PartError::Open { edge: [w[0].0, w[0].1] });
    }
    let neighbour = |a: u32, b: u32| {
        let at = sides.binary_search_by(|s| (s.0, s.1).cmp(&(b, a)));
        at.map(|i| sides[i].2).map_err(|_| PartError::Open { edge: [a, b] })
    };
    let mut normals = Vec::with_capacity(corners.len());
    for (t, index) in mesh.triangles.iter().enumerate() {
        let face = unit(corners[t]);
        let mut all = [face; 7];
        for k in 0..3 {
            let other = neighbour(index[(k + 1) % 3], index[(k + 2) % 3])?;
            all[1 + k] = face + unit(corners[other]);
            all[4 + k] = vertex_normals[index[k] as usize];
        }
        normals.push(all);
    }
    Ok(normals)
}

#[cfg(test)]
mod tests;
