//! `muslin run`: what it writes and says, for any number of threads.

use crate::support::{DRAPE, assert_same, json, says, scene, scratch};
use muslin_scene::cache::{Cache, Status};
use std::fs;

#[test]
fn the_result_has_the_promised_shape_and_the_cache_agrees() {
    let folder = scene("run-json", DRAPE);
    let result = json(&folder, "run scene.toml", 0);
    assert_eq!(result["frames"], 13);
    assert_eq!(result["crossings_max"], 0);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let (median, max) = (
        number(&result["seconds_per_frame"]["median"]),
        number(&result["seconds_per_frame"]["max"]),
    );
    assert!(0.0 < median && median <= max);
    assert!(number(&result["split"]["solve"]) > 0.0);
    assert!(result["steps"].as_u64().unwrap() >= 12 * 4, "four steps a frame at least");
    assert_eq!(result["cache"], "scene.muslin");
    assert_eq!(result["sheet"], "scene.muslin/contact_sheet.png");

    let cache = Cache::open(&folder.join("scene.muslin")).unwrap();
    assert_eq!(cache.frames().unwrap(), (0..=12).collect::<Vec<u64>>());
    assert_eq!(cache.checkpoints().unwrap(), [12]);
    assert_eq!(cache.fingerprint_of_frames().unwrap(), result["fingerprint"].as_str().unwrap());
    // The largest edge strain over the saved frames, by hand.
    let topology = cache.topology();
    let mut largest = f64::MIN;
    for number in cache.frames().unwrap() {
        let x = cache.frame(number).unwrap().positions;
        for ([a, b], rest) in topology.edges.iter().zip(&topology.rest_lengths) {
            largest = largest.max(x[*a as usize].distance(x[*b as usize]) / rest - 1.0);
        }
    }
    assert!((number(&result["stretch_max"]) - largest).abs() < 1e-12, "{largest}");
    let sheet = fs::read(folder.join("scene.muslin/contact_sheet.png")).unwrap();
    assert!(sheet.starts_with(b"\x89PNG"));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = scene("run-threads", DRAPE);
    for threads in [1, 2, 8] {
        let arguments = format!("run scene.toml -q -o t{threads}.muslin --threads {threads}");
        assert_eq!(says(&folder, &arguments, 0), (String::new(), String::new()));
    }
    assert_same(&folder.join("t1.muslin"), &folder.join("t2.muslin"));
    assert_same(&folder.join("t1.muslin"), &folder.join("t8.muslin"));
}

#[test]
fn gallery_scenes_run_from_anywhere_with_overrides() {
    let folder = scratch("run-gallery");
    let size = "--set cloth.sheet.grid.vertices=[5,5] --no-sheet";
    for (name, frames) in [("hang", 5), ("drape-sphere", 3)] {
        let result = json(&folder, &format!("run @{name} {size} --frames ..{}", frames - 1), 0);
        assert_eq!(result["frames"], frames);
        assert_eq!(result["vertices"], 25);
        assert_eq!(result["sheet"], serde_json::Value::Null);
        assert!(folder.join(format!("{name}.muslin/manifest.json")).exists());
    }
}

#[test]
fn frames_from_a_to_b_are_those_of_the_whole_run() {
    let folder = scene("run-frames", DRAPE);
    says(&folder, "run scene.toml -q --no-sheet -o all.muslin", 0);
    says(&folder, "run scene.toml -q --no-sheet -o some.muslin --frames 4..7", 0);
    let [all, some] = ["all.muslin", "some.muslin"].map(|d| Cache::open(&folder.join(d)).unwrap());
    assert_eq!(some.frames().unwrap(), [4, 5, 6, 7]);
    for frame in 4..=7 {
        assert_eq!(some.frame(frame).unwrap(), all.frame(frame).unwrap());
    }
}

#[test]
fn a_cache_is_replaced_only_when_told() {
    let folder = scene("run-overwrite", DRAPE);
    says(&folder, "run scene.toml -q --frames ..2", 0);
    let before = fs::read(folder.join("scene.muslin/contact_sheet.png")).unwrap();
    let error = &json(&folder, "run scene.toml --frames ..2", 2)["error"];
    assert_eq!(error["kind"], "exists");
    let error = &json(&folder, "run scene.toml --resume --set seed=2 --frames ..2", 2)["error"];
    assert_eq!(error["kind"], "differs");
    assert!(error["message"].as_str().unwrap().contains("overridden settings"), "{error}");
    let again = json(&folder, "run scene.toml --resume --frames ..2", 0);
    assert_eq!(again["frames"], 3, "a finished run is told again");
    says(&folder, "run scene.toml -q --overwrite", 0);
    let after = fs::read(folder.join("scene.muslin/contact_sheet.png")).unwrap();
    assert_ne!(before, after, "the sheet shows the new run");
    fs::create_dir(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/letter.txt"), "dear").unwrap();
    let error = &json(&folder, "run scene.toml -o mine --overwrite", 2)["error"];
    assert_eq!(error["kind"], "not-a-cache");
    assert_eq!(fs::read_dir(folder.join("mine")).unwrap().count(), 1);
}

/// A stiff sheet that lies down on the ground is at rest within a second.
#[test]
fn until_rest_stops_before_the_last_frame_or_says_that_it_could_not() {
    let text = "
        frames = 200
        [[cloth]]
        grid = { size = [0.2, 0.2], vertices = [4, 4] }
        position = [0, 0, 0.05]
        fabric = \"felt\"
        [[body]]
        plane = {}
    ";
    let folder = scene("run-rest", text);
    let result = json(&folder, "run scene.toml --no-sheet --until-rest", 0);
    assert_eq!(result["ended"], "at rest");
    let frames = result["frames"].as_u64().unwrap();
    assert!((3..200).contains(&frames), "{frames}");
    let cache = Cache::open(&folder.join("scene.muslin")).unwrap();
    let kinetic = |frame| cache.frame(frame).unwrap().report["energy"]["kinetic"].as_f64().unwrap();
    let peak = (0..frames).map(kinetic).fold(0.0, f64::max);
    assert!(kinetic(frames - 1) < 1e-6 * peak && kinetic(frames - 2) >= 1e-6 * peak);
    let short = "run scene.toml --no-sheet --until-rest --overwrite --frames ..2";
    let error = &json(&folder, short, 2)["error"];
    assert_eq!(error["kind"], "not-at-rest");
    assert_eq!(error["where"], "frame 2");
}

/// A scene whose pinned corner leaves for 1e300 m after 0.2 s, between frames 4 and 5.
const TORN: &str = r#"
frames = 12
[solver]
contact = "none"
[[cloth]]
name = "sheet"
grid = { size = [1, 1], vertices = [4, 4] }
[[cloth.pin]]
select = { corners = ["u0v1"] }
move = [[0, [0, 0, 0]], [0.2, [0, 0, 0]], [0.3, [0, 0, 1e300]]]
"#;

/// R5.
#[test]
fn a_run_that_cannot_go_on_keeps_its_good_frames() {
    let folder = scene("run-stuck", TORN);
    let error = &json(&folder, "run scene.toml", 2)["error"];
    assert_eq!(error["kind"], "simulation");
    assert_eq!(error["where"], "frame 5, cloth `sheet`");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("vertex") && message.contains("frames up to 4 are kept"), "{message}");
    let cache = Cache::open(&folder.join("scene.muslin")).unwrap();
    assert_eq!(cache.frames().unwrap(), [0, 1, 2, 3, 4]);
    assert!((0..=4).all(|frame| cache.frame(frame).is_ok()));
    assert_eq!(cache.manifest().status, Status::Stopped);
    assert!(cache.manifest().stopped_because.as_ref().unwrap().contains("sheet"));
    let report = json(&folder, "check scene.muslin", 1);
    assert_eq!(report["problems"][0]["kind"], "unfinished");
}

/// Energy that overflows stops the run at the frame that would keep it (R5).
#[test]
fn numbers_that_are_not_finite_are_not_written() {
    let text = "
        frames = 6
        [solver]
        contact = \"none\"
        [[cloth]]
        grid = { size = [1, 1], vertices = [3, 3] }
        velocity = [1e160, 0, 0]
    ";
    let folder = scene("run-infinite", text);
    let (_, words) = says(&folder, "run scene.toml", 2);
    assert!(words.contains("finite"), "{words}");
    let cache = Cache::open(&folder.join("scene.muslin")).unwrap();
    assert_eq!(cache.manifest().status, Status::Stopped);
    for number in cache.frames().unwrap() {
        assert!(cache.frame(number).unwrap().positions.iter().all(|x| x.is_finite()));
    }
}
