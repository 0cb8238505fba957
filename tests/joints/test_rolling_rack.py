"""A pinion on a rack, against a closed form."""

import numpy as np
import pytest

import fem_clearance as fc

RADIUS, Z = 0.1, (0.0, 0.0, 1.0)
INTEGRATORS = [fc.GeneralizedAlpha(0.8), fc.GeneralizedAlpha(0.8, "stabilised"), fc.Bathe()]


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
def test_pinion_and_rack(integrator, side):
    """A rack of mass M on a spring k that turns a pinion of moment J: k / (M + J/R^2)."""
    M, J, k, start = 2.0, 0.05, 400.0, 0.1
    omega = np.sqrt(k / (M + J / RADIUS**2))
    errors = []
    for h in (4e-3, 2e-3):
        system = fc.System(gravity=(0, 0, 0))
        rack = system.add(fc.RigidBody(M, (1, 1, 1), position=(start, 0, 0), name="rack"))
        pinion = system.add(fc.RigidBody(1.0, (J, J, J), position=(0.2, side * RADIUS, 0)))
        system.add(fc.PrismaticJoint(system.ground, rack.center, axis=(1, 0, 0)))
        pin = system.add(fc.RevoluteJoint(system.ground, pinion.center, axis=Z))
        system.add(fc.AngleProbe(pin.i, pin.j, Z, name="turn"))
        system.add(
            fc.RollingJoint(
                rack.at((0, 0, 0)), pinion.center, RADIUS, along=(1, 0, 0), axis=Z, name="mesh"
            )
        )
        anchor = system.ground.point((-2.0, 0, 0))
        system.add(fc.SpringDamper(anchor, rack.center, stiffness=k, free_length=2.0))
        results = fc.Simulation(system, integrator, dt=h, t_end=2.0, newton_tolerance=1e-11).run()
        x = start * np.cos(omega * results.time)
        force = J / RADIUS**2 * omega**2 * x  # what turns the pinion
        errors.append(
            [
                np.abs(results["rack.x"] - x).max(),
                np.abs(results["turn.angle"] - side * (start - x) * -1 / RADIUS).max() * RADIUS,
                np.abs(np.abs(results["mesh.tangential_force"]) - np.abs(force)).max(),
            ]
        )
        assert results["mesh.contact.y"] == pytest.approx(0, abs=1e-9)
    assert np.all(np.array(errors[1]) < [2e-3 * start, 2e-3 * start, 2e-3 * k * start])
    order = np.log2(np.divide(*errors))
    assert np.all(order > 1.8), order
