//! The named fabrics, the published range behind every value, and the search by name.

mod entries;

use super::Fabric;

/// One fabric of the library.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name, in lower case with spaces.
    pub name: &'static str,
    /// One line: what it is and how it behaves.
    pub description: &'static str,
    /// The values a simulation uses.
    pub fabric: Fabric,
    /// What is published about such fabrics.
    pub published: Published,
}

/// The range each property has in fabrics of one kind, and where that was found. Damping and the
/// limits have no published range: see [`super::Relaxation`] and [`Fabric::strain_limit`].
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Mass per area \[kg/m²\].
    pub density: Range,
    /// Thickness \[m\].
    pub thickness: Range,
    /// Membrane stiffness, both directions \[N/m\].
    pub stretch: Range,
    /// Shear stiffness \[N/m\].
    pub shear: Range,
    /// Flexural rigidity, both directions \[N·m\].
    pub bending: Range,
    /// Cloth-on-cloth friction, static and kinetic \[-\].
    pub friction: Range,
}

/// A published range in the unit of the property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Where it comes from.
    pub source: Source,
}

impl Range {
    /// Whether a value lies in the range, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Where a range was found. Each fabric of the trade varies by mill and finish; a range says what is
/// ordinary, not what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Common knowledge of the trade, not tied to one publication.
    Typical,
    /// Traders' tables of weight by fabric name.
    TradeWeights,
    /// Silk weights by weave, in momme.
    SilkWeights,
    /// KES-F sheet of six denims.
    KesDenim,
    /// Ten fabrics measured for cloth simulation.
    Wang2011,
    /// 618 fabrics measured by their drape.
    DrapeTester2022,
    /// Thickness and weight of four woven fabrics.
    Penava2014,
    /// Parachute cloth specification.
    MilC7020,
    /// Pressed wool felt specification.
    SaeFelt,
    /// Sheep garment leather.
    Memon2021,
}

impl Source {
    /// Every source, in the order the documentation lists them.
    pub const ALL: [Self; 10] = [
        Self::Typical,
        Self::TradeWeights,
        Self::SilkWeights,
        Self::KesDenim,
        Self::Wang2011,
        Self::DrapeTester2022,
        Self::Penava2014,
        Self::MilC7020,
        Self::SaeFelt,
        Self::Memon2021,
    ];

    /// The letter that stands for this source in the documentation's table.
    pub const fn letter(self) -> char {
        match self {
            Self::Typical => 't',
            Self::TradeWeights => 'g',
            Self::SilkWeights => 'm',
            Self::KesDenim => 'k',
            Self::Wang2011 => 'w',
            Self::DrapeTester2022 => 'd',
            Self::Penava2014 => 'p',
            Self::MilC7020 => 'n',
            Self::SaeFelt => 'f',
            Self::Memon2021 => 'l',
        }
    }

    /// What was read, and where.
    pub const fn citation(self) -> &'static str {
        match self {
            Self::Typical => {
                "typical range, common knowledge of textile testing, not one publication; methods: \
                 Kawabata 1980 (KES-F), Saville 1999, Physical Testing of Textiles"
            }
            Self::TradeWeights => {
                "weights by fabric name from traders' tables: poplin 110-160, single jersey 140-200, \
                 denim 200-400, sweatshirt fleece 260-360, canvas 300-500 g/m²; polar fleece 100, \
                 200 and 300 g/m²"
            }
            Self::SilkWeights => {
                "silk weights by weave: organza 4-6, chiffon 6-8 (doubled 12-16), charmeuse 12-30 \
                 momme"
            }
            Self::KesDenim => {
                "Regenerated Cellulose-Based Denim Fabric for Tropical Regions, Journal of Textiles 2016, \
                 4614168, table 5, six denims on KES-F: EMT 4.7-5.7 %, \
                 G 1.50-3.40 gf/(cm·deg), B 0.144-0.227 gf·cm²/cm, thickness 0.80-1.19 mm"
            }
            Self::Wang2011 => {
                "Wang, O'Brien and Ramamoorthi 2011, Data-driven elastic models for cloth, as \
                 published with ARCSim: denim 324 g/m², 20-121 µN·m; rib knit 276 g/m², 25-98 µN·m, \
                 29-255 N/m; interlock 187 g/m², 7-39 µN·m, 17-414 N/m; sweater knit 224 g/m², \
                 9-59 µN·m"
            }
            Self::DrapeTester2022 => {
                "data of Learning-Based Bending Stiffness Parameter Estimation by a Drape Tester \
                 (SIGGRAPH Asia 2022): flexural rigidity of 618 unnamed fabrics, by weight; the \
                 range is the part of the spread at about this weight that suits the kind"
            }
            Self::Penava2014 => {
                "around Penava et al. 2014, table 1, as quoted in public code: cotton 150 g/m², 0.318 mm; \
                 wool 235 g/m², 0.568 mm; polyester 165 g/m², 0.252 mm"
            }
            Self::MilC7020 => {
                "MIL-C-7020 nylon parachute cloth: type I 1.10 oz/yd² and 0.003 in, type II \
                 1.60 oz/yd² and 0.004 in"
            }
            Self::SaeFelt => "SAE felt F-1, 1/16 in: 0.95-1.05 lb/yd², 0.050-0.075 in",
            Self::Memon2021 => {
                "Memon et al. 2021, Materials 14(16) 4553: garment leathers 0.6-1.0 mm thick"
            }
        }
    }
}

/// A name that is not in the library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fabric is called \"{name}\": {}", suggestion(*.did_you_mean))]
pub struct UnknownFabric {
    /// The name asked for, shortened to [`UnknownFabric::LONGEST_NAME`] characters.
    pub name: String,
    /// The nearest name of the library, where one is near.
    pub did_you_mean: Option<&'static str>,
}

impl UnknownFabric {
    /// Longest name repeated in the message \[characters\].
    pub const LONGEST_NAME: usize = 40;

    fn new(name: &str) -> Self {
        let name: String = name.chars().take(Self::LONGEST_NAME).collect();
        Self { did_you_mean: nearest(&plain(&name)), name }
    }
}

fn suggestion(did_you_mean: Option<&str>) -> String {
    if let Some(name) = did_you_mean {
        return format!("did you mean \"{name}\"?");
    }
    let names: Vec<_> = library().iter().map(|entry| entry.name).collect();
    format!("choose one of {}", names.join(", "))
}

/// The fabrics of the library, from light to heavy.
pub fn library() -> &'static [Entry] {
    &entries::ENTRIES
}

/// The entry of that name; case, spaces, dashes and underscores do not matter.
pub(super) fn find(name: &str) -> Result<&'static Entry, UnknownFabric> {
    let wanted = plain(name);
    library()
        .iter()
        .find(|entry| plain(entry.name) == wanted)
        .ok_or_else(|| UnknownFabric::new(name))
}

/// Letters in lower case, without the marks that do not matter.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The library name nearest to `wanted` (plain): one that contains it, or the fewest typing errors
/// away, at most two errors in five letters (two letters swapped are two errors).
fn nearest(wanted: &str) -> Option<&'static str> {
    const SHORTEST_PART: usize = 3;
    let length = wanted.chars().count();
    let names = || library().iter().map(|entry| (entry.name, plain(entry.name)));
    if length >= SHORTEST_PART
        && let Some((name, _)) = names().find(|(_, plain)| plain.contains(wanted))
    {
        return Some(name);
    }
    names()
        .map(|(name, plain)| (edit_distance(wanted, &plain), name))
        .filter(|&(errors, _)| 5 * errors <= 2 * length)
        .min_by_key(|&(errors, _)| errors)
        .map(|(_, name)| name)
}

/// Levenshtein's distance: letters inserted, left out or replaced.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(letter != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
