//! Tests of motions.

use super::*;
use crate::joint::{Joint, Side};
use crate::proportions::Proportions;
use muslin::math::Vec3;

fn skeleton() -> Skeleton {
    Skeleton::new(&Proportions::woman())
}

/// The part of the sole that carries: the heel or below the ball, whichever is lower.
fn lowest_of_foot(skeleton: &Skeleton, pose: &PoseData, side: Side) -> (bool, Vec3) {
    let foot = pose.bone_transforms(skeleton)[Joint::Foot(side).index()];
    let ankle = skeleton.rest(Joint::Foot(side));
    let ball = skeleton.rest(Joint::Toes(side));
    let heel = foot.apply(Vec3::new(ankle.x, ankle.y + 0.03 * skeleton.height, 0.0));
    let ball = foot.apply(Vec3::new(ball.x, ball.y, 0.0));
    if heel.z < ball.z { (true, heel) } else { (false, ball) }
}

/// While a foot carries, the part of it that touches the ground stays there.
#[test]
fn feet_do_not_slide() {
    let skeleton = skeleton();
    for gait in [Gait::walk(&skeleton), Gait::run(&skeleton)] {
        for side in Side::BOTH {
            let mut last: Option<(bool, Vec3)> = None;
            let mut worst: f64 = 0.0;
            for k in 0..400 {
                let t = k as f64 * gait.cycle() / 200.0;
                if !gait.carries(side, t) {
                    last = None;
                    continue;
                }
                let (heel, at) = lowest_of_foot(&skeleton, &gait.at(t), side);
                assert!(at.z.abs() < 0.004, "{at}");
                if let Some((was_heel, before)) = last.filter(|l| l.0 == heel) {
                    assert_eq!(was_heel, heel);
                    worst = worst.max(at.distance(before));
                }
                last = Some((heel, at));
            }
            // Per two-hundredth of a cycle; the hips go 6 mm to 11 mm in that time.
            assert!(worst < 5e-4, "{worst}");
        }
    }
}

#[test]
fn gaits_repeat_one_stride_further() {
    let skeleton = skeleton();
    for gait in [Gait::walk(&skeleton), Gait::run(&skeleton)] {
        for t in [0.0, 0.3, 0.41] {
            let (a, b) = (gait.at(t), gait.at(t + gait.cycle()));
            let stride = -Vec3::Y * gait.speed() * gait.cycle();
            assert!((b.root - a.root).distance(stride) < 1e-12);
            for joint in Joint::ALL {
                assert!(a.rotation(joint).dot(b.rotation(joint)).abs() > 1.0 - 1e-9, "{joint}");
            }
        }
    }
}

/// No motion jumps: joints move less than 8 m/s, and velocities change by less than what an
/// acceleration of 40 g does in a millisecond.
#[test]
fn motions_are_smooth_and_finite() {
    const STEP: f64 = 1e-3;
    let skeleton = skeleton();
    for name in Motion::NAMES {
        let motion = Motion::by_name(name, &skeleton).unwrap();
        let places = |t: f64| {
            let bones = motion.at(t).bone_transforms(&skeleton);
            Joint::ALL.map(|j| bones[j.index()].apply(skeleton.rest(j)))
        };
        let (mut a, mut b) = (places(-0.5), places(-0.5 + STEP));
        for k in 2..6000 {
            let c = places(-0.5 + STEP * f64::from(k));
            for joint in Joint::ALL {
                let j = joint.index();
                assert!(c[j].is_finite());
                let (before, after) = ((b[j] - a[j]) / STEP, (c[j] - b[j]) / STEP);
                assert!(after.length() < 8.0, "{name} {joint}: {after}");
                assert!(after.distance(before) < 0.4, "{name} {joint} {k}: {before} {after}");
            }
            (a, b) = (b, c);
        }
    }
}

#[test]
fn planted_feet_stay() {
    let skeleton = skeleton();
    for (name, feet) in
        [("twist", &Side::BOTH[..]), ("reach", &Side::BOTH), ("kick", &[Side::Left])]
    {
        let motion = Motion::by_name(name, &skeleton).unwrap();
        for k in 0..100 {
            let pose = motion.at(0.05 * f64::from(k));
            for &side in feet {
                let ankle = pose.joint_position(&skeleton, Joint::Foot(side));
                let off = ankle.distance(skeleton.rest(Joint::Foot(side)));
                assert!(off < 2e-3, "{name} {side:?} at {k}: {off}");
            }
        }
    }
}

#[test]
fn a_performance_starts_from_its_pose_at_rest_and_becomes_the_motion() {
    let skeleton = skeleton();
    let motion = Motion::by_name("walk", &skeleton).unwrap();
    let performance = Performance {
        from: PoseData::REST,
        motion: motion.clone(),
        start: 0.2,
        speed: 1.5,
        blend: 0.8,
    };
    assert_eq!(performance.at(-1.0), PoseData::REST);
    let first = performance.at(1e-4);
    assert!(first.root.length() < 1e-8, "no speed at the start");
    // After the blend the clock runs at its speed, half a blend behind.
    assert_eq!(performance.at(2.0), motion.at(0.2 + 1.5 * 1.6));
    let (a, b) = (performance.at(0.8 - 1e-9), performance.at(0.8 + 1e-9));
    assert!(a.root.distance(b.root) < 1e-7);
}

#[test]
fn unknown_names_are_no_motions() {
    assert!(Motion::by_name("swim", &skeleton()).is_none());
}
