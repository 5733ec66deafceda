#!/usr/bin/env python3
"""Opens Muslin's exports in the programs they are meant for and compares what arrives.

    check_exports.py [--reference clip.npz] FILE...

Checks .usda and .usdc (usd-core: UsdValidation, every frame's points and velocities; Blender:
import), .glb (the Khronos validator; numpy: every frame; Blender: import), .abc (Blender: import),
.pc2 and .mdd (numpy; Blender: mesh cache modifier), .obj and .ply (Blender: import) and .npz (numpy).
The reference is an NPZ export of the same clip: its positions are the truth, rounded to single
precision. Frames of .obj and .ply files are taken from the number at the end of their names.

Prints "N passed, N failed, N skipped"; exits 1 if anything failed. What is not installed is
skipped aloud. Needs numpy; uses usd-core and bpy where they are installed, and node with the
package gltf-validator (npm install gltf-validator) in the folder that MUSLIN_NODE_MODULES names,
or where node itself finds it.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    np = None

NPZ_NAMES = ["positions", "velocities", "triangles", "uv", "time"]
# Blender turns y-up files with a rotation matrix in single precision.
TURNED_TOLERANCE = 1e-6
# Offsets of glTF are 16-bit shares of the largest of the clip, which counts as 1 m at least.
GLTF_STEPS = 65534
SINGLE = 1e-6
RESULT_MARK = "RESULT "

VALIDATE = """
const validator = require('gltf-validator');
const bytes = new Uint8Array(require('fs').readFileSync(process.argv[1]));
validator.validateBytes(bytes, {maxIssues: 20}).then(report => {
  console.log(JSON.stringify(report.issues));
});
"""


class Tally:
    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}

    def note(self, outcome, what, why=""):
        self.counts[outcome] += 1
        print(f"{outcome}: {what}" + (f": {why}" if why else ""))

    def check(self, ok, what, why=""):
        self.note("passed" if ok else "failed", what, "" if ok else why)

    def summary(self):
        return ", ".join(f"{count} {outcome}" for outcome, count in self.counts.items())


def turned(vectors, up):
    """Muslin's z-up vectors in the axes of a file."""
    if up == "Z":
        return vectors
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1)


def difference(found, expected):
    """Why two arrays differ, or nothing."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return f"shape {found.shape} instead of {expected.shape}"
    if not np.array_equal(found, expected):
        return f"largest difference {np.abs(found.astype(float) - expected).max()}"
    return ""


def check_npz(path, _reference, tally):
    with np.load(path) as arrays:
        tally.check(arrays.files == NPZ_NAMES, f"{path}: names", f"{arrays.files}")
        positions, triangles = arrays["positions"], arrays["triangles"]
        frames, vertices, _ = positions.shape
        fits = (
            arrays["velocities"].shape == positions.shape
            and arrays["time"].shape == (frames,)
            and triangles.shape[1:] == (3,)
            and triangles.max() < vertices
        )
        tally.check(fits, f"{path}: shapes fit together")
        finite = np.isfinite(positions).all() and np.isfinite(arrays["velocities"]).all()
        tally.check(finite, f"{path}: all numbers are finite")


def read_point_cache(path):
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".pc2"):
        vertices, samples = (int.from_bytes(data[i : i + 4], "little") for i in (16, 28))
        points = np.frombuffer(data, "<f4", offset=32)
    else:
        samples, vertices = (int.from_bytes(data[i : i + 4], "big") for i in (0, 4))
        points = np.frombuffer(data, ">f4", offset=8 + 4 * samples)
    return points.reshape(samples, vertices, 3)


def check_point_cache(path, reference, tally):
    points = read_point_cache(path)
    if reference is None:
        tally.note("skipped", f"{path}: positions", "no --reference")
        return
    why = difference(points, reference["positions"].astype("f4"))
    tally.check(not why, f"{path}: positions", why)


def check_usda(path, reference, tally):
    if importlib.util.find_spec("pxr") is None:
        tally.note("skipped", f"{path}: UsdValidation", "usd-core is not installed")
        return
    from pxr import Usd, UsdGeom, UsdValidation

    stage = Usd.Stage.Open(path)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    problems = UsdValidation.ValidationContext(validators).Validate(stage)
    messages = [problem.GetErrorAsString() for problem in problems]
    tally.check(not messages, f"{path}: {len(validators)} validators", "; ".join(messages))
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    for mesh in meshes:
        ok, why = UsdGeom.Mesh.ValidateTopology(
            mesh.GetFaceVertexIndicesAttr().Get(),
            mesh.GetFaceVertexCountsAttr().Get(),
            len(mesh.GetPointsAttr().Get(0)),
        )
        tally.check(ok, f"{path}: topology of {mesh.GetPath()}", why)
        check_extents(path, mesh, tally)
    if reference is None:
        tally.note("skipped", f"{path}: positions", "no --reference")
        return
    check_usd_motion(path, stage, meshes, reference, tally)


def check_extents(path, mesh, tally):
    times = mesh.GetPointsAttr().GetTimeSamples() or [0]
    wrong = []
    for time in times:
        points = np.array(mesh.GetPointsAttr().Get(time))
        box = np.stack([points.min(axis=0), points.max(axis=0)])
        if difference(np.array(mesh.GetExtentAttr().Get(time)), box):
            wrong.append(time)
    tally.check(not wrong, f"{path}: extents of {mesh.GetPath()}", f"wrong at {wrong[:5]}")


def check_usd_motion(path, stage, meshes, reference, tally):
    from pxr import UsdGeom

    up = str(UsdGeom.GetStageUpAxis(stage))
    frames = list(range(len(reference["positions"])))
    moving = [mesh for mesh in meshes if mesh.GetPointsAttr().GetTimeSamples() == frames]
    tally.check(bool(moving), f"{path}: a mesh moves over {len(frames)} frames")
    fps = stage.GetTimeCodesPerSecond()
    why = difference(np.array(frames) / fps, reference["time"])
    tally.check(not why, f"{path}: times", why)
    for mesh in moving[:1]:
        attributes = {"positions": mesh.GetPointsAttr(), "velocities": mesh.GetVelocitiesAttr()}
        for name, attribute in attributes.items():
            found = np.stack([np.array(attribute.Get(frame)) for frame in frames])
            why = difference(found, turned(reference[name], up).astype("f4"))
            tally.check(not why, f"{path}: {name} of {mesh.GetPath()}", why)
        normals = np.array(mesh.GetNormalsAttr().Get(frames[-1]))
        lengths = np.linalg.norm(normals, axis=1)
        tally.check(np.allclose(lengths, 1, atol=1e-6), f"{path}: normals are unit vectors")


def validate_gltf(path, tally):
    node = shutil.which("node")
    modules = os.environ.get("MUSLIN_NODE_MODULES", "")
    environment = dict(os.environ, NODE_PATH=modules)
    command = [node or "node", "-e", VALIDATE, path]
    done = node and subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment
    )
    if not node or "Cannot find module 'gltf-validator'" in done.stderr:
        tally.note("skipped", f"{path}: Khronos validator", "gltf-validator is not installed")
        return
    if done.returncode != 0:
        tally.note("failed", f"{path}: Khronos validator", done.stderr.strip()[-500:])
        return
    issues = json.loads(done.stdout)
    bad = [issue for issue in issues["messages"] if issue["severity"] < 2]
    counts = f"{issues['numErrors']} errors, {issues['numWarnings']} warnings"
    tally.check(not bad, f"{path}: Khronos validator: {counts}", json.dumps(bad[:5]))


GLTF_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
GLTF_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def gltf_array(root, binary, index):
    """The numbers of an accessor, as the glTF specification says."""
    accessor = root["accessors"][index]
    kind = np.dtype(GLTF_TYPES[accessor["componentType"]])
    width, count = GLTF_WIDTHS[accessor["type"]], accessor["count"]
    if "bufferView" not in accessor:
        return np.zeros((count, width))
    view = root["bufferViews"][accessor["bufferView"]]
    stride = view.get("byteStride", width * kind.itemsize)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    array = np.ndarray((count, width), kind, binary, start, (stride, kind.itemsize))
    if accessor.get("normalized"):
        return np.maximum(array.astype(float) / np.iinfo(kind).max, -1)
    return array.astype(float)


def check_glb(path, reference, tally):
    validate_gltf(path, tally)
    if reference is None:
        tally.note("skipped", f"{path}: positions", "no --reference")
        return
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<I", data[12:16])[0]
    root, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    animation = root["animations"][0]
    channel = animation["channels"][0]
    sampler = animation["samplers"][channel["sampler"]]
    node = root["nodes"][channel["target"]["node"]]
    mesh, scale = root["meshes"][node["mesh"]], node.get("scale", [1, 1, 1])
    primitive = mesh["primitives"][0]
    base = gltf_array(root, binary, primitive["attributes"]["POSITION"])
    targets = [gltf_array(root, binary, target["POSITION"]) for target in primitive["targets"]]
    times = gltf_array(root, binary, sampler["input"])[:, 0]
    weights = gltf_array(root, binary, sampler["output"]).reshape(len(times), len(targets))
    why = difference(times, reference["time"].astype("f4").astype(float))
    tally.check(not why, f"{path}: times", why)
    worst = 0.0
    reach = np.abs(reference["positions"] - reference["positions"][0]).max()
    step = max(reach, 1) / GLTF_STEPS + SINGLE
    for frame, expected in enumerate(turned(reference["positions"], "Y")):
        found = base + sum(w * t for w, t in zip(weights[frame], targets) if w != 0)
        found = found * scale
        if found.shape != expected.shape:
            tally.check(False, f"{path}: positions", f"{len(found)} vertices, {len(expected)} wanted")
            return
        worst = max(worst, np.abs(found - expected).max() / step)
    tally.check(worst <= 1, f"{path}: positions of {len(times)} frames", f"{worst} steps off")
    check_glb_normals(path, (root, binary, mesh), weights, reference, tally)


def check_glb_normals(path, parts, weights, reference, tally):
    """Normals of all frames point along the sums of the faces around their vertices."""
    root, binary, mesh = parts
    primitive = mesh["primitives"][0]
    base = gltf_array(root, binary, primitive["attributes"]["NORMAL"])
    targets = [gltf_array(root, binary, target["NORMAL"]) for target in primitive["targets"]]
    triangles = reference["triangles"].astype(int)
    worst = 1.0
    for frame, x in enumerate(turned(reference["positions"], "Y")):
        faces = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
        sums = np.zeros_like(x)
        for corner in range(3):
            np.add.at(sums, triangles[:, corner], faces)
        found = base + sum(w * t for w, t in zip(weights[frame], targets) if w != 0)
        if found.shape != sums.shape:
            tally.note("skipped", f"{path}: normals", "vertices are split at seams")
            return
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(sums, axis=1)
        worst = min(worst, ((found * sums).sum(axis=1) / lengths).min())
    # 20 degrees: weights of faces and the cut of quads differ a little; eight bits add half a degree.
    tally.check(worst > np.cos(np.radians(20)), f"{path}: normals", f"cosine {worst}")


def sample_frames(count):
    return sorted({0, count // 2, count - 1})


def blender_positions(scene, thing, frame):
    """World positions of an object at a frame, with all modifiers."""
    import bpy

    scene.frame_set(frame)
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)
    world = np.array(evaluated.matrix_world)
    turned_world = not np.array_equal(world, np.eye(4))
    if turned_world:
        points = (points @ world[:3, :3].T + world[:3, 3]).astype("f4")
    evaluated.to_mesh_clear()
    return points, turned_world


def blender_object(path, reference):
    """The moving mesh of a file, as Blender imports it, and the frames to look at."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    count = len(reference["positions"])
    kind = path.rsplit(".", 1)[1]
    if kind in ("usda", "usdc"):
        bpy.ops.wm.usd_import(filepath=path)
        meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        moving = [thing for thing in meshes if thing.modifiers]
        return moving[0], sample_frames(count)
    if kind == "glb":
        # Keys are put on frames by the rate that the scene has when it is imported.
        set_rate(bpy.context.scene, reference)
        bpy.ops.import_scene.gltf(filepath=path)
        meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        return next(m for m in meshes if m.data.shape_keys), sample_frames(count)
    if kind == "abc":
        # Samples are put on frames by the rate that the scene has when it is imported.
        set_rate(bpy.context.scene, reference)
        bpy.ops.wm.alembic_import(filepath=path)
        meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        return next(m for m in meshes if m.modifiers), sample_frames(count)
    if kind in ("obj", "ply"):
        importer = bpy.ops.wm.obj_import if kind == "obj" else bpy.ops.wm.ply_import
        importer(filepath=path, forward_axis="Y", up_axis="Z")
        return bpy.data.objects[0], [int(re.search(r"(\d+)\.\w+$", path).group(1))]
    mesh = bpy.data.meshes.new("cloth")
    mesh.from_pydata(reference["positions"][0].tolist(), [], reference["triangles"].tolist())
    thing = bpy.data.objects.new("cloth", mesh)
    bpy.context.collection.objects.link(thing)
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind.upper()
    cache.filepath = path
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    cache.frame_start = 0
    return thing, sample_frames(count)


def set_rate(scene, reference):
    steps = np.diff(reference["time"])
    if len(steps):
        scene.render.fps, scene.render.fps_base = round(1 / steps[0]), 1.0


def far_from_all(found, expected, motion):
    """Why a point of one set is not near one of the other: glTF splits vertices at materials."""
    step = max(np.abs(motion - motion[0]).max(), 1) / GLTF_STEPS + 2 * SINGLE
    for some, others in ((found, expected), (expected, found)):
        for start in range(0, len(some), 256):
            apart = np.abs(some[start : start + 256, None] - others[None]).max(axis=2)
            if apart.min(axis=1).max() > step:
                return f"a point is {apart.min(axis=1).max()} from all others, {step} allowed"
    return ""


def blender_check(path, reference):
    """Runs inside Blender: yields a check per frame."""
    import bpy

    thing, frames = blender_object(path, reference)
    scene = bpy.context.scene
    # MDD keeps seconds, which Blender turns into frames with the rate of the scene.
    set_rate(scene, reference)
    for frame in frames:
        found, turned_world = blender_positions(scene, thing, frame)
        expected = reference["positions"][frame].astype("f4")
        why = difference(found, expected)
        if path.endswith(".glb"):
            why = far_from_all(found, expected, reference["positions"])
        if turned_world and found.shape == expected.shape:
            close = np.abs(found - expected).max() <= TURNED_TOLERANCE
            why = "" if close else why
        yield not why, f"{path}: Blender {bpy.app.version_string}, frame {frame}", why


def blender_main(path, reference):
    for ok, what, why in blender_check(path, reference):
        print(RESULT_MARK + json.dumps([bool(ok), what, why]), flush=True)


def check_in_blender(path, reference_path, tally):
    """Blender brings its own USD, so it runs in a process of its own."""
    if importlib.util.find_spec("bpy") is None:
        tally.note("skipped", f"{path}: Blender", "bpy is not installed")
        return
    command = [sys.executable, os.path.abspath(__file__), "--reference", reference_path]
    command += ["--inside-blender", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(RESULT_MARK)]
    for line in lines:
        tally.check(*json.loads(line[len(RESULT_MARK) :]))
    if done.returncode != 0 or not lines:
        tally.note("failed", f"{path}: Blender", done.stderr.strip()[-500:])


CHECKS = {
    ".npz": check_npz,
    ".pc2": check_point_cache,
    ".mdd": check_point_cache,
    ".usda": check_usda,
    ".usdc": check_usda,
    ".glb": check_glb,
    ".abc": None,
    ".obj": None,
    ".ply": None,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reference", help="an NPZ export of the same clip")
    parser.add_argument("--inside-blender", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    tally = Tally()
    if np is None:
        for path in arguments.files:
            tally.note("skipped", path, "numpy is not installed")
        print(tally.summary())
        return 0
    reference = dict(np.load(arguments.reference)) if arguments.reference else None
    if arguments.inside_blender:
        blender_main(arguments.files[0], reference)
        return 0
    for path in arguments.files:
        extension = os.path.splitext(path)[1]
        if extension not in CHECKS:
            tally.note("failed", path, f"{extension} is not an export that can be checked")
            continue
        try:
            if CHECKS[extension]:
                CHECKS[extension](path, reference, tally)
            if reference is not None and extension != ".npz":
                check_in_blender(path, arguments.reference, tally)
        except Exception as error:  # one bad file must not hide the others
            tally.note("failed", path, f"{type(error).__name__}: {error}")
    print(tally.summary())
    return 1 if tally.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
