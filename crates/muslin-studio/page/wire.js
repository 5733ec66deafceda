// Reads the studio's binary messages: see src/wire for how they are written.

const SAME = 0;
const WHOLE = 1;

/** Triangles, edges and rest lengths. */
export function readTopology(buffer) {
  const [clothCount, bodyCount, triangleCount, edgeCount] = new Uint32Array(buffer, 4, 4);
  let at = 20;
  const take = (Kind, count) => {
    const list = new Kind(buffer, at, count);
    at += list.byteLength;
    return list;
  };
  return {
    clothCount,
    bodyCount,
    triangles: take(Uint32Array, 3 * triangleCount),
    edges: take(Uint32Array, 2 * edgeCount),
    restLengths: take(Float32Array, edgeCount),
  };
}

/** Reads frames, each of which may be told as a difference from the one before. */
export class FrameReader {
  constructor() {
    this.base = null;
  }

  /** Forgets the last frame: other vertices come now. */
  reset() {
    this.base = null;
  }

  read(buffer) {
    const view = new DataView(buffer);
    const cursor = { view, bytes: new Uint8Array(buffer), at: 17 };
    const frame = {
      run: view.getUint32(1, true),
      number: view.getUint32(5, true),
      time: view.getFloat64(9, true),
      bytes: buffer.byteLength,
    };
    frame.cloth = readPoints(cursor, this.base?.cloth);
    frame.bodies = readPoints(cursor, this.base?.bodies);
    frame.marks = readMarks(cursor, this.base?.marks);
    this.base = frame;
    return frame;
  }
}

function readPoints(cursor, base) {
  const { view } = cursor;
  const form = view.getUint8(cursor.at);
  if (form === SAME) {
    cursor.at += 1;
    return base;
  }
  const number = (k) => view.getFloat32(cursor.at + 1 + 4 * k, true);
  const origin = [number(0), number(1), number(2)];
  const step = number(3);
  const size = view.getUint32(cursor.at + 17, true);
  cursor.at += 21;
  const end = cursor.at + size;
  let coordinates;
  if (form === WHOLE) {
    coordinates = new Uint16Array(view.buffer.slice(cursor.at, end));
  } else {
    coordinates = readDifferences(cursor, base.coordinates);
  }
  cursor.at = end;
  return { origin, step, coordinates };
}

function readDifferences(cursor, base) {
  const { bytes } = cursor;
  const count = base.length / 3;
  const out = new Uint16Array(base.length);
  let at = cursor.at;
  let zeros = 0;
  let change = 0;
  let k = 0;
  for (let axis = 0; axis < 3; axis++) {
    change = 0;
    for (let i = 0; i < count; i++, k++) {
      if (zeros > 0) {
        zeros -= 1;
      } else {
        let z = 0;
        let shift = 0;
        let byte;
        do {
          byte = bytes[at++];
          z |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
        if (z === 0) {
          shift = 0;
          do {
            byte = bytes[at++];
            zeros |= (byte & 127) << shift;
            shift += 7;
          } while (byte > 127);
        } else {
          change += (z >>> 1) ^ -(z & 1);
        }
      }
      out[k] = base[k] + change;
    }
  }
  return out;
}

function readMarks(cursor, base) {
  const { view, bytes } = cursor;
  if (view.getUint8(cursor.at) === 0) {
    cursor.at += 1;
    return base;
  }
  const end = cursor.at + 5 + view.getUint32(cursor.at + 1, true);
  let at = cursor.at + 5;
  const marks = [];
  while (at < end) {
    const value = bytes[at++];
    let more = 0;
    let shift = 0;
    let byte;
    do {
      byte = bytes[at++];
      more |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    for (let i = 0; i <= more; i++) marks.push(value);
  }
  cursor.at = end;
  return Uint8Array.from(marks);
}

/** Positions three by three [m]. */
export function placesOf(points, out) {
  const { origin, step, coordinates } = points;
  const count = coordinates.length / 3;
  for (let axis = 0; axis < 3; axis++) {
    const from = axis * count;
    for (let i = 0; i < count; i++) out[3 * i + axis] = origin[axis] + step * coordinates[from + i];
  }
  return out;
}
