//! Arrays in numpy's `.npy` form: little endian, rows first.

use super::{ReadError, WriteError, WriteProblem, atomic};
use std::{io::Write, path::Path};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// numpy pads headers so that the numbers start at a multiple of this.
const ALIGNMENT: usize = 64;

/// The type of an array's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// 64-bit floating point.
    F64,
    /// 32-bit floating point.
    F32,
    /// 32-bit unsigned.
    U32,
    /// 32-bit signed.
    I32,
    /// 64-bit signed.
    I64,
    /// 8-bit unsigned.
    U8,
}

/// Numbers of one type.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// 64-bit floating point.
    F64(Vec<f64>),
    /// 32-bit floating point.
    F32(Vec<f32>),
    /// 32-bit unsigned.
    U32(Vec<u32>),
    /// 32-bit signed.
    I32(Vec<i32>),
    /// 64-bit signed.
    I64(Vec<i64>),
    /// 8-bit unsigned.
    U8(Vec<u8>),
}

/// An array with its shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    values: Values,
}

impl ElementKind {
    const ALL: [(Self, &'static str); 6] = [
        (Self::F64, "<f8"),
        (Self::F32, "<f4"),
        (Self::U32, "<u4"),
        (Self::I32, "<i4"),
        (Self::I64, "<i8"),
        (Self::U8, "|u1"),
    ];

    /// numpy's name of the type.
    fn descr(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, descr)| descr)
    }

    /// The size of one number [bytes].
    pub fn size(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::U32 | Self::I32 => 4,
            Self::U8 => 1,
        }
    }
}

impl Values {
    /// The type of the numbers.
    pub fn kind(&self) -> ElementKind {
        match self {
            Self::F64(_) => ElementKind::F64,
            Self::F32(_) => ElementKind::F32,
            Self::U32(_) => ElementKind::U32,
            Self::I32(_) => ElementKind::I32,
            Self::I64(_) => ElementKind::I64,
            Self::U8(_) => ElementKind::U8,
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers as little-endian bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::F32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::U32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::I32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::I64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::U8(v) => v.clone(),
        }
    }

    fn from_bytes(kind: ElementKind, bytes: &[u8]) -> Self {
        match kind {
            ElementKind::F64 => Self::F64(numbers(bytes, f64::from_le_bytes)),
            ElementKind::F32 => Self::F32(numbers(bytes, f32::from_le_bytes)),
            ElementKind::U32 => Self::U32(numbers(bytes, u32::from_le_bytes)),
            ElementKind::I32 => Self::I32(numbers(bytes, i32::from_le_bytes)),
            ElementKind::I64 => Self::I64(numbers(bytes, i64::from_le_bytes)),
            ElementKind::U8 => Self::U8(bytes.to_vec()),
        }
    }
}

fn numbers<T, const N: usize>(bytes: &[u8], decode: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|&chunk| decode(chunk)).collect()
}

impl Array {
    /// An array of this shape; the product of the shape must be the number of values.
    pub fn new(shape: &[usize], values: Values) -> Result<Self, WriteProblem> {
        if element_count(shape) != Some(values.len()) {
            let found = values.len();
            let problem = format!("an array of shape {shape:?} was given {found} numbers");
            return Err(WriteProblem::Invalid(problem));
        }
        Ok(Self { shape: shape.to_vec(), values })
    }

    /// Lengths along each axis, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The numbers, last axis fastest.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The numbers, last axis fastest.
    pub fn into_values(self) -> Values {
        self.values
    }
}

/// The product of a shape, unless it overflows.
pub(super) fn element_count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length))
}

/// The header in front of the numbers.
pub(super) fn header(kind: ElementKind, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    // One length needs a comma, or it would not be a tuple.
    let comma = if shape.len() == 1 { "," } else { "" };
    let lengths = lengths.join(", ") + comma;
    let descr = kind.descr();
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({lengths}), }}");
    let prefix = MAGIC.len() + 4;
    let length = (prefix + text.len() + 1).next_multiple_of(ALIGNMENT) - prefix;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    let mut header = MAGIC.to_vec();
    header.extend([1, 0]);
    header.extend((length as u16).to_le_bytes());
    header.extend(text.into_bytes());
    header
}

/// Writes one array.
pub fn write(path: &Path, array: &Array) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        writer.write_all(&header(array.values.kind(), &array.shape))?;
        Ok(writer.write_all(&array.values.bytes())?)
    })
}

/// Reads one array; `file` is its name in messages.
pub fn read(bytes: &[u8], file: &str) -> Result<Array, ReadError> {
    let (text, start) = header_text(bytes, file)?;
    let fail = |problem: String| ReadError::file(file, problem);
    let descr = quoted(text, "'descr':")
        .ok_or_else(|| fail("the header names no number type (`descr`)".into()))?;
    let known = ElementKind::ALL.iter().find(|(_, known)| *known == descr);
    let kind = known.map(|(kind, _)| *kind).ok_or_else(|| {
        fail(format!("numbers of type `{descr}` cannot be read: use <f8 <f4 <u4 <i4 <i8 or |u1"))
    })?;
    if after(text, "'fortran_order':").is_none_or(|rest| !rest.starts_with("False")) {
        return Err(fail("the array is stored columns first: use numpy.ascontiguousarray".into()));
    }
    let shape = shape(text).ok_or_else(|| fail("the header has no readable `shape`".into()))?;
    let found = bytes.len() - start;
    let expected = element_count(&shape).and_then(|count| count.checked_mul(kind.size()));
    if expected != Some(found) {
        let problem =
            format!("shape {shape:?} of {descr} does not fit the {found} bytes that follow");
        return Err(ReadError::byte(file, start, problem));
    }
    Ok(Array { shape, values: Values::from_bytes(kind, &bytes[start..]) })
}

/// The text of the header and where the numbers start.
fn header_text<'a>(bytes: &'a [u8], file: &str) -> Result<(&'a str, usize), ReadError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ReadError::file(
            file,
            "not a numpy array: it does not start with `\\x93NUMPY`",
        ));
    }
    let text = match bytes.get(6..12) {
        Some(&[1, _, a, b, ..]) => Some((10, u16::from_le_bytes([a, b]) as usize)),
        Some(&[2 | 3, _, a, b, c, d]) => Some((12, u32::from_le_bytes([a, b, c, d]) as usize)),
        _ => None,
    };
    let text = text.and_then(|(start, length)| {
        let end = start + length;
        Some((std::str::from_utf8(bytes.get(start..end)?).ok()?, end))
    });
    text.ok_or_else(|| ReadError::byte(file, 6, "the header is cut off or of an unknown version"))
}

fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    Some(text.split_once(key)?.1.trim_start())
}

fn quoted<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    Some(after(text, key)?.strip_prefix('\'')?.split_once('\'')?.0)
}

fn shape(text: &str) -> Option<Vec<usize>> {
    let inside = after(text, "'shape':")?.strip_prefix('(')?.split_once(')')?.0;
    let lengths = inside.split(',').map(str::trim).filter(|length| !length.is_empty());
    lengths.map(|length| length.parse().ok()).collect()
}
