"""Pytest plugin (``-p perturbed``): models with other round-off.

Rigid bodies, straight beams and nodes of meshes begin elsewhere by up to ``FC_PERTURB`` (1e-13) of
their coordinates' size; bodies are turned by as many radians. How much depends on the given numbers
only: models built alike are perturbed alike, and ends that meet still do. Bodies move before joints
are placed in them, which so stay closed.
"""

import functools
import os
from dataclasses import replace

import numpy as np

AMOUNT = float(os.environ.get("FC_PERTURB", "1e-13"))


def noise(values: np.ndarray) -> np.ndarray:
    """Numbers in [-1, 1) by the bits of the values, as good as random (splitmix64)."""
    values = np.ascontiguousarray(values, dtype=float) + 0.0  # -0.0 and 0.0 are the same number
    with np.errstate(over="ignore"):
        z = values.view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) / 2.0**63 - 1.0


def moved(points) -> np.ndarray:
    """Points with other round-off; what lies in the plane of two axes leaves it."""
    points = np.array(points, dtype=float)
    return points + AMOUNT * np.abs(points).max(axis=-1, keepdims=True) * noise(points)


def pytest_collection_modifyitems(items):
    """Leave out what compares with another process, whose models are as they were."""
    items[:] = [item for item in items if item.path.name != "test_simulation_kill.py"]


def pytest_configure(config):
    import dolfinx_solver  # noqa: F401  (wheels: loads MPI before the bindings)

    from fem_clearance import Beam, RigidBody, Solid
    from fem_clearance.meshes.mesh import Mesh

    def changed(cls, change):
        begin = cls.__init__

        @functools.wraps(begin)
        def init(self, *args, **options):
            change(functools.partial(begin, self), self, *args, **options)

        cls.__init__ = init

    def body(begin, self, *args, **options):
        begin(*args, **options)
        turn = AMOUNT * noise(self.position + [1.0, 2.0, 3.0])
        self.position, self.axes = moved(self.position), self.axes + np.cross(turn, self.axes.T).T

    def beam(begin, self, start, end, *args, **options):
        begin(start, end, *args, **options)  # refuses what is no point
        begin(moved(start), moved(end), *args, **options)

    def solid(begin, self, mesh, *args, **options):
        if isinstance(mesh, Mesh):
            points = np.array(mesh.points)
            points[:, : mesh.dimension] = moved(points[:, : mesh.dimension])
            mesh = replace(mesh, points=points)
        begin(mesh, *args, **options)

    for cls, change in ((RigidBody, body), (Beam, beam), (Solid, solid)):
        changed(cls, change)
