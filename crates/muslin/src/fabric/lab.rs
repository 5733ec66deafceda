//! From a textile laboratory's numbers to a [`Fabric`].
//!
//! Each measurement is an enum of the ways laboratories report it, and converts itself to SI. A
//! [`LabSheet`] collects what was measured; what was not is taken from a base fabric.
//!
//! ```
//! use muslin::fabric::Fabric;
//! use muslin::fabric::lab::{Bend, LabSheet, Shear, Tensile, Weight};
//!
//! let sheet = LabSheet {
//!     weight: Some(Weight::GramsPerSquareMetre(168.0)),
//!     bend: [Some(Bend::Length(0.0150)), Some(Bend::Length(0.0145))],
//!     tensile: [Some(Tensile::Emt(5.0)), None],
//!     shear: Some(Shear::Kes(0.6)),
//!     ..LabSheet::default()
//! };
//! let fabric = sheet.apply(&Fabric::named("wool suiting")?)?;
//! assert!((fabric.bending[0] - 5.56e-6).abs() < 0.01e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod tests;

use super::{Fabric, FabricError};

/// Standard gravity \[m/s²\], exact by definition.
pub const STANDARD_GRAVITY: f64 = 9.80665;

/// One gram-force \[N\].
pub const GRAM_FORCE: f64 = 1e-3 * STANDARD_GRAVITY;

/// One ounce per square yard \[kg/m²\]: 28.349523125 g over (0.9144 m)², both exact.
pub const OUNCE_PER_SQUARE_YARD: f64 = 0.028349523125 / (0.9144 * 0.9144);

/// One momme \[kg/m²\], the unit of silk: a pound over 100 yards by 45 inches.
pub const MOMME: f64 = 0.45359237 / (91.44 * 1.143);

/// One gf·cm²/cm \[N·m\], the unit of the KES-F bending rigidity `B`: gram-force times centimetre.
pub const KES_BENDING: f64 = GRAM_FORCE * 1e-2;

/// One gf/(cm·degree) \[N/m\], the unit of the KES-F shear rigidity `G`.
///
/// `G` is the shear force per width for one degree of shear angle γ. With the energy per area
/// `½ k (w_u · w_v)²` and `w_u · w_v = sin γ ≈ γ`, the force per width is `k γ`, γ in radians.
pub const KES_SHEAR: f64 = GRAM_FORCE / (1e-2 * std::f64::consts::PI / 180.0);

/// Force per width at which KES-F reads the extension EMT \[N/m\]: 500 gf/cm.
pub const KES_TENSION: f64 = 500.0 * GRAM_FORCE / 1e-2;

/// Force per width at which FAST reads the bias extension EB5 \[N/m\]: 5 gf/cm.
pub const FAST_BIAS_TENSION: f64 = 5.0 * GRAM_FORCE / 1e-2;

/// Why a laboratory number was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LabError {
    /// A measurement is zero, negative, infinite or not a number.
    #[error("lab sheet: {quantity} is {value}, expected a positive number of {unit}")]
    NotPositive {
        /// What was measured.
        quantity: &'static str,
        /// The refused value.
        value: f64,
        /// The unit it is read in.
        unit: &'static str,
    },
    /// The numbers convert, but to a fabric that cannot be.
    #[error("lab sheet: {0}")]
    Fabric(#[from] FabricError),
}

/// Weight per area, as reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// Grams per square metre \[g/m²\] ("gsm").
    GramsPerSquareMetre(f64),
    /// Ounces per square yard \[oz/yd²\].
    OuncesPerSquareYard(f64),
    /// Momme, for silk \[lb per 100 yd × 45 in\].
    Momme(f64),
}

impl Weight {
    /// Mass per area \[kg/m²\].
    pub fn density(self) -> Result<f64, LabError> {
        match self {
            Self::GramsPerSquareMetre(grams) => Ok(1e-3 * positive("weight", grams, "g/m²")?),
            Self::OuncesPerSquareYard(ounces) => {
                Ok(OUNCE_PER_SQUARE_YARD * positive("weight", ounces, "oz/yd²")?)
            }
            Self::Momme(momme) => Ok(MOMME * positive("weight", momme, "momme")?),
        }
    }
}

/// Bending stiffness along one direction, as reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bend {
    /// Bending length `c` \[m\] (Peirce 1930; ASTM D1388; ISO 9073-7; FAST-2): `D = ρ g c³`.
    Length(f64),
    /// Overhang \[m\] of a strip pushed over an edge until the line from the edge to its tip lies
    /// 41.5° below the horizontal: twice the bending length. The heavy elastica solved exactly gives
    /// 2.00035 times (checked in the tests), so `D` read this way is 0.05 % too large.
    Overhang(f64),
    /// KES-F `B` \[gf·cm²/cm\], the slope of moment against curvature in pure bending.
    Kes(f64),
}

impl Bend {
    /// Flexural rigidity \[N·m\] of a fabric of that mass per area \[kg/m²\].
    pub fn rigidity(self, density: f64) -> Result<f64, LabError> {
        match self {
            Self::Length(c) => {
                let c = positive("bending length", c, "m")?;
                Ok(positive("mass per area", density, "kg/m²")? * STANDARD_GRAVITY * c * c * c)
            }
            Self::Overhang(length) => {
                Self::Length(0.5 * positive("overhang", length, "m")?).rigidity(density)
            }
            Self::Kes(b) => Ok(KES_BENDING * positive("bending rigidity B", b, "gf·cm²/cm")?),
        }
    }
}

/// Extension along one direction, as reported. Fabric stiffens as its crimp straightens, so the
/// secant stiffness holds at the load it was measured at and is too high for a fabric under its own
/// weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tensile {
    /// A strain reached under a force per width.
    At {
        /// Force per width \[N/m\].
        force_per_width: f64,
        /// Strain \[-\].
        strain: f64,
    },
    /// KES-F EMT \[%\]: extension at 500 gf/cm.
    Emt(f64),
}

impl Tensile {
    /// Membrane stiffness, as the secant \[N/m\].
    pub fn stiffness(self) -> Result<f64, LabError> {
        match self {
            Self::At { force_per_width, strain } => {
                let force = positive("tensile force per width", force_per_width, "N/m")?;
                Ok(force / positive("tensile strain", strain, "strain, 0.05 for 5 %")?)
            }
            Self::Emt(percent) => Ok(KES_TENSION / (0.01 * positive("EMT", percent, "percent")?)),
        }
    }
}

/// Shear stiffness, as reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shear {
    /// KES-F `G` \[gf/(cm·degree)\].
    Kes(f64),
    /// FAST-3 EB5 \[%\]: extension along the bias under 5 gf/cm.
    ///
    /// A bias tension `T` shears the yarn axes by `T/2`; with yarns that do not stretch, the shear
    /// angle is twice the bias strain ε; so `k = (T/2) / 2ε = T / 4ε`, which FAST prints as
    /// `G = 123 / EB5`.
    BiasExtension(f64),
}

impl Shear {
    /// Shear stiffness \[N/m\].
    pub fn stiffness(self) -> Result<f64, LabError> {
        match self {
            Self::Kes(g) => Ok(KES_SHEAR * positive("shear rigidity G", g, "gf/(cm·degree)")?),
            Self::BiasExtension(percent) => {
                let strain = 0.01 * positive("bias extension EB5", percent, "percent")?;
                Ok(FAST_BIAS_TENSION / (4.0 * strain))
            }
        }
    }
}

/// What a laboratory measured of one fabric; leave out what it did not. Index 0 is the warp (wale),
/// index 1 the weft (course).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabSheet {
    /// Weight per area.
    pub weight: Option<Weight>,
    /// Thickness \[m\].
    pub thickness: Option<f64>,
    /// Extension along warp and weft.
    pub tensile: [Option<Tensile>; 2],
    /// Shear.
    pub shear: Option<Shear>,
    /// Bending along warp and weft.
    pub bend: [Option<Bend>; 2],
}

impl LabSheet {
    /// `base` with every measured value replaced. Damping follows the new stiffness: the base's
    /// relaxation times are kept. The result is valid ([`Fabric::validate`]).
    pub fn apply(&self, base: &Fabric) -> Result<Fabric, LabError> {
        let mut fabric = base.clone();
        if let Some(weight) = self.weight {
            fabric.density = weight.density()?;
        }
        if let Some(thickness) = self.thickness {
            fabric.thickness = positive("thickness", thickness, "m")?;
        }
        if let Some(shear) = self.shear {
            fabric.shear = shear.stiffness()?;
        }
        for direction in 0..2 {
            if let Some(tensile) = self.tensile[direction] {
                fabric.stretch[direction] = tensile.stiffness()?;
            }
            if let Some(bend) = self.bend[direction] {
                fabric.bending[direction] = bend.rigidity(fabric.density)?;
            }
        }
        let fabric = fabric.with_relaxation(base.relaxation());
        fabric.validate()?;
        Ok(fabric)
    }
}

fn positive(quantity: &'static str, value: f64, unit: &'static str) -> Result<f64, LabError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(LabError::NotPositive { quantity, value, unit })
    }
}
