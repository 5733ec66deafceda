//! A cache shown in the studio: nothing is simulated, the page asks for frames.

use crate::hub::{Hub, Stage};
use crate::stage::{self, Mode};
use crate::wire::topology_message;
use muslin_scene::cache::{Cache, CacheError};
use muslin_scene::spec::SceneSpec;
use serde_json::{Value, json};
use std::sync::Arc;

/// What a cache's own scene says; an empty scene where it can not be read any more.
pub fn scene_of(cache: &Cache) -> SceneSpec {
    let text = std::fs::read_to_string(cache.dir().join("resolved.toml")).unwrap_or_default();
    let mut scene: SceneSpec = toml::from_str(&text).unwrap_or_default();
    if scene.name.is_empty() {
        scene.name.clone_from(&cache.manifest().run.scene);
    }
    scene
}

/// The message that tells a page about a cache, with the frames that are there.
pub fn describe(cache: &Cache) -> Result<Value, CacheError> {
    let run = &cache.manifest().run;
    let frames = cache.frames()?;
    let mut message = stage::describe(&scene_of(cache), run, Mode::Cache);
    message["first_frame"] = frames.first().copied().unwrap_or(run.first_frame).into();
    message["last_frame"] = frames.last().copied().unwrap_or(run.first_frame).into();
    message["run"] = 1.into();
    message["geometry"] = 1.into();
    Ok(message)
}

/// Reports of all frames, as far as the run has written them.
pub fn reports(cache: &Cache) -> Result<Vec<Value>, CacheError> {
    let report = cache.report()?.unwrap_or_default();
    Ok(report["frames"].as_array().cloned().unwrap_or_default())
}

/// Shows a cache.
pub fn show(cache: &Cache, hub: &Hub) -> Result<(), CacheError> {
    let message = describe(cache)?;
    let geometry = topology_message(cache.topology(), cache.manifest().run.cloth_vertex_count());
    let first = message["first_frame"].clone();
    hub.begin_run();
    hub.show_stage(Stage {
        text: message.to_string(),
        geometry_id: hub.next_geometry(),
        geometry: Arc::new(geometry),
    });
    hub.add_reports(reports(cache)?);
    hub.show_status(json!({ "playing": false, "speed": 1.0, "frame": first }));
    Ok(())
}
