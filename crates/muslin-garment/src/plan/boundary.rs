//! Each panel's given vertices, and the stitches between them.

use super::breaks::{Breaks, Inner, Joint};
use super::sampling::{Nodes, Setting, points};
use super::{PanelPlan, Plan, Run, Shapes, Stitch, Strand};
use crate::cdt::orient;
use crate::error::GarmentError;
use crate::panel_mesh::check_crossings;
use crate::pattern::Pattern;
use crate::union_find::UnionFind;
use muslin::math::Vec2;

/// Vertices of a panel while they are listed.
struct Builder<'a> {
    plans: Vec<PanelPlan>,
    /// Vertex of each node (of its panel), or `u32::MAX`.
    of_node: Vec<u32>,
    nodes: Nodes,
    corners: UnionFind,
    breaks: &'a Breaks,
}

impl Builder<'_> {
    fn vertex(&mut self, panel: usize, node: u32, at: Vec2, size: f64) -> u32 {
        let node = self.corners.find(node) as usize;
        if self.of_node[node] == u32::MAX {
            self.of_node[node] = self.push(panel, at, size);
        }
        self.of_node[node]
    }

    fn push(&mut self, panel: usize, at: Vec2, size: f64) -> u32 {
        let plan = &mut self.plans[panel];
        plan.points.push(at);
        plan.sizes.push(size);
        plan.points.len() as u32 - 1
    }

    /// Vertices along a run whose ends are the given nodes.
    fn run(&mut self, panel: usize, ends: [u32; 2], places: &[Vec2], sizes: [f64; 2]) -> Vec<u32> {
        let last = places.len() - 1;
        let mut vertices = vec![self.vertex(panel, ends[0], places[0], sizes[0])];
        for k in 1..last {
            let size = (places[k + 1] - places[k - 1]).length() * 0.5;
            vertices.push(self.push(panel, places[k], size));
        }
        vertices.push(self.vertex(panel, ends[1], places[last], sizes[1]));
        vertices
    }
}

/// Lists the vertices of all strands and pairs those that are sewn.
pub(super) fn assemble(
    setting: &Setting<'_>,
    strands: Vec<Strand>,
    lines: &[Strand],
) -> Result<Plan, GarmentError> {
    let Setting { pattern, shapes, breaks, inner, .. } = *setting;
    let nodes = Nodes::new(breaks, inner);
    let mut corners = UnionFind::new(nodes.count);
    for (panel, edges) in shapes.edges.iter().enumerate() {
        for edge in 0..edges.len() {
            let next = nodes.on_edge(breaks, panel, shapes.next(panel, edge), 0.0);
            corners.join(nodes.on_edge(breaks, panel, edge, 1.0), next);
        }
    }
    let plans = shapes
        .edges
        .iter()
        .map(|edges| PanelPlan { edges: vec![Vec::new(); edges.len()], ..PanelPlan::default() });
    let of_node = vec![u32::MAX; nodes.count];
    let mut builder = Builder { plans: plans.collect(), of_node, nodes, corners, breaks };
    let vertices = list_edges(&mut builder, shapes, &strands);
    list_lines(&mut builder, pattern, inner, lines);
    let mut buttons = Vec::new();
    for ends in &inner.buttons {
        buttons.push(ends.map(|(panel, joint)| {
            let at = match joint {
                Joint::OnEdge(edge, f) => shapes.edges[panel][edge].point(f),
                Joint::Inner(index) => inner.points[panel][index],
            };
            let node = builder.nodes.joint(breaks, panel, joint);
            (panel, builder.vertex(panel, node, at, f64::INFINITY))
        }));
    }
    let mut plans = builder.plans;
    for (panel, plan) in plans.iter_mut().enumerate() {
        for bounds in shapes.loop_starts[panel].windows(2) {
            let edges = &plan.edges[bounds[0]..bounds[1]];
            let around = edges.iter().flat_map(|e| e[..e.len() - 1].iter().copied()).collect();
            plan.loops.push(around);
        }
    }
    for (plan, panel) in plans.iter().zip(&pattern.panels) {
        check_crossings(plan, panel)?;
    }
    let mut stitches: Vec<Vec<Stitch>> = vec![Vec::new(); pattern.seams.len()];
    let mut sewn = Vec::new();
    for (strand, sides) in strands.into_iter().zip(vertices) {
        let Some(seam) = strand.seam else { continue };
        let panels = [strand.sides[0].panel, strand.sides[1].panel];
        for (&a, &b) in sides[0].iter().zip(&sides[1]) {
            let stitch = [(panels[0], a), (panels[1], b)];
            if stitch[0] != stitch[1] && stitches[seam].last() != Some(&stitch) {
                stitches[seam].push(stitch);
            }
        }
        sewn.push(strand);
    }
    Ok(Plan { panels: plans, stitches, sewn, buttons })
}

/// Lists the vertices of all edges; gives those of every strand and side, in its direction.
fn list_edges(
    builder: &mut Builder<'_>,
    shapes: &Shapes,
    strands: &[Strand],
) -> Vec<Vec<Vec<u32>>> {
    let mut order: Vec<(usize, usize, f64, usize, usize)> = Vec::new();
    for (s, strand) in strands.iter().enumerate() {
        for (k, run) in strand.sides.iter().enumerate() {
            order.push((run.panel, run.edge, run.from.min(run.to), s, k));
        }
    }
    order.sort_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2)));
    let mut vertices: Vec<Vec<Vec<u32>>> =
        strands.iter().map(|strand| vec![Vec::new(); strand.sides.len()]).collect();
    for (panel, edge, _, s, k) in order {
        let strand = &strands[s];
        let backward = strand.sides[k].from > strand.sides[k].to;
        let Run { from, to, .. } = strand.sides[k];
        let run = Run { panel, edge, from: from.min(to), to: from.max(to) };
        let mut fractions = strand.fractions.clone();
        let mut sizes = strand.sizes;
        if backward {
            fractions = fractions.iter().rev().map(|f| 1.0 - f).collect();
            sizes.reverse();
        }
        let places = points(&shapes.edges[panel][edge], &run, &fractions);
        let ends =
            [run.from, run.to].map(|f| builder.nodes.on_edge(builder.breaks, panel, edge, f));
        let mut listed = builder.run(panel, ends, &places, sizes);
        let whole = &mut builder.plans[panel].edges[edge];
        let skip = usize::from(!whole.is_empty());
        whole.extend_from_slice(&listed[skip..]);
        if backward {
            listed.reverse();
        }
        vertices[s][k] = listed;
    }
    vertices
}

fn list_lines(builder: &mut Builder<'_>, pattern: &Pattern, inner: &Inner, lines: &[Strand]) {
    for (panel, plan) in pattern.panels.iter().zip(&mut builder.plans) {
        plan.lines = vec![Vec::new(); panel.lines.len()];
    }
    for (curve, strand) in inner.curves.iter().zip(lines) {
        let places = points(&curve.shape, &strand.sides[0], &strand.fractions);
        let ends = curve.joints.map(|j| builder.nodes.joint(builder.breaks, curve.panel, j));
        let listed = builder.run(curve.panel, ends, &places, strand.sizes);
        let whole = &mut builder.plans[curve.panel].lines[curve.line];
        let skip = usize::from(!whole.is_empty());
        whole.extend_from_slice(&listed[skip..]);
    }
}

/// Where two segments meet other than in a shared vertex.
pub(crate) fn segments_meet([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let (abc, abd) = (orient(a, b, c), orient(a, b, d));
    let (cda, cdb) = (orient(c, d, a), orient(c, d, b));
    if abc == 0.0 && abd == 0.0 {
        // On one line: they meet where their boxes do.
        let overlap = |lo1: f64, hi1: f64, lo2: f64, hi2: f64| lo1 <= hi2 && lo2 <= hi1;
        return overlap(a.x.min(b.x), a.x.max(b.x), c.x.min(d.x), c.x.max(d.x))
            && overlap(a.y.min(b.y), a.y.max(b.y), c.y.min(d.y), c.y.max(d.y));
    }
    abc * abd <= 0.0 && cda * cdb <= 0.0
}
