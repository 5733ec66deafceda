//! What loads, and what it means.

use super::{SHEET, load};
use crate::formula::Formula;
use crate::spec::*;
use muslin::math::{Vec2, Vec3};
use std::path::Path;

/// Every kind of thing a scene can hold, files apart.
pub(super) const EVERYTHING: &str = include_str!("everything.toml");

#[test]
fn ten_lines_are_a_scene_with_sensible_defaults() {
    let text = format!("{SHEET}position = [0, 0, 1]\n[[body]]\nsphere = {{ radius = 0.3 }}\n");
    let scene = load(&text).unwrap();
    assert_eq!((scene.name.as_str(), scene.fps, scene.seed), ("test", 24.0, 1));
    assert_eq!(scene.gravity.at(0.0), Vec3::new(0.0, 0.0, -9.81));
    assert_eq!(scene.max_step(), 1.0 / 96.0);
    assert_eq!(scene.cloth[0].name, "cloth-0");
    assert_eq!(scene.body[0].name, "body-0");
    assert_eq!(scene.path("a.obj"), Path::new("scenes/a.obj"));
    assert!(matches!(scene.cloth[0].shape(), Some(ClothShape::Grid(_))));
    assert!(matches!(scene.body[0].shape(), Some(BodyShape::Sphere(_))));
}

#[test]
fn gravity_points_down_whichever_axis_is_up() {
    let gravity = |text: &str| load(text).unwrap().gravity.at(0.0);
    assert_eq!(gravity(&format!("up = \"y\"\n{SHEET}")), Vec3::new(0.0, -9.81, 0.0));
    let own = format!("up = \"y\"\ngravity = [1, 2, 3]\n{SHEET}");
    assert_eq!(gravity(&own), Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn the_longest_step_is_the_shorter_of_what_is_asked_and_a_frame() {
    let step =
        |solver: &str| load(&format!("fps = 10\n{SHEET}[solver]\n{solver}")).unwrap().max_step();
    assert_eq!(step("steps_per_frame = 5"), 0.02);
    assert_eq!(step("steps_per_frame = 5\nmax_step = 0.001"), 0.001);
    assert_eq!(step("max_step = 3"), 0.1);
}

#[test]
fn the_benchmark_scenes_are_as_defined() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let scene = |name: &str| SceneSpec::from_file(&Path::new(folder).join(name), &[]).unwrap();
    let (drape, hang) = (scene("drape-sphere.toml"), scene("hang.toml"));
    for scene in [&drape, &hang] {
        let [cloth] = scene.cloth.as_slice() else { panic!("one cloth") };
        let grid = cloth.grid.as_ref().unwrap();
        assert_eq!((grid.size, grid.vertices), ([1.0, 1.0], [100, 100]));
        assert_eq!(grid.diagonals, Diagonals::Alternating);
        let fabric = &cloth.fabric;
        assert_eq!((fabric.density, fabric.thickness), (Some(0.15), Some(0.002)));
        assert_eq!(fabric.stretch, Some(Directional::both(Paint::Number(1000.0))));
        assert_eq!(fabric.bending, Some(Directional::both(Paint::Number(1e-5))));
        assert_eq!((fabric.friction, scene.fps, scene.frames), (Some(0.4), 24.0, 60));
        assert_eq!(scene.solver.strain_limit, Limit::At(0.1));
    }
    assert_eq!(drape.cloth[0].position.z, 0.6);
    assert_eq!(drape.body[0].sphere, Some(Sphere { radius: 0.3 }));
    assert_eq!(drape.body[0].position.at(0.0), Vec3::new(0.0, 0.0, 0.29));
    assert!(drape.body[1].plane.is_some() && drape.contact.self_collision);
    assert_eq!(hang.solver.contact, ContactMethod::None);
    let corners = [Corner::U0V1, Corner::U1V1];
    assert_eq!(hang.cloth[0].pin[0].select.selection(), Some(Selection::Corners(&corners)));
}

#[test]
fn values_may_be_written_in_several_ways() {
    let scene = load(EVERYTHING).unwrap();
    let [sheet, skirt] = scene.cloth.as_slice() else { panic!("two cloths") };
    assert_eq!(sheet.fabric.damping, Some(Damping { stretch: 0.01, shear: 0.01, bend: 0.01 }));
    assert_eq!(skirt.fabric.damping, Some(Damping { stretch: 0.1, shear: 0.0, bend: 0.2 }));
    let stretch = Directional { u: Paint::Number(900.0), v: Paint::Number(1100.0) };
    assert_eq!(sheet.fabric.stretch, Some(stretch));
    assert_eq!(sheet.fabric.strain_limit, Some(Limit::Off));
    let Some(Directional { u: Paint::Formula(formula), .. }) = &sheet.shrink else {
        panic!("a formula")
    };
    let at = |v: f64| formula.at(&PaintPoint { uv: Vec2::new(0.0, v), ..PaintPoint::default() });
    assert_eq!((at(0.5), at(0.9)), (1.0, 0.8));
    assert_eq!(sheet.pin[1].select.selection(), Some(Selection::All));
    assert_eq!(sheet.pin[0].offset.as_ref().unwrap().at(0.5), Vec3::new(0.0, 0.0, 0.05));
    assert_eq!(scene.gravity.at(0.5), Vec3::new(0.0, 0.0, -4.905));
    let Some(WindSource::Cone(cone)) = scene.wind[1].source() else { panic!("a cone") };
    assert_eq!(cone.base_radius, 0.2);
}

#[test]
fn a_scene_written_out_reads_back_the_same() {
    let scene = load(EVERYTHING).unwrap();
    let again = load(&scene.to_toml().unwrap()).unwrap();
    assert_eq!(scene, again);
}

#[test]
fn numbered_files_fill_their_digits() {
    let sequence = |files: &str| MeshSequence {
        files: files.to_owned(),
        mesh: None,
        first: None,
        last: None,
        fps: None,
        start: 0.0,
        speed: None,
        repeat: false,
        interpolation: Between::Linear,
        unit: None,
        up: None,
        object: None,
    };
    assert_eq!(sequence("a/walk_####.obj").file(7).as_deref(), Some("a/walk_0007.obj"));
    assert_eq!(sequence("é##").file(1234).as_deref(), Some("é1234"));
    assert_eq!(sequence("walk.obj").file(1), None);
}

#[test]
fn vertex_counts_are_those_of_the_shapes() {
    // Rings of 6k vertices: 1 + 6 + 12 + 18; an icosahedron has 12 vertices and 30 edges.
    assert_eq!(Disc { radius: 1.0, rings: 3 }.vertex_count(), 37);
    assert_eq!(SphereSheet { radius: 1.0, subdivisions: 0 }.vertex_count(), 12);
    assert_eq!(SphereSheet { radius: 1.0, subdivisions: 1 }.vertex_count(), 12 + 30);
}

/// Every key of every table in `value` is known to `schema`, following references and choices.
fn keys_are_known(
    value: &toml::Value,
    schema: &serde_json::Value,
    root: &serde_json::Value,
) -> bool {
    let schema = match schema.get("$ref").and_then(|r| r.as_str()) {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    };
    for choice in ["anyOf", "oneOf", "allOf"] {
        if let Some(choices) = schema.get(choice).and_then(|c| c.as_array()) {
            return choices.iter().any(|choice| keys_are_known(value, choice, root));
        }
    }
    match value {
        toml::Value::Table(table) => table.iter().all(|(key, value)| {
            let named = schema.get("properties").and_then(|p| p.get(key));
            let other = schema.get("additionalProperties").filter(|other| other.is_object());
            named.or(other).is_some_and(|schema| keys_are_known(value, schema, root))
        }),
        toml::Value::Array(items) => match schema.get("items") {
            Some(schema) => items.iter().all(|item| keys_are_known(item, schema, root)),
            None => false,
        },
        toml::Value::String(_) => {
            schema.get("type").is_some_and(|t| {
                t == "string" || t.as_array().is_some_and(|t| t.contains(&"string".into()))
            }) || schema.get("enum").is_some()
                || schema.get("const").is_some()
        }
        _ => true,
    }
}

#[test]
fn the_schema_knows_every_key_and_no_others() {
    let schema = SceneSpec::schema();
    let table = |text: &str| toml::Value::Table(toml::from_str(text).unwrap());
    assert!(keys_are_known(&table(EVERYTHING), &schema, &schema));
    let all = load(EVERYTHING).unwrap().to_toml().unwrap();
    assert!(keys_are_known(&table(&all), &schema, &schema));
    for wrong in ["fsp = 1", "[[cloth]]\ngird = {}", "[[cloth]]\ngrid = { sizes = 1 }"] {
        assert!(!keys_are_known(&table(wrong), &schema, &schema), "{wrong}");
    }
    assert_eq!(schema["title"], "Muslin scene");
    assert!(schema["properties"]["fps"]["description"].is_string());
}

#[test]
fn formulas_know_all_scene_variables() {
    let formula = Formula::parse("u + 10*v + x*y*z + i + t", &FORMULA_VARIABLES).unwrap();
    let point = PaintPoint {
        uv: Vec2::new(1.0, 2.0),
        position: Vec3::new(2.0, 3.0, 5.0),
        index: 100,
        time: 1000.0,
    };
    assert_eq!(formula.at(&point), 1.0 + 20.0 + 30.0 + 100.0 + 1000.0);
}
