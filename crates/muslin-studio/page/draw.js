// Draws a frame: shadow map, ground, bodies, cloth, wires, the pointer's thread.

import { across, add, boundsOf, dot, length, lookAt, multiply, orthographic, scale, subtract, unit } from "./vector.js";
import { colorOf, linearOf, makeProgram, makeShadowMap } from "./gl.js";
import { GROUND_FRAGMENT, GROUND_VERTEX, LINE_FRAGMENT, SHADOW_FRAGMENT, SHADOW_VERTEX, SURFACE_FRAGMENT, SURFACE_VERTEX } from "./shaders.js";

const SHADOW_SIZE = 2048;

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    const wanted = { antialias: true, alpha: false, powerPreference: "high-performance" };
    this.gl = canvas.getContext("webgl2", wanted);
    if (!this.gl) throw new Error("This browser gives no WebGL2, which the picture needs.");
    this.mode = "shaded";
    this.dark = false;
    this.build();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.build();
      if (this.topology) this.setTopology(this.scene, this.topology);
      this.restored?.();
    });
  }

  build() {
    const { gl } = this;
    this.surface = makeProgram(gl, SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.ground = makeProgram(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.shadow = makeProgram(gl, SHADOW_VERTEX, SHADOW_FRAGMENT);
    this.line = makeProgram(gl, SHADOW_VERTEX, LINE_FRAGMENT);
    this.map = makeShadowMap(gl, Math.min(SHADOW_SIZE, gl.getParameter(gl.MAX_TEXTURE_SIZE)));
    const buffer = () => gl.createBuffer();
    this.buffers = { position: buffer(), normal: buffer(), paint: buffer(), triangles: buffer(), edges: buffer() };
    this.quad = buffer();
    this.thread = buffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    const corners = [-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0];
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
  }

  /** Takes what stays the same from frame to frame. */
  setTopology(scene, topology) {
    const { gl, buffers } = this;
    this.scene = scene;
    this.topology = topology;
    const count = topology.clothCount + topology.bodyCount;
    this.positions = new Float32Array(3 * count);
    this.normals = new Float32Array(3 * count);
    this.paint = new Uint8Array(4 * count);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, topology.triangles, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.edges);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, topology.edges, gl.STATIC_DRAW);
    for (const name of ["position", "normal"]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, 12 * count, gl.DYNAMIC_DRAW);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.paint);
    gl.bufferData(gl.ARRAY_BUFFER, 4 * count, gl.DYNAMIC_DRAW);
    this.bodies = null;
  }

  setScene(scene) {
    this.scene = scene;
  }

  /** Cloth vertices, three by three; fill them, then call `moved`. */
  cloth() {
    return this.positions.subarray(0, 3 * this.topology.clothCount);
  }

  /** Body vertices. */
  bodyPlaces() {
    return this.positions.subarray(3 * this.topology.clothCount);
  }

  /** Takes over new positions; `bodies` says whether theirs changed too. */
  moved(bodies) {
    const { gl, buffers } = this;
    for (const surface of this.scene.surfaces) {
      if (bodies || surface.kind === "cloth") this.turn(surface);
    }
    const end = bodies ? this.positions.length : 3 * this.topology.clothCount;
    for (const [name, list] of [["position", this.positions], ["normal", this.normals]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, list, 0, end);
    }
    this.bounds = boundsOf(this.positions);
  }

  /** Normals at the vertices of a surface: the sum of its faces' normals, by area. */
  turn(surface) {
    const { positions: x, normals: n } = this;
    const { triangles } = this.topology;
    const [firstVertex, vertexCount] = surface.vertices;
    n.fill(0, 3 * firstVertex, 3 * (firstVertex + vertexCount));
    const begin = 3 * surface.triangles[0];
    const end = begin + 3 * surface.triangles[1];
    for (let t = begin; t < end; t += 3) {
      const a = 3 * triangles[t];
      const b = 3 * triangles[t + 1];
      const c = 3 * triangles[t + 2];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      n[a] += nx; n[a + 1] += ny; n[a + 2] += nz;
      n[b] += nx; n[b + 1] += ny; n[b + 2] += nz;
      n[c] += nx; n[c + 1] += ny; n[c + 2] += nz;
    }
    for (let i = 3 * firstVertex; i < 3 * (firstVertex + vertexCount); i += 3) {
      const l = Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1;
      n[i] /= l; n[i + 1] /= l; n[i + 2] /= l;
    }
  }

  /** Takes over the colours of an overlay in `paint`. */
  painted() {
    const { gl, buffers } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.paint);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.paint);
  }

  bind(names, elements) {
    const { gl, buffers } = this;
    ["position", "normal", "paint"].forEach((name, k) => {
      if (!names.includes(name)) {
        gl.disableVertexAttribArray(k);
        return;
      }
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.enableVertexAttribArray(k);
      if (name === "paint") gl.vertexAttribPointer(k, 4, gl.UNSIGNED_BYTE, true, 0, 0);
      else gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[elements]);
  }

  /** Draws everything as `camera` sees it. */
  draw(camera, thread) {
    const { gl, canvas } = this;
    const background = this.dark ? [0.098, 0.094, 0.09] : [0.937, 0.922, 0.898];
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!this.bounds) return;
    const light = this.light();
    this.drawShadow(light);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.DEPTH_TEST);
    const { both } = camera.matrices(canvas.width / canvas.height);
    this.drawSurfaces(both, camera, light);
    this.drawGrounds(both, light, camera);
    if (this.mode === "wire") this.drawWires(both);
    if (thread) this.drawThread(both, thread);
  }

  /** The key light, and the box its shadow map covers. */
  light() {
    const { up } = this.scene;
    const [first, second] = across(up);
    const toLight = unit(add(add(scale(up, 0.86), scale(first, -0.12)), scale(second, -0.5)));
    const middle = scale(add(this.bounds.min, this.bounds.max), 0.5);
    const radius = Math.max(length(subtract(this.bounds.max, this.bounds.min)) * 0.56, 1e-3);
    const view = lookAt(add(middle, scale(toLight, 3 * radius)), middle, first);
    const matrix = multiply(orthographic(radius, radius, 5 * radius), view);
    return { toLight, matrix, middle, radius, texel: 2 * radius / this.map.size };
  }

  drawShadow(light) {
    const { gl, map } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, map.framebuffer);
    gl.viewport(0, 0, map.size, map.size);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 2);
    gl.useProgram(this.shadow.program);
    gl.uniformMatrix4fv(this.shadow.uniforms.matrix, false, light.matrix);
    this.bind(["position"], "triangles");
    this.eachSurface((surface) => this.drawTriangles(surface));
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  eachSurface(work) {
    this.scene.surfaces.filter((surface) => surface.visible && surface.triangles[1] > 0).forEach(work);
  }

  drawTriangles(surface) {
    const { gl } = this;
    gl.drawElements(gl.TRIANGLES, 3 * surface.triangles[1], gl.UNSIGNED_INT, 12 * surface.triangles[0]);
  }

  lightUniforms(uniforms, light) {
    const { gl, map } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, map.texture);
    gl.uniform1i(uniforms.shadowMap, 0);
    gl.uniformMatrix4fv(uniforms.shadowMatrix, false, light.matrix);
    gl.uniform3fv(uniforms.toLight, light.toLight);
    gl.uniform1f(uniforms.shadowTexel, light.texel * 1.5);
    gl.uniform1f(uniforms.shadowSoftness, 9 / map.size);
  }

  drawSurfaces(matrix, camera, light) {
    const { gl } = this;
    const { program, uniforms } = this.surface;
    gl.useProgram(program);
    this.lightUniforms(uniforms, light);
    gl.uniformMatrix4fv(uniforms.matrix, false, matrix);
    gl.uniform3fv(uniforms.eye, camera.eye());
    gl.uniform3fv(uniforms.up, this.scene.up);
    this.bind(["position", "normal", "paint"], "triangles");
    if (this.mode === "wire") {
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 1);
    }
    this.eachSurface((surface) => {
      const cloth = surface.kind === "cloth";
      gl.uniform3fv(uniforms.front, linearOf(surface.front));
      gl.uniform3fv(uniforms.back, linearOf(surface.back));
      gl.uniform1f(uniforms.flatFaces, this.mode === "flat" || !surface.smooth ? 1 : 0);
      gl.uniform1f(uniforms.sheen, cloth ? 0.16 : 0.03);
      gl.uniform1f(uniforms.plain, this.mode === "wire" && cloth ? 0.5 : 0);
      this.drawTriangles(surface);
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** The scene's planes, or a floor that only catches the shadow. */
  drawGrounds(matrix, light, camera) {
    const { gl, scene } = this;
    const { program, uniforms } = this.ground;
    gl.useProgram(program);
    this.lightUniforms(uniforms, light);
    gl.uniformMatrix4fv(uniforms.matrix, false, matrix);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.enableVertexAttribArray(0);
    gl.disableVertexAttribArray(1);
    gl.disableVertexAttribArray(2);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    const floor = { normal: scene.up, point: this.floorPoint(), color: null };
    for (const plane of scene.planes.length ? scene.planes : [floor]) {
      const [first, second] = across(plane.normal);
      const foot = subtract(light.middle, scale(plane.normal, dot(plane.normal, subtract(light.middle, plane.point))));
      const shade = this.dark ? 0.24 : 1;
      const color = linearOf(colorOf(plane.color ?? "#d8d4ce"));
      gl.uniform3fv(uniforms.origin, foot);
      gl.uniform3fv(uniforms.first, first);
      gl.uniform3fv(uniforms.second, second);
      gl.uniform3fv(uniforms.normal, plane.normal);
      gl.uniform3fv(uniforms.ground, scale(color, shade));
      gl.uniform1f(uniforms.reach, 7 * light.radius + 0.5 * camera.distance);
      gl.uniform1f(uniforms.cell, 10 ** Math.floor(Math.log10(Math.max(light.radius, 1e-3)) - 0.3));
      gl.uniform1f(uniforms.strength, plane.color ? 1 : 0);
      gl.uniform1f(uniforms.lines, 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  floorPoint() {
    const { min, max } = this.bounds;
    const { up } = this.scene;
    const low = up.map((u, k) => (u > 0 ? min[k] : max[k]));
    // The floor stays where it was while cloth swings above it.
    this.floor = this.floor && this.floorOf === this.topology ? Math.min(this.floor, dot(low, up)) : dot(low, up) - 0.02;
    this.floorOf = this.topology;
    return scale(up, this.floor);
  }

  drawWires(matrix) {
    const { gl } = this;
    gl.useProgram(this.line.program);
    gl.uniformMatrix4fv(this.line.uniforms.matrix, false, matrix);
    gl.uniform4fv(this.line.uniforms.ink, this.dark ? [0.95, 0.93, 0.9, 0.35] : [0.1, 0.08, 0.07, 0.42]);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.bind(["position"], "edges");
    gl.drawElements(gl.LINES, this.topology.edges.length, gl.UNSIGNED_INT, 0);
    gl.disable(gl.BLEND);
  }

  /** The line from the vertex that is held to where the pointer pulls it. */
  drawThread(matrix, [from, to]) {
    const { gl } = this;
    gl.useProgram(this.line.program);
    gl.uniformMatrix4fv(this.line.uniforms.matrix, false, matrix);
    gl.uniform4fv(this.line.uniforms.ink, [0.72, 0.26, 0.18, 1]);
    gl.disable(gl.DEPTH_TEST);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.thread);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([...from, ...to]), gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.disableVertexAttribArray(1);
    gl.disableVertexAttribArray(2);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.LINES, 0, 2);
    gl.enable(gl.DEPTH_TEST);
  }
}
