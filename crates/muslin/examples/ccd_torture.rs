//! R2 at full size: continuous collision against exact arithmetic.
//!
//! `cargo run --release -p muslin --example ccd_torture -- 10000000 1` asks ten million questions.

#[path = "../tests/exact/mod.rs"]
mod exact;

use exact::contact::Kind;
use exact::families::{Family, Tally};
use exact::random::Random;
use rayon::prelude::*;
use std::time::Instant;

const CHUNK: u64 = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(1_000_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let each = count.div_ceil(2 * Family::ALL.len() as u64);
    let begin = Instant::now();
    let mut total = Tally::default();
    print_row("family", "queries hits misses missed near false-pos undecided".split(' '));
    for family in Family::ALL {
        for kind in [Kind::PointTriangle, Kind::EdgeEdge] {
            let tally = run(family, kind, each, seed);
            print_tally(&format!("{family:?} {kind:?}"), &tally);
            total.add(&tally);
        }
    }
    print_tally("total", &total);
    let hits = 100.0 * total.hits as f64 / total.queries as f64;
    report(&format!("true hits {hits:.1} %, seed {seed}, {:.1} s", begin.elapsed().as_secs_f64()));
    assert_eq!(total.false_negatives + total.false_positives, 0, "a query was answered wrongly");
}

/// Asks `count` questions in chunks, each with its own random sequence.
fn run(family: Family, kind: Kind, count: u64, seed: u64) -> Tally {
    let tallies: Vec<Tally> = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let stream = (chunk * 2 + kind as u64) * 16 + family as u64;
            let mut random = Random(Random(seed).next() ^ Random(stream).next());
            let mut tally = Tally::default();
            for _ in 0..CHUNK.min(count - chunk * CHUNK) {
                tally.ask(family, kind, &mut random);
            }
            tally
        })
        .collect();
    let mut sum = Tally::default();
    for tally in &tallies {
        sum.add(tally);
    }
    sum
}

fn print_tally(name: &str, t: &Tally) {
    let counts = [
        t.queries,
        t.hits,
        t.misses,
        t.false_negatives,
        t.near_hits,
        t.false_positives,
        t.undecided,
    ];
    print_row(name, counts.map(|count| count.to_string()).iter().map(String::as_str));
}

fn print_row<'a>(name: &str, cells: impl Iterator<Item = &'a str>) {
    let row = cells.fold(format!("{name:<30}"), |row, cell| format!("{row}{cell:>11}"));
    report(&row);
}

#[expect(clippy::print_stdout, reason = "a program that reports on the terminal")]
fn report(line: &str) {
    println!("{line}");
}
