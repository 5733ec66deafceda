//! The constant properties of a mesh prim: faces and texture coordinates.

use super::{
    cursor::{Cursor, Span, numbers},
    layer::{Attribute, Prim},
};
use crate::{
    formats::{MAX_FACE_CORNERS, ReadError},
    polymesh::CornerUv,
};
use muslin::math::{Vec2, Vec3};

/// Points of a list of numbers.
pub(super) fn vectors(bytes: &[u8], span: &Span, file: &str) -> Result<Vec<Vec3>, ReadError> {
    let numbers = numbers(bytes, span, file)?;
    if !numbers.len().is_multiple_of(3) {
        let cursor = Cursor { bytes, at: span.start, file };
        return cursor.fail(format!("{} numbers are no list of points", numbers.len()));
    }
    Ok(numbers.chunks_exact(3).map(Vec3::from_slice).collect())
}

/// The constant properties of one mesh prim.
pub(super) struct PrimReader<'a> {
    pub(super) prim: &'a Prim,
    pub(super) bytes: &'a [u8],
    pub(super) file: &'a str,
}

impl PrimReader<'_> {
    pub(super) fn fail(&self, problem: impl std::fmt::Display) -> ReadError {
        ReadError::file(self.file, format!("mesh `{}`: {problem}", self.prim.name))
    }

    /// A list of indices that is the same at all times.
    pub(super) fn indices(&self, name: &str) -> Result<Vec<u32>, ReadError> {
        let Some(attribute) = self.prim.attribute(name) else { return Ok(Vec::new()) };
        let Some(first) = attribute.any() else { return Ok(Vec::new()) };
        let same = |span: &Span| self.bytes[span.clone()] == self.bytes[first.clone()];
        if let Some((code, _)) = attribute.samples.iter().find(|(_, span)| !same(span)) {
            let problem = format!("`{name}` changes at time {code}: keep the topology constant");
            return Err(self.fail(problem));
        }
        let values = numbers(self.bytes, first, self.file)?;
        let index = |value: f64| {
            (value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0)
                .then_some(value as u32)
                .ok_or_else(|| self.fail(format!("`{name}` has {value}, which is no index")))
        };
        values.into_iter().map(index).collect()
    }

    pub(super) fn check(
        &self,
        counts: &[u32],
        corners: &[u32],
        vertices: usize,
    ) -> Result<(), ReadError> {
        let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if sum != corners.len() as u64 {
            let found = corners.len();
            let problem = format!("its faces have {sum} corners, but {found} indices follow");
            return Err(self.fail(problem));
        }
        let fits = |count: u32| (3..=MAX_FACE_CORNERS).contains(&(count as usize));
        if let Some(face) = counts.iter().position(|&count| !fits(count)) {
            let problem = format!("face {face} has {} corners: split or remove it", counts[face]);
            return Err(self.fail(problem));
        }
        match corners.iter().find(|&&corner| corner as usize >= vertices) {
            None => Ok(()),
            Some(corner) => {
                Err(self.fail(format!("a face names point {corner}, but there are {vertices}")))
            }
        }
    }

    pub(super) fn is_left_handed(&self) -> bool {
        let orientation = self.prim.attribute("orientation").and_then(|value| value.any());
        orientation.is_some_and(|span| self.bytes[span.clone()] == *b"\"leftHanded\"")
    }

    /// `st`, or else the first list of texture coordinates.
    fn uv_attribute(&self) -> Option<&Attribute> {
        let named = self.prim.attribute("primvars:st").filter(|st| st.any().is_some());
        named.or_else(|| {
            self.prim
                .attributes
                .iter()
                .find(|a| a.kind.starts_with("texCoord2") && a.any().is_some())
        })
    }

    /// Adds one uv per corner, or none for all of them.
    pub(super) fn append_uv(
        &self,
        uv: &mut CornerUv,
        corners: &[u32],
        first_corner: usize,
    ) -> Result<(), ReadError> {
        let total = first_corner + corners.len();
        let Some(attribute) = self.uv_attribute() else {
            uv.corners.resize(total, None);
            return Ok(());
        };
        let Some(span) = attribute.any() else { return Ok(()) };
        let values = numbers(self.bytes, span, self.file)?;
        let first = uv.values.len() as u32;
        uv.values.extend(values.chunks_exact(2).map(Vec2::from_slice));
        let count = uv.values.len() - first as usize;
        let indices = self.indices(&format!("{}:indices", attribute.name))?;
        let places: Vec<u32> = match attribute.interpolation.as_str() {
            "faceVarying" => (0..corners.len() as u32).collect(),
            "vertex" | "varying" => corners.to_vec(),
            _ => vec![0; corners.len()],
        };
        for place in places {
            let index =
                if indices.is_empty() { Some(place) } else { indices.get(place as usize).copied() };
            let known = index.filter(|&index| (index as usize) < count).ok_or_else(|| {
                self.fail(format!("`{}` has too few values for its corners", attribute.name))
            })?;
            uv.corners.push(Some(first + known));
        }
        Ok(())
    }
}
