//! Viewers: what they are sent, who controls, and that the solver waits for nobody.

use crate::client::{Heard, Socket};
use crate::scenes::{CURTAIN, HANDKERCHIEF, NAPKIN, TOWEL, path, studio};
use muslin_studio::Studio;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn viewer(studio: &Studio) -> Socket {
    Socket::open(studio.address(), &path(studio, "socket")).unwrap()
}

fn say(socket: &mut Socket, message: &Value) {
    socket.say(&message.to_string()).unwrap();
}

#[test]
fn a_viewer_is_told_the_scene_then_its_geometry_then_a_frame() {
    let studio = studio(TOWEL);
    let mut viewer = viewer(&studio);
    let mut order = Vec::new();
    while order.len() < 3 {
        match viewer.hear().unwrap() {
            Heard::Text(text) if text["type"] == "scene" => {
                assert_eq!(text["surfaces"][0]["vertices"], json!([0, 11 * 15]));
                assert_eq!(
                    text["settings"]["wind"][0]["uniform"]["velocity"],
                    json!([0.0, 1.0, 0.0])
                );
                assert!(text["toml"].as_str().unwrap().contains("[[cloth]]"));
                order.push(0);
            }
            Heard::Binary(bytes) => {
                order.push(bytes[0]);
                let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
                assert!(bytes[0] != 2 || count == 11 * 15);
            }
            _ => {}
        }
    }
    assert_eq!(order, [0, 2, 1]);
}

#[test]
fn one_controls_and_others_watch() {
    let studio = studio(TOWEL);
    // One after the other: who comes first controls.
    let mut first = viewer(&studio);
    let first_id = first.hear_type("hello")["id"].clone();
    let mut second = viewer(&studio);
    let second_id = second.hear_type("hello")["id"].clone();
    while second.hear_type("status")["controller"] != first_id {}
    say(&mut second, &json!({ "do": "step" }));
    say(&mut first, &json!({ "do": "step" }));
    while second.hear_frame().0 != 1 {}
    say(&mut second, &json!({ "do": "take" }));
    while first.hear_type("status")["controller"] != second_id {}
    say(&mut second, &json!({ "do": "step" }));
    while first.hear_frame().0 != 2 {}
    drop(second);
    while first.hear_type("status")["controller"] != first_id {}
}

/// A viewer that reads nothing costs the solver nothing, and is shown the latest when it looks again.
#[test]
fn the_solver_does_not_wait_for_a_viewer_that_sleeps() {
    let studio = studio(HANDKERCHIEF);
    // One after the other: who comes first controls.
    let mut awake = viewer(&studio);
    awake.hear_type("hello");
    let mut asleep = viewer(&studio);
    say(&mut awake, &json!({ "do": "speed", "value": 0 }));
    say(&mut awake, &json!({ "do": "play" }));
    while awake.hear_frame().0 < 60 {}
    while asleep.hear_frame().0 < 60 {}
}

/// A socket that is not read fills up, and from then on its viewer skips frames: the solver
/// never waits, the one that reads is shown the end, and whoever wakes up is shown where things stand now.
#[test]
fn a_socket_that_nobody_reads_skips_frames_and_holds_up_nobody() {
    // Some 70 kB a frame: together more than the system keeps for a socket that is not read.
    let large = CURTAIN
        .replace("fps = 30\nframes = 600", "fps = 60\nframes = 300")
        .replace("dynamics = \"curtain\"", "dynamics = \"curtain\", contact = \"none\"")
        .replace("vertices = [20, 32]", "vertices = [60, 100]");
    let studio = studio(&large);
    let mut awake = viewer(&studio);
    awake.hear_type("hello");
    let mut asleep = viewer(&studio);
    asleep.hear_type("hello");
    say(&mut awake, &json!({ "do": "speed", "value": 0 }));
    say(&mut awake, &json!({ "do": "play" }));
    while awake.hear_frame().0 < 300 {}
    let mut shown = Vec::new();
    while shown.last() != Some(&300) {
        shown.push(asleep.hear_frame().0);
    }
    assert!(shown.len() < 250, "{} frames were sent", shown.len());
    // What was skipped is counted when its viewer takes the next frame.
    assert!(studio.counters().skipped_frames.get() > 50, "{:?}", studio.counters());
    assert!(shown.is_sorted());
}

/// Real-time dynamics run sixty frames a second, blow as they are told, and can be pulled (BW7).
#[test]
fn a_curtain_runs_at_its_own_speed_and_takes_changes_of_the_wind() {
    let studio = studio(CURTAIN);
    let mut viewer = viewer(&studio);
    let scene = viewer.hear_type("scene");
    assert_eq!((scene["fps"].as_f64(), scene["last_frame"].as_u64()), (Some(60.0), Some(1200)));
    assert_eq!(scene["settings"]["fps"], json!(30.0));
    say(&mut viewer, &json!({ "do": "play" }));
    let begin = Instant::now();
    while viewer.hear_frame().0 < 30 {}
    // The thirtieth frame is due 29 sixtieths of a second after the first.
    let seconds = begin.elapsed().as_secs_f64();
    assert!(seconds > 0.45, "no faster than it is watched: {seconds} s");
    let wind = json!([0, -6, 0]);
    let path = "wind.draught.uniform.velocity";
    say(&mut viewer, &json!({ "do": "set", "path": path, "value": wind }));
    let changed = loop {
        let next = viewer.hear_type("scene");
        if next["sets"] != json!([]) {
            break next;
        }
    };
    assert_eq!(changed["run"], scene["run"], "it goes on where it is");
    let number = viewer.hear_frame().0;
    assert!(number >= 30, "frame {number}");
    let toml = changed["toml"].as_str().unwrap();
    assert!(toml.contains("fps = 30"), "what is saved is the scene's own");
}

/// A frame of a hundred thousand steps takes seconds; a change acts before it is there.
#[test]
fn a_setting_acts_in_the_middle_of_a_frame() {
    let long =
        HANDKERCHIEF.replace("contact", "steps_per_frame = 100000, min_step = 1e-9, contact");
    let studio = studio(&long);
    let mut viewer = viewer(&studio);
    assert_eq!(viewer.hear_frame().0, 0);
    say(&mut viewer, &json!({ "do": "step" }));
    std::thread::sleep(Duration::from_millis(50));
    say(&mut viewer, &json!({ "do": "set", "path": "gravity", "value": [0, 0, -1] }));
    loop {
        match viewer.hear().unwrap() {
            Heard::Text(text) if text["sets"] == json!(["gravity=[0, 0, -1]"]) => break,
            Heard::Binary(bytes) => assert_ne!(bytes[0], 1, "the frame was there first"),
            _ => {}
        }
    }
    say(&mut viewer, &json!({ "do": "restart" }));
    assert_eq!(viewer.hear_frame().0, 0, "and a new beginning does not wait for its end either");
}

#[test]
fn what_was_simulated_can_be_seen_again_and_standing_cloth_costs_nothing() {
    let studio = studio(TOWEL);
    let mut viewer = viewer(&studio);
    for _ in 0..5 {
        say(&mut viewer, &json!({ "do": "step" }));
    }
    while viewer.hear_frame().0 != 5 {}
    say(&mut viewer, &json!({ "do": "see", "frame": 2, "ahead": 2 }));
    let seen: Vec<u32> = (0..3).map(|_| viewer.hear_frame().0).collect();
    assert_eq!(seen, [2, 3, 4]);
    say(&mut viewer, &json!({ "do": "see", "frame": 4 }));
    let (number, bytes) = viewer.hear_frame();
    assert_eq!((number, bytes.len()), (4, 20), "nothing but the head, and three times 'the same'");
    say(&mut viewer, &json!({ "do": "follow" }));
    say(&mut viewer, &json!({ "do": "step" }));
    while viewer.hear_frame().0 != 6 {}
}

#[test]
fn a_setting_acts_on_the_next_step_and_the_cloth_stays_where_it_is() {
    let studio = studio(TOWEL);
    let mut viewer = viewer(&studio);
    for _ in 0..3 {
        say(&mut viewer, &json!({ "do": "step" }));
    }
    while viewer.hear_frame().0 != 3 {}
    say(&mut viewer, &json!({ "do": "set", "path": "gravity", "value": [0, 0, -1] }));
    let scene = loop {
        let scene = viewer.hear_type("scene");
        if scene["sets"] == json!(["gravity=[0, 0, -1]"]) {
            break scene;
        }
    };
    assert_eq!(scene["settings"]["gravity"], json!([0.0, 0.0, -1.0]));
    say(&mut viewer, &json!({ "do": "step" }));
    assert_eq!(viewer.hear_frame().0, 4, "it goes on");
    say(&mut viewer, &json!({ "do": "set", "path": "cloth.0.grid.vertices", "value": [5, 5] }));
    let notice = viewer.hear_type("notice");
    assert!(notice["text"].as_str().unwrap().contains("begins again"), "{notice}");
    assert_eq!(viewer.hear_frame().0, 0);
    say(&mut viewer, &json!({ "do": "set", "path": "solver.tolerance", "value": -3 }));
    let notice = viewer.hear_type("notice");
    assert!(notice["text"].as_str().unwrap().contains("tolerance"), "{notice}");
}

#[test]
fn a_scene_of_the_gallery_runs_when_it_is_opened() {
    let studio = studio(NAPKIN);
    let mut viewer = viewer(&studio);
    say(&mut viewer, &json!({ "do": "open", "scene": "towel" }));
    while viewer.hear_type("scene")["name"] != "towel" {}
    while viewer.hear_frame().0 < 3 {}
    say(&mut viewer, &json!({ "do": "open", "scene": "/etc/passwd" }));
    assert!(viewer.hear_type("notice")["text"].as_str().unwrap().contains("no scene"));
}

#[test]
fn crossings_are_looked_for_only_when_someone_wants_to_know() {
    let studio = studio(NAPKIN);
    let mut viewer = viewer(&studio);
    say(&mut viewer, &json!({ "do": "judge", "on": true }));
    say(&mut viewer, &json!({ "do": "step" }));
    // Frame 0 may be judged too, if it is shown after the wish is heard.
    let judged = loop {
        let judged = viewer.hear_type("crossings");
        if judged["frame"] == 1 {
            break judged;
        }
    };
    assert_eq!(judged["pairs"], 0);
}
