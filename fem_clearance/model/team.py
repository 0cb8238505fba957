"""The ranks that have work, for systems with fewer cells than there are ranks.

A rank without cells would still take part in every message of every iteration, and on machines
with fewer cores than ranks each message waits for the scheduler. Therefore only the first ranks, as
many as have cells, run the system; the others sleep until the run has ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .._backend import MPI
from ..core.blocks import partition
from ..core.component import ranks_of

if TYPE_CHECKING:
    from .system import System

#: time between two checks of a rank that sleeps, s
PAUSE = 0.01
#: tag of messages that a sleeping rank has been asked to end the run
TOLD = 17


def busy(system: System, ranks: int) -> int:
    """How many of ``ranks`` ranks would have cells; 1 if the system is empty."""
    ordered = system.number()
    if not any(b.free.any() for b in ordered):
        return 1
    bounds = partition(ordered, ranks)
    found = [ranks_of(cell.numbers, bounds) for cells in system.cells.values() for cell in cells]
    return len(np.unique(np.concatenate(found))) if found else 1


class Team:
    """The ranks of a system that have cells.

    Args:
        system: not assembled on these ranks alone yet.

    Attributes:
        all: communicator of all ranks.
        own: that of those with cells; ``None`` if all have some, null on a rank that sleeps.
    """

    def __init__(self, system: System):
        self.system, self.all, self.own = system, system.comm, None
        spread = any(b.spread is not None for b in system.parts.blocks)
        if self.all.size == 1 or system.parts.inputs or spread:  # which all ranks read or have
            return
        if (count := busy(system, self.all.size)) < self.all.size:
            color = 0 if self.all.rank < count else MPI.UNDEFINED
            self.own = self.all.Split(color, self.all.rank)

    @property
    def works(self) -> bool:
        """Whether this rank takes part."""
        return self.own != MPI.COMM_NULL

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Within this context, the system uses these ranks only; afterwards it is assembled anew
        when all ranks call ``assemble``."""
        if self.own is not None:
            self.system.move(self.own)
        try:
            yield
        finally:
            if self.own is not None:
                self.system.comm, self.system.moved = self.all, True

    def told(self) -> str:
        """Why a sleeping rank has been asked to end the run, on the first rank."""
        if self.own is None or not self.works or self.own.rank or not self.all.Iprobe(tag=TOLD):
            return ""
        return self.all.recv(tag=TOLD)

    def meet(self, outcome: Any, reason=lambda: "") -> Any:
        """Wait until all ranks are here; returns the outcome of the first rank on all of them.

        Args:
            outcome: outcome on this rank.
            reason: returns why this rank has been asked to end the run, or ``""``; the first rank
                is notified.
        """
        if self.own is None:
            return outcome
        here, sent = self.all.Ibarrier(), None
        while not here.Test():
            if not self.works and sent is None and reason():
                sent = self.all.isend(reason(), 0, tag=TOLD)
            time.sleep(PAUSE)
        outcome = self.all.bcast(outcome)
        while self.told():
            pass
        if sent is not None:
            sent.wait()
        if self.works:
            self.own.Free()
        return outcome
