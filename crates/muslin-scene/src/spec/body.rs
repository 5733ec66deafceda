//! `[[body]]`: what cloth meets.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flex::Flex;
use super::forms::{allow_string, string_or_table};
use super::mannequin::Mannequin;
use super::mesh_file::{MeshFile, MeshSequence, Unit};
use super::scene::UpAxis;
use crate::keyframes::Keyed;

/// How cloth meets a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Collision {
    /// The exact shape where there is one, else the mesh.
    #[default]
    Exact,
    /// The triangles of its mesh.
    Mesh,
    /// A signed distance field (MF6).
    LevelSet,
}

/// A ball around `position`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Radius [m].
    pub radius: f64,
}

/// A box around `position`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cuboid {
    /// Size along x, y and z [m].
    pub size: [f64; 3],
}

/// A cylinder or capsule around the up axis through `position`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Radius [m].
    pub radius: f64,
    /// Length [m]; of a capsule without its round ends.
    pub length: f64,
}

/// Limbs that flow into each other: a sculpted body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blend {
    /// Capsules, each with a radius at either end.
    pub limbs: Vec<Limb>,
    /// Capsules cut out of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carved: Vec<Limb>,
    /// Over which distance they flow into each other [m].
    #[serde(default)]
    pub smooth: f64,
    /// Size of the triangles [m]; a fiftieth of the body when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<f64>,
}

/// A limb of a [`Blend`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limb {
    /// One end [m].
    #[schemars(with = "[f64; 3]")]
    pub from: Vec3,
    /// The other end [m].
    #[schemars(with = "[f64; 3]")]
    pub to: Vec3,
    /// Radius at both ends [m].
    pub radii: [f64; 2],
}

/// A plane through `position`; cloth stays on the side its normal points to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Plane {
    /// Normal; up when not given.
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec3>,
}

/// A skinned glTF file: `"dancer.glb"`, or a table that also says how to read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = allow_string)]
pub struct GltfFile {
    /// The file, relative to the scene file.
    pub file: String,
    /// Its animation; the first when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The node or mesh to take, with everything below it; all when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Take only what wears this skin; all when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<String>,
    /// Time of the animation at time 0 of the scene [s].
    #[serde(default)]
    pub start: f64,
    /// Speed of the animation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Play it over and over.
    #[serde(default)]
    pub repeat: bool,
    /// Unit of lengths; metres when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Up axis; y, as glTF says, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
}

impl GltfFile {
    fn plain(file: String) -> Self {
        Self { file, ..Self::default() }
    }

    fn only_file(&self) -> Option<&str> {
        (*self == Self::plain(self.file.clone())).then_some(&self.file)
    }
}

string_or_table!(GltfFile, GltfFile::plain, GltfFile::only_file, "a file name or { file = …, … }");

/// The signed distance field of a body (MF6, MF7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LevelSet {
    /// A sculpted field (`.npz` with `phi`, `origin` and `spacing`) in the body's own frame, instead of the
    /// distance from its mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Size of the finest cells [m]; from the body's size when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// How near the surface the field keeps its tolerance [m]; three of the finest cells when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<f64>,
    /// Error that makes a cell be split [m]; a tenth of the finest cell when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Store it as an octree instead of a full grid.
    pub adaptive: bool,
    /// Keep the fields of an animation on disk.
    pub cache: bool,
    /// The relaxation time Δτ of forecasting (MF7) [s].
    pub relaxation_time: f64,
    /// How far below the body's surface simulated cloth meets it [m]. Cloth then sinks in, folds and all, and
    /// `muslin finish --cleanup` brings it out with its folds (MF8).
    pub inset: f64,
}

impl Default for LevelSet {
    fn default() -> Self {
        Self {
            file: None,
            cell: None,
            band: None,
            tolerance: None,
            adaptive: true,
            cache: true,
            relaxation_time: 0.01,
            inset: 0.0,
        }
    }
}

/// A body. Exactly one of `sphere`, `box`, `cylinder`, `capsule`, `blend`, `plane`, `mesh`,
/// `mesh_sequence`, `gltf` and `mannequin` gives its shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// Name; `body-0`, `body-1`, … when not given.
    pub name: String,
    /// A ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<Sphere>,
    /// A box.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<Cuboid>,
    /// A cylinder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<Round>,
    /// A cylinder with round ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capsule: Option<Round>,
    /// Limbs that flow into each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<Blend>,
    /// A plane, such as the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plane: Option<Plane>,
    /// A mesh file; one that is not closed needs `two_sided = true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// A mesh that moves as files say: numbered meshes, a vertex cache, or a USD file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh_sequence: Option<MeshSequence>,
    /// A skinned glTF file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gltf: Option<GltfFile>,
    /// The built-in mannequin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mannequin: Option<Mannequin>,
    /// Place [m]; keyframable.
    pub position: Keyed<Vec3>,
    /// Rotation about x, then y, then z [degrees]; keyframable.
    pub rotation: Keyed<Vec3>,
    /// The point of the shape that is at `position`, and about which it turns [m].
    #[schemars(with = "[f64; 3]")]
    pub pivot: Vec3,
    /// How it bends and twists; for shapes and meshes that are rigid otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flex: Option<Flex>,
    /// A body before this one that carries it: `position` and `rotation` are in its frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Scale.
    pub scale: f64,
    /// Coulomb friction, static and kinetic (BF9); the cloth's when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Static friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_static: Option<f64>,
    /// Kinetic friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_kinetic: Option<f64>,
    /// How cloth meets it.
    pub collision: Collision,
    /// Settings of its signed distance field.
    pub level_set: LevelSet,
    /// Cloth may lie on both sides of its (open) mesh.
    pub two_sided: bool,
    /// Colour "#rrggbb".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Whether it is drawn.
    pub visible: bool,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            name: String::new(),
            sphere: None,
            cuboid: None,
            cylinder: None,
            capsule: None,
            blend: None,
            plane: None,
            mesh: None,
            mesh_sequence: None,
            gltf: None,
            mannequin: None,
            position: Keyed::Constant(Vec3::ZERO),
            rotation: Keyed::Constant(Vec3::ZERO),
            pivot: Vec3::ZERO,
            flex: None,
            parent: None,
            scale: 1.0,
            friction: None,
            friction_static: None,
            friction_kinetic: None,
            collision: Collision::default(),
            level_set: LevelSet::default(),
            two_sided: false,
            color: None,
            visible: true,
        }
    }
}

/// The shape of a [`Body`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyShape<'a> {
    /// A ball.
    Sphere(&'a Sphere),
    /// A box.
    Box(&'a Cuboid),
    /// A cylinder.
    Cylinder(&'a Round),
    /// A cylinder with round ends.
    Capsule(&'a Round),
    /// Limbs that flow into each other.
    Blend(&'a Blend),
    /// A plane.
    Plane(&'a Plane),
    /// A mesh file.
    Mesh(&'a MeshFile),
    /// Numbered mesh files.
    MeshSequence(&'a MeshSequence),
    /// A skinned glTF file.
    Gltf(&'a GltfFile),
    /// The built-in mannequin.
    Mannequin(&'a Mannequin),
}

impl Body {
    /// Every shape that is given; exactly one in a checked scene.
    pub fn shapes(&self) -> Vec<BodyShape<'_>> {
        [
            self.sphere.as_ref().map(BodyShape::Sphere),
            self.cuboid.as_ref().map(BodyShape::Box),
            self.cylinder.as_ref().map(BodyShape::Cylinder),
            self.capsule.as_ref().map(BodyShape::Capsule),
            self.blend.as_ref().map(BodyShape::Blend),
            self.plane.as_ref().map(BodyShape::Plane),
            self.mesh.as_ref().map(BodyShape::Mesh),
            self.mesh_sequence.as_ref().map(BodyShape::MeshSequence),
            self.gltf.as_ref().map(BodyShape::Gltf),
            self.mannequin.as_ref().map(BodyShape::Mannequin),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The shape; `Some` in a checked scene.
    pub fn shape(&self) -> Option<BodyShape<'_>> {
        self.shapes().first().copied()
    }
}
