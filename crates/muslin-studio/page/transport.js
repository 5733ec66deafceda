// The bar below the picture: play, pause, step, restart, speed, and the frames that can be scrubbed.

const SPEEDS = [[0.1, "1/10"], [0.25, "1/4"], [0.5, "1/2"], [1, "1×"], [2, "2×"], [0, "max"]];

export class Transport {
  /** `act` has play, pause, step, restart, speed and seek. */
  constructor(root, act) {
    this.root = root;
    this.act = act;
    this.playing = false;
    const part = (name) => root.querySelector(`[data-part=${name}]`);
    this.parts = Object.fromEntries(["play", "back", "step", "restart", "speed", "range", "clock"].map((n) => [n, part(n)]));
    const { play, back, step, restart, speed, range } = this.parts;
    play.addEventListener("click", () => (this.playing ? act.pause() : act.play()));
    back.addEventListener("click", () => act.seek(this.frame - 1));
    step.addEventListener("click", () => act.step());
    restart.addEventListener("click", () => act.restart());
    range.addEventListener("input", () => act.seek(Number(range.value)));
    speed.append(...SPEEDS.map(([value, words]) => new Option(words, value)));
    speed.value = "1";
    speed.addEventListener("change", () => act.speed(Number(speed.value)));
    this.show(0, 0, 1, 24);
  }

  /** Shows frame `frame` of `first` to `last`, of which `total` are planned. */
  show(frame, first, last, fps, total = last) {
    this.frame = frame;
    const { range, clock } = this.parts;
    [range.min, range.max, range.value] = [first, Math.max(last, first + 1), frame];
    // Spans are what a narrow screen leaves out.
    const [word, planned] = ["span", "span"].map((tag) => document.createElement(tag));
    word.textContent = "frame ";
    planned.textContent = total > last ? ` of ${total}` : "";
    clock.replaceChildren(word, String(frame), planned, ` · ${(frame / fps).toFixed(2)} s`);
  }

  setPlaying(playing) {
    this.playing = playing;
    const { play } = this.parts;
    play.dataset.state = playing ? "pause" : "play";
    play.title = playing ? "Pause (space)" : "Play (space)";
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  /** What viewers may do who only watch. */
  setControl(controls) {
    for (const name of ["restart", "speed"]) this.parts[name].disabled = !controls;
  }
}
