"""How far a strip of each fabric sinks when it is held level by one end.

    python fabric_sweep.py [frames]

Prints a table: soft fabrics hang down, stiff ones stand out.
"""

import sys

import numpy as np

import muslin

FABRICS = ["chiffon", "cotton poplin", "denim"]

#: Length and width of the strip [m].
LENGTH, WIDTH = 0.2, 0.05


def strip(columns: int = 17, rows: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Positions [m] and triangles of a strip in the xy plane."""
    x, y = np.meshgrid(np.linspace(0, LENGTH, columns), np.linspace(0, WIDTH, rows))
    positions = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, above = corner + 1, corner + columns
    triangles = np.concatenate(
        [np.stack([corner, right, above], axis=1), np.stack([right, above + 1, above], axis=1)]
    )
    return positions, triangles


def sag(fabric: str, frames: int) -> float:
    """How far the free end is below the held one in the end [m]."""
    positions, triangles = strip()
    scene = muslin.Scene(frames=frames, fps=24)
    scene.cloth(positions, triangles, uv=positions[:, :2], fabric=fabric)
    # Two columns of vertices clamp the end level.
    scene.pin(np.flatnonzero(positions[:, 0] <= LENGTH / 16 + 1e-9))
    simulation = muslin.Simulation(scene).run(progress=False)
    return float(-simulation.positions[positions[:, 0] == LENGTH, 2].mean())


def main(frames: int) -> None:
    print(f"{'fabric':<16} sag of {LENGTH} m after {frames / 24:.1f} s")
    for fabric in FABRICS:
        print(f"{fabric:<16} {sag(fabric, frames):.3f} m")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
