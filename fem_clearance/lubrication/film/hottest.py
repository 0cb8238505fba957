"""The hottest oil and walls of a film in a running system, and a word where a temperature leaves
the oil's laws or is lower than everything that could have cooled it."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.mixins import UpdatesParameters
from ...core.observables import Observable

logger = logging.getLogger(__name__)

#: what is said of temperatures beyond the bounds, from lowest to highest, K
BEYOND = (
    "%s: temperatures%s of %.4g to %.4g K leave the bounds of %.4g to %.4g K, beyond which the "
    "viscosity is held; give wider bounds= of the film's thermal= if the lubricant's law holds "
    "there"
)
#: by how much oil is colder than all that could have cooled it before that is said, K, and by the
#: range of temperatures
COLDER, PART = 1.0, 0.02
#: what is said of it: the coldest oil and what could have cooled it, K
COLD = (
    "%s: oil of %.4g K is colder than the supply and everything that cools bush and journal, %.4g K"
    " at least, so that the cells are too coarse where oil enters or the film is ruptured; use more"
    " cells, or upwind=True in the film's thermal="
)


def too_cold(T: np.ndarray, supply: float, coldest: float) -> bool:
    """Whether oil, K, is colder than all that could have cooled it."""
    return bool(T.min() < coldest - max(COLDER, PART * (max(T.max(), supply) - coldest)))


@dataclass(frozen=True)
class TemperatureWatchKind(UpdatesParameters):
    """Observes the temperature at a node of a film, or of a wall.

    Args:
        owner: whose film it is.
        wall: ``"bush"`` or ``"journal"``; default: the oil.
    """

    called = "hottest oil"
    remembers = False

    owner: str = ""
    wall: str = ""

    parameters = dict.fromkeys(("supply", "low", "high", "coldest", "warned", "cold"), ())

    def fields(self):
        return {"rise": ()}

    def observables(self, c):
        (rise,) = c.split(c.q)
        mean = "" if self.wall else ", mean across the film (the walls may be hotter)"
        what = f"highest temperature of the {self.wall or 'oil'}{mean}"
        return {self.channel: Observable(c.par("supply") + rise, "K", what, largest=True)}

    @property
    def channel(self) -> str:
        """Name of what is observed."""
        return f"max_{self.wall}_temperature" if self.wall else "max_temperature"

    def update(self, parameters, observed):
        T = observed[self.channel]
        supply, low, high, coldest, warned, cold = (
            self.column(parameters, n) for n in self.parameters
        )
        if not len(T):
            return
        if not self.wall and not cold[0] and too_cold(T, supply[0], coldest[0]):
            logger.warning(COLD, self.owner, T.min(), coldest[0])
            cold[:] = 1.0
        bounds = supply[0] + low[0], supply[0] + high[0]
        if not warned[0] and (T.min() < bounds[0] or T.max() > bounds[1]):
            where = f" of the {self.wall}" if self.wall else ""
            logger.warning(BEYOND, self.owner, where, T.min(), T.max(), *bounds)
            warned[:] = 1.0


def add_watch(builder, name: str, T: Block, used: np.ndarray, thermal, wall: str = "") -> None:
    """Register the channel ``max_temperature`` (K) of the film ``name`` for its unknowns ``used``
    of the temperature; of a wall ``max_bush_temperature`` or ``max_journal_temperature``."""
    low, high = thermal.bounds
    kind = TemperatureWatchKind(name, wall)
    numbers = kind.pack(supply=thermal.supply, low=low, high=high, coldest=thermal.coldest,
                        warned=0.0, cold=0.0)  # fmt: skip
    cell = Cell(name, [Ref(T, used[:, None])], np.tile(numbers, (len(used), 1)), count=len(used))
    builder.add_cell(kind, cell)
