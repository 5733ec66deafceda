// The player: an animation inside its own page.

import { FrameReader, readTopology } from "./wire.js";
import { Clockwork, View } from "./view.js";
import { Transport } from "./transport.js";
import { OVERLAYS } from "./overlay.js";

/** The messages that were packed into the page. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const view = new DataView(bytes);
  const messages = [];
  for (let at = 0; at < bytes.byteLength;) {
    const size = view.getUint32(at, true);
    messages.push(bytes.slice(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return messages;
}

class Player {
  constructor(scene, messages) {
    this.scene = scene;
    this.view = new View(document.body, {
      choose: (frame) => this.seek(frame),
      // Nobody looks for crossings here.
      overlays: OVERLAYS.filter(({ name }) => name !== "crossings"),
    });
    this.transport = new Transport(document.querySelector(".transport"), {
      play: () => this.play(),
      pause: () => this.pause(),
      step: () => this.move(1),
      restart: () => this.seek(this.numbers[0]),
      speed: (value) => (this.clockwork.speed = value),
      seek: (frame) => this.seek(frame),
    });
    this.clockwork = new Clockwork((frames) => this.move(frames));
    this.view.setScene(scene);
    this.view.setTopology(readTopology(messages[0]));
    const reader = new FrameReader();
    for (const message of messages.slice(1)) this.view.addFrame(reader.read(message));
    this.numbers = scene.frames;
    this.view.plots.add(scene.reports);
    document.querySelector(".title b").textContent = scene.name.replaceAll("-", " ");
    document.querySelector(".title span").textContent = scene.description;
    addEventListener("keydown", (event) => {
      if (this.view.key(event)) return;
      if (event.key === " ") this.clockwork.running ? this.pause() : this.play();
      else if (event.key === "ArrowRight") this.move(1);
      else if (event.key === "ArrowLeft") this.move(-1);
      else return;
      event.preventDefault();
    });
    this.seek(this.numbers[0]);
    this.play();
  }

  /** Shows the frame nearest to a number. */
  seek(number) {
    const nearest = (best, frame) => (Math.abs(frame - number) < Math.abs(best - number) ? frame : best);
    this.at = this.numbers.indexOf(this.numbers.reduce(nearest));
    this.showFrame();
  }

  move(frames) {
    const count = this.numbers.length;
    this.at = ((this.at + frames) % count + count) % count;
    this.showFrame();
  }

  showFrame() {
    const number = this.numbers[this.at];
    this.view.show(number);
    this.transport.show(number, this.numbers[0], this.numbers.at(-1), this.scene.fps);
  }

  play() {
    this.clockwork.start(this.scene.fps);
    this.transport.setPlaying(true);
  }

  pause() {
    this.clockwork.stop();
    this.transport.setPlaying(false);
  }
}

const inPage = (id) => document.getElementById(id).textContent;
unpack(inPage("animation").trim())
  .then((messages) => (globalThis.muslin = new Player(JSON.parse(inPage("scene")), messages)))
  .catch((error) => {
    document.querySelector(".notices").textContent = error.message;
    document.documentElement.dataset.ready = "failed";
  });
