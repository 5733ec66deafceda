//! Point caches (PC2, MDD): a header and then the positions of every frame, in single precision.

use super::ReadError;
use muslin::math::Vec3;

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

impl PointCache<'_> {
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
        let bytes = &self.points[frame * stride..(frame + 1) * stride];
        let numbers = |chunk: &[u8]| {
            let mut xyz = chunk.chunks_exact(4).map(|b| self.order.f32([b[0], b[1], b[2], b[3]]));
            let mut next = || f64::from(xyz.next().unwrap_or(f32::NAN));
            Vec3::new(next(), next(), next())
        };
        Some(bytes.chunks_exact(12).map(numbers).collect())
    }
}

/// Reads fixed-size numbers from the front of a header.
pub(super) struct Header<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) order: ByteOrder,
    pub(super) file: &'a str,
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
        let found = self.bytes.len() - self.at;
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
