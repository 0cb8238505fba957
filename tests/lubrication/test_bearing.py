"""Bearings at rest and near it: equilibrium, coefficients, whirl; the case journal_bearing."""

import json

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.bearings.equilibrium import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    threshold_speed,
)
from fem_clearance.lubrication.bearings.plain import plain_bearing
from fem_clearance.lubrication.closed_forms.journal import ShortBearing
from fem_clearance.lubrication.film.cavitation import Full, Guembel

from ..conftest import shell

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0


@pytest.fixture(scope="module")
def bearing():
    return Bearing(plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=(48, 8)))


@pytest.mark.parametrize("load", [(0.0, -0.05), (3.0, -20.0), (-300.0, 100.0)])
def test_equilibrium(bearing, load):
    film = equilibrium(bearing, load, SPEED)
    np.testing.assert_allclose(film.force[:2], np.negative(load), atol=1e-8 * np.hypot(*load))
    assert 0 < attitude(film) < np.pi / 2
    # the same without a guess of the place, and turning the other way round
    again = equilibrium(bearing, load, SPEED, start=(0.1 * C, 0.1 * C))
    np.testing.assert_allclose(again.place.e, film.place.e, atol=1e-9 * C)
    other = equilibrium(bearing, (load[0], -load[1]), -SPEED)  # seen in a mirror
    np.testing.assert_allclose(other.place.e, film.place.e * np.array([1, -1, 1]), atol=1e-8 * C)
    assert attitude(other) == pytest.approx(attitude(film), abs=1e-7)


def test_thinner_than_verified(caplog):
    """Loads were held against tables to an eccentricity of 0.96; one sentence beyond."""
    bearing = Bearing(
        plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=(48, 8), crowd=0.8)
    )
    for ratio in (0.95, 0.99, 0.98):
        film = bearing.solve(Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED)))
        bearing.errors(film, bearing.derivatives(film))
        assert caplog.text.count("loads were verified above 0.04") == (ratio > 0.95)
    assert "compare with twice the cells" in caplog.text


def test_eccentricity_for_a_load(bearing):
    film = bearing.solve(Place(e=(0.7 * C, 0, 0), Omega=(0, 0, SPEED)))
    size = float(np.hypot(*film.force[:2]))
    found = eccentricity_for(bearing, size, SPEED)
    assert found.place.e[0] == pytest.approx(0.7 * C, rel=1e-8)


@pytest.mark.parametrize(("model", "around"), [(Full(), 96), (Guembel(), 192)])
def test_coefficients_of_a_short_bearing(model, around):
    """Differences of Ocvirk's closed form, with motion of the centre in both directions. (Guembel's
    film ends within cells: its coefficients need a finer mesh.)"""
    L, e = R / 16, (0.4 * C, 0.1 * C)
    short = ShortBearing(R, L, C, MU, model)
    film = plain_bearing(R, L, C, MU, sliding_speed=R * SPEED, cells=(around, 24), cavitation=model)
    found = Coefficients.of(Bearing(film).solve(Place(e=(*e, 0), Omega=(0, 0, SPEED))))

    def slope(change):
        there, back = (
            short.force(Place(e=tuple(np.add((*e, 0), s * change[0])), V=tuple(s * change[1]),
                              Omega=(0, 0, SPEED)))[:2]
            for s in (1, -1)
        )  # fmt: skip
        return -(there - back) / 2

    zero, step = np.zeros(3), 1e-5 * C
    K = np.array([slope((step * row, zero)) for row in np.eye(3)[:2]]).T / step
    D = np.array([slope((zero, step * SPEED * row)) for row in np.eye(3)[:2]]).T / step / SPEED
    assert np.abs(found.stiffness - K).max() < 5e-3 * np.abs(K).max()
    assert np.abs(found.damping - D).max() < 5e-3 * np.abs(D).max()


def test_whirl_of_a_light_load(bearing):
    """Near the middle of the bearing the threshold's frequency is half the speed."""
    found = Coefficients.of(equilibrium(bearing, (0.0, -0.05), SPEED))
    assert found.whirl_frequency == pytest.approx(SPEED / 2, rel=1e-4)


def test_whirl_threshold(bearing):
    """At the critical mass one motion is undamped; above it grows, below all die out."""
    load = (0.0, -10.0)
    found = Coefficients.of(equilibrium(bearing, load, SPEED))
    mass = found.critical_mass
    growth = found.eigenvalues(mass)
    k = np.argmax(growth.real)
    assert abs(growth[k].real) < 1e-9 * SPEED
    assert abs(growth[k].imag) == pytest.approx(found.whirl_frequency, rel=1e-9)
    assert found.eigenvalues(1.05 * mass).real.max() > 0 > found.eigenvalues(0.95 * mass).real.max()
    # heavily loaded bearings do not whirl
    assert Coefficients.of(equilibrium(bearing, (0.0, -200.0), SPEED)).critical_mass == np.inf
    assert threshold_speed(bearing, load, mass, 50.0, 200.0) == pytest.approx(SPEED, rel=1e-5)


def test_critical_mass_is_where_stability_ends():
    """Of random coefficients: below it all motions die out, above it one grows, as eigenvalues say;
    a journal may also be stable, or unstable, with every mass."""
    rng, seen = np.random.default_rng(3), set()
    for _ in range(100):
        K, A = rng.normal(size=(2, 2, 2))
        found = Coefficients(K + np.diag([1.0, 1.0]), A @ A.T + 0.1 * np.eye(2))
        mass = found.critical_mass
        seen.add("all" if mass == 0 else "none" if mass == np.inf else "some")
        for m in np.array([1e-3, 1.0, 1e3]) if mass in (0, np.inf) else mass * np.array([0.9, 1.1]):
            assert (found.eigenvalues(m).real.max() < 0) == (m < mass)
    assert seen == {"all", "none", "some"}


def test_a_film_with_tension_is_unstable():
    """Without cavitation nothing pushes a journal back to its place, whatever its mass: the force
    is at right angles to the displacement."""
    full = Bearing(ShortBearing(R, R, C, MU, Full()))
    found = Coefficients.of(full.solve(Place(e=(0.5 * C, 0, 0), Omega=(0, 0, SPEED))))
    assert found.critical_mass == pytest.approx(0, abs=1e-9)
    for mass in (1e-3, 1.0, 1e3):
        assert found.eigenvalues(mass).real.max() > 0
    with pytest.raises(fc.errors.InputError, match="it whirls and whirls there"):
        threshold_speed(full, (0.0, -10.0), 1.0, 50.0, 200.0)


def test_whirl_by_the_film_itself():
    """The journal let go near equilibrium: its motion through the whole nonlinear film grows or
    dies out as the eigenvalues say."""
    bearing = Bearing(plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=(24, 4)))
    load = np.array([0.0, -10.0])
    rest = equilibrium(bearing, load, SPEED)
    found = Coefficients(rest.stiffness[:2, :2], rest.damping[:2, :2])  # of this coarse mesh
    e0 = np.array(rest.place.e[:2])
    for part in (0.5, 2.0):
        mass = part * found.critical_mass
        values = found.eigenvalues(mass)
        leading = values[np.argmax(values.real)]
        period = 2 * np.pi / abs(leading.imag)

        def rates(y, mass=mass):
            place = Place(e=(*y[:2], 0), V=(*y[2:], 0), Omega=(0, 0, SPEED))
            return np.concatenate([y[2:], (bearing.solve(place).force[:2] + load) / mass])

        y, steps = np.concatenate([e0 + 1e-3 * C, [0, 0]]), 24
        h, sizes = period / steps, []
        for _ in range(3 * steps):
            k1 = rates(y)
            k2 = rates(y + h / 2 * k1)
            k3 = rates(y + h / 2 * k2)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(y + h * k3))
            sizes.append(np.hypot(*(y[:2] - e0)))
        grown = max(sizes[-steps:]) / max(sizes[-2 * steps : -steps])
        assert grown == pytest.approx(np.exp(leading.real * period), rel=2e-2)


def test_bad_input(bearing):
    with pytest.raises(fc.InputError, match="must not be zero"):
        equilibrium(bearing, (0, 0), SPEED)
    with pytest.raises(fc.InputError, match="load must be positive"):
        eccentricity_for(bearing, -1.0, SPEED)
    with pytest.raises(fc.InputError, match="run quietly at low = 50 rad/s"):
        threshold_speed(bearing, (0.0, -10.0), 1e3, 50.0, 200.0)


def test_side_flow_of_half_sommerfeld():
    """Closed form of the short bearing, U c L eps, by h^3 dp/dz of where the pressure is positive;
    the neglected flow around it and that of the width of cells are of second order."""
    L, ratio, errors = R / 16, 0.6, []
    for cells in ((24, 4), (48, 8)):
        film = plain_bearing(
            R, L, C, MU, sliding_speed=R * SPEED, cells=cells, cavitation=Guembel()
        )
        found = Bearing(film).solve(Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED)))
        flow = found.outflow["z0"] + found.outflow["z1"]
        errors.append(1 - flow / (R * SPEED * C * L * ratio))
    assert errors[1] == pytest.approx(0, abs=4e-3) and errors[0] > 3 * errors[1] > 0


# --- the case -----------------------------------------------------------------------------------
KEYS = ("sommerfeld_number load load_x load_y attitude_deg max_pressure friction_torque side_flow "
        "min_film stiffness damping")  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "bearing"
    assert shell(f"run journal_bearing --set film_start=largest_gap --quiet --out {path}") == 0
    return path


def test_run_of_the_case(run, reference):
    names = {p.name for p in run.iterdir()}
    assert names - {".fem_clearance"} == {
        "case.toml",
        "results.h5",
        "summary.json",
        "fields",
        "log.txt",
    }
    summary = json.loads((run / "summary.json").read_text())
    assert set(KEYS.split()) <= set(summary)
    table = reference("butenschoen_1976.json")
    row = table["eps_rotation"].index(0.6)
    So = 1 / (2 * np.pi * summary["sommerfeld_number"])  # F psi^2 / (B D eta omega)
    assert So == pytest.approx(table["So_rotation"][row][0], rel=5e-3)
    assert summary["attitude_deg"] == pytest.approx(table["beta_deg"][row][0], abs=0.1)
    assert summary["load"] == pytest.approx(np.hypot(summary["load_x"], summary["load_y"]))
    assert summary["load_x"] < 0 < summary["load_y"]
    assert summary["min_film"] == pytest.approx(0.4 * C)
    assert np.shape(summary["stiffness"]) == np.shape(summary["damping"]) == (2, 2)
    assert summary["power_loss"] == pytest.approx(summary["friction_torque"] * SPEED)
    results = fc.Results.open(run)
    assert results.time.tolist() == [0.0] and results.unit("side_flow") == "m^3/s"
    assert results["load"][0] == summary["load"]


def test_the_run_again_in_other_ways(run, tmp_path, capsys):
    assert shell(f"run {run / 'case.toml'} --quiet --out {tmp_path / 'again'}") == 0
    first, again = (json.loads((p / "summary.json").read_text()) for p in (run, tmp_path / "again"))
    assert [first[k] for k in KEYS.split()] == [again[k] for k in KEYS.split()]
    case = cases.get("journal_bearing")
    found = case.simulation({"film_start": "largest_gap"}).run().summary
    assert found["load"] == first["load"]
    # the load instead of the eccentricity
    found = case.simulation({"film_start": "largest_gap", "load": first["load"]}).run().summary
    assert found["eccentricity_ratio"] == pytest.approx(0.6, rel=1e-7)
    # the damping is what a rate adds (to a full film: the edge of another moves node by node)
    full = {"film_start": "largest_gap", "cavitation": "full"}
    rest, moving = (
        case.simulation(full | {"eccentricity_rate": rate}).run().summary for rate in (0.0, 1e-3)
    )
    added = (moving["load_x"] - rest["load_x"]) / (1e-3 * C)
    assert added == pytest.approx(-rest["damping"][0][0], rel=1e-3)
    assert shell(f"export {run} --channel load --csv {tmp_path / 'out.csv'}") == 0
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "time,load"
    assert shell(f"plot {run} --quiet") == 0
    drawn = {p.name for p in (run / "figures").iterdir()} - {"bearing.png"}  # that needs OpenGL
    assert drawn == {"film_unfolded.png", "film_round.png"}
    capsys.readouterr()
    assert shell("check journal_bearing") == 0
    assert "without time" in capsys.readouterr().out


def test_cavitation_models_of_the_case(run):
    """Steady films that start at the largest gap: conserving oil changes no force."""
    case, first = cases.get("journal_bearing"), json.loads((run / "summary.json").read_text())

    def load(name):
        changes = {"film_start": "largest_gap", "cavitation": name}
        return case.simulation(changes).run().summary["load"]

    assert load("jfo") == pytest.approx(first["load"], rel=1e-6)
    # Guembel's film lacks the smooth end, the full film pulls
    assert load("guembel") < 0.9 * first["load"] and load("full") > 1.1 * first["load"]


def test_sweep_of_the_case(tmp_path):
    vary = "--vary eccentricity_ratio=0.2,0.4 --set film.cells=24x4 --quiet"
    assert shell(f"sweep journal_bearing {vary} --out {tmp_path / 's'}") == 0
    table = (tmp_path / "s" / "table.csv").read_text().splitlines()
    assert len(table) == 3 and "sommerfeld_number" in table[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("eccentricity_ratio=1.0", "would touch the bearing"),
        ("film.cells=96", "such as 96x16"),
        ("film.cells=95x8 film_start=largest_gap", "even number"),
        ("viscosity=0", "viscosity must be positive"),
        ("speed=0", "nothing moves"),
        ("load=-3", "load must be positive"),
        ("cavitation=reynold", "did you mean 'reynolds'"),
        ("cavitation=jfo", "needs a supply; set film_start=largest_gap"),
    ],
)
def test_the_case_refuses(settings, message, tmp_path, capsys):
    assert shell(f"run journal_bearing --set {settings} --out {tmp_path / 'r'}") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_what_an_analysis_cannot_do(run, capsys):
    for command, message in (
        (f"resume {run}", "no time in which it could go on"),
        (f"view {run}", "no poses of bodies"),
        ("modes journal_bearing", "no system in it"),
    ):
        assert shell(command) == 2
        assert message in capsys.readouterr().err


@pytest.mark.mpi
def test_the_case_on_any_number_of_ranks(shared_tmp_path):
    found = cases.get("journal_bearing").simulation(
        {"film.cells": "24x4"}, output=shared_tmp_path / "run"
    ).run()  # fmt: skip
    alone = cases.get("journal_bearing").simulation({"film.cells": "24x4"}, comm=MPI.COMM_SELF)
    assert found.summary["load"] == alone.run().summary["load"]
    assert found["load"][0] == found.summary["load"]
