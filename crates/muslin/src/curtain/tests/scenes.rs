use super::*;
use crate::curtain::scenes::{self, Scene};

/// Frames of each scene's run, enough for its gusts; the whole tier has to stay short.
const FRAMES: [usize; 4] = [600, 360, 780, 90];

/// In every scene rods keep their length, no width is exceeded by more than 1 %, and nothing is left
/// crossing.
#[test]
fn scenes_keep_their_limits() {
    for (mut scene, frames) in Scene::all().unwrap().into_iter().zip(FRAMES) {
        for frame in 0..frames {
            let report = *scene.frame(1.0 / 60.0).unwrap();
            let place = format!("{} frame {frame}: {report:?}", scene.name);
            assert!(report.width_excess <= 0.01, "{place}");
            assert_eq!(report.contacts_left + report.contacts_dropped, 0, "{place}");
            assert!(report.deepest < 0.02, "{place}");
            assert_eq!(report.substeps, 1, "{place}");
        }
        assert!(rod_error(&scene.curtain) < 1e-12, "{}", scene.name);
    }
}

#[test]
fn scenes_have_the_promised_nodes() {
    let counts = Scene::all().unwrap().map(|s| s.curtain.nodes().len());
    assert_eq!(counts, [240, 1760, 960, 10_000]);
}

/// The flag flies: most of the time its fly end is to leeward of the pole, and it flutters.
#[test]
fn the_flag_flies() {
    let mut scene = scenes::flag().unwrap();
    let (mut reach, mut flutter) = (0.0, 0.0);
    for _ in 0..900 {
        scene.frame(1.0 / 60.0).unwrap();
        let end = *scene.curtain.nodes().last().unwrap();
        reach += end.x / 900.0;
        flutter += end.y * end.y / 900.0;
    }
    assert!(reach > 0.6, "{reach}");
    assert!(f64::sqrt(flutter) > 0.1, "{flutter}");
}
