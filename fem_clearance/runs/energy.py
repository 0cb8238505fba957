"""Watch over the energy of a run: what it changes by, and whether it grows without a cause.

Looked at is the energy of all bodies, springs and fields that ``energy.total`` tells, with the work
that contacts took from the bodies (core/ledger.py) in the place of the elastic energy that their
laws state. Contacts leave this sum as it is, whatever their law; friction and damping lower it;
only sources raise it. What is one, kinds declare (``Kind.feeds_energy``). The summary says beside
what the ledger found, and how far it is open.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ..errors import EnergyGrowth, InputError, StepFailed

if TYPE_CHECKING:
    from ..model.system import System

logger = logging.getLogger(__name__)

#: growth of the energy, relative to the largest kinetic energy, that is worth a warning
LIMIT = 1e-2
#: accepted steps before that is said
PATIENCE = 100
#: growth, relative to the energies themselves, that may be Newton's tolerance or round-off
NOISE = 1e-6
#: part of the system's size that bodies at rest may move in a whole run: round-off of positions,
#: which the start turns into accelerations
STILL = 1e-6
#: what a run does when more energy appears than the motion ever had
CHOICES = ("stop", "warn")
#: names that a line lists at most
LISTED = 3
#: channels that are looked at
WATCHED = ("kinetic", "total", "dissipated", "fed", "balance")


class EnergyMonitor:
    """Largest change and growth of the energy over all accepted steps.

    Args:
        names: the recorded channels in their order.
        sources: what may raise the energy: no warnings.
        unknown: what does not say whether it may: no warnings either.
        on_growth: one of ``CHOICES``.
        still: kinetic energy of what is at rest, J, see ``energy_at_rest``.
    """

    def __init__(
        self,
        names: list[str],
        sources: list[str] | None = None,
        unknown: list[str] | None = None,
        on_growth: str = "stop",
        still: float = 0.0,
    ):
        wanted = [f"energy.{n}" for n in WATCHED]
        self.names, self.broken = names, ""  # the first channel that was no finite number
        self.columns = [names.index(n) for n in wanted] if all(n in names for n in wanted) else None
        self.sources, self.unknown, self.on_growth = sources or [], unknown or [], on_growth
        self.still = still
        self.guards = not (self.sources or self.unknown)
        self.warned, self.seen = False, 0
        self.first = self.least = np.inf
        self.since = self.present = 0.0  # time of the least; growth since then
        self.kinetic = self.change = self.growth = self.scale = 0.0
        #: dissipated and fed so far, largest balance, J
        self.dissipated = self.fed = self.open = 0.0
        #: largest kinetic energy that does not stem from the growth itself
        self.before = 0.0

    def check_start(self, values: np.ndarray) -> None:
        """Refuse a start of which a channel is no finite number.

        Raises:
            InputError: it is so.
        """
        for name, value in zip(self.names, values, strict=True):
            if not np.isfinite(value):
                raise InputError(
                    f"{name} is {value:g} at the start: a mass, stiffness, speed or load is beyond "
                    "the range of numbers."
                )

    def see(self, values: np.ndarray, t: float = 0.0, guard: float | None = None) -> None:
        """Look at the accepted step that ended at ``t``; ``guard``: see ``core.ledger.GUARD``,
        default: the total."""
        if not np.isfinite(values).all():
            self.broken = self.names[int(np.argmin(np.isfinite(values)))]
            return
        if self.columns is None:
            return
        a, b, c, d, e = self.columns
        kinetic, total, balance = values.item(a), values.item(b), values.item(e)
        self.dissipated, self.fed = values.item(c), values.item(d)
        size = abs(kinetic) + abs(total - kinetic)
        if not self.seen:
            self.first = self.least = total if guard is None else guard
        if not -self.open <= balance <= self.open:
            self.open = abs(balance)
        if guard is not None:
            total = guard
        self.seen += 1
        if kinetic > self.kinetic:
            self.kinetic = kinetic
        if size > self.scale:
            self.scale = size
        if total < self.least:
            self.least, self.since = total, t
        self.present = total - self.least
        if self.present > self.growth:
            self.growth = self.present
        if kinetic - self.present > self.before:
            self.before = kinetic - self.present
        change = abs(total - self.first)
        if change > self.change:
            self.change = change

    def failure(self, t: float) -> StepFailed | None:
        """Why the run ends here, if it does: a channel is no finite number, or more energy has
        appeared than the motion ever had."""
        if self.broken:
            return StepFailed(
                f"t = {t:g} s: {self.broken} is no finite number; look at masses, stiffnesses and "
                "speeds, or take smaller steps."
            )
        if not (self.guards and self.present > max(self.before, self.still, NOISE * self.scale)):
            return None
        text = (
            f"t = {t:g} s: {self.present:.3g} J have appeared since t = {self.since:g} s although "
            f"nothing drives the system, more than its largest kinetic energy before "
            f"({self.before:.3g} J); take smaller steps (dt, or tolerance and contact_tolerance), "
            "or on_energy_growth=warn to go on all the same."
        )
        if self.on_growth == "stop":
            self.warned = True
            return EnergyGrowth(text)
        if not self.warned:
            self.warned = True
            logger.warning("%s", text)
        return None

    def warn(self, t: float) -> None:
        """Say once that the energy grows, if it does."""
        if self.warned or not self.guards or self.seen < PATIENCE:
            return
        if not self.growth > max(LIMIT * self.kinetic, self.still):
            return
        self.warned = True
        logger.warning(
            "t = %g s: the energy has grown by %.2g of the largest kinetic energy although nothing "
            "drives the system; take smaller steps, a smaller tolerance or a smaller rho_inf.",
            t,
            self.growth / self.kinetic if self.kinetic else np.inf,
        )

    @property
    def guard(self) -> str:
        """Whether growing energy is noticed, and why not."""
        if self.sources:
            return f"off: driven by {listed(self.sources)}"
        if self.unknown:
            return f"off: no feeds_energy says whether {listed(self.unknown)} can drive the system"
        return self.on_growth

    def summary(self) -> dict[str, float | str]:
        """Entries of the run's summary."""
        if self.columns is None:
            return {}
        unit = max(self.kinetic, self.still)
        largest = max(unit, self.change, abs(self.dissipated), abs(self.fed))
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
        "scale", "before", "dissipated", "fed", "open",
    )  # fmt: skip

    def snapshot(self) -> dict[str, float]:
        """What a checkpoint keeps."""
        return {n: (bool if n == "warned" else float)(getattr(self, n)) for n in self._state}

    def restore(self, saved: dict[str, float]) -> None:
        """Go on from a ``snapshot``."""
        for name in self._state:
            setattr(self, name, saved[name])


def energy_at_rest(system: System, duration: float) -> float:
    """Kinetic energy, J, with which all bodies move by ``STILL`` of the system's size in
    ``duration`` s: what rests has no less."""
    mass = sum(float(getattr(body, "mass", 0.0)) for body in system.bodies)
    return mass / 2 * (STILL * system.extent() / duration) ** 2


def energy_sources(system: System) -> tuple[list[str], list[str]]:
    """Names of what can raise the energy of a system: what is declared to, and what is not declared
    at all (with the class of its kind)."""
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


def listed(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
