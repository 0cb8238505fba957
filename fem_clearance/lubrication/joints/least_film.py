"""Least thickness of a film: a channel, and a warning below roughness.

Between rigid cylinders a film is thinnest at an end, the journal being straight: found exactly. On
a liner, or if the film has a recess, as between lobes, the least of the film's nodes counts.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from ufl import dot

from ...contact.forms import TINY_LENGTH
from ...contact.laws.normal import indicator
from ...core.component import Cell
from ...core.kind import Kind
from ...core.mixins import LimitedValidity, SteadyParameters
from ...core.observables import Observable
from ..film.dimensions import verified_thickness, warn_of_thin
from ..film.thickness import CylinderGap, Gap
from .port import RelativeKind

logger = logging.getLogger(__name__)

WHAT = "least thickness of the film"
#: what has been said of a film, bits
ROUGH, PASSED, CROSSED, THINNED = 1, 2, 4, 8


@dataclass(frozen=True)
class LeastFilmKind(RelativeKind):
    """Observes the thickness between rigid cylinders."""

    called = "least film thickness"

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
        return {"min_film": Observable(least, "m", WHAT)}


@dataclass(frozen=True)
class LeastBallFilmKind(RelativeKind):
    """Observes the thickness between a ball and its socket."""

    called = "least film thickness of a ball"

    spherical: bool = True

    @property
    def own_parameters(self):
        return dict.fromkeys(("clearance", "roughness", "warned"), ())

    def observables(self, c):
        least = c.par("clearance") - self.distance(self.place(c)[2])
        return {"min_film": Observable(least, "m", WHAT)}


@dataclass(frozen=True)
class NodalFilmKind(Kind):
    """Observes the thickness at a node of a film on a liner, or of one with a recess.

    Args:
        shape: of the film.
        elastic: of each elastic surface: whether its displacement is that along the normal, not a
            vector, and whether that opens the gap (1) or closes it (-1).
    """

    called = "least film thickness at nodes"

    shape: type[Gap] = CylinderGap
    elastic: tuple[tuple[bool, int], ...] = ()

    parameters = {"place": (3,), "clearance": (), "roughness": (), "warned": ()}

    def fields(self):
        surfaces = {f"u{k}": () if z[0] else (3,) for k, z in enumerate(self.elastic)}
        return {"e": (3,), "t": (2,), **surfaces}

    def observables(self, c):
        e, t, *_ = c.split(c.q)
        h = c.par("clearance") - self.shape.closing(c.par("place"), e, t) + self.opening(c)
        return {"min_film": Observable(h, "m", WHAT, least=True)}

    def opening(self, c):
        """By which the surfaces move away from each other, m."""
        normal, surfaces = self.shape.normal(c.par("place")), c.split(c.q)[2:]
        return sum(
            sign * (u if scalar else dot(u, normal))
            for u, (scalar, sign) in zip(surfaces, self.elastic, strict=False)
        )


@dataclass(frozen=True)
class LeastPadFilmKind(Kind):
    """Observes the distance of the surfaces at the corner of a flat pad where it is least.

    ``middle`` and ``half``: of its sides, m.
    """

    called = "least film thickness of a pad"

    parameters = {"clearance": (), "middle": (2,), "half": (2,), "roughness": (), "warned": ()}

    def fields(self):
        return {"e": (3,), "t": (2,)}

    def observables(self, c):
        e, t = c.split(c.q)
        h, middle, half = c.par("clearance") - e[2], c.par("middle"), c.par("half")
        h += sum(t[k] * middle[k] - abs(t[k]) * half[k] for k in (0, 1))
        return {"min_film": Observable(h, "m", WHAT)}


@dataclass(frozen=True)
class Watched(SteadyParameters, LimitedValidity):
    """Says once where the film is thinner than the surfaces are rough or than what its mesh was
    verified for, and where its transition begins, and refuses steps that pierce a film that must be
    whole; a base beside one of the kinds above.

    Args:
        owner: the joint.
        transition: thickness at which it begins, m; default: there is none to be told.
        whole: whether nothing but the film keeps the surfaces apart. Between the points at which
            its equations are integrated it may be pierced unnoticed by them.
        parallel: whether the film, of a closed form, knows the middle of the journal only, so that
            the ends of one that tilts may pass through the bore.
        verified: thickness down to which loads were verified, m; default: there is none to be told.
    """

    owner: str = ""
    transition: float = -np.inf
    whole: bool = False
    parallel: bool = False
    verified: float = -np.inf
    remembers = False
    watched = "min_film"

    @property
    def why_exceeded(self):  # type: ignore[override]
        return (
            f"{self.owner}: the surfaces touch between the points of the film's cells; take more "
            "cells, or let dry contact, CylindricalClearance(film=...), or rough surfaces, "
            "Film(asperities=...), carry load"
        )

    def exceeds_validity(self, parameters, observed):
        return self.whole and not np.all(observed["min_film"] > 0)

    def interval(self, parameters):
        """From the thickness at which there is something to say."""
        said, rough = (self.column(parameters, name) for name in ("warned", "roughness"))
        low = np.full(len(said), 0.0 if self.whole else -np.inf)
        crossed = 0.0 if self.parallel else -np.inf
        told = (PASSED, self.transition), (CROSSED, crossed), (THINNED, self.verified)
        for bit, least in (ROUGH, rough), *told:
            low = np.where(said.astype(int) & bit, low, np.maximum(low, least))
        return low, np.full(len(said), np.inf)

    def change(self, parameters, observed):
        film = observed["min_film"]
        if not len(film):
            return
        warned, rough = (self.column(parameters, name) for name in ("warned", "roughness"))
        said, least = int(warned[0]), film.min()
        if rough[0] and least < rough[0] and not said & ROUGH:
            logger.warning(
                "%s: the film is thinner than the surfaces are rough, %.3g m of %.3g m: asperities "
                "touch.", self.owner, least, rough[0],
            )  # fmt: skip
            said |= ROUGH
        if least < self.transition and not said & PASSED:
            logger.warning(
                "%s: the film gets thinner than %.3g m: there its transition to dry contact begins "
                "and it carries less load than by Reynolds' equation; with a smaller band of the "
                "transition (for pads: least) this begins later.", self.owner, self.transition,
            )  # fmt: skip
            said |= PASSED
        if self.parallel and least < 0 and not said & CROSSED:
            logger.warning(
                "%s: the journal tilts until its ends pass through the bore, by %.3g m, which its "
                "closed form does not notice; use a Film, which resists tilting, or hold the "
                "journal parallel.", self.owner, -least,
            )  # fmt: skip
            said |= CROSSED
        if least < self.verified and not said & THINNED:
            warn_of_thin(self.owner, least, self.verified)
            said |= THINNED
        warned[:] = said


@dataclass(frozen=True)
class WatchedFilmKind(Watched, LeastFilmKind):
    """Watched, between rigid cylinders."""


@dataclass(frozen=True)
class WatchedBallFilmKind(Watched, LeastBallFilmKind):
    """Watched, between a ball and its socket."""


@dataclass(frozen=True)
class WatchedNodalKind(Watched, NodalFilmKind):
    """Watched, on a liner."""


@dataclass(frozen=True)
class WatchedPadFilmKind(Watched, LeastPadFilmKind):
    """Watched, of a flat pad."""


def add_least_film(
    item,
    builder,
    triads,
    clearance: float,
    extent,
    roughness: float | None,
    transition: float = -np.inf,
    whole: bool = False,
    parallel: bool = False,
    verified: float = -np.inf,
) -> None:
    """Register the channel ``min_film`` (m) of ``item``.

    Args:
        item: gives name and frames.
        builder: to add to.
        triads: of housing and journal.
        clearance: m.
        extent: where the film begins and ends along the housing's axis, m; ``None``: that of a
            ball.
        roughness: m, below which a film is warned of; ``None``: not at all.
        transition: m, below which a film has one, which is said.
        whole: whether nothing but the film keeps the surfaces apart.
        parallel: whether the film is a closed form, of parallel axes.
        verified: m, see ``verified_thickness``; below its transition a film is told of that only.
    """
    frames, watch = (item.i.kind, item.j.kind), {}
    kinds: tuple[Any, Any] = LeastFilmKind, WatchedFilmKind
    if extent is None:
        kinds = LeastBallFilmKind, WatchedBallFilmKind
    if roughness or transition > 0 or whole or parallel or verified > 0:
        watch = {
            "owner": item.name, "transition": transition, "whole": whole, "parallel": parallel,
            "verified": verified if verified > transition else -np.inf,
        }  # fmt: skip
    kind = kinds[bool(watch)](*frames, **watch)
    numbers = {"clearance": clearance, "roughness": roughness or 0.0, "warned": 0.0}
    if extent is not None:
        numbers |= {"low": extent[0], "high": extent[1]}
    parameters = kind.pack_pair(
        item.i.parameters(triads[0]), item.j.parameters(triads[1]), **numbers
    )
    builder.add_cell(kind, Cell(item.name, [*item.i.refs, *item.j.refs], parameters))


def add_least_film_on(elastic, builder, name: str, film, port, roughness: float | None) -> None:
    """The same for a film on a liner, or on a rigid surface with a recess: at its nodes.

    Args:
        elastic: what yields in the system, its film built.
        builder: to add to.
        name: of the joint.
        film: on the liner.
        port: unknowns e, t, ... of the film's port.
        roughness: see ``add_least_film``.
    """
    shape = type(film.gap), tuple((side.normal, side.sign) for side in elastic)
    kind, whole = NodalFilmKind(*shape), film.asperities is None
    verified = verified_thickness(film, elastic)
    if roughness or whole or verified > 0:
        kind = WatchedNodalKind(
            shape=shape[0], elastic=shape[1], owner=name, whole=whole, verified=verified
        )
    places = film.surface.nodes
    rows = zip(places, film.thickness(np.zeros(3), np.zeros(2)), strict=True)
    parameters = np.stack(
        [kind.pack(place=x, clearance=h, roughness=roughness or 0.0, warned=0.0) for x, h in rows]
    )
    refs = [*port[:2], *(ref for side in elastic for ref in side.nodal_refs())]
    builder.add_cell(kind, Cell(name, refs, parameters, count=len(places)))
