"""The largest pressure of a film in a running system: a channel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable


@dataclass(frozen=True)
class PeakPressureKind(Kind):
    """Observes the pressure at a node of a film."""

    called = "largest pressure of a film"

    def fields(self):
        return {"pressure": ()}

    def observables(self, c):
        (p,) = c.split(c.q)
        return {"max_pressure": Observable(p, "Pa", "largest pressure of the film", largest=True)}


def add_peak_pressure(builder, name: str, pressure: Block, nodes: np.ndarray) -> None:
    """Register the channel ``max_pressure`` (Pa) of the film ``name`` for its unknowns ``nodes`` of
    the pressure, those at ambient pressure among them: tension, which may not act, is never the
    largest."""
    cell = Cell(name, [Ref(pressure, nodes[:, None])], np.zeros((len(nodes), 0)), count=len(nodes))
    builder.add_cell(PeakPressureKind(), cell)
