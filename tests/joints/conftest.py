"""Steps of fixed size, and systems that these tests share."""

import numpy as np
import pytest

import fem_clearance as fc

Z = (0.0, 0.0, 1.0)


@pytest.fixture(scope="session")
def march():
    """Steps of fixed size from the start; the named channels over time (all by default)."""

    def run(system, h, t_end, *channels, rho_inf=0.8, tolerance=1e-10):
        stepper = fc.Stepper(
            system, fc.GeneralizedAlpha(rho_inf), dt=h, t_end=t_end, newton_tolerance=tolerance
        )
        stepper.start()
        names = channels or system.channels.names
        rows = []
        while True:
            rows.append([stepper.t, *(system.channels[n] for n in names)])
            if stepper.t >= t_end:
                break
            stepper.advance()
        return dict(zip(("time", *names), np.array(rows).T, strict=True))

    return run


@pytest.fixture
def pendulum():
    """A rod on a revolute at the origin, released along x; returns system, body and joint."""

    def make(mass=2.0, length=1.0, joint=fc.RevoluteJoint, gravity=(0, -9.81, 0), **body):
        system = fc.System(gravity)
        inertia = mass * length**2 / 12
        rod = system.add(
            fc.RigidBody(
                mass,
                (0.1 * inertia, inertia, inertia),
                position=(length / 2, 0, 0),
                name="rod",
                **body,
            )
        )
        axis = {} if joint is fc.SphericalJoint else {"axis": Z}
        pin = system.add(joint(system.ground, rod.at((0, 0, 0)), name="pin", **axis))
        return system, rod, pin

    return make
