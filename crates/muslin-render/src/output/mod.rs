//! Pictures and movies as files. Every file appears whole or not at all.

mod gif;
mod mp4;
mod palette;
mod png;
mod whole_file;

pub use gif::GifWriter;
pub use mp4::Mp4Writer;

use std::path::PathBuf;

/// Why a picture or movie could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file system said no.
    #[error("cannot write {}: {source}; check that the folder exists and has room", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A picture could not be turned into a file format.
    #[error("cannot encode the picture as {format}: {reason}; choose another size or format")]
    Encode {
        /// Name of the format.
        format: &'static str,
        /// What the encoder said.
        reason: String,
    },
    /// Bytes that are not a PNG picture of this kind.
    #[error("cannot read the PNG picture: {reason}; give an 8-bit RGB file as Muslin writes them")]
    Decode {
        /// What the decoder said.
        reason: String,
    },
    /// Frames of different sizes in one movie.
    #[error(
        "frame {frame} of {} is {width} x {height} pixels but the movie is {movie_width} x \
         {movie_height}; give all frames the same size", path.display()
    )]
    FrameSize {
        /// The movie.
        path: PathBuf,
        /// Number of the frame, from 0.
        frame: usize,
        /// Its width [pixels].
        width: u32,
        /// Its height [pixels].
        height: u32,
        /// Width of the movie [pixels].
        movie_width: u32,
        /// Height of the movie [pixels].
        movie_height: u32,
    },
    /// A frame rate that is zero, negative or not finite.
    #[error("{frames_per_second} frames per second is not a frame rate; give a number above 0")]
    FrameRate {
        /// The asked rate [1/s].
        frames_per_second: f64,
    },
    /// A movie without frames.
    #[error("{} would have no frames; give at least one", path.display())]
    NoFrames {
        /// The movie.
        path: PathBuf,
    },
    /// No ffmpeg to make MP4 files with.
    #[error(
        "cannot write {}: MP4 needs the program ffmpeg, which is not on the PATH; \
         install it or write a .gif instead", path.display()
    )]
    NoFfmpeg {
        /// The movie.
        path: PathBuf,
    },
    /// ffmpeg started but failed.
    #[error(
        "ffmpeg could not make {}: {reason}; check its installation or write a .gif instead",
        path.display()
    )]
    Ffmpeg {
        /// The movie.
        path: PathBuf,
        /// The last line it printed.
        reason: String,
    },
}

fn check_frame_rate(frames_per_second: f64) -> Result<(), OutputError> {
    if frames_per_second.is_finite() && frames_per_second > 0.0 {
        Ok(())
    } else {
        Err(OutputError::FrameRate { frames_per_second })
    }
}

#[cfg(test)]
mod tests;
