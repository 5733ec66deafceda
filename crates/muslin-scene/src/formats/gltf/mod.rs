//! glTF 2.0 (`.glb`, `.gltf`): meshes, skins, morph targets and animations in, morph animations out.
//!
//! A [`Figure`] is everything of a file that was chosen, as one mesh whose vertices are known at any
//! time: morph targets first, then the skin or the node, exactly as the format prescribes.

mod accessor;
mod choose;
mod container;
mod document;
mod part;
mod skeleton;
mod track;
mod write;

pub use write::write;

use super::{ReadError, read_bytes};
use crate::polymesh::{FaceGroup, GroupKind, PolyMesh};
use accessor::{Accessors, Shape};
use choose::{chosen, missing};
use document::Document;
use glam::{DAffine3, DMat4};
use muslin::math::{Quat, Vec3};
use muslin::motion::Pose;
use part::Part;
use skeleton::Skeleton;
use std::path::Path;
use track::{Property, Track};

/// More vertices than this are refused: instances multiply.
const MAX_VERTICES: usize = 20_000_000;

/// Which part of a file to take; everything and the first animation by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The node or mesh, with everything below it.
    pub node: Option<&'a str>,
    /// Only what wears this skin.
    pub skin: Option<&'a str>,
    /// The animation.
    pub animation: Option<&'a str>,
}

/// The meshes of a glTF file as one, with all that moves them. y up, metres, as the format says.
#[derive(Debug, Clone)]
pub struct Figure {
    mesh: PolyMesh,
    parts: Vec<Part>,
    skeleton: Skeleton,
    skins: Vec<Skin>,
    tracks: Vec<Track>,
}

/// The joints of a skin and the matrices from the mesh to each at rest.
#[derive(Debug, Clone)]
struct Skin {
    joints: Vec<usize>,
    inverse_bind: Vec<DAffine3>,
}

impl Figure {
    /// Reads a file and the buffers beside it.
    pub fn open(path: &Path, choice: Choice) -> Result<Self, ReadError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::read(&read_bytes(path)?, &path.display().to_string(), folder, choice)
    }

    /// Reads the bytes of a `.glb` or `.gltf`; `file` is its name in messages, `folder` where its
    /// external buffers lie.
    pub fn read(
        bytes: &[u8],
        file: &str,
        folder: &Path,
        choice: Choice,
    ) -> Result<Self, ReadError> {
        let (document, buffers) = container::unpack(bytes, file, folder)?;
        let accessors = Accessors::new(&document, &buffers, file);
        let tracks = tracks(&document, choice.animation, &accessors)?;
        let skeleton = Skeleton::new(&document, &tracks, file)?;
        let skins = skins(&document, &accessors)?;
        let mut figure =
            Self { mesh: PolyMesh::default(), parts: Vec::new(), skeleton, skins, tracks };
        let rest = figure.skeleton.worlds(&[], 0.0);
        for node in chosen(&figure.skeleton, &document, choice, file)? {
            let mirrored = rest[node].matrix3.determinant() < 0.0;
            figure.add(&document, (node, mirrored), &accessors)?;
        }
        figure.finish(file)
    }

    /// The mesh; its positions are those of the file without animation.
    pub fn mesh(&self) -> &PolyMesh {
        &self.mesh
    }

    /// The time of the last key of the animation [s]; 0 without one.
    pub fn duration(&self) -> f64 {
        self.tracks.iter().map(Track::end).fold(0.0, f64::max)
    }

    /// Whether it has an animation.
    pub fn is_animated(&self) -> bool {
        !self.tracks.is_empty()
    }

    /// The vertices at a time of the animation [s], held before its first key and after its last.
    /// `out` has as many places as the mesh has vertices.
    pub fn positions_at(&self, time: f64, out: &mut [Vec3]) {
        self.pose(&self.tracks, time, out);
    }

    fn pose(&self, tracks: &[Track], time: f64, out: &mut [Vec3]) {
        let worlds = self.skeleton.worlds(tracks, time);
        let mut rest = out;
        for part in &self.parts {
            let (own, after) = rest.split_at_mut(part.positions.len().min(rest.len()));
            rest = after;
            let mut weights = part.weights.clone();
            let of_node =
                |track: &&Track| track.node == part.node && track.property == Property::Weights;
            for track in tracks.iter().filter(of_node) {
                weights = track.sample(time);
            }
            let Some(skin) = part.skin.map(|skin| &self.skins[skin]) else {
                let world = worlds[part.node];
                for (vertex, place) in own.iter_mut().enumerate() {
                    *place = world.transform_point3(part.morphed(vertex, &weights));
                }
                continue;
            };
            let joints: Vec<DAffine3> = (skin.joints.iter().zip(&skin.inverse_bind))
                .map(|(&joint, inverse)| worlds[joint] * *inverse)
                .collect();
            for (vertex, place) in own.iter_mut().enumerate() {
                let from = part.morphed(vertex, &weights);
                let follow = part.influences[vertex].iter();
                *place = follow
                    .map(|&(joint, weight)| joints[joint as usize].transform_point3(from) * weight)
                    .fold(Vec3::ZERO, |sum, x| sum + x);
            }
        }
    }

    /// The rigid motion from the unanimated place, if that is all the animation does: one node
    /// without skin or morph targets, never scaled.
    pub fn rigid_pose(&self, time: f64) -> Option<Pose> {
        let [Part { node, skin: None, targets, .. }] = self.parts.as_slice() else { return None };
        let inverse = self.skeleton.worlds(&[], 0.0)[*node].inverse();
        let change = self.skeleton.worlds(&self.tracks, time)[*node] * inverse;
        let turn = change.matrix3;
        let gram = turn.transpose() * turn;
        let off = (gram - glam::DMat3::IDENTITY).to_cols_array();
        let rigid = off.iter().all(|x| x.abs() < 1e-9) && turn.determinant() > 0.0;
        (targets.is_empty() && rigid)
            .then(|| Pose { rotation: Quat::from_mat3(&turn), translation: change.translation })
    }

    /// Whether [`Self::rigid_pose`] has an answer at every key and between any two.
    pub fn is_rigid(&self) -> bool {
        let mut times: Vec<f64> = self.tracks.iter().flat_map(Track::times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let middles: Vec<f64> = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        self.rigid_pose(0.0).is_some()
            && times.iter().chain(&middles).all(|&time| self.rigid_pose(time).is_some())
    }

    fn add(
        &mut self,
        document: &Document,
        (node, mirrored): (usize, bool),
        accessors: &Accessors,
    ) -> Result<(), ReadError> {
        let first_face = self.mesh.face_count();
        let Some(part) = Part::read(document, node, accessors, &mut self.mesh)? else {
            return Ok(());
        };
        let file = accessors.file;
        if let Some(skin) = part.skin {
            let joints = self.skins.get(skin).map(|skin| skin.joints.len()).ok_or_else(|| {
                ReadError::file(
                    file,
                    format!("node {node} has the skin {skin}, which is not there"),
                )
            })?;
            let worst = part.influences.iter().flatten().map(|(joint, _)| *joint).max();
            if let Some(joint) = worst.filter(|&joint| joint as usize >= joints) {
                let problem = format!(
                    "a vertex of node {node} follows joint {joint}, but skin {skin} has {joints}: \
                     export it again"
                );
                return Err(ReadError::file(file, problem));
            }
        } else if mirrored {
            flip(&mut self.mesh, first_face);
        }
        if self.mesh.vertex_count() > MAX_VERTICES {
            let problem = format!("more than {MAX_VERTICES} vertices: name one node");
            return Err(ReadError::file(file, problem));
        }
        let faces = first_face as u32..self.mesh.face_count() as u32;
        let name = document.nodes[node].name.clone().unwrap_or_else(|| format!("node {node}"));
        let group = FaceGroup { name, kind: GroupKind::Object, faces: faces.collect() };
        self.mesh.groups.push(group);
        self.parts.push(part);
        Ok(())
    }

    fn finish(mut self, file: &str) -> Result<Self, ReadError> {
        if self.mesh.face_count() == 0 {
            return Err(ReadError::file(file, "there are no triangles in it: export a mesh"));
        }
        let mut positions = vec![Vec3::ZERO; self.mesh.vertex_count()];
        self.pose(&[], 0.0, &mut positions);
        if let Some(vertex) = positions.iter().position(|x| !x.is_finite()) {
            let problem = format!("vertex {vertex} is at no finite place: export it again");
            return Err(ReadError::file(file, problem));
        }
        self.mesh.positions = positions;
        if self.mesh.uv.as_ref().is_some_and(|uv| uv.corners.iter().all(Option::is_none)) {
            self.mesh.uv = None;
        }
        if self.mesh.materials.is_empty() {
            self.mesh.face_materials.clear();
        }
        Ok(self)
    }
}

fn flip(mesh: &mut PolyMesh, first_face: usize) {
    let start = mesh.face_offsets[first_face] as usize;
    for corners in mesh.face_vertices[start..].chunks_exact_mut(3) {
        corners.swap(1, 2);
    }
    if let Some(uv) = &mut mesh.uv {
        for corners in uv.corners[start..].chunks_exact_mut(3) {
            corners.swap(1, 2);
        }
    }
}

/// The channels of the animation that was asked for, or of the first.
fn tracks(
    document: &Document,
    wanted: Option<&str>,
    accessors: &Accessors,
) -> Result<Vec<Track>, ReadError> {
    let all = &document.animations;
    let index = match wanted {
        None if all.is_empty() => return Ok(Vec::new()),
        None => 0,
        Some(name) => {
            let named = all.iter().position(|one| one.name.as_deref() == Some(name));
            let numbered = || name.parse().ok().filter(|&index: &usize| index < all.len());
            named.or_else(numbered).ok_or_else(|| {
                let names = all.iter().map(|one| one.name.as_deref());
                missing(accessors.file, "animation", name, names)
            })?
        }
    };
    let name = all[index].name.clone().unwrap_or_else(|| index.to_string());
    Track::read_all(&all[index], &name, document.nodes.len(), accessors)
}

fn skins(document: &Document, accessors: &Accessors) -> Result<Vec<Skin>, ReadError> {
    let mut skins = Vec::new();
    for (index, skin) in document.skins.iter().enumerate() {
        let (count, joints) = (document.nodes.len(), skin.joints.clone());
        if let Some(joint) = joints.iter().find(|&&joint| joint >= count) {
            let problem =
                format!("skin {index} has the joint {joint}, but the file has {count} nodes");
            return Err(ReadError::file(accessors.file, problem));
        }
        let mut inverse_bind = vec![DAffine3::IDENTITY; joints.len()];
        if let Some(matrices) = skin.inverse_bind_matrices {
            let what = format!("inverse bind matrices of skin {index}");
            let numbers = accessors.numbers(matrices, Shape::Mat4, &what)?;
            if numbers.len() < 16 * joints.len() {
                let (found, wanted) = (numbers.len() / 16, joints.len());
                let problem = format!("skin {index} has {wanted} joints, but {found} matrices");
                return Err(ReadError::file(accessors.file, problem));
            }
            for (slot, columns) in inverse_bind.iter_mut().zip(numbers.chunks_exact(16)) {
                *slot = DAffine3::from_mat4(DMat4::from_cols_slice(columns));
            }
        }
        skins.push(Skin { joints, inverse_bind });
    }
    Ok(skins)
}

#[cfg(test)]
mod tests;
