"""Centre lines of beams at rest, by arc length, and the directors along them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...model.frame import triad_about


class CenterLine:
    """A smooth curve by arc length.

    Attributes:
        length: its length, m.
        straight: whether it is a straight line.
    """

    length: float
    straight = False

    def point(self, s) -> np.ndarray:
        """Points at arc lengths ``s`` (m), (n, 3)."""
        raise TypeError("a centre line defines point()")

    def tangent(self, s) -> np.ndarray:
        """Unit tangents at arc lengths ``s``, (n, 3)."""
        raise TypeError("a centre line defines tangent()")

    def nearest(self, point: np.ndarray) -> float:
        """Arc length of the point of the curve that is nearest to ``point``."""
        grid = np.linspace(0, self.length, 1001)
        s = grid[np.argmin(np.linalg.norm(self.point(grid) - point, axis=1))]
        for _ in range(50):  # Gauss-Newton: exact for straight lines
            step = float((point - self.point([s])[0]) @ self.tangent([s])[0])
            s, last = np.clip(s + step, 0, self.length), s
            if abs(s - last) < 1e-14 * self.length:
                break
        return float(s)

    def plane(self) -> np.ndarray | None:
        """Unit normal of the plane the curve lies in; None for straight lines.

        Raises:
            ValueError: the curve lies in no plane.
        """
        points = self.point(np.linspace(0, self.length, 201))
        _, sizes, axes = np.linalg.svd(points - points.mean(axis=0))
        if sizes[1] < 1e-9 * sizes[0]:
            return None
        if sizes[2] > 1e-7 * sizes[0]:
            raise ValueError("the curve lies in no plane")
        return axes[2]


class Segment(CenterLine):
    """The straight line between two points (m)."""

    straight = True

    def __init__(self, start: ArrayLike, end):
        self.start = np.asarray(start, float)
        line = np.asarray(end, float) - self.start
        self.length = float(np.linalg.norm(line))
        self.direction = line / self.length

    def point(self, s):
        return self.start + np.outer(s, self.direction)

    def tangent(self, s):
        return np.tile(self.direction, (len(s), 1))


def straight(label: str, start, end) -> Segment:
    """The line between two points, m.

    Raises:
        InputError: no points, or the same.
    """
    origin = checks.vector(f"{label}: start", start)
    if np.linalg.norm(checks.vector(f"{label}: end", end) - origin) == 0:
        raise InputError(
            f"{label}: start and end are the same point, {checks.listed(origin)}: a beam needs a "
            "length."
        )
    return Segment(origin, end)


class Arc(CenterLine):
    """An arc of a circle.

    Args:
        center: of the circle, m.
        start: first point, m.
        axis: direction of the axis of rotation, at right angles to the radius.
        angle: angle from start to end about the axis, rad; up to a full circle, negative backwards.

    Raises:
        InputError: no radius, an axis that is not at right angles to it, more than a circle.
    """

    def __init__(self, center: ArrayLike, start: ArrayLike, axis: ArrayLike, angle: float):
        self.center = checks.vector("Arc: center", center)
        self._x = checks.vector("Arc: start", start) - self.center
        self.radius = checks.positive(
            "Arc: the distance of center and start", np.linalg.norm(self._x)
        )
        axis = checks.direction("Arc: axis", axis)
        if abs(axis @ self._x) > 1e-9 * self.radius:
            raise InputError("Arc: axis must be at right angles to the line from center to start.")
        self.angle = checks.within("Arc: angle", angle, -2 * np.pi, 2 * np.pi)
        checks.positive("Arc: the size of the angle", abs(self.angle))
        self._y = np.cross(axis, self._x) * np.sign(self.angle)
        self.length = self.radius * abs(self.angle)

    def point(self, s):
        a = np.asarray(s, float)[:, None] / self.radius
        return self.center + np.cos(a) * self._x + np.sin(a) * self._y

    def tangent(self, s):
        a = np.asarray(s, float)[:, None] / self.radius
        return (np.cos(a) * self._y - np.sin(a) * self._x) / self.radius


class Spline(CenterLine):
    """A cubic spline through points, parameterised by arc length.

    Args:
        points: (n, 3) with n of at least 2, in m; neighbours differ.
        parameters: increasing parameter of each point; default the distance along the polygon.

    Raises:
        InputError: too few points, points that coincide, parameters that do not increase, a curve
            that stands still or turns back.

    Example::

        hook = fc.Spline([(0, 0, 0), (0.1, 0.02, 0), (0.2, 0.08, 0), (0.22, 0.16, 0)])
        system.add(fc.Beam.along(hook, fc.Circle(0.005), steel, elements=8))
    """

    def __init__(self, points: ArrayLike, parameters: ArrayLike | None = None):
        from scipy.interpolate import CubicSpline  # slow to import, rarely needed

        x = checks.array(points)
        if x.ndim != 2 or x.shape[1] != 3 or len(x) < 2 or not np.all(np.isfinite(x)):
            raise InputError("Spline: points must be at least two finite points of 3 numbers.")
        steps = np.linalg.norm(np.diff(x, axis=0), axis=1)
        if np.any(steps == 0):
            raise InputError("Spline: neighbouring points must differ.")
        u = np.r_[0.0, np.cumsum(steps)] if parameters is None else checks.array(parameters)
        if u.shape != (len(x),) or not np.all(np.diff(u) > 0):
            raise InputError("Spline: parameters must be one number for each point, increasing.")
        self._curve = CubicSpline(u, x)
        self._rate = self._curve.derivative()
        gauss, weights = np.polynomial.legendre.leggauss(8)
        middle, half = (u[1:] + u[:-1]) / 2, np.diff(u) / 2
        speeds = np.linalg.norm(self._rate(middle[:, None] + half[:, None] * gauss), axis=2)
        if np.any(speeds < 1e-9 * speeds.max()):
            raise InputError("the beam's curve stops or reverses somewhere.")
        self._u, self._s = u, np.r_[0.0, np.cumsum(half * (speeds @ weights))]
        self._gauss, self._weights = gauss, weights
        self.length = float(self._s[-1])

    def _parameter(self, s) -> np.ndarray:
        """The spline's parameter at arc lengths, by Newton's method."""
        s = np.asarray(s, float)
        k = np.clip(np.searchsorted(self._s, s, side="right") - 1, 0, len(self._u) - 2)
        u = np.interp(s, self._s, self._u)
        for _ in range(20):
            half = (u - self._u[k]) / 2
            at = self._u[k][:, None] + half[:, None] * (1 + self._gauss)
            reached = self._s[k] + half * (np.linalg.norm(self._rate(at), axis=2) @ self._weights)
            step = (s - reached) / np.linalg.norm(self._rate(u), axis=1)
            u = u + step
            if np.all(np.abs(step) <= 1e-14 * self._u[-1]):
                break
        return u

    def point(self, s):
        return self._curve(self._parameter(s))

    def tangent(self, s):
        t = self._rate(self._parameter(s))
        return t / np.linalg.norm(t, axis=1)[:, None]


def sampled(function: Callable, end: float, samples: int = 2001) -> Spline:
    """The curve of a function of a parameter from 0 to ``end`` (arc length or any other), through
    ``samples`` points.

    Raises:
        InputError: the function does not return points.
    """
    u = np.linspace(0.0, checks.positive("length of the curve", end), samples)
    points = [checks.vector("the point a beam's curve returns", function(x)) for x in u]
    return Spline(points, u)


# --- directors ------------------------------------------------------------------------------------
def triads_along(label: str, line: CenterLine, arc_lengths: np.ndarray, up) -> np.ndarray:
    """Triads (tangent, d2, d3) by columns at arc lengths, (n, 3, 3).

    ``up``: direction near which d2 lies, one for all or a function of the arc length. Without it,
    d2 starts near the global y axis (z for lines along y), along the normal of a plane curve or
    across it, whichever is nearer, and is carried along the curve without twist.
    """
    tangents = line.tangent(arc_lengths)
    if callable(up):
        guesses = [checks.direction(f"{label}: up", up(float(s))) for s in arc_lengths]
        return np.array([_triad(label, t, g) for t, g in zip(tangents, guesses, strict=True)])
    if up is not None:
        guess = checks.direction(f"{label}: up", up)
        return np.array([_triad(label, t, guess) for t in tangents])
    t = tangents[0]
    first = _triad(label, t, np.eye(3)[2 if abs(t[1]) > 0.99 else 1])
    if line.straight:
        return np.tile(first, (len(arc_lengths), 1, 1))
    try:
        n = line.plane()
    except ValueError:
        n = None
    if n is not None:
        sides = [x for m in (n, np.cross(n, t)) for x in (m, -m)]
        first = _triad(label, t, max(sides, key=lambda x: x @ first[:, 1]))
    return _carried(line, arc_lengths, first)


def _triad(label: str, axis: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Axis, d2 near ``guess``, and d3, by columns."""
    if np.linalg.norm(guess - (guess @ axis) * axis) < 1e-6:
        raise InputError(
            f"{label}: up must not be parallel to the beam, got {checks.listed(guess)}."
        )
    return triad_about(axis, guess)[:, [2, 0, 1]]


def _carried(line: CenterLine, arc_lengths: np.ndarray, first: np.ndarray) -> np.ndarray:
    """A triad carried along a curve without twist, by double reflection (Wang, Juettler, Zheng and
    Liu 2008)."""
    between = 16
    spans = zip(arc_lengths, arc_lengths[1:], strict=False)
    fine = np.unique(np.concatenate([np.linspace(*ends, between + 1) for ends in spans]))
    x, t = line.point(fine), line.tangent(fine)
    d2, triads = first[:, 1], [first]
    for k in range(len(fine) - 1):
        chord = x[k + 1] - x[k]
        mirrored = [v - 2 * (chord @ v) / (chord @ chord) * chord for v in (d2, t[k])]
        second = t[k + 1] - mirrored[1]
        d2 = mirrored[0] - 2 * (second @ mirrored[0]) / (second @ second) * second
        triads.append(_triad("", t[k + 1], d2))
        d2 = triads[-1][:, 1]
    return np.array(triads)[np.searchsorted(fine, arc_lengths - 1e-12 * line.length)]


def fractions_of(label: str, elements) -> np.ndarray:
    """Ends of the elements as fractions of the length."""
    result = checks.array(elements)
    if result.ndim == 0:
        return np.linspace(0.0, 1.0, checks.count(f"{label}: elements", elements) + 1)
    if result.ndim != 1 or len(result) < 2 or not np.all(np.diff(result) > 0):
        raise InputError(
            f"{label}: elements must be a whole number, or increasing fractions from 0 to 1 such "
            "as (0, 0.1, 0.3, 1)."
        )
    if abs(result[0]) > 1e-12 or abs(result[-1] - 1) > 1e-12:
        raise InputError(
            f"{label}: the fractions in elements must go from 0 to 1, got {result[0]:g} to "
            f"{result[-1]:g}."
        )
    result[[0, -1]] = 0.0, 1.0
    return result
