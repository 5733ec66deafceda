#!/usr/bin/env python3
"""Imports exports into Blender and renders each of them, to be looked at.

    python tools/render_in_blender.py FRAME OUT.png FILE...

Takes .usda, .usdc, .glb and .abc files; draws them side by side at the frame, seen from the front and above,
as they arrive: no material, smoothing or orientation is repaired. Needs bpy and numpy (pip install bpy).
"""

import os
import subprocess
import sys
import tempfile

import bpy
import numpy as np

SIZE = (320, 240)
SAMPLES = 16
FPS = 24


def import_file(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    kind = os.path.splitext(path)[1]
    if kind in (".usda", ".usdc"):
        bpy.ops.wm.usd_import(filepath=path)
    elif kind == ".glb":
        bpy.ops.import_scene.gltf(filepath=path)
    elif kind == ".abc":
        bpy.ops.wm.alembic_import(filepath=path)
    else:
        sys.exit(f"{path}: use .usda, .usdc, .glb or .abc")


def bounds(scene):
    """The box around all meshes at the present frame [m]."""
    graph = bpy.context.evaluated_depsgraph_get()
    corners = []
    for thing in scene.objects:
        if thing.type == "MESH":
            drawn = thing.evaluated_get(graph)
            corners += [drawn.matrix_world @ vertex.co for vertex in drawn.data.vertices]
    points = np.array(corners)
    return points.min(axis=0), points.max(axis=0)


def add_camera(scene):
    low, high = bounds(scene)
    middle, size = (low + high) / 2, np.linalg.norm(high - low)
    direction = np.array([0.45, -1.0, 0.55])
    eye = middle + direction / np.linalg.norm(direction) * 1.35 * size
    camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    camera.location = eye
    target = bpy.data.objects.new("target", None)
    target.location = middle
    scene.collection.objects.link(target)
    aim = camera.constraints.new("TRACK_TO")
    aim.target, aim.track_axis, aim.up_axis = target, "TRACK_NEGATIVE_Z", "UP_Y"
    scene.collection.objects.link(camera)
    scene.camera = camera
    lamp = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    lamp.data.energy, lamp.data.angle = 1.6, 0.2
    lamp.rotation_euler = (0.6, 0.2, 0.5)
    scene.collection.objects.link(lamp)
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.30, 0.33, 0.37, 1)


def render(path, frame, out):
    import_file(path)
    scene = bpy.context.scene
    scene.frame_set(frame)
    add_camera(scene)
    scene.frame_set(frame)
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.device = SAMPLES, "CPU"
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


def side_by_side(parts, out):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rows = []
    for part in parts:
        image = bpy.data.images.load(part)
        pixels = np.empty(SIZE[0] * SIZE[1] * 4, "f4")
        image.pixels.foreach_get(pixels)
        rows.append(pixels.reshape(SIZE[1], SIZE[0], 4))
    whole = np.concatenate(rows, axis=1)
    image = bpy.data.images.new("all", whole.shape[1], whole.shape[0])
    image.pixels.foreach_set(whole.ravel())
    image.filepath_raw, image.file_format = out, "PNG"
    image.save()


def main(frame, out, *files):
    if frame == "--one":
        render(files[1], int(files[0]), out)
        return
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, path in enumerate(files):
            part = os.path.join(folder, f"{number}.png")
            # A process for each, so that nothing of one import is left for the next.
            subprocess.run([sys.executable, __file__, "--one", part, frame, path], check=True)
            parts.append(part)
        side_by_side(parts, out)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
