"""Events located at the very beginning of a step.

Steps that end at a located event may be of 1e-12 s. Accelerations found in trial steps of that
length are the round-off of positions over its square, 1e9 m/s^2 here, and stay in the steps that
follow: a driven belt swung by 0.4 m/s, and friction reached 70 N where 4 N are its limit.
"""

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance.timestepping.step_control import shortest_trial


def test_a_driven_belt_keeps_its_speed_through_sticking_and_slipping():
    """The drive prescribes 0.2 m/s; friction is at most mu_s N (closed form of Coulomb's law)."""
    case = cases.get("stick_slip_oscillator")
    found = case.simulation({}, progress=False).run()
    p = case.resolve({})
    limit = p["mu_s"] * p["normal_force"]
    assert found.time[-1] == pytest.approx(45.0)
    # round-off, of which trial steps leave a millionth at most, see below
    assert np.abs(found["belt.vx"] - p["belt.speed"]).max() < 1e-6 * p["belt.speed"]
    assert np.abs(found["friction_force"]).max() < (1 + 1e-3) * limit
    balance = found["energy.balance"]
    assert np.abs(balance - balance[0]).max() < 1e-5 * np.abs(found["energy.fed"]).max()


def test_trial_steps_leave_velocities_to_a_millionth():
    """2e-15 of the size over the square of the shorter trial step, a hundredth, for a step."""
    for h, scale in ((1e-6, 0.5), (1e-4, 45.0)):
        trial = shortest_trial(h, scale) / 100
        assert 2e-15 / trial**2 * h == pytest.approx(1e-6 / scale)
