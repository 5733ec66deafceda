//! How the picture is made.

use crate::Color;

/// Size, quality and studio of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Width of the picture [pixels].
    pub width: u32,
    /// Height of the picture [pixels].
    pub height: u32,
    /// Rays through each pixel on a silhouette or crease (anti-aliasing).
    pub samples: u32,
    /// Rays per pixel that measure the light of the dome. Eight give up to 512 effective rays,
    /// because each block of 8 × 8 pixels shares one well-spread set.
    pub ambient_occlusion_samples: u32,
    /// Rays per pixel towards the key light, shared in the same way.
    pub soft_shadow_samples: u32,
    /// What is behind everything.
    pub background: Background,
    /// The floor, if any.
    pub ground: Option<Ground>,
    /// The main lamp.
    pub key_light: KeyLight,
    /// Factor on all light that falls on surfaces; 1 is the studio's normal exposure.
    pub exposure: f32,
}

/// A vertical gradient behind the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// Colour at the top of the picture.
    pub top: Color,
    /// Colour at the bottom of the picture.
    pub bottom: Color,
}

/// An infinite floor, perpendicular to the camera's up direction, that fades into the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height along the camera's up direction [m].
    pub height: f64,
    /// Colour where nothing shades it.
    pub color: Color,
}

/// The main lamp: far away, round, and placed relative to the camera as in a studio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyLight {
    /// Angle around the up direction [rad]: 0 is behind the camera, positive is to its left.
    pub azimuth: f64,
    /// Height above the horizon [rad].
    pub elevation: f64,
    /// Half the angle under which the lamp is seen [rad], 0 … 1: 0 gives hard shadows.
    pub radius: f64,
}

impl Settings {
    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height.max(1))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            samples: 8,
            ambient_occlusion_samples: 8,
            soft_shadow_samples: 4,
            background: Background::default(),
            ground: None,
            key_light: KeyLight::default(),
            exposure: 1.0,
        }
    }
}

impl Default for Background {
    /// A warm light grey, a little darker at the top.
    fn default() -> Self {
        Self {
            top: Color::from_srgb8(196, 190, 183),
            bottom: Color::from_srgb8(231, 227, 221),
        }
    }
}

impl Ground {
    /// A floor in the default colour at `height` [m].
    pub fn at(height: f64) -> Self {
        Self {
            height,
            color: Color::from_srgb8(228, 224, 218),
        }
    }
}

impl Default for KeyLight {
    fn default() -> Self {
        Self {
            azimuth: 1.15,
            elevation: 0.72,
            radius: 0.12,
        }
    }
}
