//! Input is checked once, here; the passes trust it.

use crate::{Camera, Settings, Surface};

/// Why a picture cannot be made. Surfaces, triangles and vertices are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RenderError {
    /// A picture without pixels, or with too many.
    #[error(
        "the picture is {width} x {height} pixels; give sides between 1 and {MAX_SIDE} and at most {MAX_PIXELS} pixels"
    )]
    Size {
        /// Asked width [pixels].
        width: u32,
        /// Asked height [pixels].
        height: u32,
    },
    /// Somebody asked to stop before the picture was done.
    #[error("the picture was not finished: somebody asked to stop")]
    Stopped,
    /// More rays per pixel than make sense.
    #[error("{count} samples per pixel were asked for; give at most {MAX_SAMPLES}")]
    Samples {
        /// The largest of the asked counts.
        count: u32,
    },
    /// A camera, light or ground that is not finite, or a field of view outside 0 … π.
    #[error("the {what} is not usable; give finite numbers and a field of view below 180 degrees")]
    Studio {
        /// Which part.
        what: &'static str,
    },
    /// A triangle that names a vertex which is not there.
    #[error(
        "triangle {triangle} of surface {surface} uses vertex {vertex} but the surface has \
         {vertex_count} vertices; correct the triangle"
    )]
    Index {
        /// Number of the surface.
        surface: usize,
        /// Number of the triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertex_count: usize,
    },
    /// A vertex at infinity or nowhere.
    #[error(
        "vertex {vertex} of surface {surface} has a position that is not finite; \
         draw an earlier frame or repair the file"
    )]
    Position {
        /// Number of the surface.
        surface: usize,
        /// Number of the vertex.
        vertex: usize,
    },
    /// Colours that do not match the vertices.
    #[error(
        "surface {surface} has {color_count} vertex colours for {vertex_count} vertices; \
         give one colour per vertex"
    )]
    Colors {
        /// Number of the surface.
        surface: usize,
        /// How many colours there are.
        color_count: usize,
        /// How many vertices there are.
        vertex_count: usize,
    },
    /// More triangles or vertices than 31 bits count.
    #[error("the surfaces have more than 2147483647 vertices or triangles together; draw fewer")]
    TooLarge,
}

/// Longest side of a picture [pixels].
const MAX_SIDE: u32 = 16384;
/// Most pixels of a picture (8K): the passes keep about 80 bytes for each.
const MAX_PIXELS: u32 = 1 << 25;
/// Most rays of one kind per pixel.
const MAX_SAMPLES: u32 = 1024;

pub(super) fn check(
    surfaces: &[Surface],
    camera: &Camera,
    settings: &Settings,
) -> Result<(), RenderError> {
    let (width, height) = (settings.width, settings.height);
    let sides_fit = (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height);
    if !sides_fit || width * height > MAX_PIXELS {
        return Err(RenderError::Size { width, height });
    }
    let count =
        settings.samples.max(settings.ambient_occlusion_samples).max(settings.soft_shadow_samples);
    if count > MAX_SAMPLES {
        return Err(RenderError::Samples { count });
    }
    check_studio(camera, settings)?;
    for (number, surface) in surfaces.iter().enumerate() {
        check_surface(number, surface)?;
    }
    let vertices: usize = surfaces.iter().map(|s| s.positions.len()).sum();
    let triangles: usize = surfaces.iter().map(|s| s.triangles.len()).sum();
    if vertices.max(triangles) > i32::MAX as usize {
        return Err(RenderError::TooLarge);
    }
    Ok(())
}

fn check_studio(camera: &Camera, settings: &Settings) -> Result<(), RenderError> {
    let fov = camera.vertical_fov;
    let camera_usable = camera.eye.is_finite()
        && camera.target.is_finite()
        && camera.up.is_finite()
        && fov > 0.0
        && fov < std::f64::consts::PI;
    let light = settings.key_light;
    let light_usable = light.azimuth.is_finite()
        && light.elevation.is_finite()
        && light.radius.is_finite()
        && settings.exposure.is_finite()
        && settings.exposure >= 0.0;
    let ground_usable = settings.ground.is_none_or(|g| g.height.is_finite());
    for (usable, what) in
        [(camera_usable, "camera"), (light_usable, "light"), (ground_usable, "ground")]
    {
        if !usable {
            return Err(RenderError::Studio { what });
        }
    }
    Ok(())
}

fn check_surface(number: usize, surface: &Surface) -> Result<(), RenderError> {
    let vertex_count = surface.positions.len();
    if let Some(vertex) = surface.positions.iter().position(|p| !p.is_finite()) {
        return Err(RenderError::Position { surface: number, vertex });
    }
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&i| i as usize >= vertex_count) {
            return Err(RenderError::Index { surface: number, triangle, vertex, vertex_count });
        }
    }
    match surface.vertex_colors {
        Some(colors) if colors.len() != vertex_count => {
            Err(RenderError::Colors { surface: number, color_count: colors.len(), vertex_count })
        }
        _ => Ok(()),
    }
}
