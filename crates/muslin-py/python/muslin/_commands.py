"""What the command line does with caches, scenes and meshes."""

from __future__ import annotations

import json
import os
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import floats
from ._cache import Cache

#: A cache or its folder.
CacheLike = Union[Cache, str, "os.PathLike[str]"]


def _folder(cache: CacheLike) -> str:
    return cache.path if isinstance(cache, Cache) else os.fspath(cache)


def _ask(*words: object) -> tuple[bool, Any]:
    given = [os.fspath(w) if hasattr(w, "__fspath__") else str(w) for w in words]
    fine, answer = _native.ask(["muslin", *given])
    return fine, json.loads(answer)


def export(
    cache: CacheLike,
    path: str | os.PathLike[str],
    *,
    frames: tuple[int, int] | int | None = None,
    up: str | None = None,
    cloth: str | None = None,
    body: str | None = None,
    overwrite: bool = False,
) -> list[str]:
    """Writes a cache for other programs, by the ending of ``path``; returns the files.

    Args:
        path: ``.usda``, ``.usdc``, ``.glb``, ``.abc`` and the player ``.html`` hold everything; ``.pc2``,
            ``.mdd``, ``.obj``, ``.ply``, ``.npz`` one mesh.
        frames: one frame, or the first and the last; all when not given.
        up: ``"y"`` or ``"z"``; the cache's own when not given.
        cloth: only the cloth of this name.
        body: only the body of this name.
        overwrite: replace files that are there.
    """
    words: list[object] = ["export", _folder(cache), "-o", path]
    if isinstance(frames, tuple):
        words += ["--frames", f"{frames[0]}..{frames[1]}"]
    elif frames is not None:
        words += ["--frame", frames]
    for option, value in (("--up", up), ("--cloth", cloth), ("--body", body)):
        if value is not None:
            words += [option, value]
    if overwrite:
        words.append("--overwrite")
    files: list[str] = _ask(*words)[1]["files"]
    return files


def check(what: CacheLike, *, pairs: int = 20) -> dict[str, Any]:
    """What is wrong with a cache, a scene file or a mesh file, by exact arithmetic.

    Returns:
        ``ok``, ``problems`` (each with ``kind``, ``frame``, ``where``, ``message``), ``pinched``,
        ``frames`` (each with ``crossings``, ``stretch_max``, ``energy`` [J]) and ``notes``.
        ``pairs`` is how many crossing pairs are listed per frame.
    """
    answer: dict[str, Any] = _ask("check", _folder(what), "--pairs", pairs)[1]
    return answer


def render(
    cache: CacheLike,
    frame: int | None = None,
    *,
    width: int | None = None,
    height: int | None = None,
    eye: npt.ArrayLike | None = None,
    target: npt.ArrayLike | None = None,
    fov: float | None = None,
    strain: float | None = None,
) -> npt.NDArray[np.uint8]:
    """A picture of a frame: an array (height, width, 3) of red, green, blue, rows from the top.

    Args:
        frame: number of the frame; the last when not given.
        width: width [pixels]; the scene's when not given.
        height: height [pixels]; the scene's when not given.
        eye: position of the camera [m], shape (3,); the scene's, or one that shows all.
        target: what it looks at [m], shape (3,).
        fov: vertical field of view [degrees].
        strain: colour cloth by strain, from minus this (blue) to this (red).
    """

    def point(where: str, value: npt.ArrayLike | None) -> list[float] | None:
        if value is None:
            return None
        numbers: list[float] = floats(where, value, (3,), "m").tolist()
        return numbers

    camera = [point("eye", eye), point("target", target)]
    image: npt.NDArray[np.uint8] = _native.draw(
        _folder(cache), frame, [width, height], camera, fov, strain
    )
    return image
