"""Oil films of journals over time as VTK files: pressure and thickness on the bore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..lubrication.cavitation import Guembel
from ..lubrication.film import Film
from ..lubrication.gap import CylinderGap
from .ranks import on_root
from .vtk import Collection, vtu

if TYPE_CHECKING:
    from ..lubrication.liner import Lined

#: VTK's number of quadrilaterals
QUADRILATERAL = 9


class FilmFields:
    """Writes the film of one joint: ``NAME_000012.vtu``, listed with their times in ``NAME.pvd``.

    All in the film's axes, those of the bearing (its third is the bearing's axis). Point data:
    ``pressure`` (Pa, as it acts), ``film_thickness`` and ``deformation`` of a liner along the
    normal (m). Of the whole: ``eccentricity`` (m) and ``lean`` of the journal, ``clearance`` (m).
    """

    def __init__(self, joint, system, folder: Path, after: float | None = None):
        self.film, self.comm = joint.film, system.comm
        self.lined: Lined | None = getattr(joint, "lined", None)
        blocks = {b.name: b for b in system.state.blocks}
        self.pressure, self.e, self.t = (
            blocks[f"{joint.name}.{n}"] for n in ("pressure", "e", "t")
        )
        self.collection = Collection(folder, str(joint.name), after, self.comm)

    def write(self, t: float, values: np.ndarray) -> None:
        """Write the present state; ``values``: by global number. Collective."""
        on_root(self.comm, self._write, t, values)

    def _write(self, t, values):
        film = self.film
        p, free = self.pressure.values.copy(), ~self.pressure.fixed
        p[free] = values[self.pressure.numbers[free]]
        if isinstance(film.cavitation, Guembel):
            p = np.maximum(p, 0.0)
        e, lean = (values[b.numbers] for b in (self.e, self.t))
        yields = np.zeros_like(p)
        if self.lined is not None:
            bore = self.lined.solid.at_nodes(values)[self.lined.facets.nodes]
            yields = self.lined.reading @ bore.ravel()
        data = {
            "pressure": p, "film_thickness": film.thickness(e, lean) + yields,
            "deformation": yields,
        }  # fmt: skip
        whole = {
            "TimeValue": np.array([float(t)]), "eccentricity": e, "lean": lean,
            "clearance": np.array([film.clearance]),
        }  # fmt: skip
        self.collection.add(t, text(film, data, whole))


def corners_round(film: Film) -> np.ndarray:
    """Corners of the film's cells, one after the other round each, (cells, 4)."""
    numbers, _ = film.surface.corners
    return numbers[:, (0, 1, 3, 2)]


def text(film: Film, data, whole) -> str:
    """A VTK file of the film's surface with arrays at its nodes and of the whole, by name."""
    return vtu(film.surface.nodes, corners_round(film), QUADRILATERAL, data, {}, whole)


def film_fields(system, folder: Path, after: float | None) -> list[FilmFields]:
    """Writers of all films on bores of a system."""
    found = {b.name for b in system.state.blocks}
    return [
        FilmFields(item, system, folder, after)
        for item in system.items
        if isinstance(film := getattr(item, "film", None), Film)
        and isinstance(film.gap, CylinderGap)
        and f"{item.name}.pressure" in found
    ]
