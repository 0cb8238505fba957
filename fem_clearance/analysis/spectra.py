"""Spectra of time series, also unevenly spaced ones: lines with amplitudes in the channel's unit.

    found = spectrum(results.time, results["slider.y"], rates=results["slider.vy"], unit="m")
    found.peaks(3)                       # frequency in Hz and amplitude of the largest lines

Rows are first resampled at even spacing (``signals.resample``); FFT, windows and Welch's method are
those of SciPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from .signals import resample


class Line(NamedTuple):
    """A line of a spectrum: ``amplitude cos(2 pi frequency t + phase)``."""

    frequency: float  # Hz
    amplitude: float  # unit of the series
    phase: float = 0.0  # rad


class DampedTone(NamedTuple):
    """A decaying oscillation ``amplitude exp(-decay t) cos(2 pi frequency t + phase)``."""

    frequency: float  # Hz
    decay: float  # 1/s
    amplitude: float  # unit of the series, at its first row
    phase: float  # rad, at its first row


@dataclass(frozen=True)
class Spectrum:
    """Single-sided amplitude spectrum: a steady sine appears with its amplitude.

    Attributes:
        frequency: Hz, evenly spaced.
        amplitude: in ``unit``, corrected for the window's mean.
        unit: of the series.
        resolution: 1 / duration, Hz; lines closer than about twice this (four times with a Hann
            window) merge.
        window: its name.
    """

    frequency: np.ndarray
    amplitude: np.ndarray
    unit: str
    resolution: float
    window: str

    def peaks(self, count: int = 5, band=None) -> list[Line]:
        """The largest lines, in descending order; frequency and amplitude between the bins are
        those of the parabola through the logarithms of a peak's three values.

        Args:
            count: most lines.
            band: lowest and highest frequency considered, Hz.
        """
        from scipy.signal import find_peaks

        checks.count("count", count)
        low, high = (0.0, np.inf) if band is None else band
        at, _ = find_peaks(self.amplitude)
        at = at[(self.frequency[at] >= low) & (self.frequency[at] <= high)]
        at = at[np.argsort(self.amplitude[at])[::-1][:count]]
        return [self._line(k) for k in at]

    def _line(self, k: int) -> Line:
        a, b, c = np.log(self.amplitude[k - 1 : k + 2] + 1e-300)
        shift = 0.5 * (a - c) / (a - 2 * b + c)
        spacing = self.frequency[1] - self.frequency[0]
        height = np.exp(b - 0.25 * (a - c) * shift)
        return Line(float(self.frequency[k] + shift * spacing), float(height))


def spectrum(
    time: ArrayLike,
    values: ArrayLike,
    *,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
    spacing: float | None = None,
    window: str = "hann",
    detrend: str = "constant",
    pad: int = 4,
    unit: str = "",
) -> Spectrum:
    """Amplitude spectrum of a series.

    Args:
        time, values, rates, span, spacing: see ``signals.resample``. Frequencies above
            1 / (2 spacing) are aliased: choose ``spacing`` below half the shortest period.
        window: of ``scipy.signal.get_window``; ``"boxcar"`` for none.
        detrend: subtract the mean (``"constant"``), a straight line (``"linear"``) or nothing
            (``"none"``).
        pad: bins per resolution: the series is padded with zeros to ``pad`` times its length.
        unit: of the values, for labels.

    Raises:
        InputError: fewer than 8 values, an unknown window.

    Example::

        t = np.linspace(0, 10, 5001)
        analysis.spectrum(t, 2.0 * np.sin(2 * np.pi * 5 * t)).peaks(1)[0].amplitude  # 2.0
    """
    import scipy.fft
    import scipy.signal

    checks.choice("detrend", detrend, ("constant", "linear", "none"))
    checks.count("pad", pad)
    t, y = resample(time, values, spacing, rates, span)
    if len(t) < 8:
        raise InputError(f"a spectrum needs at least 8 values, got {len(t)}; reduce spacing.")
    step = t[1] - t[0]
    if detrend != "none":
        y = scipy.signal.detrend(y, type=detrend)
    try:
        weights = scipy.signal.get_window(window, len(y))
    except ValueError as error:
        raise InputError(f"window {window!r}: {error}") from None
    length = scipy.fft.next_fast_len(pad * len(y), real=True)
    lines = np.abs(scipy.fft.rfft(y * weights, length)) / weights.sum()
    lines[1:] *= 2  # the other half lies at negative frequencies
    return Spectrum(scipy.fft.rfftfreq(length, step), lines, unit, 1 / (len(y) * step), str(window))


def channel_spectrum(
    results,
    name: str,
    rate: str | None = None,
    *,
    span: ArrayLike | None = None,
    spacing: float | None = None,
    window: str = "hann",
    detrend: str = "constant",
    pad: int = 4,
) -> Spectrum:
    """Spectrum of a channel of a run.

    Args:
        results: ``Results``.
        name: channel.
        rate: channel that holds its time derivative (``"slider.vy"`` for ``"slider.y"``).
        span, spacing, window, detrend, pad: see ``spectrum``.
    """
    rates = None if rate is None else results[rate]
    return spectrum(
        results.time, results[name], rates=rates, span=span, spacing=spacing, window=window,
        detrend=detrend, pad=pad, unit=results.unit(name),
    )  # fmt: skip


def power_density(
    time: ArrayLike,
    values: ArrayLike,
    *,
    segment: float,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
    spacing: float | None = None,
):
    """Power spectral density by Welch's method, for motion without steady lines.

    Args:
        time, values, rates, span, spacing: see ``signals.resample``.
        segment: length of the averaged segments, s; 1 / segment is the resolution.

    Returns:
        Frequencies in Hz, densities in unit^2/Hz.

    Raises:
        InputError: a segment of fewer than 8 values or of more than there are.

    Example::

        t = np.arange(0, 100, 0.01)
        noise = np.random.default_rng(1).normal(size=len(t))
        frequency, density = analysis.power_density(t, noise, segment=10.0)
    """
    import scipy.signal

    t, y = resample(time, values, spacing, rates, span)
    step = t[1] - t[0]
    points = int(checks.positive("segment", segment) / step)
    if not 8 <= points <= len(y):
        raise InputError(
            f"a segment of {segment:g} s holds {points} of the {len(y)} values; it needs at least "
            "8 and at most all."
        )
    return scipy.signal.welch(y, 1 / step, nperseg=points)


def tones(
    time: ArrayLike,
    values: ArrayLike,
    frequencies: Iterable[float],
    *,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
    spacing: float | None = None,
):
    """Mean and lines of given frequencies that fit a series best (least squares).

    This is more accurate than a spectrum if the frequencies are known: there is no leakage, and the
    series need not contain whole periods.

    Args:
        time, values, rates, span, spacing: see ``signals.resample``.
        frequencies: Hz.

    Returns:
        The mean, a ``Line`` for each frequency (phase at time 0), and the root mean square of the
        residual.

    Raises:
        InputError: no list of positive numbers; frequencies too close to each other for the length
            of the series.
    """
    t, y = resample(time, values, spacing, rates, span)
    if not np.iterable(frequencies):
        raise InputError(f"frequencies must be a list of numbers, got {checks.shown(frequencies)}.")
    frequencies = [checks.positive("frequency", f) for f in frequencies]
    angles = 2 * np.pi * np.outer(t, frequencies)
    columns = np.column_stack([np.ones_like(t), np.cos(angles), np.sin(angles)])
    fit, _, rank, _ = np.linalg.lstsq(columns, y, rcond=None)
    if rank < columns.shape[1]:
        raise InputError("these frequencies cannot be told apart in the series; take a longer one.")
    n = len(frequencies)
    cosines, sines = fit[1 : n + 1], fit[n + 1 :]
    lines = [
        Line(f, float(np.hypot(a, b)), float(np.arctan2(-b, a)))
        for f, a, b in zip(frequencies, cosines, sines, strict=True)
    ]
    return float(fit[0]), lines, float(np.sqrt(np.mean((y - columns @ fit) ** 2)))


def fundamental(
    time: ArrayLike,
    values: ArrayLike,
    guess: float,
    harmonics: int = 2,
    *,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
    spacing: float | None = None,
) -> Line:
    """The frequency that, with its harmonics, fits a steady series best. It is exact for a periodic
    series, while a spectrum of few periods has an error of the order of its resolution.

    Args:
        time, values, rates, span, spacing: see ``signals.resample``.
        guess: Hz, accurate to about 1 / duration, such as the highest peak of a spectrum.
        harmonics: number of multiples of the frequency in the fit, including itself.

    Returns:
        The line of the fundamental.
    """
    from scipy.optimize import minimize_scalar

    t, y = resample(time, values, spacing, rates, span)
    guess, n = checks.positive("guess", guess), checks.count("harmonics", harmonics)
    multiples = np.arange(1, n + 1)
    resolution = 1 / (t[-1] - t[0])

    def misfit(f):
        return tones(t, y, f * multiples, spacing=t[1] - t[0])[2]

    # at most a third of the guess: half the frequency would fit equally well with its harmonics
    reach = min(resolution, guess / 3)
    near = np.linspace(guess - reach, guess + reach, 21)
    k = int(np.argmin([misfit(f) for f in near]))
    bounds = near[max(k - 1, 0)], near[min(k + 1, 20)]
    found = minimize_scalar(
        misfit, bounds=bounds, method="bounded", options={"xatol": 1e-9 * guess}
    )
    return tones(t, y, found.x * multiples, spacing=t[1] - t[0])[1][0]


def damped_tones(
    time: ArrayLike,
    values: ArrayLike,
    count: int,
    *,
    rates: ArrayLike | None = None,
    span: ArrayLike | None = None,
    spacing: float | None = None,
) -> list[DampedTone]:
    """Decaying oscillations that compose a series, by the matrix pencil (Hua and Sarkar 1990).

    An FFT shows a decaying oscillation as a broad hump whose highest bin depends on its phase; this
    method gives frequency and decay directly. Use 100 to 1000 values over a few periods.

    Args:
        time, values, rates, span, spacing: see ``signals.resample``.
        count: number of real oscillations (each a pair of exponents). A constant or pure decay is
            an oscillation of frequency 0.

    Returns:
        The oscillations, in descending order of amplitude.

    Raises:
        InputError: fewer than 8 values for each oscillation.

    Example::

        t = np.linspace(0, 4, 401)
        tone, = analysis.damped_tones(t, np.exp(-0.5 * t) * np.cos(2 * np.pi * 3 * t), count=1)
        tone.frequency  # 3.0 Hz
    """
    import scipy.linalg

    checks.count("count", count)
    t, y = resample(time, values, spacing, rates, span)
    order, n = 2 * count, len(y)
    if n < 4 * order:
        raise InputError(f"{count} tones need at least {4 * order} values, got {n}.")
    hankel = scipy.linalg.hankel(y[: n - n // 3], y[n - n // 3 - 1 :])
    _, _, vh = scipy.linalg.svd(hankel, full_matrices=False)
    basis = vh[:order].T
    poles = scipy.linalg.eigvals(np.linalg.lstsq(basis[:-1], basis[1:], rcond=None)[0])
    powers = poles[None, :] ** np.arange(n)[:, None]
    weights = np.linalg.lstsq(powers, y.astype(complex), rcond=None)[0]
    exponents = np.log(poles.astype(complex)) / (t[1] - t[0])
    found = [
        DampedTone(
            float(s.imag / (2 * np.pi)), float(-s.real), float(abs(w) * (2 if z.imag else 1)),
            float(np.angle(w)),
        )
        for z, s, w in zip(poles, exponents, weights, strict=True)
        if s.imag >= 0
    ]  # fmt: skip
    return sorted(found, key=lambda d: -d.amplitude)
