//! Whether two moving features touch, decided in integers: the oracle of R2.
//!
//! A predicate of the positions at one time (signs of orientation determinants and coordinate
//! differences, all polynomials of time) is evaluated at the only times at which a contact
//! can begin: 0 and the roots of those polynomials; the roots of the coplanarity cubic alone, where
//! that is not identically zero.

use super::poly::{Poly, Time, degree, multiply, roots_in_unit_interval, subtract};

/// Integer positions of four vertices at the start and at the end.
#[derive(Clone, Copy, Debug)]
pub struct GridMotion {
    pub start: [[i64; 3]; 4],
    pub end: [[i64; 3]; 4],
}

/// The two kinds of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    PointTriangle,
    EdgeEdge,
}

/// The answer of the oracle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    Miss,
    /// The features first touch at or up to 2⁻²⁰ before this time.
    Hit {
        first: f64,
    },
    Undecided,
}

impl GridMotion {
    /// When the features first touch.
    pub fn first_contact(&self, kind: Kind) -> Answer {
        self.try_first_contact(kind).unwrap_or(Answer::Undecided)
    }

    fn try_first_contact(&self, kind: Kind) -> Option<Answer> {
        let volume = self.volume();
        let mut times = vec![];
        if degree(&volume).is_some() {
            times = roots_in_unit_interval(&volume)?;
        } else {
            times.push(Time::rational(0, 1));
            for poly in self.all_other_polynomials().iter().filter(|p| degree(p).is_some()) {
                times.extend(roots_in_unit_interval(poly)?);
            }
        }
        let mut first: Option<f64> = None;
        for time in times {
            let touching = match kind {
                Kind::PointTriangle => self.point_in_triangle(time)?,
                Kind::EdgeEdge => self.edges_meet(time)?,
            };
            if touching {
                let bound = time.upper_bound();
                first = Some(first.map_or(bound, |t| t.min(bound)));
            }
        }
        Some(first.map_or(Answer::Miss, |first| Answer::Hit { first }))
    }

    fn coordinate(&self, vertex: usize, axis: usize) -> Poly {
        let (a, b) = (self.start[vertex][axis] as i128, self.end[vertex][axis] as i128);
        [a, b - a, 0, 0]
    }

    /// Coordinate of vertex `i` relative to vertex `j`.
    fn offset(&self, i: usize, j: usize, axis: usize) -> Poly {
        subtract(&self.coordinate(i, axis), &self.coordinate(j, axis))
    }

    /// Component `axis` of `(x_b − x_a) × (x_d − x_c)`.
    fn cross(&self, [a, b]: [usize; 2], [c, d]: [usize; 2], axis: usize) -> Poly {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        subtract(
            &multiply(&self.offset(b, a, i), &self.offset(d, c, j)),
            &multiply(&self.offset(b, a, j), &self.offset(d, c, i)),
        )
    }

    /// Twice the area of a triangle as seen along an axis.
    fn area(&self, a: usize, b: usize, c: usize, axis: usize) -> Poly {
        self.cross([a, b], [a, c], axis)
    }

    /// The coplanarity cubic.
    fn volume(&self) -> Poly {
        (0..3)
            .map(|axis| multiply(&self.offset(0, 1, axis), &self.area(1, 2, 3, axis)))
            .fold([0; 4], |sum, term| std::array::from_fn(|i| sum[i] + term[i]))
    }

    fn all_other_polynomials(&self) -> Vec<Poly> {
        let mut all = vec![];
        for axis in 0..3 {
            for [a, b, c] in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
                all.push(self.area(a, b, c, axis));
            }
            for [i, j] in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
                all.push(self.offset(i, j, axis));
            }
            all.push(self.cross([0, 1], [2, 3], axis));
        }
        all
    }

    fn point_on_segment(&self, p: usize, a: usize, b: usize, time: Time) -> Option<bool> {
        for axis in 0..3 {
            let beyond = time.sign_of(&self.offset(p, a, axis))?
                * time.sign_of(&self.offset(p, b, axis))?
                > 0;
            if beyond || time.sign_of(&self.area(p, a, b, axis))? != 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    fn point_in_triangle(&self, time: Time) -> Option<bool> {
        if time.sign_of(&self.volume())? != 0 {
            return Some(false);
        }
        for axis in 0..3 {
            let side = time.sign_of(&self.area(1, 2, 3, axis))?;
            if side != 0 {
                for [a, b] in [[1, 2], [2, 3], [3, 1]] {
                    if side * time.sign_of(&self.area(0, a, b, axis))? < 0 {
                        return Some(false);
                    }
                }
                return Some(true);
            }
        }
        Some(
            self.point_on_segment(0, 1, 2, time)?
                || self.point_on_segment(0, 2, 3, time)?
                || self.point_on_segment(0, 3, 1, time)?,
        )
    }

    fn edges_meet(&self, time: Time) -> Option<bool> {
        if time.sign_of(&self.volume())? != 0 {
            return Some(false);
        }
        for [p, a, b] in [[0, 2, 3], [1, 2, 3], [2, 0, 1], [3, 0, 1]] {
            if self.point_on_segment(p, a, b, time)? {
                return Some(true);
            }
        }
        for axis in 0..3 {
            if time.sign_of(&self.cross([0, 1], [2, 3], axis))? != 0 {
                let split = |a, b, c, d| {
                    Some(
                        time.sign_of(&self.area(a, b, c, axis))?
                            * time.sign_of(&self.area(a, b, d, axis))?
                            < 0,
                    )
                };
                return Some(split(0, 1, 2, 3)? && split(2, 3, 0, 1)?);
            }
        }
        Some(false)
    }
}
