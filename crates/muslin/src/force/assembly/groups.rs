//! Triangles side by side, as the assembly goes through them.

use super::elements::{NONE, Triangle};
use super::{bending, triangles};
use crate::cloth::{Cloth, HingeRest};
use crate::force::hinge::BendForm;
use crate::math::lanes::each;
use std::array::from_fn;

/// How many groups ahead memory is asked for: beyond the cache it takes as long to come as some groups take to be computed.
pub(super) const AHEAD: usize = 2;

/// Four triangles side by side, as vector registers take them. Where there are fewer, the last is repeated, but with all
/// numbers at rest zero: what it adds is zero.
#[derive(Clone, Debug)]
pub(super) struct Triangles {
    /// [`Triangle::places`].
    pub places: [[u32; 4]; 3],
    /// [`triangles::at_rest`].
    pub rest: [[f64; 4]; triangles::REST],
    /// What is across from each corner.
    pub wings: [Wings; 3],
    /// [`Triangle::blocks`].
    pub blocks: [[u32; 4]; 3],
    /// Where blocks of two tips go.
    pub tips: Tips,
    /// How many triangles there are.
    pub count: u8,
    /// [`Triangle::index`].
    pub index: [u32; 4],
    /// What is needed if any hinge bends by half sines: of each corner.
    pub laws: Option<Box<[Laws; 3]>>,
}

/// [`Wing`](super::elements::Wing) of four triangles side by side.
#[derive(Clone, Debug)]
pub(super) struct Wings {
    /// [`Wing::place`](super::elements::Wing::place).
    pub places: [u32; 4],
    /// [`bending::at_rest`].
    pub rest: [[f64; 4]; bending::REST],
}

/// Which hinges there are.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    /// [`Wing::hinge`](super::elements::Wing::hinge).
    pub hinge: [u32; 4],
    /// [`Wing::sign`](super::elements::Wing::sign).
    pub sign: [f64; 4],
}

/// Blocks of both tips of hinges.
#[derive(Clone, Debug, Default)]
pub(super) struct Tips {
    /// How many there are.
    pub count: u8,
    /// Lane in two bits, and then the corner that is the own tip.
    pub at: [u8; 12],
    /// [`Wing::block`](super::elements::Wing::block).
    pub blocks: [u32; 12],
}

impl Triangles {
    /// Of one to four triangles.
    pub fn new(triangles: &[Triangle], cloth: &Cloth) -> Self {
        let count = triangles.len();
        let of = |lane: usize| &triangles[lane.min(count - 1)];
        let rest = each(|lane| triangles::at_rest(cloth, of(lane)));
        let filled = |lane: usize, number: f64| if lane < count { number } else { 0.0 };
        let wings = from_fn(|k| {
            let rest = each(|lane| bending::at_rest(cloth, &of(lane).wings[k]));
            Wings {
                places: each(|lane| of(lane).wings[k].place),
                rest: from_fn(|i| each(|lane| filled(lane, rest[lane][i]))),
            }
        });
        let laws = from_fn(|k| Laws {
            hinge: each(|lane| if lane < count { of(lane).wings[k].hinge } else { NONE }),
            sign: each(|lane| of(lane).wings[k].sign),
        });
        let special = |hinge: &HingeRest| hinge.form != BendForm::default();
        let any = |laws: &Laws| {
            laws.hinge.iter().any(|&h| cloth.hinges.get(h as usize).is_some_and(special))
        };
        Self {
            places: from_fn(|i| each(|lane| of(lane).places[i])),
            rest: from_fn(|i| each(|lane| filled(lane, rest[lane][i]))),
            wings,
            blocks: from_fn(|i| each(|lane| of(lane).blocks[i])),
            tips: Tips::new(triangles),
            count: count as u8,
            index: each(|lane| of(lane).index),
            laws: laws.iter().any(any).then(|| Box::new(laws)),
        }
    }
}

impl Tips {
    fn new(triangles: &[Triangle]) -> Self {
        let mut tips = Self::default();
        for (lane, triangle) in triangles.iter().enumerate() {
            for (k, wing) in triangle.wings.iter().enumerate().filter(|(_, w)| w.block != NONE) {
                tips.at[tips.count as usize] = (lane | k << 2) as u8;
                tips.blocks[tips.count as usize] = wing.block;
                tips.count += 1;
            }
        }
        tips
    }
}
