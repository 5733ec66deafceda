//! `mannequin = { … }`: the built-in figure.

use muslin_figure::{Build, Motion, Proportions, Stance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The built-in mannequin: z up, facing −y, its soles on the ground at its `position`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Mannequin {
    /// The adult whose shape it starts from: "woman" or "man".
    pub build: MannequinBuild,
    /// Height [m]; the build's when not given. All that is not given grows with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Girth of the chest over the bust [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chest: Option<f64>,
    /// Girth of the waist [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waist: Option<f64>,
    /// Girth of the hips [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip: Option<f64>,
    /// Girth of a thigh [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thigh: Option<f64>,
    /// Girth of a calf [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calf: Option<f64>,
    /// Girth of an upper arm [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_arm: Option<f64>,
    /// Girth of the neck [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neck: Option<f64>,
    /// Distance between the outer ends of the shoulder blades [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shoulder_width: Option<f64>,
    /// How many triangles its mesh has, about: from 10000 to 40000.
    pub triangles: usize,
    /// Pose at time 0: "a-pose", "t-pose", "stand" or "sit".
    pub pose: Pose,
    /// Motion: "hold" for the pose itself, "stand", "walk", "run", "kick", "twist", "dance", "reach",
    /// or a `.bvh` file.
    pub motion: String,
    /// Start and end of what is used of a `.bvh` file [s]; all of it when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Time of the motion at time 0 of the scene [s].
    pub start: f64,
    /// Speed of the motion.
    pub speed: f64,
    /// Time in which the pose turns into the motion [s].
    pub blend: f64,
    /// How long the pose is held before that [s].
    pub hold: f64,
}

impl Default for Mannequin {
    fn default() -> Self {
        Self {
            build: MannequinBuild::default(),
            height: None,
            chest: None,
            waist: None,
            hip: None,
            thigh: None,
            calf: None,
            upper_arm: None,
            neck: None,
            shoulder_width: None,
            triangles: Proportions::woman().triangles,
            pose: Pose::default(),
            motion: Self::HOLD.to_owned(),
            range: None,
            start: 0.0,
            speed: 1.0,
            blend: 0.5,
            hold: 0.0,
        }
    }
}

impl Mannequin {
    /// The motion that stays in the pose.
    pub const HOLD: &'static str = "hold";

    /// The motions built in.
    pub fn motions() -> Vec<&'static str> {
        std::iter::once(Self::HOLD).chain(Motion::NAMES).collect()
    }

    /// The motion file, where the motion is not built in.
    pub fn motion_file(&self) -> Option<&str> {
        (!Self::motions().contains(&self.motion.as_str())).then_some(&self.motion)
    }

    /// The figure's proportions.
    pub fn proportions(&self) -> Proportions {
        let own = Proportions::of(match self.build {
            MannequinBuild::Woman => Build::Woman,
            MannequinBuild::Man => Build::Man,
        });
        let own = match self.height {
            Some(height) => own.with_height(height),
            None => own,
        };
        Proportions {
            chest: self.chest.unwrap_or(own.chest),
            waist: self.waist.unwrap_or(own.waist),
            hip: self.hip.unwrap_or(own.hip),
            thigh: self.thigh.unwrap_or(own.thigh),
            calf: self.calf.unwrap_or(own.calf),
            upper_arm: self.upper_arm.unwrap_or(own.upper_arm),
            neck: self.neck.unwrap_or(own.neck),
            shoulder_width: self.shoulder_width.unwrap_or(own.shoulder_width),
            triangles: self.triangles,
            ..own
        }
    }

    /// The figure's pose at time 0.
    pub fn stance(&self) -> Stance {
        match self.pose {
            Pose::APose => Stance::A,
            Pose::TPose => Stance::T,
            Pose::Stand => Stance::Stand,
            Pose::Sit => Stance::Sit,
        }
    }
}

/// Whose shape the mannequin starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MannequinBuild {
    /// An adult woman, 1.68 m.
    #[default]
    Woman,
    /// An adult man, 1.80 m.
    Man,
}

/// A pose of the mannequin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pose {
    /// Arms half down.
    #[default]
    APose,
    /// Arms out.
    TPose,
    /// Arms down.
    Stand,
    /// On a chair.
    Sit,
}
