//! What a cache's own scene says about drawing and checking it, without asking for the mesh files
//! that the scene once named.

use crate::failure::Failure;
use muslin::math::{Vec3, try_normalize};
use muslin_scene::cache::{Cache, UpAxis};
use muslin_scene::keyframes::{Keyed, rotation};
use muslin_scene::spec::{
    Body, Checks, Collision, ContactMethod, Finish, Render, SceneSpec, Solver,
};
use serde::Deserialize;
use std::path::Path;

/// The parts of `resolved.toml` that outlive the run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CacheScene {
    /// The last frame of the scene.
    pub frames: u64,
    /// Pictures.
    pub render: Render,
    /// What must be true of the result.
    pub checks: Option<Checks>,
    /// How frames are finished when the command does not say.
    pub finish: Finish,
    /// How cloth moved.
    solver: Solver,
    /// Gravity [m/s²].
    gravity: Option<Keyed<Vec3>>,
    /// Bodies; the cache has the triangles of all but planes.
    body: Vec<Body>,
}

/// An infinite plane at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneAt<'a> {
    /// Name of the body.
    pub name: &'a str,
    /// A point on it [m].
    pub point: Vec3,
    /// Unit normal, towards the side that cloth is on.
    pub normal: Vec3,
    /// Whether it is drawn.
    pub visible: bool,
}

impl CacheScene {
    /// Reads the scene of a cache.
    pub fn read(cache: &Cache) -> Result<Self, Failure> {
        let path = cache.dir().join("resolved.toml");
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| Failure::io("read", &path, &error))?;
        Self::parse(&text, &path)
    }

    /// Reads the text of a `resolved.toml`; `path` is where it came from.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Failure> {
        toml::from_str(text).map_err(|error| {
            let place = path.display().to_string();
            let detail = error.message().lines().next().unwrap_or_default().to_owned();
            let remedy = "make the cache again with `muslin run --overwrite`";
            Failure::new("damaged", &place, format!("{place} is damaged ({detail}): {remedy}"))
        })
    }

    /// The same of a scene that has not run yet.
    pub fn of(scene: &SceneSpec) -> Self {
        Self {
            frames: u64::from(scene.frames),
            render: scene.render.clone(),
            checks: scene.checks.clone(),
            finish: scene.finish.clone(),
            solver: scene.solver.clone(),
            gravity: Some(scene.gravity.clone()),
            body: scene.body.clone(),
        }
    }

    /// Whether contact was on, so that cloth must not cross anything (R1).
    pub fn keeps_apart(&self) -> bool {
        self.solver.contact == ContactMethod::Robust
    }

    /// The planes at a time [s].
    pub fn planes(&self, time: f64, up: UpAxis) -> Vec<PlaneAt<'_>> {
        let at = |body: &'_ Body| {
            let own = body.plane.as_ref()?.normal.unwrap_or(up_vector(up));
            let normal = rotation(body.rotation.at(time)) * try_normalize(own)?;
            Some((body.position.at(time), normal))
        };
        let planes = self.body.iter().filter_map(|body| {
            let (point, normal) = at(body)?;
            Some(PlaneAt { name: &body.name, point, normal, visible: body.visible })
        });
        planes.collect()
    }

    /// Whether cloth meets the body of that name as a level set, whose triangles it may cross until it has
    /// been cleaned up (MF8, R1).
    pub fn is_level_set(&self, name: &str) -> bool {
        self.inset(name).is_some()
    }

    /// How far below the surface of the level set of that name cloth met it [m]; `None` for any other body.
    pub fn inset(&self, name: &str) -> Option<f64> {
        let body = self.body.iter().find(|body| body.name == name);
        body.filter(|body| body.collision == Collision::LevelSet).map(|body| body.level_set.inset)
    }

    /// Whether the body of that name is drawn.
    pub fn is_visible(&self, name: &str) -> bool {
        self.body.iter().find(|body| body.name == name).is_none_or(|body| body.visible)
    }

    /// The colour that the scene gives the body of that name, "#rrggbb".
    pub fn color(&self, name: &str) -> Option<&str> {
        self.body.iter().find(|body| body.name == name)?.color.as_deref()
    }

    /// Strength of gravity at the start [m/s²].
    pub fn gravity(&self) -> f64 {
        const EARTH: f64 = 9.81;
        self.gravity.as_ref().map_or(EARTH, |gravity| gravity.at(0.0).length())
    }
}

/// The unit vector along the up axis of a cache.
pub fn up_vector(up: UpAxis) -> Vec3 {
    match up {
        UpAxis::Y => Vec3::Y,
        UpAxis::Z => Vec3::Z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_move_and_turn_with_their_body() {
        let text = "
            [[body]]
            name = \"ramp\"
            plane = {}
            position = [[0, [0, 0, 0]], [2, [0, 0, 1]]]
            rotation = [90, 0, 0]
            [[body]]
            name = \"ball\"
            sphere = { radius = 1 }
            visible = false
        ";
        let scene: CacheScene = toml::from_str(text).unwrap();
        let planes = scene.planes(1.0, UpAxis::Z);
        assert_eq!(planes.len(), 1);
        assert!((planes[0].point - Vec3::new(0.0, 0.0, 0.5)).length() < 1e-15);
        assert!((planes[0].normal + Vec3::Y).length() < 1e-15);
        assert!(!scene.is_visible("ball") && scene.is_visible("ramp"));
    }
}
