//! Draws every garment: the pattern as SVG, its mesh flat and placed around a stand-in as PNG.
//!
//! `cargo run --release -p muslin-garment --example draw_patterns -- FOLDER [EDGE_LENGTH] [FILE.json]`

mod stand_in;

use muslin::math::{Vec2, Vec3};
use muslin_garment::{
    Garment, MeshSettings, Pattern, build, from_garment_code, from_toml, library, to_svg,
};
use muslin_render::{
    Bounds, Camera, Color, Image, Settings, Shading, Surface, contact_sheet, render,
};
use stand_in::StandIn;
use std::error::Error;
use std::path::Path;

const COLORS: [(u8, u8, u8); 6] = [
    (74, 112, 140),
    (178, 96, 80),
    (112, 140, 86),
    (196, 156, 84),
    (128, 100, 150),
    (90, 140, 140),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().map_or("patterns-drawn", String::as_str));
    let edge_length = arguments.get(1).map_or(Ok(0.02), |text| text.parse())?;
    std::fs::create_dir_all(folder)?;
    let mut patterns = Vec::new();
    if let Some(file) = arguments.get(2) {
        let bytes = std::fs::read(file)?;
        let pattern = if Path::new(file).extension().is_some_and(|ending| ending == "json") {
            from_garment_code(&bytes, "pattern")?
        } else {
            from_toml(&String::from_utf8(bytes)?, "pattern")?
        };
        patterns.push(("pattern", pattern));
    } else {
        for name in library::names() {
            patterns.push((name, library::pattern(name, &[])?));
        }
    }
    for (name, pattern) in patterns {
        std::fs::write(folder.join(format!("{name}.svg")), to_svg(&pattern))?;
        let garment = build(&pattern, &MeshSettings { edge_length })?;
        let man = matches!(name, "t-shirt" | "trousers");
        let body = if man {
            StandIn::new(1.78, [0.98, 0.84, 0.98])
        } else {
            StandIn::new(1.72, [0.90, 0.72, 0.97])
        };
        let placed = draw_placed(&garment, &body)?;
        placed.write_png(&folder.join(format!("{name}-placed.png")))?;
        draw_flat(&pattern, &garment).write_png(&folder.join(format!("{name}-flat.png")))?;
        let quality = garment.quality();
        let clear =
            garment.positions.iter().map(|&p| body.clearance(p)).fold(f64::INFINITY, f64::min);
        eprintln!(
            "{name}: {} panels, {} vertices ({} welded), {} triangles, {} stitches, angle {:.1}°, \
             edges {:.4} … {:.4} m, area {:.5} of {:.5} m², {:.3} m off the body",
            garment.parts.len(),
            garment.positions.len(),
            garment.welded.vertex_count(),
            garment.triangles.len(),
            garment.stitches.len(),
            quality.least_angle.to_degrees(),
            quality.shortest_edge,
            quality.longest_edge,
            quality.area,
            pattern.area(),
            clear,
        );
    }
    Ok(())
}

/// Front, side and back views of the panels where they start, with lines for the stitches.
fn draw_placed(garment: &Garment, body: &StandIn) -> Result<Image, Box<dyn Error>> {
    let (body_positions, body_triangles) = body.surface();
    let all: Vec<Vec3> = body_positions.iter().chain(&garment.positions).copied().collect();
    let bounds = Bounds::of_points(&all);
    let settings = Settings { width: 560, height: 720, ..Settings::default() };
    let center = 0.5 * (bounds.min + bounds.max);
    let reach = 2.3 * (bounds.max - bounds.min).max_element();
    let mut views = Vec::new();
    for angle in [-70.0_f64, 0.0, 160.0] {
        let (sin, cos) = angle.to_radians().sin_cos();
        let eye = center + Vec3::new(cos, sin, 0.35) * reach;
        let camera = Camera { eye, target: center, up: Vec3::Z, vertical_fov: 0.49 };
        let mut surfaces = vec![Surface::body(&body_positions, &body_triangles)];
        for (k, part) in garment.parts.iter().enumerate() {
            let (r, g, b) = COLORS[k % COLORS.len()];
            let range = part.triangles.start as usize..part.triangles.end as usize;
            surfaces.push(Surface {
                front: Color::from_srgb8(r, g, b),
                shading: Shading::Flat,
                ..Surface::cloth(&garment.positions, &garment.triangles[range])
            });
        }
        let mut image = render(&surfaces, &camera, &settings)?;
        for &[a, b] in &garment.stitches {
            let ends =
                [a, b].map(|v| camera.project(garment.positions[v as usize], settings.aspect()));
            if let [Some(p), Some(q)] = ends {
                let pixel = |(x, y): (f64, f64)| Vec2::new(280.0 * (1.0 + x), 360.0 * (1.0 - y));
                line(&mut image, pixel(p), pixel(q), Color::from_srgb8(200, 40, 30));
            }
        }
        views.push(image);
    }
    Ok(contact_sheet(&views, &["front", "side", "back"], 3))
}

/// The triangles of every panel, side by side.
fn draw_flat(pattern: &Pattern, garment: &Garment) -> Image {
    let (width, height) = (1500_u32, 900_u32);
    let mut image = Image::new(width, height, Color::from_srgb8(250, 250, 248));
    let boxes: Vec<(Vec2, Vec2)> = garment
        .parts
        .iter()
        .map(|part| {
            let range = part.triangles.start as usize..part.triangles.end as usize;
            garment.uv[range]
                .iter()
                .flatten()
                .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)))
        })
        .collect();
    let total: f64 = boxes.iter().map(|(low, high)| high.x - low.x + 0.05).sum::<f64>() + 0.05;
    let tall = boxes.iter().map(|(low, high)| high.y - low.y).fold(0.0, f64::max) + 0.1;
    let scale = (f64::from(width) / total).min(f64::from(height) / tall);
    let mut x = 0.05;
    for (k, (part, (low, high))) in garment.parts.iter().zip(&boxes).enumerate() {
        let map = |p: Vec2| {
            Vec2::new((p.x - low.x + x) * scale, f64::from(height) - (p.y - low.y + 0.05) * scale)
        };
        for t in part.triangles.clone() {
            let corners = garment.uv[t as usize];
            let tight = garment.shrink[t as usize].iter().any(|&b| b < 1.0);
            let color = if tight {
                Color::from_srgb8(210, 60, 40)
            } else {
                let (r, g, b) = COLORS[k % COLORS.len()];
                Color::from_srgb8(r, g, b)
            };
            for c in 0..3 {
                line(&mut image, map(corners[c]), map(corners[(c + 1) % 3]), color);
            }
        }
        let at = map(Vec2::new(low.x, low.y));
        let name = &pattern.panels[k].name;
        image.draw_text((at.x as i64, height as i64 - 18), name, 1, Color::from_srgb8(0, 0, 0));
        x += high.x - low.x + 0.05;
    }
    image
}

fn line(image: &mut Image, from: Vec2, to: Vec2, color: Color) {
    let steps = (to - from).abs().max_element().ceil().max(1.0) as i64;
    for k in 0..=steps {
        let p = from.lerp(to, k as f64 / steps as f64);
        image.fill_rectangle((p.x as i64, p.y as i64), (1, 1), color);
    }
}
