"""Ctrl-C ends exports, checks and pictures long before they would end by themselves."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import muslin
from conftest import grid

FRAMES = 96


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache that takes long to go through: a little cloth far above a large moving body."""
    folder = tmp_path_factory.mktemp("interrupt")
    sheet, triangles = grid(4, 4)
    ground, faces = grid(180, 180, 4.0)
    motion = np.stack([ground + [0, 0, 0.001 * frame] for frame in range(FRAMES)])
    solver = {"steps_per_frame": 1, "contact": "none"}
    scene = muslin.Scene(frames=FRAMES - 1, solver=solver)
    scene.cloth(sheet + [0, 0, 20], triangles, uv=sheet[:, :2])
    scene.body(motion, faces, two_sided=True)
    path = folder / "large.muslin"
    muslin.Simulation(scene).run(progress=False, cache=path)
    return path


def seconds_of(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def interrupted(work, after):
    """Sends Ctrl-C after some seconds; how long the work went on from then [s]."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


@pytest.mark.parametrize("name", ["usda", "glb", "abc", "npz", "html", "check", "render"])
def test_ctrl_c_acts_at_once(cache, tmp_path, name):
    if name == "check":
        work = lambda: muslin.check(cache)  # noqa: E731
    elif name == "render":
        work = lambda: muslin.render(cache, width=1600, height=1200)  # noqa: E731
    else:
        work = lambda: muslin.export(cache, tmp_path / f"a.{name}", overwrite=True)  # noqa: E731
    whole = seconds_of(work)
    for left in tmp_path.iterdir():
        left.unlink()
    # Looked for every 0.05 s, acted on at the next frame or row of pixels.
    lasted = interrupted(work, 0.1 * whole)
    assert lasted < 0.15 + 0.4 * whole
    assert list(tmp_path.iterdir()) == []
    # The same can be asked for again.
    work()
