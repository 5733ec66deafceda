//! Bending of triangles with their neighbours, four at a time (BW5, BW6, MF4): the formulas of [`hinge`] in lanes.
//!
//! A hinge turns its tips along the normals of their own triangles, and its edge along both normals: with `n` and `m` those
//! of a triangle and its neighbour, `∂θ/∂x_i = α_i n + β_i m`. Every triangle adds what has its own `n` to the left in
//! `w ∂θ/∂x_i ∂θ/∂x_jᵀ`, for all three of its edges at once: to its own forces and pairs, which membranes add to as well.
//! So an angle is computed twice, once from each side, but hardly anything is added to memory for it.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::block::{Block, Column, Row};
use super::chunk::{Apart, Point, Sums};
use super::elements::Wing;
use super::fold::{Face, Fold};
use super::groups::{Laws, Triangles, Wings};
use crate::cloth::{Cloth, HingeRest};
use crate::force::hinge;
use crate::math::lanes::{Four, Number, Simd, Vector, angles_of, each, four, load};

/// Corners of pairs.
pub(super) const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// What each corner is to the edge across from the corner of that number: 0 the tip, 1 its start, 2 its end.
const PART: [[usize; 3]; 3] = [[0, 1, 2], [1, 0, 2], [1, 2, 0]];

/// How many numbers a hinge has at rest.
pub(super) const REST: usize = 3;

/// Stiffness, damping, and rest angle as seen from the triangle.
pub(super) fn at_rest(cloth: &Cloth, wing: &Wing) -> [f64; REST] {
    let rest = cloth.hinges.get(wing.hinge as usize);
    rest.map_or([0.0; REST], |rest| [rest.stiffness, rest.damping, wing.sign * rest.rest_angle])
}

/// What hinges do with their gradients.
struct Moments<S: Simd> {
    /// Moment at the state \[N·m\].
    now: Four<S>,
    /// Moment after the shift \[N·m\].
    shifted: Four<S>,
    /// `β² k + β k_d` \[N·m·s²\].
    weight: Four<S>,
}

impl<S: Simd> Moments<S> {
    /// For hinges whose angles change with `rate`, and by `change` in the shift.
    #[inline(always)]
    fn new(
        simd: S,
        (cloth, wings, laws): (&Cloth, &Wings, Option<&Laws>),
        angle: Four<S>,
        [rate, change]: [Four<S>; 2],
        beta: f64,
    ) -> Self {
        let number = |i: usize| load(simd, &wings.rest[i]);
        let (mut stiffness, damping, rest_angle) = (number(0), number(1), number(2));
        let mut elastic = stiffness * (angle - rest_angle);
        if let Some(laws) = laws {
            let (moment, tangent) = by_form(cloth, laws, angle.into());
            (elastic, stiffness) = (four(simd, moment), four(simd, tangent));
        }
        let now = elastic + damping * rate;
        let weight = (stiffness * beta + damping) * beta;
        Self { now, shifted: now + stiffness * change, weight }
    }
}

/// Moments and their derivatives of hinges with any law; zero where there is none.
#[cold]
#[inline(never)]
fn by_form(cloth: &Cloth, laws: &Laws, angle: [f64; 4]) -> ([f64; 4], [f64; 4]) {
    let of = |lane: usize, law: fn(&HingeRest, f64) -> f64| {
        let rest = cloth.hinges.get(laws.hinge[lane] as usize);
        let sign = laws.sign[lane];
        rest.map_or([0.0; 2], |rest| [law(rest, sign * angle[lane]), sign])
    };
    let moment = |lane: usize| of(lane, hinge::elastic_moment).into_iter().product();
    (each(moment), each(|lane| of(lane, hinge::tangent)[0]))
}

/// What hinges of triangles need to know of those.
struct Known<'a, S: Simd> {
    places: &'a [[u32; 4]; 3],
    points: &'a [Point],
    /// Velocities of the second and third corner against the first, along the normal.
    rates: [Four<S>; 2],
    /// Shifts likewise.
    changes: [Four<S>; 2],
    /// Velocity and shift of the end of the edge across from each corner, against its start.
    ends: [[Vector<Four<S>>; 2]; 3],
}

/// A hinge of each of four triangles, across from one corner.
struct Hinge<S: Simd> {
    fold: Fold<Four<S>>,
    /// How the angle changes: its rate, and by the shift.
    changes: [Four<S>; 2],
    moments: Moments<S>,
}

impl<S: Simd> Hinge<S> {
    /// Still without moments.
    #[inline(always)]
    fn new(simd: S, (face, known): (&Face<Four<S>>, &Known<S>), tip: usize, wings: &Wings) -> Self {
        let start = usize::from(tip == 0);
        let d = Apart::new(simd, known.points, &known.places[start], &wings.places);
        let [v, shift] = known.ends[tip];
        let fold = face.fold(tip, d.x);
        let rate = Face::change(tip, &fold, known.rates, [d.v, v]);
        let change = Face::change(tip, &fold, known.changes, [d.shift, shift]);
        let zero = rate.same(0.0);
        let moments = Moments { now: zero, shifted: zero, weight: zero };
        Self { fold, changes: [rate, change], moments }
    }

    /// With moments, for its angle.
    #[inline(always)]
    fn at(self, simd: S, kind: (&Cloth, &Wings, Option<&Laws>), angle: Four<S>, beta: f64) -> Self {
        Self { moments: Moments::new(simd, kind, angle, self.changes, beta), ..self }
    }

    /// `α` of a corner, where this is across from corner `k`.
    #[inline(always)]
    fn own(&self, k: usize, corner: usize) -> Four<S> {
        self.fold.own[PART[k][corner]]
    }

    #[inline(always)]
    fn weighted(&self, k: usize, corner: usize) -> Four<S> {
        self.own(k, corner) * self.moments.weight
    }

    /// What stands beside the normal of corner `i` in the block of corners `i` and `j`: `w α_i β_j m`.
    #[inline(always)]
    fn along(&self, k: usize, i: usize, j: usize) -> Vector<Four<S>> {
        self.fold.other * (self.weighted(k, i) * self.fold.across[PART[k][j]])
    }

    /// The same for both tips.
    #[inline(always)]
    fn tips(&self, k: usize) -> Vector<Four<S>> {
        self.fold.other * (self.weighted(k, k) * self.fold.across[0])
    }
}

/// The sum of what hinges do along the normal at a corner.
#[inline(always)]
fn moment<S: Simd>([a, b, c]: [&Hinge<S>; 3], i: usize) -> Four<S> {
    a.own(0, i) * a.moments.now + b.own(1, i) * b.moments.now + c.own(2, i) * c.moments.now
}

/// The same after the shift.
#[inline(always)]
fn shifted<S: Simd>([a, b, c]: [&Hinge<S>; 3], i: usize) -> Four<S> {
    a.own(0, i) * a.moments.shifted
        + b.own(1, i) * b.moments.shifted
        + c.own(2, i) * c.moments.shifted
}

/// What stands left and right of the normal in the block of a pair.
#[inline(always)]
fn pair<S: Simd>(
    hinges: [&Hinge<S>; 3],
    normal: Vector<Four<S>>,
    pair: usize,
) -> [Vector<Four<S>>; 2] {
    let [a, b, c] = hinges;
    let [i, j] = PAIRS[pair];
    let both = a.weighted(0, i) * a.own(0, j)
        + b.weighted(1, i) * b.own(1, j)
        + c.weighted(2, i) * c.own(2, j);
    let third = 3 - i - j;
    let row = normal * both + hinges[i].along(i, i, j) + hinges[third].along(third, i, j);
    [row, hinges[j].along(j, j, i)]
}

/// What the hinges of four triangles add to these.
pub(super) struct Bending<S: Simd> {
    normal: Vector<Four<S>>,
    /// Forces of corners are minus these, along the normal \[N/m²\].
    now: [Four<S>; 3],
    /// The same after the shift.
    shifted: [Four<S>; 3],
    /// Of each pair what stands left and right of the normal in its block, `p nᵀ + n qᵀ`.
    pairs: [[Vector<Four<S>>; 2]; 3],
    /// What stands left of the normal in the block of both tips of each hinge, by lanes.
    tips: [[Four<S>; 4]; 3],
}

impl<S: Simd> Bending<S> {
    /// Of triangles whose second and third corner are `p` and `q` apart from the first.
    #[inline(always)]
    pub fn new(
        simd: S,
        (cloth, group): (&Cloth, &Triangles),
        sums: &Sums,
        [p, q]: [&Apart<S>; 2],
        beta: f64,
    ) -> Self {
        let face = Face::new([p.x, q.x]);
        let n = face.normal;
        let known = Known {
            places: &group.places,
            points: sums.points,
            rates: [n.dot(p.v), n.dot(q.v)],
            changes: [n.dot(p.shift), n.dot(q.shift)],
            ends: [[q.v - p.v, q.shift - p.shift], [q.v, q.shift], [p.v, p.shift]],
        };
        let [first, second, third] = &group.wings;
        let a = Hinge::new(simd, (&face, &known), 0, first);
        let b = Hinge::new(simd, (&face, &known), 1, second);
        let c = Hinge::new(simd, (&face, &known), 2, third);
        let laws = |k: usize| group.laws.as_ref().map(|laws| &laws[k]);
        let angles = angles_of([a.fold.direction, b.fold.direction, c.fold.direction]);
        let a = a.at(simd, (cloth, first, laws(0)), angles[0], beta);
        let b = b.at(simd, (cloth, second, laws(1)), angles[1], beta);
        let c = c.at(simd, (cloth, third, laws(2)), angles[2], beta);
        let zero = n.x.same(0.0);
        let all = [&a, &b, &c];
        Self {
            normal: n,
            now: [moment(all, 0), moment(all, 1), moment(all, 2)],
            shifted: [shifted(all, 0), shifted(all, 1), shifted(all, 2)],
            pairs: [pair(all, n, 0), pair(all, n, 1), pair(all, n, 2)],
            tips: [a.tips(0).rows(zero), b.tips(1).rows(zero), c.tips(2).rows(zero)],
        }
    }

    /// Force and shifted force of a corner \[N\].
    #[inline(always)]
    pub fn forces(&self, corner: usize) -> [Vector<Four<S>>; 2] {
        [self.normal * -self.now[corner], self.normal * -self.shifted[corner]]
    }

    /// Adds to the entries of the block of a pair.
    #[inline(always)]
    pub fn add_to(&self, entries: &mut [Four<S>; 9], pair: usize) {
        let ([p, q], n) = (self.pairs[pair], self.normal);
        let columns = [p * n.x + n * q.x, p * n.y + n * q.y, p * n.z + n * q.z];
        for (entries, add) in entries.chunks_exact_mut(3).zip(columns) {
            entries[0] += add.x;
            entries[1] += add.y;
            entries[2] += add.z;
        }
    }

    /// Adds the blocks of both tips of hinges.
    #[inline(always)]
    pub fn add_tips(&self, sums: &mut Sums, group: &Triangles) {
        let normals = self.normal.rows(self.now[0].same(0.0));
        let count = group.tips.count as usize;
        for (at, block) in group.tips.at.iter().zip(&group.tips.blocks).take(count) {
            let (lane, corner) = ((at & 3) as usize, (at >> 2) as usize);
            let (row, column) = (Row::new(self.tips[corner][lane]), Column::new(normals[lane]));
            sums.add_lower(*block, Block::outer(&row, &column));
        }
    }
}
