//! The numbers. Weight in g/m², thickness in mm, stiffness in N/m, rigidity in µN·m; directions warp
//! (wale) and weft (course).

use super::{Entry, Published, Range, Source};
use crate::fabric::{Fabric, Relaxation};

/// The strain limit of compression in every fabric \[-\] (BF).
const COMPRESSION_LIMIT: f64 = 0.1;

/// A fabric in the units of a swatch card.
struct Swatch {
    grams: f64,
    millimetres: f64,
    stretch: [f64; 2],
    shear: f64,
    bending: [f64; 2],
    /// Static, kinetic.
    friction: [f64; 2],
    strain_limit: f64,
}

const GRAMS: f64 = 1e-3;
const MILLIMETRE: f64 = 1e-3;
const MICRO: f64 = 1e-6;

const fn fabric(swatch: &Swatch) -> Fabric {
    let Swatch { grams, millimetres, stretch, shear, bending, friction, strain_limit } = *swatch;
    Fabric {
        density: grams * GRAMS,
        thickness: millimetres * MILLIMETRE,
        stretch,
        shear,
        bending: [bending[0] * MICRO, bending[1] * MICRO],
        stretch_damping: 0.0,
        shear_damping: 0.0,
        bend_damping: 0.0,
        friction_static: friction[0],
        friction_kinetic: friction[1],
        strain_limit,
        compression_limit: COMPRESSION_LIMIT,
    }
    .with_relaxation(Relaxation::STANDARD)
}

const fn range(low: f64, high: f64, unit: f64, source: Source) -> Range {
    Range { low: low * unit, high: high * unit, source }
}

#[rustfmt::skip]
pub(super) static ENTRIES: [Entry; 18] = [
    Entry {
        name: "chiffon",
        description: "sheer crêpe of twisted silk, the softest of the thin fabrics",
        fabric: fabric(&Swatch {
            grams: 34.0, millimetres: 0.12, stretch: [3000.0, 2000.0], shear: 10.0, bending: [0.8, 0.6],
            friction: [0.3, 0.25], strain_limit: 0.1,
        }),
        published: Published {
            density: range(26.0, 34.8, GRAMS, Source::SilkWeights),
            thickness: range(0.08, 0.2, MILLIMETRE, Source::Typical),
            stretch: range(1500.0, 10000.0, 1.0, Source::Typical),
            shear: range(5.0, 30.0, 1.0, Source::Typical),
            bending: range(0.2, 3.0, MICRO, Source::DrapeTester2022),
            friction: range(0.15, 0.45, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "organza",
        description: "sheer plain weave of raw silk, very light and crisp",
        fabric: fabric(&Swatch {
            grams: 24.0, millimetres: 0.1, stretch: [8000.0, 7000.0], shear: 45.0, bending: [6.0, 5.0],
            friction: [0.3, 0.25], strain_limit: 0.05,
        }),
        published: Published {
            density: range(17.3, 26.1, GRAMS, Source::SilkWeights),
            thickness: range(0.06, 0.15, MILLIMETRE, Source::Typical),
            stretch: range(4000.0, 25000.0, 1.0, Source::Typical),
            shear: range(15.0, 120.0, 1.0, Source::Typical),
            bending: range(2.0, 20.0, MICRO, Source::Typical),
            friction: range(0.15, 0.45, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "ripstop nylon",
        description: "light plain weave with a grid of stronger threads: flags, kites, parachutes",
        fabric: fabric(&Swatch {
            grams: 42.0, millimetres: 0.085, stretch: [8000.0, 7000.0], shear: 60.0, bending: [3.0, 2.5],
            friction: [0.3, 0.25], strain_limit: 0.1,
        }),
        published: Published {
            density: range(37.2, 54.3, GRAMS, Source::MilC7020),
            thickness: range(0.076, 0.102, MILLIMETRE, Source::MilC7020),
            stretch: range(3000.0, 25000.0, 1.0, Source::Typical),
            shear: range(20.0, 150.0, 1.0, Source::Typical),
            bending: range(0.5, 10.0, MICRO, Source::Typical),
            friction: range(0.15, 0.45, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "nylon taffeta",
        description: "smooth, papery plain weave of filament nylon: linings, shells",
        fabric: fabric(&Swatch {
            grams: 65.0, millimetres: 0.11, stretch: [9000.0, 7000.0], shear: 50.0, bending: [5.0, 3.5],
            friction: [0.28, 0.22], strain_limit: 0.1,
        }),
        published: Published {
            density: range(40.0, 120.0, GRAMS, Source::Typical),
            thickness: range(0.06, 0.2, MILLIMETRE, Source::Typical),
            stretch: range(4000.0, 25000.0, 1.0, Source::Typical),
            shear: range(20.0, 120.0, 1.0, Source::Typical),
            bending: range(1.0, 33.5, MICRO, Source::DrapeTester2022),
            friction: range(0.15, 0.45, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "silk charmeuse",
        description: "satin weave of silk, fluid and slippery",
        fabric: fabric(&Swatch {
            grams: 82.0, millimetres: 0.18, stretch: [4500.0, 3000.0], shear: 13.0, bending: [2.5, 1.8],
            friction: [0.25, 0.2], strain_limit: 0.1,
        }),
        published: Published {
            density: range(52.0, 131.0, GRAMS, Source::SilkWeights),
            thickness: range(0.12, 0.3, MILLIMETRE, Source::Typical),
            stretch: range(2000.0, 12000.0, 1.0, Source::Typical),
            shear: range(8.0, 30.0, 1.0, Source::Typical),
            bending: range(0.5, 8.0, MICRO, Source::DrapeTester2022),
            friction: range(0.15, 0.4, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "cotton poplin",
        description: "dense plain weave of fine cotton: shirts",
        fabric: fabric(&Swatch {
            grams: 120.0, millimetres: 0.25, stretch: [9000.0, 5000.0], shear: 60.0, bending: [9.0, 6.0],
            friction: [0.45, 0.38], strain_limit: 0.1,
        }),
        published: Published {
            density: range(110.0, 160.0, GRAMS, Source::TradeWeights),
            thickness: range(0.18, 0.35, MILLIMETRE, Source::Typical),
            stretch: range(4000.0, 25000.0, 1.0, Source::Typical),
            shear: range(30.0, 150.0, 1.0, Source::Typical),
            bending: range(4.0, 25.0, MICRO, Source::DrapeTester2022),
            friction: range(0.3, 0.7, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "satin",
        description: "polyester satin, heavier and less fluid than charmeuse",
        fabric: fabric(&Swatch {
            grams: 130.0, millimetres: 0.25, stretch: [6000.0, 3500.0], shear: 22.0, bending: [6.0, 3.5],
            friction: [0.28, 0.22], strain_limit: 0.1,
        }),
        published: Published {
            density: range(90.0, 220.0, GRAMS, Source::Typical),
            thickness: range(0.18, 0.35, MILLIMETRE, Source::Typical),
            stretch: range(2500.0, 15000.0, 1.0, Source::Typical),
            shear: range(10.0, 50.0, 1.0, Source::Typical),
            bending: range(2.0, 15.0, MICRO, Source::DrapeTester2022),
            friction: range(0.15, 0.45, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "muslin",
        description: "unbleached plain cotton, the dressmaker's trial cloth",
        fabric: fabric(&Swatch {
            grams: 145.0, millimetres: 0.32, stretch: [7000.0, 4500.0], shear: 45.0, bending: [8.0, 6.0],
            friction: [0.5, 0.42], strain_limit: 0.1,
        }),
        published: Published {
            density: range(100.0, 200.0, GRAMS, Source::Typical),
            thickness: range(0.25, 0.4, MILLIMETRE, Source::Penava2014),
            stretch: range(3000.0, 20000.0, 1.0, Source::Typical),
            shear: range(20.0, 120.0, 1.0, Source::Typical),
            bending: range(5.0, 25.0, MICRO, Source::DrapeTester2022),
            friction: range(0.3, 0.7, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "jersey knit",
        description: "single jersey of cotton, stretches most along the course: T-shirts",
        fabric: fabric(&Swatch {
            grams: 165.0, millimetres: 0.55, stretch: [250.0, 130.0], shear: 25.0, bending: [5.0, 3.5],
            friction: [0.5, 0.42], strain_limit: 0.5,
        }),
        published: Published {
            density: range(140.0, 200.0, GRAMS, Source::TradeWeights),
            thickness: range(0.4, 0.8, MILLIMETRE, Source::Typical),
            stretch: range(17.0, 414.0, 1.0, Source::Wang2011),
            shear: range(10.0, 60.0, 1.0, Source::Typical),
            bending: range(0.8, 15.0, MICRO, Source::DrapeTester2022),
            friction: range(0.3, 0.8, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "linen",
        description: "plain weave of flax, stiff in the yarn, crisp folds",
        fabric: fabric(&Swatch {
            grams: 180.0, millimetres: 0.4, stretch: [12000.0, 9000.0], shear: 40.0, bending: [20.0, 14.0],
            friction: [0.4, 0.34], strain_limit: 0.05,
        }),
        published: Published {
            density: range(110.0, 300.0, GRAMS, Source::Typical),
            thickness: range(0.25, 0.6, MILLIMETRE, Source::Typical),
            stretch: range(6000.0, 30000.0, 1.0, Source::Typical),
            shear: range(15.0, 100.0, 1.0, Source::Typical),
            bending: range(7.0, 50.0, MICRO, Source::DrapeTester2022),
            friction: range(0.25, 0.6, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "wool suiting",
        description: "worsted twill that recovers and drapes in full folds",
        fabric: fabric(&Swatch {
            grams: 235.0, millimetres: 0.55, stretch: [6000.0, 4500.0], shear: 38.0, bending: [11.0, 8.0],
            friction: [0.4, 0.34], strain_limit: 0.1,
        }),
        published: Published {
            density: range(170.0, 300.0, GRAMS, Source::Typical),
            thickness: range(0.3, 0.7, MILLIMETRE, Source::Penava2014),
            stretch: range(3000.0, 15000.0, 1.0, Source::Typical),
            shear: range(20.0, 80.0, 1.0, Source::Typical),
            bending: range(5.0, 20.0, MICRO, Source::Typical),
            friction: range(0.25, 0.6, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "rib knit",
        description: "one-by-one rib, the most extensible: cuffs, underwear",
        fabric: fabric(&Swatch {
            grams: 265.0, millimetres: 0.95, stretch: [180.0, 70.0], shear: 20.0, bending: [45.0, 30.0],
            friction: [0.55, 0.46], strain_limit: 0.6,
        }),
        published: Published {
            density: range(200.0, 300.0, GRAMS, Source::Typical),
            thickness: range(0.7, 1.3, MILLIMETRE, Source::Typical),
            stretch: range(29.0, 255.0, 1.0, Source::Wang2011),
            shear: range(10.0, 60.0, 1.0, Source::Typical),
            bending: range(25.0, 98.0, MICRO, Source::Wang2011),
            friction: range(0.3, 0.8, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "fleece",
        description: "brushed pile knit, thick and light",
        fabric: fabric(&Swatch {
            grams: 260.0, millimetres: 2.0, stretch: [900.0, 500.0], shear: 40.0, bending: [35.0, 25.0],
            friction: [0.6, 0.5], strain_limit: 0.3,
        }),
        published: Published {
            density: range(100.0, 360.0, GRAMS, Source::TradeWeights),
            thickness: range(1.2, 4.0, MILLIMETRE, Source::Typical),
            stretch: range(200.0, 3000.0, 1.0, Source::Typical),
            shear: range(15.0, 120.0, 1.0, Source::Typical),
            bending: range(9.0, 59.0, MICRO, Source::Wang2011),
            friction: range(0.4, 0.9, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "velvet",
        description: "cut pile on a woven ground, heavy soft folds",
        fabric: fabric(&Swatch {
            grams: 280.0, millimetres: 1.3, stretch: [5000.0, 3000.0], shear: 35.0, bending: [18.0, 12.0],
            friction: [0.55, 0.46], strain_limit: 0.1,
        }),
        published: Published {
            density: range(200.0, 400.0, GRAMS, Source::Typical),
            thickness: range(0.8, 2.5, MILLIMETRE, Source::Typical),
            stretch: range(2000.0, 15000.0, 1.0, Source::Typical),
            shear: range(15.0, 100.0, 1.0, Source::Typical),
            bending: range(8.0, 72.0, MICRO, Source::DrapeTester2022),
            friction: range(0.35, 0.9, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "denim",
        description: "cotton twill, stiff and hard-wearing",
        fabric: fabric(&Swatch {
            grams: 370.0, millimetres: 0.85, stretch: [10000.0, 9000.0], shear: 120.0, bending: [80.0, 45.0],
            friction: [0.5, 0.42], strain_limit: 0.1,
        }),
        published: Published {
            density: range(200.0, 400.0, GRAMS, Source::TradeWeights),
            thickness: range(0.8, 1.19, MILLIMETRE, Source::KesDenim),
            stretch: range(8550.0, 10444.0, 1.0, Source::KesDenim),
            shear: range(84.2, 191.0, 1.0, Source::KesDenim),
            bending: range(20.0, 121.0, MICRO, Source::Wang2011),
            friction: range(0.35, 0.75, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "canvas",
        description: "heavy plain weave of cotton: sails, bags, tents",
        fabric: fabric(&Swatch {
            grams: 410.0, millimetres: 0.75, stretch: [15000.0, 12000.0], shear: 150.0, bending: [115.0, 75.0],
            friction: [0.5, 0.42], strain_limit: 0.05,
        }),
        published: Published {
            density: range(300.0, 500.0, GRAMS, Source::TradeWeights),
            thickness: range(0.5, 1.0, MILLIMETRE, Source::Typical),
            stretch: range(6000.0, 40000.0, 1.0, Source::Typical),
            shear: range(60.0, 400.0, 1.0, Source::Typical),
            bending: range(20.0, 190.0, MICRO, Source::DrapeTester2022),
            friction: range(0.35, 0.75, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "leather",
        description: "soft sheepskin for garments: no yarns, so stiff in shear",
        fabric: fabric(&Swatch {
            grams: 500.0, millimetres: 0.8, stretch: [8000.0, 6000.0], shear: 2200.0, bending: [120.0, 90.0],
            friction: [0.55, 0.46], strain_limit: 0.2,
        }),
        published: Published {
            density: range(350.0, 700.0, GRAMS, Source::Typical),
            thickness: range(0.6, 1.0, MILLIMETRE, Source::Memon2021),
            stretch: range(2000.0, 25000.0, 1.0, Source::Typical),
            shear: range(600.0, 8000.0, 1.0, Source::Typical),
            bending: range(30.0, 400.0, MICRO, Source::Typical),
            friction: range(0.3, 0.8, 1.0, Source::Typical),
        },
    },
    Entry {
        name: "felt",
        description: "pressed wool without weave, stiff in every direction",
        fabric: fabric(&Swatch {
            grams: 540.0, millimetres: 1.6, stretch: [14000.0, 12000.0], shear: 4000.0, bending: [400.0, 320.0],
            friction: [0.6, 0.5], strain_limit: 0.1,
        }),
        published: Published {
            density: range(515.0, 570.0, GRAMS, Source::SaeFelt),
            thickness: range(1.27, 1.91, MILLIMETRE, Source::SaeFelt),
            stretch: range(4000.0, 40000.0, 1.0, Source::Typical),
            shear: range(1000.0, 12000.0, 1.0, Source::Typical),
            bending: range(100.0, 1000.0, MICRO, Source::Typical),
            friction: range(0.35, 0.9, 1.0, Source::Typical),
        },
    },
];
