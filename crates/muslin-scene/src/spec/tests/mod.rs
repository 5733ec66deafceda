//! Scene files end to end: what loads, what is refused and in which words, and that nothing panics.

mod fuzz;
mod load;
mod messages;
mod overrides;

use super::{SceneError, SceneSpec};

/// The smallest cloth.
const SHEET: &str = "[[cloth]]\ngrid = { size = [1, 1] }\n";

fn load(text: &str) -> Result<SceneSpec, SceneError> {
    load_with(text, &[])
}

fn load_with(text: &str, overrides: &[&str]) -> Result<SceneSpec, SceneError> {
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    SceneSpec::from_toml(text, "scenes/test.toml", &overrides)
}
