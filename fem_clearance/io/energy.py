"""Watch over the energy of a run: what it changes by, and whether it grows without a cause."""

from __future__ import annotations

import logging

import numpy as np

logger = logging.getLogger(__name__)

#: growth of the energy, relative to the largest kinetic energy, that is worth a warning
LIMIT = 1e-2


class EnergyMonitor:
    """Largest change and growth of ``energy.total`` over all accepted steps.

    Args:
        names: the recorded channels in their order.
        driven: drivers or loads may raise the energy: no warning.
    """

    def __init__(self, names: list[str], driven: bool):
        wanted = ("energy.kinetic", "energy.total")
        self.columns = [names.index(n) for n in wanted] if all(n in names for n in wanted) else None
        self.driven, self.warned, self.seen = driven, False, 0
        self.first = self.least = np.inf
        self.kinetic = self.change = self.growth = 0.0

    def see(self, values: np.ndarray) -> None:
        """Look at an accepted step."""
        if self.columns is None:
            return
        kinetic, total = values.item(self.columns[0]), values.item(self.columns[1])
        if not self.seen:
            self.first = self.least = total
        self.seen += 1
        if kinetic > self.kinetic:
            self.kinetic = kinetic
        if total < self.least:
            self.least = total
        elif total - self.least > self.growth:
            self.growth = total - self.least
        change = abs(total - self.first)
        if change > self.change:
            self.change = change

    def warn(self, t: float) -> None:
        """Say once that the energy grows, if it does."""
        if self.warned or self.driven or self.seen < 100 or not self.growth > LIMIT * self.kinetic:
            return
        self.warned = True
        logger.warning(
            "t = %g s: the energy has grown by %.2g of the largest kinetic energy although nothing "
            "drives the system; take smaller steps, a smaller tolerance or a smaller rho_inf.",
            t,
            self.growth / self.kinetic if self.kinetic else np.inf,
        )

    def summary(self) -> dict[str, float]:
        """Entries of the run's summary."""
        if self.columns is None or not self.kinetic:
            return {}
        return {
            "energy_change": float(self.change / self.kinetic),
            "energy_growth": float(self.growth / self.kinetic),
        }

    _state = ("warned", "seen", "first", "least", "kinetic", "change", "growth")

    def snapshot(self) -> dict[str, float]:
        """What a checkpoint keeps."""
        return {n: (bool if n == "warned" else float)(getattr(self, n)) for n in self._state}

    def restore(self, saved: dict[str, float]) -> None:
        """Go on from a ``snapshot``."""
        for name in self._state:
            setattr(self, name, saved[name])


def is_driven(system) -> bool:
    """Whether drivers or loads can feed energy into the system."""
    if any(b.driven for b in system.state.blocks):
        return True
    return any(
        getattr(item, "feeds_energy", type(item).__module__.endswith(".loads"))
        for item in system.items
    )
