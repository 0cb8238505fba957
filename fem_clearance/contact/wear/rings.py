"""Rings of worn depths on the surfaces of a journal and its bearing: what forms read of them, and
what they lose."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import atan2, cos, hypot, sin
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import ufl

from ... import checks
from ...core.observables import Observable, internal
from ...errors import InputError, StepFailed
from . import profile
from .archard import half_width
from .overlap import MODELS, Overlap
from .periods import PeriodClock, WearPeriods, given, view, which

logger = logging.getLogger(__name__)

#: turn (rad), or way by clearance, beyond which the depth expanded at the last step is not trusted
WINDOW = 0.05
ZERO = np.zeros((3, 3))
#: numbers of a cell that are channels: unit, description, and whether each slice has its own
SHOWN = {
    "bearing_wear": ("m", "worn depth of the bearing where the surfaces touch", True),
    "journal_wear": ("m", "worn depth of the journal where the surfaces touch", True),
    "largest_clearance": ("m", "clearance where both surfaces are worn most", True),
    "worn_volume": ("m^3", "volume worn off both bodies, repeated periods not counted", False),
    "slid": ("m", "distance the surfaces slid on each other", True),
}
#: where the pressure of a contact acts on the surfaces
PRESSURES = ("patch", "foundation")
#: how worn surfaces touch
GAPS = ("foundation", "radial")


@dataclass(frozen=True)
class Wear(WearPeriods):
    """Wear of the surfaces of a clearance joint, each in the angles of its own body.

    See ``WearPeriods`` and docs/wear.md. With a period far below a turn and no ``settle`` wear is
    continuous, ``repeat`` times as fast as in reality. Without ``period`` wear is measured, but the
    surfaces keep their shape.

    Args:
        law, period, settle, renewal: see ``WearPeriods``.
        repeat: how many times what was collected is applied; or ``None`` with ``growth``.
        liner: thickness of the bearing's liner, m: a deeper wear stops the run.
        growth: increase of the largest clearance in the first period, m; ``repeat`` follows from it
            and holds for later periods.
        share: part of the worn volume that the bearing loses; the journal loses the rest.
        pressure: ``"patch"``: uniform over Hertz's half width a = sqrt(4 F R / (pi L E*)) about the
            centre of the contact; ``"foundation"``: in proportion to the local overlap.
        gap: ``"foundation"`` or ``"radial"``; see docs/wear.md.
        bins: grid on each circle.
        smoothing: standard deviation, rad, of the Gaussian that collected depths are smoothed by.

    Raises:
        InputError: numbers that cannot be.

    Example::

        fc.Wear(fc.Archard(1.736e-4, 2.17e9), period=1e-3, repeat=1e4)
    """

    growth: float | None = None
    share: float = 0.5
    pressure: str = "patch"
    gap: str = "foundation"
    bins: int = 720
    smoothing: float = 0.01

    def __post_init__(self):
        super().__post_init__()
        if self.growth is not None:
            checks.positive("Wear.growth", self.growth)
        if (self.repeat is None) == (self.growth is None):
            raise InputError("Wear: give either repeat or growth (with repeat=None).")
        checks.within("Wear.share", self.share, 0.0, 1.0)
        checks.choice("Wear.pressure", self.pressure, PRESSURES)
        checks.choice("Wear.gap", self.gap, GAPS)
        if (self.pressure, self.gap) == ("foundation", "radial"):
            raise InputError(
                "Wear: pressure='foundation' needs gap='foundation', because there is no "
                "local overlap with the gap on the line of centres."
            )
        if checks.count("Wear.bins", self.bins) < 32:
            raise InputError(f"Wear.bins must be at least 32, got {self.bins}.")
        checks.within("Wear.smoothing", self.smoothing, 0.0, 0.5)

    @property
    def part(self) -> WornRings:
        """What it is in the kind of a joint's cells."""
        return WornRings(self.bins, self.pressure, self.gap)

    def numbers(self) -> dict[str, float]:
        own = {"growth": given(self.growth), "share": self.share, "smoothing": self.smoothing}
        return {**super().numbers(), **own}


@dataclass(frozen=True)
class WornRings:
    """The wear of a contact between a journal and its bearing; part of a ``ContactKind``.

    The depth is that of round surfaces, |e| - c, and an excess of second order about the last
    accepted state. The excess (overlap.py) is renewed after every step, so that its error is of
    third order in a step's motion; what the surfaces lost lies in its history. A joint has
    one cell, or one for each of its slices across the axis, added one after the other.

    Args:
        bins, pressure, gap: see ``Wear``.
    """

    bins: int = 720
    pressure: str = "patch"
    gap: str = "foundation"

    #: numbers that forms read
    parameters: ClassVar[dict[str, tuple[int, ...]]] = {
        "origin": (2,), "turned": (2,), "excess": (), "slope": (3,), "bend": (6,),
        "bearing_wear": (), "journal_wear": (), "largest_clearance": (), "centre": (),
        "worn_volume": (), "slid": (),
    }  # fmt: skip
    #: splines, splines, values: of bearing and journal
    rings: ClassVar[tuple[str, ...]] = ("shape", "goal", "collected")

    @property
    def history(self) -> dict[str, tuple[int, ...]]:
        """Numbers that only ``update`` reads."""
        numbers = ("clock", "begun", "worn", "rate", "period", "settle", "repeat", "growth", "ramp",
                   "share", "smoothing", "liner", "bearing_radius", "length", "scale",
                   "renewing", "slices")  # fmt: skip
        return {**dict.fromkeys(numbers, ()), **dict.fromkeys(self.rings, (2, self.bins))}

    # --- forms ----------------------------------------------------------------------------------
    @staticmethod
    def excess(c, s):
        """Penetration beyond that of round surfaces at the planar coordinates ``s``, m."""
        origin, turned, g, b = (c.par(n) for n in ("origin", "turned", "slope", "bend"))
        turn = ufl.atan2(s[3] * turned[0] - s[2] * turned[1], s[2] * turned[0] + s[3] * turned[1])
        z = (s[0] - origin[0], s[1] - origin[1], turn)
        excess = c.par("excess") + sum(g[k] * z[k] for k in range(3))
        excess += (b[0] * z[0] ** 2 + b[1] * z[1] ** 2 + b[2] * z[2] ** 2) / 2
        return excess + b[3] * z[0] * z[1] + b[4] * z[0] * z[2] + b[5] * z[1] * z[2]

    @staticmethod
    def observables(c, s) -> dict[str, Observable]:
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

    @staticmethod
    def coupled(kind, parameters: np.ndarray) -> bool:
        """Whether what a slice loses follows from other slices, too (``growth``)."""
        repeat, slices = (kind.column(parameters, name) for name in ("repeat", "slices"))
        return bool(((repeat < 0) & (slices > 1)).any())

    # --- after a step ---------------------------------------------------------------------------
    def update(self, kind, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Collect what the step wore off, move the surfaces, and expand their depth anew."""
        z = view(kind, parameters)
        clock = PeriodClock(z, z.shape, observed["time"])
        overlaps = [self.overlap(z, k, observed) for k in range(len(parameters))]
        force, way = observed["normal_force"], np.abs(observed["sliding_speed"]) * clock.dt
        rubs = (clock.dt > 0) & (force > 0)
        z.slid[rubs] += way[rubs]
        z.worn_volume[rubs] += (z.rate * force * way)[rubs]
        collects = which(rubs & clock.counts())
        if collects:
            depth = np.zeros(z.shape.shape)
            for k in collects:
                turn = observed["turn"].item(k)
                self.lose(z, k, force.item(k), way.item(k), turn, overlaps[k], depth[k])
            clock.collect(depth)
        for k in which(clock.grow()):
            z.worn[k] = 1.0
            overlaps[k] = self.overlap(z, k, observed)
        if clock.ends.any():
            clock.begin(fresh_shapes(z, clock.ends))
            note_depths(z, clock.ends)
        for k, overlap in enumerate(overlaps):
            self.expand(z, k, observed, overlap)
        for name in SHOWN:  # channels show the numbers of this step, not of the one before
            observed[name][:] = getattr(z, name)
        observed["clearance"][:] = z.clearance + z.bearing_wear + z.journal_wear
        observed["contact_centre_deg"][:] = z.centre * 180 / np.pi

    def exceeds_validity(
        self, kind, parameters: np.ndarray, observed: dict[str, np.ndarray]
    ) -> bool:
        """Whether a step that is about to be accepted left the window of the expansion: too far
        from the last accepted place, and not far from contact."""
        names = ("worn", "clearance", "origin", "turned")
        worn, clearance, origin, turned = (kind.column(parameters, n) for n in names)
        allowed = WINDOW * clearance
        for k in which((worn > 0) & (observed["depth"] >= -allowed)):
            (x, y, turn), (x0, y0), (p, w) = place(observed, k), origin[k], turned[k]
            away = hypot(x - x0, y - y0) > allowed[k]
            if away or abs(sin(turn) * p - cos(turn) * w) > WINDOW:
                return True
        return False

    def overlap(self, z, k: int, observed) -> Overlap:
        """Depth of the present surfaces of cell ``k`` less that of round ones."""
        x, y, turn = place(observed, k)
        if not z.worn[k] and self.pressure == "patch":
            return Overlap(0.0, ZERO[0], ZERO, atan2(y, x))
        return MODELS[self.gap](x, y, turn, z.shape[k], z.clearance.item(k))

    def lose(self, z, k: int, force, way, turn, overlap: Overlap, rings: np.ndarray) -> None:
        """Archard's depth of a step on both surfaces of cell ``k``, added to ``rings``."""
        share, rate, length = z.share.item(k), z.rate.item(k), z.length.item(k)
        shares, radii = (share, 1 - share), (z.bearing_radius.item(k), z.journal_radius.item(k))
        if self.pressure == "foundation" and overlap.local is not None:
            width = 2 * np.pi / self.bins
            pressure = force / (overlap.local.sum() * width * length)  # times the radius
            for n, first in enumerate((overlap.first, overlap.first - turn / width)):
                depth = shares[n] * rate * way / radii[n] * pressure * overlap.local
                deposit(rings[n], first, depth)
            return
        half = float(half_width(force, *radii, z.scale.item(k)))
        pressure = force / (2 * half * length)
        centres = overlap.centre, overlap.centre - turn
        for ring, part, radius, centre in zip(rings, shares, radii, centres, strict=True):
            profile.spread(ring, centre, half / radius, part * rate * pressure * way)

    @staticmethod
    def expand(z, k: int, observed, overlap: Overlap) -> None:
        """Numbers that the forms of cell ``k`` read until the next accepted step."""
        z.centre[k] = overlap.centre
        if not z.worn[k]:
            return
        x, y, turn = place(observed, k)
        z.origin[k] = x, y
        z.turned[k] = cos(turn), sin(turn)
        z.excess[k], z.slope[k] = overlap.value, overlap.gradient
        h = overlap.hessian
        z.bend[k] = h[0, 0], h[1, 1], h[2, 2], h[0, 1], h[0, 2], h[1, 2]
        bearing, journal = z.shape[k]
        z.bearing_wear[k] = profile.at(bearing, overlap.centre)[0]
        z.journal_wear[k] = profile.at(journal, overlap.centre - turn)[0]


def place(observed: dict[str, np.ndarray], k: int) -> tuple[float, float, float]:
    """Where the journal of cell ``k`` is in its bearing, m, and its turn."""
    return observed["x"].item(k), observed["y"].item(k), observed["turn"].item(k)


def fresh_shapes(z: SimpleNamespace, ends: np.ndarray) -> np.ndarray:
    """What cells collected whose periods end, as splines; and how often it counts, where the first
    period of their joint tells. The slices of a joint follow each other, all on one rank."""
    fresh, k = np.zeros(z.shape.shape), 0
    while k < len(ends):
        joint = slice(k, k + round(z.slices.item(k)))
        if ends[k]:
            fresh[joint] = profile.coefficients(z.collected[joint], z.smoothing.item(k))
            if z.repeat[k] < 0:
                z.repeat[joint] = _repeat(z.growth.item(k), fresh[joint])
        k = joint.stop
    return fresh[ends]


def _repeat(growth: float, fresh: np.ndarray) -> float:
    """How often the shapes that slices wore in their first period are applied, so that their
    clearance grows by ``growth`` (m) where it grows most."""
    widest = profile.values(fresh).max(axis=2).sum(axis=1).max()
    if not widest > 0:
        logger.warning(
            "there was no wear in the first period, so that growth cannot be used; later "
            "periods are not scaled"
        )
    repeat = growth / widest if widest > 0 else 1.0
    logger.info("each wear period represents %.5g times the wear that was simulated", repeat)
    return repeat


def note_depths(z: SimpleNamespace, ends: np.ndarray) -> None:
    """Note the largest clearance of cells that have a new goal; a liner that is worn through ends
    the run."""
    deepest = profile.values(z.goal[ends]).max(axis=2)
    liner = z.liner[ends]
    through = (liner > 0) & (liner < deepest[:, 0])
    if through.any():
        k = int(np.argmax(through))
        raise StepFailed(
            f"the bearing has worn {deepest[k, 0]:.3g} m deep, through its liner of "
            f"{liner[k]:.3g} m; end the run earlier or give a thicker liner."
        )
    z.largest_clearance[ends] = z.clearance[ends] + deepest.sum(axis=1)
    widest = 1e3 * z.largest_clearance[ends].max()
    logger.info("largest clearance after this wear period: %.6g mm", widest)


def deposit(ring: np.ndarray, first: float, depth: np.ndarray) -> None:
    """Add depths to the bins from ``first`` on; a fraction is shared by both neighbours."""
    start = int(np.floor(first))
    part = first - start
    bins = (start + np.arange(len(depth) + 1)) % len(ring)
    ring[bins[:-1]] += (1 - part) * depth
    ring[bins[1:]] += part * depth
