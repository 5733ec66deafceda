//! A coarse mesh drawn smooth: normals, curves, patches, triangles (OS4–OS7).

mod draw;

use super::curved_settings::{
    CurvedError, CurvedSettings, FoldSide, Folds, check_positions, check_rest_lengths,
    check_settings, drawn_vertices,
};
use super::edge_length::Fold;
use super::fold_plan::FoldPlan;
use super::normal_control::NormalControl;
use super::pn_triangle::Curve;
use super::tessellation::{Local, Template};
use super::unit_normals::make_unit;
use super::untangle::{Drawn, KEPT, Untangle};
use crate::math::{Vec2, Vec3};
use crate::mesh::TriMesh;
use crate::share::Share;

/// Drawn triangles from which on the threads of the caller's pool share the work.
pub const MANY_TRIANGLES: usize = 10_000;

/// What one update did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvedCounts {
    /// Edges whose curve was too short and was folded.
    pub folded: usize,
    /// Folds against the normal.
    pub hollow: usize,
    /// Edges left too short because other cloth is in the way.
    pub limited: usize,
    /// Faces drawn flatter because they would cross others, counted once a pass.
    pub flattened: usize,
    /// Pairs of faces that cross all the same.
    pub crossing: usize,
}

/// What the two controls did at a place, for pictures like the paper's Figure 8 (d).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlVectors<'a> {
    /// Unit normal of every particle without control.
    pub plain: &'a [Vec3],
    /// Unit normal of every particle with control (OS5).
    pub controlled: &'a [Vec3],
    /// Per edge: its middle before the fold \[m\], and how far the fold moved it \[m\] (OS6).
    pub folds: &'a [(Vec3, Vec3)],
}

/// A coarse mesh and its smooth surface. Built once, updated for every pose without allocating.
///
/// Drawn vertices come in this order: the particles, the points on every edge, the points in every
/// face. Neighbouring faces share the vertices on their common edge, so there are no cracks.
#[derive(Clone, Debug)]
pub struct CurvedFaces {
    mesh: TriMesh,
    settings: CurvedSettings,
    template: Template,
    normal_control: NormalControl,
    plan: FoldPlan,
    untangle: Option<Untangle>,
    /// Curve pieces and cut normals, `MOST_PIECES` or fewer per edge.
    pieces: Vec<Curve>,
    cut_normals: Vec<Vec3>,
    edge_folds: Vec<Fold>,
    control: Vec<(Vec3, Vec3)>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    uv: Vec<[Vec2; 3]>,
    counts: CurvedCounts,
    /// Who draws.
    share: Share,
}

impl CurvedFaces {
    /// Buffers for a mesh, drawn first at `start` \[m\].
    pub fn new(
        mesh: &TriMesh,
        start: &[Vec3],
        settings: CurvedSettings,
    ) -> Result<Self, CurvedError> {
        let edge_count = mesh.topology().edges().len();
        let rest_lengths = (0..edge_count).map(|e| mesh.rest_length(e)).collect();
        Self::with_rest_lengths(mesh, rest_lengths, start, settings)
    }

    /// The same for edges whose rest lengths \[m\] are not those of the rest coordinates: shrunk or
    /// elastic cloth.
    pub fn with_rest_lengths(
        mesh: &TriMesh,
        rest_lengths: Vec<f64>,
        start: &[Vec3],
        settings: CurvedSettings,
    ) -> Result<Self, CurvedError> {
        check_settings(mesh, &settings)?;
        check_rest_lengths(mesh, &rest_lengths)?;
        check_positions(mesh, start)?;
        let depth = settings.folds.depth();
        let template = Template::new(settings.tessellation, depth);
        let edge_count = mesh.topology().edges().len();
        let normal_control = NormalControl::with_rest_lengths(mesh, rest_lengths);
        let (triangles, uv) = drawn_triangles(mesh, normal_control.face_edges(), &template);
        let count = drawn_vertices(mesh, settings.tessellation);
        let folds = normal_control.rest_lengths().iter().map(|&target| Fold {
            target,
            guess: settings.fold_guess,
            side: 1.0,
            limit: f64::INFINITY,
        });
        let mut faces = Self {
            untangle: settings.self_collision.then(|| Untangle::new(mesh, start, &triangles, &uv)),
            plan: FoldPlan::new(mesh, settings.self_collision.then_some(start)),
            pieces: vec![[Vec3::ZERO; 4]; edge_count << depth],
            cut_normals: vec![Vec3::Z; edge_count * ((1 << depth) - 1)],
            edge_folds: folds.collect(),
            control: vec![(Vec3::ZERO, Vec3::ZERO); edge_count],
            positions: vec![Vec3::ZERO; count],
            normals: vec![Vec3::Z; count],
            mesh: mesh.clone(),
            counts: CurvedCounts::default(),
            share: Share::Alone,
            settings,
            template,
            normal_control,
            triangles,
            uv,
        };
        faces.update(start)?;
        Ok(faces)
    }

    /// Draws the mesh with its vertices at `x` \[m\].
    pub fn update(&mut self, x: &[Vec3]) -> Result<(), CurvedError> {
        self.update_with(x, |_, _| ())
    }

    /// Draws the mesh with its vertices at `x` \[m\], and lets `adjust(positions, triangles)` change the
    /// drawn positions before normals are made; once more after every pass that draws crossing faces flatter.
    pub fn update_with<T>(
        &mut self,
        x: &[Vec3],
        mut adjust: impl FnMut(&mut [Vec3], &[[u32; 3]]) -> T,
    ) -> Result<T, CurvedError> {
        check_positions(&self.mesh, x)?;
        self.share = Share::if_enough(self.can_share());
        let Self { mesh, settings, normal_control, plan, share, .. } = self;
        let folds = settings.folds != Folds::None;
        let fit = || {
            if folds {
                plan.fit(mesh, x);
            }
        };
        share.join(|| normal_control.update(mesh, x), fit);
        if folds && settings.side == FoldSide::Bending {
            plan.bend(mesh, x, normal_control.face_normals());
        }
        self.positions[..x.len()].copy_from_slice(x);
        self.counts = self.draw(x);
        let mut adjusted = adjust(&mut self.positions, &self.triangles);
        for (pass, kept) in KEPT.into_iter().enumerate() {
            if self.find_crossings(pass > 0) == 0 {
                break;
            }
            self.flatten(x, kept);
            adjusted = adjust(&mut self.positions, &self.triangles);
        }
        if self.counts.flattened > 0 {
            self.counts.crossing = self.find_crossings(true);
        }
        self.update_normals();
        Ok(adjusted)
    }

    /// Whether there is so much to draw that the threads of the caller's pool share the work.
    pub(crate) fn can_share(&self) -> bool {
        self.triangles.len() >= MANY_TRIANGLES
    }

    /// Pairs of faces whose drawn triangles cross; 0 if nobody asks. `again`: in the same update.
    fn find_crossings(&mut self, again: bool) -> usize {
        let normals = if self.settings.normal_control {
            self.normal_control.controlled()
        } else {
            self.normal_control.plain()
        };
        let (mesh, positions, triangles) = (&self.mesh, &self.positions, &self.triangles);
        let drawn = Drawn { mesh, positions, triangles, normals };
        let share = self.share;
        self.untangle.as_mut().map_or(0, |untangle| untangle.find(&drawn, again, share))
    }

    fn flatten(&mut self, x: &[Vec3], kept: f64) {
        if let Some(untangle) = &self.untangle {
            let (mesh, template, positions) = (&self.mesh, &self.template, &mut self.positions);
            self.counts.flattened += untangle.flatten(mesh, template, x, positions, kept);
        }
    }

    /// Normals of the drawn vertices: means of the drawn triangles around them, by area.
    fn update_normals(&mut self) {
        self.normals.fill(Vec3::ZERO);
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| self.positions[v as usize]);
            let area = (b - a).cross(c - a);
            for &v in t {
                self.normals[v as usize] += area;
            }
        }
        make_unit(&mut self.normals);
    }

    /// Drawn positions \[m\].
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Unit normals of the drawn vertices.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Drawn triangles; they never change.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Rest coordinates \[m\] of every corner of every drawn triangle; they never change.
    pub fn uv(&self) -> &[[Vec2; 3]] {
        &self.uv
    }

    /// Length of the longest edge at rest over its segments \[m\]: what drawn sides measure, about.
    pub fn nominal_side(&self) -> f64 {
        let longest = self.normal_control.rest_lengths().iter().copied().fold(0.0, f64::max);
        longest / self.template.segments as f64
    }

    /// The particle next to every drawn vertex, by the places in their faces.
    pub(crate) fn owners(&self) -> Vec<u32> {
        let n = self.template.segments;
        let mut owners: Vec<u32> = (0..self.mesh.vertex_count() as u32).collect();
        for edge in self.mesh.topology().edges() {
            owners.extend((1..n).map(|i| edge.vertices[usize::from(2 * i > n)]));
        }
        for corners in self.mesh.triangles() {
            owners.extend(self.template.inner.iter().map(|point| {
                let b = point.barycentric;
                let nearer = |a: usize, c: usize| if b[c] > b[a] { c } else { a };
                corners[nearer(nearer(0, 1), 2)]
            }));
        }
        owners
    }

    /// Unit normals of the particles that the patches were made from.
    pub fn particle_normals(&self) -> &[Vec3] {
        if self.settings.normal_control {
            self.normal_control.controlled()
        } else {
            self.normal_control.plain()
        }
    }

    /// What both controls did.
    pub fn control_vectors(&self) -> ControlVectors<'_> {
        ControlVectors {
            plain: self.normal_control.plain(),
            controlled: self.normal_control.controlled(),
            folds: &self.control,
        }
    }

    /// The cubic pieces of the curve of edge `e`, from its first to its second vertex.
    pub fn edge_pieces(&self, e: usize) -> &[Curve] {
        let count = 1 << self.settings.folds.depth();
        &self.pieces[e * count..(e + 1) * count]
    }

    /// Counts of the last update.
    pub fn counts(&self) -> CurvedCounts {
        self.counts
    }

    /// The coarse mesh.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }
}

/// Indices and rest coordinates of all drawn triangles.
fn drawn_triangles(
    mesh: &TriMesh,
    face_edges: &[[u32; 3]],
    template: &Template,
) -> (Vec<[u32; 3]>, Vec<[Vec2; 3]>) {
    let on_edge = template.segments - 1;
    let edges = mesh.topology().edges();
    let first_inner = mesh.vertex_count() + edges.len() * on_edge;
    let mut triangles = Vec::with_capacity(mesh.triangles().len() * template.triangles.len());
    let mut uv = Vec::with_capacity(triangles.capacity());
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let index = |local: Local| match local {
            Local::Corner(k) => corners[k],
            Local::Side(k, i) => {
                let e = face_edges[t][k] as usize;
                let forwards = edges[e].vertices[0] == corners[k];
                let along = if forwards { i } else { template.segments - i };
                (mesh.vertex_count() + e * on_edge + along - 1) as u32
            }
            Local::Inner(i) => (first_inner + t * template.inner.len() + i) as u32,
        };
        let rest = &mesh.uv()[t];
        let coordinate = |local: Local| match local {
            Local::Corner(k) => rest[k],
            Local::Side(k, i) => {
                rest[k].lerp(rest[(k + 1) % 3], i as f64 / template.segments as f64)
            }
            Local::Inner(i) => {
                let b = template.inner[i].barycentric;
                rest[0] * b[0] + rest[1] * b[1] + rest[2] * b[2]
            }
        };
        for triangle in &template.triangles {
            triangles.push(triangle.map(index));
            uv.push(triangle.map(coordinate));
        }
    }
    (triangles, uv)
}

#[cfg(test)]
mod tests;
