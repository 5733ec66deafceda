// Frames that were received, so that scrubbing need not ask again.

const ROOM = 400e6;

/** Frames of one run by number, within bounded memory. */
export class FrameStore {
  constructor() {
    this.clear();
  }

  clear(run = 0) {
    this.run = run;
    this.frames = new Map();
    this.size = 0;
  }

  put(frame) {
    if (this.frames.has(frame.number)) return;
    this.frames.set(frame.number, frame);
    this.size += frame.cloth.coordinates.byteLength;
    while (this.size > ROOM && this.frames.size > 2) {
      const [oldest, dropped] = this.frames.entries().next().value;
      this.frames.delete(oldest);
      this.size -= dropped.cloth.coordinates.byteLength;
    }
  }

  get(number) {
    return this.frames.get(number);
  }
}
