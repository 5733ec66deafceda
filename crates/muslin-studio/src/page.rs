//! The page's files, as they are in the folder `page`: plain ES modules, no build step.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its name, as modules import it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(PageFile { name: $name, text: include_str!(concat!("../page/", $name)) }),*]
    };
}

/// The modules that draw and play, each after those it imports. The player is made of them.
pub const PLAYING: &[PageFile] = files![
    "vector.js",
    "wire.js",
    "store.js",
    "camera.js",
    "gl.js",
    "shaders.js",
    "draw.js",
    "overlay.js",
    "plots.js",
    "transport.js",
    "view.js",
];

/// What the studio has beyond them.
const STUDIO: &[PageFile] = files![
    "index.html",
    "style.css",
    "pick.js",
    "schema.js",
    "fields.js",
    "wind.js",
    "settings.js",
    "gallery.js",
    "link.js",
    "studio.js",
];

/// The player's own module and page.
pub const PLAYER: &[PageFile] = files!["player.js", "player.html"];

/// The style of both.
pub const STYLE: &str = include_str!("../page/style.css");

impl PageFile {
    /// The type that browsers go by.
    pub fn content_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        }
    }
}

/// The file that a path after the token names; the page itself has no name.
pub fn find(path: &str) -> Option<&'static PageFile> {
    let name = if path.is_empty() { "index.html" } else { path };
    PLAYING.iter().chain(STUDIO).find(|file| file.name == name)
}
