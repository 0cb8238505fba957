"""Figures of the sliding pendulum: what their lines show."""

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance.cases.figures import sliding_pendulum


def run(**changes):
    """Of the paper's law, whose hysteresis is measured by the speed of the first touch."""
    case = cases.get("sliding_pendulum")
    p = case.resolve({"tolerance": 1e-9, "approach_speed": "first_touch", **changes})
    return case.simulation(p, progress=False).run(), p


def test_motion_and_multiple_scales_lie_on_each_other():
    results, pendulum = run(t_end=0.03)
    axes = sliding_pendulum.motion(results, pendulum).axes
    computed, scales, flight = axes[0].lines
    late = computed.get_xdata() >= scales.get_xdata()[0]
    assert computed.get_ydata()[late] == pytest.approx(scales.get_ydata(), abs=0.5)  # um
    assert flight.get_ydata()[[0, -1]] == pytest.approx([-499, -500], abs=1e-5)
    assert axes[2].get_ylabel() == "pendulum angle [deg]"


def test_a_run_without_contact_has_no_multiple_scales():
    results, pendulum = run(t_end=3e-4)
    axes = sliding_pendulum.motion(results, pendulum).axes
    assert [len(ax.lines) for ax in axes] == [1, 1, 1]


def test_film():
    results, pendulum = run(t_end=0.01, force="lubricated")
    above = sliding_pendulum.film_motion(results, pendulum).axes[0]
    computed, scales = (line.get_ydata() for line in above.lines)
    assert np.max(np.abs(computed - scales)) < 0.03  # um of 0.44


def test_taylor_differences():
    _, pendulum = run(t_end=1e-3)
    below = sliding_pendulum.taylor(pendulum).axes[1]
    two, three = (np.max(np.abs(line.get_ydata())) for line in below.lines)
    assert [two, three] == pytest.approx([0.879, 0.195], abs=2e-3)
