//! Tests of whole figures.

use super::*;
use crate::joint::Side;
use crate::mesher::is_manifold;
use crate::pose::{Angles, ArmAngles, LegAngles, Stance};
use crate::proportions::Build;
use muslin::judge;
use muslin::math::{Mat3, Quat};
use std::sync::OnceLock;

fn woman() -> &'static Figure {
    static FIGURE: OnceLock<Figure> = OnceLock::new();
    FIGURE.get_or_init(|| Figure::new(&Proportions::woman()).unwrap())
}

fn man() -> &'static Figure {
    static FIGURE: OnceLock<Figure> = OnceLock::new();
    FIGURE.get_or_init(|| Figure::new(&Proportions::man()).unwrap())
}

fn bent() -> PoseData {
    let arm = ArmAngles { flex: 40.0, abduct: 50.0, elbow: 80.0, ..Default::default() };
    let leg = LegAngles { flex: 60.0, knee: 70.0, abduct: 8.0, ..Default::default() };
    Angles {
        root: Vec3::new(0.3, -0.2, 0.1),
        pelvis: [5.0, -3.0, 30.0],
        back: [20.0, 5.0, -25.0],
        head: [10.0, 0.0, 30.0],
        arms: [arm, ArmAngles { flex: 10.0, ..arm }],
        legs: [leg, LegAngles::default()],
    }
    .pose()
}

#[test]
fn the_mesh_is_one_closed_manifold_of_good_triangles_that_does_not_meet_itself() {
    for figure in [woman(), man()] {
        let mesh = figure.mesh();
        let (v, f) = (mesh.positions.len(), mesh.triangles.len());
        assert!(is_manifold(&mesh.triangles));
        assert_eq!(v + f, 3 * f / 2 + 2, "a sphere's Euler characteristic");
        let asked = figure.proportions().triangles;
        assert!(f.abs_diff(asked) * 100 < asked * 15, "{f} triangles");
        assert!(judge::intersecting_pairs(&mesh.positions, &mesh.triangles).is_empty());
        let mut angles: Vec<f64> = Vec::new();
        for t in &mesh.triangles {
            let x = t.map(|v| mesh.positions[v as usize]);
            for k in 0..3 {
                let (a, b) = (x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]);
                angles.push(a.angle_between(b).to_degrees());
            }
        }
        angles.sort_by(f64::total_cmp);
        assert!(angles[0] > 8.0, "smallest angle {}", angles[0]);
        assert!(
            angles[angles.len() / 100] > 25.0,
            "first percentile {}",
            angles[angles.len() / 100]
        );
        let volume: f64 = mesh
            .triangles
            .iter()
            .map(|t| t.map(|v| mesh.positions[v as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        // People are about as dense as water and weigh 17 to 27 kg/m² of their height squared.
        let index = 1000.0 * volume / figure.proportions().height.powi(2);
        assert!((17.0..27.0).contains(&index), "{volume} m³");
    }
}

#[test]
fn girths_and_height_are_what_was_asked() {
    let stout = Proportions {
        chest: 1.08,
        waist: 0.98,
        hip: 1.10,
        thigh: 0.60,
        upper_arm: 0.34,
        triangles: 12_000,
        ..Proportions::woman().with_height(1.62)
    };
    let slim = Proportions {
        build: Build::Man,
        chest: 0.92,
        waist: 0.72,
        hip: 0.90,
        thigh: 0.51,
        triangles: 12_000,
        ..Proportions::man().with_height(1.9)
    };
    let others = [stout, slim].map(|p| Figure::new(&p).unwrap());
    for figure in [woman(), man()].into_iter().chain(&others) {
        let proportions = figure.proportions();
        for girth in Girth::ALL {
            let (got, asked) = (figure.girth(girth), girth.asked(proportions));
            assert!((got / asked - 1.0).abs() < 0.03, "{girth:?}: {got} of {asked}");
        }
        let heights = figure.mesh().positions.iter().map(|x| x.z);
        let (low, high) = heights.fold((1.0_f64, 0.0_f64), |(l, h), z| (l.min(z), h.max(z)));
        assert!(low.abs() < 0.004, "soles at {low}");
        assert!((high / proportions.height - 1.0).abs() < 0.005, "{high}");
    }
}

/// Hands are clear of the thighs, the legs of each other down from the crotch, the armpits open.
#[test]
fn limbs_are_apart_in_the_rest_pose() {
    for figure in [woman(), man()] {
        let h = figure.proportions().height;
        let of = |joints: &[Joint]| {
            let dominant = |k: &usize| joints.contains(&figure.influences()[*k].dominant());
            let all = (0..figure.mesh().positions.len()).filter(dominant);
            all.map(|k| figure.mesh().positions[k]).collect::<Vec<_>>()
        };
        for x in of(&[Joint::Shin(Side::Left), Joint::Thigh(Side::Left)]) {
            assert!(x.z > 0.450 * h || x.x > 0.004 * h, "{x}");
        }
        let trunk = of(&[Joint::Hips, Joint::Spine1, Joint::Spine2, Joint::Thigh(Side::Left)]);
        for x in of(&[Joint::Forearm(Side::Left), Joint::Hand(Side::Left)]) {
            let gap = trunk.iter().map(|y| x.distance(*y)).fold(f64::INFINITY, f64::min);
            assert!(gap > 0.06 * h, "{gap}");
        }
    }
}

/// Vertices that one bone moves alone go where the product of its chain's matrices takes them.
#[test]
fn skinning_follows_the_matrices_of_the_chain() {
    let figure = woman();
    let pose = bent();
    let mut x = figure.mesh().positions.clone();
    figure.positions(&pose, &mut x);
    // Directly: x ↦ R (x − p) + p' down the chain, with matrices.
    let chain = |joint: Joint| {
        let mut path = vec![joint];
        while let Some(parent) = path.last().and_then(|j| j.parent()) {
            path.push(parent);
        }
        path.reverse();
        path
    };
    let direct = |joint: Joint, rest: Vec3| {
        let mut moved = rest;
        for j in chain(joint).into_iter().rev() {
            let p = figure.skeleton().rest(j);
            moved = Mat3::from_quat(pose.rotation(j)) * (moved - p) + p;
        }
        moved + pose.root
    };
    let mut checked = 0;
    for (k, influences) in figure.influences().iter().enumerate() {
        let sum: f64 = influences.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12 && influences.weights.iter().all(|w| *w >= 0.0));
        if influences.weights[0] > 1.0 - 1e-13 {
            let expected = direct(influences.dominant(), figure.mesh().positions[k]);
            assert!(x[k].distance(expected) < 1e-11);
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// Moved and turned as a whole, the figure keeps its shape.
#[test]
fn turning_the_hips_turns_all_of_the_figure() {
    let figure = woman();
    let turn = Quat::from_rotation_z(1.0) * Quat::from_rotation_x(0.4);
    let mut pose = PoseData { root: Vec3::new(1.0, 2.0, 3.0), ..PoseData::REST };
    pose.set(Joint::Hips, turn);
    let mut x = figure.mesh().positions.clone();
    figure.positions(&pose, &mut x);
    let hips = figure.skeleton().rest(Joint::Hips);
    for (now, rest) in x.iter().zip(&figure.mesh().positions) {
        let expected = Mat3::from_quat(turn) * (*rest - hips) + hips + pose.root;
        assert!(now.distance(expected) < 1e-12);
    }
}

/// For small angles dual quaternions agree with the weighted mean of the bones' matrices.
#[test]
fn small_rotations_agree_with_the_mean_of_matrices() {
    let figure = woman();
    let turn = 1e-4;
    let mut pose = PoseData::REST;
    for joint in Joint::ALL {
        pose.set(joint, Quat::from_rotation_x(turn));
    }
    let bones = figure.bone_transforms(&pose);
    let mut x = figure.mesh().positions.clone();
    figure.positions(&pose, &mut x);
    for (k, influences) in figure.influences().iter().enumerate() {
        let rest = figure.mesh().positions[k];
        let mean: Vec3 = influences
            .joints
            .iter()
            .zip(&influences.weights)
            .map(|(&j, &w)| bones[j as usize].apply(rest) * w)
            .sum();
        // The difference is of second order: angles of up to 8 × 1e-4 over 2 m.
        assert!(x[k].distance(mean) < 4.0 * (8.0 * turn).powi(2));
    }
}

#[test]
fn elbows_and_knees_keep_their_thickness() {
    let figure = woman();
    let mut x = figure.mesh().positions.clone();
    let arm = ArmAngles { abduct: 45.0, elbow: 90.0, ..Default::default() };
    let leg = LegAngles { knee: 90.0, ..Default::default() };
    let pose = Angles { arms: [arm; 2], legs: [leg; 2], ..Default::default() }.pose();
    figure.positions(&pose, &mut x);
    for joint in [Joint::Forearm(Side::Left), Joint::Shin(Side::Right)] {
        let rest = figure.skeleton().rest(joint);
        let now = pose.joint_position(figure.skeleton(), joint);
        let least = |x: &[Vec3], at: Vec3| x.iter().map(|x| x.distance(at)).fold(1.0, f64::min);
        let (before, after) = (least(&figure.mesh().positions, rest), least(&x, now));
        assert!(after > 0.6 * before, "{joint}: {after} of {before}");
    }
}

/// Pieces of bones are closed, and together they hold every vertex.
#[test]
fn bone_parts_are_closed_and_cover_the_figure() {
    let figure = woman();
    let parts = figure.parts();
    assert_eq!(parts.len(), Joint::COUNT);
    let mut area = 0.0;
    for part in &parts {
        assert!(is_manifold(&part.mesh.triangles), "{}", part.joint);
        area += part.mesh.triangles.len() as f64;
    }
    assert!(area > 0.9 * figure.mesh().triangles.len() as f64);
}

/// How many pairs of triangles cross, and how many of them not in the crease of a joint: within
/// 0.11 of the height of a shoulder, elbow, hip or knee.
fn crossings_away_from_joints(figure: &Figure, pose: &PoseData) -> (usize, usize) {
    let mut x = figure.mesh().positions.clone();
    figure.positions(pose, &mut x);
    let creases: Vec<Vec3> = Side::BOTH
        .iter()
        .flat_map(|&s| [Joint::UpperArm(s), Joint::Forearm(s), Joint::Thigh(s), Joint::Shin(s)])
        .map(|j| pose.joint_position(figure.skeleton(), j))
        .collect();
    let reach = 0.11 * figure.proportions().height;
    let crossings = judge::intersecting_pairs(&x, &figure.mesh().triangles);
    let far = |pair: &&(u32, u32)| {
        let at = x[figure.mesh().triangles[pair.0 as usize][0] as usize];
        creases.iter().all(|c| c.distance(at) > reach)
    };
    let bone = |t: u32| {
        let corner = figure.mesh().triangles[t as usize][0];
        figure.influences()[corner as usize].dominant()
    };
    for pair in crossings.iter().filter(far) {
        eprintln!("{} crosses {}", bone(pair.0), bone(pair.1));
    }
    (crossings.len(), crossings.iter().filter(far).count())
}

/// In motion the skin meets itself in the creases of joints only.
#[test]
fn motions_cross_the_skin_in_creases_only() {
    let figure = woman();
    for name in crate::motion::Motion::NAMES {
        let Some(motion) = crate::motion::Motion::by_name(name, figure.skeleton()) else {
            continue;
        };
        let (mut most, mut most_far) = (0, 0);
        for k in 0..12 {
            let pose = motion.at(0.21 * f64::from(k));
            let (count, far) = crossings_away_from_joints(figure, &pose);
            (most, most_far) = (most.max(count), most_far.max(far));
        }
        eprintln!("{name}: at most {most} crossing pairs, {most_far} away from creases");
        assert_eq!(most_far, 0, "{name}");
    }
}

#[test]
fn stances_stand_on_the_ground() {
    for stance in [Stance::A, Stance::T, Stance::Stand, Stance::Sit] {
        let figure = woman();
        let mut x = figure.mesh().positions.clone();
        figure.positions(&stance.pose(figure.skeleton()), &mut x);
        let low = x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!(low.abs() < 0.006, "{stance:?}: {low}");
        let (count, far) = crossings_away_from_joints(figure, &stance.pose(figure.skeleton()));
        assert_eq!(far, 0, "{stance:?}: {count} crossings");
    }
}

#[test]
fn proportions_that_are_no_figure_are_refused() {
    for (proportions, word) in [
        (Proportions { height: 17.0, ..Proportions::woman() }, "height"),
        (Proportions { height: f64::NAN, ..Proportions::woman() }, "height"),
        (Proportions { waist: 70.0, ..Proportions::woman() }, "waist"),
        (Proportions { thigh: f64::NAN, ..Proportions::woman() }, "thigh"),
        (Proportions { triangles: 100, ..Proportions::woman() }, "triangles"),
    ] {
        let error = Figure::new(&proportions).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}
