"""How a system is stepped through time: the numbers a user gives, checked when they are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from .. import checks
from ..core.initial import SystemState, checked
from ..core.linear_solvers import PACKAGES
from ..errors import InputError
from . import Bathe, CentralDifference, GeneralizedAlpha
from .step_control import Controller

if TYPE_CHECKING:
    from ..core.problem import Model

#: integrators of the package, by the name a user may give by mistake
INTEGRATORS = {kind.__name__: kind for kind in (GeneralizedAlpha, Bathe, CentralDifference)}


#: steps that no run takes: time in double precision hardly moves by what is shorter
MOST_STEPS = 1e12


@dataclass
class Settings:
    """Settings of ``Stepper`` and ``Simulation``, where each is explained.

    Attributes:
        explicit: whether the integrator chooses a stable step itself.
        start: where the clock starts, s; ``span``: from there to the end.

    Raises:
        InputError: settings that cannot be, or that exclude each other.
    """

    integrator: Any = None
    dt: float | None = None
    adaptive: bool | None = None
    tolerance: float = 1e-7
    contact_tolerance: float = 1e-4
    t_end: float = 1.0
    newton_tolerance: float = 1e-8
    smallest: float | None = None
    options: Mapping[str, Any] | None = None
    solver: str = "auto"
    initial: SystemState | None = None
    start: float = field(init=False)

    def __post_init__(self):
        self.integrator = _integrator(self.integrator)
        self.t_end = checks.positive("t_end", self.t_end)
        self.initial = checked(self.initial)
        self.start = 0.0 if self.initial is None else self.initial.begin
        if self.span <= 0:
            raise InputError(
                f"t_end = {self.t_end:g} s is not after the initial state, at t = {self.start:g} s "
                "(initial.with_time(0) is the same with the clock at zero)."
            )
        self._steps()
        # below that round-off of positions is more than a step may leave, however short it is
        self.tolerance = checks.within("tolerance", self.tolerance, 1e-13, 1.0)
        self.contact_tolerance = checks.within(
            "contact_tolerance", self.contact_tolerance, 1e-12, 1.0
        )
        self.newton_tolerance = checks.within(
            "newton_tolerance", self.newton_tolerance, 1e-14, 1e-2
        )
        self.solver = checks.choice("solver", self.solver, ("auto", *PACKAGES))
        if not isinstance(self.options or {}, Mapping):
            raise InputError(
                'options must be PETSc options by name, such as {"ksp_rtol": 1e-8}, got '
                f"{self.options!r}."
            )
        self.options = dict(self.options or {})

    def _steps(self):
        if self.dt is not None:
            self.dt = checks.positive("dt", self.dt)
            if self.dt < self.span / MOST_STEPS:
                raise InputError(
                    f"dt = {self.dt:g} s is too short: a run to t_end = {self.t_end:g} s would "
                    f"take more than {MOST_STEPS:g} steps."
                )
            if self.dt > self.span:
                raise InputError(
                    f"dt = {self.dt:g} s is longer than the run, t_end = {self.t_end:g} s."
                    if self.start == 0
                    else f"dt = {self.dt:g} s is longer than the run, {self.start:g} to "
                    f"{self.t_end:g} s."
                )
        if self.explicit and self.adaptive:
            raise InputError("explicit integrators take fixed steps: leave adaptive=True out.")
        free = self.dt is None if self.adaptive is None else bool(self.adaptive)
        self.adaptive = free and not self.explicit
        if self.dt is None and not (self.adaptive or self.explicit):
            raise InputError("fixed steps need a step: give a fixed step dt, or adaptive=True.")
        if self.smallest is not None:
            self.smallest = checks.positive("smallest", self.smallest)

    def control(self, system: Model) -> Controller:
        """Of the steps, which begin with the one given, or a small or a stable one; collective."""
        h = self.dt
        if h is None and self.explicit:
            h = min(self.integrator.default_step(system, self.initial), self.span)
        elif h is None:
            h = min(1e-4, self.span / 100)
        if self.adaptive:
            return Controller(h, self.smallest or 1e-10 * self.span, max(self.span / 10, h))
        return Controller(h, self.smallest or 1e-6 * h, h)

    @property
    def given(self) -> dict[str, Any]:
        """The settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    @property
    def stepping(self) -> str:
        """What a run that goes on must have in common with the one before: words."""
        name = repr(self.integrator) if is_dataclass(self.integrator) else ""
        steps = "adaptive steps" if self.adaptive else f"fixed steps of {self.dt} s"
        if self.explicit and self.dt is None:
            steps = "stable steps"
        return f"{name or type(self.integrator).__name__} with {steps}"

    @property
    def explicit(self) -> bool:
        return hasattr(self.integrator, "default_step")

    @property
    def span(self) -> float:
        return self.t_end - self.start


def _integrator(given):
    if given is None:
        return GeneralizedAlpha()
    if hasattr(given, "scheme") and not isinstance(given, type):
        return given
    name = given.__name__ if isinstance(given, type) else given
    words = {w: n for n in INTEGRATORS for w in (n, n.lower())}
    words |= {"generalized_alpha": "GeneralizedAlpha", "central_difference": "CentralDifference"}
    near = words.get(name) if isinstance(name, str) else None
    raise InputError(
        "integrator must be a time integrator such as GeneralizedAlpha(0.8), got "
        f"{given!r}" + (f"; did you mean {near}()?" if near else ".")
    )
