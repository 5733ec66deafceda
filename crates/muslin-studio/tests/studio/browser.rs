//! The page in a real browser.

use crate::chromium::{self, Browser};
use crate::scenes::{NAPKIN, TOWEL, studio};

/// Sum of the cloth's coordinates, each weighted by its place: any change of any vertex changes it.
pub const STATE: &str =
    "muslin.view.painter.cloth().reduce((sum, x, k) => sum + x * (1 + k % 97), 0)";

/// Steps until the page shows this frame.
fn step_to(browser: &mut Browser, frame: u32) {
    browser.wait("muslin.controls === true");
    for next in 1..=frame {
        browser.click("[data-part=step]");
        browser.wait(&format!("document.documentElement.dataset.frame === '{next}'"));
    }
}

fn restart(browser: &mut Browser) {
    browser.click("[data-part=restart]");
    browser.wait("muslin.view.frame?.number === 0 && muslin.last === 0");
}

/// Where a cloth vertex is on the page.
fn place_of(browser: &mut Browser, vertex: u32) -> (f64, f64) {
    let place = browser.value(&format!(
        "(() => {{
          const {{ painter, camera, canvas }} = muslin.view;
          const m = camera.matrices(canvas.width / canvas.height).both;
          const x = painter.positions.slice(3 * {vertex}, 3 * {vertex} + 3);
          const row = (k) => m[k] * x[0] + m[4 + k] * x[1] + m[8 + k] * x[2] + m[12 + k];
          const box = canvas.getBoundingClientRect();
          return [box.left + (1 + row(0) / row(3)) / 2 * box.width, box.top + (1 - row(1) / row(3)) / 2 * box.height];
        }})()"
    ));
    (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
}

#[test]
fn the_page_plays_scrubs_and_shows_overlays() {
    let Some(mut browser) = chromium::start("plays") else { return };
    let studio = studio(NAPKIN);
    browser.open(&studio.link());
    let still = browser.photograph("napkin-start");
    browser.wait("muslin.controls === true");
    browser.click("[data-part=plots]");
    browser.click("[data-part=play]");
    browser.wait("muslin.view.frame?.number >= 15");
    browser.click("[data-part=play]");
    browser.wait("muslin.playing === false");
    let moved = browser.photograph("napkin-plots");
    assert_ne!(still, moved, "pixels changed");
    let reports = browser.number("muslin.view.plots.reports.filter((r) => r.energy).length");
    assert!(reports >= 16.0, "{reports} reports: one for every frame, drawn or not");
    let state = browser.number(STATE);
    browser.value("muslin.seek(5)");
    browser.wait("document.documentElement.dataset.frame === '5'");
    assert_ne!(browser.number(STATE), state, "an earlier frame is shown");
    assert!(browser.number("muslin.last") >= 15.0, "and nothing is lost");
    browser.click("[data-part=live]");
    browser.wait("muslin.follow && muslin.view.frame.number === muslin.last");
    assert_eq!(browser.number(STATE), state, "and the last one comes back as it was");
    for overlay in ["strain", "speed", "curvature", "contact", "pins", "sticking", "crossings"] {
        browser.value(&format!("muslin.view.setOverlay('{overlay}')"));
        browser.wait("!document.querySelector('.legend').hidden");
        browser.photograph(&format!("overlay-{overlay}"));
    }
    let touching = browser.number("muslin.view.frame.marks.filter((m) => m & 2).length");
    assert!(touching > 3.0, "{touching} vertices rest on the block");
    for mode in ["wire", "flat"] {
        browser.value(&format!("muslin.view.setOverlay('none'); muslin.view.setMode('{mode}')"));
        browser.photograph(&format!("mode-{mode}"));
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn dragging_the_cloth_moves_it_and_nothing_else_does() {
    let Some(mut browser) = chromium::start("drags") else { return };
    let studio = studio(TOWEL);
    browser.open(&studio.link());
    step_to(&mut browser, 6);
    let free = browser.number(STATE);
    restart(&mut browser);
    step_to(&mut browser, 6);
    assert_eq!(browser.number(STATE), free, "the same steps give the same bits");
    restart(&mut browser);
    let (x, y) = place_of(&mut browser, 38);
    browser.mouse("mousePressed", (x, y));
    browser.mouse("mouseMoved", (x + 60.0, y - 30.0));
    browser.mouse("mouseMoved", (x + 120.0, y - 60.0));
    browser.wait("muslin.held !== null");
    step_to(&mut browser, 6);
    browser.photograph("towel-dragged");
    let dragged = browser.number(STATE);
    let away = browser.number(
        "(() => { const x = muslin.view.painter.positions, v = 3 * muslin.held.vertex, t = muslin.held.target;
          return Math.hypot(x[v] - t[0], x[v + 1] - t[1], x[v + 2] - t[2]); })()",
    );
    browser.mouse("mouseReleased", (x + 120.0, y - 60.0));
    assert_ne!(dragged, free, "the solver's state is another");
    assert!(away < 0.15, "the vertex follows the pointer: {away} m");
    browser.wait("muslin.held === null");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_wind_slider_changes_the_wind_and_the_motion() {
    let Some(mut browser) = chromium::start("tunes") else { return };
    let studio = studio(TOWEL);
    browser.open(&studio.link());
    step_to(&mut browser, 4);
    let calm = browser.number(STATE);
    restart(&mut browser);
    browser.click("[data-part=settings]");
    let slider = "document.querySelector('[data-wind=power] input[type=range]')";
    browser.wait(&format!("{slider} !== null"));
    browser.value(&format!("{slider}.value = 0.75; {slider}.dispatchEvent(new Event('input'))"));
    browser.wait("muslin.scene.sets.length === 1");
    let wind = browser.value("muslin.scene.settings.wind[0].uniform.velocity");
    let [x, y, z] = [0, 1, 2].map(|k| wind[k].as_f64().unwrap());
    assert!(x.abs() < 1e-4 && z.abs() < 1e-4, "it blows where it blew: {wind}");
    assert!((y - 9.0).abs() < 0.01, "three quarters of 12 m/s: {wind}");
    assert_eq!(browser.value("muslin.scene.sets[0].startsWith('wind.0.uniform.velocity=')"), true);
    step_to(&mut browser, 4);
    assert_ne!(browser.number(STATE), calm, "and the cloth feels it");
    step_to_more(&mut browser, 5, 20);
    browser.photograph("towel-wind-settings");
    browser.value("muslin.settings.search.value = 'toler'; muslin.settings.fillTree()");
    let found = browser
        .number("document.querySelectorAll('.tree [data-path=\"solver.tolerance\"]').length");
    assert_eq!(found, 1.0, "every number can be found");
    every_number_has_a_field(&mut browser);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

fn step_to_more(browser: &mut Browser, from: u32, to: u32) {
    for next in from..=to {
        browser.click("[data-part=step]");
        browser.wait(&format!("document.documentElement.dataset.frame === '{next}'"));
    }
}

/// Opens the whole tree and compares its fields with the numbers of the scene.
fn every_number_has_a_field(browser: &mut Browser) {
    let missing = browser.value(
        "(async () => {
          const { settings } = muslin;
          settings.search.value = '';
          settings.fillTree();
          const open = () => [...settings.tree.querySelectorAll('details:not(.unused):not([open])')];
          for (let round = 0; round < 8 && open().length; round++) {
            open().forEach((box) => (box.open = true));
            await new Promise((done) => setTimeout(done, 50));
          }
          const paths = new Set([...settings.tree.querySelectorAll('[data-path]')].map((f) => f.dataset.path));
          const missing = [];
          const walk = (value, path) => {
            if (typeof value === 'number') {
              const covered = path.some((_, k) => paths.has(path.slice(0, k + 1).join('.')));
              if (!covered) missing.push(path.join('.'));
            } else if (value && typeof value === 'object') {
              for (const [key, part] of Object.entries(value)) {
                const name = Array.isArray(value) && part?.name ? part.name : key;
                walk(part, [...path, name]);
              }
            }
          };
          walk(muslin.scene.settings, []);
          return missing;
        })()",
    );
    assert_eq!(missing, serde_json::json!([]));
}

#[test]
fn the_gallery_shows_pictures_and_runs_what_is_clicked() {
    let Some(mut browser) = chromium::start("gallery") else { return };
    let studio = studio(TOWEL);
    browser.open(&studio.link());
    browser.wait("muslin.controls === true");
    browser.click("[data-part=gallery]");
    browser.wait("document.querySelectorAll('.card img').length === 2");
    browser.wait("[...document.querySelectorAll('.card img')].every((i) => i.complete && i.naturalWidth === 400)");
    browser.photograph("gallery");
    browser.click("[data-scene=napkin]");
    browser.wait("muslin.scene.name === 'napkin' && muslin.view.frame?.number >= 3");
    assert_eq!(browser.complaints, Vec::<String>::new());
}
