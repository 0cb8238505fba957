"""Least thickness of a film whose walls expand: a channel, and a warning below roughness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.blocks import Ref
from ...core.component import Cell
from ..film.dimensions import verified_thickness
from ..film.film import block_of
from .least_film import NodalFilmKind, Watched


@dataclass(frozen=True)
class ExpandedNodalKind(NodalFilmKind):
    """Observes the thickness at a node between walls that expand.

    Args:
        grows: the bush does, whose displacement is a field.
    """

    called = "least film thickness between walls that expand"

    grows: bool = False

    parameters = NodalFilmKind.parameters | {"per_kelvin": ()}

    def fields(self):
        growth = {"growth": ()} if self.grows else {}
        return super().fields() | growth | {"journal": ()}

    def opening(self, c):
        *warm, journal = c.split(c.q)[2 + len(self.elastic) :]
        return super().opening(c) + sum(warm) + c.par("per_kelvin") * journal


@dataclass(frozen=True)
class WatchedExpandedKind(Watched, ExpandedNodalKind):
    """Watched."""


def add_least_warm_film(elastic, builder, name: str, film, port, roughness: float | None) -> None:
    """Register the channel ``min_film`` (m) of a film between walls that expand, at its nodes; see
    ``add_least_film_on``."""
    by, settled = film.thermal.openings(film)
    per_kelvin = by["journal"][:, 0] if "journal" in by else np.zeros(len(settled))
    shape: dict[str, Any] = {
        "shape": type(film.gap), "grows": "solid" in by,
        "elastic": tuple((side.normal, side.sign) for side in elastic),
    }  # fmt: skip
    kind, whole = ExpandedNodalKind(**shape), film.asperities is None
    verified = verified_thickness(film, elastic)
    if roughness or whole or verified > 0:
        kind = WatchedExpandedKind(**shape, owner=name, whole=whole, verified=verified)
    cold = film.thickness(np.zeros(3), np.zeros(2)) + settled
    rows = zip(film.surface.nodes, cold, per_kelvin, strict=True)
    parameters = np.stack(
        [
            kind.pack(place=x, clearance=h, per_kelvin=k, roughness=roughness or 0.0, warned=0.0)
            for x, h, k in rows
        ]
    )
    every = np.arange(len(cold))[:, None]
    refs = [*port[:2], *(ref for side in elastic for ref in side.nodal_refs())]
    for what, numbers in (("growth", every), ("journal", 0 * every)):
        block = block_of(builder, name, what)
        refs += [Ref(block, numbers)] if block is not None else []
    builder.add_cell(kind, Cell(name, refs, parameters, count=len(cold)))
