// How things are lit: a key light with a soft shadow, a sky, and a little sheen on cloth.

const SHADOW = `
uniform highp sampler2DShadow shadowMap;
uniform mat4 shadowMatrix;
uniform vec3 toLight;
uniform float shadowTexel;
uniform float shadowSoftness;

float noise(vec2 p) {
  return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715))));
}

// The share of the lamp that is seen: sixteen points of a disc, turned at every pixel.
float lampSeen(vec3 place, vec3 normal) {
  float slope = 1.0 - abs(dot(normal, toLight));
  vec3 lifted = place + normal * sign(dot(normal, toLight)) * shadowTexel * (1.0 + 3.0 * slope);
  vec4 p = shadowMatrix * vec4(lifted, 1.0);
  vec3 c = p.xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.0))) || any(greaterThan(c, vec3(1.0)))) return 1.0;
  float turn = 6.2831853 * noise(gl_FragCoord.xy);
  float sum = 0.0;
  for (int k = 0; k < 16; k++) {
    float r = sqrt((float(k) + 0.5) / 16.0) * shadowSoftness;
    float a = turn + float(k) * 2.39996323;
    sum += texture(shadowMap, vec3(c.xy + r * vec2(cos(a), sin(a)), c.z - 0.0006));
  }
  return sum / 16.0;
}

vec3 toScreen(vec3 light) {
  light = light / (1.0 + 0.18 * light);
  vec3 low = light * 12.92;
  vec3 high = 1.055 * pow(max(light, 0.0), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, lessThan(light, vec3(0.0031308)));
}
`;

export const SURFACE_VERTEX = `
in vec3 position;
in vec3 normal;
in vec4 paint;
uniform mat4 matrix;
out vec3 place;
out vec3 direction;
out vec4 tint;
void main() {
  place = position;
  direction = normal;
  tint = paint;
  gl_Position = matrix * vec4(position, 1.0);
}
`;

export const SURFACE_FRAGMENT = `
in vec3 place;
in vec3 direction;
in vec4 tint;
uniform vec3 front;
uniform vec3 back;
uniform vec3 eye;
uniform vec3 up;
uniform float flatFaces;
uniform float sheen;
uniform float plain;
out vec4 color;
${SHADOW}
void main() {
  vec3 face = normalize(cross(dFdx(place), dFdy(place)));
  vec3 toEye = normalize(eye - place);
  face *= sign(dot(face, toEye));
  vec3 n = mix(normalize(direction), face, flatFaces);
  bool isFront = gl_FrontFacing;
  n = dot(n, face) < 0.0 ? -n : n;
  vec3 base = isFront ? front : back;
  base = mix(base, pow(tint.rgb, vec3(2.2)), tint.a);
  float key = dot(n, toLight);
  float seen = key > -0.2 ? lampSeen(place, face) : 0.0;
  float wrapped = max(0.0, (key + 0.12) / 1.12);
  float sky = 0.5 + 0.5 * dot(n, up);
  vec3 ambient = mix(vec3(0.17, 0.155, 0.15), vec3(0.33, 0.345, 0.37), sky);
  float fill = max(0.0, dot(n, normalize(toEye + 0.4 * up))) * 0.10;
  float rim = pow(1.0 - abs(dot(n, toEye)), 4.0);
  vec3 light = ambient + fill + vec3(0.84, 0.81, 0.77) * wrapped * seen;
  vec3 shaded = base * light + sheen * rim * (0.25 + 0.75 * seen * wrapped) * mix(base, vec3(1.0), 0.5);
  color = vec4(toScreen(mix(shaded, base * (0.75 + 0.25 * wrapped), plain)), 1.0);
}
`;

export const GROUND_VERTEX = `
in vec3 position;
uniform mat4 matrix;
uniform vec3 origin;
uniform vec3 first;
uniform vec3 second;
uniform float reach;
out vec3 place;
out vec2 flatPlace;
void main() {
  flatPlace = position.xy * reach;
  place = origin + first * flatPlace.x + second * flatPlace.y;
  gl_Position = matrix * vec4(place, 1.0);
}
`;

export const GROUND_FRAGMENT = `
in vec3 place;
in vec2 flatPlace;
uniform vec3 ground;
uniform vec3 normal;
uniform float reach;
uniform float cell;
uniform float strength;
uniform float lines;
out vec4 color;
${SHADOW}
float grid(float size) {
  vec2 g = flatPlace / size;
  vec2 w = max(fwidth(g), 1e-5);
  vec2 d = abs(fract(g - 0.5) - 0.5) / w;
  float line = 1.0 - min(min(d.x, d.y), 1.0);
  return line * clamp(1.0 - 3.0 * max(w.x, w.y), 0.0, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, length(flatPlace) / reach);
  float seen = lampSeen(place, normal);
  float key = max(0.0, dot(normal, toLight));
  vec3 light = ground * (0.50 + 0.66 * key * seen);
  float marks = lines * (0.10 * grid(cell) + 0.16 * grid(cell * 10.0));
  vec3 lined = mix(toScreen(light), vec3(0.5), marks);
  float dark = (1.0 - seen) * 0.4 * key;
  color = strength > 0.5 ? vec4(lined, fade) : vec4(mix(vec3(0.5), vec3(0.0), step(0.01, dark)), max(dark, marks) * fade);
}
`;

export const SHADOW_VERTEX = `
in vec3 position;
uniform mat4 matrix;
void main() {
  gl_Position = matrix * vec4(position, 1.0);
}
`;

export const SHADOW_FRAGMENT = `
void main() {}
`;

export const LINE_FRAGMENT = `
uniform vec4 ink;
out vec4 color;
void main() {
  color = ink;
}
`;
