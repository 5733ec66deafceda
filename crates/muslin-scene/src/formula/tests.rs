use super::*;
use proptest::prelude::*;

const VARIABLES: [&str; 3] = ["u", "v", "t"];

fn value(source: &str) -> f64 {
    Formula::parse(source, &VARIABLES).unwrap().eval(&[0.25, 0.5, 2.0])
}

#[test]
fn formulas_have_the_value_of_school_arithmetic() {
    for (source, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 / 4 / 2", 1.0),
        ("10 - 4 - 3", 3.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("2 ^ -1", 0.5),
        ("1.5e2 + .5", 150.5),
        ("u + v * t", 1.25),
        ("1 - 0.2 * (v > 0.4)", 0.8),
        ("v > 0.5", 0.0),
        ("v >= 0.5", 1.0),
        ("0 < u < 0.5", 1.0),
        ("0.3 < u < 0.5", 0.0),
        ("u == 0.25 and v != 1", 1.0),
        ("not u or !v", 0.0),
        ("u < 0 || v < 1 && t == 2", 1.0),
        ("u > 1 ? 10 : v > 1 ? 20 : 30", 30.0),
        ("if(u < 1, 5, 6)", 5.0),
        ("min(3, 1, 2) + max(3, 1, 2)", 4.0),
        ("clamp(7, 0, 4) + clamp(-7, 0, 4)", 4.0),
        ("step(0.3, u) + step(0.3, v)", 1.0),
        ("floor(-1.5) + ceil(1.2) + abs(-3)", 3.0),
        ("mod(-1, 3) + mod(7, 3)", 3.0),
        ("sqrt(16) + pow(2, 5)", 36.0),
        ("cos(0) + sin(0) + tan(0) + exp(0) + log(1)", 2.0),
        ("atan2(1, 1) * 4 - pi", 0.0),
        ("true + false", 1.0),
    ] {
        assert_eq!(value(source), expected, "{source}");
    }
}

#[test]
fn mistakes_name_their_column() {
    for (source, column, message) in [
        ("", 1, "a formula is expected here, but it is empty"),
        ("1 +", 4, "a number, name or `(` is expected here"),
        ("1 + * 2", 5, "a number, name or `(` is expected here, but found `*`"),
        ("(1 + 2", 7, "`)` is expected here, but the formula ends"),
        ("1 2", 3, "`2` is not expected here"),
        ("1.2.3", 1, "`1.2.3` is not a number"),
        ("1e999", 1, "`1e999` is not a number"),
        ("u > 1 ? 2", 10, "`:` is expected here, but the formula ends"),
        ("u + w2", 5, "there is no variable `w2`; known are u, v, t"),
        ("1 + sqr(4)", 5, "there is no function `sqr`; did you mean `sqrt`?"),
        ("sin(1, 2)", 1, "`sin` does not take 2 argument(s)"),
        ("min(1)", 1, "`min` does not take 1 argument(s)"),
        ("sin()", 5, "a number, name or `(` is expected here, but found `)`"),
    ] {
        let error = Formula::parse(source, &VARIABLES).unwrap_err();
        assert_eq!((error.column, error.message.as_str()), (column, message), "{source}");
    }
}

#[test]
fn long_and_deep_formulas_are_refused() {
    for source in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "!".repeat(100_000),
        "2^".repeat(100_000),
        "u?".repeat(100_000),
        "sin(".repeat(100_000),
        "1+".repeat(100_000) + "1",
        "1<".repeat(100_000) + "1",
    ] {
        assert!(Formula::parse(&source, &VARIABLES).is_err(), "{}", &source[..4]);
    }
    let longest = "1+".repeat(MAX_OPERATIONS / 2 - 1) + "1";
    assert_eq!(value(&longest), (MAX_OPERATIONS / 2) as f64);
}

#[test]
fn missing_variables_count_as_zero() {
    assert_eq!(Formula::parse("u + v + 1", &VARIABLES).unwrap().eval(&[3.0]), 4.0);
}

proptest! {
    #[test]
    fn any_text_parses_or_fails(source in "\\PC*") {
        if let Ok(formula) = Formula::parse(&source, &VARIABLES) {
            formula.eval(&[0.1, 0.2, 0.3]);
        }
    }

    #[test]
    fn any_words_parse_or_fail(
        words in prop::collection::vec(prop::sample::select(vec![
            "u", "v", "1", "2.5", "+", "-", "*", "/", "^", "(", ")", "<", ">=", "and", "or", "not",
            "?", ":", ",", "if(", "min(", "sqrt(", "!=", "!", " ", "é", ".", "e",
        ]), 0..40)
    ) {
        if let Ok(formula) = Formula::parse(&words.concat(), &VARIABLES) {
            formula.eval(&[0.1, 0.2, 0.3]);
        }
    }

    /// A sum of products agrees with the same sum in Rust.
    #[test]
    fn sums_of_products_agree(terms in prop::collection::vec((-9.0..9.0_f64, -9.0..9.0_f64), 1..20)) {
        let source: Vec<String> = terms.iter().map(|(a, b)| format!("({a:?})*({b:?})")).collect();
        let mut expected = terms[0].0 * terms[0].1;
        for (a, b) in &terms[1..] {
            expected += a * b;
        }
        prop_assert_eq!(value(&source.join(" + ")), expected);
    }
}
