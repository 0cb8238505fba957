"""Figures of channels."""

import matplotlib
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases.figures import spherical_joint
from fem_clearance.core.observation import Channel
from fem_clearance.plotting import curves, quantities, style, units
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
    words = {
        "tip.x": "x of the position", "tip.y": "y of the position", "tip.vx": "x of the velocity",
        "joint.ex": "x of the ball's centre from the socket's",
        "joint.ey": "y of the ball's centre from the socket's",
    }  # fmt: skip
    channels = [Channel(n, unit, words.get(n, n)) for n, (unit, _) in columns.items()]
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


def labels(figure):
    """Of the axes upwards, whatever their lines."""
    return [" ".join(ax.get_ylabel().split()) for ax in figure.axes]


def test_axes_have_words_and_units():
    """One quantity an axis; its components share it, the owner stands above."""
    figure = curves.over_time(impact_results(), ["tip.x", "tip.y", "tip.vx"])
    assert labels(figure) == ["position [m]", "x of the velocity [m/s]"]
    assert figure.axes[-1].get_xlabel() == "time [ms]"
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == ["x", "y"]
    assert figure.get_suptitle() == "tip"


def test_lengths_of_different_kinds_do_not_share_axes():
    """An eccentricity of 2 mm and a penetration of 1 um, each in a unit that suits it."""
    names = ["joint.ex", "joint.ey", "joint.eccentricity", "joint.penetration"]
    figure = curves.over_time(impact_results(), names)
    assert labels(figure) == [
        "ball's centre from the socket's [mm]",
        "joint.eccentricity [mm]",
        "joint.penetration [µm]",
    ]
    assert figure.axes[2].lines[0].get_ydata().max() == pytest.approx(1.0, rel=1e-2)
    assert figure.axes[0].lines[0].get_xdata()[-1] == pytest.approx(60.0)  # ms


def test_groups_by_prefix():
    names = [name for name, _ in curves.groups(impact_results())]
    assert names == ["tip", "joint", "energy"]


def test_what_is_zero_is_left_out():
    """Identically, or but for round-off of the same quantity; a small quantity stays, unless it is
    below all round-off of its unit."""
    t = np.linspace(0, 1, 11)
    columns = {
        "a.x": ("x of the force", t), "a.y": ("y of the force", 1e-15 * t),
        "a.z": ("z of the force", 0 * t), "a.slip": ("slip", 1e-15 * t),
        "b.x": ("x of the force", 0 * t), "c.x": ("x of the force", 1e-18 * t),
    }  # fmt: skip
    channels = [Channel(n, "N", what) for n, (what, _) in columns.items()]
    results = Results(channels, np.column_stack([t, *(v for _, v in columns.values())]))
    figures = dict(curves.groups(results))
    assert list(figures) == ["a"]
    assert labels(figures["a"]) == ["x of the force [N]", "slip [pN]"]


def test_angles_go_on_past_a_turn():
    """Given within one turn they jump; those that count turns already stay as they are."""
    t = np.linspace(0, 10, 101)
    wrapped = (3 * t + np.pi) % (2 * np.pi) - np.pi
    coarse = np.array([0.0, 8.0, 16.0, 24.0])  # more than half a turn a row
    np.testing.assert_allclose(quantities.unwrapped(wrapped, "rad"), 3 * t)
    np.testing.assert_allclose(quantities.unwrapped(np.degrees(wrapped), "deg"), np.degrees(3 * t))
    np.testing.assert_array_equal(quantities.unwrapped(coarse, "rad"), coarse)
    np.testing.assert_array_equal(quantities.unwrapped(wrapped, "m"), wrapped)


def test_the_balance_of_energy_has_a_figure_of_its_own():
    """Its lines are those of the ledger without total, projected and balance."""
    t = np.linspace(0, 1, 11)
    columns = {
        "energy.kinetic": 2e3 * t, "energy.potential": 0 * t, "energy.total": t,
        "energy.projected": t, "energy.balance": 1e-5 * t,
    }  # fmt: skip
    channels = [Channel(n, "J", n) for n in columns]
    results = Results(channels, np.column_stack([t, *columns.values()]))
    figures = dict(curves.groups(results))
    assert list(figures) == ["energies", "energy_balance"]
    assert labels(figures["energies"]) == ["energy [kJ]"] and len(figures["energies"].axes) == 1
    assert [line.get_label() for line in figures["energies"].axes[0].lines] == ["kinetic"]
    assert "[µJ]" in labels(figures["energy_balance"])[0]
    assert figures["energy_balance"].axes[0].lines[0].get_ydata()[-1] == pytest.approx(10)


def test_over_another_channel_and_into_given_axes():
    results = impact_results()
    figure = curves.over_time(results, ["joint.normal_force"], x="joint.penetration")
    assert figure.axes[0].get_xlabel() == "joint: joint.penetration [µm]"
    line = figure.axes[0].lines[0]
    np.testing.assert_allclose(line.get_ydata(), 100 * line.get_xdata(), rtol=1e-9)  # 1e8 N/m
    sheet, axes = style.subplots(1, 2)
    assert curves.over_time(results, ["tip.vx"], ax=axes[1]) is sheet
    assert [len(ax.lines) for ax in axes] == [0, 1]
    with pytest.raises(fc.InputError, match="several units"):
        curves.over_time(results, ["tip.x", "tip.vx"], ax=axes[0])
    with pytest.raises(fc.InputError, match="name the channels"):
        results.plot()
    with pytest.raises(fc.InputError, match="there is no channel 'tip.q'"):
        results.plot("tip.x", x="tip.q")


@pytest.mark.parametrize(
    ("unit", "largest", "found"),
    [
        ("m", 2.5e-5, "25 µm"), ("m", 0.3, "0.3 m"), ("Pa", 2.1e8, "210 MPa"), ("N", 999, "999 N"),
        ("N", 1000, "1 kN"), ("m/s^2", 19400, "19.4 km/s^2"), ("N m", 2e-4, "200 µN m"),
        ("m^2", 3e-6, "3 mm^2"), ("m^3", 8.6e-12, "0.0086 mm^3"), ("s", 4000, "4000 s"),
        ("kg", 0.02, "20 g"), ("kg", 5e4, "50 10^3 kg"), ("1", 1e-7, "100 10^-9"),
        ("deg", 5e3, "5000 deg"), ("m^2", 0.05, "0.05 m^2"),
        ("kg m/s", 1e-3, "1 g m/s"), ("rad/s", 0.004, "4 mrad/s"), ("", 1e9, "1 10^9"),
        ("mol", 2e9, "2 10^9 mol"), ("kg", 9999, "9999 kg"), ("s", 1e5, "100 10^3 s"),
        ("J", 0.0, "0 J"), ("N/m", np.nan, "nan N/m"),
    ],
)  # fmt: skip
def test_prefixes_of_units(unit, largest, found):
    """Values of tables of SI; a unit unknown here keeps its numbers."""
    factor, shown = units.prefixed(unit, np.array([0.0, -largest]))
    assert f"{factor * largest:.6g} {shown}" == found


def test_window_in_time():
    figure = curves.over_time(impact_results(), ["tip.x"], window=(0.02, 0.03))
    x = figure.axes[0].lines[0].get_xdata()
    assert x[0] == pytest.approx(20, abs=0.11) and x[-1] == pytest.approx(30, abs=0.1)  # ms


def test_figures_of_the_paper():
    results = impact_results()
    figures = dict(
        spherical_joint.figures(results, {"joint.socket_radius": 0.02, "joint.ball_radius": 0.018})
    )
    assert len(figures) == 10
    loop = figures["fig11_first_impact"].axes[0].lines[0]
    assert loop.get_ydata().max() == pytest.approx(100, rel=1e-2)  # N
    assert loop.get_ydata()[0] == loop.get_ydata()[-1] == 0
    down = figures["fig12_tip_y"].axes[0]
    assert " ".join(down.get_ylabel().split()) == "y of the free end B [mm]"
    np.testing.assert_allclose(down.lines[0].get_ydata(), 1e3 * results["tip.y"])
    far = figures["fig17_eccentricity"].axes[0]
    assert far.get_ylabel() == "eccentricity [mm]"
    assert far.lines[1].get_ydata()[0] == pytest.approx(2.0)
    assert far.lines[0].get_ydata().max() == pytest.approx(2.0, rel=1e-2)
    path = figures["fig14_tip_path"].axes[0]
    labels = (path.get_xlabel(), path.get_ylabel())
    assert labels == ("x of the free end B [m]", "y of the free end B [m]")
    circle = figures["fig13_ball_in_socket"].axes[0].lines[0]
    np.testing.assert_allclose(np.hypot(*circle.get_data()), 2.0)  # mm
    path = figures["fig13_ball_in_socket"].axes[0].lines[1]
    assert np.hypot(*path.get_data()).max() == pytest.approx(2.0, rel=1e-3)


def test_the_users_style_stays():
    before = dict(matplotlib.rcParams)
    curves.over_time(impact_results(), ["tip.x"])
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("count", [1, 6])
def test_long_labels_of_both_axes_fit(count):
    """As of the path of a journal in its bearing."""
    what = "position of the journal's centre along the axis {} of the film"
    t, names = np.linspace(0, 1, 11), [f"pin.e{k}" for k in range(count + 1)]
    table = Results(
        [Channel(n, "m" if k < 2 else f"m^{k}", what.format(k)) for k, n in enumerate(names)],
        np.column_stack([t, *([1e-5 * t] * (count + 1))]),
    )
    figure = curves.over_time(table, names[1:], x=names[0])
    figure.canvas.draw()
    labels = [z for ax in figure.axes for z in (ax.xaxis.label, ax.yaxis.label) if z.get_text()]
    assert len(labels) > count
    for label in labels:
        box, page = label.get_window_extent(), figure.bbox
        assert page.x0 <= box.x0 and box.x1 <= page.x1
        assert page.y0 <= box.y0 and box.y1 <= page.y1
