//! A scene and what was changed in it, as a list of `--set`.

use muslin::fabric::library;
use muslin_scene::spec::{Dynamics, SceneError, SceneSpec};
use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::Path;
use thiserror::Error;

/// Keys whose values name files. The page may not make Muslin open any that the scene does not.
const FILE_KEYS: [&str; 8] =
    ["file", "files", "mesh", "mesh_sequence", "initial", "pattern", "gltf", "motion"];

/// Most changes at a time.
const MOST: usize = 500;

/// Why a change is not made; the scene stays as it was.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SettingError {
    /// The value could make Muslin read a file.
    #[error("`{0}` names a file, and files are chosen in the scene file alone: change it there")]
    File(String),
    /// The value is no number, switch or word.
    #[error("`{0}` cannot be changed to that here: give a number, a switch or a word")]
    Value(String),
    /// Too many.
    #[error("there are {MOST} changes already: take some back, or save the scene")]
    TooMany,
    /// The scene does not hold together with it.
    #[error("{0}")]
    Scene(String),
}

/// A scene with changes.
#[derive(Clone, Debug)]
pub struct Settings {
    text: String,
    file_name: String,
    sets: Vec<(String, String)>,
    scene: SceneSpec,
    played: SceneSpec,
}

/// Pictures a second of real-time dynamics.
const REAL_TIME_FPS: f64 = 60.0;

impl Settings {
    /// The scene that `text` describes, with overrides like `solver.tolerance=1e-4`.
    pub fn new(text: &str, file_name: &str, overrides: &[String]) -> Result<Self, SceneError> {
        let scene = SceneSpec::from_toml(text, file_name, overrides)?;
        let split = |set: &String| {
            let (path, value) = set.split_once('=').unwrap_or((set, ""));
            (path.trim().to_owned(), value.trim().to_owned())
        };
        let sets: Vec<(String, String)> = overrides.iter().map(split).collect();
        let played = played(&scene, &sets);
        Ok(Self { text: text.to_owned(), file_name: file_name.to_owned(), sets, scene, played })
    }

    /// The scene with all changes.
    pub fn scene(&self) -> &SceneSpec {
        &self.scene
    }

    /// The scene as it is simulated here: real-time dynamics make sixty pictures a second, in steps no
    /// longer than the scene's, unless a change says how many.
    pub fn played(&self) -> &SceneSpec {
        &self.played
    }

    /// The changes, each as the argument of a `--set`.
    pub fn sets(&self) -> Vec<String> {
        self.sets.iter().map(|(path, value)| format!("{path}={value}")).collect()
    }

    /// The scene with one more change; null takes the change of that key back.
    pub fn with(&self, path: &str, value: &Value) -> Result<Self, SettingError> {
        let mut next = self.clone();
        // A later, wider change (`wind = […]`) would hide an earlier, narrower one (`wind.0.…`).
        next.sets.retain(|(own, _)| own != path && !own.starts_with(&format!("{path}.")));
        if !value.is_null() {
            if has_text(value) && path.split('.').any(|key| FILE_KEYS.contains(&key)) {
                return Err(SettingError::File(path.to_owned()));
            }
            if next.sets.len() >= MOST {
                return Err(SettingError::TooMany);
            }
            let text = toml_text(value).ok_or_else(|| SettingError::Value(path.to_owned()))?;
            next.sets.push((path.to_owned(), text));
        }
        next.read()
    }

    /// The scene without changes.
    pub fn original(&self) -> Result<Self, SettingError> {
        let mut next = self.clone();
        next.sets.clear();
        next.read()
    }

    fn read(mut self) -> Result<Self, SettingError> {
        let read = SceneSpec::from_toml(&self.text, &self.file_name, &self.sets());
        self.scene = read.map_err(|error| {
            let expected = &error.expected;
            let join = if expected.is_empty() { "" } else { "; expected " };
            SettingError::Scene(format!("{}{join}{expected}", error.message))
        })?;
        self.played = played(&self.scene, &self.sets);
        Ok(self)
    }

    /// Name of the scene file, for a download.
    pub fn download_name(&self) -> String {
        let stem = Path::new(&self.file_name).file_stem();
        format!("{}.toml", stem.map_or_else(|| "scene".into(), |s| s.to_string_lossy()))
    }
}

fn played(scene: &SceneSpec, sets: &[(String, String)]) -> SceneSpec {
    let mut played = scene.clone();
    let is_real_time = matches!(scene.solver.dynamics, Dynamics::Curtain | Dynamics::Sparse);
    let is_chosen = sets.iter().any(|(path, _)| path == "fps" || path == "frames");
    if is_real_time && !is_chosen && scene.fps < REAL_TIME_FPS {
        let more = REAL_TIME_FPS / scene.fps;
        let fewer_steps = f64::from(scene.solver.steps_per_frame) / more;
        played.fps = REAL_TIME_FPS;
        played.frames = (f64::from(scene.frames) * more).round() as u32;
        played.solver.steps_per_frame = fewer_steps.ceil().max(1.0) as u32;
    }
    played
}

fn has_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(list) => list.iter().any(has_text),
        Value::Object(table) => table.values().any(has_text),
        _ => false,
    }
}

/// A value in TOML; `None` for what is not a number, a switch, a word, or a list or table of these.
fn toml_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(word) => is_word(word).then(|| format!("\"{word}\"")),
        Value::Array(list) => {
            let items: Option<Vec<String>> = list.iter().map(toml_text).collect();
            items.map(|items| format!("[{}]", items.join(", ")))
        }
        Value::Object(table) => table_text(table),
    }
}

fn table_text(table: &Map<String, Value>) -> Option<String> {
    let mut text = String::from("{ ");
    for (k, (key, value)) in table.iter().enumerate() {
        let plain = |b: u8| b.is_ascii_lowercase() || b == b'_' || b.is_ascii_digit();
        if key.is_empty() || !key.bytes().all(plain) || FILE_KEYS.contains(&key.as_str()) {
            return None;
        }
        write!(text, "{}{key} = {}", if k == 0 { "" } else { ", " }, toml_text(value)?).ok()?;
    }
    text.push_str(" }");
    Some(text)
}

/// A word of the schema (`tr-bdf2`), a fabric, or a colour; never a path.
fn is_word(word: &str) -> bool {
    let is_color = word
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    is_color
        || library().iter().any(|entry| entry.name == word)
        || (word.len() <= 40 && word.bytes().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SCENE: &str = "
        [[cloth]]
        name = \"sheet\"
        grid = { size = [1, 1], vertices = [5, 5] }
        fabric = \"denim\"
    ";

    fn settings() -> Settings {
        Settings::new(SCENE, "folder/towel.toml", &["fps=30".to_owned()]).unwrap()
    }

    #[test]
    fn changes_are_a_list_of_sets_that_reads_back() {
        let changed = settings().with("solver.tolerance", &json!(1e-5)).unwrap();
        let changed = changed.with("gravity", &json!([0, 0, -1.5])).unwrap();
        let changed = changed.with("cloth.sheet.fabric.density", &json!(0.3)).unwrap();
        let changed = changed.with("quality", &json!("fine")).unwrap();
        let wind = json!([{ "uniform": { "velocity": [3, 0, 0] } }]);
        let changed = changed.with("wind", &wind).unwrap();
        let changed = changed.with("wind.0.uniform.velocity", &json!([4, 0, 0])).unwrap();
        let again = Settings::new(SCENE, "folder/towel.toml", &changed.sets()).unwrap();
        assert_eq!(again.scene(), changed.scene());
        let saved = changed.scene().to_toml().unwrap();
        let saved = Settings::new(&saved, "folder/towel.toml", &[]).unwrap();
        assert_eq!(saved.scene(), changed.scene(), "and so does the scene file");
        let scene = changed.scene();
        assert_eq!((scene.fps, scene.solver.tolerance, scene.wind.len()), (30.0, 1e-5, 1));
        assert_eq!(scene.cloth[0].fabric.density, Some(0.3));
        assert_eq!(scene.cloth[0].fabric.base.as_deref(), Some("denim"));
        let back = changed.with("wind", &Value::Null).unwrap();
        assert!(back.scene().wind.is_empty(), "and what was changed inside it");
        assert_eq!(changed.original().unwrap().scene().fps, 24.0);
        assert_eq!(changed.download_name(), "towel.toml");
    }

    #[test]
    fn real_time_dynamics_make_sixty_pictures_a_second_and_save_what_was_given() {
        let text = "fps = 30\nframes = 90\nsolver = { dynamics = \"curtain\", steps_per_frame = 2 }\n\
            [[cloth]]\ngrid = { size = [1, 1], vertices = [5, 5] }\n";
        let settings = Settings::new(text, "curtain.toml", &[]).unwrap();
        let (scene, played) = (settings.scene(), settings.played());
        assert_eq!((scene.fps, scene.frames, settings.sets().len()), (30.0, 90, 0));
        assert_eq!((played.fps, played.frames, played.solver.steps_per_frame), (60.0, 180, 1));
        assert_eq!((played.duration(), played.max_step()), (scene.duration(), scene.max_step()));
        let chosen = settings.with("fps", &json!(25)).unwrap();
        assert_eq!(chosen.played(), chosen.scene(), "who asks for another rate gets it");
    }

    #[test]
    fn a_change_that_does_not_hold_together_is_refused() {
        let error = settings().with("solver.tolerance", &json!(-1)).unwrap_err();
        assert!(error.to_string().contains("tolerance"), "{error}");
        assert!(settings().with("solver.tolerence", &json!(1)).is_err());
        assert!(settings().with("", &json!(1)).is_err());
    }

    #[test]
    fn no_change_can_make_muslin_read_a_file() {
        let refused = [
            ("cloth.0.mesh", json!("passwd")),
            ("cloth.0.mesh.file", json!("passwd")),
            ("cloth.0.initial", json!("secret")),
            ("body.0.mesh_sequence.files", json!("secret")),
            ("cloth.0", json!({ "mesh": "secret" })),
            ("cloth", json!([{ "name": "a", "initial": { "file": "secret" } }])),
            ("cloth.0.fabric.shear", json!({ "file": "secret" })),
            ("body", json!([{ "gltf": "secret" }])),
            ("name", json!("/etc/passwd")),
            ("name", json!("../x")),
            ("name", json!("a\"\nmesh=\"b")),
        ];
        for (path, value) in refused {
            assert!(settings().with(path, &value).is_err(), "{path} = {value}");
        }
    }
}
