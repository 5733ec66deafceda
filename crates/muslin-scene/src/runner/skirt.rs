//! From `cloth.skirt` to a mesh: rings of particles (OS7).

use super::RunError;
use super::cloth::{self, Piece};
use crate::spec;
use muslin::math::Vec2;
use muslin::sparse::skirt::SkirtShape;

/// The skirt around the up axis, its middle at the origin; v runs from the hem (0) to the top (1).
pub fn piece(spec: &spec::Cloth, skirt: &spec::Skirt, place: &str) -> Result<Piece, RunError> {
    let scale = spec.scale;
    let depth = skirt.depth.unwrap_or(skirt.radius);
    let shape = SkirtShape {
        rings: skirt.rings.iter().map(|&n| n as usize).collect(),
        waist: [skirt.radius[0] * scale, depth[0] * scale],
        hem: [skirt.radius[1] * scale, depth[1] * scale],
        length: skirt.length * scale,
        flare: skirt.flare,
    };
    let (mesh, mut positions) = shape.build().map_err(|e| RunError::part(place, e))?;
    for x in &mut positions {
        x.z += 0.5 * shape.length;
        // Placing scales, and the shape is scaled already.
        *x /= scale;
    }
    let mut piece = cloth::piece(spec, mesh, positions, None);
    let last = (shape.rings.len() - 1) as f64;
    let rings = shape.rings.iter().enumerate();
    piece.unit_uv = rings
        .flat_map(|(r, &count)| {
            (0..count).map(move |i| Vec2::new(i as f64 / count as f64, 1.0 - r as f64 / last))
        })
        .collect();
    Ok(piece)
}
