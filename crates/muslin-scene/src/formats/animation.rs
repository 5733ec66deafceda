//! What the animation writers share: the clip, its meshes, and where frames come from.

use super::WriteProblem;
use crate::polymesh::{PolyMesh, UpAxis};
use muslin::math::Vec3;
use std::error::Error;

/// An error of a [`FrameSource`].
pub type SourceError = Box<dyn Error + Send + Sync>;

/// The timing and axes of an exported file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// The number of frames; they are numbered from 0.
    pub frame_count: usize,
    /// Frames per second [1/s].
    pub fps: f64,
    /// The up axis of the file. Frames are given z up and are turned where it differs.
    pub up: UpAxis,
}

/// A mesh to export.
#[derive(Debug, Clone, Copy)]
pub struct AnimatedMesh<'a> {
    /// Faces, uv and materials; its positions are not used.
    pub mesh: &'a PolyMesh,
    /// What to call it.
    pub name: &'a str,
    /// Linear red, green and blue, 0 to 1.
    pub color: Option<[f64; 3]>,
    /// Whether it moves. Of a mesh that does not, only frame 0 is asked for.
    pub animated: bool,
}

/// One mesh at one moment, z up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Where the vertices are [m].
    pub positions: Vec<Vec3>,
    /// How fast they move [m/s], where that is known.
    pub velocities: Option<Vec<Vec3>>,
    /// When [s].
    pub time: f64,
}

/// Where frames come from, one at a time, so that memory stays bounded. Formats that keep one
/// quantity after the other (USD, NPZ) ask for the same frame several times.
pub trait FrameSource {
    /// The given frame of the given mesh, both counted from 0. Formats of one mesh ask for mesh 0.
    fn frame(&mut self, mesh: usize, frame: usize) -> Result<Frame, SourceError>;
}

impl<F: FnMut(usize, usize) -> Result<Frame, SourceError>> FrameSource for F {
    fn frame(&mut self, mesh: usize, frame: usize) -> Result<Frame, SourceError> {
        self(mesh, frame)
    }
}

impl Clip {
    /// Refuses timing that no format can say.
    pub(super) fn check(&self) -> Result<(), WriteProblem> {
        if self.frame_count == 0 {
            return Err(WriteProblem::Invalid("the clip has no frames: give at least one".into()));
        }
        if !(self.fps > 0.0 && self.fps.is_finite()) {
            let problem = format!("{} frames per second: give a positive number", self.fps);
            return Err(WriteProblem::Invalid(problem));
        }
        Ok(())
    }

    /// A frame, checked against the mesh, in the axes of the file.
    pub(super) fn fetch(
        &self,
        source: &mut impl FrameSource,
        (mesh_index, mesh): (usize, &PolyMesh),
        frame: usize,
    ) -> Result<Frame, WriteProblem> {
        let fetched = source.frame(mesh_index, frame);
        let mut fetched = fetched.map_err(|source| WriteProblem::Source { frame, source })?;
        let expected = mesh.vertex_count();
        let lists = [
            ("positions", Some(&mut fetched.positions)),
            ("velocities", fetched.velocities.as_mut()),
        ];
        for (what, list) in lists {
            let Some(list) = list else { continue };
            if list.len() != expected {
                return Err(WriteProblem::FrameLength { frame, what, found: list.len(), expected });
            }
            if let Some(vertex) = list.iter().position(|value| !value.as_vec3().is_finite()) {
                return Err(WriteProblem::NotFinite { frame, what, vertex });
            }
            for value in list {
                *value = self.up.file_from_world(*value);
            }
        }
        Ok(fetched)
    }

    /// A count as the signed 32-bit number that PC2 and MDD keep it in.
    pub(super) fn count_i32(what: &str, count: usize) -> Result<i32, WriteProblem> {
        i32::try_from(count).map_err(|_| WriteProblem::TooLarge {
            what: format!("the number of {what}"),
            size: count as u64,
            limit: i32::MAX as u64,
            advice: "export fewer",
        })
    }
}
