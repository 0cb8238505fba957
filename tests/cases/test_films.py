"""Films of the cases: grooves, directions of the load and laws of the viscosity by parameters."""

import numpy as np
import pytest
from scipy.integrate import quad

from fem_clearance import InputError, cases
from fem_clearance.io.vtk import read_vtu
from fem_clearance.lubrication import Barus, Lubricant, Roelands
from fem_clearance.plotting import films

R, C, MU = 15e-3, 2e-4, 0.04


def run(**changes):
    """Results of ``journal_bearing``; double underscores stand for dots."""
    values = {k.replace("__", "."): v for k, v in changes.items()}
    return cases.get("journal_bearing").simulation(values, progress=False).run()


def number(results, name):
    return float(results[name][-1])


def test_grooves_are_read():
    p = cases.get("journal_bearing").resolve(
        {"grooves.angles": "90,270", "grooves.widths": "20", "grooves.pressures": "1e5, 2e5",
         "grooves.lengths": "0.01,0.02", "grooves.drag": "false"}
    )  # fmt: skip
    from fem_clearance.cases.parts.films import grooves_of

    first, second = grooves_of(p)
    assert (first.angle, second.angle) == pytest.approx((np.pi / 2, 3 * np.pi / 2))
    assert first.width == second.width == pytest.approx(np.radians(20))
    assert (first.pressure, second.pressure) == (1e5, 2e5)
    assert (first.length, second.length, first.place) == (0.01, 0.02, 0.0)
    assert not first.drag
    for key in ("widths", "pressures", "lengths", "places"):
        wrong = cases.get("journal_bearing").resolve(
            {"grooves.angles": [0, 90, 180], f"grooves.{key}": [1e-3, 2e-3]}
        )
        with pytest.raises(InputError, match=f"grooves.{key} .* one value for all 3 grooves"):
            grooves_of(wrong)


def test_supply_of_a_ring():
    """Two rings, the journal in the middle and at rest: between them nothing flows, outwards
    Poiseuille's flow (closed form)."""
    results = run(
        eccentricity_ratio=0.0, speed=0.0, grooves__angles=[0, 0], grooves__widths=[360],
        grooves__lengths=[0.004], grooves__places=[-0.006, 0.006], grooves__pressures=[3e5],
        film__cells="48x15", cavitation="full",
    )  # fmt: skip
    flow = 2 * (2 * np.pi * R * C**3 / (12 * MU) * 3e5 / 0.007)
    assert number(results, "side_flow") == pytest.approx(flow, rel=1e-5)
    assert number(results, "supply_flow") == pytest.approx(flow, rel=1e-5)
    assert number(results, "max_pressure") == pytest.approx(3e5, rel=1e-12)


def test_supply_of_the_line_where_the_film_starts():
    """The line at the largest gap feeds what leaves the ends where the film keeps its oil; where it
    makes up for it the line feeds less (less than nothing), and is no supply."""
    common = {"film_start": "largest_gap", "film__cells": "48x8"}
    kept = run(cavitation="jfo", **common)
    assert number(kept, "side_flow") > 4e-6
    assert number(kept, "supply_flow") == pytest.approx(number(kept, "side_flow"), rel=1e-9)
    assert "supply_flow" not in run(**common)  # of Reynolds
    assert "supply_flow" in run(grooves__angles=[180.0], film__cells="48x8")


def test_direction_of_the_load():
    """Bearing and load turned by 60 degrees, 12 of 72 cells: the same eccentricity and attitude;
    without grooves the load's direction does not matter, and the answer is that of the journal held
    on the x axis under that load (L/D 1, no crowding)."""
    same = {"load": 60.0, "film__cells": "72x9", "film__crowd": 0.0}
    fed = {**same, "grooves__pressures": [1e5], "grooves__lengths": [0.02]}
    first = run(load__angle=-90.0, grooves__angles=[80.0, 200.0], **fed)
    other = run(load__angle=-30.0, grooves__angles=[140.0, 260.0], **fed)
    for name in ("eccentricity_ratio", "attitude_deg", "supply_flow", "load_x", "load_y"):
        assert number(other, name) == pytest.approx(number(first, name), rel=1e-7)
    turn = np.angle((number(other, "ex") + 1j * number(other, "ey"))
                    / (number(first, "ex") + 1j * number(first, "ey")))  # fmt: skip
    assert turn == pytest.approx(np.pi / 3, abs=1e-7)
    assert number(first, "load") == pytest.approx(60.0, rel=1e-8)
    plain = run(load__angle=-90.0, cavitation="full", **same)
    held = run(cavitation="full", **same)
    for name in ("eccentricity_ratio", "attitude_deg", "friction_torque"):
        assert number(plain, name) == pytest.approx(number(held, name), rel=2e-3)


def test_laws_of_the_viscosity():
    """A long bearing (L/D 8) without cavitation: Reynolds' equation for Barus' viscosity is the
    linear one in q = (1 - exp(-alpha p)) / alpha, so the largest pressure is that of q by
    quadrature; Roelands with z = 1 is Barus with alpha = (ln mu + 9.67) / 1.96e8."""
    speed, ratio, alpha = 1000.0, 0.7, 2e-7
    h = lambda a: 1 - ratio * np.cos(a)  # noqa: E731
    least = (
        quad(lambda a: h(a) ** -2, 0, 2 * np.pi)[0] / quad(lambda a: h(a) ** -3, 0, 2 * np.pi)[0]
    )
    unit = 6 * MU * speed * (R / C) ** 2
    slope = lambda a: unit * (h(a) - least) / h(a) ** 3  # noqa: E731
    peak = np.arccos((1 - least) / ratio)  # where h is that of the largest pressure again
    start = -np.pi  # ambient at the largest gap
    largest = max(quad(slope, start, s * peak)[0] for s in (-1, 1))
    common = {"L_over_D": 8.0, "eccentricity_ratio": ratio, "speed": speed, "cavitation": "full",
              "film_start": "largest_gap", "film__cells": "96x12"}  # fmt: skip
    plain = number(run(**common), "max_pressure")
    assert plain == pytest.approx(largest, rel=0.02)
    barus = number(run(viscosity__law="barus", viscosity__alpha=alpha, **common), "max_pressure")
    assert alpha * plain > 0.2
    assert barus == pytest.approx(-np.log(1 - alpha * plain) / alpha, rel=1e-2)
    alpha = (np.log(MU) + 9.67) / 1.96e8
    first, second = (
        number(run(**common, **law), "max_pressure")
        for law in (
            {"viscosity__law": "roelands", "viscosity__z": 1.0},
            {"viscosity__law": "barus", "viscosity__alpha": alpha},
        )
    )
    assert first == pytest.approx(second, rel=1e-9)
    assert first == pytest.approx(-np.log(1 - alpha * plain) / alpha, rel=1e-2)
    assert first > 1.02 * plain


def test_grooves_on_liners():
    """On a liner of 1e17 Pa, whose bore's nodes lie at the grooves' edges, the film is that in a
    rigid bore; without the supply it is another."""
    case, found = cases.get("ehd_bearing"), []
    for extra in (
        {"liner": "rigid", "film.cells": "24x4", "film.crowd": 0.0},
        {"liner": "full", "liner.cells": "24x4x1", "liner.E": 1e17},
        {"liner": "rigid", "film.cells": "24x4", "film.crowd": 0.0, "grooves.pressures": [0.0]},
    ):
        values = {"grooves.angles": [90.0, 240.0], "grooves.widths": [30.0], "speed": 30.0,
                  "grooves.lengths": [0.015], "grooves.pressures": [1e5, 0.0]} | extra  # fmt: skip
        results = case.simulation(values, progress=False).run()
        found.append([number(results, n) for n in ("load_x", "load_y", "supply_flow")])
    assert found[1] == pytest.approx(found[0], rel=1e-6)
    assert abs(found[2][1] - found[0][1]) > 0.5 * abs(found[2][1])


def test_every_case_with_a_film_reads_the_laws():
    for name, extra in (
        ("quick_return", {}), ("slider_crank_revolute", {}), ("slider_crank_translational", {}),
        ("double_pendulum", {}), ("spatial_four_bar", {}), ("spherical_bearing", {}),
        ("ehd_bearing", {}), ("journal_bearing", {}),
    ):  # fmt: skip
        from fem_clearance.cases.parts.films import lubricant_of

        case = cases.get(name)
        assert type(lubricant_of(case.resolve(extra))) is Lubricant
        barus = lubricant_of(case.resolve({"viscosity.law": "barus", "viscosity.alpha": 1e-8}))
        assert isinstance(barus, Barus) and barus.alpha == 1e-8
        assert isinstance(lubricant_of(case.resolve({"viscosity.law": "roelands"})), Roelands)


def test_bad_input():
    closed = {"joint.kind": "lubricated", "joint.film": "closed_form"}
    for name, changes, words in (
        ("journal_bearing", {"load.angle": 3.0}, "direction of the load"),
        ("journal_bearing", {"load": 9.0, "load.angle": 3.0, "film_start": "largest_gap"},
         "add a groove instead"),
        ("journal_bearing", {"load": 9.0, "load.angle": 3.0, "eccentricity_rate": 1.0}, "at rest"),
        ("journal_bearing", {"cavitation": "jfo"}, "needs a supply"),
        ("journal_bearing", {"speed": 0.0, "grooves.angles": [0.0]}, "nothing moves"),
        ("journal_bearing", {"grooves.angles": [0.0], "grooves.widths": [400.0]}, "grooves.widths"),
        ("slider_crank_revolute", closed | {"viscosity.law": "barus"}, "constant viscosity"),
        ("slider_crank_revolute", closed | {"cavitation": "jfo"}, "guembel and full"),
        ("slider_crank_revolute", closed | {"grooves.angles": [0.0]}, "no grooves"),
        ("double_pendulum", {"joint.kind": "lubricated", "viscosity.law": "barus"}, "closed form"),
    ):  # fmt: skip
        case = cases.get(name)
        with pytest.raises(InputError, match=words):
            case.built(case.resolve(changes))


@pytest.mark.parametrize("grooves", [{}, {"grooves.angles": [90, 270], "grooves.pressures": [1e5]}])
def test_quick_return_conserves_its_oil(grooves):
    """JFO in the bearings of the shafts, with and without grooves: each step the content changes by
    what flows in (no law of the film in it), to what Newton's method leaves."""
    results = cases.get("quick_return").simulation(
        {"cavitation": "jfo", "t_end": 6e-4, "film.cells": "24x4", "shaft.elements": 2,
         "rod.elements": 6, **grooves}, progress=False,
    ).run()  # fmt: skip
    lost = []
    for name in "ADCF":
        content, inflow = (results[f"bearing.{name}.{n}"] for n in ("content", "inflow"))
        balance = np.diff(content) - np.diff(results.time) * inflow[1:]
        assert np.abs(balance).max() < 1e-11 * content[0]
        full = 2 * np.pi * 0.0185 * 0.014 * C
        assert content[0] == pytest.approx(full, rel=0.03)
        lost.append(1 - content[-1] / content[0])
    assert max(lost) > 1e-3


def test_warm_journal_bearing():
    """Warm oil is thinner: the same load lies deeper, and less is lost."""
    same = {"load": 3000.0, "load__angle": -90.0, "film__cells": "48x8", "clearance": 3e-5}
    cold, warm = (run(thermal=z, speed=300.0, **same) for z in ("none", "adiabatic"))
    assert number(warm, "eccentricity_ratio") > number(cold, "eccentricity_ratio") + 0.02
    assert number(warm, "power_loss") < 0.9 * number(cold, "power_loss")
    # no more heat leaves with the oil at the ends than at the highest temperature
    most = 870 * 2000 * number(warm, "side_flow") * (number(warm, "max_temperature") - 313.15)
    assert most > number(warm, "power_loss")


def test_thermal_bearing(tmp_path):
    """What the summary tells, figures with temperatures, and what is refused."""
    case = cases.get("thermal_bearing")
    results = case.simulation(
        {"film.cells": "12x4"}, output=tmp_path / "run", progress=False
    ).run()  # fmt: skip
    summary = results.summary
    assert {"eccentricity_ratio", "attitude_deg", "power_loss", "max_temperature"} <= {*summary}
    assert {*summary["groove_temperatures"]} == {"left", "right"}
    assert summary["heat"] == pytest.approx(summary["oil_heat"], rel=1e-9)
    data = read_vtu(next((tmp_path / "run" / "fields").glob("*.vtu")))
    assert data["temperature"].max() == pytest.approx(summary["max_temperature"], abs=1e-6)
    names = [name for name, _ in case.figures(results, None)]
    assert names == ["film_unfolded", "film_round"]
    heats = case.simulation(
        {"film.cells": "12x4", "thermal": "conducting"}, output=tmp_path / "heats", progress=False
    ).run()  # fmt: skip
    film = films.read(tmp_path / "heats")
    assert film.bore.max() == pytest.approx(heats.summary["max_bush_temperature"], abs=1e-6)
    drawn = [ax.get_ylabel() for ax in films.unfolded(film).axes]
    assert {"oil temperature [K]", "bush temperature [K]"} <= {*drawn}
    with pytest.raises(InputError, match="thermal"):
        case.resolve({"thermal": "radiating"})
    with pytest.raises(InputError, match="use reynolds, full or jfo"):
        quick = cases.get("quick_return")
        quick.build(quick.resolve({"thermal": "adiabatic", "cavitation": "guembel"}))
    assert quick.resolve({"thermal": "adiabatic"})["cavitation"] == "reynolds"
    with pytest.raises(InputError, match="closed form has no temperature"):
        quick.build(quick.resolve({"thermal": "adiabatic", "joint.film": "closed_form"}))


COARSE = {"film.cells": "12x2", "shaft.elements": 2, "rod.elements": 4, "t_end": 4e-5}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"t_end": 6e-4}, marks=pytest.mark.slow),
        COARSE,
    ],
    ids=["as by default", "coarse"],
)
def test_warm_bearings_of_the_quick_return_mechanism(changes):
    """What the bodies lose in each bearing is the heat that its oil takes, in every step; hottest
    where most is lost."""
    results = cases.get("quick_return").simulation(
        {"thermal": "adiabatic"} | changes, progress=False
    ).run()  # fmt: skip
    hottest, lost = {}, {}
    for name in "ACDF":
        loss = results[f"bearing.{name}.power_loss"][1:]
        assert loss.min() > 0
        for heat in ("heat", "oil_heat"):
            np.testing.assert_allclose(results[f"bearing.{name}.{heat}"][1:], loss, rtol=1e-7)
        hottest[name] = results[f"bearing.{name}.max_temperature"][-1]
        lost[name] = loss.mean()
    assert max(hottest, key=hottest.get) == max(lost, key=lost.get)
    assert min(hottest.values()) > 313.15
