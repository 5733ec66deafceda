//! Frames that stop on their way: what is changed there acts on the next step.

use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;

/// A tenth of a second a frame, in four steps; nothing acts but gravity.
const FALLING: &str = r#"
fps = 10
frames = 10
air = { drag = 0, lift = 0 }
solver = { contact = "none", steps_per_frame = 4 }
[[cloth]]
grid = { size = [1, 1], vertices = [5, 5] }
"#;

/// A napkin that falls on another, which two corners hold.
const FALLING_ON: &str = r#"
fps = 20
frames = 10
quality = "preview"
[[cloth]]
name = "held"
grid = { size = [0.4, 0.4], vertices = [7, 7] }
[[cloth.pin]]
select = { corners = ["u0v0", "u1v0", "u0v1", "u1v1"] }
[[cloth]]
name = "falling"
grid = { size = [0.3, 0.3], vertices = [6, 6] }
position = [0, 0, 0.12]
"#;

#[expect(clippy::unwrap_used, reason = "a test")]
fn runner(text: &str, sets: &[&str]) -> Runner {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scene = SceneSpec::from_toml(text, "test.toml", &sets);
    Runner::new(&scene.unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// Says no after so many steps.
fn stop_after(mut steps: u32) -> impl FnMut() -> bool + Send {
    move || {
        steps -= 1;
        steps > 0
    }
}

/// Gravity ends half way through the first frame: the cloth falls by ½ g t² for 50 ms, then flies on at
/// g t for another 50 ms.
#[test]
fn a_change_acts_on_the_next_step() {
    let mut falling = runner(FALLING, &[]);
    assert_eq!(falling.advance_some(&mut stop_after(2)).unwrap(), None);
    assert_eq!(falling.frame_number(), 0, "the frame is not there yet");
    let mut floating = runner(FALLING, &["gravity=[0, 0, 0]"]);
    floating.go_on_from(&mut falling).unwrap();
    let report = floating.advance_some(&mut || true).unwrap().unwrap();
    assert_eq!((report.frame, report.steps), (1, 4), "two steps before the change, two after");
    let t = 0.05;
    let expected = -0.5 * 9.81 * t * t - 9.81 * t * t;
    for x in floating.positions() {
        assert!((x.z - expected).abs() < 1e-9, "{} and {expected}", x.z);
    }
}

/// Also where two cloths meet and the frame is done again as one.
#[test]
fn a_frame_that_stops_after_every_step_ends_in_the_same_bits() {
    let (mut halting, mut straight) = (runner(FALLING_ON, &[]), runner(FALLING_ON, &[]));
    let mut stops = 0;
    for _ in 0..7 {
        straight.advance().unwrap();
        while halting.advance_some(&mut || false).unwrap().is_none() {
            stops += 1;
            let mut next = runner(FALLING_ON, &[]);
            next.go_on_from(&mut halting).unwrap();
            halting = next;
        }
        assert!(halting.frame() == straight.frame());
    }
    assert!(stops > 14, "{stops} stops");
    let touching = straight.marks().iter().filter(|mark| **mark & 8 != 0).count();
    assert!(touching > 0, "they have met");
}
