"""Nothing in time stepping depends on the unit of time: a run in units of 1/1024 s takes the same
steps, and its times, speeds and events are those in seconds to the last bit (a power of two)."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.functions import SmoothRamp

UNIT = 1024.0


def clearance(unit):
    """Two rigid arms with a joint with clearance: the first contacts."""
    steel = fc.StVenantKirchhoff(E=2.07e11 / unit**2, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, -9.81 / unit**2, 0))
    arms = [
        system.add(
            fc.RigidBody(
                shape=fc.shapes.Box(0.3, 0.01, 0.01),
                density=7800,
                position=(x, 0, 0),
                name=f"arm{k}",
            )
        )
        for k, x in enumerate((0.15, 0.45))
    ]
    system.add(fc.SphericalJoint(system.ground, arms[0].at((0, 0, 0)), name="pivot"))
    system.add(
        fc.SphericalClearance(
            arms[0].at((0.3, 0, 0)),
            arms[1].at((0.3, 0, 0)),
            socket_radius=0.02,
            ball_radius=0.018,
            materials=(steel, steel),
            name="joint",
        )
    )
    return system, 0.03 * unit


def flying(unit):
    """A ball that flies to and fro in its socket, without gravity, for 3 s: nothing falls."""
    steel = fc.StVenantKirchhoff(E=2.07e8 / unit**2, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0.01 / unit, 0, 0), name="arm1"))
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)),
            ball.center,
            socket_radius=0.02,
            ball_radius=0.018,
            materials=(steel, steel),
            name="joint",
        )
    )
    return system, 3.0 * unit


def driven(unit):
    """A wheel that a driver speeds up, from rest and without gravity: no speed at the start."""
    system = fc.System(gravity=(0, 0, 0))
    wheel = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), name="arm1"))
    pin = system.add(fc.RevoluteJoint(system.ground, wheel.center, axis=(0, 0, 1)))
    ramp = SmoothRamp(10.0 / unit, 0.05 * unit)
    system.add(fc.RotationDriver(pin.i, pin.j, axis=(0, 0, 1), angle=ramp))
    return system, 0.2 * unit


@pytest.mark.parametrize("make", [clearance, flying, driven])
@pytest.mark.parametrize("integrator", [fc.GeneralizedAlpha(0.8), fc.Bathe()], ids=str)
def test_unit_of_time(make, integrator):
    seconds, others = (
        fc.Simulation(system, integrator, t_end=t_end).run()
        for system, t_end in (make(1.0), make(UNIT))
    )
    assert len(seconds.time) > 20
    assert np.array_equal(others.time, UNIT * seconds.time)
    for k in "xyz":
        assert np.array_equal(others[f"arm1.{k}"], seconds[f"arm1.{k}"])
        speed = UNIT * others[f"arm1.v{k}"]
        assert speed == pytest.approx(seconds[f"arm1.v{k}"], rel=0, abs=1e-30)  # but for underflow
    assert [e.time for e in others.events] == [UNIT * e.time for e in seconds.events]
    assert bool(seconds.events) == (make is not driven)
