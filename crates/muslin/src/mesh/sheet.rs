//! Procedural sheets: grids, strips, discs and tubes, flat in the xy plane (tubes stand along z).

use super::{MeshError, TriMesh};
use crate::body::BodyMesh;
use crate::body::shape::icosphere;
use crate::math::{Random, Vec2, Vec3};
use std::f64::consts::TAU;
use thiserror::Error;

/// More vertices than this are refused before memory is taken.
const MAX_VERTICES: usize = 20_000_000;

/// How far, in cells, the inner vertices of an irregular grid are moved. More makes needles.
const IRREGULAR_SHIFT: f64 = 0.25;

/// How the cells of a grid are cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonals {
    /// All diagonals run the same way.
    Regular,
    /// Diagonals alternate like a chess board: no preferred direction.
    Alternating,
    /// Inner vertices are moved at random (seeded) and the better diagonal is taken.
    Irregular(u64),
}

/// A mesh together with the positions it starts from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Start positions \[m\].
    pub positions: Vec<Vec3>,
    /// The mesh with its rest coordinates.
    pub mesh: TriMesh,
}

/// Why a sheet cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SheetError {
    /// A length is zero, negative or not finite.
    #[error("a sheet needs sizes greater than zero, but {what} is {value}")]
    Size {
        /// Which size.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Too few or too many vertices.
    #[error("a sheet may have {least} to {MAX_VERTICES} vertices, but this one has {count}")]
    Count {
        /// Fewest that make sense.
        least: usize,
        /// How many were asked for.
        count: usize,
    },
    /// The mesh itself is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl Sheet {
    /// A rectangle of `size` \[m\] with `vertices` along u (x) and v (y), centred on the origin.
    /// Vertex `i + j·vertices[0]` lies in column `i` and row `j`; uv runs from 0 to `size`.
    pub fn grid(
        size: [f64; 2],
        vertices: [usize; 2],
        diagonals: Diagonals,
    ) -> Result<Self, SheetError> {
        check_size("the width", size[0])?;
        check_size("the height", size[1])?;
        let [columns, rows] = vertices;
        check_count(2, columns.min(rows))?;
        check_count(4, columns.saturating_mul(rows))?;
        let rest = grid_points(size, vertices, diagonals);
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for j in 0..rows - 1 {
            for i in 0..columns - 1 {
                let corner = |di: usize, dj: usize| (i + di + (j + dj) * columns) as u32;
                let cell = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let rising = match diagonals {
                    Diagonals::Regular => true,
                    Diagonals::Alternating => (i + j) % 2 == 0,
                    Diagonals::Irregular(_) => rising_is_better(cell.map(|v| rest[v as usize])),
                };
                triangles.extend(split(cell, rising));
            }
        }
        let centre = Vec2::from(size) / 2.0;
        let positions = rest.iter().map(|p| (*p - centre).extend(0.0)).collect();
        Self::from_plane(positions, &rest, triangles)
    }

    /// A disc of `radius` \[m\] centred on the origin: ring `k` has `6k` vertices, so all triangles
    /// are close to equilateral.
    pub fn disc(radius: f64, rings: usize) -> Result<Self, SheetError> {
        check_size("the radius", radius)?;
        check_count(1, rings)?;
        check_count(7, 1 + 3 * rings.saturating_mul(rings + 1))?;
        let mut rest = vec![Vec2::ZERO];
        for k in 1..=rings {
            let r = radius * k as f64 / rings as f64;
            for i in 0..6 * k {
                rest.push(Vec2::from_angle(TAU * i as f64 / (6 * k) as f64) * r);
            }
        }
        let mut triangles = Vec::with_capacity(6 * rings * rings);
        for k in 1..=rings {
            for sector in 0..6 {
                disc_sector(k, sector, &mut triangles);
            }
        }
        let positions = rest.iter().map(|p| p.extend(0.0)).collect();
        Self::from_plane(positions, &rest, triangles)
    }

    /// An open tube of `radius` and `length` \[m\] around z, `around` × `along` vertices, centred on
    /// the origin. Each triangle has rest coordinates (arc, height) of the cylinder unrolled, with
    /// the flat mesh's own chord lengths, so that the tube starts without strain.
    pub fn tube(radius: f64, length: f64, [around, along]: [usize; 2]) -> Result<Self, SheetError> {
        check_size("the radius", radius)?;
        check_size("the length", length)?;
        check_count(3, around)?;
        check_count(2, along)?;
        check_count(6, around.saturating_mul(along))?;
        let chord = 2.0 * radius * (std::f64::consts::PI / around as f64).sin();
        let step = length / (along - 1) as f64;
        let mut positions = Vec::with_capacity(around * along);
        for j in 0..along {
            for i in 0..around {
                let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
                let z = step * j as f64 - length / 2.0;
                positions.push(Vec3::new(radius * cos, radius * sin, z));
            }
        }
        let mut triangles = Vec::new();
        let mut uv = Vec::new();
        for j in 0..along - 1 {
            for i in 0..around {
                let next = (i + 1) % around;
                let cell = [
                    i + j * around,
                    next + j * around,
                    next + (j + 1) * around,
                    i + (j + 1) * around,
                ]
                .map(|v| v as u32);
                let (u, v) = (chord * i as f64, step * j as f64);
                let rest = [
                    Vec2::new(u, v),
                    Vec2::new(u + chord, v),
                    Vec2::new(u + chord, v + step),
                    Vec2::new(u, v + step),
                ];
                let rising = (i + j) % 2 == 0;
                triangles.extend(split(cell, rising));
                uv.extend(split(rest, rising));
            }
        }
        let mesh = TriMesh::new(positions.len(), triangles, uv)?;
        Ok(Self { positions, mesh })
    }

    /// A closed ball of `radius` \[m\] around the origin: an icosahedron whose triangles are cut into four
    /// `subdivisions` times, each at rest as it is.
    pub fn ball(radius: f64, subdivisions: u32) -> Result<Self, SheetError> {
        check_size("the radius", radius)?;
        let quadrupled = 4_usize.checked_pow(subdivisions).and_then(|n| n.checked_mul(10));
        check_count(12, quadrupled.map_or(usize::MAX, |n| n.saturating_add(2)))?;
        let BodyMesh { positions, triangles } = icosphere(radius, subdivisions);
        let uv = triangles.iter().map(|t| flattened(t.map(|v| positions[v as usize]))).collect();
        let mesh = TriMesh::new(positions.len(), triangles, uv)?;
        Ok(Self { positions, mesh })
    }

    fn from_plane(
        positions: Vec<Vec3>,
        rest: &[Vec2],
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, SheetError> {
        let uv = triangles.iter().map(|t| t.map(|v| rest[v as usize])).collect();
        let mesh = TriMesh::new(positions.len(), triangles, uv)?;
        Ok(Self { positions, mesh })
    }
}

/// A triangle laid into the plane, its first edge along u.
pub fn flattened([a, b, c]: [Vec3; 3]) -> [Vec2; 3] {
    let (e, f) = (b - a, c - a);
    let length = e.length();
    let along = if length > 0.0 { f.dot(e) / length } else { 0.0 };
    let across = if length > 0.0 { e.cross(f).length() / length } else { 0.0 };
    [Vec2::ZERO, Vec2::new(length, 0.0), Vec2::new(along, across)]
}

fn check_size(what: &'static str, value: f64) -> Result<(), SheetError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(SheetError::Size { what, value }) }
}

fn check_count(least: usize, count: usize) -> Result<(), SheetError> {
    if (least..=MAX_VERTICES).contains(&count) {
        Ok(())
    } else {
        Err(SheetError::Count { least, count })
    }
}

fn grid_points(size: [f64; 2], [columns, rows]: [usize; 2], diagonals: Diagonals) -> Vec<Vec2> {
    let cell = Vec2::new(size[0] / (columns - 1) as f64, size[1] / (rows - 1) as f64);
    let mut random = match diagonals {
        Diagonals::Irregular(seed) => Some(Random::new(seed)),
        _ => None,
    };
    let mut points = Vec::with_capacity(columns * rows);
    for j in 0..rows {
        for i in 0..columns {
            let mut at = Vec2::new(i as f64, j as f64);
            if let Some(random) = &mut random {
                let shift = Vec2::new(
                    random.between(-IRREGULAR_SHIFT, IRREGULAR_SHIFT),
                    random.between(-IRREGULAR_SHIFT, IRREGULAR_SHIFT),
                );
                // Border vertices slide along the border only, corners stay.
                let free = Vec2::new(
                    f64::from(u8::from(i > 0 && i + 1 < columns)),
                    f64::from(u8::from(j > 0 && j + 1 < rows)),
                );
                at += shift * free;
            }
            points.push(at * cell);
        }
    }
    points
}

/// Cuts a quad `[a, b, c, d]` (counter-clockwise) along a–c (`rising`) or b–d.
fn split<T: Copy>([a, b, c, d]: [T; 4], rising: bool) -> [[T; 3]; 2] {
    if rising { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

/// Whether the diagonal a–c satisfies Delaunay's condition: opposite angles sum to at most π.
fn rising_is_better([a, b, c, d]: [Vec2; 4]) -> bool {
    let cotangent = |at: Vec2, p: Vec2, q: Vec2| {
        let (e, f) = (p - at, q - at);
        e.dot(f) / e.perp_dot(f).abs()
    };
    cotangent(b, a, c) + cotangent(d, a, c) >= 0.0
}

/// Triangles of one sixth of the band between ring `k − 1` and ring `k`.
fn disc_sector(k: usize, sector: usize, triangles: &mut Vec<[u32; 3]>) {
    let ring_start = |k: usize| if k == 0 { 0 } else { 1 + 3 * k * (k - 1) };
    let on_ring = |k: usize, i: usize| {
        if k == 0 { 0 } else { (ring_start(k) + (sector * k + i) % (6 * k)) as u32 }
    };
    for i in 0..k {
        triangles.push([on_ring(k - 1, i), on_ring(k, i), on_ring(k, i + 1)]);
        if i + 1 < k {
            triangles.push([on_ring(k - 1, i), on_ring(k, i + 1), on_ring(k - 1, i + 1)]);
        }
    }
}
