use super::*;
use crate::formats::tests::Scratch;

fn parse(text: &str) -> Result<PolyMesh, ReadError> {
    read(text.as_bytes(), "a.obj")
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn every_form_of_a_face_is_read() {
    let faces =
        ["f 1 2 3 4", "f 1/1 2/2 3/3 4/4", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/2/1 3/3/1 4/4/1"];
    let negative =
        ["f -4 -3 -2 -1", "f -4/-4 -3/-3 -2/-2 -1/-1", "f -4/-4/-1 -3/-3/-1 -2/-2/-1 -1/-1/-1"];
    for line in faces.iter().chain(&negative) {
        let text = format!("{SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n{line}\n");
        let mesh = parse(&text).unwrap();
        assert_eq!(mesh.face(0), [0, 1, 2, 3], "{line}");
        let has_uv = line.contains('/') && !line.contains("//");
        assert_eq!(mesh.uv.is_some(), has_uv, "{line}");
        if has_uv {
            assert_eq!(mesh.vertex_uv().unwrap()[2], Vec2::new(1.0, 1.0), "{line}");
        }
    }
}

#[test]
fn comments_line_ends_continuations_and_extras_do_not_matter() {
    let plain = parse(&format!("{SQUARE}f 1 2 3 4")).unwrap();
    let variants = [
        "# a \\\r\nv 0 0 0 1\r\nv 1 0 0 # here\r\nv 1 1 0 1 0.5 0.2\r\n\r\nv 0 1 0\r\ns off\r\nf 1 2 \\\r\n 3 4\r\n",
        "mtllib x.mtl\n  v\t0 0 0\nv 1e0 -0.0 +0\nv 1 \\\n1 \\\n0\nf 1 2 3 4\nv 0 1 0\nl 1 2\np 1",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvp 1\nvn nonsense\nf 1 2 3 4 # done",
    ];
    for text in variants {
        assert_eq!(parse(text).unwrap(), plain, "{text}");
    }
}

#[test]
fn names_are_kept_with_their_faces() {
    let text = format!(
        "{SQUARE}o left sleeve\ng a b\nusemtl red wool\nf 1 2 3\ng b\nf 1 3 4\no\ng\nf 2 3 4\n\
         usemtl unused\nusemtl blue\no left sleeve\nf 1 2 4"
    );
    let mesh = parse(&text).unwrap();
    let groups: Vec<_> =
        mesh.groups.iter().map(|g| (g.name.as_str(), g.kind, g.faces.as_slice())).collect();
    let (object, group) = (GroupKind::Object, GroupKind::Group);
    assert_eq!(
        groups,
        [("left sleeve", object, &[0, 1, 3][..]), ("a", group, &[0]), ("b", group, &[0, 1])]
    );
    assert_eq!(mesh.materials, ["red wool", "blue"]);
    assert_eq!(mesh.face_materials, [Some(0), Some(0), Some(0), Some(1)]);
    assert_eq!(mesh.group_vertices("a"), Some(vec![0, 1, 2]));
}

#[test]
fn what_is_written_reads_back_the_same() {
    let scratch = Scratch::new("obj-round-trip");
    let texts = [
        format!("{SQUARE}f 1 2 3 4"),
        format!(
            "{SQUARE}v 0.1 1e-17 3.3333333333333335\nvt 0.1 0.7\nvt 1 1\nf 1/1 2/2 3\nf 1 3 4 5"
        ),
        format!(
            "{SQUARE}f 1 2 3\no x y\ng a b\nusemtl red wool\nf 1 2 4\ng b\nf 1 3 4\no\ng\nf 2 3 4\n\
             o z\nusemtl blue\nf 4 3 2"
        ),
    ];
    for text in texts {
        let mesh = parse(&text).unwrap();
        let path = scratch.path("a.obj");
        write(&path, &mesh).unwrap();
        assert_eq!(crate::formats::read_mesh(&path).unwrap(), mesh, "{text}");
    }
}

#[test]
fn bad_input_is_refused_with_its_line() {
    let corner = |word: &str| {
        format!(
            "a.obj, line 5: `{word}` is not a face corner: write v, v/vt, v//vn or v/vt/vn, \
             counted from 1, or from -1 backwards"
        )
    };
    let with_square = |line: &str| format!("{SQUARE}{line}\n");
    let cases = [
        (String::new(), "a.obj: 0 vertices but no faces (`f` lines): export the faces".into()),
        (SQUARE.into(), "a.obj: 4 vertices but no faces (`f` lines): export the faces".into()),
        ("v 1 2".into(), "a.obj, line 1: a vertex needs 3 numbers, but only 2 follow".into()),
        ("\nv 1 2 x".into(), "a.obj, line 2: `x` in a vertex is not a finite number".into()),
        ("v 1 nan 2".into(), "a.obj, line 1: `nan` in a vertex is not a finite number".into()),
        ("v 1 2 1e999".into(), "a.obj, line 1: `1e999` in a vertex is not a finite number".into()),
        ("vt".into(), "a.obj, line 1: a texture vertex needs 1 numbers, but only 0 follow".into()),
        (with_square("f 1 2"), "a.obj, line 5: a face needs 3 corners, but has 2".into()),
        (with_square("f 1 2 0"), corner("0")),
        (with_square("f 1 2 -5"), corner("-5")),
        (with_square("f 1 2 a/1"), corner("a/1")),
        (with_square("f 1 2 99999999999"), corner("99999999999")),
        (
            with_square("f 1 2 5"),
            "a.obj, line 5: the face names vertex 5, but the file has 4".into(),
        ),
        (
            with_square("f 1/1 2/1 3/1"),
            "a.obj, line 5: the face names texture vertex 1, but the file has 0".into(),
        ),
        (
            format!("g{}", " a".repeat(65)),
            "a.obj, line 1: 65 groups at once, but 64 are the most".into(),
        ),
        (
            with_square(&format!("f{}", " 1".repeat(10_001))),
            "a.obj, line 5: a face of 10001 corners: split it, 10000 are the most".into(),
        ),
    ];
    for (text, message) in cases {
        assert_eq!(parse(&text).unwrap_err().to_string(), message);
    }
}
