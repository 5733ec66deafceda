//! Integer polynomials up to degree 3 and the exact signs they take at each other's roots.
//!
//! Coefficients of coordinates on the grid −15..15 keep every intermediate below 2¹²⁷.

/// Coefficients of 1, t, t², t³.
pub type Poly = [i128; 4];

/// Finest cell of time: 2⁻³². Roots of different polynomials that are closer stay undecided.
const MOST_BITS: u32 = 32;

pub fn multiply(a: &Poly, b: &Poly) -> Poly {
    let mut product = [0; 4];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().filter(|(_, y)| **y != 0 && *x != 0) {
            product[i + j] += x * y;
        }
    }
    product
}

pub fn subtract(a: &Poly, b: &Poly) -> Poly {
    std::array::from_fn(|i| a[i] - b[i])
}

/// The degree, or `None` for the zero polynomial.
pub fn degree(a: &Poly) -> Option<usize> {
    a.iter().rposition(|&c| c != 0)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// An algebraic number in `[0, 1]`.
#[derive(Clone, Copy, Debug)]
pub enum Time {
    /// `n / d` in lowest terms, `d > 0`.
    Rational { n: i128, d: i128 },
    /// The only root of `q`, which has no repeated ones, between `k / 2^bits` and `(k+1) / 2^bits`.
    Root { q: Poly, k: i128, bits: u32 },
}

impl Time {
    pub fn rational(n: i128, d: i128) -> Self {
        let g = gcd(n, d) * d.signum();
        Self::Rational { n: n / g, d: d / g }
    }

    /// A number at most 2⁻²⁰ above this time.
    pub fn upper_bound(self) -> f64 {
        match self {
            Self::Rational { n, d } => n as f64 / d as f64,
            Self::Root { k, bits, .. } if bits >= 20 => (k + 1) as f64 / (1i128 << bits) as f64,
            root @ Self::Root { .. } => root.refined().upper_bound(),
        }
    }

    /// The same time in half the cell.
    fn refined(self) -> Self {
        let Self::Root { q, k, bits } = self else {
            return self;
        };
        let middle = Self::rational(2 * k + 1, 1 << (bits + 1));
        if sign_at_rational(&q, middle) == 0 {
            middle
        } else if variations(&q, 2 * k, bits + 1) % 2 == 1 {
            Self::Root { q, k: 2 * k, bits: bits + 1 }
        } else {
            Self::Root { q, k: 2 * k + 1, bits: bits + 1 }
        }
    }

    /// The sign of `g` at this time; `None` if it cannot be decided within [`MOST_BITS`].
    pub fn sign_of(self, g: &Poly) -> Option<i32> {
        let Self::Root { q, k, bits } = self else {
            return Some(sign_at_rational(g, self));
        };
        if vanishes(g, &q, k, bits) {
            return Some(0);
        }
        let coefficients = bernstein(g, k, bits);
        if coefficients.iter().all(|&c| c > 0) {
            Some(1)
        } else if coefficients.iter().all(|&c| c < 0) {
            Some(-1)
        } else if bits < MOST_BITS {
            self.refined().sign_of(g)
        } else {
            None
        }
    }
}

fn sign_at_rational(g: &Poly, time: Time) -> i32 {
    let Time::Rational { n, d } = time else { unreachable!("a root is not rational") };
    let (mut value, mut power) = (0, 1);
    for &c in g[..=degree(g).unwrap_or(0)].iter().rev() {
        value = value * n + c * power;
        power *= d;
    }
    value.signum() as i32
}

/// Bernstein coefficients, times `3 · 8^bits`, on the cell from `k / 2^bits` to `(k+1) / 2^bits`.
fn bernstein(c: &Poly, k: i128, bits: u32) -> [i128; 4] {
    let (h, d) = (k + 1, 1i128 << bits);
    let (d2, d3) = (d * d, d * d * d);
    [
        3 * (c[0] * d3 + c[1] * k * d2 + c[2] * k * k * d + c[3] * k * k * k),
        3 * c[0] * d3 + c[1] * (2 * k + h) * d2 + c[2] * k * (k + 2 * h) * d + 3 * c[3] * k * k * h,
        3 * c[0] * d3 + c[1] * (k + 2 * h) * d2 + c[2] * h * (2 * k + h) * d + 3 * c[3] * k * h * h,
        3 * (c[0] * d3 + c[1] * h * d2 + c[2] * h * h * d + c[3] * h * h * h),
    ]
}

/// Sign variations of the Bernstein coefficients: the number of roots inside the cell, or more by
/// an even number (Descartes).
fn variations(c: &Poly, k: i128, bits: u32) -> usize {
    let mut last = 0;
    let mut count = 0;
    for s in bernstein(c, k, bits).map(i128::signum).into_iter().filter(|&s| s != 0) {
        count += usize::from(last * s < 0);
        last = s;
    }
    count
}

/// `a · lc(b)^m mod b` for some `m`, without common factors of its coefficients.
fn pseudo_remainder(a: &Poly, b: &Poly) -> Poly {
    let mut r = *a;
    let Some(db) = degree(b) else { return r };
    while let Some(dr) = degree(&r).filter(|&dr| dr >= db) {
        let (lead_r, lead_b) = (r[dr], b[db]);
        r = r.map(|c| c * lead_b);
        for i in 0..=db {
            r[dr - db + i] -= lead_r * b[i];
        }
        let content = r.iter().fold(0, |g, &c| gcd(g, c)).max(1);
        r = r.map(|c| c / content);
    }
    r
}

/// Whether `g` is zero at the root of `q` in the given cell: whether their common divisor is.
fn vanishes(g: &Poly, q: &Poly, k: i128, bits: u32) -> bool {
    let (Some(dg), Some(dq)) = (degree(g), degree(q)) else {
        return true;
    };
    if g == q || dg == 0 {
        return dg > 0;
    }
    let (big, small) = if dg > dq { (g, q) } else { (q, g) };
    let inside = |r: &Poly, multiple: &Poly| {
        let root = Time::rational(-r[0], r[1]);
        let Time::Rational { n, d } = root else {
            return false;
        };
        k * d < (n << bits) && (n << bits) < (k + 1) * d && sign_at_rational(multiple, root) == 0
    };
    if degree(small) == Some(1) {
        return inside(small, big);
    }
    let r = pseudo_remainder(big, small);
    match degree(&r) {
        None if small == q => true,
        None => variations(g, k, bits) % 2 == 1,
        Some(0) => false,
        Some(1) => inside(&r, small),
        Some(_) => unreachable!("a remainder by a quadratic is linear"),
    }
}

/// All roots of `q`, not zero, in `[0, 1]`, in no order; `None` if two are too close to tell apart.
pub fn roots_in_unit_interval(q: &Poly) -> Option<Vec<Time>> {
    let mut roots = Vec::new();
    let ends = [Time::rational(0, 1), Time::rational(1, 1)];
    roots.extend(ends.into_iter().filter(|&end| sign_at_rational(q, end) == 0));
    let inside = |n: i128, d: i128| (0 < n && n < d) || (d < n && n < 0);
    let d = degree(q).unwrap_or(0);
    let derivative = [q[1], 2 * q[2], 3 * q[3], 0];
    let common = if d >= 2 { pseudo_remainder(q, &derivative) } else { [0; 4] };
    let mut rational = Vec::new();
    match (d, degree(&common)) {
        (0, _) => {}
        (1, _) => rational.push((-q[0], q[1])),
        (2, None) => rational.push((-q[1], 2 * q[2])),
        (3, None) => rational.push((-q[2], 3 * q[3])),
        (3, Some(1))
            if sign_at_rational(&derivative, Time::rational(-common[0], common[1])) == 0 =>
        {
            // A double root ρ; the roots sum to −q₂/q₃.
            let Time::Rational { n, d } = Time::rational(-common[0], common[1]) else {
                return None;
            };
            rational.extend([(n, d), (-q[2] * d - 2 * n * q[3], q[3] * d)]);
        }
        _ => isolate(q, 0, 0, &mut roots)?,
    }
    roots.extend(
        rational.into_iter().filter(|&(n, d)| inside(n, d)).map(|(n, d)| Time::rational(n, d)),
    );
    Some(roots)
}

/// Isolates the roots strictly inside a cell.
fn isolate(q: &Poly, k: i128, bits: u32, roots: &mut Vec<Time>) -> Option<()> {
    match variations(q, k, bits) {
        0 => {}
        1 => roots.push(Time::Root { q: *q, k, bits }),
        _ if bits == MOST_BITS => return None,
        _ => {
            let middle = Time::rational(2 * k + 1, 1 << (bits + 1));
            if sign_at_rational(q, middle) == 0 {
                roots.push(middle);
            }
            isolate(q, 2 * k, bits + 1, roots)?;
            isolate(q, 2 * k + 1, bits + 1, roots)?;
        }
    }
    Some(())
}
