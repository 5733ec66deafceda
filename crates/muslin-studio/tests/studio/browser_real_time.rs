//! Curtains in the page: they blow by themselves, and as they are told (XU9).

use crate::chromium;
use crate::scenes::{CURTAIN, SKIRT, studio};
use serde_json::json;

#[test]
fn a_curtain_blows_as_the_sliders_say_and_is_turned() {
    let Some(mut browser) = chromium::start("curtain") else { return };
    let studio = studio(CURTAIN);
    browser.open(&studio.link());
    browser.resize(1280, 720, false);
    browser.wait("muslin.controls === true");
    browser.click("[data-part=settings]");
    let slider = "document.querySelector('[data-wind=power] input[type=range]')";
    let number = "Number(document.querySelector('[data-wind=power] input[type=number]').value)";
    browser.wait(&format!("{slider} !== null"));
    browser.click("[data-part=play]");
    browser.wait("muslin.view.frame?.number >= 40");
    browser.click("[data-part=play]");
    browser.wait("muslin.playing === false && muslin.view.frame.number === muslin.last");
    let (power, time) = (browser.number(number), browser.number("muslin.view.frame.time"));
    // Two metres a second more every second; the slider shows hundredths.
    assert!((power - 2.0 * time).abs() < 0.006, "{power} m/s after {time} s");

    browser.value(&format!("{slider}.value = 0.25; {slider}.dispatchEvent(new Event('input'))"));
    browser.wait("muslin.scene.sets.length === 1");
    let wind = browser.value("muslin.scene.settings.wind[0].uniform.velocity");
    // A quarter of twice the strongest keyframe.
    assert_eq!(wind, json!([0, 5, 0]), "it blows where it blew");
    let direction = "document.querySelector('[data-wind=direction] input[type=range]')";
    browser.wait(&format!("{direction} !== null"));
    browser
        .value(&format!("{direction}.value = 0.5; {direction}.dispatchEvent(new Event('input'))"));
    browser.wait("muslin.scene.settings.wind[0].uniform.velocity[0] === 5");
    browser.click("[data-part=play]");
    browser.wait("muslin.view.frame?.number >= 90");
    browser.photograph("curtain-settings");

    // Beside the cloth the view turns, while it runs.
    let azimuth = browser.number("muslin.view.camera.azimuth");
    browser.mouse("mousePressed", (130.0, 620.0));
    browser.mouse("mouseMoved", (170.0, 620.0));
    browser.mouse("mouseReleased", (170.0, 620.0));
    let turned = browser.number("muslin.view.camera.azimuth") - azimuth;
    assert!((turned + 40.0 * 0.008).abs() < 1e-9, "{turned}");
    assert_eq!(browser.value("muslin.held === null && muslin.playing"), json!(true));
    browser.value("muslin.settings.search.value = 'stretch'; muslin.settings.fillTree()");
    let idle =
        browser.number("document.querySelectorAll('.tree .field.idle input:disabled').length");
    assert!(idle > 2.0, "{idle} fields that have no part in a curtain are off");
    browser.value("muslin.view.setOverlay('pins')");
    browser.wait("/pinned · [1-9]/.test(document.querySelector('.legend').textContent)");
    browser.value("muslin.view.setOverlay('contact')");
    browser.wait("/does not tell/.test(document.querySelector('.legend').textContent)");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Takes a curtain in still air low in its middle and pulls it up; the vertex follows the pointer (BW7).
#[test]
fn a_curtain_is_pulled_up_and_let_go() {
    let still = CURTAIN.replace("[5, [0, 10, 0]]", "[5, [0, 0, 0]]");
    // Long enough not to end before a slow browser has moved its pointer.
    let long = still.replace("frames = 600", "frames = 10000");
    // Not all the way: rods are rigid, and columns that lean on each other jam at half to three quarters of
    // it, whatever the spring; how far depends on when the pointer moved.
    pull_up("curtain-pulled", &long, 0.3);
}

/// The same with a skirt of few particles: its faces bend freely, so that it follows most of the way.
#[test]
fn a_skirt_is_pulled_up_and_let_go() {
    pull_up("skirt-pulled", SKIRT, 0.6);
}

/// Pulls the cloth up where it is lowest and nearest, by 160 pixels, until it has followed by a `share` of
/// that; then lets go, and waits until it hangs as before.
fn pull_up(name: &str, scene: &str, share: f64) {
    let Some(mut browser) = chromium::start(name) else { return };
    let studio = studio(scene);
    browser.open(&studio.link());
    browser.wait("muslin.controls === true");
    browser.click("[data-part=play]");
    browser.wait("muslin.view.frame?.number >= 5");
    let place = browser.value(
        "(() => { const x = muslin.view.painter.cloth(), { camera, canvas } = muslin.view;
            const m = camera.matrices(canvas.width / canvas.height).both;
            const at = (v) => [0, 1, 3].map((r) => m[r] * x[v] + m[4 + r] * x[v + 1] + m[8 + r] * x[v + 2] + m[12 + r]);
            const all = Array.from({ length: x.length / 3 }, (_, k) => 3 * k);
            const low = Math.min(...all.map((v) => x[v + 2])) + 0.03;
            const places = all.filter((v) => x[v + 2] < low).map(at);
            const [a, b, w] = places.reduce((one, other) => (other[2] < one[2] ? other : one));
            return [(0.5 + 0.5 * a / w) * canvas.clientWidth, (0.5 - 0.5 * b / w) * canvas.clientHeight - 14]; })()",
    );
    let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    browser.mouse("mousePressed", (x, y));
    assert_eq!(browser.value("muslin.held !== null"), json!(true), "nothing to hold at {x}, {y}");
    let height = "muslin.view.painter.positions[3 * muslin.held.vertex + 2]";
    let vertex = browser.number("muslin.held.vertex").to_string();
    let before = browser.number(height);
    for k in 1..=20 {
        browser.mouse("mouseMoved", (x, y - 8.0 * f64::from(k)));
    }
    let target = browser.number("muslin.held.target[2]");
    assert!(target > before + 0.1, "the pointer went up: {before} to {target}");
    browser.wait(&format!("{height} > {before} + {share} * ({target} - {before})"));
    browser.photograph(name);
    browser.mouse("mouseReleased", (x, y - 160.0));
    browser.wait("muslin.status.grabbed === null");
    browser.wait(&format!("{} < {before} + 0.05", height.replace("muslin.held.vertex", &vertex)));
    assert_eq!(browser.complaints, Vec::<String>::new());
}
