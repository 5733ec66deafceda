//! Size and build of a figure.

use thiserror::Error;

/// Which adult build the shape starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// An adult woman.
    #[default]
    Woman,
    /// An adult man.
    Man,
}

/// What a tailor measures. Girths are those of a tape around the figure: the perimeter of the
/// convex hull of a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Proportions {
    /// The build that the shape starts from.
    pub build: Build,
    /// Height [m].
    pub height: f64,
    /// Girth of the chest over the bust [m].
    pub chest: f64,
    /// Girth of the waist at its narrowest [m].
    pub waist: f64,
    /// Girth of the hips over the buttocks [m].
    pub hip: f64,
    /// Girth of a thigh below the crotch [m].
    pub thigh: f64,
    /// Girth of a calf at its widest [m].
    pub calf: f64,
    /// Girth of an upper arm over the biceps [m].
    pub upper_arm: f64,
    /// Girth of the neck at half its height [m].
    pub neck: f64,
    /// Distance between the outer ends of the shoulder blades [m].
    pub shoulder_width: f64,
    /// How many triangles the mesh should have, from 10 000 to 40 000; it comes out within 15 %.
    pub triangles: usize,
}

/// Why proportions make no figure.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProportionError {
    /// A length is outside of what a human figure can have.
    #[error(
        "the {what} of the figure is {value} m, but a figure {height} m tall needs one between \
         {low:.3} m and {high:.3} m; girths go all around, in metres"
    )]
    OutOfRange {
        /// Which measure.
        what: &'static str,
        /// What was asked [m].
        value: f64,
        /// The figure's height [m].
        height: f64,
        /// Least value [m].
        low: f64,
        /// Largest value [m].
        high: f64,
    },
    /// The height is not that of an adult.
    #[error("the height of the figure is {0} m; give one between 1.2 m and 2.4 m")]
    Height(f64),
    /// Too few or too many triangles.
    #[error("the figure is asked to have {0} triangles; give a number from 10000 to 40000")]
    Triangles(usize),
    /// No closed manifold came out, which a crowd of extreme measures could cause.
    #[error("the surface of the figure could not be closed at {0} triangles; ask for more of them")]
    Surface(usize),
}

impl Proportions {
    /// An adult woman.
    pub const fn woman() -> Self {
        Self {
            build: Build::Woman,
            height: 1.68,
            chest: 0.90,
            waist: 0.70,
            hip: 0.96,
            thigh: 0.55,
            calf: 0.355,
            upper_arm: 0.275,
            neck: 0.325,
            shoulder_width: 0.365,
            triangles: 24_000,
        }
    }

    /// An adult man.
    pub const fn man() -> Self {
        Self {
            build: Build::Man,
            height: 1.80,
            chest: 0.99,
            waist: 0.82,
            hip: 0.98,
            thigh: 0.565,
            calf: 0.375,
            upper_arm: 0.32,
            neck: 0.38,
            shoulder_width: 0.415,
            triangles: 24_000,
        }
    }

    /// The defaults of a build.
    pub const fn of(build: Build) -> Self {
        match build {
            Build::Woman => Self::woman(),
            Build::Man => Self::man(),
        }
    }

    /// The same figure at another height: all lengths grow with it.
    #[must_use]
    pub fn with_height(self, height: f64) -> Self {
        let scale = height / self.height;
        Self {
            height,
            chest: self.chest * scale,
            waist: self.waist * scale,
            hip: self.hip * scale,
            thigh: self.thigh * scale,
            calf: self.calf * scale,
            upper_arm: self.upper_arm * scale,
            neck: self.neck * scale,
            shoulder_width: self.shoulder_width * scale,
            ..self
        }
    }

    /// Whether a figure can be made.
    pub fn check(&self) -> Result<(), ProportionError> {
        let height = self.height;
        if !(1.2..=2.4).contains(&height) {
            return Err(ProportionError::Height(height));
        }
        // Least and largest share of the height.
        let ranges = [
            ("chest", self.chest, 0.44, 0.75),
            ("waist", self.waist, 0.34, 0.70),
            ("hip", self.hip, 0.46, 0.72),
            ("thigh", self.thigh, 0.25, 0.38),
            ("calf", self.calf, 0.16, 0.27),
            ("upper_arm", self.upper_arm, 0.125, 0.24),
            ("neck", self.neck, 0.16, 0.25),
            ("shoulder_width", self.shoulder_width, 0.19, 0.27),
        ];
        for (what, value, least, most) in ranges {
            let (low, high) = (least * height, most * height);
            if !(low..=high).contains(&value) {
                return Err(ProportionError::OutOfRange { what, value, height, low, high });
            }
        }
        if !(10_000..=40_000).contains(&self.triangles) {
            return Err(ProportionError::Triangles(self.triangles));
        }
        Ok(())
    }
}

impl Default for Proportions {
    fn default() -> Self {
        Self::woman()
    }
}
