"""Stepping through time: fixed or adaptive steps, onsets of contact, rejection and recovery."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import floor, inf, log2, sqrt
from typing import Any

from .. import checks
from .._backend import PETSc
from ..core.accounts import GAINED
from ..core.constraints import check_closed
from ..core.initial import SystemState, checked, set_to
from ..core.ledger import Ledger
from ..core.linear_solvers import said
from ..core.newton import NewtonSolver
from ..core.observation import Channels
from ..core.problem import Model
from ..core.settings import SolverSettings
from ..core.state import State
from ..errors import NoSolution, SingularSystem, StepFailed
from ..functions import check_spans, stops
from .contact_work import ContactWork
from .event_set import EventSet
from .events import Events
from .gaps import time_scale
from .limits import Limits, limited_by
from .march import March
from .rotations import RotationLimit
from .row_engine import engine_of
from .settings import StepSettings, checked_integrator
from .snapshot import restore_snapshot, take_snapshot
from .step_control import Milestones, StepErrors, controller, shortest_trial
from .tolerance import warn_of_tolerance

logger = logging.getLogger(__name__)

#: first adaptive step, and how exactly onsets are located, by the system's time scale
FIRST, INSTANT = 1e-4, 1e-9


class Stepper:
    """Advances a system step by step; invalid settings raise ``InputError``.

    Args:
        system: the model.
        integrator: time integrator, by default ``GeneralizedAlpha()``.
        t_end, dt, adaptive, tolerance, contact_tolerance, smallest: see ``StepSettings``.
        newton_tolerance, options, solver: see ``SolverSettings``.
        initial: state to begin with, see ``Simulation``.

    Attributes:
        t: present time, s.
        steps, rejected_steps: accepted and rejected so far.
        events: onsets and ends of contacts so far, and changes between sticking and slipping.
        limits: what limited the steps so far.
        work: the work of contacts in accepted steps.
        ledger: the work of all forces.
        channels: recorded quantities, read for the present state.
    """

    def __init__(
        self, system: Model, integrator=None, *, dt=None, adaptive=None, tolerance=1e-7,
        contact_tolerance=1e-4, t_end, newton_tolerance=1e-8, smallest=None, options=None,
        solver="auto", initial=None,
    ):  # fmt: skip
        steps = StepSettings(t_end, dt, adaptive, tolerance, contact_tolerance, smallest)
        solving = SolverSettings(newton_tolerance, solver, {} if options is None else options)
        self._begin(system, checked_integrator(integrator), steps, solving, checked(initial))

    @classmethod
    def of(
        cls, system: Model, integrator: Any, steps: StepSettings, solver: SolverSettings,
        initial: SystemState | None = None,
    ) -> Stepper:  # fmt: skip
        """A stepper by its settings as they are."""
        stepper = cls.__new__(cls)
        stepper._begin(system, integrator, steps, solver, initial)
        return stepper

    def _begin(self, system, integrator, steps, solver, initial) -> None:
        self.system, self.integrator, self.initial = system, integrator, initial
        self.origin = 0.0 if initial is None else initial.begin
        self.settings, self.solver = steps.for_run(integrator, self.origin), solver
        self.t_end, self.adaptive = steps.t_end, bool(self.settings.adaptive)
        self.span = self.t_end - self.origin
        self.control = controller(self.settings, integrator, system, initial, self.span)
        self.dt = self.control.h  # the fixed step, or the first one
        self.limits = Limits(self.control.smallest, steps.smallest is not None)
        self.events, self.steps, self.rejected_steps = Events(), 0, 0
        self.passed = 0.0  # of a rejected step the part until an unforeseen change of a law, s
        self.contact_step: float | None = None  # step that resolved the last onset
        self.after_event = self.located = False  # whether the step just made ends at an onset
        self.borne = inf  # step that contacts would bear now, s
        self.failed = False  # whether Newton's method failed since the last accepted step
        # the step is not shortened to hit a time; numbers that are set are those at its end
        self.whole, self.ahead = True, False

    # --- set-up ---------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Assemble the system, make the state where the run begins, and the solver."""
        items = getattr(self.system, "items", ())
        check_spans(items, self.origin, self.t_end)
        self.state = state = State(self.system.assemble())
        set_to(state, self.initial)
        state.globals[0] = self.origin
        self.channels = Channels(state)
        self.system.show(self.channels)
        self.newton = NewtonSolver(state, self.solver, apart=True)
        self.scheme = engine_of(self.integrator, self.newton)
        self.scheme.t = self.origin
        scale = self.scale = time_scale(state.problem, self.span)
        if self.adaptive and self.settings.dt is None:
            # a shorter run begins no finer: short steps leave accelerations to round-off
            first = max(FIRST * scale, self.control.smallest)
            self.dt = self.control.h = min(first, self.span / 100)
        self.milestones = Milestones(self.origin, self.dt, self.adaptive, stops(items))
        self.event_set = EventSet(self.channels, INSTANT * min(scale, self.span))
        self.work = ContactWork(self.channels)
        self.ledger = Ledger(self.channels)
        self.scheme.velocities.gained = self.ledger.totals[GAINED:]
        self.spin = RotationLimit(self.scheme.bodies, self.scheme.turning is not None)
        self.errors = StepErrors(self.scheme, self.event_set, self.limits, self.settings)
        self.march = March(self)

    def start(self) -> None:
        """Consistent initial positions, velocities, accelerations and multipliers.

        Raises:
            InputError: constraints that contradict each other or the initial positions.
        """
        self.prepare()
        if self.adaptive:
            warn_of_tolerance(self.state.problem, self.settings.tolerance)
        check_closed(self.state)
        self.scheme.weigh()
        self.scheme.velocities.close()
        self.scheme.velocities.project(logging.INFO)
        for guess in self.state.problem.first_guesses:
            guess(self.state)
        self.event_set.prepare()
        self.scheme.start(self.dt)
        self.newton.accepted()
        self._read()
        self.event_set.accept(self.t, 1.0)
        self.events.clear()
        if self.event_set.jumps:  # what slips at the start now does so
            self.scheme.restart_after_jump(self.dt)
            self._read()
        self.work.begin()
        self.ledger.begin()

    def restore(self, snapshot: dict) -> None:
        """Go on from a snapshot of this model, on any number of ranks."""
        self.prepare()
        restore_snapshot(self, snapshot)
        self._read()

    def snapshot(self) -> dict:
        """Everything a later run needs to go on exactly; collective."""
        return take_snapshot(self)

    def last(self) -> SystemState:
        """The present state, for a run of its own; collective."""
        return SystemState.of(self.state, self.t)

    def destroy(self) -> None:
        """Free the solvers; collective. The state stays, but no step can follow."""
        for part in (self.newton, self.scheme.velocities, self.march):
            part.destroy()

    def _read(self):
        self.event_set.observe()
        self.event_set.remember()

    @property
    def t(self) -> float:
        """Present time, s."""
        return self.scheme.t

    def assign(self, owner: str, **numbers) -> None:
        """Set numbers of a body, joint or load for the following steps, see ``State.assign``."""
        self.change(lambda state: state.assign(owner, **numbers))

    def change(self, how: Callable[[State], Any]) -> None:
        """Let ``how`` change the numbers of the state, as a controller does, and return whether
        tangents depend on them; the change of the stored energy counts as fed."""
        before = self.ledger.balance()
        self.newton.rebuild = bool(how(self.state)) or self.newton.rebuild
        self.event_set.observe()
        if not self.ahead:
            self.ledger.renew()
        self.ledger.feed(self.ledger.balance() - before)

    # --- steps ----------------------------------------------------------------------------------
    def advance(self, most: float = 1, stop: float = inf) -> None:
        """One accepted step, never past the end or (fixed steps) the next point of the grid; more
        of them as long as there is nothing to decide.

        Args:
            most: steps at most.
            stop: time after whose first step no other begins, s.

        Raises:
            StepFailed: no solution at the smallest step; the state is that before it.
        """
        try:
            self._advance(most, stop)
        except (PETSc.Error, SingularSystem) as error:  # where no shorter step could be tried
            why = said(error.ierr) if isinstance(error, PETSc.Error) else error
            raise StepFailed(f"t = {self.t:.6g} s: {why}.") from error

    def _advance(self, most: float, stop: float) -> None:
        if (begun := self.march.take(most, stop)) is None:
            return
        # no law changes in a step that the loop has begun, after which the laws were observed
        left = self.event_set.time_left() if self.event_set.changing and not begun else inf
        target, change = self.milestones.next(self.t, self.t + left, self.t_end)
        while True:
            h = begun or self.control.next(target - self.t)
            self.whole = h > self.control.h * (1 - 1e-9)
            if not self.adaptive and abs(h - self.dt) < 1e-6 * self.dt:
                h = self.dt  # the same number each time: factors are kept
            if self._judge(h, self._tried(self.march.finish)) if begun else self._attempt(h):
                if abs(self.t - target) < 1e-9 * h:
                    self.scheme.t = target
                    if change:
                        self._changed(h)
                    self.milestones.reached(target)
                return
            begun = 0.0
            if self.passed:
                target, change = self.t + self.passed, True

    def _changed(self, h: float) -> None:
        """Begin anew after a law has changed."""
        self.newton.rebuild = self.after_event = True
        usual = self.control.h if self.adaptive else self.dt
        step = self.contact_step or max(min(usual, h), 1e-2 * usual)
        if self.adaptive:
            self.control.h = min(self.control.h, 2 * step)
        self._restart(step, anew=True)
        self.event_set.remember()

    def _attempt(self, h: float) -> bool:
        """Try a step of ``h``; ``False`` if it was rejected."""
        events = self.event_set
        varied = self.adaptive or events.any or events.changing or self.milestones.stops
        if varied and self.scheme.h_old and h < 0.05 * self.scheme.h_old:
            self._restart(h)
            self.event_set.remember()
        if events.fits_velocities(self.adaptive) and self.scheme.fit_velocities(h) is not None:
            self._read()
        events.predict_approach(h)
        if self.adaptive and events.jumps:
            events.suspend_modes()
        return self._judge(h, self._step(h))

    def _judge(self, h: float, why: NoSolution | None) -> bool:
        """Accept or reject the step of ``h`` just made; ``why``: it has no solution."""
        events, self.passed = self.event_set, 0.0
        if why:
            return self._cut(h, why)
        events.observe()
        if events.limited and (exceeded := events.exceeds_validity()):
            self._reject()
            if not self.control.cut(h):
                raise StepFailed(f"t = {self.t:.6g} s, smallest step {h:.2g} s: {exceeded}.")
            return False
        if events.changing and (late := events.late()) > 0 and h > self.control.smallest:
            self.passed = h - min(late, h / 2)
            return self._reject()
        self.located = False
        if events.any and not (h := self._contacts(h)):
            return False
        if self.adaptive and not self.control.accept(self.errors.largest(h, self.located), h):
            return self._reject()
        if not self.adaptive:
            self.control.h = min(self.dt, 2 * h, self.borne)
        self._accept(h)
        return True

    def _step(self, h: float) -> NoSolution | None:
        """A step of the scheme's."""
        return self._tried(lambda: self.scheme.step(h))

    def _tried(self, step: Callable[[], NoSolution | None]) -> NoSolution | None:
        """Result of a step, or of its rest; an error inside PETSc counts as no solution."""
        try:
            return step()
        except PETSc.Error as error:
            self.scheme.reject()
            return NoSolution(said(error.ierr))

    def _cut(self, h: float, why: NoSolution) -> bool:
        """After a step without solution: ``False``, the next one will be shorter."""
        self.rejected_steps += 1
        self.newton.rebuild = self.failed = True
        if not self.control.cut(h):
            closed = checks.some(self.event_set.closed(), 3)
            softer = f"a softer law of {closed} without jumps" if closed else "softer contact"
            raise StepFailed(
                f"t = {self.t:.6g} s: no solution with the smallest step, {h:.2g} s: {why.reason}. "
                f"Try a smaller dt or tolerance, {softer}, or another rho_inf."
            )
        return False

    def _reject(self) -> bool:
        self.scheme.reject()
        self.newton.rebuild = True
        self.rejected_steps += 1
        return False

    def _contacts(self, h: float) -> float:
        """Deal with contacts that begin in the step just made; its length then, 0 if it failed."""
        if self.adaptive:
            h, self.located = self.event_set.locate(h, self._repeat)
            if self.located and self.contact_step:
                self.control.h = min(self.control.h, 2 * self.contact_step)
            return h
        if not self._bears(h):
            return 0.0
        speeds = self.event_set.missed_events(h)
        if speeds is None:
            return h
        self._reject()
        self.event_set.set_approach(speeds)
        if why := self._step(h):
            return float(self._cut(h, why))
        self.event_set.observe()
        return h

    def _bears(self, h: float) -> bool:
        """Whether a fixed step resolves the contacts; else it is rejected. The given step is halved
        repeatedly, so that the grid is met and the length does not depend on round-off."""
        found, part = self.errors.borne(h)
        halves = floor(log2(0.8 * sqrt(part)))  # 0.8: below the limit, not at it
        if part >= 1 or h <= self.control.smallest * (1 + 1e-9):
            self.borne = h * 2.0 ** max(halves, 0)
            return True
        self._reject()
        if found.mine == found.largest:
            self.limits.coarse(found.owner, h * sqrt(part))
        self.control.cut(h, 2.0 ** min(max(halves, -4), -1))
        return False

    def _repeat(self, h: float) -> bool:
        """Repeat a step with another length, contacts that begin in it still without force."""
        self._reject()
        self.event_set.predict_approach(h)
        self.event_set.suspend()
        if why := self._step(h):
            return self._cut(h, why)
        self.event_set.observe()
        return True

    def _restart(self, h: float, anew: bool = False) -> None:
        """Velocities, accelerations and multipliers fit for steps of ``h``, far below the last
        ones; ``anew``: the forces have jumped."""
        self.scheme.agree()
        if anew or self.event_set.jumps:
            self.scheme.restart_after_jump(max(h, shortest_trial(self.control.h, self.scale)))
        else:
            self.scheme.forget()
        self.event_set.observe()
        self.ledger.renew()

    def _accept(self, h: float) -> None:
        watched, limits = self.event_set, self.limits
        self.scheme.violated = h
        uneven = self.adaptive or abs(h - self.dt) > 1e-6 * self.dt
        ended = watched.any and uneven and watched.largest(watched.ended) > 0
        self.ledger.count(h)
        events = watched.accept(self.t, h) if watched.acts else []
        self.newton.accepted()
        self.steps += 1
        if self.steps >= self.spin.due:
            self.spin.see(self.steps, h)
        if events or watched.losses:
            self.events += sorted([*events, *watched.losses])
        if events:
            self.newton.rebuild = True
            for e in events:
                logger.debug("%s: contact at %.9g s, %.4g m/s", e.owner, e.time, e.speed)
            if self.adaptive or watched.jumps:
                self._restart(self.contact_step or min(self.control.h, 1e-2 * h))
        elif ended:  # what the contact left in the scheme's own variables goes with it
            self.scheme.lose_past()
        if not events and self.adaptive and self.scheme.h_old and self.after_event:
            self.contact_step = h
        self.after_event = bool(events)
        if limits.contact_steps and not self.adaptive and (h == self.dt or watched.ended):
            limits.say_coarse(self.dt)
        limits.accept(self.state, self.t, h, limited_by(self, h), self.whole)
        self.failed = False
        if self.work.any:
            self.work.count(self.t)
        if watched.any:
            watched.remember()
