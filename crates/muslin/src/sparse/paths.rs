//! How far particles have gone within a step.

use crate::math::Vec3;

/// The ways of all particles since the step began.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    /// Where they were seen last \[m\].
    seen: Vec<Vec3>,
    /// How far each has gone in all \[m\].
    lengths: Vec<f64>,
}

impl Paths {
    /// For particles at `x` \[m\].
    pub fn new(x: &[Vec3]) -> Self {
        Self { seen: x.to_vec(), lengths: vec![0.0; x.len()] }
    }

    /// Begins a step at `x` \[m\].
    pub fn begin(&mut self, x: &[Vec3]) {
        self.seen.copy_from_slice(x);
        self.lengths.fill(0.0);
    }

    /// Adds what these particles, now at `x` \[m\], have gone since they were seen.
    #[inline]
    pub fn follow(&mut self, x: &[Vec3], particles: impl IntoIterator<Item = usize>) {
        for i in particles {
            if x[i] != self.seen[i] {
                self.lengths[i] += x[i].distance(self.seen[i]);
                self.seen[i] = x[i];
            }
        }
    }

    /// The ways of these particles together \[m\].
    #[inline]
    pub fn of<const N: usize>(&self, particles: [usize; N]) -> f64 {
        particles.into_iter().fold(0.0, |sum, v| sum + self.lengths[v])
    }

    /// Addresses and capacities of the lists.
    #[cfg(test)]
    pub fn buffers(&self) -> [(usize, usize); 2] {
        [
            (self.seen.as_ptr() as usize, self.seen.capacity()),
            (self.lengths.as_ptr() as usize, self.lengths.capacity()),
        ]
    }
}
