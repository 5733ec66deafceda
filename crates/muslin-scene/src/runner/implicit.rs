//! The engine of implicit, mixed and spring dynamics: islands of cloth that are simulated apart (V17).

use super::cloth::Piece;
use super::islands::{self, Island, Stock};
use super::partway::Begun;
use super::ties::Tie;
use super::{FrameReport, RunError, snapshot};
use crate::cache::Snapshot;
use muslin::collide::aabb::Aabb;
use muslin::link::Grab;
use muslin::math::Vec3;
use muslin::report::StepReport;
use muslin::sim::{State, StepSizes};

/// All islands of a scene.
pub struct Implicit {
    pub(super) stock: Stock,
    pub(super) islands: Vec<Island>,
    sizes: StepSizes,
    begun: Option<Begun>,
}

impl Implicit {
    /// One island for each group of cloths that touch, in the given states.
    pub fn new(stock: Stock, states: Vec<State>, sizes: StepSizes) -> Self {
        let first = |(m, state)| stock.island(vec![m], state);
        let islands: Vec<Island> = states.into_iter().enumerate().map(first).collect();
        let boxes = islands.iter().map(|i| islands::bounds(&i.simulation.state.x)).collect();
        let (islands, _) = stock.merge_touching(islands, boxes);
        Self { stock, islands, sizes, begun: None }
    }

    /// What the islands are made of.
    pub fn stock(&self) -> &Stock {
        &self.stock
    }

    /// What the islands are made of, to be steered.
    pub fn stock_mut(&mut self) -> &mut Stock {
        &mut self.stock
    }

    /// Time [s].
    pub fn time(&self) -> f64 {
        self.islands.first().map_or(0.0, |island| island.simulation.state.time)
    }

    /// Advances all islands to `end` [s], the end of `frame`.
    pub fn advance(
        &mut self,
        frame: u64,
        end: f64,
        pieces: &[Piece],
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<FrameReport, RunError> {
        let done = self.advance_some(frame, end, pieces, go_on)?;
        done.ok_or_else(|| {
            if let Some(begun) = self.begun.take() {
                self.put_back(begun.start);
            }
            RunError::Stopped { frame }
        })
    }

    /// The same, but where `go_on` says no the islands stay where they are: `None`.
    pub fn advance_some(
        &mut self,
        frame: u64,
        end: f64,
        pieces: &[Piece],
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<FrameReport>, RunError> {
        // Inside the thread pool, so that thousands of short steps do not each wake it up from outside.
        rayon::scope(|_| self.advance_in_pool(end, (frame, pieces), go_on))
    }

    fn advance_in_pool(
        &mut self,
        end: f64,
        place: (u64, &[Piece]),
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<FrameReport>, RunError> {
        loop {
            let mut begun = self.begun.take().unwrap_or_else(|| {
                self.stock.steer(&mut self.islands, end);
                Begun::new(&self.islands)
            });
            match self.finish_frame(&mut begun, end, place, go_on) {
                Ok(true) => {}
                Ok(false) => {
                    self.begun = Some(begun);
                    return Ok(None);
                }
                Err(error) => {
                    self.put_back(begun.start);
                    return Err(error);
                }
            }
            // Cloths that came within reach of each other belong together: do the frame again.
            if self.islands.len() < 2 || !self.merge_if_touching(&begun.start, begun.arrived) {
                return Ok(Some(begun.report));
            }
        }
    }

    /// Takes what is left of a frame's steps; false where `go_on` says no after one.
    fn finish_frame(
        &mut self,
        begun: &mut Begun,
        end: f64,
        place: (u64, &[Piece]),
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<bool, RunError> {
        for k in begun.arrived.len()..self.islands.len() {
            let mut last = StepReport::default();
            while self.islands[k].simulation.state.time < end {
                last = step_island(&mut self.islands[k], end, &self.sizes, place)?;
                begun.report.add(&last);
                begun.report.add_zoned(&self.stock.numbered(&self.islands[k], &last.zoned));
                let swept = islands::bounds(&self.islands[k].simulation.state.x);
                begun.sweeping = begun.sweeping.union(&swept);
                if self.islands[k].simulation.state.time < end && !go_on() {
                    return Ok(false);
                }
            }
            begun.report.add_forces(&self.islands[k], &self.stock, &last);
            begun.arrive(self.islands.get(k + 1));
            if !go_on() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes over a frame that another engine of the same cloths began.
    pub fn take_begun(&mut self, other: &mut Self) {
        self.begun = other.begun.take();
    }

    /// Longest step of explicit elastic forces [s]; `None` for implicit dynamics (MF1).
    pub fn stable_step(&self) -> Option<f64> {
        let steps = self.islands.iter().filter_map(|island| island.simulation.stable_step());
        steps.min_by(f64::total_cmp)
    }

    /// Rest angles of all hinges [rad].
    #[cfg(test)]
    pub fn rest_angles(&self) -> Vec<f64> {
        let hinges = self.stock.cloths.iter().flat_map(|cloth| &cloth.hinges);
        hinges.map(|hinge| hinge.rest_angle).collect()
    }

    /// Adds energies and stretch as they are now.
    pub fn measure(&self, report: &mut FrameReport) {
        for island in &self.islands {
            let simulation = &island.simulation;
            report.add_energy(&simulation.energy());
            let stretch = simulation.cloth.largest_stretch(&simulation.state.x);
            report.stretch_max = report.stretch_max.max(stretch);
            let loose = &simulation.state.loose;
            report.contact.pinched = report.contact.pinched.max(loose.pinched.len() as u64);
            report.contact.tangled = report.contact.tangled.max(loose.tangled.len() as u64);
        }
        let pinched =
            |i: &Island| self.stock.numbered(i, &i.simulation.state.loose.pinched).into_iter();
        report.pinched_vertices = self.islands.iter().flat_map(pinched).collect();
        report.pinched_vertices.sort_unstable();
    }

    /// Leaves out everything that crosses now until it has separated (R1).
    pub fn leave_out_crossings(&mut self) {
        self.islands.iter_mut().for_each(|island| island.simulation.leave_out_crossings());
    }

    /// Gives the pointer what it holds: its drag comes after the `scripted` ones of the scene (BW7).
    pub fn point(&mut self, scripted: usize, grabbed: Option<Tie<Grab>>) {
        let Self { stock, islands, .. } = self;
        stock.ties.grabs.truncate(scripted);
        stock.ties.grabs.extend(grabbed);
        for island in islands {
            let offsets = stock.offsets(&island.members);
            island.simulation.links.grabs = stock.ties.grabs(&offsets);
        }
    }

    /// An array of all cloths, in the order of the scene.
    pub fn gather(&self, of: impl Fn(&State) -> &Vec<Vec3>) -> Vec<Vec3> {
        let mut all = Vec::new();
        for m in 0..self.stock.cloths.len() {
            for island in self.islands.iter().filter(|island| island.members.contains(&m)) {
                let (vertices, _) = self.stock.ranges(island, m);
                all.extend_from_slice(&of(&island.simulation.state)[vertices]);
            }
        }
        all
    }

    /// Edges of cloth `m` with their rest lengths [m].
    pub fn edges(&self, m: usize) -> Vec<([u32; 2], f64)> {
        self.stock.cloths[m].edges.iter().map(|edge| (edge.vertices, edge.length)).collect()
    }

    /// Everything the next step reads (R3).
    pub fn save(&self) -> Snapshot {
        snapshot::save(&self.islands)
    }

    /// Puts the state back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        let members = snapshot::members(snapshot)?;
        let mut all: Vec<usize> = members.iter().flatten().copied().collect();
        all.sort_unstable();
        if all != (0..self.stock.cloths.len()).collect::<Vec<_>>() {
            return Err(RunError::Snapshot("it holds other cloths".to_owned()));
        }
        let mut islands = Vec::new();
        for (k, members) in members.into_iter().enumerate() {
            let (vertices, pins) = self.stock.counts(&members);
            let state = snapshot::state(snapshot, k, vertices, pins)?;
            let island = self.stock.island(members, state);
            snapshot::links::check(&island.simulation)?;
            islands.push(island);
        }
        self.islands = islands;
        self.begun = None;
        Ok(())
    }

    fn put_back(&mut self, states: Vec<State>) {
        for (island, state) in self.islands.iter_mut().zip(states) {
            island.simulation.state = state;
        }
    }

    fn merge_if_touching(&mut self, saved: &[State], boxes: Vec<Aabb>) -> bool {
        let ends: Vec<State> = self.islands.iter().map(|i| i.simulation.state.clone()).collect();
        self.put_back(saved.to_vec());
        let (islands, merged) = self.stock.merge_touching(std::mem::take(&mut self.islands), boxes);
        self.islands = islands;
        if !merged {
            self.put_back(ends);
        }
        merged
    }
}

/// Takes one step of an island towards the end of the frame.
fn step_island(
    island: &mut Island,
    end: f64,
    sizes: &StepSizes,
    (frame, pieces): (u64, &[Piece]),
) -> Result<StepReport, RunError> {
    island.simulation.advance_once(end, sizes).map_err(|source| {
        let names: Vec<&str> = island.members.iter().map(|&m| pieces[m].name.as_str()).collect();
        RunError::Step { frame, place: format!("cloth `{}`", names.join("`, `")), source }
    })
}
