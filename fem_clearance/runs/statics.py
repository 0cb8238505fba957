"""Equilibrium of a system under loads that grow in steps."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

import numpy as np

from .. import checks
from .._backend import MPI
from ..contact.facets.contact import Pressing
from ..core.initial import SystemState, checked, set_to
from ..core.levels import holding_rates
from ..core.observation import Channels
from ..core.settings import SolverSettings
from ..core.state import State
from ..errors import InputError, StepFailed
from ..fields.motion import MotionRecorder
from ..functions import check_spans
from ..model.item import judge
from ..model.system import System
from ..statics.arc_length import ArcLength
from ..statics.equilibrium import RAMPS, Equilibrium, LoadProgram, describe_motion
from ..statics.linearised import free_motion
from ..statics.relaxation import GradientFlow
from ..statics.rotation import RotatingFrame, SteadyRotation, steady
from ..timestepping.event_set import EventSet
from .static_results import StaticResults

logger = logging.getLogger(__name__)

#: linear solvers
SOLVERS = ("mumps", "iterative")
#: iterations of a load step
ITERATIONS = 25
#: coefficient of friction that does not matter
SMOOTH = 1e-6


class Statics:
    """Looks for the equilibrium of a system: all rates and accelerations are zero.

    The loads grow with a load factor from 0 to 1: gravity and constant loads are multiplied by it,
    functions of time (of loads and drivers) are taken at factor x ``time``. The equilibrium is
    ``last`` of the results: a simulation starts from it, ``Simulation(..., initial=results.last)``,
    or its modes are looked for, ``eigenmodes(system, at=results.last)``.

    Where plain Newton finds nothing, the system moves to equilibrium in steps of the gradient flow
    of its energy (implicit Euler, with the mass matrix as metric): a pendulum comes to hang, a ball
    falls onto its socket, a shallow arch snaps through. Velocity-dependent forces play no part:
    dampers and friction do not act. Where bodies roll (conditions on velocities), many equilibria
    exist; this is the one that load steps roll to, with an error of the first order in their size
    where it depends on the path.

    Args:
        system: bodies, joints, loads and probes.
        steps: equal load steps; they are cut where no solution is found.
        arc_length: follow the equilibria along their path, past limit points, where the load
            factor falls again (Riks 1979; Crisfield 1981), until the factor is 1.
        time: of the functions of time at factor 1, s. A simulation from the equilibrium starts at
            t = 0: give 0 where loads or drivers depend on time (or ``last.with_time``).
        ramp: what grows with the factor, some of ``"gravity"``, ``"loads"``, ``"time"``,
            ``"rotation"``; the rest counts in full from the start.
        release: go on from an unstable equilibrium to a stable one, as a push would do.
        rotation: look for the relative equilibrium of a system in steady rotation.
        tolerance: largest residual of a row, relative to the largest force of its class.
        solver: ``"mumps"``, or ``"iterative"`` for solids so large that factorising them takes too
            long; then it is not looked whether the equilibrium is stable.
        options: PETSc options of the solver, e.g. ``{"snes_linesearch_type": "bt"}``.
        initial: state to begin with, ``last`` of earlier results; default: the model's own initial
            values, whatever was run before.

    Attributes:
        results: channels over the load factor, also after a failure.

    Raises:
        InputError: settings that cannot be.

    Example:
        >>> results = Statics(system, steps=20).solve()
        >>> results.factor, results["tip.y"]
    """

    #: smallest load step, as a part of the first
    smallest = 1e-2
    #: times that facets of two solids are paired anew under the full load, at most
    most_pairings = 10
    #: accepted points of a path at most, for arc length
    most = 5000

    def __init__(
        self,
        system: System,
        steps: int = 10,
        *,
        arc_length: bool = False,
        time: float = 1.0,
        ramp: Sequence[str] = RAMPS,
        release: bool = False,
        rotation: SteadyRotation | None = None,
        tolerance: float = 1e-9,
        solver: str = "mumps",
        options: dict | None = None,
        initial: SystemState | None = None,
    ):
        if not isinstance(system, System):
            raise InputError(f"Statics needs a System, got {system!r}.")
        self.system = system
        self.steps = checks.count("steps", steps)
        self.arc_length = bool(arc_length)
        self.time = checks.number("time", time)
        ramp = [ramp] if isinstance(ramp, str) else ramp
        self.ramp = [checks.choice("ramp", name, RAMPS) for name in ramp]
        self.release, self.rotation = bool(release), steady(rotation)
        self.tolerance = checks.within("tolerance", tolerance, 1e-14, 1e-2)
        self.solver, self.options = checks.choice("solver", solver, SOLVERS), options or {}
        self.initial = checked(initial)
        self.results: StaticResults | None = None
        self.stable: bool | None = None
        #: called at each equilibrium with its load factor
        self.on_equilibrium: Callable[[float], None] | None = None

    # --- the run --------------------------------------------------------------------------------
    def solve(self) -> StaticResults:
        """Find the equilibrium at load factor 1; collective.

        Raises:
            InputError: a system that cannot be assembled; rolling on what moves.
            StepFailed: no equilibrium; ``results`` and the system end at the last one found.
        """
        tic = time.perf_counter()
        self._prepare()
        try:
            if self.equations.balanced():
                self._accept(0.0)
            self._follow_path() if self.arc_length else self._grow()
            self.stable = self._stable()
            if self.release and self.stable is False:
                logger.info("statics: pseudo-transient relaxation leaves an unstable equilibrium")
                if not self.flow.leave():
                    raise StepFailed(
                        "the system leaves an unstable equilibrium and finds no other: "
                        f"{self.flow.words()}."
                    )
                self._accept(1.0)
                self.stable = self._stable()
            self.rigid_motion = self._free_motion()
        finally:
            self._finish(time.perf_counter() - tic)
        assert self.results is not None
        summary = self.results.summary
        logger.info(
            "statics: done in %d load factors with %d iterations in %.2g s",
            summary["steps"], summary["newton_iterations"], summary["wall_s"],
        )  # fmt: skip
        if self.rigid_motion:
            logger.warning(
                "in this equilibrium %s: nothing resists this motion, so the position is "
                "arbitrary. Hold it by a joint or a spring if it should have one.",
                self.rigid_motion,
            )
        if self.stable is False:
            logger.warning(
                "this equilibrium is unstable, and the system would leave it after the slightest "
                "disturbance (release=True looks for a stable one)"
            )
        judge(self.system, self.results)
        return self.results

    def _prepare(self):
        system = self.system
        start = 0.0 if "time" in self.ramp else self.time
        check_spans(system.items, min(start, self.time), max(start, self.time))
        state = self.state = State(system.assemble())
        set_to(state, self.initial)
        self.channels = Channels(state)
        system.show(self.channels)
        self.turning = RotatingFrame(state, self.rotation) if self.rotation else None
        self.loads = LoadProgram(state, self.time, self.ramp, self.turning)
        still = not np.any(state.v * (state.problem.dynamic > 0))
        if not state.comm.allreduce(still, op=MPI.MIN):
            logger.info("statics: the initial velocities are ignored and set to zero")
        settings = SolverSettings(self.tolerance, self.solver, self.options, ITERATIONS)
        self.equations = Equilibrium(state, self.turning, settings)
        self.event_set = EventSet(self.channels)
        extent = state.problem.extent
        #: displacement of each owned unknown's unit, relative to the system's size
        self.relative_length = (
            state.problem.characteristic_length(extent)
            / extent
            * self.equations.moves[: state.owned]
        )
        first = max(float(np.linalg.norm(system.gravity)), 1.0) / extent
        self.flow = GradientFlow(self.equations, self.relative_length, first, self._settle)
        self.rows: list[np.ndarray] = []
        self.motion = MotionRecorder(system, {n: n for n in self.channels.names})
        self.before: tuple[np.ndarray, float] | None = None
        self.rejected, self.rigid_motion = 0, None
        self.stable = None
        self.loads.set(1.0)
        self._check_rolling()
        self.equations.rescale()
        self.loads.set(0.0)

    def _check_rolling(self):
        """Refuse conditions on velocities where they have no meaning at rest."""
        state, names = self.state, holding_rates(self.state)
        if not names:
            return
        state.v[:] = 0.0
        moved = np.abs(state.add_over_ranks(state.residual())) * self.equations.rolls[: state.owned]
        moved = state.comm.allreduce(float(np.max(moved, initial=0.0)), op=MPI.MAX)
        if moved > 1e-12 * self.state.problem.extent or self.rotation or self.arc_length:
            raise InputError(
                f"Statics: {', '.join(names)} holds velocities (rolling): an equilibrium is known "
                "only on surfaces at rest, without arc_length and rotation."
            )

    def _finish(self, seconds: float):
        """The last equilibrium under full loads; make the results."""
        state = self.state
        self.loads.set(1.0)
        state.scale[:] = 1.0
        state.q_n[:] = state.q
        last = SystemState.of(state, self.time, begin=0.0)
        summary = {
            "steps": len(self.rows), "rejected_steps": self.rejected,
            "newton_iterations": self.equations.iterations, "wall_s": seconds,
            "rigid_motion": self.rigid_motion, "stable": self.stable,
        }  # fmt: skip
        channels = self.channels.list
        table = np.reshape(self.rows, (len(self.rows), 1 + len(channels)))
        self.results = StaticResults(channels, table, summary, last=last, motion=self.motion.motion)
        self.system.show(self.channels, last)
        self.equations.destroy()

    def _free_motion(self) -> str | None:
        """What nothing resists at the present state, in words."""
        if self.solver == "iterative":
            return None
        motion = free_motion(self.equations.linear())
        return None if motion is None else describe_motion(self.state, motion)

    def _stable(self) -> bool | None:
        """See ``Linearised.stable``."""
        return None if self.solver == "iterative" else self.equations.linear().stable()

    def _accept(self, factor: float):
        """The present state is an equilibrium: record it, let laws follow."""
        if self.event_set.describes_state and factor > 1.0 - 1e-9:
            self._pair_anew()
        self.equations.accepted()
        self._settle()
        self.rows.append(np.array([factor, *self.channels.values]))
        self.motion.record(factor, self.state.everything(self.state.q))
        if self.on_equilibrium is not None:
            self.on_equilibrium(factor)
        logger.debug("statics: equilibrium at load factor %.6g", factor)

    def _pair_anew(self):
        """Until the points at which facets of two solids touch are those of the equilibrium; all of
        it is one load step, so that friction that has slipped remains at its limit."""
        equations, state = self.equations, self.state
        moved = 0.0
        self.event_set.describe()
        for _ in range(self.most_pairings):
            if equations.balanced():
                return
            start = state.array.copy()
            if not equations.solve():
                self._back(start)
                break
            moved = self.flow.moved(start) * state.problem.extent
            equations.accepted()
            self.event_set.describe()
        if not equations.balanced():
            logger.warning(
                "statics: the points at which facets of two solids touch are not quite those of "
                "the equilibrium: the last correction moved the bodies by %.2g m, and forces are "
                "off balance by %.2g times the tolerance. Take more steps or smaller facets, "
                "or hold the body sideways.",
                moved, equations.scaled_residual(),
            )  # fmt: skip

    def _settle(self):
        self.event_set.observe()
        self.event_set.track()

    # --- load steps -----------------------------------------------------------------------------
    def _grow(self):
        """Load steps up to factor 1."""
        done, h = 0.0, 1.0 / self.steps
        rigid_motion = self._free_motion()
        if rigid_motion:
            logger.info("statics: at first %s: pseudo-transient relaxation", rigid_motion)
        while done < 1.0:
            h = min(h, 1.0 - done) if 1.0 - done - h > 1e-9 else 1.0 - done
            start = self.state.array.copy()
            self.loads.set(done + h)
            newton = not rigid_motion and self._newton(h)
            if not newton and not self._relax_or_cut(start, h, rigid_motion):
                h /= 4
                self.rejected += 1
                continue
            self.before = (start[: self.state.local], h) if newton else None
            done += h
            self._accept(done)
            h = min(2 * h, 1.0 / self.steps)
            rigid_motion = self._free_motion() if rigid_motion else None

    def _newton(self, h: float) -> bool:
        """Newton from where the path leads, and from where it is."""
        equations, state = self.equations, self.state
        start = state.array.copy()
        equations.factors(0.0, 0.0)
        for before in (self.before, None) if self.before else (None,):
            state.array[:] = start
            equations.restart()
            if before is not None:
                values, length = before
                step = (state.q[: state.local] - values) * (h / length)
                n = state.owned
                equations.x.array[:] += step[:n] / state.scale[:n]
            if equations.solve() and self.flow.moved(start) < 1.0:
                return True
        state.array[:] = start
        return False

    def _relax_or_cut(self, start: np.ndarray, h: float, rigid_motion: str | None) -> bool:
        """Pseudo-transient relaxation, or ``False``: try a smaller step, from the start."""
        if not rigid_motion and h > self.smallest / self.steps:
            self._back(start)
            return False
        factor = (self.rows[-1][0] if self.rows else 0.0) + h
        if not rigid_motion:
            logger.warning(
                "statics: the equilibrium is lost near load factor %.5g; pseudo-transient "
                "relaxation looks for another (%s)", factor, self._instead(),
            )  # fmt: skip
        if self.flow.relax():
            return True
        why = self.equations.failure(self.flow.words())
        self._back(start)
        raise StepFailed(
            f"no equilibrium at load factor {factor:.6g}: {why}. Hold that motion by a "
            "joint or a spring, take more steps, or arc_length=True past a limit point."
        )

    def _instead(self) -> str:
        """What to do where Newton's method finds no equilibrium near the last one."""
        for c, rows in zip(self.state.components, self.state.parameters, strict=True):
            sticks = isinstance(c.kind, Pressing) and c.kind.sticks
            if sticks and np.any(c.kind.column(rows, "friction.mu_s") > SMOOTH):
                return (
                    "nodes of facets with SurfaceStick may alternate between slip and stick: hold "
                    "the body sideways by a soft spring, press it on with mu_s = 1e-9 at time=0, "
                    "then push it by a function of time, initial=pressed.last, ramp='time'"
                )
        return "arc_length=True follows the path instead"

    def _back(self, start: np.ndarray):
        self.state.array[:] = start
        self.equations.rebuild = True

    # --- along the path -------------------------------------------------------------------------
    def _follow_path(self):
        """Equilibria along their path until the load factor is 1."""
        if not self.rows and not self._newton(0.0):
            raise StepFailed(f"no equilibrium without loads: {self.equations.failure()}.")
        if rigid_motion := self._free_motion():
            raise StepFailed(
                f"the path of equilibria has no direction: {rigid_motion}. Hold it, or leave out "
                "arc_length."
            )
        if not self.rows:
            self._accept(0.0)
        path = ArcLength(self.equations, self.loads, self.relative_length, 1.0 / self.steps)
        while len(self.rows) < self.most:
            start = self.state.array.copy()
            if path.advance():
                self._accept(path.factor)
                continue
            if not path.reached:
                raise StepFailed(
                    f"no equilibrium beyond load factor {path.factor:.6g}: "
                    f"{self.equations.failure()}; take more steps."
                )
            self.loads.set(1.0)
            if self._newton(1.0):
                self._accept(1.0)
                return
            self._back(start)
            path.shorten()
        raise StepFailed(
            f"the path did not come to load factor 1 in {self.most} steps; it is at "
            f"{path.factor:.6g}."
        )
