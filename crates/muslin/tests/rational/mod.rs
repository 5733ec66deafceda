//! Exact triangle–triangle intersection by clipping in rational numbers: the oracle of R1.
//!
//! One triangle is written as an intersection of half-spaces, the other is clipped by each of them.
//! What is left is the common part itself, as a polygon. Points are homogeneous integers in
//! lowest terms; grid coordinates from −7 to 7 keep all products below 2¹²⁷.

pub mod pairs;
#[path = "../exact/random.rs"]
pub mod random;

/// A point `(x, y, z) / w`, `w > 0`, in lowest terms.
type Point = [i128; 4];
/// The half-space of all points with `n·x + c ≥ 0`, as `[n, c]`.
type HalfSpace = [i128; 4];
type Vector = [i128; 3];

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn reduced(p: Point) -> Point {
    let divisor = p.into_iter().fold(0, gcd) * p[3].signum();
    p.map(|c| c / divisor)
}

fn subtract(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

fn dot(a: Vector, b: Vector) -> i128 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// All points `x` with `n·(x − a) ≥ 0`.
fn half_space(n: Vector, a: Vector) -> HalfSpace {
    [n[0], n[1], n[2], -dot(n, a)]
}

/// A triangle, a segment or a point as an intersection of half-spaces.
fn half_spaces(t: [Vector; 3]) -> Vec<HalfSpace> {
    let normal = cross(subtract(t[1], t[0]), subtract(t[2], t[0]));
    let plane = |n: Vector, a: Vector| [half_space(n, a), half_space(n.map(|c| -c), a)];
    let mut all = vec![];
    if normal != [0; 3] {
        all.extend(plane(normal, t[0]));
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            all.push(half_space(cross(normal, subtract(b, a)), a));
        }
        return all;
    }
    // The longest edge covers a triangle of no area.
    let length = |i: usize| {
        let edge = subtract(t[(i + 1) % 3], t[i]);
        dot(edge, edge)
    };
    let longest = (0..3).max_by_key(|&i| length(i)).unwrap_or(0);
    let (a, b) = (t[longest], t[(longest + 1) % 3]);
    let along = subtract(b, a);
    for axis in 0..3 {
        let unit: Vector = std::array::from_fn(|k| i128::from(k == axis));
        // On the line: along × (x − a) = 0, component by component; or at the point.
        let across = if along == [0; 3] { unit } else { cross(unit, along) };
        all.extend(plane(across, a));
    }
    all.extend([half_space(along, a), half_space(along.map(|c| -c), b)]);
    all
}

/// The part of a convex polygon inside a half-space.
fn clip(polygon: &[Point], h: HalfSpace) -> Vec<Point> {
    let value = |p: &Point| (0..4).map(|k| h[k] * p[k]).sum::<i128>();
    let mut kept = vec![];
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (at_p, at_q) = (value(p), value(q));
        if at_p >= 0 {
            kept.push(*p);
        }
        if at_p.signum() * at_q.signum() < 0 {
            // (q/w_q) and (p/w_p) weighted so that the value vanishes; signs make w positive.
            let s = at_p.signum();
            kept.push(reduced(std::array::from_fn(|k| s * (at_p * q[k] - at_q * p[k]))));
        }
    }
    kept
}

/// Whether two triangles on the grid have a point in common that is not on the hull of `shared`, a
/// vertex or an edge they share.
pub fn intersect(a: [[i64; 3]; 3], b: [[i64; 3]; 3], shared: &[[i64; 3]]) -> bool {
    let wide = |x: [i64; 3]| x.map(i128::from);
    let mut common: Vec<Point> = b.map(|[x, y, z]| [x.into(), y.into(), z.into(), 1]).to_vec();
    for h in half_spaces(a.map(wide)) {
        common = clip(&common, h);
    }
    common.into_iter().any(|[x, y, z, w]| {
        let from = |v: [i64; 3]| subtract([x, y, z], wide(v).map(|c| c * w));
        match *shared {
            [] => true,
            [v] => from(v) != [0; 3],
            [v, u, ..] => cross(from(v), subtract(wide(u), wide(v))) != [0; 3],
        }
    })
}
