//! Elastic bands as rest lengths of triangles.

use crate::panel_mesh::distance_to_segment;
use crate::pattern::Pattern;
use crate::plan::PanelPlan;
use muslin::math::Vec2;

/// Factors on the rest length of a triangle along u and v (BW3).
///
/// A band of factor s along the direction (cos θ, sin θ) of the nearest edge gives
/// `b_u = 1 − (1 − s) cos² θ` and `b_v = 1 − (1 − s) sin² θ`.
pub(super) fn shrink(
    pattern: &Pattern,
    plan: &PanelPlan,
    panel: usize,
    corners: [Vec2; 3],
) -> [f64; 2] {
    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
    let mut factors = [1.0_f64, 1.0];
    for band in pattern.bands.iter().filter(|band| band.panel == panel) {
        let mut nearest = (f64::INFINITY, Vec2::X);
        let edges = band.edges.iter().map(|&edge| &plan.edges[edge]);
        for pair in edges.flat_map(|vertices| vertices.windows(2)) {
            let [a, b] = [pair[0], pair[1]].map(|v| plan.points[v as usize]);
            // A triangle that stands on the edge belongs to the band however narrow it is.
            let stands = corners.contains(&a) && corners.contains(&b);
            let distance = if stands { 0.0 } else { distance_to_segment(center, a, b) };
            if distance < nearest.0 {
                nearest = (distance, b - a);
            }
        }
        if nearest.0 > band.width {
            continue;
        }
        let grain = pattern.panels[panel].grain;
        let along = Vec2::from_angle(-grain).rotate(nearest.1);
        let square = along.length_squared();
        for (factor, part) in factors.iter_mut().zip([along.x, along.y]) {
            *factor = factor.min(1.0 - (1.0 - band.shrink) * part * part / square);
        }
    }
    factors
}
