//! PNG files.

use super::OutputError;
use super::whole_file::write_whole;
use crate::Image;
use std::io::Cursor;
use std::path::Path;

impl Image {
    /// The picture as the bytes of a PNG file (fast compression).
    pub fn encode_png(&self) -> Result<Vec<u8>, OutputError> {
        let failed = |e: png::EncodingError| OutputError::Encode {
            format: "PNG",
            reason: e.to_string(),
        };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(self.pixels()).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }

    /// Writes the picture as a PNG file, whole or not at all.
    pub fn write_png(&self, path: &Path) -> Result<(), OutputError> {
        write_whole(path, &self.encode_png()?)
    }

    /// Reads an 8-bit RGB picture from the bytes of a PNG file.
    pub fn decode_png(bytes: &[u8]) -> Result<Self, OutputError> {
        let failed = |reason: String| OutputError::Decode { reason };
        let decoder = png::Decoder::new(Cursor::new(bytes));
        let mut reader = decoder.read_info().map_err(|e| failed(e.to_string()))?;
        if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
            return Err(failed("its colours are not 8-bit RGB".to_owned()));
        }
        let (width, height) = reader.info().size();
        // Deflate packs at most about 1032 bytes into one; more is a broken header.
        let size = reader
            .output_buffer_size()
            .filter(|&s| s / 1040 <= bytes.len());
        let size = size.ok_or_else(|| failed("it is shorter than its size says".to_owned()))?;
        let mut pixels = vec![0; size];
        reader
            .next_frame(&mut pixels)
            .map_err(|e| failed(e.to_string()))?;
        Self::from_pixels(width, height, pixels)
            .ok_or_else(|| failed("its size does not match its data".to_owned()))
    }
}
