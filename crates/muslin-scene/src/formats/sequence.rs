//! Numbered files, one mesh per frame: `walk_####.obj`, `walk_%04d.ply`, or a folder of them.

use super::{ReadError, extension, read_mesh};
use crate::polymesh::PolyMesh;
use muslin::math::Vec3;
use std::path::{Path, PathBuf};

/// The names of a numbered series: a prefix, a number padded with zeros, a suffix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    folder: PathBuf,
    prefix: String,
    /// The number is padded to this many digits.
    width: usize,
    suffix: String,
}

impl Pattern {
    /// A pattern with `####` or `%04d` in its file name; `None` where there is neither.
    pub fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (start, end, width) = hashes(name).or_else(|| percent(name))?;
        let (prefix, suffix) = (name[..start].to_string(), name[end..].to_string());
        Some(Self { folder: path.with_file_name(""), prefix, width, suffix })
    }

    /// The pattern, or `name_####.ext` where the path is plain `name.ext`.
    pub(super) fn for_writing(path: &Path) -> Self {
        Self::parse(path).unwrap_or_else(|| {
            let text = |part: Option<&std::ffi::OsStr>| {
                part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default()
            };
            let prefix = text(path.file_stem()) + "_";
            let extension = text(path.extension());
            let suffix = if extension.is_empty() { extension } else { format!(".{extension}") };
            Self { folder: path.with_file_name(""), prefix, width: 4, suffix }
        })
    }

    /// The path of the file with this number.
    pub fn path(&self, number: u64) -> PathBuf {
        let Self { folder, prefix, width, suffix } = self;
        folder.join(format!("{prefix}{number:0width$}{suffix}"))
    }

    /// The number of a file name of this series.
    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&self.prefix)?.strip_suffix(&self.suffix)?;
        let padded = digits.len() == self.width;
        let longer = digits.len() > self.width && !digits.starts_with('0');
        let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        if all_digits && (padded || longer) { digits.parse().ok() } else { None }
    }
}

fn hashes(name: &str) -> Option<(usize, usize, usize)> {
    let start = name.find('#')?;
    let width = name[start..].bytes().take_while(|&byte| byte == b'#').count();
    Some((start, start + width, width))
}

/// `%d` and `%04d`.
fn percent(name: &str) -> Option<(usize, usize, usize)> {
    let start = name.find('%')?;
    let length = name[start..].find('d')?;
    let digits = &name[start + 1..start + length];
    let width = if digits.is_empty() { Some(1) } else { digits.parse().ok() }?;
    (width <= 20 && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((
        start,
        start + length + 1,
        width,
    ))
}

/// A mesh that moves, read from numbered files when a frame is asked for.
#[derive(Debug, Clone)]
pub struct MeshSequence {
    files: Vec<PathBuf>,
    numbers: Vec<u64>,
    mesh: PolyMesh,
}

impl MeshSequence {
    /// Finds the files of a pattern or folder, in the order of their numbers, and reads the first.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = path.display().to_string();
        let mut numbered = match Pattern::parse(path) {
            _ if path.is_dir() => in_folder(path, &file)?,
            Some(pattern) => {
                let names = file_names(&pattern.folder)?.into_iter();
                names
                    .filter_map(|name| Some((pattern.number(&name)?, pattern.folder.join(name))))
                    .collect()
            }
            None => {
                let problem = "a sequence is a folder or a name with `####` or `%04d` in it";
                return Err(ReadError::file(&file, problem));
            }
        };
        numbered.sort_unstable();
        check_numbers(&numbered, &file)?;
        let (numbers, files): (Vec<u64>, Vec<PathBuf>) = numbered.into_iter().unzip();
        let mesh = read_mesh(&files[0])?;
        Ok(Self { files, numbers, mesh })
    }

    /// Keeps the files from number `first` to number `last`, both of the series' own numbering.
    pub fn keep(&mut self, first: Option<u64>, last: Option<u64>) -> Result<(), ReadError> {
        let (low, high) = (first.unwrap_or(0), last.unwrap_or(u64::MAX));
        let inside = |number: &u64| (low..=high).contains(number);
        let kept: Vec<usize> =
            (0..self.files.len()).filter(|&k| inside(&self.numbers[k])).collect();
        for wanted in first.iter().chain(&last) {
            if !self.numbers.contains(wanted) {
                let (from, to) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
                let problem =
                    format!("there is no file number {wanted}: they go from {from} to {to}");
                return Err(ReadError::file(&self.files[0].display().to_string(), problem));
            }
        }
        self.files = kept.iter().map(|&k| self.files[k].clone()).collect();
        self.numbers = kept.iter().map(|&k| self.numbers[k]).collect();
        self.mesh = read_mesh(&self.files[0])?;
        Ok(())
    }

    /// The first frame, whose faces all frames share.
    pub fn mesh(&self) -> &PolyMesh {
        &self.mesh
    }

    /// The files in order.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The positions of a frame, in the files' axes and unit; refuses a file whose faces differ
    /// from the first file's. `frame` counts from 0 and is less than the number of files.
    pub fn positions(&self, frame: usize) -> Result<Vec<Vec3>, ReadError> {
        let mesh = read_mesh(&self.files[frame])?;
        if mesh.same_topology(&self.mesh) {
            return Ok(mesh.positions);
        }
        let problem = format!(
            "{} vertices and {} faces that are not those of {} ({} and {}): \
             export all frames from the same mesh",
            mesh.vertex_count(),
            mesh.face_count(),
            self.files[0].display(),
            self.mesh.vertex_count(),
            self.mesh.face_count(),
        );
        Err(ReadError::file(&self.files[frame].display().to_string(), problem))
    }

    /// Reads every file once, so that the first one that does not fit is known before a run.
    pub fn check(&self) -> Result<(), ReadError> {
        (0..self.files.len()).try_for_each(|frame| self.positions(frame).map(drop))
    }
}

fn file_names(folder: &Path) -> Result<Vec<String>, ReadError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let fail = |source| ReadError::Io { file: folder.display().to_string(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        names.extend(entry.map_err(fail)?.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// The numbered meshes of a folder, which must be one series.
fn in_folder(folder: &Path, file: &str) -> Result<Vec<(u64, PathBuf)>, ReadError> {
    let mut series: Option<(String, String)> = None;
    let mut numbered = Vec::new();
    for name in file_names(folder)? {
        let extension = extension(Path::new(&name));
        if name.starts_with('.') || !matches!(extension.as_str(), "obj" | "ply") {
            continue;
        }
        let stem = &name[..name.len() - extension.len() - 1];
        let prefix = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let Ok(number) = stem[prefix.len()..].parse() else {
            continue;
        };
        let own = (prefix.to_string(), extension);
        let first = series.get_or_insert_with(|| own.clone());
        if *first != own {
            let problem = format!(
                "two series, `{}#.{}` and `{}#.{}`: give the pattern of one",
                first.0, first.1, own.0, own.1
            );
            return Err(ReadError::file(file, problem));
        }
        numbered.push((number, folder.join(name)));
    }
    Ok(numbered)
}

/// Frames must be there once each and equally far apart, or the motion would jump.
fn check_numbers(numbered: &[(u64, PathBuf)], file: &str) -> Result<(), ReadError> {
    if numbered.is_empty() {
        return Err(ReadError::file(file, "no numbered `.obj` or `.ply` files here"));
    }
    let steps = numbered.windows(2).map(|pair| (pair[0].0, pair[1].0));
    let step = steps.clone().next().map_or(1, |(a, b)| b - a);
    for (a, b) in steps {
        if b == a {
            return Err(ReadError::file(file, format!("two files have the number {a}: keep one")));
        }
        if b - a != step {
            let problem = format!("number {b} follows {a}, but the others are {step} apart");
            return Err(ReadError::file(file, problem));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
