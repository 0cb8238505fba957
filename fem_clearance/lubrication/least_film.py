"""Least thickness of a film between rigid cylinders: a channel, and a warning below roughness."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import ufl

from ..component import Cell, Observable
from ..contact.clearance import TINY_LENGTH
from ..contact.normal import indicator
from .port_kind import RelativeKind

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LeastFilmKind(RelativeKind):
    """Observes the film's thickness where it is least: at an end, the journal being straight."""

    @property
    def own_parameters(self):
        return dict.fromkeys(("clearance", "low", "high", "roughness", "warned"), ())

    def observables(self, c):
        _, _, e, t = self.place(c)

        def closing(z):
            along = z - e[2]
            return ufl.sqrt(sum((e[k] + along * t[k]) ** 2 for k in (0, 1)) + TINY_LENGTH**2)

        first, second = closing(c.par("low")), closing(c.par("high"))
        larger = indicator(ufl.gt(first, second))
        least = c.par("clearance") - larger * first - (1 - larger) * second
        return {"min_film": Observable(least, "m", "least thickness of the film")}


@dataclass(frozen=True)
class WatchedFilmKind(LeastFilmKind):
    """The same, and says once where the film is thinner than the surfaces are rough.

    Args:
        owner: the joint.
    """

    owner: str = ""

    def accept(self, parameters, observed):
        warned = parameters[:, self.columns(self.parameters, "warned").start]
        rough = parameters[:, self.columns(self.parameters, "roughness").start]
        thin = (observed["min_film"] < rough) & (warned == 0)
        for k in np.flatnonzero(thin):
            logger.warning(
                "%s: the film is thinner than the surfaces are rough, %.3g m of %.3g m: asperities "
                "touch, which Reynolds' equation does not know.",
                self.owner, observed["min_film"][k], rough[k],
            )  # fmt: skip
        warned[thin] = 1.0


def add_least_film(item, system, triads, clearance: float, extent, roughness: float | None) -> None:
    """Register the channel ``min_film`` (m) of ``item``.

    Args:
        item: gives name and frames.
        system: to add to.
        triads: of housing and journal.
        clearance: m.
        extent: where the film begins and ends along the housing's axis, m.
        roughness: m, below which a film is warned of; ``None``: not at all.
    """
    frames = item.i.kind, item.j.kind
    kind = WatchedFilmKind(*frames, owner=item.name) if roughness else LeastFilmKind(*frames)
    parameters = kind.pack_pair(
        item.i.parameters(triads[0]), item.j.parameters(triads[1]), clearance=clearance,
        low=extent[0], high=extent[1], roughness=roughness or 0.0, warned=0.0,
    )  # fmt: skip
    system.add_cell(kind, Cell(item.name, [*item.i.refs, *item.j.refs], parameters))
