//! One mesh as one node wears it: vertices welded where exporters split them, and what moves them.

use super::{
    accessor::{Accessors, Shape},
    document::{Attributes, Document, Primitive},
};
use crate::{formats::ReadError, polymesh::PolyMesh};
use muslin::math::{Vec2, Vec3};
use std::collections::BTreeMap;

/// Two vertices in one place are one if their weights differ by less than this.
const SAME_WEIGHT: f64 = 1e-4;

/// A joint of the skin and how much a vertex follows it.
pub(super) type Influence = (u32, f64);

/// One mesh as one node wears it.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) node: usize,
    pub(super) skin: Option<usize>,
    /// Where the vertices are, in the node's own space.
    pub(super) positions: Vec<Vec3>,
    /// What each vertex follows, largest index first in the file; empty without a skin.
    pub(super) influences: Vec<Vec<Influence>>,
    /// Offsets of every vertex for each morph target.
    pub(super) targets: Vec<Vec<Vec3>>,
    /// How much each target counts where no animation says so.
    pub(super) weights: Vec<f64>,
}

/// Vertices as the file has them, of all primitives together.
#[derive(Default)]
struct Raw {
    positions: Vec<Vec3>,
    uv: Vec<Option<Vec2>>,
    influences: Vec<Vec<Influence>>,
    targets: Vec<Vec<Vec3>>,
    triangles: Vec<([u32; 3], Option<usize>)>,
}

impl Part {
    /// Reads the mesh of a node and appends its faces to `faces`, whose vertices so far come first.
    pub(super) fn read(
        document: &Document,
        node: usize,
        accessors: &Accessors,
        faces: &mut PolyMesh,
    ) -> Result<Option<Self>, ReadError> {
        let Some(mesh_index) = document.nodes[node].mesh else { return Ok(None) };
        let file = accessors.file;
        let mesh = document.meshes.get(mesh_index).ok_or_else(|| {
            let count = document.meshes.len();
            let problem = format!("node {node} wears mesh {mesh_index}, but the file has {count}");
            ReadError::file(file, problem)
        })?;
        let skin = document.nodes[node].skin;
        let what = mesh.name.clone().unwrap_or_else(|| format!("number {mesh_index}"));
        let mut raw = Raw::default();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let what = format!("mesh `{what}`, primitive {index}");
            raw.add(primitive, skin.is_some(), &what, accessors)?;
        }
        if raw.triangles.is_empty() {
            return Ok(None);
        }
        let own = document.nodes[node].weights.as_ref().unwrap_or(&mesh.weights);
        let mut weights = own.clone();
        weights.resize(raw.targets.len(), 0.0);
        let kept = weld(&raw);
        append_faces(&raw, &kept, document, faces);
        let first = |list: &[Vec3]| kept.first.iter().map(|&raw| list[raw]).collect::<Vec<_>>();
        Ok(Some(Self {
            node,
            skin,
            positions: first(&raw.positions),
            influences: if skin.is_some() {
                kept.first.iter().map(|&vertex| raw.influences[vertex].clone()).collect()
            } else {
                Vec::new()
            },
            targets: raw.targets.iter().map(|target| first(target)).collect(),
            weights,
        }))
    }

    /// A vertex with morph targets applied, in the node's own space.
    pub(super) fn morphed(&self, vertex: usize, weights: &[f64]) -> Vec3 {
        let targets = self.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        targets.fold(self.positions[vertex], |sum, (target, weight)| sum + target[vertex] * *weight)
    }
}

impl Raw {
    fn add(
        &mut self,
        primitive: &Primitive,
        skinned: bool,
        what: &str,
        accessors: &Accessors,
    ) -> Result<(), ReadError> {
        let fail = |problem: String| ReadError::file(accessors.file, format!("{what} {problem}"));
        let Some(position) = primitive.attributes.position else { return Ok(()) };
        let base = self.positions.len();
        let positions = accessors.vectors(position, &format!("POSITION of {what}"))?;
        let count = positions.len();
        let indices: Vec<u32> = match primitive.indices {
            None => (0..count as u32).collect(),
            Some(index) => {
                let numbers =
                    accessors.numbers(index, Shape::Scalar, &format!("indices of {what}"))?;
                numbers.into_iter().map(|number| number as u32).collect()
            }
        };
        if let Some(index) = indices.iter().find(|&&index| index as usize >= count) {
            return Err(fail(format!("names vertex {index}, but has {count}: export it again")));
        }
        let material = primitive.material;
        let corners = triangles(primitive.mode.unwrap_or(4), &indices);
        self.triangles.extend(corners.map(|t| (t.map(|v| v + base as u32), material)));
        self.positions.extend(positions);
        self.add_uv(&primitive.attributes, what, accessors)?;
        if skinned {
            let found = influences(&primitive.attributes, count, what, accessors)?;
            self.influences.extend(found);
        }
        if base > 0 && self.targets.len() != primitive.targets.len() {
            return Err(fail("has not as many morph targets as the primitives before it".into()));
        }
        self.targets.resize(primitive.targets.len(), Vec::new());
        for (list, target) in self.targets.iter_mut().zip(&primitive.targets) {
            let offsets = match target.position {
                None => vec![Vec3::ZERO; count],
                Some(index) => accessors.vectors(index, &format!("a morph target of {what}"))?,
            };
            if offsets.len() != count {
                let found = offsets.len();
                return Err(fail(format!("has a morph target of {found} vertices, not {count}")));
            }
            list.extend(offsets);
        }
        Ok(())
    }

    fn add_uv(
        &mut self,
        attributes: &Attributes,
        what: &str,
        accessors: &Accessors,
    ) -> Result<(), ReadError> {
        if let Some(index) = attributes.uv {
            let uv = accessors.numbers(index, Shape::Vec2, &format!("TEXCOORD_0 of {what}"))?;
            // glTF counts v from the top of the picture, everything else here from the bottom.
            self.uv.extend(uv.chunks_exact(2).map(|c| Some(Vec2::new(c[0], 1.0 - c[1]))));
        }
        self.uv.resize(self.positions.len(), None);
        Ok(())
    }
}

/// Triangles of a list (4), a strip (5) or a fan (6); points and lines give none.
fn triangles(mode: u32, indices: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let count = match mode {
        4 => indices.len() / 3,
        5 | 6 => indices.len().saturating_sub(2),
        _ => 0,
    };
    (0..count).map(move |k| {
        let corners = match mode {
            4 => [3 * k, 3 * k + 1, 3 * k + 2],
            5 if k % 2 == 1 => [k + 1, k, k + 2],
            5 => [k, k + 1, k + 2],
            _ => [0, k + 1, k + 2],
        };
        corners.map(|corner| indices[corner])
    })
}

/// Up to eight joints and weights of every vertex, the weights made to sum to one.
fn influences(
    attributes: &Attributes,
    count: usize,
    what: &str,
    accessors: &Accessors,
) -> Result<Vec<Vec<Influence>>, ReadError> {
    let fail = |problem: &str| ReadError::file(accessors.file, format!("{what} {problem}"));
    let mut found = vec![Vec::new(); count];
    let sets =
        [(attributes.joints_0, attributes.weights_0), (attributes.joints_1, attributes.weights_1)];
    for set in sets {
        let (Some(joints), Some(weights)) = set else { continue };
        let joints = accessors.numbers(joints, Shape::Vec4, &format!("JOINTS of {what}"))?;
        let weights = accessors.numbers(weights, Shape::Vec4, &format!("WEIGHTS of {what}"))?;
        if joints.len() != 4 * count || weights.len() != 4 * count {
            return Err(fail("has not as many joints or weights as vertices: export it again"));
        }
        for (at, (&joint, &weight)) in joints.iter().zip(&weights).enumerate() {
            if weight > 0.0 {
                found[at / 4].push((joint as u32, weight));
            }
        }
    }
    for vertex in &mut found {
        let sum: f64 = vertex.iter().map(|(_, weight)| weight).sum();
        if vertex.is_empty() {
            return Err(fail("has a skin, but a vertex without JOINTS and WEIGHTS: weight it"));
        }
        for (_, weight) in vertex.iter_mut() {
            *weight /= sum;
        }
        vertex.sort_by_key(|(joint, _)| *joint);
    }
    Ok(found)
}

/// Which vertices of the file are one.
struct Kept {
    /// The new vertex for each of the file's.
    new: Vec<u32>,
    /// The first of the file's for each new one.
    first: Vec<usize>,
}

/// Joins vertices in one place that move alike: exporters split them where uv or normals differ.
fn weld(raw: &Raw) -> Kept {
    let key = |vertex: usize| raw.positions[vertex] + Vec3::ZERO;
    let mut order: Vec<usize> = (0..raw.positions.len()).collect();
    order.sort_by(|&a, &b| {
        let (p, q) = (key(a), key(b));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)).then(a.cmp(&b))
    });
    let mut leader: Vec<usize> = (0..raw.positions.len()).collect();
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        let mut leaders: Vec<usize> = Vec::new();
        for &vertex in group {
            match leaders.iter().find(|&&other| moves_alike(raw, vertex, other)) {
                Some(&other) => leader[vertex] = other,
                // A place with very many kinds of motion is no seam.
                None if leaders.len() < 16 => leaders.push(vertex),
                None => {}
            }
        }
    }
    let (mut new, mut first) = (vec![0; leader.len()], Vec::new());
    for (vertex, &leader) in leader.iter().enumerate() {
        if leader == vertex {
            new[vertex] = first.len() as u32;
            first.push(vertex);
        } else {
            new[vertex] = new[leader];
        }
    }
    Kept { new, first }
}

fn moves_alike(raw: &Raw, a: usize, b: usize) -> bool {
    let skin = raw.influences.is_empty() || {
        let (a, b) = (&raw.influences[a], &raw.influences[b]);
        let same = |(x, y): (&Influence, &Influence)| x.0 == y.0 && (x.1 - y.1).abs() < SAME_WEIGHT;
        a.len() == b.len() && a.iter().zip(b).all(same)
    };
    skin && raw.targets.iter().all(|target| target[a] == target[b])
}

/// Appends the triangles that still have three different corners.
fn append_faces(raw: &Raw, kept: &Kept, document: &Document, faces: &mut PolyMesh) {
    let base = faces.positions.len() as u32;
    faces.positions.extend(kept.first.iter().map(|&vertex| raw.positions[vertex]));
    let uv = faces.uv.get_or_insert_default();
    let first_uv = uv.values.len() as u32;
    uv.values.extend(raw.uv.iter().map(|uv| uv.unwrap_or(Vec2::ZERO)));
    let mut entered: BTreeMap<usize, u32> = BTreeMap::new();
    for &(corners, material) in &raw.triangles {
        let [a, b, c] = corners.map(|corner| base + kept.new[corner as usize]);
        if a == b || b == c || c == a {
            continue;
        }
        faces.face_vertices.extend([a, b, c]);
        faces.face_offsets.push(faces.face_vertices.len() as u32);
        let uv = faces.uv.get_or_insert_default();
        let known = |corner: u32| raw.uv[corner as usize].map(|_| first_uv + corner);
        uv.corners.extend(corners.map(known));
        let material = material.map(|index| {
            *entered.entry(index).or_insert_with(|| material_number(document, index, faces))
        });
        faces.face_materials.push(material);
    }
}

/// The number of a material in `faces`, entered by name where it is new.
fn material_number(document: &Document, index: usize, faces: &mut PolyMesh) -> u32 {
    let named = document.materials.get(index).and_then(|material| material.name.clone());
    let name = named.unwrap_or_else(|| format!("material {index}"));
    let known = faces.materials.iter().position(|known| *known == name);
    known.unwrap_or_else(|| {
        faces.materials.push(name);
        faces.materials.len() - 1
    }) as u32
}
