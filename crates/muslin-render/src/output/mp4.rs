//! MP4 movies through the program ffmpeg.

use super::whole_file::WholeFile;
use super::{OutputError, check_frame_rate};
use crate::Image;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Sends frames to an ffmpeg process, which makes an H.264 movie of them.
///
/// Dropped before [`Mp4Writer::finish`], it stops ffmpeg and leaves no file.
#[derive(Debug)]
pub struct Mp4Writer {
    file: WholeFile,
    ffmpeg: Child,
    size: (u32, u32),
    frame_count: usize,
}

impl Mp4Writer {
    /// Starts ffmpeg for a movie of `width` × `height` [pixels].
    pub fn create(
        path: &Path,
        (width, height): (u32, u32),
        frames_per_second: f64,
    ) -> Result<Self, OutputError> {
        Self::create_with("ffmpeg", path, (width, height), frames_per_second)
    }

    pub(super) fn create_with(
        program: &str,
        path: &Path,
        size: (u32, u32),
        frames_per_second: f64,
    ) -> Result<Self, OutputError> {
        check_frame_rate(frames_per_second)?;
        let file = WholeFile::new(path);
        match encoder_command(program, &file, size, frames_per_second).spawn() {
            Ok(ffmpeg) => Ok(Self {
                file,
                ffmpeg,
                size,
                frame_count: 0,
            }),
            Err(e) if e.kind() == ErrorKind::NotFound => Err(OutputError::NoFfmpeg {
                path: path.to_owned(),
            }),
            Err(e) => Err(OutputError::Ffmpeg {
                path: path.to_owned(),
                reason: e.to_string(),
            }),
        }
    }

    /// Adds a frame of the movie's size.
    pub fn push(&mut self, frame: &Image) -> Result<(), OutputError> {
        if (frame.width(), frame.height()) != self.size {
            return Err(OutputError::FrameSize {
                path: self.file.path().to_owned(),
                frame: self.frame_count,
                width: frame.width(),
                height: frame.height(),
                movie_width: self.size.0,
                movie_height: self.size.1,
            });
        }
        let written = match self.ffmpeg.stdin.as_mut() {
            Some(pipe) => pipe.write_all(frame.pixels()),
            None => Err(ErrorKind::BrokenPipe.into()),
        };
        self.frame_count += 1;
        // A closed pipe means that ffmpeg has stopped; what it printed says more than the pipe.
        written.map_err(|e| self.failure(&e.to_string()))
    }

    /// Waits for ffmpeg and gives the movie its name.
    pub fn finish(mut self) -> Result<(), OutputError> {
        if self.frame_count == 0 {
            return Err(OutputError::NoFrames {
                path: self.file.path().to_owned(),
            });
        }
        drop(self.ffmpeg.stdin.take());
        let message = self.message();
        let status = self.ffmpeg.wait().map_err(|e| self.file.error(e))?;
        if !status.success() {
            return Err(self.failure(&message.unwrap_or_else(|| status.to_string())));
        }
        let path = self.file.path().to_owned();
        std::mem::replace(&mut self.file, WholeFile::new(&path)).finish()
    }

    /// The last line that ffmpeg printed; waits until it closes its output.
    fn message(&mut self) -> Option<String> {
        let mut text = Vec::new();
        self.ffmpeg.stderr.take()?.read_to_end(&mut text).ok()?;
        let text = String::from_utf8_lossy(&text);
        text.lines()
            .map(str::trim)
            .rfind(|line| !line.is_empty())
            .map(str::to_owned)
    }

    fn failure(&mut self, otherwise: &str) -> OutputError {
        drop(self.ffmpeg.stdin.take());
        let reason = self.message().unwrap_or_else(|| otherwise.to_owned());
        OutputError::Ffmpeg {
            path: self.file.path().to_owned(),
            reason,
        }
    }
}

/// The encoder: raw frames on standard input, H.264 in the file's temporary name.
fn encoder_command(
    program: &str,
    file: &WholeFile,
    (width, height): (u32, u32),
    frames_per_second: f64,
) -> Command {
    let (size, rate) = (format!("{width}x{height}"), frames_per_second.to_string());
    let mut command = Command::new(program);
    command
        .args([
            "-loglevel",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
        ])
        .args(["-s", &size, "-r", &rate, "-i", "-", "-an"])
        .args([
            "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p",
        ])
        // Half-resolution colour needs even sides; players expect the BT.709 matrix.
        .args([
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709",
        ])
        .args(["-colorspace", "bt709", "-color_primaries", "bt709"])
        .args([
            "-color_trc",
            "iec61966-2-1",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
        ])
        .arg(file.temporary())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

impl Drop for Mp4Writer {
    fn drop(&mut self) {
        // Both fail only where ffmpeg has ended already.
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}
