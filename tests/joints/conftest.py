"""A bare time loop, so that these tests need nothing above the integrator; systems they share."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.newton import Newton

Z = (0.0, 0.0, 1.0)


def _accept(state):
    for k, parts in zip(state.observers, state.observe(), strict=True):
        component = state.components[k]
        observed = {name: parts[:, n] for n, name in enumerate(component.observables)}
        component.kind.accept(state.parameters[k], observed)


@pytest.fixture(scope="session")
def march():
    """Steps of fixed size from the start; the named channels over time (all by default)."""

    def run(system, h, t_end, *channels, rho_inf=0.8, tolerance=1e-10):
        state = system.assemble()
        newton = Newton(state, tolerance)
        scheme = fc.GeneralizedAlpha(rho_inf).scheme(newton)
        scheme.start(h)
        names = channels or system.channels.names
        rows = []

        def record():
            system.channels.read()
            rows.append([scheme.t, *(system.channels[n] for n in names)])

        record()
        for _ in range(round(t_end / h)):
            assert not (why := scheme.step(h)), f"t = {scheme.t}: {why}"
            newton.accepted()
            _accept(state)
            record()
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
