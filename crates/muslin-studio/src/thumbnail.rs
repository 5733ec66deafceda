//! Pictures of the gallery: those that come with the scene, or a small simulation drawn when asked for.

use crate::GalleryEntry;
use crate::settings::Settings;
use crate::stage;
use muslin::math::Vec3;
use muslin_render::{Bounds, Camera, Color, Ground, Shading, Surface, render};
use muslin_scene::cache::{self, Frame, SurfaceKind};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Size of a picture [pixels].
const SIZE: (u32, u32) = (400, 250);
/// Most vertices along a side of a sheet.
const MOST_VERTICES: u32 = 40;
/// Time for the simulation of one picture.
const PATIENCE: Duration = Duration::from_secs(4);
/// Bodies of fewer triangles are drawn with flat faces.
const FEWEST_SMOOTH_TRIANGLES: usize = 64;

/// Pictures made so far. One is made at a time: the solver needs the processor too.
#[derive(Default)]
pub struct Thumbnails {
    made: Mutex<BTreeMap<String, Option<Vec<u8>>>>,
}

impl Thumbnails {
    /// The picture of a scene as PNG; `None` where it can not be drawn.
    pub fn of(&self, scene: &GalleryEntry) -> Option<Vec<u8>> {
        if let Some(picture) = scene.picture {
            return Some(picture.to_vec());
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(scene.name.to_owned()).or_insert_with(|| draw(scene)).clone()
    }
}

/// Simulates a coarse form of the scene for a moment and draws it.
fn draw(entry: &GalleryEntry) -> Option<Vec<u8>> {
    let given = Settings::new(entry.text, &format!("{}.toml", entry.name), &[]).ok()?;
    let coarse = coarse(given.clone());
    // Not every garment can be dressed in large steps.
    let (scene, mut runner) = match Runner::new(coarse.scene()) {
        Ok(runner) => (coarse.scene(), runner),
        Err(_) => (given.scene(), Runner::new(given.scene()).ok()?),
    };
    let begin = Instant::now();
    for _ in 0..scene.frames * 2 / 3 {
        if begin.elapsed() > PATIENCE || runner.advance().is_err() {
            break;
        }
    }
    picture(scene, &runner)
}

/// The scene with few vertices and large steps, as far as it still holds together.
fn coarse(mut settings: Settings) -> Settings {
    let mut changes = vec![("quality".to_owned(), json!("preview"))];
    for (k, cloth) in settings.scene().cloth.iter().enumerate() {
        if let Some(grid) = &cloth.grid {
            let most = grid.vertices[0].max(grid.vertices[1]);
            let fewer = |n: u32| (n * MOST_VERTICES / most.max(MOST_VERTICES)).max(2);
            changes.push((format!("cloth.{k}.grid.vertices"), json!(grid.vertices.map(fewer))));
        }
    }
    for (path, value) in changes {
        if let Ok(changed) = settings.with(&path, &value) {
            settings = changed;
        }
    }
    settings
}

fn picture(scene: &SceneSpec, runner: &Runner) -> Option<Vec<u8>> {
    let run = runner.plan(scene, &[], 0);
    let (topology, frame) = (runner.topology(), runner.frame());
    let shown = |surface: &&cache::Surface| {
        let body = scene.body.iter().find(|body| body.name == surface.name);
        surface.kind == SurfaceKind::Cloth || body.is_none_or(|body| body.visible)
    };
    let shapes: Vec<Shape> = run
        .surfaces
        .iter()
        .filter(shown)
        .map(|surface| Shape::new(surface, &frame, &topology.triangles))
        .collect();
    let surfaces: Vec<Surface> = shapes.iter().map(Shape::surface).collect();
    let up = stage::up(scene);
    let mut settings =
        muslin_render::Settings { width: SIZE.0, height: SIZE.1, ..Default::default() };
    let ground = scene.body.iter().find(|body| body.plane.is_some() && body.visible);
    settings.ground = ground.map(|body| Ground::at(body.position.at(0.0).dot(up)));
    let bounds = Bounds::of_points(&frame.positions).union(Bounds::of_points(&frame.bodies));
    let camera = match &scene.render.camera {
        Some(own) => Camera {
            eye: own.eye.at(frame.time),
            target: own.target.at(frame.time),
            up,
            vertical_fov: own.fov.to_radians(),
        },
        None => Camera::framing(bounds, settings.aspect(), up),
    };
    render(&surfaces, &camera, &settings).ok()?.encode_png().ok()
}

/// A surface that owns its arrays.
struct Shape {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    front: Color,
    back: Color,
    shading: Shading,
}

impl Shape {
    fn new(surface: &cache::Surface, frame: &Frame, triangles: &[[u32; 3]]) -> Self {
        let (vertices, cloth_count) = (surface.vertices.range(), frame.positions.len());
        let is_cloth = surface.kind == SurfaceKind::Cloth;
        let (list, offset) =
            if is_cloth { (&frame.positions, 0) } else { (&frame.bodies, cloth_count) };
        let triangles = &triangles[surface.triangles.range()];
        let first = vertices.start as u32;
        let flat = !is_cloth && triangles.len() < FEWEST_SMOOTH_TRIANGLES;
        Self {
            positions: list[vertices.start - offset..vertices.end - offset].to_vec(),
            triangles: triangles.iter().map(|t| t.map(|v| v.wrapping_sub(first))).collect(),
            front: color(surface.front_colour),
            back: color(surface.back_colour),
            shading: if flat { Shading::Flat } else { Shading::Smooth },
        }
    }

    fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            triangles: &self.triangles,
            front: self.front,
            back: self.back,
            shading: self.shading,
            vertex_colors: None,
        }
    }
}

fn color(srgb: [f64; 3]) -> Color {
    let [r, g, b] = srgb.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    Color::from_srgb8(r, g, b)
}
