"""A system linearised about its present state: M x'' + C x' + K x = 0, multipliers included."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .._backend import MPI, PETSc
from ..core import linear_solvers as solvers
from ..core.state import State
from ..errors import SingularSystem
from .rotation import RotatingFrame

#: stiffness of a motion that is round-off, relative to the sum of the sizes of its parts
ROUND = 1e-14
#: stiffness that counts as none, relative to that of the fastest motion
NOTHING = 1e-8


class Linearised:
    """Derivatives of the residual at the present state.

    Args:
        state: the assembled system.
        turning: a steady rotation: x is seen from the turning frame, where (rotation.py)
            K + C w + M w w and C + 2 M w take the places of K and C.

    Attributes:
        K, C, M: derivatives by coordinates, rates and accelerations: as of ``State.derivatives``.
        order: order of each unknown (local).
        sizes: sums of the sizes of the terms of which the entries of K are sums.
        held: unknowns (local) that take no part: internal variables, unless ``follow_internal``.
    """

    def __init__(self, state: State, turning: RotatingFrame | None = None):
        self.state = state
        self.order = state.problem.order
        self.held = self.order == 1
        self.K, self.C, self.M = state.derivatives()
        self._rates()
        self.sizes = np.abs(self.K)
        if turning is not None:
            by_q, by_v = _turned(state, turning, self.C, self.M)
            self.K, self.C = self.K + by_q, self.C + by_v
            self.sizes += np.abs(by_q)
        self._hide()
        self.residual_stiffness = self._residual_stiffness()

    def _rates(self):
        """Constraints on velocities are A x' = 0 at rest, hence A x = 0 for any motion."""
        rated = self.state.problem.entries.in_rows(self.state.problem.velocity_level)
        self.K[rated], self.C[rated] = self.C[rated], 0.0

    def _hide(self):
        """Set entries of held unknowns to zero."""
        self._whole = self.K, self.C, self.M
        if not self.held.any():
            return
        self._whole = self.K.copy(), self.C.copy(), self.M.copy()
        hidden = self.held[self.state.problem.coo_rows] | self.held[self.state.problem.coo_cols]
        for values in (self.K, self.C, self.M, self.sizes):
            values[hidden] = 0.0

    def follow_internal(self) -> None:
        """Include internal variables: their unknown in x is the variable itself, the rate of a
        dummy coordinate, so that one time derivative less is taken of it."""
        self.K, self.C, self.M = self._whole
        if not self.held.any():
            return
        columns = self.held[self.state.problem.coo_cols]
        self.K[columns], self.C[columns] = self.C[columns], self.M[columns]
        self.M[columns] = 0.0
        self.held = np.zeros_like(self.held)

    # --- scales ---------------------------------------------------------------------------------
    def diagonal(self, values: np.ndarray) -> np.ndarray:
        """Sizes of the owned diagonal entries of coordinates; collective."""
        state = self.state
        sums = state.problem.entries.diagonal(values)
        return np.abs(state.add_over_ranks(sums)) * (self.order[: state.owned] == 2)

    def fast(self) -> float:
        """Largest stiffness by inertia of a coordinate, 1/s^2; collective."""
        stiff, mass = self.diagonal(self.K), self.diagonal(self.M)
        value = float(np.max(stiff[mass > 0] / mass[mass > 0], initial=0.0))
        return self.state.comm.allreduce(value, op=MPI.MAX)

    def stiffness(self) -> np.ndarray:
        """Largest stiffness of each class of rows, N/m or N m, 0 where there is only round-off;
        collective."""
        classes = len(self.state.problem.row_names)
        stiff, mass = (self.state.largest(self.diagonal(z), classes) for z in (self.K, self.M))
        return np.where(stiff > NOTHING * self.fast() * mass, stiff, 0.0)

    def times(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A x by local number, not yet added over ranks; ``x`` by local number too."""
        return self.state.problem.entries.times(values, x)

    def bilinear(self, values: np.ndarray, x: np.ndarray, y: np.ndarray) -> complex:
        """x*.A y for vectors by global number (x*: the conjugate); collective."""
        here = np.sum(self.local(x).conj() * self.times(values, self.local(y)))
        return self.state.comm.allreduce(complex(here), op=MPI.SUM)

    def freedoms(self) -> int:
        """Number of motions: coordinates with inertia, less constraints; collective."""
        state, n = self.state, self.state.owned
        here = np.count_nonzero(self.diagonal(self.M)) - np.count_nonzero(
            state.problem.constrained[:n]
        )
        return state.comm.allreduce(here, op=MPI.SUM)

    def product(self, values: np.ndarray, x: np.ndarray) -> float:
        """Real part of x*.A x; collective."""
        return self.bilinear(values, x, x).real

    def parts(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Real parts of x*.A x, unknown by unknown, by global number; collective."""
        state, mine = self.state, self.local(x)
        return state.everything(state.add_over_ranks((mine.conj() * self.times(values, mine)).real))

    def local(self, x: np.ndarray) -> np.ndarray:
        """A vector by global number as one by local number."""
        state = self.state
        mine = np.zeros(state.total, x.dtype)
        mine[: state.local] = x[state.numbers[: state.local]]
        return mine

    def resistance(self, x: np.ndarray) -> float:
        """x*.K x, or zero if it is not certain; collective."""
        value = self.product(self.K, x)
        return value if abs(value) > self.uncertainty(x) else 0.0

    def uncertainty(self, x: np.ndarray) -> float:
        """Largest part of x*.K x that may be due to round-off, or to forces that are not quite
        balanced (which may or may not turn with the bodies). Collective."""
        parts = self.product(self.sizes, np.abs(x))
        parts += NOTHING * self.fast() * self.product(self.M, x)
        sizes = np.abs(x[self.state.problem.low : self.state.problem.low + self.state.owned])
        largest = self.state.largest(sizes, len(self.residual_stiffness))
        return ROUND * parts + 10 * float(self.residual_stiffness @ largest**2)

    def _residual_stiffness(self) -> np.ndarray:
        """Apparent stiffness of each class of rows that is due to the residual: the residual of
        the coordinates, at most as large as in an equilibrium, divided by their size; N/m for
        positions, N m for directions."""
        state, classes = self.state, len(self.state.problem.row_names)
        moves = (self.order == 2)[: state.owned]
        rows = np.abs(state.add_over_ranks(state.residual())) * moves
        forces = state.largest(state.add_over_ranks(state.problem.sizes()) * moves, classes)
        kind = state.problem.row_class[: state.owned]
        sums = np.bincount(kind, np.minimum(rows, 1e-8 * forces[kind]), classes)
        sizes = ((np.abs(state.q) + state.problem.offset_magnitude)[: state.owned]) * moves
        sizes = state.largest(sizes, classes)
        return state.comm.allreduce(sums, op=MPI.SUM) / np.where(sizes > 0, sizes, 1.0)

    def coordinates(self, x: np.ndarray) -> np.ndarray:
        """A vector by global number without its algebraic and internal unknowns; collective."""
        moves = self.state.everything((self.order == 2).astype(float)) > 0
        return np.where(moves, x, 0.0)

    def following(self, x: np.ndarray) -> np.ndarray:
        """A vector by global number without multipliers of constraints and internal variables:
        other algebraic unknowns follow the coordinates, a part of the stiffness. Collective."""
        kept = (self.order == 2) | (self.order == 0) & ~self.state.problem.constrained
        return np.where(self.state.everything(kept.astype(float)) > 0, x, 0.0)

    # --- matrices -------------------------------------------------------------------------------
    def assemble(self, values: np.ndarray, identity: float = 0.0) -> PETSc.Mat:
        """A matrix of its own, multipliers in the state's scale; ``identity``: diagonal of held
        unknowns. The caller destroys it."""
        state, A = self.state, self.state.problem.matrix()
        values = state.problem.entries.scaled(values, state.scale)
        state.problem.fill(A, values, identity * self.held[: state.owned])
        return A

    def dense(self, values: np.ndarray, identity: float = 0.0) -> np.ndarray:
        """The same, dense, on every rank."""
        state = self.state
        free = (state.problem.coo_rows < state.local) & (state.problem.coo_cols < state.local)
        rows, cols = state.problem.coo_rows[free], state.problem.coo_cols[free]
        entries = values[free] * state.scale[rows] * state.scale[cols]
        A = np.zeros((state.size, state.size))
        np.add.at(A, (state.numbers[rows], state.numbers[cols]), entries)
        A = state.comm.allreduce(A, op=MPI.SUM)
        return A + identity * np.diag(state.everything(self.held.astype(float)))

    def solve(self, values: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        """Solution with a matrix, both in the state's scale, by global number; collective.

        Raises:
            SingularSystem: the matrix has no inverse.
        """
        state = self.state
        A = self.assemble(values, 1.0)
        factors = solvers.Factors(A)
        try:
            x = factors.solve(rhs[state.problem.low : state.problem.low + state.owned])
        finally:
            factors.destroy()
            A.destroy()
        return state.everything(x)

    @cached_property
    def potential(self) -> np.ndarray:
        """K without the coupling to algebraic unknowns that act on nothing (gaps of nodes that do
        not touch): they follow the coordinates and do not affect the energy. Collective."""
        state, entries = self.state, self.state.problem.entries
        rows, cols = entries.point_rows, entries.point_cols
        beside = np.flatnonzero((rows != cols) & (self.order == 0)[cols])
        acts = np.bincount(
            cols[beside], np.abs(self.K[entries.start :][beside]), minlength=state.total
        )
        silent = state.add_over_ranks(acts) == 0
        silent &= ((self.order == 0) & ~state.problem.constrained)[: state.owned]
        if not state.comm.allreduce(bool(np.any(silent)), op=MPI.LOR):
            return self.K
        silent = np.append(state.spread(silent.astype(float)) > 0, np.zeros(state.total, bool))
        K = self.K.copy()
        K[entries.start :][silent[rows] & (rows != cols)] = 0.0
        return K

    @property
    def symmetric(self) -> bool:
        """Whether K is symmetric, so that the forces have a potential; tested with two vectors,
        collective."""
        x, y = np.random.default_rng(3).standard_normal((2, self.state.size))
        there, back = (self.bilinear(self.potential, *z) for z in ((x, y), (y, x)))
        return abs(there - back) <= 1e-12 * self.product(np.abs(self.K), np.abs(x))

    def stable(self) -> bool | None:
        """Whether the potential has a minimum here among the motions that constraints allow;
        ``None`` for forces without a potential. Collective.

        Sylvester's law of inertia: K bordered by the algebraic unknowns z has the negative
        eigenvalues of K after their elimination, those of their own block D, and one more for each
        direction in which D vanishes, where z enforces a constraint. A small multiple of the
        inertia is added to tell motions without resistance from directions in which the energy
        decreases. Displacements without mass are motions: the energy must be minimal along them as
        well.
        """
        if not self.symmetric:
            return None
        state, n = self.state, self.state.owned
        algebraic = (self.order == 0) & (state.problem.offset_magnitude == 0)
        count = state.comm.allreduce(int(np.count_nonzero(algebraic[:n])), op=MPI.SUM)
        K = self.potential
        inner, some = np.zeros_like(K), state.problem.entries.in_rows(algebraic)
        rows, cols = state.problem.entries.at(some)
        inner[some] = K[some] * algebraic[cols]
        sizes = np.bincount(rows, np.abs(inner[some]), state.total)
        empty = state.add_over_ranks(sizes) == 0
        if state.comm.allreduce(bool(np.all(empty)), op=MPI.LAND):
            positive = 0
        else:
            positive = self._inertia(inner, -1.0 * empty)[2]
        whole = K + 1e-12 * self.fast() * self.M
        return bool(self._inertia(whole, 1.0 * self.held[:n])[0] <= count - positive)

    def _inertia(self, values: np.ndarray, diagonal: np.ndarray) -> tuple[int, int, int]:
        """Numbers of negative, zero and positive eigenvalues of a symmetric matrix, by Sylvester's
        law from its factors; ``diagonal``: added to it, owned values. Collective."""
        state, A = self.state, self.state.problem.matrix()
        state.problem.fill(A, state.problem.entries.scaled(values, state.scale), diagonal)
        A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
        pc = PETSc.PC().create(state.comm)
        pc.setOperators(A)
        pc.setType("cholesky")
        pc.setFactorSolverType("mumps")
        pc.setFactorSetUpSolverType()
        factors = pc.getFactorMatrix()
        factors.setMumpsIcntl(14, solvers.ROOM)
        factors.setMumpsIcntl(13, 1)  # inertia of the whole matrix on several ranks
        factors.setMumpsIcntl(24, 1)
        pc.setUp()
        inertia = factors.getInertia()
        pc.destroy()
        A.destroy()
        return inertia


def _turned(state: State, turning: RotatingFrame, C, M) -> tuple[np.ndarray, np.ndarray]:
    """What a steady rotation adds to K and C: C w + M w w and 2 M w."""
    by_q, by_v, problem, at = np.zeros_like(M), np.zeros_like(M), state.problem, 0
    if (filled := problem.entries.filled) is not None:
        at, w = filled.count, turning.sparse()
        damping, mass = (filled.sparse(z[:at]) for z in (C, M))
        mass = mass @ w
        by_q[:at], by_v[:at] = filled.values(damping @ w + mass @ w), 2 * filled.values(mass)
    for k, c in enumerate(state.components):
        if c.tangent is None or problem.fills(c):
            continue
        part = slice(at, at + c.count * c.dofs**2)
        at = part.stop
        damping, mass = (z[part].reshape(c.count, c.dofs, c.dofs) for z in (C, M))
        w = turning.by_rate(k)
        mass = mass @ w
        by_q[part], by_v[part] = (damping @ w + mass @ w).ravel(), 2 * mass.ravel()
    return by_q, by_v


def free_motion(linear: Linearised) -> np.ndarray | None:
    """A motion without resistance, by global number, or ``None``; collective.

    Inverse iteration from a random load, which moves the system mostly along such a motion.
    """
    state = linear.state
    x = np.random.default_rng(7).standard_normal(state.size)
    shift = 1e-16 * linear.fast() or 1.0
    massless = not state.comm.allreduce(bool(np.any(linear.M)), op=MPI.LOR)
    A = linear.assemble(linear.K + shift * linear.M, 1.0)
    factors = solvers.Factors(A)
    try:
        for _ in range(3):
            load = state.add_over_ranks(linear.times(linear.M, linear.local(x)))
            if massless:
                load = x[state.problem.low : state.problem.low + state.owned]
            x = linear.coordinates(state.everything(factors.solve(load)))
            if not x.any():  # no coordinates: nothing that could move
                return None
            x /= np.abs(x).max()
    except SingularSystem:
        return x
    finally:
        factors.destroy()
        A.destroy()
    return None if linear.resistance(x) else x
