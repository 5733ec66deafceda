//! Where everything lies in the binary chunk, and the JSON that says so.

use super::{TARGET_BYTES, Target, surface::Surface};
use muslin::math::Vec3;
use serde_json::{Value, json};

const UNSIGNED_INT: u32 = 5125;
const SHORT: u32 = 5122;
const BYTE: u32 = 5120;
const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
/// Cloth is dull.
const ROUGHNESS: f64 = 0.8;

/// Where the parts of one mesh lie in the binary chunk [bytes].
pub(super) struct Section {
    pub(super) start: usize,
    positions: usize,
    normals: usize,
    uv: usize,
    away: usize,
    targets: usize,
    end: usize,
}

impl Section {
    fn new(start: usize, surface: &Surface) -> Self {
        let vertices = surface.vertices();
        let indices: usize = surface.primitives.iter().map(|p| p.indices.len()).sum();
        let positions = start + 4 * indices;
        let normals = positions + 12 * vertices;
        let uv = normals + 12 * vertices;
        let away = uv + if surface.uv.is_some() { 8 * vertices } else { 0 };
        let targets = away + if surface.weights() > 0 { 12 * vertices } else { 0 };
        let end = targets + TARGET_BYTES * vertices * surface.targets.len();
        Self { start, positions, normals, uv, away, targets, end }
    }

    /// Where a target lies.
    pub(super) fn target(&self, target: usize, vertices: usize) -> usize {
        self.targets + target * vertices * TARGET_BYTES
    }
}

/// Where everything lies in the binary chunk [bytes].
pub(super) struct Sections {
    pub(super) meshes: Vec<Section>,
    /// Times, then weights of the meshes that move.
    pub(super) animation_at: usize,
    frames: usize,
    pub(super) total: usize,
}

impl Sections {
    pub(super) fn new(surfaces: &[Surface], frames: usize) -> Self {
        let mut meshes: Vec<Section> = Vec::new();
        for surface in surfaces {
            let start = meshes.last().map_or(0, |section| section.end);
            meshes.push(Section::new(start, surface));
        }
        let animation_at = meshes.last().map_or(0, |section| section.end);
        let weights: usize = surfaces.iter().map(|surface| surface.weights() * frames).sum();
        let times = if weights > 0 { frames } else { 0 };
        let total = animation_at + 4 * (times + weights);
        Self { meshes, animation_at, frames, total }
    }

    pub(super) fn has_animation(&self) -> bool {
        self.total > self.animation_at
    }
}

/// The lists of a document as they grow.
#[derive(Default)]
struct Lists {
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

impl Lists {
    fn view(&mut self, range: std::ops::Range<usize>, more: Value) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": range.start, "byteLength": range.len()});
        merge(&mut view, more);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, view: usize, component: u32, count: usize, more: Value) -> usize {
        let mut accessor = json!({"bufferView": view, "componentType": component, "count": count});
        merge(&mut accessor, more);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn add(&mut self, surface: &Surface, section: &Section) {
        let count = surface.vertices();
        let vertices = json!({"target": VERTICES});
        let positions = self.view(section.positions..section.normals, vertices.clone());
        let [low, high] = bounds(surface.small_positions());
        let position = self.accessor(
            positions,
            FLOAT,
            count,
            json!({"type": "VEC3", "min": low, "max": high}),
        );
        let normals = self.view(section.normals..section.uv, vertices.clone());
        let normal = self.accessor(normals, FLOAT, count, json!({"type": "VEC3"}));
        let mut attributes = json!({"POSITION": position, "NORMAL": normal});
        if surface.uv.is_some() {
            let uv = self.view(section.uv..section.away, vertices);
            let uv = self.accessor(uv, FLOAT, count, json!({"type": "VEC2"}));
            merge(&mut attributes, json!({"TEXCOORD_0": uv}));
        }
        let targets = self.targets(surface, section);
        let mut at = section.start;
        let mut primitives = Vec::new();
        for primitive in &surface.primitives {
            let length = primitive.indices.len();
            let view = self.view(at..at + 4 * length, json!({"target": INDICES}));
            at += 4 * length;
            let indices = self.accessor(view, UNSIGNED_INT, length, json!({"type": "SCALAR"}));
            let [r, g, b] = surface.color;
            self.materials.push(json!({
                "name": primitive.material,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": ROUGHNESS,
                },
                "doubleSided": true,
            }));
            let mut entry = json!({
                "attributes": attributes,
                "indices": indices,
                "material": self.materials.len() - 1,
            });
            if !targets.is_empty() {
                merge(&mut entry, json!({"targets": targets}));
            }
            primitives.push(entry);
        }
        self.meshes.push(json!({"name": surface.name, "primitives": primitives}));
        let mut node = json!({"name": surface.name, "mesh": self.meshes.len() - 1});
        if surface.scale > 1.0 {
            let scale = [surface.scale; 3];
            merge(&mut node, json!({"scale": scale}));
        }
        self.nodes.push(node);
    }

    fn targets(&mut self, surface: &Surface, section: &Section) -> Vec<Value> {
        if surface.targets.is_empty() {
            return Vec::new();
        }
        let count = surface.vertices();
        let more = json!({"target": VERTICES, "byteStride": TARGET_BYTES});
        let view = self.view(section.targets..section.end, more);
        let mut entries = Vec::with_capacity(surface.targets.len());
        for (index, Target { low, high }) in surface.targets.iter().enumerate() {
            let offset = index * count * TARGET_BYTES;
            let position = json!({
                "type": "VEC3", "normalized": true, "byteOffset": offset, "min": low, "max": high,
            });
            let normal = json!({"type": "VEC3", "normalized": true, "byteOffset": offset + 8});
            let position = self.accessor(view, SHORT, count, position);
            let normal = self.accessor(view, BYTE, count, normal);
            entries.push(json!({"POSITION": position, "NORMAL": normal}));
        }
        let view = self.view(section.away..section.targets, json!({"target": VERTICES}));
        let normal = self.accessor(view, FLOAT, count, json!({"type": "VEC3"}));
        // An accessor without a view is all zeros.
        let zero = [0.0; 3];
        self.accessors.push(json!({
            "componentType": FLOAT, "count": count, "type": "VEC3", "min": zero, "max": zero,
        }));
        entries.push(json!({"POSITION": self.accessors.len() - 1, "NORMAL": normal}));
        entries
    }

    /// One channel for each mesh that moves.
    fn animation(&mut self, surfaces: &[Surface], sections: &Sections, times: [f32; 2]) -> Value {
        let frames = sections.frames;
        let mut at = sections.animation_at + 4 * frames;
        let view = self.view(sections.animation_at..at, json!({}));
        let [low, high] = times.map(f64::from);
        let range = json!({"type": "SCALAR", "min": [low], "max": [high]});
        let input = self.accessor(view, FLOAT, frames, range);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for (node, surface) in surfaces.iter().enumerate() {
            let count = surface.weights() * frames;
            if count == 0 {
                continue;
            }
            let view = self.view(at..at + 4 * count, json!({}));
            at += 4 * count;
            let output = self.accessor(view, FLOAT, count, json!({"type": "SCALAR"}));
            channels.push(json!({
                "sampler": samplers.len(),
                "target": {"node": node, "path": "weights"},
            }));
            samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
        }
        json!({"name": "simulation", "channels": channels, "samplers": samplers})
    }
}

/// The JSON of a file whose last frame is at `end` [s].
pub(super) fn document(surfaces: &[Surface], sections: &Sections, end: f64) -> String {
    let mut lists = Lists::default();
    for (surface, section) in surfaces.iter().zip(&sections.meshes) {
        lists.add(surface, section);
    }
    let animation =
        sections.has_animation().then(|| lists.animation(surfaces, sections, [0.0, end as f32]));
    let shown: Vec<usize> = (0..lists.nodes.len()).collect();
    let mut root = json!({
        "asset": {"version": "2.0", "generator": concat!("Muslin ", env!("CARGO_PKG_VERSION"))},
        "scene": 0,
        "scenes": [{"nodes": shown}],
        "nodes": lists.nodes,
        "meshes": lists.meshes,
        "materials": lists.materials,
        "accessors": lists.accessors,
        "bufferViews": lists.views,
        "buffers": [{"byteLength": sections.total}],
    });
    if let Some(animation) = animation {
        let extensions = ["KHR_mesh_quantization"];
        let more = json!({
            "animations": [animation],
            "extensionsUsed": extensions,
            "extensionsRequired": extensions,
        });
        merge(&mut root, more);
    }
    root.to_string()
}

/// The corners of the box around the points, as the numbers that the file holds.
fn bounds(points: impl Iterator<Item = Vec3>) -> [[f64; 3]; 2] {
    let whole = points.map(|p| (p, p)).reduce(|(low, high), (p, _)| (low.min(p), high.max(p)));
    let (low, high) = whole.unwrap_or((Vec3::ZERO, Vec3::ZERO));
    [low.to_array(), high.to_array()]
}

/// Adds the keys of `more` to an object.
fn merge(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}
