//! Checks of `mannequin = { … }`.

use super::rules::Range;
use super::{Checked, KeyPath, Problem, SceneErrorKind, file};
use crate::spec::suggest::did_you_mean;
use crate::spec::{Mannequin, SceneSpec};
use muslin_figure::ProportionError;

pub(super) fn check(spec: &SceneSpec, mannequin: &Mannequin, path: &KeyPath) -> Checked {
    Range::positive("m")
        .up_to(2.4, "expected SI units: did you give centimetres? 175 cm is 1.75 m")
        .check_option(&path.key("height"), mannequin.height)?;
    mannequin.proportions().check().map_err(|error| problem(&error, path))?;
    Range::positive("").check(&path.key("speed"), mannequin.speed)?;
    Range::not_negative("s").check(&path.key("blend"), mannequin.blend)?;
    Range::not_negative("s").check(&path.key("hold"), mannequin.hold)?;
    if let Some([from, to]) = mannequin.range {
        let range = path.key("range");
        Range::not_negative("s").check(&range.index(0), from)?;
        Range::not_negative("s").from(from).check(&range.index(1), to)?;
    }
    let Some(motion) = mannequin.motion_file() else {
        return Ok(());
    };
    let path = path.key("motion");
    if motion.to_lowercase().ends_with(".bvh") {
        return file(spec, &path, motion);
    }
    let known = Mannequin::motions();
    let message = format!("`{path}` cannot be \"{motion}\"");
    let help = match did_you_mean(motion, &known) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None => "name one of them, or a file that ends in .bvh".to_owned(),
    };
    Err(Problem::new(SceneErrorKind::WrongValue, &path, message)
        .expected(format!("a .bvh file or one of \"{}\"", known.join("\", \"")))
        .help(help))
}

/// What is wrong with the proportions, at the key that says so.
fn problem(error: &ProportionError, path: &KeyPath) -> Problem {
    let (key, expected) = match error {
        ProportionError::OutOfRange { what, low, high, .. } => {
            (*what, format!("between {low:.3} m and {high:.3} m"))
        }
        ProportionError::Height(_) => ("height", "between 1.2 m and 2.4 m".to_owned()),
        ProportionError::Triangles(_) | ProportionError::Surface(_) => {
            ("triangles", "from 10000 to 40000".to_owned())
        }
    };
    let path = path.key(key);
    Problem::new(SceneErrorKind::OutOfRange, &path, format!("`{path}` does not fit: {error}"))
        .help(format!("give a value {expected}"))
        .expected(expected)
}
