"""Warm films on elastic liners: heat, loss and what expanding walls feed, bores that yield along
the normal only and bores that the oil's shear drags along."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Bearing,
    Conducting,
    Liner,
    Lubricant,
    Place,
    Reynolds,
    Shaft,
    bearing_on,
)

from .test_ehd import LENGTH, C, R, size
from .test_ehd_joint import rotor

SPEED, SUPPLY, SWELLS = 300.0, 323.0, 12e-6
SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=8000)


def lined(warm, shear, cavitation=None, clearance=C):
    """A film on the facets of a soft liner."""
    mesh = fc.meshes.hollow_cylinder(R, 25e-3, LENGTH, (16, 2, 1))
    solid = fc.CondensedSolid(mesh, SOFT, clamped="rim", facets="bore", responses=8,
                              direction="any" if shear else "normal")  # fmt: skip
    liner = Liner(solid, shear=shear)
    film = bearing_on(liner.surface(), clearance, Lubricant(0.02), sliding_speed=R * SPEED,
                      thermal=warm, cavitation=cavitation or Reynolds())  # fmt: skip
    return film, liner


def conducting(swells):
    more = {"journal_expansion": SWELLS} if swells else {}
    return Conducting(SUPPLY, bush=SUPPLY, journal=Shaft(capacity=0.02), **more)


@pytest.mark.parametrize(
    ("warm", "shear", "cavitation"),
    [
        (conducting(True), False, Reynolds()),
        (conducting(True), True, Reynolds()),
        (conducting(False), True, JFO()),
        (Adiabatic(SUPPLY), True, Reynolds()),
    ],
)
def test_heat_is_what_bodies_and_walls_lose(warm, shear, cavitation):
    """In each step heat = loss of journal and liner + power of the walls, which counts."""
    film, liner = lined(warm, shear, cavitation)
    swells = getattr(warm, "journal_expansion", 0.0) > 0
    system = rotor(liner, film, load=(0, -300.0, 0), grows=False, at=(0.5, 0, 0), spin=SPEED)
    run = fc.Stepper(system, dt=2e-5, t_end=1e-3, newton_tolerance=1e-12)
    run.start()
    for _ in range(5):
        run.advance()
        run.channels.read()
        loss, heat = (run.channels[f"film.{n}"] for n in ("power_loss", "heat"))
        fed = run.channels["film.expansion_power"] if swells else 0.0
        assert heat == pytest.approx(loss + fed, rel=1e-9)
    assert abs(fed) > 1e-5 * heat or not swells


@pytest.mark.parametrize("shear", [False, True])
def test_warm_journal_on_a_liner(shear):
    """A journal 10 K warmer than the supply is one in a clearance that is alpha R 10 K less
    (measured 1.2e-5: facets are not quite round)."""
    films = []
    for warmer, clearance in ((10.0, C), (0.0, C - SWELLS * R * 10.0)):
        warm = Conducting(SUPPLY, bush=SUPPLY, journal=SUPPLY + warmer, journal_expansion=SWELLS)
        bearing = Bearing(*lined(warm, shear, clearance=clearance))
        films.append(bearing.solve(Place((0.5 * C, 0.2 * C, 0), Omega=(0, 0, SPEED))))
    swollen, tight = films
    np.testing.assert_allclose(swollen.force, tight.force, rtol=1e-4, atol=1e-6 * size(tight))
    assert swollen.power_loss == pytest.approx(tight.power_loss, rel=1e-4)
    assert swollen.warm.heat == pytest.approx(swollen.power_loss, rel=1e-10)
