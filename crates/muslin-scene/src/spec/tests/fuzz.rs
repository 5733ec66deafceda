//! R7: whatever comes in, a scene or an error comes out, soon.

use super::load::EVERYTHING;
use super::{load, load_with};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Loads `text`; an error must print.
fn survive(text: &str) {
    if let Err(error) = load(text) {
        assert!(!error.to_string().is_empty() && !error.message.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_toml_pieces(pieces in prop::collection::vec(prop::sample::select(vec![
        "[", "]", "[[", "]]", "{", "}", "=", ",", "\n", ".", "\"", "'", "\"\"\"", "#", " ", "cloth",
        "grid", "size", "1", "-2.5", "nan", "true", "fabric", "body", "gravity", "keys", "é", "\\",
        "[[cloth]]\n", "grid = { size = [1, 1] }\n", "name", "0x1F", "1979-05-27", "pin", "select",
    ]), 0..60)) {
        survive(&pieces.concat());
    }

    /// A valid scene with a stretch cut out and another text put in.
    #[test]
    fn a_damaged_scene(
        start in 0..EVERYTHING.len(),
        length in 0..40_usize,
        inserted in prop::sample::select(vec![
            "", "[", "]", "{", "\"", "\n", "=", "-", "0", "1e308", "nan", "9999999999999999999999",
            "[[[[", "é", "\u{0}", "{ formula = \"((((\" }", "[]", "\"\"", "true",
        ]),
    ) {
        let bytes = EVERYTHING.as_bytes();
        let end = (start + length).min(bytes.len());
        let damaged = [&bytes[..start], inserted.as_bytes(), &bytes[end..]].concat();
        survive(&String::from_utf8_lossy(&damaged));
    }

    /// Every number of a valid scene replaced in turn by an extreme one.
    #[test]
    fn extreme_numbers(
        which in 0..200_usize,
        number in prop::sample::select(vec![
            "0", "-1", "4294967295", "9223372036854775807", "1e308", "-1e308", "5e-324", "-0.0",
        ]),
    ) {
        let is_digit = |c: char| c.is_ascii_digit();
        let starts: Vec<usize> = EVERYTHING.match_indices(is_digit).map(|(i, _)| i)
            .filter(|&i| i == 0 || !EVERYTHING.as_bytes()[i - 1].is_ascii_alphanumeric())
            .collect();
        let start = starts[which % starts.len()];
        let rest = &EVERYTHING[start..];
        let end = start + rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        survive(&format!("{}{number}{}", &EVERYTHING[..start], &EVERYTHING[end..]));
    }

    #[test]
    fn any_override(path in "[a-z0-9.]{0,20}", value in "\\PC{0,20}", whole in "\\PC{0,30}") {
        for text in [format!("{path}={value}"), format!("cloth.0.{path}={value}"), whole] {
            if let Err(error) = load_with(EVERYTHING, &[&text]) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn hostile_files_are_answered_within_seconds_on_a_small_stack() {
    // As deep as dotted keys times brackets allow, open and behind what looks like a string.
    let inner = format!("{}a = {{ ", "a.".repeat(70));
    let nested_tables = inner.repeat(5000);
    let hidden = ["'", "\"", "'''\n", "\"\"\"", "#\r", "a = '\n", "a = \"\\\n", "''' = ''' "]
        .map(|start| format!("{start}{nested_tables}"));
    let texts = [
        "[".repeat(1 << 20),
        "{".repeat(1 << 20),
        "a = ".to_owned() + &"[".repeat(1 << 20),
        "a.".repeat(1 << 20),
        format!("[{}a]", "a.".repeat(1 << 19)),
        "\"".repeat(1 << 20),
        "[[cloth]]\n".repeat(100_000),
        "cloth = [".to_owned() + &"{},".repeat(300_000) + "]",
        "gravity = [".to_owned() + &"[0, [0, 0, 0]],".repeat(100_000) + "]",
        (0..100_000).map(|i| format!("a{i} = {i}")).collect::<Vec<_>>().join("\n"),
        "\u{feff}\u{0}\r\r\n".repeat(10_000),
        nested_tables,
    ];
    let started = Instant::now();
    let run = move || texts.iter().chain(&hidden).for_each(|text| survive(text));
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}
