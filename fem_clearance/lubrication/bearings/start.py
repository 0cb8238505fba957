"""Starting values of a film's solution: coarser meshes, and continuation on soft liners.

Active sets move the edge of a film by about a node an iteration where it has to grow. Found on
half as many cells in each direction, and on half of these before, the edge is a node or two away,
however fine the mesh is. A film on a soft liner, which Newton's method may not find at once, is
followed from low speed or from a wider gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags
from scipy.spatial import cKDTree

from ...bodies.solids.condensed import CondensedSolid
from ...errors import InputError
from ..film.film import Film
from ..film.surface import Surface, neighbours
from .place import Place

#: least thickness between rigid surfaces that the search starts from, by the clearance
WIDE = 0.2
#: part of the speeds that a liner is first loaded with where Newton's method fails at all of them
SLOW = 0.05
#: the same of warm films
CRAWL = 0.01
#: least step on the way to what is asked for, as a part of it
CREEP = 1e-3


def coarser(film: Film) -> Film | None:
    """A film on half as many cells in each direction, if there is such a mesh."""
    surface = film.surface.coarser
    try:
        return replace(film, surface=surface) if surface is not None else None
    except InputError:  # a set of nodes that it has not
        return None


def missing(film: Film, p: np.ndarray) -> np.ndarray:
    """First guess of what is missing where there is no pressure, m/s: active sets ask which of the
    two is the lesser."""
    return np.where(p > 0, 0.0, film.rate_unit)


def prolongation(surface: Surface) -> csr_matrix:
    """What gives bilinear fields of ``surface.coarser`` at the nodes of a surface.

    Nodes that both have keep their values, those between are the mean of what lies beside them:
    first in the middle of an edge, then in that of a cell.
    """
    assert surface.coarser is not None
    numbers, _ = surface.corners
    fine, coarse = surface.nodes, surface.coarser.nodes
    n, m = len(fine), len(coarse)
    apart, place = cKDTree(fine).query(coarse)
    assert apart.max() < 1e-6 * np.ptp(fine, axis=0).max(), "nodes of the coarser mesh lie here"
    spread = csr_matrix((np.ones(m), (place, np.arange(m))), (n, m))
    there, here = np.unique(neighbours(numbers), axis=0).T
    beside = csr_matrix((np.ones(len(here)), (there, here)), (n, n))
    known = np.zeros(n)
    known[place] = 1.0
    while not known.all():
        count = (beside @ known) * (1 - known)
        share = diags(np.divide(1.0, count, out=np.zeros(n), where=count > 0))
        spread = spread + share @ beside @ diags(known) @ spread
        known = np.maximum(known, count > 0)
    return csr_matrix(coo_matrix(spread))


def _responses(bearing) -> np.ndarray:
    """Places of condensed liners' unknowns, which are the same on every mesh of the film."""
    solids = (side.solid for side in bearing.elastic)
    numbers = [z.amplitudes.numbers for z in solids if isinstance(z, CondensedSolid)]
    return bearing.state.locate(np.concatenate(numbers))


def prolong(bearing, coarse, spread: csr_matrix) -> None:
    """Begin with the solution of a coarser film, whose nodal values ``spread`` interpolates; of two
    ``Bearing``."""
    state, film = bearing.state, bearing.film
    p = spread @ coarse.pressures(coarse.state.q)
    pairs = [(bearing.at_pressure, p)]
    if bearing.complement is not None:
        r = missing(film, p)
        if not film.cavitation.nodal:
            r = spread @ coarse.state.q[coarse.at_complement]
        pairs.append((bearing.at_complement, r))
    if bearing.elastic:
        pairs.append((_responses(bearing), coarse.state.q[_responses(coarse)]))
    if film.thermal is not None:
        pairs += bearing.temperatures.prolonged(coarse.temperatures, spread)
    for at, values in pairs:
        free = (at >= 0) & (at < state.owned)  # -1: no cell reads it, as in a groove
        state.q[at[free]] = values[free]


def leaving(keep: float, h: np.ndarray, closing: np.ndarray) -> float:
    """Part of a step, which closes gaps ``h`` (m) by ``closing`` (m) in proportion, that leaves a
    part of the present smallest gap everywhere; ``inf`` if it closes none."""
    closes = closing > 0
    return float(np.min((h - keep * h.min())[closes] / closing[closes], initial=np.inf))


class Trying(Protocol):
    """A film that is solved at places, see ``Bearing``."""

    film: Any
    elastic: Any

    def clear(self) -> None: ...

    def tries(self, place: Place, most: int | None = None) -> bool: ...


def approach(bearing: Trying, place: Place) -> bool:
    """A film on a liner, or a warm one, followed to the place asked for from low speed; one on a
    liner from a wider gap, too. ``False`` if there is none."""
    if not bearing.elastic:
        return bearing.film.thermal is not None and _run_up(bearing, place, CRAWL)
    clearance = bearing.film.clearance
    room = (1 - WIDE) * clearance
    closing = clearance - bearing.film.thickness(place.e, place.t).min() - bearing.film.valleys
    if closing < room and _run_up(bearing, place):
        return True
    part = min(0.8, room / closing) if closing > 0 else 0.8

    def at(part):
        e, t = (tuple(part * np.asarray(z, float)) for z in (place.e, place.t))
        return place._replace(e=e, t=t)

    bearing.clear()
    if not (bearing.tries(at(part)) or _run_up(bearing, at(part))):
        return False
    return _follow(bearing, at, part, (1 - part) / 4)


def _run_up(bearing: Trying, place: Place, slow: float = SLOW) -> bool:
    """A film on a liner, or a warm one, followed from low speed, a part of the whole.

    What flows goes with the cube of the thickness: from an unloaded liner Newton's method finds
    pressures that press a soft one far away, the film breaks there, the liner springs back,
    and so on. With the speed the load on the liner grows by degrees, and the temperature of a warm
    film, whose first flows feed some nodes and not others.
    """
    if not np.any([place.V, place.Omega]):
        return False

    def at(part):
        V, Omega = (tuple(part * np.asarray(z, float)) for z in (place.V, place.Omega))
        return place._replace(V=V, Omega=Omega)

    bearing.clear()
    return _follow(bearing, at, 0.0, slow)


def _follow(bearing: Trying, at: Callable[[float], Place], part: float, step: float) -> bool:
    """Solve for places on a way from the present one, ``at(part)``, to ``at(1)``."""
    while part < 1:
        if bearing.tries(at(min(part + step, 1.0))):
            part, step = min(part + step, 1.0), 2 * step
        elif (step := step / 2) < CREEP:
            return False
    return True
