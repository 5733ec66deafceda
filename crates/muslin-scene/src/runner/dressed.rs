//! A dressed state as a file: positions of every cloth, so that a garment is sewn once and used often.
//!
//! A numpy archive with `positions_0`, `positions_1`, …, one array (vertices, 3) [m] for each cloth of the
//! scene, in its order; `initial` of a cloth reads its own, or an array called `positions`.

use super::{RunError, Runner};
use crate::formats::npy::{Array, Values};
use crate::formats::npz;
use muslin::math::Vec3;
use std::path::Path;

impl Runner {
    /// Writes the positions of all cloths at the present frame.
    pub fn save_positions(&self, path: &Path) -> Result<(), RunError> {
        let place = path.display().to_string();
        let fail = |error: &dyn std::fmt::Display| RunError::part(&place, error);
        let all = self.frame().positions;
        let mut first = 0;
        let mut arrays = Vec::new();
        for (k, piece) in self.pieces.iter().enumerate() {
            let count = piece.positions.len();
            let flat = all[first..first + count].iter().flat_map(Vec3::to_array).collect();
            let array = Array::new(&[count, 3], Values::F64(flat)).map_err(|e| fail(&e))?;
            arrays.push((format!("positions_{k}"), array));
            first += count;
        }
        let named = arrays.iter().map(|(name, array)| (name.as_str(), array));
        npz::write(path, named).map_err(|e| fail(&e))
    }
}

/// The positions of cloth number `k` in a dressed state.
pub fn read(path: &Path, k: usize, place: &str) -> Result<Vec<Vec3>, RunError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path)
        .map_err(|error| RunError::part(place, format!("{file} cannot be read: {error}")))?;
    let arrays = npz::read(&bytes, &file)
        .map_err(|source| RunError::File { place: place.to_owned(), source })?;
    let own = format!("positions_{k}");
    let find = |name: &str| arrays.iter().find(|(n, _)| n == name).map(|(_, array)| array);
    let array = find(&own).or_else(|| find("positions")).ok_or_else(|| {
        let message =
            format!("{file} has no array `{own}` or `positions`; save it with muslin dress");
        RunError::part(place, message)
    })?;
    match (array.shape(), array.values()) {
        ([_, 3], Values::F64(flat)) if flat.iter().all(|x| x.is_finite()) => {
            Ok(flat.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect())
        }
        (shape, _) => {
            let message = format!(
                "{file}: expected finite 64-bit positions of shape (vertices, 3), found shape {shape:?}"
            );
            Err(RunError::part(place, message))
        }
    }
}
