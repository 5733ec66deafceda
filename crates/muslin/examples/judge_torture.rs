//! R1's judge at full size against rational arithmetic, and its speed on a crumpled sheet.
//!
//! `cargo run --release -p muslin --example judge_torture -- 1000000 1` compares a million pairs.

#[path = "../tests/rational/mod.rs"]
mod rational;

use muslin::judge::intersecting_pairs;
use muslin::math::Vec3;
use rational::pairs::{Family, Tally};
use rational::random::Random;
use rayon::prelude::*;
use std::time::Instant;

const CHUNK: u64 = 1_000;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(100_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let each = count.div_ceil(Family::ALL.len() as u64);
    let begin = Instant::now();
    let mut total = Tally::default();
    report("family                 pairs  intersecting  missed  invented");
    for family in Family::ALL {
        let tally = run(family, each, seed);
        print_tally(&format!("{family:?}"), &tally);
        add(&mut total, &tally);
    }
    print_tally("total", &total);
    report(&format!("seed {seed}, {:.1} s", begin.elapsed().as_secs_f64()));
    for cells in [100, 224] {
        time_sheet(cells);
    }
    assert_eq!(total.missed + total.invented, 0, "a pair was judged wrongly");
}

/// Judges `count` pairs in chunks, each with its own random sequence.
fn run(family: Family, count: u64, seed: u64) -> Tally {
    let tallies: Vec<Tally> = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut random = Random(Random(seed).next() ^ Random(chunk * 8 + family as u64).next());
            let mut tally = Tally::default();
            for _ in 0..CHUNK.min(count - chunk * CHUNK) {
                tally.ask(family, &mut random);
            }
            tally
        })
        .collect();
    let mut sum = Tally::default();
    for tally in &tallies {
        add(&mut sum, tally);
    }
    sum
}

fn add(sum: &mut Tally, part: &Tally) {
    sum.pairs += part.pairs;
    sum.intersecting += part.intersecting;
    sum.missed += part.missed;
    sum.invented += part.invented;
}

/// Judges a square sheet rolled up into a spiral whose layers nearly touch.
fn time_sheet(cells: u32) {
    let row = cells + 1;
    let place = |i: u32| {
        let (u, v) = (f64::from(i % row) / f64::from(cells), f64::from(i / row) / f64::from(cells));
        let angle = 40.0 * (0.02 + u).sqrt();
        let radius = 0.002 * angle * (1.0 + 0.02 * (60.0 * v).sin());
        Vec3::new(radius * angle.cos(), v, radius * angle.sin())
    };
    let positions: Vec<Vec3> = (0..row * row).map(place).collect();
    let triangles: Vec<[u32; 3]> = (0..cells * cells)
        .map(|i| i / cells * row + i % cells)
        .flat_map(|c| [[c, c + 1, c + row], [c + 1, c + row + 1, c + row]])
        .collect();
    let judge = || {
        let begin = Instant::now();
        let pairs = intersecting_pairs(&positions, &triangles).len();
        (begin.elapsed().as_secs_f64() * 1e3, pairs)
    };
    let runs: [(f64, usize); 5] = std::array::from_fn(|_| judge());
    let (ms, pairs) =
        runs.into_iter().fold(runs[0], |best, run| if run.0 < best.0 { run } else { best });
    report(&format!("rolled sheet: {} triangles, {pairs} pairs, {ms:.1} ms", triangles.len()));
}

fn print_tally(name: &str, t: &Tally) {
    let Tally { pairs, intersecting, missed, invented } = t;
    report(&format!("{name:<16}{pairs:>12}{intersecting:>14}{missed:>8}{invented:>10}"));
}

#[expect(clippy::print_stdout, reason = "a program that reports on the terminal")]
fn report(line: &str) {
    println!("{line}");
}
