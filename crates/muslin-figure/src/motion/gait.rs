//! Walking and running: feet first, then the hips, then the knees in between.
//!
//! A foot stands still while it carries: it lands on the heel, lies flat, and leaves over the
//! ball. The hips move on evenly with a bob, a sway and a turn; legs follow from both by the law
//! of cosines, so that feet do not slide.

use crate::joint::{Joint, Side};
use crate::pose::{Angles, ArmAngles, FootTarget, PoseData, place_foot};
use crate::skeleton::{Skeleton, TOE_OUT};
use muslin::math::{Quat, Vec3};
use std::f64::consts::TAU;

/// What makes a gait; lengths are shares of the height, angles degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Style {
    /// Time of two steps \[s\].
    cycle: f64,
    /// Length of two steps.
    stride: f64,
    /// Share of the cycle in which a foot carries.
    duty: f64,
    /// How far ahead of the hips a foot lands, as a share of the way it stays behind in all.
    ahead: f64,
    /// Pitch of the foot when it lands and when it leaves.
    pitch: [f64; 2],
    /// How high the ankle is lifted in between.
    lift: f64,
    /// How much lower than standing the hips are.
    drop: f64,
    /// Half of the hips' way up and down; positive is highest over the carrying foot.
    bob: f64,
    /// Half of the hips' way left and right.
    sway: f64,
    /// Turn and tilt of the pelvis.
    turn: f64,
    tilt: f64,
    /// Forward lean.
    lean: f64,
    /// Swing of the arms: middle and half range.
    swing: [f64; 2],
    /// Elbows: least and how much more in front.
    elbow: [f64; 2],
    /// Arms away from the body.
    abduct: f64,
    /// Feet nearer to the middle line than in the rest pose.
    narrow: f64,
}

const WALK: Style = Style {
    cycle: 1.08,
    stride: 0.74,
    duty: 0.61,
    ahead: 0.43,
    pitch: [17.0, -46.0],
    lift: 0.034,
    drop: 0.024,
    bob: 0.010,
    sway: 0.011,
    turn: 5.0,
    tilt: 3.0,
    lean: 2.0,
    swing: [2.0, 20.0],
    elbow: [12.0, 16.0],
    abduct: 20.0,
    narrow: 0.022,
};

const RUN: Style = Style {
    cycle: 0.70,
    stride: 1.22,
    duty: 0.34,
    ahead: 0.34,
    pitch: [9.0, -55.0],
    lift: 0.135,
    drop: 0.052,
    bob: -0.018,
    sway: 0.006,
    turn: 8.0,
    tilt: 3.0,
    lean: 9.0,
    swing: [-2.0, 38.0],
    elbow: [72.0, 24.0],
    abduct: 21.0,
    narrow: 0.036,
};

/// A cyclic gait along −y.
#[derive(Clone, Debug)]
pub struct Gait {
    skeleton: Skeleton,
    style: Style,
}

/// A foot relative to where it lies flat: place of the ankle \[m\], pitch and toes \[rad\].
#[derive(Clone, Copy, Debug)]
struct Step {
    ankle: Vec3,
    pitch: f64,
    toes: f64,
}

fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Cubic from `a` to `b` with the given slopes.
fn hermite(a: f64, b: f64, slopes: [f64; 2], s: f64) -> f64 {
    let (s2, s3) = (s * s, s * s * s);
    (2.0 * s3 - 3.0 * s2 + 1.0) * a
        + (3.0 * s2 - 2.0 * s3) * b
        + (s3 - 2.0 * s2 + s) * slopes[0]
        + (s3 - s2) * slopes[1]
}

impl Gait {
    /// An easy walk, about 1.15 m/s at a height of 1.68 m.
    pub fn walk(skeleton: &Skeleton) -> Self {
        Self { skeleton: skeleton.clone(), style: WALK }
    }

    /// A run, about 2.9 m/s.
    pub fn run(skeleton: &Skeleton) -> Self {
        Self { skeleton: skeleton.clone(), style: RUN }
    }

    /// Time of two steps \[s\].
    pub fn cycle(&self) -> f64 {
        self.style.cycle
    }

    /// Speed along −y \[m/s\].
    pub fn speed(&self) -> f64 {
        self.style.stride * self.skeleton.height / self.style.cycle
    }

    /// Whether a foot carries at a time \[s\].
    pub fn carries(&self, side: Side, t: f64) -> bool {
        self.phase(side, t).0 < self.style.duty
    }

    /// The phase of a foot, 0 when it lands, and how many cycles it has done.
    fn phase(&self, side: Side, t: f64) -> (f64, f64) {
        let cycles = t / self.style.cycle + if side == Side::Right { 0.5 } else { 0.0 };
        (cycles - cycles.floor(), cycles.floor())
    }

    /// The pose at a time \[s\].
    pub fn at(&self, t: f64) -> PoseData {
        let (style, h) = (&self.style, self.skeleton.height);
        let left = TAU * self.phase(Side::Left, t).0;
        // At the middle of the left foot's carrying this is 1, of the right foot's −1.
        let carried_left = (left - 0.5 * TAU * style.duty).cos();
        let bob = (2.0 * left - TAU * style.duty).cos();
        let ahead = left.cos();
        let arm = |side: Side| {
            let swing = -side.sign() * ahead;
            ArmAngles {
                flex: style.swing[0] + style.swing[1] * swing,
                abduct: style.abduct,
                twist: 6.0,
                elbow: style.elbow[0] + style.elbow[1] * 0.5 * (1.0 + swing),
                pronate: 12.0,
                wrist: 0.0,
            }
        };
        let root = Vec3::new(
            style.sway * carried_left * h,
            -self.speed() * t,
            (style.bob * bob - style.drop) * h,
        );
        let angles = Angles {
            root,
            pelvis: [0.6 * style.lean, -style.tilt * carried_left, -style.turn * ahead],
            back: [0.4 * style.lean, 1.3 * style.tilt * carried_left, 2.1 * style.turn * ahead],
            head: [-0.6 * style.lean, -0.3 * style.tilt * carried_left, -1.1 * style.turn * ahead],
            arms: [arm(Side::Left), arm(Side::Right)],
            ..Angles::default()
        };
        let mut pose = angles.pose();
        for side in Side::BOTH {
            place_foot(&mut pose, &self.skeleton, side, &self.foot(side, t));
        }
        pose
    }

    /// Where a foot is.
    fn foot(&self, side: Side, t: f64) -> FootTarget {
        let style = &self.style;
        let (phase, cycles) = self.phase(side, t);
        let landed = cycles - if side == Side::Right { 0.5 } else { 0.0 };
        let step = if phase < style.duty {
            self.carrying(side, phase / style.duty)
        } else {
            self.swinging(side, (phase - style.duty) / (1.0 - style.duty))
        };
        let rest = self.skeleton.rest(Joint::Foot(side));
        let stride = style.stride * self.skeleton.height;
        let middle = landed * stride + style.ahead * style.duty * stride;
        let narrow = style.narrow * self.skeleton.height * side.sign();
        let flat = Vec3::new(rest.x - narrow, rest.y - middle, rest.z);
        // The feet point less outward than at rest.
        let straight = Quat::from_rotation_z(-0.5 * side.sign() * TOE_OUT);
        FootTarget {
            ankle: flat + step.ankle,
            rotation: straight * Quat::from_rotation_x(-step.pitch),
            toes: step.toes,
            knee: Vec3::new(0.06 * side.sign(), -1.0, 0.0),
        }
    }

    /// A foot that carries, from landing (0) to leaving (1).
    fn carrying(&self, side: Side, r: f64) -> Step {
        let [landing, leaving] = self.style.pitch.map(f64::to_radians);
        let rising = ((r - 0.46) / 0.54).max(0.0);
        let pitch = landing * (1.0 - smooth(r / 0.22)) + leaving * rising * rising;
        let h = self.skeleton.height;
        let ankle = self.skeleton.rest(Joint::Foot(side));
        let pivot = if pitch > 0.0 {
            Vec3::new(0.0, 0.03 * h, -ankle.z)
        } else {
            let ball = self.skeleton.rest(Joint::Toes(side)) - ankle;
            let straight = Quat::from_rotation_z(-0.5 * side.sign() * TOE_OUT);
            straight * Vec3::new(ball.x, ball.y, -ankle.z)
        };
        let turned = Quat::from_rotation_x(-pitch) * pivot;
        Step { ankle: pivot - turned, pitch, toes: (-pitch).max(0.0) }
    }

    /// A foot in the air, from leaving (0) to landing (1), with the speeds of both.
    fn swinging(&self, side: Side, s: f64) -> Step {
        const SMALL: f64 = 1e-4;
        let style = &self.style;
        let (from, to) = (self.carrying(side, 1.0), self.carrying(side, 0.0));
        // Slopes per unit of s, from per unit of r.
        let ratio = (1.0 - style.duty) / style.duty / SMALL;
        let (before, after) = (self.carrying(side, 1.0 - SMALL), self.carrying(side, SMALL));
        let stride = -Vec3::Y * (style.stride * self.skeleton.height);
        let slopes = [(from.ankle - before.ankle) * ratio, (after.ankle - to.ankle) * ratio];
        let end = to.ankle + stride;
        let each = |axis: usize| {
            hermite(from.ankle[axis], end[axis], [slopes[0][axis], slopes[1][axis]], s)
        };
        // Highest at two fifths: the foot is pulled up early.
        let lift = s * s * (1.0 - s).powi(3) / 0.034_56 * style.lift * self.skeleton.height;
        let pitch_slopes = [(from.pitch - before.pitch) * ratio, (after.pitch - to.pitch) * ratio];
        Step {
            ankle: Vec3::new(each(0), each(1), each(2) + lift),
            pitch: hermite(from.pitch, to.pitch, pitch_slopes, s),
            toes: from.toes * (1.0 - smooth(2.5 * s)),
        }
    }
}
