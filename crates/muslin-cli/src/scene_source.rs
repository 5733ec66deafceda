//! A scene as named on the command line: a file, or `@name` of the gallery.

use crate::failure::Failure;
use crate::gallery;
use muslin_scene::spec::SceneSpec;
use std::path::Path;

/// A scene with the text it was read from.
#[derive(Clone, Debug)]
pub struct SceneSource {
    /// The checked scene.
    pub scene: SceneSpec,
    /// The exact text of its file.
    pub text: String,
}

impl SceneSource {
    /// Reads the scene that `name` says, with `overrides` like `solver.tolerance=1e-4`.
    pub fn load(name: &str, overrides: &[String]) -> Result<Self, Failure> {
        if let Some(gallery_name) = name.strip_prefix('@') {
            return Self::from_gallery(gallery_name, overrides);
        }
        let path = Path::new(name);
        if path.is_dir() {
            let message = format!(
                "{name} is a folder, expected a scene file: give a .toml file, or one of {}",
                gallery::names()
            );
            return Err(Failure::new("unreadable", name, message));
        }
        let scene = SceneSpec::from_file(path, overrides)?;
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| Failure::io("read", path, &error))?;
        Ok(Self { scene, text })
    }

    fn from_gallery(name: &str, overrides: &[String]) -> Result<Self, Failure> {
        let found = gallery::find(name)?;
        let scene = SceneSpec::from_toml(found.text, &format!("{name}.toml"), overrides)?;
        Ok(Self { scene, text: found.text.to_owned() })
    }
}
