//! `[cloth.hang]` and `cloth.rods`: what holds a curtain or a flag, and how it is pleated (XU).

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::keyframes::Keyed;

/// What holds the top row of a curtain or the side of a flag. Exactly one of `rail`, `pole` and
/// `free`. Columns of the cloth run along v, from the held row at v = 1 down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hang {
    /// A rail with one ring for every column; the rings slide and bunch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rail: Option<Rail>,
    /// A pole that every column is fixed to, evenly spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pole: Option<Line>,
    /// Nothing: the row starts evenly spread along this line, and falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<Line>,
    /// Direction in which the columns point at the start, of any length; down when not given.
    #[schemars(with = "Option<[f64; 3]>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec3>,
    /// Displacement of the whole rail or pole [m]; keyframable.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub offset: Option<Keyed<Vec3>>,
    /// Loops that gather the cloth to a hook.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tie_back: Vec<TieBack>,
}

/// A straight line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Where the first column is [m].
    #[schemars(with = "[f64; 3]")]
    pub from: Vec3,
    /// Where the last column is [m].
    #[schemars(with = "[f64; 3]")]
    pub to: Vec3,
}

/// A rail with sliding rings. The first ring is fixed at `from`; the last one, the lead, is where
/// `lead` says and drags the others along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rail {
    /// Where the first ring is fixed [m].
    #[schemars(with = "[f64; 3]")]
    pub from: Vec3,
    /// The other end of the rail [m].
    #[schemars(with = "[f64; 3]")]
    pub to: Vec3,
    /// Place of the lead ring, 0 at `from` and 1 at `to`; keyframable.
    #[serde(default = "drawn")]
    pub lead: Keyed<f64>,
    /// Distance of two rings that touch [m].
    #[serde(default = "bunched")]
    pub bunched: f64,
    /// Rate at which rings even out between their neighbours [1/s].
    #[serde(default = "evening")]
    pub evening: f64,
}

fn drawn() -> Keyed<f64> {
    Keyed::Constant(1.0)
}

fn bunched() -> f64 {
    0.012
}

fn evening() -> f64 {
    16.0
}

/// A loop around the whole width that gathers the cloth to a hook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieBack {
    /// Where it holds the cloth: 0 at the top, 1 at the hem.
    pub height: f64,
    /// Middle of the loop [m].
    #[schemars(with = "[f64; 3]")]
    pub hook: Vec3,
    /// Width of the gathered cloth, along the rail [m].
    pub width: f64,
    /// How far it is closed, from 0 (off) to 1; keyframable.
    #[serde(default = "drawn")]
    pub engaged: Keyed<f64>,
}

/// How the cloth between two columns folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pleats {
    /// Numbers and lengths of sections at random, from the seed: the paper's (XU8).
    #[default]
    Random,
    /// No folds, for flags.
    Flat,
    /// Equal folds to the front and to the back in turn.
    Wave,
    /// Three narrow fingers to the front, then a flat stretch: four gaps between columns a pleat.
    Pinch,
    /// A round fold to the front, then a flat stretch: two gaps between columns a pleat.
    Goblet,
}

impl Pleats {
    /// Gaps between columns that one pleat takes.
    pub fn gaps(self) -> u32 {
        match self {
            Self::Random | Self::Flat | Self::Wave => 1,
            Self::Pinch => 4,
            Self::Goblet => 2,
        }
    }
}

/// The rods between the columns of a curtain: how they fold, and of how many sections each is
/// (XU6, XU8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rods {
    /// The heading: "random", "flat", "wave", "pinch" or "goblet".
    pub style: Pleats,
    /// Least and most sections of a rod; those of "wave" all have the most.
    pub sections: [u32; 2],
    /// Lengths of the sections of every rod as fractions that add up to 1, instead of `sections`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Vec<f64>>,
    /// How much folds differ, as a fraction of their size.
    pub uneven: f64,
    /// Added to the scene's seed.
    pub seed: u32,
    /// Rate of mesh smoothing [1/s]; 0 switches it off.
    pub smoothing: f64,
}

impl Default for Rods {
    fn default() -> Self {
        Self {
            style: Pleats::default(),
            sections: [2, 4],
            lengths: None,
            uneven: 0.0,
            seed: 0,
            smoothing: 4.0,
        }
    }
}
