"""Time stepping with an integrator that is given by rows of numbers."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ..core.compiled.shared import fill, pointer
from ..core.newton import NewtonSolver
from ..errors import InputError, NoSolution
from . import rows
from .integrator import CONSTRAINTS, Integrator
from .rotations import powers
from .step_engine import StepEngine

logger = logging.getLogger(__name__)

#: where ``fc_stages`` begins, and what remains to be done here, as in stages.c
ANEW, BEGUN, SETTLED = range(3)
UNSOLVED, UNSETTLED = 1, 2


class RowEngine(StepEngine):
    """An ``Integrator`` at work on one system.

    The usual stages are those of ``fc_stages`` in ``core/compiled/stages.c``; this class does the
    rest: solutions that need a second attempt, starts, and changes of the step.

    Args:
        integrator: the scheme.
        newton: solver of the system.

    Attributes:
        compiled: the step under way, ``fc_step`` of stages.h.
        shown: length of the trial step from which the initial jerk was computed, s, and the state
            array at its end, where trial steps are kept; ``None`` if there was none.
        jerk, prescribed: at a start, rate of the accelerations and the part of it that constraints
            on positions prescribe.

    Raises:
        InputError: formulas that are not of their order; constraints on positions alone whose
            reactions would grow from step to step.
    """

    def __init__(self, integrator: Integrator, newton: NewtonSolver):
        rows.check(integrator)
        self.integrator, self.past = integrator, list(integrator.history.values())
        self.order, self.error_constant = integrator.order, rows.error_constant(integrator)
        self.substeps, n = integrator.stages, newton.state.local
        super().__init__(newton, _constraints(integrator, newton), tuple(integrator.history))
        if not self.stabilised and self.substeps == 1 and rows.damped(integrator):
            positions, velocities = (rows.answers(integrator, level) for level in (False, True))
            self._hold_constraints(positions[0], velocities[0])
            self.answer = positions[1]
        self.jerk, self.prescribed = np.zeros((2, n))
        self.shown: tuple[float, np.ndarray] | None = None
        self.middle = np.zeros((self.substeps - 1, n))
        self._lengths: tuple[float, float] | None = None
        self.stages = [rows.Stage(tuple(integrator.history), k) for k in range(self.substeps)]
        #: factors of the derivatives of turning directors in a step of 1 s, with their powers of h;
        #: ratio of steps to which they belong; arrays of theirs; whether these are the present ones
        self._unit: tuple[np.ndarray, np.ndarray] = (np.zeros(0), np.zeros(0))
        self._ratio: float | None = None
        self._turned: list[np.ndarray] = []
        self._weighed = False
        #: whether own vectors are carried from step to step, and whether all move with it
        first = rows.stages_of(integrator, 1.0, 1.0)[0]
        self.carries = bool(first.from_start[:, 3:].any())
        self._moving = all(p.ahead is not None for p in self.past)
        self._share()

    def _share(self) -> None:
        """Pass the addresses of all arrays to the compiled functions."""
        ffi, m = self._ffi, len(self.past)
        saved_state, saved_old, saved_own = self._saved[:3]
        self.past_of_step.count = m
        self._shown += fill(ffi, self.past_of_step, {
            "moves": np.array([p.ahead is not None for p in self.past], np.int32),
            "ahead": np.array([p.ahead or 0.0 for p in self.past]),
            "own": self.own, "fresh": np.zeros_like(self.own), "old": self.old,
            "middle": self.middle, "saved_state": saved_state, "saved_own": saved_own,
            "saved_old": saved_old,
        })  # fmt: skip
        self._table = ffi.new("fc_stage[]", self.substeps)
        for stage, compiled in zip(self.stages, self._table, strict=True):
            compiled.rows, compiled.ends = pointer(ffi, stage.rows), pointer(ffi, stage.ends)
            compiled.number, compiled.seen = stage.number, rows.seen(self.integrator)[stage.number]
        # what is kept of the start of a step beside what its history keeps
        others = list(zip(self._saved[3:], self._kept[3:], strict=True))
        self._copies = ffi.new("fc_kept[]", max(len(others), 1))
        for entry, (copy, z) in zip(self._copies, others, strict=False):
            entry.to, entry.count = pointer(ffi, copy), z.size
            setattr(entry, "from", pointer(ffi, z))
        step = self.compiled = ffi.new("fc_step *")
        step.stages, step.kept = self.substeps, len(others)
        step.stage, step.keep, step.history = self._table, self._copies, self.past_of_step
        step.scaling = self._scaling
        if self.turning:
            step.turning = self.turning.t
        if self.stabiliser and self.velocities.any:
            step.velocities, step.corrections = self.velocities.w, self.stabiliser.corrections
            arrays = {"taken": self.stabiliser.taken, "base": self.stabiliser.base}
            self._shown += fill(ffi, step, arrays)

    # --- steps ----------------------------------------------------------------------------------
    def step(self, h: float) -> NoSolution | None:
        last, step = self.h_old, self.prepared(h)
        if not last:
            self._begin(h)
        if self.h_factors is None:
            self.newton.c.beta = 0.0  # those of the first stage are others
        self.h_factors = h
        self.saved_numbers = last, self.h_older, self.t
        if last:
            self._go_on(ANEW)
        else:
            self.newton.check(self._lib.fc_begin_stage(self.newton.c, step))
            self._settle(self.stages[0], h)
            self._go_on(BEGUN)
        return self.finish()

    def prepared(self, h: float) -> Any:
        """What the compiled functions know of a coming step of ``h`` (``fc_step`` of stages.h)."""
        step, last = self.compiled, self.h_old
        lengths = h, h if self._moving or not last else last
        if lengths != self._lengths:
            self._renew(*lengths)
        if self.turning and not self._weighed:
            self._weigh_turning(*lengths)
        if step.velocities:
            self.velocities.prepare()
        self._show_solver()
        step.t, step.h, step.last, step.older = self.t, h, last or 0.0, self.h_older or 0.0
        step.at, step.wanted, step.by_hand = 0, 0, self.newton.by_hand
        return step

    def _show_solver(self) -> None:
        """Newton's solver may be another one since it was used last."""
        newton, step = self.newton, self.compiled
        step.snes, step.ksp, step.x, step.dx = (
            newton.snes_handle, newton.ksp_handle, newton.x_handle, newton.dx_handle
        )  # fmt: skip

    def _go_on(self, start: int) -> None:
        """Go on with the step under way by compiled functions."""
        newton = self.newton
        newton.error, newton.code = None, 0
        newton.check(self._lib.fc_stages(newton.c, self.compiled, start))

    def finish(self) -> NoSolution | None:
        """Complete the step under way where the compiled functions have stopped; as ``step``."""
        step = self.compiled
        while step.wanted:
            if why := self._solve_by_hand(step.at, step.wanted == UNSETTLED):
                return self._failed(why)
            self._show_solver()
            self._go_on(SETTLED)
        self.h_older, self.h_old = self.h_old, step.h
        self.t += step.h
        return None

    def _solve_by_hand(self, k: int, solved: bool) -> NoSolution | None:
        """Solve stage ``k`` and hold the velocities, as far as the compiled functions have not done
        so."""
        step, why, time = self.compiled, None, self.t + self.stages[k].length
        if step.by_hand:
            why = self._equations(time)
        elif not solved and not self.newton.finish(time, step.error):
            why = self._from_plain_guess(time)
        if step.velocities and self.stabiliser:
            return self.stabiliser.settle(why, time, time - self.t, k, solved)
        return why

    def _renew(self, h: float, h_old: float) -> None:
        """The stages of a step of ``h`` after one of ``h_old``."""
        self._lengths, self._weighed, before = (h, h_old), False, None
        for stage, compiled in zip(self.stages, self._table, strict=True):
            stage.set(self.integrator.coefficients(h, h_old, stage.number), h)
            compiled.beta, compiled.gamma, compiled.length = stage.beta, stage.gamma, stage.length
            compiled.ahead = stage.part / before if before else stage.part
            before = stage.part

    def resume(self) -> None:
        if self.h_factors:
            self._scale(self.newton.c.beta, self.newton.c.gamma)

    # --- turning bodies -------------------------------------------------------------------------
    def _weigh_turning(self, h: float, h_old: float) -> None:
        """Which rows of a step of ``h`` after one of ``h_old`` turning directors add to, and the
        weights of their derivatives there, see rotations.py."""
        assert self.turning
        ratio, step = h_old / h, self.compiled
        if ratio != self._ratio:
            unit, powers_of_h = rows.turned(self.integrator, ratio, self.turning.gaps)
            turned = np.nonzero(unit.any(axis=2))
            self._ratio, self._unit = ratio, (unit[turned], powers_of_h[turned])
            step.turned = len(self._unit[0])
            self._turned = fill(self._ffi, step, {
                "turned_stage": turned[0], "turned_place": turned[1],
                "weights": np.zeros_like(self._unit[0]),
                "added": np.zeros((step.turned, self.state.local)),
            })  # fmt: skip
        unit, powers_of_h = self._unit
        np.multiply(unit, h**powers_of_h, out=self._turned[2])
        self._weighed = True

    def _start_row(self, place: int) -> np.ndarray:
        """Own vectors for a = 0, q0 and v0 of the stage that begins, by their place in its rows."""
        return (*self.own, self.newton.q0, self.newton.v0)[place]

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        """As in every scheme; then one step of ``h`` shows the jerk, without which multipliers are
        of first order for a while (Arnold, Bruels and Cardona 2015)."""
        super().start(h)
        if not self.carries or self.substeps > 1:
            return
        a = self.state.a[: self.state.local].copy()
        if self.step(h):
            return
        change = self.state.a[: self.state.local] - a
        if self.keeps_trials:
            self.shown = h, self.state.array.copy()
        self.reject()
        self.h_old = self.h_older = None
        if (turned := self._turned_until(h, h, 2)) is not None:
            change -= turned
        # that step starts with the transient: its change of prescribed accelerations is short, for
        # positions by another part than for velocities
        c = self.newton.c
        rated = self.state.problem.velocity_level | self.stabilised
        parts = np.where(rated, c.beta / c.gamma * h / 2, c.beta * h * h / 6)
        prescribed = self.velocities.prescribed
        if self.velocities.any and not self.stabilised:
            self.prescribed[:] = prescribed(change / h, np.where(rated, 0.0, 1 / parts))
        change += prescribed(change, 1 / parts - 1)
        self.jerk[:] = change / h

    def _begin(self, h: float) -> None:
        """Set the own vectors for a first step, by a Taylor series."""
        state, n = self.state, self.state.local
        motion = state.q[:n], state.v[:n], state.a[:n], self.jerk
        for z, past in zip(self.own, self.past, strict=True):
            t = -h if past.ahead is None else past.ahead * h
            z[:] = motion[past.derivative]
            factor = 1.0
            for k, rate in enumerate(motion[past.derivative + 1 :], 1):
                factor *= t / k
                z += factor * rate
            if (turned := self._turned_until(h, t, past.derivative)) is not None:
                z += turned
            z *= self.dynamic

    def _settle(self, stage: rows.Stage, h: float) -> None:
        """Where constraints prescribe the motion, velocities of the index-3 form have a steady
        error of C h^2 times the jerk; a first step that begins with it has no transient."""
        if self.stabilised or not self.prescribed.any():
            return
        shift = stage.from_start @ rows.settled(self.integrator, h)
        for place in np.flatnonzero(shift).tolist():
            self._start_row(place)[:] += shift[place] * self.prescribed

    def _turned_until(self, h: float, t: float, derivative: int) -> np.ndarray | None:
        """What the directors' rotation adds until ``t`` from now to their Taylor series of second
        order, or to its derivatives, before a first step of ``h``."""
        if not self.turning:
            return None
        beyond = powers(t)[derivative : derivative + 1].copy()
        beyond[:, :3] = 0.0
        added = self.turning.until(h, beyond)
        return None if added is None else added[0]

    def fit_velocities(self, h: float) -> np.ndarray | None:
        taken = super().fit_velocities(h)
        if taken is not None:
            for z, past in zip(self.own, self.past, strict=True):
                if past.derivative == 1:
                    z -= taken
        return taken

    def lose_past(self) -> None:
        super().lose_past()
        self.jerk[:] = self.prescribed[:] = 0.0

    def snapshot(self) -> dict[str, np.ndarray]:
        more = {"jerk": self.jerk, "prescribed": self.prescribed} if self.carries else {}
        return {**super().snapshot(), **more}


def _constraints(integrator: Integrator, newton: NewtonSolver) -> str:
    """How an integrator holds the constraints of a system."""
    chosen = integrator.constraints
    held = chosen == CONSTRAINTS[1] or not newton.state.problem.any_constraint
    enough = rows.accurate if chosen is None else rows.damped
    if held or enough(integrator):
        return chosen or CONSTRAINTS[0]
    if chosen == CONSTRAINTS[0]:
        raise InputError(
            f"{integrator} with constraints on positions alone: errors of reactions would grow "
            "from step to step, or stay however short the steps; use constraints=stabilised, or "
            f"{integrator.remedy}."
        )
    logger.info("%s: constraints are enforced on velocities too (stabilised)", integrator)
    return CONSTRAINTS[1]


def engine_of(integrator: Any, newton: NewtonSolver) -> StepEngine:
    """An integrator at work on the system of a solver: by its rows, or by an engine of its own
    (``scheme(newton)``)."""
    return (
        RowEngine(integrator, newton)
        if isinstance(integrator, Integrator)
        else integrator.scheme(newton)
    )
