"""The demos run as they stand and print what they say."""

import re
import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

DEMOS = Path(__file__).parents[1] / "demos"


def output(name, capsys, tmp_path, monkeypatch, **values):
    """What a demo prints; other values of its names make it shorter."""
    text = (DEMOS / name).read_text("utf-8")
    for key, value in values.items():
        text, count = re.subn(rf"^{key} = .*$", f"{key} = {value!r}", text, flags=re.M)
        assert count == 1, key
    script = tmp_path / name
    script.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    with matplotlib.rc_context():  # the demos' style ends with them
        runpy.run_path(str(script), run_name="__main__")
    matplotlib.pyplot.close("all")
    return capsys.readouterr().out


def numbers_in(text):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", text)]


def drawn(tmp_path, demo):
    return (tmp_path / "figures" / f"{demo}.png").stat().st_size > 5000


def test_double_pendulum(capsys, tmp_path, monkeypatch):
    """First contact a little after that of rigid arms (28.566 ms); a picture is written."""
    text = output("double_pendulum.py", capsys, tmp_path, monkeypatch)
    found = re.search(r"first contact at ([\d.]+) ms, largest force ([\d.]+) N", text)
    assert float(found[1]) == pytest.approx(28.57, abs=0.02)
    assert 40 < float(found[2]) < 80
    assert drawn(tmp_path, "double_pendulum")


def test_own_law(capsys, tmp_path, monkeypatch):
    """Restitution of the law from its closed form, chi = 3/2 a v = 0.15; the way of a block until
    the friction law has stopped it, the integral of m v dv / friction."""
    text = output("own_law.py", capsys, tmp_path, monkeypatch)
    chi = 0.15
    e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.1, 1)
    assert float(re.search(r"restitution ([\d.]+)", text)[1]) == pytest.approx(e, abs=1e-3)
    friction = lambda v: 3.0 * (1 - 0.1 * np.log(1 + v / 0.1)) * v / (v + 1e-5)  # noqa: E731
    distance = quad(lambda v: 2.0 * v / friction(v), 0, 1)[0]
    assert float(re.search(r"distance ([\d.]+)", text)[1]) == pytest.approx(distance, abs=2e-4)
    assert drawn(tmp_path, "own_law")


def test_modes_of_a_beam(capsys, tmp_path, monkeypatch):
    """The straight beam is within 0.2 % of Euler and Bernoulli's (shear does the rest);
    tip of the bent one from Bisshopp and Drucker's solution for F L^2/EI = 3: (0.7456, -0.6033)."""
    text = output("modes_of_a_beam.py", capsys, tmp_path, monkeypatch)

    def numbers(name):
        return [float(x) for x in re.search(rf"^{name}:? (.*)$", text, re.M)[1].split()[:-1]]

    straight = numbers("straight:")
    assert straight[::2] == pytest.approx(numbers("Euler and Bernoulli:"), rel=2e-3)
    found = re.search(r"x = ([\d.-]+) m, y = ([\d.-]+) m", text)
    tip = [float(found[1]), float(found[2])]
    assert tip == pytest.approx([0.7456, -0.6033], abs=3e-4)
    bent = numbers("bent:")
    assert bent[1] - bent[0] > 0.5 and np.all(np.diff(bent) > 0)
    assert (tmp_path / "figures" / "modes_of_a_beam_path.png").stat().st_size > 5000


def test_response_curves(capsys, tmp_path, monkeypatch):
    """Folds of Duffing's oscillator as in tests/analysis/test_orbits.py, which computes them by
    harmonic balance; the contact's resonance lies below its linear frequency of 251.4 Hz."""
    text = output("response_curves.py", capsys, tmp_path, monkeypatch)
    folds = [float(w) for w in re.findall(r"fold at ([\d.]+)", text)]
    assert folds == pytest.approx([1.2648, 1.1710], abs=1e-4)
    found = re.search(r"contact: ([\d.]+) um at ([\d.]+) Hz, .multiplier. ([\d.]+)", text)
    assert 4 < float(found[1]) < 5.5 and 240 < float(found[2]) < 245 and float(found[3]) < 1


def test_stress_in_a_solid(capsys, tmp_path, monkeypatch):
    """Stress at the hole: Howland's 3.14 for a strip five times as wide; Heywood's formula gives
    (2 + 0.284 w - 0.6 w^2 + 1.32 w^3) / w = 3.149 with w = 0.8, both times the stress far away. The
    force is the pull times the area."""
    text = output("stress_in_a_solid.py", capsys, tmp_path, monkeypatch)
    w = 0.8
    heywood = (2 + 0.284 * w - 0.6 * w**2 + 1.32 * w**3) / w
    found = re.search(r"stress ([\d.]+) times the pull, at x = ([\d.-]+), y = ([\d.-]+) mm", text)
    assert float(found[1]) == pytest.approx(heywood, rel=0.01)
    assert [abs(float(found[k])) for k in (2, 3)] == pytest.approx([0, 5], abs=0.01)
    forces = re.search(r"middle ([\d.]+) N, on the clamp ([\d.]+) N", text)
    assert [float(f) for f in forces.groups()] == pytest.approx([25000, 25000], rel=1e-4)
    # the largest bending stress of a suddenly loaded cantilever is twice that at rest, 48 MPa
    # at the clamp by beam theory without hole
    assert 70 < float(re.search(r"bent: (\d+) MPa", text)[1]) < 110
    assert drawn(tmp_path, "stress_in_a_solid")
    if "no pictures" not in text:
        assert (tmp_path / "figures" / "plate.png").stat().st_size > 20000


def test_reduced_slider_crank(capsys, tmp_path, monkeypatch):
    """Frequency: free-free beam, 4.730041^2 / 2 pi sqrt(EI / rho A L^4) (Blevins 1979), to its
    slenderness; the error without stiffening is about the load ratio, which is inertia's m r w^2
    (1 + r / L) / 2 by pi^2 EI / L^2 at most."""
    text = output("reduced_slider_crank.py", capsys, tmp_path, monkeypatch)
    bare, stiffened = (float(x) for x in re.findall(r"reduced.*off by ([\d.]+) %", text))
    assert 3 < bare < 8 and stiffened < 0.5
    h, length = 0.01, 0.3
    wave = np.sqrt(5e9 * h**2 / 12 / 7800 / length**4)
    frequency = float(re.search(r"free rod ([\d.]+) Hz", text)[1])
    assert frequency == pytest.approx(4.730041**2 / 2 / np.pi * wave, rel=0.01)
    ratio = float(re.search(r"up to ([\d.]+) of that", text)[1])
    euler = np.pi**2 * 5e9 * h**4 / 12 / length**2
    assert ratio == pytest.approx(7800 * h**2 * length * 0.05 * (20 * np.pi) ** 2 / euler, rel=0.2)
    assert drawn(tmp_path, "reduced_slider_crank")


def test_heavy_top(capsys, tmp_path, monkeypatch):
    """Second order in places and multipliers (Arnold and Bruels 2007)."""
    text = output("heavy_top.py", capsys, tmp_path, monkeypatch, t_end=0.05)
    orders = [float(x) for x in re.findall(r"order ([\d.]+)", text)]
    assert orders == pytest.approx([2] * 4, abs=0.1)
    assert drawn(tmp_path, "heavy_top")


def test_double_four_bar(capsys, tmp_path, monkeypatch):
    """Through the singular poses of the first turn, beside SciPy's solution of the one equation."""
    text = output("double_four_bar.py", capsys, tmp_path, monkeypatch, t_end=2.0)
    found = re.search(r"([\d.]+) turns; largest error of B0 (\S+) m", text)
    assert float(found[1]) > 0.9 and float(found[2]) < 1e-4
    assert drawn(tmp_path, "double_four_bar")


def test_flexible_pendulum(capsys, tmp_path, monkeypatch):
    """Tips at 1 s: the converged cable (80 elements of another code); the quadratic beam's is 2e-4
    m off for its shear (docs/validation.md), the split ANCF beam's as the cable's."""
    text = output("flexible_pendulum.py", capsys, tmp_path, monkeypatch, t_end=1.0)
    tips = [[float(x) for x in m] for m in re.findall(r"tip \(([-\d.]+), ([-\d.]+)\)", text)]
    for tip, allowed in zip(tips, (3e-4, 8e-4, 8e-4), strict=True):
        assert tip == pytest.approx([-0.883911, 0.161776], abs=allowed)
    assert drawn(tmp_path, "flexible_pendulum")


def test_journal_bearing(capsys, tmp_path, monkeypatch):
    """Raimondi and Boyd (1958): S = .121 and 50.58 degrees at eps = .6, L/D = 1."""
    text = output("journal_bearing.py", capsys, tmp_path, monkeypatch, cells=(48, 8))
    found = re.search(r"S = ([\d.]+), attitude ([\d.]+)", text)
    assert float(found[1]) == pytest.approx(0.121, rel=0.02)
    assert float(found[2]) == pytest.approx(50.58, abs=0.5)
    assert drawn(tmp_path, "journal_bearing")


def test_spherical_bearing(capsys, tmp_path, monkeypatch):
    """The closed form of Tian et al. (2009) on the hemisphere to .5 %."""
    text = output("spherical_bearing.py", capsys, tmp_path, monkeypatch, count=2)
    assert numbers_in(text)[0] < 0.5
    assert drawn(tmp_path, "spherical_bearing")


def test_sliding_pendulum(capsys, tmp_path, monkeypatch):
    """First contact at 4.515236410e-4 s, largest force 1200.90 N (SciPy: ``by_phases`` of
    tests/literature/test_ebrahimi2017.py)."""
    text = output("sliding_pendulum.py", capsys, tmp_path, monkeypatch, t_end=0.01)
    time, _, force, *_ = numbers_in(text)
    assert time == pytest.approx(4.515236410e-4, abs=1e-12)
    assert force == pytest.approx(1200.90, rel=1e-4)
    assert drawn(tmp_path, "sliding_pendulum")


def test_spur_gear_pair(capsys, tmp_path, monkeypatch):
    """Extremes of the transmission error at 2.4 rpm: 4.4881 and 18.7771 um in closed form."""
    text = output("spur_gear_pair.py", capsys, tmp_path, monkeypatch)
    least, most = re.findall(r"([\d.]+) \.\. ([\d.]+) um", text)[0]
    assert [float(least), float(most)] == pytest.approx([4.4881, 18.7771], abs=0.01)
    assert drawn(tmp_path, "spur_gear_pair")


def test_slider_crank_translational(capsys, tmp_path, monkeypatch):
    """First contact at 2.69250 ms, SciPy's for the rigid mechanism (docs/translational.md); until
    then an elastic slider of the same mass does not turn either, and moves as the rigid one."""
    text = output("slider_crank_translational.py", capsys, tmp_path, monkeypatch, t_end=0.0027)
    rigid, flexible = (float(x) for x in re.findall(r"contact after ([\d.]+) ms", text))
    assert rigid == pytest.approx(2.69250, abs=1.1e-5)
    assert flexible == pytest.approx(2.69250, abs=1e-4)
    assert drawn(tmp_path, "slider_crank_translational")


def test_slider_crank_revolute(capsys, tmp_path, monkeypatch):
    """At the start the ideal slider has r w^2 (1 + r/l) (crank 50 mm, coupler 120 mm, 5000 rpm);
    the joint's force is what moves 0.14 kg along a guide without friction. The first impact is the
    softer, the softer coupler and joint are."""
    text = output("slider_crank_revolute.py", capsys, tmp_path, monkeypatch, t_end=0.0005)
    found = re.findall(r"up to (\S+) m/s\^2, force up to (\S+) N", text)
    ideal, dry, flexible, oil = ([float(x) for x in row] for row in found)
    r, w = 0.05, 5000 * np.pi / 30
    assert ideal[0] == pytest.approx(r * w**2 * (1 + r / 0.12), rel=3e-3)
    assert ideal[1] == pytest.approx(0.14 * ideal[0], rel=1e-2)
    assert dry[1] == pytest.approx(0.14 * dry[0], rel=1e-2)
    assert dry[0] > 1.5 * flexible[0] > 3 * oil[0] > 3 * ideal[0]
    assert drawn(tmp_path, "slider_crank_revolute")


def test_spatial_four_bar(capsys, tmp_path, monkeypatch):
    """B of the rigid mechanism has -0.104621 m/s after 30 ms (two angles and a multiplier, SciPy:
    tests/literature/test_spatial_four_bar.py). Dry, impacts raise the force; oil does not."""
    text = output("spatial_four_bar.py", capsys, tmp_path, monkeypatch, t_end=0.03)
    found = re.findall(r"force ([\d.]+) N, velocity of B (-[\d.]+) .* ([\d.]+) m/s", text)
    ideal, dry, oil = ([float(x) for x in row] for row in found)
    assert ideal[1] == pytest.approx(-0.104621, abs=2e-3) and ideal[2] == 0
    assert dry[0] > 5 * ideal[0] and oil[0] < 1.2 * ideal[0]
    assert dry[2] > 5 * oil[2]
    assert drawn(tmp_path, "spatial_four_bar")


def test_stick_slip_oscillator(capsys, tmp_path, monkeypatch):
    """Until the spring breaks it away after 20.04 s the block sticks, from asin(.2/3) s on: true
    stick and bristles rest, a smooth law, which holds nothing at rest, creeps."""
    text = output("stick_slip_oscillator.py", capsys, tmp_path, monkeypatch, t_end=5)
    found = re.findall(r"sticks (\d+) % of the time, speed off by (\S+) m/s", text)
    stick, smooth, bristles = ([float(x) for x in row] for row in found)
    assert stick[0] == pytest.approx(100 * (1 - np.arcsin(0.2 / 3) / 5), abs=0.5)
    assert max(stick[1], bristles[1]) < 1e-7 < 0.01 * smooth[1]
    assert drawn(tmp_path, "stick_slip_oscillator")


def test_ehd_bearing(capsys, tmp_path, monkeypatch):
    """What the page of elastic bearings says of 48x6x2 cells: 521 MPa on the rigid bore, 85 MPa
    on liners, condensed or full; here on half as many cells."""
    text = output("ehd_bearing.py", capsys, tmp_path, monkeypatch, cells="24x4x1")
    found = re.findall(r"load ([\d.]+) kN, largest pressure ([\d.]+) MPa", text)
    rigid, condensed, full = ([float(x) for x in row] for row in found)
    assert rigid[1] > 5 * condensed[1]
    assert condensed == pytest.approx(full, rel=0.02)
    assert full[1] == pytest.approx(85, rel=0.1)
    assert drawn(tmp_path, "ehd_bearing")


def test_warm_up(capsys, tmp_path, monkeypatch):
    """The film of a wide bearing is thinner on the way to its steady state than in it, where it
    ends; a tight one, which would have a film in its steady state, closes before."""
    text = output("warm_up.py", capsys, tmp_path, monkeypatch)
    steady = [float(z) for z in re.findall(r"have a film of ([\d.]+)", text)]
    least = [float(z) for z in re.findall(r"least film ([\d.]+) um after", text)]
    end = [float(z) for z in re.findall(r"s: least film ([\d.]+)", text)]
    assert end[0] == pytest.approx(steady[0], abs=0.11) and least[0] < steady[0] - 2
    assert steady[1] > 5 and least[1] < 1
    assert "the bearing seizes" in text
    assert drawn(tmp_path, "warm_up")


def test_four_bar_wear(capsys, tmp_path, monkeypatch):
    """Largest clearances after one and two periods: .5903 and .6806 mm in figs. 19 and 20 of Bai,
    Zhang and Sun (2014), whose second period is smoother (docs/wear.md)."""
    text = output("four_bar_wear.py", capsys, tmp_path, monkeypatch)
    first, second = (float(x) for x in re.findall(r"([\d.]+) mm", text))
    assert first == pytest.approx(0.5903, abs=2e-4)
    assert second == pytest.approx(0.6806, rel=0.015)
    assert drawn(tmp_path, "four_bar_wear")


def test_quick_return(capsys, tmp_path, monkeypatch):
    """In the first 4 ms the error of the gears bends the rod, through springs more than through oil
    (docs/quick_return.md has the whole turn)."""
    text = output("quick_return.py", capsys, tmp_path, monkeypatch, t_end=0.004)
    direct, springs, oil = (float(x) for x in re.findall(r"by up to (\d+) um", text))
    assert 50 < direct < oil < springs < 150
    assert drawn(tmp_path, "quick_return")


def test_pin_in_bore(capsys, tmp_path, monkeypatch):
    """Half angle and peak by elements meet those of the exact series, which meets Persson's closed
    form (tests/contact/test_conformal.py): an angle to half a cell, 1.25 degrees, a peak to 1 %."""
    changes = {"LOADS": [8e5], "CELLS": (144, 10)}
    text = output("pin_in_bore.py", capsys, tmp_path, monkeypatch, **changes)
    _, half, exact, peak, wanted = numbers_in(text)
    assert half == pytest.approx(exact, abs=1.25)
    assert peak == pytest.approx(wanted, rel=0.01)
    assert drawn(tmp_path, "pin_in_bore")


def test_position_control(capsys, tmp_path, monkeypatch):
    """The error that the weight leaves: k n (n error) = m g l/2 sin(60 degrees - error); the work
    of the motor is what the arm has gained in height."""
    text = output("position_control.py", capsys, tmp_path, monkeypatch)
    found = re.search(r"ends at ([\d.]+) degrees, ([\d.]+) short", text)
    angle, short = (float(x) for x in found.groups())
    error = brentq(lambda e: 100 * e - 9.81 * 0.2 * np.sin(np.pi / 3 - e), 0, 1)
    assert short == pytest.approx(np.degrees(error), abs=2e-3)
    assert angle + short == pytest.approx(60, abs=2e-3)
    work, balance = re.search(r"motor ([\d.]+) J, balance open by ([\d.e-]+) J", text).groups()
    assert float(work) == pytest.approx(9.81 * 0.2 * (1 - np.cos(np.radians(angle))), rel=0.02)
    assert float(balance) < 0.01
    assert drawn(tmp_path, "position_control")


def test_optimised_bore(capsys, tmp_path, monkeypatch):
    """A wider or a narrower round bore is no better: one has more friction, the other a thinner
    film (bearings solved here). With lobes friction falls by a tenth and more, at the same film."""
    from fem_clearance.lubrication import equilibrium, plain_bearing

    text = output("optimised_bore.py", capsys, tmp_path, monkeypatch)
    alone, lobes = text.split("clearance alone:")[1].split("clearance and lobes:")
    torques = [
        numbers_in(re.search(r"torque (.*) mN", z)[1].replace("->", "")) for z in (alone, lobes)
    ]
    films = [numbers_in(re.search(r"film (.*) um", z)[1].replace("->", "")) for z in (alone, lobes)]
    assert torques[0][1] == pytest.approx(torques[0][0], rel=1e-4)
    assert torques[1][1] < 0.9 * torques[1][0]
    assert all(after > before - 2e-3 for before, after in films)

    def bearing(clearance):
        film = plain_bearing(15e-3, 30e-3, clearance, 0.01, sliding_speed=4.5, cells=(48, 6))
        found = equilibrium(film, (0, -1000.0), 300.0)
        return -1e3 * found.moment[2], 1e6 * found.thickness.min()

    (narrow, _), round_, (_, thin) = (bearing(c) for c in (29e-6, 30e-6, 31e-6))
    assert round_ == pytest.approx([torques[0][0], films[0][0]], rel=1e-3)
    assert narrow > round_[0] and thin < round_[1]
    assert drawn(tmp_path, "optimised_bore")


@pytest.mark.slow
def test_which_parameters(capsys, tmp_path, monkeypatch):
    """Two runs give the change that the derivative predicts, of second order in a change of 1 %;
    the tip is driven by the crank: its length and speed come first."""
    changes = {"T_END": 1e-3, "STEP": 5e-5}
    text = output("which_parameters.py", capsys, tmp_path, monkeypatch, **changes)
    assert "40 parameters" in text
    found = re.search(r"\n(.*): (\S+) um by two runs", text)
    rows = re.findall(r"^ *(.+): +(\S+) um +(\S+) mm/s", text, re.M)
    predicted = {name: float(z) for name, z, _ in rows}
    assert float(found[2]) == pytest.approx(predicted[found[1].strip()], rel=1e-2)
    assert {"crank.length", "pinion.speed"} <= {*predicted}
    assert drawn(tmp_path, "which_parameters")
