"""Warm films: broken ones, what has no solution, what is refused, and surfaces of several pads."""

import logging

import numpy as np
import pytest

from fem_clearance.errors import InputError, StepFailed
from fem_clearance.lubrication import (
    Adiabatic,
    Asperities,
    Bearing,
    Film,
    Full,
    Guembel,
    Lubricant,
    Place,
    Reynolds,
    RoelandsTemperature,
    Vogel,
    cylinder,
    joined,
)

from .thermal import LOADED, SPEED, WARM_OIL, C, L, R, pads, solved, wedge


@pytest.mark.parametrize(("cells", "off"), [((32, 8), 1.2e-3), ((64, 16), 6e-4)])
def test_broken_film_of_reynolds(cells, off):
    """Ends only: fresh oil comes where the film is broken, also at the ends, and what leaves there
    takes the loss with it."""
    surface = cylinder(R, L, cells)
    film = Film(surface, C, WARM_OIL, Reynolds(), sliding_speed=R * SPEED,
                thermal=Adiabatic(323.0))  # fmt: skip
    bearing, state = solved(film, LOADED)
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-11)
    assert state.warm.heat == pytest.approx(state.power_loss, rel=1e-11)
    flow = -bearing.state.residual()[bearing.at_complement] * film.rate_unit / film.pressure_unit
    ends = np.concatenate([surface.sets[z] for z in ("z0", "z1")])
    rise = state.warm.temperature[ends] - 323.0
    out = WARM_OIL.heat_capacity * np.maximum(flow[ends], 0.0) @ rise
    assert out == pytest.approx(state.power_loss, rel=off)


def test_heat_that_nothing_carries_away():
    """A journal in the middle passes no oil through the film: it warms for ever."""
    film = Film(cylinder(R, L, (16, 4)), C, WARM_OIL, Full(), sliding_speed=R * SPEED,
                thermal=Adiabatic(323.0))  # fmt: skip
    with pytest.raises(StepFailed, match="nothing carries its heat away"):
        Bearing(film).solve(Place(Omega=(0.0, 0.0, SPEED)))


def test_from_nothing_near_the_wall():
    """Where Newton's method fails at the full speed the film is followed from a low one; no raw
    error comes out, and heat balances."""
    place = Place(e=(0.65 * C, -0.65 * C, 0.0), Omega=(0.0, 0.0, SPEED))
    _, state = solved(pads((24, 8)), place)
    assert state.warm.temperature.max() > 355.0
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-10)


def test_beyond_the_bounds_is_said(caplog):
    film = pads((20, 8), bounds=(-5.0, 10.0))
    with caplog.at_level(logging.WARNING):
        solved(film, LOADED)
    said = [r.getMessage() for r in caplog.records if "leave the bounds" in r.getMessage()]
    assert len(said) == 1 and "328" not in said[0] and "333" in said[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pads((8, 4), Reynolds()), "grooves that mix need Streamers"),
        (lambda: pads((8, 4), Guembel(), grooves={}), "takes Reynolds"),
        (lambda: pads((8, 4), grooves={"left": ("end7",)}), "no nodes marked 'end7'"),
        (lambda: Adiabatic(-3.0), "supply must be positive"),
        (lambda: Adiabatic(323.0, carry_over=1.5), "carry_over"),
        (lambda: Adiabatic(323.0, {"a": "x0"}), "list of names"),
        (lambda: Adiabatic(323.0, bounds=(10.0, 200.0)), "bounds are K over"),
        (
            lambda: pads((8, 4), oil=Lubricant(0.04, temperature=Vogel(700.0, 310.0))),
            "Adiabatic\\(bounds",
        ),
        (
            lambda: pads((8, 4), bounds=(-200.0, 200.0),
                         oil=Lubricant(0.04, temperature=RoelandsTemperature())),
            "at 123 K the lubricant's viscosity would be nan",
        ),
        (
            lambda: Film(cylinder(R, L, (8, 4)), C, WARM_OIL, thermal=323.0),
            "thermal must be Adiabatic",
        ),
        (
            lambda: Film(cylinder(R, L, (8, 4)), C, WARM_OIL, thermal=Adiabatic(323.0),
                         asperities=Asperities(1e-6, 1e11)),
            "omit asperities",
        ),
    ],
)  # fmt: skip
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_joined_pads():
    """Sets of each pad by its number, ends of all; coarser where all are; cells and nodes as they
    were."""
    arcs = [cylinder(R, L, (8, 4), arc=0.9, start=s) for s in (0.0, 1.0, 2.5)]
    surface = joined(arcs)
    assert len(surface.nodes) == 3 * 45 and len(surface.cells) == 3 * 32
    assert {*surface.sets} == {"z0", "z1", *(f"{n}{k}" for n in ("start", "end") for k in range(3))}
    angle = np.arctan2(surface.nodes[:, 1], surface.nodes[:, 0])
    np.testing.assert_allclose(angle[surface.sets["start1"]], 1.0, atol=1e-12)
    np.testing.assert_allclose(angle[surface.sets["end2"]], 3.4 - 2 * np.pi, atol=1e-12)
    np.testing.assert_allclose(surface.nodes[surface.sets["z1"], 2], L / 2)
    assert surface.areas().sum() == pytest.approx(3 * 0.9 * R * L, rel=1e-5)
    assert surface.coarser is not None and len(surface.coarser.cells) == 3 * 16
    with pytest.raises(InputError, match="at least one pad"):
        joined([])


def test_viscosity_without_temperature_is_said(caplog):
    """Once for each lubricant."""
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            wedge(4, oil=Lubricant(0.0412345))
    said = [r.getMessage() for r in caplog.records if "follows only the heat" in r.getMessage()]
    assert len(said) == 1 and len(said[0]) <= 400
