//! Contact that lets nothing pass, for curtains: the ladder of BF3 after the bounded passes of XU7.
//!
//! A curtain proposes where its vertices of both levels go in a step; the ladder changes the way until
//! nothing passes through anything. Rods cannot follow single vertices, so that they end the step longer or shorter
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

/// Halvings after which a step is taken without what still collides.
const MOST_HALVINGS: u32 = 6;

/// The smallest steps that one step may be divided into.
const TICKS: u32 = 1 << MOST_HALVINGS;

/// Largest contact thickness as a share of the shortest edge: beyond it, neighbours in a flat sheet would
/// repel each other.
const THICKNESS_PER_EDGE: f64 = 0.4;

/// What it took to let nothing pass in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardReport {
    /// Steps it was divided into.
    pub steps: usize,
    /// Smallest of them \[s\].
    pub smallest: f64,
    /// Steps thrown away because collisions were left.
    pub rejected: usize,
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

    /// One step of `dt` from `start` \[s\] in which nothing passes through anything. `propose` moves the curtain on from
    /// a time by a time \[s\], as [`Curtain::update`] does; it may be asked to do so in smaller steps.
    ///
    /// On an error the curtain is where it was.
    pub fn step(
        &mut self,
        curtain: &mut Curtain,
        bodies: &[Body],
        (start, dt): (f64, f64),
        mut propose: impl FnMut(&mut Curtain, f64, f64) -> Result<(), CurtainError>,
    ) -> Result<GuardReport, CurtainError> {
        let mut report = GuardReport { smallest: dt, ..GuardReport::default() };
        let (first, first_loose) = (curtain.state(), self.loose.clone());
        let (mut tick, mut each) = (0, TICKS);
        while tick < TICKS {
            let h = dt * f64::from(each) / f64::from(TICKS);
            let time = start + dt * f64::from(tick) / f64::from(TICKS);
            let (before, x) = (curtain.state(), curtain.positions().to_vec());
            let proposed = propose(curtain, time, h);
            let loose = self.loose.clone();
            let tried = proposed.map(|()| self.correct(curtain, bodies, &x, (time, h)));
            let refused = match tried {
                Ok(Ok(step)) => {
                    report.add(&step, h);
                    tick += each;
                    each = each.min(TICKS - tick);
                    continue;
                }
                Ok(Err(left)) => Ok(left),
                Err(error) => Err(error),
            };
            self.loose = loose;
            report.rejected += 1;
            let count = x.len();
            let caught = |left: &Unresolved, loose: &mut Loose| loose.pinch(&left.pairs, count);
            match refused {
                Ok(_) if each > 1 => each /= 2,
                Ok(left) if caught(&left, &mut self.loose) => {}
                failed => {
                    self.loose = first_loose;
                    curtain.restore(&first)?;
                    let left = failed?.pairs.len();
                    return Err(CurtainError::Colliding { left, time });
                }
            }
            curtain.restore(&before)?;
        }
        Ok(report)
    }

    /// Lets the curtain, which has moved from `x` in a step of `dt` from `start` \[s\], pass through nothing.
    fn correct(
        &mut self,
        curtain: &mut Curtain,
        bodies: &[Body],
        x: &[Vec3],
        (start, dt): (f64, f64),
    ) -> Result<GuardReport, Unresolved> {
        let wanted = curtain.positions();
        let mut v: Vec<Vec3> = wanted.iter().zip(x).map(|(end, x)| (*end - *x) / dt).collect();
        let proposed = v.clone();
        let inverse_mass = inverse_masses(&self.cloth, curtain);
        let mut motion = Motion {
            cloth: &self.cloth,
            x,
            v: &proposed,
            // Proposed velocities hold everything that acts.
            gravity: Vec3::ZERO,
            inverse_mass: &inverse_mass,
            start,
            dt,
            exempt: self.loose.exempt(&self.cloth),
        };
        let mut report = GuardReport::default();
        let (params, seconds) = (&self.params, &mut report.seconds);
        let near =
            self.ladder.approach(bodies, &mut motion, &mut self.loose, params, seconds);
        let resolved = self.ladder.resolve(bodies, near, &motion, params, &mut v, seconds)?;
        report.contact = resolved.counts;
        let mut end = wanted.to_vec();
        for k in (0..x.len()).filter(|&k| resolved.touched[k]) {
            end[k] = x[k] + v[k] * dt;
            report.farthest = report.farthest.max(end[k].distance(wanted[k]));
        }
        curtain.displace(&end, dt);
        self.loose.release(&self.cloth, bodies, &end, start + dt);
        report.contact.count_loose(self.loose.counts());
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
}

impl GuardReport {
    /// Adds a step of `h` \[s\].
    fn add(&mut self, step: &Self, h: f64) {
        self.steps += 1;
        self.smallest = self.smallest.min(h);
        self.curtain.substeps += step.curtain.substeps;
        self.curtain.add(&step.curtain);
        self.contact.add(&step.contact);
        self.farthest = self.farthest.max(step.farthest);
        self.seconds.add(&step.seconds);
    }
}

/// Panel `k` as cloth, for its masses and triangles: forces and limits of strain are the curtain's.
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
    Cloth::new(&mesh, &fabric, &Maps::default()).map_err(|error| wrong(error.to_string()))
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
