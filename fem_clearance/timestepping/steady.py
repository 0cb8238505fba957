"""Kinds whose numbers stay from step to step but for copies: what compiled steps need of them.

``core/compiled/steady.c`` copies, and tells when Python must look: ``update`` is called, and the
next change of a law foreseen, only where an observable comes to an end of its interval.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.shared import fill
from ..core.mixins import PassedInterval, SteadyParameters, UpdatesParameters
from ..core.observation import Channels


class Steady:
    """The components of a run whose kinds have ``SteadyParameters``.

    Args:
        channels: of the run.

    Attributes:
        table: ``fc_steady`` of steady.h, one for each.
        count: of these.
        complete: whether no other kind updates its parameters.
    """

    def __init__(self, channels: Channels):
        state = channels.state
        self._each: list[tuple[SteadyParameters, np.ndarray, np.ndarray]] = []
        self._keep: list[np.ndarray] = []
        observers, seen = state.problem.observers, channels.observed
        kinds = [state.components[k].kind for k in observers]
        found = [
            (kind, list(state.components[k].observables), state.parameters[k], observed)
            for kind, k, observed in zip(kinds, observers, seen, strict=True)
            if SteadyParameters.holds(kind)
        ]
        self.complete = len(found) == sum(isinstance(z, UpdatesParameters) for z in kinds)
        ffi = state.problem.module.ffi
        self.table, self.count = ffi.new("fc_steady[]", len(found)), len(found)
        for entry, each in zip(self.table, found, strict=True):
            self._show(ffi, entry, *each)

    def _show(
        self, ffi: Any, entry: Any, kind: SteadyParameters, names: list[str],
        parameters: np.ndarray, observed: np.ndarray,
    ) -> None:  # fmt: skip
        """Fill the compiled functions' entry."""
        bounds = np.zeros((3, len(parameters)))
        self._each.append((kind, parameters, bounds))
        entry.cells, entry.copies = len(parameters), len(kind.copies)
        entry.observables, entry.numbers = observed.shape[1], parameters.shape[1]
        entry.value = names.index(kind.watched) if kind.watched else -1
        entry.rate, entry.beyond = -1, np.inf
        if isinstance(kind, PassedInterval):
            entry.rate, entry.beyond = names.index(kind.rate), kind.late_beyond
        for name, z in (("observed", observed), ("own", parameters)):
            setattr(entry, name, ffi.cast("double *", z.ctypes.data))
        arrays = dict(zip(("low", "high", "near"), bounds, strict=True))
        arrays["to"] = np.array(list(kind.copies), int)
        arrays["from"] = np.array([names.index(n) for n in kind.copies.values()], int)
        self._keep += fill(ffi, entry, arrays)

    def renew(self) -> None:
        """Read the intervals from the cells' present numbers."""
        for kind, parameters, (low, high, near) in self._each:
            if kind.watched:
                low[:], high[:] = kind.interval(parameters)
                near[:] = kind.near(parameters)
