"""Resultant forces and moments between parts of a solid, and on its clamps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ..._backend import MPI
from ...errors import InputError
from .solid import Solid

if TYPE_CHECKING:
    from ...core.state import State
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
    any mesh and includes inertia, loads and coupled fields of the cells (but not surface loads and
    joints on the boundary itself). Collective.

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
    state = system.state
    return _sum(state, solid, _of_cells(state, solid, inside), shared[:, None], about)


def clamping(system: System, solid: Solid, name: str, about: ArrayLike | None = None) -> Resultant:
    """Force and moment that the clamp of a facet set exerts on all that acts at its nodes: the
    solid, coupled fields, surface loads and joints there; collective.

    Arguments as in ``section``.

    Raises:
        InputError: the set is not clamped.
    """
    held = np.zeros_like(solid.fixed)
    held[solid.facets(name).nodes] = True
    held &= solid.fixed
    if not held.any():
        raise InputError(f"{solid.name}: {name!r} is not clamped.")
    return _sum(system.state, solid, system.state.residual(), held, about)


def _local(state: State, solid: Solid) -> np.ndarray:
    """Local numbers of a solid's displacements; -1 where this rank does not hold them."""
    assert solid.block is not None
    return state.locate(solid.block.numbers)


def _of_cells(state: State, solid: Solid, inside: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Rows of this rank's cells that fill a region of a solid, its own and those of fields that act
    on it, by local number."""
    at = _local(state, solid)
    ours, rows = np.zeros(state.total, bool), np.zeros(state.total)
    ours[at[at >= 0]] = True
    level = solid.mesh.box[0, 2] * (solid.dimension == 2)  # which kernels of plane cells leave out
    for k, c in enumerate(state.components):
        dofs = state.problem.local_unknowns[k]
        if not c.kind.bulk or c.residual is None or not ours[dofs].any():
            continue
        centers = c.geometry().reshape(c.count, -1, 3).mean(axis=1) + (0, 0, level)
        some = np.asarray(inside(centers), bool)
        np.add.at(rows, dofs[some], state.evaluate(k, c.residual, c.dofs)[some])
    return rows


def _sum(state: State, solid: Solid, rows: np.ndarray, places: np.ndarray, about) -> Resultant:
    """Sum of the forces on all ranks, by local number, at some of a solid's displacements, which
    ``places`` selects, (nodes, dimension)."""
    origin = np.zeros(3) if about is None else checks.vector(f"{solid.name}: about", about)
    at, d = _local(state, solid), solid.dimension
    # the zero at the end is that of what this rank does not hold
    each = np.append(rows, 0.0)[at].reshape(-1, d)[solid.slot]
    force = np.zeros((len(solid.nodes), 3))
    force[:, :d] = each * places
    place = solid.nodes + solid.at_nodes(state.everything(state.q))
    moment = np.cross(place - origin, force)
    total = np.concatenate([force.sum(axis=0), moment.sum(axis=0)])
    state.comm.Allreduce(MPI.IN_PLACE, total, MPI.SUM)
    return Resultant(total[:3], total[3:])
