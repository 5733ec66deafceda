//! The shape cloth ends in, in numbers: how high it lies and how many folds its rims have, so that a clump shows.

use muslin::folds;
use muslin::math::Vec3;
use muslin_scene::cache::{Frame, Run, SurfaceKind, Topology};
use std::collections::BTreeMap;

/// Turn by which a rim must swing to and fro to be a bend [rad]: 30°.
const BEND: f64 = std::f64::consts::FRAC_PI_6;

/// Heights and folds of all cloth in a frame, in words; `None` where there is no cloth.
pub fn in_words(run: &Run, topology: &Topology, frame: &Frame, up: Vec3) -> Option<String> {
    let cloth = run.surfaces.iter().filter(|surface| surface.kind == SurfaceKind::Cloth);
    let triangles = cloth.flat_map(|surface| &topology.triangles[surface.triangles.range()]);
    let rims = rims(triangles.copied());
    let heights = || frame.positions.iter().map(|x| x.dot(up));
    let mean = heights().sum::<f64>() / frame.positions.len().max(1) as f64;
    let (low, high) = heights()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
    let count: usize = rims.iter().map(|rim| folds_of(rim, &frame.positions, up)).sum();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    (!frame.positions.is_empty()).then(|| {
        format!(
            "at the end cloth is between {low:.3} and {high:.3} m high, {mean:.3} m in the mean, and has {count} fold{} \
             along {} rim{}",
            plural(count),
            rims.len(),
            plural(rims.len())
        )
    })
}

/// Two bends are a fold, seen along `up`.
fn folds_of(rim: &[u32], x: &[Vec3], up: Vec3) -> usize {
    let closed = rim.iter().chain(rim.iter().take(2));
    let line: Vec<Vec3> = closed.filter_map(|&v| x.get(v as usize).copied()).collect();
    folds::count(&line, up, BEND) / 2
}

/// The closed lines of edges that one triangle has alone.
fn rims(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<Vec<u32>> {
    let mut edges: BTreeMap<[u32; 2], (u32, [u32; 2])> = BTreeMap::new();
    for [a, b, c] in triangles {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            edges.entry([p.min(q), p.max(q)]).or_insert((0, [p, q])).0 += 1;
        }
    }
    let mut onwards: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (_, [p, q]) in edges.into_values().filter(|(count, _)| *count == 1) {
        onwards.entry(p).or_default().push(q);
    }
    let mut rims = Vec::new();
    while let Some((&start, _)) = onwards.iter().find(|(_, next)| !next.is_empty()) {
        let (mut rim, mut at) = (Vec::new(), start);
        while let Some(next) = onwards.get_mut(&at).and_then(Vec::pop) {
            rim.push(at);
            at = next;
        }
        rims.push(rim);
        onwards.retain(|_, next| !next.is_empty());
    }
    rims
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A disc whose rim goes in and out n times as seen from above has n folds; a round one and a square none. With
    /// `r = 1 + a sin nφ` the heading swings back by about `2 atan(a n) − π/n` in half a wave: 94° with 8 and 120° with 12
    /// waves of a = 0.2, but 2° with 3, which are no folds.
    #[test]
    fn folds_of_a_wavy_rim_are_its_waves() {
        let count = 240u32;
        let fan = (1..=count).map(|i| [0, i, i % count + 1]);
        let rims = rims(fan);
        assert_eq!(rims.len(), 1);
        assert_eq!(rims[0].len(), count as usize);
        for (waves, expected) in [(0u32, 0usize), (3, 0), (8, 8), (12, 12)] {
            let at = |i: u32| {
                let angle = TAU * f64::from(i) / f64::from(count);
                let radius = 1.0 + 0.2 * (f64::from(waves) * angle).sin();
                Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.1 * angle)
            };
            let x: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain((1..=count).map(at)).collect();
            // Where the line begins, a swing may be cut in two.
            let found = folds_of(&rims[0], &x, Vec3::Z);
            assert!(found.abs_diff(expected) <= usize::from(expected > 0), "{waves}: {found}");
        }
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let x: Vec<Vec3> = square.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect();
        assert_eq!(folds_of(&[0, 1, 2, 3], &x, Vec3::Z), 0);
    }

    /// A strip of two quads has one rim, a ring of them two.
    #[test]
    fn rims_are_closed_lines() {
        let quad = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        let strip = [[0, 1, 4, 3], [1, 2, 5, 4]].map(quad).concat();
        assert_eq!(rims(strip.into_iter()), [[0, 1, 2, 5, 4, 3]]);
        let ring = (0..5).flat_map(|i| quad([i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5]));
        let found: Vec<usize> = rims(ring).iter().map(Vec::len).collect();
        assert_eq!(found, [5, 5]);
    }
}
