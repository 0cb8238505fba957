"""Surfaces of films: meshes of quadrilaterals in the housing's frame, with named sets of nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .. import checks
from ..bodies import cells as reference
from ..bodies.structured import lattice
from ..errors import InputError


@dataclass(frozen=True)
class Surface:
    """A surface that a film lies on.

    Attributes:
        points: nodes of the geometry in the housing's frame, m, (n, 3).
        cells: nodes of each cell in Basix's order, (m, nodes of a cell).
        sets: name -> nodes of the pressure, for ambient ends, grooves and holes.
        degree: of the geometry.
        source: for messages.
    """

    points: np.ndarray
    cells: np.ndarray
    sets: dict[str, np.ndarray] = field(default_factory=dict)
    degree: int = 1
    source: str = "film"

    @property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of the pressure: cells x 4, and which points of the geometry they are."""
        used, numbers = np.unique(self.cells[:, :4], return_inverse=True)
        return numbers.reshape(-1, 4), used

    @property
    def nodes(self) -> np.ndarray:
        """Places of the pressure's nodes, m, (n, 3)."""
        return self.points[self.corners[1]]

    def marked(self, **where: Callable[[np.ndarray], np.ndarray]) -> Surface:
        """The surface with further sets of nodes.

        Example:
            >>> surface.marked(hole=lambda x: np.hypot(x[:, 1], x[:, 2]) < 1e-3)

        Args:
            where: name -> function of the nodes' places (n, 3) in m that returns n answers.

        Raises:
            InputError: a set without nodes.
        """
        sets = {name: np.flatnonzero(f(self.nodes)) for name, f in where.items()}
        for name, nodes in sets.items():
            if not len(nodes):
                raise InputError(
                    f"{self.source}: no node lies in {name!r}; it must be wider than a cell and "
                    "on the surface."
                )
        return replace(self, sets=self.sets | sets)

    def node_set(self, name: str, who: str) -> np.ndarray:
        """Nodes of a set.

        Raises:
            InputError: no such set.
        """
        if name not in self.sets:
            known = ", ".join(sorted(self.sets)) or "none"
            raise InputError(f"{who}: the film has no nodes marked {name!r}; there are: {known}.")
        return self.sets[name]

    def areas(self) -> np.ndarray:
        """Area that belongs to each pressure node, m^2."""
        numbers, _ = self.corners
        points, weights = reference.quadrature("quadrilateral", 4)
        slopes = reference.shape_functions("quadrilateral", self.degree, points)[1:]
        t = np.einsum("dpn,mnx->dmpx", slopes, self.points[self.cells])
        size = np.linalg.norm(np.cross(t[0], t[1]), axis=2) * weights
        values = reference.shape_functions("quadrilateral", 1, points)[0]
        result = np.zeros(numbers.max() + 1)
        np.add.at(result, numbers, np.einsum("mp,pn->mn", size, values))
        return result


def cylinder(
    radius, length, cells=(96, 16), *, degree: int = 2, arc=None, start: float = 0.0,
    crowd: float = 0.0,
) -> Surface:
    """The bore of a bearing about the third axis, closed or an arc; ends ``z0`` and ``z1``.

    Args:
        radius, length: m.
        cells: round and along.
        degree: of the geometry.
        arc: angle of a partial bearing, rad; its edges are ``start`` and ``end``.
        start: angle of the first line of nodes from the first axis, rad.
        crowd: from 0 to below 1: crowds the lines round the start (of a full bearing), where they
            are 1 - crowd times as far apart as on average.
    """
    checks.positive("film: radius", radius)
    checks.positive("film: length", length)
    checks.within("film: crowd", crowd, 0.0, 0.99)
    if arc is not None and not 0 < arc < 2 * np.pi:
        raise InputError(f"film: arc must lie between 0 and 2 pi rad, got {arc:g}.")
    _, numbers, unit, _ = lattice(
        cells, degree=degree, closed=(arc is None, False), source="film"
    )
    u = unit[:, 0]
    angle = u * arc if arc else 2 * np.pi * u - crowd * np.sin(2 * np.pi * u)
    z = (unit[:, 1] - 0.5) * length
    points = np.stack([radius * np.cos(start + angle), radius * np.sin(start + angle), z], 1)
    surface = Surface(points, numbers, {}, degree, "cylindrical film")
    place = unit[surface.corners[1]]
    ends = {"z0": place[:, 1] == 0, "z1": place[:, 1] == 1}
    if arc:
        ends |= {"start": place[:, 0] == 0, "end": place[:, 0] == 1}
    return replace(surface, sets={n: np.flatnonzero(mine) for n, mine in ends.items()})
