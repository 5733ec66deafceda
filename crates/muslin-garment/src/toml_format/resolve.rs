//! From what is written to a pattern: numbers worked out, names looked up.

use super::raw;
use crate::curve::Curve;
use crate::error::GarmentError;
use crate::expression::{Number, Parameters};
use crate::pattern::{
    Button, Direction, ElasticBand, InnerLine, Panel, PanelEdge, Pattern, PatternPoint, Placement,
    Seam, SeamPiece, Wrap, WrapAxis,
};
use muslin::math::{Quat, Vec2, Vec3};

/// Values of the pattern being read.
struct Scope {
    parameters: Parameters,
    meters: f64,
}

impl Scope {
    fn number(&self, place: &str, number: &Number) -> Result<f64, GarmentError> {
        let wrong = |message| GarmentError::Number { place: place.to_owned(), message };
        self.parameters.value(number).map_err(wrong)
    }

    fn length(&self, place: &str, number: &Number) -> Result<f64, GarmentError> {
        Ok(self.number(place, number)? * self.meters)
    }

    fn point(&self, place: &str, [u, v]: &raw::Point) -> Result<Vec2, GarmentError> {
        Ok(Vec2::new(self.length(place, u)?, self.length(place, v)?))
    }

    fn optional(&self, place: &str, number: Option<&Number>) -> Result<f64, GarmentError> {
        number.map_or(Ok(0.0), |number| self.number(place, number))
    }

    fn vector(&self, place: &str, of: Option<&[Number; 3]>) -> Result<Vec3, GarmentError> {
        let Some([x, y, z]) = of else { return Ok(Vec3::ZERO) };
        Ok(Vec3::new(self.number(place, x)?, self.number(place, y)?, self.number(place, z)?))
    }
}

pub(super) fn resolve(
    file: &raw::File,
    name: &str,
    given: &[(String, f64)],
) -> Result<Pattern, GarmentError> {
    let parameters = Parameters::resolve(&file.parameters, given)
        .map_err(|(place, message)| GarmentError::Number { place, message })?;
    let scope = Scope { parameters, meters: file.unit.meters() };
    let mut pattern = Pattern {
        name: file.name.clone().unwrap_or_else(|| name.to_owned()),
        panels: Vec::new(),
        seams: Vec::new(),
        bands: Vec::new(),
        buttons: Vec::new(),
    };
    for raw in &file.panel {
        let panel = panel(&scope, raw, &pattern.panels)?;
        darts(&panel, pattern.panels.len(), raw, &mut pattern.seams)?;
        pattern.panels.push(panel);
    }
    for (k, raw) in file.seam.iter().enumerate() {
        let name = raw.name.clone().unwrap_or_else(|| format!("{}", k + 1));
        let place = format!("seam {name:?}");
        let side = |pieces: &[raw::Piece]| -> Result<Vec<SeamPiece>, GarmentError> {
            pieces.iter().map(|p| piece(&scope, &place, p, &pattern.panels)).collect()
        };
        pattern.seams.push(Seam {
            a: side(&raw.a)?,
            b: side(&raw.b)?,
            gather: raw.gather,
            angle: scope.optional(&place, raw.angle.as_ref())?.to_radians(),
            name,
        });
    }
    for (k, raw) in file.elastic.iter().enumerate() {
        let name = raw.name.clone().unwrap_or_else(|| format!("{}", k + 1));
        bands(&scope, &name, raw, &mut pattern)?;
    }
    for (k, raw) in file.button.iter().enumerate() {
        let name = raw.name.clone().unwrap_or_else(|| format!("{}", k + 1));
        let place = format!("button {name:?}");
        let end = |end: &raw::ButtonEnd| {
            let panel = find_panel(&place, &end.panel, &pattern.panels)?;
            Ok(PatternPoint { panel, at: scope.point(&place, &end.at)? })
        };
        pattern.buttons.push(Button { a: end(&raw.a)?, b: end(&raw.b)?, name });
    }
    Ok(pattern)
}

fn panel(scope: &Scope, raw: &raw::Panel, known: &[Panel]) -> Result<Panel, GarmentError> {
    let place = format!("panel {:?}", raw.name);
    let mut panel = match &raw.mirror_of {
        Some(of) => {
            if raw.start.is_some() || !raw.edge.is_empty() {
                let message = "it is a mirror image, so it cannot have edges of its own".to_owned();
                return Err(GarmentError::Number { place, message });
            }
            known[find_panel(&place, of, known)?].mirrored(&raw.name)
        }
        None => Panel {
            name: raw.name.clone(),
            outline: edges(scope, &place, raw.start.as_ref(), &raw.edge, "")?,
            holes: Vec::new(),
            lines: Vec::new(),
            grain: 0.0,
            placement: Placement::FLAT,
            fabric: None,
            layer: 0,
        },
    };
    for (k, hole) in raw.hole.iter().enumerate() {
        panel.holes.push(self::hole(scope, &place, hole, k + 1)?);
    }
    for line in &raw.line {
        panel.lines.push(inner_line(scope, &place, line)?);
    }
    if let Some(grain) = &raw.grain {
        panel.grain = scope.number(&place, grain)?.to_radians();
    }
    if raw.position.is_some() {
        panel.placement.position = scope.vector(&place, raw.position.as_ref())? * scope.meters;
    }
    if raw.rotation.is_some() {
        let turn = scope.vector(&place, raw.rotation.as_ref())?;
        panel.placement.rotation = euler_xyz(turn);
    }
    if let Some(wrap) = &raw.wrap {
        panel.placement.wrap = Some(bend(scope, &place, wrap)?);
    }
    panel.fabric = raw.fabric.clone().or(panel.fabric);
    panel.layer = raw.layer.unwrap_or(panel.layer);
    Ok(panel)
}

/// How a panel is bent.
fn bend(scope: &Scope, place: &str, raw: &raw::Wrap) -> Result<Wrap, GarmentError> {
    let turn = raw.turn.as_ref().map(|turn| scope.number(place, turn)).transpose()?;
    let wrap = Wrap {
        radius: scope.length(place, &raw.radius)?,
        axis: match raw.axis {
            raw::Axis::U => WrapAxis::U,
            raw::Axis::V => WrapAxis::V,
        },
        at: scope.optional(place, raw.at.as_ref())? * scope.meters,
        flat: scope.optional(place, raw.flat.as_ref())? * scope.meters,
        turn: turn.map_or(f64::INFINITY, f64::to_radians),
    };
    if wrap.radius != 0.0 && wrap.flat >= 0.0 && wrap.turn >= 0.0 {
        return Ok(wrap);
    }
    let message = format!(
        "it is wrapped with radius {} m, flat for {} m and turned by {}°; the radius cannot be 0, the others \
         not negative",
        wrap.radius,
        wrap.flat,
        wrap.turn.to_degrees()
    );
    Err(GarmentError::Number { place: place.to_owned(), message })
}

/// The rotation about x, then y, then z, all axes fixed \[degrees\].
pub(crate) fn euler_xyz(degrees: Vec3) -> Quat {
    Quat::from_rotation_z(degrees.z.to_radians())
        * Quat::from_rotation_y(degrees.y.to_radians())
        * Quat::from_rotation_x(degrees.x.to_radians())
}

/// Edges of a loop from its start; the last one without `to` goes back to it.
fn edges(
    scope: &Scope,
    place: &str,
    start: Option<&raw::Point>,
    raw: &[raw::Edge],
    prefix: &str,
) -> Result<Vec<PanelEdge>, GarmentError> {
    let wrong = |message: &str| GarmentError::Number {
        place: place.to_owned(),
        message: message.to_owned(),
    };
    let start = scope.point(place, start.ok_or_else(|| wrong("it has no start; give a point"))?)?;
    let mut edges: Vec<PanelEdge> = Vec::new();
    let mut from = start;
    for (k, edge) in raw.iter().enumerate() {
        let name = edge.name.clone().unwrap_or_else(|| format!("{prefix}{}", k + 1));
        let to = match &edge.to {
            Some(to) => scope.point(place, to)?,
            None if k + 1 == raw.len() => start,
            None => return Err(wrong("only the last edge goes without `to`; give a point")),
        };
        // An outline that names its start again ends in the very same number.
        let last = k + 1 == raw.len();
        let to = if last && (to - start).length() <= 1e-9 * start.length().max(1e-3) {
            start
        } else {
            to
        };
        let curve = curve(scope, &format!("{place}, edge {name:?}"), edge, from, to)?;
        edges.push(PanelEdge { name, curve });
        from = to;
    }
    Ok(edges)
}

fn curve(
    scope: &Scope,
    place: &str,
    edge: &raw::Edge,
    from: Vec2,
    to: Vec2,
) -> Result<Curve, GarmentError> {
    let wrong = |message: String| GarmentError::Number { place: place.to_owned(), message };
    match (&edge.curve, &edge.arc) {
        (None, None) => Ok(Curve::Line { from, to }),
        (Some(controls), None) => match controls.as_slice() {
            [c] => Ok(Curve::Quadratic { from, control: scope.point(place, c)?, to }),
            [c, d] => {
                let controls = [scope.point(place, c)?, scope.point(place, d)?];
                Ok(Curve::Cubic { from, controls, to })
            }
            _ => Err(wrong(format!("a curve has 1 or 2 control points, not {}", controls.len()))),
        },
        (None, Some(arc)) => {
            let radius = scope.length(place, &arc.radius)?;
            let right = arc.bulge == raw::Bulge::Right;
            Curve::arc(from, to, radius, arc.large, right).ok_or_else(|| {
                let half = 0.5 * (to - from).length();
                wrong(format!(
                    "an arc of radius {radius:.6} m cannot join points {:.6} m apart; give at \
                     least {half:.6} m and two points",
                    2.0 * half
                ))
            })
        }
        (Some(_), Some(_)) => Err(wrong("give either `curve` or `arc`, not both".to_owned())),
    }
}

fn hole(
    scope: &Scope,
    place: &str,
    raw: &raw::Hole,
    number: usize,
) -> Result<Vec<PanelEdge>, GarmentError> {
    let place = format!("{place}, hole {number}");
    let Some(circle) = &raw.circle else {
        return edges(scope, &place, raw.start.as_ref(), &raw.edge, &format!("hole{number}_"));
    };
    let center = scope.point(&place, &circle.center)?;
    let radius = scope.length(&place, &circle.radius)?;
    let (right, left) = (center + Vec2::X * radius, center - Vec2::X * radius);
    let half = |from, to, name: &str| {
        let curve = Curve::arc(from, to, radius, false, true).ok_or_else(|| {
            let message = format!("its radius is {radius} m; give a positive number");
            GarmentError::Number { place: place.clone(), message }
        })?;
        Ok(PanelEdge { name: format!("{}_{name}", circle.name), curve })
    };
    Ok(vec![half(right, left, "top")?, half(left, right, "bottom")?])
}

fn inner_line(scope: &Scope, place: &str, raw: &raw::Line) -> Result<InnerLine, GarmentError> {
    let place = format!("{place}, line {:?}", raw.name);
    let chain = edges(scope, &place, Some(&raw.start), &raw.edge, "")?;
    let fold = raw.fold.as_ref().map(|angle| scope.number(&place, angle)).transpose()?;
    Ok(InnerLine {
        name: raw.name.clone(),
        curves: chain.into_iter().map(|edge| edge.curve).collect(),
        fold: fold.map(f64::to_radians),
    })
}

/// A dart is a seam between two edges of one panel.
fn darts(
    panel: &Panel,
    index: usize,
    raw: &raw::Panel,
    seams: &mut Vec<Seam>,
) -> Result<(), GarmentError> {
    for (k, dart) in raw.dart.iter().enumerate() {
        let place = format!("panel {:?}, dart {}", panel.name, k + 1);
        let [first, second] =
            [find_edge(&place, panel, &dart.edges[0])?, find_edge(&place, panel, &dart.edges[1])?];
        let side = |edge, direction| SeamPiece { panel: index, edge, range: [0.0, 1.0], direction };
        seams.push(Seam {
            name: format!("{}.dart{}", panel.name, k + 1),
            a: vec![side(first, Direction::Forward)],
            b: vec![side(second, Direction::Backward)],
            gather: false,
            angle: 0.0,
        });
    }
    Ok(())
}

fn bands(
    scope: &Scope,
    name: &str,
    raw: &raw::Elastic,
    pattern: &mut Pattern,
) -> Result<(), GarmentError> {
    let place = format!("elastic band {name:?}");
    let (width, shrink) = (scope.length(&place, &raw.width)?, scope.number(&place, &raw.shrink)?);
    for text in &raw.edges {
        let (panel, edge) = find(&place, text, &pattern.panels)?;
        let same = |band: &&mut ElasticBand| band.name == name && band.panel == panel;
        match pattern.bands.iter_mut().find(same) {
            Some(band) => band.edges.push(edge),
            None => pattern.bands.push(ElasticBand {
                name: name.to_owned(),
                panel,
                edges: vec![edge],
                width,
                shrink,
            }),
        }
    }
    Ok(())
}

fn piece(
    scope: &Scope,
    place: &str,
    raw: &raw::Piece,
    panels: &[Panel],
) -> Result<SeamPiece, GarmentError> {
    let (text, range) = match raw {
        raw::Piece::Whole(text) => (text, [0.0, 1.0]),
        raw::Piece::Part(part) => {
            let to = part.to.as_ref().map_or(Ok(1.0), |to| scope.number(place, to))?;
            (&part.edge, [scope.optional(place, part.from.as_ref())?, to])
        }
    };
    let (direction, text) = match text.as_bytes().first() {
        Some(b'-') => (Direction::Backward, &text[1..]),
        Some(b'+') => (Direction::Forward, &text[1..]),
        _ => (Direction::Auto, text.as_str()),
    };
    let (panel, edge) = find(place, text, panels)?;
    Ok(SeamPiece { panel, edge, range, direction })
}

fn find(place: &str, text: &str, panels: &[Panel]) -> Result<(usize, usize), GarmentError> {
    let (panel, edge) = text.split_once('.').ok_or_else(|| GarmentError::Number {
        place: place.to_owned(),
        message: format!("{text:?} names no edge; write \"panel.edge\""),
    })?;
    let panel = find_panel(place, panel, panels)?;
    Ok((panel, find_edge(place, &panels[panel], edge)?))
}

fn find_panel(place: &str, name: &str, panels: &[Panel]) -> Result<usize, GarmentError> {
    panels.iter().position(|panel| panel.name == name).ok_or_else(|| GarmentError::Missing {
        place: place.to_owned(),
        kind: "panel",
        name: name.to_owned(),
        hint: known(panels.iter().map(|panel| panel.name.as_str())),
    })
}

fn find_edge(place: &str, panel: &Panel, name: &str) -> Result<usize, GarmentError> {
    panel.edge_index(name).ok_or_else(|| GarmentError::Missing {
        place: place.to_owned(),
        kind: "edge",
        name: name.to_owned(),
        hint: format!("panel {:?}: {}", panel.name, known(panel.edges().map(|e| e.name.as_str()))),
    })
}

/// "there are a, b, c", cut short where there are many.
pub(crate) fn known<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.take(13).collect();
    let more = if names.len() > 12 { ", …" } else { "" };
    format!("there are {}{more}", names[..names.len().min(12)].join(", "))
}
