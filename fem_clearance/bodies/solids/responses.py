"""The shapes that a condensed solid keeps: static responses to tractions on its retained facets,
and natural modes with these facets held and with them free.

With K and M of the whole body, B the nodal forces of unit tractions on the facets and i the
unknowns off these facets, static responses are K^-1 B f. Fixed-interface modes (Craig and Bampton
1968) vanish on the facets, free-interface modes (Rubin 1975) leave them without forces:

    K_ii p = w^2 M_ii p,    K p = w^2 M p.

The first give accurate frequencies where the facets are held, the second where they are free; modes
of one type alone converge slowly in the other case. The shapes are recombined such that neither K
nor M couples them, and each is one unknown of the system.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..._backend import MPI, PETSc
from ...core.linear_solvers import Factors
from ...errors import InputError
from ...meshes import cells as reference
from .facets import FacetSet
from .solid import Solid

#: most facet displacements for which all responses are kept
COMPLETE = 1500
#: fraction of a traction that must be independent of uniform and linear ones for it to be kept
NEW = 0.5
#: without ``frequency`` modes are kept up to this many times the lowest natural frequency
RANGE = 2.0
#: fraction of a mode that must be independent of the other shapes for it to be kept (errors grow
#: with its square)
APART = 1e-6
#: relative strain energy below which a response is dropped (a traction where the body is clamped)
NONE = 1e-12


class Shapes(NamedTuple):
    """The k shapes that are kept of a body, each with a largest displacement of 1 m.

    Attributes:
        nodes: displacements of all nodes, (n, dimension, k).
        stiffness, mass: of each, N/m and kg.
        excitation: by unit gravity along each axis, kg, (k, 3).
        left_out: facet set -> part of the strain energy, see ``CondensedSolid``.
        modes: how many of them are natural modes.
    """

    nodes: np.ndarray
    stiffness: np.ndarray
    mass: np.ndarray
    excitation: np.ndarray
    left_out: dict[str, float]
    modes: int


class Matrices:
    """Stiffness and mass of a body at rest, solves with the stiffness, natural modes."""

    def __init__(self, K, M):
        self.K, self.M, self.size = K.tocsr(), M.tocsr(), K.shape[0]

    @cached_property
    def _factors(self) -> Factors:
        K = self.K.sorted_indices()
        csr = (K.indptr.astype(PETSc.IntType), K.indices.astype(PETSc.IntType), K.data)
        return Factors(PETSc.Mat().createAIJ(K.shape, csr=csr, comm=MPI.COMM_SELF))

    def solve(self, f: np.ndarray) -> np.ndarray:
        """Displacements under nodal forces.

        Raises:
            SingularSystem: the body can move.
        """
        return self._factors.solve(f)

    def modes(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The lowest natural modes: angular frequencies, rad/s, ascending, and shapes by columns;
        fewer where fewer unknowns have mass."""
        count = min(count, int(np.count_nonzero(self.M.diagonal() > 0)))
        if not count:
            return np.zeros(0), np.zeros((self.size, 0))
        shapes = largest(lambda x: self.M @ x, self.K, count, self.solve)
        energy = np.einsum("ik,ik->k", shapes, self.K @ shapes)
        return np.sqrt(energy / np.einsum("ik,ik->k", shapes, self.M @ shapes)), shapes

    def modes_up_to(self, frequency: float, least: int = 8) -> np.ndarray:
        """Shapes of the natural modes below an angular frequency, rad/s, by columns."""
        w, shapes = self.modes(least)
        while len(w) == least and w[-1] <= frequency:
            least *= 2
            w, shapes = self.modes(least)
        return shapes[:, w <= frequency]


def of_body(state) -> tuple[Matrices, np.ndarray]:
    """Matrices of a system of one solid at rest, and nodal forces of unit gravity along each axis,
    (size, 3)."""
    from scipy.sparse import csr_matrix

    n = state.size
    keep = (state.problem.coo_rows < n) & (state.problem.coo_cols < n)
    place = (state.problem.coo_rows[keep], state.problem.coo_cols[keep])
    stiffness, _, inertia = state.derivatives()
    K, M = (csr_matrix((z[keep], place), (n, n)) for z in (stiffness, inertia))
    weights = np.zeros((n, 3))
    for k in range(3):
        state.globals[3:6] = np.eye(3)[k]
        weights[:, k] = -state.residual()[:n]
    state.globals[3:6] = 0.0
    return Matrices(K, M), weights


class Condensation:
    """Finds the shapes that a condensed solid keeps; on one rank.

    Args:
        solid: the whole body.
        sets: its facets that are retained, by name; ``kept``: their nodes.
        matrices, weights: of the whole body, see ``of_body``; ``numbers``: places of the nodes'
            displacements in them, (nodes, dimension).
        count, direction: ``responses`` and ``direction`` of a ``CondensedSolid``.
    """

    def __init__(
        self, solid: Solid, sets: dict[str, FacetSet], kept: np.ndarray, matrices: Matrices,
        weights: np.ndarray, numbers: np.ndarray, count: int | None, direction: str,
    ):  # fmt: skip
        self.solid, self.sets, self.kept = solid, sets, kept
        self.matrices, self.weights = matrices, weights
        self.count, self.direction = count, direction
        #: number of each displacement in the matrices, -1 where it is clamped
        self.free = np.where(solid.fixed, -1, numbers)

    def shapes(
        self, inertia: bool, count: int | None, frequency: float | None
    ) -> tuple[Shapes, np.ndarray]:
        """The shapes, and the same in all unknowns of the matrices, by columns.

        Args:
            inertia: whether natural modes are included.
            count, frequency: ``modes`` and ``frequency`` of a ``CondensedSolid``.
        """
        solid = self.solid
        U, stiffness, mass = self._uncoupled(self._responses())
        responses = U.shape[1]
        if inertia:
            further = self._modes(count, frequency)
            U, stiffness, mass = self._uncoupled(independent(further, self.matrices.K, U, APART))
        nodes = np.zeros((*solid.fixed.shape, U.shape[1]))
        nodes[~solid.fixed] = U[self.free[~solid.fixed]]  # plane stress has stretches too
        size = np.abs(nodes).max(axis=(0, 1))
        nodes, U, stiffness, mass = nodes / size, U / size, stiffness / size**2, mass / size**2
        left = {n: self._left_out(f, U, stiffness) for n, f in self.sets.items()}
        excitation = U.T @ self.weights
        modes = U.shape[1] - responses
        return Shapes(nodes, stiffness, mass, excitation, left, modes), U

    # --- static responses -----------------------------------------------------------------------
    def _responses(self) -> np.ndarray:
        """Displacements under the tractions whose responses are kept, by columns."""
        solve = self.matrices.solve
        spread, metric = self._tractions()
        size = spread.shape[1]
        count = size if self.count is None else min(self.count, size)
        if count == size and size > COMPLETE:
            raise InputError(
                f"{self.solid.name}: its facets have {size} displacements, too many to keep every "
                "response; give responses=, for example 40."
            )
        vectors = largest(lambda f: spread.T @ solve(spread @ f), metric, count)
        if count < size:  # simple tractions first, then those with the largest response
            simple = independent(self._simple(), metric)
            vectors = independent(vectors, metric, simple, NEW)[:, :count]
        return np.column_stack([solve(spread @ v) for v in vectors.T])

    def _tractions(self):
        """Nodal forces (displacements x tractions) of nodal tractions on the retained facets, and
        the tractions' metric: the integral of their product."""
        from scipy.sparse import coo_matrix, kron

        mass, normals = self._facet_mass
        solid, size = self.solid, self.matrices.size
        n, d = len(self.kept), solid.dimension
        rows = self.free[self.kept].ravel()
        mine = rows >= 0
        pick = coo_matrix((np.ones(mine.sum()), (rows[mine], np.flatnonzero(mine))), (size, n * d))
        vector = kron(mass, np.eye(d)).tocsr()
        if self.direction == "any":
            return (pick @ vector).tocsr(), vector
        return (pick @ vector @ _diagonal_blocks(normals[:, :d])).tocsr(), mass.tocsr()

    def _rule(self, facets: FacetSet):
        """Shape functions at the points of a rule, (p, nodes); its weights; places and normals
        there, see ``FacetSet.normals``."""
        cell = reference.FACET[self.solid.mesh.cell]
        points, weights = reference.quadrature(cell, 2 * self.solid.degree + 2)
        values = reference.shape_functions(cell, self.solid.degree, points)[0]
        return values, weights, *facets.normals(points)

    @cached_property
    def _facet_mass(self):
        """Mass matrix of the retained facets' nodes (their area), and normals at the nodes."""
        from scipy.sparse import coo_matrix

        rows, cols, entries = [], [], []
        normals = np.zeros((len(self.kept), 3))
        for facets in self.sets.values():
            values, weights, _, normal = self._rule(facets)
            area = self.solid.thickness * (np.linalg.norm(normal, axis=2) * weights)
            each = np.einsum("kp,pi,pj->kij", area, values, values)
            here = np.searchsorted(self.kept, facets.cells)
            rows.append(np.repeat(here, here.shape[1], axis=1).ravel())
            cols.append(np.tile(here, here.shape[1]).ravel())
            entries.append(each.ravel())
            cell = reference.FACET[self.solid.mesh.cell]
            spots = tuple(map(tuple, reference.lattice(cell, self.solid.degree)))
            _, there = facets.normals(spots)
            np.add.at(normals, here, there * facets.outward[:, None, None])
        place, n = tuple(map(np.concatenate, (rows, cols))), len(self.kept)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        return coo_matrix((np.concatenate(entries), place), (n, n)).tocsr(), normals

    def _simple(self) -> np.ndarray:
        """Tractions that are uniform or vary linearly on each facet set, (tractions, k)."""
        _, normals = self._facet_mass
        d, columns = self.solid.dimension, []
        for facets in self.sets.values():
            here = np.isin(self.kept, facets.nodes)
            arm = (self.solid.nodes[self.kept] - facets.center) / np.abs(
                self.solid.nodes - facets.center
            ).max()
            pressures = [here * 1.0, *(here * arm[:, k] for k in range(d))]
            if self.direction == "normal":
                columns += pressures
                continue
            columns += [(p[:, None] * normals[:, :d]).ravel() for p in pressures]
            for axis in np.eye(3):
                columns.append((here[:, None] * axis[:d]).ravel())
                columns.append((here[:, None] * np.cross(axis, arm)[:, :d]).ravel())
        return np.column_stack(columns)

    def _left_out(self, facets: FacetSet, U: np.ndarray, stiffness: np.ndarray) -> float:
        values, weights, x, normal = self._rule(facets)
        normal = normal * facets.outward[:, None, None] * weights[:, None]
        arm = x - facets.center
        distance = np.linalg.norm(x - x[0, 0], axis=2)
        pressure = np.exp(-((distance / (0.25 * np.linalg.norm(arm, axis=2).max())) ** 2))
        force = np.zeros(self.solid.fixed.shape)
        each = np.einsum("kp,pi,kpx->kix", pressure, values, normal)[..., : self.solid.dimension]
        np.add.at(force, facets.cells, each)
        f = np.zeros(self.matrices.size)
        f[self.free[self.free >= 0]] = force[self.free >= 0]
        whole, kept = f @ self.matrices.solve(f), float(np.sum((U.T @ f) ** 2 / stiffness))
        return max(0.0, 1 - kept / whole)

    # --- natural modes --------------------------------------------------------------------------
    def _modes(self, count: int | None, frequency: float | None) -> np.ndarray:
        """Natural modes with the retained facets held and free, by columns."""
        whole, reach = self.matrices, 0.0
        if frequency is not None:
            reach = 2 * np.pi * frequency
        elif count is None:
            reach = RANGE * whole.modes(1)[0].max(initial=0.0)

        def take(z: Matrices) -> np.ndarray:
            return z.modes_up_to(reach) if count is None else z.modes(count)[1]

        return np.column_stack([self._held_modes(take), take(whole)])

    def _held_modes(self, take: Callable[[Matrices], np.ndarray]) -> np.ndarray:
        """Modes found by ``take`` for the body with its retained facets held, by columns."""
        whole, held = self.matrices, self.free[self.kept]
        inner = np.setdiff1d(np.arange(whole.size), held[held >= 0])
        found = take(Matrices(whole.K[inner][:, inner], whole.M[inner][:, inner]))
        result = np.zeros((whole.size, found.shape[1]))
        result[inner] = found
        return result

    def _uncoupled(self, U: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Shapes that span the same and do not couple, neither by stiffness nor by inertia, the
        lowest frequency first; their stiffnesses, all 1, and masses."""
        from scipy.linalg import eigh

        K, M = self.matrices.K, self.matrices.M
        energy = np.einsum("ik,ik->k", U, K @ U)
        U = (U / np.sqrt(np.where(energy > 0, energy, 1.0)))[:, energy > NONE * energy.max()]
        k = U.T @ (K @ U)
        w, own = eigh((k + k.T) / 2)
        U = U @ (own / np.sqrt(np.where(w > 0, w, 1.0)))[:, w > NONE]
        m = U.T @ (M @ U)
        U = U @ eigh((m + m.T) / 2)[1][:, ::-1]
        return U, np.ones(U.shape[1]), np.einsum("ik,ik->k", U, M @ U)


def largest(
    operator: Callable[[np.ndarray], np.ndarray], metric, count: int,
    inverse: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:  # fmt: skip
    """Eigenvectors of the largest eigenvalues of a symmetric operator, by a metric, the largest
    first.

    Args:
        operator: its product with a vector.
        metric: symmetric and positive, sparse.
        count: how many.
        inverse: solves with the metric; default: its factors are found anew.
    """
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = metric.shape[0]
    if count > n // 3:
        dense = np.column_stack([operator(e) for e in np.eye(n)])
        return eigh((dense + dense.T) / 2, metric.toarray())[1][:, ::-1][:, :count]
    start = np.random.default_rng(0).standard_normal(n)
    A = LinearOperator((n, n), matvec=operator, dtype=float)
    solve = inverse and LinearOperator((n, n), matvec=inverse, dtype=float)
    values, vectors = eigsh(A, count, M=metric.tocsc(), Minv=solve, v0=start)
    return vectors[:, np.argsort(values)[::-1]]  # the first ones count most


def independent(vectors: np.ndarray, metric, kept=None, least: float = 1e-8) -> np.ndarray:
    """The columns ``kept``, followed by those of ``vectors`` made orthonormal by the metric one
    after the other; columns of which less than the fraction ``least`` is independent are left
    out."""
    kept = np.zeros((len(vectors), 0)) if kept is None else kept
    for v in vectors.T:
        size = np.sqrt(v @ (metric @ v))
        for _ in range(2):
            v = v - kept @ (kept.T @ (metric @ v))
        rest = np.sqrt(max(v @ (metric @ v), 0.0))
        if size > 0 and rest > least * size:
            kept = np.column_stack([kept, v / rest])
    return kept


def _diagonal_blocks(rows: np.ndarray):
    """Sparse matrix with one column a node that holds the node's row."""
    from scipy.sparse import coo_matrix

    n, d = rows.shape
    return coo_matrix((rows.ravel(), (np.arange(n * d), np.repeat(np.arange(n), d))), (n * d, n))
