"""The tutorials run as they stand, and print what closed forms and SciPy say."""

import re
import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from .test_notebooks import converter

ROOT = Path(__file__).parents[1]
TUTORIALS = {script.stem: script for script in converter().tutorials()}
PAGE = (ROOT / "docs" / "tutorials" / "index.md").read_text("utf-8")


@pytest.fixture
def said(request, capsys, tmp_path, monkeypatch):
    """What the tutorial that a test is named after prints."""
    monkeypatch.chdir(tmp_path)
    with matplotlib.rc_context():  # the tutorial's style ends with it
        name = request.node.name.removeprefix("test_")
        runpy.run_path(str(TUTORIALS[name]), run_name="__main__")
    matplotlib.pyplot.close("all")
    return capsys.readouterr().out


def number(text, pattern):
    return float(re.search(pattern.replace("#", r"(-?[\d.]+(?:e[-+]\d+)?)"), text)[1])


def test_mechanism(said):
    """Torque of the ideal pump: crank r, rod with its middle half-way, by the derivative of the
    energy; an impact wherever the force of the ideal pin changes its direction, twice a turn at
    least, raises the force above the ideal one."""
    r, length, w, rod, slider = 0.05, 0.2, 20 * np.pi, 0.3, 0.5
    t = np.linspace(0, 2 * np.pi, 100001)
    height = r * np.sin(t)
    x = r * np.cos(t) + np.sqrt(length**2 - height**2)
    middle = (x + r * np.cos(t)) / 2, height / 2
    rate = lambda y: np.gradient(y, t, edge_order=2)  # noqa: E731
    turning = rod * length**2 / 12 * rate(np.arcsin(height / length)) ** 2
    energy = slider * rate(x) ** 2 + rod * (rate(middle[0]) ** 2 + rate(middle[1]) ** 2) + turning
    torque = rate(energy) / 2 * w**2
    inside = torque[5:-5]
    assert number(said, "between # and") == pytest.approx(inside.min(), abs=2e-3)
    assert number(said, "and # N m") == pytest.approx(inside.max(), abs=2e-3)
    assert number(said, "closed form # of the peak") < 1e-3
    assert number(said, "ideal pin # N") == pytest.approx(slider * w**2 * r * 1.25, abs=0.5)
    assert number(said, "largest force # N") > 2 * number(said, "ideal pin # N")
    assert number(said, "# impacts") >= 2


def test_identification(said):
    """The arm falls freely through the clearance, t = sqrt(2 c / g), and until then restitution
    means nothing. Least squares: deviations of some standard errors, and what 60 data with noise
    leave of it after three numbers were fitted, 1 within 3 / sqrt(2 * 57)."""
    assert number(said, "impact at # s") == pytest.approx(np.sqrt(2e-3 / 9.81), abs=1e-6)
    assert number(said, r"d\(restitution\) is # m") < 1e-12
    for name in ("stiffness", "restitution", "clearance"):
        assert number(said, f"{name}: .*%, # standard errors") < 3
        assert number(said, f"{name} can be found to # %") < 10
    assert number(said, "leaves # of the noise") == pytest.approx(1, abs=0.28)
    assert number(said, "# runs") < 12


def test_clearance_study(said):
    """First impacts of rigid arms: the first a bar of 300 mm and 10 mm width that falls about its
    end, the second in free fall; SciPy."""
    arm, width = 0.3, 0.01
    inertia = arm**2 / 3 + width**2 / 12  # by its mass

    def gap(c):
        def touch(t, y):
            tip = arm * np.array([np.cos(y[0]), np.sin(y[0])])
            return np.hypot(tip[0] - arm, tip[1] + 9.81 * t * t / 2) - c

        touch.terminal = True
        fall = lambda t, y: (y[1], -9.81 * arm / 2 / inertia * np.cos(y[0]))  # noqa: E731
        return solve_ivp(fall, (0, 0.1), (0, 0), events=touch, rtol=1e-11, atol=1e-13).t[-1]

    found = re.findall(r"c ([\d.]+) m: first impact at ([\d.]+) s, ([\d.]+) m/s", said)
    assert len(found) == 4
    for row in found:
        c, time, speed = map(float, row)
        assert time == pytest.approx(gap(c), abs=2e-6)
        assert speed == pytest.approx(np.sqrt(c * 9.81), rel=2e-3)
    assert number(said, "to the power #") == pytest.approx(0.4, abs=0.02)


def test_results(said):
    """Restitution 0.8, 0.64 of the energy left after each bounce, 2 v e / g between the bounces."""
    bounces = [float(x) for x in re.search(r"restitution of the bounces: (.*)", said)[1].split()]
    assert len(bounces) > 2 and bounces == pytest.approx([0.8] * len(bounces), abs=5e-4)
    flights = [float(x) for x in re.search(r"2 v e / g: (.*)", said)[1].split()]
    assert flights == pytest.approx([1.0] * len(flights), abs=2e-3)
    times = np.sqrt(2 / 9.81) * (1 + 2 * np.cumsum(0.8 ** np.arange(1, 6)))
    count = 1 + int((times < 2.5).sum())
    lost = number(said, "bounces # J;")
    assert lost == pytest.approx(9.81 * (1 - 0.64**count), rel=2e-3)
    assert number(said, "energy error #") < 1e-3
    assert "time,ball.y,floor.normal_force" in said


def test_own_law(said):
    """Depth by k d^2/2 + k d^4/(4 d0^2) = m v^2/2, restitution by its closed form."""
    depth = brentq(lambda d: 1e5 * d**2 + 5e4 * d**4 / 25e-6 - 4, 0, 1)
    assert number(said, "largest depth # mm") == pytest.approx(1e3 * depth, rel=1e-3)
    chi = 0.4
    e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.1, 1)
    assert number(said, "restitution #") == pytest.approx(e, abs=1e-3)


def test_lubricated_joint(said):
    """Ocvirk's short bearing at rest; the finite one sinks deeper, by at most 0.05."""
    unit = 0.04 * 200 * 15e-3 * 7.5e-3**3 / (4 * 1e-8)

    def load(x):
        return unit * x / (1 - x * x) ** 2 * np.sqrt(16 * x * x + np.pi**2 * (1 - x * x))

    ratio = brentq(lambda x: load(x) - 60, 1e-3, 0.999)
    short = number(said, "short bearing: eccentricity ratio #")
    assert short == pytest.approx(ratio, abs=2e-4)
    angle = np.degrees(np.arctan(np.pi * np.sqrt(1 - ratio**2) / (4 * ratio)))
    assert number(said, r"short bearing: .*attitude #") == pytest.approx(angle, abs=0.05)
    assert short < number(said, "Reynolds' equation: eccentricity ratio #") < short + 0.05


def test_elastic_bearing(said):
    """The ring by Lame, 0.437895 p a / E (Timoshenko and Goodier); the film by the page of elastic
    bearings: 513 MPa on the rigid bore, and 85 MPa on the liner of 48x6x2 cells."""
    assert number(said, "bore moves by # um") == pytest.approx(
        0.437895 * 50e6 * 0.015 / 130e9 * 1e6, rel=1e-3
    )
    rigid, elastic = (float(x) for x in re.findall(r"pressure ([\d.]+) MPa", said))
    assert rigid == pytest.approx(513, rel=0.03) and elastic == pytest.approx(85, rel=0.15)
    assert abs(number(said, "changes the load by # %")) < 1


def test_every_tutorial_is_on_the_page():
    """And has a test here."""
    for name in TUTORIALS:
        assert f"]({name}.ipynb)" in PAGE and f"\n{name}\n" in PAGE
        assert f"test_{name}" in globals()


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_as_a_notebook(name):
    """A title first, and a valid notebook."""
    import nbformat

    book = converter().notebook(TUTORIALS[name])
    nbformat.validate(book)
    assert book.cells[0].cell_type == "markdown" and book.cells[0].source.startswith("# ")
