//! Sewing (BW15): stitches draw borders together until they meet, and are welded.
//!
//! Every stitch is a zero-length spring. Its force grows, from less than cloth weighs to what stretches the cloth
//! well beyond use. Nothing else is in its way: no gravity, no friction, no strain limits, no elastic bands, and the
//! cloth gives more easily than it will. Contact works as always, except between features that will share a vertex.
//!
//! There are two ways. *Pulled*, stitches get ever stiffer until all are closed at one time, and are welded together:
//! this closes garments that are tighter than the body. Where borders are pressed to and fro, as in an armpit, strong
//! springs shake the cloth instead, and some stay open. Then the seams are begun again: *carried*, stitches keep their
//! stiffness and carry what it leaves over ([`Seam`]), in a thick medium; contact pushes the two ends of a stitch about,
//! each for itself, so once all of them are nearly closed, each is welded as soon as it is, unless cloth would cross then:
//! contact moves its ends as one from there on, and its neighbours have less far to go.

use super::super::RunError;
use super::super::cloth::Piece;
use super::super::unsewn::Stitches;
use super::{DressReport, Wardrobe, frozen, slow_down, still, stuck};
use muslin::body::Body;
use muslin::cloth::{Cloth, TriangleRest};
use muslin::contact::ContactParams;
use muslin::contact::loose::Loose;
use muslin::judge;
use muslin::link::{Seam, Strength, Weld};
use muslin::math::Vec3;
use muslin::sim::{Params, Simulation, State, StepSizes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Stitches that are pulled are closed when no gap is wider than this share of the cloth's thickness: welding then
/// moves nothing far enough to meet anything.
const CLOSED_SHARE: f64 = 0.15;

/// Widest gap of a carried stitch that is welded [m]: its ends move by half of that.
const CLOSED: f64 = 3e-4;

/// The same when patience is nearly at its end [m]: what contact keeps open in a few places of a coarse mesh.
const NEARLY_CLOSED: f64 = 1e-3;

/// Stitches are welded once no gap is wider than this [m]: what is welded around a wide one jams it.
const NARROW: f64 = 2e-3;

/// Closing times after which stitches are welded that are nearly closed.
const LENIENCE: f64 = 8.0;

/// Closing times that pulled and carried seams may take before they are given up.
const PATIENCE: [f64; 2] = [5.0, 12.0];

/// Share of the closing time that is the time constant of a stitch.
const HASTE: f64 = 0.1;

/// Shortest time a seam may be given [s].
const LEAST_TIME: f64 = 0.1;

/// Force of a stitch at the start, as the acceleration of its own vertex [m/s²].
const FIRST_PULL: f64 = 20.0;

/// How often a stitch's force doubles in its closing time.
const DOUBLINGS: f64 = 8.0;

/// Stiffness against stretch and shear of cloth that is being sewn, as a share of its own [-]. A garment tighter than
/// the body must stretch all around before its last seam can close.
const SEWING_STIFFNESS: f64 = 0.1;

/// Strain of such cloth that the strongest stitches hold [-]: where they do not close a seam, something is in
/// its way.
const SEWING_STRAIN: f64 = 1.0;

/// Viscous damping, as a rate at which velocity decays [1/s].
const SEWING_DAMPING: f64 = 10.0;

/// How seams are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By stitches that get stiffer and stiffer.
    Pulled,
    /// By stitches that carry what their stiffness leaves over.
    Carried,
}

/// Panels being sewn.
struct Sewing {
    simulation: Simulation,
    way: Way,
    /// The seams' names.
    names: Vec<String>,
    /// From the vertices there are now to those of the sewn cloths.
    weld: Weld,
}

impl Wardrobe<'_> {
    /// Closes the seams of layer `now`; positions of all `worn` cloths, sewn.
    pub(super) fn sew(
        &self,
        pieces: &[Piece],
        worn: &[usize],
        now: i32,
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let (fps, sizes) = (self.scene.fps, self.sizes());
        let pulled = self.begin(pieces, worn, now, Way::Pulled);
        let seams = &pulled.simulation.links.seams;
        report.stitches += seams.iter().map(|s| s.stitches.len() as u64).sum::<u64>();
        let before = report.gap_before.max(pulled.widest());
        let mut own = *report;
        let sewn = pulled.close(fps, &sizes, &mut own).or_else(|_| {
            own = *report;
            self.begin(pieces, worn, now, Way::Carried).close(fps, &sizes, &mut own)
        })?;
        *report = DressReport { gap_before: before, ..own };
        Ok(sewn)
    }

    /// The seams of layer `now` before they are closed.
    fn begin(&self, pieces: &[Piece], worn: &[usize], now: i32, way: Way) -> Sewing {
        let (mut parts, mut x, mut map, mut seams) = (Vec::new(), Vec::new(), Vec::new(), vec![]);
        let (mut pins, mut welded, mut names) = (Vec::new(), 0, Vec::new());
        for &m in worn {
            let piece = &pieces[m];
            let offset = x.len() as u32;
            let unsewn = piece.unsewn.as_ref().filter(|_| self.layer(piece, m) == now);
            if let Some((unsewn, cloth)) = unsewn.and_then(|u| u.cloth.as_ref().map(|c| (u, c))) {
                let open = unsewn.seams.iter().filter(|seam| !seam.pairs.is_empty());
                for stitches in open {
                    seams.push(closing(stitches, offset, cloth, way));
                    names.push(stitches.name.clone());
                }
                parts.push(cloth);
                x.extend(&unsewn.positions);
                map.extend(unsewn.weld.map().iter().map(|v| v + welded));
            } else {
                parts.push(&self.cloths[m]);
                x.extend(&piece.positions);
                map.extend((0..piece.positions.len() as u32).map(|v| v + welded));
                pins.extend(still(&self.pins[m], offset));
            }
            welded += piece.positions.len() as u32;
        }
        let weld = Weld::from_map(map);
        let cloth = compliant(Cloth::join(&parts));
        let slippery = |body: &Body| Body { friction: Some([0.0, 0.0]), ..frozen(body) };
        let bodies = self.bodies.iter().map(slippery).collect();
        let v = vec![Vec3::ZERO; x.len()];
        let mut params = Params { strain_sweeps: 0, ..self.params(Vec3::ZERO) };
        // What lies between borders gives way to stitches that pull ever harder.
        params.contact = params.contact.map(|contact| ContactParams { carries: false, ..contact });
        let mut simulation = Simulation::new(cloth, bodies, pins, State::new(x, v), params);
        simulation.sew(&weld);
        simulation.leave_out_crossings();
        simulation.links.seams = seams;
        Sewing { simulation, way, names, weld }
    }
}

impl Sewing {
    /// Goes on until every stitch is closed; positions of the sewn cloths.
    fn close(
        mut self,
        fps: f64,
        sizes: &StepSizes,
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let seams = &self.simulation.links.seams;
        let longest = seams.iter().map(|s| s.closing / HASTE).fold(LEAST_TIME, f64::max);
        let (mut frame, before) = (0, self.widest());
        self.fasten(0.0, report);
        while self.is_open() {
            frame += 1;
            let end = f64::from(frame) / fps;
            if end > PATIENCE[self.way as usize] * longest {
                return Err(self.unclosed(before));
            }
            while self.simulation.state.time < end {
                let step = self.simulation.advance_once(end, sizes);
                let step = step.map_err(|e| stuck("sewing", &e))?;
                report.sewing_steps += 1;
                if self.way == Way::Carried {
                    slow_down(&mut self.simulation, SEWING_DAMPING, step.dt);
                }
            }
            self.fasten(end / longest, report);
        }
        report.sewing_time += self.simulation.state.time;
        Ok(self.weld.positions(&self.simulation.state.x))
    }

    fn is_open(&self) -> bool {
        self.simulation.links.seams.iter().any(|seam| !seam.stitches.is_empty())
    }

    fn widest(&self) -> f64 {
        let gaps = self.simulation.links.seams.iter();
        let gaps = gaps.filter_map(|seam| seam.widest(&self.simulation.state.x));
        gaps.map(|(_, gap)| gap).fold(0.0, f64::max)
    }

    /// Fastens what is closed after so many closing times.
    fn fasten(&mut self, times: f64, report: &mut DressReport) {
        let widest = self.widest();
        match self.way {
            Way::Pulled => {
                let thickness = self.simulation.cloth.thickness.iter().copied();
                if widest <= CLOSED_SHARE * thickness.fold(f64::INFINITY, f64::min) {
                    report.gap_after = report.gap_after.max(widest);
                    self.simulation.links.seams.clear();
                }
            }
            Way::Carried if widest > NARROW => {}
            Way::Carried => {
                self.weld_closed(if times > LENIENCE { NEARLY_CLOSED } else { CLOSED }, report);
            }
        }
    }

    /// Welds the stitches whose gap is within `tolerance` [m], or as large a part of them as makes no cloth cross.
    fn weld_closed(&mut self, tolerance: f64, report: &mut DressReport) {
        let x = &self.simulation.state.x;
        let all = self.simulation.links.seams.iter().flat_map(|seam| &seam.stitches);
        let gap = |[a, b]: &[u32; 2]| x[*a as usize].distance(x[*b as usize]);
        let closed: Vec<[u32; 2]> = all.filter(|s| gap(s) <= tolerance).copied().collect();
        let parts = [1, 2, 4, 8].map(|parts| closed.len().div_ceil(parts).max(1));
        let mut parts = parts.iter().flat_map(|&size| closed.chunks(size));
        let fastened = parts.find_map(|part| Some((part, self.welded(part)?)));
        if let Some((part, fastened)) = fastened {
            report.gap_after = part.iter().map(gap).fold(report.gap_after, f64::max);
            *self = fastened;
        }
    }

    /// The same with these stitches welded; `None` where there are none, or cloth would cross.
    fn welded(&self, closed: &[[u32; 2]]) -> Option<Self> {
        if closed.is_empty() {
            return None;
        }
        let Simulation { cloth, bodies, pins, links, params, state, .. } = &self.simulation;
        let first = Weld::new(cloth.vertex_count(), closed).ok()?;
        let now = |v: u32| first.map()[v as usize];
        let mut map = vec![0; first.vertex_count()];
        for (&v, &sewn) in first.map().iter().zip(self.weld.map()) {
            map[v as usize] = sewn;
        }
        let weld = Weld::from_map(map);
        let (x, v) = (first.positions(&state.x), first.velocities(cloth, &state.v));
        let next = State {
            time: state.time,
            anchors: state.anchors.clone(),
            controller: state.controller,
            loose: renumbered(&state.loose, now),
            ..State::new(x, v)
        };
        let cloth = first.cloth(cloth);
        let moved: BTreeSet<u32> = closed.iter().map(|[a, _]| now(*a)).collect();
        if crosses(&cloth, bodies, &next, &weld, &moved) {
            return None;
        }
        let pins = pins.iter().map(|pin| {
            let mut pin = pin.clone();
            pin.vertex = now(pin.vertex);
            pin
        });
        let (pins, params) = (pins.collect(), params.clone());
        let mut simulation = Simulation::new(cloth, bodies.clone(), pins, next, params);
        simulation.sew(&weld);
        for (k, seam) in links.seams.iter().enumerate() {
            let before = state.links.carried.get(k).map_or(&[][..], Vec::as_slice);
            let carried = before.iter().copied().chain(std::iter::repeat(Vec3::ZERO));
            let open = seam.stitches.iter().map(|s| s.map(now)).zip(carried);
            let (stitches, carried) = open.filter(|([a, b], _)| a != b).unzip();
            simulation.links.seams.push(Seam { stitches, ..seam.clone() });
            simulation.state.links.carried.push(carried);
        }
        Some(Self { simulation, way: self.way, names: self.names.clone(), weld })
    }

    fn unclosed(&self, before: f64) -> RunError {
        let x = &self.simulation.state.x;
        let seams = self.simulation.links.seams.iter().zip(&self.names);
        let gaps = seams.filter_map(|(seam, name)| {
            let (k, gap) = seam.widest(x)?;
            let [a, b] = *seam.stitches.get(k)?;
            Some((gap, name, 0.5 * (x[a as usize] + x[b as usize])))
        });
        let worst = gaps.max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((gap, name, at)) = worst else {
            return RunError::part("dressing", "seams stay open");
        };
        let message = format!(
            "seam {name} stays open by {:.1} mm at ({:.2}, {:.2}, {:.2}) (all seams started within {:.1} mm): \
             give it a longer closing_time, place its panels nearer, or make the garment wider",
            1e3 * gap,
            at.x,
            at.y,
            at.z,
            1e3 * before
        );
        RunError::part("dressing", message)
    }
}

/// What contact leaves out, in other numbers.
fn renumbered(loose: &Loose, now: impl Fn(u32) -> u32 + Copy) -> Loose {
    let tangled = loose.tangled.iter().map(|pair| pair.map(|t| t.map(now)));
    let pinched: BTreeSet<u32> = loose.pinched.iter().map(|&v| now(v)).collect();
    let tangled: BTreeSet<[[u32; 3]; 2]> = tangled.collect();
    Loose { tangled: tangled.into_iter().collect(), pinched: pinched.into_iter().collect() }
}

/// Whether cloth that contact keeps apart crosses, or a triangle at one of the `moved` vertices crosses a body.
fn crosses(
    cloth: &Cloth,
    bodies: &[Body],
    state: &State,
    weld: &Weld,
    moved: &BTreeSet<u32>,
) -> bool {
    let State { x, loose, time, .. } = state;
    let apart = |[a, b]: &[[u32; 3]; 2]| {
        let [a, b] = [a, b].map(|t| t.map(|v| weld.map()[v as usize]));
        !a.iter().any(|v| b.contains(v))
    };
    let pairs = judge::intersecting_pairs(x, &cloth.triangles).into_iter();
    let pairs = pairs.map(|(a, b)| [a, b].map(|t| cloth.triangles[t as usize]));
    if pairs.filter(apart).count() > loose.tangled.iter().filter(|pair| apart(pair)).count() {
        return true;
    }
    let at = |t: &&[u32; 3]| {
        t.iter().any(|v| moved.contains(v))
            && t.iter().all(|v| loose.pinched.binary_search(v).is_err())
    };
    let around: Vec<[u32; 3]> = cloth.triangles.iter().filter(at).copied().collect();
    bodies.iter().any(|body| {
        let mut surface = Vec::new();
        body.append_positions(*time, &mut surface);
        !judge::crossing_pairs(x, &around, &surface, &body.mesh.triangles).is_empty()
    })
}

/// Cloth as it is sewn: without friction, softer than it will be, and without limits to its strain, which contact
/// would enforce against the stitches.
fn compliant(mut cloth: Cloth) -> Cloth {
    cloth.friction.fill([0.0, 0.0]);
    for edge in &mut cloth.edges {
        edge.strain_limit = f64::INFINITY;
        edge.compression_limit = f64::INFINITY;
        edge.rate_limit = f64::INFINITY;
    }
    for rest in &mut cloth.triangle_rest {
        rest.stretch = rest.stretch.map(|k| k * SEWING_STIFFNESS);
        rest.shear *= SEWING_STIFFNESS;
    }
    // Without tables, the stiffness of the triangles counts.
    cloth.tables.clear();
    cloth
}

/// The stitches of a seam. Their force doubles [`DOUBLINGS`] times in the closing time, and goes on. Pulled, their
/// stiffness, which counts where the gap is small, is the fabric's and doubles too once that time is over. Carried, it
/// stays, much more than that of cloth that is [`compliant`], and the force ends where it stretches that cloth by
/// [`SEWING_STRAIN`].
fn closing(stitches: &Stitches, offset: u32, cloth: &Cloth, way: Way) -> Seam {
    let stiffest = |t: &TriangleRest| t.stretch[0].max(t.stretch[1]);
    let stiffness = cloth.triangle_rest.iter().map(stiffest).fold(0.0, f64::max);
    let mass = cloth.mass.iter().sum::<f64>() / cloth.mass.len() as f64;
    let apart = cloth.edges.iter().map(|e| e.length).sum::<f64>() / cloth.edges.len() as f64;
    let time = stitches.closing_time.max(LEAST_TIME);
    let most = SEWING_STRAIN * SEWING_STIFFNESS * stiffness * apart;
    let force = move |t: f64| mass * FIRST_PULL * (DOUBLINGS * t / time).exp2();
    let grow = move |t: f64| stiffness * (DOUBLINGS * (t / time - 1.0)).clamp(0.0, 12.0).exp2();
    let (stiffness, force, carried) = match way {
        Way::Pulled => {
            (Strength::Changing(Arc::new(grow)), Strength::Changing(Arc::new(force)), 0.0)
        }
        Way::Carried => {
            let force = move |t: f64| force(t).min(most);
            (Strength::Constant(stiffness), Strength::Changing(Arc::new(force)), most)
        }
    };
    let stitches = stitches.pairs.iter().map(|p| p.map(|v| v + offset)).collect();
    Seam { stitches, stiffness, force, closing: HASTE * time, carried }
}
