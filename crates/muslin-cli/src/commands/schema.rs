//! `muslin schema`: the JSON Schema of scene files.

use crate::console::print_json;
use crate::{Failure, Outcome};
use muslin_scene::spec::SceneSpec;

/// Prints the schema; it is JSON with or without `--json`.
pub fn schema() -> Result<Outcome, Failure> {
    print_json(&SceneSpec::schema())?;
    Ok(Outcome::Done)
}
