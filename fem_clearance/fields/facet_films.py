"""Films between facets of solids and a guide over time as VTK files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..contact.guide import SIDES
from ..io.ranks import on_root
from ..io.vtk import Collection, vtu
from ..lubrication.film.cavitation import Guembel
from ..lubrication.film.facet_film import GuideFilm
from .films import nodal

#: VTK's numbers of cells and the order of their corners, by facet
FACETS = {"interval": (3, [0, 1]), "triangle": (5, [0, 1, 2]), "quadrilateral": (9, [0, 1, 3, 2])}


class FacetFilmFields:
    """Writes one film: ``NAME_000012.vtu``, listed with their times in ``NAME.pvd``.

    Points are the present corners of the facets in the guide's axes: along it, along its width, and
    across. Point data: ``pressure`` (Pa, not negative with ``Guembel``), ``film_thickness`` across
    the guide (m, negative where the surfaces overlap); of a warm film ``temperature`` (K).
    """

    def __init__(self, film: GuideFilm, system, folder: Path, after: float | None):
        self.film, self.comm = film, system.comm
        blocks = {b.name: b for b in system.state.problem.blocks}
        self.pressure = blocks[f"{film.name}.pressure"]
        warm = ("temperature", "groove") if film.thermal else ()
        self.warm = [blocks[f"{film.name}.{n}"] for n in warm]
        self.collection = Collection(folder, str(film.name), after, self.comm)

    def write(self, t: float, values: np.ndarray) -> None:
        """Write the present state; ``values``: by global number. Collective."""
        on_root(self.comm, self._write, t, values)

    def _write(self, t, values):
        film, guide = self.film, self.film.guide
        point, basis = film.i.place(values)
        axes = basis @ np.linalg.solve(film.i.basis, guide.triad)
        x = (film.places(values) - point) @ axes
        p = nodal(self.pressure, values)
        if isinstance(film.cavitation, Guembel):
            p = np.maximum(p, 0.0)
        room = [-guide.overlap(film.side, place) for place in x]
        data = {"pressure": p, "film_thickness": np.array(room)}
        if film.thermal is not None:
            rises = [nodal(block, values) for block in self.warm]
            warmest = film.warmth.at_nodes(film.corners, *rises)
            data["temperature"] = film.thermal.supply + warmest
        kind, order = FACETS[film.cell]
        whole = {"TimeValue": np.array([float(t)]), "side": np.array([SIDES[film.side]])}
        self.collection.add(t, vtu(x, film.corners[:, order], kind, data, {}, whole))
