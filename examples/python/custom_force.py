"""A force of one's own: a magnet in the air draws a hanging cloth to it.

    python custom_force.py [frames] [folder]

Every vertex is pulled to a point by a force that falls off with the square of the distance. Writes
the cache `magnet.muslin` and the picture `magnet.ppm` into the folder.
"""

import pathlib
import sys

import numpy as np

import muslin

#: Where the magnet is [m], its strength [N·m²], and how near it is felt in full [m].
PLACE, STRENGTH, CORE = np.array([0.0, 0.25, 0.5]), 1.5e-5, 0.1


def pull(positions: np.ndarray) -> np.ndarray:
    """Forces on all vertices [N]."""
    way = PLACE - positions
    distance = np.linalg.norm(way, axis=1, keepdims=True)
    return STRENGTH * way / np.maximum(distance, CORE) ** 3


def main(frames: int, folder: pathlib.Path) -> None:
    scene = muslin.Scene(frames=frames, fps=24)
    grid = {"size": [0.6, 0.6], "vertices": [20, 20]}
    scene.cloth(grid=grid, position=[0, 0, 0.5], rotation=[90, 0, 0], fabric="chiffon")
    scene.pin({"edge": "v1"})
    simulation = muslin.Simulation(scene)
    simulation.set_forces(pull(simulation.positions))
    cache = folder / "magnet.muslin"
    simulation.run(
        callback=lambda now: now.set_forces(pull(now.positions)), cache=cache, overwrite=True
    )
    drawn = simulation.positions[:, 1].max()
    print(f"the cloth has come {drawn:.3f} m towards the magnet")
    image = muslin.render(cache, width=320, height=240)
    height, width, _ = image.shape
    picture = folder / "magnet.ppm"
    picture.write_bytes(f"P6 {width} {height} 255\n".encode() + image.tobytes())
    print(picture)


if __name__ == "__main__":
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    main(frames, pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "."))
