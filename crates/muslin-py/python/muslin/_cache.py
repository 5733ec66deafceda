"""Caches: the frames of a run, read when they are asked for."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats
from ._surface import Fixed, Surface


@dataclass(frozen=True)
class Frame:
    """One frame of a cache.

    Attributes:
        number: its number; 0 is the initial state.
        time: simulated time [s].
        positions: vertices of all cloths [m], shape (n, 3).
        velocities: their velocities [m/s], shape (n, 3).
        bodies: vertices of all bodies [m], shape (k, 3).
        report: what the simulation reports about it.
    """

    number: int
    time: float
    positions: Floats
    velocities: Floats
    bodies: Floats
    report: dict[str, Any]


class Cache:
    """A cache on the disk, a sequence of frames. It may still be growing."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._native = _native.Cache(self._path)
        self._fixed = Fixed(self._native.fixed())

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Cache:
        """Opens the cache in a folder and checks everything but its frames."""
        return cls(path)

    def __len__(self) -> int:
        return len(self._native.frames())

    def __getitem__(self, index: int) -> Frame:
        """Reads one frame, counted from the first there is; negative from the last."""
        numbers = self._native.frames()
        try:
            number = numbers[index]
        except IndexError:
            raise IndexError(f"{self._path} has {len(numbers)} frames, no frame {index}") from None
        return self.frame(number)

    def __iter__(self) -> Iterator[Frame]:
        for number in self._native.frames():
            yield self.frame(number)

    def frame(self, number: int) -> Frame:
        """Reads the frame of that number and checks it against what was written."""
        time, positions, velocities, bodies, report = self._native.frame(number)
        return Frame(number, time, positions, velocities, bodies, json.loads(report))

    @property
    def frames(self) -> list[int]:
        """Numbers of the frames that are there now."""
        return self._native.frames()

    @property
    def path(self) -> str:
        """The folder."""
        return self._path

    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Vertices of the triangles of all cloths, shape (m, 3)."""
        return self._fixed.triangles

    @property
    def body_triangles(self) -> npt.NDArray[np.uint32]:
        """Vertices of the triangles of all bodies, shape (l, 3), rows of ``Frame.bodies``."""
        return self._fixed.body_triangles

    @property
    def uv(self) -> Floats:
        """Rest coordinates of the corners of the triangles [m], shape (m, 3, 2)."""
        return self._fixed.uv

    @property
    def surfaces(self) -> dict[str, Surface]:
        """Cloths and bodies by name, with their share of the arrays."""
        return dict(self._fixed.surfaces)

    @property
    def manifest(self) -> dict[str, Any]:
        """What made the cache and how far it got, as of opening."""
        manifest: dict[str, Any] = json.loads(self._native.manifest())
        return manifest

    @property
    def report(self) -> dict[str, Any] | None:
        """The run's report; ``None`` where none is written yet."""
        report: dict[str, Any] | None = json.loads(self._native.report())
        return report

    @property
    def scene_text(self) -> str:
        """The exact text of the scene that made the cache."""
        return self._native.scene_text

    def _repr_html_(self) -> str:
        """The player, as notebooks show it: the frames in 3D, to be turned and played."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "player.html")
            _native.ask(["muslin", "export", self._path, "-o", path])
            with open(path, encoding="utf-8") as file:
                page = html.escape(file.read(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 30em; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<muslin.Cache {self._path}, {len(self)} frames>"
