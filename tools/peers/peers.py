#!/usr/bin/env python3
"""Runs other programs on the benchmark scenes beside Muslin, on this machine.

    pip install bpy ipctk numpy          (bpy: Blender as a module; neither is needed to build or test Muslin)
    cargo build --release
    python tools/peers/peers.py --muslin target/release/muslin [--size 100] [--frames 60] [--only muslin,blender,ipc]

Scenes: S1, a square of 1 m falls on a ball of 0.3 m above the ground, with self-collision (`drape-sphere`); S2, the
same square swings from two corners (`hang`). 0.15 kg/m2, 1000 N/m, bending 1e-5 N m, friction 0.4, 2 mm thick.
Columns: seconds a frame on the wall, the drop of the lowest vertex after 6 frames over g t^2/2 (fall), the largest
stretch of an edge at the end. Detection: boxes, candidates and continuous tests on the same crumpled sheet as
`muslin bench bf`. What is not installed is left out, and said so.
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GRAVITY, FPS = 9.81, 24


def grid(size):
    """Vertices and triangles of a square of 1 m, diagonals alternating."""
    step = 1 / (size - 1)
    vertices = [(i * step - 0.5, j * step - 0.5, 0.0) for j in range(size) for i in range(size)]
    triangles = []
    for j in range(size - 1):
        for i in range(size - 1):
            a = j * size + i
            b, c, d = a + 1, a + size + 1, a + size
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 == 0 else [(a, b, d), (b, c, d)]
    return vertices, triangles


def edges_of(triangles):
    return sorted({tuple(sorted((t[k], t[(k + 1) % 3]))) for t in triangles for k in range(3)})


def largest_stretch(rest, now, edges):
    return max(math.dist(now[a], now[b]) / math.dist(rest[a], rest[b]) for a, b in edges) - 1


def fall_of(start, lowest):
    return (start - lowest) / (0.5 * GRAVITY * (6 / FPS) ** 2)


def row(program, scene, size, seconds, fall, stretch):
    print(f"{program:<28} {scene} {size:>4}  {seconds:8.3f} s/frame  fall {fall:5.2f}  stretch {100 * stretch:5.1f} %")


def muslin(binary, scene, size, frames):
    """Muslin through its own command line; positions come back as OBJ."""
    name, start = {"S1": ("drape-sphere", 0.6), "S2": ("hang", None)}[scene]
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        changes = ["--set", f"cloth.0.grid.vertices=[{size}, {size}]", "--set", f"frames={frames}"]
        clock = time.perf_counter()
        run = [binary, "run", f"@{name}", "-o", str(cache), "--json", *changes]
        done = subprocess.run(run, capture_output=True, text=True)
        seconds = (time.perf_counter() - clock) / frames
        if done.returncode != 0:
            sys.exit(f"muslin run failed: {done.stdout}{done.stderr}")
        report = json.loads((cache / "report.json").read_text())
        heights = []
        for frame in (0, 6):
            out = Path(folder) / f"frame{frame}.obj"
            export = [binary, "export", str(cache), "-o", str(out), "--frame", str(frame), "--cloth", "sheet"]
            subprocess.run(export, capture_output=True, check=True)
            found = next(iter(sorted(Path(folder).glob(f"frame{frame}*.obj"))))
            lines = found.read_text().splitlines()
            heights.append(min(float(l.split()[3]) for l in lines if l.startswith("v ")))
        stretch = report["summary"]["stretch_max"]
        start = heights[0] if start is None else start
        row("Muslin", scene, size, seconds, fall_of(start, heights[1]), stretch)


def blender(scene, size, frames):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.context.scene
    world.render.fps, world.frame_end, world.gravity = FPS, frames, (0, 0, -GRAVITY)
    vertices, triangles = grid(size)
    start = 0.6 if scene == "S1" else 1.5
    mesh = bpy.data.meshes.new("cloth")
    mesh.from_pydata([(x, y, z + start) for x, y, z in vertices], [], triangles)
    sheet = bpy.data.objects.new("cloth", mesh)
    world.collection.objects.link(sheet)
    bpy.context.view_layer.objects.active = sheet
    modifier = sheet.modifiers.new("cloth", "CLOTH")
    cloth, collision = modifier.settings, modifier.collision_settings
    cloth.quality, cloth.air_damping = 8, 0
    # Blender's mass is one of a vertex, but free fall itself slows down where it is small (0.12 of what it should be
    # with the true mass of a vertex at 30 x 30); with this number it is as fast as Blender gets.
    cloth.mass = 0.15
    cloth.tension_stiffness = cloth.compression_stiffness = cloth.shear_stiffness = 1000
    cloth.bending_stiffness = 0.01
    modifier.point_cache.frame_end = frames
    collision.use_collision = collision.use_self_collision = scene == "S1"
    collision.distance_min = collision.self_distance_min = 0.002
    collision.friction = collision.self_friction = 0.4
    if scene == "S1":
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(0, 0, 0.29), segments=64, ring_count=32)
        bpy.context.object.modifiers.new("collision", "COLLISION")
        bpy.ops.mesh.primitive_plane_add(size=10)
        bpy.context.object.modifiers.new("collision", "COLLISION")
    else:
        held = sheet.vertex_groups.new(name="held")
        held.add([0, size - 1], 1, "ADD")
        cloth.vertex_group_mass = "held"

    def positions():
        made = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        return [tuple(v.co) for v in made.vertices]

    lowest, clock = start, time.perf_counter()
    for frame in range(1, frames + 2):
        world.frame_set(frame)
        if frame == 7:
            lowest = min(z for _, _, z in positions())
    seconds = (time.perf_counter() - clock) / frames
    stretch = largest_stretch(vertices, positions(), edges_of(triangles))
    row(f"Blender {bpy.app.version_string}", scene, size, seconds, fall_of(start, lowest), stretch)


def ipc(size):
    import ipctk
    import numpy as np

    # The crumpled sheet of `muslin bench bf`, without its noise.
    vertices, triangles = grid(size)
    x, y, _ = np.array(vertices).T
    a, b = np.sin(60 * x), np.sin(47 * y + 9 * x)
    start = np.stack([
        0.4 * x + 0.004 * np.sin(120 * x + 3 * y),
        0.5 * y + 0.004 * np.sin(94 * y + 18 * x),
        0.015 * a + 0.008 * b + 0.05 * x,
    ], axis=1)
    noise = np.random.default_rng(2002).uniform(-1e-3, 1e-3, start.shape)
    turned = np.stack([-start[:, 1], start[:, 0], -start[:, 2]], axis=1)
    end = start + 0.01 * turned + noise
    faces = np.array(triangles)
    mesh = ipctk.CollisionMesh(start, ipctk.edges(faces), faces)
    best = [math.inf, math.inf]
    candidates = ipctk.Candidates()
    for _ in range(10):
        clock = time.perf_counter()
        candidates.build(mesh, start, end, inflation_radius=0.0005)
        built = time.perf_counter()
        candidates.compute_collision_free_stepsize(mesh, start, end)
        tested = time.perf_counter()
        best = [min(best[0], built - clock), min(best[1], tested - built)]
    print(f"IPC Toolkit detection {size:>4}: {len(candidates)} candidates, boxes and candidates "
          f"{1e3 * best[0]:.1f} ms, continuous test {1e3 * best[1]:.1f} ms")


def attempt(name, run):
    try:
        run()
    except ImportError as error:
        print(f"{name} is left out: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--muslin", default="target/release/muslin", help="the program")
    parser.add_argument("--size", type=int, default=100, help="vertices along a side")
    parser.add_argument("--frames", type=int, default=60, help="frames of each scene, 6 or more")
    parser.add_argument("--only", default="muslin,blender,ipc", help="which programs")
    given = parser.parse_args()
    if given.frames < 6 or given.size < 2:
        parser.error("give 6 frames or more and 2 vertices or more: the fall is measured after 6 frames")
    chosen = given.only.split(",")
    for scene in ("S1", "S2"):
        if "muslin" in chosen:
            muslin(given.muslin, scene, given.size, given.frames)
        if "blender" in chosen:
            attempt("Blender", lambda: blender(scene, given.size, given.frames))
    if "ipc" in chosen:
        attempt("IPC Toolkit", lambda: ipc(given.size))
    if "muslin" in chosen:
        subprocess.run([given.muslin, "bench", "bf", "--sizes", "10", "--frames", "1"], check=True)


if __name__ == "__main__":
    main()
