//! Vertices inside a panel: a hexagonal lattice, and more where triangles are poor.

use super::quality::least_angle;
use crate::cdt::{Cdt, Place};
use crate::plan::PanelPlan;
use muslin::math::Vec2;
use std::collections::BTreeMap;

/// Seeds keep this part of the wanted spacing from boundary and lines.
const CLEARANCE: f64 = 0.6;
/// Vertices added to poor triangles keep this part of the wanted spacing from others.
const REFINE_CLEARANCE: f64 = 0.45;
/// Triangles whose circumcircle is larger than this part of the spacing are refined; it is 0.577
/// for the equilateral.
const MAX_RADIUS: f64 = 0.88;
/// Spacing grows by this much per length away from the given vertices.
const GRADING: f64 = 0.35;

/// The spacing wanted everywhere, and what must be kept clear of.
#[derive(Clone, Debug)]
pub(super) struct SizeField {
    edge_length: f64,
    /// Given segments by the lattice cell they pass, with the spacing there.
    cells: BTreeMap<(i64, i64), Vec<u32>>,
    segments: Vec<([Vec2; 2], f64)>,
    /// Places with less than the full spacing.
    fine: Vec<(Vec2, f64)>,
}

impl SizeField {
    pub fn new(plan: &PanelPlan, segments: &[[u32; 2]], edge_length: f64) -> Self {
        let mut field =
            Self { edge_length, cells: BTreeMap::new(), segments: Vec::new(), fine: Vec::new() };
        let mut joined = vec![false; plan.points.len()];
        for pair in segments {
            let ends = pair.map(|v| plan.points[v as usize]);
            for &v in pair {
                joined[v as usize] = true;
            }
            let length = (ends[1] - ends[0]).length();
            field.add_segment(ends, length.min(edge_length));
        }
        for (v, &point) in plan.points.iter().enumerate() {
            if !joined[v] {
                field.add_segment([point; 2], edge_length);
            }
            if plan.sizes[v] < 0.8 * edge_length {
                field.fine.push((point, plan.sizes[v]));
            }
        }
        field
    }

    fn add_segment(&mut self, ends: [Vec2; 2], size: f64) {
        let index = self.segments.len() as u32;
        self.segments.push((ends, size));
        let steps =
            ((ends[1] - ends[0]).length() / (0.5 * self.edge_length)).ceil().max(1.0) as u32;
        let mut last = None;
        for k in 0..=steps {
            let cell = self.cell(ends[0].lerp(ends[1], f64::from(k) / f64::from(steps)));
            if last != Some(cell) {
                self.cells.entry(cell).or_default().push(index);
                last = Some(cell);
            }
        }
    }

    fn cell(&self, point: Vec2) -> (i64, i64) {
        ((point.x / self.edge_length).floor() as i64, (point.y / self.edge_length).floor() as i64)
    }

    /// The wanted spacing at a point \[m\].
    pub fn size(&self, point: Vec2) -> f64 {
        self.fine.iter().fold(self.edge_length, |least, &(at, size)| {
            least.min(size + GRADING * (at - point).length())
        })
    }

    /// Whether a point keeps `part` of the local spacing away from all given segments.
    fn is_clear(&self, point: Vec2, part: f64) -> bool {
        let (x, y) = self.cell(point);
        let size = self.size(point);
        for cell in (x - 1..=x + 1).flat_map(|i| (y - 1..=y + 1).map(move |j| (i, j))) {
            for &index in self.cells.get(&cell).map_or(&[][..], Vec::as_slice) {
                let ([a, b], own) = self.segments[index as usize];
                if distance_to_segment(point, a, b) < part * own.min(size) {
                    return false;
                }
            }
        }
        true
    }
}

pub(crate) fn distance_to_segment(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let t = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - along * t).length()
}

/// Inserts the points of a hexagonal lattice that lie inside, clear of everything given.
pub(super) fn plant(cdt: &mut Cdt, field: &SizeField, low: Vec2, high: Vec2) {
    let h = field.edge_length;
    let row_height = h * 3.0_f64.sqrt() * 0.5;
    let center = 0.5 * (low + high);
    let rows = (0.5 * (high.y - low.y) / row_height).ceil() as i64;
    let columns = (0.5 * (high.x - low.x) / h).ceil() as i64 + 1;
    for row in -rows..=rows {
        let shift = if row.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
        for column in -columns..=columns {
            let offset = Vec2::new((column as f64 + shift) * h, row as f64 * row_height);
            let point = center + offset;
            // Finer regions are left to refinement, which spaces them as they need.
            if field.size(point) > 0.75 * h && field.is_clear(point, CLEARANCE) {
                add_inside(cdt, point);
            }
        }
    }
}

/// Inserts a point if it lies inside; tells whether it did.
pub(super) fn add_inside(cdt: &mut Cdt, point: Vec2) -> bool {
    let inside =
        point.is_finite() && matches!(cdt.locate(point), Place::Inside(t) if cdt.is_inside(t));
    if inside {
        cdt.insert(point);
    }
    inside
}

/// Inserts the circumcentres of poor triangles, the worst first; tells whether any was.
pub(super) fn refine(cdt: &mut Cdt, field: &SizeField, wanted_angle: f64) -> bool {
    let mut poor = Vec::new();
    for triangle in cdt.inside() {
        let corners = triangle.map(|v| cdt.point(v));
        let (center, radius) = circumcircle(corners);
        let oversize = radius / (MAX_RADIUS * field.size(center));
        let angle = least_angle(corners);
        if angle < wanted_angle || oversize > 1.0 {
            poor.push((oversize.max(wanted_angle / angle.max(1e-9)), center));
        }
    }
    poor.sort_by(|p, q| q.0.total_cmp(&p.0).then(p.1.x.total_cmp(&q.1.x)));
    let mut any = false;
    for (_, center) in poor {
        if center.is_finite()
            && field.is_clear(center, REFINE_CLEARANCE)
            && room(cdt, field, center)
        {
            any |= add_inside(cdt, center);
        }
    }
    any
}

/// Whether no vertex of the triangle around a point is too close.
fn room(cdt: &mut Cdt, field: &SizeField, point: Vec2) -> bool {
    let least = REFINE_CLEARANCE * 1.2 * field.size(point);
    match cdt.locate(point) {
        Place::Inside(t) => {
            cdt.around(t).into_iter().all(|v| (cdt.point(v) - point).length() >= least)
        }
        _ => false,
    }
}

/// Where a vertex may help a poor triangle: its circumcentre, centroid and longest side.
pub(super) fn rescue_places(corners: [Vec2; 3]) -> [Vec2; 3] {
    let [a, b, c] = corners;
    let sides = [(b - a).length(), (c - b).length(), (a - c).length()];
    let longest = if sides[0] >= sides[1] && sides[0] >= sides[2] {
        a.midpoint(b)
    } else if sides[1] >= sides[2] {
        b.midpoint(c)
    } else {
        c.midpoint(a)
    };
    // Off the side itself, so that it falls into a triangle.
    let centroid = (a + b + c) / 3.0;
    [circumcircle(corners).0, centroid, longest.lerp(centroid, 0.05)]
}

fn circumcircle([a, b, c]: [Vec2; 3]) -> (Vec2, f64) {
    let (u, v) = (b - a, c - a);
    let offset =
        (v.perp() * -u.length_squared() + u.perp() * v.length_squared()) / (2.0 * u.perp_dot(v));
    (a + offset, offset.length())
}
