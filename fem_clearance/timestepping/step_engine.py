"""What the time integrators share: solving a step, rejecting it, starting and restarting."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .. import checks
from ..core.compiled.shared import fill
from ..core.levels import FAST
from ..core.newton import NewtonSolver
from ..errors import NoSolution, StepFailed
from .inertial_start import by_inertia
from .integrator import CONSTRAINTS
from .rotations import Bodies, DirectorRotation
from .stabilised import Stabilised
from .velocity_constraints import VelocityConstraints

logger = logging.getLogger(__name__)

#: iterations that the trial steps of a start may take
START_ITERATIONS = 100


class StepEngine(ABC):
    """A time integrator at work on one system; subclasses define a step.

    Arrays are by local number. Values of other ranks' unknowns are computed on both ranks and not
    sent.

    Args:
        newton: solver of the system.
        constraints: ``"position"`` (index 3) or ``"stabilised"`` (index 2: velocities too).
        names: names of the scheme's own vectors.

    Attributes:
        t: present time, s.
        h_old, h_older: lengths of the last step and the one before, s; ``None`` without them.
        old: accelerations of coordinates, values of algebraic unknowns, before the last step; the
            next first guess extrapolates them.
        own: these vectors.
        history: arrays that a step needs beside the state.
        velocities: the constraints on velocities.
        bodies: the rigid bodies.
        stabiliser, turning: what holds velocities too, and how bodies turn within a step; ``None``
            with constraints on positions alone.
    """

    #: solves of a step
    substeps = 1
    #: C in the local error C h^3 d^3q/dt^3 of a step
    error_constant: float
    #: root of the sum of squares of the accelerations that follow a disturbance of a constraint, in
    #: units of da/dq times the disturbance
    answer = 1.0
    #: local error of a contact's motion, (omega h)^2/12, above which a fixed step is cut: 57 steps
    #: an oscillation return the restitution to half a percent
    bearable = 1e-3
    #: of accuracy
    order = 2

    def __init__(
        self, newton: NewtonSolver, constraints: str = "position", names: tuple[str, ...] = ()
    ):
        self.newton, self.state = newton, newton.state
        self.stabilised = checks.choice("constraints", constraints, CONSTRAINTS) == CONSTRAINTS[1]
        module: Any = self.state.problem.module
        self._ffi, self._lib = module.ffi, module.lib
        n = self.state.local
        self.dynamic = self.state.problem.dynamic[:n]
        self.masses = np.ones(self.state.total)
        self.velocities = VelocityConstraints(newton, self.masses)
        self.old = np.zeros(n)
        self.own = np.zeros((len(names), n))
        self.history = {"old": self.old, **dict(zip(names, self.own, strict=True))}
        #: the same for the compiled functions, ``fc_history`` of steps.h
        self.past_of_step = module.ffi.new("fc_history *")
        self.errors = np.zeros(self.state.owned)
        self._shown = fill(module.ffi, self.past_of_step, {"old": self.old})
        self.bodies = Bodies(self.state)
        turns = self.stabilised and self.bodies.any
        self.turning = DirectorRotation(self.bodies, newton) if turns else None
        self.h_old: float | None = None  # no step behind us: nothing to extrapolate
        self.h_older: float | None = None
        self.h_factors: float | None = None
        #: step that the velocities' violation of the constraints belongs to, s; ``None``: there is
        #: none
        self.violated: float | None = None
        #: fraction of the velocities' violation of constraints that has not been removed since this
        #: was last set to 1, for records of a run (sensitivity/recording.py)
        self.left = 1.0
        #: of the last restart the trial steps' lengths, and the state arrays at their ends, where
        #: these are kept: for derivatives of a run
        self.trials: list[tuple[float, np.ndarray]] = []
        self.keeps_trials = False
        self.t = 0.0
        self.saved_numbers: tuple = (None, None, 0.0)
        self._kept = [self.state.array, self.old, self.own]
        self.stabiliser = None
        if self.stabilised:
            self.stabiliser = Stabilised(newton, self.velocities, self.substeps)
            self._kept.append(self.stabiliser.taken)
            self.history |= {f"taken_{k}": z for k, z in enumerate(self.stabiliser.taken)}
        if self.turning:
            past = self.turning.past
            self._kept.append(past)
            for name, z in zip(("q_1", "v_1", "q_2", "v_2"), past[:, :n], strict=True):
                self.history[f"turning.{name}"] = z
        self._saved = [np.zeros_like(z) for z in self._kept]
        problem = self.state.problem
        some = np.flatnonzero(problem.algebraic)
        numbers = {
            "number": some, "constrained": problem.constrained[some], "unit": problem.unit[some],
            "rated": problem.velocity_level[some], "masses": self.masses, "scale": self.state.scale,
        }  # fmt: skip
        self._scaling = module.ffi.new("fc_scaling *")
        self._scaling.count = len(some)
        self._shown += fill(module.ffi, self._scaling, numbers)

    def _hold_constraints(self, on_positions: float, on_velocities: float) -> None:
        """Divide Newton's tolerance of constraints by these gains.

        Constraint rows are scaled such that a residual in one step changes forces by as much in
        that step; over the following steps, accelerations and multipliers respond with up to the
        gain times that.
        """
        state = self.state
        gain = np.where(state.problem.velocity_level, on_velocities, on_positions)
        self.newton.tolerances.hold(np.where(state.problem.constrained, 1 / gain, 1.0))

    # --- steps ----------------------------------------------------------------------------------
    @abstractmethod
    def step(self, h: float) -> NoSolution | None:
        """Advance by ``h``; if there is no solution, nothing has changed and the reason is
        returned."""

    @abstractmethod
    def resume(self) -> None:
        """Set the factors of the solver and the scale of the constraints according to
        ``numbers``."""

    def _failed(self, why: NoSolution) -> NoSolution:
        """Return to the start of the step; returns ``why``."""
        self.reject()
        self.state.residual()  # rows must not be judged by the forces of the failed step
        self.newton.rebuild = True
        return why

    def _equations(self, time: float) -> NoSolution | None:
        """Solve for the end of a (sub-)step from the guess in ``newton.x``, and once more from the
        plain guess if that fails."""
        return None if self.newton.solve(time) else self._from_plain_guess(time)

    def _from_plain_guess(self, time: float) -> NoSolution | None:
        """Solve with the guess that nothing changes, and with new tangents throughout."""
        newton = self.newton
        newton.guess(self._plain_guess())
        return None if newton.solve(time, full=True) else NoSolution(newton.failure())

    def _plain_guess(self) -> np.ndarray:
        """Accelerations and algebraic values as they were at the start of the step."""
        guess = np.where(self.dynamic, self.old / self.newton.c.beta, self.old)
        return guess[: self.state.owned]

    def error(self, h: float, noise: float = 0.0) -> np.ndarray:
        """Local error of the coordinates, owned, from the change of acceleration over the step;
        ``noise``: round-off of accelerations, not counted. An array that stays."""
        self._lib.fc_errors(
            self.newton.c, self.past_of_step, self.substeps - 1, self.order == 1,
            h * h * self.error_constant, noise, self._ffi.from_buffer("double[]", self.errors),
        )  # fmt: skip
        return self.errors

    @property
    def start_of_step(self) -> list[np.ndarray]:
        """The state array, ``old`` and own vectors as they were at the start of the last step."""
        return self._saved[:3]

    def _save(self):
        for copy, z in zip(self._saved, self._kept, strict=True):
            copy[:] = z
        self.saved_numbers = self.h_old, self.h_older, self.t

    def reject(self):
        """Return to the start of the last step, parameters included."""
        for copy, z in zip(self._saved, self._kept, strict=True):
            z[:] = copy
        self.h_old, self.h_older, self.t = self.saved_numbers

    def _scale(self, beta: float, gamma: float):
        """Constraints scale with mass times ``beta``, by ``gamma`` if they hold velocities: a row
        is the force that would close it, and the matrix stays well conditioned as h -> 0."""
        self._lib.fc_scale(self.newton.c, self._scaling, beta, gamma)

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        """Accelerations and multipliers at the present positions and velocities, for a first step
        of about ``h``."""
        self.weigh()
        self.restart(h)

    def weigh(self) -> None:
        """Inertia behind the constraints at the present positions."""
        if self.velocities.any:
            self.masses[:] = self._masses()

    def lose_past(self) -> None:
        """Continue from the present accelerations, because the motion before was not smooth."""
        self.h_old = self.h_older = None

    def forget(self) -> None:
        """The same for steps of another size."""
        self.lose_past()
        self.h_factors = None
        if self.stabiliser:
            self.stabiliser.taken[:] = 0.0

    def restart(self, h: float) -> None:
        """Accelerations and multipliers after a jump of the forces, extrapolated from two short
        trial steps of constant acceleration to the present; no forms of the hidden constraints are
        needed."""
        state, newton, n = self.state, self.newton, self.state.local
        self._save()
        self.trials = []
        if state.problem.bulk and (a := by_inertia(newton, self.t)) is not None:
            state.a[:n] = a
            self.forget()
            return
        results = []
        for trial in (0.02 * h, 0.01 * h):
            self.reject()
            self._scale(2 / trial**2, 2 / trial)
            newton.factors(2 / trial**2, 2 / trial, 1 / trial)
            state.q_n[:] = state.q
            q, v, a = state.q[:n], state.v[:n], state.a[:n]
            newton.q0[:], newton.v0[:] = (q + trial * v) * self.dynamic, v * self.dynamic
            newton.guess(np.where(self.dynamic, a * trial**2 / 2, q)[: state.owned])
            with newton.patient(START_ITERATIONS):
                solved = newton.solve(self.t + trial, full=True)
            if not solved:
                raise StepFailed(
                    f"no consistent accelerations at the start: {newton.failure()}. Try a smaller "
                    "dt, or begin with a slower motion, wider gaps or softer contact."
                )
            newton.accepted()
            results.append((state.a[:n].copy(), state.q[:n].copy()))
            if self.keeps_trials:
                self.trials.append((trial, state.array.copy()))
        (a2, q2), (a1, q1) = results
        self.reject()
        state.a[:n] = (2 * a1 - a2) * self.dynamic
        stay = (self.dynamic > 0) | state.problem.persistent[:n]
        state.q[:n] = np.where(stay, state.q[:n], 2 * q1 - q2)
        state.follow()
        self.forget()

    def restart_after_jump(self, h: float) -> None:
        """The same with shorter trial steps, in which inertia outweighs the stiffest of forces,
        where those of ``h`` find no solution."""
        for _ in range(3):
            try:
                self.restart(h)
                return
            except StepFailed as failure:
                logger.debug("t = %g s, trial steps of %g s: %s", self.t, h, failure)
                self.reject()
                h *= 1e-2
        self.restart(h)

    # --- velocities on constraints that hold positions alone ------------------------------------
    def agree(self) -> None:
        """Make the velocities agree with the constraints."""
        self.velocities.project()
        self.violated, self.left = None, 0.0

    def fit_velocities(self, h: float) -> np.ndarray | None:
        """Adapt the velocities to a step of ``h``, if its length differs from those before; returns
        the correction that was subtracted (local), ``None`` if there was none. Collective.

        With constraints on positions, B v + dPhi/dt has a steady error of C h^2 times the jerk,
        which changes with the step. Without the correction it would act as a jump of the
        velocities, whose accelerations, of order 1/h, decay only as rho_inf^n, and the error of a
        contact would stay the same however short the steps become.
        """
        last, self.violated = self.violated, h
        kept = self.stabilised or not self.velocities.any
        if kept or last is None or abs(h - last) < 1e-6 * h:
            return None
        surplus, _ = self.velocities.correction()
        # after a step that was cut to hit a time the violation is as small as its round-off
        grown = min((h / last) ** 2, 4.0)
        self.left *= grown
        taken = (1 - grown) * surplus
        self.velocities.take(taken)
        return taken

    def _masses(self) -> np.ndarray:
        """Inertia that each algebraic row acts on: 1 / sum(Phi_j^2 / m_j), with its derivative by
        v if it holds velocities."""
        state, factor = self.state, 2.0**60  # far above the stiffness of solids by their mass
        problem = state.problem
        heavy = problem.entries.diagonal(state.tangent(factor, 0.0))
        light = state.tangent(0.0, 0.0).copy()
        mass = (heavy - problem.entries.diagonal(light)) / factor
        mass = np.append(
            state.spread(state.add_over_ranks(mass)),
            np.ones(state.total - state.local),
        )
        mass[problem.dynamic == 0] = 0
        rated = problem.entries.in_rows(problem.velocity_level)
        if len(rated):
            light[rated] = state.tangent(0.0, FAST)[rated] / FAST
        use = problem.entries.in_rows(problem.algebraic)
        rows, cols = problem.entries.at(use)
        light, some = light[use], mass[cols] > 0
        mobility = np.bincount(rows[some], light[some] ** 2 / mass[cols[some]], state.total)
        mobility = np.append(
            state.spread(state.add_over_ranks(mobility)),
            np.zeros(state.total - state.local),
        )
        return 1 / np.where(mobility > 0, mobility, 1.0)

    # --- checkpoints ----------------------------------------------------------------------------
    def snapshot(self) -> dict[str, np.ndarray]:
        """Arrays by local number that a resumed run needs beside the state."""
        return {**self.history, "masses": self.masses[: self.state.local]}

    @property
    def numbers(self) -> np.ndarray:
        """Time, step lengths and factors of the solver, for a resumed run."""
        c, lengths = self.newton.c, (self.h_old, self.h_older, self.h_factors, self.violated)
        return np.array([self.t, *(z or 0.0 for z in lengths), c.beta, c.gamma, c.per_step])

    @numbers.setter
    def numbers(self, values):
        self.t = float(values[0])
        lengths = (float(z) or None for z in values[1:5])
        self.h_old, self.h_older, self.h_factors, self.violated = lengths
        if len(values) > 5:
            self.newton.factors(*map(float, values[5:]))
        else:  # a checkpoint of the version before
            self.h_factors = None

    def set(self, name: str, values: np.ndarray) -> None:
        """Set one of the arrays of ``snapshot``."""
        self.snapshot()[name][:] = values
