//! Point caches (PC2, MDD): a header and then the positions of every frame, in single precision.

use super::{ReadError, extension, mdd, pc2};
use muslin::math::Vec3;
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    pub(super) fn f32(self, bytes: [u8; 4]) -> f32 {
        match self {
            Self::Little => f32::from_le_bytes(bytes),
            Self::Big => f32::from_be_bytes(bytes),
        }
    }

    pub(super) fn i32(self, bytes: [u8; 4]) -> i32 {
        match self {
            Self::Little => i32::from_le_bytes(bytes),
            Self::Big => i32::from_be_bytes(bytes),
        }
    }
}

/// A point cache over the bytes of its file. The axes are those of the program that wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCache<'a> {
    /// The number of vertices in every frame.
    pub vertex_count: usize,
    /// The moment of every frame: seconds in MDD, frame numbers in PC2.
    pub times: Vec<f32>,
    pub(super) order: ByteOrder,
    pub(super) points: &'a [u8],
}

/// What the header of a point cache says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub(super) vertex_count: usize,
    pub(super) times: Vec<f32>,
    pub(super) order: ByteOrder,
    /// Where the positions start [bytes].
    pub(super) start: usize,
}

impl<'a> PointCache<'a> {
    pub(super) fn over(layout: Layout, bytes: &'a [u8]) -> Self {
        let Layout { vertex_count, times, order, start } = layout;
        Self { vertex_count, times, order, points: &bytes[start..] }
    }

    /// The number of frames.
    pub fn frame_count(&self) -> usize {
        self.times.len()
    }

    /// The positions of a frame, or `None` past the last.
    pub fn positions(&self, frame: usize) -> Option<Vec<Vec3>> {
        if frame >= self.frame_count() {
            return None;
        }
        let stride = self.vertex_count * 12;
        Some(decode(&self.points[frame * stride..(frame + 1) * stride], self.order))
    }
}

/// A point cache on disk, read frame by frame.
#[derive(Debug, Clone)]
pub struct PointCacheFile {
    path: PathBuf,
    layout: Layout,
}

impl PointCacheFile {
    /// Reads the header of a `.pc2` or `.mdd` file and checks it against the size of the file.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let fail = |source| ReadError::Io { file: name.clone(), source };
        let mut file = File::open(path).map_err(fail)?;
        let total = file.metadata().map_err(fail)?.len() as usize;
        let is_mdd = extension(path) == "mdd";
        let mut bytes = Vec::new();
        let short = if is_mdd { mdd::TIMES_AT } else { pc2::HEADER_BYTES };
        file.by_ref().take(short).read_to_end(&mut bytes).map_err(fail)?;
        let layout = if is_mdd {
            // The times of all frames are part of the header.
            let times = mdd::time_bytes(&bytes).min(total as u64);
            file.take(times).read_to_end(&mut bytes).map_err(fail)?;
            mdd::layout(&bytes, total, &name)?
        } else {
            pc2::layout(&bytes, total, &name)?
        };
        Ok(Self { path: path.into(), layout })
    }

    /// The number of vertices in every frame.
    pub fn vertex_count(&self) -> usize {
        self.layout.vertex_count
    }

    /// The moment of every frame: seconds in MDD, frame numbers in PC2.
    pub fn times(&self) -> &[f32] {
        &self.layout.times
    }

    /// The positions of a frame, which counts from 0 and is less than the number of times.
    pub fn positions(&self, frame: usize) -> Result<Vec<Vec3>, ReadError> {
        let name = self.path.display().to_string();
        let fail = |source| ReadError::Io { file: name.clone(), source };
        let stride = self.layout.vertex_count * 12;
        let mut bytes = vec![0; stride];
        let mut file = File::open(&self.path).map_err(fail)?;
        let start = self.layout.start + frame * stride;
        file.seek(SeekFrom::Start(start as u64)).map_err(fail)?;
        file.read_exact(&mut bytes).map_err(fail)?;
        let positions = decode(&bytes, self.layout.order);
        match positions.iter().position(|x| !x.is_finite()) {
            None => Ok(positions),
            Some(vertex) => {
                let problem = format!("vertex {vertex} of frame {frame} is not finite: repair it");
                Err(ReadError::byte(&name, start + 12 * vertex, problem))
            }
        }
    }
}

fn decode(bytes: &[u8], order: ByteOrder) -> Vec<Vec3> {
    let numbers = |chunk: &[u8]| {
        let mut xyz = chunk.chunks_exact(4).map(|b| order.f32([b[0], b[1], b[2], b[3]]));
        let mut next = || f64::from(xyz.next().unwrap_or(f32::NAN));
        Vec3::new(next(), next(), next())
    };
    bytes.chunks_exact(12).map(numbers).collect()
}

/// Reads fixed-size numbers from the front of a header.
pub(super) struct Header<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) order: ByteOrder,
    pub(super) file: &'a str,
    /// Bytes of the whole file, of which `bytes` may be only the start.
    pub(super) total: usize,
}

impl Header<'_> {
    fn four(&mut self, what: &str) -> Result<[u8; 4], ReadError> {
        let found = self.bytes.get(self.at..self.at + 4).and_then(|b| b.try_into().ok());
        let problem = || format!("the file ends before the {what}: copy or export it again");
        let four = found.ok_or_else(|| ReadError::byte(self.file, self.at, problem()))?;
        self.at += 4;
        Ok(four)
    }

    pub(super) fn f32(&mut self, what: &str) -> Result<f32, ReadError> {
        let four = self.four(what)?;
        Ok(self.order.f32(four))
    }

    pub(super) fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        let four = self.four(what)?;
        let count = self.order.i32(four);
        usize::try_from(count).ok().filter(|&count| count > 0).ok_or_else(|| {
            let problem = format!("the {what} is {count}, but it must be positive");
            ReadError::byte(self.file, self.at - 4, problem)
        })
    }

    /// Checks that exactly `frames × per_frame` bytes follow.
    pub(super) fn rest(&self, frames: usize, per_frame: usize) -> Result<(), ReadError> {
        let found = self.total - self.at;
        let expected = (frames as u128) * (per_frame as u128);
        if found as u128 == expected {
            return Ok(());
        }
        let problem = format!(
            "{found} bytes follow the header, but its counts ask for {expected}: \
             copy or export the file again"
        );
        Err(ReadError::byte(self.file, self.at, problem))
    }
}

/// The bytes of positions as single-precision numbers.
pub(super) fn encode(positions: &[Vec3], order: ByteOrder, out: &mut Vec<u8>) {
    out.clear();
    for number in positions.iter().flat_map(|p| p.as_vec3().to_array()) {
        out.extend(match order {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        });
    }
}
