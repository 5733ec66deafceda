//! Patterns in Muslin's own TOML format (`docs/patterns.md`).

mod raw;
mod resolve;

pub(crate) use resolve::{euler_xyz, known};

use crate::error::GarmentError;
use crate::pattern::Pattern;

/// Largest pattern file \[bytes\]; a hundred panels with a hundred edges each take a tenth.
const MAX_BYTES: usize = 4 << 20;

/// Reads a pattern; `name` is used in messages.
pub fn from_toml(text: &str, name: &str) -> Result<Pattern, GarmentError> {
    from_toml_with(text, name, &[])
}

/// Reads a pattern with other values for some of its parameters, such as a body's girths \[m\].
pub fn from_toml_with(
    text: &str,
    name: &str,
    parameters: &[(String, f64)],
) -> Result<Pattern, GarmentError> {
    let wrong = |message: String| GarmentError::Toml { file: name.to_owned(), message };
    if text.len() > MAX_BYTES {
        return Err(wrong(format!("a pattern has at most {MAX_BYTES} bytes; is this one?")));
    }
    let file: raw::File = toml::from_str(text).map_err(|error| {
        let line =
            error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count());
        let place = line.map_or_else(String::new, |line| format!("line {}: ", line + 1));
        wrong(format!("{place}{}", error.message().replace('\n', " ")))
    })?;
    resolve::resolve(&file, name, parameters)
}

#[cfg(test)]
mod tests;
