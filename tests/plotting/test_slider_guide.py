"""Figures of a slider in its guide: what their lines show."""

import numpy as np
import pytest

from fem_clearance.cases.figures import slider_guide
from fem_clearance.contact.translational import MODES
from fem_clearance.core.observation import Channel
from fem_clearance.runs.results import Results


def made_up(**changes):
    """Five rows of unequal steps in half a millimetre of clearance; the tilt is t^2."""
    t = np.array([0.0, 0.1, 0.15, 0.4, 0.5])
    columns = {
        "slider.y": 4e-4 * t, "slider.vy": 4e-4 + 0 * t, "slider.angle": t**2,
        "crank.angle": 3.0 * t, "contact.upper": 0 * t, "contact.lower": 0 * t,
    }  # fmt: skip
    for corner in slider_guide.CORNERS:
        columns |= {f"guide.{corner}.gap": 5e-4 + 0 * t, f"guide.{corner}.penetration": 0 * t}
    columns |= changes
    channels = [Channel(n, "", n) for n in columns]
    return Results(channels, np.column_stack([t, *columns.values()]))


def test_rates_of_tilt():
    """Of a quadratic, differences are the rate in the middle of each step, 2 t; none is made up."""
    results = made_up()
    line = slider_guide.portrait(results, 5e-4).axes[1].lines[0]
    middle = (results.time[1:] + results.time[:-1]) / 2
    np.testing.assert_allclose(line.get_ydata(), 2 * middle)


def test_forces_share_a_scale():
    """Newtons below a kilonewton; an untouched surface says so."""
    figure = slider_guide.forces(made_up(**{"contact.upper": np.array([0, 0, 800.0, 0, 0])}))
    upper, lower = figure.axes
    assert upper.get_ylim() == lower.get_ylim() == pytest.approx((0, 840))
    assert [len(ax.texts) for ax in (upper, lower)] == [0, 1]
    assert upper.get_ylabel().endswith("[N]")
    large = slider_guide.forces(made_up(**{"contact.lower": np.array([0, 0, 0, 5e3, 0])}))
    assert large.axes[1].lines[0].get_ydata().max() == 5 and "[kN]" in large.axes[1].get_ylabel()


def test_faces_that_bulge():
    """An elastic face that presses without a corner is a face, with one corner that corner's."""
    pressed = np.array([0, 0, 10.0, 10.0, 0])
    corner = {"guide.upper_rear.penetration": np.array([0, 0, 0, 1e-6, 0])}
    rigid = made_up(**corner)
    elastic = made_up(**corner, **{"surface_upper.normal_force": pressed})
    assert [MODES[k] for k in slider_guide.mode_of(rigid)[2:4]] == ["free", "one corner"]
    expected = ["free", "free", "face on a side", "one corner", "free"]
    assert [MODES[k] for k in slider_guide.mode_of(elastic)] == expected


def test_map_of_modes():
    """Of a part of a turn the map shows that part, of more whole turns."""
    assert slider_guide.modes(made_up()).axes[0].get_xlim()[1] == pytest.approx(np.degrees(1.5))
    turns = made_up(**{"crank.angle": np.linspace(0, 8, 5)})
    ax = slider_guide.modes(turns).axes[0]
    assert ax.get_xlim()[1] == 360 and list(ax.get_yticks()) == [1, 2]
