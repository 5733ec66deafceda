//! From a pattern to a garment: mesh, place, stitch, weld.

mod bands;
mod weld;

use crate::error::GarmentError;
use crate::facing::turned_over;
use crate::garment::{Attachment, Fold, Garment, Group, Part, SeamStitches};
use crate::panel_mesh::PanelMesh;
use crate::pattern::{Panel, Pattern};
use crate::plan::{Plan, plan};
use muslin::math::{Vec2, Vec3};
use muslin::mesh::TriMesh;

/// Rounds of taking out edges that would coincide once sewn.
const SEWING_ROUNDS: usize = 6;

/// How a pattern is meshed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSettings {
    /// Length of mesh edges \[m\].
    pub edge_length: f64,
}

impl Default for MeshSettings {
    fn default() -> Self {
        Self { edge_length: 0.02 }
    }
}

/// Meshes, places, stitches and welds a pattern (BW15).
///
/// Deterministic: the same pattern and settings give the same bits.
pub fn build(pattern: &Pattern, settings: &MeshSettings) -> Result<Garment, GarmentError> {
    let edge_length = settings.edge_length;
    check_references(pattern)?;
    let (plan, shapes) = plan(pattern, edge_length)?;
    let turned = turned_over(pattern, &shapes, &plan)?;
    let mut meshes = Vec::new();
    for (panel, plan) in pattern.panels.iter().zip(&plan.panels) {
        meshes.push(PanelMesh::new(plan, panel, edge_length)?);
    }
    for _ in 0..SEWING_ROUNDS {
        let clashes = weld::clashes(&meshes, &plan);
        if clashes.iter().all(Vec::is_empty) {
            return join(pattern, &plan, &meshes, &turned);
        }
        for (mesh, edges) in meshes.iter_mut().zip(&clashes) {
            if !edges.is_empty() {
                mesh.remove_edges(edges);
            }
        }
    }
    let clashes = weld::clashes(&meshes, &plan);
    match clashes.iter().position(|edges| !edges.is_empty()) {
        None => join(pattern, &plan, &meshes, &turned),
        Some(panel) => {
            Err(GarmentError::TooCoarse { panel: pattern.panels[panel].name.clone(), edge_length })
        }
    }
}

/// Indices of panels and edges come from outside when a pattern is made by hand.
fn check_references(pattern: &Pattern) -> Result<(), GarmentError> {
    let missing = |place: String, kind: &'static str, index: usize, count: usize| {
        let hint = format!("there are {count}, numbered from 0");
        GarmentError::Missing { place, kind, name: index.to_string(), hint }
    };
    let check = |place: String, panel: usize, edges: &[usize]| {
        let Some(found) = pattern.panels.get(panel) else {
            return Err(missing(place, "panel", panel, pattern.panels.len()));
        };
        let count = found.edges().count();
        match edges.iter().find(|&&edge| edge >= count) {
            Some(&edge) => Err(missing(place, "edge", edge, count)),
            None => Ok(()),
        }
    };
    for seam in &pattern.seams {
        for piece in seam.a.iter().chain(&seam.b) {
            check(format!("seam {:?}", seam.name), piece.panel, &[piece.edge])?;
        }
    }
    for band in &pattern.bands {
        let place = format!("elastic band {:?}", band.name);
        check(place.clone(), band.panel, &band.edges)?;
        if !(band.shrink > 0.0 && band.shrink.is_finite() && band.width >= 0.0) {
            let message = format!(
                "its shrink factor is {} and its width {} m; give positive numbers",
                band.shrink, band.width
            );
            return Err(GarmentError::Number { place, message });
        }
    }
    for button in &pattern.buttons {
        for end in [button.a, button.b] {
            check(format!("button {:?}", button.name), end.panel, &[])?;
        }
    }
    Ok(())
}

/// The rest coordinate of a point: the grain becomes v, and a panel that is turned over is
/// mirrored.
fn rest(panel: &Panel, turned: bool, point: Vec2) -> Vec2 {
    let uv = Vec2::from_angle(-panel.grain).rotate(point);
    if turned { Vec2::new(-uv.x, uv.y) } else { uv }
}

fn join(
    pattern: &Pattern,
    plan: &Plan,
    meshes: &[PanelMesh],
    turned: &[bool],
) -> Result<Garment, GarmentError> {
    let offsets = weld::offsets(meshes);
    let mut positions: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let (mut uv, mut shrink, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for (p, (panel, mesh)) in pattern.panels.iter().zip(meshes).enumerate() {
        let points = mesh.points();
        let first = triangles.len();
        for corners in mesh.triangles() {
            let [a, b, c] = corners;
            let wound = if turned[p] { [a, c, b] } else { [a, b, c] };
            triangles.push(wound.map(|v| v + offsets[p]));
            uv.push(wound.map(|v| rest(panel, turned[p], points[v as usize])));
            let place = corners.map(|v| points[v as usize]);
            shrink.push(bands::shrink(pattern, &plan.panels[p], p, place));
        }
        positions.extend(points.iter().map(|&point| panel.place(point)));
        parts.push(Part {
            name: panel.name.clone(),
            fabric: panel.fabric.clone(),
            layer: panel.layer,
            vertices: offsets[p]..offsets[p + 1],
            triangles: first as u32..triangles.len() as u32,
        });
    }
    let global = |(panel, vertex): (usize, u32)| vertex + offsets[panel];
    let mut stitches = Vec::new();
    let mut seams = Vec::new();
    for (seam, pairs) in pattern.seams.iter().zip(&plan.stitches) {
        let first = stitches.len() as u32;
        stitches.extend(pairs.iter().map(|pair| pair.map(global)));
        let range = first..stitches.len() as u32;
        seams.push(SeamStitches { name: seam.name.clone(), stitches: range, angle: seam.angle });
    }
    let (weld, welded_positions) = weld::weld(&positions, &stitches);
    let sewn = triangles.iter().map(|t| t.map(|v| weld[v as usize])).collect();
    let welded = TriMesh::new(welded_positions.len(), sewn, uv.clone())
        .map_err(|source| GarmentError::Mesh { pattern: pattern.name.clone(), source })?;
    let attach = |(button, ends): (&crate::pattern::Button, &crate::plan::Stitch)| Attachment {
        name: button.name.clone(),
        vertices: ends.map(global),
    };
    Ok(Garment {
        name: pattern.name.clone(),
        parts,
        positions,
        triangles,
        uv,
        stitches,
        seams,
        welded,
        weld,
        welded_positions,
        shrink,
        folds: folds(pattern, plan, &offsets, turned),
        attachments: pattern.buttons.iter().zip(&plan.buttons).map(attach).collect(),
        groups: groups(pattern, plan, &offsets),
    })
}

fn folds(pattern: &Pattern, plan: &Plan, offsets: &[u32], turned: &[bool]) -> Vec<Fold> {
    let mut folds = Vec::new();
    for (p, panel) in pattern.panels.iter().enumerate() {
        for (line, vertices) in panel.lines.iter().zip(&plan.panels[p].lines) {
            let Some(angle) = line.fold else { continue };
            // Seen from the other side, a fold goes the other way; `facing` is the outline's side.
            let same = (panel.facing() < 0.0) == turned[p];
            folds.push(Fold {
                name: format!("{}.{}", panel.name, line.name),
                vertices: vertices.iter().map(|v| v + offsets[p]).collect(),
                angle: if same { angle } else { -angle },
            });
        }
    }
    folds
}

fn groups(pattern: &Pattern, plan: &Plan, offsets: &[u32]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (p, panel) in pattern.panels.iter().enumerate() {
        let all = (offsets[p]..offsets[p + 1]).collect();
        groups.push(Group { name: panel.name.clone(), vertices: all });
        let edges = panel.edges().map(|edge| &edge.name).zip(&plan.panels[p].edges);
        let lines = panel.lines.iter().map(|line| &line.name).zip(&plan.panels[p].lines);
        for (name, vertices) in edges.chain(lines) {
            groups.push(Group {
                name: format!("{}.{name}", panel.name),
                vertices: vertices.iter().map(|v| v + offsets[p]).collect(),
            });
        }
    }
    groups
}

#[cfg(test)]
mod tests;
