"""Derivatives of a run with respect to the parameters of its model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from .._backend import MPI
from ..core.initial import checked
from ..core.settings import SolverSettings
from ..errors import InputError
from ..model.system import System, each_rank_alone
from ..runs.case import Case
from ..runs.recorder import renamed
from ..runs.simulation import Simulation
from ..timestepping.settings import StepSettings, checked_integrator
from .adjoint import backward
from .cell_adjoint import by_cells
from .cell_derivatives import CellDerivatives
from .derivatives import Derivatives, unused
from .gradients import known
from .linear_run import LinearRun, started
from .memory import kept
from .outputs import At, History, Row, instants, outputs
from .points import check_model, values_at
from .rebuilt import Rebuilt
from .recorded import Recorded
from .recording import RecordingStepper
from .residuals import Residuals, compared
from .shares import own, share, together
from .supported import check
from .tangent import Forward, forward
from .taylor import TaylorTest, relative_changes, taylor

logger = logging.getLogger(__name__)

#: how derivatives are found
METHODS = ("auto", "forward", "adjoint")
#: what a model is
USE = (
    "a Case, such as fem_clearance.cases.get('slider_crank'), or a function that takes the values "
    "of the parameters and returns a System; bearings, statics and orbits have no runs: use "
    "SteadySensitivity with a function that returns them"
)


class Sensitivity:
    """Derivatives of a whole run with respect to parameters of its model.

    Args:
        model: ``model(values)`` builds and returns the ``System`` for a mapping from names to
            numbers; or a ``Case``.
        at: the values, by name; of a case its parameters that differ from their defaults.
        by: names of the parameters of the derivatives; default: all of ``at``.
        of: the outputs: ``At``, ``Integral``, ``Peak``, ``Function``, or names of channels.
        t_end: end of the run, s; a case has its own.
        integrator, dt, adaptive, tolerance, contact_tolerance: see ``Simulation``; a case has its
            own, which its parameters set.
        newton_tolerance, options, solver, initial: likewise.
        sizes: magnitude of a parameter, by name; default: that of its value.
        folder: of a temporary file that holds the states of the run; default: they are in memory.

    Raises:
        InputError: settings that are wrong or do not go together.

    Example:
        >>> s = Sensitivity(model, at={"E": 2e11, "clearance": 1e-3}, of="tip.y", t_end=0.1)
        >>> s.forward().jacobian
    """

    def __init__(
        self, model: Callable[[Mapping[str, float]], System] | Case, *,
        at: Mapping[str, Any] | None = None, by: Sequence[str] | str | None = None, of: Any,
        t_end: float | None = None, integrator: Any = None, dt: float | None = None,
        adaptive: bool | None = None, tolerance: float = 1e-7, contact_tolerance: float = 1e-4,
        newton_tolerance: float = 1e-8, options: dict | None = None, solver: str = "auto",
        initial: Any = None, sizes: Mapping[str, float] | None = None,
        folder: str | Path | None = None,
    ):  # fmt: skip
        self.of, self.folder = outputs(of), folder
        self.rename: Mapping[str, str] = {}
        self.stops = tuple(sorted({t for o in self.of for t in instants(o)}))
        if isinstance(model, Case):
            if any(z is not None for z in (t_end, integrator, dt, adaptive, options, initial)):
                raise InputError(
                    "Sensitivity: the settings of a case's run are parameters of the case; give "
                    "them in at, for example at={'t_end': 0.1}."
                )
            self._of_case(model, dict(at or {}), by)
        else:
            check_model("Sensitivity", model, USE)
            if t_end is None:
                raise InputError("Sensitivity: give t_end, the end of the run in s.")
            if not at:
                raise InputError("Sensitivity: at must map the names of the parameters to values.")
            self._build = model
            steps = StepSettings(t_end, dt, adaptive, tolerance, contact_tolerance)
            solving = SolverSettings(newton_tolerance, solver, options or {})
            self._run = checked_integrator(integrator), steps, solving, checked(initial)
            self.at = {name: checks.number(name, value) for name, value in at.items()}
            self.by = self._named(by, self.at)
        self.sizes = self._checked_sizes(sizes or {})
        self._last: Recorded | None = None

    def _of_case(self, case: Case, changes: dict[str, Any], by) -> None:
        """A case as a function of its parameters."""
        values = case.resolve(changes, MPI.COMM_SELF)
        names = [by] if isinstance(by, str) else [*(by or [])]
        if not names:
            raise InputError(f"Sensitivity: by must name parameters of the case {case.name}.")
        for name in names:
            if name not in values:
                near = checks.suggestion(name, values)
                raise InputError(f"{case.name} has no parameter {name!r}{near}.")
            if values.parameters[name].type is not float or values[name] is None:
                raise InputError(
                    f"by: {name} is not a real number (counts and choices have no derivative); "
                    "name parameters that are."
                )
        run = case.simulation(values, progress=False)
        if not isinstance(run, Simulation):
            raise InputError(f"{case.name} is an analysis without time; use SteadySensitivity.")
        fixed = {k: values[k] for k in values.given if k not in names}

        def build(point: Mapping[str, float]) -> System:
            return case.model(case.resolve({**fixed, **point}, MPI.COMM_SELF)).system

        self._build, self.rename = build, run.output.rename
        self._run = run.integrator, run.steps, run.solver, run.initial
        self.at = {name: float(values[name]) for name in names}
        self.by = self._named(names, self.at)

    def _named(self, by, known) -> tuple[str, ...]:
        names = tuple([by] if isinstance(by, str) else by if by is not None else known)
        for name in names:
            if name not in known:
                near = checks.suggestion(name, known)
                raise InputError(f"by: at has no value for {name!r}{near}.")
        if len({*names}) < len(names) or not names:
            raise InputError(f"by must name each parameter once, got {', '.join(names) or 'none'}.")
        return names

    def _checked_sizes(self, given: Mapping[str, float]) -> dict[str, float]:
        for name, size in given.items():
            if name not in self.at:
                raise InputError(
                    f"sizes: there is no parameter {name!r}{checks.suggestion(name, self.at)}."
                )
            checks.positive(f"sizes: {name}", size)
        for name in self.by:
            if not self.at[name] and name not in given:
                raise InputError(f"{name} is zero; state its magnitude by sizes={{{name!r}: ...}}.")
        return dict(given)

    def sizes_at(self, values: Mapping[str, float]) -> np.ndarray:
        """By what sizes the parameters count, (parameters,)."""
        own = [abs(values[n]) or abs(self.at[n]) or 1.0 for n in self.by]
        return np.array([self.sizes.get(n, z) for n, z in zip(self.by, own, strict=True)])

    # --- runs -------------------------------------------------------------------------------------
    def _made(self, values: Mapping[str, float]) -> System:
        """The model for some values, on this rank alone."""
        with each_rank_alone():
            system = self._build(values)
        if not isinstance(system, System):
            raise InputError(f"Sensitivity: model must return a System, got {system!r}.")
        if system.comm.size > 1:
            raise InputError(
                "Sensitivity: on several ranks each rank runs the whole model by itself; write "
                "System(...) without comm in the model."
            )
        return system

    def _begin(self, system: System) -> RecordingStepper:
        stepper = RecordingStepper.of(system, *self._run)
        assert isinstance(stepper, RecordingStepper)
        stepper.stops, stepper.folder = self.stops, self.folder
        return stepper

    def run(self, x: Mapping[str, float] | ArrayLike | None = None) -> Recorded:
        """The run for the values ``x`` of the parameters ``by``, in their order or by name (others
        are those of ``at``); the last run is kept."""
        values = self._values(x)
        if self._last is not None and self._last.values == values:
            return self._last
        self.forget()
        stepper = self._begin(self._made(values))
        stepper.look = self._look
        stepper.start()
        begin = started(stepper)
        listed = renamed(stepper.channels.list, self.rename)
        t, seen = [np.array([stepper.t])], [stepper.channels.read()[None].copy()]
        for times, channels in stepper.run():
            t.append(times)
            seen.append(channels)
        columns = dict(zip([c.name for c in listed], np.concatenate(seen).T, strict=True))
        history = History(np.concatenate(t), columns)
        rows = [row for o in self.of for row in o.rows(history)]
        self._last = Recorded(values, stepper, begin, history, rows)
        return self._last

    def _look(self, stepper: RecordingStepper) -> None:
        """Refuse what cannot be derived before the run takes its time."""
        check(stepper)
        names = [c.name for c in renamed(stepper.channels.list, self.rename)]
        for o in self.of:
            if (name := getattr(o, "channel", None)) is not None:
                known(name, names)
            if isinstance(o, At):
                o.check(stepper.t, stepper.t_end, None if stepper.adaptive else stepper.dt)

    def forget(self) -> None:
        """Free the run that is kept."""
        if self._last is not None:
            self._last.stepper.destroy()
            self._last = None

    def _values(self, x: Mapping[str, float] | ArrayLike | None) -> dict[str, float]:
        return values_at(x, self.by, self.at)

    @contextmanager
    def _linear(self, recorded: Recorded, by: Sequence[str]) -> Iterator[LinearRun]:
        """The linearised run for derivatives with respect to the parameters ``by``."""
        names = dict.fromkeys(n for row in self._own(recorded) for n in row.channels)
        sizes = dict(zip(self.by, self.sizes_at(recorded.values), strict=True))
        stepper = recorded.stepper
        memories = kept(stepper.state, stepper.record)
        places = [each.places.ravel() for each in memories]
        rebuilt = Rebuilt(self._made, self._begin, stepper, recorded.values, places)
        parts = [rebuilt.by(n, sizes[n]) for n in by]
        run = LinearRun(stepper, parts, names, recorded.begin, memories)
        try:
            yield run
        finally:
            run.destroy()

    def _names(self, recorded: Recorded) -> dict[str, Any]:
        """The run's own channels by the names that users know."""
        mine = recorded.stepper.channels.list
        return {c.name: o for c, o in zip(renamed(mine, self.rename), mine, strict=True)}

    def _own(self, recorded: Recorded) -> list[Row]:
        """The outputs in the run's own names."""
        names = self._names(recorded)
        return [
            Row(r.name, r.value, {names[n].name: w for n, w in r.channels.items()}, r.times)
            for r in recorded.rows
        ]

    # --- derivatives ------------------------------------------------------------------------------
    def forward(self, x: ArrayLike | None = None, *, histories: bool = True) -> Derivatives:
        """Derivatives, computed forwards in time: one solution for each parameter and step.

        Args:
            x: values of the parameters; default: ``at``.
            histories: whether to derive the channels of ``of`` at all instants, too.
        """
        recorded = self.run(x)
        found = together(lambda: self._forward(recorded, self.by[own()], histories))
        jacobian = np.zeros((len(recorded.rows), len(self.by)))
        over_time: dict[tuple[str, str], np.ndarray] = {}
        for rank, (part, _) in enumerate(found):
            jacobian[:, share(rank)] = part.jacobian
            for name, z in part.histories.items():
                over_time |= {(name, p): z[:, k] for k, p in enumerate(self.by[share(rank)])}
        beyond = min((z.beyond for z, _ in found if z.beyond is not None), default=None)
        unknown = set().union(*(names for _, names in found))
        return self._found(recorded, jacobian, over_time, beyond, unknown)

    def _forward(
        self, recorded: Recorded, by: Sequence[str], histories: bool
    ) -> tuple[Forward, set[str]]:
        """Derivatives by the parameters ``by``; joints whose approach speeds no rule explains."""
        rows = self._own(recorded)
        if not by:
            return Forward(np.zeros((len(rows), 0)), {}, None), set()
        names = [*dict.fromkeys(n for row in rows for n in row.channels)]
        sizes = self.sizes_at(recorded.values)[[self.by.index(n) for n in by]]
        with self._linear(recorded, by) as run:
            found = forward(run, rows, names if histories else (), sizes)
        shown = {mine.name: name for name, mine in self._names(recorded).items()}
        over_time = {shown[name]: z for name, z in found.histories.items()}
        return replace(found, histories=over_time), run.unknown

    def adjoint(self, x: ArrayLike | None = None) -> Derivatives:
        """The same, computed backwards in time: one solution for each output and step."""
        recorded = self.run(x)
        found = together(lambda: self._backward(recorded, self._own(recorded)[own()]))
        jacobian = np.zeros((len(recorded.rows), len(self.by)))
        for rank, (part, _) in enumerate(found):
            jacobian[share(rank)] = part
        return self._found(recorded, jacobian, {}, None, set().union(*(z for _, z in found)))

    def _backward(self, recorded: Recorded, rows: list[Row]) -> tuple[np.ndarray, set[str]]:
        """The same for some outputs, backwards in time."""
        if not rows:
            return np.zeros((0, len(self.by))), set()
        with self._linear(recorded, self.by) as run:
            return backward(run, rows), run.unknown

    def cells(self, x: ArrayLike | None = None) -> CellDerivatives:
        """Derivatives with respect to every number of the cells of the model (masses, points of
        joints, moduli, stiffnesses, and fields of them), by one adjoint solution for each output
        and step. Coordinates and velocities at the start are held constant, unless they have to be
        corrected to satisfy constraints. See docs/sensitivity.md.

        Raises:
            InputError: a run for which they are not available.

        Example:
            >>> s.cells()["arm", "mass"].shape  # outputs x cells
        """
        recorded = self.run(x)
        return by_cells(recorded, self._own(recorded))

    def derivatives(
        self, x: ArrayLike | None = None, method: str = "auto", *, histories: bool = False
    ) -> Derivatives:
        """Derivatives by ``forward`` or ``adjoint``; ``"auto"`` chooses ``adjoint`` if there are
        fewer outputs than parameters. ``histories`` has an effect in ``forward`` only."""
        checks.choice("method", method, METHODS)
        fewer = len(self.run(x).rows) < len(self.by)
        if method == "adjoint" or (method == "auto" and fewer):
            return self.adjoint(x)
        return self.forward(x, histories=histories)

    def _found(
        self, recorded: Recorded, jacobian: np.ndarray, over_time, beyond: float | None, unknown
    ) -> Derivatives:
        values = np.array([recorded.values[n] for n in self.by])
        sizes, notes = self.sizes_at(recorded.values), recorded.notes(beyond, unknown)
        notes += unused(self.by, recorded.outputs, jacobian * sizes)
        for note in notes:
            logger.warning("%s", note)
        return Derivatives(
            tuple(row.name for row in recorded.rows), self.by, recorded.outputs, jacobian, values,
            sizes, over_time, recorded.history.t, recorded.history.channels, tuple(notes),
            {name: channel.unit for name, channel in self._names(recorded).items()},
        )  # fmt: skip

    # --- for optimisers ---------------------------------------------------------------------------
    def objective(self, x: ArrayLike) -> tuple[float, np.ndarray]:
        """The output and its gradient, (parameters,), for ``minimize(s.objective, x, jac=True)``.

        Raises:
            InputError: several outputs.
        """
        d = self.derivatives(x)
        if len(d.values) != 1:
            raise InputError(
                f"objective needs one output, but of has {len(d.values)}; use residuals."
            )
        return float(d.values[0]), d.jacobian[0]

    def residuals(self, data: ArrayLike, *, deviation: ArrayLike = 1.0) -> Residuals:
        """The outputs minus ``data``, divided by their standard deviations, as a function of the
        parameters' values, and its derivatives: ``r = s.residuals(data, deviation=1e-5)`` and
        ``least_squares(r, x, jac=r.jacobian)``. ``deviation``: a number, or one for each row or
        for each entry of ``of``. See ``Residuals``.
        """
        given = compared(self.of, data, deviation)
        return Residuals(lambda x: self.run(x).outputs, self.jacobian, *given)

    def jacobian(self, x: ArrayLike | None = None) -> np.ndarray:
        """Derivatives of the outputs at ``x``, outputs x parameters."""
        return self.derivatives(x).jacobian

    # --- a look at it -----------------------------------------------------------------------------
    def check(
        self, direction: Mapping[str, float] | ArrayLike | None = None, *, largest: float = 0.1
    ) -> TaylorTest:
        """Repeat the run, or analysis, with smaller and smaller changes of the parameters along
        ``direction``. The differences between the changes of the outputs and those that the
        derivatives predict are of second order unless the outputs have a kink.

        Args:
            direction: relative changes of the parameters, by name or in the order of ``by``;
                default: all alike.
            largest: largest factor of the direction; the smallest one is a hundredth of it.

        Raises:
            InputError: a direction without a change, or of another length.
        """
        checks.positive("check: largest", largest)
        along, base = relative_changes(self.by, direction), self.derivatives()
        return taylor(base, along * base.sizes, self.run, largest)
