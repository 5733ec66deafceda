//! `muslin render`: pictures of a cache.

use crate::cache_scene::CacheScene;
use crate::console::Console;
use crate::frame_range::FrameRange;
use crate::interrupt::Interrupt;
use crate::out_path::OutPath;
use crate::picture::{Photographer, View};
use crate::progress::Progress;
use crate::text::{bytes, count};
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use muslin::math::Vec3;
use muslin_render::{GifWriter, Image, Mp4Writer};
use muslin_scene::cache::Cache;
use muslin_scene::formats::sequence::Pattern;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `muslin render`.
#[derive(Args, Debug)]
#[command(after_help = "What is written, by the name of FILE:
  drape.png            one picture: the last frame, or --frame N
  frames/####.png      a picture per frame (also %04d)
  drape.gif            an animated GIF
  drape.mp4            a movie, where the program ffmpeg is installed

The camera is the scene's [render] camera, or one placed to show everything in all frames.

Examples:
  muslin render drape.muslin -o drape.png --frame 30
  muslin render drape.muslin -o drape.gif --width 480 --height 270 --every 2
  muslin render drape.muslin -o strain.png --strain 0.1 --eye 2,-2,1 --target 0,0,0.3")]
pub struct RenderArguments {
    /// The cache folder
    #[arg(value_name = "CACHE")]
    pub cache: PathBuf,
    #[command(flatten)]
    pub out: OutPath,
    /// Draw this frame
    #[arg(long, value_name = "N", conflicts_with_all = ["frames", "every"])]
    pub frame: Option<u64>,
    /// Draw these frames, both ends included
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,
    /// Draw every n-th frame; the scene's `render.every` when not given
    #[arg(long, value_name = "N")]
    pub every: Option<u32>,
    /// Width [pixels]; the scene's when not given
    #[arg(long, value_name = "PIXELS")]
    pub width: Option<u32>,
    /// Height [pixels]; the scene's when not given
    #[arg(long, value_name = "PIXELS")]
    pub height: Option<u32>,
    /// Colour cloth by strain, from -LIMIT (blue) to LIMIT (red)
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, default_missing_value = "0.1")]
    pub strain: Option<f64>,
    /// Position of the camera [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    pub eye: Option<Vec3>,
    /// What the camera looks at [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    pub target: Option<Vec3>,
    /// Vertical field of view [degrees]
    #[arg(long, value_name = "DEGREES")]
    pub fov: Option<f64>,
    #[command(flatten)]
    pub threads: Threads,
}

/// `x,y,z`.
fn parse_point(text: &str) -> Result<Vec3, String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|c: &f64| c.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some([x, y, z]) => Ok(Vec3::new(*x, *y, *z)),
        _ => Err("write three numbers like 2,-2,1.5".to_owned()),
    }
}

/// One picture of a cache; what is not given is the scene's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shot {
    /// The frame; the last when not given.
    pub frame: Option<u64>,
    /// Width and height [pixels].
    pub size: [Option<u32>; 2],
    /// Position of the camera, and what it looks at [m].
    pub camera: [Option<Vec3>; 2],
    /// Vertical field of view [degrees].
    pub fov: Option<f64>,
    /// Colour cloth by strain; ± this are the ends of the scale.
    pub strain: Option<f64>,
}

/// Draws one picture of the cache in `dir`, unless `interrupt` is asked before the end.
pub fn draw(dir: &Path, shot: &Shot, interrupt: &Interrupt) -> Result<Image, Failure> {
    let cache = Cache::open(dir)?.until(interrupt.flag());
    let scene = CacheScene::read(&cache)?;
    let numbers = super::frames_of(&cache, shot.frame, None)?;
    let [width, height] = shot.size;
    let size = (width.unwrap_or(scene.render.width), height.unwrap_or(scene.render.height));
    let [eye, target] = shot.camera;
    let all = cache.frames()?;
    let view = View { eye, target, fov: shot.fov };
    let photographer =
        Photographer::new(&cache, &scene, &all, size, view)?.with_strain(shot.strain);
    let number = numbers.last().copied().unwrap_or_default();
    photographer.draw(&cache.frame(number)?)
}

/// What kind of file to write.
#[derive(Clone, Debug)]
enum Kind {
    Picture,
    Numbered(Pattern),
    Gif,
    Mp4,
}

/// Draws the pictures.
pub fn render(
    arguments: &RenderArguments,
    console: Console,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    let kind = kind_of(&arguments.out)?;
    arguments.threads.start()?;
    let cache = Cache::open(&arguments.cache)?.until(interrupt.flag());
    let scene = CacheScene::read(&cache)?;
    let every = arguments.every.unwrap_or(scene.render.every);
    if every == 0 {
        return Err(Failure::argument("--every", "every 0th frame: give 1 or more"));
    }
    let numbers = chosen(&cache, arguments, &kind, every)?;
    let files: Vec<PathBuf> = match &kind {
        Kind::Numbered(pattern) => numbers.iter().map(|number| pattern.path(*number)).collect(),
        _ => vec![arguments.out.output.clone()],
    };
    files.iter().try_for_each(|file| arguments.out.check(file))?;
    let size = (
        arguments.width.unwrap_or(scene.render.width),
        arguments.height.unwrap_or(scene.render.height),
    );
    let view = View { eye: arguments.eye, target: arguments.target, fov: arguments.fov };
    let all = cache.frames()?;
    let photographer =
        Photographer::new(&cache, &scene, &all, size, view)?.with_strain(arguments.strain);
    let fps = cache.manifest().run.fps / f64::from(every);
    let mut sink = Sink::open(&kind, &arguments.out.output, size, fps)?;
    let mut progress = Progress::new(console, "drawing", numbers.len() as u64);
    for (index, number) in numbers.iter().enumerate() {
        let image = photographer.draw(&cache.frame(*number)?)?;
        match &mut sink {
            Sink::Files => image.write_png(&files[index])?,
            Sink::Gif(gif) => gif.push(&image)?,
            Sink::Mp4(mp4) => mp4.push(&image)?,
        }
        progress.step(&format!("frame {number}"));
    }
    sink.finish()?;
    progress.end();
    report(&files, numbers.len(), size, console)?;
    Ok(Outcome::Done)
}

fn kind_of(out: &OutPath) -> Result<Kind, Failure> {
    let place = out.output.display().to_string();
    match (out.extension().as_str(), Pattern::parse(&out.output)) {
        ("png", Some(pattern)) => Ok(Kind::Numbered(pattern)),
        ("png", None) => Ok(Kind::Picture),
        ("gif", _) => Ok(Kind::Gif),
        ("mp4", _) => Ok(Kind::Mp4),
        (other, _) => {
            let what = match other {
                "" => "it has no ending".to_owned(),
                _ => format!("this version of Muslin does not draw .{other}"),
            };
            let message = format!(
                "cannot write {place}: {what}; use .png, numbered pictures like frames/####.png, \
                 .gif or .mp4"
            );
            Err(Failure::new("format", place, message))
        }
    }
}

/// The frames to draw: one for a picture, every n-th for the others.
fn chosen(
    cache: &Cache,
    arguments: &RenderArguments,
    kind: &Kind,
    every: u32,
) -> Result<Vec<u64>, Failure> {
    let numbers = super::frames_of(cache, arguments.frame, arguments.frames)?;
    if !matches!(kind, Kind::Picture) {
        super::unbroken(cache, &numbers)?;
        return Ok(numbers.into_iter().step_by(every as usize).collect());
    }
    match (arguments.frames, numbers.as_slice()) {
        (Some(_), [_, _, ..]) => {
            let message = "one .png holds one frame: name numbered pictures like \
                           frames/####.png, or choose one with --frame";
            Err(Failure::argument("--frames", message))
        }
        _ => Ok(numbers.last().copied().into_iter().collect()),
    }
}

/// Where pictures go.
enum Sink {
    Files,
    Gif(GifWriter),
    Mp4(Mp4Writer),
}

impl Sink {
    fn open(kind: &Kind, path: &Path, size: (u32, u32), fps: f64) -> Result<Self, Failure> {
        Ok(match kind {
            Kind::Picture | Kind::Numbered(_) => Self::Files,
            Kind::Gif => Self::Gif(GifWriter::create(path, fps)?),
            Kind::Mp4 => Self::Mp4(Mp4Writer::create(path, size, fps)?),
        })
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Files => Ok(()),
            Self::Gif(gif) => Ok(gif.finish()?),
            Self::Mp4(mp4) => Ok(mp4.finish()?),
        }
    }
}

fn report(
    files: &[PathBuf],
    frames: usize,
    (width, height): (u32, u32),
    console: Console,
) -> Result<(), Failure> {
    let size: u64 = files.iter().filter_map(|file| Some(std::fs::metadata(file).ok()?.len())).sum();
    let named: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let what = match named.as_slice() {
        [first, .., last] => format!("{first} to {last}"),
        _ => named.concat(),
    };
    let frame_word = if frames == 1 { "frame" } else { "frames" };
    console.say(&format!(
        "{what}: {} {frame_word} of {width} x {height} pixels, {}",
        count(frames as u64),
        bytes(size)
    ))?;
    console.object(&json!({
        "files": named, "frames": frames, "width": width, "height": height, "bytes": size,
    }))
}
