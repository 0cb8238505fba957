"""How velocities that are put on their constraints follow from those before.

With kinetic energy changed least, M w + B' zeta = 0 and B (v - w) + dPhi/dt = 0 (of constraints on
velocities s(q, v - w, t) = 0), and v - f w goes on. Linear about a state, with u = v - w held:

    M dw + B' dzeta = -d(M w + B' zeta),     B dw = B dv + d(B u + dPhi/dt)

The first derivative on the right is that of the tangent by accelerations w and multipliers zeta;
the second is the change of B along the motion u, as second derivatives commute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import bmat, csr_matrix, diags

from .linearised import Factors, Tangents
from .maps import CENTRAL
from .rebuilt import Dependence

#: residual of a model at a state of the run
RowsAt = Callable[[np.ndarray], np.ndarray]
#: how far the system moves along u for differences of fourth order, by its size
FAR = 1e-3


class Projection:
    """The projection of velocities at one state.

    Args:
        tangents: of the run's problem.
        array: the state array before the projection.
        part: f, of w that is taken off.
        h: length of a step, s, which bounds how far time is moved.
        still: whether dPhi/dt is left out.

    Attributes:
        w: what the velocities have too much, (unknowns,).
        free, held: numbers of the coordinates and of the multipliers.
        factors: of the equations.
        B: of velocities, held x free.
    """

    def __init__(
        self, tangents: Tangents, array: np.ndarray, part: float, h: float, still: bool = False
    ):
        self._still = still
        state = self.state = tangents.state
        problem = state.problem
        self._tangents, self.array, self.part, self.n = tangents.at, array, part, state.local
        self.held = np.flatnonzero(problem.constrained[: self.n])
        self.free = np.flatnonzero(problem.dynamic[: self.n] > 0)
        self.rated = problem.velocity_level[: self.n][self.held]
        self._fields = slice(0, state.total), slice(state.total, 2 * state.total)
        K, C, M = self._tangents(array)
        self.B = B = self._rows(K, C)
        mass = M[self.free][:, self.free]
        idle = np.asarray(abs(mass).sum(axis=1)).ravel() == 0  # variables of first order: w = 0
        mass = mass + diags(idle.astype(float))
        matrix = bmat([[mass, K[self.free][:, self.held]], [B, None]], "csc")
        # rows and columns of one size, as those of a mass
        largest = np.asarray(abs(mass).max(axis=1).todense()).ravel()
        weight = 1 / np.sqrt(largest)
        steep = np.asarray(abs(B @ diags(weight)).max(axis=1).todense()).ravel()
        self.factors = Factors(matrix, np.append(weight, 1 / np.maximum(steep, 1e-300)))
        self._h = h
        v = array[self._fields[1]][: self.n]
        rate = self._rate(self._rows_at, array, v)
        found = self._solve(np.append(np.zeros(len(self.free)), rate)[:, None])[:, 0]
        self.w, self._zeta = np.zeros((2, self.n))
        self.w[self.free], self._zeta[self.held] = np.split(found, [len(self.free)])
        self._u = v - self.w

    # --- what is linear ---------------------------------------------------------------------------
    def _rows(self, K: csr_matrix, C: csr_matrix) -> csr_matrix:
        """B, of velocities."""
        by_q, by_v = K[self.held][:, self.free], C[self.held][:, self.free]
        on = diags(self.rated.astype(float))
        return (by_q - on @ by_q + on @ by_v).tocsr()

    def _solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        return self.factors.solve(rhs, transposed, 1)[0]

    def _along(self, array: np.ndarray, u: np.ndarray, z: float) -> np.ndarray:
        """A state moved along u for a time z."""
        moved = array.copy()
        moved[: self.n] += z * u
        moved[self.state.problem.globals_at] += 0.0 if self._still else z
        return moved

    def _rows_at(self, array: np.ndarray) -> np.ndarray:
        """The residual of the run's own model at a state."""
        self.state.array[:] = array
        return self.state.residual()

    def _rate(self, rows_at: RowsAt, array: np.ndarray, u: np.ndarray) -> np.ndarray:
        """B u + dPhi/dt of a model at a state, and s(q, u, t)."""
        result = np.zeros(len(self.held))
        for factor, moved in self._motions(array, u):
            result += factor * rows_at(moved)[self.held]
        if self.rated.any():
            moving = array.copy()
            moving[self._fields[1]][: self.n] = u
            result[self.rated] = rows_at(moving)[self.held][self.rated]
        return result

    def _motions(self, array: np.ndarray, u: np.ndarray) -> list[tuple[float, np.ndarray]]:
        """States along a motion, and their factors in a derivative with respect to time."""
        u = np.where(self.state.problem.dynamic[: self.n] > 0, u, 0.0)
        d = min(self._h, self._far(u))
        return [(factor / d, self._along(array, u, k * d)) for k, factor in CENTRAL]

    def motions(self) -> list[tuple[float, np.ndarray]]:
        """Factors and states; the sum of the constraints at the states times the factors is
        B u + dPhi/dt."""
        return self._motions(self.array, self._u)

    def loads(self) -> list[tuple[float, np.ndarray]]:
        """Factors and states; the sum of the forces at the states times the factors is
        M w + B' zeta."""
        return [(factor, self._loaded(self.array, z)) for factor, z in ((1.0, 1.0), (-1.0, 0.0))]

    def _far(self, u: np.ndarray) -> float:
        problem = self.state.problem
        length = problem.characteristic_length(problem.extent) * problem.moving[: self.n]
        speed = float(np.max(np.abs(u) * length, initial=0.0))
        return FAR * problem.extent / speed if speed else np.inf

    def _force(self, rows_at: RowsAt, array: np.ndarray) -> np.ndarray:
        """M w + B' zeta of a model at a state, of the coordinates."""
        with_them, without = (rows_at(self._loaded(array, z))[self.free] for z in (1.0, 0.0))
        return with_them - without

    def _loaded(self, array: np.ndarray, factor: float) -> np.ndarray:
        """A state with accelerations w and multipliers zeta, or zero."""
        total, loaded = self.state.total, array.copy()
        loaded[2 * total : 2 * total + self.n] = factor * self.w
        loaded[self.held] = factor * self._zeta[self.held]
        return loaded

    # --- second derivatives -----------------------------------------------------------------------
    def by_motion(self) -> csr_matrix:
        """Derivative of the right-hand sides by the coordinates, (free, held) x unknowns."""
        force = self._tangents(self._loaded(self.array, 1.0))[0]
        force = force - self._tangents(self._loaded(self.array, 0.0))[0]
        turned = csr_matrix((self.n, self.n))
        for factor, moved in self.motions():
            turned = turned + factor * self._tangents(moved)[0]
        turned = turned[self.held]
        if self.rated.any():
            u = np.where(self.state.problem.dynamic[: self.n] > 0, self._u, 0.0)
            moving = self.array.copy()
            moving[self._fields[1]][: self.n] = u
            on = diags(self.rated.astype(float))
            turned = turned - on @ turned + on @ self._tangents(moving)[0][self.held]
        return bmat([[-force[self.free]], [turned]], "csr") @ diags(
            1.0 - self.state.problem.constrained[: self.n]  # places of points on lines count too
        )

    def by_parameter(self, dependence: Dependence) -> np.ndarray:
        """The same by a parameter."""
        result = np.zeros(len(self.free) + len(self.held))
        for changed in dependence.near:
            result += changed.factor * self._sides(changed.rows, self.array)
        return result

    def by_time(self) -> np.ndarray:
        """The same by the explicit time."""
        d, at = 1e-3 * self._h, self.state.problem.globals_at
        result = np.zeros(len(self.free) + len(self.held))
        for k, factor in CENTRAL:
            array = self.array.copy()
            array[at] += k * d
            result += factor / d * self._sides(self._rows_at, array)
        return result

    def _sides(self, rows_at: RowsAt, array: np.ndarray) -> np.ndarray:
        return np.append(-self._force(rows_at, array), self._rate(rows_at, array, self._u))

    # --- both ways --------------------------------------------------------------------------------
    def tangent(self, Z: np.ndarray, dependences: list[Dependence], t: np.ndarray) -> np.ndarray:
        """What is taken off the derivatives of velocities, unknowns x parameters."""
        rhs = self.by_motion() @ Z[0]
        rhs[len(self.free) :] += self.B @ Z[1][self.free]
        for p, dependence in enumerate(dependences):
            rhs[:, p] += self.by_parameter(dependence)
        if t.any():
            rhs += np.outer(self.by_time(), t)
        result = np.zeros(Z.shape[1:])
        result[self.free] = self._solve(rhs)[: len(self.free)]
        return self.part * result

    def multipliers(self, bar: np.ndarray) -> np.ndarray:
        """Solution of the transposed equations, (free + held) x outputs; ``bar``, unknowns x
        outputs, contains the derivatives with respect to what the projection takes off."""
        full = np.zeros((len(self.free) + len(self.held), bar.shape[1]))
        full[: len(self.free)] = self.part * bar[self.free]
        return self._solve(full, transposed=True)

    def adjoint(
        self, bar: np.ndarray, dependences: list[Dependence], moved: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What the start of the projection counts, where what is taken off counts by ``bar``
        (unknowns x outputs): by coordinates and velocities, by the parameters, by the time."""
        mu = self.multipliers(bar)
        q, v = self.by_motion().T @ mu, np.zeros_like(bar)
        v[self.free] = self.B.T @ mu[len(self.free) :]
        parameters = np.array([self.by_parameter(d) @ mu for d in dependences])
        time = self.by_time() @ mu if moved else np.zeros(bar.shape[1])
        return q, v, parameters.reshape(len(dependences), bar.shape[1]), time
