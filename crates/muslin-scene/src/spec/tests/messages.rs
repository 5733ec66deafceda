//! R6: every mistake in a scene file gets one clear message. The tables are
//! (text, marked line and text, message, help).

use super::{SHEET, load};
use crate::spec::{SceneErrorKind, SceneSpec};

type Case<'a> = (&'a str, (usize, &'a str), &'a str, &'a str);

/// Each case, `SHEET` put in place of `SHEET`.
fn check(kind: SceneErrorKind, cases: &[Case<'_>]) {
    for (text, (line, marked), message, help) in cases {
        let text = text.replace("SHEET\n", SHEET);
        let error = load(&text).map(|_| ()).expect_err(&text);
        assert_eq!(error.message, *message, "{text}");
        assert_eq!(error.help, *help, "{text}");
        assert_eq!(error.line, Some(*line), "{text}");
        assert_eq!(error.kind, kind, "{text}");
        let [shown, marks] = &error.snippet;
        let start = marks.chars().take_while(|c| *c == ' ').count();
        let under: String = shown.chars().skip(start).take(marks.trim().len()).collect();
        assert_eq!(under, *marked, "{text}");
        assert_eq!(error.column, start + 1, "{text}");
        assert!(!error.expected.is_empty(), "{text}");
    }
}

#[test]
fn a_message_shows_file_line_snippet_expectation_and_help() {
    let text = "fps = 24\n[solver]\ndynamics = \"implict\"\n";
    let error = load(text).unwrap_err();
    let expected = r#"scenes/test.toml:3:12: `solver.dynamics` cannot be "implict"
  |
3 | dynamics = "implict"
  |            ^^^^^^^^^
expected: one of "implicit", "mixed", "springs", "sparse", "curtain"
help: did you mean `implicit`?"#;
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.key.as_str(), error.kind.as_str()), ("solver.dynamics", "wrong-value"));
}

#[test]
fn unknown_keys() {
    check(
        SceneErrorKind::UnknownKey,
        &[
            (
                "SHEET\nfabirc = \"denim\"",
                (3, "fabirc"),
                "there is no key `fabirc` in `cloth[0]`",
                "did you mean `fabric`?",
            ),
            (
                "framse = 3\nSHEET\n",
                (1, "framse"),
                "there is no key `framse` in the scene",
                "did you mean `frames`?",
            ),
            (
                "[[cloth]]\ngrid = { size = [1, 1], vertex = 3 }",
                (2, "vertex"),
                "there is no key `vertex` in `cloth[0].grid`",
                "did you mean `vertices`?",
            ),
            (
                "SHEET\nfabric = { colour = 1 }",
                (3, "colour"),
                "there is no key `colour` in `cloth[0].fabric`",
                "take one of the expected ones, or leave it out",
            ),
            (
                "gravity = { key = [] }\nSHEET\n",
                (1, "key"),
                "there is no key `key` in `gravity`",
                "did you mean `keys`?",
            ),
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn wrong_values() {
    check(
        SceneErrorKind::WrongValue,
        &[
            (
                "fps = \"fast\"\nSHEET\n",
                (1, "\"fast\""),
                "`fps` is the text \"fast\"",
                "give a number",
            ),
            ("fps = nan\nSHEET\n", (1, "nan"), "`fps` is the number NaN", "give a finite number"),
            (
                "fps = -inf\nSHEET\n",
                (1, "-inf"),
                "`fps` is the number -inf",
                "give a finite number",
            ),
            (
                "frames = -1\nSHEET\n",
                (1, "-1"),
                "`frames` is the number -1",
                "give a whole number from 0 up",
            ),
            (
                "frames = 2.5\nSHEET\n",
                (1, "2.5"),
                "`frames` is the number 2.5",
                "give a whole number from 0 up",
            ),
            (
                "up = 1979-05-27\nSHEET\n",
                (1, "1979-05-27"),
                "`up` is a date",
                "give one of \"y\", \"z\"",
            ),
            ("cloth = 3\n", (1, "3"), "`cloth` is the number 3", "give a list"),
            (
                "SHEET\nposition = [0, 1]",
                (3, "[0, 1]"),
                "`cloth[0].position` has 2 values",
                "give three numbers [x, y, z]",
            ),
            (
                "SHEET\nposition = [0, 1, 2, 3]",
                (3, "[0, 1, 2, 3]"),
                "`cloth[0].position` has 4 values",
                "give 3 values",
            ),
            (
                "SHEET\nposition = [0, nan, 2]",
                (3, "nan"),
                "`cloth[0].position[1]` is the number NaN",
                "give a finite number",
            ),
            (
                "gravity = -9.81\nSHEET\n",
                (1, "-9.81"),
                "`gravity` is written in a way that has no meaning",
                "give three numbers [x, y, z]",
            ),
            (
                "gravity = [[1, [0, 0, 0]], [0, [0, 0, 1]]]\nSHEET\n",
                (1, "[[1, [0, 0, 0]], [0, [0, 0, 1]]]"),
                "`gravity` is no animation: key 1 is at 0 s, but key times must grow from one key to the next",
                "sort the keys and remove doubled ones",
            ),
            (
                "SHEET\nshrink = { formula = \"1 - w\" }",
                (3, "\"1 - w\""),
                "`cloth[0].shrink.formula` has a mistake in column 5 of the formula: there is no variable `w`; known are u, v, x, y, z, i, t",
                "write it like \"1 - 0.2*(v > 0.8)\"",
            ),
            (
                "SHEET\nshrink = { formula = \"1\", group = \"a\" }",
                (3, "{ formula = \"1\", group = \"a\" }"),
                "`cloth[0].shrink` is written in a way that has no meaning",
                "keep the keys of one of these forms",
            ),
            (
                "SHEET\n[solver]\nstrain_limit = \"on\"",
                (4, "\"on\""),
                "`solver.strain_limit` is the text \"on\"",
                "give a number or \"off\"",
            ),
            (
                "SHEET\ncolor = \"red\"",
                (3, "\"red\""),
                "`cloth[0].color` is \"red\", which is not a colour",
                "write it like \"#c04030\"",
            ),
            (
                "SHEET\n[[body]]\nmannequin = { motion = \"wolk\" }",
                (4, "\"wolk\""),
                "`body[0].mannequin.motion` cannot be \"wolk\"",
                "did you mean \"walk\"?",
            ),
            (
                "SHEET\n[solver]\nintegrator = \"rk4\"",
                (4, "\"rk4\""),
                "`solver.integrator` is one that only \"sparse\" dynamics has",
                "leave it out, or set `dynamics = \"sparse\"`",
            ),
            (
                "[[cloth]]\ndisc = { radius = 1 }\n[[cloth.pin]]\nselect = { corners = [\"u0v0\"] }",
                (4, "[\"u0v0\"]"),
                "`cloth[0].pin[0].select.corners` does not fit: \"cloth-0\" has no corners",
                "use `formula`, `vertices` or `near`",
            ),
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn numbers_out_of_range_and_in_the_wrong_unit() {
    check(
        SceneErrorKind::OutOfRange,
        &[
            (
                "fps = 0\nSHEET\n",
                (1, "0"),
                "`fps` is 0 frames/s, which is not greater than 0",
                "give more than 0 and at most 100000 frames/s",
            ),
            (
                "frames = 2000000\nSHEET\n",
                (1, "2000000"),
                "`frames` is 2000000, which is too large",
                "run a long scene in parts",
            ),
            (
                "gravity = [0, 0, -9810]\nSHEET\n",
                (1, "[0, 0, -9810]"),
                "`gravity` is 9810 m/s², which is too large",
                "expected SI units: did you give mm/s²? 9810 mm/s² is 9.81 m/s²",
            ),
            (
                "SHEET\nfabric = { density = 150 }",
                (3, "150"),
                "`cloth[0].fabric.density` is 150 kg/m², which is too large",
                "expected SI units: did you give g/m²? 150 g/m² is 0.15 kg/m²",
            ),
            (
                "SHEET\nfabric = { density = -0.1 }",
                (3, "-0.1"),
                "`cloth[0].fabric.density` is -0.1 kg/m², which is not greater than 0",
                "give more than 0 and at most 5 kg/m²",
            ),
            (
                "SHEET\nfabric = { thickness = 2 }",
                (3, "2"),
                "`cloth[0].fabric.thickness` is 2 m, which is too large",
                "expected SI units: did you give millimetres? 2 mm is 0.002 m",
            ),
            (
                "SHEET\nfabric = { friction = 40 }",
                (3, "40"),
                "`cloth[0].fabric.friction` is 40, which is too large",
                "did you give percent? 40 % is 0.4",
            ),
            (
                "[[cloth]]\ngrid = { size = [1, -1] }",
                (2, "-1"),
                "`cloth[0].grid.size[1]` is -1 m, which is not greater than 0",
                "give more than 0 and at most 10000 m",
            ),
            (
                "[[cloth]]\ngrid = { size = [1, 1], vertices = [1, 9] }",
                (2, "1"),
                "`cloth[0].grid.vertices[0]` is 1, which is too small",
                "give 2 or more",
            ),
            (
                "SHEET\n[[body]]\nplane = { normal = [0, 0, 0] }",
                (4, "[0, 0, 0]"),
                "`body[0].plane.normal` is [0, 0, 0], which has no direction",
                "give a direction such as [0, 0, 1]",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = { vertices = [0, 3600] }",
                (4, "3600"),
                "`cloth[0].pin[0].select.vertices[1]` is vertex 3600, but the cloth has 3600",
                "vertices are counted from 0, along u first",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = \"all\"\nfrom = 2\nuntil = 1",
                (6, "1"),
                "`cloth[0].pin[0].until` is 1 s, but `from` is 2 s",
                "swap `from` and `until`, or leave one out",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = \"all\"\ndirections = [[1, 0, 0], [2, 0, 0]]",
                (5, "[[1, 0, 0], [2, 0, 0]]"),
                "`cloth[0].pin[0].directions` is not one to three independent directions",
                "leave `directions` out to hold the vertices in all directions",
            ),
            (
                "[[cloth]]\n[[cloth.panel]]\nname = \"a\"\noutline = [[0, 0], [1, 1], [2, 2]]",
                (4, "[[0, 0], [1, 1], [2, 2]]"),
                "`cloth[0].panel[0].outline` encloses no area",
                "give the corners in order, in metres",
            ),
            (
                "SHEET\n[checks]\nheight = [2, 1]",
                (4, "[2, 1]"),
                "`checks.height` is [2, 1], which is empty",
                "write [1, 2]",
            ),
        ],
    );
}

#[test]
fn missing_and_superfluous_keys() {
    check(
        SceneErrorKind::WrongKeys,
        &[
            (
                "fps = 24\n",
                (1, "f"),
                "the scene has no cloth",
                "add `[[cloth]]` and `grid = { size = [1, 1] }`",
            ),
            (
                "[[cloth]]\nname = \"a\"",
                (1, "[[cloth]]"),
                "`cloth[0]` has none of the keys that say what it is",
                "add one of them, such as `grid`",
            ),
            (
                "SHEET\ndisc = { radius = 1 }",
                (3, "{ radius = 1 }"),
                "`cloth[0]` has `grid` and `disc`, which exclude each other",
                "keep one of them, such as `grid`",
            ),
            (
                "SHEET\n[[body]]\nsphere = { radius = 1 }\nplane = {}",
                (5, "{}"),
                "`body[0]` has `sphere` and `plane`, which exclude each other",
                "keep one of them, such as `sphere`",
            ),
            (
                "SHEET\n[[cloth.attach]]\nselect = \"all\"",
                (3, "[[cloth.attach]]"),
                "`cloth[0].attach[0]` needs the key `to`",
                "add `to = …`",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = { near = [0, 0, 0] }",
                (4, "{ near = [0, 0, 0] }"),
                "`cloth[0].pin[0].select` does not choose vertices in exactly one way",
                "write it like { corners = [\"u0v0\", \"u1v0\"] }",
            ),
            (
                "[solver]\ndynamics = \"curtain\"\n[[cloth]]\ndisc = { radius = 1 }",
                (3, "[[cloth]]"),
                "`cloth[0]` is no grid, but \"curtain\" dynamics moves only grids",
                "use `grid`, or another `dynamics`",
            ),
        ],
    );
}

#[test]
fn names() {
    check(
        SceneErrorKind::WrongName,
        &[
            (
                "SHEET\nname = \"a\"\n[[body]]\nname = \"a\"\nplane = {}",
                (5, "\"a\""),
                "`body[0].name` is \"a\", but `cloth[0]` has that name",
                "call it \"a-2\"",
            ),
            (
                "SHEET\n[[cloth.attach]]\nto = \"bal\"\nselect = \"all\"\n[[body]]\nname = \"ball\"\nplane = {}",
                (4, "\"bal\""),
                "`cloth[0].attach[0].to` names \"bal\", but there is no cloth or body of that name",
                "did you mean \"ball\"?",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = \"all\"\non_body = \"hand\"",
                (5, "\"hand\""),
                "`cloth[0].pin[0].on_body` names \"hand\", but there is no body of that name",
                "give that name to a body, or use one that is there",
            ),
            (
                "SHEET\n[[cloth.pin]]\nselect = { group = \"waist\" }",
                (4, "{ group = \"waist\" }"),
                "`cloth[0].pin[0].select` names \"waist\", but there is no group of that name",
                "give that name to a group, or use one that is there",
            ),
            (
                "[[cloth]]\npanel = [{ name = \"front\", outline = [[0, 0], [1, 0], [0, 1]] }]\n[[cloth.seam]]\na = { panel = \"front\", edge = 0 }\nb = { panel = \"frond\", edge = 0 }",
                (5, "\"frond\""),
                "`cloth[0].seam[0].b.panel` names \"frond\", but there is no panel of that name",
                "did you mean \"front\"?",
            ),
        ],
    );
}

#[test]
fn what_is_not_toml() {
    check(
        SceneErrorKind::Syntax,
        &[
            (
                "fps = 3\nfps = 4",
                (2, "fps"),
                "this is not valid TOML: duplicate key",
                "keep one of them",
            ),
            (
                "name = foo",
                (1, "foo"),
                "this is not valid TOML: invalid boolean, expected `false`",
                "did you mean \"foo\", in quotes?",
            ),
        ],
    );
}

#[test]
fn what_is_too_large() {
    let brackets = format!("x = {}", "[".repeat(90));
    check(
        SceneErrorKind::TooLarge,
        &[
            (
                "[[cloth]]\ngrid = { size = [1, 1], vertices = [31623, 31623] }",
                (2, "{ size = [1, 1], vertices = [31623, 31623] }"),
                "`cloth[0].grid` brings the scene to 1,000,014,129 vertices, which would take about 2500 GB",
                "a sheet of 150 × 150 vertices shows fine folds",
            ),
            (
                "[[cloth]]\nsphere = { radius = 1, subdivisions = 4000000000 }",
                (2, "{ radius = 1, subdivisions = 4000000000 }"),
                "`cloth[0].sphere` brings the scene to 18,446,744,073,709,551,615 vertices, which would take about 18446744074 GB",
                "a sheet of 150 × 150 vertices shows fine folds",
            ),
            (
                &brackets,
                (1, "["),
                "tables and lists nest too deeply here",
                "no part of a scene needs more than ten levels",
            ),
        ],
    );
    let error = load(&"#".repeat((16 << 20) + 1)).unwrap_err();
    assert_eq!(error.message, "the scene file has 16777217 bytes");
}

#[test]
fn files_that_are_not_there() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let name = format!("{folder}/scene.toml");
    let text = "[[cloth]]\nmesh = \"Crago.toml\"";
    let error = SceneSpec::from_toml(text, &name, &[]).unwrap_err();
    let message = "`cloth[0].mesh` names the file \"Crago.toml\", which is not there";
    assert_eq!(error.message, message);
    assert_eq!(error.expected, format!("a file at \"{folder}/Crago.toml\""));
    assert_eq!(error.help, "did you mean \"Cargo.toml\"?");
    assert_eq!((error.kind, error.line), (SceneErrorKind::MissingFile, Some(2)));

    let text = format!("{SHEET}[[body]]\nmesh_sequence = {{ files = \"walk_###.obj\" }}");
    let error = SceneSpec::from_toml(&text, &name, &[]).unwrap_err();
    assert!(error.message.ends_with("names the file \"walk_001.obj\", which is not there"));

    let error = SceneSpec::from_file("no-such-folder/a.toml".as_ref(), &[]).unwrap_err();
    assert_eq!((error.kind, error.line), (SceneErrorKind::Unreadable, None));
    assert!(error.to_string().starts_with("no-such-folder/a.toml: the file cannot be read: "));
}
