//! Which joint of a file is which of the figure's.

use super::{Bvh, BvhError};
use crate::joint::{Joint, Side};

/// For every joint of the figure the joint of a file that moves it.
pub type Map = [Option<usize>; Joint::COUNT];

/// Words that rigs put before every name.
const PREFIXES: [&str; 15] = [
    "mixamorig",
    "bip",
    "bip01",
    "bip001",
    "def",
    "org",
    "mch",
    "character",
    "character1",
    "valve",
    "biped",
    "bvh",
    "rig",
    "armature",
    "skeleton",
];

/// A name without its rig's prefix, in lower case, and its side.
fn normal_form(name: &str) -> (Option<Side>, String) {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut side = None;
    let mut base = String::new();
    for word in words(name) {
        match word.as_str() {
            "l" | "left" => side = Some(Side::Left),
            "r" | "right" => side = Some(Side::Right),
            w if base.is_empty() && PREFIXES.contains(&w) => {}
            w => base.push_str(w),
        }
    }
    // Names of one case have no seam between the side and the rest.
    for (word, glued) in [("left", Side::Left), ("right", Side::Right)] {
        if side.is_none()
            && let Some(rest) = base.strip_prefix(word).filter(|rest| !rest.is_empty())
        {
            return (Some(glued), rest.to_owned());
        }
    }
    (side, base)
}

/// Splits at anything that is neither letter nor digit, and where capitals begin words.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|k| letters[k]);
        let after = letters.get(i + 1);
        let starts = c.is_uppercase()
            && (before.is_some_and(|b| !b.is_uppercase())
                || after.is_some_and(|a| a.is_lowercase()));
        if !c.is_alphanumeric() || starts {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Names of a joint that stands on one side, in order of preference.
fn sided_names(joint: Joint) -> &'static [&'static str] {
    match joint {
        Joint::Clavicle(_) => &["clavicle", "collar", "collarbone", "shoulder"],
        Joint::UpperArm(_) => {
            &["upperarm", "uparm", "arm", "shldr", "shldrbend", "shoulderjoint", "shoulder"]
        }
        Joint::Forearm(_) => &["forearm", "lowerarm", "loarm", "lowarm", "elbow", "forearmbend"],
        Joint::Hand(_) => &["hand", "wrist"],
        Joint::Thigh(_) => &["thigh", "upleg", "upperleg", "thighbend", "hip", "femur"],
        Joint::Shin(_) => &["shin", "calf", "lowerleg", "leg", "loleg", "lowleg", "knee", "tibia"],
        Joint::Foot(_) => &["foot", "ankle"],
        Joint::Toes(_) => &["toebase", "toe", "toes", "toe0", "ball", "toejoint"],
        _ => &[],
    }
}

/// The figure's joints in a file, found by their names; the spine by what lies between hips and
/// neck. Only what a motion cannot do without is demanded.
pub fn map(bvh: &Bvh) -> Result<Map, BvhError> {
    let names: Vec<_> = bvh.joints.iter().map(|j| normal_form(&j.name)).collect();
    let find = |side: Option<Side>, wanted: &[&str]| {
        wanted.iter().find_map(|w| names.iter().position(|n| n.0 == side && n.1 == *w))
    };
    let mut map: Map = [None; Joint::COUNT];
    let hips = find(None, &["hips", "pelvis", "hip", "root", "lowertorso"]);
    let head = find(None, &["head"]);
    let neck = find(None, &["neck", "neck1", "necklower", "neck01"]);
    map[Joint::Hips.index()] = hips;
    map[Joint::Head.index()] = head;
    map[Joint::Neck.index()] = neck;
    for side in Side::BOTH {
        for joint in Joint::ALL {
            let names = sided_names(joint);
            if !names.is_empty() && joint.name().starts_with(side_name(side)) {
                map[joint.index()] = find(Some(side), names);
            }
        }
        // In files without an upper arm of its own name, the shoulder is the upper arm.
        let [clavicle, upper] = [Joint::Clavicle(side), Joint::UpperArm(side)];
        if map[clavicle.index()] == map[upper.index()] {
            map[clavicle.index()] = None;
        }
    }
    let spine = spine(bvh, hips, neck.or(head));
    for (joint, share) in [(Joint::Spine1, 0.0), (Joint::Spine2, 0.5), (Joint::Spine3, 1.0)] {
        let last = spine.len().saturating_sub(1) as f64;
        map[joint.index()] = spine.get((share * last).round() as usize).copied();
    }
    demand(bvh, &map)?;
    Ok(map)
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// The joints between the hips and the neck, from below.
fn spine(bvh: &Bvh, hips: Option<usize>, top: Option<usize>) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut at = top.and_then(|t| bvh.joints[t].parent);
    while let Some(joint) = at.filter(|&j| Some(j) != hips) {
        chain.push(joint);
        at = bvh.joints[joint].parent;
    }
    chain.reverse();
    chain
}

fn demand(bvh: &Bvh, map: &Map) -> Result<(), BvhError> {
    let needed = |joint: &Joint| {
        matches!(
            joint,
            Joint::Hips
                | Joint::UpperArm(_)
                | Joint::Forearm(_)
                | Joint::Thigh(_)
                | Joint::Shin(_)
                | Joint::Foot(_)
        )
    };
    let missing: Vec<&str> = Joint::ALL
        .iter()
        .filter(|j| needed(j) && map[j.index()].is_none())
        .map(|j| j.name())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut found: Vec<&str> = bvh.joint_names().take(40).collect();
    if bvh.joint_names().count() > found.len() {
        found.push("…");
    }
    Err(BvhError::MissingJoints { missing: missing.join(", "), found: found.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_rigs_come_down_to_the_same_words() {
        for (name, side, base) in [
            ("LeftUpLeg", Some(Side::Left), "upleg"),
            ("mixamorig:RightForeArm", Some(Side::Right), "forearm"),
            ("Bip01 L Thigh", Some(Side::Left), "thigh"),
            ("Bip001_R_UpperArm", Some(Side::Right), "upperarm"),
            ("upper_arm.L", Some(Side::Left), "upperarm"),
            ("DEF-shin.R", Some(Side::Right), "shin"),
            ("lThighBend", Some(Side::Left), "thighbend"),
            ("LHipJoint", Some(Side::Left), "hipjoint"),
            ("RIGHTFOOT", Some(Side::Right), "foot"),
            ("leftupleg", Some(Side::Left), "upleg"),
            ("hips", None, "hips"),
            ("ValveBiped.Bip01_Pelvis", None, "pelvis"),
        ] {
            assert_eq!(normal_form(name), (side, base.to_owned()), "{name}");
        }
    }
}
