//! R1: the judge agrees with rational arithmetic. The small tier; `examples/judge_torture.rs` does
//! the same for any number of pairs.

mod rational;

use rational::pairs::{Family, Tally};
use rational::random::Random;

#[test]
fn judge_agrees_with_rational_arithmetic() {
    for family in Family::ALL {
        let mut random = Random(1997 + family as u64);
        let mut tally = Tally::default();
        for _ in 0..2_500 {
            tally.ask(family, &mut random);
        }
        assert_eq!((tally.missed, tally.invented), (0, 0), "{family:?}: {tally:?}");
        let share = tally.intersecting as f64 / tally.pairs as f64;
        assert!((0.02..=1.0).contains(&share), "{family:?} hardly tests anything: {tally:?}");
    }
}

/// The oracle itself, on pairs known by hand.
#[test]
fn oracle_knows_simple_pairs() {
    let flat = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    let none: &[[i64; 3]] = &[];
    let cases = [
        ([[1, 1, 1], [2, 1, 1], [1, 2, 1]], none, false),
        ([[1, 1, -1], [1, 1, 1], [5, 5, 5]], none, true),
        ([[2, 2, 0], [5, 5, 1], [5, 5, 2]], none, true),
        ([[3, 2, 0], [5, 5, 1], [5, 5, 2]], none, false),
        ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], none, true),
        ([[0, 0, 0], [-1, 0, 0], [0, -1, 0]], &[[0, 0, 0]][..], false),
        ([[0, 0, 0], [4, 0, 0], [0, 0, 4]], &[[0, 0, 0], [4, 0, 0]], false),
        ([[0, 0, 0], [4, 0, 0], [1, 1, 0]], &[[0, 0, 0], [4, 0, 0]], true),
    ];
    for (other, shared, expected) in cases {
        assert_eq!(rational::intersect(flat, other, shared), expected, "{other:?}");
        assert_eq!(rational::intersect(other, flat, shared), expected, "{other:?} as the clipper");
    }
}
