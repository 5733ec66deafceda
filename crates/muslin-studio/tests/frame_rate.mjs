// Frames a second of an exported player in a real browser, as JSON, one line a file and size:
//   muslin export CACHE -o player.html
//   node crates/muslin-studio/tests/frame_rate.mjs player.html [more.html ...] [--size 1280x720,320x180]
//     [--seconds 5] [--browser chromium] [--flags "--use-angle=gl --enable-gpu"]
//
// A link that `muslin view SCENE --no-open` printed may stand for a file: then the scene is played live, and
// `seconds_a_second` is simulated time over that of the clock.
//
// `frames_a_second` counts pictures that the page drew, a new frame of the cloth in each, at the screen's pace
// (sixty a second at most, unless the flags take the limit away: --disable-frame-rate-limit --disable-gpu-vsync).
// `ms_a_frame` is the whole way of a frame with nothing overlapped: places, normals, upload, drawing, and a pixel
// read back, which waits for the graphics card. `cpu_ms_a_frame` is processor time of the page's process and of the
// one that draws, which a busy machine hardly changes. `renderer` says who drew. Needs Node 18 and nothing else.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const SOFTWARE = "--use-angle=swiftshader --enable-unsafe-swiftshader";

function readArguments(words) {
  const chosen = { files: [], size: "1280x720,320x180", seconds: "5", browser: "chromium", flags: SOFTWARE };
  for (let k = 0; k < words.length; k++) {
    if (words[k].startsWith("--")) chosen[words[k].slice(2)] = words[++k];
    else chosen.files.push(words[k]);
  }
  if (!chosen.files.length) throw new Error("name at least one player.html");
  return chosen;
}

/** A browser without a window, spoken to over a pipe. */
class Browser {
  constructor(program, flags) {
    this.folder = mkdtempSync(join(tmpdir(), "frame-rate-"));
    const own = ["--headless=new", "--no-sandbox", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage",
      "--remote-debugging-pipe", `--user-data-dir=${this.folder}`, "--allow-file-access-from-files"];
    this.process = spawn(program, [...own, ...flags.split(" ").filter(Boolean), "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.process.on("error", (error) => { throw new Error(`cannot start ${program}: ${error.message}`); });
    this.waiting = new Map();
    this.calls = 0;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const whole = (rest + text).split("\0");
      rest = whole.pop();
      whole.forEach((message) => this.hear(JSON.parse(message)));
    });
  }

  hear({ id, result, error }) {
    const { done, fail } = this.waiting.get(id) ?? {};
    this.waiting.delete(id);
    if (error) fail?.(new Error(error.message));
    else done?.(result);
  }

  call(method, params = {}) {
    const id = ++this.calls;
    const message = { id, method, params, ...(this.session && { sessionId: this.session }) };
    this.process.stdio[3].write(`${JSON.stringify(message)}\0`);
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }

  async openPage() {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    this.session = (await this.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await this.call("Page.enable");
  }

  /** Seconds of processor time so far, of the pages and of the graphics process. */
  async processorTime() {
    const session = this.session;
    this.session = null;
    const { processInfo } = await this.call("SystemInfo.getProcessInfo");
    this.session = session;
    const of = (kind) => processInfo.filter(({ type }) => type === kind).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    return { page: of("renderer"), graphics: of("GPU") };
  }

  async value(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  close() {
    this.process.kill();
    setTimeout(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }), 500);
  }
}

/** Runs in the page: waits until it is ready, and plays as fast as the screen asks. */
async function begin() {
  const ready = (studio) => !studio.link || (studio.controls && studio.scene);
  const next = () => new Promise((done) => requestAnimationFrame(done));
  while (document.documentElement.dataset.ready !== "yes") {
    if (document.documentElement.dataset.ready === "failed") throw new Error(document.body.innerText);
    await next();
  }
  while (!ready(globalThis.muslin)) await next();
  if (!globalThis.muslin.link) globalThis.muslin.clockwork.speed = 0;
  globalThis.muslin.play();
  for (let k = 0; k < 20; k++) await next();
}

/** Runs in the page: counts what is drawn for a while. */
async function count(seconds) {
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const { view } = globalThis.muslin;
  const [begin, first, time] = [performance.now(), view.drawn, view.frame.time];
  while (performance.now() - begin < 1000 * seconds) await next();
  return { drawn: view.drawn - first, simulated: view.frame.time - time, seconds: (performance.now() - begin) / 1000 };
}

/** Runs in the page: the whole way of a frame, and what was measured. */
async function inspect() {
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const { view } = globalThis.muslin;
  globalThis.muslin.pause();
  const { gl } = view.painter;
  const times = [];
  const pixel = new Uint8Array(4);
  const numbers = globalThis.muslin.numbers ?? [view.frame.number];
  for (let k = 0; k < 15; k++) {
    const start = performance.now();
    view.frame = view.store.get(numbers[k % numbers.length]);
    view.refresh();
    view.painter.draw(view.camera, null);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    times.push(performance.now() - start);
    await next();
  }
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const { clothCount, triangles } = view.painter.topology;
  return {
    vertices: clothCount,
    triangles: triangles.length / 3,
    size: `${view.canvas.width}x${view.canvas.height}`,
    ms_a_frame: Number(times.sort((a, b) => a - b)[7].toFixed(2)),
    renderer: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
  };
}

const { files, size, seconds, browser: program, flags } = readArguments(process.argv.slice(2));
const browser = new Browser(program, flags);
try {
  await browser.openPage();
  for (const file of files) {
    for (const [width, height] of size.split(",").map((one) => one.split("x").map(Number))) {
      await browser.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
      const url = file.startsWith("http://") ? file : pathToFileURL(resolve(file)).href;
      await browser.call("Page.navigate", { url });
      await browser.value("new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))");
      await browser.value(`(${begin})()`);
      const before = await browser.processorTime();
      const counted = await browser.value(`(${count})(${Number(seconds)})`);
      const after = await browser.processorTime();
      const cost = (kind) => Number((1000 * (after[kind] - before[kind]) / counted.drawn).toFixed(2));
      console.log(JSON.stringify({
        file,
        ...await browser.value(`(${inspect})()`),
        ...(file.startsWith("http://") && { seconds_a_second: Number((counted.simulated / counted.seconds).toFixed(3)) }),
        frames_a_second: Number((counted.drawn / counted.seconds).toFixed(1)),
        cpu_ms_a_frame: { page: cost("page"), graphics: cost("graphics") },
      }));
    }
  }
} finally {
  browser.close();
}
