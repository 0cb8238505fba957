"""Figures of channels."""

import numpy as np
import pytest

from fem_clearance.cases.figures import spherical_joint
from fem_clearance.core.observation import Channel
from fem_clearance.plotting import curves, style
from fem_clearance.runs.results import Results


def impact_results():
    """A made-up run with one impact, as the double pendulum records it."""
    t = np.linspace(0, 0.06, 601)
    depth = np.maximum(0.0, 1e-6 * np.sin((t - 0.03) * np.pi / 1e-3)) * (np.abs(t - 0.0305) < 5e-4)
    e = np.minimum(t / 0.03, 1) * 2e-3 + depth
    columns = {
        "tip.x": ("m", 0.6 - t**2), "tip.y": ("m", -t), "tip.vx": ("m/s", -2 * t),
        "joint.ex": ("m", e * np.sin(9 * t)), "joint.ey": ("m", e * np.cos(9 * t)),
        "joint.eccentricity": ("m", e), "joint.penetration": ("m", depth),
        "joint.normal_force": ("N", 1e8 * depth), "energy.kinetic": ("J", t),
        "energy.total": ("J", 0 * t),
    }  # fmt: skip
    channels = [Channel(n, unit, n) for n, (unit, _) in columns.items()]
    return Results(channels, np.column_stack([t, *(v for _, v in columns.values())]))


def test_long_lines_keep_their_peaks():
    x = np.linspace(0, 1, 1_000_000)
    y = np.sin(7 * x)
    y[123_456] = 50.0
    u, v = curves.thinned(x, y)
    assert len(u) <= style.POINTS and v.max() == 50.0 and v.min() == y.min()
    assert (u[0], u[-1]) == (0, 1) and np.all(np.diff(u) > 0)


def test_long_lines_keep_their_jumps_upright():
    """A few long steps, a jump, and thousands of short steps of an oscillation after it."""
    x = np.concatenate([np.linspace(0, 1, 41), 1 + np.linspace(0, 1e-4, 20_000)[1:], [2.0]])
    y = np.where(x > 1, 1 + np.cos(1e6 * (x - 1)), -0.5)
    u, v = curves.thinned(x, y)
    stretch = 4 * 2 / style.POINTS
    assert u[v == -0.5].max() > 1 - stretch and len(u) <= style.POINTS
    assert (v.min(), v.max()) == (y.min(), y.max())


def test_axes_have_units_and_share_them():
    figure = curves.over_time(impact_results(), ["tip.x", "tip.y", "tip.vx"])
    assert [ax.get_ylabel() for ax in figure.axes] == ["tip [m]", "tip.vx [m/s]"]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == ["x", "y"]


def test_groups_by_prefix():
    names = [name for name, _ in curves.groups(impact_results())]
    assert names == ["tip", "joint", "energy"]


def test_window_in_time():
    figure = curves.over_time(impact_results(), ["tip.x"], window=(0.02, 0.03))
    x = figure.axes[0].lines[0].get_xdata()
    assert x[0] == pytest.approx(0.02, abs=1e-4) and x[-1] == pytest.approx(0.03, abs=1e-4)


def test_figures_of_the_paper():
    results = impact_results()
    figures = dict(
        spherical_joint.figures(results, {"joint.socket_radius": 0.02, "joint.ball_radius": 0.018})
    )
    assert len(figures) == 10
    loop = figures["fig11_first_impact"].axes[0].lines[0]
    assert loop.get_ydata().max() == pytest.approx(100, rel=1e-2)  # N
    assert loop.get_ydata()[0] == loop.get_ydata()[-1] == 0
    circle = figures["fig13_ball_in_socket"].axes[0].lines[0]
    np.testing.assert_allclose(np.hypot(*circle.get_data()), 2.0)  # mm
    path = figures["fig13_ball_in_socket"].axes[0].lines[1]
    assert np.hypot(*path.get_data()).max() == pytest.approx(2.0, rel=1e-3)


def test_the_users_style_stays():
    before = dict(style.plt.rcParams)
    curves.over_time(impact_results(), ["tip.x"])
    assert dict(style.plt.rcParams) == before
