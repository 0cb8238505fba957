"""Bores that the shear stress of the oil deforms: torques, closed forms, balances.

The bearing is that of test_ehd.py: 15 mm, clearance .02 mm, .04 Pa s, 1000 rad/s.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Bearing, Full, Liner, Place, bearing_on, cylinder

from .test_ehd import LENGTH, MU, RIM, SPEED, C, E, R, solid
from .test_ehd_joint import amplitudes, film_on, rotor


def sheared(cells=(24, 3, 1), kind=fc.Solid, **options):
    options = {"direction": "any"} | options if kind is fc.CondensedSolid else options
    return Liner(solid(cells, kind, **options).solid, shear=True)


def reactions(bearing):
    """Force of the rim on the liner, N, and its moment about the bearing's axis, N m."""
    state, body = bearing.state, bearing.lined.solid
    numbers = body.displacement(np.arange(len(body.nodes))[:, None]).numbers
    rows = state.residual()[state.locate(numbers)].reshape(-1, 3)[body.held]
    return rows.sum(axis=0), np.cross(body.nodes[body.held], rows).sum(axis=0)[2]


def test_twist_of_a_ring():
    """A journal in the middle: Petroff's stress tau = mu Omega R / c twists the ring between bore
    and rim by u(R) = tau R^2 (1/R^2 - 1/RIM^2) R / (2 G), and the rim holds the torque."""
    liner = sheared((24, 2, 4))
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED, cavitation=Full())
    bearing = Bearing(film, liner)
    found = bearing.solve(Place(Omega=(0, 0, SPEED)))
    tau, G = MU * SPEED * R / C, E / 2.6
    torque = tau * 2 * np.pi * R**2 * LENGTH
    assert found.moment[2] == pytest.approx(-torque, rel=1e-3)
    assert reactions(bearing)[1] == pytest.approx(-torque, rel=1e-3)
    body = bearing.lined.solid
    u = body.at_nodes(bearing.state.everything(bearing.state.q))
    bore = np.hypot(*body.nodes[:, :2].T) < 1.001 * R
    around = np.cross([0, 0, 1.0], body.nodes[bore] / R)
    twist = tau * R / (2 * G) * (1 - (R / RIM) ** 2)
    np.testing.assert_allclose(np.sum(u[bore] * around, axis=1), twist, rtol=5e-3)


@pytest.mark.parametrize("kind", [fc.Solid, fc.CondensedSolid])
def test_torques(kind):
    """Off the middle the torques on journal and bearing differ: the film's force on the journal
    acts beside the bearing's axis, M_bearing = -(M_journal + e x F), .09 of either here."""
    liner = sheared(kind=kind)
    bearing = Bearing(bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED), liner)
    e = np.array((0.85 * C, 0.1 * C, 0))
    found = bearing.solve(Place(tuple(e), Omega=(0, 0, SPEED)))
    arm = np.cross(e, found.force)[2]
    assert abs(arm) > 0.05 * abs(found.moment[2])
    lost = -(found.moment @ np.array((0, 0, SPEED)))
    assert found.power_loss == pytest.approx(lost, rel=1e-9)
    if kind is fc.Solid:
        force, torque = reactions(bearing)
        assert torque == pytest.approx(found.moment[2] + arm, rel=5e-4)
        np.testing.assert_allclose(force[:2], found.force[:2], atol=3e-3 * abs(found.force).max())


def coarse():
    """A condensed bore on whose facets the film lies."""
    return sheared((12, 2, 1), fc.CondensedSolid, responses=24)


def test_balance_in_motion():
    """Tilted, both bodies free: what they lose is the film's heat and the work on the liner."""
    liner = coarse()
    system = rotor(liner, film_on(liner.surface()), at=(0.6, 0.2, 10.0), tilt=5e-4, free=True)
    h = 2e-6
    stepper = fc.Stepper(system, dt=h, t_end=1e-3, newton_tolerance=1e-13)
    stepper.start()
    body = next(i for i in system.items if i.name == "film.liner")
    last = amplitudes(system)
    for _ in range(6):
        stepper.advance()
        stepper.channels.read()
        now = amplitudes(system)
        stored = body.stiffness * now @ (now - last) / h
        last = now
        lost = stepper.channels["power.film"]
        assert stepper.channels["power.to_films"] == pytest.approx(lost + stored, rel=1e-10)
    assert stepper.rejected_steps == 0 and abs(stored) > 1e-6 * lost


def test_bad_input():
    film = film_on(cylinder(R, LENGTH, (16, 3)))
    with pytest.raises(fc.InputError, match="direction='any'"):
        Liner(solid((12, 2, 1), fc.CondensedSolid).solid, shear=True)
    with pytest.raises(fc.InputError, match="must be the facets of the liner"):
        Bearing(film, coarse())
    with pytest.raises(fc.InputError, match="deforms bores only"):
        Bearing(film, journal=coarse())
