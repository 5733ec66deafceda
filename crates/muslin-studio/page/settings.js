// The panel with everything that can be tuned: what is tuned most on top, then all of the schema.

import { add, boundsOf, length, scale, unit } from "./vector.js";
import { childrenOf } from "./schema.js";
import { element, fieldOf, numberField, wordField } from "./fields.js";

const FABRIC = ["density", "stretch", "shear", "bending", "damping", "thickness"];
const QUALITY = ["steps_per_frame", "tolerance", "max_iterations", "strain_limit"];

export class Settings {
  /** `send(path, value)` changes a setting; `extent()` is the box around the scene. */
  constructor(root, send, extent) {
    this.root = root;
    this.extent = extent;
    this.opened = new Set();
    this.queue = new Map();
    this.send = (path, value) => {
      if (this.queue.size === 0) requestAnimationFrame(() => this.flush(send));
      this.queue.set(path, value);
    };
    this.common = element("div", { className: "common" });
    this.search = element("input", { type: "search", placeholder: "Search all settings", ariaLabel: "Search all settings" });
    this.tree = element("div", { className: "tree" });
    this.search.addEventListener("input", () => this.fillTree());
    root.append(this.common, element("h3", {}, "All settings"), this.search, this.tree);
    this.ready = Promise.all(["schema.json", "fabrics.json"].map(async (name) => (await fetch(name)).json()));
    this.ready.then(([schema, fabrics]) => {
      Object.assign(this, { schema, fabrics });
      if (this.scene) this.fill();
    });
  }

  /** Changes that came since the last picture, each setting once. */
  flush(send) {
    for (const [path, value] of this.queue) send(path, value);
    this.queue.clear();
  }

  show(scene) {
    this.scene = scene;
    // A slider that is being moved stays under the finger.
    if (this.schema && !this.root.matches(":active")) this.fill();
    else if (this.schema) addEventListener("pointerup", () => setTimeout(() => this.fill(), 250), { once: true });
  }

  changed(path) {
    return this.scene.sets.some((set) => set.split("=")[0] === path || set.startsWith(`${path}.`));
  }

  fill() {
    const focused = document.activeElement?.closest?.("[data-path]")?.dataset.path;
    const { settings } = this.scene;
    const sections = [
      ["Wind", this.winds(settings)],
      ["Gravity", [this.gravity(settings)]],
      ...settings.cloth.map((cloth, k) => [settings.cloth.length > 1 ? `Fabric · ${cloth.name}` : "Fabric", this.fabric(cloth, k)]),
      ["Friction", this.frictions(settings)],
      ["Quality", this.quality(settings)],
    ];
    this.common.replaceChildren(...sections.map(([title, fields]) => element("section", {}, element("h3", {}, title), ...fields)));
    this.fillTree();
    if (focused) this.root.querySelector(`[data-path="${CSS.escape(focused)}"] input:last-of-type`)?.focus();
  }

  leaf(path, title, help, value, more = {}) {
    return { path, title, help, value, kind: "number", changed: this.changed(path), ...more };
  }

  winds(settings) {
    const fields = settings.wind.flatMap((wind, k) => this.wind(wind, k, settings));
    const add1 = element("button", { type: "button", className: "quiet" }, settings.wind.length ? "Add another wind" : "Add a wind");
    add1.dataset.add = "wind";
    add1.addEventListener("click", () => this.send("wind", [...settings.wind, this.newWind("uniform")]));
    return [...fields, add1];
  }

  /** Source, power and direction of one wind. */
  wind(wind, k, settings) {
    const source = ["uniform", "cone", "cylinder"].find((name) => wind[name]);
    const choice = wordField(
      { ...this.leaf(`wind.${k}`, "source", "The same everywhere, or from a cone or a cylinder", source), kind: "word", words: ["uniform", "cone", "cylinder"], changed: false },
      (word) => this.send("wind", settings.wind.map((one, j) => (j === k ? this.newWind(word) : one))),
    );
    const key = source === "uniform" ? "velocity" : "force";
    const vector = wind[source]?.[key];
    if (!Array.isArray(vector) || typeof vector[0] !== "number") return [choice];
    const path = `wind.${k}.${source}.${key}`;
    const power = length(vector);
    // At rest a wind remembers where it would blow.
    this.headings ??= {};
    if (power > 1e-9) this.headings[path] = unit(vector);
    const heading = this.headings[path] ?? [1, 0, 0];
    const azimuth = Math.atan2(heading[1], heading[0]) * 180 / Math.PI;
    const elevation = Math.asin(Math.max(-1, Math.min(1, heading[2]))) * 180 / Math.PI;
    const turned = (a, e) => {
      const [alpha, epsilon] = [a * Math.PI / 180, e * Math.PI / 180];
      const c = Math.cos(epsilon);
      return [c * Math.cos(alpha), c * Math.sin(alpha), Math.sin(epsilon)].map((x) => Number(x.toFixed(5)));
    };
    const blow = (heading1, power1) => {
      this.headings[path] = heading1;
      this.send(path, scale(heading1, power1).map((x) => Number(x.toPrecision(5))));
    };
    let [a, e, p] = [azimuth, elevation, power];
    const most = Math.max(source === "uniform" ? 12 : 2, 2 * power);
    const part = (title, value, ends, help, use) => {
      const field = numberField({ ...this.leaf(path, title, help, Number(value.toFixed(3))), ...ends }, (x) => (x === null ? this.send(path, null) : use(x)));
      field.dataset.wind = title;
      return field;
    };
    return [
      choice,
      part("power", power, { least: 0, most, unit: source === "uniform" ? "m/s" : "N" }, "How strong it blows", (x) => blow(turned(a, e), p = x)),
      part("direction", azimuth, { least: -180, most: 180, unit: "°" }, "Where it blows to, around the vertical", (x) => blow(turned(a = x, e), p)),
      part("rise", elevation, { least: -90, most: 90, unit: "°" }, "How much it blows upward", (x) => blow(turned(a, e = x), p)),
    ];
  }

  /** A wind that blows across the scene. */
  newWind(source) {
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

  gravity(settings) {
    const down = settings.up === "y" ? [0, -1, 0] : [0, 0, -1];
    const vector = Array.isArray(settings.gravity) && typeof settings.gravity[0] === "number" ? settings.gravity : null;
    if (!vector) return element("p", { className: "hint" }, "Gravity has keyframes: see below.");
    const heading = unit(vector, down);
    const set = (x) => this.send("gravity", x === null ? null : scale(heading, x).map((c) => Number(c.toPrecision(5))));
    return numberField({ ...this.leaf("gravity", "strength", "Acceleration of gravity", Number(length(vector).toPrecision(4))), least: 0, most: 25, unit: "m/s²" }, set);
  }

  fabric(cloth, k) {
    const own = typeof cloth.fabric === "string" ? { base: cloth.fabric } : cloth.fabric;
    const known = this.fabrics.find((fabric) => fabric.name === own.base) ?? {};
    const base = wordField(
      { ...this.leaf(`cloth.${k}.fabric.base`, "kind", "The fabric of the library to start from", own.base), kind: "word", words: this.fabrics.map((fabric) => fabric.name) },
      (word) => this.send(`cloth.${k}.fabric.base`, word),
    );
    const leaves = this.leavesOf(`cloth.${k}.fabric`, { fabric: own }, ["cloth", "fabric"]);
    const shown = leaves.filter((leaf) => FABRIC.includes(leaf.path.split(".").at(-1)));
    return [base, ...shown.map((leaf) => {
      const name = leaf.path.split(".").at(-1);
      const value = leaf.value ?? known[name];
      return leaf.kind === "number" ? numberField({ ...leaf, value }, (x) => this.send(leaf.path, x)) : fieldOf(leaf, this.send);
    })];
  }

  frictions(settings) {
    const cloths = settings.cloth.map((cloth, k) => [`cloth.${k}.fabric.friction`, cloth.name, cloth.fabric.friction]);
    const bodies = settings.body.map((body, k) => [`body.${k}.friction`, body.name, body.friction]);
    return [...cloths, ...bodies].map(([path, name, value]) =>
      numberField({ ...this.leaf(path, name, "Coulomb friction", value), least: 0, most: 1.2 }, (x) => this.send(path, x)));
  }

  quality(settings) {
    const preset = wordField(
      { ...this.leaf("quality", "preset", "Preset of solver and contact settings", settings.quality), kind: "word", words: ["preview", "standard", "fine"] },
      (word) => this.send("quality", word),
    );
    const leaves = this.leavesOf("solver", settings, ["solver"]);
    const shown = leaves.filter((leaf) => QUALITY.includes(leaf.path.split(".").at(-1)));
    return [preset, ...shown.map((leaf) => fieldOf(leaf, this.send))];
  }

  /** Leaves below a path, from the schema. */
  leavesOf(path, values, keys) {
    const name = keys.at(-1);
    const owner = keys.length > 1 ? this.schema.$defs.Cloth : this.schema;
    const children = childrenOf(this.schema, owner.properties[name], values[name], path.split("."));
    return children.filter((leaf) => leaf.kind !== "group").map((leaf) => ({ ...leaf, changed: this.changed(leaf.path) }));
  }

  fillTree() {
    const words = this.search.value.trim().toLowerCase();
    const nodes = childrenOf(this.schema, this.schema, this.scene.settings, []);
    this.tree.replaceChildren(...(words ? this.found(nodes, words) : nodes.map((node) => this.branch(node))));
  }

  branch(node) {
    if (node.kind !== "group") return fieldOf({ ...node, changed: this.changed(node.path) }, this.send);
    const summary = element("summary", { title: node.help }, node.title);
    if (!node.used) summary.append(element("small", {}, " not used"));
    const box = element("details", { className: node.used ? "" : "unused" }, summary);
    const fill = () => {
      if (box.childElementCount === 1) box.append(...node.children().map((child) => this.branch(child)));
    };
    box.addEventListener("toggle", () => {
      if (box.open) {
        this.opened.add(node.path);
        fill();
      } else {
        this.opened.delete(node.path);
      }
    });
    if (this.opened.has(node.path)) {
      fill();
      box.open = true;
    }
    return box;
  }

  /** All leaves whose path or description has the words, with their full path. */
  found(nodes, words, depth = 0) {
    return nodes.flatMap((node) => {
      if (node.kind === "group") return depth < 5 && node.used ? this.found(node.children(), words, depth + 1) : [];
      const text = `${node.path.replaceAll(/[._]/g, " ")} ${node.path} ${node.help}`.toLowerCase();
      return text.includes(words) ? [fieldOf({ ...node, title: node.path, changed: this.changed(node.path) }, this.send)] : [];
    });
  }
}
