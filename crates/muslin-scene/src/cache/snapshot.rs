//! A checkpoint's contents: named arrays, whatever the next step reads (R3).

use super::error::CacheError;

/// The one name a snapshot may not use: the checkpoint file keeps its frame number there.
pub(super) const FRAME_ENTRY: &str = "frame";

/// The state of a run, as a list of named flat arrays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    arrays: Vec<(String, Array)>,
}

/// The numbers of one array.
#[derive(Debug, Clone, PartialEq)]
pub enum Array {
    /// Real numbers; they must be finite (R5).
    F64(Vec<f64>),
    /// Counts, indices, bits of a random state.
    U64(Vec<u64>),
    /// Flags, or text.
    U8(Vec<u8>),
}

impl From<Vec<f64>> for Array {
    fn from(numbers: Vec<f64>) -> Self {
        Self::F64(numbers)
    }
}

impl From<Vec<u64>> for Array {
    fn from(numbers: Vec<u64>) -> Self {
        Self::U64(numbers)
    }
}

impl From<Vec<u8>> for Array {
    fn from(bytes: Vec<u8>) -> Self {
        Self::U8(bytes)
    }
}

impl Snapshot {
    /// Adds an array. Names are letters, digits, `_` and `.`, each used once.
    pub fn push(&mut self, name: impl Into<String>, array: impl Into<Array>) {
        self.arrays.push((name.into(), array.into()));
    }

    /// All arrays, in the order they were added.
    pub fn arrays(&self) -> &[(String, Array)] {
        &self.arrays
    }

    /// The array of that name.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.arrays
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, array)| array)
    }

    /// The real numbers of that name; `None` where there are none, or they are of another kind.
    pub fn f64s(&self, name: &str) -> Option<&[f64]> {
        match self.get(name) {
            Some(Array::F64(numbers)) => Some(numbers),
            _ => None,
        }
    }

    /// The whole numbers of that name; `None` where there are none, or they are of another kind.
    pub fn u64s(&self, name: &str) -> Option<&[u64]> {
        match self.get(name) {
            Some(Array::U64(numbers)) => Some(numbers),
            _ => None,
        }
    }

    /// The bytes of that name; `None` where there are none, or they are of another kind.
    pub fn u8s(&self, name: &str) -> Option<&[u8]> {
        match self.get(name) {
            Some(Array::U8(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Checks names, and that every number is finite (R5).
    pub(super) fn check(&self, frame: u64) -> Result<(), CacheError> {
        let unfit = |detail| CacheError::unfit(format!("checkpoint {frame}"), detail);
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
        for (i, (name, array)) in self.arrays.iter().enumerate() {
            if name.is_empty() || name == FRAME_ENTRY || !name.bytes().all(is_plain) {
                return Err(unfit(format!("an array cannot be called `{name}`")));
            }
            if self.arrays[..i].iter().any(|(earlier, _)| earlier == name) {
                return Err(unfit(format!("two arrays are called `{name}`")));
            }
            let Array::F64(numbers) = array else { continue };
            if let Some(index) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(CacheError::NotFiniteState {
                    frame,
                    array: name.clone(),
                    index,
                });
            }
        }
        Ok(())
    }
}
