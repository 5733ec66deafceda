// Fields and sliders.

/** A number between ends, on a scale that suits it: even, or by factors where sizes differ. */
export function scaleFor(value, { least, most, whole, title = "" }) {
  const size = Math.abs(value ?? 0) || (whole ? 10 : 1);
  const byFactors = !whole && most === undefined && value > 0 && (size < 0.02 || size > 30 || /toleran|stiff|bend|stretch|shear/.test(title));
  if (byFactors) {
    const [low, high] = [Math.log10(size) - 2, Math.log10(size) + 2];
    return {
      to: (x) => (Math.log10(Math.max(x, 1e-30)) - low) / (high - low),
      from: (s) => Number((10 ** (low + s * (high - low))).toPrecision(3)),
    };
  }
  const low = least ?? (value < 0 ? -3 * size : 0);
  const high = most ?? Math.max(3 * size, whole ? 10 : size < 0.3 ? 1 : 0);
  return {
    to: (x) => (x - low) / (high - low || 1),
    from: (s) => {
      const x = low + s * (high - low);
      return whole ? Math.round(x) : Number(x.toPrecision(3));
    },
  };
}

function element(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A row with a label; `changed` marks it, and its dot takes the change back. */
function row(leaf, undo, ...inputs) {
  const name = element("span", { className: "name" }, leaf.title);
  if (leaf.unit) name.append(element("small", {}, ` ${leaf.unit}`));
  const line = element("label", { className: `field ${leaf.kind ?? ""}`, title: leaf.help ?? "" }, name, ...inputs);
  line.dataset.path = leaf.path;
  if (leaf.idle) {
    line.classList.add("idle");
    line.title = `Has no part in these dynamics. ${leaf.help ?? ""}`;
    for (const input of line.querySelectorAll("input, select")) input.disabled = true;
  }
  if (leaf.changed) {
    const dot = element("button", { className: "undo", title: "Take this change back", type: "button" });
    dot.addEventListener("click", (event) => {
      event.preventDefault();
      undo();
    });
    line.append(dot);
  }
  return line;
}

/** A slider with a number. */
export function numberField(leaf, set) {
  const scale = scaleFor(leaf.value, leaf);
  const slider = element("input", { type: "range", min: 0, max: 1, step: "any", value: leaf.value === undefined || leaf.value === null ? 0 : scale.to(leaf.value) });
  const box = element("input", { type: "number", step: "any", value: leaf.value ?? "", placeholder: "–" });
  slider.addEventListener("input", () => {
    box.value = scale.from(Number(slider.value));
    set(Number(box.value));
  });
  box.addEventListener("change", () => {
    if (box.value === "") return set(null);
    slider.value = scale.to(Number(box.value));
    set(Number(box.value));
  });
  const line = row(leaf, () => set(null), slider, box);
  line.follow = (value) => {
    if (document.activeElement === box) return;
    box.value = value;
    slider.value = scale.to(value);
  };
  return line;
}

/** A few numbers side by side. */
export function vectorField(leaf, set) {
  const values = leaf.value ?? [0, 0, 0];
  const boxes = values.map((x) => element("input", { type: "number", step: "any", value: x }));
  for (const box of boxes) box.addEventListener("change", () => set(boxes.map((one) => Number(one.value))));
  return row(leaf, () => set(null), element("span", { className: "vector" }, ...boxes));
}

/** Numbers with times, as they are written. */
export function keysField(leaf, set) {
  const box = element("input", { type: "text", value: JSON.stringify(leaf.value), spellcheck: false });
  box.addEventListener("change", () => {
    try {
      box.classList.remove("wrong");
      set(JSON.parse(box.value));
    } catch {
      box.classList.add("wrong");
    }
  });
  return row(leaf, () => set(null), box);
}

/** A number that may be off. */
export function limitField(leaf, set) {
  const off = leaf.value === "off";
  const on = element("input", { type: "checkbox", checked: !off });
  const box = element("input", { type: "number", step: "any", value: off ? "" : leaf.value ?? "", placeholder: off ? "off" : "–" });
  on.addEventListener("change", () => set(on.checked ? Number(box.value) || 0.1 : "off"));
  box.addEventListener("change", () => set(box.value === "" ? null : Number(box.value)));
  return row(leaf, () => set(null), on, box);
}

export function switchField(leaf, set) {
  const box = element("input", { type: "checkbox", checked: Boolean(leaf.value) });
  box.addEventListener("change", () => set(box.checked));
  return row(leaf, () => set(null), box);
}

export function wordField(leaf, set) {
  const select = element("select", {}, ...leaf.words.map((word) => new Option(String(word).replaceAll("-", " "), word)));
  if (leaf.value === undefined || leaf.value === null) select.prepend(new Option("–", ""));
  select.value = leaf.value ?? "";
  select.addEventListener("change", () => set(select.value));
  return row(leaf, () => set(null), select);
}

export function colorField(leaf, set) {
  const box = element("input", { type: "color", value: leaf.value || "#888888" });
  box.addEventListener("change", () => set(box.value));
  return row(leaf, () => set(null), box);
}

const FIELDS = { number: numberField, vector: vectorField, keys: keysField, limit: limitField, switch: switchField, word: wordField, color: colorField };

/** The field of a leaf; `send(path, value)` is called with changes. */
export function fieldOf(leaf, send) {
  return FIELDS[leaf.kind](leaf, (value) => send(leaf.path, value));
}

export { element };
