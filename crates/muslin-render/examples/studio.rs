//! A wavy cloth of 50,000 triangles draped over a sphere, drawn at 1280 × 720.
//!
//! `cargo run --release -p muslin-render --example studio -- studio.png`

use muslin::math::{Vec3, try_normalize};
use muslin_render::{Bounds, Camera, Ground, Settings, Surface, render};
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::time::Instant;

/// Quads along each side of the cloth: 2 · 158² = 49,928 triangles.
const CLOTH_QUADS: u32 = 158;
/// Half the side of the cloth [m].
const CLOTH_HALF_SIDE: f64 = 1.05;
const SPHERE_RADIUS: f64 = 0.5;
const SPHERE_CENTER: Vec3 = Vec3::new(0.0, 0.0, 0.5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "studio.png".to_owned());
    let (cloth_positions, cloth_triangles) = cloth();
    let (sphere_positions, sphere_triangles) = sphere();
    let surfaces = [
        Surface::cloth(&cloth_positions, &cloth_triangles),
        Surface::body(&sphere_positions, &sphere_triangles),
    ];
    let settings = Settings {
        ground: Some(Ground::at(0.0)),
        ..Settings::default()
    };
    let bounds = Bounds::of_points(&cloth_positions);
    let camera = Camera::framing(bounds, settings.aspect(), Vec3::Z);

    let start = Instant::now();
    let image = render(&surfaces, &camera, &settings)?;
    let rendered = start.elapsed();
    let writing = Instant::now();
    image.write_png(Path::new(&path))?;
    let written = writing.elapsed();
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
            positions.push(placed(at(i), at(j)));
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

/// Where the cloth point at (x, y) [m] from its middle comes to lie: draped over the sphere, with
/// the corner nearest to the camera rolled back to show the other side.
fn placed(x: f64, y: f64) -> Vec3 {
    let (roll_start, roll_radius) = (1.08, 0.05);
    let outwards = Vec3::new(1.0, -1.0, 0.0) / 2.0_f64.sqrt();
    let along = x * outwards.x + y * outwards.y;
    let beyond = (along - roll_start).max(0.0);
    let turn = (beyond / roll_radius).min(PI);
    let flat_rest = beyond - turn * roll_radius;
    let moved = beyond - (roll_radius * turn.sin() - flat_rest);
    let (px, py) = (x - outwards.x * moved, y - outwards.y * moved);
    let step = 1e-3;
    let du = draped(px + step, py) - draped(px - step, py);
    let dv = draped(px, py + step) - draped(px, py - step);
    let normal = try_normalize(du.cross(dv)).unwrap_or(Vec3::Z);
    draped(px, py) + normal * roll_radius * (1.0 - turn.cos())
}

/// The drape: on the sphere to begin with, then down in folds that take up the surplus of cloth.
///
/// A ring of the cloth at distance s from the middle has length 2πs and must fit a circle of
/// radius r < s; n folds of amplitude a do that when r² + (na)²/2 = s².
fn draped(x: f64, y: f64) -> Vec3 {
    let reach = x.hypot(y);
    let angle = y.atan2(x);
    let radius = SPHERE_RADIUS + 0.008;
    let leave = 0.95;
    let polar = (reach / radius).min(leave);
    let hanging = reach - polar * radius;
    // The fall steepens from the sphere's slope to nearly vertical.
    let steep = leave + 0.42 * (1.0 - (-hanging / 0.2).exp());
    let fold_count = 13.0;
    let ring = polar.sin() * radius + hanging * (0.5 * (leave + steep)).cos();
    let surplus = (reach * reach - ring * ring).max(0.0);
    let begin = smoothstep((reach - 0.28) / 0.55);
    // No folds where the corner is turned back.
    let calm = smoothstep(((angle + 0.25 * PI).abs() - 0.33) / 0.3);
    let amplitude = 0.92 * calm * begin * (2.0 * surplus).sqrt() / fold_count;
    let phase = fold_count * angle + 0.9 * (2.0 * angle + 0.4).sin() + 0.7 * (3.0 * angle).cos();
    let strength = 0.72 + 0.28 * (5.0 * angle + 1.0).sin();
    let wave = strength * phase.cos();
    let spread = ring + amplitude * (wave + strength);
    let turned = angle - 0.25 * amplitude / ring.max(0.1) * (2.0 * phase).sin();
    let height = SPHERE_CENTER.z + polar.cos() * radius - hanging * (0.5 * (leave + steep)).sin();
    // The hem rests on the floor and slides outwards instead of passing through it.
    let floor = 0.012 + 0.03 * (1.0 + wave) * begin * calm;
    let below = (floor - height).max(0.0);
    let spread = spread + 0.9 * below;
    Vec3::new(
        spread * turned.cos(),
        spread * turned.sin(),
        soft_max(height, floor),
    )
}

/// 0 below 0, 1 above 1, smooth between.
fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The larger of two heights [m], rounded off over a few centimetres.
fn soft_max(a: f64, b: f64) -> f64 {
    0.5 * (a + b + (a - b).hypot(0.03))
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
