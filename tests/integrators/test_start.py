"""A driver that starts with a jerk: no transient of the multipliers."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

ERRORS = {
    fc.GeneralizedAlpha(0.8): 2e-7,
    fc.GeneralizedAlpha(0.5): 2e-7,
    fc.GeneralizedAlpha(0.8, "stabilised"): 1e-5,
    fc.Bathe(): 1e-7,
}


def torques(integrator, h):
    """Error of the driving torque after each step: the angle is t^3, the arm's moment of inertia
    about the pin 0.35 kg m^2, so the torque is 2.1 t N m."""
    system = fc.System(gravity=(0, 0, 0))
    arm = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="arm"))
    pin = system.add(fc.RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    jerk = fc.functions.Polynomial((0, 0, 0, 1.0))
    system.add(fc.RotationDriver(pin.i, pin.j, axis=(0, 0, 1), angle=jerk, name="drive"))
    stepper = fc.Stepper(system, integrator, dt=h, t_end=0.2, newton_tolerance=1e-11)
    stepper.start()
    errors = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        errors.append(stepper.channels["drive.torque"] - 2.1 * stepper.t)
    return np.array(errors)


@pytest.mark.parametrize("integrator", ERRORS, ids=str)
def test_torque_from_the_first_step(integrator):
    """Of a torque of 0.4 N m at the end; without the start's correction the first steps were off by
    1e-2 N m."""
    assert np.abs(torques(integrator, 4e-3)).max() < ERRORS[integrator]


def test_start_is_of_second_order():
    largest = [np.abs(torques(fc.GeneralizedAlpha(0.8), h)).max() for h in (4e-3, 2e-3)]
    assert np.log2(largest[0] / largest[1]) == pytest.approx(2, abs=0.05)


def test_a_first_step_of_another_size():
    """Steps shorter than the one the start looked at begin without a transient too."""
    system = fc.System(gravity=(0, 0, 0))
    arm = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1)))
    pin = system.add(fc.RevoluteJoint(system.ground, arm.center, axis=(0, 0, 1)))
    jerk = fc.functions.Polynomial((0, 0, 0, 1.0))
    system.add(fc.RotationDriver(pin.i, pin.j, axis=(0, 0, 1), angle=jerk, name="drive"))
    stepper = fc.Stepper(system, dt=4e-3, t_end=0.2, newton_tolerance=1e-11)
    stepper.start()
    before = stepper.state.array.copy()
    assert not stepper.scheme.step(4e-3)
    stepper.scheme.reject()
    assert np.array_equal(stepper.state.array, before)
    assert not stepper.scheme.step(1e-3)
    stepper.channels.observe()
    assert stepper.channels["drive.torque"] == pytest.approx(0.6 * 1e-3, abs=2e-6)


@pytest.mark.mpi
def test_what_is_not_quite_closed_is_closed_at_the_start():
    """Directors of nine digits: a body held at rest has no acceleration (1e-9 / (h / 100)^2, 1e5
    m/s^2, where they are left) but for round-off's 1e-16 / (h / 100)^2, and bears its weight."""
    turn = Rotation.from_rotvec((0.3, 0.2, 0.1)).as_matrix().round(9)
    system = fc.System(gravity=(0, -9.81, 0))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1.5), position=(0.3, 0.2, 0.1), orientation=turn))
    system.add(fc.FixedJoint(system.ground, body.at((0, 0, 0)), name="wall"))
    stepper = fc.Stepper(system, dt=1e-5, t_end=8e-4)
    stepper.start()
    state = stepper.state
    assert np.abs(state.everything(state.a)).max() < 1
    d = state.everything(state.q)[3:12].reshape(3, 3)
    assert d @ d.T == pytest.approx(np.eye(3), abs=1e-15)
    assert d == pytest.approx(turn.T, abs=2e-9)
    while stepper.t < stepper.t_end:
        stepper.advance()
    force = [stepper.channels[f"wall.reaction.{x}"] for x in "xyz"]
    assert force == pytest.approx([0, 2 * 9.81, 0], abs=1e-3)
