//! Garments of Muslin's own, by name.

use crate::error::GarmentError;
use crate::garment_code::from_garment_code;
use crate::pattern::Pattern;
use crate::toml_format::from_toml_with;

/// Names and texts of the patterns.
const PATTERNS: [(&str, &str); 9] = [
    ("t-shirt", include_str!("../patterns/t-shirt.toml")),
    ("trousers", include_str!("../patterns/trousers.toml")),
    ("skirt-short", include_str!("../patterns/skirt-short.toml")),
    ("skirt-long", include_str!("../patterns/skirt-long.toml")),
    ("dress", include_str!("../patterns/dress.toml")),
    ("robe", include_str!("../patterns/robe.toml")),
    ("cape", include_str!("../patterns/cape.toml")),
    ("poncho", include_str!("../patterns/poncho.toml")),
    ("box-shirt", include_str!("../patterns/box-shirt.json")),
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
/// parameters, such as a body's girths \[m\]. Those in `GarmentCode`'s format have none.
pub fn pattern(name: &str, parameters: &[(String, f64)]) -> Result<Pattern, GarmentError> {
    let text = text(name).ok_or_else(|| GarmentError::UnknownGarment {
        name: name.to_owned(),
        known: PATTERNS.map(|(name, _)| format!("@{name}")).join(", "),
    })?;
    if !text.starts_with('{') {
        return from_toml_with(text, name, parameters);
    }
    match parameters.first() {
        None => from_garment_code(text.as_bytes(), name),
        Some((parameter, _)) => Err(GarmentError::Number {
            place: format!("pattern {name:?}"),
            message: format!("it has no parameter `{parameter}`; only patterns in TOML have any"),
        }),
    }
}
