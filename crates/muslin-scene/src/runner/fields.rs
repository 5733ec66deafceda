//! Distance fields of bodies (MF6): made from their meshes or read from files, measured against the exact
//! distance, and kept on disk for bodies that deform.

mod store;

use super::RunError;
use crate::formats::{ReadError, field};
use crate::spec::{self, SceneSpec};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::cloth::Cloth;
use muslin::levelset::{
    BodyField, Deviation, Field, LevelSet, Resolution, Sequence, Solid, deviation,
};
use std::sync::Arc;

/// Finest cells along the longest side of a body whose scene gives no size.
const CELLS: f64 = 160.0;

/// Points at which a field is compared with the exact distance.
const MEASURED_POINTS: usize = 20_000;

/// Error of a field that is too much, as a share of the cloth's thickness.
const MOST_ERROR: f64 = 0.5;

/// A body's field in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldNote {
    /// The body.
    pub body: String,
    /// Side of the finest cells [m].
    pub cell: f64,
    /// Leaves of the octree.
    pub leaves: usize,
    /// Memory [bytes].
    pub bytes: usize,
    /// Memory of a uniform grid of the finest cells [bytes].
    pub uniform_bytes: usize,
    /// How far it is from the exact distance to the body's triangles, near them.
    pub deviation: Deviation,
    /// Whether the mesh has no holes.
    pub closed: bool,
    /// Triangles that lie inside another part of the body and are passed over.
    pub buried: usize,
    /// Whether it was read from a file.
    pub sculpted: bool,
}

impl FieldNote {
    /// The field in one line.
    pub fn in_words(&self) -> String {
        let Deviation { largest, rms, slope, .. } = self.deviation;
        let state = if self.closed { "" } else { ", the mesh has small holes" };
        let buried = match self.buried {
            0 => String::new(),
            n => format!(", {n} buried triangles left out"),
        };
        format!(
            "body `{}`: field of {} leaves, finest cell {:.2} mm, {:.1} MB ({:.1} % of a uniform grid), \
             error against the mesh {:.3} mm rms, {:.3} mm at most, |∇φ| within {:.3} of 1{state}{buried}",
            self.body,
            self.leaves,
            self.cell * 1e3,
            self.bytes as f64 / 1e6,
            100.0 * self.bytes as f64 / self.uniform_bytes.max(1) as f64,
            rms * 1e3,
            largest * 1e3,
            slope
        )
    }
}

/// Makes a body a level set, and says how good its field is. A plane is its own distance already.
pub fn attach(
    body: &mut Body,
    spec: &spec::Body,
    scene: &SceneSpec,
    place: &str,
) -> Result<Option<FieldNote>, RunError> {
    if matches!(body.shape, Shape::Plane(_)) {
        return Ok(None);
    }
    let mesh = at_start(body);
    let solid = Solid::new(&mesh).map_err(|error| RunError::part(place, error))?;
    let resolution = resolution(&spec.level_set, &solid);
    let first = match &spec.level_set.file {
        Some(file) => sculpted(file, body, scene, place)?,
        None => Field::of(&solid, resolution),
    };
    refuse_deep_inset(&spec.level_set, &first, place)?;
    let note = FieldNote {
        body: spec.name.clone(),
        cell: first.cell(),
        leaves: first.leaf_count(),
        bytes: first.memory_bytes(),
        uniform_bytes: first.uniform_bytes(),
        deviation: deviation(&first, &solid, &mesh, 2.0 * first.cell(), MEASURED_POINTS),
        closed: solid.is_closed(),
        buried: solid.buried(),
        sculpted: spec.level_set.file.is_some(),
    };
    let field = if matches!(body.motion, BodyMotion::Rigid(_)) {
        BodyField::Rigid(Arc::new(first))
    } else {
        let count = scene.frames as usize + 2;
        let folder = spec.level_set.cache.then(store::folder).flatten();
        let source = store::source(body.clone(), scene.fps, count, resolution, folder);
        let triangles = body.mesh.triangles.clone();
        BodyField::Deforming(Arc::new(Sequence::new(scene.fps, count, triangles, source)))
    };
    let spec::LevelSet { relaxation_time, inset, .. } = spec.level_set;
    body.shape = Shape::LevelSet(LevelSet { field, relaxation_time, inset });
    Ok(Some(note))
}

/// The mesh the field is made of: in the body's own frame if it is rigid, else as it is at time 0.
fn at_start(body: &Body) -> BodyMesh {
    match body.motion {
        BodyMotion::Rigid(_) => body.mesh.clone(),
        BodyMotion::Deforming(_) => store::mesh_at(body, 0.0),
    }
}

fn resolution(spec: &spec::LevelSet, solid: &Solid) -> Resolution {
    let bounds = solid.bounds();
    let cell = spec.cell.unwrap_or((bounds.max - bounds.min).max_element() / CELLS);
    let usual = Resolution::new(cell);
    Resolution {
        band: spec.band.unwrap_or(usual.band) + spec.inset,
        tolerance: spec.tolerance.unwrap_or(usual.tolerance),
        levels: if spec.adaptive { usual.levels } else { 0 },
        ..usual
    }
}

/// Refuses an inset that leaves nothing of the body.
fn refuse_deep_inset(spec: &spec::LevelSet, field: &Field, place: &str) -> Result<(), RunError> {
    let deepest = field.deepest();
    if spec.inset < deepest {
        return Ok(());
    }
    Err(RunError::part(
        place,
        format!(
            "level_set.inset is {:.1} mm, but the body is only {:.1} mm deep, so nothing of it would be left: \
             set a smaller one",
            spec.inset * 1e3,
            deepest * 1e3
        ),
    ))
}

fn sculpted(file: &str, body: &Body, scene: &SceneSpec, place: &str) -> Result<Field, RunError> {
    if !matches!(body.motion, BodyMotion::Rigid(_)) {
        return Err(RunError::part(
            place,
            format!("{file} is one field, but the body deforms; leave level_set.file out"),
        ));
    }
    let bytes = std::fs::read(scene.path(file))
        .map_err(|source| ReadError::Io { file: file.to_owned(), source });
    bytes
        .and_then(|bytes| field::read(&bytes, file))
        .map_err(|source| RunError::File { place: place.to_owned(), source })
}

/// Refuses fields that are too coarse for the thinnest cloth.
pub fn refuse_coarse(notes: &[FieldNote], cloths: &[Cloth]) -> Result<(), RunError> {
    let thickness = cloths.iter().flat_map(|c| &c.thickness).copied().fold(f64::INFINITY, f64::min);
    let coarse = |note: &&FieldNote| !note.sculpted && note.deviation.rms > MOST_ERROR * thickness;
    let Some(note) = notes.iter().find(coarse) else { return Ok(()) };
    let Deviation { rms, .. } = note.deviation;
    let wanted = note.cell * MOST_ERROR * thickness / rms;
    Err(RunError::part(
        &format!("body `{}`", note.body),
        format!(
            "its distance field is off by {:.2} mm on average, too coarse for cloth {:.2} mm thick; set \
             level_set.cell = {:.1e} or less",
            rms * 1e3,
            thickness * 1e3,
            wanted
        ),
    ))
}

#[cfg(test)]
mod tests;
