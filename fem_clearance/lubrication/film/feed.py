"""Where lubricant gets into a film, and which of its nodes have one unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import ufl

from .cavitation import Cavitation
from .surface import Surface, neighbours
from .thickness import CylinderGap, Gap


class Fed(Protocol):
    """A film and its supplies, see ``Film``."""

    @property
    def surface(self) -> Surface: ...
    @property
    def gap(self) -> Gap: ...
    @property
    def cavitation(self) -> Cavitation: ...
    @property
    def pressures(self) -> Mapping[str, float]: ...
    @property
    def radius(self) -> float: ...
    @property
    def shared(self) -> np.ndarray: ...

    def given(self) -> dict[str, np.ndarray]: ...


def shared_nodes(surface: Surface, recesses) -> np.ndarray:
    """Node -> node whose pressure it has: itself, but in recesses (names of sets) that of the
    recess's first node."""
    result = np.arange(surface.corners[0].max() + 1)
    for name in recesses:
        result[surface.sets[name]] = surface.sets[name].min()
    return result


def void_nodes(film: Fed, *, in_time: bool) -> np.ndarray:
    """Node of the pressure -> node whose void it has.

    Itself, but for open ends of a bearing at ambient pressure: where the film beside such an end is
    broken there is no oil to draw from, and a node has the void of its neighbour along the axis.
    Were it flooded, oil would enter there and leave where the film closes, half a cell wide. In
    time all such ends are open. In a steady film only those that a groove reaches are: without one
    only a flooded end says what it holds.
    """
    numbers, result = film.surface.corners[0], film.shared.copy()
    if not (film.cavitation.conserving and isinstance(film.gap, CylinderGap)):
        return result
    given = film.given()
    held = np.concatenate(list(given.values())) if given else result[:0]
    ends = [
        given[n] for n in ("z0", "z1")
        if film.pressures.get(n) == 0 and (in_time or len(given[n]) < len(film.surface.sets[n]))
    ]  # fmt: skip
    edges = neighbours(numbers)
    edges = edges[np.isin(edges[:, 1], np.setdiff1d(np.arange(len(result)), held))]
    for nodes in ends:
        out = edges[np.isin(edges[:, 0], nodes)]
        result[out[:, 0]] = film.shared[out[:, 1]]
    return result


def fed(film: Fed, e, t, V, Omega) -> bool:
    """``Film.fed`` of a film whose supplies have ambient pressure."""
    numbers, _ = film.surface.corners
    places, given = film.surface.nodes, np.zeros(numbers.max() + 1, bool)
    for nodes in film.given().values():
        given[nodes] = True
    edges = neighbours(numbers)
    least = 1e-9 * max(np.linalg.norm(V), film.radius * np.linalg.norm(Omega))
    for a, b in edges[given[edges[:, 0]] & ~given[edges[:, 1]]]:
        ahead = places[b] - places[a]
        x, *motion = (ufl.as_vector([*map(float, z)]) for z in (places[a], e, t, V, Omega))
        rate = film.gap.closing_rate(x, *motion)
        slide = ufl.dot(film.gap.sliding(x, *motion[2:]), ufl.as_vector([*map(float, ahead)]))
        if slide(()) > least * np.linalg.norm(ahead) or abs(rate(())) > least * 1e-3:
            return True
    return False
