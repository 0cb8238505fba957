"""Resultant forces and moments between parts of a solid, and on its clamps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._backend import MPI
from ...errors import InputError
from .solid import Solid

if TYPE_CHECKING:
    from ...model.system import System


class Resultant(NamedTuple):
    """A force in N and its moment in N m about a point, each (3,)."""

    force: np.ndarray
    moment: np.ndarray


def section(
    system: System,
    solid: Solid,
    inside: Callable[[np.ndarray], np.ndarray],
    about: ArrayLike | None = None,
) -> Resultant:
    """Force and moment that the rest of a solid exerts on the cells inside a region.

    The sum of the unbalanced forces of these cells at their nodes on the boundary. It is exact for
    any mesh and includes inertia and loads of the cells (but not surface loads and joints on the
    boundary itself). Collective.

    Args:
        system: assembled, at the state to look at.
        solid: one of its solids.
        inside: answers (m,) for the cells' undeformed centres (m, 3) in m.
        about: point of the moment, m; default: the origin.

    Raises:
        InputError: no boundary: no cell or all cells are inside.
    """
    mesh, cells = solid.mesh, solid.cells[solid.mesh.own]
    chosen = np.asarray(inside(mesh.centers[mesh.own]), bool)
    count, inner = sum(np.array(mesh.of_ranks((chosen.size, chosen.sum()))))
    if inner in (0, count):
        raise InputError(f"{solid.name}: {inner} of {count} cells lie inside: there is no section.")
    shared = solid.touched(cells[chosen]) & solid.touched(cells[~chosen])
    return _sum(system, solid, chosen, np.repeat(shared[:, None], solid.dimension, axis=1), about)


def clamping(system: System, solid: Solid, name: str, about: ArrayLike | None = None) -> Resultant:
    """Force and moment that the clamp of a facet set exerts on the solid; collective.

    Arguments as in ``section``.

    Raises:
        InputError: the set is not clamped.
    """
    held = np.zeros_like(solid.fixed)
    held[solid.facets(name).nodes] = True
    held &= solid.fixed
    if not held.any():
        raise InputError(f"{solid.name}: {name!r} is not clamped.")
    return _sum(system, solid, np.ones(len(solid.cells[solid.mesh.own]), bool), held, about)


def _sum(system, solid: Solid, cells: np.ndarray, places: np.ndarray, about) -> Resultant:
    """Sum of the unbalanced forces of some of this rank's own cells at some displacements, which
    ``places`` selects, (nodes, dimension)."""
    state = system.state
    number = next(k for k, c in enumerate(state.components) if c.kind == solid.kind)
    c, d = state.components[number], solid.dimension
    assert c.residual is not None
    here, numbers = c.cells_of(str(solid.name))
    rows = state.evaluate(number, c.residual, c.dofs)[here]
    rows = rows[cells[numbers], : solid.cells.shape[1] * d].reshape(-1, d)
    node = solid.cells[solid.mesh.own][numbers[cells[numbers]]].ravel()
    force = np.zeros((len(node), 3))
    force[:, :d] = rows * places[node]
    place = (solid.nodes + solid.at_nodes(state.everything(state.q)))[node]
    moment = np.cross(place - (np.zeros(3) if about is None else np.asarray(about, float)), force)
    total = np.concatenate([force.sum(axis=0), moment.sum(axis=0)])
    state.comm.Allreduce(MPI.IN_PLACE, total, MPI.SUM)
    return Resultant(total[:3], total[3:])
