//! The light of the studio: a key lamp and a dome, measured with rays.

use super::sampling::{BlockSamples, tangent_frame};
use super::view::View;
use crate::trace::{Ray, Tracer};
use crate::{Color, Settings, Vec3f};
use glam::Vec4;

/// Lamp, dome and floor of one picture, in renderer units.
pub(crate) struct Studio {
    up: Vec3f,
    key_direction: Vec3f,
    /// Axes of the lamp's disc, as long as its radius.
    key_disc: (Vec3f, Vec3f),
    fill_direction: Vec3f,
    rim_direction: Vec3f,
    dome_samples: BlockSamples,
    key_samples: BlockSamples,
    /// Height of the floor along `up`.
    pub ground: Option<f32>,
    /// Makes the luminance at an open horizontal place 1, times the exposure.
    normalization: f32,
    /// Light that arrives at an open place of the floor at normal exposure.
    pub open_floor: Color,
}

/// Light at a point: `xyz` from the dome (linear RGB, occlusion and fill included), `w` the part
/// of the key lamp that is visible.
pub(crate) type Light = Vec4;

/// A place that gathers light.
pub(crate) struct Gather {
    pub position: Vec3f,
    pub normal: Vec3f,
    /// Normal of the flat triangle, which rays must leave by.
    pub flat_normal: Vec3f,
}

/// Colour of the key lamp: warm. Its strength is relative to the dome's.
const KEY_COLOR: Color = Color::new(1.86, 1.74, 1.58);
/// Dome straight above, at the horizon, and the broad lamps on it.
const DOME_ZENITH: Color = Color::new(0.50, 0.52, 0.57);
const DOME_HORIZON: Color = Color::new(0.27, 0.275, 0.29);
const FILL_COLOR: Color = Color::new(0.42, 0.46, 0.54);
const RIM_COLOR: Color = Color::new(1.20, 1.14, 1.06);
/// Light that the floor, or the dark below where there is no floor, throws up.
const FLOOR_BOUNCE: Color = Color::new(0.36, 0.34, 0.31);
/// Light that a surface in the way sends on, instead of following more rays.
const SHADE_BOUNCE: Color = Color::new(0.060, 0.056, 0.052);
/// Distance that rays start off their surface, in viewing distances: a tenth of a millimetre for
/// a view from 2 m. Smaller shows rounding (1e-6) as speckles, larger loses contact shadows.
const RAY_START: f32 = 5e-5;

impl Studio {
    pub fn new(settings: &Settings, view: &View) -> Self {
        let up = view.up;
        let back = (-view.forward - up * up.dot(-view.forward)).normalize_or(view.right.cross(up));
        let left = back.cross(up).normalize_or(-view.right);
        let place = |azimuth: f64, elevation: f64| {
            let (sin_a, cos_a) = (azimuth as f32).sin_cos();
            let (sin_e, cos_e) = (elevation as f32).sin_cos();
            (back * cos_a + left * sin_a) * cos_e + up * sin_e
        };
        let key = settings.key_light;
        // A key lamp on the other side mirrors the whole studio.
        let side = 1.0_f64.copysign(key.azimuth);
        let key_direction = place(key.azimuth, key.elevation);
        let (a, b) = tangent_frame(key_direction);
        let radius = (key.radius as f32).clamp(0.0, 1.0).tan();
        let mut studio = Self {
            up,
            key_direction,
            key_disc: (a * radius, b * radius),
            fill_direction: place(key.azimuth - 1.9 * side, 0.35),
            rim_direction: place(key.azimuth + 2.4 * side, 0.6),
            dome_samples: BlockSamples::hemisphere(settings.ambient_occlusion_samples.max(1)),
            key_samples: BlockSamples::disc(settings.soft_shadow_samples.max(1)),
            ground: settings.ground.map(|g| view.local_height(g.height)),
            normalization: 1.0,
            open_floor: Color::BLACK,
        };
        let open = studio.open_floor_light();
        let irradiance = studio.irradiance(open, up).luminance();
        studio.normalization = 1.0 / irradiance;
        studio.open_floor = studio.irradiance(open, up);
        studio.normalization *= settings.exposure;
        studio
    }

    /// Light at an unobstructed place on the floor.
    fn open_floor_light(&self) -> Light {
        let (a, b) = tangent_frame(self.up);
        let directions = self.dome_samples.all();
        let sum = directions
            .iter()
            .map(|d| self.dome(a * d.x + b * d.y + self.up * d.z))
            .fold(Color::BLACK, |sum, c| sum + c);
        let mean = sum * (1.0 / directions.len() as f32);
        Vec4::new(mean.r, mean.g, mean.b, 1.0)
    }

    /// Light of the dome from `direction`; the floor's below the horizon.
    fn dome(&self, direction: Vec3f) -> Color {
        let height = direction.dot(self.up);
        if height < 0.0 {
            return FLOOR_BOUNCE;
        }
        let lobe = |center: Vec3f| direction.dot(center).max(0.0).powi(4);
        DOME_HORIZON.mix(DOME_ZENITH, height)
            + FILL_COLOR * lobe(self.fill_direction)
            + RIM_COLOR * lobe(self.rim_direction)
    }

    /// Measures the light at a place with this pixel's share of the samples.
    pub fn measure(&self, place: &Gather, pixel: (usize, usize), tracer: &mut Tracer) -> Light {
        let origin = place.position + place.flat_normal * RAY_START;
        let (a, b) = tangent_frame(place.normal);
        let directions = self.dome_samples.of_pixel(pixel.0, pixel.1);
        let mut dome = Color::BLACK;
        for d in directions {
            let mut direction = a * d.x + b * d.y + place.normal * d.z;
            let inwards = direction.dot(place.flat_normal).min(0.0);
            direction -= place.flat_normal * (2.0 * inwards);
            let blocked = tracer.occluded(&Ray { origin, direction });
            dome = dome
                + if blocked {
                    SHADE_BOUNCE
                } else {
                    self.dome(direction)
                };
        }
        dome = dome * (1.0 / directions.len() as f32);
        let key = self.key_visibility(origin, place, pixel, tracer);
        Vec4::new(dome.r, dome.g, dome.b, key)
    }

    /// The part of the lamp's disc that is seen from `origin`.
    fn key_visibility(
        &self,
        origin: Vec3f,
        place: &Gather,
        pixel: (usize, usize),
        tracer: &mut Tracer,
    ) -> f32 {
        if place.normal.dot(self.key_direction) <= 0.0 {
            return 0.0;
        }
        let points = self.key_samples.of_pixel(pixel.0, pixel.1);
        let seen = points.iter().filter(|p| {
            let direction = self.key_direction + self.key_disc.0 * p.x + self.key_disc.1 * p.y;
            !tracer.occluded(&Ray { origin, direction })
        });
        seen.count() as f32 / points.len() as f32
    }

    /// Light that arrives on a surface of this normal, in multiples of what an open floor gets.
    pub fn irradiance(&self, light: Light, normal: Vec3f) -> Color {
        let cosine = normal.dot(self.key_direction).max(0.0);
        let dome = Color::new(light.x, light.y, light.z);
        (dome + KEY_COLOR * (cosine * light.w)) * self.normalization
    }

    /// The part of the dome's light that is not blocked, about 0 … 1, for interreflection.
    pub fn openness(light: Light) -> f32 {
        let open = DOME_HORIZON.mix(DOME_ZENITH, 0.5).luminance();
        (Color::new(light.x, light.y, light.z).luminance() / open).min(1.0)
    }
}
