//! The contact sheet at the end of a run: the animation on one page.

use crate::cache_scene::CacheScene;
use crate::failure::Failure;
use crate::picture::{Photographer, View};
use muslin_render::contact_sheet;
use muslin_scene::cache::Cache;
use std::path::PathBuf;

/// Name of the picture in the cache folder.
pub const SHEET: &str = "contact_sheet.png";

/// Pictures on the page, and in a row.
const PICTURES: usize = 8;
const COLUMNS: usize = 4;

/// Largest width of one picture [pixels]; its shape is that of the scene's pictures.
const WIDTH: u32 = 480;

/// Draws about eight frames, evenly over the animation, into the cache folder.
pub fn write(cache: &Cache) -> Result<PathBuf, Failure> {
    let frames = cache.frames()?;
    let scene = CacheScene::read(cache)?;
    let (full_width, full_height) = (scene.render.width.max(1), scene.render.height.max(1));
    let width = full_width.min(WIDTH);
    let height = u64::from(width) * u64::from(full_height) / u64::from(full_width);
    let size = (width, height.clamp(1, 4 * u64::from(WIDTH)) as u32);
    let photographer = Photographer::new(cache, &scene, &frames, size, View::default())?;
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    for number in spread(&frames, PICTURES) {
        let frame = cache.frame(number)?;
        images.push(photographer.draw(&frame)?);
        labels.push(format!("frame {number}, {:.2} s", frame.time));
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let bytes = contact_sheet(&images, &labels, COLUMNS).encode_png()?;
    let path = cache.dir().join(SHEET);
    // The same temporary name every time, so that a killed run leaves nothing once it is resumed.
    let unfinished = cache.dir().join(format!("{SHEET}.tmp"));
    std::fs::write(&unfinished, bytes)
        .and_then(|()| std::fs::rename(&unfinished, &path))
        .map_err(|error| Failure::io("write", &path, &error))?;
    Ok(path)
}

/// At most `count` of the frames, the first and the last among them, evenly between.
fn spread(frames: &[u64], count: usize) -> Vec<u64> {
    if frames.len() <= count {
        return frames.to_vec();
    }
    let last = frames.len() - 1;
    (0..count).map(|i| frames[(i * last + (count - 1) / 2) / (count - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_spread_from_the_first_frame_to_the_last() {
        let frames: Vec<u64> = (0..=60).collect();
        assert_eq!(spread(&frames, 8), [0, 9, 17, 26, 34, 43, 51, 60]);
        assert_eq!(spread(&frames[..3], 8), [0, 1, 2]);
        assert_eq!(spread(&[], 8), Vec::<u64>::new());
    }
}
