// The studio: the picture, what the solver says, and what it is asked.

import { FrameReader, readTopology } from "./wire.js";
import { Clockwork, View } from "./view.js";
import { Transport } from "./transport.js";
import { pickCloth, meetPlane } from "./pick.js";
import { Settings } from "./settings.js";
import { Gallery } from "./gallery.js";
import { Link } from "./link.js";
import { digits } from "./plots.js";

const AHEAD = 16;
const $ = (selector) => document.querySelector(selector);

class Studio {
  constructor() {
    this.reader = new FrameReader();
    this.follow = true;
    this.playing = false;
    this.last = 0;
    this.asked = -1;
    this.held = null;
    this.link = new Link(this);
    this.view = new View(document.body, {
      hands: { grab: (x, y) => this.grab(x, y), drag: (x, y) => this.drag(x, y), release: () => this.release() },
      want: (frame, ahead = AHEAD) => this.ask(frame, ahead),
      choose: (frame) => this.seek(frame),
      judge: (on) => this.judge(on),
    });
    this.transport = new Transport($(".transport"), {
      play: () => this.play(),
      pause: () => this.pause(),
      step: () => this.step(),
      restart: () => this.restart(),
      speed: (value) => this.speed(value),
      seek: (frame) => this.seek(frame),
    });
    this.clockwork = new Clockwork((frames) => this.tick(frames));
    this.settings = new Settings($(".settings .body"), (path, value) => this.link.say("set", { path, value }), () => this.view.painter.bounds);
    this.gallery = new Gallery($("dialog.gallery"), (scene) => {
      this.toLive();
      this.link.say("open", { scene });
    });
    this.wire();
  }

  wire() {
    $("[data-part=gallery]").addEventListener("click", () => this.gallery.show());
    $("[data-part=settings]").addEventListener("click", () => this.togglePanel());
    $("[data-part=reset]").addEventListener("click", () => this.link.say("reset"));
    $("[data-part=copy]").addEventListener("click", () => this.copySets());
    $("[data-part=save]").addEventListener("click", () => this.save());
    $("[data-part=live]").addEventListener("click", () => this.toLive());
    $("[data-part=take]").addEventListener("click", () => this.link.say("take"));
    addEventListener("keydown", (event) => {
      if (this.view.key(event)) return;
      if (event.key === " ") this.playing || this.clockwork.running ? this.pause() : this.play();
      else if (event.key === "ArrowRight") this.step();
      else if (event.key === "ArrowLeft") this.seek(this.shownFrame() - 1);
      else if (event.key === "Home") this.seek(this.scene?.first_frame ?? 0);
      else if (event.key === "s") this.togglePanel();
      else return;
      event.preventDefault();
    });
  }

  togglePanel(on = $(".settings").hidden) {
    $(".settings").hidden = !on;
    $("[data-part=settings]").setAttribute("aria-pressed", on);
  }

  // What the link hears.

  opened() {
    document.body.classList.remove("offline");
    this.reader.reset();
    this.asked = -1;
    if (this.view.wantsJudging()) this.link.say("judge", { on: true });
    if (!this.follow) this.ask(this.shownFrame(), 0);
  }

  closed() {
    document.body.classList.add("offline");
    this.notice("the link to Muslin is gone; trying again");
  }

  text(message) {
    const hear = {
      hello: () => (this.id = message.id),
      scene: () => this.setScene(message),
      status: () => this.setStatus(message),
      notice: () => this.notice(message.text),
      reports: () => this.addReports(message),
      crossings: () => this.view.addCrossings(message),
    };
    hear[message.type]?.();
  }

  geometry(data) {
    this.reader.reset();
    this.view.setTopology(readTopology(data));
  }

  frame(data) {
    const frame = this.view.timed("read", () => this.reader.read(data));
    this.received = (this.received ?? 0) + 1;
    this.view.addFrame(frame);
    if (this.follow) {
      this.last = Math.max(this.last, frame.number);
      this.show(frame.number);
    } else if (frame.number === this.wanted || (frame.number < this.wanted && !this.view.store.get(this.wanted))) {
      // Of a long run only every second of the early frames is kept: the one before stands for it.
      this.show(frame.number);
    } else if (this.view.overlay === "speed") {
      this.view.repaint();
    }
  }

  setScene(scene) {
    if (scene.run !== this.scene?.run) {
      this.last = scene.mode === "cache" ? scene.last_frame : 0;
      this.asked = -1;
      // A run that begins is followed, wherever one was looking before.
      this.follow = true;
      this.clockwork?.stop();
    }
    const first = !this.scene;
    this.scene = scene;
    document.title = `${scene.name} · Muslin`;
    document.body.dataset.mode = scene.mode;
    $(".title b").textContent = scene.name.replaceAll("-", " ");
    $(".title span").textContent = scene.description;
    this.view.setScene(scene);
    if (scene.mode === "live") {
      this.settings.show(scene);
      const count = scene.sets.length;
      $(".settings .count").textContent = count ? `${count} change${count > 1 ? "s" : ""}` : "as in the scene file";
    } else if (first) {
      this.follow = false;
      this.seek(scene.first_frame);
    }
  }

  setStatus(status) {
    this.controls = status.controller === this.id;
    this.playing = Boolean(status.playing);
    this.status = status;
    if (this.scene?.mode === "live") {
      this.transport.setPlaying(this.follow ? this.playing : this.clockwork.running);
      this.transport.parts.speed.value = String(status.speed);
    }
    this.transport.setControl(this.controls || this.scene?.mode === "cache");
    document.body.classList.toggle("watching", !this.controls);
    const viewers = status.viewers > 1 ? `${status.viewers} viewers · ` : "";
    const { read, place, draw } = this.view.cost;
    const pace = status.frame_seconds ? `${digits(1000 * status.frame_seconds)} ms to simulate a frame · ${digits(read + place + draw)} ms to show it` : "";
    $(".pace").textContent = viewers + pace;
    this.showTransport();
  }

  addReports({ run, list }) {
    if (run !== this.scene?.run) return;
    this.view.plots.add(list);
    if (this.scene.mode === "live") {
      for (const report of list) this.last = Math.max(this.last, report.frame ?? 0);
      this.showTransport();
    }
  }

  notice(text) {
    const line = document.createElement("p");
    line.textContent = text;
    $(".notices").append(line);
    setTimeout(() => line.remove(), 6000);
    while ($(".notices").childElementCount > 4) $(".notices").firstElementChild.remove();
  }

  // What the page does.

  shownFrame() {
    return this.view.frame?.number ?? 0;
  }

  show(number) {
    const here = this.view.show(number);
    this.moveThread();
    this.showTransport();
    if (this.view.frame) this.settings.follow(this.view.frame.time);
    return here;
  }

  showTransport() {
    if (!this.scene) return;
    this.transport.show(this.follow ? this.shownFrame() : this.wanted ?? this.shownFrame(), this.scene.first_frame, this.last, this.scene.fps, this.scene.last_frame);
    document.body.classList.toggle("past", !this.follow && this.scene.mode === "live");
  }

  /** Asks for a frame and some after it, unless that was just done. */
  ask(frame, ahead) {
    if (this.follow && this.scene?.mode === "live") return;
    if (frame >= this.asked && frame <= this.asked + AHEAD / 2 && this.asked >= 0 && ahead > 1) return;
    this.asked = frame;
    this.link.say("see", { frame, ahead: Math.min(ahead, Math.max(0, this.last - frame)) });
  }

  /** Has crossings looked for, or no longer; of a cache also in the frame that is shown. */
  judge(on) {
    this.link.say("judge", { on });
    if (on && this.scene?.mode === "cache") this.link.say("see", { frame: this.shownFrame(), ahead: 0 });
  }

  seek(frame) {
    if (!this.scene) return;
    const number = Math.max(this.scene.first_frame, Math.min(this.last, Math.round(frame)));
    if (this.follow) {
      this.follow = false;
      this.asked = -1;
      // From now on only what is asked for is sent; the solver goes on.
      this.link.say("see", { frame: number, ahead: 0 });
    }
    this.wanted = number;
    if (!this.view.store.get(number)) this.asked = -1;
    this.show(number);
    this.transport.setPlaying(this.clockwork.running);
  }

  toLive() {
    if (this.scene?.mode === "cache") return;
    this.clockwork.stop();
    this.follow = true;
    this.link.say("follow");
    const newest = this.view.store.get(this.last);
    if (newest) this.show(this.last);
    this.transport.setPlaying(this.playing);
    this.showTransport();
  }

  tick(frames) {
    const next = this.shownFrame() + frames;
    if (next > this.last) {
      if (this.scene.mode === "live") this.toLive();
      else this.seek(this.scene.first_frame);
      return;
    }
    this.wanted = next;
    this.show(next);
    if (!this.view.store.get(next + AHEAD / 2) && next + AHEAD / 2 <= this.last) this.ask(next + 1, AHEAD);
  }

  play() {
    if (this.follow && this.scene?.mode === "live") {
      this.link.say("play");
    } else {
      this.clockwork.start(this.scene.fps);
      this.transport.setPlaying(true);
    }
  }

  pause() {
    if (this.clockwork.running) {
      this.clockwork.stop();
      this.transport.setPlaying(false);
    } else {
      this.link.say("pause");
    }
  }

  step() {
    this.clockwork.stop();
    if (this.follow && this.scene?.mode === "live") this.link.say("step");
    else if (this.shownFrame() < this.last) this.seek(this.shownFrame() + 1);
    else this.toLive();
  }

  restart() {
    if (this.scene?.mode === "cache") return this.seek(this.scene.first_frame);
    this.toLive();
    this.link.say("restart");
  }

  speed(value) {
    this.clockwork.speed = value;
    if (this.scene?.mode === "live") this.link.say("speed", { value });
  }

  // The pointer on the cloth.

  ray(x, y) {
    const { canvas, camera } = this.view;
    return camera.ray(x, y, canvas.width / canvas.height);
  }

  grab(x, y) {
    const { painter, camera } = this.view;
    if (!this.controls || !this.follow || this.scene?.mode !== "live" || !painter.topology) return false;
    const hit = pickCloth(this.scene, painter.topology, painter.positions, this.ray(x, y));
    if (!hit) return false;
    this.held = { vertex: hit.vertex, place: hit.place, normal: camera.axes().back };
    this.drag(x, y);
    return true;
  }

  drag(x, y) {
    if (!this.held) return;
    this.held.target = meetPlane(this.ray(x, y), this.held.place, this.held.normal);
    if (!this.sending) {
      this.sending = true;
      // Sixty a second, on fast screens too: the server cuts off whoever sends much more.
      setTimeout(() => {
        this.sending = false;
        if (this.held) this.link.say("grab", { vertex: this.held.vertex, target: this.held.target });
      }, 16);
    }
    this.moveThread();
  }

  release() {
    this.held = null;
    this.link.say("release");
    this.moveThread();
  }

  moveThread() {
    const x = this.view.painter.positions;
    const v = this.held && 3 * this.held.vertex;
    this.view.thread = this.held ? [[x[v], x[v + 1], x[v + 2]], this.held.target] : null;
    this.view.redraw();
  }

  // Changes out of the page.

  async copySets() {
    const quoted = this.scene.sets.map((set) => `--set '${set}'`).join(" ");
    await navigator.clipboard?.writeText(quoted).catch(() => {});
    this.notice(quoted ? `copied: ${quoted}` : "nothing has been changed");
  }

  save() {
    const file = new Blob([this.scene.toml], { type: "application/toml" });
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(file);
    anchor.download = this.scene.file_name;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  }
}

try {
  globalThis.muslin = new Studio();
} catch (error) {
  $(".notices").textContent = error.message;
  document.documentElement.dataset.ready = "failed";
}
