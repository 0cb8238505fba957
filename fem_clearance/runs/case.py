"""A case: a model with parameters that runs from the shell by its name or file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import checks
from ..core.settings import SolverSettings
from ..deprecated import arguments
from ..errors import InputError, StepFailed
from ..timestepping.settings import StepSettings
from ..user_code import failure
from .parameters import Parameter, Values, of_setting, renamed
from .settings import OutputSettings

if TYPE_CHECKING:
    from ..io.rows import Derived
    from ..model.system import System
    from .simulation import Simulation
    from .steady import SteadyRun

logger = logging.getLogger(__name__)


#: parameters of every case that are settings, by the names of the settings, in the order shown
SETTINGS = {
    "adaptive": of_setting(StepSettings, "adaptive", default=True),
    "dt": of_setting(StepSettings, "dt"),
    "tolerance": of_setting(StepSettings, "tolerance"),
    "t_end": of_setting(StepSettings, "t_end", default=1.0),
    "newton_tolerance": of_setting(SolverSettings, "newton_tolerance"),
    "contact_tolerance": of_setting(StepSettings, "contact_tolerance"),
    "on_energy_growth": of_setting(OutputSettings, "on_energy_growth"),
    "solver": of_setting(SolverSettings, "solver"),
    "every": of_setting(OutputSettings, "every", "output.every"),
    "fields_every": of_setting(OutputSettings, "fields_every", "output.fields_every"),
    "checkpoint_every_s": of_setting(OutputSettings, "checkpoint_every_s", "checkpoint.every_s"),
}
#: parameters of every case
COMMON = (
    Parameter(
        "integrator", "generalized_alpha", text="time integration",
        choices=("generalized_alpha", "bathe", "central_difference"),
    ),
    Parameter(
        "rho_inf", 0.8, text="spectral radius at infinite frequency: 1 no damping, 0 most",
        check=lambda n, x: checks.within(n, x, 0, 1),
    ),
    Parameter(
        "constraints", "auto",
        text="hold on positions alone, or stabilised: on velocities too; auto: by integrator",
        choices=("auto", "position", "stabilised"),
    ),
    *SETTINGS.values(),
)  # fmt: skip


@dataclass
class Model:
    """What a case builds, if it is more than a system.

    Attributes:
        system: bodies, joints, loads and probes.
        rename: other names for channels or their prefixes: ``{"pivot.reaction": "reaction"}``.
        derived: further channels computed from the recorded ones.

    Example::

        angle = fc.Derived("angle", "rad", "of the body", lambda r: np.arctan2(r["y"], r["x"]))
        fc.Model(system, rename={"body.x": "x", "body.y": "y"}, derived=[angle])
    """

    system: System
    rename: Mapping[str, str] = field(default_factory=dict)
    derived: Sequence[Derived] = ()


@arguments(follow="derived_settings")
@dataclass
class Case:
    """A model with parameters.

    Args:
        name: as used in the shell.
        description: one line.
        build: ``build(p)`` returns the ``System`` (built with ``comm=p.comm``) or a ``Model``;
            ``p["arm.E"]`` is a parameter's value.
        parameters: beside the common ones.
        settings: defaults of common parameters: ``{"t_end": 2.0, "dt": 1e-3, "adaptive": False}``.
        summary: ``summary(results, events)`` returns further entries of ``summary.json``;
            ``events`` as in ``Results.events``.
        units: units of these entries: ``{"peak_force": "N"}``.
        derived_settings: ``derived_settings(values)`` returns values of parameters that follow from
            others, unless the user sets them: ``{"t_end": ...}``.
        figures: ``figures(results, p)`` yields (file name, figure); by default all channels.
        analyse: for a case without time: ``analyse(built, p)`` returns ``SteadyResults``, where
            ``built`` is what ``build`` returned and may be anything; the common parameters have no
            effect.

    Example:
        >>> case = Case("pendulum", "a pendulum", build, [Parameter("length", 1.0, "m", "of it")])

    Raises:
        InputError: a setting that is no common parameter, a parameter that is defined twice.
    """

    name: str
    description: str
    build: Callable[[Values], Any]
    parameters: Sequence[Parameter] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    summary: Callable[..., dict] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    figures: Callable[..., Any] | None = None
    derived_settings: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    analyse: Callable[..., Any] | None = None
    #: the Python file of a user's case
    file: Path | None = None
    #: SHA-256 of its content, when it was loaded
    digest: str | None = field(default=None, init=False, repr=False)

    def __post_init__(self):
        checks.file_name("the name of a case", self.name)
        common = {p.name: p for p in COMMON}
        for key, value in self.settings.items():
            if key not in common:
                raise InputError(
                    f"{self.name}: no common parameter is called {key!r}"
                    f"{checks.suggestion(key, common)}; settings gives defaults of those."
                )
            common[key] = replace(common[key], default=value)
        own = {p.name: p for p in self.parameters}
        if len(own) < len(self.parameters) or own.keys() & common.keys():
            raise InputError(f"{self.name}: a parameter is defined twice.")
        self._parameters = {**own, **common}

    def resolve(self, changes: Mapping[str, Any] | None = None, comm=None) -> Values:
        """All parameters, checked.

        Args:
            changes: values by dotted key, as text or typed.
            comm: communicator of the run (default: all ranks).

        Raises:
            InputError: an unknown key, a wrong value.
        """
        changes = renamed(changes or {}, self._parameters)
        for key in changes:
            if key not in self._parameters:
                raise InputError(
                    f"{self.name} has no parameter {key!r}"
                    f"{checks.suggestion(key, self._parameters)}; it has "
                    f"{checks.some(self._parameters, like=key)}."
                )
        values = {
            key: p.read(changes[key]) if key in changes else p.default
            for key, p in self._parameters.items()
        }
        if self.derived_settings is not None:
            derived = self.derived_settings(values)
            values |= {k: v for k, v in derived.items() if k not in changes}
        if "dt" in changes and "adaptive" not in changes:
            values["adaptive"] = False
        if values["adaptive"] and "dt" not in changes:
            values["dt"] = None
        if not values["adaptive"] and values["dt"] is None:
            raise InputError("fixed steps need a step: give dt, e.g. dt=1e-4.")
        if values["output.fields_every"] is None:
            values["output.fields_every"] = values["t_end"] / 50
        return Values(self._parameters.values(), values, changes, comm)

    def under(self, key: str, value: Any) -> Any:
        """The checked value of a parameter, in the unit of the name or alias that it has here.

        Raises:
            InputError: an unknown key, a value that is not allowed.
        """
        if key in self._parameters:
            return self._parameters[key].read(value)
        for p in self._parameters.values():
            if key in p.aliases:
                read, factor = p.read(p.under(key, value)), p.aliases[key]
                return read if factor == 1.0 else read / factor
        return self.resolve({key: value})

    @property
    def source(self) -> str:
        """Name of a case of the package, or path of a user's file."""
        return str(self.file) if self.file else self.name

    def model(self, values: Values) -> Model:
        """The model for resolved parameters.

        Raises:
            InputError: no system, or an error in a user's ``build``.
        """
        from .._backend import MPI
        from ..model.system import System

        if self.analyse is not None:
            raise InputError(f"{self.name} is an analysis without time: there is no system in it.")
        built = self.built(values)
        model = Model(built) if isinstance(built, System) else built
        if not isinstance(model, Model):
            raise InputError(f"{self.name}: build must return a System, got {built!r}.")
        wanted = MPI.COMM_WORLD if values.comm is None else values.comm
        if MPI.Comm.Compare(model.system.comm, wanted) > MPI.CONGRUENT:
            raise InputError(
                f"{self.name}: write System(..., comm=p.comm) in build, so that every rank "
                "can do runs of its own."
            )
        return model

    def built(self, values: Values):
        """What ``build`` returns.

        Raises:
            InputError: wrong parameters, or an error in a user's ``build``.
        """
        try:
            return self.build(values)
        except (InputError, StepFailed):
            raise
        except Exception as error:
            if self.file is None:
                raise
            raise failure("build", error, str(self.file)) from error

    def simulation(
        self,
        changes=None,
        *,
        output=None,
        overwrite=False,
        progress=True,
        comm=None,
        max_wall=None,
        max_steps=None,
    ) -> Simulation | SteadyRun:
        """The simulation (or analysis) for given parameters:
        ``case.simulation({"arm.E": 6e7}).run()``.

        Args:
            changes: parameters by dotted key, or resolved ``Values``.
            output: folder of the run, or ``None`` to keep the results in memory.
            overwrite: replace a finished run in the folder.
            progress: show a bar on a terminal.
            comm: communicator of the run (default: all ranks).
            max_wall, max_steps: see ``Simulation``.
        """
        from .simulation import Simulation
        from .steady import SteadyRun

        p = changes if isinstance(changes, Values) else self.resolve(changes, comm)
        if self.analyse is not None:
            plain = self.resolve()
            idle = [c.name for c in COMMON if c.name in p.given and p[c.name] != plain[c.name]]
            limits = {"max_wall": max_wall, "max_steps": max_steps}
            idle += [name for name, limit in limits.items() if limit is not None]
            if idle:
                logger.warning(
                    "%s has no motion in time, so that %s has no effect", self.name, ", ".join(idle)
                )
            return SteadyRun(self, p, output, p.comm, overwrite)
        model = self.model(p)
        return Simulation(
            model.system,
            _integrator(p),
            **_settings(p),
            output=output,
            overwrite=overwrite,
            max_wall=max_wall,
            max_steps=max_steps,
            progress=progress,
            rename=model.rename,
            derived=model.derived,
            case=self,
            parameters=p,
        )


def _settings(p: Values) -> dict[str, Any]:
    """Arguments of ``Simulation`` that are settings, by name."""
    found = {name: p[parameter.name] for name, parameter in SETTINGS.items()}
    return found | {"adaptive": p["adaptive"] and p["integrator"] != "central_difference"}


def _integrator(p: Values):
    """The time integrator that the parameters select."""
    from ..timestepping import Bathe, CentralDifference, GeneralizedAlpha

    chosen = p["constraints"]
    constraints = {} if chosen == "auto" else {"constraints": chosen}
    if p["integrator"] == "central_difference":
        if chosen == "stabilised":
            raise p.error("constraints", "central_difference holds positions and velocities as is")
        return CentralDifference()
    if p["integrator"] == "bathe":
        return Bathe(**constraints)
    return GeneralizedAlpha(p["rho_inf"], **constraints)
