//! A browser without a window, driven over its DevTools protocol.

use crate::client::{Heard, Socket};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names that Chromium goes by.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser with one page.
pub struct Browser {
    process: Child,
    socket: Socket,
    session: String,
    calls: u64,
    folder: PathBuf,
    /// Errors that the page ran into.
    pub complaints: Vec<String>,
}

/// A browser, or `None` after saying why not. `MUSLIN_REQUIRE_BROWSER=1` makes that a failure.
pub fn start(name: &str) -> Option<Browser> {
    let chosen = std::env::var("MUSLIN_BROWSER").ok();
    let names = chosen.iter().map(String::as_str).chain(NAMES);
    for program in names {
        if let Some(browser) = Browser::start(program, name) {
            return Some(browser);
        }
    }
    let required = std::env::var("MUSLIN_REQUIRE_BROWSER").is_ok_and(|value| value == "1");
    assert!(!required, "no Chromium was found and MUSLIN_REQUIRE_BROWSER is set");
    eprintln!("SKIPPED: `{name}` needs Chromium, and there is none here");
    None
}

impl Browser {
    fn start(program: &str, name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{name}"));
        drop(std::fs::remove_dir_all(&folder));
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars"])
            .args(["--remote-debugging-port=0", "--window-size=1280,800", "--mute-audio"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(process.stderr.take()?).lines();
        let line = lines.find_map(|line| {
            line.ok()?.split_once("DevTools listening on ws://").map(|p| p.1.to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        let Some((address, path)) = line.as_deref().and_then(|line| line.split_once('/')) else {
            drop(process.kill());
            return None;
        };
        let socket = Socket::open_with(address.parse().unwrap(), &format!("/{path}"), "").unwrap();
        let (session, complaints) = (String::new(), Vec::new());
        let mut browser = Self { process, socket, session, calls: 0, folder, complaints };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session =
            browser.call("Target.attachToTarget", attach)["sessionId"].as_str().unwrap().to_owned();
        browser.session = session;
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        browser.resize(1280, 800, false);
        Some(browser)
    }

    /// Calls a method of the protocol.
    #[expect(clippy::needless_pass_by_value, reason = "callers make the value in place")]
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.say(&message.to_string()).unwrap();
        loop {
            let Heard::Text(answer) = self.socket.hear().unwrap() else { continue };
            self.listen(&answer);
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn listen(&mut self, event: &Value) {
        let params = &event["params"];
        if event["method"] == "Runtime.exceptionThrown" {
            self.complaints.push(params["exceptionDetails"].to_string());
        }
        if event["method"] == "Log.entryAdded" && params["entry"]["level"] == "error" {
            self.complaints.push(params["entry"].to_string());
        }
    }

    /// Opens a page and waits for its own sign that a frame is drawn.
    pub fn open(&mut self, link: &str) {
        self.call("Page.navigate", json!({ "url": link }));
        self.wait("document.documentElement?.dataset.ready === 'yes'");
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params);
        let wrong = &answer["exceptionDetails"];
        assert!(wrong.is_null(), "{expression}: {wrong}");
        answer["result"]["value"].clone()
    }

    /// A number of the page.
    pub fn number(&mut self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.value(expression) != json!(true) {
            let late = begin.elapsed() > Duration::from_secs(150);
            assert!(!late, "waited for {expression}; the page complained: {:?}", self.complaints);
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses what a selector finds.
    pub fn click(&mut self, selector: &str) {
        self.value(&format!("document.querySelector({selector:?}).click()"));
    }

    /// A mouse event at a place of the page.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let buttons = i32::from(kind != "mouseReleased");
        let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Fingers on the page: `touchStart`, `touchMove` with where they are now, or `touchEnd` with none.
    pub fn touch(&mut self, kind: &str, places: &[(f64, f64)]) {
        let point = |(id, (x, y)): (usize, &(f64, f64))| json!({ "id": id, "x": x, "y": y });
        let points: Vec<Value> = places.iter().enumerate().map(point).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Makes the page as large as a screen of that many pixels.
    pub fn resize(&mut self, width: u32, height: u32, is_phone: bool) {
        let scale = if is_phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone }));
    }

    /// Takes a picture of the page, into the folder `MUSLIN_SCREENSHOTS` or the tests' own.
    pub fn photograph(&mut self, name: &str) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = decode(answer["data"].as_str().unwrap());
        let own = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        let folder = std::env::var("MUSLIN_SCREENSHOTS").map_or_else(|_| own(), PathBuf::from);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), &bytes).unwrap();
        bytes
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// Base64.
fn decode(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = (0..4)
            .fold(0_u32, |bits, k| bits << 6 | group.get(k).map_or(0, |b| u32::from(digit(*b))));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
