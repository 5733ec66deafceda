//! What a fabric's numbers may be, and which unit was probably meant when one is far off.

use super::{Fabric, lab};

/// Why a [`Fabric`] was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FabricError {
    /// A value is not a number, or infinite.
    #[error("fabric {key} is {value}: write a finite number of {unit}")]
    NotFinite {
        /// The field, as written in a scene file.
        key: &'static str,
        /// The refused value.
        value: f64,
        /// The unit the field is in.
        unit: &'static str,
    },
    /// A value is outside what any sheet material has.
    #[error("fabric {key} = {value} {unit} is outside {low} to {high} {unit}: {}", advice(.mistake.as_ref()))]
    OutOfRange {
        /// The field, as written in a scene file.
        key: &'static str,
        /// The refused value.
        value: f64,
        /// The unit the field is in.
        unit: &'static str,
        /// The smallest accepted value.
        low: f64,
        /// The largest accepted value.
        high: f64,
        /// The unit the value was probably given in, where one explains it.
        mistake: Option<UnitMistake>,
    },
    /// Cloth would need less force to start sliding than to keep sliding.
    #[error(
        "fabric friction_kinetic = {kinetic} is above friction_static = {fixed}: \
         lower the kinetic value or raise the static one"
    )]
    FrictionOrder {
        /// The kinetic coefficient.
        kinetic: f64,
        /// The static coefficient.
        fixed: f64,
    },
}

/// A value that makes sense in another unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitMistake {
    /// The unit the value seems to be in.
    pub seems: &'static str,
    /// The same quantity in the field's own unit.
    pub instead: f64,
}

/// The part of the message that says what to do.
fn advice(mistake: Option<&UnitMistake>) -> String {
    match mistake {
        Some(UnitMistake { seems, instead }) => {
            format!("the value looks like {seems}, so write {instead}")
        }
        None => "check the value and its unit".to_owned(),
    }
}

/// What one field accepts.
struct Limit {
    /// The field, as written in a scene file.
    key: &'static str,
    unit: &'static str,
    /// What any sheet material may have: tissue, sail cloth, rubber and card all fit.
    accepted: (f64, f64),
    /// What cloth has: a value that lands here in another unit was probably written in it.
    typical: (f64, f64),
    /// Units often written by mistake, and what one of each is in `unit`.
    mistakes: &'static [(&'static str, f64)],
}

const AREAL: &[(&str, f64)] = &[("g/m²", 1e-3), ("oz/yd²", lab::OUNCE_PER_SQUARE_YARD)];
const LENGTH: &[(&str, f64)] = &[("mm", 1e-3), ("µm", 1e-6)];
const TENSION: &[(&str, f64)] = &[("kN/m", 1e3), ("mN/m", 1e-3)];
const RIGIDITY: &[(&str, f64)] = &[("gf·cm²/cm", lab::KES_BENDING), ("µN·m", 1e-6), ("nN·m", 1e-9)];
const PERCENT: &[(&str, f64)] = &[("percent", 0.01)];

/// Fields that may be infinite, which means that nothing is limited.
const UNLIMITED: [&str; 2] = ["strain_limit", "compression_limit"];

#[rustfmt::skip]
const LIMITS: [Limit; 14] = [
    limit("density",           "kg/m²", (1e-3, 10.0), (0.015, 1.0),  AREAL),
    limit("thickness",         "m",     (1e-6, 0.02), (5e-5, 5e-3),  LENGTH),
    limit("stretch[0]",        "N/m",   (1.0, 1e7),   (20.0, 1e5),   TENSION),
    limit("stretch[1]",        "N/m",   (1.0, 1e7),   (20.0, 1e5),   TENSION),
    limit("shear",             "N/m",   (0.0, 1e7),   (1.0, 1e4),    TENSION),
    limit("bending[0]",        "N·m",   (0.0, 0.05),  (1e-7, 2e-4),  RIGIDITY),
    limit("bending[1]",        "N·m",   (0.0, 0.05),  (1e-7, 2e-4),  RIGIDITY),
    limit("stretch_damping",   "N·s/m", (0.0, 1e6),   (0.0, 1e3),    &[]),
    limit("shear_damping",     "N·s/m", (0.0, 1e6),   (0.0, 1e3),    &[]),
    limit("bend_damping",      "N·m·s", (0.0, 0.05),  (1e-9, 1e-4),  &[("µN·m·s", 1e-6)]),
    limit("friction_static",   "[-]",   (0.0, 5.0),   (0.05, 1.0),   PERCENT),
    limit("friction_kinetic",  "[-]",   (0.0, 5.0),   (0.05, 1.0),   PERCENT),
    limit("strain_limit",      "[-]",   (1e-3, 3.0),  (0.005, 1.0),  PERCENT),
    limit("compression_limit", "[-]",   (0.0, 1.0),   (0.005, 0.95), PERCENT),
];

const fn limit(
    key: &'static str,
    unit: &'static str,
    accepted: (f64, f64),
    typical: (f64, f64),
    mistakes: &'static [(&'static str, f64)],
) -> Limit {
    Limit { key, unit, accepted, typical, mistakes }
}

/// The values of a fabric in the order of [`LIMITS`].
fn values(fabric: &Fabric) -> [f64; 14] {
    [
        fabric.density,
        fabric.thickness,
        fabric.stretch[0],
        fabric.stretch[1],
        fabric.shear,
        fabric.bending[0],
        fabric.bending[1],
        fabric.stretch_damping,
        fabric.shear_damping,
        fabric.bend_damping,
        fabric.friction_static,
        fabric.friction_kinetic,
        fabric.strain_limit,
        fabric.compression_limit,
    ]
}

/// See [`Fabric::validate`].
pub(super) fn validate(fabric: &Fabric) -> Result<(), FabricError> {
    for (limit, value) in LIMITS.iter().zip(values(fabric)) {
        let unlimited = value == f64::INFINITY && UNLIMITED.contains(&limit.key);
        if !unlimited {
            limit.check(value)?;
        }
    }
    let (fixed, kinetic) = (fabric.friction_static, fabric.friction_kinetic);
    if kinetic > fixed {
        return Err(FabricError::FrictionOrder { kinetic, fixed });
    }
    Ok(())
}

impl Limit {
    fn check(&self, value: f64) -> Result<(), FabricError> {
        let Self { key, unit, accepted: (low, high), typical, mistakes } = *self;
        if !value.is_finite() {
            return Err(FabricError::NotFinite { key, value, unit });
        }
        if (low..=high).contains(&value) {
            return Ok(());
        }
        let mistake = mistakes
            .iter()
            .map(|&(seems, one)| UnitMistake { seems, instead: value * one })
            .find(|mistake| (typical.0..=typical.1).contains(&mistake.instead));
        Err(FabricError::OutOfRange { key, value, unit, low, high, mistake })
    }
}
