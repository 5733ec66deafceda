//! Contact that lets nothing pass, for curtains: the ladder of BF3 after the bounded passes of XU7.
//!
//! A curtain proposes where its vertices of both levels go in a step; the ladder changes their way, in parts if it
//! must, until nothing passes through anything. Rods cannot follow single vertices, so that they end the step longer or shorter
//! than they are; the next step starts by giving them their length again. What they lack is
//! [`Curtain::rod_error`].

use super::mesh::Mesh;
use super::panel::Panel;
use super::{Curtain, CurtainError, Report, Top, latitudinal};
use crate::body::Body;
use crate::cloth::{Cloth, Maps};
use crate::contact::loose::Loose;
use crate::contact::{ContactParams, Ladder, Motion, Unresolved};
use crate::fabric::Fabric;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use crate::report::{ContactCounts, Seconds};

/// Most parts that the way of a step is divided into before what still collides is let go.
const MOST_PARTS: u32 = 64;

/// Largest contact thickness as a share of the shortest edge: beyond it, neighbours in a flat sheet would
/// repel each other.
const THICKNESS_PER_EDGE: f64 = 0.4;

/// Strain of rods and sections that the ladder tries to keep to \[-\].
const ROD_LIMIT: f64 = 0.01;

/// What it took to let nothing pass in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardReport {
    /// Parts its way was divided into.
    pub parts: u32,
    /// Tries that were thrown away because collisions were left.
    pub rejected: u32,
    /// What the curtain's own passes did.
    pub curtain: Report,
    /// What the ladder did.
    pub contact: ContactCounts,
    /// Farthest that the ladder took a vertex from where the curtain wanted it \[m\].
    pub farthest: f64,
    /// Seconds per stage of the ladder.
    pub seconds: Seconds,
}

/// Keeps a curtain from passing through bodies and itself.
#[derive(Debug)]
pub struct Guard {
    cloth: Cloth,
    ladder: Ladder,
    params: ContactParams,
    loose: Loose,
}

impl Guard {
    /// A guard of a curtain that collides, among bodies as they are at `time` \[s\].
    pub fn new(
        curtain: &Curtain,
        bodies: &[Body],
        time: f64,
        params: ContactParams,
    ) -> Result<Self, CurtainError> {
        let spec = curtain.collider.spec();
        let pieces = (0..curtain.panel_count()).map(|k| piece(curtain, k));
        let pieces = pieces.collect::<Result<Vec<Cloth>, _>>()?;
        let mut cloth = Cloth::join(&pieces.iter().collect::<Vec<_>>());
        let shortest = cloth.edges.iter().map(|e| e.length).fold(f64::INFINITY, f64::min);
        cloth.thickness.fill(spec.thickness.min(THICKNESS_PER_EDGE * shortest));
        let ladder = Ladder::new(&cloth, bodies, curtain.positions(), time, &params);
        Ok(Self { cloth, ladder, params, loose: Loose::default() })
    }

    /// What is left out because it crosses, or because bodies leave it no room.
    pub fn loose(&self) -> &Loose {
        &self.loose
    }

    /// Goes back to what was left out at a checkpoint.
    pub fn set_loose(&mut self, loose: Loose) {
        self.loose = loose;
    }

    /// Leaves out everything that crosses now, at `time` \[s\], until it has separated (R1).
    pub fn leave_out_crossings(&mut self, curtain: &Curtain, bodies: &[Body], time: f64) {
        self.loose = Loose::find(&self.cloth, bodies, curtain.positions(), time);
    }

    /// One step of `dt` from `start` \[s\] in which nothing passes through anything. `propose` moves the curtain on, as
    /// [`Curtain::update`] does.
    ///
    /// Where the ladder finds no way, it goes in smaller parts; where bodies leave cloth no room, vertices
    /// pass through them and are counted. On an error the curtain is where it was.
    pub fn step(
        &mut self,
        curtain: &mut Curtain,
        bodies: &[Body],
        time: (f64, f64),
        propose: impl FnOnce(&mut Curtain) -> Result<(), CurtainError>,
    ) -> Result<GuardReport, CurtainError> {
        let (state, x) = (curtain.state(), curtain.positions().to_vec());
        propose(curtain).or_else(|error| curtain.restore(&state).and(Err(error)))?;
        let mut asked = self.loose.clone();
        let (mut parts, mut rejected) = (1, 0);
        let (end, mut report) = loop {
            let mut loose = asked.clone();
            let way = Way { x: &x, wanted: curtain.positions(), time, parts };
            match self.follow(curtain, bodies, &way, &mut loose) {
                Ok(done) => {
                    self.loose = loose;
                    break done;
                }
                Err(_) if parts < MOST_PARTS => parts *= 2,
                Err(left) if asked.pinch(&left, x.len()) => parts = 1,
                Err(left) => {
                    curtain.restore(&state)?;
                    let left = left.pairs.len() + left.grounded.len();
                    return Err(CurtainError::Colliding { left, time: time.0 });
                }
            }
            rejected += 1;
        };
        curtain.displace(&end, time.1);
        report.rejected = rejected;
        report.curtain = Report {
            width_excess: curtain.width_excess(),
            // The ladder resolved them, but for what is loose.
            contacts_left: 0,
            vertices_inside: 0,
            edges_inside: 0,
            corners_inside: 0,
            deepest: 0.0,
            ..curtain.report
        };
        Ok(report)
    }

    /// Goes to the wanted places, in parts, as far as nothing is in the way; returns where that ends.
    fn follow(
        &mut self,
        curtain: &Curtain,
        bodies: &[Body],
        way: &Way,
        loose: &mut Loose,
    ) -> Result<(Vec<Vec3>, GuardReport), Unresolved> {
        let Self { cloth, ladder, params, .. } = self;
        let inverse_mass = inverse_masses(cloth, curtain);
        let mut report = GuardReport { parts: way.parts, ..GuardReport::default() };
        let (start, dt) = way.time;
        let h = dt / f64::from(way.parts);
        let mut x = way.x.to_vec();
        for part in 0..way.parts {
            let rate = 1.0 / (h * f64::from(way.parts - part));
            let mut v: Vec<Vec3> =
                way.wanted.iter().zip(&x).map(|(end, x)| (*end - *x) * rate).collect();
            let proposed = v.clone();
            let mut motion = Motion {
                acceleration: &[],
                cloth,
                x: &x,
                v: &proposed,
                // Proposed velocities hold everything that acts.
                gravity: Vec3::ZERO,
                inverse_mass: &inverse_mass,
                start: start + h * f64::from(part),
                dt: h,
                exempt: loose.exempt(cloth),
                gripped: false,
            };
            let seconds = &mut report.seconds;
            let near = ladder.approach(bodies, &mut motion, loose, params, seconds);
            let resolved = ladder.resolve(bodies, near, &motion, params, &mut v, seconds)?;
            for (x, v) in x.iter_mut().zip(&v) {
                *x += *v * h;
            }
            loose.release(cloth, bodies, &x, start + h * f64::from(part + 1));
            report.contact.add(&resolved.counts);
            report.contact.count_loose(loose.counts());
        }
        let off = x.iter().zip(way.wanted).map(|(x, wanted)| x.distance(*wanted));
        report.farthest = off.fold(0.0, f64::max);
        Ok((x, report))
    }
}

/// Where the vertices are and where the curtain wants them to be.
struct Way<'a> {
    x: &'a [Vec3],
    wanted: &'a [Vec3],
    /// Start and length of the step \[s\].
    time: (f64, f64),
    parts: u32,
}

/// Panel `k` as cloth, for its masses and triangles: what acts in it is the curtain's. Rods and sections have limits
/// of strain, so that the cloth around feels an impact; other edges have none, as columns shear freely.
fn piece(curtain: &Curtain, k: usize) -> Result<Cloth, CurtainError> {
    let wrong = |what: String| CurtainError::Mesh { panel: k, what };
    let layout = curtain.layout(k).ok_or_else(|| wrong("there is none".to_owned()))?;
    let uv = layout.triangles.iter().map(|t| t.map(|v| layout.rest[v as usize])).collect();
    let mesh = TriMesh::new(layout.rest.len(), layout.triangles, uv)
        .map_err(|error| wrong(error.to_string()))?;
    let collisions = curtain.collider.spec();
    let fabric = Fabric {
        density: curtain.panels[k].density,
        thickness: collisions.thickness,
        stretch: [0.0; 2],
        shear: 0.0,
        bending: [0.0; 2],
        stretch_damping: 0.0,
        shear_damping: 0.0,
        bend_damping: 0.0,
        friction_static: collisions.friction,
        friction_kinetic: collisions.friction,
        strain_limit: f64::INFINITY,
        compression_limit: f64::INFINITY,
    };
    let mut cloth =
        Cloth::new(&mesh, &fabric, &Maps::default()).map_err(|error| wrong(error.to_string()))?;
    let mut rods: Vec<[u32; 2]> =
        layout.rods.iter().map(|([a, b], _)| [*a.min(b), *a.max(b)]).collect();
    rods.sort_unstable();
    for edge in &mut cloth.edges {
        let [a, b] = edge.vertices;
        if rods.binary_search(&[a.min(b), a.max(b)]).is_ok() {
            (edge.strain_limit, edge.compression_limit) = (ROD_LIMIT, ROD_LIMIT);
        }
    }
    Ok(cloth)
}

/// Inverse masses for impulses: zero where rings hold.
fn inverse_masses(cloth: &Cloth, curtain: &Curtain) -> Vec<f64> {
    let mut inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
    for panel in curtain.panels.iter().filter(|panel| matches!(panel.top, Top::Rail(_))) {
        for column in panel.node_columns() {
            inverse[panel.first_vertex + column] = 0.0;
        }
    }
    inverse
}

impl Curtain {
    /// Puts the vertices where something else has moved them at the end of a step of `dt` \[s\].
    fn displace(&mut self, x: &[Vec3], dt: f64) {
        let rate = 1.0 / dt;
        for panel in &self.panels {
            let each = (0..panel.rows).flat_map(|row| panel.node_columns().map(move |c| [row, c]));
            for (node, [row, column]) in panel.nodes().zip(each) {
                let vertex = panel.first_vertex + row * panel.mesh_columns + column;
                self.nodes.v[node] += (x[vertex] - self.nodes.x[node]) * rate;
                self.nodes.x[node] = x[vertex];
            }
        }
        for ((v, old), new) in self.mesh.v.iter_mut().zip(&self.mesh.x).zip(x) {
            *v += (*new - *old) * rate;
        }
        self.displaced = true;
        put(&mut self.mesh, &self.panels, x);
    }

    /// Largest distance of neighbouring columns over the width of their cloth, minus 1 \[-\].
    fn width_excess(&self) -> f64 {
        let each = self.panels.iter().map(|panel| latitudinal::excess(&self.nodes, panel));
        each.fold(0.0, f64::max)
    }

    /// By how much the length of the worst rod of a column is wrong, as a share of it (V8): rounding, but
    /// for what a [`Guard`] does.
    pub fn rod_error(&self) -> f64 {
        let mut worst = 0.0_f64;
        for panel in &self.panels {
            let x = &self.nodes.x[panel.nodes()];
            for (upper, lower) in x.iter().zip(&x[panel.columns..]) {
                worst = worst.max((upper.distance(*lower) / panel.rod - 1.0).abs());
            }
        }
        worst
    }
}

/// Places all vertices by hand.
pub(super) fn put(mesh: &mut Mesh, panels: &[Panel], x: &[Vec3]) {
    mesh.x.copy_from_slice(x);
    for panel in panels {
        mesh.measure_cells(panel, 0);
        mesh.finish_normals(panel);
    }
}

#[cfg(test)]
mod tests;
