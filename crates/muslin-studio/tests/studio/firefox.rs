//! The page in Firefox, driven over WebDriver BiDi. Firefox has WebGL only with a display; without one, a
//! virtual one is started.

use crate::browser::STATE;
use crate::client::{Heard, Socket};
use crate::scenes::{NAPKIN, studio};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names that Firefox goes by.
const NAMES: [&str; 2] = ["firefox-esr", "firefox"];
/// WebGL in software, whatever the machine is.
const PREFERENCES: &str = "user_pref(\"webgl.force-enabled\", true);\n\
    user_pref(\"gfx.x11-egl.force-enabled\", true);\n\
    user_pref(\"gfx.webrender.software\", true);\n\
    user_pref(\"security.sandbox.content.level\", 0);\n\
    user_pref(\"browser.shell.checkDefaultBrowser\", false);\n\
    user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n";

/// A Firefox with one page.
struct Firefox {
    processes: Vec<Child>,
    folder: PathBuf,
    socket: Socket,
    calls: u64,
    page: Value,
}

impl Drop for Firefox {
    fn drop(&mut self) {
        for process in &mut self.processes {
            drop(process.kill());
            drop(process.wait());
        }
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

impl Firefox {
    /// A browser, or what is missing.
    fn start() -> Result<Self, &'static str> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("firefox-profile");
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("user.js"), PREFERENCES).unwrap();
        let (display, server) = display().ok_or("a display, or Xvfb")?;
        let start = |name| {
            let mut firefox = Command::new(name);
            firefox.args(["--no-remote", "--remote-debugging-port=0", "--profile"]).arg(&folder);
            firefox.arg("about:blank").env("DISPLAY", &display).env("LIBGL_ALWAYS_SOFTWARE", "1");
            firefox.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()
        };
        let mut process = NAMES.into_iter().find_map(start).ok_or("Firefox")?;
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut processes = vec![process];
        processes.extend(server);
        let mut lines = lines.map_while(Result::ok);
        let address =
            lines.find_map(|line| Some(line.split_once("listening on ws://")?.1.to_owned()));
        std::thread::spawn(move || lines.for_each(drop));
        let address = address.ok_or("a Firefox that can be driven")?;
        let socket = Socket::open_with(address.parse().unwrap(), "/session", "").unwrap();
        // On a busy machine a picture drawn in software takes its time.
        socket.stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut firefox = Self { processes, folder, socket, calls: 0, page: Value::Null };
        firefox.call("session.new", json!({ "capabilities": {} }));
        let tree = firefox.call("browsingContext.getTree", json!({}));
        firefox.page = tree["contexts"][0]["context"].clone();
        Ok(firefox)
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers make the value in place")]
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let message = json!({ "id": self.calls, "method": method, "params": params });
        self.socket.say(&message.to_string()).unwrap();
        loop {
            let Heard::Text(answer) = self.socket.hear().unwrap() else { continue };
            if answer["id"] == self.calls {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression in the page: a number, a word or a switch.
    fn value(&mut self, expression: &str) -> Value {
        let target = json!({ "context": self.page });
        let params = json!({ "expression": expression, "target": target, "awaitPromise": true });
        self.call("script.evaluate", params)["result"]["value"].clone()
    }

    fn wait(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.value(expression) != json!(true) {
            assert!(begin.elapsed() < Duration::from_secs(90), "waited for {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn photograph(&mut self) -> String {
        let page = self.page.clone();
        let answer = self.call("browsingContext.captureScreenshot", json!({ "context": page }));
        answer["data"].as_str().unwrap().to_owned()
    }
}

/// A display's name, and its server where one had to be started.
fn display() -> Option<(String, Option<Child>)> {
    if let Ok(display) = std::env::var("DISPLAY") {
        return Some((display, None));
    }
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut number = String::new();
    BufReader::new(server.stdout.take()?).read_line(&mut number).ok()?;
    Some((format!(":{}", number.trim()), Some(server)))
}

#[test]
fn firefox_shows_the_page_and_plays() {
    let mut firefox = match Firefox::start() {
        Ok(firefox) => firefox,
        Err(missing) => {
            eprintln!("SKIPPED: the page was not tried in Firefox, for want of {missing}");
            return;
        }
    };
    let studio = studio(NAPKIN);
    let page = firefox.page.clone();
    let to = json!({ "context": page, "url": studio.link(), "wait": "complete" });
    firefox.call("browsingContext.navigate", to);
    firefox.wait("document.documentElement.dataset.ready === 'yes' && muslin.controls === true");
    let (still, state) = (firefox.photograph(), firefox.value(STATE));
    firefox.value("document.querySelector('[data-part=play]').click()");
    firefox.wait("muslin.view.frame?.number >= 8");
    assert_ne!(firefox.value(STATE), state, "the cloth moved");
    assert_ne!(firefox.photograph(), still, "and pixels changed");
    let lit = firefox.value(
        "(() => { const { gl } = muslin.view.painter; muslin.view.painter.draw(muslin.view.camera);
          const p = new Uint8Array(4 * 64 * 64);
          const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
          gl.readPixels(w / 2 - 32, h / 2 - 32, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, p);
          return new Set(p).size + (gl.getError() ? -1000 : 0); })()",
    );
    assert!(lit.as_f64().unwrap() > 20.0, "{lit} shades in the middle of the picture");
}
