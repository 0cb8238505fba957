"""Figures 8, 10 and 12 of Tian et al. (2015) show the numbers they are drawn from."""

import numpy as np
import pytest

from fem_clearance.cases import spur_gear_pair


@pytest.fixture(scope="module")
def drawn():
    """Results of a short run, and its figures by name."""
    p = spur_gear_pair.case.resolve({"cycles": 2, "tolerance": 1e-8, "friction": "constant"})
    results = spur_gear_pair.case.simulation(p, progress=False).run()
    return results, dict(spur_gear_pair.case.figures(results, p))


def _lines(figure, axes=0):
    return [line.get_xydata() for line in figure.axes[axes].lines]


def test_fig_8(drawn):
    """The highest curve is that of 1 m/s, with 0.0263 at a ratio of 0.25."""
    first = _lines(drawn[1]["fig08_friction"])[0]
    assert np.interp(0.25, *first.T) == pytest.approx(0.0263, abs=1e-4)


def test_fig_10(drawn):
    """Plateaus of the rectangle, 720 and 432.17 MN/m, with the jump at 0.433."""
    rectangle = _lines(drawn[1]["fig10_stiffness"])[4]
    assert np.interp([0.2, 0.8], *rectangle.T) == pytest.approx([720, 432.17], rel=1e-5)
    jump = rectangle[:-1, 0][np.diff(rectangle[:, 1]) < -100]
    assert jump == pytest.approx([0.433], abs=1e-3)


def test_fig_12(drawn):
    results, figures = drawn
    dynamic = _lines(figures["fig12_transmission_error"])[0]
    assert dynamic[:, 1].max() == pytest.approx(1e6 * results["transmission_error"].max(), rel=1e-6)
    assert dynamic[:, 0].max() == pytest.approx(2, abs=1e-6)


def test_gears_touch_and_do_not_overlap(drawn):
    """The drawn outlines meet at A and stay apart by no more than a pixel of overlap."""
    from matplotlib.path import Path

    pinion, gear = (_lines(drawn[1]["gears"])[k] for k in (0, 2))
    inside = Path(pinion).contains_points(gear, radius=-2e-3)  # mm
    assert not inside.any()
    path = _lines(drawn[1]["gears"])[4]
    for outline in (pinion, gear):
        assert np.hypot(*(outline - path[0]).T).min() < 0.2
