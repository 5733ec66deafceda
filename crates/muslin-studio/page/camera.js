// An eye that circles around what it looks at.

import { add, across, cross, dot, length, lookAt, multiply, perspective, scale, subtract, unit } from "./vector.js";

const STEEPEST = 1.55;
const FOV = 0.5;
// A picture narrower than this shows as much from side to side as one of this shape.
const NARROWEST = 1.2;

export class Camera {
  constructor() {
    this.up = [0, 0, 1];
    this.home = { target: [0, 0, 0], distance: 3, azimuth: -1.05, elevation: 0.37, fov: FOV };
    this.reset();
  }

  /** Stands as the scene says, or so that all of `bounds` is seen. */
  frame(up, bounds, own) {
    this.up = up;
    const [first, second] = this.level();
    const size = length(subtract(bounds.max, bounds.min)) || 1;
    this.size = size;
    if (own) {
      const away = subtract(own.eye, own.target);
      const distance = length(away) || 1;
      const fov = own.fov * Math.PI / 180;
      this.home = {
        target: own.target,
        distance,
        azimuth: Math.atan2(dot(away, second), dot(away, first)),
        elevation: Math.asin(Math.max(-1, Math.min(1, dot(away, up) / distance))),
        fov,
      };
    } else {
      const target = scale(add(bounds.min, bounds.max), 0.5);
      const distance = 0.54 * size / Math.sin(FOV / 2);
      this.home = { target, distance, azimuth: -1.05, elevation: 0.34, fov: FOV };
    }
    this.reset();
  }

  reset() {
    Object.assign(this, structuredClone(this.home));
    this.size ??= 1;
  }

  level() {
    if (this.up[2] > 0.5) return [[1, 0, 0], [0, 1, 0]];
    if (this.up[1] > 0.5) return [[0, 0, 1], [1, 0, 0]];
    return across(this.up);
  }

  eye() {
    const [first, second] = this.level();
    const c = Math.cos(this.elevation);
    const direction = add(
      add(scale(first, c * Math.cos(this.azimuth)), scale(second, c * Math.sin(this.azimuth))),
      scale(this.up, Math.sin(this.elevation)),
    );
    return add(this.target, scale(direction, this.distance));
  }

  axes() {
    const back = unit(subtract(this.eye(), this.target));
    const right = unit(cross(this.up, back));
    return { right, top: cross(back, right), back };
  }

  /** Half the height of the picture at unit distance. */
  lens(aspect) {
    return Math.tan(this.fov / 2) * Math.max(1, NARROWEST / aspect);
  }

  matrices(aspect) {
    const view = lookAt(this.eye(), this.target, this.up);
    const near = Math.max(this.distance - 4 * this.size, this.distance * 0.02, 1e-3);
    const projection = perspective(2 * Math.atan(this.lens(aspect)), aspect, near, this.distance + 60 * this.size);
    return { view, projection, both: multiply(projection, view) };
  }

  /** The ray through a point of the picture, from −1 to 1 each way. */
  ray(x, y, aspect) {
    const { right, top, back } = this.axes();
    const t = this.lens(aspect);
    const direction = add(add(scale(right, x * t * aspect), scale(top, y * t)), scale(back, -1));
    return { origin: this.eye(), direction: unit(direction) };
  }

  orbit(dx, dy) {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + dy * 0.008));
  }

  /** Moves what is looked at by pixels of a canvas. */
  pan(dx, dy, { clientWidth, clientHeight }) {
    const { right, top } = this.axes();
    const metres = 2 * this.distance * this.lens(clientWidth / clientHeight) / clientHeight;
    this.target = add(this.target, add(scale(right, -dx * metres), scale(top, dy * metres)));
  }

  zoom(factor) {
    this.distance = Math.max(0.02 * this.size, Math.min(30 * this.size, this.distance * factor));
  }
}

/**
 * Lets fingers and mice move the camera. `grab(x, y)` may take a press on the cloth for itself; it
 * answers whether it did, and then `drag(x, y)` and `release()` follow.
 */
export function steer(canvas, camera, { changed, grab, drag, release }) {
  const pointers = new Map();
  let grabbing = false;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = 2 * (event.clientX - box.left) / box.width - 1;
    return [x, 1 - 2 * (event.clientY - box.top) / box.height];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const plain = event.button === 0 && !event.shiftKey && pointers.size === 1;
    // A second finger means the view: the first one lets go.
    if (grabbing) release();
    grabbing = plain && grab(...place(event));
    canvas.classList.toggle("grabbing", grabbing);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    if (grabbing) {
      drag(...place(event));
    } else if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const apart = (p) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      camera.zoom(apart(before) / apart({ x: event.clientX, y: event.clientY }));
      camera.pan(dx / 2, dy / 2, canvas);
    } else if (event.shiftKey || event.buttons > 1) {
      camera.pan(dx, dy, canvas);
    } else {
      camera.orbit(dx, dy);
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    changed();
  });
  const up = (event) => {
    pointers.delete(event.pointerId);
    if (grabbing) release();
    grabbing = false;
    canvas.classList.remove("grabbing");
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(Math.max(-0.4, Math.min(0.4, event.deltaY * 0.0012))));
    changed();
  }, { passive: false });
}
