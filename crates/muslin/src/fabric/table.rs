//! Fabric that stiffens as it stretches: a table from strain to tension.

use thiserror::Error;

/// Tension per width \[N/m\] over strain \[-\]: straight between its points, on past the last with the last
/// slope, and in compression with the first.
///
/// At a strain `ε` with tension `N` and slope `k`, the table is a linear fabric of stiffness `k` whose
/// target is shifted by `ε − N/k`: what stretch forces and their matrices need, and no more.
#[derive(Clone, Debug, PartialEq)]
pub struct StretchTable {
    points: Vec<[f64; 2]>,
}

/// Why a list of points is no table.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum TableError {
    /// It has no second point.
    #[error(
        "a stretch table needs at least two points [strain, force per width]; the first is [0, 0]"
    )]
    Short,
    /// The first point is not the origin.
    #[error("a stretch table starts with [0, 0], not [{0}, {1}]: fabric at rest pulls at nothing")]
    Start(f64, f64),
    /// A point does not lie above and to the right of the one before.
    #[error(
        "point {0} of the stretch table does not grow in both strain and force; sort the points, and let \
         the force grow everywhere"
    )]
    NotGrowing(usize),
}

impl StretchTable {
    /// A table of points `[strain [-], tension per width [N/m]]`, both growing from `[0, 0]`.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, TableError> {
        let [[strain, force], _, ..] = points.as_slice() else {
            return Err(TableError::Short);
        };
        if [*strain, *force] != [0.0, 0.0] {
            return Err(TableError::Start(*strain, *force));
        }
        let grows = |pair: &[[f64; 2]]| {
            let finite = pair[1].iter().all(|x| x.is_finite());
            finite && pair[1][0] > pair[0][0] && pair[1][1] > pair[0][1]
        };
        match points.windows(2).position(|pair| !grows(pair)) {
            Some(k) => Err(TableError::NotGrowing(k + 1)),
            None => Ok(Self { points }),
        }
    }

    /// The segment that governs a strain.
    fn segment(&self, strain: f64) -> ([f64; 2], f64) {
        let last = self.points.len() - 2;
        let k = self.points[1..].partition_point(|p| p[0] < strain).min(last);
        let ([e0, n0], [e1, n1]) = (self.points[k], self.points[k + 1]);
        ([e0, n0], (n1 - n0) / (e1 - e0))
    }

    /// Tension per width \[N/m\] and its slope \[N/m\] at a strain \[-\].
    pub fn at(&self, strain: f64) -> (f64, f64) {
        let ([e, n], slope) = self.segment(strain);
        (n + slope * (strain - e), slope)
    }

    /// Energy per area \[J/m²\] at a strain \[-\]: the integral of the tension.
    pub fn energy(&self, strain: f64) -> f64 {
        let (tension, slope) = self.at(strain);
        let ([start, _], _) = self.segment(strain);
        let before = self.points.windows(2).take_while(|pair| pair[1][0] <= start);
        let whole: f64 = before.map(|p| 0.5 * (p[0][1] + p[1][1]) * (p[1][0] - p[0][0])).sum();
        let within = strain - start;
        whole + tension * within - 0.5 * slope * within * within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StretchTable {
        StretchTable::new(vec![[0.0, 0.0], [0.02, 4.0], [0.05, 40.0], [0.1, 400.0]]).unwrap()
    }

    /// The tension is the derivative of the energy, and the slope that of the tension.
    #[test]
    fn v1_tension_is_the_derivative_of_the_energy() {
        let table = table();
        for strain in [-0.05, -1e-3, 0.01, 0.0201, 0.03, 0.07, 0.2] {
            let h = 1e-5;
            let (tension, slope) = table.at(strain);
            let by_energy = (table.energy(strain + h) - table.energy(strain - h)) / (2.0 * h);
            let by_tension = (table.at(strain + h).0 - table.at(strain - h).0) / (2.0 * h);
            assert!((tension - by_energy).abs() < 1e-6 * (1.0 + tension.abs()), "{strain}");
            assert!((slope - by_tension).abs() < 1e-6 * slope, "{strain}");
        }
        assert_eq!(table.at(0.05), (40.0, 1200.0));
        assert_eq!(table.energy(0.0), 0.0);
    }

    #[test]
    fn r6_tables_that_are_none_are_refused() {
        let refused = |points: &[[f64; 2]]| StretchTable::new(points.to_vec()).unwrap_err();
        assert_eq!(refused(&[[0.0, 0.0]]), TableError::Short);
        assert_eq!(refused(&[[0.1, 0.0], [0.2, 1.0]]), TableError::Start(0.1, 0.0));
        assert_eq!(refused(&[[0.0, 0.0], [0.1, 1.0], [0.2, 1.0]]), TableError::NotGrowing(2));
        assert_eq!(refused(&[[0.0, 0.0], [0.1, f64::NAN]]), TableError::NotGrowing(1));
    }
}
