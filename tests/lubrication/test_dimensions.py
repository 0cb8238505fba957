"""What is told of unlikely bearings: lengths in another unit, an axis across the rotation."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import CylindricalFilm, ShortBearing, plain_bearing

R, L, C = 10e-3, 10e-3, 5e-5


def crank(radius=R, length=L, clearance=C, axis=(0, 0, 1), along=0.05, form=True):
    """A crank of 50 mm that is driven about z, and a rod on its pin in a film."""
    system = fc.System(gravity=(0, 0, 0))
    arm = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(0.0, 0, 0), name="arm"))
    rod = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(along, 0, 0), name="rod"))
    pin = system.add(fc.RevoluteJoint(system.ground.at((0, 0, 0)), arm.center, (0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), lambda t: 500 * t**2))
    make = ShortBearing if form else plain_bearing
    film = make(radius, length, clearance, 0.08)
    journal = arm.at((along, 0, 0))
    system.add(CylindricalFilm(rod.center, journal, axis, film=film, name="film"))
    return system


@pytest.mark.parametrize("options, message", [
    ({}, None),
    ({"radius": 10.0, "length": 10.0}, "5e-06 of the radius of 10 m"),
    ({"radius": 10.0, "length": 10.0, "form": False}, "5e-06 of the radius of 10 m"),
    ({"radius": 10.0, "length": 10.0, "clearance": 0.04}, "larger than the mechanism, of 0.05 m"),
    # the distance of a journal from its bearing is no size of a mechanism
    ({"along": 0.9 * C}, None),
])  # fmt: skip
def test_units(caplog, options, message):
    crank(**options).assemble()
    said = [r.message for r in caplog.records if "given in m?" in r.message]
    assert len(said) == (message is not None)
    assert message is None or message in said[0]


@pytest.mark.parametrize("axis, leans", [((0, 0, 1), False), ((1, 0, 0), True)])
def test_axis_across_the_rotation(caplog, axis, leans):
    system = crank(axis=axis)
    fc.Simulation(system, dt=5e-4, t_end=0.02, progress=False).run()
    turned = np.degrees(500 * 0.02**2)
    said = [r.message for r in caplog.records if "leaned up to" in r.message]
    assert len(said) == leans
    if leans:
        assert f"leaned up to {turned:.3g} deg" in said[0]
