//! Steps of the right size: a step that fails or stretches too much is thrown away and halved; after
//! enough successes a larger one is tried, with growing patience (BW14). On request a step with real collisions is
//! followed by shorter ones (BF3).

use super::{Simulation, State, StepError};
use crate::contact::Unresolved;
use crate::report::StepReport;
use crate::stretch;

/// Successful steps before a larger one is tried.
const PATIENCE: u32 = 8;

/// Each time a larger step failed, patience grows by this factor, up to `MOST_PATIENCE`.
const PATIENCE_GROWTH: u32 = 2;

/// Longest patience.
const MOST_PATIENCE: u32 = 128;

/// A step that changed the stretch by less than this share of what is too much is easy \[-\]: twice as long, it would
/// still change it by four fifths of that.
const EASY: f64 = 0.4;

/// Easy steps that teach as much as `PATIENCE` steps do.
const EASY_STEPS: u32 = 2;

/// Most halvings of a step.
const MOST_HALVINGS: u32 = 30;

/// After a step that failed, the next is shorter than this share of it \[-\]: halves, but for rounding and for equal
/// steps that fit what is left.
const SHORTER: f64 = 0.75;

/// Halvings of a step because of an edge beyond its strain limit: what is still beyond it then is pulled there by what
/// moves it, and no step is short enough.
const LIMIT_HALVINGS: u32 = 3;

/// Halvings after which cloth that still collides is caught between bodies.
const PINCH_LEVEL: u32 = 5;

/// Steps without a collision after which a longer one is tried (BF3).
const CLEAN_STEPS: u32 = 3;

/// How long steps may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSizes {
    /// Largest step \[s\].
    pub largest: f64,
    /// Smallest step \[s\].
    pub smallest: f64,
    /// Change of `|w_u|` or `|w_v|` of a triangle in one step that is too much \[-\] (BW14).
    pub max_stretch_change: f64,
    /// How often a step is halved at most because the one before had real collisions (BF3); 0 for never.
    pub collision_halvings: u32,
}

/// The step-size controller's memory; part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controller {
    /// Halvings in force: the step is `largest / 2^level`.
    pub level: u32,
    /// Successes since the last change.
    pub successes: u32,
    /// Successes to wait for before a larger step is tried.
    pub patience: u32,
    /// Whether the last change was to a larger step.
    pub grown: bool,
    /// Halvings in force because of collisions (BF3), besides `level`.
    pub collisions: u32,
    /// Steps without a collision since then.
    pub clean: u32,
}

impl Default for Controller {
    fn default() -> Self {
        Self { level: 0, successes: 0, patience: PATIENCE, grown: false, collisions: 0, clean: 0 }
    }
}

impl Controller {
    /// `used` is the change of stretch over what is too much \[-\].
    fn succeeded(&mut self, used: f64) {
        self.successes += if used < EASY { PATIENCE / EASY_STEPS } else { 1 };
        if self.grown && self.successes >= PATIENCE {
            // The larger step was right.
            self.patience = PATIENCE;
        }
        if self.level > 0 && self.successes >= self.patience {
            self.level -= 1;
            self.successes = 0;
            self.grown = true;
        }
    }

    /// BF3: halves the step after one with real collisions, `most` times at most, and doubles it after three
    /// without.
    fn collided(&mut self, really: bool, most: u32) {
        if really {
            self.collisions = (self.collisions + 1).min(most);
            self.clean = 0;
        } else if self.collisions > 0 {
            self.clean += 1;
            if self.clean == CLEAN_STEPS {
                self.collisions -= 1;
                self.clean = 0;
            }
        }
    }

    /// A step of length `dt` failed, of which the largest is `largest` \[s\].
    fn failed(&mut self, dt: f64, largest: f64) {
        // A step that had just been made larger teaches patience.
        if self.grown && self.successes < PATIENCE {
            self.patience = (self.patience * PATIENCE_GROWTH).min(MOST_PATIENCE);
        }
        self.level += 1;
        // What is left until the end may have made it shorter than was asked for: asking for half of that could make the
        // same step again.
        while self.level < MOST_HALVINGS && self.wanted(largest) > SHORTER * dt {
            self.level += 1;
        }
        self.successes = 0;
        self.grown = false;
    }

    /// The length of step asked for, of which the largest is `largest` \[s\].
    fn wanted(&self, largest: f64) -> f64 {
        largest / f64::from(1u32 << (self.level + self.collisions).min(MOST_HALVINGS))
    }
}

impl Simulation {
    /// Takes one step towards time `end` \[s\], as large as it may be; what fails is halved and tried
    /// again, and counted in the report. On an error the state is that of the last good step.
    ///
    /// Where bodies leave cloth no room, no step helps: what is left colliding when steps are
    /// a few halvings smaller is pinched, and the step is tried anew without it.
    pub fn advance_once(&mut self, end: f64, sizes: &StepSizes) -> Result<StepReport, StepError> {
        let mut rejected = 0;
        let (mut halved, mut patience) = (0, PINCH_LEVEL);
        let unhurried = self.state.controller;
        loop {
            let remaining = end - self.state.time;
            let largest = sizes.largest.min(self.stable_step().unwrap_or(f64::INFINITY));
            let wanted = self.state.controller.wanted(largest).max(sizes.smallest.min(largest));
            // Equal steps to the end, so that no sliver is left over.
            let count = (remaining / wanted - 1e-9).ceil().max(1.0);
            let dt = remaining / count;
            let before = self.state.clone();
            let judged = self
                .step(dt)
                .and_then(|report| self.judge_stretch(&before, report, sizes))
                .and_then(|report| self.judge_limits(&before, report, halved, sizes));
            match judged {
                Ok(report) => {
                    if count <= 1.0 {
                        self.state.time = end;
                    }
                    let real = report.contact.impulses > 0;
                    let used = report.stretch_change / sizes.max_stretch_change;
                    self.state.controller.succeeded(used);
                    self.state.controller.collided(real, sizes.collision_halvings);
                    return Ok(StepReport { rejected, ..report });
                }
                Err(StepError::Colliding { left, .. })
                    if (halved >= patience || 0.5 * dt < sizes.smallest)
                        && self.pinch(&before, &left) =>
                {
                    rejected += 1;
                    (halved, patience) = (0, 1);
                    self.state.controller = unhurried;
                }
                Err(error) if 0.5 * dt < sizes.smallest => {
                    self.state = before;
                    return Err(error);
                }
                Err(_) => {
                    rejected += 1;
                    halved += 1;
                    self.state = before;
                    self.state.controller.failed(dt, largest);
                }
            }
        }
    }

    /// Goes back to `before` without what is left colliding; returns whether that is anything new.
    fn pinch(&mut self, before: &State, left: &Unresolved) -> bool {
        self.state.clone_from(before);
        self.state.loose.pinch(left, self.cloth.vertex_count())
    }

    /// BW14: a step that changed a triangle's stretch too much is an error, if it can be smaller.
    fn judge_stretch(
        &mut self,
        before: &State,
        mut report: StepReport,
        sizes: &StepSizes,
    ) -> Result<StepReport, StepError> {
        report.stretch_change = stretch::largest_change(&self.cloth, &before.x, &self.state.x);
        let smaller_possible = 0.5 * report.dt >= sizes.smallest;
        if report.stretch_change > sizes.max_stretch_change && smaller_possible {
            let change = report.stretch_change;
            return Err(StepError::Stretched { change, time: report.time });
        }
        Ok(report)
    }

    /// BF2: a step that took an edge beyond its strain limit is an error, if it can be smaller and has not been halved
    /// too often. Impulses of contact come after the limits, and may undo them.
    fn judge_limits(
        &self,
        before: &State,
        report: StepReport,
        halved: u32,
        sizes: &StepSizes,
    ) -> Result<StepReport, StepError> {
        let is_free = self.params.strain_sweeps == 0 || !self.params.dynamics.is_implicit();
        if is_free || halved >= LIMIT_HALVINGS || 0.5 * report.dt < sizes.smallest {
            return Ok(report);
        }
        let strain = stretch::largest_beyond_limit(&self.cloth, &before.x, &self.state.x);
        match strain {
            Some(strain) => Err(StepError::BeyondLimit { strain, time: report.time }),
            None => Ok(report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BF3: halved after every step with a collision, as often as allowed; doubled after three clean ones.
    #[test]
    fn bf3_collisions_halve_the_step_and_three_clean_steps_double_it() {
        let mut controller = Controller::default();
        let mut after = |really: &[bool]| {
            for &really in really {
                controller.collided(really, 2);
            }
            controller.collisions
        };
        assert_eq!(after(&[false; 9]), 0);
        assert_eq!(after(&[true]), 1);
        assert_eq!(after(&[true, true]), 2, "not more often than allowed");
        assert_eq!(after(&[false, false]), 2);
        assert_eq!(after(&[false]), 1);
        assert_eq!(after(&[false, false, true]), 2, "clean steps on end");
        assert_eq!(after(&[false; 6]), 0);
        controller.collided(true, 0);
        assert_eq!(controller, Controller::default(), "off");
    }

    /// BW14: halvings of one step teach no patience; a larger step that fails doubles it, one that holds
    /// brings it back.
    #[test]
    fn bw14_patience_grows_with_larger_steps_that_fail() {
        let mut controller = Controller::default();
        controller.failed(1.0, 1.0);
        controller.failed(0.5, 1.0);
        assert_eq!((controller.level, controller.patience), (2, PATIENCE));
        let succeed = |controller: &mut Controller, count: u32| {
            (0..count).for_each(|_| controller.succeeded(0.5));
        };
        succeed(&mut controller, PATIENCE);
        assert_eq!(controller.level, 1);
        succeed(&mut controller, PATIENCE / 2);
        controller.failed(0.5, 1.0);
        assert_eq!((controller.level, controller.patience), (2, 2 * PATIENCE));
        succeed(&mut controller, PATIENCE);
        assert_eq!(controller.level, 2, "it waits longer now");
        succeed(&mut controller, PATIENCE);
        assert_eq!(controller.level, 1);
        succeed(&mut controller, PATIENCE);
        assert_eq!((controller.level, controller.patience), (0, PATIENCE));
    }

    /// BW14: what failed is never tried again: a step that only what was left to the end made short is followed by one
    /// of half its length.
    #[test]
    fn bw14_a_step_that_failed_is_not_repeated() {
        for (dt, next) in [(1.0, 0.5), (0.5, 0.25), (0.42, 0.25), (0.3, 0.125), (1.0 / 3.0, 0.25)] {
            let mut controller = Controller::default();
            controller.failed(dt, 1.0);
            assert_eq!(controller.wanted(1.0), next, "after {dt}");
        }
        let mut controller = Controller { collisions: 1, ..Controller::default() };
        controller.failed(0.5, 1.0);
        assert_eq!(controller.wanted(1.0), 0.25, "besides halvings because of collisions");
    }

    /// BW14: steps that leave room for twice their length are made longer sooner, but a larger step that failed is waited
    /// for all the same.
    #[test]
    fn bw14_easy_steps_grow_sooner() {
        let mut controller = Controller::default();
        controller.failed(1.0, 1.0);
        (0..EASY_STEPS - 1).for_each(|_| controller.succeeded(0.2));
        assert_eq!(controller.level, 1);
        controller.succeeded(0.2);
        assert_eq!(controller.level, 0);
        controller.failed(1.0, 1.0);
        assert_eq!((controller.level, controller.patience), (1, 2 * PATIENCE));
        (0..2 * EASY_STEPS - 1).for_each(|_| controller.succeeded(0.2));
        assert_eq!(controller.level, 1, "it was wrong the last time");
        controller.succeeded(0.2);
        assert_eq!(controller.level, 0);
    }
}
