//! The two ways of cleaning up cloth that is in bodies: flattening it onto them, or keeping its wrinkles.

use super::cleanup::{CleanUp, clean_up};
use super::guard::{HalfSpace, Obstacles, move_guarded};
use super::push_clear::BodyField;
use super::solids::BodySolids;
use crate::judge;
use crate::levelset::Sample;
use crate::math::Vec3;

/// How cloth is moved out of what, at one moment.
#[derive(Clone, Copy, Debug)]
pub enum Cleaner<'a> {
    /// Everything nearer than a margin comes to lie on it, triangles and all: sunken wrinkles go flat.
    Flatten(BodyField<'a>),
    /// Vertices come out in the order of their depths (MF8).
    KeepWrinkles(WrinkleField<'a>),
}

/// What cloth is moved out of at one moment, keeping its wrinkles (MF8).
#[derive(Clone, Copy, Debug)]
pub struct WrinkleField<'a> {
    /// Meshes.
    pub solids: &'a BodySolids,
    /// Planes.
    pub planes: &'a [HalfSpace],
    /// Least distance, reach and expected depth.
    pub settings: CleanUp,
}

/// What a clean-up did to the vertices of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleanCounts {
    /// Vertices moved.
    pub moved: usize,
    /// Vertices inside two bodies at once, left alone.
    pub pinched: usize,
    /// Vertices that did not get to their place: others, or a ridge of the distance, were in the way.
    pub stuck: usize,
}

impl Cleaner<'_> {
    /// Whether only the finished mesh is cleaned. Keeping wrinkles squeezes all that is near a body into a
    /// layer, which must happen once; flattening twice is like flattening once.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::KeepWrinkles(_))
    }

    /// Positions outside of `obstacles`, whose distances this knows, and what was done.
    pub fn clear(
        &self,
        x: &[Vec3],
        triangles: &[[u32; 3]],
        obstacles: &Obstacles,
    ) -> (Vec<Vec3>, CleanCounts) {
        match self {
            Self::Flatten(field) => {
                let (positions, moved) = field.clear(x, triangles, obstacles);
                (positions, CleanCounts { moved, ..CleanCounts::default() })
            }
            Self::KeepWrinkles(field) => field.clear(x, triangles),
        }
    }
}

/// One part of what cloth is moved out of.
enum Part<'a> {
    Solid(&'a BodySolids, usize),
    Plane(HalfSpace),
}

impl Part<'_> {
    /// Its distance where that may be below `reach` \[m\].
    fn sample(&self, x: Vec3, reach: f64) -> Option<Sample> {
        match self {
            Self::Solid(solids, index) => solids.sample(*index, x, reach),
            Self::Plane(plane) => {
                Some(Sample { distance: plane.distance(x), gradient: plane.normal })
            }
        }
    }
}

impl WrinkleField<'_> {
    /// Vertices in their new places. Depths keep their order, so layers of cloth do as well; should
    /// triangles cross that did not before, the way is guarded, and what cannot go stays back.
    fn clear(&self, x: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, CleanCounts) {
        let solids = (0..self.solids.len()).map(|index| Part::Solid(self.solids, index));
        let parts: Vec<Part> = solids.chain(self.planes.iter().copied().map(Part::Plane)).collect();
        let reach = self.settings.reach;
        let fields: Vec<_> =
            parts.iter().map(|part| move |x: Vec3| part.sample(x, reach)).collect();
        let mut wanted = x.to_vec();
        let done = clean_up(&mut wanted, &fields, &self.settings);
        let mut counts =
            CleanCounts { moved: done.moved, pinched: done.pinched, stuck: done.stuck };
        if done.moved == 0 {
            return (wanted, counts);
        }
        let crossings = |x: &[Vec3]| judge::intersecting_pairs(x, triangles).len();
        let after = crossings(&wanted);
        if after == 0 || after <= crossings(x) {
            return (wanted, counts);
        }
        let guarded = move_guarded(x, &wanted, triangles, &Obstacles::default()).positions;
        counts.stuck += guarded.iter().zip(&wanted).filter(|(is, wanted)| is != wanted).count();
        (guarded, counts)
    }
}
