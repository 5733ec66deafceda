//! Joining light measurements across smooth pieces of surface.

use super::studio::Light;
use super::view::View;
use crate::Vec3f;
use crate::trace::Hit;
use rayon::prelude::*;

/// What a pixel sees, as far as the filter must know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texel {
    pub normal: Vec3f,
    /// Depth along the view; infinite where only backdrop is seen.
    pub depth: f32,
    /// Side of a surface, [`FLOOR`] or [`NOTHING`].
    pub side: u32,
    /// Where the surface is hit, if one is.
    pub hit: Option<Hit>,
}

/// `Texel::side` of the floor.
pub(crate) const FLOOR: u32 = u32::MAX - 1;
/// `Texel::side` of the backdrop.
pub(crate) const NOTHING: u32 = u32::MAX;

/// The first two passes' results, row by row from the top.
pub(crate) struct Film {
    pub width: usize,
    pub texels: Vec<Texel>,
    pub light: Vec<Light>,
}

/// One pass of the filter: taps `step` pixels apart.
struct Pass<'a> {
    step: usize,
    /// Weights of a row of taps.
    taps: &'a [f32],
}

/// The first two passes cancel the pattern of the 8 × 8 sample blocks: in the first, every pixel
/// of a 4 × 4 block has the same weight in all (taps −2 and +2 are the same one, at half weight);
/// in the second, both halves of an 8 × 8 block have (taps −4 and +4 are the same). The third
/// removes what is left where light changes within a block.
const PASSES: [Pass; 3] = [
    Pass {
        step: 1,
        taps: &[0.5, 1.0, 1.0, 1.0, 0.5],
    },
    Pass {
        step: 4,
        taps: &[0.5, 1.0, 0.5],
    },
    Pass {
        step: 2,
        taps: &[0.5, 1.0, 0.5],
    },
];
/// Distance off the tangent plane at which a neighbour no longer counts, in pixel widths per step.
const PLANE_TOLERANCE: f32 = 2.5;
/// Step off the tangent plane between neighbours that makes an edge, in pixel widths.
const EDGE_STEP: f32 = 3.0;
/// Cosine of the angle between neighbouring normals below which they make an edge (about 20°).
const EDGE_COSINE: f32 = 0.94;
/// Unlikeness from which light is measured anew rather than borrowed.
const BORROW_LIMIT: f32 = 1.5;

impl Film {
    /// Replaces every measurement by the mean over its like neighbours (joint bilateral filter:
    /// same side, near the tangent plane, similar normal).
    pub fn smooth(&mut self, view: &View) {
        for pass in &PASSES {
            let width = self.width;
            let mut smoothed = vec![Light::ZERO; self.light.len()];
            smoothed
                .par_chunks_mut(width)
                .enumerate()
                .for_each(|(y, row)| {
                    for (x, out) in row.iter_mut().enumerate() {
                        *out = self.smoothed_at((x, y), pass, view);
                    }
                });
            self.light = smoothed;
        }
    }

    fn smoothed_at(&self, (x, y): (usize, usize), pass: &Pass, view: &View) -> Light {
        let index = y * self.width + x;
        let center = &self.texels[index];
        if center.side == NOTHING {
            return Light::ZERO;
        }
        let height = self.texels.len() / self.width;
        let reach = pass.taps.len() / 2 * pass.step;
        let here = view.pixel_ray(x, y).direction * center.depth;
        let tolerance = PLANE_TOLERANCE * view.pixel_size() * center.depth * pass.step as f32;
        let mut sum = Light::ZERO;
        let mut total = 0.0;
        for (j, wy) in pass.taps.iter().enumerate() {
            let row = (y + j * pass.step)
                .checked_sub(reach)
                .filter(|&ny| ny < height);
            let Some(ny) = row else { continue };
            for (i, wx) in pass.taps.iter().enumerate() {
                let column = (x + i * pass.step)
                    .checked_sub(reach)
                    .filter(|&nx| nx < self.width);
                let Some(nx) = column else { continue };
                let texel = &self.texels[ny * self.width + nx];
                if texel.side != center.side {
                    continue;
                }
                let light = self.light[ny * self.width + nx];
                let offset = view.pixel_ray(nx, ny).direction * texel.depth - here;
                let off_plane = offset.dot(center.normal) / tolerance;
                let flatness = (1.0 - off_plane * off_plane).max(0.0);
                let alike = center.normal.dot(texel.normal).max(0.0).powi(8);
                let weight = wx * wy * flatness * alike;
                sum += light * weight;
                total += weight;
            }
        }
        if total > 0.0 {
            sum / total
        } else {
            self.light[index]
        }
    }

    /// True where pixel (x, y) and a neighbour see different things or a crease lies between.
    pub fn is_edge(&self, x: usize, y: usize, view: &View) -> bool {
        let center = &self.texels[y * self.width + x];
        let height = self.texels.len() / self.width;
        let here = view.pixel_ray(x, y).direction * center.depth;
        let tolerance = EDGE_STEP * view.pixel_size() * center.depth;
        for ny in y.saturating_sub(1)..(y + 2).min(height) {
            for nx in x.saturating_sub(1)..(x + 2).min(self.width) {
                let texel = &self.texels[ny * self.width + nx];
                let different = texel.side != center.side;
                // The floor meets the backdrop without a visible line.
                let seamless = center.side.min(texel.side) >= FLOOR;
                if different && !seamless {
                    return true;
                }
                if different || center.side >= FLOOR {
                    continue;
                }
                let offset = view.pixel_ray(nx, ny).direction * texel.depth - here;
                if offset.dot(center.normal).abs() > tolerance
                    || center.normal.dot(texel.normal) < EDGE_COSINE
                {
                    return true;
                }
            }
        }
        false
    }

    /// The smoothed light of the pixel around (x, y) that is most like the given place, or `None`
    /// where no neighbour is.
    pub fn light_like(
        &self,
        like: &Texel,
        position: Vec3f,
        pixel: (usize, usize),
        view: &View,
    ) -> Option<Light> {
        let (x, y) = pixel;
        let height = self.texels.len() / self.width;
        let per_tolerance = 1.0 / (PLANE_TOLERANCE * view.pixel_size() * like.depth);
        let mut best = (BORROW_LIMIT, None);
        for ny in y.saturating_sub(1)..(y + 2).min(height) {
            for nx in x.saturating_sub(1)..(x + 2).min(self.width) {
                let index = ny * self.width + nx;
                let texel = &self.texels[index];
                if texel.side != like.side {
                    continue;
                }
                let there = view.eye + view.pixel_ray(nx, ny).direction * texel.depth;
                let off_plane = (there - position).dot(like.normal).abs() * per_tolerance;
                let unlike = off_plane + 2.0 * (1.0 - like.normal.dot(texel.normal));
                if unlike < best.0 {
                    best = (unlike, Some(self.light[index]));
                }
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shade::sampling::BLOCK_SIDE;
    use crate::{Camera, Settings};
    use muslin::math::Vec3;

    const SIDE: usize = 48;

    /// A wall across the view whose right half belongs to another surface, lit by `light`.
    fn wall(light: impl Fn(usize, usize) -> f32) -> (Film, View) {
        let settings = Settings {
            width: SIDE as u32,
            height: SIDE as u32,
            ..Settings::default()
        };
        let camera = Camera {
            eye: -Vec3::Y,
            target: Vec3::ZERO,
            up: Vec3::Z,
            vertical_fov: 0.5,
        };
        let pixels = || (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE));
        let texel = |(x, _): (usize, usize)| Texel {
            normal: -Vec3f::Y,
            depth: 1.0,
            side: u32::from(x >= SIDE / 2),
            hit: None,
        };
        let film = Film {
            width: SIDE,
            texels: pixels().map(texel).collect(),
            light: pixels().map(|(x, y)| Light::splat(light(x, y))).collect(),
        };
        (film, View::new(&camera, &settings))
    }

    #[test]
    fn light_never_crosses_from_one_surface_to_another() {
        let (mut film, view) = wall(|x, _| if x < SIDE / 2 { 0.25 } else { 0.75 });
        film.smooth(&view);
        for (i, light) in film.light.iter().enumerate() {
            let expected = if i % SIDE < SIDE / 2 { 0.25 } else { 0.75 };
            assert!((light.x - expected).abs() < 1e-5);
        }
    }

    #[test]
    fn a_pattern_of_the_sample_blocks_becomes_its_mean() {
        // Any pattern with the blocks' period, here one with all values different.
        let value = |x: usize, y: usize| ((x % 8) * 29 + (y % 8) * 13 + x % 8 * (y % 8) * 7) % 64;
        let (mut film, view) = wall(|x, y| value(x, y) as f32);
        film.smooth(&view);
        let block = (0..BLOCK_SIDE * BLOCK_SIDE).map(|i| value(i % 8, i / 8) as f32);
        let mean = block.sum::<f32>() / (BLOCK_SIDE * BLOCK_SIDE) as f32;
        // Away from the borders by the reach of all passes, 2 + 4 + 2 pixels.
        for y in 8..SIDE - 8 {
            for x in 8..SIDE / 2 - 8 {
                let light = film.light[y * SIDE + x].x;
                assert!((light - mean).abs() < 1e-3, "{light} is not {mean}");
            }
        }
    }
}
