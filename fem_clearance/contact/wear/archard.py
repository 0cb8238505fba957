"""Wear by Archard's law: how much surfaces lose, and when their shape is renewed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ... import checks
from ...errors import InputError


@dataclass(frozen=True)
class Archard:
    """Archard's law: worn depth = k p s / H for pressure p over a sliding distance s.

    Bai, Zhang and Sun (2014) eqs. (14)-(16). Works on numbers and arrays, for any surface that has
    its pressure and sliding.

    Args:
        coefficient: k, without dimension.
        hardness: H of the softer material, Pa.

    Raises:
        InputError: a hardness that is not positive, a negative coefficient.
    """

    coefficient: float
    hardness: float

    def __post_init__(self):
        checks.non_negative("Archard.coefficient", self.coefficient)
        checks.positive("Archard.hardness", self.hardness)

    @property
    def rate(self) -> float:
        """k / H, depth by pressure and sliding distance, 1/Pa."""
        return self.coefficient / self.hardness

    def depth(self, pressure, sliding):
        """Worn depth in m for a pressure in Pa over a distance in m."""
        return self.rate * pressure * sliding


#: where the pressure of a contact acts on the surfaces
PRESSURES = ("patch", "foundation")
#: how worn surfaces touch
GAPS = ("foundation", "radial")


@dataclass(frozen=True)
class WearPeriods:
    """When worn surfaces get their new shape.

    Worn depths are collected from ``settle`` on to the end of each ``period``; then they are
    multiplied by ``repeat`` and grow into the surfaces within the time ``renewal``, at a constant
    rate. With ``period`` of N turns and ``repeat = N_w / N`` a period stands for N_w turns.

    Args:
        law: Archard's.
        period: s, or ``None``.
        settle: s at the start of each period that do not count; at least ``renewal``, or 0.
        repeat: how many times what was collected is applied.
        renewal: s; default ``settle`` / 4, or the period if nothing settles.
        liner: thickness of what may wear, m: a deeper wear stops the run.

    Raises:
        InputError: numbers that cannot be.
    """

    law: Archard
    period: float | None = None
    settle: float = 0.0
    repeat: float | None = 1.0
    renewal: float | None = None
    liner: float | None = None

    def __post_init__(self):
        who = type(self).__name__
        if not isinstance(self.law, Archard):
            raise InputError(f"{who}: law must be Archard(k, H), got {self.law!r}.")
        for name in ("period", "renewal", "liner", "repeat"):
            if getattr(self, name) is not None:
                checks.positive(f"{who}.{name}", getattr(self, name))
        checks.non_negative(f"{who}.settle", self.settle)
        if self.period is not None and self.settle >= self.period:
            raise InputError(
                f"{who}: nothing of a period of {self.period:g} s counts when {self.settle:g} s "
                "settle; make settle shorter."
            )

    @property
    def ramp(self) -> float:
        """Time in which a new shape grows in, s."""
        if self.renewal is not None:
            return self.renewal
        return self.settle / 4 if self.settle else self.period or 0.0

    def numbers(self) -> dict[str, float]:
        """What a cell keeps; -1 for what is not given."""
        return {
            "rate": self.law.rate, "period": given(self.period), "settle": self.settle,
            "repeat": given(self.repeat), "ramp": self.ramp, "liner": given(self.liner),
        }  # fmt: skip


class Counted(NamedTuple):
    """What of a step counts for wear periods; numbers or arrays.

    Attributes:
        now, later: parts of the step that count for the period it began in, and for the one it
            ends in if that is another.
        ends: periods that end within the step.
    """

    now: Any
    later: Any
    ends: Any


#: of a step without length
NOTHING = Counted(0.0, 0.0, 0.0)


def counted(t, dt, begun, period, settle) -> Counted:
    """What of the step of length ``dt`` that ends at ``t`` lies in the counted part of a wear
    period: from ``settle`` after its beginning to its end. All in s, numbers or arrays.

    Args:
        t, dt: end and length of the step; nothing counts of a step without length.
        begun: beginning of the period that the step begins in.
        period, settle: see ``WearPeriods``.
    """

    def until(time):
        """Time that has counted since ``begun``."""
        since = np.maximum(time - begun, 0.0)
        whole = np.floor(since / period)
        return whole * (period - settle) + np.maximum(since - whole * period - settle, 0.0)

    ends = np.maximum(np.floor((t - begun) / period + 1e-9), 0.0)
    before, after = until(t - dt), until(t)
    passed = np.where(ends > 0, ends * (period - settle), after)
    length = np.where(dt > 0, dt, np.inf)
    return Counted((passed - before) / length, np.maximum(after - passed, 0.0) / length, ends)


def grown(t, dt, begun, ramp):
    """Part of what a shape still lacks by which it grows in the step of length ``dt`` that ends at
    ``t``; numbers or arrays, s."""
    left = begun + ramp - (t - dt)
    return np.where(left > 0, np.minimum(dt / np.where(left > 0, left, 1.0), 1.0), 1.0)


def given(x: float | None) -> float:
    """A number that may be missing, as a cell keeps it."""
    return -1.0 if x is None else float(x)


@dataclass(frozen=True)
class Wear(WearPeriods):
    """Wear of the surfaces of a clearance joint, on each in its own angles.

    See ``WearPeriods``. With a period far below a turn and no ``settle`` wear is continuous,
    ``repeat`` times as fast as in reality. Without ``period`` wear is measured but the surfaces
    stay as they are.

    Args:
        law, period, settle, renewal: see ``WearPeriods``.
        repeat: how many times what was collected is applied; or ``None`` with ``growth``.
        liner: thickness of the bearing's liner, m: a deeper wear stops the run.
        growth: m by which the first period shall widen the clearance where it is largest;
            ``repeat`` follows from it and holds for later periods.
        share: part of the worn volume that the bearing loses; the journal loses the rest.
        pressure: ``"patch"``: even over Hertz's half width a = sqrt(4 F R / (pi L E*)) about the
            centre of the contact; ``"foundation"``: in proportion to the local overlap.
        gap: ``"foundation"`` or ``"radial"``; see docs/wear.md.
        bins: grid on each circle.
        smoothing: standard deviation, rad, of the Gaussian that collected depths are smoothed by.

    Raises:
        InputError: numbers that cannot be.
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
                "Wear: pressure='foundation' needs gap='foundation': the line of centres has "
                "no local overlap."
            )
        if checks.count("Wear.bins", self.bins) < 32:
            raise InputError(f"Wear.bins must be at least 32, got {self.bins}.")
        checks.within("Wear.smoothing", self.smoothing, 0.0, 0.5)

    @property
    def options(self) -> dict[str, Any]:
        """What is part of the kind of a joint's cells."""
        return {"bins": self.bins, "pressure": self.pressure, "gap_model": self.gap}

    def numbers(self) -> dict[str, float]:
        own = {"growth": given(self.growth), "share": self.share, "smoothing": self.smoothing}
        return {**super().numbers(), **own}


def half_width(force, radius_i: float, radius_j: float, scale: float):
    """Hertz's half width of the contact of a journal in a bearing, m; ``scale``: length x E*."""
    radius = radius_i * radius_j / (radius_i - radius_j)
    return np.sqrt(4 * np.maximum(force, 0.0) * radius / (np.pi * scale))
