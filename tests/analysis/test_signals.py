"""Interpolation, resampling, extremes and crossings of uneven series; closed forms only."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.analysis import crossings, extremes, resample

rng = np.random.default_rng(0)
T = np.sort(np.concatenate([[0.0, 10.0], rng.uniform(0, 10, 400)]))


def test_resampling_follows_a_sine_with_and_without_rates():
    even, values = resample(T, np.sin(T), 0.01)
    _, better = resample(T, np.sin(T), 0.01, np.cos(T))
    assert len(even) == 1001 and even[-1] == pytest.approx(10.0)
    assert values == pytest.approx(np.sin(even), abs=2e-4)
    assert better == pytest.approx(np.sin(even), abs=1e-5)


def test_resampling_of_a_span_and_of_columns():
    columns = np.column_stack([np.sin(T), np.cos(T)])
    even, values = resample(T, columns, 0.1, span=(2.0, 4.05))
    assert even[0] == 2.0 and even[-1] == pytest.approx(4.0)
    assert values == pytest.approx(np.column_stack([np.sin(even), np.cos(even)]), abs=2e-4)


def test_extremes_between_rows():
    """Coarse rows of a sine: the true extremes are 1 at pi/2 and -1 at 3 pi/2."""
    t = np.linspace(0, 2 * np.pi, 24)  # none of them at an extreme
    parabola = extremes(t, np.sin(t))
    cubic = extremes(t, np.sin(t), np.cos(t))
    assert parabola.high == pytest.approx(1, abs=5e-5) and np.sin(t).max() < 0.998
    assert cubic.high == pytest.approx(1, abs=1e-5)
    assert (cubic.low, cubic.low_time) == pytest.approx((-1, 1.5 * np.pi), abs=1e-3)


def test_extremes_at_the_ends_and_of_constants():
    t = np.linspace(0, 1, 11)
    assert extremes(t, 3 * t)[:3] == (0.0, 0.0, 3.0)
    assert extremes(t, np.ones(11), np.zeros(11)).high == 1.0


def test_crossings():
    up = crossings(T, np.sin(T), 0.5, np.cos(T))
    assert up == pytest.approx([np.pi / 6, 2 * np.pi + np.pi / 6], abs=1e-4)
    assert len(crossings(T, np.sin(T), 0.5, direction="both")) == 4


def test_repeated_times_count_once():
    t = np.array([0.0, 1.0, 1.0, 2.0, 3.0, 4.0])
    assert resample(t, t, 0.5)[1] == pytest.approx(np.arange(0, 4.1, 0.5))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: resample([0, 1, 2], [0, 1, 2]), "at least four rows"),
        (lambda: resample([0, 1, 2, 3], [0, 1, 2]), "same length"),
        (lambda: resample([0, 2, 1, 3], [0, 1, 2, 3]), "must not go back"),
        (lambda: resample([0, 1, 2, 3], [0, np.nan, 2, 3]), "finite"),
        (lambda: resample([0, 1, 2, 3], [0, 1, 2, 3], -1.0), "spacing must be positive"),
        (lambda: resample([0, 1, 2, 3], [0, 1, 2, 3], span=(2, 5)), "does not lie within"),
        (lambda: crossings([0, 1, 2, 3], [0, 1, 2, 3], direction="left"), "direction"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()
