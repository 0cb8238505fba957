"""Stress of solids: fields recovered at the nodes, and invariants of a stress tensor.

Fields are recovered for pictures and reports, outside the time loop: they are evaluated at the
points where they are most accurate, and extrapolated to the nodes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...core.forms import expression_kernel
from ...core.state import State
from ...meshes import cells as reference

__all__ = ["principal", "von_mises"]


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Von Mises' equivalent stress sqrt(3/2 s:s), s the deviator.

    Args:
        stress: Cauchy stresses, Pa, (..., 3, 3).
    """
    mean = np.trace(stress, axis1=-2, axis2=-1)[..., None, None] / 3
    deviator = stress - mean * np.eye(3)
    return np.sqrt(1.5 * np.sum(deviator**2, axis=(-2, -1)))


def principal(stress: np.ndarray) -> np.ndarray:
    """Principal stresses, the largest (most tensile) first, (..., 3)."""
    return np.linalg.eigvalsh(stress)[..., ::-1]


@cache
def accurate_points(cell: str, degree: int) -> tuple[tuple[tuple[float, ...], ...], np.ndarray]:
    """Points at which gradients of a displacement of ``degree`` are most accurate, and the matrix
    (nodes x points) that extrapolates values there to the nodes of the cell.

    Squares and cubes have two Gauss points in each direction, also for linear displacements (whose
    stress varies along one direction at a time); triangles and tetrahedra have one or four points.
    """
    simplex = cell in reference.SIMPLICES
    points, _ = reference.quadrature(cell, (1 if degree == 1 else 2) if simplex else 3)
    corners = reference.lagrange(cell, 1)
    x = reference.lattice(cell, degree)
    if len(points) == 1:
        return points, np.ones((len(x), 1))
    basis = corners.tabulate(0, np.array(points))[0, ..., 0]
    there = corners.tabulate(0, x)[0, ..., 0]
    return points, there @ np.linalg.pinv(basis)


def recover(state: State, number: int, name: str) -> np.ndarray:
    """An expression at the nodes of each cell of this rank, (cells, nodes, *shape).

    Args:
        state: an assembled system at the state to look at.
        number: of the component.
        name: key in ``recovered`` of its kind.
    """
    component = state.components[number]
    kind: Any = component.kind
    points, carry = accurate_points(kind.cell, kind.degree)
    form = expression_kernel(kind, name, np.array(points), state.comm)
    shape = kind.recovered_shapes[name]
    values = state.evaluate(number, form, form.size)
    values = values.reshape(component.count, len(points), *shape)
    return np.einsum("np,cp...->cn...", carry, values)


def nodal_means(solid, state: State, name: str) -> np.ndarray | None:
    """An expression at the nodes of a solid: the mean over the cells that meet there; on rank 0
    (elsewhere ``None``), of a distributed solid on every rank at the nodes that it holds.
    Collective.

    Returns:
        (nodes, *shape), in the order of ``solid.nodes``.
    """
    number = next(k for k, c in enumerate(state.components) if c.kind == solid.kind)
    c = state.components[number]
    here, own = c.cells_of(solid.name)
    values, spread = recover(state, number, name)[here], solid.spread
    if spread is None:
        pieces = state.comm.gather((own, values))
        if pieces is None:
            return None
        own, values = (np.concatenate(z) for z in zip(*pieces, strict=True))
    nodes = solid.cells[solid.mesh.own][own]
    total = np.zeros((len(solid.nodes), *values.shape[2:]))
    np.add.at(total, nodes, values)
    count = np.bincount(nodes.ravel(), minlength=len(total))
    if spread is not None:
        order = np.argsort(solid.slot)
        for sums in (total, count):
            sums[order] = spread.fetch(spread.add(sums[order]))
    return total / count.reshape(-1, *[1] * (total.ndim - 1))
