//! Faces that no part is near to, found by threads before the others are moved one after the other (OS3).

use super::faces::{FaceLooks, Look, WATCHED};
use super::{Collider, Particles};
use crate::collide::aabb::Aabb;
use crate::math::{Vec2, Vec3};
use crate::share::{Share, Wide};
use crate::sparse::drawn_nearness::rows_in;
use crate::sparse::nearness::Nearness;

/// Faces that a thread looks at at once.
const AT_ONCE: usize = 64;

/// What was found out as a step began.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    /// Whether it holds.
    holds: bool,
    /// How far beyond the thickness every face is from all parts, at least \[m\]; not a number where one is near.
    spare: Vec<f64>,
    /// Whether each particle has moved since.
    moved: Vec<bool>,
    /// Where searches of every face ended, part by part, where there were any: they count only for a face whose turn
    /// comes before it has moved.
    searches: Vec<Option<Vec2>>,
    searched: Vec<bool>,
}

/// What faces have to spare, whether there were searches, and where these ended.
type Faces<'a> = (&'a mut [f64], (&'a mut [bool], Wide<'a, Option<Vec2>>));

impl Ahead {
    /// Nothing is known yet of so many particles and faces.
    pub fn new(particles: usize, faces: usize) -> Self {
        let (spare, searched) = (vec![f64::NAN; faces], vec![false; faces]);
        let moved = vec![false; particles];
        Self { holds: false, spare, moved, searches: Vec::new(), searched }
    }

    /// It does not hold any more.
    pub fn forget(&mut self) {
        self.holds = false;
    }

    /// Takes note that these particles moved.
    pub fn moved(&mut self, particles: [usize; 3]) {
        for v in particles {
            self.moved[v] = true;
        }
    }

    /// What a face with these corners has to spare \[m\], if it is known; then `own` searches end as they did.
    #[inline]
    pub fn take(&self, face: usize, corners: [usize; 3], own: &mut [Option<Vec2>]) -> Option<f64> {
        let known = self.holds && !corners.into_iter().any(|v| self.moved[v]);
        let spare = known.then(|| self.spare[face]).filter(|spare| !spare.is_nan())?;
        if self.searched[face] {
            own.copy_from_slice(&self.searches[face * own.len()..(face + 1) * own.len()]);
        }
        Some(spare)
    }
}

impl Collider<'_> {
    /// Has threads, if there are any, look at all faces as they are now.
    pub fn look_ahead(
        &self,
        cloth: &Particles,
        triangles: &[[u32; 3]],
        nearness: &Nearness,
        looks: &mut FaceLooks,
    ) {
        if nearness.share == Share::Alone {
            return;
        }
        let FaceLooks { ahead, searches, parts, .. } = looks;
        let parts = *parts;
        ahead.holds = true;
        ahead.moved.fill(false);
        ahead.searches.resize(searches.len(), None);
        let at = [cloth.before, &*cloth.x];
        let Ahead { spare, searched, searches: ends, .. } = ahead;
        let rows = (spare.as_mut_slice(), (searched.as_mut_slice(), Wide::new(ends, parts)));
        nearness.share.each(rows, AT_ONCE, |first, (spare, (searched, mut ends)): Faces| {
            for (i, (spare, searched)) in spare.iter_mut().zip(searched).enumerate() {
                let face = first + i;
                let index = triangles[face].map(|v| v as usize);
                let rows = nearness.rows_of(index, index.map(|v| at[1][v]));
                (*spare, *searched) = (WATCHED, rows != 0);
                if *searched {
                    let ends = ends.row(i);
                    ends.copy_from_slice(&searches[face * parts..(face + 1) * parts]);
                    *spare = self.quiet(at, nearness, (index, rows), ends).unwrap_or(f64::NAN);
                }
            }
        });
    }

    /// How far beyond the thickness a face is from all parts in these rows, at least \[m\], if none is near.
    fn quiet(
        &self,
        at: [&[Vec3]; 2],
        nearness: &Nearness,
        (index, rows): ([usize; 3], u64),
        searches: &mut [Option<Vec2>],
    ) -> Option<f64> {
        let bounds = Aabb::around(index.map(|v| at[1][v])).grown(self.reach());
        let mut spare = WATCHED;
        for row in rows_in(rows, self.body.near.len()) {
            let part = self.body.near[row];
            if bounds.overlaps(&self.body.now[part].bounds) {
                let look = Look { index, row, part };
                let least = self.deepest(at, nearness, look, &mut searches[part]).err()?;
                spare = spare.min(least - self.thickness);
            }
        }
        Some(spare)
    }
}
