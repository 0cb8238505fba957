"""Surfaces by splines: cams and worn bores in polar coordinates, profiles of revolution.

A profile is a cubic spline on a uniform grid of n pieces. Its coefficients are numbers of a cell,
and a form finds a point's piece by a sum of indicators: with u the place in pieces,

    S(u) = sum_m C_m(u) W_m(u - floor u),    C_m(u) = sum_j [u in piece j] c_(j+m),  m = -1 .. 2

W_m being the weights of cubic B-splines. The classes that are compiled differ by n alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np
import ufl
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ..laws.normal import indicator
from ..wear import profile
from .shapes import FREE, FrameSurface

logger = logging.getLogger(__name__)
#: most pieces of a profile: forms grow with them
MOST = 64


def spline(u, coefficients, count: int):
    """A spline's value at the place u in pieces, 0 to ``count``; straight on beyond where the
    coefficients are.

    Args:
        coefficients: ``count + 3`` of them, c_-1 .. c_(count + 1).
    """
    inside = [ufl.ge(u, j) for j in range(1, count)]
    # piece j is where u >= j and not u >= j + 1
    steps = [indicator(condition) for condition in inside]
    start = sum(steps, ufl.as_ufl(0.0))
    four = []
    for m in range(4):
        value = coefficients[m] + 0 * u
        for j, step in enumerate(steps):
            value += step * (coefficients[j + 1 + m] - coefficients[j + m])
        four.append(value)
    z = u - start
    return sum(c * w for c, w in zip(four, profile.weights(z)[0], strict=True))


class SplineForm(FrameSurface):
    """Base of the compiled classes, which differ by ``place``."""

    count: ClassVar[int] = 0
    periodic: ClassVar[bool] = False

    @classmethod
    def place(cls, s, p) -> Any:
        """Place in pieces."""
        raise TypeError(f"{cls.__name__} defines no place()")

    @classmethod
    def gap(cls, s, p):
        numbers = [getattr(p, f"c{k}") for k in range(cls.count + 3 * (not cls.periodic))]
        if cls.periodic:
            numbers = [numbers[k % cls.count] for k in range(-1, cls.count + 2)]
        radius = spline(cls.place(s, p), numbers, cls.count)
        return p.side * ((s[0] ** 2 + s[1] ** 2) ** 0.5 - radius)


class PolarForm(SplineForm):
    """r(angle), the angle from -pi in pieces."""

    periodic: ClassVar[bool] = True

    @classmethod
    def place(cls, s, p):
        return (ufl.atan2(s[1], s[0]) + np.pi) * (cls.count / (2 * np.pi))


class RevolvedForm(SplineForm):
    """r(z), z from the start in pieces."""

    @classmethod
    def place(cls, s, p):
        return (s[2] - p.start) / p.step


@cache
def _compiled(base: type[SplineForm], count: int) -> type[SplineForm]:
    """The class of a number of pieces."""
    free = base.periodic
    names = tuple(f"c{k}" for k in range(count + 3 * (not free)))
    own = {
        "count": count, "parameters": ("side", *(() if free else ("start", "step")), *names),
        "__doc__": base.__doc__, "__module__": base.__module__,
    }  # fmt: skip
    return type(f"{base.__name__}{count}", (base,), own)


def _radial_gap(places: np.ndarray, radius: np.ndarray, side) -> np.ndarray:
    return FREE[side] * (np.hypot(places[..., 0], places[..., 1]) - radius)


@dataclass(frozen=True)
class Splined(FrameSurface):
    """Base of the surfaces that are given by a spline of their radius."""

    #: its coefficients, m
    _spline: np.ndarray = field(init=False, repr=False, compare=False)

    def sizes(self):
        return {"radius": float(np.mean(self._spline))}


@dataclass(frozen=True)
class ProfileSurface(Splined):
    """A cylinder of any profile r(angle) about the axis: a cam, an oval or worn bore or journal.

    A worn bore has ``radii=radius + depths``, with depths at uniform angles as a joint with wear
    records them.

    Args:
        frame, axis, first: see ``FrameSurface``; angles begin at the first axis.
        radii: at uniform angles from 0 on, m, (n,); or a function of angles (n,) in rad that
            returns these.
        pieces: of the spline, from 8 to 64; values are those of the spline through all that is
            given, where more is given.
        side: where it is free, ``"outside"`` (1) or ``"inside"`` (-1).

    Raises:
        InputError: radii that are not positive, too few or too many pieces, an unknown side.

    See docs/deformable_contact.md. Example::

        fc.ProfileSurface(body, radii=lambda a: 0.02 + 0.005 * np.cos(a))
    """

    radii: Any = field(kw_only=True)
    pieces: int = field(default=36, kw_only=True)
    side: Any = field(default="outside", kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        checks.choice("ProfileSurface: side", self.side, FREE)
        _pieces("ProfileSurface", self.pieces)
        if self.pieces % 2:
            raise InputError("ProfileSurface: pieces must be an even number.")
        if callable(self.radii):
            radii = _sampled("ProfileSurface: radii", self.radii, profile.angles(self.pieces))
        else:
            given = _checked("ProfileSurface: radii", self.radii)
            radii = _values(profile.coefficients(given), profile.angles(self.pieces))
        object.__setattr__(self, "_spline", profile.coefficients(radii))
        if not callable(self.radii):
            off = np.abs(_values(self._spline, profile.angles(len(given))) - given).max()
            if off > 1e-3 * np.ptp(given):
                logger.warning(
                    "ProfileSurface: %d pieces deviate from the given radii by up to %.3g m; give "
                    "more pieces (at most %d).", self.pieces, off, MOST,
                )  # fmt: skip

    @property
    def form(self):
        return _compiled(PolarForm, self.pieces)

    def values(self):
        own = np.roll(self._spline, self.pieces // 2)
        return {"side": FREE[self.side]} | {f"c{k}": float(x) for k, x in enumerate(own)}

    def gap_at(self, places):
        angle = np.arctan2(places[..., 1], places[..., 0])
        radius = _values(self._spline, angle.ravel()).reshape(angle.shape)
        return _radial_gap(places, radius, self.side)


@dataclass(frozen=True)
class RevolvedSurface(Splined):
    """A surface of revolution r(z) about the axis: a crowned roller, a barrel, a cone.

    Args:
        frame, axis, first: see ``FrameSurface``.
        radii: at uniform places from ``start`` to ``end`` along the axis, m, (n,); or a function of
            places (n,) in m that returns these. Between them it is a natural cubic spline, beyond
            the ends it goes on straight.
        start, end: along the axis from the frame's point, m.
        pieces: of the spline of a function, from 8 to 64.
        side: where it is free, ``"outside"`` (1) or ``"inside"`` (-1).

    Raises:
        InputError: radii that are not positive, too few or too many pieces, an unknown side.

    See docs/deformable_contact.md. Example::

        fc.RevolvedSurface(body, radii=lambda s: 0.01 - s**2, start=-0.02, end=0.02)
    """

    radii: Any = field(kw_only=True)
    start: float = field(kw_only=True)
    end: float = field(kw_only=True)
    pieces: int = field(default=24, kw_only=True)
    side: Any = field(default="outside", kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        who = "RevolvedSurface"
        checks.choice(f"{who}: side", self.side, FREE)
        if not checks.number(f"{who}: end", self.end) > checks.number(f"{who}: start", self.start):
            raise InputError(f"{who}: end must be greater than start.")
        if callable(self.radii):
            _pieces(who, self.pieces)
            places = np.linspace(self.start, self.end, self.pieces + 1)
            radii = _sampled(f"{who}: radii", self.radii, places)
        else:
            radii = _checked(f"{who}: radii", self.radii)
            _pieces(who, len(radii) - 1)
        object.__setattr__(self, "_spline", natural(radii))

    @property
    def form(self):
        return _compiled(RevolvedForm, len(self._spline) - 3)

    def values(self):
        own = self._spline
        step = (self.end - self.start) / (len(own) - 5)
        coefficients = {f"c{k}": float(x) for k, x in enumerate(own)}
        start = float(self.start) - step  # a straight piece before and one after
        return {"side": FREE[self.side], "start": start, "step": step} | coefficients

    def gap_at(self, places):
        own, v = self._spline, self.values()
        u = (places[..., 2] - v["start"]) / v["step"]
        piece = np.clip(np.floor(u).astype(int), 0, len(own) - 4)
        four = np.stack([own[piece + k] for k in range(4)])
        radius = np.sum(four * np.stack(profile.weights(u - piece)[0]), axis=0)
        return _radial_gap(places, radius, self.side)


def natural(values: np.ndarray) -> np.ndarray:
    """B-spline coefficients of the natural cubic spline through values on a uniform grid, with one
    straight piece more at either end: n + 4 of n values, c_-2 .. c_(n + 1)."""
    n = len(values)
    matrix = np.zeros((n + 2, n + 2))
    for k in range(n):
        matrix[k + 1, k : k + 3] = 1 / 6, 4 / 6, 1 / 6
    matrix[0, :3] = matrix[-1, -3:] = 1, -2, 1  # no curvature at the ends
    inner = np.linalg.solve(matrix, np.r_[0.0, values, 0.0])
    return np.r_[2 * inner[0] - inner[1], inner, 2 * inner[-1] - inner[-2]]


def _values(own: np.ndarray, angles: np.ndarray) -> np.ndarray:
    return np.array([profile.at(own, a)[0] for a in angles])


def _pieces(who: str, count) -> None:
    if not 8 <= checks.count(f"{who}: pieces", count) <= MOST:
        raise InputError(f"{who}: a profile must have 8 to {MOST} pieces, got {count}.")


def _checked(name: str, radii: ArrayLike) -> np.ndarray:
    result = checks.array(radii)
    if result.ndim != 1 or len(result) < 8 or not np.all(np.isfinite(result)):
        raise InputError(f"{name} must be at least 8 finite numbers, got {checks.shown(radii)}.")
    if result.min() <= 0:
        raise InputError(f"{name} must be positive, but the smallest is {result.min():g} m.")
    return result


def _sampled(name: str, function: Callable[[np.ndarray], ArrayLike], at: np.ndarray) -> np.ndarray:
    return _checked(name, np.asarray(function(at), float) + 0 * at)
