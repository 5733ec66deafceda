//! The formula parser: recursive descent with a depth limit, straight to a list of operations.

use super::{Binary, FormulaError, MAX_OPERATIONS, Operation, Unary};
use crate::spec::suggest::did_you_mean;

/// How deep brackets, signs and `?:` may nest.
const MAX_DEPTH: usize = 48;

const FUNCTIONS: [&str; 17] = [
    "sin", "cos", "tan", "sqrt", "abs", "floor", "ceil", "exp", "log", "pow", "min", "max", "mod",
    "atan2", "if", "clamp", "step",
];

pub(super) fn parse(source: &str, variables: &[&str]) -> Result<Vec<Operation>, FormulaError> {
    let mut parser = Parser {
        characters: source.chars().collect(),
        at: 0,
        depth: 0,
        variables,
        operations: Vec::new(),
    };
    parser.skip_space();
    if parser.at == parser.characters.len() {
        return Err(parser.error("a formula is expected here, but it is empty"));
    }
    parser.ternary()?;
    if parser.at < parser.characters.len() {
        let found = parser.characters[parser.at];
        return Err(parser.error(&format!("`{found}` is not expected here")));
    }
    Ok(parser.operations)
}

struct Parser<'a> {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    variables: &'a [&'a str],
    operations: Vec<Operation>,
}

type Parsed = Result<usize, FormulaError>;

impl Parser<'_> {
    fn error(&self, message: &str) -> FormulaError {
        error_at(self.at, message)
    }

    fn push(&mut self, operation: Operation) -> Parsed {
        if self.operations.len() >= MAX_OPERATIONS {
            return Err(self.error(&format!(
                "the formula is longer than {MAX_OPERATIONS} operations; use a file of values"
            )));
        }
        self.operations.push(operation);
        Ok(self.operations.len() - 1)
    }

    fn skip_space(&mut self) {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes the symbol or word `token` if it comes next.
    fn take(&mut self, token: &str) -> bool {
        let end = self.at + token.chars().count();
        let matches = self
            .characters
            .get(self.at..end)
            .is_some_and(|found| found.iter().copied().eq(token.chars()));
        let is_word = token.starts_with(|c: char| c.is_alphabetic());
        if !matches || (is_word && self.characters.get(end).is_some_and(|&c| is_name(c))) {
            return false;
        }
        self.at = end;
        self.skip_space();
        true
    }

    fn expect(&mut self, token: &str) -> Result<(), FormulaError> {
        if self.take(token) {
            return Ok(());
        }
        let found = match self.characters.get(self.at) {
            Some(c) => format!("found `{c}`"),
            None => "the formula ends".to_owned(),
        };
        Err(self.error(&format!("`{token}` is expected here, but {found}")))
    }

    fn nested(&mut self, rule: fn(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&format!("the formula nests deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn ternary(&mut self) -> Parsed {
        let test = self.or()?;
        if !self.take("?") {
            return Ok(test);
        }
        let yes = self.nested(Self::ternary)?;
        self.expect(":")?;
        let no = self.nested(Self::ternary)?;
        self.push(Operation::Choose(test, yes, no))
    }

    fn or(&mut self) -> Parsed {
        let mut left = self.and()?;
        while self.take("or") || self.take("||") {
            let right = self.and()?;
            left = self.push(Operation::Binary(Binary::Or, left, right))?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let mut left = self.not()?;
        while self.take("and") || self.take("&&") {
            let right = self.not()?;
            left = self.push(Operation::Binary(Binary::And, left, right))?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed {
        let is_inequality = self.characters.get(self.at + 1) == Some(&'=');
        if self.take("not") || (!is_inequality && self.take("!")) {
            let value = self.nested(Self::not)?;
            return self.push(Operation::Unary(Unary::Not, value));
        }
        self.comparison()
    }

    /// `a < b < c` means `a < b and b < c`.
    fn comparison(&mut self) -> Parsed {
        const SYMBOLS: [(&str, Binary); 6] = [
            ("<=", Binary::LessEqual),
            (">=", Binary::GreaterEqual),
            ("==", Binary::Equal),
            ("!=", Binary::NotEqual),
            ("<", Binary::Less),
            (">", Binary::Greater),
        ];
        let mut left = self.sum()?;
        let mut all = None;
        while let Some((_, op)) = SYMBOLS.into_iter().find(|(symbol, _)| self.take(symbol)) {
            let right = self.sum()?;
            let this = self.push(Operation::Binary(op, left, right))?;
            all = Some(match all {
                None => this,
                Some(before) => self.push(Operation::Binary(Binary::And, before, this))?,
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let op = if self.take("+") {
                Binary::Add
            } else if self.take("-") {
                Binary::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.push(Operation::Binary(op, left, right))?;
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.signed()?;
        loop {
            let op = if self.take("*") {
                Binary::Multiply
            } else if self.take("/") {
                Binary::Divide
            } else {
                return Ok(left);
            };
            let right = self.signed()?;
            left = self.push(Operation::Binary(op, left, right))?;
        }
    }

    fn signed(&mut self) -> Parsed {
        if self.take("-") {
            let value = self.nested(Self::signed)?;
            return self.push(Operation::Unary(Unary::Negate, value));
        }
        if self.take("+") {
            return self.nested(Self::signed);
        }
        let base = self.atom()?;
        if self.take("^") {
            let exponent = self.nested(Self::signed)?;
            return self.push(Operation::Binary(Binary::Power, base, exponent));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Parsed {
        if self.take("(") {
            let value = self.nested(Self::ternary)?;
            self.expect(")")?;
            return Ok(value);
        }
        match self.characters.get(self.at) {
            Some(c) if c.is_ascii_digit() || *c == '.' => self.number(),
            Some(&c) if is_name(c) => self.name(),
            Some(c) => {
                let message = format!("a number, name or `(` is expected here, but found `{c}`");
                Err(self.error(&message))
            }
            None => Err(self.error("a number, name or `(` is expected here")),
        }
    }

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let digits = |parser: &mut Self| {
            while parser.characters.get(parser.at).is_some_and(|c| c.is_ascii_digit() || *c == '.')
            {
                parser.at += 1;
            }
        };
        digits(self);
        if matches!(self.characters.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.characters.get(self.at + 1), Some('+' | '-')));
            if self.characters.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let text: String = self.characters[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.skip_space();
                self.push(Operation::Number(number))
            }
            _ => Err(error_at(start, &format!("`{text}` is not a number"))),
        }
    }

    fn name(&mut self) -> Parsed {
        let start = self.at;
        while self.characters.get(self.at).is_some_and(|&c| is_name(c)) {
            self.at += 1;
        }
        let name: String = self.characters[start..self.at].iter().collect();
        self.skip_space();
        if self.take("(") {
            return self.call(&name, start);
        }
        if let Some(index) = self.variables.iter().position(|variable| *variable == name) {
            return self.push(Operation::Variable(index));
        }
        match name.as_str() {
            "pi" => self.push(Operation::Number(std::f64::consts::PI)),
            "true" => self.push(Operation::Number(1.0)),
            "false" => self.push(Operation::Number(0.0)),
            _ => Err(unknown(start, "variable", &name, self.variables)),
        }
    }

    fn call(&mut self, name: &str, at: usize) -> Parsed {
        if !FUNCTIONS.contains(&name) {
            return Err(unknown(at, "function", name, &FUNCTIONS));
        }
        let mut arguments = vec![self.nested(Self::ternary)?];
        while self.take(",") {
            arguments.push(self.nested(Self::ternary)?);
        }
        self.expect(")")?;
        if let (Some(op), &[a]) = (unary_function(name), arguments.as_slice()) {
            return self.push(Operation::Unary(op, a));
        }
        match (name, arguments.as_slice()) {
            ("if", &[test, yes, no]) => self.push(Operation::Choose(test, yes, no)),
            ("clamp", &[value, low, high]) => {
                let raised = self.push(Operation::Binary(Binary::Max, value, low))?;
                self.push(Operation::Binary(Binary::Min, raised, high))
            }
            ("step", &[edge, value]) => {
                self.push(Operation::Binary(Binary::GreaterEqual, value, edge))
            }
            ("min", &[first, ref rest @ ..]) if !rest.is_empty() => {
                self.fold(Binary::Min, first, rest)
            }
            ("max", &[first, ref rest @ ..]) if !rest.is_empty() => {
                self.fold(Binary::Max, first, rest)
            }
            ("pow", &[a, b]) => self.push(Operation::Binary(Binary::Power, a, b)),
            ("mod", &[a, b]) => self.push(Operation::Binary(Binary::Modulo, a, b)),
            ("atan2", &[a, b]) => self.push(Operation::Binary(Binary::Atan2, a, b)),
            _ => Err(error_at(
                at,
                &format!("`{name}` does not take {} argument(s)", arguments.len()),
            )),
        }
    }

    fn fold(&mut self, op: Binary, first: usize, rest: &[usize]) -> Parsed {
        rest.iter().try_fold(first, |left, &right| self.push(Operation::Binary(op, left, right)))
    }
}

fn unary_function(name: &str) -> Option<Unary> {
    Some(match name {
        "sin" => Unary::Sin,
        "cos" => Unary::Cos,
        "tan" => Unary::Tan,
        "sqrt" => Unary::Sqrt,
        "abs" => Unary::Abs,
        "floor" => Unary::Floor,
        "ceil" => Unary::Ceil,
        "exp" => Unary::Exp,
        "log" => Unary::Log,
        _ => return None,
    })
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn error_at(at: usize, message: &str) -> FormulaError {
    FormulaError { column: at + 1, message: message.to_owned() }
}

fn unknown(at: usize, what: &str, name: &str, known: &[&str]) -> FormulaError {
    let hint = match did_you_mean(name, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("known are {}", known.join(", ")),
    };
    error_at(at, &format!("there is no {what} `{name}`; {hint}"))
}
