//! Choosing vertices and reading painted values.

use super::RunError;
use super::cloth::Piece;
use crate::formats;
use crate::spec::{Corner, Paint, PaintPoint, Per, SceneSpec, Select, Selection, Side};
use muslin::math::Vec2;

/// How near a rest coordinate must be to a border to lie on it, as a share of the cloth.
const ON_BORDER: f64 = 1e-6;

/// The vertices a selection chooses, in increasing order; an error if there are none.
pub fn vertices(select: &Select, piece: &Piece, place: &str) -> Result<Vec<u32>, RunError> {
    let all = 0..piece.positions.len() as u32;
    let selection = select.selection().ok_or_else(|| {
        RunError::part(place, "the selection must name exactly one way to choose")
    })?;
    let by_uv = |test: &dyn Fn(Vec2) -> bool| {
        all.clone().filter(|&v| test(piece.unit_uv[v as usize])).collect()
    };
    let chosen: Vec<u32> = match selection {
        Selection::All => all.collect(),
        Selection::Corners(corners) => {
            by_uv(&|uv| corners.iter().any(|c| uv.distance(corner(*c)) < ON_BORDER))
        }
        Selection::Edge(Side::Border) => piece.border_vertices(),
        Selection::Edge(side) => by_uv(&|uv| on_side(uv, side)),
        Selection::Vertices(list) => list.to_vec(),
        Selection::Formula(formula) => {
            all.filter(|&v| formula.at(&piece.point(v as usize)) != 0.0).collect()
        }
        Selection::Group(name) => return group(name, piece, place),
        Selection::Near { point, radius } => {
            all.filter(|&v| piece.positions[v as usize].distance(point) <= radius).collect()
        }
    };
    if let Some(v) = chosen.iter().find(|&&v| v as usize >= piece.positions.len()) {
        let count = piece.positions.len();
        return Err(RunError::part(
            place,
            format!("vertex {v} does not exist: the cloth has {count} vertices, numbered from 0"),
        ));
    }
    if chosen.is_empty() {
        return Err(RunError::part(place, "the selection chooses no vertex; widen it"));
    }
    Ok(chosen)
}

fn corner(corner: Corner) -> Vec2 {
    match corner {
        Corner::U0V0 => Vec2::ZERO,
        Corner::U1V0 => Vec2::X,
        Corner::U0V1 => Vec2::Y,
        Corner::U1V1 => Vec2::ONE,
    }
}

fn on_side(uv: Vec2, side: Side) -> bool {
    match side {
        Side::U0 => uv.x < ON_BORDER,
        Side::U1 => uv.x > 1.0 - ON_BORDER,
        Side::V0 => uv.y < ON_BORDER,
        Side::V1 => uv.y > 1.0 - ON_BORDER,
        Side::Border => false,
    }
}

fn group(name: &str, piece: &Piece, place: &str) -> Result<Vec<u32>, RunError> {
    if let Some(select) = piece.groups.get(name) {
        let nested = matches!(select.selection(), Some(Selection::Group(inner)) if inner == name);
        if !nested {
            return vertices(select, piece, place);
        }
    }
    piece.source.as_ref().and_then(|mesh| mesh.group_vertices(name)).ok_or_else(|| {
        RunError::part(
            place,
            format!("there is no vertex group `{name}`; define it in [cloth.group] or in the mesh"),
        )
    })
}

/// The painted value of every triangle (the mean of its corners where it is painted on vertices).
pub fn per_triangle(
    paint: &Paint,
    unpainted: f64,
    piece: &Piece,
    scene: &SceneSpec,
    place: &str,
) -> Result<Vec<f64>, RunError> {
    let triangles = piece.mesh.triangles();
    let of_vertices = |values: &[f64]| -> Vec<f64> {
        triangles.iter().map(|t| t.iter().map(|&v| values[v as usize]).sum::<f64>() / 3.0).collect()
    };
    match paint {
        Paint::Number(value) => Ok(vec![*value; triangles.len()]),
        Paint::Formula(formula) => {
            Ok((0..triangles.len()).map(|t| formula.at(&piece.triangle_point(t))).collect())
        }
        Paint::Group { group: name, value, otherwise } => {
            let mut values = vec![otherwise.unwrap_or(unpainted); piece.positions.len()];
            for v in group(name, piece, place)? {
                values[v as usize] = *value;
            }
            Ok(of_vertices(&values))
        }
        Paint::File { file, per } => {
            let values = read_numbers(scene, file, place)?;
            let (expected, element) = match per {
                Per::Vertex => (piece.positions.len(), "vertices"),
                Per::Triangle => (triangles.len(), "triangles"),
            };
            if values.len() != expected {
                let found = values.len();
                return Err(RunError::part(
                    place,
                    format!(
                        "{file} has {found} numbers, but the cloth has {expected} {element}; give one each"
                    ),
                ));
            }
            Ok(if *per == Per::Vertex { of_vertices(&values) } else { values })
        }
    }
}

/// Numbers of a text file (separated by white space) or of a `.npy` file.
fn read_numbers(scene: &SceneSpec, file: &str, place: &str) -> Result<Vec<f64>, RunError> {
    let path = scene.path(file);
    let bytes = std::fs::read(&path).map_err(|error| {
        RunError::part(place, format!("{} cannot be read: {error}", path.display()))
    })?;
    if path.extension().is_some_and(|e| e == "npy") {
        let array = formats::npy::read(&bytes, &path.display().to_string())
            .map_err(|source| RunError::File { place: place.to_owned(), source })?;
        return match array.into_values() {
            formats::npy::Values::F64(values) => Ok(values),
            formats::npy::Values::F32(values) => Ok(values.into_iter().map(f64::from).collect()),
            _ => Err(RunError::part(
                place,
                format!("{} must hold floating-point numbers", path.display()),
            )),
        };
    }
    let text = String::from_utf8_lossy(&bytes);
    let numbers = text
        .lines()
        .enumerate()
        .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line + 1, word)));
    numbers
        .map(|(line, word)| {
            word.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
                RunError::part(
                    place,
                    format!("{}:{line}: `{word}` is not a number", path.display()),
                )
            })
        })
        .collect()
}

impl Piece {
    /// Where a formula is evaluated for a vertex.
    pub fn point(&self, v: usize) -> PaintPoint {
        PaintPoint { uv: self.unit_uv[v], position: self.positions[v], index: v, time: 0.0 }
    }

    fn triangle_point(&self, t: usize) -> PaintPoint {
        let corners = self.mesh.triangles()[t].map(|v| self.point(v as usize));
        let mean = |f: &dyn Fn(&PaintPoint) -> muslin::math::Vec3| {
            corners.iter().map(f).sum::<muslin::math::Vec3>() / 3.0
        };
        let uv = corners.iter().map(|c| c.uv).sum::<Vec2>() / 3.0;
        PaintPoint { uv, position: mean(&|c| c.position), index: t, time: 0.0 }
    }

    fn border_vertices(&self) -> Vec<u32> {
        let edges = self.mesh.topology().edges().iter();
        let border = edges.filter(|e| e.triangles[1] == muslin::mesh::NO_TRIANGLE);
        let mut list: Vec<u32> = border.flat_map(|e| e.vertices).collect();
        list.sort_unstable();
        list.dedup();
        list
    }
}
