//! Animated GIF files.

use super::palette::{Histogram, Palette, UNCHANGED};
use super::whole_file::write_whole;
use super::{OutputError, check_frame_rate};
use crate::Image;
use std::path::{Path, PathBuf};

/// Collects frames and writes an endless animated GIF with one palette for all of them.
///
/// The palette is only known after the last frame, so frames wait in memory, compressed.
/// Unchanged pixels are not stored again.
#[derive(Debug)]
pub struct GifWriter {
    path: PathBuf,
    frames_per_second: f64,
    size: (u32, u32),
    frames: Vec<Vec<u8>>,
}

/// Shortest time between frames that viewers respect [1/100 s].
const SHORTEST_DELAY: u64 = 2;

impl GifWriter {
    /// Starts a movie; nothing is written before [`GifWriter::finish`].
    pub fn create(path: &Path, frames_per_second: f64) -> Result<Self, OutputError> {
        check_frame_rate(frames_per_second)?;
        Ok(Self {
            path: path.to_owned(),
            frames_per_second,
            size: (0, 0),
            frames: Vec::new(),
        })
    }

    /// Adds a frame; all must have the size of the first.
    pub fn push(&mut self, frame: &Image) -> Result<(), OutputError> {
        let size = (frame.width(), frame.height());
        if self.frames.is_empty() {
            if size.0.max(size.1) > u32::from(u16::MAX) || size.0.min(size.1) == 0 {
                let reason = format!("{} x {} pixels is not a GIF size", size.0, size.1);
                return Err(OutputError::Encode {
                    format: "GIF",
                    reason,
                });
            }
            self.size = size;
        } else if size != self.size {
            return Err(OutputError::FrameSize {
                path: self.path.clone(),
                frame: self.frames.len(),
                width: size.0,
                height: size.1,
                movie_width: self.size.0,
                movie_height: self.size.1,
            });
        }
        self.frames.push(frame.encode_png()?);
        Ok(())
    }

    /// Chooses the palette and writes the file, whole or not at all.
    pub fn finish(self) -> Result<(), OutputError> {
        if self.frames.is_empty() {
            return Err(OutputError::NoFrames { path: self.path });
        }
        let bytes = self.encode()?;
        write_whole(&self.path, &bytes)
    }

    fn encode(&self) -> Result<Vec<u8>, OutputError> {
        let failed = |e: gif::EncodingError| OutputError::Encode {
            format: "GIF",
            reason: e.to_string(),
        };
        let mut histogram = Histogram::new();
        for frame in &self.frames {
            histogram.add(&Image::decode_png(frame)?);
        }
        let palette = Palette::new(&histogram);
        let (width, height) = (self.size.0 as u16, self.size.1 as u16);
        let mut bytes = Vec::new();
        let mut encoder =
            gif::Encoder::new(&mut bytes, width, height, &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
        let mut shown: Vec<u8> = Vec::new();
        for (number, delay) in self.schedule() {
            let indices = palette.indices(&Image::decode_png(&self.frames[number])?);
            let mut frame = changed_part(&shown, &indices, self.size.0 as usize);
            frame.delay = delay;
            encoder.write_frame(&frame).map_err(failed)?;
            shown = indices;
        }
        drop(encoder);
        Ok(bytes)
    }

    /// The frames to show, each with its time [1/100 s]. Times are rounded on the common clock,
    /// so they do not drift; frames that would be too short are left out.
    fn schedule(&self) -> Vec<(usize, u16)> {
        let clock = |frame: usize| (100.0 * frame as f64 / self.frames_per_second).round() as u64;
        let mut schedule = Vec::new();
        let mut start = 0;
        while start < self.frames.len() {
            let mut next = start + 1;
            while next < self.frames.len() && clock(next) - clock(start) < SHORTEST_DELAY {
                next += 1;
            }
            let delay = (clock(next) - clock(start)).clamp(SHORTEST_DELAY, u64::from(u16::MAX));
            schedule.push((start, delay as u16));
            start = next;
        }
        schedule
    }
}

/// The smallest rectangle that holds all changes, with unchanged pixels in it left transparent.
fn changed_part(before: &[u8], after: &[u8], width: usize) -> gif::Frame<'static> {
    let height = after.len() / width;
    let changed = |x: usize, y: usize| {
        let i = y * width + x;
        before.get(i) != Some(&after[i])
    };
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for y in 0..height {
        for x in (0..width).filter(|&x| changed(x, y)) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if right == 0 {
        // A frame must have a pixel.
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
    for y in top..bottom {
        buffer.extend((left..right).map(|x| {
            if changed(x, y) {
                after[y * width + x]
            } else {
                UNCHANGED
            }
        }));
    }
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        transparent: Some(UNCHANGED),
        dispose: gif::DisposalMethod::Keep,
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}
