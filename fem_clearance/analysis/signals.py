"""Time series of a run: resampling, extremes and crossings.

Rows of an adaptive run are unevenly spaced. All functions take times and values as arrays and, if
they are known, the rates of the values: interpolation is then cubic Hermite, otherwise by a cubic
spline through the rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError


class Extremes(NamedTuple):
    """Lowest and highest value of a time series, also between its rows."""

    low: float
    low_time: float  # s
    high: float
    high_time: float  # s


def series(time, values, what: str = "values") -> tuple[np.ndarray, np.ndarray]:
    """Times and values as checked arrays; of rows with the same time the last is kept.

    Raises:
        InputError: different lengths, fewer than four rows, decreasing times, values that are not
            finite.
    """
    time, values = checks.array(time), checks.array(values)
    if time.ndim != 1 or values.shape[:1] != time.shape:
        raise InputError(f"time and {what} must be arrays of the same length.")
    if not (np.all(np.isfinite(time)) and np.all(np.isfinite(values))):
        raise InputError(f"time and {what} must be finite numbers.")
    if np.any(np.diff(time) < 0):
        raise InputError("time must not go back.")
    keep = np.append(np.diff(time) > 0, True)
    if keep.sum() < 4:
        raise InputError(f"{what}: at least four rows are needed, got {int(keep.sum())}.")
    return time[keep], values[keep]


def interpolant(time, values, rates=None):
    """Piecewise cubic through the rows (a ``PPoly`` of SciPy); values (rows,), or (rows, n) of n
    quantities."""
    from scipy.interpolate import CubicHermiteSpline, CubicSpline

    clean, rows = series(time, values)
    if rates is None:
        return CubicSpline(clean, rows)
    return CubicHermiteSpline(clean, rows, series(time, rates, "rates")[1])


def resample(
    time: ArrayLike,
    values: ArrayLike,
    spacing: float | None = None,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Values at evenly spaced times.

    Args:
        time: s, increasing.
        values: at these times, (rows,) or (rows, n).
        spacing: s; default: the median step of the rows within ``span``.
        rates: time derivatives of the values, if known.
        span: first and last time, s; default: all.

    Returns:
        Evenly spaced times, and the values there. The last time is less than one spacing before the
        end of the span.

    Raises:
        InputError: as of ``series``; a span beyond the rows, or with fewer than two of them and no
            ``spacing``.

    Example::

        t = np.array([0.0, 0.3, 0.4, 1.0])
        even, values = analysis.resample(t, t**3, spacing=0.1)
        values[5]  # 0.125
    """
    time, values = checks.array(time), checks.array(values)
    curve = interpolant(time, values, rates)
    first, last = ends_of(time, span)
    if spacing is None:
        inside = curve.x[(curve.x >= first) & (curve.x <= last)]
        if len(inside) < 2:
            raise InputError("the span holds fewer than two rows; give spacing= in s.")
        spacing = float(np.median(np.diff(inside)))
    spacing = checks.positive("spacing", spacing)
    even = first + spacing * np.arange(int((last - first) / spacing * (1 + 1e-12)) + 1)
    return even, curve(np.minimum(even, last))


def ends_of(time: np.ndarray, span) -> tuple[float, float]:
    """First and last time of a span in s, those of all rows for ``None``.

    Raises:
        InputError: it does not lie within the rows.
    """
    if span is None:
        return float(time[0]), float(time[-1])
    first, last = map(float, checks.vector("span", span, 2))
    if not time[0] - 1e-12 <= first < last <= time[-1] * (1 + 1e-12) + 1e-300:
        raise InputError(
            f"the span {first:g} ... {last:g} s does not lie within the rows, {time[0]:g} ... "
            f"{time[-1]:g} s."
        )
    return max(first, float(time[0])), min(last, float(time[-1]))


def extremes(time: ArrayLike, values: ArrayLike, rates: ArrayLike | None = None) -> Extremes:
    """Lowest and highest value, also between the rows.

    With ``rates`` they are those of the cubic Hermite interpolant in the two intervals next to the
    extreme row, without them those of the parabola through that row and its neighbours. If there is
    no such extreme, the row itself counts.
    """
    t, y = series(time, values)
    dy = None if rates is None else series(time, rates, "rates")[1]
    low, high = (_extreme(t, sign * y, None if dy is None else sign * dy) for sign in (1, -1))
    return Extremes(low[0], low[1], -high[0], high[1])


def _extreme(t, y, dy) -> tuple[float, float]:
    """Minimum and its time."""
    from scipy.interpolate import CubicHermiteSpline

    k = int(np.argmin(y))
    rows = slice(max(k - 1, 0), k + 2)
    best = float(y[k]), float(t[k])
    if dy is not None:
        curve = CubicHermiteSpline(t[rows], y[rows], dy[rows])
        at = [x for x in curve.derivative().roots(extrapolate=False) if np.isfinite(x)]
        return min([best, *((float(curve(x)), float(x)) for x in at)])
    if 0 < k < len(t) - 1:
        a, b, _ = np.polyfit(t[rows] - t[k], y[rows], 2)
        if a > 0:
            x = -b / (2 * a)
            if t[k - 1] < t[k] + x < t[k + 1]:
                return float(y[k] - b * b / (4 * a)), float(t[k] + x)
    return best


def crossings(
    time: ArrayLike,
    values: ArrayLike,
    level: float = 0.0,
    rates: ArrayLike | None = None,
    direction: str = "up",
) -> np.ndarray:
    """Times at which a series crosses a level, s.

    Args:
        time, values, rates: times in s, and values and (if known) their rates at these times.
        level: in the unit of the values.
        direction: ``"up"``, ``"down"`` or ``"both"``.

    Raises:
        InputError: as of ``series``; an unknown direction.

    Example::

        t = np.linspace(0, 1, 1001)
        analysis.crossings(t, np.cos(4 * np.pi * t), direction="down")[1]  # 0.625 s
    """
    checks.choice("direction", direction, ("up", "down", "both"))
    level = checks.number("level", level)
    curve = interpolant(time, checks.array(values) - level, rates)
    slope = curve.derivative()
    roots = curve.roots(extrapolate=False)
    roots = np.unique(roots[np.isfinite(roots)])
    slopes = slope(roots)
    keep = {"up": slopes > 0, "down": slopes < 0, "both": slopes != 0}[direction]
    return roots[keep]
