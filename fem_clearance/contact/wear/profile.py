"""Depths round a circle: periodic cubic splines on a uniform grid, as plain arrays.

Bin k of n is centred at the angle 2 pi k / n. Splines are given by their coefficients; all
functions work along the last axis.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor

import numpy as np


@lru_cache(maxsize=8)
def angles(bins: int) -> np.ndarray:
    """Angles of the bins, rad."""
    return 2 * np.pi / bins * np.arange(bins)


@lru_cache(maxsize=8)
def _symbol(bins: int) -> np.ndarray:
    """Eigenvalues of the matrix (1, 4, 1) / 6 from coefficients to values at the bins."""
    return (4 + 2 * np.cos(angles(bins)[: bins // 2 + 1])) / 6


def coefficients(values: np.ndarray, width: float = 0.0) -> np.ndarray:
    """Spline through ``values``, smoothed by a Gaussian of standard deviation ``width`` (rad).

    The smoothing is a length on the surface: it does not depend on the number of bins.
    """
    bins = values.shape[-1]
    spectrum = np.fft.rfft(values) / _symbol(bins)
    if width:
        spectrum *= np.exp(-((width * np.arange(spectrum.shape[-1])) ** 2) / 2)
    return np.fft.irfft(spectrum, bins)


def values(spline: np.ndarray) -> np.ndarray:
    """Values at the bins."""
    return (np.roll(spline, 1, -1) + 4 * spline + np.roll(spline, -1, -1)) / 6


def weights(z) -> tuple[tuple[float, ...], ...]:
    """Of four neighbouring coefficients in value, slope and curvature (per bin), at the part z (a
    number, or UFL's) of the way through a bin."""
    w, y = 1 - z, z * z
    return (
        (w**3 / 6, 2 / 3 - y + z * y / 2, 2 / 3 - w**2 + w**3 / 2, z * y / 6),
        (-w * w / 2, 1.5 * y - 2 * z, 2 * w - 1.5 * w * w, y / 2),
        (w, 3 * z - 2, 3 * w - 2, z),
    )


def at(spline: np.ndarray, angle: float) -> tuple[float, float, float]:
    """Value, slope (a rad) and curvature of a spline at one angle."""
    bins = len(spline)
    u = angle * bins / (2 * np.pi)
    first = floor(u)
    part = [float(spline[(first + k) % bins]) for k in (-1, 0, 1, 2)]
    scale = bins / (2 * np.pi)
    value, slope, curvature = (
        sum(c * w for c, w in zip(part, each, strict=True)) for each in weights(u - first)
    )
    return value, slope * scale, curvature * scale**2


def run(ring: np.ndarray, first: int, count: int) -> np.ndarray:
    """Entries ``first, ..., first + count - 1`` of a ring, for at most a whole turn."""
    bins = len(ring)
    start = first % bins
    stop = start + count
    return ring[start:stop] if stop <= bins else np.concatenate([ring[start:], ring[: stop - bins]])


def turned(spline: np.ndarray, turn: float, first: int, count: int) -> np.ndarray:
    """Value, slope and curvature at bins ``first, ..., first + count - 1`` of a circle that has
    turned by ``turn`` (rad): of the spline at their angles minus ``turn``; shape (3, count)."""
    bins = len(spline)
    u = first - turn * bins / (2 * np.pi)
    start = floor(u)
    part = run(spline, start - 1, count + 3)
    neighbours = np.stack([part[k : k + count] for k in range(4)])
    result = np.array(weights(u - start)) @ neighbours
    scale = bins / (2 * np.pi)
    result[1] *= scale
    result[2] *= scale**2
    return result


def spread(target: np.ndarray, centre: float, half: float, amount: float) -> None:
    """Add ``amount`` between the angles ``centre - half`` and ``centre + half`` (bin averages)."""
    bins = len(target)
    low, high = ((centre + side * half) * bins / (2 * np.pi) + 0.5 for side in (-1, 1))
    first, last = floor(low), floor(high)
    start, stop = first % bins, last % bins
    if start <= stop and last - first < bins:
        target[start : stop + 1] += amount
    else:
        target[np.arange(first, last + 1) % bins] += amount
    target[start] -= amount * (low - first)
    target[stop] -= amount * (last + 1 - high)
