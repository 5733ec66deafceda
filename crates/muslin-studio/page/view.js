// The picture with all that belongs to it, of a live scene, a cache or the player alike.

import { boundsOf } from "./vector.js";
import { placesOf } from "./wire.js";
import { FrameStore } from "./store.js";
import { Camera, steer } from "./camera.js";
import { Painter } from "./draw.js";
import { OVERLAYS, paintOverlay, showLegend } from "./overlay.js";
import { Plots, digits } from "./plots.js";

const MODES = [["shaded", "Shaded"], ["flat", "Flat"], ["wire", "Wire"]];

export class View {
  /** `hands` may have grab, drag and release; `want(number)` asks for a frame that is not here. */
  constructor(root, { hands = {}, want = () => {}, choose, judge = () => {}, overlays = OVERLAYS }) {
    this.root = root;
    this.overlays = overlays;
    // Milliseconds of the page for a frame: to read it, to put it in place, and to have it drawn.
    this.cost = { read: 0, place: 0, draw: 0 };
    this.want = want;
    this.judge = judge;
    this.canvas = root.querySelector("canvas.picture");
    this.legend = root.querySelector(".legend");
    this.numbers = root.querySelector(".numbers");
    this.painter = new Painter(this.canvas);
    this.painter.restored = () => this.refresh();
    this.camera = new Camera();
    this.store = new FrameStore();
    this.plots = new Plots(root.querySelector(".plots"), choose);
    this.overlay = "none";
    this.crossings = new Map();
    this.drawn = 0;
    this.thread = null;
    steer(this.canvas, this.camera, {
      changed: () => this.redraw(),
      grab: hands.grab ?? (() => false),
      drag: hands.drag ?? (() => {}),
      release: hands.release ?? (() => {}),
    });
    this.buttons();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme());
    this.theme();
  }

  buttons() {
    const select = this.root.querySelector("[data-part=overlay]");
    select.append(...this.overlays.map(({ name, title }) => new Option(title, name)));
    select.addEventListener("change", () => this.setOverlay(select.value));
    const modes = this.root.querySelector("[data-part=mode]");
    for (const [mode, title] of MODES) {
      const button = document.createElement("button");
      button.textContent = title;
      button.dataset.mode = mode;
      button.addEventListener("click", () => this.setMode(mode));
      modes.append(button);
    }
    this.setMode("shaded");
    this.root.querySelector("[data-part=home]").addEventListener("click", () => this.goHome());
    this.root.querySelector("[data-part=theme]").addEventListener("click", () => {
      document.documentElement.dataset.theme = this.painter.dark ? "light" : "dark";
      this.theme();
    });
    const plots = this.root.querySelector("[data-part=plots]");
    plots.addEventListener("click", () => this.togglePlots());
  }

  togglePlots(on = this.plots.root.hidden) {
    this.plots.root.hidden = !on;
    this.root.querySelector("[data-part=plots]").setAttribute("aria-pressed", on);
    this.plots.draw();
    this.judge(this.wantsJudging());
  }

  wantsJudging() {
    return this.overlay === "crossings" || !this.plots.root.hidden;
  }

  theme() {
    const chosen = document.documentElement.dataset.theme;
    this.painter.dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.classList.toggle("dark", this.painter.dark);
    this.plots.draw();
    this.redraw();
  }

  goHome() {
    this.camera.reset();
    this.redraw();
  }

  setMode(mode) {
    this.painter.mode = mode;
    for (const button of this.root.querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-pressed", button.dataset.mode === mode);
    }
    this.redraw();
  }

  setOverlay(name) {
    this.overlay = name;
    this.root.querySelector("[data-part=overlay]").value = name;
    this.judge(this.wantsJudging());
    this.repaint();
  }

  /** Another scene, or the same with other settings. */
  setScene(scene) {
    const other = scene.run !== this.scene?.run || scene.name !== this.scene?.name;
    this.scene = scene;
    if (other) {
      this.store.clear(scene.run);
      this.crossings.clear();
      this.plots.clear();
      this.frame = null;
    }
    if (this.painter.topology) this.painter.setScene(scene);
  }

  setTopology(topology) {
    this.painter.setTopology(this.scene, topology);
    this.bodies = null;
    this.framed = false;
    this.frame = null;
    this.overlayOf = null;
  }

  addFrame(frame) {
    if (frame.run === this.scene.run) this.store.put(frame);
  }

  addCrossings(message) {
    this.crossings.set(message.frame, message);
    this.plots.judged(message.frame, message.pairs);
    if (this.frame?.number === message.frame) this.repaint();
  }

  /** Shows a frame that is here; asks for it otherwise. Says which. */
  show(number) {
    const frame = this.store.get(number);
    if (!frame) {
      this.want(number);
      return false;
    }
    if (frame === this.frame) return true;
    this.frame = frame;
    this.timed("place", () => this.refresh());
    this.plots.show(number);
    return true;
  }

  /** Does something and counts its time, as a mean over some ten times. */
  timed(name, work) {
    const begin = performance.now();
    const done = work();
    this.cost[name] += 0.1 * (performance.now() - begin - this.cost[name]);
    return done;
  }

  /** Puts the shown frame into the painter. */
  refresh() {
    const { frame, painter } = this;
    if (!frame || !painter.topology) return;
    placesOf(frame.cloth, painter.cloth());
    const moved = frame.bodies !== this.bodies;
    if (moved) placesOf(frame.bodies, painter.bodyPlaces());
    this.bodies = frame.bodies;
    painter.moved(moved);
    if (!this.framed) {
      this.camera.frame(this.scene.up, boundsOf(painter.positions), this.scene.camera);
      this.framed = true;
    }
    this.repaint();
  }

  repaint() {
    const { frame, painter, overlay } = this;
    if (!frame) return;
    if (overlay !== "none" || this.overlayOf !== "none") {
      const before = this.store.get(frame.number - 1);
      if (overlay === "speed" && !before && frame.number > 0) this.want(frame.number - 1, 1);
      showLegend(this.legend, paintOverlay(overlay, painter, frame, before, this.crossings.get(frame.number)));
      this.overlayOf = overlay;
    }
    const { clothCount, triangles } = painter.topology;
    this.numbers.textContent = `${clothCount.toLocaleString("en")} vertices · ${(triangles.length / 3).toLocaleString("en")} triangles · ${digits(frame.bytes / 1000)} kB a frame`;
    this.redraw();
  }

  resize() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    this.redraw();
  }

  /** Draws once before the next picture of the screen. */
  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.timed("draw", () => this.painter.draw(this.camera, this.thread));
      if (!this.frame) return;
      this.drawn += 1;
      document.documentElement.dataset.ready = "yes";
      document.documentElement.dataset.frame = this.frame.number;
    });
  }

  /** Keys that work everywhere; says whether one did. */
  key(event) {
    if (event.target.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return true;
    const overlay = this.overlays[Number(event.key) - 1];
    if (overlay) this.setOverlay(overlay.name);
    else if (event.key === "r") this.goHome();
    else if (event.key === "w") this.setMode(this.painter.mode === "wire" ? "shaded" : "wire");
    else if (event.key === "f") this.setMode(this.painter.mode === "flat" ? "shaded" : "flat");
    else if (event.key === "p") this.togglePlots();
    else return false;
    return true;
  }
}

/** Plays frames that are there already, at the pace of the scene. */
export class Clockwork {
  constructor(tick) {
    this.tick = tick;
    this.speed = 1;
    this.timer = null;
  }

  get running() {
    return this.timer !== null;
  }

  start(fps) {
    this.stop();
    let due = performance.now();
    const step = (now) => {
      const timer = this.timer;
      const pace = this.speed > 0 ? 1000 / (fps * this.speed) : 0;
      if (now >= due) {
        const frames = pace > 0 ? Math.max(1, Math.floor((now - due) / pace)) : 1;
        due = Math.max(due + frames * pace, now - 200);
        this.tick(frames);
      }
      // Asked for after the tick, whose drawing then comes first in the next picture: else it would find the
      // drawing of this one still waiting, and every other picture would be left out.
      if (this.timer === timer) this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  stop() {
    if (this.timer !== null) cancelAnimationFrame(this.timer);
    this.timer = null;
  }
}
