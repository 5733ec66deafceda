//! What is in the picture: triangle surfaces, cloth and bodies alike.

use crate::Color;
use muslin::math::Vec3;

/// How normals vary over the triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// Normals interpolated between vertices: cloth, round bodies.
    Smooth,
    /// One normal per triangle: boxes, or to show the mesh.
    Flat,
}

/// One triangle surface with two differently coloured sides.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Vertex positions [m].
    pub positions: &'a [Vec3],
    /// Vertex indices; the front is the side from which they run counter-clockwise.
    pub triangles: &'a [[u32; 3]],
    /// Colour of the front.
    pub front: Color,
    /// Colour of the back.
    pub back: Color,
    /// Smooth or flat.
    pub shading: Shading,
    /// One colour per vertex, used on both sides instead of `front` and `back`: strain maps.
    pub vertex_colors: Option<&'a [Color]>,
}

impl<'a> Surface<'a> {
    /// Cloth in the default colours: muted blue outside, pale sand inside.
    pub fn cloth(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Self {
        Self {
            positions,
            triangles,
            front: Color::from_srgb8(74, 112, 140),
            back: Color::from_srgb8(222, 184, 142),
            shading: Shading::Smooth,
            vertex_colors: None,
        }
    }

    /// A body in the default plaster colour.
    pub fn body(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let plaster = Color::from_srgb8(206, 202, 196);
        Self {
            front: plaster,
            back: plaster,
            ..Self::cloth(positions, triangles)
        }
    }
}
