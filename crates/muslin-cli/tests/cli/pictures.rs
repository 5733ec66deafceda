//! `muslin render`: sizes, kinds of files, cameras.

use crate::support::{HandMade, json, says, scratch};
use muslin_render::Image;
use muslin_scene::cache::UpAxis;
use std::fs;
use std::path::{Path, PathBuf};

fn cache(name: &str) -> PathBuf {
    let folder = scratch(name);
    let frames = vec![HandMade::squares(); 4];
    HandMade { frames, up: UpAxis::Z }.write(&folder.join("a.muslin"));
    folder
}

fn picture(path: &Path) -> Image {
    Image::decode_png(&fs::read(path).unwrap()).unwrap()
}

const SMALL: &str = "--width 64 --height 36";

#[test]
fn pictures_have_the_size_and_the_colour_asked_for() {
    let folder = cache("render-png");
    let above = "--eye 0.5,0.4,5 --target 0.5,0.5,0 --fov 20";
    says(&folder, &format!("render a.muslin -o a.png {SMALL} {above}"), 0);
    let image = picture(&folder.join("a.png"));
    assert_eq!((image.width(), image.height()), (64, 36));
    // From straight above, the orange cloth fills the middle of the picture.
    let [r, g, b] = image.pixel(32, 18).unwrap();
    assert!(r > g && g > b && r > 100, "{r} {g} {b}");
    says(&folder, &format!("render a.muslin -o s.png --strain 0.1 {SMALL} {above}"), 0);
    // Nothing is strained: pale, almost grey.
    let [r, _, b] = picture(&folder.join("s.png")).pixel(32, 18).unwrap();
    assert!(r.abs_diff(b) < 40, "{r} {b}");
}

#[test]
fn numbered_pictures_and_movies_have_their_frames() {
    let folder = cache("render-movies");
    let result = json(&folder, &format!("render a.muslin -o p##.png --frames 1..2 {SMALL}"), 0);
    assert_eq!(result["files"], serde_json::json!(["p01.png", "p02.png"]));
    assert!(folder.join("p01.png").exists() && folder.join("p02.png").exists());
    let result = json(&folder, &format!("render a.muslin -o a.gif --every 2 {SMALL}"), 0);
    assert_eq!(result["frames"], 2);
    assert!(fs::read(folder.join("a.gif")).unwrap().starts_with(b"GIF89a"));
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_left() {
    let folder = cache("render-refuse");
    let kind = |arguments: &str| json(&folder, arguments, 2)["error"]["kind"].clone();
    assert_eq!(kind("render a.muslin -o a.webp"), "format");
    assert_eq!(kind("render a.muslin -o a"), "format");
    assert_eq!(kind("render a.muslin -o a.png --frame 9"), "missing-frame");
    assert_eq!(kind("render a.muslin -o a.png --frames 0..2"), "argument");
    assert_eq!(kind("render a.muslin -o a.png --width 0"), "picture");
    assert_eq!(kind("render a.muslin -o a.gif --every 0"), "argument");
    assert_eq!(kind("render a.muslin -o a.png --fov 400"), "picture");
    assert_eq!(kind("render a.muslin -o no/a.png"), "io");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the cache is there");
}
