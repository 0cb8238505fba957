"""Geometric stiffening of a reduced body: the effect of stresses between its interfaces, and of
stresses due to its rotation, on its other displacements."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.forms import expression_kernel
from ...meshes import cells as reference
from ..solids.responses import independent
from .basis import Basis

#: fraction of a state that must be independent of the others for it to be kept
APART = 1e-3
#: number of cells whose gradients are in memory at a time
CHUNK = 500


class Axial(NamedTuple):
    """States of stress that stiffen a body (or let it buckle); n of them, p functions.

    A state is a displacement; its amplitude is its largest one, m.

    Attributes:
        stiffness: N/m, (n,).
        reads: factors of the components of c_a along the triad in the state's amplitude, (n, p, d).
        products: factors H_ab of the second-order part of that amplitude, the sum of
            H_ab / 2 u_a . u_b over displacements u_a in the triad, 1/m, (n, p, p).
        critical: amplitude at which a compressed body buckles, m, (n,).
    """

    stiffness: np.ndarray
    reads: np.ndarray
    products: np.ndarray
    critical: np.ndarray


def states(whole: Any, free: Any, middles: np.ndarray) -> np.ndarray:
    """Responses to unit forces between the interfaces, along the lines between their middles, and
    to the centrifugal forces along the body's longest axis; (unknowns, k).

    Args:
        whole, free: see ``reduction``.
        middles: weights of the nodes in the middles of at least two parts, (k, n).
    """
    d, places = whole.solid.dimension, whole.solid.nodes
    at, loads = middles @ places, []
    for i in range(len(at)):
        for j in range(i):
            line = (at[i] - at[j])[:d]
            if np.linalg.norm(line) > APART * np.ptp(places, axis=0).max():
                loads.append(np.outer(middles[i] - middles[j], line / np.linalg.norm(line)))
    mass = whole.mass
    arm = places - np.asarray(mass @ places).sum(axis=0) / mass.sum()
    first = np.linalg.eigh(arm.T @ (mass @ arm))[1][:, -1]
    loads.append(np.outer(mass @ (arm @ first), first[:d]))
    found = []
    for load in loads:
        f = np.zeros(free.size)
        f[whole.numbers] = load
        found.append(free.solve(f))
    return independent(np.column_stack(found), free.K, least=APART)


def axial(whole: Any, found: np.ndarray, basis: Basis) -> Axial:
    """The data of the states.

    Args:
        whole: see ``reduction``.
        found: states, orthonormal by stiffness, (unknowns, k).
        basis: of the body.
    """
    d = basis.dimension
    K = whole.stiffness()
    dual = basis.strained()
    rows: list[tuple] = []
    for state in found.T:
        u = state[whole.numbers]
        u = u / np.abs(u).max()
        force = (K @ u.ravel()).reshape(-1, d)
        k = float(u.ravel() @ force.ravel())
        reads = np.einsum("na,nx,xk->ak", basis.functions, force, basis.triad[:d, :d]) / k
        reads[0] = 0.0  # a translation does nothing
        H = _geometric(whole, u, basis.functions) / k
        seen = np.einsum("aks,ab,bkt->st", dual, H, dual) * k
        most = float(np.linalg.eigvalsh(seen)[-1])
        rows.append((k, reads, H, 1 / most if most > 0 else np.inf))
    return Axial(*(np.array(z) for z in zip(*rows, strict=True)))


def _geometric(whole: Any, u: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """Integrals of grad b_a . sigma . grad b_b with the stress of a displacement, N/m, (p, p)."""
    twin, d = whole.twin, whole.solid.dimension
    mesh = twin.mesh
    points, weights = reference.quadrature(mesh.cell, 2 * twin.degree)
    stress = whole.stress_at(u, points)[..., :d, :d]
    place = reference.shape_functions(mesh.cell, mesh.degree, points)[1:]
    shape = reference.shape_functions(mesh.cell, twin.degree, points)[1:]
    result = np.zeros((functions.shape[1],) * 2)
    for first in range(0, len(mesh.cells), CHUNK):
        some = slice(first, first + CHUNK)
        corners = mesh.points[mesh.cells[some]][..., :d]
        jacobian = np.einsum("ipn,cnx->cpxi", place, corners)
        volume = weights * np.abs(np.linalg.det(jacobian)) * twin.thickness
        slopes = np.einsum("ipn,cpix->cpxn", shape, np.linalg.inv(jacobian))
        gradient = np.einsum("cpxn,cna->cpxa", slopes, functions[twin.cells[some]])
        pulled = np.einsum("cp,cpxy,cpya->cpxa", volume, stress[some], gradient)
        result += np.einsum("cpxa,cpxb->ab", gradient, pulled)
    return (result + result.T) / 2


def at_points(whole: Any, name: str, points) -> np.ndarray:
    """A stress of the twin in its present state at points of the cell, (cells, points, 3, 3)."""
    state, kind = whole.state, whole.twin.kind
    number = next(k for k, c in enumerate(state.components) if c.kind == kind)
    form = expression_kernel(kind, name, np.array(points), state.comm)
    values = state.evaluate(number, form, form.size)
    return values.reshape(state.components[number].count, len(points), 3, 3)
