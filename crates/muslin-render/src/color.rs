//! Colours: linear light inside, sRGB bytes outside.

use std::ops::{Add, Mul};

/// A colour in linear light with the sRGB primaries; 1 is display white.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Color {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
}

impl Color {
    /// White.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0);
    /// Black.
    pub const BLACK: Self = Self::new(0.0, 0.0, 0.0);

    /// A colour from linear components.
    pub const fn new(r: f32, g: f32, b: f32) -> Self {
        Self { r, g, b }
    }

    /// A colour from the sRGB bytes of an image editor or web page.
    pub fn from_srgb8(r: u8, g: u8, b: u8) -> Self {
        Self::new(decode_srgb(r), decode_srgb(g), decode_srgb(b))
    }

    /// The nearest sRGB bytes; components outside 0 … 1 are clamped.
    pub fn to_srgb8(self) -> [u8; 3] {
        [self.r, self.g, self.b].map(|c| (encode_srgb(c) * 255.0 + 0.5) as u8)
    }

    /// Relative luminance (Rec. 709 weights).
    pub fn luminance(self) -> f32 {
        0.2126 * self.r + 0.7152 * self.g + 0.0722 * self.b
    }

    /// The mixture `(1 − t) self + t other`.
    #[must_use]
    pub fn mix(self, other: Self, t: f32) -> Self {
        self * (1.0 - t) + other * t
    }

    /// The product of each component with that of `other`: light on a surface.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self::new(self.r * other.r, self.g * other.g, self.b * other.b)
    }

    /// OKLab coordinates (lightness, green–red, blue–yellow), in which equal steps look equal
    /// (B. Ottosson, "A perceptual color space for image processing", 2020).
    pub(crate) fn to_oklab(self) -> [f32; 3] {
        let l = (0.412_221_46 * self.r + 0.536_332_55 * self.g + 0.051_445_995 * self.b).cbrt();
        let m = (0.211_903_5 * self.r + 0.680_699_5 * self.g + 0.107_396_96 * self.b).cbrt();
        let s = (0.088_302_46 * self.r + 0.281_718_85 * self.g + 0.629_978_7 * self.b).cbrt();
        [
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        ]
    }

    /// The inverse of [`Color::to_oklab`].
    pub(crate) fn from_oklab([lightness, a, b]: [f32; 3]) -> Self {
        let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
        let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
        let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
        Self::new(
            4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
            -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
            -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
        )
    }
}

impl Add for Color {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.r + other.r, self.g + other.g, self.b + other.b)
    }
}

impl Mul<f32> for Color {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self::new(self.r * factor, self.g * factor, self.b * factor)
    }
}

/// The sRGB transfer function, light to code value, both 0 … 1 (clamped; NaN gives 0).
pub(crate) fn encode_srgb(linear: f32) -> f32 {
    let c = if linear.is_nan() {
        0.0
    } else {
        linear.clamp(0.0, 1.0)
    };
    if c <= 0.003_130_8 {
        12.92 * c
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}

fn decode_srgb(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.040_45 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_decoding_and_encoding() {
        for byte in 0..=255 {
            assert_eq!(Color::from_srgb8(byte, byte, byte).to_srgb8(), [byte; 3]);
        }
    }

    #[test]
    fn middle_grey_of_srgb_is_about_a_fifth_of_the_light() {
        // IEC 61966-2-1: code 0.5 is ((0.5 + 0.055)/1.055)^2.4 = 0.2140.
        assert!((encode_srgb(0.214_041) - 0.5).abs() < 1e-5);
        assert_eq!(encode_srgb(f32::NAN), 0.0);
    }

    #[test]
    fn oklab_has_white_at_lightness_one_and_inverts() {
        let white = Color::WHITE.to_oklab();
        assert!((white[0] - 1.0).abs() < 1e-4 && white[1].abs() < 1e-4 && white[2].abs() < 1e-4);
        let color = Color::from_srgb8(40, 120, 200);
        let back = Color::from_oklab(color.to_oklab());
        assert!(
            (back.r - color.r).abs() + (back.g - color.g).abs() + (back.b - color.b).abs() < 1e-4
        );
    }
}
