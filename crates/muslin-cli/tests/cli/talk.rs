//! What the program says: help, lists, JSON, pipes.

use crate::support::{command, json, says, scratch};
use std::process::Stdio;

const COMMANDS: [&str; 9] =
    ["run", "gallery", "render", "export", "finish", "check", "fabrics", "bench", "schema"];

#[test]
fn help_names_every_command_and_every_command_explains_itself() {
    let folder = scratch("help");
    let (help, _) = says(&folder, "--help", 0);
    for command in COMMANDS {
        assert!(help.contains(&format!("  {command} ")), "{command} is not in\n{help}");
        let (own, _) = says(&folder, &format!("{command} --help"), 0);
        assert!(own.contains(&format!("muslin {command}")), "{own}");
        let teaches = own.contains("Examples:") || command == "schema";
        assert!(teaches, "{command} has no examples");
    }
    let (version, _) = says(&folder, "--version", 0);
    assert_eq!(version.trim(), format!("muslin {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_arguments_exit_with_two_and_a_suggestion() {
    let folder = scratch("arguments");
    let (_, err) = says(&folder, "rum", 2);
    assert!(err.contains("run"), "{err}");
    let (_, err) = says(&folder, "", 2);
    assert!(err.contains("muslin gallery"), "{err}");
    let error = &json(&folder, "run @hang --frames 5..2", 2)["error"];
    assert_eq!(error["kind"], "usage");
    assert!(error["message"].as_str().unwrap().contains("smaller frame first"), "{error}");
    for (arguments, place) in [
        ("run @hang --threads 0", "--threads"),
        ("run @hang --max-time -1", "arguments"),
        ("run @hang --max-time=0", "--max-time"),
        ("run @hang --frames 999..", "--frames"),
    ] {
        assert_eq!(json(&folder, arguments, 2)["error"]["where"], place, "{arguments}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing was written");
}

#[test]
fn the_gallery_has_the_benchmark_scenes_and_prints_them() {
    let folder = scratch("gallery");
    let gallery = json(&folder, "gallery", 0);
    let names: Vec<&str> =
        gallery["scenes"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"hang") && names.contains(&"drape-sphere"), "{names:?}");
    let (list, _) = says(&folder, "gallery", 0);
    for name in names {
        assert!(list.contains(&format!("@{name}")));
        let (text, _) = says(&folder, &format!("gallery {name}"), 0);
        assert!(text.contains("[[cloth]]"));
    }
    assert_eq!(json(&folder, "gallery nope", 2)["error"]["kind"], "unknown-scene");
}

#[test]
fn the_schema_is_one_and_knows_the_keys() {
    let (schema, err) = says(&scratch("schema"), "schema", 0);
    assert_eq!(err, "");
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    for key in ["cloth", "body", "solver", "fps"] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
}

#[test]
fn fabrics_are_listed_shown_and_made_from_lab_numbers() {
    let folder = scratch("fabrics");
    let (list, _) = says(&folder, "fabrics", 0);
    assert!(list.contains("denim") && list.contains("chiffon"));
    assert_eq!(json(&folder, "fabrics", 0)["fabrics"].as_array().unwrap().len(), 18);
    let denim = json(&folder, "fabrics Denim", 0);
    assert_eq!(denim["name"], "denim");
    assert!(denim["published"]["bending"]["source"].is_string());
    let (_, err) = says(&folder, "fabrics denin", 2);
    assert!(err.contains("did you mean \"denim\""), "{err}");
    let made = json(&folder, "fabrics --from-lab weight=200g/m2 overhang=4cm", 0);
    // D = ρ g c³ with the bending length c half the overhang.
    let expected = 0.2 * 9.80665 * 0.02_f64.powi(3);
    let bending = made["fabric"]["bending"][0].as_f64().unwrap();
    assert!((bending / expected - 1.0).abs() < 1e-12, "{bending}");
    assert_eq!(json(&folder, "fabrics --from-lab weight=-1", 2)["error"]["kind"], "lab-sheet");
}

#[test]
fn benchmarks_have_rows() {
    let folder = scratch("bench");
    for part in ["", "bw", "bf", "mf", "os", "xu", "all"] {
        let answer = json(&folder, &format!("bench {part} --frames 0"), 2);
        assert!(answer["error"]["message"].as_str().unwrap().contains("0 frames"), "{part}");
    }
    let answer = json(&folder, "bench bf --sizes 6 --frames 3 --threads 2", 0);
    let gains = answer["threads_gain"].as_array().unwrap();
    assert!(gains.len() == 2 && gains.iter().all(|gain| gain["faster"].as_f64().unwrap() > 0.0));
    let [row, other, detections @ ..] = answer["rows"].as_array().unwrap().as_slice() else {
        panic!("two scenes and detection")
    };
    assert!(row["name"].is_string() && other["name"] == "curtain-ball 6 x 6");
    assert_eq!(detections.len(), 2, "with one thread and with two");
    assert_eq!(detections[0]["collisions"], detections[1]["collisions"]);
    assert!(detections[0]["candidates"].as_u64().unwrap() > 10_000);
    assert_eq!(row["vertices"], 36);
    let milliseconds = row["milliseconds"].as_f64().unwrap();
    let solve = row["split"]["solve"].as_f64().unwrap();
    assert!(milliseconds > 0.0 && solve > 0.0);
}

/// BW16: three scenes at each size, then five stiffnesses over four decades; and a plot of each study.
#[test]
fn bw16_the_implicit_benchmark_has_its_rows_and_plots() {
    let folder = scratch("bench-bw");
    let answer = json(&folder, "bench bw --sizes 6,9 --frames 1 --plot growth.svg", 0);
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3 * 2 + 5);
    let vertices: Vec<u64> = rows.iter().map(|row| row["vertices"].as_u64().unwrap()).collect();
    assert_eq!(vertices[..6], [36, 81, 36, 81, 36, 81]);
    for row in rows {
        let milliseconds = row["milliseconds"].as_f64().unwrap();
        let solve = row["split"]["solve"].as_f64().unwrap();
        // A sheet that falls freely needs no iteration; one that hangs does.
        let hangs = row["name"].as_str().unwrap().starts_with("hang");
        let least = if hangs { Some(1) } else { Some(0) };
        assert!(milliseconds > 0.0 && solve > 0.0 && row["iterations"].as_u64() >= least);
    }
    for row in &rows[..6] {
        let share = |part: &str| row["percent"][part].as_f64().unwrap();
        let total: f64 = ["eval", "cg", "contact", "rest"].map(share).iter().sum();
        assert!((total - 100.0).abs() < 1e-9 && row["exponent"].is_number(), "{row}");
    }
    let decades = rows[10]["bending"].as_f64().unwrap() / rows[6]["bending"].as_f64().unwrap();
    assert!((decades.log10() - 4.0).abs() < 1e-9);
    for name in ["growth.svg", "growth-stiffness.svg"] {
        let svg = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{name}");
    }
}

/// The real-time benchmarks have the rows that the papers' tables ask for.
#[test]
fn real_time_benchmarks_have_their_rows() {
    let folder = scratch("bench-real-time");
    let rows = |part: &str| json(&folder, part, 0)["rows"].as_array().unwrap().clone();
    let os = rows("bench os --frames 2");
    for (row, nodes, triangles) in [(0, 66, 1944.0), (1, 66, 1944.0), (5, 1000, 30720.0)] {
        assert_eq!(os[row]["nodes"], nodes);
        assert_eq!(os[row]["counts"]["triangles"], triangles);
        for stage in ["integration", "collision", "smoothing"] {
            assert!(os[row]["split"][stage].as_f64().unwrap() > 0.0, "{stage}");
        }
    }
    let xu = rows("bench xu --frames 1 --plot growth.svg");
    let nodes: Vec<u64> = xu.iter().take(4).map(|row| row["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [240, 1760, 960, 10_000]);
    assert!(xu.iter().all(|row| row["milliseconds"].as_f64().unwrap() > 0.0));
    let svg = std::fs::read_to_string(folder.join("growth.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("exponent") && svg.ends_with("</svg>\n"));
}

/// A reader that goes away (`muslin schema | head -1`) is no error.
#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = command(&scratch("pipe"), "schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}
