//! Garments of Muslin's own, by name.

use crate::error::GarmentError;
use crate::pattern::Pattern;
use crate::toml_format::from_toml_with;

/// Names and texts of the patterns.
const PATTERNS: [(&str, &str); 8] = [
    ("t-shirt", include_str!("../patterns/t-shirt.toml")),
    ("trousers", include_str!("../patterns/trousers.toml")),
    ("skirt-short", include_str!("../patterns/skirt-short.toml")),
    ("skirt-long", include_str!("../patterns/skirt-long.toml")),
    ("dress", include_str!("../patterns/dress.toml")),
    ("robe", include_str!("../patterns/robe.toml")),
    ("cape", include_str!("../patterns/cape.toml")),
    ("poncho", include_str!("../patterns/poncho.toml")),
];

/// The names of all garments.
pub fn names() -> impl Iterator<Item = &'static str> {
    PATTERNS.iter().map(|&(name, _)| name)
}

/// The text of a garment's pattern file, by its name with or without `@`.
pub fn text(name: &str) -> Option<&'static str> {
    let plain = name.strip_prefix('@').unwrap_or(name);
    PATTERNS.iter().find(|(known, _)| *known == plain).map(|&(_, text)| text)
}

/// A garment's pattern, by its name with or without `@`, with other values for some of its
/// parameters, such as a body's girths \[m\].
pub fn pattern(name: &str, parameters: &[(String, f64)]) -> Result<Pattern, GarmentError> {
    let text = text(name).ok_or_else(|| GarmentError::UnknownGarment {
        name: name.to_owned(),
        known: PATTERNS.map(|(name, _)| format!("@{name}")).join(", "),
    })?;
    from_toml_with(text, name, parameters)
}
