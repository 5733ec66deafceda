//! `--set key.path=value`.

use super::{SHEET, load_with};
use crate::spec::{Fabric, SceneErrorKind};

const NAMED: &str = "[[cloth]]\nname = \"sheet\"\nfabric = \"denim\"\ngrid = { size = [1, 1] }\n";

#[test]
fn overrides_reach_tables_lists_names_and_new_keys() {
    let scene = load_with(
        NAMED,
        &[
            "solver.steps_per_frame=8",
            "cloth.0.position=[1, 2, 3]",
            "cloth.sheet.position.2 = 4",
            "cloth.sheet.grid.vertices=[30, 40]",
            "name=bare words",
            "fps = 30",
            "fps=25.0",
        ],
    )
    .unwrap();
    assert_eq!(scene.solver.steps_per_frame, 8);
    assert_eq!(scene.cloth[0].position.to_array(), [1.0, 2.0, 4.0]);
    assert_eq!(scene.cloth[0].grid.as_ref().unwrap().vertices, [30, 40]);
    assert_eq!((scene.name.as_str(), scene.fps), ("bare words", 25.0));
}

#[test]
fn a_name_grows_into_a_table() {
    let scene = load_with(NAMED, &["cloth.sheet.fabric.density=0.3"]).unwrap();
    assert_eq!(scene.cloth[0].fabric, Fabric { density: Some(0.3), ..Fabric::named("denim") });
    let scene = load_with(NAMED, &["cloth.sheet.fabric=cotton poplin"]).unwrap();
    assert_eq!(scene.cloth[0].fabric, Fabric::named("cotton poplin"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn wrong_overrides_are_shown_as_written() {
    use SceneErrorKind::{OutOfRange, Override, Syntax, UnknownKey, WrongValue};
    for (text, kind, marked, message, help) in [
        (
            "cloth.0.fabirc=x",
            UnknownKey,
            "fabirc",
            "there is no key `fabirc` in `cloth[0]`",
            "did you mean `fabric`?",
        ),
        (
            "cloth.shet.fabric=x",
            Override,
            "shet",
            "there is no `shet` in `cloth`",
            "did you mean `sheet`?",
        ),
        (
            "cloth.7.fabric=x",
            Override,
            "7",
            "there is no `7` in `cloth`",
            "give an index below 1, or one of `sheet`",
        ),
        (
            "body.0.friction=1",
            Override,
            "body",
            "there is no `body` in the scene to change",
            "add a `[[body]]` to the file",
        ),
        (
            "cloth.0.name.x=1",
            Override,
            "x",
            "there is no `x` in `name`, which is text",
            "leave it out of the path",
        ),
        ("fps=fast", WrongValue, "fast", "`fps` is the text \"fast\"", "give a number"),
        (
            "fps=0",
            OutOfRange,
            "0",
            "`fps` is 0 frames/s, which is not greater than 0",
            "give more than 0 and at most 100000 frames/s",
        ),
        (
            "fps",
            Override,
            "fps",
            "the override `fps` has no `=`",
            "write it like solver.steps_per_frame=8",
        ),
        (
            "a..b=1",
            Override,
            "a..b=1",
            "`a..b` is not a path of keys",
            "write it like cloth.0.fabric=denim",
        ),
        (
            "fps=[1",
            Syntax,
            "1",
            "this is not valid TOML: unclosed array, expected `]`",
            "text goes in quotes, lists in [ ], tables in { }",
        ),
    ] {
        let error = load_with(NAMED, &[text]).unwrap_err();
        assert_eq!((error.message.as_str(), error.help.as_str()), (message, help), "{text}");
        assert_eq!((error.kind, error.location().as_str()), (kind, "--set"), "{text}");
        let [shown, marks] = &error.snippet;
        assert_eq!(shown, text);
        if kind != Syntax {
            let start = marks.len() - marks.trim_start().len();
            assert_eq!(&text[start..marks.len()], marked);
        }
    }
}

#[test]
fn explicit_keys_win_over_presets_and_overrides_choose_presets() {
    let text = format!("quality = \"fine\"\n[solver]\ntolerance = 0.25\n{SHEET}");
    let scene = load_with(&text, &[]).unwrap();
    assert_eq!((scene.solver.tolerance, scene.solver.steps_per_frame), (0.25, 10));
    assert_eq!((scene.solver.max_iterations, scene.contact.max_passes), (2000, 20));
    let scene = load_with(&text, &["quality=preview", "contact.max_passes=7"]).unwrap();
    assert_eq!((scene.solver.tolerance, scene.solver.steps_per_frame), (0.25, 2));
    assert_eq!(scene.contact.max_passes, 7);
}
