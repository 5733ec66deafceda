//! USD text in: meshes with their transforms and time samples as one mesh that moves. Points over
//! time are found once and read again when a frame is asked for, so memory holds one frame.

use super::{
    cursor::Span,
    layer::{Attribute, Layer, Prim},
    mesh_prim::{PrimReader, vectors},
    transform::Transform,
};
use crate::{
    formats::{
        MAX_ELEMENTS, ReadError, read_bytes,
        usd_core::{self, Temporary},
    },
    polymesh::{FaceGroup, GroupKind, PolyMesh, UpAxis},
};
use glam::DAffine3;
use muslin::math::Vec3;
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Frames per second of a layer that does not say.
const DEFAULT_RATE: f64 = 24.0;

/// The meshes of a USD text layer as one, in the layer's axes and unit.
#[derive(Debug, Clone)]
pub struct Stage {
    file: String,
    source: Source,
    mesh: PolyMesh,
    parts: Vec<Part>,
    /// Of every prim, parents first.
    transforms: Vec<(Option<usize>, Transform)>,
    /// Time codes at which anything is given, ascending; at least one.
    codes: Vec<f64>,
    rate: f64,
    up: UpAxis,
    metres_per_unit: f64,
}

/// Where samples are read from.
#[derive(Debug, Clone)]
enum Source {
    Memory(Vec<u8>),
    File(PathBuf),
    /// The text of a binary stage, which goes with the last stage that reads it.
    Temporary(Arc<Temporary>),
}

/// One mesh prim.
#[derive(Debug, Clone)]
struct Part {
    prim: usize,
    vertices: usize,
    points: Points,
}

#[derive(Debug, Clone)]
enum Points {
    Fixed(Vec<Vec3>),
    /// By time code, ascending.
    Samples(Vec<(f64, Span)>),
}

impl Stage {
    /// Reads a `.usda` file; `object` is the name or path of a prim to take, with all below it.
    pub fn open(path: &Path, object: Option<&str>) -> Result<Self, ReadError> {
        let mut stage = Self::read(read_bytes(path)?, &path.display().to_string(), object)?;
        stage.source = Source::File(path.into());
        Ok(stage)
    }

    /// Reads a binary or composed stage through `usd-core`.
    pub fn open_binary(path: &Path, object: Option<&str>) -> Result<Self, ReadError> {
        let text = usd_core::flattened(path)?;
        let bytes = read_bytes(text.path())?;
        let mut stage = Self::read(bytes, &path.display().to_string(), object)?;
        stage.source = Source::Temporary(Arc::new(text));
        Ok(stage)
    }

    /// Reads text that stays in memory; `file` is its name in messages.
    pub fn read(bytes: Vec<u8>, file: &str, object: Option<&str>) -> Result<Self, ReadError> {
        let layer = Layer::parse(&bytes, file)?;
        let mut transforms = Vec::with_capacity(layer.prims.len());
        for prim in &layer.prims {
            let transform = Transform::read(prim, &bytes, file)?;
            transforms.push((prim.parent.filter(|_| !transform.resets), transform));
        }
        let up = match layer.text("upAxis") {
            Some("Z") => UpAxis::Z,
            _ => UpAxis::Y,
        };
        let positive = |key: &str| layer.number(key).filter(|&number| number > 0.0);
        let mut stage = Self {
            file: file.into(),
            source: Source::Memory(Vec::new()),
            mesh: PolyMesh::default(),
            parts: Vec::new(),
            transforms,
            codes: Vec::new(),
            rate: positive("timeCodesPerSecond")
                .or(positive("framesPerSecond"))
                .unwrap_or(DEFAULT_RATE),
            up,
            metres_per_unit: positive("metersPerUnit").unwrap_or(0.01),
        };
        for prim in chosen(&layer, object, &bytes, file)? {
            stage.add(&layer, prim, &bytes)?;
        }
        if stage.mesh.face_count() == 0 {
            let problem = if layer.composed {
                "its meshes come from other files or variants: flatten it (usdcat --flatten)"
            } else {
                "there are no meshes in it: export one"
            };
            return Err(ReadError::file(file, problem));
        }
        stage.source = Source::Memory(bytes);
        stage.find_codes();
        stage.mesh.positions = stage.positions(0)?;
        stage.drop_empty();
        Ok(stage)
    }

    /// The mesh at the first time.
    pub fn mesh(&self) -> &PolyMesh {
        &self.mesh
    }

    /// The layer's up axis.
    pub fn up(&self) -> UpAxis {
        self.up
    }

    /// The layer's unit [m].
    pub fn metres_per_unit(&self) -> f64 {
        self.metres_per_unit
    }

    /// When each frame is [s], counted from the first.
    pub fn times(&self) -> Vec<f64> {
        let first = self.codes[0];
        self.codes.iter().map(|code| (code - first) / self.rate).collect()
    }

    /// The vertices of a frame, less than the number of times, in the layer's axes and unit.
    pub fn positions(&self, frame: usize) -> Result<Vec<Vec3>, ReadError> {
        let code = self.codes[frame];
        let mut worlds: Vec<DAffine3> = Vec::with_capacity(self.transforms.len());
        for (parent, transform) in &self.transforms {
            let own = transform.at(code);
            worlds.push(parent.map_or(own, |parent| worlds[parent] * own));
        }
        let mut all = Vec::with_capacity(self.mesh.vertex_count());
        for part in &self.parts {
            let points = self.points(part, code)?;
            all.extend(points.into_iter().map(|point| worlds[part.prim].transform_point3(point)));
        }
        if let Some(vertex) = all.iter().position(|x: &Vec3| !x.is_finite()) {
            let problem = format!("vertex {vertex} at time {code} is at no finite place");
            return Err(ReadError::file(&self.file, problem));
        }
        Ok(all)
    }

    /// Points in the prim's own space: linear between samples, held outside.
    fn points(&self, part: &Part, code: f64) -> Result<Vec<Vec3>, ReadError> {
        let samples = match &part.points {
            Points::Fixed(points) => return Ok(points.clone()),
            Points::Samples(samples) => samples,
        };
        let after = samples.partition_point(|(at, _)| *at <= code);
        let before = after.saturating_sub(1).min(samples.len() - 1);
        let (start, span) = &samples[before];
        let first = self.sample(span, part.vertices)?;
        let Some((end, span)) = samples.get(after).filter(|_| after > 0 && *start < code) else {
            return Ok(first);
        };
        let second = self.sample(span, part.vertices)?;
        let s = (code - start) / (end - start);
        Ok(first.iter().zip(&second).map(|(a, b)| a.lerp(*b, s)).collect())
    }

    fn sample(&self, span: &Span, vertices: usize) -> Result<Vec<Vec3>, ReadError> {
        let points = match &self.source {
            Source::Memory(bytes) => vectors(bytes, span, &self.file)?,
            Source::File(path) => self.read_span(path, span)?,
            Source::Temporary(text) => self.read_span(text.path(), span)?,
        };
        if points.len() == vertices {
            return Ok(points);
        }
        let found = points.len();
        let problem = format!(
            "the points at byte {} are {found}, but the mesh has {vertices} vertices: \
             keep the topology constant",
            span.start
        );
        Err(ReadError::file(&self.file, problem))
    }

    fn read_span(&self, path: &Path, span: &Span) -> Result<Vec<Vec3>, ReadError> {
        let fail = |source| ReadError::Io { file: self.file.clone(), source };
        let mut bytes = vec![0; span.len()];
        let mut file = File::open(path).map_err(fail)?;
        file.seek(SeekFrom::Start(span.start as u64)).map_err(fail)?;
        file.read_exact(&mut bytes).map_err(fail)?;
        // Lines of a piece are not lines of the file.
        vectors(&bytes, &(0..span.len()), &self.file).map_err(|error| match error {
            ReadError::Line { problem, .. } => ReadError::byte(&self.file, span.start, problem),
            other => other,
        })
    }

    fn add(&mut self, layer: &Layer, index: usize, bytes: &[u8]) -> Result<(), ReadError> {
        let prim = &layer.prims[index];
        let file = self.file.clone();
        let reader = PrimReader { prim, bytes, file: &file };
        let counts = reader.indices("faceVertexCounts")?;
        let corners = reader.indices("faceVertexIndices")?;
        let Some(points) = prim.attribute("points") else { return Ok(()) };
        let Some(first) = points.samples.first().map(|(_, span)| span).or(points.fixed.as_ref())
        else {
            return Ok(());
        };
        let positions = vectors(bytes, first, &file)?;
        let vertices = positions.len();
        reader.check(&counts, &corners, vertices)?;
        let base = self.mesh.positions.len();
        if base + vertices > MAX_ELEMENTS
            || self.mesh.face_vertices.len() + corners.len() > MAX_ELEMENTS
        {
            return Err(reader.fail("too many vertices for 32-bit indices"));
        }
        let (first_face, first_corner) = (self.mesh.face_count(), self.mesh.face_vertices.len());
        let mut rest = corners.as_slice();
        for &count in &counts {
            let (face, after) = rest.split_at(count as usize);
            rest = after;
            let shifted: Vec<u32> = face.iter().map(|&vertex| vertex + base as u32).collect();
            self.mesh.push_face(&shifted);
        }
        self.mesh.positions.extend(&positions);
        let uv = self.mesh.uv.get_or_insert_default();
        reader.append_uv(uv, &corners, first_corner)?;
        if self.is_mirrored(index, reader.is_left_handed()) {
            self.flip(first_face);
        }
        let faces = first_face as u32..self.mesh.face_count() as u32;
        let (name, kind) = (prim.name.clone(), GroupKind::Object);
        self.mesh.groups.push(FaceGroup { name, kind, faces: faces.collect() });
        let points = if points.samples.len() > 1 {
            Points::Samples(points.samples.clone())
        } else {
            Points::Fixed(positions)
        };
        self.parts.push(Part { prim: index, vertices, points });
        Ok(())
    }

    /// Whether faces of a prim are clockwise seen from outside.
    fn is_mirrored(&self, prim: usize, left_handed: bool) -> bool {
        let mut mirrored = left_handed;
        let mut at = Some(prim);
        while let Some(prim) = at {
            let (parent, transform) = &self.transforms[prim];
            mirrored ^= transform.at(0.0).matrix3.determinant() < 0.0;
            at = *parent;
        }
        mirrored
    }

    fn flip(&mut self, first_face: usize) {
        for face in first_face..self.mesh.face_count() {
            let corners = self.mesh.corners(face);
            self.mesh.face_vertices[corners.clone()].reverse();
            if let Some(uv) = &mut self.mesh.uv {
                uv.corners[corners].reverse();
            }
        }
    }

    /// The times at which any part or anything above it is given.
    fn find_codes(&mut self) {
        let mut codes = Vec::new();
        for part in &self.parts {
            if let Points::Samples(samples) = &part.points {
                codes.extend(samples.iter().map(|(code, _)| *code));
            }
            let mut at = Some(part.prim);
            while let Some(prim) = at {
                let (parent, transform) = &self.transforms[prim];
                codes.extend(transform.codes());
                at = *parent;
            }
        }
        codes.sort_by(f64::total_cmp);
        codes.dedup();
        if codes.is_empty() {
            codes.push(0.0);
        }
        self.codes = codes;
    }

    fn drop_empty(&mut self) {
        if self.mesh.uv.as_ref().is_some_and(|uv| uv.corners.iter().all(Option::is_none)) {
            self.mesh.uv = None;
        }
    }
}

/// The mesh prims to take: those that are there to be looked at, not guides or stand-ins.
fn chosen(
    layer: &Layer,
    object: Option<&str>,
    bytes: &[u8],
    file: &str,
) -> Result<Vec<usize>, ReadError> {
    let shown = |prim: &Prim| {
        let purpose = prim.attribute("purpose").and_then(Attribute::any);
        let hidden: [&[u8]; 2] = [b"\"guide\"", b"\"proxy\""];
        prim.kind == "Mesh" && purpose.is_none_or(|span| !hidden.contains(&&bytes[span.clone()]))
    };
    let mut inside = vec![object.is_none(); layer.prims.len()];
    if let Some(name) = object {
        let last = name.rsplit('/').next().unwrap_or(name);
        for (index, prim) in layer.prims.iter().enumerate() {
            let above = prim.parent.is_some_and(|parent| inside[parent]);
            inside[index] = above || prim.name == last;
        }
        if !inside.contains(&true) {
            let names: Vec<String> = layer
                .prims
                .iter()
                .filter(|prim| shown(prim))
                .take(8)
                .map(|prim| format!("`{}`", prim.name))
                .collect();
            let problem = format!("there is no prim `{name}` in it: choose {}", names.join(", "));
            return Err(ReadError::file(file, problem));
        }
    }
    Ok((0..layer.prims.len()).filter(|&prim| inside[prim] && shown(&layer.prims[prim])).collect())
}

#[cfg(test)]
mod tests;
