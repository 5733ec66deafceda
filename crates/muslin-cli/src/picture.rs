//! From a frame of a cache to a picture.

use crate::cache_scene::{CacheScene, PlaneAt, up_vector};
use crate::failure::Failure;
use muslin::math::{Vec3, try_normalize};
use muslin_render::{
    Background, Bounds, Camera, Color, Ground, Image, Settings, Shading, Surface,
    draw_strain_legend, render_until, strain_color,
};
use muslin_scene::cache::{self, Cache, Frame, SurfaceKind};
use muslin_scene::spec::Render;

/// Bodies of fewer triangles are drawn with flat faces: boxes, not balls.
const FEWEST_SMOOTH_TRIANGLES: usize = 64;

/// Frames looked at to place the camera.
const MOST_FRAMED: usize = 64;

/// A plane counts as the ground when its normal is up to this sine.
const LEVEL: f64 = 1e-6;

/// Draws the frames of one cache.
pub struct Photographer<'a> {
    cache: &'a Cache,
    scene: &'a CacheScene,
    settings: Settings,
    /// The camera where it stands still; `None` where the scene moves it.
    camera: Option<Camera>,
    /// The box around everything, over all frames.
    bounds: Bounds,
    /// Colour cloth by strain, with this strain at the ends of the scale.
    strain_limit: Option<f64>,
}

/// A camera given on the command line; what is not given is the scene's, or placed to show all.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// Position of the eye [m].
    pub eye: Option<Vec3>,
    /// What it looks at [m].
    pub target: Option<Vec3>,
    /// Vertical field of view [degrees].
    pub fov: Option<f64>,
}

impl<'a> Photographer<'a> {
    /// Prepares to draw `frames` of a cache at `width` × `height` pixels.
    pub fn new(
        cache: &'a Cache,
        scene: &'a CacheScene,
        frames: &[u64],
        (width, height): (u32, u32),
        view: View,
    ) -> Result<Self, Failure> {
        let mut settings = Settings { width, height, ..Settings::default() };
        if scene.render.background != Render::default().background
            && let Some(color) = parse_color(&scene.render.background)
        {
            settings.background = Background { top: color, bottom: color };
        }
        let mut bounds = Bounds::EMPTY;
        let stride = frames.len().div_ceil(MOST_FRAMED).max(1);
        for &number in frames.iter().step_by(stride).chain(frames.last()) {
            let frame = cache.frame(number)?;
            bounds = bounds.union(Bounds::of_points(&frame.positions));
            bounds = bounds.union(Bounds::of_points(&frame.bodies));
        }
        let mut photographer =
            Self { cache, scene, settings, camera: None, bounds, strain_limit: None };
        photographer.camera = photographer.still_camera(view);
        Ok(photographer)
    }

    /// Colours cloth by strain; ±`limit` are the ends of the scale.
    #[must_use]
    pub fn with_strain(mut self, limit: Option<f64>) -> Self {
        self.strain_limit = limit;
        self
    }

    fn still_camera(&self, view: View) -> Option<Camera> {
        let up = up_vector(self.cache.manifest().run.up_axis);
        let own = self.scene.render.camera.as_ref();
        let given = view.eye.is_some() || view.target.is_some() || view.fov.is_some();
        if own.is_some() && !given {
            return None;
        }
        let mut camera = match own {
            Some(own) => Camera {
                eye: own.eye.at(0.0),
                target: own.target.at(0.0),
                up,
                vertical_fov: own.fov.to_radians(),
            },
            None => Camera::framing(self.bounds, self.settings.aspect(), up),
        };
        camera.eye = view.eye.unwrap_or(camera.eye);
        camera.target = view.target.unwrap_or(camera.target);
        camera.vertical_fov = view.fov.map_or(camera.vertical_fov, f64::to_radians);
        Some(camera)
    }

    fn camera(&self, time: f64) -> Camera {
        match (&self.camera, &self.scene.render.camera) {
            (None, Some(own)) => Camera {
                eye: own.eye.at(time),
                target: own.target.at(time),
                up: up_vector(self.cache.manifest().run.up_axis),
                vertical_fov: own.fov.to_radians(),
            },
            (Some(camera), _) => *camera,
            (None, None) => Camera::framing(self.bounds, self.settings.aspect(), Vec3::Z),
        }
    }

    /// Draws a frame.
    pub fn draw(&self, frame: &Frame) -> Result<Image, Failure> {
        let manifest = self.cache.manifest();
        let parts: Vec<Part> = manifest
            .run
            .surfaces
            .iter()
            .filter(|surface| self.scene.is_visible(&surface.name))
            .map(|surface| self.part(surface, frame))
            .collect();
        let up = up_vector(manifest.run.up_axis);
        let planes = self.scene.planes(frame.time, manifest.run.up_axis);
        let planes = planes.iter().filter(|plane| plane.visible);
        let (level, tilted): (Vec<&PlaneAt>, Vec<&PlaneAt>) =
            planes.partition(|plane| plane.normal.cross(up).length() < LEVEL);
        let slabs: Vec<Part> = tilted.iter().map(|plane| self.slab(plane)).collect();
        let surfaces: Vec<Surface> = parts.iter().chain(&slabs).map(Part::surface).collect();
        let mut settings = self.settings.clone();
        settings.ground = level.first().map(|plane| {
            let height = plane.point.dot(up);
            let color = self.color_of(plane.name);
            color.map_or(Ground::at(height), |color| Ground { height, color })
        });
        let stopped = || self.cache.is_stopped();
        let mut image = render_until(&surfaces, &self.camera(frame.time), &settings, &stopped)?;
        if let Some(limit) = self.strain_limit {
            draw_strain_legend(&mut image, limit, "strain");
        }
        Ok(image)
    }

    /// One cloth or body of a frame.
    fn part(&self, surface: &cache::Surface, frame: &Frame) -> Part {
        let cloth_count = frame.positions.len();
        let (list, offset) = match surface.kind {
            SurfaceKind::Cloth => (&frame.positions, 0),
            SurfaceKind::Body => (&frame.bodies, cloth_count),
        };
        let vertices = surface.vertices.range();
        let positions = list[vertices.start - offset..vertices.end - offset].to_vec();
        let first = vertices.start as u32;
        let triangles = &self.cache.topology().triangles[surface.triangles.range()];
        let triangles: Vec<[u32; 3]> =
            triangles.iter().map(|t| t.map(|v| v.wrapping_sub(first))).collect();
        let few = triangles.len() < FEWEST_SMOOTH_TRIANGLES;
        let flat = surface.kind == SurfaceKind::Body && few;
        let colors = (surface.kind == SurfaceKind::Cloth).then_some(self.strain_limit).flatten();
        Part {
            colors: colors.map(|limit| self.strain_colors(frame, limit)[vertices].to_vec()),
            positions,
            triangles,
            front: srgb(surface.front_colour),
            back: srgb(surface.back_colour),
            shading: if flat { Shading::Flat } else { Shading::Smooth },
        }
    }

    /// Colours of all cloth vertices: each shows the edge at it that is farthest from its rest
    /// length.
    fn strain_colors(&self, frame: &Frame, limit: f64) -> Vec<Color> {
        let topology = self.cache.topology();
        let mut worst = vec![0.0_f64; frame.positions.len()];
        for (edge, rest) in topology.edges.iter().zip(&topology.rest_lengths) {
            let ends = edge.map(|v| frame.positions.get(v as usize));
            let [Some(a), Some(b)] = ends else { continue };
            let strain = a.distance(*b) / rest - 1.0;
            for vertex in edge.map(|v| v as usize) {
                if strain.abs() > worst[vertex].abs() {
                    worst[vertex] = strain;
                }
            }
        }
        worst.into_iter().map(|strain| strain_color(strain, limit)).collect()
    }

    /// A square piece of a tilted plane, large enough for everything.
    fn slab(&self, plane: &PlaneAt) -> Part {
        let centre = 0.5 * (self.bounds.min + self.bounds.max);
        let side = 2.0 * self.bounds.min.distance(self.bounds.max);
        let foot = centre - plane.normal * plane.normal.dot(centre - plane.point);
        let hint = if plane.normal.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
        let u = try_normalize(hint - plane.normal * plane.normal.dot(hint)).unwrap_or(Vec3::X);
        let v = plane.normal.cross(u);
        let corner = |a: f64, b: f64| foot + u * (a * side) + v * (b * side);
        let color = self.color_of(plane.name).unwrap_or(Ground::at(0.0).color);
        Part {
            positions: vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            front: color,
            back: color,
            shading: Shading::Flat,
            colors: None,
        }
    }

    /// The colour the scene gives a plane; `None` where it is the default of bodies.
    fn color_of(&self, name: &str) -> Option<Color> {
        self.scene.color(name).and_then(parse_color)
    }
}

/// A surface that owns its arrays.
struct Part {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    front: Color,
    back: Color,
    shading: Shading,
    colors: Option<Vec<Color>>,
}

impl Part {
    fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            triangles: &self.triangles,
            front: self.front,
            back: self.back,
            shading: self.shading,
            vertex_colors: self.colors.as_deref(),
        }
    }
}

fn srgb(color: [f64; 3]) -> Color {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    Color::from_srgb8(r, g, b)
}

/// `#rrggbb`.
fn parse_color(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = number.to_be_bytes();
    Some(Color::from_srgb8(r, g, b))
}
