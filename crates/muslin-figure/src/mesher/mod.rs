//! From the implicit surface to a closed triangle mesh.

mod cells;
mod closed;
mod flip;
mod grid;
mod refine;
pub mod relax;

use closed::is_closed_sphere;
#[cfg(test)]
pub use closed::is_manifold;

use crate::anatomy::Anatomy;
use muslin::math::Vec3;

/// Triangles with outward normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangulation {
    /// Vertices \[m\].
    pub positions: Vec<Vec3>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangulation {
    fn area(&self) -> f64 {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.positions[v as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        self.triangles.iter().map(area).sum()
    }
}

/// Cell size of the first look at the surface, which measures its area \[share of the height\].
const FIRST_CELL: f64 = 0.019;
/// A surface of area A crosses about 1.5 A/h² edges of a grid of step h, each of which becomes two
/// triangles; refinement adds about two fifths.
const TRIANGLES_PER_AREA: f64 = 3.0 * 1.42;
/// How often another place of the grid is tried.
const TRIES: usize = 6;

/// A closed mesh of about `triangles` triangles, or `None` where the surface cannot be meshed as
/// one sphere-like piece.
///
/// Dual contouring of grid cells with one vertex for every sheet in a cell gives quads that are
/// nearly always manifold; where they are not, another place of the grid is tried. Refinement
/// where the shape is small, edge flips and relaxation along the surface make the triangles good.
pub fn mesh(anatomy: &Anatomy, height: f64, triangles: usize) -> Option<Triangulation> {
    let coarse = contour(anatomy, FIRST_CELL * height)?;
    let step = (TRIANGLES_PER_AREA * coarse.area() / triangles as f64).sqrt();
    let mut mesh = contour(anatomy, step)?;
    relax::relax(&mut mesh, anatomy, 3, 1);
    for _ in 0..2 {
        refine::refine(&mut mesh, anatomy, |p| step * refine::size(p, height));
        flip::flip_to_delaunay(&mut mesh);
        relax::relax(&mut mesh, anatomy, 3, 1);
    }
    flip::flip_to_delaunay(&mut mesh);
    relax::relax(&mut mesh, anatomy, 3, 2);
    flip::flip_to_delaunay(&mut mesh);
    relax::relax(&mut mesh, anatomy, 1, 2);
    is_closed_sphere(&mesh).then_some(mesh)
}

fn contour(anatomy: &Anatomy, step: f64) -> Option<Triangulation> {
    (0..TRIES).find_map(|k| {
        let shift = Vec3::new(0.5, 0.17, 0.31) + Vec3::new(0.0, 0.137, 0.211) * k as f64;
        let grid = grid::Grid::sample(anatomy, step, shift.fract());
        let mesh = cells::contour(&grid);
        is_closed_sphere(&mesh).then_some(mesh)
    })
}
