"""Surfaces of clearance joints that wear: the depth forms read, and what is kept between steps."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, hypot, sin
from typing import Any, ClassVar

import numpy as np
import ufl

from ...core.mixins import LimitedValidity, UpdatesParameters
from ...core.observables import Observable, internal
from ...errors import StepFailed
from .. import planar
from ..clearance import ClearanceKind
from . import profile
from .archard import NOTHING, Counted, counted, grown, half_width
from .gap import MODELS, Overlap

logger = logging.getLogger(__name__)

#: turn (rad), or way by clearance, beyond which the depth expanded at the last step is not trusted
WINDOW = 0.05
ZERO = np.zeros((3, 3))
#: observables that wear needs after a step
NEEDED = ("time", "x", "y", "turn", "sliding_speed", "normal_force")
#: numbers of a cell that are channels: unit, description, and whether each slice has its own
SHOWN = {
    "bearing_wear": ("m", "worn depth of the bearing where the surfaces touch", True),
    "journal_wear": ("m", "worn depth of the journal where the surfaces touch", True),
    "largest_clearance": ("m", "clearance where both surfaces are worn most", True),
    "worn_volume": ("m^3", "volume worn off both bodies, repeated periods not counted", False),
    "slid": ("m", "distance the surfaces slid on each other", True),
}


@dataclass(frozen=True)
class WornSurfaces(ClearanceKind, UpdatesParameters, LimitedValidity):
    """Base beside the kind of a joint between round surfaces: across the bearing they are worn.

    The depth is that of round surfaces, |e| - c, and an excess of second order about the last
    accepted state. The excess (gap.py) is renewed after every step, so that its error is of
    third order in a step's motion; what the surfaces lost lies in the cell's memory. A joint has
    one cell, or one for each of its slices across the axis, added one after the other.
    """

    bins: int = 720
    pressure: str = "patch"
    gap_model: str = "foundation"

    #: names of numbers that forms read; the last are shown as channels
    expansion: ClassVar[dict[str, tuple[int, ...]]] = {
        "origin": (2,), "turned": (2,), "excess": (), "slope": (3,), "bend": (6,),
        "bearing_wear": (), "journal_wear": (), "largest_clearance": (), "centre": (),
        "worn_volume": (), "slid": (),
    }  # fmt: skip

    @property
    def own_parameters(self):
        return {**super().own_parameters, **self.expansion}

    @property
    def history(self):  # type: ignore[override]
        numbers = ("clock", "begun", "worn", "rate", "period", "settle", "repeat", "growth", "ramp",
                   "share", "smoothing", "liner", "bearing_radius", "length", "scale",
                   "renewing", "slices")  # fmt: skip
        rings = ("shape", "goal", "collected")  # splines, splines, values: bearing and journal
        return {**dict.fromkeys(numbers, ()), **dict.fromkeys(rings, (2, self.bins))}

    def depth(self, c, s):
        """Penetration at the planar coordinates ``s``, m."""
        origin, turned, g, b = (c.par(n) for n in ("origin", "turned", "slope", "bend"))
        turn = ufl.atan2(s[3] * turned[0] - s[2] * turned[1], s[2] * turned[0] + s[3] * turned[1])
        z = (s[0] - origin[0], s[1] - origin[1], turn)
        excess = c.par("excess") + sum(g[k] * z[k] for k in range(3))
        excess += (b[0] * z[0] ** 2 + b[1] * z[1] ** 2 + b[2] * z[2] ** 2) / 2
        excess += b[3] * z[0] * z[1] + b[4] * z[0] * z[2] + b[5] * z[1] * z[2]
        return planar.distance(s) - c.par("clearance") + excess

    def radius(self, c):
        """Radius of the journal where it touches, m."""
        return c.par("journal_radius") - c.par("journal_wear")

    def wear_observables(self, c, s) -> dict[str, Observable]:
        """What wear shows and needs, at the planar coordinates ``s``."""
        own = {"time": c.t, "x": s[0], "y": s[1], "turn": ufl.atan2(s[3], s[2])}
        clearance = c.par("clearance") + c.par("bearing_wear") + c.par("journal_wear")
        return {
            **internal(own),
            **{
                n: Observable(c.par(n), unit, text, each=each)
                for n, (unit, text, each) in SHOWN.items()
            },
            "clearance": Observable(
                clearance, "m", "clearance where the surfaces touch", each=True
            ),
            "contact_centre_deg": Observable(
                c.par("centre") * 180 / np.pi, "deg", "centre of pressure in the bearing", each=True
            ),
        }

    # --- after a step ---------------------------------------------------------------------------
    def update(self, parameters, observed):
        seen = [(n, observed[n]) for n in NEEDED]
        counts = self.counted(parameters, observed["time"])
        cells = [Worn(self, row, each) for row, each in zip(parameters, counts, strict=True)]
        places = [{n: column.item(k) for n, column in seen} for k in range(len(cells))]
        overlaps = [worn.wear(place) for worn, place in zip(cells, places, strict=True)]
        for joint in joints(cells):
            end_period(joint)
        for k, worn in enumerate(cells):
            worn.expand(places[k], overlaps[k])
            for name in SHOWN:  # channels show the numbers of this step, not of the one before
                observed[name][k] = getattr(worn, name)
            observed["clearance"][k] = worn.clearance + worn.bearing_wear + worn.journal_wear
            observed["contact_centre_deg"][k] = worn.centre * 180 / np.pi

    def counted(self, parameters, time: np.ndarray) -> list[Counted]:
        """What of the step that ends at ``time`` counts, a cell; all of it without periods."""
        clock, begun, period, settle = (
            self.column(parameters, n) for n in ("clock", "begun", "period", "settle")
        )
        given = period > 0
        counts = counted(time, time - clock, begun, np.where(given, period, 1.0), settle)
        always = 1.0 * (time > clock), 0 * clock, 0 * clock
        columns = (np.where(given, z, w) for z, w in zip(counts, always, strict=True))
        return [Counted(*row) for row in zip(*(z.tolist() for z in columns), strict=True)]

    def exceeds_validity(self, parameters, observed) -> bool:
        """Whether a step that is about to be accepted left the window of the expansion."""
        columns = "x", "y", "turn", "depth"
        rows = zip(parameters, *(observed[n] for n in columns), strict=True)
        return any(Worn(self, row).strays(*seen) for row, *seen in rows)


class Worn:
    """One joint's numbers, by name; reading and writing go to the cell's row.

    Attributes:
        counts: what of the step just made counts for wear periods.
    """

    counts: Counted

    clock: Any
    begun: Any
    worn: Any
    repeat: Any
    renewing: Any
    slid: Any
    worn_volume: Any
    shape: Any
    goal: Any

    def __init__(self, kind: WornSurfaces, row: np.ndarray, counts=NOTHING):
        self.__dict__.update(kind=kind, row=row, layout=kind.cell_layout, counts=counts)
        self.__dict__["fresh"] = np.zeros((2, 0))  # depths of the step just made

    def __getattr__(self, name: str) -> Any:
        columns, shape = self.layout[name]
        return self.row[columns].reshape(shape) if shape else self.row.item(columns.start)

    def __setattr__(self, name: str, value) -> None:
        columns, shape = self.layout[name]
        self.row[columns] = np.ravel(value) if len(shape) > 1 else value

    def strays(self, x: float, y: float, turn: float, depth: float) -> bool:
        """Whether a place is too far from the last accepted one, and not far from contact."""
        allowed = WINDOW * self.clearance
        if not self.worn or depth < -allowed:
            return False
        (x0, y0), (p, w) = self.origin, self.turned
        turned = abs(sin(turn) * p - cos(turn) * w)
        return turned > WINDOW or hypot(x - x0, y - y0) > allowed

    def wear(self, seen: dict[str, float]) -> Overlap | None:
        """Collect the wear of the step just made and move the surfaces towards their goal; returns
        the overlap where they stayed."""
        t, dt = seen["time"], seen["time"] - self.clock
        self.clock = t
        overlap = self.overlap(seen)
        if dt > 0:
            way = abs(seen["sliding_speed"]) * dt
            if seen["normal_force"] > 0:
                self.slid += way
                self.collect(seen["normal_force"], way, seen["turn"], overlap)
            if self.renew(t, dt):
                return None
        return overlap

    def overlap(self, seen: dict[str, float]) -> Overlap:
        """Depth of the present surfaces less that of round ones."""
        x, y = seen["x"], seen["y"]
        if not self.worn and self.kind.pressure == "patch":
            return Overlap(0.0, ZERO[0], ZERO, atan2(y, x))
        return MODELS[self.kind.gap_model](x, y, seen["turn"], self.shape, self.clearance)

    def expand(self, seen: dict[str, float], overlap: Overlap | None) -> None:
        """Numbers that the forms read until the next accepted step."""
        overlap = overlap or self.overlap(seen)
        self.centre = overlap.centre
        if not self.worn:
            return
        self.origin = seen["x"], seen["y"]
        self.turned = cos(seen["turn"]), sin(seen["turn"])
        self.excess, self.slope = overlap.value, overlap.gradient
        h = overlap.hessian
        self.bend = h[0, 0], h[1, 1], h[2, 2], h[0, 1], h[0, 2], h[1, 2]
        self.bearing_wear = profile.at(self.shape[0], overlap.centre)[0]
        self.journal_wear = profile.at(self.shape[1], overlap.centre - seen["turn"])[0]

    # --- wear -----------------------------------------------------------------------------------
    def collect(self, force: float, way: float, turn: float, overlap: Overlap) -> None:
        """Archard's depth of a step on both surfaces, as far as it counts."""
        self.worn_volume += self.rate * force * way
        if not self.counts.now + self.counts.later > 0:
            return
        rings = self.__dict__["fresh"] = np.zeros((2, self.kind.bins))
        shares, radii = (self.share, 1 - self.share), (self.bearing_radius, self.journal_radius)
        centres = overlap.centre, overlap.centre - turn
        if self.kind.pressure == "foundation" and overlap.local is not None:
            width = 2 * np.pi / self.kind.bins
            pressure = force / (overlap.local.sum() * width * self.length)  # times the radius
            for k, first in enumerate((overlap.first, overlap.first - turn / width)):
                depth = shares[k] * self.rate * way / radii[k] * pressure * overlap.local
                deposit(rings[k], first, depth)
        else:
            half = float(half_width(force, *radii, self.scale))
            pressure = force / (2 * half * self.length)
            for ring, share, radius, centre in zip(rings, shares, radii, centres, strict=True):
                profile.spread(ring, centre, half / radius, share * self.rate * pressure * way)
        self.collected += self.counts.now * rings

    def renew(self, t: float, dt: float) -> bool:
        """Move the surfaces towards their goal; a period that ends sets a new one."""
        if self.period <= 0 or self.renewing <= 0:
            return False
        part = float(grown(t, dt, self.begun, self.ramp))
        self.shape += part * (self.goal - self.shape)
        self.worn = 1.0
        self.renewing = float(part < 1)
        return True

    def next_period(self, fresh: np.ndarray) -> None:
        """What was collected, as splines, becomes the next shape of the surfaces."""
        if self.renewing > 0:
            self.shape[:] = self.goal
        self.goal += self.repeat * fresh
        self.collected[:] = 0.0
        if self.counts.later > 0 and self.fresh.size:
            self.collected += self.counts.later * self.fresh
        self.begun += self.counts.ends * self.period
        self.renewing = 1.0
        deepest = profile.values(self.goal).max(axis=1)
        if 0 < self.liner < deepest[0]:
            raise StepFailed(
                f"the bearing has worn {deepest[0]:.3g} m deep, through its liner of "
                f"{self.liner:.3g} m; end the run earlier or give a thicker liner."
            )
        self.largest_clearance = self.clearance + deepest.sum()


def joints(cells: list[Worn]) -> Iterator[list[Worn]]:
    """The cells of each joint: its slices follow each other, and all are on one rank."""
    while cells:
        count = round(cells[0].slices)
        yield cells[:count]
        cells = cells[count:]


def end_period(joint: list[Worn]) -> None:
    """Begin the next wear period of all slices of a joint, if it is time."""
    first = joint[0]
    if not first.counts.ends:
        return
    fresh = [profile.coefficients(worn.collected, worn.smoothing) for worn in joint]
    if first.repeat < 0:
        widest = max(profile.values(each).max(axis=1).sum() for each in fresh)
        if not widest > 0:
            logger.warning("nothing wore in the first period: later ones wear as they are")
        repeat = first.growth / widest if widest > 0 else 1.0
        logger.info("each wear period stands for %.5g times what was collected", repeat)
        for worn in joint:
            worn.repeat = repeat
    for worn, each in zip(joint, fresh, strict=True):
        worn.next_period(each)
    widest = 1e3 * max(worn.largest_clearance for worn in joint)
    logger.info("largest clearance after this wear period: %.6g mm", widest)


def deposit(ring: np.ndarray, first: float, depth: np.ndarray) -> None:
    """Add depths to the bins from ``first`` on; a fraction is dealt out to both neighbours."""
    start = int(np.floor(first))
    part = first - start
    bins = (start + np.arange(len(depth) + 1)) % len(ring)
    ring[bins[:-1]] += (1 - part) * depth
    ring[bins[1:]] += part * depth
