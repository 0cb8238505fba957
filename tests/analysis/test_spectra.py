"""Spectra of series that are known in closed form, on uneven rows."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.analysis import (
    channel_spectrum,
    damped_tones,
    fundamental,
    power_density,
    spectrum,
    tones,
)
from fem_clearance.core.observation import Channel

rng = np.random.default_rng(1)
T = np.sort(np.concatenate([[0.0, 20.0], rng.uniform(0, 20, 6000)]))


def two_lines(t):
    return 5.0 + 0.8 * np.cos(2 * np.pi * 3.0 * t + 0.4) + 0.05 * np.sin(2 * np.pi * 17.3 * t)


@pytest.mark.parametrize("window", ["hann", "boxcar", "flattop"])
def test_lines_have_the_amplitude_of_their_sines(window):
    found = spectrum(T, two_lines(T), spacing=5e-3, window=window, unit="m")
    strong, weak = found.peaks(1, (2, 4))[0], found.peaks(1, (16, 19))[0]
    # a flat top says little about the frequency
    assert (strong.frequency, strong.amplitude) == pytest.approx((3.0, 0.8), rel=4e-3)
    assert (weak.frequency, weak.amplitude) == pytest.approx((17.3, 0.05), rel=2e-2)
    assert found.unit == "m" and found.resolution == pytest.approx(1 / 20, rel=1e-3)


def test_mean_stays_if_asked_for():
    assert spectrum(T, two_lines(T), detrend="none").amplitude[0] == pytest.approx(5, rel=1e-3)


def test_known_frequencies_are_fitted_to_round_off():
    """Two tenths of a period more than whole ones: an FFT leaks, a fit does not."""
    t = np.linspace(0, 3.2, 3000)
    mean, lines, rest = tones(t, two_lines(t), [3.0, 17.3])
    assert (mean, rest) == pytest.approx((5.0, 0.0), abs=1e-10)
    assert lines[0] == pytest.approx((3.0, 0.8, 0.4), abs=1e-10)
    assert lines[1] == pytest.approx((17.3, 0.05, -np.pi / 2), abs=1e-9)


def test_fundamental_of_a_series_of_few_periods():
    t = np.linspace(0, 3, 2000)
    y = np.cos(2 * np.pi * 0.61 * t) + 0.1 * np.cos(6 * np.pi * 0.61 * t + 1)
    line = fundamental(t, y, 0.55, 3)
    assert (line.frequency, line.amplitude) == pytest.approx((0.61, 1.0), rel=1e-7)


def test_damped_oscillation():
    """Frequency and decay of a signal whose FFT is a hump 50 Hz wide."""
    t = np.linspace(0, 0.03, 400)
    y = 2.0 * np.exp(-158 * t) * np.cos(2 * np.pi * 252 * t + 0.3) + 0.1 * np.exp(-60 * t)
    strong, slow = damped_tones(t, y, 2)[:2]
    assert strong == pytest.approx((252, 158, 2.0, 0.3), rel=1e-6)
    assert slow.frequency == pytest.approx(0, abs=1e-6) and slow.decay == pytest.approx(60)


def test_a_tone_at_half_the_sampling_rate_has_its_amplitude():
    """(-0.9)^n: a real negative pole has no conjugate that would share its amplitude."""
    n = np.arange(40.0)
    tone = damped_tones(n, 3 * (-0.9) ** n, 1)[0]
    assert tone == pytest.approx((0.5, -np.log(0.9), 3.0, 0.0), rel=1e-9, abs=1e-9)


def test_power_density_of_noise():
    """White noise of variance s^2 at spacing h has the density 2 h s^2."""
    t = np.arange(200_000) * 1e-3
    f, density = power_density(t, 3.0 * rng.standard_normal(len(t)), segment=1.0, spacing=1e-3)
    assert np.mean(density[5:-5]) == pytest.approx(2e-3 * 9, rel=2e-2)
    assert f[1] == pytest.approx(1.0)


def test_spectrum_of_a_channel():
    columns = np.column_stack([T, two_lines(T)])
    results = fc.Results([Channel("body.x", "m", "")], columns)
    found = channel_spectrum(results, "body.x", spacing=5e-3)
    assert found.unit == "m" and found.peaks(1)[0].frequency == pytest.approx(3, rel=1e-3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: spectrum(T, T, window="nowindow"), "window 'nowindow'"),
        (lambda: spectrum(T, T, detrend="cubic"), "detrend must be one of"),
        (lambda: spectrum(T, T, spacing=10.0), "at least 8 values"),
        (lambda: tones(T, T, [1.0, 1.0]), "cannot be told apart"),
        (lambda: tones(T, T, [-1.0]), "frequency must be positive"),
        (lambda: power_density(T, T, segment=100.0), "a segment of 100 s"),
        (lambda: damped_tones(T[:6], T[:6], 3), "need at least"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()
