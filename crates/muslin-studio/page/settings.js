// The panel with everything that can be tuned: what is tuned most on top, then all of the schema.

import { length, scale, unit } from "./vector.js";
import { childrenOf, keyOf } from "./schema.js";
import { Winds } from "./wind.js";
import { element, fieldOf, numberField, wordField } from "./fields.js";

// What is tuned most, by dynamics.
const FABRIC = {
  curtain: ["density", "yarn", "porosity"],
  sparse: ["density", "bending", "thickness"],
  other: ["density", "stretch", "shear", "bending", "damping", "thickness"],
};
const QUALITY = {
  curtain: ["solver.steps_per_frame", "contact.bounded_passes"],
  sparse: ["solver.steps_per_frame", "sparse.limit_sweeps", "sparse.stretch_limit", "sparse.damping"],
  other: ["solver.steps_per_frame", "solver.tolerance", "solver.max_iterations", "solver.strain_limit"],
};

// What has no part in some dynamics.
const CONTINUUM = "^solver\\.(tolerance|max_iterations|preconditioner|scheme|adaptive|min_step|max_stretch_change|strain_|literal|masses|bend_element)|^pointer\\.drag|\\.fabric\\.(stretch|shear|damping)";
const IDLE = {
  curtain: new RegExp(`${CONTINUUM}|^solver\\.integrator|^sparse\\.|\\.fabric\\.bending`),
  sparse: new RegExp(`${CONTINUUM}|\\.rods\\.|\\.fabric\\.(yarn|porosity)`),
  other: /^sparse\.|^contact\.bounded_passes/,
};
const HINTS = {
  curtain: "Rods keep their length: stretch, shear and bending have no part in a curtain. The pointer pulls the nearest column.",
  sparse: "Few particles with short strings: stretch and shear have no part. The pointer pulls the nearest particle.",
};

export class Settings {
  /** `send(path, value)` changes a setting; `extent()` is the box around the scene. */
  constructor(root, send, extent) {
    this.root = root;
    this.opened = new Set();
    this.queue = new Map();
    this.send = (path, value) => {
      if (this.queue.size === 0) setTimeout(() => this.flush(send), 16);
      this.queue.set(path, value);
    };
    this.winds = new Winds(this.send, extent);
    this.time = 0;
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

  /** Changes that came since the last time, each setting once. */
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
    const hint = HINTS[settings.solver.dynamics];
    const sections = [
      ...(hint ? [[`${capital(settings.solver.dynamics)} dynamics`, [element("p", { className: "hint" }, hint)]]] : []),
      ["Wind", this.winds.fields(settings, (...parts) => this.leaf(...parts), this.time)],
      ["Gravity", [this.gravity(settings)]],
      ...settings.cloth.map((cloth, k) => [settings.cloth.length > 1 ? `Fabric · ${cloth.name}` : "Fabric", this.fabric(cloth, k)]),
      ["Friction", this.frictions(settings)],
      ["Quality", this.quality(settings)],
    ];
    this.common.replaceChildren(...sections.map(([title, fields]) => element("section", {}, element("h3", {}, title), ...fields)));
    this.fillTree();
    if (focused) this.root.querySelector(`[data-path="${CSS.escape(focused)}"] input:last-of-type`)?.focus();
  }

  /** Shows what changes by itself as it is at a time [s]. */
  follow(time) {
    this.time = time;
    if (this.schema && !this.root.matches(":active")) this.winds.follow(time);
  }

  /** The table's entry for the scene's dynamics. */
  byDynamics(table) {
    return table[this.scene.settings.solver.dynamics] ?? table.other;
  }

  leaf(path, title, help, value, more = {}) {
    return { path, title, help, value, kind: "number", changed: this.changed(path), ...more };
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
    const path = `cloth.${keyOf(cloth, k)}.fabric`;
    const base = wordField(
      { ...this.leaf(`${path}.base`, "kind", "The fabric of the library to start from", own.base), kind: "word", words: this.fabrics.map((fabric) => fabric.name) },
      (word) => this.send(`${path}.base`, word),
    );
    const leaves = this.leavesOf(path, this.schema.$defs.Cloth.properties.fabric, own);
    const shown = this.byDynamics(FABRIC).map((name) => leaves.find((leaf) => leaf.path === `${path}.${name}`)).filter(Boolean);
    return [base, ...shown.map((leaf) => {
      const value = leaf.value ?? known[leaf.path.split(".").at(-1)];
      return leaf.kind === "number" ? numberField({ ...leaf, value }, (x) => this.send(leaf.path, x)) : fieldOf(leaf, this.send);
    })];
  }

  frictions(settings) {
    const cloths = settings.cloth.map((cloth, k) => [`cloth.${keyOf(cloth, k)}.fabric.friction`, cloth.name, cloth.fabric.friction]);
    const bodies = settings.body.map((body, k) => [`body.${keyOf(body, k)}.friction`, body.name, body.friction]);
    return [...cloths, ...bodies].map(([path, name, value]) =>
      numberField({ ...this.leaf(path, name, "Coulomb friction", value), least: 0, most: 1.2 }, (x) => this.send(path, x)));
  }

  quality(settings) {
    const preset = wordField(
      { ...this.leaf("quality", "preset", "Preset of solver and contact settings", settings.quality), kind: "word", words: ["preview", "standard", "fine"] },
      (word) => this.send("quality", word),
    );
    const shown = this.byDynamics(QUALITY).map((path) => {
      const [part] = path.split(".");
      return this.leavesOf(part, this.schema.properties[part], settings[part]).find((leaf) => leaf.path === path);
    });
    return [preset, ...shown.filter(Boolean).map((leaf) => fieldOf(leaf, this.send))];
  }

  /** Leaves below a path, from the schema. */
  leavesOf(path, schema, value) {
    const children = childrenOf(this.schema, schema, value, path.split("."));
    return children.filter((leaf) => leaf.kind !== "group").map((leaf) => this.marked(leaf));
  }

  /** A leaf, with whether it was changed and whether it acts. */
  marked(leaf) {
    return { ...leaf, changed: this.changed(leaf.path), idle: this.byDynamics(IDLE).test(leaf.path) };
  }

  fillTree() {
    const words = this.search.value.trim().toLowerCase();
    const nodes = childrenOf(this.schema, this.schema, this.scene.settings, []);
    this.tree.replaceChildren(...(words ? this.found(nodes, words) : nodes.map((node) => this.branch(node))));
  }

  branch(node) {
    if (node.kind !== "group") return fieldOf(this.marked(node), this.send);
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
      return text.includes(words) ? [fieldOf({ ...this.marked(node), title: node.path }, this.send)] : [];
    });
  }
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
