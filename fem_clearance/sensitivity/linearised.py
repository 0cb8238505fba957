"""The equations of a step, linear about a recorded state: K, C, M, N and factors of J.

With F(q, v, a, q_n, ...) = 0 at the end of a step, K = dF/dq, C = dF/dv, M = dF/da and
N = dF/dq_n; J = K + gamma' C + beta' M is the tangent of Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import ufl
from scipy.sparse import csr_matrix, eye, vstack

from .._backend import PETSc
from ..core import linear_solvers as solvers
from ..core.evaluation import Batches
from ..core.forms import Compiled, compiled
from ..core.state import State
from ..core.symbols import Symbols
from ..errors import SingularSystem

#: relative residual that solutions must have; what a zero pivot leaves is far above it
ACCURATE = 1e-8


class Pattern:
    """Entries by row and column, added up to a sparse matrix of the unknowns.

    Args:
        rows, cols: local numbers of the entries; those of fixed values are left out.
        n: unknowns.
    """

    def __init__(self, rows: np.ndarray, cols: np.ndarray, n: int):
        where = np.flatnonzero((rows < n) & (cols < n))
        self._order = where[np.lexsort((cols[where], rows[where]))]
        r, c = rows[self._order], cols[self._order]
        new = np.ones(len(r), bool)
        new[1:] = (np.diff(r) != 0) | (np.diff(c) != 0)
        self._first = np.flatnonzero(new)
        self._shape = n, n
        self._indices = c[self._first].astype(np.int32)
        self._ends = np.searchsorted(r[self._first], np.arange(n + 1)).astype(np.int32)

    def matrix(self, values: np.ndarray) -> csr_matrix:
        """The matrix of these entries."""
        if not len(self._order):
            return csr_matrix(self._shape)
        data = np.add.reduceat(values[self._order], self._first)
        return csr_matrix((data, self._indices, self._ends), self._shape)


class Linearised:
    """The linear equations of one step after the other.

    Args:
        state: a state of the run's problem, whose array is written.
        package: linear solver of the run.
        scale: ``scale(beta, gamma)``: value of one unit of each unknown, by local number.

    Attributes:
        K, C, M, N, J: see above, of the unknowns.
    """

    K: csr_matrix
    C: csr_matrix
    M: csr_matrix
    N: csr_matrix | None
    J: csr_matrix

    def __init__(self, state: State, package: str, scale: Callable[[float, float], np.ndarray]):
        problem = state.problem
        self.state, self._scale_of, n = state, scale, state.local
        self._pattern = Pattern(problem.coo_rows, problem.coo_cols, n)
        self._matrix = problem.matrix()
        self._b, self._x = problem.x.duplicate(), problem.x.duplicate()
        self._ksp = PETSc.KSP().create(state.comm)
        plain = package == "petsc" and not len(solvers.border_of(problem))
        self._use("petsc" if plain else "mumps")
        self._scale = np.ones(n)
        self._memory = StartDependence(state)

    def _use(self, package: str) -> None:
        self.package = package
        self._ksp.reset()
        self._ksp.setOperators(self._matrix)
        if package == "petsc":
            solvers.configure(self._ksp, self.state, package)
        else:
            solvers.direct(self._ksp, self._matrix)

    def at(self, array: np.ndarray, beta: float, gamma: float) -> None:
        """Linearise about a state array, of a step with these da/dq and dv/dq."""
        state, problem = self.state, self.state.problem
        state.array[:] = array
        k, c, m = state.derivatives()
        state.array[:] = array
        self.K, self.C, self.M = (self._pattern.matrix(z) for z in (k, c, m))
        self.N = self._memory.matrix()
        scale = self._scale_of(beta, gamma)
        self._scale = scale[: state.local]
        rows, cols = problem.coo_rows, problem.coo_cols
        j = k + gamma * c + beta * m
        self.J = self._pattern.matrix(j)
        problem.fill(self._matrix, j * scale[rows] * scale[cols])
        self._ksp.setOperators(self._matrix)

    def solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solutions of J x = rhs, or of its transpose, (unknowns, columns), refined once.

        Raises:
            SingularSystem: there is none.
        """
        J = self.J.T if transposed else self.J
        found = self._refined(J, rhs, transposed)
        if found is None and self.package != "mumps":
            self._use("mumps")
            found = self._refined(J, rhs, transposed)
        if found is None:
            raise SingularSystem("the linear equations of a step have no accurate solution")
        return found

    def _refined(self, J, rhs: np.ndarray, transposed: bool) -> np.ndarray | None:
        solve = self._ksp.solveTranspose if transposed else self._ksp.solve
        scale, b, x = self._scale, self._b, self._x
        found, left = np.zeros_like(rhs), rhs
        # rows in units in which all of them are forces alike
        size = np.abs(scale[:, None] * rhs).max(axis=0, initial=0.0)
        for _ in range(2):
            for k in range(rhs.shape[1]):
                b.array[:] = scale * left[:, k]
                solve(b, x)
                if self._ksp.reason < 0:
                    return None
                found[:, k] += scale * x.array_r
            left = rhs - J @ found
        error = np.abs(scale[:, None] * left).max(axis=0, initial=0.0)
        return found if np.all(error <= ACCURATE * size) else None

    def destroy(self) -> None:
        """Free PETSc's objects."""
        for item in (self._ksp, self._matrix, self._b, self._x):
            item.destroy()


class StartDependence:
    """dF/dq_n, of the components whose forces know the start of the step."""

    def __init__(self, state: State):
        problem = state.problem
        self._state, work = state, []
        rows: list[np.ndarray] = [np.zeros(0, int)]
        cols: list[np.ndarray] = [np.zeros(0, int)]
        for k, c in enumerate(state.components):
            if c.residual is None or "q_n" not in c.residual.coefficients or not c.count:
                continue
            form = start_kernel(c.kind, state.comm)
            if form is not None:
                work.append(problem.work(k, form, c.dofs**2))
                mine = problem.local_unknowns[k]
                rows.append(np.repeat(mine, c.dofs, axis=1).ravel())
                cols.append(np.tile(mine, c.dofs).ravel())
        self._batches = Batches(work, problem.module) if work else None
        self._pattern = Pattern(np.concatenate(rows), np.concatenate(cols), state.total)
        #: local values by the unknowns: themselves, and condensed ones
        self._values = vstack(
            [eye(state.local), csr_matrix((state.total - state.local, state.local))]
        )
        if (condensed := problem.condensed) is not None:
            rest = csr_matrix((state.total - condensed.range.stop, state.local))
            self._values = vstack([eye(state.local), condensed.T, rest])
        self._values = self._values.tocsr()

    def matrix(self) -> csr_matrix | None:
        """At the present state; ``None`` where it is zero."""
        if self._batches is None:
            return None
        found = self._pattern.matrix(self._batches.evaluate(self._state.address))
        return (self._values.T @ found @ self._values).tocsr()


def start_kernel(kind, comm) -> Compiled | None:
    """Kernel of the derivative of a kind's residual by q_n; ``None`` where it is zero."""

    def written(c: Symbols):
        form = ufl.replace(c.residual(), c._values())
        return ufl.derivative(form, c.q_n, ufl.TrialFunction(c.space))

    return compiled(kind, comm, "dF/dq_n", written)
