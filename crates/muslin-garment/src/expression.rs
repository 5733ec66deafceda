//! Numbers of a pattern: plain, or formulas of its parameters, so that one pattern fits many
//! bodies.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A number, or a formula of parameters such as `"(chest + ease) / 4"`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub(crate) enum Number {
    Plain(f64),
    Formula(String),
}

/// Longest formula \[bytes\].
const MAX_LENGTH: usize = 500;
/// Deepest nesting of brackets and of parameters that use parameters.
const MAX_DEPTH: usize = 40;

/// The parameters of a pattern, formulas of each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    values: BTreeMap<String, f64>,
}

impl Parameters {
    /// Works out all parameters; `given` values replace the pattern's own.
    pub fn resolve(
        own: &BTreeMap<String, Number>,
        given: &[(String, f64)],
    ) -> Result<Self, (String, String)> {
        let mut values = BTreeMap::new();
        for (name, value) in given {
            if !own.contains_key(name) {
                let known: Vec<&str> = own.keys().map(String::as_str).collect();
                return Err((
                    format!("parameter {name:?}"),
                    format!("is not one of this pattern, which has {}", known.join(", ")),
                ));
            }
            values.insert(name.clone(), *value);
        }
        let mut scope = Self { values };
        for name in own.keys() {
            scope.value_of(name, own, 0).map_err(|e| (format!("parameter {name:?}"), e))?;
        }
        Ok(scope)
    }

    fn value_of(
        &mut self,
        name: &str,
        own: &BTreeMap<String, Number>,
        depth: usize,
    ) -> Result<f64, String> {
        if let Some(&value) = self.values.get(name) {
            return Ok(value);
        }
        if depth > MAX_DEPTH {
            return Err(format!("{name:?} is defined by itself; break the circle"));
        }
        let value = match own.get(name) {
            None => return Err(unknown(name, own.keys())),
            Some(Number::Plain(value)) => *value,
            Some(Number::Formula(text)) => {
                evaluate(text, &mut |inner| self.value_of(inner, own, depth + 1))?
            }
        };
        let value = finite(value)?;
        self.values.insert(name.to_owned(), value);
        Ok(value)
    }

    /// The value of a number.
    pub fn value(&self, number: &Number) -> Result<f64, String> {
        match number {
            Number::Plain(value) => finite(*value),
            Number::Formula(text) => {
                let look_up = &mut |name: &str| {
                    self.values.get(name).copied().ok_or_else(|| unknown(name, self.values.keys()))
                };
                finite(evaluate(text, look_up)?)
            }
        }
    }
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    format!("there is no parameter {name:?}; known are {}", known.join(", "))
}

fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() { Ok(value) } else { Err(format!("{value} is not a finite number")) }
}

type LookUp<'a> = &'a mut dyn FnMut(&str) -> Result<f64, String>;

/// `sum = product {± product}`, `product = power {×÷ power}`, `power = unary [^ power]`.
fn evaluate(text: &str, look_up: LookUp<'_>) -> Result<f64, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("a formula is longer than {MAX_LENGTH} characters; shorten it"));
    }
    let mut parser = Parser { text, at: 0, depth: 0, look_up };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(c) => Err(format!("{text:?} has an unexpected {c:?}; expected an operator")),
    }
}

struct Parser<'a, 'b> {
    text: &'a str,
    at: usize,
    depth: usize,
    look_up: LookUp<'b>,
}

impl Parser<'_, '_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn sum(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("{:?} is nested too deeply; simplify it", self.text));
        }
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                self.depth -= 1;
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.unary()?;
        loop {
            if self.take('*') {
                value *= self.unary()?;
            } else if self.take('/') {
                value /= self.unary()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn unary(&mut self) -> Result<f64, String> {
        let mut sign = 1.0;
        while self.take('-') {
            sign = -sign;
        }
        let base = self.atom()?;
        if self.take('^') {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(format!("{:?} is nested too deeply; simplify it", self.text));
            }
            let power = self.unary()?;
            self.depth -= 1;
            return Ok(sign * base.powf(power));
        }
        Ok(sign * base)
    }

    fn atom(&mut self) -> Result<f64, String> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                self.close()?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.literal(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(format!("{:?} has an unexpected {c:?}; expected a number", self.text)),
            None => Err(format!("{:?} ends too early; expected a number", self.text)),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        if self.take(')') {
            return Ok(());
        }
        Err(format!("{:?} lacks a closing bracket; add it", self.text))
    }

    fn literal(&mut self) -> Result<f64, String> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].parse().map_err(|_| format!("{:?} is not a number", &rest[..end]))
    }

    fn name(&mut self) -> Result<f64, String> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        if !self.take('(') {
            return if name == "pi" { Ok(std::f64::consts::PI) } else { (self.look_up)(&name) };
        }
        let first = self.sum()?;
        let second = if self.take(',') { Some(self.sum()?) } else { None };
        self.close()?;
        call(&name, first, second)
    }
}

/// Functions of a formula; angles in degrees.
fn call(name: &str, x: f64, y: Option<f64>) -> Result<f64, String> {
    Ok(match (name, y) {
        ("sqrt", None) => x.sqrt(),
        ("abs", None) => x.abs(),
        ("sin", None) => x.to_radians().sin(),
        ("cos", None) => x.to_radians().cos(),
        ("tan", None) => x.to_radians().tan(),
        ("min", Some(y)) => x.min(y),
        ("max", Some(y)) => x.max(y),
        ("hypot", Some(y)) => x.hypot(y),
        ("atan2", Some(y)) => x.atan2(y).to_degrees(),
        _ => {
            return Err(format!(
                "there is no function {name:?} of that many values; known are sqrt, abs, sin, \
                 cos, tan, min, max, hypot, atan2"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(entries: &[(&str, &str)]) -> BTreeMap<String, Number> {
        entries.iter().map(|(k, v)| ((*k).to_owned(), Number::Formula((*v).to_owned()))).collect()
    }

    #[test]
    fn formulas_follow_the_usual_rules() {
        let scope = Parameters::resolve(&parameters(&[("a", "b * 2"), ("b", "3")]), &[]).unwrap();
        for (text, value) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("2 ^ 3 ^ 2", 512.0),
            ("a - b - 1", 2.0),
            ("8 / 2 / 2", 2.0),
            ("max(a, 10) + hypot(3, 4)", 15.0),
            ("sin(30)", 0.5),
            ("-(a)", -6.0),
        ] {
            let found = scope.value(&Number::Formula(text.into())).unwrap();
            assert!((found - value).abs() < 1e-15, "{text}: {found}");
        }
    }

    #[test]
    fn given_values_replace_the_patterns_own() {
        let own = parameters(&[("quarter", "(chest + 0.1) / 4"), ("chest", "0.9")]);
        let scope = Parameters::resolve(&own, &[("chest".into(), 1.1)]).unwrap();
        assert_eq!(scope.value(&Number::Formula("quarter".into())), Ok((1.1 + 0.1) / 4.0));
        assert!(Parameters::resolve(&own, &[("hip".into(), 1.1)]).is_err());
    }

    #[test]
    fn bad_formulas_are_refused() {
        let scope = Parameters::default();
        let deep = "(".repeat(400);
        let tower = "2^".repeat(200) + "2";
        for text in ["", "1 +", "x", "1 2", "f(1)", "1/0", "(1", "1..2", "ä", &deep, &tower] {
            assert!(scope.value(&Number::Formula(text.to_owned())).is_err(), "{text}");
        }
        assert!(Parameters::resolve(&parameters(&[("a", "b"), ("b", "a")]), &[]).is_err());
    }
}
