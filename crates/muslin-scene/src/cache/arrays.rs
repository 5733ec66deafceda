//! The arrays of one archive, taken out by name and kind. Shapes are not looked at here: whoever
//! takes the numbers checks their count, and compares the file with its contents encoded again.

use muslin::math::Vec3;

use super::snapshot::FRAME_ENTRY;
use crate::formats::npy::{Array, Values};
use crate::formats::npz;

/// What an archive holds and has not been taken yet, in file order.
pub(super) struct Arrays(Vec<(String, Array)>);

impl Arrays {
    /// All arrays of an archive; checksums and sizes are verified.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        npz::read(bytes, "archive").map(Self).map_err(|e| e.to_string())
    }

    /// Takes the frame number and checks that it is the one in the file's name.
    pub(super) fn expect_frame(&mut self, index: u64) -> Result<(), String> {
        match self.take(FRAME_ENTRY)? {
            Values::I64(number) if number == [index.cast_signed()] => Ok(()),
            other => Err(format!("it holds frame {other:?}, not {index}")),
        }
    }

    /// Whether there is an array of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }

    pub(super) fn f64s(&mut self, name: &str) -> Result<Vec<f64>, String> {
        match self.take(name)? {
            Values::F64(numbers) => Ok(numbers),
            other => Err(wrong_kind(name, &other)),
        }
    }

    pub(super) fn u32s(&mut self, name: &str) -> Result<Vec<u32>, String> {
        match self.take(name)? {
            Values::U32(numbers) => Ok(numbers),
            other => Err(wrong_kind(name, &other)),
        }
    }

    /// Indices, −1 for none. Other negative numbers are taken for none too: encoded again, they
    /// are not what the file says.
    pub(super) fn indices(&mut self, name: &str) -> Result<Vec<Option<u32>>, String> {
        match self.take(name)? {
            Values::I32(numbers) => Ok(numbers.iter().map(|&n| u32::try_from(n).ok()).collect()),
            other => Err(wrong_kind(name, &other)),
        }
    }

    pub(super) fn u8s(&mut self, name: &str) -> Result<Vec<u8>, String> {
        match self.take(name)? {
            Values::U8(bytes) => Ok(bytes),
            other => Err(wrong_kind(name, &other)),
        }
    }

    /// Rows of three numbers.
    pub(super) fn rows(&mut self, name: &str) -> Result<Vec<Vec3>, String> {
        let numbers = self.f64s(name)?;
        let (rows, _) = numbers.as_chunks::<3>();
        Ok(rows.iter().map(|row| Vec3::from_array(*row)).collect())
    }

    /// The arrays that are left.
    pub(super) fn into_rest(self) -> impl Iterator<Item = (String, Values)> {
        self.0.into_iter().map(|(name, array)| (name, array.into_values()))
    }

    fn take(&mut self, name: &str) -> Result<Values, String> {
        let at = self.0.iter().position(|(n, _)| n == name);
        let at = at.ok_or_else(|| format!("it has no array `{name}`"))?;
        Ok(self.0.remove(at).1.into_values())
    }
}

/// The message for numbers of a kind that the cache does not write there.
pub(super) fn wrong_kind(name: &str, values: &Values) -> String {
    format!("`{name}` holds numbers of kind {:?}", values.kind())
}
