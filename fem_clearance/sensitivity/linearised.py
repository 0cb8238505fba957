"""The equations of a step, linear about a recorded state: K, C, M, N and factors of J.

With F(q, v, a, q_n, ...) = 0 at the end of a step, K = dF/dq, C = dF/dv, M = dF/da and
N = dF/dq_n; J = K + gamma' C + beta' M is the tangent of Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import ufl
from scipy.sparse import csc_matrix, csr_matrix, diags, eye, vstack
from scipy.sparse.linalg import splu

from .._backend import PETSc
from ..core import linear_solvers as solvers
from ..core.evaluation import Batches, Sums
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
        values: the array that holds the entries, always the same.
        module: the compiled functions.
        some: which entries can differ from zero; ``None``: all.

    Attributes:
        rows, cols: of the entries of the matrix; its diagonal is among them.
        ends: where its rows begin and end.
        sums: adds the entries up.
    """

    def __init__(self, rows, cols, n: int, values: np.ndarray, module, some=None):
        where = np.flatnonzero((rows < n) & (cols < n))
        if some is not None:
            where = np.intersect1d(where, some)
        key = np.append(rows[where].astype(np.int64) * n + cols[where], np.arange(n) * (n + 1))
        keys, to = np.unique(key, return_inverse=True)
        self.sums = Sums(to[: len(where)], len(keys), values, module, where)
        self.rows, self.cols = keys // n, keys % n
        self.ends = np.searchsorted(self.rows, np.arange(n + 1)).astype(np.int32)
        self._indices, self._shape = self.cols.astype(np.int32), (n, n)

    def data(self) -> np.ndarray:
        """The present entries added up."""
        return self.sums.add().copy()

    def matrix(self, data: np.ndarray) -> csr_matrix:
        """The matrix of these entries; they are not copied."""
        return csr_matrix((data, self._indices, self.ends), self._shape)


class Linearised:
    """The linear equations of one step after the other.

    Args:
        state: a state of the run's problem, whose array is written.
        package: linear solver of the run.
        scale: ``scale(beta, gamma)``: value of one unit of each unknown, by local number.

    Attributes:
        K, C, M, N, J: see above, of the unknowns.
        scale_of: as given; ``scale``: of the present step.
        entries, matrix, ksp, b, x: J in the solver's units, its solver, vectors.
        memory: what N follows from.
    """

    K: csr_matrix
    C: csr_matrix
    M: csr_matrix
    N: csr_matrix | None
    J: csr_matrix

    def __init__(self, state: State, package: str, scale: Callable[[float, float], np.ndarray]):
        problem = state.problem
        self.state, self.scale_of, n = state, scale, state.local
        self.tangents = Tangents(state)
        pattern = self.tangents.pattern
        self.entries = np.zeros(len(pattern.rows))
        self.J = pattern.matrix(np.zeros(len(pattern.rows)))
        self.matrix = PETSc.Mat().createAIJWithArrays(
            (n, n),
            (self.J.indptr.astype(PETSc.IntType), self.J.indices.astype(PETSc.IntType),
             self.entries),
            comm=state.comm,
        )  # fmt: skip
        self.b, self.x = problem.x.duplicate(), problem.x.duplicate()
        self.ksp = PETSc.KSP().create(state.comm)
        plain = package == "petsc" and not len(solvers.border_of(problem))
        self._use("petsc" if plain else "mumps")
        self.scale = np.ones(n)
        self.memory = StartDependence(state)

    def _use(self, package: str) -> None:
        self.package = package
        self.ksp.reset()
        self.ksp.setOperators(self.matrix)
        if package == "petsc":
            solvers.configure(self.ksp, self.state, package)
        else:
            solvers.direct(self.ksp, self.matrix)

    def at(self, array: np.ndarray, beta: float, gamma: float) -> None:
        """Linearise about a state array, of a step with these da/dq and dv/dq."""
        self.K, self.C, self.M = self.tangents.at(array)
        self.N = self.memory.matrix()
        scale = self.scale_of(beta, gamma)[: self.state.local]
        self.scale = scale
        self.J.data[:] = self.K.data + gamma * self.C.data + beta * self.M.data
        pattern = self.tangents.pattern
        self.entries[:] = self.J.data * scale[pattern.rows] * scale[pattern.cols]
        self.matrix.assemble()
        self.ksp.setOperators(self.matrix)

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
        solve = self.ksp.solveTranspose if transposed else self.ksp.solve
        scale, b, x = self.scale, self.b, self.x
        found, left = np.zeros_like(rhs), rhs
        # rows in units in which all of them are forces alike
        size = np.abs(scale[:, None] * rhs).max(axis=0, initial=0.0)
        for _ in range(2):
            for k in range(rhs.shape[1]):
                b.array[:] = scale * left[:, k]
                solve(b, x)
                if self.ksp.reason < 0:
                    return None
                found[:, k] += scale * x.array_r
            left = rhs - J @ found
        error = np.abs(scale[:, None] * left).max(axis=0, initial=0.0)
        return found if np.all(error <= ACCURATE * size) else None

    def destroy(self) -> None:
        """Free PETSc's objects."""
        for item in (self.ksp, self.matrix, self.b, self.x):
            item.destroy()


class Factors:
    """Factors of a matrix whose rows and columns are in units of their own.

    Args:
        matrix: square.
        size: units of its rows and columns.
    """

    def __init__(self, matrix: csc_matrix, size: np.ndarray):
        self.matrix, self.size = matrix, size
        self._factors = splu((diags(size) @ matrix @ diags(size)).tocsc())

    def solve(
        self, rhs: np.ndarray, transposed: bool, refined: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Solutions, of the transpose where wanted, refined so many times, and their residuals."""
        size, matrix = self.size[:, None], self.matrix.T if transposed else self.matrix
        found, left = np.zeros_like(rhs), rhs
        for _ in range(refined + 1):
            found = found + size * self._factors.solve(size * left, "T" if transposed else "N")
            left = rhs - matrix @ found
        return found, left


class Tangents:
    """Derivatives of the residual by q, v and a each.

    Args:
        state: whose array is written.
    """

    def __init__(self, state: State):
        entries = state.problem.entries
        self.state, self._values = state, np.zeros(entries.count)
        some = None
        if entries.kept is not None:
            some = np.append(np.arange(entries.start), entries.start + entries.kept)
        self.pattern = Pattern(
            entries.rows, entries.cols, state.local, self._values, state.problem.module, some
        )

    def at(self, array: np.ndarray) -> tuple[csr_matrix, csr_matrix, csr_matrix]:
        """K, C and M at a state array, see ``State.derivatives``."""
        state, pattern = self.state, self.pattern
        state.array[:] = array
        k = self._sums(0.0, 0.0)
        heavy = 2.0 ** np.ceil(np.log2(np.max(np.abs(k), initial=1.0)) + 200)
        c = (self._sums(0.0, heavy) - k) / heavy
        m = (self._sums(heavy, 0.0) - k) / heavy
        state.array[:] = array
        return pattern.matrix(k), pattern.matrix(c), pattern.matrix(m)

    def _sums(self, beta: float, gamma: float) -> np.ndarray:
        """Entries of the tangent for given da/dq and dv/dq."""
        self._values[:] = self.state.tangent(beta, gamma)
        return self.pattern.data()


class StartDependence:
    """dF/dq_n, of the components whose forces know the start of the step.

    Attributes:
        batches: their kernels; ``None`` if there are none.
        own: entries of the unknowns.
    """

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
        self.batches = Batches(work, problem.module) if work else None
        if self.batches is not None:
            of = np.concatenate(rows), np.concatenate(cols)
            out, module = self.batches.out, problem.module
            self._pattern = Pattern(*of, state.total, out, module)
            self.own = Pattern(*of, state.local, out, module)
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
        if self.batches is None:
            return None
        self.batches.evaluate(self._state.address)
        found = self._pattern.matrix(self._pattern.data())
        return (self._values.T @ found @ self._values).tocsr()


def start_kernel(kind, comm) -> Compiled | None:
    """Kernel of the derivative of a kind's residual by q_n; ``None`` where it is zero."""

    def written(c: Symbols):
        form = ufl.replace(c.residual(), c._values())
        return ufl.derivative(form, c.q_n, ufl.TrialFunction(c.space))

    return compiled(kind, comm, "dF/dq_n", written)
