"""Grooves that feed a bearing: position and supply."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ... import checks
from ...errors import InputError
from .restrictor import Restrictor
from .surface import Surface

logger = logging.getLogger(__name__)

#: part of a bearing's length that a groove takes where nothing is said
LONG = 0.8
#: tolerance of places on the surface, by its size
CLOSE = 1e-6


class Patch:
    """A part of a bore between two angles and two places along the axis; base of dataclasses."""

    angle: float
    width: float
    length: float | None
    place: float

    def _check_patch(self) -> None:
        name = type(self).__name__
        checks.number(f"{name}: angle", self.angle)
        checks.positive(f"{name}: width", self.width)
        checks.within(f"{name}: width", self.width, 0.0, 2 * np.pi * (1 + 1e-9))
        if self.length is not None:
            checks.positive(f"{name}: length", self.length)
        checks.number(f"{name}: place", self.place)

    @property
    def ring(self) -> bool:
        """Whether it goes all round."""
        return self.width > 2 * np.pi * (1 - 1e-9)

    def edges(self, length: float) -> tuple[list[float], list[float]]:
        """Angles (rad) and places along the axis (m) of its edges inside a bearing of a length.

        Raises:
            InputError: it does not lie in the bearing.
        """
        own = LONG * length if self.length is None else self.length
        ends = [self.place - own / 2, self.place + own / 2]
        if max(np.abs(ends)) > length / 2 * (1 + CLOSE):
            raise InputError(
                f"{type(self).__name__.lower()}: it reaches from {ends[0]:.4g} to {ends[1]:.4g} m "
                f"along a bearing that ends at {-length / 2:.4g} and {length / 2:.4g} m."
            )
        angles = [] if self.ring else [self.angle - self.width / 2, self.angle + self.width / 2]
        return angles, ends

    def covers(self, points: np.ndarray, length: float, close: float = CLOSE) -> np.ndarray:
        """Whether points (n, 3), m, of the bore lie in it; ``close``: tolerance of its edges, rad
        and relative to the length."""
        around = np.angle(np.exp(1j * (np.arctan2(points[:, 1], points[:, 0]) - self.angle)))
        low, high = self.edges(length)[1]
        z, reach = points[:, 2], close * length
        inside = (z > low - reach) & (z < high + reach)
        return inside & (self.ring | (np.abs(around) < self.width / 2 + close))


@dataclass(frozen=True)
class Groove(Patch):
    """A groove in the bore of a bearing, at a uniform pressure; a hole if it is short.

    Args:
        angle: of its middle from the film's first axis, rad.
        width: round the bearing, rad; 2 pi: a ring.
        pressure: of supply, Pa over ambient.
        length: along the bearing, m; default: 0.8 of the bearing's. As long as the bearing: from
            end to end.
        place: of its middle along the bearing's axis from the bearing's middle, m.
        restrictor: through which it is fed, ``Capillary(...)``, ``Orifice(...)`` or
            ``ConstantFlow(...)``: the groove is then a recess, whose pressure is an unknown.
        drag: whether the film shears over the groove as beside it; ``False``: a groove so deep that
            it does not brake the journal.

    Raises:
        InputError: numbers out of range.
    """

    angle: float
    width: float
    pressure: float = 0.0
    length: float | None = None
    place: float = 0.0
    drag: bool = True
    restrictor: Restrictor | None = None

    def __post_init__(self):
        self._check_patch()
        checks.number("Groove: pressure", self.pressure)
        if self.restrictor is not None and self.pressure:
            raise InputError("Groove: give either pressure or restrictor, not both.")


def listed(grooves) -> tuple[Groove, ...]:
    """The argument ``grooves`` of a bearing."""
    return checks.objects("film: grooves", grooves, Groove, "Groove(angle, width, ...)")


def grooved(
    surface: Surface, grooves: Sequence[Groove]
) -> tuple[Surface, Mapping[str, float], tuple[str, ...], Mapping[str, Restrictor]]:
    """A bore with grooves: its surface with a set of nodes for each, ``groove1`` and so on; what
    pressure each has, Pa; those over which nothing shears; and what feeds recesses.

    Raises:
        InputError: something that is no groove, one that the bore's cells are too coarse for.
    """
    length = float(np.ptp(surface.points[:, 2]))
    pressures, smooth, restrictors = {}, [], {}
    for k, groove in enumerate(listed(grooves)):
        name = f"groove{k + 1}"
        surface = surface.marked(**{name: lambda x, g=groove: g.covers(x, length)})
        if groove.restrictor is None:
            pressures[name] = groove.pressure
        else:
            restrictors[name] = groove.restrictor
        if not groove.drag:
            smooth.append(name)
    if sheared := [name for name in (*pressures, *restrictors) if name not in smooth]:
        logger.info(
            "%s: the oil is sheared there as on the adjacent lands, which overestimates friction "
            "over a deep groove; Groove(..., drag=False) omits it, and a recess gives the actual "
            "depth",
            ", ".join(sheared),
        )
    return surface, pressures, tuple(smooth), restrictors
