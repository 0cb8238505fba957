"""Newton's method for equilibrium, and load stepping."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np

from .._backend import PETSc
from ..core.blocks import holding
from ..core.newton import NewtonSolver
from ..core.roles import ROTATION
from ..core.settings import SolverSettings
from ..core.state import State
from ..core.symbols import PER_STEP
from .linearised import Linearised
from .rotation import RotatingFrame

#: ways to scale the loads
RAMPS = ("gravity", "loads", "time", "rotation")


class LoadProgram:
    """What the load factor scales, from 0 to 1.

    Args:
        state: state whose loads they are.
        time: time at factor 1, s: functions of time are evaluated at factor x time.
        ramp: which of ``RAMPS`` follow the factor; the others count in full.
        turning: a steady rotation.
    """

    def __init__(
        self, state: State, time: float, ramp: Sequence[str], turning: RotatingFrame | None
    ):
        self.state, self.time, self.ramp, self.turning = state, time, ramp, turning
        self.gravity = state.problem.gravity
        self._loads: list[tuple[np.ndarray, np.ndarray]] = []
        for c, numbers in zip(self.state.components, self.state.parameters, strict=True):
            for name in c.kind.dead_loads:
                if name in c.kind.parameters:
                    view = c.kind.column(numbers, name)
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


class Equilibrium(NewtonSolver):
    """Newton's method with rates and accelerations that follow from the coordinates.

    They are zero, or those of a steady rotation. Internal variables (order 1) keep their values.
    Constraints on velocities are applied to the displacement q - q0 of a step, as if it took one
    second: bodies roll to their equilibrium slowly. With ``factors(beta, 0)`` the equations contain
    the inertia of an acceleration beta (q - q0), which makes a step towards equilibrium from q0:
    the larger beta, the shorter the step.

    Args:
        state: the assembled system.
        turning: a steady rotation.
        settings: of the solver.
    """

    def __init__(self, state: State, turning: RotatingFrame | None, settings: SolverSettings):
        order = state.problem.order
        self.turning = turning
        self.rolls = state.problem.velocity_level
        #: internal variables, and coordinates that move
        self.held, self.moves = order == 1, order == 2
        # multigrid knows the rigid motions through the state's own matrix
        matrix = None if settings.solver == "iterative" else state.problem.matrix()
        super().__init__(state, settings, matrix)
        self.v0[:] = np.where(self.held, state.v, 0.0)[: state.local]

    lean = False  # what SNES calls is in Python

    # --- what SNES calls: the compiled residual and tangent are those of a step -----------------
    def _share(self):
        super()._share()
        self.shared.set(build=self._lib.fc_call_build)

    def _attach(self, snes):
        super()._attach(snes)
        # PETSc's references are invisible to Python's collector: it must not hold this object
        snes.setFunction(partial(type(self)._function, weakref.proxy(self)), self.f)

    def _function(self, snes, x, f):
        self.set(self.state.spread(x.array_r))
        f.array_w[:] = self.rows()

    def _iterate(self, time: float, full: bool) -> int:
        return self._iterate_late(time, full)  # petsc4py knows what Python has raised

    def destroy(self) -> None:
        super().destroy()
        if self.A is not self.state.A:
            self.A.destroy()

    # --- equations ------------------------------------------------------------------------------
    def set(self, x):
        c, state, n = self.c, self.state, self.state.local
        state.globals[1:3], state.globals[PER_STEP] = (0.0, c.beta), c.per_step
        d = x * state.scale[:n]
        state.q[:n] = self.q0 + d
        state.v[:n], state.a[:n] = self.v0, 0.0
        if self.turning is not None:
            v, a = self.turning.motion()
            state.v[:n] += v
            state.a[:n] = a
        state.a[:n] += c.beta * d * self.moves[:n]

    def rows(self):
        state = self.state
        rows = state.residual().copy()
        if self.rolls.any():
            with self._on_the_way():
                rolled = state.residual().copy()
            state.residual()  # the sizes of its terms are read later
            rows[self.rolls] = rolled[self.rolls]
        rows[self.held] = 0.0
        return state.add_over_ranks(rows * state.scale)

    @contextmanager
    def _on_the_way(self):
        """Within this context, rates are those of the displacement from q0 in one second."""
        state, n = self.state, self.state.local
        kept = state.v.copy()
        state.v[:n] += (state.q[:n] - self.q0) * self.moves[:n]
        try:
            yield
        finally:
            state.v[:] = kept

    def tangent(self, beta: float) -> np.ndarray:
        """The tangent of the equations, unscaled, without internal variables."""
        state = self.state
        if self.turning is not None:
            linear = Linearised(state, self.turning)
            return linear.K + beta * linear.M
        values = state.tangent(beta, 0.0).copy()
        if self.rolls.any():
            rolls = state.problem.entries.in_rows(self.rolls)
            with self._on_the_way():
                values[rolls] = state.tangent(0.0, 1.0)[rolls]
            state.globals[1:3] = 0.0, beta
        if self.held.any():
            values[self.held[state.problem.coo_rows] | self.held[state.problem.coo_cols]] = 0.0
        return values

    def linear(self) -> Linearised:
        """The system linearised about the present state."""
        return Linearised(self.state, self.turning)

    def build(self):
        self.assemble(self.tangent(self.c.beta))

    def assemble(self, values: np.ndarray) -> PETSc.Mat:
        """The matrix of a tangent, scaled, with ones for internal variables."""
        state = self.state
        values = state.problem.entries.scaled(values, state.scale)
        state.problem.fill(self.A, values, self.held[: state.owned])
        return self.A

    def solve(self, time: float = 0.0, full: bool = True) -> bool:
        found = super().solve(time, full)
        if self.code:  # for example, MUMPS found a singular matrix: the vectors are new
            self.f.array[:] = self.rows()
        return found

    def balanced(self) -> bool:
        """Whether the present state is an equilibrium."""
        self.factors(0.0, 0.0)
        self.recount()
        self.set(self.state.spread(self.x.array_r))
        self.f.array[:] = self.rows()
        return self.scaled_residual() <= 1.0

    def recount(self) -> None:
        """Count increments from the present state, within the step that has begun."""
        state, n = self.state, self.state.local
        free = state.problem.dynamic[:n]
        self.q0[:] = state.q[:n] * free
        self.guess((state.q[:n] * (1 - free))[: state.owned])

    def restart(self) -> None:
        """Begin a step at the present state."""
        self.recount()
        self.state.q_n[:] = self.state.q

    # --- scales ---------------------------------------------------------------------------------
    def rescale(self) -> None:
        """Judge residuals by the present loads, and scale constraints and multipliers by the
        stiffness of what they hold."""
        state, tolerances = self.state, self.tolerances
        state.residual()
        forces = tolerances.forces()
        tolerances.force_scale[:], tolerances.known = forces, True
        stiffness = self.linear().stiffness()
        stiffness = np.where(stiffness > 0, stiffness, np.where(forces > 0, forces, 1.0))
        stiffness = stiffness[state.problem.row_class]
        state.scale[:] = np.where(
            state.problem.constrained,
            stiffness,
            np.where(state.problem.algebraic, state.problem.unit, 1.0),
        )
        self.refresh()
        self.rescaled()


# --- motions ------------------------------------------------------------------------------------
def describe_motion(state: State, motion: np.ndarray) -> str:
    """The largest displacement of a motion (by global number), in words."""
    size = np.where(np.isfinite(motion), np.abs(motion), 0.0)
    number = int(np.argmax(size))
    block = holding(state.problem.blocks, number)
    if block is None:
        return "an unknown moves freely"
    if block.role.quantity == ROTATION:
        return f"{block.owner} turns freely"
    width = block.width if block.width > 1 else 3  # a plane solid's nodes have two unknowns
    if block.spread is None:
        place = int(np.flatnonzero(block.numbers == number)[0])
    elif block.whole:
        place = int(number - next(a for a, b in block.spread.runs if a <= number < b))
    else:
        return f"{block.owner} moves freely"
    axis = "xyz"[place % width]
    return f"{block.owner} moves freely along {axis}"
