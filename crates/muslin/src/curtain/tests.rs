//! Tests of whole curtains: motion, what holds them, and the promises of the interface.

mod contracts;
mod holding;
mod motion;
mod scenes;

use super::*;
use crate::wind::Turbulence;

const GRAVITY: f64 = 9.81;

/// Air that does nothing.
const VACUUM: AirResistance =
    AirResistance { density: 0.0, threshold: 0.0, inside: 0.0, border: 0.0, corner: 0.0 };

/// A small curtain of 7 columns and `rows` rows with folds.
fn small(rows: usize) -> PanelSpec {
    PanelSpec {
        rows,
        height: 1.0,
        gaps: folds::wave(6, 1.0, 4),
        top: Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X * 0.55)),
        ..PanelSpec::default()
    }
}

fn build(panel: PanelSpec) -> Curtain {
    Curtain::new(&CurtainSpec { panels: vec![panel], ..CurtainSpec::default() }).unwrap()
}

fn gusts(speed: f64) -> [Wind; 1] {
    let mut wind = Wind::uniform(Vec3::new(0.2, 1.0, 0.1) * speed);
    wind.turbulence = Turbulence { seed: 9, intensity: 0.5, scale: 1.0 };
    [wind]
}

fn blow(curtain: &mut Curtain, winds: &[Wind], frames: std::ops::Range<u32>) {
    for frame in frames {
        let environment =
            Environment { winds, time: f64::from(frame) / 60.0, ..Environment::default() };
        curtain.update(1.0 / 60.0, &environment).unwrap();
    }
}

/// Largest relative error of the rods of the columns.
fn rod_error(curtain: &Curtain) -> f64 {
    let mut worst = 0.0_f64;
    for panel in &curtain.panels {
        let x = &curtain.nodes.x[panel.nodes()];
        for k in panel.columns..x.len() {
            let length = x[k].distance(x[k - panel.columns]);
            worst = worst.max((length / panel.rod - 1.0).abs());
        }
    }
    worst
}

fn kinetic(curtain: &Curtain) -> f64 {
    curtain.energy(Vec3::ZERO)
}
