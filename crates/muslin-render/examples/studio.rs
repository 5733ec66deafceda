//! A wavy cloth of 50,000 triangles draped over a sphere, drawn at 1280 × 720.
//!
//! `cargo run --release -p muslin-render --example studio -- studio.png`

use muslin::math::Vec3;
use muslin_render::{Bounds, Camera, Ground, Settings, Surface, render};
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::time::Instant;

/// Quads along each side of the cloth: 2 · 158² = 49,928 triangles.
const CLOTH_QUADS: u32 = 158;
/// Half the side of the cloth [m].
const CLOTH_HALF_SIDE: f64 = 1.0;
const SPHERE_RADIUS: f64 = 0.5;
const SPHERE_CENTER: Vec3 = Vec3::new(0.0, 0.0, 0.5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "studio.png".to_owned());
    let (cloth_positions, cloth_triangles) = cloth();
    let (sphere_positions, sphere_triangles) = sphere();
    let surfaces = [
        Surface::cloth(&cloth_positions, &cloth_triangles),
        Surface::body(&sphere_positions, &sphere_triangles),
    ];
    let settings = Settings { ground: Some(Ground::at(0.0)), ..Settings::default() };
    let bounds = Bounds::of_points(&cloth_positions);
    let camera = Camera::framing(bounds, settings.aspect(), Vec3::Z);

    let start = Instant::now();
    let image = render(&surfaces, &camera, &settings)?;
    let rendered = start.elapsed();
    image.write_png(Path::new(&path))?;
    let written = start.elapsed() - rendered;
    let triangle_count = cloth_triangles.len() + sphere_triangles.len();
    eprintln!(
        "{triangle_count} triangles, {} x {} pixels: {:.2} s to draw, {:.2} s to write {path}",
        image.width(),
        image.height(),
        rendered.as_secs_f64(),
        written.as_secs_f64()
    );
    Ok(())
}

/// Positions and triangles of a surface.
type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// A square of cloth that lies on the sphere, hangs in folds around it, and turns up at one corner.
fn cloth() -> Mesh {
    let mut positions = Vec::new();
    for j in 0..=CLOTH_QUADS {
        for i in 0..=CLOTH_QUADS {
            let at = |k: u32| CLOTH_HALF_SIDE * (2.0 * f64::from(k) / f64::from(CLOTH_QUADS) - 1.0);
            positions.push(draped(at(i), at(j)));
        }
    }
    let row = CLOTH_QUADS + 1;
    let mut triangles = Vec::new();
    for j in 0..CLOTH_QUADS {
        for i in 0..CLOTH_QUADS {
            let corner = j * row + i;
            triangles.push([corner, corner + 1, corner + row + 1]);
            triangles.push([corner, corner + row + 1, corner + row]);
        }
    }
    (positions, triangles)
}

/// Where the cloth point at (x, y) [m] from its middle comes to lie.
fn draped(x: f64, y: f64) -> Vec3 {
    let reach = x.hypot(y);
    let angle = y.atan2(x);
    let radius = SPHERE_RADIUS + 0.012;
    // On the sphere up to 75° from the top, then down in cones with growing folds.
    let leave = 75.0_f64.to_radians();
    let on_sphere = (reach / radius).min(leave);
    let hanging = reach - on_sphere * radius;
    let depth = (hanging / 0.5).min(1.4);
    let folds = 0.7 * (9.0 * angle + 0.6 * (2.0 * angle).sin()).cos()
        + 0.3 * (14.0 * angle + 1.3 + 3.0 * hanging).sin();
    let spread = on_sphere.sin() * radius + hanging * 0.34 + 0.105 * folds * depth;
    let height = SPHERE_CENTER.z + on_sphere.cos() * radius - hanging * 0.86
        + 0.012 * depth * (5.0 * angle).sin();
    // The hem rests on the floor and slides outwards instead of passing through it.
    let floor = 0.012 + 0.010 * (1.0 + (11.0 * angle).cos());
    let below = (floor - height).max(0.0);
    let swirl = angle + 0.10 * depth * (3.0 * angle + 0.8).sin();
    let mut point = Vec3::new(
        (spread + 0.8 * below) * swirl.cos(),
        (spread + 0.8 * below) * swirl.sin(),
        height.max(floor),
    );
    point += turned_up(x, y);
    point
}

/// Curls the corner of the cloth nearest to the camera, to show its back.
fn turned_up(x: f64, y: f64) -> Vec3 {
    let beyond = ((x - y) / 2.0_f64.sqrt() - 0.86).max(0.0);
    let curl = (beyond / 0.16).min(PI * 1.05);
    let inwards = Vec3::new(-1.0, 1.0, 0.0) / 2.0_f64.sqrt();
    inwards * (beyond - 0.16 * curl.sin()) * 0.9 + Vec3::Z * 0.16 * (1.0 - curl.cos())
}

/// A sphere of 96 × 48 quads.
fn sphere() -> Mesh {
    let (around, along) = (96_u32, 48_u32);
    let mut positions = Vec::new();
    for j in 0..=along {
        let (sin_t, cos_t) = (PI * f64::from(j) / f64::from(along)).sin_cos();
        for i in 0..around {
            let (sin_p, cos_p) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            let normal = Vec3::new(sin_t * cos_p, sin_t * sin_p, cos_t);
            positions.push(SPHERE_CENTER + normal * SPHERE_RADIUS);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..along {
        for i in 0..around {
            let next = (i + 1) % around;
            let [a, b] = [j * around + i, j * around + next];
            triangles.push([a, a + around, b + around]);
            triangles.push([a, b + around, b]);
        }
    }
    (positions, triangles)
}
