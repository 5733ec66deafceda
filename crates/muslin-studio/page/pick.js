// The cloth under the pointer.

import { add, dot, scale, subtract } from "./vector.js";

/** The cloth vertex nearest to where a ray first meets cloth or a body; null if that is no cloth. */
export function pickCloth(scene, topology, positions, { origin, direction }) {
  let nearest = Infinity;
  let hit = null;
  for (const surface of scene.surfaces) {
    if (!surface.visible) continue;
    const begin = 3 * surface.triangles[0];
    const end = begin + 3 * surface.triangles[1];
    for (let t = begin; t < end; t += 3) {
      const distance = meet(positions, topology.triangles, t, origin, direction);
      if (distance < nearest) {
        nearest = distance;
        hit = surface.kind === "cloth" ? t : null;
      }
    }
  }
  if (hit === null) return null;
  const place = add(origin, scale(direction, nearest));
  let vertex = 0;
  let least = Infinity;
  for (let k = 0; k < 3; k++) {
    const v = topology.triangles[hit + k];
    const away = subtract(place, [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
    if (dot(away, away) < least) [least, vertex] = [dot(away, away), v];
  }
  return { vertex, place };
}

/** Distance along the ray to triangle `t`, or infinity (Möller and Trumbore's test). */
function meet(x, triangles, t, o, d) {
  const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
  const e1x = x[b] - x[a], e1y = x[b + 1] - x[a + 1], e1z = x[b + 2] - x[a + 2];
  const e2x = x[c] - x[a], e2y = x[c + 1] - x[a + 1], e2z = x[c + 2] - x[a + 2];
  const px = d[1] * e2z - d[2] * e2y, py = d[2] * e2x - d[0] * e2z, pz = d[0] * e2y - d[1] * e2x;
  const det = e1x * px + e1y * py + e1z * pz;
  if (det === 0) return Infinity;
  const sx = o[0] - x[a], sy = o[1] - x[a + 1], sz = o[2] - x[a + 2];
  const u = (sx * px + sy * py + sz * pz) / det;
  if (u < 0 || u > 1) return Infinity;
  const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
  if (v < 0 || u + v > 1) return Infinity;
  const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
  return distance > 0 ? distance : Infinity;
}

/** Where a ray meets the plane through `place` that faces along `normal`. */
export function meetPlane({ origin, direction }, place, normal) {
  const along = dot(direction, normal);
  if (Math.abs(along) < 1e-9) return place;
  return add(origin, scale(direction, dot(subtract(place, origin), normal) / along));
}
