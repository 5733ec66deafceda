//! Parsers survive anything: random bytes, and valid files with pieces changed, cut or repeated.

use crate::formats::{
    mdd, npy,
    npz::{self, tests::archive},
    obj, pc2, ply,
};
use proptest::prelude::*;

/// Runs every parser; what they return is only looked at for panics.
fn parse_all(bytes: &[u8]) {
    for mesh in [obj::read(bytes, "a"), ply::read(bytes, "a")].into_iter().flatten() {
        // A mesh that was accepted can be used.
        let _ = mesh.validate();
        let corners: usize = mesh.faces().map(|face| face.len() - 2).sum();
        assert_eq!(mesh.triangulate().triangles.len(), corners);
        assert_eq!(mesh.vertex_normals(&mesh.positions).len(), mesh.vertex_count());
    }
    let _ = npy::read(bytes, "a");
    let _ = npz::read(bytes, "a");
    for cache in [pc2::read(bytes, "a"), mdd::read(bytes, "a")].into_iter().flatten() {
        let last = cache.positions(cache.frame_count() - 1);
        assert_eq!(last.map(|positions| positions.len()), Some(cache.vertex_count));
    }
}

fn valid_files() -> Vec<Vec<u8>> {
    let obj = "o a\ng b c\nusemtl d\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 1\n\
        f 1/1 2/1 -2/-1 \\\n4//1\nf 1 3 4\n";
    let mut files = vec![obj.as_bytes().to_vec(), archive()];
    files.extend(ply::sample_files());
    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1, 2, 0, 0, 2].iter().flat_map(|n: &i32| n.to_le_bytes()));
    pc2.extend([0; 48]);
    files.push(pc2);
    let mut mdd = [2, 2].iter().flat_map(|n: &i32| n.to_be_bytes()).collect::<Vec<u8>>();
    mdd.extend([0; 56]);
    files.push(mdd);
    files
}

#[test]
fn the_valid_files_are_valid() {
    let files = valid_files();
    assert!(obj::read(&files[0], "a").is_ok());
    assert!(npz::read(&files[1], "a").is_ok());
    assert!(files[2..5].iter().all(|file| ply::read(file, "a").is_ok()));
    assert!(pc2::read(&files[5], "a").is_ok());
    assert!(mdd::read(&files[6], "a").is_ok());
}

/// A change to a file.
#[derive(Debug, Clone)]
enum Change {
    Set(usize, u8),
    Cut(usize),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0_usize..2000;
    prop_oneof![
        4 => (place.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        // Digits and blanks find their way further into text formats than random bytes do.
        4 => (place.clone(), prop::sample::select(b"0123456789-./ \n#e\\\xff".to_vec()))
            .prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => place.clone().prop_map(Change::Cut),
        1 => (place.clone(), 1_usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (place, 1_usize..40).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    match *change {
        Change::Set(at, byte) => bytes[at % length] = byte,
        Change::Cut(at) => bytes.truncate(at % length),
        Change::Remove(at, count) => {
            drop(bytes.drain(at % length..(at % length + count).min(length)));
        }
        Change::Repeat(at, count) => {
            let piece = bytes[at % length..(at % length + count).min(length)].to_vec();
            bytes.splice(at % length..at % length, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        parse_all(&bytes);
        // Past the magic numbers, too.
        let starts: [&[u8]; 5] = [
            b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n",
            b"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n",
            b"POINTCACHE2\0\x01\0\0\0",
            b"\x93NUMPY\x01\0",
            b"f ",
        ];
        for start in starts {
            parse_all(&[start, &bytes[..]].concat());
        }
    }

    #[test]
    fn changed_files_never_panic(changes in prop::collection::vec(change(), 1..8)) {
        for mut file in valid_files() {
            for change in &changes {
                apply(&mut file, change);
            }
            parse_all(&file);
        }
    }
}
