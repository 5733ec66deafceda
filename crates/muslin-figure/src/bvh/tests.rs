//! Tests of motion capture files.

use super::*;
use crate::joint::{Joint, Side};
use crate::proportions::Proportions;
use crate::skeleton::Skeleton;
use muslin::math::Vec3;
use proptest::prelude::*;
use std::fmt::Write;

fn skeleton() -> Skeleton {
    Skeleton::new(&Proportions::woman())
}

/// A T pose in a file with the given names (`{}` is the side) and one turned joint a frame.
fn file(names: &[&str; 9], frames: &[[f64; 2]]) -> String {
    let [hips, spine, head, upper, lower, hand, thigh, shin, foot] = names;
    let mut text = format!(
        "HIERARCHY\nROOT {hips}\n{{\nOFFSET 0 0 0\n\
         CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         JOINT {spine}\n{{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
         JOINT {head}\n{{\nOFFSET 0 50 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
         End Site\n{{\nOFFSET 0 20 0\n}}\n}}\n"
    );
    let chain = |text: &mut String, sign: f64, side: &str, bones: [(&str, [f64; 3]); 3]| {
        for (name, offset) in bones {
            let [x, y, z] = offset;
            let _ = write!(
                text,
                "JOINT {}\n{{\nOFFSET {} {y} {z}\nCHANNELS 3 Zrotation Xrotation Yrotation\n",
                name.replace("{}", side),
                sign * x
            );
        }
        text.push_str("}\n}\n}\n");
    };
    for (sign, side) in [(1.0, "Left"), (-1.0, "Right")] {
        let arm =
            [(*upper, [18.0, 45.0, 0.0]), (*lower, [28.0, 0.0, 0.0]), (*hand, [25.0, 0.0, 0.0])];
        chain(&mut text, sign, side, arm);
    }
    text.push_str("}\n");
    for (sign, side) in [(1.0, "Left"), (-1.0, "Right")] {
        let leg =
            [(*thigh, [9.0, -3.0, 0.0]), (*shin, [0.0, -42.0, 0.0]), (*foot, [0.0, -40.0, 0.0])];
        chain(&mut text, sign, side, leg);
    }
    let _ = write!(text, "}}\nMOTION\nFrames: {}\nFrame Time: 0.01\n", frames.len());
    for [x, turn] in frames {
        // Hips 100 up, moved along x; the left thigh turned about x.
        let mut row = vec![0.0; 6 + 3 * 14];
        (row[0], row[1], row[2]) = (*x, 100.0, 5.0);
        row[6 + 3 * 8 + 1] = *turn;
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        text += &row.join(" ");
        text.push('\n');
    }
    text
}

const CMU: [&str; 9] =
    ["Hips", "Spine", "Head", "{}Arm", "{}ForeArm", "{}Hand", "{}UpLeg", "{}Leg", "{}Foot"];

#[test]
fn names_of_several_programs_give_the_same_motion() {
    let frames = [[0.0, 0.0], [10.0, -30.0]];
    let skeleton = skeleton();
    let clip = |names: &[&str; 9]| {
        let bvh = Bvh::parse(file(names, &frames).as_bytes()).unwrap();
        Clip::new(&bvh, &skeleton, ClipRange::default()).unwrap().at(0.006)
    };
    let cmu = clip(&CMU);
    for names in [
        [
            "mixamorig:Hips",
            "mixamorig:Spine",
            "mixamorig:Head",
            "mixamorig:{}Arm",
            "mixamorig:{}ForeArm",
            "mixamorig:{}Hand",
            "mixamorig:{}UpLeg",
            "mixamorig:{}Leg",
            "mixamorig:{}Foot",
        ],
        [
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Head",
            "Bip01 {} UpperArm",
            "Bip01 {} Forearm",
            "Bip01 {} Hand",
            "Bip01 {} Thigh",
            "Bip01 {} Calf",
            "Bip01 {} Foot",
        ],
        [
            "hips",
            "spine",
            "head",
            "upper_arm.{}",
            "forearm.{}",
            "hand.{}",
            "thigh.{}",
            "shin.{}",
            "foot.{}",
        ],
        ["HIP", "CHEST", "HEAD", "{}Shoulder", "{}Elbow", "{}Wrist", "{}Hip", "{}Knee", "{}Ankle"],
    ] {
        assert_eq!(clip(&names), cmu, "{}", names[0]);
    }
}

/// A thigh swung 60° forward in the file points where the file's does: 60° forward of straight down.
#[test]
fn bones_point_where_the_files_bones_point() {
    let skeleton = skeleton();
    let bvh = Bvh::parse(file(&CMU, &[[0.0, -60.0]]).as_bytes()).unwrap();
    let pose = Clip::new(&bvh, &skeleton, ClipRange::default()).unwrap().at(0.0);
    let place = |j: Joint| pose.joint_position(&skeleton, j);
    let direction = |a: Joint, b: Joint| {
        let d = place(b) - place(a);
        d / d.length()
    };
    let (sin, cos) = 60f64.to_radians().sin_cos();
    let thigh = direction(Joint::Thigh(Side::Left), Joint::Shin(Side::Left));
    assert!(thigh.distance(Vec3::new(0.0, -sin, -cos)) < 1e-9, "{thigh}");
    let other = direction(Joint::Thigh(Side::Right), Joint::Shin(Side::Right));
    assert!(other.distance(-Vec3::Z) < 1e-9, "{other}");
    // The arms of the file are stretched out, though the figure's rest pose is not.
    let arm = direction(Joint::UpperArm(Side::Left), Joint::Forearm(Side::Left));
    assert!(arm.distance(Vec3::X) < 1e-9, "{arm}");
}

/// Lengths scale with the legs: 82 units of the file are the figure's leg.
#[test]
fn distances_scale_with_the_legs_and_times_are_interpolated() {
    let skeleton = skeleton();
    let bvh = Bvh::parse(file(&CMU, &[[0.0, 0.0], [8.2, 0.0], [16.4, 0.0]]).as_bytes()).unwrap();
    let clip = Clip::new(&bvh, &skeleton, ClipRange::default()).unwrap();
    let tenth = 0.1 * skeleton.leg_length();
    for (t, expected) in [(0.0, 0.0), (0.005, 0.5), (0.01, 1.0), (0.0175, 1.75), (9.0, 2.0)] {
        let x = clip.at(t).root.x;
        assert!((x - expected * tenth).abs() < 1e-12, "{t}: {x}");
    }
    let later = ClipRange { from: Some(0.005), to: Some(0.015) };
    let clip = Clip::new(&bvh, &skeleton, later).unwrap();
    assert!((clip.at(0.005).root.x - clip.at(0.0).root.x - 0.5 * tenth).abs() < 1e-12);
    assert!(matches!(
        Clip::new(&bvh, &skeleton, ClipRange { from: Some(3.0), to: None }),
        Err(BvhError::Range { .. })
    ));
}

#[test]
fn broken_files_say_where_and_what() {
    let good = file(&CMU, &[[0.0, 0.0], [1.0, 0.0]]);
    let line_of = |word: &str| good.lines().position(|l| l.contains(word)).unwrap() + 1;
    for (from, to, expected) in [
        (
            "Frames: 2",
            "Frames: 0",
            format!("line {}: the motion has no frames", line_of("Frames:")),
        ),
        (
            "Frames: 2",
            "Frames: 3",
            format!("line {}: 3 frames are announced, but 2", line_of("Frames:")),
        ),
        ("Time: 0.01", "Time: 0", format!("line {}: the frame time is 0 s", line_of("Time:"))),
        ("Time: 0.01", "Time: nan", format!("line {}: \"nan\" is not a finite", line_of("Time:"))),
        (
            "\n1 100",
            "\n1 7 100",
            format!("line {}: the frame has 49 numbers", line_of("Time:") + 2),
        ),
        ("HIERARCHY", "hello", "line 1: found \"hello\" where HIERARCHY".to_owned()),
        ("Xposition", "Wposition", "line 5: found \"Wposition\"".to_owned()),
        ("MOTION", "", "should be".to_owned()),
        ("JOINT LeftLeg", "JOINT LeftUpLeg", "a second joint is called \"LeftUpLeg\"".to_owned()),
    ] {
        let error = Bvh::parse(good.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(&expected), "{error} / {expected}");
    }
    assert!(Bvh::parse(b"").unwrap_err().to_string().contains("the file ends"));
}

#[test]
fn joints_that_are_missing_are_listed() {
    let text = file(&CMU, &[[0.0, 0.0]]).replace("LeftUpLeg", "Tail").replace("RightArm", "Wing");
    let bvh = Bvh::parse(text.as_bytes()).unwrap();
    let error = Clip::new(&bvh, &skeleton(), ClipRange::default()).unwrap_err().to_string();
    for word in ["left-thigh", "right-upper-arm", "Tail", "Wing"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_jump_of_the_hips_is_refused_with_its_frame() {
    let text = file(&CMU, &[[0.0, 0.0], [1.0, 0.0], [500.0, 0.0], [501.0, 0.0]]);
    let bvh = Bvh::parse(text.as_bytes()).unwrap();
    let error = Clip::new(&bvh, &skeleton(), ClipRange::default()).unwrap_err();
    assert!(matches!(error, BvhError::Jump { frame: 1, .. }), "{error}");
    let after = ClipRange { from: Some(0.02), to: None };
    assert!(Clip::new(&bvh, &skeleton(), after).is_ok());
}

#[test]
fn a_skeleton_without_lengths_is_refused() {
    let text = file(&CMU, &[[0.0, 0.0]]);
    let flat: String =
        text.lines()
            .map(|l| {
                if l.starts_with("OFFSET") { "OFFSET 0 0 0\n".to_owned() } else { format!("{l}\n") }
            })
            .collect();
    let bvh = Bvh::parse(flat.as_bytes()).unwrap();
    assert_eq!(Clip::new(&bvh, &skeleton(), ClipRange::default()).unwrap_err(), BvhError::NoLegs);
}

proptest! {
    /// Whatever the bytes, there is a result and no panic.
    #[test]
    fn arbitrary_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Bvh::parse(&bytes);
    }

    /// A good file with a piece cut out or doubled.
    #[test]
    fn damaged_files_are_survived(at in 0usize..2600, length in 0usize..400, twice in any::<bool>()) {
        let text = file(&CMU, &[[0.0, 0.0], [1.0, 20.0]]);
        let (at, end) = (at.min(text.len()), (at + length).min(text.len()));
        let middle = if twice { text[at..end].repeat(2) } else { String::new() };
        let damaged = format!("{}{middle}{}", &text[..at], &text[end..]);
        if let Ok(bvh) = Bvh::parse(damaged.as_bytes()) {
            let _ = Clip::new(&bvh, &skeleton(), ClipRange::default());
        }
    }
}

/// The real files: soles on the ground, smooth, and the walk covers ground.
#[test]
fn captured_motions_come_out_as_motions_of_the_figure() {
    let Ok(shared) = std::env::var("MUSLIN_SHARED") else {
        eprintln!("skipped: MUSLIN_SHARED does not name the folder of shared data");
        return;
    };
    let folder = std::path::Path::new(&shared).join("data/motion");
    let skeleton = skeleton();
    for (name, travels) in
        [("07_01-walk", 2.0), ("05_02-dance-pirouette", 0.0), ("135_04-front-kick", 0.0)]
    {
        let bytes = std::fs::read(folder.join(format!("{name}.bvh"))).unwrap();
        let bvh = Bvh::parse(&bytes).unwrap();
        let clip = Clip::new(&bvh, &skeleton, ClipRange::default()).unwrap();
        let mut before = clip.at(0.0);
        assert!(before.root.x.abs() + before.root.y.abs() < 1e-12);
        let steps = (clip.duration() * 60.0) as usize;
        for k in 1..steps {
            let pose = clip.at(k as f64 / 60.0);
            let step = pose.root.distance(before.root);
            assert!(step < 0.1, "{name}: hips jump {step} m in a sixtieth of a second");
            let hips = pose.joint_position(&skeleton, Joint::Hips).z / skeleton.height;
            assert!((0.2..0.75).contains(&hips), "{name}: hips at {hips} of the height");
            before = pose;
        }
        let way = before.root;
        assert!(way.length() >= travels && (travels == 0.0 || way.y < -travels), "{name}: {way}");
    }
}
