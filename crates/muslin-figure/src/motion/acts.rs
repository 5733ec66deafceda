//! Kick, twist, dance turn and reach, as key poses.

use super::keyed::{Key, Keyed};
use crate::joint::Side;
use crate::pose::{Angles, ArmAngles, LegAngles, Stance};
use crate::skeleton::Skeleton;
use muslin::math::Vec3;
use std::f64::consts::TAU;

fn at(time: f64, angles: &Angles) -> (Key, crate::pose::PoseData) {
    (Key { at: time, spin: 0.0, heel: 0.0 }, angles.pose())
}

/// Hips moved by shares of the height.
fn moved(skeleton: &Skeleton, x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z) * skeleton.height
}

/// A front kick with the right foot, on the left one; 2.4 s.
pub fn kick(skeleton: &Skeleton) -> Keyed {
    let still = Angles { root: moved(skeleton, 0.0, 0.0, -0.008), ..Stance::standing() };
    // Fists before the chest: any lower and the thigh would come up into the hand.
    let guard = ArmAngles {
        flex: 22.0,
        abduct: 26.0,
        twist: 18.0,
        elbow: 122.0,
        pronate: 20.0,
        wrist: 0.0,
    };
    let pose = |shift: [f64; 3], back: f64, leg: [f64; 3], arms: [ArmAngles; 2]| {
        let kicking = LegAngles {
            flex: leg[0],
            knee: leg[1],
            ankle: leg[2],
            abduct: 1.0,
            ..LegAngles::default()
        };
        Angles {
            root: moved(skeleton, shift[0], shift[1], shift[2]),
            pelvis: [-0.6 * back, -2.0, 6.0],
            back: [-0.4 * back, 3.0, -4.0],
            head: [0.7 * back, 0.0, 0.0],
            arms,
            legs: [LegAngles::default(), kicking],
        }
    };
    let wide = [
        ArmAngles { flex: 40.0, ..guard },
        ArmAngles { flex: -18.0, abduct: 48.0, elbow: 58.0, ..guard },
    ];
    let keys = vec![
        at(0.0, &still),
        at(0.35, &pose([0.030, 0.010, -0.018], 0.0, [-14.0, 22.0, -10.0], [guard; 2])),
        at(0.70, &pose([0.052, 0.002, -0.012], 6.0, [78.0, 98.0, -5.0], [guard; 2])),
        at(0.90, &pose([0.052, 0.014, -0.010], 17.0, [96.0, 12.0, 8.0], wide)),
        at(1.12, &pose([0.052, 0.008, -0.012], 9.0, [80.0, 82.0, 0.0], [guard; 2])),
        at(1.55, &pose([0.034, 0.004, -0.014], 1.0, [16.0, 24.0, 2.0], [guard; 2])),
        at(1.90, &still),
        at(2.40, &still),
    ];
    Keyed::new(skeleton, keys, [true, false])
}

/// The chest turns left and right over feet that stand still; 2.2 s.
pub fn twist(skeleton: &Skeleton) -> Keyed {
    let arm = |lead: f64| ArmAngles {
        flex: 10.0 + 24.0 * lead,
        abduct: 34.0,
        twist: 10.0,
        elbow: 38.0,
        pronate: 20.0,
        wrist: 0.0,
    };
    let pose = |turn: f64| Angles {
        root: moved(skeleton, 0.0, 0.0, -0.014),
        pelvis: [2.0, 0.0, 14.0 * turn],
        back: [2.0, 0.0, 44.0 * turn],
        head: [0.0, 0.0, -12.0 * turn],
        arms: [arm(-turn), arm(turn)],
        ..Angles::default()
    };
    let keys = vec![
        at(0.0, &pose(0.0)),
        at(0.55, &pose(1.0)),
        at(1.1, &pose(0.0)),
        at(1.65, &pose(-1.0)),
        at(2.2, &pose(0.0)),
    ];
    Keyed::new(skeleton, keys, [true, true])
}

/// A turn on the ball of the left foot, twice around, the right foot at the knee; 4 s.
pub fn dance(skeleton: &Skeleton) -> Keyed {
    let low =
        ArmAngles { flex: 28.0, abduct: 24.0, twist: 20.0, elbow: 30.0, pronate: 10.0, wrist: 5.0 };
    let open = ArmAngles { flex: 22.0, abduct: 74.0, twist: 10.0, elbow: 16.0, ..low };
    let round = ArmAngles { flex: 58.0, abduct: 26.0, twist: 38.0, elbow: 58.0, ..low };
    let pose = |shift: [f64; 3], arms: [ArmAngles; 2], leg: LegAngles| Angles {
        root: moved(skeleton, shift[0], shift[1], shift[2]),
        arms,
        legs: [LegAngles::default(), leg],
        ..Angles::default()
    };
    let together = LegAngles { turn_out: 18.0, ..LegAngles::default() };
    let aside = LegAngles { abduct: 24.0, turn_out: 22.0, ankle: -24.0, ..LegAngles::default() };
    let passe = LegAngles {
        flex: 74.0,
        abduct: 10.0,
        turn_out: 40.0,
        knee: 112.0,
        ankle: -34.0,
        ..LegAngles::default()
    };
    let key = |time: f64, turns: f64, heel: f64, angles: &Angles| {
        (Key { at: time, spin: turns * TAU, heel }, angles.pose())
    };
    let (up, over) = (0.014, [0.056, -0.004]);
    let keys = vec![
        key(0.0, 0.0, 0.0, &pose([0.034, 0.0, -0.012], [low; 2], together)),
        key(0.55, -0.04, 0.0, &pose([0.040, 0.0, -0.050], [open, round], aside)),
        key(0.95, 0.18, 0.55, &pose([over[0], over[1], up], [round; 2], passe)),
        key(1.45, 0.85, 0.60, &pose([over[0], over[1], up], [round; 2], passe)),
        key(1.95, 1.50, 0.60, &pose([over[0], over[1], up], [round; 2], passe)),
        key(2.45, 1.93, 0.50, &pose([over[0], over[1], up], [round, open], passe)),
        key(2.95, 2.02, 0.0, &pose([0.044, 0.0, -0.030], [open; 2], aside)),
        key(3.50, 2.0, 0.0, &pose([0.036, 0.0, -0.012], [open; 2], together)),
        key(4.0, 2.0, 0.0, &pose([0.034, 0.0, -0.012], [low; 2], together)),
    ];
    Keyed::new(skeleton, keys, [true, false])
}

/// Reaches up with the right hand, then forward and down with both, then up with the left; 4.8 s.
pub fn reach(skeleton: &Skeleton) -> Keyed {
    let still = Stance::standing();
    let rest = still.arms[0];
    let up =
        ArmAngles { flex: 158.0, abduct: 14.0, twist: 0.0, elbow: 2.0, pronate: 40.0, wrist: 0.0 };
    let forward = ArmAngles { flex: 84.0, abduct: 6.0, elbow: 4.0, ..up };
    let high = |side: Side| {
        let mut angles = Angles {
            root: moved(skeleton, 0.006 * side.sign(), -0.004, -0.006),
            back: [-3.0, 8.0 * -side.sign(), 4.0 * side.other().sign()],
            head: [-14.0, 0.0, 8.0 * side.sign()],
            arms: [rest; 2],
            ..Angles::default()
        };
        angles.arms[side.index()] = up;
        angles
    };
    let low = Angles {
        root: moved(skeleton, 0.0, 0.022, -0.030),
        pelvis: [16.0, 0.0, 0.0],
        back: [32.0, 0.0, 0.0],
        head: [-18.0, 0.0, 0.0],
        arms: [forward; 2],
        ..Angles::default()
    };
    let halfway = |side: Side| {
        let mut angles = Angles { root: moved(skeleton, 0.0, 0.0, -0.006), ..still };
        angles.arms[side.index()] = ArmAngles { flex: 78.0, abduct: 14.0, elbow: 30.0, ..rest };
        angles
    };
    let keys = vec![
        at(0.0, &still),
        at(0.5, &halfway(Side::Right)),
        at(1.0, &high(Side::Right)),
        at(1.5, &halfway(Side::Right)),
        at(2.3, &low),
        at(3.2, &halfway(Side::Left)),
        at(3.7, &high(Side::Left)),
        at(4.2, &halfway(Side::Left)),
        at(4.8, &still),
    ];
    Keyed::new(skeleton, keys, [true, true])
}
