"""Monitoring of the energy of a run: how it changes, and whether it grows without a source.

The monitored quantity is the energy of all bodies, springs and fields, as in ``energy.total``, with
the work that contacts have taken from the bodies (core/ledger.py) in place of the elastic energy
that their laws state. Contacts do not change this sum, whatever their law; friction and damping
reduce it, and only sources increase it. Kinds declare whether they are sources
(``Kind.feeds_energy``). The summary also states the totals of the ledger and its balance.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from .._backend import MPI
from ..core.compiled.build import native
from ..core.compiled.shared import number
from ..errors import EnergyGrowth, InputError, StepFailed

if TYPE_CHECKING:
    from ..model.system import System

logger = logging.getLogger(__name__)

#: growth of the energy, relative to the largest kinetic energy, above which there is a warning
LIMIT = 1e-2
#: balance of the energy that stays open, relative to the largest energy, above which there is a
#: warning: what a scheme damps on purpose is less
OPEN = 5e-2
#: balance that lasts, relative to the energy that was dissipated or fed, above which there is a
#: warning. It is measured after a quarter to a half of the steps: at the end it is up to four times
#: as large
LASTING = 2e-2
#: the least energy that it is compared with, relative to the change of the kinetic energy: of the
#: vibrations that steps do not resolve integrators take some on purpose
MATTERS = 0.1
#: energy that was dissipated or fed, relative to the same change, from which on a balance that
#: exceeds it is a warning: a number that is smaller than its own error
COUNTS = 1e-4
#: accepted steps before these warnings, and before that of ``OPEN``
PATIENCE, SOON = 100, 20
#: growth, relative to the energies themselves, that may be due to Newton's tolerance or round-off
NOISE = 1e-6
#: distance, relative to the system's size, that bodies at rest may move in a whole run because of
#: round-off of positions, which causes accelerations at the start
STILL = 1e-6
#: round-off of a balance, relative to the energies themselves
ROUNDING = 1e-9
#: what to do about energy that the integrator loses
REMEDY = "use smaller steps, a smaller tolerance or a rho_inf closer to 1"
#: what to do where more of it appears than the motion ever had
SMALLER = "take smaller steps (dt, or tolerance and contact_tolerance)"
#: what to check in forces where smaller steps do not help
CHECKS = "their sign, their energy.* observable and their feeds_energy"
#: what a run does when more energy appears than the motion ever had
CHOICES = ("stop", "warn")
#: names that a line lists, see ``checks.some``
LISTED = 3
#: numbers of a monitor that are whole
_COUNTS = ("seen", "renewed")
#: channels that are monitored
WATCHED = ("kinetic", "total", "dissipated", "fed", "balance")


class EnergyMonitor:
    """Largest change and growth of the energy over all accepted steps.

    Args:
        names: the recorded channels in their order.
        sources: names of what may increase the energy; with any there are no warnings.
        unknown: names of what does not declare whether it may; likewise.
        on_growth: one of ``CHOICES``.
        still: kinetic energy below which the system is at rest, J, see ``energy_at_rest``.
        giver: tells which item has given the motion most energy that it should have dissipated, and
            how much (J), see ``Ledger.giver``.

    Attributes:
        watched: whether the channels of energy are recorded.
        c: ``fc_energy`` of core/compiled/channels.h, in which the steps are evaluated.
    """

    def __init__(
        self,
        names: list[str],
        sources: list[str] | None = None,
        unknown: list[str] | None = None,
        on_growth: str = "stop",
        still: float = 0.0,
        giver: Callable[[], tuple[float, str]] = lambda: (0.0, ""),
    ):
        wanted = [f"energy.{n}" for n in WATCHED]
        module = native(MPI.COMM_SELF)
        self._ffi, self._see = module.ffi, module.lib.fc_energy_see
        self.c: Any = module.ffi.new("fc_energy *")
        self.names, self.warned = names, False
        self.sources, self.unknown, self.on_growth = sources or [], unknown or [], on_growth
        self.giver, self.guards = giver, not (self.sources or self.unknown)
        c, self.watched = self.c, all(n in names for n in wanted)
        c.watched, c.guards, c.broken, c.still, c.noise = (
            self.watched, self.guards, -1, still, NOISE
        )  # fmt: skip
        c.first = c.least = c.slowest = c.lasting = c.earlier = np.inf
        c.renewed = 1
        if self.watched:
            c.column = [names.index(n) for n in wanted]

    still = number("still", "Kinetic energy of what is at rest, J.")
    seen = number("seen", "Steps so far.")
    first, least, since, present = (
        number("first", "Energy at the start, J."), number("least", "The least so far, J."),
        number("since", "When that was, s."), number("present", "Growth since then, J."),
    )  # fmt: skip
    kinetic, change, growth, scale = (
        number("kinetic", "Largest kinetic energy so far, J."),
        number("change", "Largest change from the start, J."),
        number("growth", "Largest growth, J."), number("scale", "Largest size of energies, J."),
    )  # fmt: skip
    before = number("before", "Largest kinetic energy that does not stem from the growth, J.")
    dissipated, fed = number("dissipated", "So far, J."), number("fed", "So far, J.")
    open, balance = number("open", "Largest balance, J."), number("balance", "At present, J.")
    slowest, moved, lasting, earlier, renewed = (
        number("slowest", "Least kinetic energy so far, J."),
        number("moved", "Most that was fed or taken so far, J."),
        number("lasting", "Least balance since step ``renewed``, J."),
        number("earlier", "Least balance in as many steps before, J."),
        number("renewed", "When ``lasting`` began, steps."),
    )

    @property
    def broken(self) -> str:
        """The first channel that was not a finite number, or an empty text."""
        return "" if self.c.broken < 0 else self.names[self.c.broken]

    def check_start(self, values: np.ndarray) -> None:
        """Refuse a start at which a channel is not a finite number.

        Raises:
            InputError: one is not.
        """
        for name, value in zip(self.names, values, strict=True):
            if not np.isfinite(value):
                raise InputError(
                    f"{name} is {value:g} at the start: a mass, stiffness, speed or load is beyond "
                    "the range of numbers."
                )

    def see(self, values: np.ndarray, t: float = 0.0, guard: float | None = None) -> None:
        """Evaluate the accepted step that ended at ``t`` (s); ``guard``: the monitored energy, see
        ``core.accounts.GUARD``, default: the total (J)."""
        at = self._ffi.from_buffer("double[]", values)
        if guard is None:
            guard = values.item(self.c.column[1]) if self.watched else 0.0
        self._see(self.c, at, len(values), guard, t)

    def failure(self, t: float) -> StepFailed | None:
        """The reason to end the run, if there is one: a channel is not a finite number, or the
        energy has grown by more than its largest kinetic energy."""
        if self.broken:
            return StepFailed(
                f"t = {t:g} s: {self.broken} is no finite number; look at masses, stiffnesses and "
                "speeds, or take smaller steps."
            )
        if not self.c.grown:
            return None
        text = (
            f"t = {t:g} s: {self.present:.3g} J have appeared since t = {self.since:g} s although "
            f"nothing drives the system, more than its largest kinetic energy before "
            f"({self.before:.3g} J); {self._advice(self.present, SMALLER)}, or set "
            "on_energy_growth=warn to go on all the same."
        )
        if self.on_growth == "stop":
            self.warned = True
            return EnergyGrowth(text)
        if not self.warned:
            self.warned = True
            logger.warning("%s", text)
        return None

    def warn(self, t: float) -> None:
        """Warn once if the energy grows."""
        if self.warned or not self.guards or self.seen < PATIENCE:
            return
        if not self.growth > max(LIMIT * self.kinetic, self.still):
            return
        self.warned = True
        logger.warning(
            "t = %g s: the energy has grown by %.2g of the largest kinetic energy although nothing "
            "drives the system; %s.",
            t,
            self.growth / self.kinetic if self.kinetic else np.inf,
            self._advice(self.growth, "use smaller steps, a smaller tolerance or rho_inf"),
        )

    def _advice(self, growth: float, steps: str) -> str:
        """What to do about a growth, J: first that which is more likely to be its source, the
        steps or the forces of an item; collective."""
        given, who = self.giver()
        if given < growth / 2:
            return f"{steps}, or check forces of your own: {CHECKS}"
        return f"check the forces of {who}, which have given {given:.3g} J: {CHECKS}; or {steps}"

    def warn_open(self, t: float, remedy: str = REMEDY) -> None:
        """Warn, at the end of a run, if its balance has not closed: energy has vanished, or
        appeared beside what fed the system; ``remedy`` says what helps."""
        if self.warned or self.seen < SOON:
            return
        if not self.open > OPEN * self._largest:
            self._warn_lasting(t, remedy)
            return
        largest, self.warned = self._largest, True
        logger.warning(
            "t = %g s: the energy balance is open by up to %.3g J, %.2g of the largest energy "
            "(energy.balance), which the integrator has lost or supplied: %s, and check the "
            "formulas of an integrator of your own.",
            *(t, self.open, self.open / largest, remedy),
        )

    def _warn_lasting(self, t: float, remedy: str) -> None:
        """Warn if the balance, however small beside the kinetic energy of a rotor, is a large part
        of what was dissipated or fed, or exceeds all of it."""
        moved, change = max(self.dissipated, self.moved), self.kinetic - self.slowest
        unit = max(moved, MATTERS * change, self.still)
        if abs(self.balance) > moved > max(COUNTS * change, self.still):
            unit = moved
        lasting = min(self.lasting, self.earlier)
        if (
            self.seen < PATIENCE
            or not moved
            or not lasting > max(LASTING * unit, ROUNDING * self.scale)
        ):
            return
        self.warned = True
        what = "fed" if self.moved > self.dissipated else "dissipated"
        logger.warning(
            "t = %g s: the integrator has %s %.3g J (energy.balance), %.2g of the energy that was "
            "%s (%.3g J): %s.",
            *(t, "lost" if self.balance < 0 else "supplied", abs(self.balance)),
            *(abs(self.balance) / moved, what, moved, remedy),
        )

    @property
    def _largest(self) -> float:
        """The largest energy so far, J, of which the balance is judged."""
        return max(self.kinetic, self.still, self.change, abs(self.dissipated), abs(self.fed))

    @property
    def guard(self) -> str:
        """What happens if the energy grows, or why that is not monitored."""
        if self.sources:
            return f"off: driven by {checks.some(self.sources, LISTED)}"
        if self.unknown:
            who = checks.some(self.unknown, LISTED)
            return f"off: no feeds_energy says whether {who} can drive the system"
        return self.on_growth

    def summary(self) -> dict[str, float | str]:
        """Entries of the run's summary."""
        if not self.watched:
            return {}
        unit, largest = max(self.kinetic, self.still), self._largest
        found: dict[str, float | str] = {}
        if unit:
            found = {
                "energy_change": float(self.change / unit),
                "energy_growth": float(self.growth / unit),
                "energy_guard": self.guard,
            }
        return found | {
            "energy_dissipated": float(self.dissipated),
            "energy_fed": float(self.fed),
            "energy_balance": float(self.open),
            "energy_error": float(self.open / largest) if largest else 0.0,
        }

    _state = (
        "warned", "seen", "first", "least", "since", "present", "kinetic", "change", "growth",
        "scale", "before", "dissipated", "fed", "open", "balance", "slowest", "moved", "lasting",
        "earlier", "renewed",
    )  # fmt: skip

    def snapshot(self) -> dict[str, float]:
        """Values for a checkpoint."""
        return {n: (bool if n == "warned" else float)(getattr(self, n)) for n in self._state}

    def restore(self, saved: dict[str, float]) -> None:
        """Continue from a ``snapshot``."""
        for name in self._state:
            setattr(self, name, int(saved[name]) if name in _COUNTS else saved[name])


def energy_at_rest(system: System, duration: float) -> float:
    """Kinetic energy, J, with which all bodies move by ``STILL`` times the system's size in
    ``duration`` s; below it the system counts as at rest."""
    mass = sum(float(getattr(body, "mass", 0.0)) for body in system.bodies)
    return mass / 2 * (STILL * system.extent() / duration) ** 2


def energy_sources(system: System) -> tuple[list[str], list[str]]:
    """Names of what can increase the energy of a system: declared sources, and items whose kinds
    declare nothing (with the class of the kind)."""
    found, unknown = [*system.parts.sources], []
    problem = system.assemble()
    for component in problem.components:
        source = component.kind.feeds_energy if component.residual is not None else False
        if source:
            found += component.owners
        elif source is None:
            unknown += [f"{n} ({type(component.kind).__name__})" for n in component.owners]
    driven = (b.owner for b in problem.blocks if b.driven)
    found += driven  # multipliers of drivers, whatever their kinds say
    return [*dict.fromkeys(found)], [*dict.fromkeys(unknown)]
