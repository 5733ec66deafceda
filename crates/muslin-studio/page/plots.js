// Plots of every frame: energy, step size, contacts and crossings, time per stage.

const STAGE_COLORS = ["#b8432f", "#d98e4a", "#c9b458", "#6f9a6b", "#4b8a9c", "#5a6aa8", "#8d6a9f"];

const PLOTS = [
  {
    title: "Energy",
    unit: "J",
    lines: [
      ["motion", "#b8432f", (r) => r.energy?.kinetic],
      ["stretch", "#4b8a9c", (r) => r.energy?.membrane],
      ["bending", "#c99a3a", (r) => r.energy?.bend],
    ],
  },
  { title: "Step", unit: "ms", lines: [["smallest step", "#5a6aa8", (r) => (r.steps ? 1000 * r.smallest_step : undefined)]] },
  {
    title: "Contacts",
    unit: "",
    lines: [
      ["near", "#4b8a9c", (r) => r.contact?.near],
      ["impulses", "#c99a3a", (r) => r.contact?.impulses],
      ["crossings", "#d61e3c", (r) => r.crossings],
    ],
  },
  { title: "Time", unit: "ms", stacked: true, lines: [] },
];

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** Numbers for people: three digits that count. */
export function digits(x) {
  if (x === undefined || x === null || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, power] = x.toExponential(1).split("e");
    return `${mantissa}·10${[...String(Number(power))].map((sign) => RAISED[sign]).join("")}`;
  }
  return String(Number(x.toPrecision(3)));
}

export class Plots {
  /** `choose(frame)` is called when someone clicks on a frame. */
  constructor(root, choose) {
    this.root = root;
    this.reports = [];
    this.shown = 0;
    this.hovered = null;
    this.charts = PLOTS.map((plot) => this.chart(plot, choose));
    new ResizeObserver(() => this.draw()).observe(root);
  }

  chart(plot, choose) {
    const box = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const canvas = document.createElement("canvas");
    box.append(caption, canvas);
    this.root.append(box);
    const frameAt = (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      const [first, last] = this.span();
      return Math.round(first + (last - first) * Math.max(0, Math.min(1, (event.clientX - left) / width)));
    };
    canvas.addEventListener("pointermove", (event) => {
      this.hovered = frameAt(event);
      if (event.buttons & 1) choose(this.hovered);
      this.draw();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.draw();
    });
    canvas.addEventListener("pointerdown", (event) => choose(frameAt(event)));
    return { plot: structuredLines(plot), caption, canvas };
  }

  clear() {
    this.reports = [];
    this.draw();
  }

  add(list) {
    for (const report of list) {
      const before = this.reports[report.frame];
      this.reports[report.frame] = before?.crossings === undefined ? report : { crossings: before.crossings, ...report };
    }
    const stages = list.find((report) => report.seconds?.length)?.seconds;
    const time = this.charts[3].plot;
    if (stages && time.lines.length === 0) {
      time.lines = stages.map(([name], k) => [name, STAGE_COLORS[k % 7], (r) => (r.seconds ? 1000 * r.seconds[k][1] : undefined)]);
    }
    this.draw();
  }

  judged(frame, crossings) {
    this.reports[frame] = { ...this.reports[frame], frame, crossings };
    this.draw();
  }

  show(frame) {
    this.shown = frame;
    this.draw();
  }

  span() {
    const numbers = Object.keys(this.reports);
    const first = Number(numbers[0] ?? 0);
    return [first, Math.max(first + 1, Number(numbers.at(-1) ?? 1))];
  }

  /** Draws all, once before the next picture. */
  draw() {
    if (this.pending || this.root.hidden) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const style = getComputedStyle(this.root);
      const ink = { text: style.getPropertyValue("--ink"), faint: style.getPropertyValue("--line") };
      this.charts.forEach((chart) => drawChart(chart, this, ink));
    });
  }
}

function structuredLines(plot) {
  return { ...plot, lines: [...plot.lines] };
}

function drawChart({ plot, caption, canvas }, plots, ink) {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!width || !height) return;
  const ratio = devicePixelRatio || 1;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const [first, last] = plots.span();
  const reports = plots.reports;
  const across = (frame) => (frame - first) / (last - first) * (width - 2) + 1;
  const read = (frame) => {
    let sum = 0;
    return plot.lines.map(([, , value]) => {
      const y = reports[frame] ? value(reports[frame]) : undefined;
      if (!plot.stacked || y === undefined) return y;
      sum += y;
      return sum;
    });
  };
  let top = 0;
  const rows = [];
  for (let frame = first; frame <= last; frame++) {
    rows.push(read(frame));
    for (const y of rows.at(-1)) if (y > top) top = y;
  }
  top = top || 1;
  const down = (y) => height - 2 - y / top * (height - 6);
  pen.strokeStyle = ink.faint;
  pen.beginPath();
  pen.moveTo(0, height - 1.5);
  pen.lineTo(width, height - 1.5);
  pen.stroke();
  for (let k = plot.lines.length - 1; k >= 0; k--) drawLine(pen, plot, rows, k, { across, down, first });
  const frame = plots.hovered ?? plots.shown;
  pen.strokeStyle = ink.text;
  pen.globalAlpha = plots.hovered === null ? 0.35 : 0.8;
  pen.beginPath();
  pen.moveTo(across(frame), 0);
  pen.lineTo(across(frame), height);
  pen.stroke();
  pen.globalAlpha = 1;
  captionOf(caption, plot, reports[frame], plots.hovered === null ? `${digits(top)} ${plot.unit}` : `frame ${frame}`);
}

function drawLine(pen, plot, rows, k, { across, down, first }) {
  const [, color] = plot.lines[k];
  pen.strokeStyle = color;
  pen.fillStyle = color;
  pen.lineWidth = 1.4;
  pen.beginPath();
  let drawing = false;
  let from = 0;
  let to = 0;
  rows.forEach((row, r) => {
    if (row[k] === undefined) {
      drawing = false;
      return;
    }
    const [x, y] = [across(first + r), down(row[k])];
    if (!drawing) {
      pen.moveTo(x, y);
      from = from || x;
    } else {
      pen.lineTo(x, y);
    }
    to = x;
    drawing = true;
  });
  if (plot.stacked) {
    pen.lineTo(to, down(0));
    pen.lineTo(from, down(0));
    pen.fill();
  } else {
    pen.stroke();
  }
}

function captionOf(caption, plot, report, corner) {
  caption.replaceChildren();
  const title = document.createElement("b");
  title.textContent = plot.title;
  const most = document.createElement("span");
  most.className = "top";
  most.textContent = corner;
  caption.append(title, most);
  const numbers = document.createElement("div");
  if (plot.lines.length === 0) numbers.textContent = "a cache holds no times";
  for (const [name, color, value] of plot.lines) {
    const item = document.createElement("span");
    const dab = document.createElement("i");
    dab.style.background = color;
    item.append(dab, `${name} ${digits(report ? value(report) : undefined)}`);
    numbers.append(item);
  }
  caption.append(numbers);
}
