//! A mesh as Alembic knows it: a transform that does nothing, below it a polygon mesh, below that a face set
//! for every material.

use super::{
    ogawa::Ogawa,
    tree::{Content, Object, Pod, Property, Sample},
};
use crate::{
    formats::{
        WriteProblem,
        animation::{AnimatedMesh, Frame},
        point_cache::{ByteOrder, encode},
    },
    polymesh::{CornerUv, PolyMesh},
};
use muslin::math::Vec3;
use std::collections::BTreeSet;

const TRANSFORM_OBJECT: &str = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform";
const TRANSFORM: &str = "schema=AbcGeom_Xform_v3";
const MESH_OBJECT: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;\
                           schemaObjTitle=AbcGeom_PolyMesh_v1:.geom";
const MESH: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1";
const FACE_SET_OBJECT: &str = "schema=AbcGeom_FaceSet_v1;schemaBaseType=AbcGeom_GeomBase_v1;\
                               schemaObjTitle=AbcGeom_FaceSet_v1:.faceset";
const FACE_SET: &str = "schema=AbcGeom_FaceSet_v1;schemaBaseType=AbcGeom_GeomBase_v1";
const BOX: &str = "interpretation=box";
const POINTS: &str = "geoScope=vtx;interpretation=point";
const VELOCITIES: &str = "geoScope=vtx;interpretation=vector";
const UV: &str = "arrayExtent=1;geoScope=fvr;interpretation=vector;isGeomParam=true;podExtent=2;\
                  podName=float32_t";
/// A box that holds nothing.
const NO_BOX: (Vec3, Vec3) = (Vec3::MAX, Vec3::MIN);

/// Names that no two objects of a file share.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A name like `wanted`: paths are made of names and slashes, so names hold no slashes.
    fn unique(&mut self, wanted: &str, fallback: &str) -> String {
        let base: String =
            wanted.chars().map(|c| if c == '/' || c.is_control() { '_' } else { c }).collect();
        let base = if base.is_empty() { fallback.to_owned() } else { base };
        let numbered = (1..).map(|number| format!("{base}_{number}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let name = candidates.find(|name| !self.0.contains(name)).unwrap_or(base);
        self.0.insert(name.clone());
        name
    }
}

/// What has been written of the motion of a mesh.
pub(super) struct MeshSamples {
    boxes: Vec<Sample>,
    positions: Vec<Sample>,
    velocities: Vec<Sample>,
}

impl MeshSamples {
    /// Nothing yet; refuses uv that the file could not say.
    pub(super) fn new(animated: &AnimatedMesh) -> Result<Self, WriteProblem> {
        let mut uv = animated.mesh.uv.iter().flat_map(|uv| &uv.values);
        if uv.any(|uv| !uv.as_vec2().is_finite()) {
            let problem = format!("a uv of `{}` is not a finite 32-bit number", animated.name);
            return Err(WriteProblem::Invalid(problem));
        }
        Ok(Self { boxes: vec![], positions: vec![], velocities: vec![] })
    }

    /// Writes a frame.
    pub(super) fn add(
        &mut self,
        out: &mut Ogawa,
        fetched: &Frame,
        frame: usize,
    ) -> Result<(), WriteProblem> {
        let wanted = frame == 0 || !self.velocities.is_empty();
        let velocities = fetched.velocities.as_ref().filter(|_| wanted);
        if frame > 0 && wanted && velocities.is_none() {
            return Err(WriteProblem::NoVelocities {
                frame,
                reason: "the first frame has them: give them in all frames or in none",
            });
        }
        let mut bytes = Vec::new();
        encode(&fetched.positions, ByteOrder::Little, &mut bytes);
        self.positions.push(Sample::write(out, &bytes)?);
        if let Some(velocities) = velocities {
            encode(velocities, ByteOrder::Little, &mut bytes);
            self.velocities.push(Sample::write(out, &bytes)?);
        }
        let points = || fetched.positions.iter().map(|x| x.as_vec3().as_dvec3());
        let bounds = points().fold(NO_BOX, |(low, high), x| (low.min(x), high.max(x)));
        self.boxes.push(Sample::write(out, &box_bytes(bounds))?);
        Ok(())
    }

    /// The object, after the last frame.
    pub(super) fn object(
        self,
        out: &mut Ogawa,
        animated: &AnimatedMesh,
        names: &mut Names,
    ) -> Result<Object, WriteProblem> {
        let mesh = animated.mesh;
        let array = |name, metadata, item, samples| Property {
            name,
            metadata,
            item,
            content: Content::Array(samples),
        };
        let bounds = Property {
            name: ".selfBnds",
            metadata: BOX,
            item: (Pod::F64, 6),
            content: Content::Scalar(self.boxes),
        };
        let counts = mesh.faces().map(|face| face.len() as u32);
        let counts = Sample::write(out, &bytes_of(counts))?;
        let corners =
            Sample::write(out, &bytes_of(clockwise(mesh).map(|c| mesh.face_vertices[c])))?;
        let mut geometry = vec![
            bounds,
            array("P", POINTS, (Pod::F32, 3), self.positions),
            array(".faceIndices", "", (Pod::I32, 1), vec![corners]),
            array(".faceCounts", "", (Pod::I32, 1), vec![counts]),
        ];
        if !self.velocities.is_empty() {
            geometry.push(array(".velocities", VELOCITIES, (Pod::F32, 3), self.velocities));
        }
        if let Some(uv) = &mesh.uv {
            geometry.push(uv_property(out, mesh, uv)?);
        }
        let name = names.unique(animated.name, "mesh");
        let shape = Object {
            name: format!("{name}Shape"),
            metadata: MESH_OBJECT,
            properties: vec![Property::compound(".geom", MESH, geometry)],
            children: face_sets(out, mesh)?,
        };
        Ok(Object {
            name,
            metadata: TRANSFORM_OBJECT,
            properties: vec![Property::compound(".xform", TRANSFORM, vec![])],
            children: vec![shape],
        })
    }
}

/// The corners of all faces, each face the other way round.
fn clockwise(mesh: &PolyMesh) -> impl Iterator<Item = usize> {
    (0..mesh.face_count()).flat_map(|face| mesh.corners(face).rev())
}

/// Texture coordinates; corners without any share one more, (0, 0).
fn uv_property(out: &mut Ogawa, mesh: &PolyMesh, uv: &CornerUv) -> Result<Property, WriteProblem> {
    let missing = uv.values.len() as u32;
    let origin = uv.corners.contains(&None).then_some([0.0; 2]);
    let values = uv.values.iter().map(|uv| uv.as_vec2().to_array()).chain(origin);
    let values: Vec<u8> = values.flatten().flat_map(f32::to_le_bytes).collect();
    let values = Sample::write(out, &values)?;
    let indices = clockwise(mesh).map(|corner| uv.corners[corner].unwrap_or(missing));
    let indices = Sample::write(out, &bytes_of(indices))?;
    let part = |name, metadata, item, sample| Property {
        name,
        metadata,
        item,
        content: Content::Array(vec![sample]),
    };
    let parts = vec![
        part(".vals", UV, (Pod::F32, 2), values),
        part(".indices", "", (Pod::U32, 1), indices),
    ];
    Ok(Property::compound("uv", UV, parts))
}

/// The faces of every material.
fn face_sets(out: &mut Ogawa, mesh: &PolyMesh) -> Result<Vec<Object>, WriteProblem> {
    let mut names = Names::default();
    let mut sets = Vec::new();
    for (number, material) in (0..).zip(&mesh.materials) {
        let used = mesh.face_materials.iter().zip(0..);
        let faces = used.filter(|(of_face, _)| **of_face == Some(number)).map(|(_, face)| face);
        let faces: Vec<u32> = faces.collect();
        if faces.is_empty() {
            continue;
        }
        let faces = Sample::write(out, &bytes_of(faces.into_iter()))?;
        let bounds = Sample::write(out, &box_bytes(NO_BOX))?;
        let properties = vec![
            Property {
                name: ".selfBnds",
                metadata: BOX,
                item: (Pod::F64, 6),
                content: Content::Scalar(vec![bounds]),
            },
            Property {
                name: ".faces",
                metadata: "",
                item: (Pod::I32, 1),
                content: Content::Array(vec![faces]),
            },
        ];
        sets.push(Object {
            name: names.unique(material, "material"),
            metadata: FACE_SET_OBJECT,
            properties: vec![Property::compound(".faceset", FACE_SET, properties)],
            children: vec![],
        });
    }
    Ok(sets)
}

fn bytes_of(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

fn box_bytes((low, high): (Vec3, Vec3)) -> Vec<u8> {
    [low.to_array(), high.to_array()].as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect()
}
