//! Fingers, a phone, and a tunnel in between.

use crate::chromium;
use crate::scenes::{TOWEL, studio};
use crate::tunnel::tunnel;
use serde_json::json;

#[test]
fn fingers_turn_zoom_and_move_the_view_on_a_phone_behind_a_tunnel() {
    let Some(mut browser) = chromium::start("touch") else { return };
    let studio = studio(TOWEL);
    let near = tunnel(studio.address());
    browser.resize(390, 844, true);
    browser.open(&studio.link().replace(&studio.address().to_string(), &near.to_string()));
    browser.wait("muslin.controls === true");
    browser.photograph("phone");
    let outside = browser.value(
        "[...document.querySelectorAll('nav > *, .transport > *')]
          .filter((part) => part.offsetParent && part.getBoundingClientRect().right > innerWidth).length",
    );
    assert_eq!(outside, json!(0), "everything can be reached");

    // Above the cloth, on nothing.
    let camera = |name: &str| format!("muslin.view.camera.{name}");
    let (azimuth, distance) =
        (browser.number(&camera("azimuth")), browser.number(&camera("distance")));
    browser.touch("touchStart", &[(150.0, 150.0)]);
    browser.touch("touchMove", &[(190.0, 150.0)]);
    browser.touch("touchEnd", &[]);
    let turned = browser.number(&camera("azimuth")) - azimuth;
    assert!((turned + 40.0 * 0.008).abs() < 1e-9, "one finger turns: {turned}");

    browser.touch("touchStart", &[(150.0, 150.0), (250.0, 150.0)]);
    browser.touch("touchMove", &[(125.0, 150.0), (275.0, 150.0)]);
    browser.touch("touchMove", &[(100.0, 150.0), (300.0, 150.0)]);
    browser.touch("touchEnd", &[]);
    let nearer = browser.number(&camera("distance")) / distance;
    assert!((nearer - 0.5).abs() < 1e-9, "fingers twice as far apart, half as far away: {nearer}");

    let before = browser.value(&camera("target"));
    browser.touch("touchStart", &[(100.0, 150.0), (200.0, 150.0)]);
    browser.touch("touchMove", &[(140.0, 150.0), (240.0, 150.0)]);
    browser.touch("touchEnd", &[]);
    let after = browser.value(&camera("target"));
    let apart = (0..3).map(|k| (after[k].as_f64().unwrap() - before[k].as_f64().unwrap()).powi(2));
    let pixel = "2 * muslin.view.camera.distance * muslin.view.camera.lens(390 / 844) / 844";
    let pixels = apart.sum::<f64>().sqrt() / browser.number(pixel);
    // The second finger moves the view while the first has changed the distance by two fifths.
    assert!((25.0..55.0).contains(&pixels), "two fingers move it with them, by 40: {pixels}");
    let same = browser.number(&camera("distance")) / (0.5 * distance);
    assert!((same - 1.0).abs() < 1e-9, "and no nearer: {same}");

    browser.value("muslin.view.goHome()");
    let place = "(() => { const box = muslin.view.canvas.getBoundingClientRect(); return [box.width / 2, box.height / 2]; })()";
    let middle = browser.value(place);
    let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    browser.touch("touchStart", &[(x, y)]);
    browser.wait("muslin.held !== null");
    browser.touch("touchStart", &[(x, y), (x + 80.0, y)]);
    browser.wait("muslin.held === null");
    browser.touch("touchEnd", &[]);
    browser.click("[data-part=settings]");
    browser.wait("document.querySelector('.settings .field') !== null");
    browser.photograph("phone-settings");
    assert_eq!(browser.complaints, Vec::<String>::new());
}
