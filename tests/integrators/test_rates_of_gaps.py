"""Forces on small differences of large motions, with constraints on velocities too."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.timestepping import rows

Z = (0, 0, 1)
RADIUS, SPEED, MASS = 0.05, 100.0, 1.0  # m, rad/s, kg
STIFFNESS, DAMPING = 1e7, 1e5  # N/m, N s/m
HELD = [
    fc.GeneralizedAlpha(1.0),
    fc.GeneralizedAlpha(0.8, "stabilised"),
    fc.GeneralizedAlpha(0.0, "stabilised"),
    fc.Bathe(),
    fc.Bathe(split=0.586),
]


def carried():
    """A body on a spring and a damper that a driven crank carries about, as an oil film would, and
    the exact distance between body and pin as a complex function of time."""
    part = MASS * SPEED**2 / (STIFFNESS + 1j * DAMPING * SPEED - MASS * SPEED**2)
    amplitude = RADIUS * part
    slow = (-DAMPING + np.sqrt(DAMPING**2 - 4 * STIFFNESS * MASS)) / (2 * MASS)
    v = 1j * SPEED * (RADIUS + amplitude) - slow * amplitude  # without the fast decay

    system = fc.System(gravity=(0, 0, 0))
    crank = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(RADIUS / 2, 0, 0), angular_velocity=(0, 0, SPEED),
                     velocity=(0, RADIUS / 2 * SPEED, 0), name="crank")
    )  # fmt: skip
    pin = system.add(fc.RevoluteJoint(system.ground.at((0, 0, 0)), crank.at((0, 0, 0)), axis=Z))
    angle = fc.functions.Linear(SPEED)
    system.add(fc.RotationDriver(pin.i, pin.j, axis=Z, angle=angle, name="drive"))
    body = system.add(
        fc.RigidBody(MASS, (1.0,) * 3, position=(RADIUS, 0, 0), velocity=(v.real, v.imag, 0),
                     free=True, name="load")
    )  # fmt: skip
    at_pin = crank.at((RADIUS, 0, 0))
    system.add(fc.Bushing(body.center, at_pin, stiffness=STIFFNESS, damping=DAMPING))
    for name, frame in (("body", body.center), ("pin", at_pin)):
        system.add(fc.Probe(frame, name=name))
    return system, lambda t: amplitude * (np.exp(1j * SPEED * t) - np.exp(slow * t))


def error(integrator, h: float) -> float:
    """Largest error of the distance of body and pin, relative to its largest value."""
    system, exact = carried()
    r = fc.Simulation(system, integrator, t_end=0.06, dt=h, progress=False).run()
    found = r["body.x"] - r["pin.x"] + 1j * (r["body.y"] - r["pin.y"])
    return float(np.abs(found - exact(r.time)).max() / np.abs(exact(r.time)).max())


@pytest.mark.parametrize("integrator", HELD, ids=str)
def test_rates_of_small_gaps(integrator):
    """The pin moves on a circle of 50 mm, from which the body is 36 um away at most. If the damper
    saw the velocities on the constraints, which differ from the rates of the positions by
    h^2/12 times the jerk, the distance would be wrong by 11 to 89 % with steps of 0.5 ms."""
    coarse, fine = error(integrator, 1e-3), error(integrator, 5e-4)
    assert fine < 0.01
    assert coarse / fine > 2**1.8


def test_constraints_on_positions_do_the_same():
    assert error(fc.GeneralizedAlpha(0.8), 5e-4) == pytest.approx(
        error(fc.GeneralizedAlpha(0.8, "stabilised"), 5e-4), rel=0.05
    )


def test_parts_that_forces_see():
    """Generalized-alpha: q_1 = q_0 + h v_0 + ... + z moves at v + z/h, and what velocities are rid
    of is gamma/(beta h) z. In Bathe's scheme the velocities at the end of a step are derivatives of
    a parabola through the positions, which need no correction; those of the trapezoidal sub-step
    agree with its increment if their error is the opposite of that at its start."""
    for rho in (0.0, 0.5, 0.8, 1.0):
        integrator = fc.GeneralizedAlpha(rho)
        _, _, beta, gamma = integrator.numbers
        assert rows.seen(integrator) == pytest.approx([beta / gamma], rel=1e-12)
    assert rows.seen(fc.Bathe()) == pytest.approx([-1.0, 1.0], rel=1e-12)
