// Milliseconds of processor time that the page's own code takes for a frame, measured without a browser:
//   muslin export CACHE -o player.html && node crates/muslin-studio/tests/page_cost.mjs player.html
// Reading the message, putting places in place, and normals; uploads and drawing are the graphics card's.

import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";

const html = readFileSync(process.argv[2], "utf8");
const between = (from, to) => html.slice(html.indexOf(from) + from.length, html.indexOf(to, html.indexOf(from)));
const script = between("<script type=\"module\">", "</script>");
const file = join(mkdtempSync(join(tmpdir(), "page-")), "page.mjs");
const parts = "FrameReader, readTopology, placesOf, Painter, boundsOf";
writeFileSync(file, `${script.slice(0, script.indexOf("class Player"))}\nexport { ${parts} };\n`);
const { FrameReader, readTopology, placesOf, Painter, boundsOf } = await import(file);

const scene = JSON.parse(between("id=\"scene\">", "</script>"));
const packed = inflateSync(Buffer.from(between("id=\"animation\">", "</script>").trim(), "base64"));
const messages = [];
for (let at = 0; at < packed.length;) {
  const size = packed.readUInt32LE(at);
  messages.push(new Uint8Array(packed.subarray(at + 4, at + 4 + size)).slice().buffer);
  at += 4 + size;
}
const topology = readTopology(messages.shift());
const count = topology.clothCount + topology.bodyCount;
const painter = { topology, positions: new Float32Array(3 * count), normals: new Float32Array(3 * count) };
const cloth = scene.surfaces.filter(({ kind }) => kind === "cloth");

function spent(work) {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000 / messages.length;
}

const best = { read: Infinity, place: Infinity, turn: Infinity };
for (let round = 0; round < 5; round++) {
  const reader = new FrameReader();
  const frames = [];
  best.read = Math.min(best.read, spent(() => messages.forEach((message) => frames.push(reader.read(message)))));
  const places = painter.positions.subarray(0, 3 * topology.clothCount);
  best.place = Math.min(best.place, spent(() => frames.forEach((frame) => placesOf(frame.cloth, places))));
  best.turn = Math.min(best.turn, spent(() => frames.forEach(() => {
    cloth.forEach((surface) => Painter.prototype.turn.call(painter, surface));
    boundsOf(painter.positions);
  })));
}
const { read, place, turn } = best;
const sum = read + place + turn;
const triangles = cloth.reduce((sum, surface) => sum + surface.triangles[1], 0);
console.log(`${topology.clothCount} vertices, ${triangles} triangles: read ${read.toFixed(2)} ms, places ${place.toFixed(2)} ms, normals ${turn.toFixed(2)} ms, together ${sum.toFixed(2)} ms a frame`);
