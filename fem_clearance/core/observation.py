"""Channels: named numbers of a run, one value a step, with unit and description."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .._backend import MPI
from ..errors import InputError
from .accounts import COUNTED, GUARD, LEDGER, TOTALS, entries
from .compiled.shared import communicator, fill
from .observables import is_energy
from .renamed import present
from .state import State


class Channel(NamedTuple):
    """One recorded quantity."""

    name: str
    unit: str
    description: str


class Column(NamedTuple):
    """A number of each of some cells one after the other, ``fc_column`` of channels.h."""

    first: int
    stride: int
    cells: int
    to: int = 0
    sign: float = 1.0


class Channels:
    """What the components observe, summed over cells and ranks into named channels.

    Attributes:
        list: the channels in the order of ``values``.
        observed: what each of the state's observers sees, cells x observables; arrays that stay.
        compiled: ``fc_channels`` of channels.h.
        sums: their values as last summed, and behind them that of ``GUARD``; an array that stays.
    """

    def __init__(self, state: State):
        self.state, self.comm = state, state.comm
        self._alone = state.comm.size == 1
        names: dict[str, Channel] = {}
        whose: dict[str, str] = {}
        for component in state.components:
            for key, o in component.observables.items():
                if o.total:
                    names.setdefault(
                        o.total, Channel(o.total, o.unit, f"{o.description}, whole system")
                    )
                if o.recorded:
                    for owner in component.places if o.each else component.owners:
                        name = f"{owner}.{key}"
                        if whose.setdefault(name, owner) != owner:
                            raise InputError(
                                f"{whose[name]!r} and {owner!r} both have a channel {name!r}: give "
                                "one of them another name."
                            )
                        names[name] = Channel(name, o.unit, o.description)
        self.list = [*names.values()]
        if any(map(is_energy, names)):
            self.list += [Channel(n, "J", f"{what}, whole system") for n, what in LEDGER.items()]
        #: what the sums of the channels begin with; one more is that of ``GUARD``
        self.base = np.zeros(len(self.list) + 1)
        self._index = {c.name: k for k, c in enumerate(self.list)} | {GUARD: len(self.list)}
        told = len(self.list) > len(names)
        #: places of what a ledger counts, none in a system that tells no energy; whether one does
        self.counted, self.kept = slice(len(self.list) + 1 - told * len(COUNTED), None), False
        self.observed = self.state.observations.parts
        self._columns, self._energies, self._bounds = self._targets()
        self._whole = [self._index[n] for n in TOTALS if n in self._index]
        self.sums = np.zeros(len(self.base))
        self._share()
        self._shown = self.sums[: len(self.list)]
        self._stale = True

    def _targets(self) -> tuple[list[Column], list[Column], np.ndarray]:
        """The observables of all cells that are added up in channels; the energies among them; and
        the channels whose least (-1) or largest (1) counts."""
        columns: list[Column] = []
        energies: list[Column] = []
        bounds, picked, start = [np.zeros((2, 0))], [np.zeros((3, 0))], 0
        for k in self.state.problem.observers:
            c = self.state.components[k]
            for column, (key, o) in enumerate(c.observables.items()):
                first, stride = start + column, len(c.observables)
                totals = {o.total: 1} if o.total else {}
                if is_energy(o.total):
                    energies.append(Column(first, stride, c.count))
                    totals |= entries(c)
                for name, sign in totals.items():
                    columns.append(Column(first, stride, c.count, self._index[name], sign))
                if o.recorded:
                    owners, owner = (c.places, c.place) if o.each else (c.owners, c.owner)
                    names = [self._index[f"{name}.{key}"] for name in owners]
                    if o.least or o.largest:
                        sign = -1 if o.least else 1
                        self.base[names] = -sign * np.inf
                        of, at = np.array(names)[owner], first + stride * np.arange(c.count)
                        picked.append(np.stack([at, of, np.full(c.count, sign)]))
                        bounds.append(np.stack([names, np.full(len(names), sign)]))
                        continue
                    cuts = [0, *(np.flatnonzero(np.diff(owner)) + 1), c.count]
                    columns += [
                        Column(first + stride * a, stride, b - a, names[owner[a]])
                        for a, b in pairwise(cuts) if a < b
                    ]  # fmt: skip
            start += len(c.observables) * c.count
        #: of each number of which a channel is the least or the largest: its place among what is
        #: observed, the channel, -1 or 1
        self._picked = np.concatenate(picked, axis=1)
        return columns, energies, np.concatenate(bounds, axis=1)

    def _share(self) -> None:
        """Show the compiled functions where everything is."""
        seen, module = self.state.observations, self.state.problem.module
        self._lib, c = module.lib, module.ffi.new("fc_channels *")
        c.observers, c.acting, c.observe = seen.count, self.state.problem.acting, seen.table
        c.n, c.counted, c.wholes = len(self.base), self.counted.start, len(self._whole)
        c.columns, c.energies = len(self._columns), len(self._energies)
        kept = [module.ffi.new("fc_column[]", [*z]) for z in (self._columns, self._energies)]
        c.column, c.energy = kept
        arrays: dict[str, Any] = {
            "work": seen.work, "observed": seen.out, "base": self.base, "sums": self.sums,
            "whole": np.array(self._whole, int), "extreme": self._picked[0].astype(int),
            "extreme_to": self._picked[1].astype(int), "extreme_sign": self._picked[2],
        }  # fmt: skip
        c.extremes = self._picked.shape[1]
        c.ranks, c.rank, c.bounds = self.comm.size, self.comm.rank, self._bounds.shape[1]
        if not self._alone:
            c.comm = communicator(module, self.comm)
            both = c.n + 2 * c.ranks
            arrays |= {
                "part": np.zeros(both), "all": np.zeros(both),
                "bound": self._bounds[0].astype(int), "bound_sign": self._bounds[1],
                "bound_part": np.zeros(c.bounds), "bound_all": np.zeros(c.bounds),
            }  # fmt: skip
        self._keep = [*kept, *fill(module.ffi, c, arrays)]
        self.compiled: Any = c

    def observe(self) -> None:
        """Note the present state: at once what laws act on, the channels when somebody looks at
        them; collective."""
        if self.state.problem.acting:
            self.state.observe(0, self.state.problem.acting)
        self._stale = True
        if not self._alone:  # all ranks are here now, but perhaps one alone looks later
            self._sum()

    @property
    def guard(self) -> float:
        """The sum that ``accounts.GUARD`` names."""
        return self.sums.item(-1)

    def changed(self) -> None:
        """Note that laws have changed what they observe after the step, or the ledger what it has
        counted; collective."""
        self._stale = True
        if not self._alone:
            self._sum()

    def read(self) -> np.ndarray:
        """Values of the channels at the present state; collective."""
        self.observe()
        return self.values

    def _sum(self):
        self._stale = False
        self.state.observe(self.state.problem.acting)
        self.compiled.kept = self.kept
        if error := self._lib.fc_channels_add(self.compiled):
            raise MPI.Exception(error)

    def summed(self) -> None:
        """Note that compiled functions have summed the channels of the present state."""
        self._stale = False

    @property
    def values(self) -> np.ndarray:
        """Values of the channels at the last state that was observed, the same on all ranks; an
        array that stays. One rank reads them at the first look, which comes before the next step.
        """
        if self._stale:
            self._sum()
        return self._shown

    def __getitem__(self, name: str) -> float:
        return float(self.values[self._index[present(name, self._index)]])

    @property
    def names(self) -> list[str]:
        """In the order of ``values``."""
        return [c.name for c in self.list]
