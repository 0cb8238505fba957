"""Reduction of a solid to a reduced body; on one rank."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import splu

from ..solids.condensed import alone
from ..solids.solid import Solid
from ..solids.stress import nodal_means
from .axial import Axial, at_points, axial, states
from .basis import Basis, ends, reduced
from .matrices import BodyMatrices
from .modes import FreeCondensation, FreeMatrices, rigid_motions

#: displacement relative to the body's size at which stresses are evaluated, so small that they are
#: linear, but well above round-off
SMALL = 1e-7


class Reduced(NamedTuple):
    """The result of a reduction.

    Attributes:
        basis: its numbers.
        frequencies, left_out: see ``ReducedBody``.
        mass: sparse mass matrix of one component of the displacements, (n, n).
        axial: data of its stiffening; ``None`` for a body without shapes.
    """

    basis: Basis
    frequencies: np.ndarray
    left_out: dict[str, float]
    mass: csr_matrix
    axial: Axial | None


class Whole:
    """A solid of finite elements alone, at rest, by its matrices.

    Args:
        solid: the body; the whole of it is a copy.
        given: matrices from another program in the place of those of the elements.
    """

    def __init__(self, solid: Solid, given: BodyMatrices | None):
        self.solid, self.given = solid, given
        self.twin, self.state, own, self.weights = alone(solid)
        d = solid.dimension
        #: places of the displacements among the unknowns, (nodes, d); the others belong to cells
        nodes = np.arange(len(solid.nodes))
        self.numbers = self.twin.displacement(nodes[:, None]).numbers.reshape(-1, d)
        self.own = own
        if given is None:
            self.K, self.M = own.K, own.M
        else:
            K, M = given.of_nodes(str(solid.name), solid.nodes, d)
            apart = np.isin(np.arange(own.size), self._inner).astype(float)
            of_cells = diags(apart) @ own.K @ diags(apart)  # not coupled, so they stay zero
            self.K, self.M = (self._spread(K) + of_cells).tocsr(), self._spread(M)
        self.R = np.zeros((own.size, d + d * (d - 1) // 2))
        self.R[self.numbers.ravel()] = rigid_motions(solid.nodes, d).reshape(-1, self.R.shape[1])

    def _spread(self, matrix):
        """A matrix of displacements node by node in all unknowns."""
        place = csr_matrix(
            (np.ones(self.numbers.size), (self.numbers.ravel(), np.arange(self.numbers.size))),
            (self.own.size, self.numbers.size),
        )  # fmt: skip
        return (place @ matrix @ place.T).tocsr()

    @cached_property
    def _inner(self) -> np.ndarray:
        """Unknowns of single cells: stretches of plane stress, incompatible modes."""
        return np.setdiff1d(np.arange(self.own.size), self.numbers)

    @cached_property
    def _of_cells(self):
        """Factors of their stiffness."""
        return splu(self.own.K[self._inner][:, self._inner].tocsc())

    @property
    def mass(self) -> csr_matrix:
        """Mass matrix of one component of the displacements."""
        one = self.numbers[:, 0]
        return self.M[one][:, one].tocsr()

    def stiffness(self) -> csr_matrix:
        """Stiffness of displacements node by node; unknowns of cells are eliminated."""
        mine = self.numbers.ravel()
        K = self.K[mine][:, mine]
        if len(self._inner) and self.given is None:
            between = self.K[self._inner][:, mine]
            K = K - between.T @ csr_matrix(self._of_cells.solve(between.toarray()))
        return K.tocsr()

    def stress(self, u: np.ndarray, name: str) -> np.ndarray:
        """Of the linear body at the nodes, Pa, (n, 3, 3), of displacements in the axes of the
        start, m, (n, d)."""
        scale = self._displace(u)
        found = nodal_means(self.twin, self.state, name)
        assert found is not None
        return found / scale

    def stress_at(self, u: np.ndarray, points) -> np.ndarray:
        """The same at points of the reference cell, (cells, points, 3, 3)."""
        scale = self._displace(u)
        return at_points(self, "stress", points) / scale

    def _displace(self, u: np.ndarray) -> float:
        """Set the displacements of the twin to these times a small factor, which is returned."""
        most, q = float(np.abs(u).max()), np.zeros(self.own.size)
        scale = SMALL * self.solid.mesh.size.max() / most if most > 0 else 1.0
        q[self.numbers] = scale * u
        if len(self._inner):
            force = self.own.K[self._inner][:, self.numbers.ravel()] @ q[self.numbers.ravel()]
            q[self._inner] = -self._of_cells.solve(force)
        self.state.q[: q.size] = q
        return scale


def reduce_solid(body: Any, whole: Whole) -> Reduced:
    """Reduce the solid of a body."""
    free = FreeMatrices(whole.K, whole.M, whole.R)
    left_out: dict[str, float] = {}
    sets = {n: whole.twin.facets(n) for n in body.interfaces}
    if whole.given is not None and whole.given.modes is not None:
        U = np.zeros((whole.own.size, whole.given.modes.shape[2]))
        U[whole.numbers] = whole.given.modes_at(str(body.name), body.nodes, body.dimension)
        U = free.without_rigid(U)
    elif body.interfaces:
        kept = np.unique(np.concatenate([f.nodes for f in sets.values()]))
        condensation = FreeCondensation(
            whole.twin, sets, kept, free, whole.weights, whole.numbers, body.responses,
            body.direction, held=body.held_modes,
        )  # fmt: skip
        kept_shapes, U = condensation.shapes(True, body.modes, None)
        left_out = kept_shapes.left_out
    else:
        U = free.modes(body.modes)[1]
    middles = np.array([f.weights for f in sets.values()])
    if len(middles) < 2:
        middles = ends(body.nodes)
    stressed = states(whole, free, middles) if U.shape[1] else U
    shapes = np.column_stack([U, stressed]) if body.stiffening else U
    basis = reduced(body.nodes, whole.stiffness(), whole.mass, shapes[whole.numbers], middles)
    found = axial(whole, stressed, basis) if U.shape[1] else None
    return Reduced(basis, _frequencies(whole, free, U), left_out, whole.mass, found)


def _frequencies(whole: Whole, free: FreeMatrices, U: np.ndarray) -> np.ndarray:
    """Natural frequencies of the free body in its shapes, Hz."""
    from scipy.linalg import eigh

    if not U.shape[1]:
        return np.zeros(0)
    U = U / np.sqrt(np.einsum("ik,ik->k", U, whole.K @ U))
    w, own = eigh(U.T @ (whole.M @ U))  # dependent shapes have none
    return np.sort(1 / np.sqrt(w[w > 1e-12 * w[-1]])) / 2 / np.pi
