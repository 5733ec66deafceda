//! The scenes built into the binary, so that `muslin run @hang` works from anywhere.

use crate::failure::Failure;

/// A scene file of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryScene {
    /// Its name, without the `@`.
    pub name: &'static str,
    /// The text of the scene file.
    pub text: &'static str,
}

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(GalleryScene {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
        }),*]
    };
}

/// Every file of the folder `scenes`, by name.
pub const SCENES: &[GalleryScene] = scenes![
    "balloon",
    "cape-run",
    "curtain-ball",
    "curtain-breeze",
    "curtain-open",
    "curtain-walk",
    "curtains",
    "cylinder-drape",
    "dancer-long-skirt",
    "dancer-short-skirt",
    "drape-sphere",
    "flag",
    "grab",
    "hang",
    "pattern-shirt",
    "pleats",
    "robe",
    "rotating-sphere",
    "skirt-kick",
    "stack",
    "stage-drape",
    "tablecloth-legs",
    "tight-torso",
    "twist",
    "twisting-shirt",
    "two-particles",
    "walking-man",
    "water-bottle",
];

/// The scene of that name, without the `@`.
pub fn find(name: &str) -> Result<&'static GalleryScene, Failure> {
    SCENES.iter().find(|scene| scene.name == name).ok_or_else(|| {
        let message =
            format!("there is no scene `@{name}` in the gallery: choose one of {}", names());
        Failure::new("unknown-scene", format!("@{name}"), message)
    })
}

/// `@drape-sphere, @hang`: every name, for messages.
pub fn names() -> String {
    let names: Vec<String> = SCENES.iter().map(|scene| format!("@{}", scene.name)).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin_scene::spec::SceneSpec;
    use std::path::Path;

    #[test]
    fn every_scene_file_is_embedded_and_reads() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        let embedded: Vec<(String, String)> =
            SCENES.iter().map(|scene| (scene.name.to_owned(), scene.text.to_owned())).collect();
        assert_eq!(files, embedded);
        for (name, text) in embedded {
            let scene = SceneSpec::from_toml(&text, &format!("{name}.toml"), &[]).unwrap();
            assert_eq!(scene.name, name);
            assert!(!scene.description.is_empty(), "{name} says what it shows");
        }
    }
}
