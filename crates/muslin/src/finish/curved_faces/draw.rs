//! Curves of edges with their folds, and points inside faces: each edge and each face by itself (OS4–OS7).

use super::{CurvedCounts, CurvedFaces};
use crate::finish::curved_settings::{CurvedSettings, FoldSide, Folds};
use crate::finish::edge_length::{Fold, LENGTH_TOLERANCE, length, shape_about};
use crate::finish::fold_plan::{FoldPlan, Ray};
use crate::finish::patches::{Face, MOST_PIECES, Side};
use crate::finish::pn_triangle::{Curve, curve_point, edge_curve, middle_normal};
use crate::finish::tessellation::Template;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use crate::share::{Rows, Wide};

/// Edges and faces that a thread takes at once.
const EDGES_AT_ONCE: usize = 192;
const FACES_AT_ONCE: usize = 256;

/// What edges are drawn from.
#[derive(Clone, Copy)]
struct EdgePen<'a> {
    mesh: &'a TriMesh,
    settings: &'a CurvedSettings,
    template: &'a Template,
    plan: &'a FoldPlan,
    /// Positions \[m\] and unit normals of the particles.
    x: &'a [Vec3],
    normals: &'a [Vec3],
}

/// What is drawn of an edge.
struct DrawnEdge<'a> {
    pieces: &'a mut [Curve],
    /// Normals at the cuts between them.
    normals: &'a mut [Vec3],
    fold: &'a mut Fold,
    control: &'a mut (Vec3, Vec3),
    /// Drawn points \[m\].
    points: &'a mut [Vec3],
}

/// Normals at the cuts of edges, and points on them.
type Lines<'a> = (Wide<'a, Vec3>, Wide<'a, Vec3>);

/// What is drawn of edges, each in its row.
type Edges<'a> = (&'a mut [Fold], (&'a mut [(Vec3, Vec3)], (Wide<'a, Curve>, Lines<'a>)));

/// What faces are drawn from: their edges with their pieces.
#[derive(Clone, Copy)]
struct FacePen<'a> {
    mesh: &'a TriMesh,
    template: &'a Template,
    depth: usize,
    face_edges: &'a [[u32; 3]],
    pieces: &'a [Curve],
    cut_normals: &'a [Vec3],
    folds: &'a [Fold],
}

impl CurvedFaces {
    /// Draws all edges and faces of a mesh with its vertices at `x` \[m\].
    pub(super) fn draw(&mut self, x: &[Vec3]) -> CurvedCounts {
        let Self { mesh, settings, template, normal_control, plan, share, .. } = self;
        let Self { pieces, cut_normals, edge_folds, control, positions, .. } = self;
        let normals = if settings.normal_control {
            normal_control.controlled()
        } else {
            normal_control.plain()
        };
        let (depth, on_edge) = (settings.folds.depth(), template.segments - 1);
        let (count, cuts) = (1 << depth, (1 << depth) - 1);
        let edge_points = edge_folds.len() * on_edge;
        let (on_edges, in_faces) = positions[mesh.vertex_count()..].split_at_mut(edge_points);
        let pen = EdgePen { mesh, settings, template, plan, x, normals };
        let lines = (Wide::new(cut_normals, cuts), Wide::new(on_edges, on_edge));
        let rows = (
            edge_folds.as_mut_slice(),
            (control.as_mut_slice(), (Wide::new(pieces, count), lines)),
        );
        let work =
            |first: usize, (folds, (control, (mut pieces, (mut normals, mut points)))): Edges| {
                let mut counts = CurvedCounts::default();
                for (i, (fold, control)) in folds.iter_mut().zip(control).enumerate() {
                    let (pieces, normals, points) = (pieces.row(i), normals.row(i), points.row(i));
                    pen.draw(
                        first + i,
                        DrawnEdge { pieces, normals, fold, control, points },
                        &mut counts,
                    );
                }
                counts
            };
        let counts = share.sum(rows, EDGES_AT_ONCE, work, CurvedCounts::and);
        let face_edges = normal_control.face_edges();
        let folds = edge_folds.as_slice();
        let pen = FacePen { mesh, template, depth, face_edges, pieces, cut_normals, folds };
        let faces = Wide::new(in_faces, template.inner.len());
        share.each(faces, FACES_AT_ONCE, |first, mut faces: Wide<Vec3>| {
            for i in 0..faces.count() {
                pen.draw(first + i, faces.row(i));
            }
        });
        counts
    }
}

impl CurvedCounts {
    /// Those of both.
    fn and(self, other: Self) -> Self {
        Self {
            folded: self.folded + other.folded,
            hollow: self.hollow + other.hollow,
            limited: self.limited + other.limited,
            flattened: self.flattened + other.flattened,
            crossing: self.crossing + other.crossing,
        }
    }
}

impl EdgePen<'_> {
    /// The curve of one edge, its fold, and its drawn points.
    fn draw(&self, e: usize, out: DrawnEdge, counts: &mut CurvedCounts) {
        let DrawnEdge { pieces, normals, fold, control, points } = out;
        let ends = self.mesh.topology().edges()[e].vertices.map(|v| v as usize);
        let p = ends.map(|v| self.x[v]);
        let n = ends.map(|v| self.normals[v]);
        let curve = edge_curve(p, n);
        let count = pieces.len();
        let cut = count > 1;
        let unfolded = if cut { length(&curve) } else { 0.0 };
        let middle = if cut { middle_normal(p, n) } else { n[0] };
        let fold = self.plan_fold(e, fold, (&curve, unfolded), middle);
        let shaped = shape_about((&curve, unfolded), n, middle, fold.as_ref(), (pieces, normals));
        *control = (curve_point(&curve, 0.5), Vec3::ZERO);
        if let Some(fold) = fold {
            let folded = shaped.length - unfolded > LENGTH_TOLERANCE * fold.target;
            counts.folded += usize::from(folded);
            counts.hollow += usize::from(folded && fold.side < 0.0);
            let short = fold.target - shaped.length > 2.0 * LENGTH_TOLERANCE * fold.target;
            counts.limited += usize::from(short);
            if cut {
                control.1 = normals[count / 2 - 1] * (shaped.height * fold.side);
            }
        }
        for (out, point) in points.iter_mut().zip(&self.template.edge_points) {
            *out = curve_point(&pieces[point.piece], point.t);
        }
    }

    /// The fold an edge with this curve, `unfolded` \[m\] long, and with this normal at its middle should get; `None` without edge-length control or if it is long enough.
    fn plan_fold(
        &self,
        e: usize,
        fold: &mut Fold,
        (curve, unfolded): (&Curve, f64),
        middle: Vec3,
    ) -> Option<Fold> {
        if self.settings.folds == Folds::None {
            return None;
        }
        (fold.side, fold.limit) = (1.0, f64::INFINITY);
        if unfolded >= fold.target {
            return None;
        }
        if self.settings.side == FoldSide::Bending {
            fold.side = self.plan.side(self.mesh, self.x, e);
        }
        if self.settings.self_collision {
            let d = middle * fold.side;
            // Two straight halves of the full length would be this high; a curve is lower.
            let chord_squared = curve[0].distance_squared(curve[3]);
            let highest = 0.5 * (fold.target * fold.target - chord_squared).max(0.0).sqrt();
            let ray = Ray { p: curve_point(curve, 0.5), d, highest };
            fold.limit = self.plan.limit(self.mesh, self.x, e, ray);
        }
        Some(*fold)
    }
}

impl FacePen<'_> {
    /// The inner points of one face.
    fn draw(&self, t: usize, out: &mut [Vec3]) {
        let inner = &self.template.inner;
        let corners = self.mesh.triangles()[t];
        let edges = self.face_edges[t];
        let (count, cuts) = (1 << self.depth, (1 << self.depth) - 1);
        let side = |k: usize| {
            let e = edges[k] as usize;
            let backwards = self.mesh.topology().edges()[e].vertices[0] != corners[k];
            let pieces = &self.pieces[e * count..(e + 1) * count];
            Side::new(pieces, &self.cut_normals[e * cuts..(e + 1) * cuts], backwards)
        };
        let face = Face {
            sides: [side(0), side(1), side(2)],
            // Inner sides are cut, and so controlled, only where edges have more than two pieces.
            folds: (count > 2).then(|| edges.map(|e| self.folds[e as usize])),
        };
        debug_assert!(count <= MOST_PIECES);
        let mut next = 0;
        face.patches(0, &mut |number, patch| {
            while next < inner.len() && inner[next].patch == number {
                out[next] = patch.weighted(&inner[next].weights);
                next += 1;
            }
        });
    }
}
