//! The camera in the renderer's units: target at the origin, one unit from the eye.

use crate::trace::Ray;
use crate::{Camera, Settings, Vec3f};
use muslin::math::Vec3;

/// Converts world positions and makes the rays of pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    origin: Vec3,
    /// Metres per renderer unit.
    scale: f64,
    pub eye: Vec3f,
    pub forward: Vec3f,
    pub right: Vec3f,
    pub up_in_picture: Vec3f,
    /// The world's up.
    pub up: Vec3f,
    /// Half the picture's height at depth 1.
    slope: f32,
    width: f32,
    height: f32,
}

impl View {
    pub fn new(camera: &Camera, settings: &Settings) -> Self {
        let axes = camera.axes();
        let distance = camera.eye.distance(camera.target);
        let scale = if distance > 0.0 { distance } else { 1.0 };
        Self {
            origin: camera.target,
            scale,
            eye: ((camera.eye - camera.target) / scale).as_vec3(),
            forward: axes.forward.as_vec3(),
            right: axes.right.as_vec3(),
            up_in_picture: axes.up.as_vec3(),
            up: muslin::math::try_normalize(camera.up)
                .unwrap_or(Vec3::Z)
                .as_vec3(),
            slope: (0.5 * camera.vertical_fov).tan() as f32,
            width: settings.width as f32,
            height: settings.height as f32,
        }
    }

    /// A world position [m] in renderer units.
    pub fn local(&self, position: Vec3) -> Vec3f {
        ((position - self.origin) / self.scale).as_vec3()
    }

    /// Height [m] along the world's up in renderer units.
    pub fn local_height(&self, height: f64) -> f32 {
        ((height - self.origin.dot(self.up.as_dvec3())) / self.scale) as f32
    }

    /// The ray through picture point (x, y) [pixels from the top left corner]. Its parameter is
    /// the depth along the view.
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let per_pixel = 2.0 * self.slope / self.height;
        let direction = self.forward
            + self.right * ((x - 0.5 * self.width) * per_pixel)
            + self.up_in_picture * ((0.5 * self.height - y) * per_pixel);
        Ray {
            origin: self.eye,
            direction,
        }
    }

    /// The ray through the middle of pixel (x, y).
    pub fn pixel_ray(&self, x: usize, y: usize) -> Ray {
        self.ray(x as f32 + 0.5, y as f32 + 0.5)
    }

    /// Width of a pixel at depth 1.
    pub fn pixel_size(&self) -> f32 {
        2.0 * self.slope / self.height
    }
}
