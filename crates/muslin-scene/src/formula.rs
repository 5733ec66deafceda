//! Formulas in scene files: `1 - 0.2*(v > 0.8)`, evaluated per vertex or triangle.
//!
//! Grammar, loosest first: `a ? b : c`, `or`, `and`, `not`, comparisons (`0 < u < 0.5` chains),
//! `+ -`, `* /`, unary `-`, `^` (to the right). A comparison gives 1 or 0; anything but 0 is true.

#[cfg(test)]
mod tests;

mod parse;

/// The most operations a formula may have.
pub const MAX_OPERATIONS: usize = 256;

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column} of the formula: {message}")]
pub struct FormulaError {
    /// The column, in characters from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unary {
    Negate,
    Not,
    Sin,
    Cos,
    Tan,
    Sqrt,
    Abs,
    Floor,
    Ceil,
    Exp,
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Min,
    Max,
    Modulo,
    Atan2,
}

/// One operation; operands are indices of earlier operations.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Number(f64),
    Variable(usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    Choose(usize, usize, usize),
}

/// A parsed formula: a list of operations, each computed once, the last being the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    source: String,
    operations: Vec<Operation>,
}

impl Formula {
    /// Parses `source`, in which the names of `variables` may occur.
    pub fn parse(source: &str, variables: &[&str]) -> Result<Self, FormulaError> {
        let operations = parse::parse(source, variables)?;
        Ok(Self { source: source.to_owned(), operations })
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The value, for the values of the variables in the order given to [`Formula::parse`];
    /// missing ones count as 0. The result may be infinite or not a number (`1/0`, `sqrt(-1)`).
    pub fn eval(&self, variables: &[f64]) -> f64 {
        let mut values = [0.0; MAX_OPERATIONS];
        for (i, operation) in self.operations.iter().enumerate() {
            values[i] = match *operation {
                Operation::Number(number) => number,
                Operation::Variable(index) => variables.get(index).copied().unwrap_or(0.0),
                Operation::Unary(op, a) => unary(op, values[a]),
                Operation::Binary(op, a, b) => binary(op, values[a], values[b]),
                Operation::Choose(test, a, b) => {
                    if values[test] == 0.0 {
                        values[b]
                    } else {
                        values[a]
                    }
                }
            };
        }
        self.operations.len().checked_sub(1).map_or(0.0, |last| values[last])
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

fn unary(op: Unary, a: f64) -> f64 {
    match op {
        Unary::Negate => -a,
        Unary::Not => truth(a == 0.0),
        Unary::Sin => a.sin(),
        Unary::Cos => a.cos(),
        Unary::Tan => a.tan(),
        Unary::Sqrt => a.sqrt(),
        Unary::Abs => a.abs(),
        Unary::Floor => a.floor(),
        Unary::Ceil => a.ceil(),
        Unary::Exp => a.exp(),
        Unary::Log => a.ln(),
    }
}

fn binary(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Power => a.powf(b),
        Binary::Less => truth(a < b),
        Binary::LessEqual => truth(a <= b),
        Binary::Greater => truth(a > b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::Equal => truth(a == b),
        Binary::NotEqual => truth(a != b),
        Binary::And => truth(a != 0.0 && b != 0.0),
        Binary::Or => truth(a != 0.0 || b != 0.0),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Modulo => a.rem_euclid(b),
        Binary::Atan2 => a.atan2(b),
    }
}
