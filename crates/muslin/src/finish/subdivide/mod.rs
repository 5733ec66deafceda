//! Subdivision that never makes cloth cross (BF13): clean-up, midpoint split, Loop smoothing with masks that
//! have no negative weight, and the way to the smooth place stopped at collisions; any number of levels, each
//! frame on its own.
//!
//! ```
//! use muslin::finish::Obstacles;
//! use muslin::finish::subdivide::{Cage, Subdivision};
//! use muslin::mesh::{Diagonals, Sheet};
//!
//! let Sheet { mut positions, mesh } = Sheet::grid([1.0, 1.0], [5, 5], Diagonals::Alternating)?;
//! for p in &mut positions {
//!     p.z = 0.3 * (6.0 * p.x).sin();
//! }
//! let twice = Subdivision::new(Cage::new(mesh), 2)?;
//! let smooth = twice.apply(&positions, &Obstacles::default(), None);
//! assert_eq!(smooth.positions.len(), 17 * 17);
//! assert!(smooth.levels.iter().all(|crossings| crossings.total() == 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod level;
mod mask;
mod rules;

pub use level::{Cage, Level};
pub use mask::{Mask, tangent_eigenvalue};

use super::cleaner::{CleanCounts, Cleaner};
use super::crossings::Crossings;
use super::guard::{Obstacles, move_guarded};
use crate::math::Vec3;
use crate::mesh::MeshError;
use thiserror::Error;

/// Most vertices of a subdivided cloth; more are refused before memory is taken.
const MOST_VERTICES: usize = 50_000_000;

/// Why a mesh cannot be subdivided.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SubdivideError {
    /// The mesh is no cloth.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// More than memory should hold.
    #[error(
        "{levels} levels would make about {count:.0e} vertices, more than {MOST_VERTICES}; use fewer \
         levels"
    )]
    TooLarge {
        /// Levels asked for.
        levels: u32,
        /// Vertices there would be, about.
        count: f64,
    },
}

/// All levels of a mesh, worked out once for all its frames.
#[derive(Clone, Debug)]
pub struct Subdivision {
    cage: Cage,
    levels: Vec<Level>,
}

/// A subdivided frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subdivided {
    /// Positions of the finest level \[m\].
    pub positions: Vec<Vec3>,
    /// What the judge finds at each level; the first is the frame itself, after clean-up.
    pub levels: Vec<Crossings>,
    /// Contacts that stopped smoothing, at each level after the first.
    pub contacts: Vec<usize>,
    /// Vertices that smoothing had to hold back, at each level after the first.
    pub held: Vec<usize>,
    /// What clean-up did, at each level; only at the last where it keeps wrinkles.
    pub cleaned: Vec<CleanCounts>,
}

impl Subdivision {
    /// Plans `count` levels.
    pub fn new(cage: Cage, count: u32) -> Result<Self, SubdivideError> {
        let expected = cage.mesh.vertex_count() as f64 * 4f64.powf(f64::from(count));
        if expected > MOST_VERTICES as f64 {
            return Err(SubdivideError::TooLarge { levels: count, count: expected });
        }
        let mut levels: Vec<Level> = Vec::new();
        for _ in 0..count {
            let level = Level::new(levels.last().map_or(&cage, Level::fine))?;
            levels.push(level);
        }
        Ok(Self { cage, levels })
    }

    /// The finest mesh.
    pub fn finest(&self) -> &Cage {
        self.levels.last().map_or(&self.cage, Level::fine)
    }

    /// The levels, coarse to fine.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Vectors of the coarse vertices, linear in between: for velocities.
    pub fn split(&self, coarse: &[Vec3]) -> Vec<Vec3> {
        self.levels.iter().fold(coarse.to_vec(), |x, level| level.split(&x))
    }

    /// Subdivides a frame with its vertices at `x` \[m\] among `obstacles`, cleaned first where that is asked
    /// for, and again at each level. A clean-up that keeps wrinkles happens at the last level alone; until
    /// then cloth may be inside obstacles, and passes through them.
    pub fn apply(
        &self,
        x: &[Vec3],
        obstacles: &Obstacles,
        cleaner: Option<&Cleaner>,
    ) -> Subdivided {
        let mut done = Subdivided { positions: x.to_vec(), ..Subdivided::default() };
        let nothing = Obstacles::default();
        let waits = cleaner.is_some_and(Cleaner::is_last);
        let in_the_way = if waits { &nothing } else { obstacles };
        let at = |level: usize| cleaner.filter(|_| !waits || level == self.levels.len());
        done.clean(&self.cage, obstacles, at(0));
        for (number, level) in self.levels.iter().enumerate() {
            let fine = level.fine();
            let (start, wanted) = (level.split(&done.positions), level.smooth(&done.positions));
            let moved = move_guarded(&start, &wanted, fine.mesh.triangles(), in_the_way);
            done.positions = moved.positions;
            done.contacts.push(moved.contacts);
            done.held.push(moved.held);
            done.clean(fine, obstacles, at(number + 1));
        }
        done
    }
}

impl Subdivided {
    /// Moves the cloth out of bodies and judges it.
    fn clean(&mut self, cage: &Cage, obstacles: &Obstacles, cleaner: Option<&Cleaner>) {
        let triangles = cage.mesh.triangles();
        if let Some(cleaner) = cleaner {
            let (positions, counts) = cleaner.clear(&self.positions, triangles, obstacles);
            self.positions = positions;
            self.cleaned.push(counts);
        }
        self.levels.push(Crossings::judge(&self.positions, triangles, obstacles));
    }
}

#[cfg(test)]
mod tests;
