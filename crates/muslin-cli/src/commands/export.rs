//! `muslin export`: a cache in other programs' formats.

use super::export_player;
use crate::console::Console;
use crate::export_meshes::{CacheFrames, mesh};
use crate::frame_range::FrameRange;
use crate::interrupt::Interrupt;
use crate::out_path::OutPath;
use crate::text::{bytes, count};
use crate::{Failure, Outcome};
use clap::{Args, ValueEnum};
use muslin_scene::cache::{self, Cache, Surface, SurfaceKind};
use muslin_scene::formats::animation::{AnimatedMesh, Clip};
use muslin_scene::formats::sequence::Pattern;
use muslin_scene::formats::usd_core::{self, Temporary};
use muslin_scene::formats::{WriteError, alembic, gltf, mdd, npz, obj, pc2, ply, usda};
use muslin_scene::polymesh::{PolyMesh, UpAxis};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `muslin export`.
#[derive(Args, Debug)]
#[command(after_help = "Formats, by the ending of FILE:
  .usda .usdc     all cloths and bodies with motion, velocities and colours (Blender, Houdini, …);
                  .usdc needs Python with usd-core
  .glb            all cloths and bodies with motion and colours (web viewers, Blender)
  .abc            all cloths and bodies with motion and velocities (Blender, Maya, Houdini)
  .pc2 .mdd       positions of one mesh over time (Blender's Mesh Cache modifier, with an .obj)
  .obj .ply       numbered files, name_0000.obj and so on, or one file with --frame
  .html           a player that opens in any browser, from the disk: all cloths and bodies
  .npz            numpy arrays: positions, velocities, triangles, uv, time

Examples:
  muslin export drape.muslin -o drape.usda
  muslin export drape.muslin -o drape.pc2 --up y
  muslin export drape.muslin -o start.obj --frame 0 --cloth sheet")]
pub struct ExportArguments {
    /// The cache folder
    #[arg(value_name = "CACHE")]
    pub cache: PathBuf,
    #[command(flatten)]
    pub out: OutPath,
    /// Up axis of the file; the cache's own when not given
    #[arg(long, value_enum)]
    pub up: Option<Axis>,
    /// Only these frames, both ends included
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,
    /// Only this frame
    #[arg(long, value_name = "N", conflicts_with = "frames")]
    pub frame: Option<u64>,
    /// Only the cloth of this name
    #[arg(long, value_name = "NAME", conflicts_with = "body")]
    pub cloth: Option<String>,
    /// Only the body of this name
    #[arg(long, value_name = "NAME")]
    pub body: Option<String>,
}

/// An axis that can point up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Axis {
    /// y up: Maya, Houdini, glTF
    Y,
    /// z up: Blender
    Z,
}

/// What can be written.
const FORMATS: [&str; 10] =
    ["usda", "usdc", "glb", "abc", "pc2", "mdd", "obj", "ply", "npz", "html"];

/// Formats that hold all cloths and bodies.
const WHOLE_SCENES: [&str; 4] = ["usda", "usdc", "glb", "abc"];

/// Formats that are y up, whatever the scene is, with their names.
const Y_UP: [(&str, &str); 2] = [("glb", "glTF"), ("abc", "Alembic")];

/// Writes the file.
pub fn export(
    arguments: &ExportArguments,
    console: Console,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    let format = arguments.out.extension();
    if !FORMATS.contains(&format.as_str()) {
        return Err(unknown_format(&arguments.out.output, &format));
    }
    let cache = Cache::open(&arguments.cache)?.until(interrupt.flag());
    let numbers = super::frames_of(&cache, arguments.frame, arguments.frames)?;
    super::unbroken(&cache, &numbers)?;
    if format == "html" {
        return export_player::export(arguments, &cache, &numbers, console);
    }
    let surfaces = choose(&cache, arguments, &format)?;
    let y_up = Y_UP.iter().find(|(ending, _)| *ending == format);
    if let (Some((_, name)), Some(Axis::Z)) = (y_up, arguments.up) {
        let message =
            format!("{name} is always y up: leave --up out; programs turn it the right way");
        return Err(Failure::argument("--up", message));
    }
    let axis = if y_up.is_some() { Some(Axis::Y) } else { arguments.up };
    let up = match (axis, cache.manifest().run.up_axis) {
        (Some(Axis::Y), _) | (None, cache::UpAxis::Y) => UpAxis::Y,
        (Some(Axis::Z), _) | (None, cache::UpAxis::Z) => UpAxis::Z,
    };
    let clip = Clip { frame_count: numbers.len(), fps: cache.manifest().run.fps, up };
    let meshes: Vec<PolyMesh> =
        surfaces.iter().map(|surface| mesh(&cache, surface)).collect::<Result<_, _>>()?;
    let source = CacheFrames::new(&cache, surfaces.clone(), numbers);
    let job = Job { cache: &cache, arguments, clip, surfaces: &surfaces, meshes: &meshes, source };
    let files = job.write(&format)?;
    report(&files, &clip, &surfaces, console)?;
    Ok(Outcome::Done)
}

fn unknown_format(path: &Path, format: &str) -> Failure {
    let place = path.display().to_string();
    let known: Vec<String> = FORMATS.iter().map(|known| format!(".{known}")).collect();
    let what = match format {
        "" => "it has no ending".to_owned(),
        "usd" | "usdz" | "gltf" => {
            format!("this version of Muslin does not write .{format}")
        }
        _ => format!(".{format} is no format that Muslin knows"),
    };
    Failure::new(
        "format",
        &place,
        format!("cannot write {place}: {what}; use {}", known.join(", ")),
    )
}

/// The surfaces to write: all for USD, one for the others.
fn choose(
    cache: &Cache,
    arguments: &ExportArguments,
    format: &str,
) -> Result<Vec<Surface>, Failure> {
    let all = &cache.manifest().run.surfaces;
    let drawn = |surface: &&Surface| surface.triangles.count > 0;
    let named = [(&arguments.cloth, SurfaceKind::Cloth), (&arguments.body, SurfaceKind::Body)];
    for (name, kind) in named {
        let Some(name) = name else { continue };
        let of_kind = || all.iter().filter(|s| s.kind == kind).filter(drawn);
        if let Some(found) = of_kind().find(|surface| surface.name == *name) {
            return Ok(vec![found.clone()]);
        }
        let message = format!("there is no {kind} `{name}` to export: choose {}", list(of_kind()));
        return Err(Failure::new("wrong-name", format!("--{kind}"), message));
    }
    if WHOLE_SCENES.contains(&format) {
        return Ok(all.iter().filter(drawn).cloned().collect());
    }
    let cloths: Vec<&Surface> = all.iter().filter(|s| s.kind == SurfaceKind::Cloth).collect();
    match cloths.as_slice() {
        [only] => Ok(vec![(*only).clone()]),
        several => {
            let message = format!(
                "a .{format} file holds one mesh, and the cache has {} cloths: choose {} with \
                 --cloth, or write .usda",
                several.len(),
                list(several.iter().copied())
            );
            Err(Failure::argument("--cloth", message))
        }
    }
}

/// `` `a`, `b` ``.
fn list<'a>(surfaces: impl Iterator<Item = &'a Surface>) -> String {
    let names: Vec<String> = surfaces.map(|surface| format!("`{}`", surface.name)).collect();
    if names.is_empty() { "another cache, this has none".to_owned() } else { names.join(", ") }
}

/// Writes all meshes of a scene.
type SceneWriter<'a> =
    fn(&Path, &Clip, &[AnimatedMesh<'_>], &mut CacheFrames<'a>) -> Result<(), WriteError>;

/// Everything the writers need.
struct Job<'a> {
    cache: &'a Cache,
    arguments: &'a ExportArguments,
    clip: Clip,
    surfaces: &'a [Surface],
    meshes: &'a [PolyMesh],
    source: CacheFrames<'a>,
}

impl<'a> Job<'a> {
    /// Writes the file or files and returns their paths.
    fn write(mut self, format: &str) -> Result<Vec<PathBuf>, Failure> {
        let path = self.arguments.out.output.clone();
        if matches!(format, "obj" | "ply") {
            return self.write_sequence(format);
        }
        self.arguments.out.check(&path)?;
        let Some(first) = self.meshes.first() else {
            let message = "the cache has nothing to export: it has no triangles";
            return Err(Failure::new("unfit", path.display().to_string(), message));
        };
        match format {
            "pc2" => pc2::write(&path, &self.clip, first, &mut self.source)?,
            "mdd" => mdd::write(&path, &self.clip, first, &mut self.source)?,
            "npz" => npz::write_animation(&path, &self.clip, first, &mut self.source)?,
            "glb" => self.write_scene(&path, gltf::write)?,
            "abc" => self.write_scene(&path, alembic::write)?,
            "usdc" => self.write_usdc(&path)?,
            _ => self.write_scene(&path, usda::write)?,
        }
        Ok(vec![path])
    }

    /// Writes text beside the file and has it turned into binary.
    fn write_usdc(&mut self, path: &Path) -> Result<(), Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let [text, binary] = ["usda", "usdc"].map(|ending| Temporary::new(folder, ending));
        self.write_scene(text.path(), usda::write)?;
        let fail = |problem| WriteError { path: path.into(), problem };
        let stopped = || self.cache.is_stopped();
        usd_core::convert(text.path(), binary.path(), &stopped).map_err(fail)?;
        std::fs::rename(binary.path(), path).map_err(|error| fail(error.into()))?;
        Ok(())
    }

    fn write_scene(&mut self, path: &Path, write: SceneWriter<'a>) -> Result<(), Failure> {
        let mut animated = Vec::new();
        for (index, (surface, mesh)) in self.surfaces.iter().zip(self.meshes).enumerate() {
            let color = Some(surface.front_colour.map(linear));
            let moves = self.source.moves(index)?;
            animated.push(AnimatedMesh { mesh, name: &surface.name, color, animated: moves });
        }
        Ok(write(path, &self.clip, &animated, &mut self.source)?)
    }

    /// Numbered files; one frame goes to the very file that was named.
    fn write_sequence(mut self, format: &str) -> Result<Vec<PathBuf>, Failure> {
        let out = &self.arguments.out;
        let Some(first) = self.meshes.first() else { return Ok(Vec::new()) };
        if self.clip.frame_count == 1 && Pattern::parse(&out.output).is_none() {
            out.check(&out.output)?;
            let mut still = first.clone();
            let frame = animation_frame(&mut self.source)?;
            let up = self.clip.up;
            still.positions = frame.iter().map(|x| up.file_from_world(*x)).collect();
            match format {
                "obj" => obj::write(&out.output, &still)?,
                _ => ply::write(&out.output, &still)?,
            }
            return Ok(vec![out.output.clone()]);
        }
        for frame in 0..self.clip.frame_count {
            out.check(&numbered(&out.output, frame as u64))?;
        }
        let (clip, source) = (&self.clip, &mut self.source);
        Ok(match format {
            "obj" => obj::write_sequence(&out.output, clip, first, source)?,
            _ => ply::write_sequence(&out.output, clip, first, source)?,
        })
    }
}

fn animation_frame(source: &mut CacheFrames) -> Result<Vec<muslin::math::Vec3>, Failure> {
    use muslin_scene::formats::animation::FrameSource;
    let frame = source.frame(0, 0);
    frame.map(|frame| frame.positions).map_err(|e| Failure::new("damaged", "", e.to_string()))
}

/// The file of a frame: by the pattern, or `name_0012.obj`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    if let Some(pattern) = Pattern::parse(path) {
        return pattern.path(number);
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{number:04}.{extension}"))
}

/// An sRGB channel as linear light.
fn linear(channel: f64) -> f64 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn report(
    files: &[PathBuf],
    clip: &Clip,
    surfaces: &[Surface],
    console: Console,
) -> Result<(), Failure> {
    let size = files.iter().filter_map(|file| Some(std::fs::metadata(file).ok()?.len())).sum();
    let named: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let what = match named.as_slice() {
        [one] => one.clone(),
        [first, .., last] => format!("{first} to {last}"),
        [] => "nothing".to_owned(),
    };
    console.say(&format!(
        "{what}: {} frames of {}, {}",
        count(clip.frame_count as u64),
        list(surfaces.iter()),
        bytes(size)
    ))?;
    console.object(&json!({
        "files": named,
        "frames": clip.frame_count,
        "meshes": surfaces.iter().map(|surface| &surface.name).collect::<Vec<_>>(),
        "up": match clip.up { UpAxis::Y => "y", UpAxis::Z => "z" },
        "bytes": size,
    }))
}
