//! The message that tells a page what it is looking at.

use crate::settings::Settings;
use muslin::math::{Vec3, try_normalize};
use muslin_scene::cache::{Run, Surface, SurfaceKind, Topology};
use muslin_scene::keyframes::rotation;
use muslin_scene::spec::{SceneSpec, UpAxis};
use serde_json::{Value, json};

/// Bodies of fewer triangles are drawn with flat faces: boxes, not balls.
const FEWEST_SMOOTH_TRIANGLES: u64 = 64;
/// Colour of planes that name none.
const GROUND_COLOR: &str = "#dcd8d2";

/// Where a scene comes from, as the page shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is simulated now.
    Live,
    /// It was simulated before.
    Cache,
}

/// Everything of a scene but geometry and settings.
pub fn describe(scene: &SceneSpec, run: &Run, mode: Mode) -> Value {
    let surfaces: Vec<Value> = run.surfaces.iter().map(|s| surface(s, scene)).collect();
    json!({
        "type": "scene",
        "mode": match mode { Mode::Live => "live", Mode::Cache => "cache" },
        "name": scene.name,
        "description": scene.description,
        "dynamics": scene.solver.dynamics,
        "fps": run.fps,
        "first_frame": run.first_frame,
        "last_frame": run.last_frame,
        "up": up(scene).to_array(),
        "surfaces": surfaces,
        "planes": planes(scene),
        "camera": camera(scene),
    })
}

/// The settings and changes of a live scene, for the form.
pub fn add_settings(message: &mut Value, settings: &Settings) {
    let scene = settings.scene();
    message["settings"] = serde_json::to_value(scene).unwrap_or_default();
    message["sets"] = json!(settings.sets());
    message["toml"] = scene.to_toml().unwrap_or_default().into();
    message["file_name"] = settings.download_name().into();
}

fn surface(surface: &Surface, scene: &SceneSpec) -> Value {
    let body = scene.body.iter().find(|body| body.name == surface.name);
    let is_cloth = surface.kind == SurfaceKind::Cloth;
    json!({
        "name": surface.name,
        "kind": surface.kind,
        "vertices": [surface.vertices.first, surface.vertices.count],
        "triangles": [surface.triangles.first, surface.triangles.count],
        "front": surface.front_colour,
        "back": surface.back_colour,
        "visible": is_cloth || body.is_none_or(|body| body.visible),
        "smooth": is_cloth || surface.triangles.count >= FEWEST_SMOOTH_TRIANGLES,
    })
}

/// The unit vector that points up.
pub fn up(scene: &SceneSpec) -> Vec3 {
    match scene.up {
        UpAxis::Y => Vec3::Y,
        UpAxis::Z => Vec3::Z,
    }
}

/// Infinite planes, as they stand at the start.
fn planes(scene: &SceneSpec) -> Vec<Value> {
    let visible = scene.body.iter().filter(|body| body.visible);
    let planes = visible.filter_map(|body| {
        let own = body.plane.as_ref()?.normal.unwrap_or(up(scene));
        let normal = rotation(body.rotation.at(0.0)) * try_normalize(own)?;
        Some(json!({
            "point": body.position.at(0.0).to_array(),
            "normal": normal.to_array(),
            "color": body.color.as_deref().unwrap_or(GROUND_COLOR),
        }))
    });
    planes.collect()
}

fn camera(scene: &SceneSpec) -> Option<Value> {
    let camera = scene.render.camera.as_ref()?;
    let (eye, target) = (camera.eye.at(0.0), camera.target.at(0.0));
    Some(json!({ "eye": eye.to_array(), "target": target.to_array(), "fov": camera.fov }))
}

/// Whether vertices of one are vertices of the other, so that a state fits both.
pub fn same_shape(a: &Topology, b: &Topology) -> bool {
    a.triangles == b.triangles
        && a.edges == b.edges
        && a.body_positions.len() == b.body_positions.len()
}
