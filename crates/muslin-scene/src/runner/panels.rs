//! Rectangular sewing panels of a scene file, meshed and placed (BW15).

use super::RunError;
use super::unsewn::{Stitches, Unsewn};
use crate::keyframes::rotation;
use crate::spec;
use muslin::link::Weld;
use muslin::math::{Vec2, Vec3};
use muslin::mesh::{Diagonals, Sheet, TriMesh};

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

/// The panels of a cloth as one mesh that is not sewn yet.
pub fn build(spec: &spec::Cloth, place: &str) -> Result<Unsewn, RunError> {
    let (mut positions, mut triangles, mut uv) = (Vec::new(), Vec::new(), Vec::new());
    let mut laid = Vec::new();
    for panel in &spec.panel {
        let place = format!("{place}, panel `{}`", panel.name);
        let (low, size, start, clockwise) = rectangle(panel, &place)?;
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
    let mut seams = Vec::new();
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
        let pairs = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        let (closing_time, angle) = (seam.closing_time, seam.angle.to_radians());
        seams.push(Stitches { pairs, closing_time, angle });
    }
    let all: Vec<[u32; 2]> = seams.iter().flat_map(|s| s.pairs.iter().copied()).collect();
    let weld = Weld::new(positions.len(), &all).map_err(|e| RunError::part(place, e))?;
    Ok(Unsewn { positions, mesh, seams, weld, cloth: None })
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

/// Low corner, size, the corner at which the outline starts and whether it runs clockwise.
fn rectangle(panel: &spec::Panel, place: &str) -> Result<(Vec2, Vec2, usize, bool), RunError> {
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
    found.flatten().ok_or_else(|| {
        let what = "an outline that is not a rectangle along u and v";
        RunError::unsupported(place, what, "use a pattern file")
    })
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
