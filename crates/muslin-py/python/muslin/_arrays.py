"""Checks of what is given as arrays: clear words instead of wrong results."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import argument

Floats = npt.NDArray[np.float64]


def floats(where: str, values: Any, shape: tuple[int | None, ...], unit: str) -> Floats:
    """An array of finite numbers of a shape; ``None`` in the shape stands for any length."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise argument(where, f"this is no array of numbers ({error})") from None
    expected = str(tuple("n" if side is None else side for side in shape)).replace("'", "")
    if array.dtype.kind not in "fiu":
        raise argument(where, f"expected numbers [{unit}], got an array of {array.dtype}")
    fits = array.ndim == len(shape) and all(
        side is None or side == found for side, found in zip(shape, array.shape)
    )
    if not fits:
        raise argument(where, f"expected shape {expected}, got {array.shape}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(array).all():
        first = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise argument(where, f"the number at {first} is not finite")
    return array


def indices(where: str, values: Any, columns: int | None, count: int) -> npt.NDArray[np.uint32]:
    """Vertex numbers below ``count``, in one dimension or in rows of ``columns``."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise argument(where, f"expected whole numbers of vertices, got an array of {array.dtype}")
    shape = "(n,)" if columns is None else f"(n, {columns})"
    if array.ndim != (1 if columns is None else 2) or (
        columns is not None and array.shape[1] != columns
    ):
        raise argument(where, f"expected shape {shape}, got {array.shape}")
    wrong = (array < 0) | (array >= count)
    if wrong.any():
        vertex = int(array[wrong][0])
        raise argument(where, f"there is no vertex {vertex}: there are {count}, numbered from 0")
    return np.ascontiguousarray(array, dtype=np.uint32)


def plain(where: str, value: Any) -> Any:
    """Plain lists, dicts and numbers out of whatever Python and numpy have for them."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        # What is None is as good as not given.
        return {
            str(key): plain(f"{where}.{key}", item)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, np.ndarray):
        return plain(where, value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(f"{where}[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise argument(where, f"{value} is not finite")
        return float(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if hasattr(value, "__fspath__"):
        return str(value.__fspath__())
    raise argument(where, f"a scene holds no {type(value).__name__}; give numbers, text, lists, dicts")
