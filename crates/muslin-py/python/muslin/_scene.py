"""Scenes: from files, text and dicts, or built in code."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, floats, indices, plain
from ._errors import argument

#: A function from a time [s] to the positions [m] of a body's vertices, an array (n, 3).
MotionFunction = Callable[[float], npt.ArrayLike]


class Scene:
    """A scene: cloths, bodies, wind, and how to simulate them. SI units, angles in degrees, z up.

    Keyword arguments are the keys of a scene file (``fps``, ``frames``, ``gravity``, ``solver``,
    ...): ``Scene(frames=60, solver={"steps_per_frame": 8})``. What is wrong is said by
    :meth:`check`, or when a :class:`Simulation` is made.
    """

    def __init__(self, **settings: Any) -> None:
        self._name = "scene"
        self._settings: dict[str, Any] = plain("scene", settings)
        self._meshes: dict[str, tuple[Any, ...]] = {}
        self._overrides: list[str] = []
        self._file: str | None = None
        self._text: str | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Scene:
        """Reads a scene file, or one of the gallery: ``Scene.load("@hang")``.

        ``overrides`` change single values, like ``--set``: ``["frames=10", "cloth.0.fabric=denim"]``.
        """
        scene = cls()
        scene._file = os.fspath(path)
        scene._overrides = list(overrides)
        scene.check()
        return scene

    @classmethod
    def parse(cls, text: str, name: str = "scene", overrides: Sequence[str] = ()) -> Scene:
        """Reads a scene from TOML text; paths in it are relative to the working folder."""
        scene = cls()
        scene._text, scene._name = text, name
        scene._overrides = list(overrides)
        scene.check()
        return scene

    @classmethod
    def from_dict(cls, scene: Mapping[str, Any], name: str = "scene") -> Scene:
        """A scene from a dict with the keys of a scene file."""
        made = cls(**{str(key): value for key, value in scene.items()})
        made._name = name
        made.check()
        return made

    def cloth(
        self,
        positions: npt.ArrayLike | None = None,
        triangles: npt.ArrayLike | None = None,
        *,
        uv: npt.ArrayLike | None = None,
        rest: npt.ArrayLike | None = None,
        fabric: str | Mapping[str, Any] = "cotton poplin",
        name: str | None = None,
        **settings: Any,
    ) -> Scene:
        """Adds a piece of cloth and returns the scene.

        Args:
            positions: where the vertices are at frame 0 [m], shape (n, 3). Without them a shape of
                scene files is given: ``grid={"size": [1, 1], "vertices": [40, 40]}``.
            triangles: vertices of the triangles, shape (m, 3).
            uv: rest coordinates of the vertices [m], shape (n, 2).
            rest: the rest shape in space [m], shape (n, 3); the positions when neither is given.
            fabric: a name of ``muslin fabrics``, or a dict of numbers.
            name: ``cloth-0``, ``cloth-1``, ... when not given.
            settings: further keys of ``[[cloth]]``: ``position``, ``rotation``, ``color``, ``pin``, ...
        """
        self._must_be_code()
        cloths = self._settings.setdefault("cloth", [])
        name = name or f"cloth-{len(cloths)}"
        entry = plain(f"cloth `{name}`", {"name": name, "fabric": fabric, **settings})
        if positions is not None:
            entry["mesh"] = self._cloth_mesh(name, positions, triangles, uv, rest)
        elif triangles is not None or uv is not None or rest is not None:
            raise argument(f"cloth `{name}`", "triangles, uv and rest need positions")
        cloths.append(entry)
        return self

    def body(
        self,
        positions: npt.ArrayLike | MotionFunction | None = None,
        triangles: npt.ArrayLike | None = None,
        *,
        fps: float | None = None,
        name: str | None = None,
        **settings: Any,
    ) -> Scene:
        """Adds a body and returns the scene.

        Args:
            positions: vertices [m]: an array (n, 3) for a body that keeps its shape; (k, n, 3) for
                one that moves from frame to frame, straight between them; or a function from time
                [s] to an array (n, 3). Without them a shape of scene files is given:
                ``sphere={"radius": 0.3}``.
            triangles: vertices of the triangles, shape (m, 3), counter-clockwise from outside.
            fps: frames per second of an array (k, n, 3) [1/s]; the scene's when not given.
            name: ``body-0``, ``body-1``, ... when not given.
            settings: further keys of ``[[body]]``: ``position``, ``rotation``, ``friction``, ...

        A function is called whenever the solver asks for a new time, also between frames; it must
        give the same answer for the same time. What it raises comes out of ``step``.
        """
        self._must_be_code()
        bodies = self._settings.setdefault("body", [])
        name = name or f"body-{len(bodies)}"
        entry = plain(f"body `{name}`", {"name": name, **settings})
        if positions is not None:
            entry["mesh"] = self._body_mesh(name, positions, triangles, fps)
        elif triangles is not None or fps is not None:
            raise argument(f"body `{name}`", "triangles and fps need positions")
        bodies.append(entry)
        return self

    def pin(
        self,
        vertices: npt.ArrayLike | Mapping[str, Any] | str,
        *,
        cloth: str | int = -1,
        **settings: Any,
    ) -> Scene:
        """Holds vertices of a cloth and returns the scene.

        Args:
            vertices: numbers of vertices; or what ``select`` of scene files says, such as
                ``{"edge": "v1"}``, ``{"corners": ["u0v1"]}`` or ``"all"``.
            cloth: name or number of the cloth; the one added last when not given.
            settings: further keys of ``[[cloth.pin]]``: ``move`` [m], ``from`` and ``until`` [s] (as
                ``**{"from": 1.0}``), ``on_body``, ``along_line``, ...
        """
        self._must_be_code()
        if not isinstance(vertices, (str, Mapping)):
            chosen = np.asarray(vertices)
            if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
                raise argument("pin", f"expected numbers of vertices, got {vertices!r}")
            vertices = {"vertices": chosen}
        entry = plain("pin", {"select": vertices, **settings})
        self._find_cloth(cloth).setdefault("pin", []).append(entry)
        return self

    def wind(self, velocity: npt.ArrayLike | None = None, **settings: Any) -> Scene:
        """Adds a wind and returns the scene.

        Args:
            velocity: a uniform wind [m/s], shape (3,).
            settings: keys of ``[[wind]]``, such as ``turbulence``.
        """
        self._must_be_code()
        entry = plain("wind", settings)
        if velocity is not None:
            uniform = {"velocity": floats("wind", velocity, (3,), "m/s").tolist()}
            entry = {"uniform": uniform, **entry}
        self._settings.setdefault("wind", []).append(entry)
        return self

    def set(self, **settings: Any) -> Scene:
        """Changes keys of the scene, such as ``frames`` or ``solver``, and returns it."""
        self._must_be_code()
        self._settings.update(plain("scene", settings))
        return self

    def copy(self) -> Scene:
        """A scene that can be changed without changing this one."""
        other = copy.copy(self)
        other._settings = copy.deepcopy(self._settings)
        other._meshes = dict(self._meshes)
        return other

    def check(self) -> None:
        """Raises :class:`Error` where the scene does not make sense."""
        self._spec()

    @property
    def text(self) -> str:
        """The scene as TOML text; meshes that were given as arrays stand in it by name."""
        return self._spec().text

    @property
    def name(self) -> str:
        """The name of the scene."""
        return self._spec().name

    @property
    def fps(self) -> float:
        """Frames per second [1/s]."""
        return self._spec().fps

    @property
    def frames(self) -> int:
        """Frames after frame 0, which is the initial state."""
        return self._spec().frames

    def __repr__(self) -> str:
        where = self._file or self._name
        return f"<muslin.Scene {where}>"

    def _spec(self) -> _native.Spec:
        if self._file is not None:
            return _native.load(self._file, self._overrides)
        text = self._text
        if text is None:
            text = _native.toml_of(json.dumps(self._settings))
        return _native.parse(text, self._name, self._overrides, list(self._meshes.values()))

    def _must_be_code(self) -> None:
        if self._file is not None or self._text is not None:
            message = "a scene that was read cannot be added to: use overrides, or from_dict"
            raise argument("scene", message)

    def _find_cloth(self, cloth: str | int) -> dict[str, Any]:
        cloths: list[dict[str, Any]] = self._settings.get("cloth", [])
        for number, entry in enumerate(cloths):
            if cloth in (number, number - len(cloths)) or entry.get("name") == cloth:
                return entry
        names = ", ".join(f"`{entry.get('name')}`" for entry in cloths) or "none"
        raise argument("pin", f"there is no cloth {cloth!r}: there are {names}")

    def _cloth_mesh(self, name: str, positions: Any, triangles: Any, uv: Any, rest: Any) -> Any:
        where = f"cloth `{name}`"
        x = floats(f"{where} positions", positions, (None, 3), "m")
        if triangles is None:
            raise argument(where, "positions need triangles, an array (m, 3)")
        faces = indices(f"{where} triangles", triangles, 3, len(x))
        if uv is not None and rest is not None:
            raise argument(where, "uv and rest exclude each other: give one of them")
        flat = None if uv is None else floats(f"{where} uv", uv, (len(x), 2), "m")
        self._meshes[f"{name} (array)"] = (f"{name} (array)", x, faces, flat, None)
        entry: dict[str, Any] = {"file": f"{name} (array)"}
        if flat is not None:
            entry |= {"rest": "uv", "uv_scale": 1.0}
        if rest is not None:
            shape = floats(f"{where} rest", rest, (len(x), 3), "m")
            key = f"{name} (rest array)"
            self._meshes[key] = (key, shape, faces, None, None)
            entry["rest_file"] = key
        return entry

    def _body_mesh(self, name: str, positions: Any, triangles: Any, fps: float | None) -> Any:
        where = f"body `{name}`"
        if triangles is None:
            raise argument(where, "positions need triangles, an array (m, 3)")
        motion: Any = None
        if callable(positions):
            x = floats(f"{where} at time 0", positions(0.0), (None, 3), "m")
            motion = _checked(f"{where}", positions, len(x))
        elif np.ndim(positions) == 3:
            frames = floats(f"{where} positions", positions, (None, None, 3), "m")
            if len(frames) == 0:
                raise argument(f"{where} positions", "there are no frames")
            rate = float(fps if fps is not None else self._settings.get("fps", 24.0))
            if not rate > 0.0:
                raise argument(f"{where} fps", f"{rate} is no rate; give frames per second above 0")
            x, motion = np.ascontiguousarray(frames[0]), (frames, rate)
        else:
            x = floats(f"{where} positions", positions, (None, 3), "m")
        faces = indices(f"{where} triangles", triangles, 3, len(x))
        self._meshes[f"{name} (array)"] = (f"{name} (array)", x, faces, None, motion)
        return {"file": f"{name} (array)"}


def _checked(where: str, function: MotionFunction, count: int) -> Callable[[float], Floats]:
    def positions(time: float) -> Floats:
        return floats(f"{where} at time {time} s", function(time), (count, 3), "m")

    return positions


#: What functions that take a scene take: the scene, its file, or its dict.
SceneLike = Union[Scene, str, "os.PathLike[str]", Mapping[str, Any]]


def scene_of(scene: SceneLike) -> Scene:
    """The scene that is meant."""
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, Mapping):
        return Scene.from_dict(scene)
    return Scene.load(scene)
