"""An integrator given by rows of numbers at work: it predicts, solves, updates, starts, moves."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from .._backend import PETSc
from ..core.compiled.shared import pointer
from ..core.newton import NewtonSolver
from ..errors import InputError, NoSolution
from . import rows
from .integrator import CONSTRAINTS, Integrator
from .rotations import powers
from .step_engine import StepEngine

logger = logging.getLogger(__name__)


class RowEngine(StepEngine):
    """An ``Integrator`` at work on one system.

    Stages begin and end in ``fc_predict`` and ``fc_update`` of ``core/compiled/steps.c``.

    Args:
        integrator: the scheme.
        newton: solver of the system.

    Attributes:
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
        self.middle = np.zeros((self.substeps - 1, n))
        self._lengths: tuple[float, float] | None = None
        self._stages = [rows.Stage(tuple(integrator.history), k) for k in range(self.substeps)]
        self._used: rows.Stage | None = None  # the one whose factors the solver has
        #: rows that turning directors add to, by stage; factors of the directors' derivatives
        self._turned: list[list[np.ndarray]] = []
        self._weights: np.ndarray | None = None
        #: whether own vectors are carried from step to step, and whether all move with it
        first = rows.stages_of(integrator, 1.0, 1.0)[0]
        self.carries = bool(first.from_start[:, 3:].any())
        self._moving = all(p.ahead is not None for p in self.past)
        #: what is kept of the start of a step beside what C keeps
        self._others = list(zip(self._saved[3:], self._kept[3:], strict=True))
        self._share()

    def _share(self) -> None:
        """Show the compiled functions where everything is."""
        ffi, m = self.state.problem.module.ffi, len(self.past)
        saved_state, saved_old, saved_own = self._saved[:3]
        self._arrays = {
            "moves": np.array([p.ahead is not None for p in self.past], np.int32),
            "ahead": np.array([p.ahead or 0.0 for p in self.past]),
            "own": self.own, "fresh": np.zeros_like(self.own), "old": self.old,
            "middle": self.middle, "saved_state": saved_state, "saved_own": saved_own,
            "saved_old": saved_old,
        }  # fmt: skip
        self._compiled = ffi.new("fc_history *")
        self._compiled.count = m
        for name, z in self._arrays.items():
            setattr(self._compiled, name, pointer(ffi, z))
        self._pairs = [(stage, ffi.new("fc_stage *")) for stage in self._stages]
        for stage, compiled in self._pairs:
            compiled.rows, compiled.ends = pointer(ffi, stage.rows), pointer(ffi, stage.ends)
            compiled.number = stage.number

    # --- steps ----------------------------------------------------------------------------------
    def step(self, h: float) -> NoSolution | None:
        newton, lib, last = self.newton, self._lib, self.h_old
        if not last:
            self._begin(h)
        lengths = h, h if self._moving or not last else last
        if lengths != self._lengths:
            self._renew(*lengths)
        self._saved_numbers = last, self.h_older, self.t
        for copy, z in self._others:
            copy[:] = z
        added, longer, x = None, h / last if last else 0.0, newton.x_handle
        for stage, compiled in self._pairs:
            if stage is not self._used or self.h_factors is None:
                self._use(stage, h)
            if error := lib.fc_predict(newton.c, self._compiled, compiled, longer, x):
                raise PETSc.Error(error)
            if stage.number == 0:
                if not last:
                    self._settle(stage, h)
                if self.turning:
                    added = self._turn(h)
            if added is not None:
                self._add(added, stage.number)
            if why := self._solve(self.t + stage.length, stage.number):
                return self._failed(why)
            lib.fc_update(newton.c, self._compiled, compiled)
        self.h_older, self.h_old = last, h
        self.t += h
        return None

    def _renew(self, h: float, h_old: float) -> None:
        """The stages of a step of ``h`` after one of ``h_old``."""
        self._lengths, self._weights, self._used, before = (h, h_old), None, None, None
        for stage, compiled in self._pairs:
            stage.set(self.integrator.coefficients(h, h_old, stage.number), h)
            compiled.ahead = stage.part / before if before else stage.part
            before = stage.part

    def _use(self, stage: rows.Stage, h: float) -> None:
        """Factors of a stage; the tangent is kept if they differ by round-off only."""
        c = self.newton.c
        c.per_step = 1 / stage.length
        if self.h_factors is None or abs(stage.beta - c.beta) > 1e-12 * stage.beta:
            c.beta, c.gamma = stage.beta, stage.gamma
            self._scale(c.beta, c.gamma)
        self.h_factors, self._used = h, stage

    def resume(self) -> None:
        if self.h_factors:
            self._scale(self.newton.c.beta, self.newton.c.gamma)

    def _change(self) -> np.ndarray:
        end = self.state.a[: self.state.local]
        if self.order == 1:
            return np.abs(end)
        change = np.abs(end - self.old)
        if self.substeps > 1:  # a contact may begin and end between the ends of the step
            for middle in self.middle:
                change = np.maximum.reduce([change, abs(middle - self.old), abs(end - middle)])
        return change

    # --- turning bodies -------------------------------------------------------------------------
    def _turn(self, h: float) -> np.ndarray | None:
        """What turning directors add to the formulas of the step of ``h`` that begins here, see
        rotations.py; ``None`` where nothing turns."""
        assert self.turning is not None and self._lengths is not None
        if self._weights is None:
            found = rows.weights(self.integrator, *self._lengths)
            turned = [np.flatnonzero(w.any(axis=1)).tolist() for w in found]
            self._turned = [[self._start_row(k) for k in places] for places in turned]
            self._weights = np.concatenate(
                [w[places] for w, places in zip(found, turned, strict=True)]
            )
        return self.turning.step(h, self.h_old or 0.0, self.h_older or 0.0, self._weights)

    def _add(self, added: np.ndarray, stage: int) -> None:
        """Add what is meant for a stage to its start."""
        first = sum(map(len, self._turned[:stage]))
        for row, values in zip(self._turned[stage], added[first:], strict=False):
            row += values

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
        if not self.stabilised:
            self.prescribed[:] = prescribed(change / h, np.where(rated, 0.0, 1 / parts))
        change += prescribed(change, 1 / parts - 1)
        self.jerk[:] = change / h

    def _begin(self, h: float) -> None:
        """Own vectors where they belong for a first step, by a Taylor series."""
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
        """Where constraints prescribe the motion, velocities of the index-3 form settle C h^2 jerk
        off: a first step that begins there has no transient."""
        if self.stabilised or not self.prescribed.any():
            return
        w = rows.defects(self.integrator, self._stages, h, h)[0]
        shift = stage.from_start @ rows.settled(stage, w, h, self.past)
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
    if held or rows.damped(integrator):
        return chosen or CONSTRAINTS[0]
    if chosen == CONSTRAINTS[0]:
        raise InputError(
            f"{integrator} with constraints on positions alone: reactions would grow from step to "
            f"step; use constraints=stabilised, or {integrator.remedy}."
        )
    logger.info("%s: constraints hold on velocities too (stabilised)", integrator)
    return CONSTRAINTS[1]


def engine_of(integrator: Any, newton: NewtonSolver) -> StepEngine:
    """An integrator at work on the system of a solver: by its rows, or by an engine of its own
    (``scheme(newton)``)."""
    return (
        RowEngine(integrator, newton)
        if isinstance(integrator, Integrator)
        else integrator.scheme(newton)
    )
