//! What a garment shows, and what may be changed between two frames.

use super::{Garment, GarmentState, MANY_PARTICLES};
use crate::finish::CurvedFaces;
use crate::link::Pull;
use crate::math::{Vec2, Vec3};
use crate::sparse::report::Report;
use crate::sparse::spec::GarmentError;

impl Garment {
    /// Whether there is so much to do in a frame that the threads of a pool share it, if [`Garment::update`] is called
    /// from inside of one.
    pub fn can_share(&self) -> bool {
        self.state.positions.len() >= MANY_PARTICLES || self.surface.can_share()
    }

    /// Vertices of the drawn surface \[m\].
    pub fn positions(&self) -> &[Vec3] {
        self.surface.positions()
    }

    /// Unit normals of the drawn vertices.
    pub fn normals(&self) -> &[Vec3] {
        self.surface.normals()
    }

    /// Triangles of the drawn surface; they never change.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.surface.triangles()
    }

    /// Indices of the drawn surface, three per triangle; they never change.
    pub fn indices(&self) -> &[u32] {
        self.surface.triangles().as_flattened()
    }

    /// Rest coordinates \[m\] of every corner of every drawn triangle; they never change.
    pub fn uv(&self) -> &[[Vec2; 3]] {
        self.surface.uv()
    }

    /// Positions of the particles \[m\].
    pub fn particles(&self) -> &[Vec3] {
        &self.state.positions
    }

    /// The drawn surface with all it knows.
    pub fn surface(&self) -> &CurvedFaces {
        &self.surface
    }

    /// Report of the last update.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Spring constant in use \[N/m\].
    pub fn stiffness(&self) -> f64 {
        self.springs.stiffness
    }

    /// Kinetic energy of the free particles \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        self.springs.kinetic_energy(&self.state.velocities)
    }

    /// Changes the wind from the next frame on \[m/s\]; a wind that is not finite is ignored.
    pub fn set_wind(&mut self, wind: Vec3) {
        if wind.is_finite() {
            self.springs.air.wind = wind;
        }
    }

    /// Sets the wind at every face from a function of place, from the next frame on \[m/s\]: gusts,
    /// cones and cylinders (XU3), besides the wind of [`Garment::set_wind`]. Winds that are not finite
    /// are ignored.
    pub fn set_gusts(&mut self, velocity: impl Fn(Vec3) -> Vec3) {
        let x = &self.state.positions;
        for (t, gust) in self.surface.mesh().triangles().iter().zip(&mut self.springs.gusts) {
            let [a, b, c] = t.map(|v| x[v as usize]);
            let wind = velocity((a + b + c) / 3.0);
            if wind.is_finite() {
                *gust = wind;
            }
        }
    }

    /// Changes gravity from the next frame on \[m/s²\]; one that is not finite is ignored.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        if gravity.is_finite() {
            self.springs.gravity = gravity;
        }
    }

    /// Pulls a particle towards a place, which it holds at the end of the next frame, or lets go (BW7);
    /// numbers that are not finite and particles that do not exist are ignored.
    pub fn set_pull(&mut self, pull: Option<(usize, Pull)>) {
        let count = self.state.positions.len();
        self.pull = pull.filter(|(particle, pull)| *particle < count && pull.is_valid());
    }

    /// All that changes, for a checkpoint.
    pub fn state(&self) -> &GarmentState {
        &self.state
    }

    /// Goes back to a checkpoint; the surface is drawn without regard to the body until the next frame.
    pub fn restore(&mut self, state: &GarmentState) -> Result<(), GarmentError> {
        let expected = self.state.positions.len();
        let found = state.positions.len().min(state.velocities.len());
        if state.positions.len() != expected || state.velocities.len() != expected {
            return Err(GarmentError::StateCount { expected, found });
        }
        if let Some(particle) = state.velocities.iter().position(|v| !v.is_finite()) {
            return Err(GarmentError::Diverged { particle });
        }
        self.surface.update(&state.positions)?;
        self.state.clone_from(state);
        Ok(())
    }
}
