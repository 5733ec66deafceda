//! Studio pictures of cloth, on the CPU: no window, no driver, the same bits on any number of threads.
//!
//! Plain data goes in: [`Surface`]s (positions, triangles, colours), a [`Camera`], [`Settings`].
//! [`render()`] gives an [`Image`], which can be written as PNG, joined into a [`contact_sheet`] or
//! pushed frame by frame into a [`GifWriter`] or [`Mp4Writer`].
//!
//! ```
//! use muslin::math::Vec3;
//! use muslin_render::{Bounds, Camera, Color, Settings, Surface, render};
//!
//! let positions = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.0, 1.0)];
//! let triangles = [[0, 1, 2]];
//! let cloth = Surface::cloth(&positions, &triangles);
//! let settings = Settings { width: 64, height: 36, ..Settings::default() };
//! let bounds = Bounds::of_points(&positions);
//! let camera = Camera::framing(bounds, settings.aspect(), Vec3::Z);
//! let image = render(&[cloth], &camera, &settings)?;
//! assert_eq!((image.width(), image.height()), (64, 36));
//! # Ok::<(), muslin_render::RenderError>(())
//! ```
//!
//! How a picture is made (`render.rs` is the list of passes): one ray per pixel finds what is
//! seen; a few rays from there measure the studio's light (a key lamp with soft shadows and a
//! dome with fill); a joint bilateral filter joins those measurements across each smooth piece of
//! surface; silhouettes are then sampled again for anti-aliasing. Every ray direction comes from
//! one fixed low-discrepancy net, so pictures are clean and repeatable.

mod bounds;
mod camera;
mod color;
mod font;
mod image;
mod legend;
mod output;
mod render;
mod settings;
mod shade;
mod sheet;
mod surface;
mod trace;

pub use bounds::Bounds;
pub use camera::Camera;
pub use color::Color;
pub use image::Image;
pub use legend::{draw_strain_legend, strain_color};
pub use output::{GifWriter, Mp4Writer, OutputError};
pub use render::{RenderError, render, render_until};
pub use settings::{Background, Ground, KeyLight, Settings};
pub use sheet::contact_sheet;
pub use surface::{Shading, Surface};

/// Vectors inside the renderer are single precision, in units of the camera's viewing distance
/// and relative to its target, so that rounding never depends on where the scene lies.
type Vec3f = glam::Vec3;
