//! `[[cloth]]`: shape, place, fabric and what is painted on it.

use muslin::math::Vec3;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::body::Blend;
use super::constraint::{Attach, Pin, Seam, Select, Stick};
use super::crease::Crease;
use super::fabric::Fabric;
use super::hang::{Hang, Rods};
use super::mesh_file::{MeshFile, PatternFile};
use super::paint::{Directional, Paint};
use super::sheet::{Disc, Grid, Panel, Skirt, SphereSheet, Strip, Tube};
use crate::keyframes::Keyed;

/// A piece of cloth. Exactly one of `grid`, `strip`, `disc`, `tube`, `skirt`, `sphere`, `blend`, `mesh`,
/// `panel` and `pattern` gives its shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cloth {
    /// Name; `cloth-0`, `cloth-1`, … when not given.
    pub name: String,
    /// A rectangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// A narrow rectangle whose folds run across it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strip: Option<Strip>,
    /// A disc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disc: Option<Disc>,
    /// An open tube.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tube: Option<Tube>,
    /// Rings of particles, the coarse skirt of OS7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skirt: Option<Skirt>,
    /// A closed ball of cloth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereSheet>,
    /// A closed sculpture: limbs that flow into each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<Blend>,
    /// A mesh file: OBJ, PLY, glTF or USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// Sewing panels (BW15).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<Panel>,
    /// A GarmentCode pattern file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<PatternFile>,
    /// Positions at frame 0 from a mesh with the same vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<MeshFile>,
    /// Place of the shape's middle (of a file's origin) [m].
    #[schemars(with = "[f64; 3]")]
    pub position: Vec3,
    /// Rotation about x, then y, then z [degrees].
    #[schemars(with = "[f64; 3]")]
    pub rotation: Vec3,
    /// Scale of shape and rest shape.
    pub scale: f64,
    /// Initial velocity [m/s].
    #[schemars(with = "[f64; 3]")]
    pub velocity: Vec3,
    /// Layer; where cloths lie on a body, higher layers are outside.
    pub layer: i32,
    /// The fabric: a name or a table.
    pub fabric: Fabric,
    /// Colour of the front, "#rrggbb".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Colour of the back, "#rrggbb"; like the front when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_back: Option<String>,
    /// Angles at which hinges rest (MF5): "flat", "rest-shape", or painted [degrees].
    pub rest_angles: RestAngles,
    /// Pleats and creases: chains of edges with an angle of their own (MF5).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crease: Vec<Crease>,
    /// Rest lengths along u and v as a factor, b_u and b_v (BW3): below 1 tightens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Directional>,
    /// Inflation pressure of closed cloth [Pa]; keyframable.
    pub pressure: Keyed<f64>,
    /// What holds a curtain or a flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hang: Option<Hang>,
    /// Rods between the columns of a curtain (XU6, XU8).
    pub rods: Rods,
    /// Named vertex groups.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub group: BTreeMap<String, Select>,
    /// Held vertices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pin: Vec<Pin>,
    /// Springs to other cloths and bodies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attach: Vec<Attach>,
    /// Seams between panels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seam: Vec<Seam>,
    /// Sticking regions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stick: Vec<Stick>,
}

impl Default for Cloth {
    fn default() -> Self {
        Self {
            name: String::new(),
            grid: None,
            strip: None,
            disc: None,
            tube: None,
            skirt: None,
            sphere: None,
            blend: None,
            mesh: None,
            panel: Vec::new(),
            pattern: None,
            initial: None,
            position: Vec3::ZERO,
            rotation: Vec3::ZERO,
            scale: 1.0,
            velocity: Vec3::ZERO,
            layer: 0,
            fabric: Fabric::default(),
            color: None,
            color_back: None,
            rest_angles: RestAngles::Flat,
            crease: Vec::new(),
            shrink: None,
            pressure: Keyed::Constant(0.0),
            hang: None,
            rods: Rods::default(),
            group: BTreeMap::new(),
            pin: Vec::new(),
            attach: Vec::new(),
            seam: Vec::new(),
            stick: Vec::new(),
        }
    }
}

/// The shape of a [`Cloth`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClothShape<'a> {
    /// A rectangle.
    Grid(&'a Grid),
    /// A narrow rectangle.
    Strip(&'a Strip),
    /// A disc.
    Disc(&'a Disc),
    /// An open tube.
    Tube(&'a Tube),
    /// Rings of particles.
    Skirt(&'a Skirt),
    /// A closed ball.
    Sphere(&'a SphereSheet),
    /// A closed sculpture.
    Blend(&'a Blend),
    /// A mesh file.
    Mesh(&'a MeshFile),
    /// Sewing panels.
    Panels(&'a [Panel]),
    /// A pattern file.
    Pattern(&'a PatternFile),
}

impl Cloth {
    /// Every shape that is given; exactly one in a checked scene.
    pub fn shapes(&self) -> Vec<ClothShape<'_>> {
        let panels = (!self.panel.is_empty()).then_some(ClothShape::Panels(&self.panel));
        [
            self.grid.as_ref().map(ClothShape::Grid),
            self.strip.as_ref().map(ClothShape::Strip),
            self.disc.as_ref().map(ClothShape::Disc),
            self.tube.as_ref().map(ClothShape::Tube),
            self.skirt.as_ref().map(ClothShape::Skirt),
            self.sphere.as_ref().map(ClothShape::Sphere),
            self.blend.as_ref().map(ClothShape::Blend),
            self.mesh.as_ref().map(ClothShape::Mesh),
            panels,
            self.pattern.as_ref().map(ClothShape::Pattern),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The shape; `Some` in a checked scene.
    pub fn shape(&self) -> Option<ClothShape<'_>> {
        self.shapes().first().copied()
    }
}

/// Angles at which hinges rest (MF5).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RestAngles {
    /// Flat.
    #[default]
    Flat,
    /// As in the rest mesh: sculpted folds.
    RestShape,
    /// Painted [degrees].
    Painted(Paint),
}

impl<'de> Deserialize<'de> for RestAngles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnglesVisitor;
        impl<'de> Visitor<'de> for AnglesVisitor {
            type Value = RestAngles;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"flat\", \"rest-shape\" or a painted value [degrees]")
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<RestAngles, E> {
                match word {
                    "flat" => Ok(RestAngles::Flat),
                    "rest-shape" => Ok(RestAngles::RestShape),
                    _ => Err(E::unknown_variant(word, &["flat", "rest-shape"])),
                }
            }
            fn visit_f64<E: Error>(self, degrees: f64) -> Result<RestAngles, E> {
                Ok(RestAngles::Painted(Paint::Number(degrees)))
            }
            fn visit_i64<E: Error>(self, degrees: i64) -> Result<RestAngles, E> {
                self.visit_f64(degrees as f64)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RestAngles, A::Error> {
                Paint::deserialize(MapAccessDeserializer::new(map)).map(RestAngles::Painted)
            }
        }
        deserializer.deserialize_any(AnglesVisitor)
    }
}

impl Serialize for RestAngles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flat => serializer.serialize_str("flat"),
            Self::RestShape => serializer.serialize_str("rest-shape"),
            Self::Painted(paint) => paint.serialize(serializer),
        }
    }
}

impl JsonSchema for RestAngles {
    fn schema_name() -> Cow<'static, str> {
        "RestAngles".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let paint = generator.subschema_for::<Paint>();
        json_schema!({ "anyOf": [{ "enum": ["flat", "rest-shape"] }, paint] })
    }
}
