//! The passes of a picture, in order.

mod check;

use crate::color::encode_srgb;
use crate::shade::filter::{FLOOR, Film, NOTHING, Texel};
use crate::shade::geometry::{Geometry, SurfacePoint};
use crate::shade::look::{backdrop_color, floor_color, surface_color, tone_map};
use crate::shade::sampling::{dither, net_point};
use crate::shade::studio::{Gather, Light, Studio};
use crate::shade::view::View;
use crate::trace::{Hit, Ray, Tracer};
use crate::{Camera, Color, Image, Settings, Surface, Vec3f};
pub use check::RenderError;
use rayon::prelude::*;

/// Draws the surfaces. The same input gives the same bytes on any number of threads.
pub fn render(
    surfaces: &[Surface],
    camera: &Camera,
    settings: &Settings,
) -> Result<Image, RenderError> {
    render_until(surfaces, camera, settings, &|| false)
}

/// Draws the surfaces, unless `stopped` says so before the end: it is asked for every row of pixels.
pub fn render_until(
    surfaces: &[Surface],
    camera: &Camera,
    settings: &Settings,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Image, RenderError> {
    check::check(surfaces, camera, settings)?;
    let view = View::new(camera, settings);
    let geometry = Geometry::new(surfaces, &view);
    let studio = Studio::new(settings, &view);
    let painter = Painter { settings, view, geometry, studio, stopped };
    let mut film = painter.expose();
    if !stopped() {
        film.smooth(&painter.view);
    }
    let image = painter.develop(&film);
    if stopped() { Err(RenderError::Stopped) } else { Ok(image) }
}

/// Everything the passes read.
struct Painter<'a> {
    settings: &'a Settings,
    view: View,
    geometry: Geometry,
    studio: Studio,
    /// Whether the rows that are left are wanted no more.
    stopped: &'a (dyn Fn() -> bool + Sync),
}

/// What a ray sees.
enum Seen {
    Surface(SurfacePoint, Hit),
    Floor(Vec3f, f32),
    Backdrop,
}

impl Seen {
    fn texel(&self, up: Vec3f) -> Texel {
        match self {
            Self::Surface(point, hit) => {
                Texel { normal: point.normal, depth: hit.t, side: point.side, hit: Some(*hit) }
            }
            Self::Floor(_, depth) => Texel { normal: up, depth: *depth, side: FLOOR, hit: None },
            Self::Backdrop => Texel { normal: up, depth: f32::INFINITY, side: NOTHING, hit: None },
        }
    }
}

impl Painter<'_> {
    /// First pass: what every pixel sees, and its share of the light measurements.
    fn expose(&self) -> Film {
        let width = self.settings.width as usize;
        let count = width * self.settings.height as usize;
        let mut texels = vec![Seen::Backdrop.texel(self.view.up); count];
        let mut light = vec![Light::ZERO; count];
        texels.par_chunks_mut(width).zip(light.par_chunks_mut(width)).enumerate().for_each(
            |(y, (texels, light))| {
                if (self.stopped)() {
                    return;
                }
                let mut tracer = Tracer::new(&self.geometry.bvh);
                for x in 0..width {
                    let seen = self.look(&self.view.pixel_ray(x, y), &mut tracer);
                    texels[x] = seen.texel(self.view.up);
                    light[x] = self.measure(&seen, (x, y), &mut tracer);
                }
            },
        );
        Film { width, texels, light }
    }

    /// Last pass: colours, with more rays through pixels on edges.
    fn develop(&self, film: &Film) -> Image {
        let width = film.width;
        let mut image = Image::new(self.settings.width, self.settings.height, Color::BLACK);
        image.pixels_mut().par_chunks_mut(width * 3).enumerate().for_each(|(y, row)| {
            if (self.stopped)() {
                return;
            }
            let mut tracer = Tracer::new(&self.geometry.bvh);
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let color = if self.settings.samples > 1 && film.is_edge(x, y, &self.view) {
                    self.edge_color(film, (x, y), &mut tracer)
                } else {
                    self.center_color(film, x, y)
                };
                // Half a code value of dither hides the steps of smooth gradients.
                let noise = 0.5 + dither(x, y);
                for (byte, c) in pixel.iter_mut().zip([color.r, color.g, color.b]) {
                    *byte = (encode_srgb(c) * 255.0 + noise) as u8;
                }
            }
        });
        image
    }

    /// The colour in the middle of a pixel, from what the first pass saw there.
    fn center_color(&self, film: &Film, x: usize, y: usize) -> Color {
        let index = y * film.width + x;
        let texel = &film.texels[index];
        let ray = self.view.pixel_ray(x, y);
        let seen = match texel.hit {
            Some(hit) => Seen::Surface(self.geometry.surface_point(&hit, ray.direction), hit),
            None if texel.side == FLOOR => {
                Seen::Floor(ray.origin + ray.direction * texel.depth, texel.depth)
            }
            None => Seen::Backdrop,
        };
        self.seen_color(&seen, film.light[index], y as f32 + 0.5)
    }

    /// The mean over rays spread through the pixel.
    fn edge_color(&self, film: &Film, pixel: (usize, usize), tracer: &mut Tracer) -> Color {
        let count = self.settings.samples;
        let sum = (0..count)
            .map(|i| {
                // Half a cell up, so that the points are centred in the pixel.
                let at = net_point(i).map(|c| c + 0.5 / count as f32);
                self.ray_color(film, pixel, at, tracer)
            })
            .fold(Color::BLACK, |sum, c| sum + c);
        sum * (1.0 / count as f32)
    }

    /// Displayed colour along the ray through point `at` (0 … 1) of a pixel.
    fn ray_color(
        &self,
        film: &Film,
        pixel: (usize, usize),
        at: [f32; 2],
        tracer: &mut Tracer,
    ) -> Color {
        let (x, y) = (pixel.0 as f32 + at[0], pixel.1 as f32 + at[1]);
        let seen = self.look(&self.view.ray(x, y), tracer);
        let light = self.borrow_light(film, &seen, pixel, tracer);
        self.seen_color(&seen, light, y)
    }

    /// Displayed colour of what a ray saw at `y` [pixels from the top].
    fn seen_color(&self, seen: &Seen, light: Light, y: f32) -> Color {
        let backdrop = backdrop_color(&self.settings.background, y / self.settings.height as f32);
        let color = match (seen, &self.settings.ground) {
            (Seen::Surface(point, _), _) => {
                surface_color(point, light, &self.studio, self.view.eye)
            }
            (Seen::Floor(position, _), Some(ground)) => {
                floor_color(ground, *position, light, &self.studio, backdrop, self.view.up)
            }
            _ => backdrop,
        };
        tone_map(color)
    }

    /// The filtered light of the most similar neighbour, or a measurement of its own.
    fn borrow_light(
        &self,
        film: &Film,
        seen: &Seen,
        pixel: (usize, usize),
        tracer: &mut Tracer,
    ) -> Light {
        let position = match seen {
            Seen::Surface(point, _) => point.position,
            Seen::Floor(position, _) => *position,
            Seen::Backdrop => return Light::ZERO,
        };
        film.light_like(&seen.texel(self.view.up), position, pixel, &self.view)
            .unwrap_or_else(|| self.measure(seen, pixel, tracer))
    }

    /// The first thing along a ray from the eye.
    fn look(&self, ray: &Ray, tracer: &mut Tracer) -> Seen {
        let up = self.view.up;
        let floor_depth = self.studio.ground.and_then(|height| {
            let depth = (height - ray.origin.dot(up)) / ray.direction.dot(up);
            (depth > 0.0 && depth.is_finite()).then_some(depth)
        });
        let hit = tracer.nearest(ray);
        match (hit, floor_depth) {
            (Some(hit), floor) if floor.is_none_or(|depth| hit.t <= depth) => {
                Seen::Surface(self.geometry.surface_point(&hit, ray.direction), hit)
            }
            (_, Some(depth)) => Seen::Floor(ray.origin + ray.direction * depth, depth),
            _ => Seen::Backdrop,
        }
    }

    fn measure(&self, seen: &Seen, pixel: (usize, usize), tracer: &mut Tracer) -> Light {
        let place = match seen {
            Seen::Surface(point, _) => Gather {
                position: point.lifted,
                normal: point.normal,
                flat_normal: point.flat_normal,
            },
            Seen::Floor(position, _) => {
                Gather { position: *position, normal: self.view.up, flat_normal: self.view.up }
            }
            Seen::Backdrop => return Light::ZERO,
        };
        self.studio.measure(&place, pixel, tracer)
    }
}

#[cfg(test)]
mod tests;
