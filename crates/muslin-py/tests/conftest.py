"""What the tests share: small scenes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import muslin

#: A sheet that falls on a ball, small enough for a test.
DRAPE = """
frames = 8
[[cloth]]
grid = { size = [0.5, 0.5], vertices = [9, 9] }
position = [0, 0, 0.42]
[[body]]
sphere = { radius = 0.2 }
position = [0, 0, 0.2]
"""


def grid(columns: int, rows: int, size: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Positions [m] and triangles of a square in the xy plane."""
    x, y = np.meshgrid(np.linspace(0, size, columns), np.linspace(0, size, rows))
    positions = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, above = corner + 1, corner + columns
    upper = np.stack([right, above + 1, above], axis=1)
    return positions, np.concatenate([np.stack([corner, right, above], axis=1), upper])


def free_scene(**settings: Any) -> muslin.Scene:
    """A sheet in a vacuum that nothing touches."""
    positions, triangles = grid(5, 5)
    settings = {"frames": 100, "air": {"drag": 0, "lift": 0}, **settings}
    return muslin.Scene(**settings).cloth(positions, triangles, uv=positions[:, :2])


def command(*words: object) -> tuple[int, Any]:
    """The command line with `--json`: exit code and answer."""
    line = [sys.executable, "-m", "muslin", *map(str, words), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C raises, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def examples() -> str:
    """The folder of the examples."""
    own = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(own, "..", "..", "..", "examples", "python")
