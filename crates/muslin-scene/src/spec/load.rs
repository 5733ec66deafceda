//! From text to a checked scene: parse, override, fill in presets, decode, check.

use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::{KeyPath, Place, Problem, SceneError, SceneErrorKind, Sources};
use super::node::{MAX_BYTES, Node};
use super::{Given, SceneSpec, overrides, validate};

/// What `quality = "preview"` means where nothing else is said.
const PREVIEW: &str = "
[solver]
steps_per_frame = 2
tolerance = 1e-2
max_iterations = 200
[contact]
max_passes = 5
";

/// What `quality = "fine"` means where nothing else is said.
const FINE: &str = "
[solver]
steps_per_frame = 10
tolerance = 1e-5
max_iterations = 2000
[contact]
max_passes = 20
";

/// What "curtain" dynamics means where nothing else is said.
const CURTAIN: &str = "
[solver]
contact = \"bounded\"
steps_per_frame = 2
";

/// What "sparse" dynamics means where nothing else is said.
const SPARSE: &str = "
[solver]
contact = \"bounded\"
steps_per_frame = 3
";

/// Gravity where y points up.
const Y_UP: &str = "gravity = [0, -9.81, 0]";

impl SceneSpec {
    /// Reads and checks the scene file at `path`, with `overrides` like `solver.tolerance=1e-4`.
    pub fn from_file(path: &Path, overrides: &[String]) -> Result<Self, SceneError> {
        let name = path.display().to_string();
        let unreadable = |message: String, help: &str| {
            let mut sources = Sources::default();
            sources.add(&name, "");
            let problem = Problem::new(SceneErrorKind::Unreadable, &KeyPath::default(), message);
            let problem = problem.expected("a scene file in TOML").help(help);
            sources.error(problem, &Place::default())
        };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(|error| {
            unreadable(format!("the file cannot be read: {error}"), "check the path")
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            unreadable(format!("byte {at} is not UTF-8 text"), "save the file as UTF-8")
        })?;
        Self::from_toml(&text, &name, overrides)
    }

    /// Reads and checks scene `text`; `file_name` is for messages, for the default name, and for
    /// the folder that paths in the scene are relative to.
    pub fn from_toml(
        text: &str,
        file_name: &str,
        overrides: &[String],
    ) -> Result<Self, SceneError> {
        Self::from_toml_given(text, file_name, overrides, Given::default())
    }

    /// The same, where the scene names meshes that the program gives as if they were files.
    pub fn from_toml_given(
        text: &str,
        file_name: &str,
        overrides: &[String],
        given: Given,
    ) -> Result<Self, SceneError> {
        let mut sources = Sources::default();
        let source = sources.add(file_name, text);
        let mut root = Node::parse(text, source, &sources)?;
        for text in overrides {
            overrides::apply(&mut root, text, &mut sources)?;
        }
        for preset in presets(&root) {
            let source = sources.add("preset", preset);
            root.fill_from(Node::parse(preset, source, &sources)?);
        }
        let mut scene = Self::deserialize(&root).map_err(|error| {
            let place = error.place.clone().unwrap_or_default();
            sources.error(error.problem(), &place)
        })?;
        scene.given = given;
        scene.fill_names(file_name);
        validate::validate(&scene)
            .map_err(|problem| sources.error(problem.clone(), root.place_of(&problem.path)))?;
        Ok(scene)
    }

    /// The JSON Schema of scene files, for editors.
    pub fn schema() -> serde_json::Value {
        let mut schema = schemars::schema_for!(SceneSpec);
        schema.insert("title".to_owned(), "Muslin scene".into());
        schema.to_value()
    }

    /// The scene as TOML, defaults and presets written out; reading it back gives the same scene.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The path of a file that the scene names.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Names what has no name, and finds the folder.
    fn fill_names(&mut self, file_name: &str) {
        let path = Path::new(file_name);
        self.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        if self.name.is_empty() {
            self.name = path.file_stem().map_or_else(String::new, |s| s.display().to_string());
        }
        for (i, cloth) in self.cloth.iter_mut().enumerate() {
            if cloth.name.is_empty() {
                cloth.name = format!("cloth-{i}");
            }
        }
        for (i, body) in self.body.iter_mut().enumerate() {
            if body.name.is_empty() {
                body.name = format!("body-{i}");
            }
        }
    }
}

/// The presets that the scene asks for.
fn presets(root: &Node) -> Vec<&'static str> {
    let quality = match root.text("quality") {
        Some("preview") => Some(PREVIEW),
        Some("fine") => Some(FINE),
        _ => None,
    };
    let dynamics = match root.get("solver").and_then(|solver| solver.text("dynamics")) {
        Some("curtain") => Some(CURTAIN),
        Some("sparse") => Some(SPARSE),
        _ => None,
    };
    let up = (root.text("up") == Some("y")).then_some(Y_UP);
    quality.into_iter().chain(dynamics).chain(up).collect()
}
