//! Rules for single values.

use muslin::math::{Vec3, try_normalize};

use super::{Checked, KeyPath, Problem, SceneErrorKind};
use crate::keyframes::Keyed;
use crate::spec::forms::Limit;

/// A range of numbers, its unit, and what is likely when a number is too large.
pub(super) struct Range {
    low: f64,
    low_is_allowed: bool,
    high: f64,
    unit: &'static str,
    hint: &'static str,
}

impl Range {
    /// Greater than 0 [unit].
    pub const fn positive(unit: &'static str) -> Self {
        Self { low: 0.0, low_is_allowed: false, high: f64::MAX, unit, hint: "" }
    }

    /// 0 or greater [unit].
    pub const fn not_negative(unit: &'static str) -> Self {
        Self { low_is_allowed: true, ..Self::positive(unit) }
    }

    /// At most `high`; `hint` says what may have gone wrong above it.
    pub const fn up_to(self, high: f64, hint: &'static str) -> Self {
        Self { high, hint, ..self }
    }

    /// From `low` on.
    pub const fn from(self, low: f64) -> Self {
        Self { low, low_is_allowed: true, ..self }
    }

    /// The number must lie in the range.
    pub fn check(&self, path: &KeyPath, value: f64) -> Checked {
        let high_enough = value > self.low || (self.low_is_allowed && value == self.low);
        if high_enough && value <= self.high {
            return Ok(());
        }
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let message = format!(
            "`{path}` is {value}{unit}, which is {}",
            match value > self.high {
                true => "too large",
                false if self.low == 0.0 && !self.low_is_allowed => "not greater than 0",
                false => "too small",
            }
        );
        let lower = match (self.low_is_allowed, self.low) {
            (true, low) => format!("{low} or more"),
            (false, low) => format!("more than {low}"),
        };
        let expected = match self.high {
            f64::MAX => format!("{lower}{unit}"),
            high => format!("{lower} and at most {high}{unit}"),
        };
        let help = match (value > self.high, self.hint) {
            (true, hint) if !hint.is_empty() => hint.to_owned(),
            _ => format!("give {expected}"),
        };
        Err(Problem::new(SceneErrorKind::OutOfRange, path, message).expected(expected).help(help))
    }

    /// The number must lie in the range, if it is there.
    pub fn check_option(&self, path: &KeyPath, value: Option<f64>) -> Checked {
        value.map_or(Ok(()), |value| self.check(path, value))
    }

    /// Every number must lie in the range.
    pub fn check_all(&self, path: &KeyPath, values: &[f64]) -> Checked {
        (0..).zip(values).try_for_each(|(i, value)| self.check(&path.index(i), *value))
    }

    /// The number must lie in the range at all times.
    pub fn check_keyed(&self, path: &KeyPath, value: &Keyed<f64>) -> Checked {
        value.values().iter().try_for_each(|value| self.check(path, *value))
    }

    /// The limit must lie in the range where it is on.
    pub fn check_limit(&self, path: &KeyPath, limit: Limit) -> Checked {
        self.check_option(path, limit.value())
    }
}

/// A strain, as a fraction.
pub(super) const STRAIN: Range =
    Range::not_negative("").up_to(1.0, "strains are fractions: did you give percent? 10 % is 0.1");

/// A coefficient of friction.
pub(super) const FRICTION: Range =
    Range::not_negative("").up_to(10.0, "did you give percent? 40 % is 0.4");

/// Mass per area.
pub(super) const DENSITY: Range = Range::positive("kg/m²")
    .up_to(5.0, "expected SI units: did you give g/m²? 150 g/m² is 0.15 kg/m²");

/// Thickness of cloth.
pub(super) const THICKNESS: Range = Range::positive("m")
    .up_to(0.05, "expected SI units: did you give millimetres? 2 mm is 0.002 m");

/// A size of something, in metres.
pub(super) const SIZE: Range =
    Range::positive("m").up_to(1e4, "expected SI units: did you give millimetres? 1000 mm is 1 m");

/// A count that must be at least 1.
pub(super) const COUNT: Range = Range::positive("").from(1.0).up_to(1e6, "");

/// A vector that must have a direction.
pub(super) fn direction(path: &KeyPath, vector: Vec3) -> Checked {
    if try_normalize(vector).is_some() {
        return Ok(());
    }
    let message =
        format!("`{path}` is [{}, {}, {}], which has no direction", vector.x, vector.y, vector.z);
    Err(Problem::new(SceneErrorKind::OutOfRange, path, message)
        .expected("a vector that is not zero")
        .help("give a direction such as [0, 0, 1]"))
}

/// A time span that must not end before it begins.
pub(super) fn schedule(path: &KeyPath, from: Option<f64>, until: Option<f64>) -> Checked {
    match (from, until) {
        (Some(from), Some(until)) if until <= from => {
            let path = path.key("until");
            let message = format!("`{path}` is {until} s, but `from` is {from} s");
            Err(Problem::new(SceneErrorKind::OutOfRange, &path, message)
                .expected(format!("a time after {from} s"))
                .help("swap `from` and `until`, or leave one out"))
        }
        _ => Ok(()),
    }
}

/// A colour must be `#rrggbb`.
pub(super) fn color(path: &KeyPath, color: Option<&str>) -> Checked {
    let is_color = |text: &str| {
        text.len() == 7
            && text.starts_with('#')
            && text.bytes().skip(1).all(|b| b.is_ascii_hexdigit())
    };
    match color {
        Some(text) if !is_color(text) => {
            let message = format!("`{path}` is {text:?}, which is not a colour");
            Err(Problem::new(SceneErrorKind::WrongValue, path, message)
                .expected("\"#rrggbb\" with hexadecimal digits")
                .help("write it like \"#c04030\""))
        }
        _ => Ok(()),
    }
}

/// A band must not be empty.
pub(super) fn band(path: &KeyPath, band: Option<[f64; 2]>) -> Checked {
    match band {
        Some([low, high]) if high < low => {
            let message = format!("`{path}` is [{low}, {high}], which is empty");
            Err(Problem::new(SceneErrorKind::OutOfRange, path, message)
                .expected("[lowest, highest]")
                .help(format!("write [{high}, {low}]")))
        }
        _ => Ok(()),
    }
}
