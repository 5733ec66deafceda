use super::*;
use crate::formats::{obj, tests::Scratch};

const HEADER: &str = "element vertex 4\nproperty float x\nproperty double y\nproperty short z\n\
    property uchar red\nproperty list uchar int tags\nproperty float s\nproperty float t\n\
    element junk 2\nproperty list ushort double weights\nproperty char kind\n\
    element face 2\nproperty float quality\nproperty list uint uchar vertex_index\nend_header\n";

/// The same mesh in the three encodings: a triangle and a quad, with things to skip.
pub(in crate::formats) fn samples() -> [Vec<u8>; 3] {
    let text = format!(
        "ply\nformat ascii 1.0\ncomment any\nobj_info any\n{HEADER}\
         0 0.25 0 255 2 7 8 0 0\n1 0 0 1 0 1 0\n1 1 -3 2 1 9 1 1\n0 1 0 3 0 0 1\n\
         1 0.5 3\n0 4\n0.1 3 0 1 2\n0.2 4 0 1 2 3\n"
    );
    let binary = |name: &str, big: bool| {
        let mut bytes = format!("ply\nformat {name} 1.0\n{HEADER}").into_bytes();
        let mut put = |little: &[u8]| {
            let mut number = little.to_vec();
            if big {
                number.reverse();
            }
            bytes.extend(number);
        };
        let tags: [&[i32]; 4] = [&[7, 8], &[], &[9], &[]];
        let rows: [(f32, f64, i16, u8); 4] =
            [(0.0, 0.25, 0, 255), (1.0, 0.0, 0, 1), (1.0, 1.0, -3, 2), (0.0, 1.0, 0, 3)];
        let uv: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for (vertex, (x, y, z, red)) in rows.into_iter().enumerate() {
            put(&x.to_le_bytes());
            put(&y.to_le_bytes());
            put(&z.to_le_bytes());
            put(&[red]);
            put(&[tags[vertex].len() as u8]);
            tags[vertex].iter().for_each(|tag| put(&tag.to_le_bytes()));
            uv[vertex].iter().for_each(|number| put(&number.to_le_bytes()));
        }
        put(&1_u16.to_le_bytes());
        put(&0.5_f64.to_le_bytes());
        put(&[3]);
        put(&0_u16.to_le_bytes());
        put(&[4]);
        for (quality, face) in [(0.1_f32, &[0_u8, 1, 2][..]), (0.2, &[0, 1, 2, 3])] {
            put(&quality.to_le_bytes());
            put(&(face.len() as u32).to_le_bytes());
            for &vertex in face {
                put(&[vertex]);
            }
        }
        bytes
    };
    [text.into_bytes(), binary("binary_little_endian", false), binary("binary_big_endian", true)]
}

#[test]
fn all_encodings_give_the_same_mesh() {
    let mut expected = PolyMesh {
        positions: vec![
            Vec3::new(0.0, 0.25, 0.0),
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(1.0, 1.0, -3.0),
            Vec3::new(0.0, 1.0, 0.0),
        ],
        ..PolyMesh::default()
    };
    expected.push_face(&[0, 1, 2]);
    expected.push_face(&[0, 1, 2, 3]);
    let values = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| Vec2::new(u, v));
    let corners = [0, 1, 2, 0, 1, 2, 3].map(Some).to_vec();
    expected.uv = Some(CornerUv { values: values.to_vec(), corners });
    for sample in samples() {
        assert_eq!(read(&sample, "a.ply").unwrap(), expected);
    }
    let crlf = String::from_utf8(samples()[0].clone()).unwrap().replace('\n', "\r\n");
    assert_eq!(read(crlf.as_bytes(), "a.ply").unwrap(), expected);
}

#[test]
fn what_is_written_reads_back_the_same() {
    let scratch = Scratch::new("ply-round-trip");
    let big_face: Vec<String> = (1..=200).map(|vertex: u32| vertex.to_string()).collect();
    let circle: Vec<String> = (0..200)
        .map(|i| f64::from(i).sin_cos())
        .map(|(y, x)| format!("v {} {} 0", x as f32, y as f32))
        .collect();
    let texts = [
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n".to_string(),
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 0.5 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n"
            .into(),
        format!("{}\nf {}\n", circle.join("\n"), big_face.join(" ")),
    ];
    for text in texts {
        let mesh = obj::read(text.as_bytes(), "a.obj").unwrap();
        let path = scratch.path("a.ply");
        write(&path, &mesh).unwrap();
        let back = crate::formats::read_mesh(&path).unwrap();
        assert_eq!(
            back.positions,
            mesh.positions.iter().map(|p| p.as_vec3().as_dvec3()).collect::<Vec<_>>()
        );
        assert_eq!(
            (&back.face_offsets, &back.face_vertices),
            (&mesh.face_offsets, &mesh.face_vertices)
        );
        for corner in 0..mesh.face_vertices.len() {
            assert_eq!(back.corner_uv(corner), mesh.corner_uv(corner));
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn bad_input_is_refused_with_its_place() {
    let ascii = |body: &str| format!("ply\nformat ascii 1.0\n{body}");
    let mesh = |rows: &str| {
        ascii(&format!(
            "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n{rows}"
        ))
    };
    let vertices = "0 0 0\n1 0 0\n0 1 0\n";
    let cases = [
        (String::new(), "a.ply: the header has no `end_header`: the file is cut off"),
        ("obj\n".into(), "a.ply, line 1: a PLY file starts with `ply`"),
        ("ply\nend_header\n".into(), "a.ply, line 2: the header has no line `format … 1.0`"),
        (
            "ply\nformat text 1.0\n".into(),
            "a.ply, line 2: the format `text` is not ascii, binary_little_endian or binary_big_endian",
        ),
        (ascii("element vertex -1\n"), "a.ply, line 3: `-1` is not a count of `vertex`"),
        (ascii("property float x\n"), "a.ply, line 3: `property float x` declares no property"),
        (
            ascii("element a 1\nproperty list float int b\n"),
            "a.ply, line 4: `property list float int b` declares no property",
        ),
        (ascii("element a 1\nelement a 1\n"), "a.ply, line 4: the element `a` is declared twice"),
        (ascii("hello\n"), "a.ply, line 3: `hello` is not a header line"),
        (ascii("end_header\n"), "a.ply: 0 vertices but no faces: export the faces"),
        (
            ascii("element vertex 1\nproperty float x\nend_header\n0\n"),
            "a.ply, line 6: the vertices have no properties x, y and z",
        ),
        (
            ascii("element face 1\nproperty int x\nend_header\n0\n"),
            "a.ply, line 6: the faces have no list `vertex_indices`",
        ),
        (
            ascii("element vertex 9999999999\nproperty float x\nend_header\n0\n"),
            "a.ply, line 6: 9999999999 of `vertex` are announced, but the file is too short for \
             them: copy it again",
        ),
        (mesh("0 0 0\n1 zero 0\n0 1 0\n3 0 1 2"), "a.ply, line 11: `zero` is not a number"),
        (
            mesh("0 0 0\n1 inf 0\n0 1 0\n3 0 1 2"),
            "a.ply, line 11: vertex 1 has a coordinate that is not finite",
        ),
        (
            mesh(&format!("{vertices}3 0 1")),
            "a.ply, line 13: the file ends where a number was expected: copy it again",
        ),
        (mesh(&format!("{vertices}-3 0 1 2")), "a.ply, line 13: -3 is not the length of a list"),
        (
            mesh(&format!("{vertices}2 0 1\n")),
            "a.ply, line 13: face 0 has 2 corners instead of 3 to 10000",
        ),
        (
            mesh(&format!("{vertices}3 0 1 -2\n")),
            "a.ply, line 13: face 0 names vertex -2, no valid index",
        ),
        (
            mesh(&format!("{vertices}3 0 1 3\n")),
            "a.ply: face 0 (counted from 0) names vertex 3, but the file has 3",
        ),
        (
            "ply\nformat binary_little_endian 1.0\nelement face 1\n\
             property list uint int vertex_indices\nend_header\n\u{1}\0\0\0\0"
                .into(),
            "a.ply, byte 104: the file ends where a number was expected: copy it again",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(read(text.as_bytes(), "a.ply").unwrap_err().to_string(), message);
    }
}
