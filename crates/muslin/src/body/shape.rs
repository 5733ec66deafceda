//! Triangle meshes of the simple shapes, inscribed in the exact ones.

use super::BodyMesh;
use crate::math::{Vec3, try_normalize};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Finest subdivision of a sphere: 81,920 triangles.
const MAX_SPHERE_LEVEL: u32 = 6;

/// A sphere around the origin: an icosahedron subdivided until its edges are at most `edge` \[m\].
pub fn sphere(radius: f64, edge: f64) -> BodyMesh {
    let mut length = 1.0515 * radius;
    let mut level = 0;
    while length > edge && level < MAX_SPHERE_LEVEL {
        length *= 0.55;
        level += 1;
    }
    icosphere(radius, level)
}

/// A sphere around the origin: an icosahedron whose triangles are cut into four `level` times.
pub fn icosphere(radius: f64, level: u32) -> BodyMesh {
    let mut mesh = icosahedron();
    for _ in 0..level {
        mesh = subdivide(&mesh);
    }
    for p in &mut mesh.positions {
        *p = try_normalize(*p).unwrap_or(Vec3::Z) * radius;
    }
    mesh
}

fn icosahedron() -> BodyMesh {
    let phi = 0.5 * (1.0 + 5f64.sqrt());
    let mut positions = Vec::new();
    for (a, b) in [(1.0, phi), (1.0, -phi), (-1.0, phi), (-1.0, -phi)] {
        positions.extend([Vec3::new(0.0, a, b), Vec3::new(a, b, 0.0), Vec3::new(b, 0.0, a)]);
    }
    // Faces are the triples at mutual distance 2, wound outwards.
    let near = |i: usize, j: usize| (positions[i].distance(positions[j]) - 2.0).abs() < 1e-9;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let normal = (positions[j] - positions[i]).cross(positions[k] - positions[i]);
                    let outward = normal.dot(positions[i]) > 0.0;
                    let face = if outward { [i, j, k] } else { [i, k, j] };
                    triangles.push(face.map(|v| v as u32));
                }
            }
        }
    }
    BodyMesh { positions, triangles }
}

/// Cuts every triangle into four and puts the new vertices on the unit sphere.
fn subdivide(mesh: &BodyMesh) -> BodyMesh {
    let mut positions = mesh.positions.clone();
    let mut middles = BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let unit = |v: u32| try_normalize(mesh.positions[v as usize]).unwrap_or(Vec3::Z);
            positions.push(try_normalize(unit(a) + unit(b)).unwrap_or(Vec3::Z));
            positions.len() as u32 - 1
        })
    };
    let mut triangles = Vec::with_capacity(mesh.triangles.len() * 4);
    for &[a, b, c] in &mesh.triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    BodyMesh { positions, triangles }
}

/// A box of `size` \[m\] centred on the origin.
pub fn cuboid(size: Vec3) -> BodyMesh {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        size * Vec3::new(sign(0), sign(1), sign(2))
    };
    let quads: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    BodyMesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

/// A closed cylinder along z, `length` \[m\] long, `sides` around.
pub fn cylinder(radius: f64, length: f64, sides: usize) -> BodyMesh {
    let half = 0.5 * length;
    let rings = [(radius, -half), (radius, half)];
    revolve(&rings, Some(-half), Some(half), sides)
}

/// A capsule along z: a cylinder of `length` \[m\] with a half sphere on either end.
pub fn capsule(radius: f64, length: f64, sides: usize) -> BodyMesh {
    let caps = (sides / 4).max(2);
    let mut rings = Vec::new();
    for k in 1..=caps {
        let angle = -FRAC_PI_2 + FRAC_PI_2 * k as f64 / caps as f64;
        rings.push((radius * angle.cos(), radius * angle.sin() - 0.5 * length));
    }
    for k in 0..caps {
        let angle = FRAC_PI_2 * k as f64 / caps as f64;
        rings.push((radius * angle.cos(), radius * angle.sin() + 0.5 * length));
    }
    revolve(&rings, Some(-0.5 * length - radius), Some(0.5 * length + radius), sides)
}

/// A surface of revolution about z through rings (radius, z) from bottom to top, closed by poles.
fn revolve(rings: &[(f64, f64)], south: Option<f64>, north: Option<f64>, sides: usize) -> BodyMesh {
    let mut mesh = BodyMesh::default();
    for &(radius, z) in rings {
        for i in 0..sides {
            let (sin, cos) = (TAU * i as f64 / sides as f64).sin_cos();
            mesh.positions.push(Vec3::new(radius * cos, radius * sin, z));
        }
    }
    let at = |ring: usize, i: usize| (ring * sides + i % sides) as u32;
    for ring in 0..rings.len() - 1 {
        for i in 0..sides {
            let (a, b) = (at(ring, i), at(ring, i + 1));
            let (c, d) = (at(ring + 1, i + 1), at(ring + 1, i));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for (pole, ring, upward) in [(south, 0, false), (north, rings.len() - 1, true)] {
        let Some(z) = pole else { continue };
        let centre = mesh.positions.len() as u32;
        mesh.positions.push(Vec3::new(0.0, 0.0, z));
        for i in 0..sides {
            let (a, b) = (at(ring, i), at(ring, i + 1));
            mesh.triangles.push(if upward { [centre, a, b] } else { [centre, b, a] });
        }
    }
    mesh
}

/// Sides that keep a circle of `radius` within `sagitta` \[m\] of its polygon.
pub fn sides_for(radius: f64, sagitta: f64) -> usize {
    let ratio = (1.0 - sagitta / radius).clamp(-1.0, 1.0);
    ((PI / ratio.acos()).ceil() as usize).clamp(12, 256)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume enclosed, by the divergence theorem: outward winding makes it positive.
    fn volume(mesh: &BodyMesh) -> f64 {
        mesh.triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum()
    }

    fn is_closed(mesh: &BodyMesh) -> bool {
        let mut sides: Vec<(u32, u32)> = mesh
            .triangles
            .iter()
            .flat_map(|t| (0..3).map(move |c| (t[c], t[(c + 1) % 3])))
            .collect();
        sides.sort_unstable();
        sides.windows(2).all(|w| w[0] != w[1])
            && sides.iter().all(|&(a, b)| sides.binary_search(&(b, a)).is_ok())
    }

    #[test]
    fn shapes_are_closed_and_have_the_volume_of_the_exact_ones() {
        let cases = [
            (sphere(0.3, 0.02), 4.0 / 3.0 * PI * 0.027, 0.01),
            (cuboid(Vec3::new(1.0, 2.0, 3.0)), 6.0, 1e-12),
            (cylinder(0.5, 2.0, 96), PI * 0.25 * 2.0, 0.001),
            (capsule(0.5, 2.0, 96), PI * 0.25 * 2.0 + PI / 6.0, 0.002),
        ];
        for (mesh, exact, tolerance) in cases {
            assert!(is_closed(&mesh));
            let v = volume(&mesh);
            assert!(v <= exact * (1.0 + 1e-12) && v > exact * (1.0 - tolerance), "{v} of {exact}");
        }
    }

    #[test]
    fn a_sphere_is_as_fine_as_asked() {
        let mesh = sphere(0.3, 0.02);
        for t in &mesh.triangles {
            for c in 0..3 {
                let [a, b] = [t[c], t[(c + 1) % 3]].map(|v| mesh.positions[v as usize]);
                assert!(a.distance(b) <= 0.024 && (a.length() - 0.3).abs() < 1e-12);
            }
        }
    }
}
