//! Finished pictures.

use crate::Color;
use crate::font::{ADVANCE, GLYPH_HEIGHT, GLYPH_WIDTH, is_ink};

/// A picture: rows from the top, three sRGB bytes per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour, `width` × `height` [pixels].
    pub fn new(width: u32, height: u32, color: Color) -> Self {
        let pixels = color.to_srgb8().repeat(width as usize * height as usize);
        Self {
            width,
            height,
            pixels,
        }
    }

    /// A picture from sRGB bytes, or `None` where their number is not 3 × width × height.
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<u8>) -> Option<Self> {
        let size = (width as usize)
            .checked_mul(height as usize)?
            .checked_mul(3)?;
        (pixels.len() == size).then_some(Self {
            width,
            height,
            pixels,
        })
    }

    /// Width [pixels].
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height [pixels].
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The sRGB bytes: rows from the top, red, green, blue.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// The sRGB bytes of the pixel `x` from the left, `y` from the top, or `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let at = self.offset(i64::from(x), i64::from(y))?;
        Some([self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]])
    }

    fn offset(&self, x: i64, y: i64) -> Option<usize> {
        let inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then(|| 3 * (y as usize * self.width as usize + x as usize))
    }

    /// Fills a rectangle with its top left corner at (x, y) [pixels], clipped to the picture.
    pub fn fill_rectangle(
        &mut self,
        (x, y): (i64, i64),
        (width, height): (u32, u32),
        color: Color,
    ) {
        let clip = |start: i64, length: u32, limit: u32| {
            let end = start
                .saturating_add(i64::from(length))
                .min(i64::from(limit));
            start.max(0)..end
        };
        let bytes = color.to_srgb8();
        for py in clip(y, height, self.height) {
            for px in clip(x, width, self.width) {
                if let Some(at) = self.offset(px, py) {
                    self.pixels[at..at + 3].copy_from_slice(&bytes);
                }
            }
        }
    }

    /// Copies `other` with its top left corner at (x, y) [pixels], clipped to the picture.
    pub fn draw_image(&mut self, (x, y): (i64, i64), other: &Self) {
        for row in 0..i64::from(other.height) {
            for column in 0..i64::from(other.width) {
                let target = self.offset(x.saturating_add(column), y.saturating_add(row));
                if let (Some(to), Some(from)) = (target, other.offset(column, row)) {
                    self.pixels[to..to + 3].copy_from_slice(&other.pixels[from..from + 3]);
                }
            }
        }
    }

    /// Writes one line of text with its top left corner at (x, y) [pixels], clipped to the picture.
    ///
    /// A glyph is 5 × 8 dots of `scale` × `scale` pixels. Characters outside printable ASCII show
    /// as a box.
    pub fn draw_text(&mut self, (x, y): (i64, i64), text: &str, scale: u32, color: Color) {
        let size = i64::from(scale);
        for (number, character) in text.chars().enumerate() {
            let left = x + (number * ADVANCE) as i64 * size;
            if left >= i64::from(self.width) {
                break;
            }
            for dot in 0..GLYPH_WIDTH * GLYPH_HEIGHT {
                let (dx, dy) = (dot % GLYPH_WIDTH, dot / GLYPH_WIDTH);
                if is_ink(character, dx, dy) {
                    let corner = (left + dx as i64 * size, y + dy as i64 * size);
                    self.fill_rectangle(corner, (scale, scale), color);
                }
            }
        }
    }

    /// Width and height of a line of text as [`Image::draw_text`] draws it [pixels].
    pub fn text_size(text: &str, scale: u32) -> (u32, u32) {
        let dots = (text.chars().count() * ADVANCE).saturating_sub(1) as u32;
        (
            dots.saturating_mul(scale),
            (GLYPH_HEIGHT as u32).saturating_mul(scale),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_covers_its_size_and_nothing_else() {
        let mut image = Image::new(60, 40, Color::BLACK);
        // H has ink in its first and last column; its lowest row is the seventh.
        image.draw_text((10, 5), "HH", 2, Color::WHITE);
        let ink: Vec<(u32, u32)> = (0..60 * 40)
            .map(|i| (i % 60, i / 60))
            .filter(|&(x, y)| image.pixel(x, y) == Some([255; 3]))
            .collect();
        let (width, height) = Image::text_size("HH", 2);
        assert_eq!((width, height), (22, 16));
        assert_eq!(ink.iter().map(|p| p.0).min(), Some(10));
        assert_eq!(ink.iter().map(|p| p.0).max(), Some(10 + width - 1));
        assert_eq!(ink.iter().map(|p| p.1).min(), Some(5));
        assert_eq!(ink.iter().map(|p| p.1).max(), Some(5 + 14 - 1));
        // Two H of 17 dots, each 2 × 2 pixels.
        assert_eq!(ink.len(), 2 * 17 * 4);
    }

    #[test]
    fn drawing_outside_is_clipped() {
        let mut image = Image::new(4, 4, Color::BLACK);
        image.draw_text((-3, -3), "W#", 1, Color::WHITE);
        image.fill_rectangle((i64::MAX - 1, 0), (9, 9), Color::WHITE);
        image.draw_image((2, 2), &Image::new(9, 9, Color::WHITE));
        assert_eq!(image.pixel(3, 3), Some([255; 3]));
        assert_eq!(image.pixel(1, 3), Some([0; 3]));
        assert_eq!(image.pixel(4, 0), None);
        assert_eq!(Image::from_pixels(2, 2, vec![0; 11]), None);
    }
}
