// Colours that show what can not be seen: strain, speed, curvature, contact, pins, sticking, crossings.

const PINNED = 1;
const ON_BODY = 2;
const STICKING = 4;
const ON_CLOTH = 8;

// Blue, paper, red: squeezed and stretched. Ink to yellow: little and much.
const DIVERGING = [[43, 92, 146], [132, 170, 203], [240, 236, 229], [224, 148, 116], [160, 42, 28]];
const RISING = [[46, 38, 74], [84, 70, 132], [168, 84, 112], [228, 138, 84], [248, 214, 130]];
const GREY = [196, 192, 186];

export const OVERLAYS = [
  { name: "none", title: "Fabric" },
  { name: "strain", title: "Strain", unit: "%", scale: 100, colors: DIVERGING, signed: true, most: 0.05 },
  { name: "speed", title: "Speed", unit: "m/s", scale: 1, colors: RISING, least: 0.05 },
  { name: "curvature", title: "Curvature", unit: "1/m", scale: 1, colors: DIVERGING, signed: true, least: 20 },
  { name: "contact", title: "Contact", kinds: [["on a body", ON_BODY, [38, 122, 110]], ["on cloth", ON_CLOTH, [212, 140, 40]]] },
  { name: "pins", title: "Pins", kinds: [["pinned", PINNED, [178, 48, 38]]] },
  { name: "sticking", title: "Sticking", kinds: [["sticks", STICKING, [86, 66, 148]], ["slides", ON_BODY | ON_CLOTH, [222, 172, 62]]] },
  { name: "crossings", title: "Crossings", kinds: [["crosses", 256, [214, 30, 60]]] },
];

/** Paints an overlay over the cloth; answers what the legend should say. */
export function paintOverlay(name, painter, frame, before, crossings) {
  const overlay = OVERLAYS.find((candidate) => candidate.name === name) ?? OVERLAYS[0];
  const count = painter.topology.clothCount;
  if (overlay.kinds) return paintKinds(overlay, painter, frame, crossings);
  if (!overlay.colors) {
    painter.paint.fill(0, 0, 4 * count);
    painter.painted();
    return null;
  }
  const values = { strain: strainOf, speed: speedOf, curvature: curvatureOf }[name](painter, frame, before);
  if (!values) return { overlay, missing: "the frame before is not here yet" };
  const most = rangeOf(values, overlay);
  for (let i = 0; i < count; i++) {
    const share = overlay.signed ? 0.5 + 0.5 * values[i] / most : values[i] / most;
    mixInto(painter.paint, 4 * i, overlay.colors, share);
  }
  painter.painted();
  return { overlay, most };
}

function paintKinds(overlay, painter, frame, crossings) {
  const count = painter.topology.clothCount;
  const { paint } = painter;
  const judged = overlay.name === "crossings";
  const crossing = new Set(judged && crossings ? crossings.vertices : []);
  const counts = overlay.kinds.map(() => 0);
  for (let i = 0; i < count; i++) {
    const bits = judged ? (crossing.has(i) ? 256 : 0) : frame.marks?.[i] ?? 0;
    const kind = overlay.kinds.findIndex(([, bit]) => bits & bit);
    if (kind >= 0) counts[kind] += 1;
    const color = kind < 0 ? GREY : overlay.kinds[kind][2];
    paint.set(color, 4 * i);
    paint[4 * i + 3] = kind < 0 ? 225 : 255;
  }
  painter.painted();
  return { overlay, counts, missing: missingWords(overlay.name, painter.scene, frame, crossings) };
}

/** What to say where nobody knows; null where it is known. */
function missingWords(name, scene, frame, crossings) {
  if (name === "crossings") return crossings ? null : "this frame has not been judged";
  if (!frame.marks?.length) return "this cache does not hold it";
  const silent = ["curtain", "sparse"].includes(scene.dynamics) && name !== "pins";
  return silent ? `${scene.dynamics} dynamics does not tell` : null;
}

/** Round ends of the scale, so that it does not flicker; one in fifty vertices may be beyond them. */
function rangeOf(values, overlay) {
  if (overlay.most) return overlay.most;
  const sizes = values.map(Math.abs).sort();
  const largest = Math.max(overlay.least, sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0);
  const power = 10 ** Math.floor(Math.log10(largest));
  return power * [1, 2, 5, 10].find((step) => step * power >= largest * 0.999);
}

function mixInto(paint, at, colors, share) {
  const s = Math.max(0, Math.min(1, share)) * (colors.length - 1);
  const k = Math.min(Math.floor(s), colors.length - 2);
  const f = s - k;
  for (let c = 0; c < 3; c++) paint[at + c] = colors[k][c] * (1 - f) + colors[k + 1][c] * f;
  paint[at + 3] = 255;
}

/** At every vertex, the strain of the edge that is farthest from its rest length. */
function strainOf(painter) {
  const { edges, restLengths, clothCount } = painter.topology;
  const x = painter.positions;
  const worst = new Float32Array(clothCount);
  for (let e = 0; e < restLengths.length; e++) {
    const a = edges[2 * e];
    const b = edges[2 * e + 1];
    const [i, j] = [3 * a, 3 * b];
    const strain = Math.hypot(x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]) / restLengths[e] - 1;
    if (Math.abs(strain) > Math.abs(worst[a])) worst[a] = strain;
    if (Math.abs(strain) > Math.abs(worst[b])) worst[b] = strain;
  }
  return worst;
}

/** Mean speed since the frame before [m/s]. */
function speedOf(painter, frame, before) {
  const count = painter.topology.clothCount;
  const speeds = new Float32Array(count);
  if (!before || before.time === frame.time) return frame.time === 0 ? speeds : null;
  const seconds = Math.abs(frame.time - before.time);
  const [now, then] = [frame.cloth, before.cloth];
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const k = axis * count + i;
      const a = now.origin[axis] + now.step * now.coordinates[k];
      const b = then.origin[axis] + then.step * then.coordinates[k];
      sum += (a - b) ** 2;
    }
    speeds[i] = Math.sqrt(sum) / seconds;
  }
  return speeds;
}

/** Mean curvature from how normals turn along edges [1/m]. */
function curvatureOf(painter) {
  const { edges, clothCount } = painter.topology;
  const { positions: x, normals: n } = painter;
  const sum = new Float32Array(clothCount);
  const count = new Float32Array(clothCount);
  for (let e = 0; e < edges.length; e += 2) {
    const [i, j] = [3 * edges[e], 3 * edges[e + 1]];
    const [dx, dy, dz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    const squared = dx * dx + dy * dy + dz * dz || 1;
    const turn = (n[j] - n[i]) * dx + (n[j + 1] - n[i + 1]) * dy + (n[j + 2] - n[i + 2]) * dz;
    for (const v of [edges[e], edges[e + 1]]) {
      sum[v] += turn / squared;
      count[v] += 1;
    }
  }
  return sum.map((total, v) => total / (count[v] || 1));
}

/** Fills an element with the legend. */
export function showLegend(element, legend) {
  element.replaceChildren();
  element.hidden = !legend;
  if (!legend) return;
  const { overlay, most, counts, missing } = legend;
  const title = document.createElement("b");
  title.textContent = overlay.title + (overlay.unit ? ` [${overlay.unit}]` : "");
  element.append(title);
  if (overlay.colors && most) {
    const bar = document.createElement("canvas");
    [bar.width, bar.height] = [180, 10];
    const pen = bar.getContext("2d");
    const pixel = [0, 0, 0, 0];
    for (let k = 0; k < bar.width; k++) {
      mixInto(pixel, 0, overlay.colors, k / (bar.width - 1));
      pen.fillStyle = `rgb(${pixel.slice(0, 3).map(Math.round).join(" ")})`;
      pen.fillRect(k, 0, 1, bar.height);
    }
    const ends = document.createElement("div");
    ends.className = "ends";
    const shown = Number((most * overlay.scale).toPrecision(3));
    for (const text of overlay.signed ? [`−${shown}`, "0", `+${shown}`] : ["0", `${shown / 2}`, `${shown}`]) {
      const end = document.createElement("span");
      end.textContent = text;
      ends.append(end);
    }
    element.append(bar, ends);
  }
  overlay.kinds?.forEach(([words, , color], k) => {
    const line = document.createElement("div");
    const dab = document.createElement("i");
    dab.style.background = `rgb(${color.join(" ")})`;
    line.append(dab, `${words} · ${counts?.[k] ?? 0}`);
    element.append(line);
  });
  if (missing) {
    const note = document.createElement("em");
    note.textContent = missing;
    element.append(note);
  }
}
