"""Shapes of a free body: inertia-relief responses to loads on its interfaces, natural modes with
the interfaces free and with them held.

The condensation of a clamped body (solids/responses.py) solves with its stiffness. The stiffness of
a free body is singular, and inertia relief is used instead: the load is balanced by the inertia of
a rigid motion, and the rigid motion is removed from the response.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..solids.responses import Condensation, Matrices, largest

#: shift that makes the stiffness regular, as a fraction of the lowest natural frequency squared
SHIFT = 0.1


def rigid_motions(places: np.ndarray, dimension: int) -> np.ndarray:
    """Displacements of nodes by unit rigid motions, (n, dimension, 3 or 6)."""
    moves = [np.broadcast_to(axis, places.shape) for axis in np.eye(3)[:dimension]]
    axes = np.eye(3) if dimension == 3 else np.eye(3)[2:]
    turns = [np.cross(axis, places - places.mean(axis=0)) for axis in axes]
    return np.stack([*moves, *turns], axis=2)[:, :dimension]


class FreeMatrices(Matrices):
    """Stiffness and mass of a free body; ``solve`` is inertia relief.

    Args:
        K, M: stiffness and mass.
        R: rigid motions by columns.
    """

    def __init__(self, K, M, R: np.ndarray):
        super().__init__(K, M)
        self.R, self.MR = R, M @ R
        self.inertia = R.T @ self.MR

    def balanced(self, f: np.ndarray) -> np.ndarray:
        """Forces with those of the inertia of the rigid motion that they excite."""
        return f - self.MR @ np.linalg.solve(self.inertia, self.R.T @ f)

    def without_rigid(self, u: np.ndarray) -> np.ndarray:
        """Displacements less their rigid part in the sense of mass."""
        return u - self.R @ np.linalg.solve(self.inertia, self.MR.T @ u)

    @cached_property
    def _held(self) -> tuple[np.ndarray, Matrices]:
        """The unknowns outside a statically determinate support, and their matrices."""
        from scipy.linalg import qr

        support = qr(self.R.T, mode="r", pivoting=True)[1][: self.R.shape[1]]
        free = np.setdiff1d(np.arange(self.size), support)
        return free, Matrices(self.K[free][:, free], self.M[free][:, free])

    def solve(self, f: np.ndarray) -> np.ndarray:
        free, held = self._held
        u = np.zeros(self.size)
        u[free] = held.solve(self.balanced(f)[free])
        return self.without_rigid(u)

    def modes(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        rigid = self.R.shape[1]
        count = min(count, int(np.count_nonzero(self.M.diagonal() > 0)) - rigid)
        if count < 1:
            return np.zeros(0), np.zeros((self.size, 0))
        shifted = Matrices(self.K + SHIFT * self._lowest * self.M, self.M)
        shapes = largest(lambda x: self.M @ x, shifted.K, count + rigid, shifted.solve)
        shapes = self.without_rigid(shapes[:, rigid:])  # which come first
        energy = np.einsum("ik,ik->k", shapes, self.K @ shapes)
        return np.sqrt(energy / np.einsum("ik,ik->k", shapes, self.M @ shapes)), shapes

    @cached_property
    def _lowest(self) -> float:
        """About the square of the lowest angular frequency, by a few iterations."""
        x = np.random.default_rng(0).standard_normal(self.size)
        for _ in range(8):
            x = self.solve(self.M @ x)
            x /= np.sqrt(x @ (self.M @ x))
        return float(x @ (self.K @ x))


class FreeCondensation(Condensation):
    """Finds the shapes that a reduced body keeps; on one rank.

    Args:
        held: how many natural modes with the interfaces held; others as of ``Condensation``, with
            ``count`` responses beside those to the interfaces' resultant forces and moments.
    """

    matrices: FreeMatrices

    def __init__(self, *arguments, held: int = 0):
        super().__init__(*arguments)
        self.held = held

    def _responses(self) -> np.ndarray:
        spread, _ = self._tractions()
        solve = self.matrices.solve
        columns = [solve(spread @ v) for v in self._resultants().T]
        if self.count:
            columns += list(super()._responses().T)
        return np.column_stack(columns)

    def _resultants(self) -> np.ndarray:
        """Tractions of a force and a moment on each facet set, as an averaged attachment exerts
        them, (tractions, k)."""
        d, columns = self.solid.dimension, []
        _, normals = self._facet_mass
        for facets in self.sets.values():
            here = np.isin(self.kept, facets.nodes)[:, None]
            arm = here * (self.solid.nodes[self.kept] - facets.center)
            vectors = [here * axis for axis in np.eye(3)[:d]]
            vectors += [np.cross(axis, arm) for axis in (np.eye(3) if d == 3 else np.eye(3)[2:])]
            if self.direction == "normal":
                columns += [np.einsum("nx,nx->n", v, normals) for v in vectors]
            else:
                columns += [v[:, :d].ravel() for v in vectors]
        return np.column_stack(columns)

    def _modes(self, count: int | None, frequency: float | None) -> np.ndarray:
        assert count is not None
        held = self._held_modes(lambda z: z.modes(self.held)[1])
        free = self.matrices.modes(count)[1]
        return self.matrices.without_rigid(np.column_stack([held, free]))
