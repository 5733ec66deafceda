//! `muslin gallery`: the scenes built into the binary.

use crate::console::Console;
use crate::gallery::{self, SCENES};
use crate::text::table;
use crate::{Failure, Outcome};
use clap::Args;
use muslin_scene::spec::SceneSpec;
use serde_json::{Value, json};

/// Arguments of `muslin gallery`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  muslin gallery                    names, figures and descriptions
  muslin gallery hang > mine.toml   the scene file, to start your own from
  muslin run @hang                  simulate it")]
pub struct GalleryArguments {
    /// Print the text of this scene instead of the list
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Lists the scenes, or prints one.
pub fn gallery(arguments: &GalleryArguments, console: Console) -> Result<Outcome, Failure> {
    if let Some(name) = &arguments.name {
        return print_scene(name, console);
    }
    let mut rows = Vec::new();
    let mut objects: Vec<Value> = Vec::new();
    for embedded in SCENES {
        let name = embedded.name;
        let scene = SceneSpec::from_toml(embedded.text, &format!("{name}.toml"), &[])?;
        let figure = scene.figure.clone().unwrap_or_default();
        rows.push(vec![format!("@{name}"), figure, scene.description.clone()]);
        objects.push(json!({
            "name": name,
            "figure": scene.figure,
            "description": scene.description,
            "frames": scene.frames,
        }));
    }
    console.answer(&table(&rows))?;
    console.object(&json!({ "scenes": objects }))?;
    Ok(Outcome::Done)
}

fn print_scene(name: &str, console: Console) -> Result<Outcome, Failure> {
    let scene = gallery::find(name.trim_start_matches('@'))?;
    console.object(&json!({ "name": scene.name, "text": scene.text }))?;
    console.answer(scene.text.trim_end())?;
    Ok(Outcome::Done)
}
