//! Animations that other programs made, one type for all of them: faces that stay, and the positions
//! of every frame, read when they are asked for.
//!
//! | file | frames |
//! |---|---|
//! | `walk_####.obj`, `.ply`, or a folder of them | one a file |
//! | `.pc2`, `.mdd` with a mesh beside | one a sample |
//! | `.usda`, `.usd`, `.usdc`, `.usdz` | one a time code |
//! | `.glb`, `.gltf` | as many a second as asked for |
//! | `.obj`, `.ply` | one |

mod playback;

pub use playback::{Interpolation, Playback};

use super::{
    ReadError, extension,
    gltf::{Choice, Figure},
    point_cache::PointCacheFile,
    read_mesh,
    sequence::{MeshSequence, Pattern},
    usda::Stage,
};
use crate::polymesh::{PolyMesh, UpAxis};
use muslin::math::Vec3;
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// Frames a second of files that do not say.
const DEFAULT_FPS: f64 = 24.0;

/// How to read an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Options<'a> {
    /// The faces of a `.pc2` or `.mdd`; the `.obj` or `.ply` of the same name when not given.
    pub mesh: Option<&'a Path>,
    /// Frames per second [1/s]; the file's own, else 24, when not given.
    pub fps: Option<f64>,
    /// The prim, node or mesh to take; all when not given.
    pub object: Option<&'a str>,
    /// First and last number of a series of files.
    pub numbers: (Option<u64>, Option<u64>),
}

/// Faces that stay and positions that change, in the file's axes and unit.
#[derive(Debug, Clone)]
pub struct Animation {
    file: String,
    mesh: PolyMesh,
    times: Vec<f64>,
    up: Option<UpAxis>,
    metres_per_unit: Option<f64>,
    frames: Frames,
}

/// Where positions come from.
#[derive(Debug, Clone)]
enum Frames {
    Still,
    Sequence(MeshSequence),
    Cache(PointCacheFile),
    Stage(Box<Stage>),
    Figure(Box<Figure>),
}

impl Animation {
    /// Opens a file, a pattern such as `walk_####.obj`, or a folder of numbered meshes.
    pub fn open(path: &Path, options: &Options) -> Result<Self, ReadError> {
        if path.is_dir() || Pattern::parse(path).is_some_and(|_| !path.is_file()) {
            return Self::from_sequence(path, options);
        }
        match extension(path).as_str() {
            "pc2" | "mdd" => Self::from_cache(path, options),
            "usda" | "usd" | "usdc" | "usdz" => Self::from_stage(path, options),
            "glb" | "gltf" => Self::from_figure(path, options),
            _ => {
                let mesh = read_mesh(path)?;
                let mesh = match options.object {
                    None => mesh,
                    Some(name) => mesh.only(name).ok_or_else(|| no_object(path, name, &mesh))?,
                };
                Ok(Self::new(path, mesh, vec![0.0], Frames::Still))
            }
        }
    }

    fn new(path: &Path, mesh: PolyMesh, times: Vec<f64>, frames: Frames) -> Self {
        let file = path.display().to_string();
        Self { file, mesh, times, up: None, metres_per_unit: None, frames }
    }

    fn from_sequence(path: &Path, options: &Options) -> Result<Self, ReadError> {
        let mut sequence = MeshSequence::open(path)?;
        let (first, last) = options.numbers;
        sequence.keep(first, last)?;
        let times = even_times(sequence.files().len(), options.fps);
        Ok(Self::new(path, sequence.mesh().clone(), times, Frames::Sequence(sequence)))
    }

    fn from_cache(path: &Path, options: &Options) -> Result<Self, ReadError> {
        let cache = PointCacheFile::open(path)?;
        let file = path.display().to_string();
        let beside = || {
            let named = ["obj", "ply"].map(|ending| path.with_extension(ending));
            named.into_iter().find(|candidate| candidate.is_file())
        };
        let mesh_path = options.mesh.map(PathBuf::from).or_else(beside).ok_or_else(|| {
            let problem = "a point cache has no faces: name the mesh it belongs to, or put it \
                           beside with the same name and the ending .obj";
            ReadError::file(&file, problem)
        })?;
        let mut mesh = read_mesh(&mesh_path)?;
        let (found, expected) = (cache.vertex_count(), mesh.vertex_count());
        if found != expected {
            let problem = format!(
                "{found} vertices a frame, but {} has {expected}: export both from the same mesh",
                mesh_path.display()
            );
            return Err(ReadError::file(&file, problem));
        }
        mesh.positions = cache.positions(0)?;
        let times = cache_times(&cache, extension(path) == "pc2", options.fps);
        if !times.windows(2).all(|pair| pair[0] < pair[1]) {
            let problem = "its times do not ascend: export it again, or give the frame rate";
            return Err(ReadError::file(&file, problem));
        }
        Ok(Self::new(path, mesh, times, Frames::Cache(cache)))
    }

    fn from_stage(path: &Path, options: &Options) -> Result<Self, ReadError> {
        let open = if is_text(path)? { Stage::open } else { Stage::open_binary };
        let stage = open(path, options.object)?;
        let times = match options.fps {
            Some(fps) => even_times(stage.times().len(), Some(fps)),
            None => stage.times(),
        };
        let (up, metres) = (Some(stage.up()), Some(stage.metres_per_unit()));
        let mesh = stage.mesh().clone();
        let frames = Frames::Stage(Box::new(stage));
        Ok(Self { up, metres_per_unit: metres, ..Self::new(path, mesh, times, frames) })
    }

    fn from_figure(path: &Path, options: &Options) -> Result<Self, ReadError> {
        let choice = Choice { node: options.object, ..Choice::default() };
        let figure = Figure::open(path, choice)?;
        let fps = options.fps.unwrap_or(DEFAULT_FPS);
        // The last frame is at or after the last key, so that all of the motion is seen.
        let count = (figure.duration() * fps - 1e-6).ceil().clamp(0.0, 1e7) as usize + 1;
        let times = even_times(count, Some(fps));
        let mesh = figure.mesh().clone();
        let frames = Frames::Figure(Box::new(figure));
        let up = Some(UpAxis::Y);
        Ok(Self { up, metres_per_unit: Some(1.0), ..Self::new(path, mesh, times, frames) })
    }

    /// The faces, with the positions of the first frame.
    pub fn mesh(&self) -> &PolyMesh {
        &self.mesh
    }

    /// The faces, with the positions of the first frame, or of the file without its animation.
    pub fn into_mesh(self) -> PolyMesh {
        self.mesh
    }

    /// When each frame is [s], from 0, ascending.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The number of frames, at least one.
    pub fn frame_count(&self) -> usize {
        self.times.len()
    }

    /// The up axis the file gives, if it does.
    pub fn up(&self) -> Option<UpAxis> {
        self.up
    }

    /// The unit the file gives [m], if it does.
    pub fn metres_per_unit(&self) -> Option<f64> {
        self.metres_per_unit
    }

    /// The positions of a frame, counted from 0. One frame is in memory at a time.
    pub fn positions(&self, frame: usize) -> Result<Vec<Vec3>, ReadError> {
        let Some(&time) = self.times.get(frame) else {
            let (count, file) = (self.frame_count(), &self.file);
            return Err(ReadError::file(file, format!("there is no frame {frame}, only {count}")));
        };
        match &self.frames {
            Frames::Still => Ok(self.mesh.positions.clone()),
            Frames::Sequence(sequence) => sequence.positions(frame),
            Frames::Cache(cache) => cache.positions(frame),
            Frames::Stage(stage) => stage.positions(frame),
            Frames::Figure(figure) => {
                let mut positions = vec![Vec3::ZERO; self.mesh.vertex_count()];
                figure.positions_at(time, &mut positions);
                Ok(positions)
            }
        }
    }
}

fn no_object(path: &Path, name: &str, mesh: &PolyMesh) -> ReadError {
    let names: Vec<String> =
        mesh.groups.iter().take(8).map(|group| format!("`{}`", group.name)).collect();
    let advice = if names.is_empty() {
        "it names none, so leave that out".to_owned()
    } else {
        format!("choose {}", names.join(", "))
    };
    let problem = format!("there is no object or group `{name}` in it: {advice}");
    ReadError::file(&path.display().to_string(), problem)
}

fn even_times(count: usize, fps: Option<f64>) -> Vec<f64> {
    let fps = fps.unwrap_or(DEFAULT_FPS);
    (0..count).map(|frame| frame as f64 / fps).collect()
}

/// MDD gives seconds; PC2 gives frame numbers, which may be fractions.
fn cache_times(cache: &PointCacheFile, in_frames: bool, fps: Option<f64>) -> Vec<f64> {
    let given: Vec<f64> = cache.times().iter().map(|&time| f64::from(time)).collect();
    let since = |time: &f64| time - given[0];
    match (in_frames, fps) {
        (true, fps) => given.iter().map(|t| since(t) / fps.unwrap_or(DEFAULT_FPS)).collect(),
        (false, Some(_)) => even_times(given.len(), fps),
        (false, None) => given.iter().map(since).collect(),
    }
}

/// Whether a USD file is text: `.usd` may be either.
fn is_text(path: &Path) -> Result<bool, ReadError> {
    let fail = |source| ReadError::Io { file: path.display().to_string(), source };
    let mut start = Vec::new();
    File::open(path).map_err(fail)?.take(8).read_to_end(&mut start).map_err(fail)?;
    Ok(extension(path) == "usda" || !(start.starts_with(b"PXR-USDC") || start.starts_with(b"PK")))
}

#[cfg(test)]
mod tests;
