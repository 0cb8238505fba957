"""A simulation: a system, a time integrator, and the output of the run."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from .. import checks
from .._backend import MPI, PETSc
from ..core.ends import end_together
from ..core.initial import SystemState, checked
from ..core.settings import SolverSettings
from ..errors import InputError, StepFailed
from ..io import checkpoint
from ..io.files import reading
from ..io.folder import RunFolder, run_log
from ..io.ranks import on_root, warn_of_crowd
from ..io.relay import Relay, relayed
from ..io.rows import Derived
from ..model.system import System
from ..model.team import Team
from ..timestepping.settings import StepSettings, checked_integrator
from ..timestepping.stepper import Stepper
from . import recorder
from .ends import End, Interrupts
from .heartbeat import Heartbeat
from .parameters import Values
from .progress import TimeBar
from .results import Results
from .settings import Origin, OutputSettings

logger = logging.getLogger(__name__)

#: instants of a run at which fields are recorded by default
FIELDS = 50
#: decisions on which the ranks agree after each step
GO, TELL, SAVE, STOP, FAILED = range(5)


class Simulation:
    """Runs a system from its initial state to an end time.

    Args:
        system: bodies, joints, loads and probes.
        integrator: default ``GeneralizedAlpha(0.8)``.
        dt: fixed step in s, reduced while a contact requires it (not of facets, for which the log
            names a step); with ``adaptive=True`` the first step. An explicit integrator chooses
            its own if none is given.
        adaptive: choose steps by their error; default: if no ``dt`` is given. Never with an
            explicit integrator.
        tolerance: local error of an adaptive step, relative to the system's size.
        t_end: end time, s; the last row is exactly there.
        newton_tolerance: residual of a step, relative to the largest force of its kind.
        contact_tolerance: local error of a contact's motion in an adaptive step, see ``Stepper``.
        on_energy_growth: ``"stop"``: a run in which more energy appears than its largest kinetic
            energy before ends with ``EnergyGrowth``; ``"warn"``: it continues.
        options: PETSc options of the solver, e.g. ``{"ksp_type": "gmres"}``.
        solver: linear solver, see ``Stepper``.
        initial: initial state, ``last`` of earlier results: the run continues from its time to
            ``t_end`` (from an equilibrium of ``Statics`` it starts at 0). Default: the model's own
            initial values at t = 0, whatever was run before.
        output: folder of the run, or ``None`` to keep the results in memory.
        overwrite: replace a finished run in the folder, which is refused otherwise; unfinished ones
            are always overwritten (or resumed, see ``run``).
        every: record every so many accepted steps; the first and the last always.
        fields_every: record poses and shapes of the bodies every so many steps (``int``) or seconds
            (``float``), with ``output`` in files too; 0: never. Default: a fiftieth of the run.
        checkpoint_every_s: wall time in s between two checkpoints.
        max_wall, max_steps: end the run with ``LimitReached`` after this wall time in s (from the
            call of ``run``, so that compiling counts; checked about every 0.05 s, between steps) or
            this number of accepted steps in this call of ``run``.
        progress: show a bar, on a terminal or in a notebook.
        on_step: ``on_step(stepper)`` is called after each accepted step, on every rank with work.
            It may read values (``stepper.t``, ``stepper.channels["arm.x"]``) and set those that act
            from now on (``stepper.assign("motor", vector=(0, 0, 2))``), as a controller does. Its
            own variables are not part of checkpoints.
        before_step: ``before_step(stepper, t)`` is called before each step, with the time at which
            the step is to end. It sets values at that time (``stepper.assign``,
            ``load.update(stepper)``), as of a load that varies with time; they stay if the step is
            repeated with a smaller size. Values set by ``on_step`` are held over the next step.
        rename: other names for channels or their prefixes.
        derived: further channels computed from the recorded ones.
        case, parameters: origin of a run from the shell, written to ``case.toml``.

    Attributes:
        results: channels over time, once the run has ended, early or not.

    Raises:
        InputError: settings that cannot be.

    Example:
        >>> results = Simulation(system, dt=1e-3, t_end=2.0, output="runs/pendulum").run()
        >>> results.plot("tip.y")
    """

    def __init__(
        self,
        system: System,
        integrator: Any = None,
        *,
        dt: float | None = None,
        adaptive: bool | None = None,
        tolerance: float = 1e-7,
        t_end: float,
        newton_tolerance: float = 1e-8,
        contact_tolerance: float = 1e-4,
        on_energy_growth: str = "stop",
        options: dict | None = None,
        solver: str = "auto",
        initial: SystemState | None = None,
        output: Any = None,
        overwrite: bool = False,
        every: int = 1,
        fields_every: int | float | None = None,
        checkpoint_every_s: float = 60.0,
        max_wall: float | None = None,
        max_steps: int | None = None,
        progress: bool = True,
        on_step: Callable[[Stepper], None] | None = None,
        before_step: Callable[[Stepper, float], None] | None = None,
        rename: Mapping[str, str] | None = None,
        derived: Sequence[Derived] = (),
        case: Origin | None = None,
        parameters: Values | None = None,
    ):
        if not isinstance(system, System):
            raise InputError(f"Simulation needs a System, got {system!r}.")
        self.system = system
        self.integrator, self.initial = checked_integrator(integrator), checked(initial)
        steps = StepSettings(t_end, dt, adaptive, tolerance, contact_tolerance)
        start = 0.0 if self.initial is None else self.initial.begin
        self.steps = steps.for_run(self.integrator, start)
        self.solver = SolverSettings(newton_tolerance, solver, {} if options is None else options)
        self.t_end, self.adaptive = steps.t_end, bool(self.steps.adaptive)
        self.folder = None if output is None else RunFolder(output)
        if fields_every is None:
            fields_every = (self.t_end - start) / FIELDS
        self.output = OutputSettings(
            self.folder, every, fields_every, checkpoint_every_s, on_energy_growth,
            {} if rename is None else rename, derived, case, parameters,
        )  # fmt: skip
        self.max_wall = None if max_wall is None else checks.positive("max_wall", max_wall)
        self.max_steps = None if max_steps is None else checks.count("max_steps", max_steps)
        self.progress, self.on_step, self.overwrite = progress, on_step, overwrite
        self.before_step = before_step
        if on_step is not None and not callable(on_step):
            raise InputError(f"on_step must be a function of the stepper, got {on_step!r}.")
        if before_step is not None and not callable(before_step):
            raise InputError(
                f"before_step must be a function of the stepper and the time, got {before_step!r}."
            )
        self.results: Results | None = None

    def run(self, resume: bool = False) -> Results:
        """Run to the end; collective.

        Args:
            resume: continue from the last checkpoint in ``output``, or start again if there is
                none.

        Raises:
            InputError: a system that cannot be simulated, or a finished run in the folder; nothing
                has been written.
            StepFailed: no solution at the smallest step, or (``EnergyGrowth``) energy that grows
                without a source; ``results`` and files end there.
            LimitReached: ``max_wall`` or ``max_steps`` is reached; likewise.
            Interrupted: a signal has ended the run, a ``KeyboardInterrupt``; likewise.
        """
        end_together(self.system.comm)  # of all ranks; the team may be fewer
        team, tic = Team(self.system), time.monotonic()
        failure: BaseException | None = None
        told = Interrupts()
        with told.passed_on(), nullcontext() if team.works else told:
            if team.works:
                try:
                    with team.at_work():
                        failure = self._run(resume, team, told, tic)
                except (Exception, KeyboardInterrupt) as error:
                    if team.own is None:
                        raise
                    failure = error
            self.results, failure = team.meet((self.results, failure), lambda: told.reason)
            if failure:
                raise failure
        assert self.results is not None
        return self.results

    def _run(
        self, resume: bool, team: Team, interrupts: Interrupts, tic: float
    ) -> BaseException | None:
        """The run on the ranks that have work; returns what stopped it early, or ``None``."""
        comm = self.system.comm
        try:
            with run_log(comm) as to_log, relayed(comm) as relay:
                warn_of_crowd(comm)
                saved = on_root(comm, self._prepare, resume)
                stepper, about = self._stepper(saved)
                record = recorder.Recorder(self.output, self.system, stepper, about, team.all.size)
                try:
                    with interrupts:
                        record.open(to_log)
                        end = End(stepper, interrupts, team, tic, self.max_wall, self.max_steps)
                        failure = self._loop(stepper, record, end, relay)
                        self.results = record.close(str(failure) if failure else None)
                finally:
                    record.abandon()
                stepper.destroy()
                # PETSc objects of earlier runs that Python has collected
                PETSc.garbage_cleanup(comm)
        finally:
            if self.folder is not None:
                self.folder.unlock()
        return failure

    def _stepper(self, saved) -> tuple[Stepper, dict[str, Any] | None]:
        """A stepper at the start, or restored from a checkpoint, and the data of the checkpoint;
        collective."""
        self.system.assemble()
        if self.system.equilibrium is not None and self.initial is None:
            logger.info(
                "the run starts from the model's initial values and not from the equilibrium that "
                "was found before (for this use initial=Statics(system).solve().last)"
            )
        stepper = Stepper.of(self.system, self.integrator, self.steps, self.solver, self.initial)
        if saved is None:
            stepper.start()
            return stepper, None
        state, about = saved
        if about["t"] > self.t_end * (1 + 1e-12):
            raise InputError(
                f"the run has already reached t = {about['t']:g} s, beyond t_end = "
                f"{self.t_end:g} s."
            )
        with reading(self.folder.checkpoint / checkpoint.NAME, checkpoint.REMEDY):  # type: ignore[union-attr]
            stepper.restore(state)
        return stepper, about

    def _prepare(self, resume: bool):
        """Check the folder before any work; returns the checkpoint from which to continue."""
        if self.folder is None:
            if resume:
                raise InputError("only a run with an output folder can be resumed.")
            return None
        self.folder.check()
        saved = recorder.last_checkpoint(self.folder.path) if resume else None
        if saved is None and not self.overwrite:
            self.folder.spare()
        if resume and saved is None:
            logger.warning("%s has no checkpoint yet, so the run starts again", self.folder.path)
        return saved

    def _loop(
        self, stepper: Stepper, record: recorder.Recorder, end: End, relay: Relay
    ) -> BaseException | None:
        """Steps until the end; returns what stopped them early, or ``None``."""
        comm = self.system.comm
        pulse = Heartbeat(stepper)
        with TimeBar(stepper, self.progress and record.root) as bar:
            while stepper.t < stepper.t_end:
                steps, until = record.ahead()
                steps = 1 if self.on_step or self.before_step else min(steps, end.left())
                if self.before_step is not None:
                    stepper.ahead = True
                    self.before_step(stepper, _coming(stepper))
                    stepper.ahead = False
                try:
                    stepper.advance(steps, until)
                except StepFailed as error:
                    record.see()
                    record.together(record.append)
                    logger.error("%s", error)
                    return error
                failure, wish = None, GO
                record.see()
                record.shapes()
                try:
                    record.append()
                    wish = SAVE if record.root and record.due else TELL if relay.pending else GO
                    bar.show()
                    pulse.see()
                except OSError as error:
                    failure, wish = error, FAILED
                if self.on_step is not None:
                    self.on_step(stepper)
                stop = end.reached()
                wish = max(wish, STOP) if stop else wish
                if comm.size > 1:
                    wish = comm.allreduce(wish, op=MPI.MAX)
                if wish == FAILED:
                    raise OSError(next(m for m in comm.allgather(failure and str(failure)) if m))
                if wish > GO:
                    relay.tell()
                if wish == STOP:
                    return next(s for s in comm.allgather(stop) if s)
                if growth := record.monitor.failure(stepper.t):
                    logger.error("%s", growth)
                    return growth
                if wish == SAVE:
                    record.save()
        return None


def _coming(stepper: Stepper) -> float:
    """When the coming step is to end, s; collective."""
    events, t = stepper.event_set, stepper.t
    left = events.time_left() if events.changing else math.inf
    target, _ = stepper.milestones.next(t, t + left, stepper.t_end)
    return t + stepper.control.next(target - t)
