"""Channels: named numbers of a run, one value a step, with unit and description."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._backend import MPI
from .loop import Sums

if TYPE_CHECKING:
    from .system import System


class Channel(NamedTuple):
    """One recorded quantity."""

    name: str
    unit: str
    description: str


class Channels:
    """What the components observe, summed over cells and ranks into named channels.

    Attributes:
        list: the channels in the order of ``values``.
        observed: what each of the state's observers sees, cells x observables; arrays that stay.
    """

    def __init__(self, system: System):
        assert system.state is not None
        # not the system itself: it holds these channels, and the memory of a run should be free
        # when the last reference goes, not when Python's collector comes by
        self.state, self._comm = system.state, system.comm
        self._alone = system.comm.size == 1
        names: dict[str, Channel] = {}
        for component in system.components:
            for key, o in component.observables.items():
                if o.total:
                    names.setdefault(
                        o.total, Channel(o.total, o.unit, f"{o.description}, whole system")
                    )
                if o.recorded:
                    for owner in component.places if o.each else component.owners:
                        names[f"{owner}.{key}"] = Channel(f"{owner}.{key}", o.unit, o.description)
        self.list = [*names.values()]
        if any(n.startswith("energy.") for n in names):
            self.list.append(Channel("energy.total", "J", "mechanical energy, whole system"))
        self._index = {c.name: k for k, c in enumerate(self.list)}
        self.observed = self.state.observe_kernels.parts
        self._sums, self._extremes, self._energies = self._targets()
        # beside the channels, for each rank its part of the total energy in two numbers
        self._shared = np.zeros(len(self.list) + 2 * system.comm.size)
        self._stale = True

    def _targets(self) -> tuple[Sums, list[tuple], np.ndarray]:
        """Adds the observables of all cells up in their channels; of those whose least or largest
        counts: what picks it, values of the cells, channel of each, channels of all owners; and
        where the energies of the cells are."""
        take, to, start = [np.zeros(0, int)], [np.zeros(0, int)], 0
        energies = [np.zeros(0, int)]
        extremes = []
        for k in self.state.observers:
            c = self.state.components[k]
            for column, (key, o) in enumerate(c.observables.items()):
                place = start + len(c.observables) * np.arange(c.count) + column
                if o.total.startswith("energy."):
                    energies.append(place)
                if o.total:
                    take.append(place)
                    to.append(np.full(c.count, self._index[o.total]))
                if o.recorded:
                    owners, owner = (c.places, c.place) if o.each else (c.owners, c.owner)
                    names = [self._index[f"{name}.{key}"] for name in owners]
                    if o.least or o.largest:
                        seen = self.observed[self.state.observers.index(k)][:, column]
                        pick = np.minimum if o.least else np.maximum
                        extremes.append((pick, seen, np.array(names)[owner], np.array(names)))
                        continue
                    take.append(place)
                    to.append(np.array(names)[owner])
            start += len(c.observables) * c.count
        observed = self.state.observe_kernels.out
        sums = Sums(
            np.concatenate(to), len(self.list), observed, self.state.module, np.concatenate(take)
        )
        return sums, extremes, np.concatenate(energies)

    def observe(self) -> None:
        """Note the present state: at once what laws act on, the channels when somebody looks at
        them; collective."""
        if self.state.acting:
            self.state.observe(0, self.state.acting)
        self._stale = True
        if not self._alone:  # all ranks are here now, but perhaps one alone looks later
            self._sum()

    def changed(self) -> None:
        """Note that laws have changed what they observe after the step; collective."""
        self._stale = True
        if not self._alone:
            self._sum()

    def read(self) -> np.ndarray:
        """Values of the channels at the present state; collective."""
        self.observe()
        return self.values

    def _total(self) -> tuple[float, float]:
        """The energies of this rank's cells, added up without round-off: their sum, rounded, and
        what that leaves. They are large and cancel each other, and the round-off of a plain sum
        would depend on the number of ranks."""
        mine = self.state.observe_kernels.out[self._energies].tolist()
        total = fsum(mine)
        return total, 0.0 if self._alone else fsum([*mine, -total])

    def _sum(self):
        self._stale = False
        self.state.observe(self.state.acting)
        values = self._sums.add()
        total = self._total()
        if not self._alone:
            shared, n, at = self._shared, len(values), 2 * self._comm.rank
            shared[:n], shared[n:], shared[n + at : n + at + 2] = values, 0.0, total
            self._comm.Allreduce(MPI.IN_PLACE, shared, MPI.SUM)
            values[:], total = shared[:n], tuple(shared[n:])
        if "energy.total" in self._index:
            values[self._index["energy.total"]] = fsum(total)
        for pick, seen, owner, channels in self._extremes:
            values[channels] = np.inf if pick is np.minimum else -np.inf
            pick.at(values, owner, seen)
            if not self._alone:
                found, reduce = values[channels], MPI.MIN if pick is np.minimum else MPI.MAX
                self._comm.Allreduce(MPI.IN_PLACE, found, reduce)
                values[channels] = found

    @property
    def values(self) -> np.ndarray:
        """Values of the channels at the last state that was observed, the same on all ranks; an
        array that stays. One rank reads them at the first look, which comes before the next step.
        """
        if self._stale:
            self._sum()
        return self._sums.sums

    def __getitem__(self, name: str) -> float:
        return float(self.values[self._index[name]])

    @property
    def names(self) -> list[str]:
        """In the order of ``values``."""
        return [c.name for c in self.list]
