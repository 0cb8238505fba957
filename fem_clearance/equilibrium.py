"""Newton's method for equilibrium, and motions that no force resists."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ._backend import MPI, PETSc
from .errors import SingularSystem
from .newton import Newton
from .rotation import Turning
from .state import State
from .unknowns import ROTATION, TRANSLATION

if TYPE_CHECKING:
    from .system import System

logger = logging.getLogger(__name__)

#: ways to scale the loads
RAMPS = ("gravity", "loads", "time", "rotation")


class Ramp:
    """What the load factor scales, from 0 to 1.

    Args:
        system: assembled.
        time: value of the time at factor 1, s: functions of time are taken at factor x time.
        ramp: which of ``RAMPS`` follow the factor; the others count in full.
        turning: a steady rotation.
    """

    def __init__(self, system: System, time: float, ramp: Sequence[str], turning: Turning | None):
        self.state, self.time, self.ramp, self.turning = system.assembled, time, ramp, turning
        self.gravity = system.gravity
        self._loads: list[tuple[np.ndarray, np.ndarray]] = []
        for c, numbers in zip(self.state.components, self.state.parameters, strict=True):
            for name in c.kind.dead_loads:
                if name in c.kind.parameters:
                    view = numbers[:, c.kind.columns(c.kind.parameters, name)]
                    self._loads.append((view, view.copy()))

    def set(self, factor: float) -> None:
        """Put the loads of a factor into the state."""
        part = {name: factor if name in self.ramp else 1.0 for name in RAMPS}
        self.state.globals[0] = part["time"] * self.time
        self.state.globals[3:6] = part["gravity"] * self.gravity
        for view, full in self._loads:
            view[:] = part["loads"] * full
        if self.turning is not None:
            self.turning.factor = part["rotation"]


class Equilibrium(Newton):
    """Newton's method with rates and accelerations that follow from the coordinates.

    They are zero, or those of a steady rotation. Internal variables (order 1) keep their values.
    With ``factors(beta, 0)`` the equations gain the inertia of an acceleration beta (q - q0): a
    step towards equilibrium from q0 that is the shorter the larger beta is.

    Args:
        state: the assembled system.
        turning: a steady rotation.
        tolerance, options, max_iterations: see ``Newton``.
    """

    def __init__(
        self, state: State, turning: Turning | None = None, tolerance=1e-9, options=None,
        max_iterations=25,
    ):  # fmt: skip
        order = np.zeros(sum(len(b.values) for b in state.blocks), int)
        for b in state.blocks:
            order[b.numbers] = b.order
        self.turning, self.A = turning, state.matrix()
        self.coo = np.zeros_like(state.coo)
        #: internal variables, and coordinates that move
        self.held = order[state.numbers] == 1
        self.moves = order[state.numbers] == 2
        super().__init__(state, tolerance, max_iterations, options)
        self.snes.destroy()
        self.use("mumps")
        self.v0[:] = np.where(self.held, state.v, 0.0)[: state.local]

    def _attach(self, snes):
        me = weakref.proxy(self)  # PETSc's references are invisible to Python's collector
        snes.setFunction(partial(Equilibrium._function, me), self.f)
        snes.setJacobian(partial(Equilibrium._jacobian, me), self.A)
        snes.setConvergenceTest(partial(Equilibrium._converged, me))

    def destroy(self) -> None:
        """Free PETSc's objects; collective."""
        for item in (self.snes, self.A, self.x, self.f):
            item.destroy()

    # --- equations ------------------------------------------------------------------------------
    def set(self, x):
        c, state, n = self.c, self.state, self.state.local
        state.globals[1:3] = 0.0, c.beta
        d = x * state.scale[:n]
        state.q[:n] = self.q0 + d
        state.v[:n], state.a[:n] = self.v0, 0.0
        if self.turning is not None:
            v, a = self.turning.motion()
            state.v[:n] += v
            state.a[:n] = a
        state.a[:n] += c.beta * d * self.moves[:n]

    def rows(self) -> np.ndarray:
        """Scaled residual of the owned rows at the present state."""
        rows = self.state.residual() * self.state.scale
        rows[self.held] = 0.0
        return self.state.add_over_ranks(rows)

    def _function(self, snes, x, f):
        self.set(self.state.spread(x.array_r))
        f.array_w[:] = self.rows()

    def tangent(self, beta: float) -> np.ndarray:
        """Cell tangents in COO order of the equations, unscaled, without internal variables."""
        state = self.state
        values = state.tangent(beta, 0.0).copy()
        if self.turning is not None:
            values += self._by_turning()
        values[self.held[state.coo_rows] | self.held[state.coo_cols]] = 0.0
        return values

    def _by_turning(self) -> np.ndarray:
        """What rates and accelerations of the rotation add to the derivative by coordinates."""
        _, C, M = derivatives(self.state)
        return turned(self.state, self.turning, C, M)[0]

    def build(self):
        self.assemble(self.tangent(self.c.beta))

    def assemble(self, values: np.ndarray) -> PETSc.Mat:
        """The matrix from cell tangents, scaled, with ones for internal variables."""
        state, m = self.state, len(values)
        self.coo[:m] = values * state.scale[state.coo_rows] * state.scale[state.coo_cols]
        self.coo[m:] = self.held[: state.owned]
        self.A.setValuesCOO(self.coo, PETSc.InsertMode.INSERT_VALUES)
        return self.A

    def imbalance(self) -> float:
        value = float(np.max(np.abs(self.rows()) * self.weights, initial=0.0))
        return self.state.comm.allreduce(value, op=MPI.MAX)

    def balanced(self) -> bool:
        """Whether the present state is an equilibrium."""
        self.factors(0.0, 0.0)
        self.restart()
        self.set(self.state.spread(self.x.array_r))
        if not self.known:
            self.refresh()
        self.f.array[:] = self.rows()
        return self.imbalance() <= 1.0

    def restart(self) -> None:
        """Count increments from the present state."""
        state, n = self.state, self.state.local
        free = state.dynamic[:n]
        self.q0[:] = state.q[:n] * free
        self.guess((state.q[:n] * (1 - free))[: state.owned])
        state.q_n[:] = state.q

    def relaxed(self) -> bool:
        """Whether all accelerations towards equilibrium could be left out at the present state."""
        self.factors(0.0, 0.0)
        self.set(self.state.spread(self.x.array_r))
        return self.imbalance() <= 1.0

    # --- scales ---------------------------------------------------------------------------------
    def stiffness(self) -> np.ndarray:
        """Largest stiffness of each class of rows, N/m or N m; from forces where there is none."""
        state = self.state
        diagonal = state.coo_rows == state.coo_cols
        values = np.bincount(
            state.coo_rows[diagonal], state.tangent(0.0, 0.0)[diagonal], state.total
        )
        values = np.abs(state.add_over_ranks(values)) * self.moves[: state.owned]
        result = state.largest(values, len(self.force_scale))
        state.residual()
        forces = self._forces()
        return np.where(result > 0, result, np.where(forces > 0, forces, 1.0))

    def rescale(self) -> None:
        """Constraints and multipliers in units of the stiffness of what they hold."""
        state = self.state
        stiffness = self.stiffness()[state.row_class]
        state.scale[:] = np.where(
            state.constrained, stiffness, np.where(state.algebraic, state.unit, 1.0)
        )
        self.rescaled()


# --- derivatives by coordinates, rates and accelerations ------------------------------------------
def derivatives(state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cell derivatives of the residual by q, v and a in COO order.

    Factors far above the stiffness keep rates and inertia free of its round-off.
    """
    K = state.tangent(0.0, 0.0).copy()
    largest = state.comm.allreduce(float(np.max(np.abs(K), initial=1.0)), op=MPI.MAX)
    heavy = 2.0 ** np.ceil(np.log2(largest) + 60)
    C = (state.tangent(0.0, heavy) - K) / heavy
    M = (state.tangent(heavy, 0.0) - K) / heavy
    return K, C, M


def turned(state: State, turning, C, M) -> tuple[np.ndarray, np.ndarray]:
    """What a steady rotation adds to the derivatives by q and by v: C w + M w w and 2 M w."""
    by_q, by_v, at = np.zeros_like(M), np.zeros_like(M), 0
    for k, c in enumerate(state.components):
        if c.tangent is None:
            continue
        w, part = turning.by_rate(k), slice(at, at + c.count * c.dofs**2)
        at = part.stop
        damping, mass = (z[part].reshape(c.count, c.dofs, c.dofs) for z in (C, M))
        mass = mass @ w
        by_q[part] = (damping @ w + mass @ w).ravel()
        by_v[part] = 2 * mass.ravel()
    return by_q, by_v


# --- direct solves --------------------------------------------------------------------------------
class Factors:
    """A matrix factorised by MUMPS.

    Raises:
        SingularSystem: by ``solve``, if it cannot be.
    """

    def __init__(self, A: PETSc.Mat):
        self.ksp = PETSc.KSP().create(A.comm)
        self.ksp.setOperators(A)
        self.ksp.setType("preonly")
        self.ksp.getPC().setType("lu")
        self.ksp.getPC().setFactorSolverType("mumps")
        self.b, self.x = A.createVecs()

    def solve(self, rhs: np.ndarray) -> np.ndarray:
        """Solution, owned values."""
        self.b.array[:] = rhs
        self.ksp.solve(self.b, self.x)
        if self.ksp.reason < 0 or not np.isfinite(self.x.norm()):
            raise SingularSystem("the linear solver failed")
        return self.x.array_r.copy()

    def destroy(self) -> None:
        for item in (self.ksp, self.b, self.x):
            item.destroy()


# --- motions that nothing resists -----------------------------------------------------------------
#: stiffness of a motion by its inertia, relative to the largest of the system, that is round-off
LOOSE = 1e-14


def free_motion(equations: Equilibrium) -> str | None:
    """Name of what moves without resistance at the present state, or ``None``; collective.

    One step of inverse iteration: a random load moves the system mostly along such a motion, whose
    stiffness y.K y over its inertia y.M y then is round-off.
    """
    state = equations.state
    K, _, M = derivatives(state)
    K = equations.tangent(0.0) if equations.turning is not None else K
    own = state.coo_rows == state.coo_cols
    diagonals = (state.add_over_ranks(np.bincount(state.coo_rows[own], z[own], state.total))
                 for z in (K, M))  # fmt: skip
    moves = equations.moves[: state.owned]
    stiff, mass = (np.abs(d) * moves for d in diagonals)
    fastest = float(np.max(stiff[mass > 0] / mass[mass > 0], initial=0.0))
    fastest = state.comm.allreduce(fastest, op=MPI.MAX)
    A = equations.assemble(equations.tangent(1e-16 * fastest if fastest > 0 else 1.0))
    equations.rebuild = True
    load = np.random.default_rng(7).standard_normal(state.size)[state.numbers[: state.owned]]
    factors = Factors(A)
    try:
        y = factors.solve(load * mass)
    except SingularSystem:
        return "the system"
    finally:
        factors.destroy()
    y = state.spread(y * moves)
    y = np.append(y, np.zeros(state.total - state.local))
    resistance, inertia = (
        float(np.sum(y[state.coo_rows] * z * y[state.coo_cols])) for z in (K, M)
    )
    resistance, inertia = state.comm.allreduce(np.array([resistance, inertia]))
    if abs(resistance) > LOOSE * fastest * inertia:
        return None
    return mover(state, y, equations.moves)


def mover(state: State, motion: np.ndarray, moves: np.ndarray) -> str:
    """Name of the unknown that moves most in a motion (local); collective."""
    size = np.abs(motion[: state.owned]) * moves[: state.owned]
    size = np.where(np.isfinite(size), size, 0.0)
    k = int(np.argmax(size)) if len(size) else -1
    mine = (float(size[k]), int(state.numbers[k])) if k >= 0 else (-1.0, -1)
    number = max(state.comm.allgather(mine))[1]
    block = next(b for b in state.blocks if number in b.numbers)
    owner, _, what = block.name.rpartition(".")
    axis = "xyz"[int(np.flatnonzero(block.numbers == number)[0]) % 3]
    if block.row == ROTATION:
        return f"{owner} turns freely ({what})"
    how = "moves" if block.row == TRANSLATION else "changes"
    return f"{owner or block.name} {how} freely along {axis}"
