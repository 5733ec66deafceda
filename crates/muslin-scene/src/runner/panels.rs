//! Sewing panels of a scene file, meshed and placed (BW15): rectangles as grids, polygons as patterns.

use super::RunError;
use super::cloth::{self, Piece};
use super::tailor::{self, Crease, Tailoring};
use super::unsewn::{Stitches, Unsewn};
use crate::keyframes::rotation;
use crate::spec;
use muslin::link::Weld;
use muslin::math::{Quat, Vec2, Vec3};
use muslin::mesh::{Diagonals, Sheet, TriMesh};
use muslin_garment::{
    Curve, Direction, MeshSettings, PanelEdge, Pattern, Placement, SeamPiece, Wrap, WrapAxis,
};

/// How far a corner may be off the rectangle, as a share of its size.
const SQUARE: f64 = 1e-9;

/// One panel: where its vertices begin, and how many there are along u and v.
struct Laid {
    first: u32,
    counts: [usize; 2],
    /// Corner of the grid at which the outline starts, counted as the outline runs.
    start: usize,
    clockwise: bool,
}

/// A cloth of panels: its mesh is the sewn one, its positions the means of what will be one.
pub fn piece(spec: &spec::Cloth, place: &str) -> Result<Piece, RunError> {
    if spec.panel.iter().any(|panel| rectangle(panel).is_none()) {
        return polygons(spec, place);
    }
    let (unsewn, creases) = grids(spec, place)?;
    let mesh = unsewn.weld.mesh(&unsewn.mesh).map_err(|e| RunError::part(place, e))?;
    let positions = unsewn.weld.positions(&unsewn.positions);
    let mut piece = cloth::piece(spec, mesh, positions, None);
    piece.unsewn = Some(unsewn);
    piece.tailoring = Tailoring { creases, ..Tailoring::default() };
    Ok(piece)
}

/// Panels of any outline, by way of a pattern.
fn polygons(spec: &spec::Cloth, place: &str) -> Result<Piece, RunError> {
    let pattern = Pattern {
        name: spec.name.clone(),
        panels: spec.panel.iter().map(pattern_panel).collect(),
        seams: spec.seam.iter().enumerate().map(|(k, s)| pattern_seam(k, s, spec)).collect(),
        bands: Vec::new(),
        buttons: Vec::new(),
    };
    let edge_length = spec.panel.iter().map(|p| p.edge_length).fold(f64::INFINITY, f64::min);
    let garment = muslin_garment::build(&pattern, &MeshSettings { edge_length })
        .map_err(|e| RunError::part(place, e))?;
    let closing: Vec<f64> = spec.seam.iter().map(|seam| seam.closing_time).collect();
    tailor::from_garment(&garment, &closing, spec, place)
}

/// Panels of a scene lie in the xy plane, those of a pattern stand facing −y.
fn pattern_panel(panel: &spec::Panel) -> muslin_garment::Panel {
    let corners: Vec<Vec2> = panel.outline.iter().map(|p| Vec2::from(*p)).collect();
    let next = corners.iter().cycle().skip(1);
    let outline = corners.iter().zip(next).enumerate().map(|(k, (&from, &to))| PanelEdge {
        name: k.to_string(),
        curve: Curve::Line { from, to },
    });
    let mut built = muslin_garment::Panel {
        name: panel.name.clone(),
        outline: outline.collect(),
        holes: Vec::new(),
        lines: Vec::new(),
        grain: 0.0,
        placement: Placement {
            position: panel.position,
            rotation: rotation(panel.rotation)
                * Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
            wrap: None,
        },
        fabric: None,
        layer: 0,
    };
    // The cylinder is behind the plane, whichever way the outline runs.
    let behind = built.facing();
    built.placement.wrap =
        panel.wrap_radius.map(|radius| Wrap::cylinder(behind * radius, WrapAxis::V, 0.0));
    built
}

fn pattern_seam(number: usize, seam: &spec::Seam, spec: &spec::Cloth) -> muslin_garment::Seam {
    let side = |side: &spec::SeamSide| SeamPiece {
        panel: spec.panel.iter().position(|p| p.name == side.panel).unwrap_or(usize::MAX),
        edge: side.edge as usize,
        range: [0.0, 1.0],
        direction: if side.reverse { Direction::Backward } else { Direction::Forward },
    };
    muslin_garment::Seam {
        name: number.to_string(),
        a: vec![side(&seam.a)],
        b: vec![side(&seam.b)],
        gather: true,
        angle: seam.angle.to_radians(),
    }
}

/// Rectangular panels as one mesh of grids that is not sewn yet, and the creases of the sewn one.
fn grids(spec: &spec::Cloth, place: &str) -> Result<(Unsewn, Vec<Crease>), RunError> {
    let (mut positions, mut triangles, mut uv) = (Vec::new(), Vec::new(), Vec::new());
    let mut laid = Vec::new();
    for panel in &spec.panel {
        let place = format!("{place}, panel `{}`", panel.name);
        let Some((low, size, start, clockwise)) = rectangle(panel) else { continue };
        let cells = [size.x, size.y].map(|s| (s / panel.edge_length).round().max(1.0) as usize);
        let counts = cells.map(|c| c + 1);
        let scaled = [size.x * spec.scale, size.y * spec.scale];
        let sheet = Sheet::grid(scaled, counts, Diagonals::Alternating)
            .map_err(|e| RunError::part(&place, e))?;
        let first = positions.len() as u32;
        let turn = rotation(panel.rotation);
        let middle = low + size * 0.5;
        let put = |x: &Vec3| {
            let flat = x.truncate() / spec.scale + middle;
            turn * wrapped(flat, panel.wrap_radius) + panel.position
        };
        positions.extend(sheet.positions.iter().map(put));
        triangles.extend(sheet.mesh.triangles().iter().map(|t| t.map(|v| v + first)));
        uv.extend_from_slice(sheet.mesh.uv());
        laid.push(Laid { first, counts, start, clockwise });
    }
    let mesh =
        TriMesh::new(positions.len(), triangles, uv).map_err(|e| RunError::part(place, e))?;
    let (mut seams, mut creases) = (Vec::new(), Vec::new());
    for (k, seam) in spec.seam.iter().enumerate() {
        let place = format!("{place}, seam {k}");
        let sides = [&seam.a, &seam.b];
        let [a, b] = sides.map(|side| side_vertices(spec, &laid, side));
        if a.len() != b.len() {
            let message = format!(
                "its edges have {} and {} vertices; give both panels the same edge_length and the \
                 edges the same length",
                a.len(),
                b.len()
            );
            return Err(RunError::part(&place, message));
        }
        creases.push(Crease { vertices: a.clone(), angle: seam.angle.to_radians() });
        let pairs = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        seams.push(Stitches { name: k.to_string(), pairs, closing_time: seam.closing_time });
    }
    let all: Vec<[u32; 2]> = seams.iter().flat_map(|s| s.pairs.iter().copied()).collect();
    let weld = Weld::new(positions.len(), &all).map_err(|e| RunError::part(place, e))?;
    for vertex in creases.iter_mut().flat_map(|crease| &mut crease.vertices) {
        *vertex = weld.map()[*vertex as usize];
    }
    Ok((Unsewn { positions, mesh, seams, weld, cloth: None }, creases))
}

/// A point of the panel in its own frame: u along x, v along y, laid around a cylinder behind it whose
/// axis runs along v.
fn wrapped(flat: Vec2, radius: Option<f64>) -> Vec3 {
    match radius {
        Some(r) => {
            let (sin, cos) = (flat.x / r).sin_cos();
            Vec3::new(r * sin, flat.y, r * (cos - 1.0))
        }
        None => flat.extend(0.0),
    }
}

/// Of a rectangle along u and v: low corner, size, the corner at which the outline starts and whether it
/// runs clockwise.
fn rectangle(panel: &spec::Panel) -> Option<(Vec2, Vec2, usize, bool)> {
    let corners: Vec<Vec2> = panel.outline.iter().map(|p| Vec2::from(*p)).collect();
    let low = corners.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = corners.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    let size = high - low;
    let of_box = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let near = |a: Vec2, b: Vec2| a.distance(b) <= SQUARE * size.length();
    let found = (corners.len() == 4).then(|| {
        let start = of_box.iter().position(|c| near(*c, corners[0]))?;
        [false, true].into_iter().find_map(|clockwise| {
            let step = if clockwise { 3 } else { 1 };
            let fits = (0..4).all(|k| near(corners[k], of_box[(start + k * step) % 4]));
            fits.then_some((low, size, start, clockwise))
        })
    });
    found.flatten()
}

/// Vertices along one edge of a panel, in the order of its seam.
fn side_vertices(spec: &spec::Cloth, laid: &[Laid], side: &spec::SeamSide) -> Vec<u32> {
    let Some(k) = spec.panel.iter().position(|panel| panel.name == side.panel) else {
        return Vec::new();
    };
    let Laid { first, counts: [columns, rows], start, clockwise } = laid[k];
    let edge = side.edge as usize;
    // Side s of the box runs from its corner s to corner s + 1, counter-clockwise.
    let s = if clockwise { (start + 7 - edge) % 4 } else { (start + edge) % 4 };
    let at = |i: usize, j: usize| first + (i + j * columns) as u32;
    let mut list: Vec<u32> = match s {
        0 => (0..columns).map(|i| at(i, 0)).collect(),
        1 => (0..rows).map(|j| at(columns - 1, j)).collect(),
        2 => (0..columns).rev().map(|i| at(i, rows - 1)).collect(),
        _ => (0..rows).rev().map(|j| at(0, j)).collect(),
    };
    if clockwise != side.reverse {
        list.reverse();
    }
    list
}
