"""Oil films over time as VTK files: pressure, thickness and content at the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..io.ranks import on_root
from ..io.vtk import Collection, vtu
from ..lubrication.film.cavitation import Guembel
from ..lubrication.film.film import Film
from ..lubrication.film.probe import cell_of, films_of
from ..lubrication.film.thickness import thickness_by_numbers

if TYPE_CHECKING:
    from ..core.blocks import Block
    from ..lubrication.film.liner import Lined

#: VTK's number of quadrilaterals
QUADRILATERAL = 9


class FilmFields:
    """Writes one film: ``NAME_000012.vtu``, listed with their times in ``NAME.pvd``.

    Everything is in the film's axes, those of the bearing (the third is its axis), of a slider's
    face, or of a ball in its socket. Point data: ``pressure`` (Pa, not negative with ``Guembel``),
    ``film_thickness`` and ``deformation``, by which elastic surfaces and the walls' expansion open
    the gap (m); of a film that conserves its lubricant also ``content``, the thickness of the oil
    in the gap (m), and ``filled``, its fraction of the gap; of a warm film ``temperature`` (K).
    Field data: ``eccentricity`` (m) and ``lean`` of the journal, ``clearance`` (m).
    """

    def __init__(
        self, name: str, film: Film, elastic: Sequence[Lined], system, folder: Path,
        after: float | None,
    ):  # fmt: skip
        self.film, self.elastic, self.comm = film, elastic, system.comm
        blocks = {b.name.removeprefix(f"{name}."): b for b in system.state.problem.blocks}
        self.pressure = blocks["pressure"]
        self.e, self.t = (ref.block for ref in cell_of(system.cells, name).refs[-4:-2])
        self.void = blocks["void"] if film.cavitation.conserving else None
        self.warm = [blocks[n] for n in ("temperature", "groove")] if film.thermal else []
        #: blocks whose temperatures expand the walls, with matrices (m/K), and a constant part, m
        self.openings: list[tuple[Block, np.ndarray]] = []
        self.settled: np.ndarray | float = 0.0
        if film.thermal is not None:
            by, self.settled = film.thermal.openings(film)
            self.openings = [(blocks[what], matrix) for what, matrix in by.items()]
        self.collection = Collection(folder, name, after, self.comm)

    def write(self, t: float, values: np.ndarray) -> None:
        """Write the present state; ``values``: by global number. Collective."""
        on_root(self.comm, self._write, t, values)

    def _write(self, t, values):
        film = self.film
        p = nodal(self.pressure, values)[film.shared]
        if isinstance(film.cavitation, Guembel):
            p = np.maximum(p, 0.0)
        e, lean = (values[b.numbers] for b in (self.e, self.t))
        yields = np.zeros_like(p) + self.settled
        for block, matrix in self.openings:
            yields += matrix @ nodal(block, values)
        for side in self.elastic:
            moved = side.solid.at_nodes(values)[side.facets.nodes]
            yields += side.sign * (side.reading @ moved.ravel())
        h = film.thickness(e, lean) + yields
        data = {"pressure": p, "film_thickness": h, "deformation": yields}
        if self.void is not None:
            oil = film.asperities.oil(h) if film.asperities else h
            oil = thickness_by_numbers(oil, film.transition)
            data["content"] = oil - nodal(self.void, values)[film.void_nodes_in_time]
            data["filled"] = data["content"] / oil
        if film.thermal is not None:
            rises = film.warmth.at_nodes(
                film.surface.corners[0], *(nodal(block, values) for block in self.warm)
            )
            data["temperature"] = film.thermal.supply + rises
        whole = {
            "TimeValue": np.array([float(t)]), "eccentricity": e, "lean": lean,
            "clearance": np.array([film.clearance]),
        }  # fmt: skip
        self.collection.add(t, text(film, data, whole))


def nodal(block, values: np.ndarray) -> np.ndarray:
    """Values of a block at its nodes, the prescribed ones included."""
    result, free = block.values.copy(), ~block.fixed
    result[free] = values[block.numbers[free]]
    return result


def corners_round(film: Film) -> np.ndarray:
    """Corners of the film's cells in order around each cell, (cells, 4)."""
    numbers, _ = film.surface.corners
    return numbers[:, (0, 1, 3, 2)]


def text(film: Film, data, whole) -> str:
    """A VTK file of the film's surface with point data and field data, by name."""
    return vtu(film.surface.nodes, corners_round(film), QUADRILATERAL, data, {}, whole)


def film_fields(system, folder: Path, after: float | None) -> list[FilmFields]:
    """Writers of all films of a system except those on facets of solids."""
    found = {b.name for b in system.state.problem.blocks}
    return [
        FilmFields(name, film, getattr(item, "elastic", ()), system, folder, after)
        for item in system.items
        for name, film in films_of(item).items()
        if f"{name}.pressure" in found
    ]
