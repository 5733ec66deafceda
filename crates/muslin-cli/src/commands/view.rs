//! `muslin view`: the studio, in the browser.

use crate::console::{self, Console};
use crate::gallery::SCENES;
use crate::gallery_pictures;
use crate::interrupt::Interrupt;
use crate::scene_source::SceneSource;
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use muslin_scene::cache::Cache;
use muslin_scene::spec::SceneSpec;
use muslin_studio::{GalleryEntry, OpenError, Show, Studio, StudioError};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Arguments of `muslin view`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  muslin view @drape-sphere            simulate a scene of the gallery, live
  muslin view drape-sphere.muslin      play a cache
  muslin view mine.toml --no-open      print the link only

From another machine, through SSH:
  ssh -L 7000:127.0.0.1:7000 HOST muslin view mine.toml --no-open --port 7000

Keys: space plays, arrows step, r resets the view, w wires, f flat, p plots, s settings.")]
pub struct ViewArguments {
    /// A scene file, @name of the gallery, or a cache folder
    #[arg(value_name = "SCENE or CACHE")]
    pub target: String,
    /// Change a setting of the scene, such as solver.tolerance=1e-4; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Print the link, do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Listen on this address instead of this machine alone. Whoever sees the link can then connect
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<IpAddr>,
    /// Listen on this port; a free one when not given
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    #[command(flatten)]
    pub threads: Threads,
}

/// Opens the studio and keeps it open until Ctrl-C.
pub fn view(arguments: &ViewArguments, console: Console) -> Result<Outcome, Failure> {
    arguments.threads.start()?;
    let interrupt = Interrupt::listen()?;
    let ip = arguments.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if !ip.is_loopback() {
        console::warn(&format!(
            "the studio listens on {ip}: whoever can reach this machine and learns the link can \
             watch and control it, and nothing is encrypted"
        ));
    }
    let show = show(&arguments.target, &arguments.sets)?;
    let studio = Studio::open(show, SocketAddr::new(ip, arguments.port), gallery()?)?;
    let link = studio.link();
    console.answer(&link)?;
    console.object(&json!({ "link": link, "address": studio.address().to_string() }))?;
    if !arguments.no_open && !open_browser(&link) {
        console.note("no browser could be started: open the link yourself");
    }
    console.note("Ctrl-C ends the studio");
    while !interrupt.asked() {
        thread::sleep(Duration::from_millis(100));
    }
    Ok(Outcome::Done)
}

fn show(target: &str, sets: &[String]) -> Result<Show, Failure> {
    let path = Path::new(target);
    if !target.starts_with('@') && path.is_dir() {
        if !sets.is_empty() {
            let message = "a cache is played as it is: leave --set out, or give its scene file";
            return Err(Failure::argument("--set", message));
        }
        return Ok(Show::Cache(Box::new(Cache::open(path)?)));
    }
    let text = SceneSource::load(target, sets)?.text;
    let name = target.strip_prefix('@');
    let file_name = name.map_or_else(|| target.to_owned(), |name| format!("{name}.toml"));
    Ok(Show::Scene { text, file_name, sets: sets.to_vec() })
}

/// The built-in scenes, for the page.
fn gallery() -> Result<Vec<GalleryEntry>, Failure> {
    let entries = SCENES.iter().map(|scene| {
        let spec = SceneSpec::from_toml(scene.text, &format!("{}.toml", scene.name), &[])?;
        let (name, text) = (scene.name, scene.text);
        let picture = gallery_pictures::of(name);
        Ok(GalleryEntry { name, description: spec.description, text, picture })
    });
    entries.collect()
}

/// Starts the system's browser; false where there is none.
fn open_browser(link: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(before).arg(link).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.spawn().is_ok()
}

impl From<StudioError> for Failure {
    fn from(error: StudioError) -> Self {
        match error {
            StudioError::Open(OpenError::Scene(error)) => (*error).into(),
            StudioError::Open(OpenError::Run(error)) => error.into(),
            StudioError::Cache(error) => error.into(),
            StudioError::Listen { address, .. } => {
                Self::new("listen", address.to_string(), error.to_string())
            }
            other => Self::new("studio", "", other.to_string()),
        }
    }
}
