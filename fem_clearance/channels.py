"""Channels: named numbers of a run, one value a step, with unit and description."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._backend import MPI
import numpy as np

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
        values: their values at the last call of ``read``, the same on all ranks.
    """

    def __init__(self, system: System):
        self.system, self.state = system, system.state
        names: dict[str, Channel] = {}
        for kind, cells in system._cells.items():
            component = next(c for c in system.components if c.kind == kind)
            for key, o in component.observables.items():
                if o.total:
                    names.setdefault(o.total, Channel(o.total, o.unit, f"{o.description}, whole system"))
                if o.recorded:
                    for owner in dict.fromkeys(cell.owner for cell in cells):
                        names[f"{owner}.{key}"] = Channel(f"{owner}.{key}", o.unit, o.description)
        energies = [n for n in names if n.startswith("energy.")]
        self.list = [*names.values()]
        self._index = {c.name: k for k, c in enumerate(self.list)}
        self._energies = [self._index[n] for n in energies]
        if energies:
            self.list.append(Channel("energy.total", "J", "mechanical energy, whole system"))
        self.values = np.zeros(len(self.list))
        self._targets = [self._target(system.components[k]) for k in self.state.observers]
        self._flat = np.concatenate([np.zeros(0, int)] + [t.ravel() for t in self._targets])
        self._use = self._flat >= 0
        self._flat = self._flat[self._use]

    def _target(self, component) -> np.ndarray:
        """Channel of each observable of each cell (several: totals come as further columns)."""
        totals, own = [], []
        for key, o in component.observables.items():
            totals.append([self._index.get(o.total, -1)] * len(component.cells))
            own.append([self._index.get(f"{c.owner}.{key}", -1) if o.recorded else -1 for c in component.cells])
        shape = (len(component.observables), len(component.cells))
        both = (np.array(z, dtype=int).reshape(shape).T for z in (totals, own))  # perhaps no cells
        return np.stack(list(both))

    def read(self) -> np.ndarray:
        """Values at the present state; collective."""
        parts = self.state.observe()
        self.observed = parts
        flat = np.concatenate([np.zeros(0)] + [np.broadcast_to(p, (2, *p.shape)).ravel() for p in parts])
        values = np.bincount(self._flat, flat[self._use], len(self.list)).astype(float)
        if self.system.comm.size > 1:
            self.system.comm.Allreduce(MPI.IN_PLACE, values, MPI.SUM)
        if self._energies:
            values[-1] = values[self._energies].sum()
        self.values = values
        return values

    def __getitem__(self, name: str) -> float:
        return float(self.values[[c.name for c in self.list].index(name)])

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.list]
