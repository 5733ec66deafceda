//! What a cloth is made of: a [`Fabric`] is a dozen properties a textile laboratory
//! would recognise.
//!
//! Every stiffness is a property of the continuous sheet, not of a mesh: refining the mesh does not
//! change what the fabric is. The three energies per rest area, with `w_u` and `w_v` the images of
//! the unit warp and weft vectors (BW3, BW4) and `κ_u`, `κ_v` the curvatures along them (BW5):
//!
//! | energy per area \[J/m²\] | field | laboratory name |
//! | --- | --- | --- |
//! | `½ k_u (\|w_u\| − 1)² + ½ k_v (\|w_v\| − 1)²` | [`Fabric::stretch`] | tensile stiffness |
//! | `½ k_s (w_u · w_v)²` | [`Fabric::shear`] | shear rigidity `G` |
//! | `½ D_u κ_u² + ½ D_v κ_v²` | [`Fabric::bending`] | flexural rigidity `B` |
//!
//! [`Fabric::named`] finds one of the fabrics of the [`library()`]; [`lab::LabSheet`] turns laboratory
//! numbers into one.
//!
//! ```
//! use muslin::fabric::Fabric;
//!
//! let denim = Fabric::named("Denim")?;
//! assert!(denim.bending[0] > 10.0 * Fabric::named("silk-charmeuse")?.bending[0]);
//! # Ok::<(), muslin::fabric::UnknownFabric>(())
//! ```

pub mod lab;
mod library;
mod table;
#[cfg(test)]
mod tests;
mod validate;

pub use library::{Entry, Published, Range, Source, UnknownFabric, library};
pub use table::{StretchTable, TableError};
pub use validate::{FabricError, UnitMistake};

/// The physical description of one fabric, in SI units. Index 0 is the warp (wale of a knit, `u`),
/// index 1 the weft (course, `v`).
#[derive(Clone, Debug, PartialEq)]
pub struct Fabric {
    /// Mass per area \[kg/m²\].
    pub density: f64,
    /// Thickness of one layer \[m\].
    pub thickness: f64,
    /// Membrane stiffness along warp and weft \[N/m\]: tension per width = stiffness × strain.
    pub stretch: [f64; 2],
    /// Shear stiffness `k_s` \[N/m\]: energy per area `½ k_s (w_u · w_v)²`.
    pub shear: f64,
    /// Flexural rigidity for bending along warp and weft \[N·m\]: moment per width = rigidity ×
    /// curvature.
    pub bending: [f64; 2],
    /// Resistance to the rate of stretch \[N·s/m\]: tension per width = damping × strain rate (BW6).
    pub stretch_damping: f64,
    /// Resistance to the rate of shear \[N·s/m\] (BW6).
    pub shear_damping: f64,
    /// Resistance to the rate of bending \[N·m·s\]: moment per width = damping × curvature rate (BW6).
    pub bend_damping: f64,
    /// Coulomb coefficient below which cloth sticks to cloth \[-\].
    pub friction_static: f64,
    /// Coulomb coefficient of cloth sliding on cloth \[-\], at most the static one.
    pub friction_kinetic: f64,
    /// Largest stretch strain a strain limiter lets through \[-\] (BF: 0.1); infinite for no limit.
    pub strain_limit: f64,
    /// Largest compressive strain a strain limiter lets through \[-\], as a positive number (BF: 0.1);
    /// infinite for no limit.
    pub compression_limit: f64,
}

/// Relaxation times \[s\]: the damping of a fabric divided by the matching stiffness.
///
/// Damping is viscous and proportional to stiffness (Kelvin–Voigt), so a vibration of angular
/// frequency ω has damping ratio `ζ = ω τ / 2`, whatever the fabric. Real fabric loses energy mostly
/// by yarn friction, which laboratories report as hysteresis and not as a rate; no published viscous
/// value is claimed here. The default of 10 ms in shear and bending damps a 2 Hz fold at ζ = 0.06,
/// and of 2 ms in stretch removes the fast membrane waves that no eye sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Stretch damping ÷ the mean of the two stretch stiffnesses \[s\].
    pub stretch: f64,
    /// Shear damping ÷ shear stiffness \[s\].
    pub shear: f64,
    /// Bend damping ÷ the mean of the two flexural rigidities \[s\].
    pub bend: f64,
}

impl Relaxation {
    /// The relaxation times of every fabric of the library.
    pub const STANDARD: Self = Self { stretch: 0.002, shear: 0.01, bend: 0.01 };
}

impl Default for Relaxation {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Fabric {
    /// The library fabric of that name; case, spaces, dashes and underscores do not matter.
    pub fn named(name: &str) -> Result<Self, UnknownFabric> {
        library::find(name).map(|entry| entry.fabric.clone())
    }

    /// Checks that every number is finite, positive where it must be, and of a size some sheet
    /// material can have; a number in the wrong unit is told apart from a merely odd one.
    pub fn validate(&self) -> Result<(), FabricError> {
        validate::validate(self)
    }

    /// This fabric with the three damping values set from relaxation times.
    #[must_use]
    pub const fn with_relaxation(mut self, times: Relaxation) -> Self {
        self.stretch_damping = times.stretch * mean(self.stretch);
        self.shear_damping = times.shear * self.shear;
        self.bend_damping = times.bend * mean(self.bending);
        self
    }

    /// The relaxation times that give this fabric's damping; zero where the stiffness is zero.
    pub fn relaxation(&self) -> Relaxation {
        let time = |damping: f64, stiffness: f64| {
            if stiffness > 0.0 { damping / stiffness } else { 0.0 }
        };
        Relaxation {
            stretch: time(self.stretch_damping, mean(self.stretch)),
            shear: time(self.shear_damping, self.shear),
            bend: time(self.bend_damping, mean(self.bending)),
        }
    }

    /// Peirce's bending length `c = (D / ρg)^⅓` along warp and weft \[m\], at standard gravity: the
    /// larger, the stiffer the drape.
    pub fn bending_length(&self) -> [f64; 2] {
        let weight = self.density * lab::STANDARD_GRAVITY;
        self.bending.map(|rigidity| (rigidity / weight).cbrt())
    }
}

/// The mean of the values along warp and weft.
const fn mean(values: [f64; 2]) -> f64 {
    0.5 * (values[0] + values[1])
}
