"""Wear of a solid's facets in contact: Archard's law at each quadrature point of each facet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...bodies.solids.facets import FacetSet
from ...core.observables import Observable
from ...errors import InputError, StepFailed
from ..forms import TINY_LENGTH, across, law_symbols, length
from ..laws.stick import at_start
from ..placements.touch import Touch
from ..wear.periods import PeriodClock, WearPeriods, check_depths, given, view


@dataclass(frozen=True)
class SurfaceWear(WearPeriods):
    """Wear of the facets of a solid in a ``GuideContact`` or ``SurfaceContact``, and of the bore
    under a film in a ``CylindricalFilm`` (lubrication/film/wear.py).

    Each quadrature point of a facet loses depth = k p s / H by its own pressure and its own
    displacement along the surface (Bai, Zhang and Sun 2014, eq. (16)), which keeps its shape.
    Without ``period`` wear is continuous, ``repeat`` times as fast as in reality: each step wears
    by the pressure at its end, which includes the loss (implicit Euler), so that any rate of wear
    is stable. With ``period`` see ``WearPeriods``.

    Args:
        law, period, settle, repeat, renewal, liner: see ``WearPeriods``; k is that of the facets'
            own loss.

    Raises:
        InputError: no ``repeat``; besides see ``WearPeriods``.

    See docs/wear.md. Example::

        fc.SurfaceWear(fc.Archard(1.7e-4, 2e9), repeat=1e4)
    """

    def __post_init__(self):
        super().__post_init__()
        if self.repeat is None:
            raise InputError("SurfaceWear: repeat must be a positive number.")

    def begin(self, who: str, facets: FacetSet, resolution: int, worn) -> np.ndarray:
        """Depths lost at the start at the quadrature points, m, (facets, points), checked.

        Args:
            who: the contact, for messages.
            worn: a function of the points' undeformed places, an array, or ``None``.
        """
        area, places = facets.quadrature(resolution)
        depth = np.zeros(area.shape) if worn is None else worn(places) if callable(worn) else worn
        try:
            depth = np.broadcast_to(np.asarray(depth, float), area.shape)
        except (TypeError, ValueError):
            raise InputError(
                f"{who}: worn must give a depth for each of {area.shape[0]} facets x "
                f"{area.shape[1]} quadrature points."
            ) from None
        check_depths(who, "the facets are", self, "their liner", depth)
        return depth

    def numbers(self) -> dict[str, float]:
        """Numbers that all facets share at the start."""
        zero = dict.fromkeys(("worn_volume", "clock", "begun", "collected", "renewing"), 0.0)
        live = 0.0 if self.period is not None else given(self.repeat)
        return {**super().numbers(), **zero, "live": live}

    @staticmethod
    def fields(facets: FacetSet, resolution: int, worn) -> dict[str, np.ndarray]:
        """Numbers of each facet."""
        area = facets.quadrature(resolution)[0]
        size = area.sum(axis=1, keepdims=True) / facets.solid.thickness
        deepest = worn.max(axis=1, keepdims=True)
        return {"worn": worn, "goal": worn, "area": area, "size": size, "worn_depth": deepest}


def checked_wear(who: str, wear: Any) -> SurfaceWear:
    """Wear of facets.

    Raises:
        InputError: something else.
    """
    if not isinstance(wear, SurfaceWear):
        raise InputError(f"{who}: wear must be SurfaceWear(Archard(k, H), ...), got {wear!r}.")
    return wear


@dataclass(frozen=True)
class WornFacets:
    """A worn depth at each quadrature point of a facet; part of a ``SurfaceContactKind``.

    It is taken from the penetration there. Depths belong to points of the body: the pressure still
    has a potential in the facet's place, and a shape that does not change keeps energy.
    """

    #: numbers of a cell, shown as channels
    shown: ClassVar[dict[str, tuple[str, str]]] = {
        "worn_volume": ("m^3", "worn volume, without the factor by which wear is repeated"),
        "worn_depth": ("m", "largest worn depth"),
    }
    parameters: ClassVar[dict[str, tuple[int, ...]]] = dict.fromkeys(
        ("rate", "live", "size", "worn_volume", "worn_depth"), ()
    )
    pointwise: ClassVar[tuple[str, ...]] = ("worn",)
    largest_of: ClassVar[dict[str, str]] = {"worn_depth": "worn"}

    @staticmethod
    def history(points: int) -> dict[str, tuple[int, ...]]:
        """Numbers that only ``update`` reads."""
        numbers = ("clock", "begun", "period", "settle", "repeat", "ramp", "liner", "renewing")
        fields = ("goal", "collected", "area")
        return {**dict.fromkeys(numbers, ()), **dict.fromkeys(fields, (points,))}

    # --- forms ----------------------------------------------------------------------------------
    @staticmethod
    def slid(c, at: Touch):
        """Displacement along the surface since the start of the step, m."""
        return length(across(at.place - at_start(c, at.place), at.normal)) - TINY_LENGTH

    def depth(self, kind, c, at: Touch):
        """Penetration of the worn surface, m; continuous wear lowers it within the step."""
        depth = at.depth - c.distributed["worn"]
        softness = c.par("live") * c.par("rate") * self.slid(c, at)  # m/Pa of this step
        return depth / (1 + softness * kind.law.modulus(at.rate, law_symbols(c, kind.law, "law")))

    def observables(self, c, at: Touch, pressure) -> dict[str, Observable]:
        """What wear shows and needs."""
        d = c.kind.resolution
        lost = c.par("thickness") * c.par("rate") * pressure * self.slid(c, at)

        def own(x, unit="", what="", shown=False, largest=False):
            return Observable({d: x / c.par("size")}, unit, what, "", shown, largest=largest)

        return {
            "time": own(c.t),
            **{
                n: own(c.par(n), *text, shown=True, largest=n == "worn_depth")
                for n, text in self.shown.items()
            },
            "lost": Observable(lost, "m^3", "worn off in a step", points=d),
        }

    # --- after a step ---------------------------------------------------------------------------
    def update(self, kind, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Take off what the step wore, and move the surfaces of cells with wear periods."""
        z = view(kind, parameters)
        clock = PeriodClock(z, z.worn, observed["time"])
        lost = np.stack([observed[f"lost.{k}"] for k in range(kind.points)], axis=1)
        lost[clock.dt <= 0] = 0.0
        z.worn_volume += lost.sum(axis=1)
        z.worn += z.live[:, None] * lost / z.area
        clock.collect(lost / z.area)
        clock.grow()
        clock.begin(z.collected[clock.ends])
        z.worn_depth[:] = z.worn.max(axis=1)
        for name in self.shown:  # channels show the numbers of this step, not of the one before
            observed[name][:] = getattr(z, name)
        through = np.maximum(z.worn, z.goal).max(axis=1) - z.liner
        if np.any(through[z.liner > 0] > 0):
            k = np.argmax(np.where(z.liner > 0, through, -np.inf))
            raise StepFailed(
                f"a facet has worn {through[k] + z.liner[k]:.3g} m deep, through its liner of "
                f"{z.liner[k]:.3g} m; end the run earlier or give a thicker liner."
            )
