//! How a mesh of hinges bends as a whole, and what makes up for it (V4).
//!
//! A cylinder of curvature `κ` turns the hinges of a mesh such that `Σ ½k_e θ_e²` is `½Dκ²` per area. A
//! strip is free to curve across as well, though, and on most meshes hinges make that pay: on equilateral
//! triangles the energy of curvatures `κ_1`, `κ_2` is `½D(κ_1² + κ_2² + 2νκ_1κ_2)` with `ν = −1/3`, so that a
//! strip bends with `D(1 − ν²)`, 11 % too soft. Every hinge is therefore made `1/(1 − ν²)` times as stiff, with
//! the `ν` of the mesh around it, for bending across the hinge. Where hinge lines run across the bend, as on
//! grids, `ν` is zero and nothing changes.
//!
//! With vertices on the paraboloid of curvatures `κ_n` across and `κ_t` along an edge of length `L`, and
//! `κ_nt` between, a wing whose tip is at `(n, t)` from the middle of the edge slopes by
//! `½κ_n n + ½κ_t (t² − L²/4)/n + κ_nt t`; the angle of the hinge is the sum of both.
//!
//! Not made up for: on grids with diagonals, hinges relax from cell to cell, which makes strips another 27 %
//! softer along the grid.

use crate::math::{Mat3, Vec2, Vec3, outer};
use crate::mesh::{Hinge, TriMesh};

/// How often the energies at vertices are added to their neighbours': `ν` is a property of a mesh around a
/// hinge, not of the hinge.
const RINGS: usize = 3;

/// Largest `ν²` that is made up for.
const MOST: f64 = 0.5;

/// How much stiffer every hinge of a mesh has to be, at least 1.
pub(crate) fn corrections(mesh: &TriMesh) -> Vec<f64> {
    let hinges = mesh.topology().hinges();
    let directions: Vec<Option<Direction>> =
        hinges.iter().map(|h| Direction::of(mesh, h)).collect();
    let mut energy = vec![Mat3::ZERO; mesh.vertex_count()];
    for (hinge, direction) in hinges.iter().zip(&directions) {
        let Some(direction) = direction else { continue };
        for v in hinge.vertices {
            energy[v as usize] += direction.energy;
        }
    }
    for _ in 0..RINGS {
        let before = energy.clone();
        for [a, b] in mesh.topology().edges().iter().map(|edge| edge.vertices.map(|v| v as usize)) {
            energy[a] += before[b];
            energy[b] += before[a];
        }
    }
    let stiffer = |(hinge, direction): (&Hinge, &Option<Direction>)| {
        let around: Mat3 = hinge.vertices.iter().map(|&v| energy[v as usize]).sum();
        direction.as_ref().map_or(1.0, |direction| direction.stiffer(&around))
    };
    hinges.iter().zip(&directions).map(stiffer).collect()
}

/// A hinge in the plane. Curvatures are `(κ_uu, κ_vv, κ_uv)`.
struct Direction {
    /// Curvature 1 across the edge.
    across: Vec3,
    /// Curvature 1 along it.
    along: Vec3,
    /// Its energy, twice, as a quadratic form of the curvature, for `D = 1`.
    energy: Mat3,
}

impl Direction {
    /// `None` for a wing without area.
    fn of(mesh: &TriMesh, hinge: &Hinge) -> Option<Self> {
        let ends = [hinge.vertices[2], hinge.vertices[3]];
        // Angle per κ_n, κ_t and κ_nt.
        let (mut angle, mut area) = (Vec3::ZERO, 0.0);
        for (side, &triangle) in hinge.triangles.iter().enumerate() {
            let [a, b] = mesh.edge_uv(triangle as usize, ends);
            let [_, tip] = mesh.edge_uv(triangle as usize, [ends[0], hinge.vertices[side]]);
            let (edge, arm) = (b - a, tip - (a + b) * 0.5);
            let length = edge.length();
            let (n, t) = ((edge.perp_dot(arm) / length).abs(), edge.dot(arm) / length);
            if n <= 0.0 || length <= 0.0 {
                return None;
            }
            let turn = if side == 0 { t } else { -t };
            angle += Vec3::new(0.5 * n, 0.5 * (t * t - 0.25 * length * length) / n, turn);
            area += 0.5 * length * n;
        }
        let [a, b] = mesh.edge_uv(hinge.triangles[0] as usize, ends);
        let squared = (b - a).length_squared();
        let t = (b - a) / squared.sqrt();
        let [_, tip] = mesh.edge_uv(hinge.triangles[0] as usize, [ends[0], hinge.vertices[0]]);
        let n = if t.perp_dot(tip - a) > 0.0 { t.perp() } else { -t.perp() };
        let form = n_n(n) * angle.x + n_n(t) * angle.y + n_t(n, t) * angle.z;
        let energy = outer(form, form) * (squared / area);
        let curved = |d: Vec2| Vec3::new(d.x * d.x, d.y * d.y, d.x * d.y);
        Some(Self { across: curved(n), along: curved(t), energy })
    }

    /// `1/(1 − ν²)` with `ν² = C_nt²/(C_nn C_tt)` of the energy around.
    fn stiffer(&self, energy: &Mat3) -> f64 {
        let both = self.across.dot(*energy * self.along);
        let each = self.across.dot(*energy * self.across) * self.along.dot(*energy * self.along);
        let squared = if each > 0.0 { both * both / each } else { 0.0 };
        1.0 / (1.0 - squared.min(MOST))
    }
}

/// `κ_n = nᵀκn` as a form of `(κ_uu, κ_vv, κ_uv)`.
fn n_n(n: Vec2) -> Vec3 {
    Vec3::new(n.x * n.x, n.y * n.y, 2.0 * n.x * n.y)
}

/// `κ_nt = nᵀκt`.
fn n_t(n: Vec2, t: Vec2) -> Vec3 {
    Vec3::new(n.x * t.x, n.y * t.y, n.x * t.y + n.y * t.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Diagonals, Sheet};

    /// Equilateral triangles: `ν = −1/3` exactly (the triangular lattice of Seung and Nelson), 9/8 away
    /// from the rim.
    #[test]
    fn v4_equilateral_triangles_need_nine_eighths() {
        let (columns, rows) = (16, 16);
        let height = 0.75f64.sqrt();
        let mut uv = Vec::new();
        for row in 0..rows {
            let shift = if row % 2 == 1 { 0.5 } else { 0.0 };
            uv.extend(
                (0..columns).map(|c| Vec2::new(f64::from(c) + shift, f64::from(row) * height)),
            );
        }
        let at = |c: i32, row: i32| (row * columns + c) as u32;
        let mut triangles = Vec::new();
        for row in 0..rows - 1 {
            for c in 0..columns - 1 {
                let (a, b) = (at(c, row), at(c + 1, row));
                let (d, e) = (at(c, row + 1), at(c + 1, row + 1));
                let (p, q) =
                    if row % 2 == 0 { ([a, b, d], [b, e, d]) } else { ([a, b, e], [a, e, d]) };
                triangles.extend([p, q]);
            }
        }
        let corners = triangles.iter().map(|t| t.map(|v| uv[v as usize])).collect();
        let mesh = TriMesh::new(uv.len(), triangles, corners).unwrap();
        let inner = |h: &Hinge| {
            let middle = uv[h.vertices[2] as usize];
            middle.cmpgt(Vec2::splat(5.5)).all() && middle.cmplt(Vec2::new(10.0, 8.0)).all()
        };
        let found = corrections(&mesh);
        let mut count = 0;
        for (_, found) in mesh.topology().hinges().iter().zip(found).filter(|(h, _)| inner(h)) {
            assert!((found - 1.125).abs() < 1e-12, "{found}");
            count += 1;
        }
        assert!(count > 20);
    }

    /// Grids: hinges along the grid stay as they are.
    #[test]
    fn v4_hinge_lines_across_the_bend_are_exact() {
        for kind in [Diagonals::Regular, Diagonals::Alternating] {
            let mesh = Sheet::grid([1.0, 1.0], [16, 16], kind).unwrap().mesh;
            for (hinge, found) in mesh.topology().hinges().iter().zip(corrections(&mesh)) {
                let [a, b] = mesh
                    .edge_uv(hinge.triangles[0] as usize, [hinge.vertices[2], hinge.vertices[3]]);
                let along_grid = (b - a).abs().min_element() < 1e-9;
                let middle = (a + b) * 0.5;
                if along_grid && middle.abs().max_element() < 0.2 {
                    assert!((found - 1.0).abs() < 1e-9, "{kind:?} {found}");
                }
            }
        }
    }
}
