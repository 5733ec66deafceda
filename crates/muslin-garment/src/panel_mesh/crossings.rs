//! Outlines that cross themselves, and holes outside.

use crate::cdt::orient;
use crate::error::GarmentError;
use crate::pattern::Panel;
use crate::plan::{PanelPlan, segments_meet};
use muslin::math::Vec2;

/// A mesh edge of the boundary or of a line.
struct Piece {
    vertices: [u32; 2],
    ends: [Vec2; 2],
    /// Index among edges, then lines.
    owner: usize,
}

/// Refuses edges and lines that cross or touch, and holes that are not inside.
pub(crate) fn check_crossings(plan: &PanelPlan, panel: &Panel) -> Result<(), GarmentError> {
    let mut pieces = Vec::new();
    for (owner, vertices) in plan.edges.iter().chain(&plan.lines).enumerate() {
        for pair in vertices.windows(2) {
            let ends = [pair[0], pair[1]].map(|v| plan.points[v as usize]);
            pieces.push(Piece { vertices: [pair[0], pair[1]], ends, owner });
        }
    }
    pieces.sort_by(|p, q| left(p).total_cmp(&left(q)));
    for (i, p) in pieces.iter().enumerate() {
        let right = p.ends[0].x.max(p.ends[1].x);
        for q in pieces[i + 1..].iter().take_while(|q| left(q) <= right) {
            if meet(p, q) {
                let name = |owner: usize| owner_name(plan, panel, owner);
                return Err(GarmentError::Crossing {
                    panel: panel.name.clone(),
                    first: name(p.owner.min(q.owner)),
                    second: name(p.owner.max(q.owner)),
                    x: p.ends[0].x,
                    y: p.ends[0].y,
                });
            }
        }
    }
    check_holes(plan, panel)
}

/// "edge …" or "line …".
fn owner_name(plan: &PanelPlan, panel: &Panel, owner: usize) -> String {
    if let Some(edge) = panel.edges().nth(owner) {
        return format!("edge {:?}", edge.name);
    }
    let line = panel.lines.get(owner.saturating_sub(plan.edges.len()));
    format!("line {:?}", line.map_or("", |line| &line.name))
}

fn left(piece: &Piece) -> f64 {
    piece.ends[0].x.min(piece.ends[1].x)
}

/// Whether two pieces meet elsewhere than in a shared end.
fn meet(p: &Piece, q: &Piece) -> bool {
    let apart = |p: &Piece, q: &Piece| p.ends[0].y.max(p.ends[1].y) < q.ends[0].y.min(q.ends[1].y);
    if apart(p, q) || apart(q, p) {
        return false;
    }
    let shared: Vec<u32> = p.vertices.iter().copied().filter(|v| q.vertices.contains(v)).collect();
    match shared.as_slice() {
        [] => segments_meet(p.ends, q.ends),
        [v] => {
            // They may only run into each other along one line.
            let far = |piece: &Piece| piece.ends[usize::from(piece.vertices[0] == *v)];
            let at = p.ends[usize::from(p.vertices[1] == *v)];
            let (a, b) = (far(p), far(q));
            orient(at, a, b) == 0.0 && (a - at).dot(b - at) > 0.0
        }
        _ => true,
    }
}

fn check_holes(plan: &PanelPlan, panel: &Panel) -> Result<(), GarmentError> {
    let polygon = |k: usize| -> Vec<Vec2> {
        plan.loops[k].iter().map(|&v| plan.points[v as usize]).collect()
    };
    let outline = polygon(0);
    for k in 1..plan.loops.len() {
        let hole = polygon(k);
        let inside_other = (1..plan.loops.len()).any(|j| j != k && contains(&polygon(j), hole[0]));
        if !contains(&outline, hole[0]) || inside_other {
            let what = format!("hole {k}");
            return Err(GarmentError::Outside { panel: panel.name.clone(), what });
        }
    }
    Ok(())
}

/// Whether a polygon contains a point, by the parity of crossings to the right.
pub(super) fn contains(polygon: &[Vec2], point: Vec2) -> bool {
    let mut inside = false;
    for (k, &a) in polygon.iter().enumerate() {
        let b = polygon[(k + 1) % polygon.len()];
        if (a.y > point.y) != (b.y > point.y) {
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            if orient(low, high, point) > 0.0 {
                inside = !inside;
            }
        }
    }
    inside
}
