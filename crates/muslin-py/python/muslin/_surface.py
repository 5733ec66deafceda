"""What simulations and caches have in common: cloths and bodies and their share of the arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats


@dataclass(frozen=True)
class Surface:
    """A cloth or a body and where it stands in the arrays.

    Attributes:
        name: its name in the scene.
        kind: ``"cloth"`` or ``"body"``.
        vertices: its rows of ``positions`` (of ``body_positions`` for a body).
        triangles: its rows of ``triangles`` (of ``body_triangles`` for a body).
    """

    name: str
    kind: str
    vertices: slice
    triangles: slice


class Fixed:
    """Arrays that stay the same from frame to frame, split into cloths and bodies."""

    def __init__(self, fixed: tuple[Any, Any, list[Any]]) -> None:
        triangles, uv, listed = fixed
        cloths = [row for row in listed if row[1] == "cloth"]
        self.vertex_count: int = cloths[-1][3] if cloths else 0
        count = cloths[-1][5] if cloths else 0
        self.triangles: npt.NDArray[np.uint32] = read_only(triangles[:count])
        self.body_triangles: npt.NDArray[np.uint32] = read_only(
            triangles[count:] - np.uint32(self.vertex_count)
        )
        self.uv: Floats = read_only(uv[:count])
        self.surfaces: dict[str, Surface] = {}
        for name, kind, first, end, first_triangle, end_triangle in listed:
            vertices, faces = (0, 0) if kind == "cloth" else (self.vertex_count, count)
            self.surfaces[name] = Surface(
                name,
                kind,
                slice(first - vertices, end - vertices),
                slice(first_triangle - faces, end_triangle - faces),
            )


def read_only(array: Any) -> Any:
    """A view that cannot be written through."""
    view = array.view()
    view.flags.writeable = False
    return view
