//! `[solver]`, `[contact]` and `[pointer]`: how cloth moves and how contact is answered.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::forms::Limit;
use crate::keyframes::Keyed;

/// The internal dynamics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dynamics {
    /// Continuum conditions, implicit (BW).
    #[default]
    Implicit,
    /// Elastic forces explicit, damping implicit (MF1).
    Mixed,
    /// Mass–spring cloth (BF1).
    Springs,
    /// Few particles and curved faces (OS).
    Sparse,
    /// Columns of rods, in real time (XU).
    Curtain,
}

/// The time integration of implicit and sparse dynamics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Integrator {
    /// The usual one of the chosen dynamics.
    #[default]
    Auto,
    /// First order, strongly damped (BW8).
    BackwardEuler,
    /// Second order, two past steps.
    Bdf2,
    /// Second order, one step in two stages.
    #[serde(rename = "tr-bdf2")]
    TrBdf2,
    /// Explicit Euler in substeps (OS1).
    Euler,
    /// Fourth-order Runge–Kutta (OS1).
    Rk4,
}

/// The mixed schemes of MF1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Scheme {
    /// Explicit half-step first.
    A,
    /// Central Newmark, constant step.
    B,
    /// Implicit mid velocity, trapezoidal rule: the paper's recommendation.
    #[default]
    C,
}

/// How the moment of a hinge grows with its angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BendElement {
    /// "half-sine" for "mixed" dynamics, "angle" elsewhere.
    #[default]
    Auto,
    /// In proportion to the angle (BW5).
    Angle,
    /// In proportion to the sine of half the angle (MF4).
    HalfSine,
}

/// How the linear systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preconditioner {
    /// Chosen from the size of the problem.
    #[default]
    Auto,
    /// 3×3 diagonal blocks (BW9).
    BlockJacobi,
    /// Incomplete Cholesky factor of 3×3 blocks.
    BlockIc,
    /// A hierarchy of coarser problems.
    Multilevel,
    /// A sparse factorisation instead of iterations.
    Direct,
}

/// How contact is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactMethod {
    /// Repulsions, continuous collisions and rigid zones: nothing ever passes (BF).
    #[default]
    Robust,
    /// Constraints against bodies, springs and dashpots between cloths, all of them inside the solve of
    /// "implicit" dynamics (BW11, BW12, BW13). Cloth may then pass through cloth; crossings are counted.
    Constraint,
    /// A bounded number of passes for real time (XU7, OS3); what is left is counted. The usual one of
    /// "curtain" and "sparse" dynamics.
    Bounded,
    /// Nothing collides.
    None,
}

/// How masses are spread over a mesh of springs (BF1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MassSpread {
    /// By rest area (BW2).
    #[default]
    Area,
    /// The same for every vertex (BF1).
    Equal,
}

/// How cloth moves: dynamics, steps and tolerances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// The internal dynamics.
    pub dynamics: Dynamics,
    /// Time integration of "implicit" and "sparse" dynamics.
    pub integrator: Integrator,
    /// Scheme of "mixed" dynamics (MF1).
    pub scheme: Scheme,
    /// How contact is answered.
    pub contact: ContactMethod,
    /// Steps in a frame; sets the largest step.
    pub steps_per_frame: u32,
    /// Largest step [s], instead of `steps_per_frame`; never longer than a frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<f64>,
    /// Smallest step [s]; a run that needs a smaller one stops with an error.
    pub min_step: f64,
    /// Throw away and halve steps that change a triangle's stretch too much (BW14).
    pub adaptive: bool,
    /// The change of stretch in one step that is too much (BW14), as a fraction.
    pub max_stretch_change: f64,
    /// How often a step is halved at most because the one before had real collisions; doubled again after three
    /// without (BF3). Contact inside the implicit solve does not need it.
    pub collision_halvings: u32,
    /// Relative tolerance of the linear solver.
    pub tolerance: f64,
    /// Most iterations of one linear solve.
    pub max_iterations: u32,
    /// How linear systems are preconditioned, or solved directly.
    pub preconditioner: Preconditioner,
    /// Largest stretch of an edge (BF2), as a fraction, or "off".
    pub strain_limit: Limit,
    /// Largest compression of an edge (MF3), as a fraction, or "off"; 0 makes cloth buckle.
    pub strain_limit_compression: Limit,
    /// Largest change of strain in a step (BF2), as a fraction, or "off".
    pub strain_rate_limit: Limit,
    /// Most sweeps of strain limiting in a step.
    pub strain_limit_passes: u32,
    /// Scale stretch and shear conditions by area as BW print them, instead of by its square root: stiffness
    /// then grows with the area of a triangle, as given at 1 cm². Only for comparison.
    pub literal: bool,
    /// How masses are spread (BW2, BF1).
    pub masses: MassSpread,
    /// The bending element (MF4); springs have their own.
    pub bend_element: BendElement,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            dynamics: Dynamics::default(),
            integrator: Integrator::default(),
            scheme: Scheme::default(),
            contact: ContactMethod::default(),
            steps_per_frame: 4,
            max_step: None,
            min_step: 1e-5,
            adaptive: true,
            max_stretch_change: 0.2,
            collision_halvings: 0,
            tolerance: 1e-3,
            max_iterations: 500,
            preconditioner: Preconditioner::default(),
            strain_limit: Limit::At(0.1),
            strain_limit_compression: Limit::Off,
            strain_rate_limit: Limit::Off,
            strain_limit_passes: 300,
            literal: false,
            masses: MassSpread::default(),
            bend_element: BendElement::default(),
        }
    }
}

/// How collision impulses are swept (BF10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sweep {
    /// All impulses at once, divided by the contact count or relaxed.
    #[default]
    Parallel,
    /// One pair after the other.
    Sequential,
}

/// The velocity update after contact (BF12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VelocityUpdate {
    /// The right one for the dynamics.
    #[default]
    Auto,
    /// Implicit, by conjugate gradients.
    Implicit,
    /// Explicit, with fixed-point iterations.
    Explicit,
    /// The mid-step velocity is the new velocity.
    None,
}

/// How contact is found and answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// Whether cloth meets cloth, itself included.
    pub self_collision: bool,
    /// Distance at which cloth repels [m]; the fabric's own thickness when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Coulomb friction, static and kinetic, where neither cloth nor body says its own (BF9).
    pub friction: f64,
    /// Static friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_static: Option<f64>,
    /// Kinetic friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_kinetic: Option<f64>,
    /// Stiffness k of the repulsion spring (BF8) [N/m]; from the fabric when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repulsion_stiffness: Option<f64>,
    /// Share of the overlap that repulsion may take away in a step (BF8).
    pub repulsion_fraction: f64,
    /// Most passes of collision impulses before rigid zones (BF10).
    pub max_passes: u32,
    /// Most passes of "bounded" contact in a step (XU7).
    pub bounded_passes: u32,
    /// How impulses are swept (BF10).
    pub sweep: Sweep,
    /// Relaxation of parallel impulses (BF10); divided by the contact count when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxation: Option<f64>,
    /// Halve the collision step on a real collision, double it after three clean steps (BF3).
    pub adaptive_step: bool,
    /// The velocity update (BF12).
    pub velocity_update: VelocityUpdate,
    /// Stiffness of cloth–cloth springs of "constraint" contact (BW12) [N/m].
    pub spring_stiffness: f64,
    /// Damping of those springs (BW12) [N·s/m]; dashpots that stop what they grip within a step take its
    /// place.
    pub spring_damping: f64,
    /// Start although cloth intersects.
    pub allow_tangled: bool,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            self_collision: true,
            thickness: None,
            friction: 0.3,
            friction_static: None,
            friction_kinetic: None,
            repulsion_stiffness: None,
            repulsion_fraction: 0.1,
            max_passes: 10,
            bounded_passes: 2,
            sweep: Sweep::default(),
            relaxation: None,
            adaptive_step: true,
            velocity_update: VelocityUpdate::default(),
            spring_stiffness: 1000.0,
            spring_damping: 1.0,
            allow_tangled: false,
        }
    }
}

/// The spring by which a pointer drags cloth (BW7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pointer {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N·s/m].
    pub damping: f64,
    /// Drags that are part of the scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drag: Vec<Drag>,
}

/// A vertex dragged along a path (BW7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// The cloth.
    pub cloth: String,
    /// The vertex, counted from 0.
    pub vertex: u32,
    /// Where it is dragged to [m]; keyframable.
    pub target: Keyed<Vec3>,
    /// Dragged from this time on [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Dragged until this time [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Default for Pointer {
    fn default() -> Self {
        Self { stiffness: 50.0, damping: 0.5, drag: Vec::new() }
    }
}
