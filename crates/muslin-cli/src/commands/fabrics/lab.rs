//! `key=value` numbers of a laboratory, with their units.

use crate::failure::Failure;
use muslin::fabric::Fabric;
use muslin::fabric::lab::{Bend, LabSheet, Shear, Tensile, Weight};

/// The fabric whose values are used for what was not measured.
const DEFAULT_BASE: &str = "cotton poplin";

/// The keys, for messages.
const KEYS: &str = "weight, thickness, bending_length, overhang, kes_bending, emt, stretch, \
                    kes_shear, bias_extension and base";

/// The fabric that the numbers describe.
pub fn fabric(numbers: &[String]) -> Result<Fabric, Failure> {
    let mut sheet = LabSheet::default();
    let mut base = None;
    let mut seen: Vec<&str> = Vec::new();
    for text in numbers {
        let Some((key, value)) = text.split_once('=') else {
            return Err(wrong(format!("`{text}` has no `=`: write it like weight=150g/m2")));
        };
        if seen.contains(&key) {
            return Err(wrong(format!("`{key}` is given twice: keep one")));
        }
        seen.push(key);
        if key == "base" {
            base = Some(value);
        } else {
            enter(&mut sheet, key, value)?;
        }
    }
    let base = Fabric::named(base.unwrap_or(DEFAULT_BASE))?;
    Ok(sheet.apply(&base)?)
}

/// Writes one measurement into the sheet.
fn enter(sheet: &mut LabSheet, key: &str, value: &str) -> Result<(), Failure> {
    let lengths = || pair(key, value, &[("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)]);
    let plain = || pair(key, value, &[]);
    match key {
        "weight" => sheet.weight = Some(weight(value)?),
        "thickness" => sheet.thickness = Some(single(key, lengths()?)?),
        "bending_length" => sheet.bend = lengths()?.map(|c| Some(Bend::Length(c))),
        "overhang" => sheet.bend = lengths()?.map(|c| Some(Bend::Overhang(c))),
        "kes_bending" => sheet.bend = plain()?.map(|b| Some(Bend::Kes(b))),
        "emt" => sheet.tensile = plain()?.map(|emt| Some(Tensile::Emt(emt))),
        "stretch" => {
            let at = |stiffness| Tensile::At { force_per_width: stiffness, strain: 1.0 };
            sheet.tensile = plain()?.map(|stiffness| Some(at(stiffness)));
        }
        "kes_shear" => sheet.shear = Some(Shear::Kes(single(key, plain()?)?)),
        "bias_extension" => sheet.shear = Some(Shear::BiasExtension(single(key, plain()?)?)),
        _ => return Err(wrong(format!("there is no measurement `{key}`: give {KEYS}"))),
    }
    Ok(())
}

fn weight(text: &str) -> Result<Weight, Failure> {
    type Unit = (&'static str, fn(f64) -> Weight);
    let text = text.replace('²', "2");
    let units: [Unit; 5] = [
        ("kg/m2", |kg| Weight::GramsPerSquareMetre(1e3 * kg)),
        ("g/m2", Weight::GramsPerSquareMetre),
        ("gsm", Weight::GramsPerSquareMetre),
        ("oz/yd2", Weight::OuncesPerSquareYard),
        ("momme", Weight::Momme),
    ];
    let unit = units.iter().find(|(unit, _)| text.ends_with(unit));
    let (digits, of) = match unit {
        Some((unit, of)) => (text.trim_end_matches(unit), *of),
        None => (text.as_str(), units[0].1),
    };
    digits.trim().parse().map(of).map_err(|_| {
        wrong(format!("`weight={text}` is no weight: write it like 150g/m2 or 0.15 (kg/m²)"))
    })
}

/// One value for both directions, or `warp,weft`; each with one of the units, or SI.
fn pair(key: &str, text: &str, units: &[(&str, f64)]) -> Result<[f64; 2], Failure> {
    let read = |part: &str| {
        let unit = units.iter().find(|(unit, _)| part.ends_with(unit));
        let (digits, scale) = match unit {
            Some((unit, scale)) => (part.trim_end_matches(unit), *scale),
            None => (part, 1.0),
        };
        let number: f64 = digits.trim().parse().map_err(|_| {
            let units: Vec<&str> = units.iter().map(|(unit, _)| *unit).collect();
            let advice = if units.is_empty() {
                "write a plain number".to_owned()
            } else {
                format!("write a number, perhaps with {}", units.join(", "))
            };
            wrong(format!("`{key}={text}`: `{part}` is no number: {advice}"))
        })?;
        Ok(number * scale)
    };
    match text.split(',').collect::<Vec<_>>().as_slice() {
        [both] => read(both).map(|value| [value; 2]),
        [warp, weft] => Ok([read(warp)?, read(weft)?]),
        parts => {
            let count = parts.len();
            Err(wrong(format!("`{key}` has {count} values: give one, or two as warp,weft")))
        }
    }
}

fn single(key: &str, [warp, weft]: [f64; 2]) -> Result<f64, Failure> {
    if warp == weft {
        return Ok(warp);
    }
    Err(wrong(format!("`{key}` has no direction: give one value")))
}

fn wrong(message: String) -> Failure {
    Failure::new("lab-sheet", "--from-lab", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(numbers: &[&str]) -> Result<Fabric, Failure> {
        fabric(&numbers.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn units_are_read_and_rigidity_is_density_times_gravity_times_length_cubed() {
        let fabric = made(&["weight=168g/m2", "bending_length=15mm,1.45cm", "emt=5"]).unwrap();
        assert!((fabric.density - 0.168).abs() < 1e-12);
        let rigidity = |c: f64| 0.168 * 9.80665 * c.powi(3);
        assert!((fabric.bending[0] / rigidity(0.015) - 1.0).abs() < 1e-12);
        assert!((fabric.bending[1] / rigidity(0.0145) - 1.0).abs() < 1e-12);
        // EMT is the extension at 500 gf/cm = 490.3325 N/m.
        assert!((fabric.stretch[1] / (490.3325 / 0.05) - 1.0).abs() < 1e-12);
        let same = made(&["weight=0.168", "bending_length=0.015,0.0145", "emt=5"]).unwrap();
        assert!((same.bending[0] / fabric.bending[0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nonsense_names_the_measurement() {
        for (numbers, word) in [
            (vec!["weight"], "weight"),
            (vec!["weight=heavy"], "heavy"),
            (vec!["height=3"], "height"),
            (vec!["weight=1", "weight=2"], "twice"),
            (vec!["kes_shear=1,2"], "direction"),
            (vec!["emt=1,2,3"], "3 values"),
            (vec!["weight=-3"], "-3000"),
            (vec!["base=denin"], "denim"),
        ] {
            let failure = made(&numbers).unwrap_err();
            assert!(failure.message.contains(word), "{}", failure.message);
        }
    }
}
