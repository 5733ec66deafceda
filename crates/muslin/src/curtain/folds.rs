//! Multi-section rods: how many sections, how long, to which side (XU8).

use crate::math::Random;

/// What lies between two neighbouring columns: a rod of several rigid sections.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Width of the cloth between the columns, `l^u` \[m\].
    pub width: f64,
    /// Share of the rail this gap gets when the rings are first spread \[-\].
    pub spacing: f64,
    /// Relative lengths of the sections; they are scaled to add up to `width`.
    pub sections: Vec<f64>,
    /// The side to which the fold bulges: front is to the viewer who sees the first column on the
    /// left and the cloth hanging down.
    pub front: bool,
}

impl Gap {
    /// A rod of `sections` equal sections.
    pub fn even(width: f64, spacing: f64, sections: usize, front: bool) -> Self {
        Self { width, spacing, sections: vec![1.0; sections], front }
    }
}

/// Flat cloth of `width` \[m\] in `gaps` gaps without folds, for flags.
pub fn flat(gaps: usize, width: f64) -> Vec<Gap> {
    vec![Gap::even(width / gaps.max(1) as f64, 1.0, 1, true); gaps]
}

/// The wave (ripple) heading: equal folds to the front and to the back in turn.
pub fn wave(gaps: usize, width: f64, sections: usize) -> Vec<Gap> {
    let gap = |k: usize| Gap::even(width / gaps as f64, 1.0, sections, k.is_multiple_of(2));
    (0..gaps).map(gap).collect()
}

/// Pinch pleats: three narrow fingers to the front, then a flat stretch, `pleats` times; for a rail
/// of 0.66 of the width.
pub fn pinch_pleat(pleats: usize, width: f64) -> Vec<Gap> {
    let repeat = width / pleats.max(1) as f64;
    let finger = Gap::even(repeat / 6.0, 0.35 * repeat / 6.0, 2, true);
    let stretch = Gap::even(repeat / 2.0, 0.97 * repeat / 2.0, 4, false);
    let pleat = [finger.clone(), finger.clone(), finger, stretch];
    (0..pleats).flat_map(|_| pleat.clone()).collect()
}

/// Goblet pleats: one round fold to the front, then a flat stretch, `pleats` times; for a rail of
/// 0.669 of the width.
pub fn goblet(pleats: usize, width: f64) -> Vec<Gap> {
    let repeat = width / pleats.max(1) as f64;
    let cup = Gap::even(0.45 * repeat, 0.3 * 0.45 * repeat, 8, true);
    let stretch = Gap::even(0.55 * repeat, 0.97 * 0.55 * repeat, 4, false);
    (0..pleats).flat_map(|_| [cup.clone(), stretch.clone()]).collect()
}

/// The paper's choice: random numbers (`fewest..=most`) and lengths of sections, from a seed.
/// Folds go to the front and to the back in turn.
pub fn random(gaps: usize, width: f64, (fewest, most): (usize, usize), seed: u64) -> Vec<Gap> {
    let mut random = Random::new(seed);
    let choices = (most.max(fewest) - fewest + 1) as u64;
    let mut gap = |k: usize| {
        let count = fewest + (random.bits() % choices) as usize;
        Gap {
            width: width / gaps as f64,
            spacing: random.between(0.7, 1.3),
            sections: (0..count).map(|_| random.between(0.6, 1.4)).collect(),
            front: k.is_multiple_of(2),
        }
    };
    (0..gaps).map(&mut gap).collect()
}

/// The same folds, uneven as in a room: sizes change by up to `amount` of themselves and depths by a
/// quarter of that, from a seed; the whole width stays.
pub fn uneven(mut gaps: Vec<Gap>, amount: f64, seed: u64) -> Vec<Gap> {
    let mut random = Random::new(seed);
    let before: f64 = gaps.iter().map(|g| g.width).sum();
    for gap in &mut gaps {
        let size = 1.0 + random.between(-amount, amount);
        gap.width *= size;
        gap.spacing *= size * (1.0 + random.between(-amount, amount) / 4.0);
    }
    let after: f64 = gaps.iter().map(|g| g.width).sum();
    for gap in &mut gaps {
        gap.width *= before / after;
    }
    gaps
}
