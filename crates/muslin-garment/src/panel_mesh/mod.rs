//! Fills a panel with triangles: given boundary, hexagonal seeds, constrained Delaunay, smoothing,
//! and refinement where angles are small.

mod crossings;
mod quality;
mod relax;
mod seeds;

pub(crate) use crossings::check_crossings;
pub use quality::Quality;
pub(crate) use quality::least_angle;
pub(crate) use seeds::distance_to_segment;

use crate::cdt::Cdt;
use crate::error::GarmentError;
use crate::pattern::Panel;
use crate::plan::PanelPlan;
use muslin::math::Vec2;

/// Rounds of smoothing and refinement.
const ROUNDS: usize = 6;
/// Triangles with a smaller angle are refined \[rad\] (27°), a little above what is promised.
const REFINE_ANGLE: f64 = 0.4712;
/// Rounds of widening small angles; they end early when nothing moves.
const WIDEN_ROUNDS: usize = 12;
/// Vertices added one by one at the worst triangles.
const MAX_RESCUES: usize = 12;

/// A meshed panel. Vertices of the plan come first, in the plan's order.
#[derive(Clone, Debug)]
pub(crate) struct PanelMesh {
    cdt: Cdt,
    /// How many vertices are given and stay where they are.
    given: usize,
    size: seeds::SizeField,
}

impl PanelMesh {
    /// Meshes a panel.
    pub fn new(plan: &PanelPlan, panel: &Panel, edge_length: f64) -> Result<Self, GarmentError> {
        let (low, high) = plan
            .points
            .iter()
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        let mut cdt = Cdt::new(low, high);
        for (k, &point) in plan.points.iter().enumerate() {
            if cdt.insert(point) as usize != k {
                return Err(meeting(plan, panel, point));
            }
        }
        let mut walls = Vec::new();
        for around in &plan.loops {
            walls.extend((0..around.len()).map(|k| [around[k], around[(k + 1) % around.len()]]));
        }
        let inner = plan.lines.iter().flat_map(|line| line.windows(2).map(|w| [w[0], w[1]]));
        let segments: Vec<[u32; 2]> = walls.iter().copied().chain(inner).collect();
        for &[a, b] in &segments {
            cdt.fix_segment(a, b).map_err(|_| meeting(plan, panel, plan.points[a as usize]))?;
        }
        cdt.mark_inside(&walls);
        check_lines_inside(&mut cdt, plan, panel)?;
        let size = seeds::SizeField::new(plan, &segments, edge_length);
        let mut mesh = Self { cdt, given: plan.points.len(), size };
        mesh.fill(low, high);
        Ok(mesh)
    }

    fn fill(&mut self, low: Vec2, high: Vec2) {
        seeds::plant(&mut self.cdt, &self.size, low, high);
        for _ in 0..ROUNDS {
            relax::smooth(&mut self.cdt, self.given, 3);
            if !seeds::refine(&mut self.cdt, &self.size, REFINE_ANGLE) {
                break;
            }
        }
        relax::smooth(&mut self.cdt, self.given, 3);
        relax::widen_angles(&mut self.cdt, self.given, WIDEN_ROUNDS);
        self.rescue();
    }

    /// Adds a vertex at the worst triangle as long as that helps.
    fn rescue(&mut self) {
        for _ in 0..MAX_RESCUES {
            let Some((angle, corners)) = worst(&self.cdt) else { return };
            if angle >= REFINE_ANGLE {
                return;
            }
            let mut best = (poorness(&self.cdt), None);
            for place in seeds::rescue_places(corners) {
                let mut tried = self.cdt.clone();
                if !seeds::add_inside(&mut tried, place) {
                    continue;
                }
                relax::widen_angles(&mut tried, self.given, WIDEN_ROUNDS);
                let poor = poorness(&tried);
                if poor < best.0 {
                    best = (poor, Some(tried));
                }
            }
            match best.1 {
                Some(cdt) => self.cdt = cdt,
                None => return,
            }
        }
    }

    /// Takes edges out of the mesh that would coincide with others once sewn.
    pub fn remove_edges(&mut self, edges: &[[u32; 2]]) {
        let given = self.given as u32;
        for &[a, b] in edges {
            self.cdt.remove_edge(a, b, 0.3, |c, d| c >= given || d >= given);
        }
        relax::widen_angles(&mut self.cdt, self.given, WIDEN_ROUNDS);
        self.rescue();
    }

    /// How many vertices it has.
    pub fn vertex_count(&self) -> usize {
        self.cdt.vertex_count()
    }

    /// All vertices \[m\].
    pub fn points(&self) -> Vec<Vec2> {
        (0..self.cdt.vertex_count() as u32).map(|v| self.cdt.point(v)).collect()
    }

    /// Counter-clockwise triangles.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        self.cdt.inside().collect()
    }
}

/// The smallest angle of every triangle that is not the outline's own, and its corners.
fn own_angles(cdt: &Cdt) -> impl Iterator<Item = (f64, [Vec2; 3])> {
    cdt.inside_with_fixed().map(|(corners, fixed)| {
        let corners = corners.map(|v| cdt.point(v));
        // Between two fixed sides, the angle is the outline's.
        let given = |k: usize| fixed[(k + 1) % 3] && fixed[(k + 2) % 3];
        let angles = quality::angles(corners);
        let least = (0..3).filter(|&k| !given(k)).map(|k| angles[k]).fold(f64::INFINITY, f64::min);
        (least, corners)
    })
}

fn worst(cdt: &Cdt) -> Option<(f64, [Vec2; 3])> {
    own_angles(cdt).reduce(|a, b| if b.0 < a.0 { b } else { a })
}

/// How much is missing to the wanted angle, over all triangles: the fourth power lets the worst
/// decide, and a sum lets two that are alike be mended one after the other.
fn poorness(cdt: &Cdt) -> f64 {
    own_angles(cdt).map(|(angle, _)| (REFINE_ANGLE - angle).max(0.0).powi(4)).sum()
}

fn meeting(plan: &PanelPlan, panel: &Panel, point: Vec2) -> GarmentError {
    let near = |vertices: &[u32]| {
        vertices.iter().any(|&v| (plan.points[v as usize] - point).length() == 0.0)
    };
    let mut names = panel
        .edges()
        .zip(&plan.edges)
        .filter(|(_, vertices)| near(vertices))
        .map(|(edge, _)| format!("edge {:?}", edge.name))
        .chain(
            panel
                .lines
                .iter()
                .zip(&plan.lines)
                .filter(|(_, vertices)| near(vertices))
                .map(|(line, _)| format!("line {:?}", line.name)),
        );
    let first = names.next().unwrap_or_else(|| "an edge".to_owned());
    let second = names.last().unwrap_or_else(|| "another edge".to_owned());
    GarmentError::Crossing { panel: panel.name.clone(), first, second, x: point.x, y: point.y }
}

/// Lines and buttons must lie in the cloth, and holes too.
fn check_lines_inside(cdt: &mut Cdt, plan: &PanelPlan, panel: &Panel) -> Result<(), GarmentError> {
    let outside = |what: String| GarmentError::Outside { panel: panel.name.clone(), what };
    let mut used = vec![false; plan.points.len()];
    for triangle in cdt.inside() {
        for v in triangle {
            if let Some(used) = used.get_mut(v as usize) {
                *used = true;
            }
        }
    }
    for (line, vertices) in panel.lines.iter().zip(&plan.lines) {
        for pair in vertices.windows(2) {
            let middle = 0.5 * (plan.points[pair[0] as usize] + plan.points[pair[1] as usize]);
            let inside = match cdt.locate(middle) {
                crate::cdt::Place::Inside(t) | crate::cdt::Place::OnSide(t, _) => cdt.is_inside(t),
                crate::cdt::Place::OnVertex(_) => true,
            };
            if !inside {
                return Err(outside(format!("line {:?}", line.name)));
            }
        }
    }
    match used.iter().position(|&used| !used) {
        Some(v) => {
            let p = plan.points[v];
            Err(outside(format!("the point ({:.4}, {:.4}) m", p.x, p.y)))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
