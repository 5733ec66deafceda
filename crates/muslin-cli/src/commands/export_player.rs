//! `muslin export -o player.html`: a cache as a page that plays it.

use super::export::ExportArguments;
use crate::console::Console;
use crate::text::{bytes, count};
use crate::{Failure, Outcome};
use muslin_scene::cache::Cache;
use serde_json::json;
use std::fs;

/// Writes the player.
pub fn export(
    arguments: &ExportArguments,
    cache: &Cache,
    frames: &[u64],
    console: Console,
) -> Result<Outcome, Failure> {
    let path = &arguments.out.output;
    if arguments.cloth.is_some() || arguments.body.is_some() || arguments.up.is_some() {
        let message = "a player shows the whole cache as it is: leave --cloth, --body and --up out";
        return Err(Failure::argument("--output", message));
    }
    arguments.out.check(path)?;
    let player = muslin_studio::player(cache, frames)?;
    // Written aside and moved, so that no half a file is ever there.
    let aside = path.with_extension("html.part");
    fs::write(&aside, &player.html).map_err(|error| Failure::io("write", &aside, &error))?;
    fs::rename(&aside, path).map_err(|error| Failure::io("write", path, &error))?;
    let (name, size) = (path.display().to_string(), player.html.len() as u64);
    let micrometres = player.error * 1e6;
    let frame_count = count(player.frames as u64);
    console.say(&format!(
        "{name}: {frame_count} frames, {}, exact to {micrometres:.0} µm",
        bytes(size)
    ))?;
    console.object(&json!({
        "files": [name], "frames": player.frames, "bytes": size, "error": player.error,
    }))?;
    Ok(Outcome::Done)
}
