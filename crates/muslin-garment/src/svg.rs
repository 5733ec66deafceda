//! Patterns as SVG pictures.

use crate::curve::Curve;
use crate::pattern::{Panel, Pattern};
use muslin::math::Vec2;
use std::fmt::Write;

/// Space between panels \[m\].
const MARGIN: f64 = 0.06;
/// Panels are laid out in rows about this wide \[m\].
const ROW: f64 = 2.4;
/// Picture units per metre.
const SCALE: f64 = 500.0;

/// Draws a pattern: outlines, holes, lines (dashed), grain, names of panels and edges.
pub fn to_svg(pattern: &Pattern) -> String {
    let mut body = String::new();
    let (mut cursor, mut row_height, mut width) = (Vec2::splat(MARGIN), 0.0_f64, 0.0_f64);
    for panel in &pattern.panels {
        let (low, high) = bounds(panel);
        let size = high - low;
        if cursor.x > MARGIN && cursor.x + size.x > ROW {
            cursor = Vec2::new(MARGIN, cursor.y + row_height + MARGIN);
            row_height = 0.0;
        }
        // SVG's y points down.
        let origin = Vec2::new(cursor.x - low.x, cursor.y + high.y);
        draw_panel(&mut body, panel, origin);
        cursor.x += size.x + MARGIN;
        width = width.max(cursor.x);
        row_height = row_height.max(size.y);
    }
    let (w, h) = (width * SCALE, (cursor.y + row_height + MARGIN) * SCALE);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.1} {h:.1}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"{w:.1}\" height=\"{h:.1}\" \
         fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn bounds(panel: &Panel) -> (Vec2, Vec2) {
    let points = panel.edges().flat_map(|e| (0..=32).map(|k| e.curve.at(f64::from(k) / 32.0)));
    points.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)))
}

fn draw_panel(out: &mut String, panel: &Panel, origin: Vec2) {
    let map = |p: Vec2| Vec2::new(origin.x + p.x, origin.y - p.y) * SCALE;
    let mut path = String::new();
    for edges in panel.loops() {
        if let Some(first) = edges.first() {
            let p = map(first.curve.start());
            let _ = write!(path, "M{:.2} {:.2}", p.x, p.y);
        }
        for edge in edges {
            path.push_str(&segment(&edge.curve, map));
        }
        path.push('Z');
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"#dfe8ee\" fill-rule=\"evenodd\" stroke=\"#20303c\"/>"
    );
    for line in &panel.lines {
        let Some(first) = line.curves.first() else { continue };
        let p = map(first.start());
        let rest: String = line.curves.iter().map(|curve| segment(curve, map)).collect();
        let _ = writeln!(
            out,
            "<path d=\"M{:.2} {:.2}{rest}\" fill=\"none\" stroke=\"#a03020\" \
             stroke-dasharray=\"6 4\"/>",
            p.x, p.y
        );
    }
    let (low, high) = bounds(panel);
    let center = 0.5 * (low + high);
    let grain = Vec2::from_angle(panel.grain).rotate(Vec2::Y) * (0.15 * (high.y - low.y));
    let (tail, tip, name) = (map(center - grain), map(center + grain), map(center));
    let _ = writeln!(
        out,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#608040\"/><circle cx=\"{:.1}\" \
         cy=\"{:.1}\" r=\"3\" fill=\"#608040\"/>",
        tail.x, tail.y, tip.x, tip.y, tip.x, tip.y
    );
    text(out, name + Vec2::new(6.0, 0.0), &panel.name, 16);
    for edge in panel.edges() {
        let middle = edge.curve.at(0.5);
        let inward = map(middle + (center - middle) * 0.08);
        text(out, inward, &edge.name, 9);
    }
}

fn segment(curve: &Curve, map: impl Fn(Vec2) -> Vec2) -> String {
    let to = map(curve.end());
    match *curve {
        Curve::Line { .. } => format!("L{:.2} {:.2}", to.x, to.y),
        Curve::Quadratic { control, .. } => {
            let c = map(control);
            format!("Q{:.2} {:.2} {:.2} {:.2}", c.x, c.y, to.x, to.y)
        }
        Curve::Cubic { controls, .. } => {
            let [c, d] = controls.map(&map);
            format!("C{:.2} {:.2} {:.2} {:.2} {:.2} {:.2}", c.x, c.y, d.x, d.y, to.x, to.y)
        }
        Curve::Arc { from, center, sweep, .. } => {
            let radius = (from - center).length() * SCALE;
            let large = u8::from(sweep.abs() > std::f64::consts::PI);
            // Mirrored by the y axis that points down.
            let clockwise = u8::from(sweep < 0.0);
            format!("A{radius:.2} {radius:.2} 0 {large} {clockwise} {:.2} {:.2}", to.x, to.y)
        }
    }
}

fn text(out: &mut String, at: Vec2, text: &str, size: u32) {
    let clean: String = text
        .chars()
        .map(|c| match c {
            '<' => '‹',
            '>' => '›',
            '&' => '+',
            other => other,
        })
        .collect();
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"middle\">{clean}</text>",
        at.x, at.y
    );
}
