//! Typed arrays of a glTF file. Every count is checked against the bytes behind it.

use super::document::{Accessor, Document};
use crate::formats::ReadError;
use muslin::math::Vec3;
use std::cell::Cell;

/// Numbers a file may unpack to, besides those in proportion to its size: instances and sparse
/// arrays can ask for far more than the file holds.
const FREE_NUMBERS: usize = 1 << 24;

/// Numbers that each byte of the file may unpack to.
const NUMBERS_PER_BYTE: usize = 16;

/// How one element is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar = 1,
    Vec2 = 2,
    Vec3 = 3,
    Vec4 = 4,
    Mat4 = 16,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat4 => "MAT4",
        }
    }
}

/// The number types of glTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in `bytes`, which are as many as [`Self::size`] says.
    fn decode(self, bytes: &[u8], normalized: bool) -> f64 {
        let byte = |index: usize| bytes.get(index).copied().unwrap_or(0);
        let two = [byte(0), byte(1)];
        let four = [byte(0), byte(1), byte(2), byte(3)];
        let (value, largest) = match self {
            Self::I8 => (f64::from(byte(0).cast_signed()), 127.0),
            Self::U8 => (f64::from(byte(0)), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes(two)), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes(two)), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(four)), f64::from(u32::MAX)),
            Self::F32 => return f64::from(f32::from_le_bytes(four)),
        };
        if normalized { (value / largest).max(-1.0) } else { value }
    }
}

/// Where an array lies: a buffer view, a place in it, and how its elements follow each other.
struct Place {
    view: usize,
    offset: usize,
    component: Component,
    normalized: bool,
    width: usize,
    count: usize,
}

/// The arrays of a file.
pub(super) struct Accessors<'a> {
    document: &'a Document,
    buffers: &'a [Vec<u8>],
    pub(super) file: &'a str,
    /// Numbers that may still be unpacked.
    left: Cell<usize>,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(document: &'a Document, buffers: &'a [Vec<u8>], file: &'a str) -> Self {
        let bytes: usize = buffers.iter().map(Vec::len).sum();
        let left = FREE_NUMBERS.saturating_add(bytes.saturating_mul(NUMBERS_PER_BYTE));
        Self { document, buffers, file, left: Cell::new(left) }
    }

    /// The numbers of an accessor, element after element. `what` names it in messages.
    pub(super) fn numbers(
        &self,
        index: usize,
        shape: Shape,
        what: &str,
    ) -> Result<Vec<f64>, ReadError> {
        let fail = |problem: String| {
            ReadError::file(self.file, format!("accessor {index} ({what}) {problem}"))
        };
        let accessor = self.document.accessors.get(index).ok_or_else(|| {
            let count = self.document.accessors.len();
            fail(format!("is not there: the file has {count}; export it again"))
        })?;
        let component = Component::from_code(accessor.component_type).ok_or_else(|| {
            fail(format!("has the unknown component type {}", accessor.component_type))
        })?;
        if accessor.shape != shape.name() || (shape == Shape::Mat4 && component != Component::F32) {
            let found = &accessor.shape;
            return Err(fail(format!("is {found}, but {} is needed", shape.name())));
        }
        let mut values = self.dense(accessor, component, shape).map_err(&fail)?;
        self.apply_sparse(accessor, component, shape, &mut values).map_err(&fail)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let element = at / shape as usize;
            return Err(fail(format!("has a number that is not finite in element {element}")));
        }
        Ok(values)
    }

    /// Points or offsets.
    pub(super) fn vectors(&self, index: usize, what: &str) -> Result<Vec<Vec3>, ReadError> {
        let numbers = self.numbers(index, Shape::Vec3, what)?;
        Ok(numbers.chunks_exact(3).map(Vec3::from_slice).collect())
    }

    fn dense(
        &self,
        accessor: &Accessor,
        component: Component,
        shape: Shape,
    ) -> Result<Vec<f64>, String> {
        let (count, width) = (accessor.count, shape as usize);
        match accessor.buffer_view {
            None => {
                self.spend(count, width)?;
                Ok(vec![0.0; count * width])
            }
            Some(view) => self.array(&Place {
                view,
                offset: accessor.byte_offset,
                component,
                normalized: accessor.normalized,
                width,
                count,
            }),
        }
    }

    fn apply_sparse(
        &self,
        accessor: &Accessor,
        component: Component,
        shape: Shape,
        values: &mut [f64],
    ) -> Result<(), String> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let width = shape as usize;
        let code = sparse.indices.component_type;
        let places = self.array(&Place {
            view: sparse.indices.buffer_view,
            offset: sparse.indices.byte_offset,
            component: Component::from_code(code)
                .ok_or_else(|| format!("has sparse indices of the unknown type {code}"))?,
            normalized: false,
            width: 1,
            count: sparse.count,
        })?;
        let replaced = self.array(&Place {
            view: sparse.values.buffer_view,
            offset: sparse.values.byte_offset,
            component,
            normalized: accessor.normalized,
            width,
            count: sparse.count,
        })?;
        for (&place, new) in places.iter().zip(replaced.chunks_exact(width)) {
            let start = place as usize * width;
            let old = values.get_mut(start..start + width).ok_or_else(|| {
                format!("has the sparse index {place}, but only {} elements", accessor.count)
            })?;
            old.copy_from_slice(new);
        }
        Ok(())
    }

    /// Decodes an array after checking that its last byte is in its view, and its view in its buffer.
    fn array(&self, place: &Place) -> Result<Vec<f64>, String> {
        let view = self.document.buffer_views.get(place.view).ok_or_else(|| {
            let count = self.document.buffer_views.len();
            format!("names buffer view {}, but the file has {count}", place.view)
        })?;
        let bytes = self.buffers.get(view.buffer).and_then(|buffer| {
            let end = view.byte_offset.checked_add(view.byte_length)?;
            buffer.get(view.byte_offset..end)
        });
        let bytes = bytes.ok_or_else(|| {
            format!("is in buffer view {}, which reaches past its buffer", place.view)
        })?;
        let size = place.component.size();
        let element = size * place.width;
        let stride = view.byte_stride.unwrap_or(element);
        if stride < element {
            return Err(format!("has elements of {element} bytes that are {stride} bytes apart"));
        }
        let end = place.count.checked_sub(1).map_or(Some(0), |last| {
            last.checked_mul(stride)?.checked_add(place.offset)?.checked_add(element)
        });
        if end.is_none_or(|end| end > bytes.len()) {
            return Err(format!(
                "has {} elements, which reach past the {} bytes of buffer view {}: export it again",
                place.count,
                bytes.len(),
                place.view
            ));
        }
        self.spend(place.count, place.width)?;
        let mut values = Vec::with_capacity(place.count * place.width);
        for index in 0..place.count {
            let start = place.offset + index * stride;
            let components = bytes[start..start + element].chunks_exact(size);
            values.extend(components.map(|c| place.component.decode(c, place.normalized)));
        }
        Ok(values)
    }

    /// Takes numbers from what may still be unpacked.
    fn spend(&self, count: usize, width: usize) -> Result<(), String> {
        let left =
            count.checked_mul(width).and_then(|numbers| self.left.get().checked_sub(numbers));
        self.left.set(left.ok_or_else(|| {
            format!("asks for {count} elements, far more than the size of the file allows")
        })?);
        Ok(())
    }
}
