//! Names, strings and lists as USD's text form spells them.

use crate::formats::WriteProblem;
use muslin::math::Vec3;
use std::{collections::BTreeSet, io::Write};

/// Names of the children of one prim: letters, digits and `_`, each once.
#[derive(Default)]
pub(super) struct PrimNames(BTreeSet<String>);

impl PrimNames {
    /// A valid name like `wanted` that no sibling has yet.
    pub(super) fn unique(&mut self, wanted: &str, fallback: &str) -> String {
        let mut base: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if base.trim_matches('_').is_empty() {
            base = fallback.into();
        }
        if base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let numbered = (1..).map(|number| format!("{base}_{number}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let name = candidates.find(|name| !self.0.contains(name)).unwrap_or(base);
        self.0.insert(name.clone());
        name
    }
}

/// A string between quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => " ".into(),
            c => c.into(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Vectors in single precision, each number the shortest that reads back the same.
pub(super) fn write_vectors(out: &mut impl Write, vectors: &[Vec3]) -> Result<(), WriteProblem> {
    let mut separator = "[";
    for vector in vectors {
        let v = vector.as_vec3();
        write!(out, "{separator}({:?}, {:?}, {:?})", v.x, v.y, v.z)?;
        separator = ", ";
    }
    write!(out, "{}]", if vectors.is_empty() { "[" } else { "" })?;
    Ok(())
}

/// Numbers between brackets, and the end of the line.
pub(super) fn write_list<T: std::fmt::Display>(
    out: &mut impl Write,
    list: impl Iterator<Item = T>,
) -> Result<(), WriteProblem> {
    write!(out, "[")?;
    let mut separator = "";
    for item in list {
        write!(out, "{separator}{item}")?;
        separator = ", ";
    }
    writeln!(out, "]")?;
    Ok(())
}
