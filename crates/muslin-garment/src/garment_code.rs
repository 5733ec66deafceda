//! GarmentCode pattern files: JSON, centimetres, y up.

use crate::curve::Curve;
use crate::error::GarmentError;
use crate::pattern::{Direction, Panel, PanelEdge, Pattern, Placement, Seam, SeamPiece};
use crate::toml_format::{euler_xyz, known};
use muslin::math::{Quat, Vec2, Vec3};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest pattern file \[bytes\]; GarmentCode's own have a few tens of thousands.
const MAX_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct File {
    pattern: RawPattern,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize, Default)]
struct Properties {
    curvature_coords: Option<String>,
    units_in_meter: Option<f64>,
}

#[derive(Deserialize)]
struct RawPattern {
    panels: BTreeMap<String, RawPanel>,
    #[serde(default)]
    stitches: Vec<Vec<Value>>,
    #[serde(default)]
    panel_order: Vec<String>,
}

#[derive(Deserialize)]
struct RawPanel {
    #[serde(default)]
    translation: [f64; 3],
    #[serde(default)]
    rotation: [f64; 3],
    vertices: Vec<[f64; 2]>,
    edges: Vec<RawEdge>,
}

#[derive(Deserialize)]
struct RawEdge {
    endpoints: [usize; 2],
    curvature: Option<Curvature>,
}

/// Old files write a quadratic curve's control point alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Curvature {
    Control([f64; 2]),
    Typed {
        #[serde(rename = "type")]
        kind: String,
        params: Value,
    },
}

#[derive(Deserialize)]
struct StitchSide {
    panel: String,
    edge: usize,
}

/// Reads a GarmentCode pattern; `name` is used in messages and names the garment.
///
/// Lengths become metres and z points up: (x, y, z) becomes (x, −z, y), so that figures that faced
/// +z face −y. Stitches may gather: the file was made by a program that meant their lengths. Their
/// directions follow from where the panels are placed.
pub fn from_garment_code(json: &[u8], name: &str) -> Result<Pattern, GarmentError> {
    let wrong = |message: String| GarmentError::Json { file: name.to_owned(), message };
    if json.len() > MAX_BYTES {
        return Err(wrong(format!("it has more than {MAX_BYTES} bytes")));
    }
    let file: File = serde_json::from_slice(json).map_err(|error| wrong(error.to_string()))?;
    let per_meter = file.properties.units_in_meter.unwrap_or(100.0);
    if !(per_meter > 0.0 && per_meter.is_finite()) {
        return Err(wrong(format!("units_in_meter is {per_meter}; it must be positive")));
    }
    let relative = file.properties.curvature_coords.as_deref() != Some("absolute");
    // Panels in the file's order where it tells one, then the others by name.
    let order = &file.pattern.panel_order;
    let mut names: Vec<&String> = file.pattern.panels.keys().collect();
    names.sort_by_key(|name| order.iter().position(|n| n == *name).unwrap_or(usize::MAX));
    let mut panels = Vec::new();
    for panel_name in names {
        let raw = &file.pattern.panels[panel_name];
        panels.push(read_panel(panel_name, raw, 1.0 / per_meter, relative)?);
    }
    let mut seams = Vec::new();
    for (k, sides) in file.pattern.stitches.iter().enumerate() {
        let place = format!("stitch {k}");
        let [Some(a), Some(b)] = [sides.first(), sides.get(1)] else {
            return Err(wrong(format!("{place} has {} sides, expected 2", sides.len())));
        };
        let side = |value: &Value| read_side(&place, value, &panels, &wrong);
        let (a, b) = (side(a)?, side(b)?);
        seams.push(Seam { name: place, a: vec![a], b: vec![b], gather: true, angle: 0.0 });
    }
    Ok(Pattern { name: name.to_owned(), panels, seams, bands: Vec::new(), buttons: Vec::new() })
}

fn read_side(
    place: &str,
    value: &Value,
    panels: &[Panel],
    wrong: &impl Fn(String) -> GarmentError,
) -> Result<SeamPiece, GarmentError> {
    let side = StitchSide::deserialize(value)
        .map_err(|error| wrong(format!("{place} has a side that is not one: {error}")))?;
    let panel = panels.iter().position(|panel| panel.name == side.panel).ok_or_else(|| {
        GarmentError::Missing {
            place: place.to_owned(),
            kind: "panel",
            name: side.panel.clone(),
            hint: known(panels.iter().map(|panel| panel.name.as_str())),
        }
    })?;
    let count = panels[panel].outline.len();
    if side.edge >= count {
        return Err(GarmentError::Missing {
            place: place.to_owned(),
            kind: "edge",
            name: format!("{} of panel {}", side.edge, side.panel),
            hint: format!("the panel has {count} edges, numbered from 0"),
        });
    }
    Ok(SeamPiece { panel, edge: side.edge, range: [0.0, 1.0], direction: Direction::Auto })
}

fn read_panel(
    name: &str,
    raw: &RawPanel,
    scale: f64,
    relative: bool,
) -> Result<Panel, GarmentError> {
    let mut outline = Vec::new();
    for (k, edge) in raw.edges.iter().enumerate() {
        let place = format!("panel {name:?}, edge {k}");
        let end = |index: usize| {
            raw.vertices.get(index).map(|&[x, y]| Vec2::new(x, y)).ok_or_else(|| {
                GarmentError::Missing {
                    place: place.clone(),
                    kind: "vertex",
                    name: index.to_string(),
                    hint: format!("the panel has {} vertices", raw.vertices.len()),
                }
            })
        };
        let (from, to) = (end(edge.endpoints[0])?, end(edge.endpoints[1])?);
        let curve = match &edge.curvature {
            None => Curve::Line { from, to },
            Some(curvature) => read_curve(&place, curvature, from, to, relative)?,
        };
        let curve = curve.mapped(|p| p * scale, false);
        outline.push(PanelEdge { name: k.to_string(), curve });
    }
    let [x, y, z] = raw.translation;
    let turn = euler_xyz(Vec3::from(raw.rotation));
    // C R Cᵀ with C: (x, y, z) ↦ (x, −z, y) turns the rotation's axis.
    let axis = Vec3::new(turn.x, -turn.z, turn.y);
    Ok(Panel {
        name: name.to_owned(),
        outline,
        holes: Vec::new(),
        lines: Vec::new(),
        grain: 0.0,
        placement: Placement {
            position: Vec3::new(x, -z, y) * scale,
            rotation: Quat::from_xyzw(axis.x, axis.y, axis.z, turn.w),
            wrap: None,
        },
        fabric: None,
        layer: 0,
    })
}

fn read_curve(
    place: &str,
    curvature: &Curvature,
    from: Vec2,
    to: Vec2,
    relative: bool,
) -> Result<Curve, GarmentError> {
    let wrong = |message: String| GarmentError::Number { place: place.to_owned(), message };
    // Relative control points are given along the edge and along its left normal.
    let control = |[x, y]: [f64; 2]| {
        let along = to - from;
        if relative { from + along * x + along.perp() * y } else { Vec2::new(x, y) }
    };
    let (kind, params) = match curvature {
        Curvature::Control(c) => return Ok(Curve::Quadratic { from, control: control(*c), to }),
        Curvature::Typed { kind, params } => (kind.as_str(), params),
    };
    let unreadable =
        |error: serde_json::Error| wrong(format!("the {kind} curve's params are wrong: {error}"));
    match kind {
        "quadratic" => {
            let [c] = <[[f64; 2]; 1]>::deserialize(params).map_err(unreadable)?;
            Ok(Curve::Quadratic { from, control: control(c), to })
        }
        "cubic" => {
            let controls = <[[f64; 2]; 2]>::deserialize(params).map_err(unreadable)?;
            Ok(Curve::Cubic { from, controls: controls.map(control), to })
        }
        "circle" => {
            let (radius, large, right) =
                <(f64, Value, Value)>::deserialize(params).map_err(unreadable)?;
            let yes = |flag: &Value| {
                flag.as_bool().unwrap_or_else(|| flag.as_f64().is_some_and(|f| f != 0.0))
            };
            Curve::arc(from, to, radius, yes(&large), yes(&right)).ok_or_else(|| {
                wrong(format!(
                    "an arc of radius {radius} cannot join points {} apart",
                    (to - from).length()
                ))
            })
        }
        other => Err(wrong(format!(
            "the curve type {other:?} is unknown; expected quadratic, cubic or circle"
        ))),
    }
}

#[cfg(test)]
mod tests;
