use super::*;
use crate::formats::{obj, tests::Scratch};

fn triangle(height: f64) -> PolyMesh {
    let positions = vec![Vec3::new(0.0, 0.0, height), Vec3::X, Vec3::Y];
    PolyMesh::from_triangles(positions, &[[0, 1, 2]])
}

fn write_numbers(scratch: &Scratch, names: &[(&str, u32)]) {
    for &(name, number) in names {
        obj::write(&scratch.path(name), &triangle(number.into())).unwrap();
    }
}

#[test]
fn patterns_name_files_and_find_their_numbers() {
    for text in ["a/walk_####.obj", "a/walk_%04d.obj"] {
        let pattern = Pattern::parse(Path::new(text)).unwrap();
        assert_eq!(pattern.path(7), Path::new("a/walk_0007.obj"));
        assert_eq!(pattern.path(12345), Path::new("a/walk_12345.obj"));
        let number = |name: &str| pattern.number(name);
        assert_eq!(number("walk_0007.obj"), Some(7));
        assert_eq!(number("walk_12345.obj"), Some(12345));
        for other in
            ["walk_007.obj", "walk_00007.obj", "walk_abcd.obj", "walk_0007.ply", "run_0007.obj"]
        {
            assert_eq!(number(other), None, "{other}");
        }
    }
    let any = Pattern::parse(Path::new("%d.ply")).unwrap();
    assert_eq!((any.number("9.ply"), any.number("10.ply")), (Some(9), Some(10)));
    for plain in ["walk.obj", "100%.obj", "50%off.d", "%99d.obj"] {
        assert_eq!(Pattern::parse(Path::new(plain)), None, "{plain}");
    }
    let added = Pattern::for_writing(Path::new("out/walk.obj"));
    assert_eq!(added.path(3), Path::new("out/walk_0003.obj"));
}

#[test]
fn files_come_in_the_order_of_their_numbers() {
    let scratch = Scratch::new("sequence-order");
    write_numbers(&scratch, &[("w_8.obj", 8), ("w_9.obj", 9), ("w_10.obj", 10), ("w_11.obj", 11)]);
    std::fs::write(scratch.path("notes.txt"), "not a mesh").unwrap();
    for path in [scratch.path("w_%d.obj"), scratch.path("w_#.obj"), scratch.path("")] {
        let sequence = MeshSequence::open(&path).unwrap();
        sequence.check().unwrap();
        let heights: Vec<f64> =
            (0..4).map(|frame| sequence.positions(frame).unwrap()[0].z).collect();
        assert_eq!(heights, [8.0, 9.0, 10.0, 11.0]);
    }
}

#[test]
fn the_first_file_that_differs_is_named() {
    let scratch = Scratch::new("sequence-topology");
    write_numbers(&scratch, &[("w_1.obj", 1), ("w_2.obj", 2)]);
    for name in ["w_3.obj", "w_4.obj"] {
        let mut other = triangle(0.0);
        other.positions.push(Vec3::Z);
        obj::write(&scratch.path(name), &other).unwrap();
    }
    let sequence = MeshSequence::open(&scratch.path("w_#.obj")).unwrap();
    let expected = format!(
        "{}: 4 vertices and 1 faces that are not those of {} (3 and 1): export all frames from \
         the same mesh",
        scratch.path("w_3.obj").display(),
        scratch.path("w_1.obj").display()
    );
    assert_eq!(sequence.check().unwrap_err().to_string(), expected);
}

#[test]
fn gaps_doubles_and_mixtures_are_refused() {
    let cases: [(&[&str], &str, &str); 5] = [
        (&["w_1.obj", "w_2.obj", "w_4.obj"], "", "number 4 follows 2, but the others are 1 apart"),
        (&["w_1.obj", "w_01.obj"], "", "two files have the number 1: keep one"),
        (
            &["w_1.obj", "x_1.obj"],
            "",
            "two series, `w_#.obj` and `x_#.obj`: give the pattern of one",
        ),
        (&["still.obj"], "", "no numbered `.obj` or `.ply` files here"),
        (&["w_1.obj"], "w.obj", "a sequence is a folder or a name with `####` or `%04d` in it"),
    ];
    for (index, (names, open, message)) in cases.into_iter().enumerate() {
        let scratch = Scratch::new(&format!("sequence-bad-{index}"));
        for name in names {
            obj::write(&scratch.path(name), &triangle(0.0)).unwrap();
        }
        let path = scratch.path(open);
        let error = MeshSequence::open(&path).unwrap_err().to_string();
        assert_eq!(error, format!("{}: {message}", path.display()));
    }
}
