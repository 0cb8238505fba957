"""Shapes from files and data sets, and several shapes as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks
from ..errors import InputError
from .polyhedra import Faces, of_point
from .shape import Shape

#: largest number of faces of a surface that a run keeps for pictures
MOST = 20_000


@dataclass(frozen=True)
class Surface(Shape):
    """Any surface: a file that PyVista reads (STL, PLY, OBJ, VTK, ...), or a PyVista data set.

    Args:
        source: path, or data set (for a mesh of cells, its surface is used).
        scale: length of its unit, m: 1e-3 if it is in mm.
        position, orientation: see ``Shape``.

    Raises:
        InputError: as of ``Shape``; no file or data set, nothing to be seen in it.
    """

    source: Any = field(compare=False)
    scale: float = 1.0

    positive = ("scale",)

    def __post_init__(self):
        super().__post_init__()
        if not self._mesh.n_faces:
            raise InputError(f"Surface: {self.source!r} has no faces.")

    @cached_property
    def _mesh(self):
        return surface_of("Surface", "a path or a PyVista data set", self.source)

    def corners(self):
        return self.scale * np.asarray(self._mesh.points, float), _faces(self._mesh)

    def portrait(self):
        mesh = self._mesh
        if mesh.n_faces > MOST:
            mesh = mesh.triangulate()
            mesh = mesh.decimate(1 - MOST / mesh.n_faces)
        place = {"position": self.position, "orientation": self.orientation}
        points = self.scale * np.asarray(mesh.points, float)
        flat = {"points": points.tolist(), "faces": np.asarray(mesh.faces).tolist()}
        return {"type": "surface", **flat, **place}


def surface_of(who: str, needed: str, source: Any) -> Any:
    """The surface of a file that PyVista reads or of a data set of PyVista's, corners merged.

    Raises:
        InputError: no such file, one that cannot be read; something else than what is ``needed``.
    """
    import pyvista  # a second, seldom needed

    data = source
    if isinstance(data, str | Path):
        if not Path(data).is_file():
            raise InputError(f"{who}: there is no file {data}.")
        try:
            data = pyvista.read(data)
        except Exception as error:  # of any reader
            raise InputError(f"{who}: {source} cannot be read: {error}.") from None
    if not isinstance(data, pyvista.DataSet):
        raise InputError(f"{who} needs {needed}, got {checks.shown(data)}.")
    return data.extract_surface(algorithm="dataset_surface").clean()


def _faces(mesh) -> Faces:
    """Corners of each polygon."""
    flat, found, at = np.asarray(mesh.faces).tolist(), [], 0
    while at < len(flat):
        found.append(flat[at + 1 : at + 1 + flat[at]])
        at += 1 + flat[at]
    return found


@dataclass(frozen=True)
class Compound(Shape):
    """Several shapes in one body, which do not overlap: a bob on its rod.

    Args:
        parts: the shapes, each placed in the axes of the whole.
        position, orientation: see ``Shape``, also for errors.

    Example::

        rod = shapes.Cylinder(radius=0.01, length=0.3)
        bob = shapes.Sphere(0.03, position=(0.15, 0, 0))
        shapes.Compound([rod, bob]).volume  # 2.073e-4 m^3
    """

    parts: Sequence[Shape]

    def __post_init__(self):
        super().__post_init__()
        parts = tuple(self.parts) if isinstance(self.parts, Iterable) else ()
        if not parts or not all(isinstance(p, Shape) for p in parts):
            raise InputError(f"Compound.parts must be shapes, got {self.parts!r}.")
        object.__setattr__(self, "parts", parts)

    @property
    def complete(self):
        return all(p.complete for p in self.parts)

    def corners(self):
        surfaces = [p.surface() for p in self.parts]
        starts = np.cumsum([0, *(len(x) for x, _ in surfaces)]).tolist()
        faces = [[at + k for k in f] for at, (_, s) in zip(starts, surfaces, strict=False)
                 for f in s]  # fmt: skip
        return np.vstack([x for x, _ in surfaces]), faces

    def _moments(self):
        each = [p.moments() for p in self.parts]
        volume = sum(v for v, _, _ in each)
        centre = sum(v * x for v, x, _ in each) / volume
        inertia = np.zeros((3, 3))
        for v, x, own in each:
            inertia += own + v * of_point(x - centre)
        return volume, centre, inertia

    def portrait(self):
        return super().portrait() | {"parts": [p.portrait() for p in self.parts]}
