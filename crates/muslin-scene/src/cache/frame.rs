//! One frame of a cache: where everything is, how fast it moves, and what the step said.

use muslin::math::Vec3;

use super::error::CacheError;
use super::run::Run;

/// One frame, as written to `frames/`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Simulated time [s].
    pub time: f64,
    /// Cloth vertices [m].
    pub positions: Vec<Vec3>,
    /// Velocities of the cloth vertices [m/s].
    pub velocities: Vec<Vec3>,
    /// Body vertices [m]. Leave it empty when writing a frame whose bodies all stand where
    /// `topology.npz` has them; a frame read back always has them.
    pub bodies: Vec<Vec3>,
    /// What holds each cloth vertex ([`crate::runner::marks`]); empty where nobody knows.
    pub marks: Vec<u8>,
    /// What the simulation reports about this frame. Keep timings out of it: they would differ
    /// from run to run (R3).
    pub report: serde_json::Value,
}

impl Frame {
    /// Checks lengths against the run, and that every number is finite (R5).
    pub(super) fn check(&self, index: u64, run: &Run) -> Result<(), CacheError> {
        let cloth_count = run.cloth_vertex_count();
        let arrays: [(&'static str, &[Vec3], usize, usize); 3] = [
            ("positions", &self.positions, cloth_count, 0),
            ("velocities", &self.velocities, cloth_count, 0),
            ("bodies", &self.bodies, run.body_vertex_count(), cloth_count),
        ];
        for (array, rows, expected, first_vertex) in arrays {
            let may_be_empty = array == "bodies" && rows.is_empty();
            if rows.len() != expected && !may_be_empty {
                let detail = format!("`{array}` has {} rows, expected {expected}", rows.len());
                return Err(CacheError::unfit(format!("frame {index}"), detail));
            }
            if let Some(row) = rows.iter().position(|p| !p.is_finite()) {
                return Err(not_finite(index, array, first_vertex + row, run));
            }
        }
        if !self.marks.is_empty() && self.marks.len() != cloth_count {
            let found = self.marks.len();
            let detail = format!("`marks` has {found} rows, expected {cloth_count} or none");
            return Err(CacheError::unfit(format!("frame {index}"), detail));
        }
        if !self.time.is_finite() {
            let array = "time".to_owned();
            return Err(CacheError::NotFiniteState { frame: index, array, index: 0 });
        }
        Ok(())
    }
}

/// The error that names the surface of a vertex (numbered through) and its number there.
fn not_finite(frame: u64, array: &'static str, vertex: usize, run: &Run) -> CacheError {
    let (surface, vertex) = match run.owner(vertex) {
        Some((surface, local)) => (format!("{} `{}`", surface.kind, surface.name), local),
        None => ("no surface".to_owned(), vertex),
    };
    CacheError::NotFinite { frame, array, vertex, surface }
}
