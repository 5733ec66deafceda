use super::*;
use crate::formats::{
    animation::SourceError,
    obj,
    tests::{CLIP, Scratch},
};
use std::{fs, io::Cursor};

/// One array of each type.
fn arrays() -> Vec<(&'static str, Array)> {
    let array = |shape: &[usize], values| Array::new(shape, values).unwrap();
    vec![
        ("f64", array(&[2, 1, 2], Values::F64(vec![0.1, -0.0, f64::MAX, 1e-300]))),
        ("f32", array(&[3], Values::F32(vec![0.1, f32::INFINITY, -2.5]))),
        ("u32", array(&[1, 2], Values::U32(vec![0, u32::MAX]))),
        ("i32", array(&[2], Values::I32(vec![i32::MIN, 7]))),
        ("i64", array(&[], Values::I64(vec![i64::MIN]))),
        ("u8", array(&[0, 3], Values::U8(vec![]))),
    ]
}

pub(in crate::formats) fn archive() -> Vec<u8> {
    let mut npz = NpzWriter::new(Cursor::new(Vec::new())).unwrap();
    for (name, array) in arrays() {
        npz.add(name, &array).unwrap();
    }
    npz.finish().unwrap().into_inner()
}

#[test]
fn arrays_keep_type_shape_and_bits() {
    let expected: Vec<(String, Array)> =
        arrays().into_iter().map(|(name, array)| (name.to_string(), array)).collect();
    assert_eq!(read(&archive(), "a.npz").unwrap(), expected);
    assert_eq!(archive(), archive());
    let scratch = Scratch::new("npy");
    for (name, array) in arrays() {
        let path = scratch.path(&format!("{name}.npy"));
        npy::write(&path, &array).unwrap();
        assert_eq!(npy::read(&fs::read(path).unwrap(), "a.npy").unwrap(), array);
    }
}

#[test]
fn headers_are_those_that_numpy_writes() {
    // numpy.lib.format: magic, version, length, then a dictionary padded to 64 bytes.
    let header = npy::header(ElementKind::F64, &[60, 4, 3]);
    let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (60, 4, 3), }";
    assert_eq!(header[..10], *b"\x93NUMPY\x01\x00\x76\x00");
    assert_eq!(header[10..], *format!("{text:117}\n").as_bytes());
    let shape_text = |shape: &[usize]| {
        let header = npy::header(ElementKind::U8, shape);
        let text = String::from_utf8_lossy(&header).into_owned();
        text[text.find('(').unwrap()..=text.find(')').unwrap()].to_string()
    };
    assert_eq!([shape_text(&[]), shape_text(&[5]), shape_text(&[5, 6])], ["()", "(5,)", "(5, 6)"]);
}

#[test]
fn a_streamed_array_equals_one_written_at_once() {
    let whole = Array::new(&[2, 2], Values::F64(vec![1.0, 2.0, 3.0, 4.0])).unwrap();
    let mut at_once = NpzWriter::new(Cursor::new(Vec::new())).unwrap();
    at_once.add("x", &whole).unwrap();
    let mut streamed = NpzWriter::new(Cursor::new(Vec::new())).unwrap();
    streamed.begin("x", ElementKind::F64, &[2, 2]).unwrap();
    streamed.append(&Values::F64(vec![1.0])).unwrap();
    assert!(streamed.append(&Values::F32(vec![2.0])).is_err());
    assert!(streamed.append(&Values::F64(vec![0.0; 4])).is_err());
    streamed.append(&Values::F64(vec![2.0, 3.0, 4.0])).unwrap();
    assert_eq!(streamed.finish().unwrap(), at_once.finish().unwrap());
    let mut short = NpzWriter::new(Cursor::new(Vec::new())).unwrap();
    short.begin("x", ElementKind::F64, &[2]).unwrap();
    let error = short.finish().unwrap_err().to_string();
    assert_eq!(error, "the array `x` still lacks 2 numbers");
    assert!(Array::new(&[3], Values::U8(vec![1])).is_err());
}

#[test]
fn every_flipped_bit_of_an_archive_is_noticed_or_harmless() {
    let good = archive();
    let expected = read(&good, "a.npz").unwrap();
    for byte in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[byte] ^= 1 << bit;
            if let Ok(found) = read(&bad, "a.npz") {
                // Dates, attributes and names carry no numbers.
                let values = |arrays: &[(String, Array)]| -> Vec<Array> {
                    arrays.iter().map(|(_, array)| array.clone()).collect()
                };
                let all = values(&expected);
                assert!(values(&found).iter().all(|array| all.contains(array)), "byte {byte}");
            }
        }
    }
}

#[test]
fn bad_arrays_are_refused_with_a_reason() {
    let array = |text: &str, numbers: &[u8]| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes.extend(numbers);
        bytes
    };
    let header = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    let cases = [
        (b"hello".to_vec(), "a: not a numpy array: it does not start with `\\x93NUMPY`"),
        (
            b"\x93NUMPY\x01\x00\xff\xff".to_vec(),
            "a, byte 6: the header is cut off or of an unknown version",
        ),
        (array("{}", &[]), "a: the header names no number type (`descr`)"),
        (
            array(&header("'>f8'", "False", "(1,)"), &[0; 8]),
            "a: numbers of type `>f8` cannot be read: use <f8 <f4 <u4 <i4 <i8 or |u1",
        ),
        (
            array(&header("'<f8'", "True", "(1,)"), &[0; 8]),
            "a: the array is stored columns first: use numpy.ascontiguousarray",
        ),
        (array(&header("'<f8'", "False", "1"), &[0; 8]), "a: the header has no readable `shape`"),
        (
            array(&header("'<f4'", "False", "(2, 2)"), &[0; 8]),
            "a, byte 69: shape [2, 2] of <f4 does not fit the 8 bytes that follow",
        ),
        (
            array(&header("'<f4'", "False", "(4294967296, 4294967296)"), &[]),
            "a, byte 87: shape [4294967296, 4294967296] of <f4 does not fit the 0 bytes that follow",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(npy::read(&bytes, "a").unwrap_err().to_string(), message);
    }
    let good = archive();
    let cut = read(&good[..good.len() - 1], "a").unwrap_err().to_string();
    assert_eq!(cut, "a: no zip directory at the end: the file is cut off or not an archive");
    let short = read(&good[..9], "a").unwrap_err().to_string();
    assert_eq!(short, "a: too short for a zip archive: copy it again");
    let mut damaged = good;
    // The last byte of the first array: 30 bytes of header, its name, 128 of header, 32 of numbers.
    damaged[30 + 7 + 128 + 31] ^= 1;
    let error = read(&damaged, "a").unwrap_err().to_string();
    assert!(error.starts_with("a, byte 37: the checksum of `f64.npy` is "), "{error}");
}

#[test]
fn the_animation_archive_has_the_documented_arrays() {
    let scratch = Scratch::new("npz-animation");
    let text =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4";
    let mesh = obj::read(text.as_bytes(), "a.obj").unwrap();
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        let velocities = Some(vec![Vec3::Y; 4]);
        Ok(Frame { positions: vec![Vec3::splat(0.1); 4], velocities, time: frame as f64 })
    };
    let path = scratch.path("a.npz");
    write_animation(&path, &CLIP, &mesh, &mut source).unwrap();
    let arrays = read(&fs::read(&path).unwrap(), "a.npz").unwrap();
    let shapes: Vec<(&str, &[usize])> =
        arrays.iter().map(|(name, array)| (name.as_str(), array.shape())).collect();
    let expected: [(&str, &[usize]); 5] = [
        ("positions", &[2, 4, 3]),
        ("velocities", &[2, 4, 3]),
        ("triangles", &[2, 3]),
        ("uv", &[4, 2]),
        ("time", &[2]),
    ];
    assert_eq!(shapes, expected);
    assert_eq!(arrays[0].1.values(), &Values::F64(vec![0.1; 24]));
    assert_eq!(arrays[2].1.values(), &Values::U32(vec![0, 1, 2, 0, 2, 3]));
    assert_eq!(arrays[4].1.values(), &Values::F64(vec![0.0, 1.0]));
    let mut no_velocities =
        |_: usize, _: usize| Ok(Frame { positions: vec![Vec3::ZERO; 4], ..Frame::default() });
    let error = write_animation(&path, &CLIP, &mesh, &mut no_velocities).unwrap_err();
    let message =
        "frame 0 has no velocities, but an NPZ export holds them: export to another format";
    assert_eq!(error.problem.to_string(), message);
}
