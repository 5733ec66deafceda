"""Simulations: a scene in motion."""

from __future__ import annotations

import json
import os
import sys
import time as clock
from collections.abc import Callable
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, floats, indices
from ._errors import argument
from ._scene import SceneLike, scene_of
from ._surface import Fixed, Surface, read_only


class Simulation:
    """A scene being simulated, frame by frame, with the bits of ``muslin run``.

    Python's lock is released while it computes; Ctrl-C ends a step and leaves the simulation at the
    frame it stood at, ready to go on. So does everything that goes wrong in a step.
    """

    def __init__(self, scene: SceneLike) -> None:
        self._scene = scene_of(scene)
        self._native = _native.Simulation(self._scene._spec())
        self._fixed = Fixed(self._native.fixed())
        self._positions: Floats = read_only(self._native.positions())
        self._velocities: Floats = read_only(self._native.velocities())
        self._step = self._native.step

    def step(self) -> None:
        """Advances by one frame. On an exception everything stays as it was."""
        self._step()

    def run(
        self,
        frames: int | None = None,
        callback: Callable[[Simulation], object] | None = None,
        progress: bool | TextIO = True,
        *,
        cache: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
    ) -> Simulation:
        """Advances by some frames and returns the simulation.

        Args:
            frames: how many; to the scene's last frame when not given.
            callback: called with the simulation after every frame; ``False`` as its answer ends the
                run. What it raises comes out of ``run``, with the simulation at the frame it saw.
            progress: a progress bar on standard error, or on the text stream given.
            cache: a folder to write all frames to, from the present one on, as ``muslin run`` does,
                for :class:`Cache`, :func:`export`, :func:`check` and :func:`render`.
            overwrite: replace the cache that is there.
        """
        if frames is None:
            frames = max(self._scene.frames - self.frame, 0)
        if isinstance(frames, bool) or not isinstance(frames, (int, np.integer)) or frames < 0:
            raise argument("frames", f"expected a number of frames, got {frames!r}")
        if cache is not None:
            self._native.start_cache(os.fspath(cache), self.frame + int(frames), overwrite)
            self._native.write_frame()
        bar = _Bar(int(frames), progress)
        try:
            for done in range(int(frames)):
                self._step()
                self._native.write_frame()
                bar.show(done + 1)
                if callback is not None and callback(self) is False:
                    break
        except BaseException as error:
            self._native.end_cache(str(error) or type(error).__name__)
            raise
        finally:
            bar.end()
        self._native.end_cache(None)
        return self

    @property
    def positions(self) -> Floats:
        """Positions of the vertices of all cloths [m], shape (n, 3).

        A read-only view of one array that every step fills anew, so it costs nothing and always
        shows the present frame: ``positions.copy()`` to keep a frame.
        """
        return self._positions

    @property
    def velocities(self) -> Floats:
        """Velocities of the vertices of all cloths [m/s], shape (n, 3): a view like ``positions``."""
        return self._velocities

    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Vertices of the triangles of all cloths, shape (m, 3), rows of ``positions``."""
        return self._fixed.triangles

    @property
    def uv(self) -> Floats:
        """Rest coordinates of the corners of the triangles [m], shape (m, 3, 2)."""
        return self._fixed.uv

    @property
    def body_positions(self) -> Floats:
        """Positions of the vertices of all bodies now [m], shape (k, 3); a new array."""
        positions: Floats = self._native.body_positions()
        return positions

    @property
    def body_triangles(self) -> npt.NDArray[np.uint32]:
        """Vertices of the triangles of all bodies, shape (l, 3), rows of ``body_positions``."""
        return self._fixed.body_triangles

    @property
    def surfaces(self) -> dict[str, Surface]:
        """Cloths and bodies by name, with their share of the arrays."""
        return dict(self._fixed.surfaces)

    @property
    def frame(self) -> int:
        """Number of the present frame; 0 is the initial state."""
        return self._native.frame

    @property
    def time(self) -> float:
        """Time of the present frame [s]."""
        return self._native.time

    @property
    def at_rest(self) -> bool:
        """Whether the kinetic energy has fallen below 1e-6 of its peak."""
        return self._native.at_rest

    @property
    def seconds(self) -> float:
        """Seconds that the last step spent computing."""
        return self._native.seconds

    @property
    def report(self) -> dict[str, Any]:
        """What happened on the way to the present frame: steps, iterations, stretch, contact, and
        ``energy`` [J] with ``kinetic``, ``membrane``, ``bend`` and ``gravity``."""
        report: dict[str, Any] = json.loads(self._native.report())
        return report

    @property
    def scene(self) -> Any:
        """The scene."""
        return self._scene

    def set_forces(self, forces: npt.ArrayLike | None) -> None:
        """Forces on the vertices [N], shape (n, 3), on top of gravity, air and contact.

        They act from the next step on until they are set again; ``None`` takes them away.
        """
        if forces is None:
            self._native.set_forces(None)
        else:
            shape = self._positions.shape
            self._native.set_forces(floats("forces", forces, shape, "N"))

    def set_targets(
        self, vertices: npt.ArrayLike | None, positions: npt.ArrayLike | None = None
    ) -> None:
        """Places [m] where vertices must be at the end of the next frame, and stay.

        Args:
            vertices: numbers of vertices, shape (k,); ``None`` lets all go.
            positions: their places [m], shape (k, 3).

        Each call replaces the one before; vertices that are not named any more are let go. They move
        straight, at an even speed, and contact gives way to them as to pins.
        """
        if vertices is None:
            vertices, positions = np.zeros(0, np.uint32), np.zeros((0, 3))
        chosen = indices("targets", vertices, None, len(self._positions))
        if positions is None:
            raise argument("targets", "vertices need positions, an array (k, 3)")
        places = floats("targets", positions, (len(chosen), 3), "m")
        self._native.set_targets(chosen, places)

    def __repr__(self) -> str:
        return (
            f"<muslin.Simulation of {len(self._positions)} vertices, "
            f"frame {self.frame}, {self.time:.3f} s>"
        )


class _Bar:
    """A progress bar: one line that changes on a terminal, nothing elsewhere."""

    _WIDTH = 30
    _PAUSE = 0.1

    def __init__(self, total: int, stream: bool | TextIO) -> None:
        self._total = total
        self._stream: TextIO | None = None
        if stream is True:
            self._stream = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        elif stream:
            self._stream = stream
        self._start = self._shown = clock.monotonic()
        self._length = 0

    def show(self, done: int) -> None:
        if self._stream is None:
            return
        now = clock.monotonic()
        if done < self._total and now - self._shown < self._PAUSE:
            return
        self._shown = now
        filled = self._WIDTH * done // max(self._total, 1)
        left = (now - self._start) / done * (self._total - done)
        bar = "#" * filled + "." * (self._WIDTH - filled)
        line = f"[{bar}] frame {done} of {self._total}, {left:.0f} s left"
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def end(self) -> None:
        if self._stream is not None and self._length:
            self._stream.write("\n")
            self._stream.flush()
