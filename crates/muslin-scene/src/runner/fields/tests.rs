use super::*;
use crate::runner::Runner;
use muslin::body::shape;
use muslin::math::Vec3;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "test.toml", &[]).unwrap()
}

const CLOTH: &str = "
    [[cloth]]
    grid = { size = [0.2, 0.2], vertices = [9, 9] }
    position = [0, 0, 0.4]
    fabric = \"cotton poplin\"
";

fn message(body: &str) -> String {
    Runner::new(&scene(&format!("{CLOTH}\n{body}"))).err().unwrap().to_string()
}

#[test]
fn mf6_a_level_set_body_is_described() {
    let text = format!(
        "{CLOTH}\n[[body]]\nname = \"ball\"\nsphere = {{ radius = 0.3 }}\ncollision = \"level-set\""
    );
    let runner = Runner::new(&scene(&text)).unwrap();
    let [note] = runner.fields() else { panic!("one field") };
    assert!(note.closed && note.buried == 0 && !note.sculpted);
    // Half a millimetre of 60 cm, at a fraction of the memory.
    assert!(note.deviation.largest < 5e-4, "{note:?}");
    assert!(note.bytes * 4 < note.uniform_bytes, "{note:?}");
    assert!(note.in_words().starts_with("body `ball`: field of "), "{}", note.in_words());
}

#[test]
fn mf6_a_field_too_coarse_for_the_cloth_is_refused_with_a_remedy() {
    let text = message(
        "[[body]]\nname = \"block\"\nbox = { size = [0.3, 0.3, 0.3] }\ncollision = \"level-set\"
         level_set = { cell = 0.05 }",
    );
    assert!(text.contains("body `block`") && text.contains("too coarse"), "{text}");
    assert!(text.contains("set level_set.cell = "), "{text}");
}

/// MF8: an inset deeper than the body is refused, with how deep it is.
#[test]
fn mf8_an_inset_must_leave_something_of_the_body() {
    let body = |inset: &str| {
        format!(
            "[[body]]\nname = \"ball\"\nsphere = {{ radius = 0.1 }}\ncollision = \"level-set\"
             level_set = {{ inset = {inset} }}"
        )
    };
    let text = message(&body("0.11"));
    assert!(text.contains("level_set.inset is 110.0 mm") && text.contains("mm deep"), "{text}");
    assert!(Runner::new(&scene(&format!("{CLOTH}\n{}", body("0.01")))).is_ok());
    let negative = SceneSpec::from_toml(&format!("{CLOTH}\n{}", body("-0.01")), "test.toml", &[]);
    assert!(negative.unwrap_err().to_string().contains("level_set.inset"));
}

#[test]
fn mf6_fields_on_disk_are_used_and_damaged_ones_made_again() {
    let folder = std::env::temp_dir().join(format!("muslin-fields-{}", std::process::id()));
    let mesh = shape::sphere(0.1, 0.03);
    let resolution = Resolution::new(0.01);
    let make = || store::frame(mesh.clone(), resolution, Some(&folder));
    let first = make();
    let files = || -> Vec<_> {
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    assert_eq!(files().len(), 1);
    assert_eq!(make(), first);
    let file = files().remove(0);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(make(), first);
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "it was put right");
    // Another mesh has another name.
    let mut moved = mesh.clone();
    moved.positions[0] += Vec3::X * 1e-9;
    store::frame(moved, resolution, Some(&folder));
    assert_eq!(files().len(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}
