//! From light to colour: cloth, floor, backdrop and tone curve.

use super::geometry::SurfacePoint;
use super::studio::{Light, Studio};
use crate::{Background, Color, Ground, Vec3f};

/// Part of the light that cloth fibres standing off the surface scatter at grazing view.
const SHEEN: f32 = 0.10;
/// Distances from the target, in viewing distances, between which the floor turns into backdrop.
const FADE_START: f32 = 0.45;
const FADE_END: f32 = 4.0;

/// Light that a surface sends towards the eye.
///
/// In a fold of albedo ρ with open part a, light bounces until it finds the opening, which
/// multiplies the open light a by 1 / (1 − ρ (1 − a)): folds keep colour instead of turning grey.
/// Only light of the fold's own making is added, so the factor is applied to the dome's part.
pub(crate) fn surface_color(
    point: &SurfacePoint,
    light: Light,
    studio: &Studio,
    eye: Vec3f,
) -> Color {
    let open = Studio::openness(light);
    let rho = point.albedo;
    let bounce = |albedo: f32| 1.0 / (1.0 - albedo.clamp(0.0, 0.95) * (1.0 - open));
    let bounced = glam::Vec4::new(
        light.x * bounce(rho.r),
        light.y * bounce(rho.g),
        light.z * bounce(rho.b),
        light.w,
    );
    let irradiance = studio.irradiance(bounced, point.normal);
    let to_eye = (eye - point.position).normalize_or_zero();
    let grazing = (1.0 - point.normal.dot(to_eye).max(0.0)).powi(4);
    let fibres = rho.mix(Color::WHITE, 0.35) * (SHEEN * grazing);
    irradiance.times(rho + fibres)
}

/// Colour of the floor at `position`: its own colour where it is open, darker where shaded, and
/// the backdrop far away.
pub(crate) fn floor_color(
    ground: &Ground,
    position: Vec3f,
    light: Light,
    studio: &Studio,
    backdrop: Color,
    up: Vec3f,
) -> Color {
    let here = studio.irradiance(light, up);
    let open = studio.open_floor;
    let shade = Color::new(here.r / open.r, here.g / open.g, here.b / open.b);
    let across = position - up * position.dot(up);
    let t = (across.length() / FADE_START).max(1.0).ln() / (FADE_END / FADE_START).ln();
    let t = t.min(1.0);
    ground
        .color
        .times(shade)
        .mix(backdrop, t * t * (3.0 - 2.0 * t))
}

/// The backdrop at a relative height in the picture, 0 top … 1 bottom.
pub(crate) fn backdrop_color(background: &Background, y: f32) -> Color {
    let t = y.clamp(0.0, 1.0);
    background
        .top
        .mix(background.bottom, t * t * (3.0 - 2.0 * t))
}

/// Where the tone curve leaves the straight line.
const SHOULDER: f32 = 0.68;

/// Filmic tone curve: exact below the shoulder, then bending towards white without clipping.
pub(crate) fn tone_map(color: Color) -> Color {
    let curve = |x: f32| {
        let over = (x - SHOULDER) / (1.0 - SHOULDER);
        if over <= 0.0 {
            x
        } else {
            SHOULDER + (1.0 - SHOULDER) * (1.0 - (-over).exp())
        }
    };
    Color::new(curve(color.r), curve(color.g), curve(color.b))
}
