"""Case ``split_bearing``: the balance of the cap's momentum, and when its joint opens."""

import numpy as np
import pytest

from fem_clearance import cases


def run(**changes):
    return cases.get("split_bearing").simulation(changes, progress=False).run()


def test_balance_of_the_cap():
    """What joint, journal and bolts do to the cap is what its momentum changes by (Newton's second
    law, impulses by the trapezoidal rule); blows below the bolts' force leave the joint closed."""
    results = run(t_end=2e-3)
    time = results.time
    # contact.force is on the second side: the base, the journal
    force = -sum(results[f"{n}.force.y"] for n in ("joint_right", "joint_left", "on_cap"))
    force = force + results["bolts.y"]
    impulse = np.concatenate([[0], np.cumsum((force[1:] + force[:-1]) / 2 * np.diff(time))])
    momentum = results["cap_motion.py"]
    size = 2e4 * time[-1]
    assert np.abs(impulse - (momentum - momentum[0])).max() < 2e-4 * size
    assert results["bolts.y"][-1] == pytest.approx(-2e4, rel=1e-8)
    assert results.summary["peak_force_on_cap"] > 1000
    assert results.summary["open_part"] == 0
    assert 0 < results.summary["least_joint_force"] < 2e4


def test_joint_opens():
    """Blows of three times the bolts' force lift the cap."""
    summary = run(t_end=1.5e-3, preload=2e3, load=6e3).summary
    assert summary["open_part"] > 0.02 and summary["least_joint_force"] == 0
