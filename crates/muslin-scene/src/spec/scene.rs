//! The top of a scene file.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use super::{
    Air, Body, Checks, Cloth, Contact, Finish, Given, Output, Pointer, Render, Solver, Sparse, Wind,
};
use crate::keyframes::Keyed;

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// y points up.
    Y,
    /// z points up.
    #[default]
    Z,
}

impl UpAxis {
    /// The unit vector that points up.
    pub fn vector(self) -> Vec3 {
        match self {
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}

/// A preset for people who do not want to know; keys that are given win over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Few, large steps: look at it now.
    Preview,
    /// The default.
    #[default]
    Standard,
    /// Small steps and tight tolerances.
    Fine,
}

/// A scene: cloths, bodies, air and constraints, and how to simulate them. SI units, angles in
/// degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SceneSpec {
    /// Name; the file's name without its ending when not given.
    pub name: String,
    /// One sentence about the scene.
    pub description: String,
    /// The paper figure it reproduces, such as "BW fig. 1".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
    /// Frames per second [1/s].
    pub fps: f64,
    /// Frames after frame 0, which is the initial state.
    pub frames: u32,
    /// Seed of everything random: turbulence, irregular meshes, rod sections.
    pub seed: u32,
    /// The axis that points up: "z" or "y".
    pub up: UpAxis,
    /// Acceleration of gravity [m/s²]; keyframable. 9.81 m/s² downward when not given.
    pub gravity: Keyed<Vec3>,
    /// Preset for solver and contact settings.
    pub quality: Quality,
    /// How cloth moves.
    pub solver: Solver,
    /// How contact is found and answered.
    pub contact: Contact,
    /// Few particles and curved faces: "sparse" dynamics.
    pub sparse: Sparse,
    /// The air at rest: drag and lift.
    pub air: Air,
    /// The spring by which a pointer drags cloth (BW7).
    pub pointer: Pointer,
    /// Winds.
    pub wind: Vec<Wind>,
    /// Pieces of cloth.
    pub cloth: Vec<Cloth>,
    /// Things that cloth meets.
    pub body: Vec<Body>,
    /// Pictures.
    pub render: Render,
    /// The cache.
    pub output: Output,
    /// What `muslin finish` does with the cache.
    pub finish: Finish,
    /// What must be true of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    /// The folder of the scene file, which paths in the scene are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Meshes that a program gives, instead of files.
    #[serde(skip)]
    pub given: Given,
}

impl Default for SceneSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            figure: None,
            fps: 24.0,
            frames: 100,
            seed: 1,
            up: UpAxis::Z,
            gravity: Keyed::Constant(Vec3::new(0.0, 0.0, -9.81)),
            quality: Quality::Standard,
            solver: Solver::default(),
            contact: Contact::default(),
            sparse: Sparse::default(),
            air: Air::default(),
            pointer: Pointer::default(),
            wind: Vec::new(),
            cloth: Vec::new(),
            body: Vec::new(),
            render: Render::default(),
            output: Output::default(),
            finish: Finish::default(),
            checks: None,
            folder: PathBuf::new(),
            given: Given::default(),
        }
    }
}

impl SceneSpec {
    /// The largest step the solver may take [s].
    pub fn max_step(&self) -> f64 {
        let frame = 1.0 / self.fps;
        self.solver.max_step.unwrap_or(frame / f64::from(self.solver.steps_per_frame)).min(frame)
    }

    /// Time from frame 0 to the last frame [s].
    pub fn duration(&self) -> f64 {
        f64::from(self.frames) / self.fps
    }
}
