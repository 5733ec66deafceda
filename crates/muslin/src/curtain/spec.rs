//! What a curtain is made of, and what is refused.

use super::folds::Gap;
use super::rail::{Rail, TieBack};
use crate::math::Vec3;
use crate::wind::Permeability;
use thiserror::Error;

/// More vertices than this are refused before memory is taken.
pub const MAX_VERTICES: usize = 20_000_000;

/// More sections than this in one rod are refused.
pub const MAX_SECTIONS: usize = 64;

/// Shortest last piece of an [`update`](super::Curtain::update) that gets a step of its own \[s\].
pub(super) const STEP_SLACK: f64 = 1e-9;

/// How the top row of a panel is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Top {
    /// Every column hangs on a ring of this rail or is fixed to this pole.
    Rail(Rail),
    /// Nothing holds it: the row starts evenly spread from `start` to `end` \[m\].
    Free {
        /// Where the first column starts \[m\].
        start: Vec3,
        /// Where the last column starts \[m\].
        end: Vec3,
    },
}

/// One sheet of cloth: `rows` × columns of first-level nodes (XU1).
///
/// Columns are chains of rigid rods that hang from the top row; neighbouring columns are joined
/// row by row by multi-section rods, one [`Gap`] for each pair of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelSpec {
    /// Nodes in a column, the top one included.
    pub rows: usize,
    /// Length of a column \[m\].
    pub height: f64,
    /// What lies between neighbouring columns; there is one column more than gaps.
    pub gaps: Vec<Gap>,
    /// How the top row is held.
    pub top: Top,
    /// Direction in which the columns point at the start, of any length.
    pub hang: Vec3,
    /// Mass per area of the cloth \[kg/m²\].
    pub density: f64,
    /// Factor on the mass for the yarn's elasticity (XU2) \[-\].
    pub yarn: f64,
    /// How cones and cylinders of wind act on it (XU3).
    pub permeability: Permeability,
    /// Rate of the smoothing stage (XU6) \[1/s\]; zero switches it off.
    pub smoothing: f64,
    /// Loops that gather the cloth to a hook.
    pub tie_backs: Vec<TieBack>,
}

impl Default for PanelSpec {
    /// A medium curtain, 2.2 m long, without columns yet.
    fn default() -> Self {
        Self {
            rows: 2,
            height: 2.2,
            gaps: Vec::new(),
            top: Top::Rail(Rail::default()),
            hang: Vec3::NEG_Z,
            density: 0.25,
            yarn: 1.0,
            permeability: Permeability::default(),
            smoothing: 4.0,
            tie_backs: Vec::new(),
        }
    }
}

/// Air resistance (XU4, Eq. (4)).
///
/// `f = −ρ c_r A max(|u|, threshold) u` with `u` the velocity relative to the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirResistance {
    /// Density `ρ` \[kg/m³\].
    pub density: f64,
    /// Speed below which the resistance is linear \[m/s\].
    pub threshold: f64,
    /// Coefficient `c_r` of nodes with four neighbours \[-\].
    pub inside: f64,
    /// Coefficient of nodes with three neighbours \[-\].
    pub border: f64,
    /// Coefficient of nodes with two neighbours or fewer \[-\].
    pub corner: f64,
}

impl Default for AirResistance {
    fn default() -> Self {
        Self { density: 1.2, threshold: 1.0, inside: 0.5, border: 0.6, corner: 0.7 }
    }
}

/// Collisions (XU7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionSpec {
    /// Distance kept between layers, and from obstacles \[m\]; zero switches collisions off.
    pub thickness: f64,
    /// Friction coefficient between layers, the paper's sliding parameter \[-\].
    pub friction: f64,
    /// Most passes of detection and response in one step.
    pub passes: usize,
}

impl Default for CollisionSpec {
    fn default() -> Self {
        Self { thickness: 0.003, friction: 0.3, passes: 2 }
    }
}

impl CollisionSpec {
    /// No collisions.
    pub const OFF: Self = Self { thickness: 0.0, friction: 0.0, passes: 0 };
}

/// One or several panels that share the air and collide with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct CurtainSpec {
    /// The sheets.
    pub panels: Vec<PanelSpec>,
    /// Air resistance.
    pub air: AirResistance,
    /// Collisions.
    pub collisions: CollisionSpec,
    /// Longest step \[s\]; a longer frame is divided into equal steps.
    pub max_step: f64,
}

impl Default for CurtainSpec {
    fn default() -> Self {
        Self {
            panels: Vec::new(),
            air: AirResistance::default(),
            collisions: CollisionSpec::default(),
            max_step: 1.0 / 60.0,
        }
    }
}

/// Why a curtain cannot be made or moved.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CurtainError {
    /// A number is out of range.
    #[error("{what} of the curtain is {value}, but must be {expected}")]
    Value {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is accepted.
        expected: &'static str,
    },
    /// There is nothing to simulate.
    #[error("the curtain has no panels: give it at least one")]
    Empty,
    /// A panel has too few rows or too many vertices.
    #[error(
        "panel {panel} has {rows} rows and {vertices} vertices, but 2 rows at least and \
         {MAX_VERTICES} vertices in all are possible"
    )]
    Size {
        /// Which panel.
        panel: usize,
        /// Its rows.
        rows: usize,
        /// Its vertices, of both levels.
        vertices: usize,
    },
    /// A rod between two columns is not made of sections.
    #[error(
        "gap {gap} of panel {panel} has {sections} sections of which one is not positive, but \
         1 to {MAX_SECTIONS} of positive length are needed"
    )]
    Sections {
        /// Which panel.
        panel: usize,
        /// Which gap.
        gap: usize,
        /// How many sections.
        sections: usize,
    },
    /// The cloth is narrower than the part of the rail it has to span.
    #[error(
        "panel {panel} is {cloth} m wide but hangs over {span} m of rail: add cloth or bring the \
         ends of the rail closer"
    )]
    TooNarrow {
        /// Which panel.
        panel: usize,
        /// Width of the cloth \[m\].
        cloth: f64,
        /// Length of rail to span \[m\].
        span: f64,
    },
    /// A state of another curtain was given.
    #[error("the state has {given} numbers where this curtain has {expected}")]
    State {
        /// What the state holds.
        given: usize,
        /// What is needed.
        expected: usize,
    },
    /// A panel has no mesh that contact could be made of.
    #[error("panel {panel} cannot be guarded: {what}; check its rows, columns and sections")]
    Mesh {
        /// Which panel.
        panel: usize,
        /// Why.
        what: String,
    },
    /// Robust contact found no way.
    #[error(
        "{left} collisions were left at {time} s in the smallest steps: give the curtain more room \
         between bodies, or use bounded contact"
    )]
    Colliding {
        /// Pairs of features still colliding.
        left: usize,
        /// Start of the step \[s\].
        time: f64,
    },
    /// A position is not finite after a step.
    #[error(
        "node {node} left the numbers at {time} s: check that wind, gravity and obstacles are \
         finite, then restore an earlier state"
    )]
    Diverged {
        /// The first such node.
        node: usize,
        /// End of the step \[s\].
        time: f64,
    },
}
