"""How a system is stepped through time: the numbers a user gives, checked when they are given."""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from .. import checks
from ..core.settings import Settings, setting
from ..errors import InputError
from . import Bathe, CentralDifference, GeneralizedAlpha
from .integrator import Integrator

#: integrators of the package, which a user may give by name by mistake
INTEGRATORS = [kind.__name__ for kind in (GeneralizedAlpha, Bathe, CentralDifference)]
#: steps that no run takes: time in double precision hardly moves by what is shorter
MOST_STEPS = 1e12


def _tolerance(name: str, value: Any) -> float:
    # below 1e-13 round-off of positions is more than a step may leave, however short it is
    return checks.within(name, value, 1e-13, 1.0)


def _contact_tolerance(name: str, value: Any) -> float:
    return checks.within(name, value, 1e-12, 1.0)


@dataclass(frozen=True)
class StepSettings(Settings):
    """How far and by which steps a system is stepped.

    Attributes:
        t_end: end time, s, hit exactly.
        dt: fixed steps of this size, s, cut while a contact could not bear them; with ``adaptive``
            the first step. ``None``: adaptive steps; those of an explicit integrator's own choice.
        adaptive: whether steps follow the error and the contacts; ``None``: where no ``dt`` is
            given. Never with an explicit integrator.
        tolerance: local error of a coordinate in an adaptive step, relative to the system's size
            (directors: to 1).
        contact_tolerance: local error of a contact's motion in an adaptive step, relative to its
            approach speed times the step; 1e-4 makes about 90 steps of half an oscillation.
        smallest: least step before giving up, s; ``None``: 1e-6 of ``dt``, or 1e-10 of the run.
    """

    t_end: float = setting("end of the simulation", "s", check=checks.positive)
    dt: float | None = setting(
        "fixed step, or first step if adaptive", "s", default=None, check=checks.positive,
        type=float,
    )  # fmt: skip
    adaptive: bool | None = setting(
        "choose the steps by their error; false: fixed steps dt", default=None, type=bool
    )
    tolerance: float = setting(
        "local error of a step, relative to the system's size", default=1e-7, check=_tolerance
    )
    contact_tolerance: float = setting(
        "local error of a contact's motion in a step", default=1e-4, check=_contact_tolerance
    )
    smallest: float | None = setting(
        "least step before giving up", "s", default=None, check=checks.positive, type=float
    )

    def for_run(self, integrator: Any, start: float) -> StepSettings:
        """The same with ``adaptive`` decided, for a run of an integrator that starts at ``start``,
        s.

        Raises:
            InputError: settings that do not go together.
        """
        span, dt, explicit = self.t_end - start, self.dt, is_explicit(integrator)
        if span <= 0:
            raise InputError(
                f"t_end = {self.t_end:g} s is not after the initial state, at t = {start:g} s "
                "(initial.with_time(0) is the same with the clock at zero)."
            )
        if dt is not None and dt < span / MOST_STEPS:
            raise InputError(
                f"dt = {dt:g} s is too short: a run to t_end = {self.t_end:g} s would take more "
                f"than {MOST_STEPS:g} steps."
            )
        if dt is not None and dt > span:
            run = f"{start:g} to {self.t_end:g} s" if start else f"t_end = {self.t_end:g} s"
            raise InputError(f"dt = {dt:g} s is longer than the run, {run}.")
        if explicit and self.adaptive:
            raise InputError("explicit integrators take fixed steps: leave adaptive=True out.")
        adaptive = not explicit and (dt is None if self.adaptive is None else bool(self.adaptive))
        if dt is None and not (adaptive or explicit):
            raise InputError("fixed steps need a step: give a fixed step dt, or adaptive=True.")
        return replace(self, adaptive=adaptive)

    def words(self, integrator: Any) -> str:
        """What a run that goes on must have in common with the one before."""
        name = repr(integrator) if is_dataclass(integrator) else type(integrator).__name__
        steps = "adaptive steps" if self.adaptive else f"fixed steps of {self.dt} s"
        if is_explicit(integrator) and self.dt is None:
            steps = "stable steps"
        return f"{name} with {steps}"


def is_explicit(integrator: Any) -> bool:
    """Whether an integrator chooses a stable step itself."""
    return hasattr(integrator, "default_step")


def checked_integrator(given: Any) -> Any:
    """An integrator as a user gives it, by default generalized-alpha.

    Raises:
        InputError: something else.
    """
    if given is None:
        return GeneralizedAlpha()
    if isinstance(given, Integrator) or checks.offers(given, "scheme"):
        return given
    name = given.__name__ if isinstance(given, type) else given
    words = {w: n for n in INTEGRATORS for w in (n, n.lower())}
    words |= {"generalized_alpha": "GeneralizedAlpha", "central_difference": "CentralDifference"}
    near = words.get(name) if isinstance(name, str) else None
    raise InputError(
        "integrator must be a time integrator such as GeneralizedAlpha(0.8), got "
        f"{given!r}" + (f" (did you mean {near}()?)." if near else ".")
    )
