//! A mesh file: what would keep it from being cloth or a body.

use super::{Found, FrameLine, Report};
use crate::failure::Failure;
use muslin::judge;
use muslin_scene::formats::{ReadError, read_mesh};
use muslin_scene::polymesh::{MeshError, PolyMesh};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Problems of one kind to list.
const MOST: usize = 100;

/// Checks a mesh file.
pub fn check(path: &Path, pairs: usize) -> Result<Report, Failure> {
    let mut report = Report::default();
    let file = path.display().to_string();
    let mesh = match read_mesh(path) {
        Ok(mesh) => mesh,
        Err(error @ ReadError::Io { .. }) => return Err(error.into()),
        Err(error) => {
            report.problems.push(Failure::from(error).into());
            return Ok(report);
        }
    };
    let mut add = |kind: &str, place: String, message: String| {
        let message = format!("{file}: {message}");
        report.problems.push(Found::new(kind, None, format!("{file}, {place}"), message));
    };
    for problem in mesh.problems(MOST) {
        let (kind, place) = describe(&problem);
        add(kind, place, problem.to_string());
    }
    for (face, other) in inconsistent_faces(&mesh).into_iter().take(MOST) {
        let message = format!(
            "faces {face} and {other} (counted from 0) run around their common edge in the same \
             direction, so one of them is inverted: make the normals consistent"
        );
        add("inverted", format!("face {face}"), message);
    }
    for (kind, face) in uv_problems(&mesh).into_iter().take(MOST) {
        let what = if kind == "uv-flipped" { "is flipped" } else { "has no area" };
        let message = format!(
            "face {face} (counted from 0) {what} in uv, so it has no rest shape there: unwrap it again"
        );
        add(kind, format!("face {face}"), message);
    }
    let split = mesh.triangulate();
    let crossings = judge::intersecting_pairs(&mesh.positions, &split.triangles);
    for (a, b) in crossings.iter().take(pairs) {
        let [a, b] = [a, b].map(|t| split.faces[*t as usize]);
        let message = format!("faces {a} and {b} (counted from 0) cross: untangle them");
        add("crossing", format!("faces {a} and {b}"), message);
    }
    if crossings.len() > pairs {
        let more = crossings.len() - pairs;
        add("crossing", "faces".to_owned(), format!("{more} more pairs cross (see --pairs)"));
    }
    let (vertices, faces) = (mesh.vertex_count(), mesh.face_count());
    report.notes.push(format!("{vertices} vertices, {faces} faces"));
    let crossings = crossings.len();
    let energy = Value::Null;
    report.frames.push(FrameLine { frame: 0, crossings, pinched: 0, stretch_max: None, energy });
    Ok(report)
}

fn describe(problem: &MeshError) -> (&'static str, String) {
    match problem {
        MeshError::Empty { .. } => ("empty", "the mesh".to_owned()),
        MeshError::Layout { what, .. } => ("layout", (*what).to_owned()),
        MeshError::OutOfRange { face, .. } => ("index", format!("face {face}")),
        MeshError::NotFinite { vertex } => ("not-finite", format!("vertex {vertex}")),
        MeshError::UvNotFinite { index } => ("not-finite", format!("uv {index}")),
        MeshError::Degenerate { face, .. } => ("degenerate", format!("face {face}")),
        MeshError::Duplicate { first, second } => {
            ("duplicate-vertices", format!("vertices {first} and {second}"))
        }
        MeshError::NonManifoldEdge { a, b, .. } => {
            ("crowded-edge", format!("the edge between vertices {a} and {b}"))
        }
    }
}

/// Pairs of faces that run along an edge they share in the same direction.
fn inconsistent_faces(mesh: &PolyMesh) -> Vec<(usize, usize)> {
    let mut first_user: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (index, face) in mesh.faces().enumerate() {
        for (corner, &vertex) in face.iter().enumerate() {
            let after = face[(corner + 1) % face.len()];
            if let Some(other) = first_user.insert((vertex, after), index)
                && vertex != after
            {
                pairs.push((other, index));
            }
        }
    }
    pairs
}

/// Faces without area in uv, and faces folded over in uv against a neighbour that they share two
/// uv with. Mirrored islands are fine.
fn uv_problems(mesh: &PolyMesh) -> Vec<(&'static str, u32)> {
    let Some(uv) = &mesh.uv else { return Vec::new() };
    let split = mesh.triangulate();
    let mut found = Vec::new();
    let mut sides: BTreeMap<[(u32, u32); 2], u32> = BTreeMap::new();
    for ((corners, vertices), &face) in split.corners.iter().zip(&split.triangles).zip(&split.faces)
    {
        let indices = corners.map(|corner| uv.corners[corner as usize]);
        let [Some(a), Some(b), Some(c)] = indices else { continue };
        let [p, q, r] = [a, b, c].map(|index| uv.values[index as usize]);
        let area = (q - p).perp_dot(r - p);
        if area == 0.0 {
            found.push(("uv-degenerate", face));
            continue;
        }
        // Counter-clockwise in uv, every directed edge belongs to one triangle; a fold has two.
        let ends = [(vertices[0], a), (vertices[1], b), (vertices[2], c)];
        let ends = if area > 0.0 { ends } else { [ends[0], ends[2], ends[1]] };
        for i in 0..3 {
            let edge = [ends[i], ends[(i + 1) % 3]];
            if sides.insert(edge, face).is_some_and(|other| other != face) {
                found.push(("uv-flipped", face));
                break;
            }
        }
    }
    found.dedup();
    found
}
