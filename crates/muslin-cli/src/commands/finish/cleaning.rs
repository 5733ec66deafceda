//! Options of clean-up (MF8).

use super::positive;
use crate::Failure;
use clap::{Args, ValueEnum};
use muslin::finish::cleanup::CleanUp;
use muslin_scene::finish::Cleaning;
use muslin_scene::spec::Cleanup;

/// How cloth leaves bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Manner {
    /// In the order of depths: wrinkles that have sunk in stay wrinkles
    Wrinkles,
    /// Pushed onto the surface: wrinkles that have sunk in go flat
    Flat,
}

/// Arguments of clean-up.
#[derive(Args, Debug)]
pub struct CleaningArguments {
    /// Move cloth out of bodies it is in, keeping its wrinkles; `=flat` pushes it out instead
    #[arg(
        long,
        value_enum,
        value_name = "MANNER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "wrinkles"
    )]
    pub cleanup: Option<Manner>,
    /// The least distance from bodies after clean-up, ε [m]; the scene's, or 0.001, when not given
    #[arg(long, value_name = "METRES", requires = "cleanup")]
    pub clearance: Option<f64>,
    /// Clean-up leaves alone what is farther from bodies than this, τ [m]; the scene's, or 0.01, when
    /// not given
    #[arg(long, value_name = "METRES", requires = "cleanup")]
    pub reach: Option<f64>,
    /// How deep in bodies cloth is expected to be [m]; what is deeper comes out as well, squeezed
    /// together; the scene's, or 0.01, when not given
    #[arg(long, value_name = "METRES", requires = "cleanup")]
    pub depth: Option<f64>,
}

impl CleaningArguments {
    /// What is asked for, with what the scene says where the arguments do not.
    pub fn settings(&self, scene: Option<&Cleanup>) -> Result<Option<Cleaning>, Failure> {
        let Some(manner) = self.cleanup else { return Ok(None) };
        for (name, value) in
            [("--clearance", self.clearance), ("--reach", self.reach), ("--depth", self.depth)]
        {
            positive(name, value, "distance in metres")?;
        }
        let margin = scene.map_or(1e-3, |cleanup| cleanup.margin);
        let least = self.clearance.unwrap_or(margin);
        if manner == Manner::Flat {
            return Ok(Some(Cleaning::Flatten(least)));
        }
        let reach = self.reach.or(scene.map(|cleanup| cleanup.reach)).unwrap_or(0.01);
        if reach <= least {
            let message = format!(
                "cloth within {reach} m of bodies cannot be moved to {least} m and farther: \
                 give a --reach above the --clearance"
            );
            return Err(Failure::argument("--reach", message));
        }
        let expected_depth = self.depth.or(scene.map(|cleanup| cleanup.depth)).unwrap_or(0.01);
        Ok(Some(Cleaning::KeepWrinkles(CleanUp { least, reach, expected_depth })))
    }
}
