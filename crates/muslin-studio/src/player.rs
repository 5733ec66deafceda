//! The player: one HTML file with the animation in it, which opens from the disk without a server.
//!
//! It is the studio's own drawing code. Modules can not be imported from a file on the disk, so they are
//! put one after the other into one script; their top-level names are all different (a test sees to
//! it). Frames are the studio's messages one after the other, deflated, in base64.

use crate::net::base64;
use crate::page::{PLAYER, PLAYING, PageFile, STYLE};
use crate::playback;
use crate::wire::{Quantiser, Record, frame_message, topology_message};
use miniz_oxide::deflate::compress_to_vec_zlib;
use muslin::math::Vec3;
use muslin_scene::cache::{Cache, CacheError};
use std::sync::Arc;

/// Effort of the packing, of 10.
const EFFORT: u8 = 8;

/// A player and what it took.
#[derive(Clone, Debug)]
pub struct Player {
    /// The HTML file.
    pub html: String,
    /// Frames in it.
    pub frames: usize,
    /// Largest distance between a vertex and its place along an axis [m].
    pub error: f64,
}

/// Makes the player of some frames of a cache.
pub fn player(cache: &Cache, frames: &[u64]) -> Result<Player, CacheError> {
    let (packed, error) = pack(cache, frames)?;
    let mut scene = playback::describe(cache)?;
    scene["frames"] = frames.into();
    scene["reports"] = playback::reports(cache)?.into();
    let file =
        |name: &str| PLAYER.iter().find(|file| file.name == name).map_or("", |file| file.text);
    let html = file("player.html")
        .replace("/* style */", STYLE)
        .replace("<!-- title -->", &escaped(&cache.manifest().run.scene))
        .replace("/* scene */", &scene.to_string().replace('<', "\\u003c"))
        .replace("/* animation */", &base64::encode(&packed))
        .replace("/* script */", &script());
    Ok(Player { html, frames: frames.len(), error })
}

/// All frames as messages, deflated; and their largest error [m].
fn pack(cache: &Cache, frames: &[u64]) -> Result<(Vec<u8>, f64), CacheError> {
    let [mut cloth, mut bodies] = quantisers(cache, frames)?;
    let mut raw = Vec::new();
    let mut push = |message: Vec<u8>| {
        raw.extend((message.len() as u32).to_le_bytes());
        raw.extend(message);
    };
    push(topology_message(cache.topology(), cache.manifest().run.cloth_vertex_count()));
    let (mut base, mut error): (Option<Record>, f64) = (None, 0.0);
    for &number in frames {
        let frame = cache.frame(number)?;
        let record = Record {
            run: 1,
            number,
            time: frame.time,
            cloth: Arc::new(cloth.points(&frame.positions)),
            bodies: Arc::new(bodies.points(&frame.bodies)),
            marks: Arc::new(frame.marks),
        };
        error = error.max(record.cloth.error());
        push(frame_message(&record, base.as_ref()));
        base = Some(record);
    }
    Ok((compress_to_vec_zlib(&raw, EFFORT), error))
}

/// One box for all frames, of cloth and of bodies, so that every frame can follow from the one before.
fn quantisers(cache: &Cache, frames: &[u64]) -> Result<[Quantiser; 2], CacheError> {
    let nothing = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut boxes = [nothing; 2];
    for &number in frames {
        let frame = cache.frame(number)?;
        for (bounds, points) in boxes.iter_mut().zip([&frame.positions, &frame.bodies]) {
            *bounds = points.iter().fold(*bounds, |(a, b), x| (a.min(*x), b.max(*x)));
        }
    }
    let quantiser = |(min, max): (Vec3, Vec3)| {
        if min.is_finite() { Quantiser::within(min, max) } else { Quantiser::default() }
    };
    Ok(boxes.map(quantiser))
}

/// The modules of the player as one script.
fn script() -> String {
    let own = PLAYER.iter().filter(|file| is_module(file));
    let modules = PLAYING.iter().chain(own);
    let lines = modules.flat_map(|file| file.text.lines());
    let kept = lines.filter(|line| !line.starts_with("import "));
    kept.map(|line| line.strip_prefix("export ").unwrap_or(line))
        .fold(String::new(), |text, line| text + line + "\n")
}

fn is_module(file: &PageFile) -> bool {
    file.content_type().starts_with("text/javascript")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn modules_share_one_script_without_clashes() {
        let script = script();
        let mut names = BTreeSet::new();
        for line in script.lines() {
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            let keyword = words.next().unwrap_or_default();
            if ["const", "let", "function", "class", "async"].contains(&keyword) {
                let name = words.find(|word| !word.is_empty() && *word != "function");
                assert!(names.insert(name.unwrap().to_owned()), "{line}");
            }
        }
        assert!(names.len() > 50, "{}", names.len());
        assert!(!script.contains("</script"), "it would end the script");
        let left = |line: &&str| line.starts_with("import") || line.starts_with("export");
        assert_eq!(script.lines().find(left), None);
    }
}
