//! What a curtain's specification may hold.

use super::folds::Gap;
use super::spec::{CurtainError, CurtainSpec, MAX_SECTIONS, MAX_VERTICES, PanelSpec, Top};

/// `Ok` if `value` is finite and in `low..=high`.
fn check(
    what: &'static str,
    value: f64,
    (low, high): (f64, f64),
    expected: &'static str,
) -> Result<(), CurtainError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(CurtainError::Value { what, value, expected })
}

/// Smallest and largest sizes that make sense.
const TINY: f64 = 1e-9;
const HUGE: f64 = 1e9;
const POSITIVE: &str = "positive and finite";
const NOT_NEGATIVE: &str = "zero or positive, and finite";

impl CurtainSpec {
    /// Refuses what cannot be simulated.
    pub(super) fn validate(&self) -> Result<(), CurtainError> {
        if self.panels.is_empty() {
            return Err(CurtainError::Empty);
        }
        let positive = (TINY, HUGE);
        let not_negative = (0.0, HUGE);
        check("max_step", self.max_step, positive, POSITIVE)?;
        check("air.density", self.air.density, not_negative, NOT_NEGATIVE)?;
        check("air.threshold", self.air.threshold, not_negative, NOT_NEGATIVE)?;
        for c_r in [self.air.inside, self.air.border, self.air.corner] {
            check("air resistance", c_r, not_negative, NOT_NEGATIVE)?;
        }
        let collisions = &self.collisions;
        check("thickness", collisions.thickness, not_negative, NOT_NEGATIVE)?;
        check("friction", collisions.friction, not_negative, NOT_NEGATIVE)?;
        let mut total = 0_usize;
        for (index, panel) in self.panels.iter().enumerate() {
            panel.validate(index)?;
            total = total.saturating_add(panel.vertex_count());
            if total > MAX_VERTICES {
                return Err(CurtainError::Size { panel: index, rows: panel.rows, vertices: total });
            }
        }
        Ok(())
    }
}

impl PanelSpec {
    /// Vertices of both levels.
    pub fn vertex_count(&self) -> usize {
        let second: usize = self.gaps.iter().map(|g| g.sections.len()).sum();
        self.rows.saturating_mul(1 + second)
    }

    /// First-level nodes, the paper's n × m.
    pub fn node_count(&self) -> usize {
        self.rows.saturating_mul(self.gaps.len() + 1)
    }

    fn validate(&self, panel: usize) -> Result<(), CurtainError> {
        let vertices = self.vertex_count();
        if self.rows < 2 || vertices > MAX_VERTICES {
            return Err(CurtainError::Size { panel, rows: self.rows, vertices });
        }
        check("height", self.height, (TINY, HUGE), POSITIVE)?;
        check("density", self.density, (TINY, HUGE), POSITIVE)?;
        check("yarn", self.yarn, (TINY, HUGE), POSITIVE)?;
        check("smoothing", self.smoothing, (0.0, HUGE), NOT_NEGATIVE)?;
        let air = &self.permeability;
        check("porosity", air.porosity, (0.0, 1.0), "from 0 to 1")?;
        check("c_mu", air.porosity_weight, (0.0, HUGE), NOT_NEGATIVE)?;
        check("c_d", air.distance_weight, (TINY, HUGE), POSITIVE)?;
        check("hang", self.hang.length(), (TINY, HUGE), "a direction")?;
        for (index, gap) in self.gaps.iter().enumerate() {
            gap.validate(panel, index)?;
        }
        for tie in &self.tie_backs {
            check("tie-back height", tie.height, (0.0, 1.0), "from 0 to 1")?;
            check("tie-back width", tie.width, (0.0, HUGE), NOT_NEGATIVE)?;
            check("tie-back hook", tie.hook.length(), (0.0, HUGE), "a finite point")?;
        }
        self.validate_top(panel)
    }

    fn validate_top(&self, panel: usize) -> Result<(), CurtainError> {
        let cloth: f64 = self.gaps.iter().map(|g| g.width).sum();
        let (start, end, span) = match &self.top {
            Top::Rail(rail) => (rail.start, rail.end, rail.span_at(0.0)),
            Top::Free { start, end } => (*start, *end, start.distance(*end)),
        };
        let size = start.length().max(end.length());
        check("rail end", size, (0.0, HUGE), "a finite point")?;
        if let Top::Rail(rail) = &self.top {
            check("bunching", rail.bunched, (0.0, HUGE), NOT_NEGATIVE)?;
        }
        // A cloth exactly as wide as the rail may come out longer by rounding.
        if self.gaps.is_empty() || span <= cloth * (1.0 + TINY) {
            return Ok(());
        }
        Err(CurtainError::TooNarrow { panel, cloth, span })
    }
}

impl Gap {
    fn validate(&self, panel: usize, gap: usize) -> Result<(), CurtainError> {
        check("gap width", self.width, (TINY, HUGE), POSITIVE)?;
        check("ring spacing", self.spacing, (TINY, HUGE), POSITIVE)?;
        let sections = self.sections.len();
        let usable = |s: &f64| (TINY..=HUGE).contains(s);
        if (1..=MAX_SECTIONS).contains(&sections) && self.sections.iter().all(usable) {
            return Ok(());
        }
        Err(CurtainError::Sections { panel, gap, sections })
    }
}
