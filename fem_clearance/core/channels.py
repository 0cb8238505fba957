"""Channels: named numbers of a run, one value a step, with unit and description."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._backend import MPI
from .kind import is_energy
from .ledger import ACCOUNTS, FED, GAINED, LOST, THROUGH, TOUCHING, account
from .loop import Sums

if TYPE_CHECKING:
    from .ledger import Ledger
    from .system import System


#: channels of the whole system's energy and what they are
LEDGER = {
    "energy.total": "mechanical energy",
    "energy.stored": "mechanical energy",
    "energy.dissipated": "energy dissipated so far",
    "energy.fed": "work of loads, drivers and supplies so far",
    "energy.projected": "kinetic energy gained by putting velocities on constraints",
    "energy.balance": "stored + dissipated - fed - its start: error of time stepping",
}


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
        #: the ledger of the present run, if there is one
        self.ledger: Ledger | None = None
        self._accounts = len(self.list) + np.arange(len(LEDGER) * any(map(is_energy, names)))
        if len(self._accounts):
            self.list += [Channel(n, "J", f"{what}, whole system") for n, what in LEDGER.items()]
        self._index = {c.name: k for k, c in enumerate(self.list)}
        self.observed = self.state.observe_kernels.parts
        self._sums, self._extremes = self._targets()
        self._shown = self._sums.sums[: len(self.list)]
        self._stale = True
        #: what was dissipated in contacts so far, J
        self.touching = 0.0

    def _targets(self) -> tuple[Sums, list[tuple]]:
        """Adds the observables of all cells up in their channels; and of those whose least or
        largest counts: what picks it, values of the cells, channel of each, channels of all
        owners."""
        take, to, start = [np.zeros(0, int)], [np.zeros(0, int)], 0
        extremes = []
        for k in self.state.observers:
            c = self.state.components[k]
            for column, (key, o) in enumerate(c.observables.items()):
                at = start + len(c.observables) * np.arange(c.count) + column
                totals = [o.total] if o.total else []
                places = [self._index[n] for n in totals]
                if is_energy(o.total):
                    places.append(self._index["energy.total"])
                    if c.work is not None and c.kind.by_difference(c.observables):
                        places.append(len(self.list) + len(ACCOUNTS) + account(c))
                for name in places:
                    take.append(at)
                    to.append(np.full(c.count, name))
                if o.recorded:
                    owners, owner = (c.places, c.place) if o.each else (c.owners, c.owner)
                    names = [self._index[f"{name}.{key}"] for name in owners]
                    if o.least or o.largest:
                        seen = self.observed[self.state.observers.index(k)][:, column]
                        pick = np.minimum if o.least else np.maximum
                        extremes.append((pick, seen, np.array(names)[owner], np.array(names)))
                        continue
                    take.append(at)
                    to.append(np.array(names)[owner])
            start += len(c.observables) * c.count
        observed = self.state.observe_kernels.out
        # behind the channels what the ledger counts, and what its components store
        size = len(self.list) + 2 * len(ACCOUNTS)
        sums = Sums(np.concatenate(to), size, observed, self.state.module, np.concatenate(take))
        return sums, extremes

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

    def _sum(self):
        self._stale = False
        self.state.observe(self.state.acting)
        values = self._sums.add()
        n, ledger = len(self.list), self.ledger
        if ledger is not None:
            values[n : n + len(ACCOUNTS)] = ledger.totals
        if not self._alone:
            self._comm.Allreduce(MPI.IN_PLACE, values, MPI.SUM)
        for pick, seen, owner, channels in self._extremes:
            values[channels] = np.inf if pick is np.minimum else -np.inf
            pick.at(values, owner, seen)
            if not self._alone:
                found, reduce = values[channels], MPI.MIN if pick is np.minimum else MPI.MAX
                self._comm.Allreduce(MPI.IN_PLACE, found, reduce)
                values[channels] = found
        if len(self._accounts):
            self._close(values)

    def _close(self, values: np.ndarray) -> None:
        """Set the channels of the ledger; see ledger.py."""
        n, m = len(self.list), len(ACCOUNTS)
        stored = values.item(self._accounts[0])
        spent = np.zeros(m)  # work less what it stored
        if self.ledger is not None:
            change = values[n:] - self.start[n:]
            spent, stored_before = change[:m] - change[m:], self.start.item(self._accounts[0])
        else:
            stored_before = stored
        lost = spent[LOST] + spent[TOUCHING] + spent[THROUGH]
        fed = spent[THROUGH] - spent[FED]
        balance = stored - stored_before + lost - fed
        values[self._accounts] = stored, stored, lost, fed, spent[GAINED], balance
        self.touching = spent.item(TOUCHING)

    def begin(self, ledger: Ledger, start: np.ndarray | None = None) -> None:
        """Let a ledger count from the present state on, or from where the channels were ``start``;
        collective."""
        self.ledger = None
        self.read()
        self.start = self._sums.sums.copy() if start is None else start
        self.ledger, self._stale = ledger, True

    @property
    def values(self) -> np.ndarray:
        """Values of the channels at the last state that was observed, the same on all ranks; an
        array that stays. One rank reads them at the first look, which comes before the next step.
        """
        if self._stale:
            self._sum()
        return self._shown

    def __getitem__(self, name: str) -> float:
        return float(self.values[self._index[name]])

    @property
    def names(self) -> list[str]:
        """In the order of ``values``."""
        return [c.name for c in self.list]
