// Vectors are arrays of three numbers, matrices are sixteen, column by column.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

/** The unit vector along `a`, or `otherwise` where there is none. */
export function unit(a, otherwise = [0, 0, 1]) {
  const l = length(a);
  return l > 1e-12 ? scale(a, 1 / l) : otherwise;
}

/** Two unit vectors that make a right-handed frame with the unit vector `n`. */
export function across(n) {
  const hint = Math.abs(n[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const u = unit(subtract(hint, scale(n, dot(n, hint))));
  return [u, cross(n, u)];
}

export function multiply(a, b) {
  const c = new Float32Array(16);
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 4; i++) {
      c[4 * j + i] = a[i] * b[4 * j] + a[4 + i] * b[4 * j + 1] + a[8 + i] * b[4 * j + 2] + a[12 + i] * b[4 * j + 3];
    }
  }
  return c;
}

/** From the world to an eye that looks at `target`. */
export function lookAt(eye, target, up) {
  const back = unit(subtract(eye, target));
  const right = unit(cross(up, back), across(back)[0]);
  const top = cross(back, right);
  return new Float32Array([
    right[0], top[0], back[0], 0,
    right[1], top[1], back[1], 0,
    right[2], top[2], back[2], 0,
    -dot(right, eye), -dot(top, eye), -dot(back, eye), 1,
  ]);
}

export function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return new Float32Array([
    f / aspect, 0, 0, 0,
    0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0,
  ]);
}

/** A box `halfWidth` to all sides of the axis, from `near` to `far` along it. */
export function orthographic(halfWidth, near, far) {
  return new Float32Array([
    1 / halfWidth, 0, 0, 0,
    0, 1 / halfWidth, 0, 0,
    0, 0, -2 / (far - near), 0,
    0, 0, -(far + near) / (far - near), 1,
  ]);
}

/** The box around points stored three by three. */
export function boundsOf(list = []) {
  let [ax, ay, az, bx, by, bz] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < list.length; i += 3) {
    const x = list[i], y = list[i + 1], z = list[i + 2];
    if (x < ax) ax = x;
    if (y < ay) ay = y;
    if (z < az) az = z;
    if (x > bx) bx = x;
    if (y > by) by = y;
    if (z > bz) bz = z;
  }
  return ax <= bx ? { min: [ax, ay, az], max: [bx, by, bz] } : { min: [-0.5, -0.5, 0], max: [0.5, 0.5, 1] };
}
