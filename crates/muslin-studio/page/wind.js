// The sliders of winds: from where, how strong, which way. A wind that follows keyframes is shown as it
// blows now, and whoever moves a slider takes it over.

import { add, boundsOf, dot, length, scale, unit } from "./vector.js";
import { keyOf } from "./schema.js";
import { element, numberField, wordField } from "./fields.js";

const SOURCES = ["uniform", "cone", "cylinder"];
const DEGREE = Math.PI / 180;

/** The slope of component `c` at key `k`: smooth keyframes never overshoot (Fritsch and Butland). */
function slopeAt(keys, k, c) {
  if (k === 0 || k === keys.length - 1) return 0;
  const rise = (i) => (keys[i + 1][1][c] - keys[i][1][c]) / (keys[i + 1][0] - keys[i][0]);
  const [h0, h1] = [keys[k][0] - keys[k - 1][0], keys[k + 1][0] - keys[k][0]];
  const [d0, d1] = [rise(k - 1), rise(k)];
  if (d0 * d1 <= 0) return 0;
  const [w0, w1] = [2 * h1 + h0, h1 + 2 * h0];
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/** A vector at a time [s]: itself, or what its keyframes say. */
export function vectorAt(value, time) {
  const keys = Array.isArray(value) ? (Array.isArray(value[0]) ? value : null) : value?.keys;
  if (!keys) return Array.isArray(value) ? value : null;
  const [first, last] = [keys[0][0], keys.at(-1)[0]];
  let t = time;
  if (value.repeat && last > first) t = first + ((((time - first) % (last - first)) + last - first) % (last - first));
  const after = keys.findIndex(([at]) => at > t);
  if (after <= 0) return (after === 0 ? keys[0] : keys.at(-1))[1];
  const [[t0, a], [t1, b]] = [keys[after - 1], keys[after]];
  const [h, s] = [t1 - t0, (t - t0) / (t1 - t0)];
  if (value.interpolation === "constant") return a;
  if (value.interpolation !== "smooth") return a.map((x, c) => x + s * (b[c] - x));
  return a.map((x, c) => {
    const [rise, m0, m1] = [b[c] - x, slopeAt(keys, after - 1, c), slopeAt(keys, after, c)];
    const c2 = 3 * rise - h * (2 * m0 + m1);
    return x + s * (h * m0 + s * (c2 + s * (h * (m0 + m1) - 2 * rise)));
  });
}

export class Winds {
  /** `send(path, value)` changes a setting; `extent()` is the box around the scene. */
  constructor(send, extent) {
    this.send = send;
    this.extent = extent;
    // At rest a wind remembers where it would blow.
    this.headings = {};
  }

  /** The fields of all winds; `leaf` describes one of them. */
  fields(settings, leaf, time) {
    this.leaf = leaf;
    this.keyed = [];
    const up = settings.up === "y" ? [0, 1, 0] : [0, 0, 1];
    this.axes = settings.up === "y" ? [[0, 0, 1], [1, 0, 0], up] : [[1, 0, 0], [0, 1, 0], up];
    const fields = settings.wind.flatMap((wind, k) => this.fieldsOf(wind, k, settings, time));
    const more = element("button", { type: "button", className: "quiet" }, settings.wind.length ? "Add another wind" : "Add a wind");
    more.dataset.add = "wind";
    more.addEventListener("click", () => this.send("wind", [...settings.wind, this.made("uniform")]));
    return [...fields, more];
  }

  fieldsOf(wind, k, settings, time) {
    const source = SOURCES.find((name) => wind[name]);
    const own = keyOf(wind, k);
    const choice = wordField(
      { ...this.leaf(`wind.${own}`, "source", "The same everywhere, or from a cone or a cylinder", source), kind: "word", words: SOURCES, changed: false },
      (word) => this.send("wind", settings.wind.map((one, j) => (j === k ? { ...kept(wind), ...this.made(word) } : one))),
    );
    const key = source === "uniform" ? "velocity" : "force";
    const value = wind[source]?.[key];
    const path = `wind.${own}.${source}.${key}`;
    const now = vectorAt(value, time);
    if (!now) return [choice];
    const state = this.read(path, now);
    const sliders = this.sliders(path, state, source, largest(value));
    const title = settings.wind.length > 1 || wind.name ? [element("p", { className: "hint" }, wind.name ?? `wind ${k + 1}`)] : [];
    const isKeyed = typeof value[0] !== "number";
    if (isKeyed) this.keyed.push({ value, path, state, sliders });
    const note = isKeyed ? [element("p", { className: "hint keyed" }, "Follows its keyframes until you move it.")] : [];
    return [...title, choice, ...Object.values(sliders), ...note];
  }

  /** Sliders for power, direction and rise, which are kept in `state`. */
  sliders(path, state, source, most) {
    const blow = () => {
      const { direction, rise, power } = state;
      const [x, y] = [Math.cos(rise * DEGREE) * Math.cos(direction * DEGREE), Math.cos(rise * DEGREE) * Math.sin(direction * DEGREE)];
      const exact = add(add(scale(this.axes[0], x), scale(this.axes[1], y)), scale(this.axes[2], Math.sin(rise * DEGREE)));
      const heading = exact.map((c) => Number(c.toFixed(6)));
      this.headings[path] = heading;
      this.send(path, scale(heading, power).map((c) => Number(c.toPrecision(5))));
    };
    const slider = (name, ends, help) => {
      const leaf = { ...this.leaf(path, name, help, Number(state[name].toFixed(3))), ...ends };
      const field = numberField(leaf, (x) => {
        if (x === null) return this.send(path, null);
        state[name] = x;
        blow();
      });
      field.dataset.wind = name;
      return field;
    };
    const top = Math.max(source === "uniform" ? 12 : 2, 2 * most);
    return {
      power: slider("power", { least: 0, most: top, unit: source === "uniform" ? "m/s" : "N" }, "How strong it blows"),
      direction: slider("direction", { least: -180, most: 180, unit: "°" }, "Where it blows to, around the vertical"),
      rise: slider("rise", { least: -90, most: 90, unit: "°" }, "How much it blows upward"),
    };
  }

  /** Power, direction [°] and rise [°] of a vector. */
  read(path, vector) {
    const power = length(vector);
    if (power > 1e-9) this.headings[path] = unit(vector);
    const heading = this.headings[path] ?? this.axes[0];
    const [x, y, z] = this.axes.map((axis) => dot(axis, heading));
    return { power, direction: Math.atan2(y, x) / DEGREE, rise: Math.asin(Math.max(-1, Math.min(1, z))) / DEGREE };
  }

  /** Shows winds with keyframes as they blow at a time [s]. */
  follow(time) {
    for (const { value, path, state, sliders } of this.keyed ?? []) {
      Object.assign(state, this.read(path, vectorAt(value, time)));
      for (const [name, field] of Object.entries(sliders)) field.follow(Number(state[name].toFixed(2)));
    }
  }

  /** A wind that blows across the scene. */
  made(source) {
    if (source === "uniform") return { uniform: { velocity: [3, 0, 0] } };
    const { min, max } = this.extent() ?? boundsOf();
    const size = length([max[0] - min[0], max[1] - min[1], max[2] - min[2]]);
    const round = (x) => x.map((c) => Number(c.toPrecision(3)));
    const middle = scale(add(min, max), 0.5);
    const base = round(add(middle, [-size, 0, 0]));
    const radius = Number((0.6 * size).toPrecision(3));
    if (source === "cylinder") return { cylinder: { base_center: base, radius, force: [0.1, 0, 0] } };
    return { cone: { apex: round(add(middle, [-1.5 * size, 0, 0])), base_center: base, base_radius: radius, force: [0.1, 0, 0] } };
  }
}

/** What a wind keeps when it comes from another source. */
function kept({ name, turbulence, from, until }) {
  const parts = Object.entries({ name, turbulence, from, until });
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** The length of the longest of a vector's keyframes. */
function largest(value) {
  const keys = Array.isArray(value) ? (Array.isArray(value[0]) ? value : [[0, value]]) : value.keys;
  return Math.max(...keys.map(([, vector]) => length(vector)));
}
