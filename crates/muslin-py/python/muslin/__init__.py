"""Muslin, an open cloth simulator. SI units, angles in degrees, z up.

>>> import muslin
>>> scene = muslin.Scene(frames=10)
>>> scene = scene.cloth(grid={"size": [1, 1], "vertices": [20, 20]}, fabric="denim")
>>> scene = scene.pin({"edge": "v1"})
>>> simulation = muslin.Simulation(scene)
>>> simulation.step()
>>> simulation.positions.shape
(400, 3)
"""

from ._cache import Cache, Frame
from ._commands import check, export, render
from ._errors import Error
from ._native import __version__
from ._scene import MotionFunction, Scene
from ._simulation import Simulation
from ._surface import Surface

__all__ = [
    "Cache",
    "Error",
    "Frame",
    "MotionFunction",
    "Scene",
    "Simulation",
    "Surface",
    "__version__",
    "check",
    "export",
    "render",
]

for _public in (Cache, Error, Frame, Scene, Simulation, Surface, check, export, render):
    _public.__module__ = __name__
del _public
