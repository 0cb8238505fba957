"""Case ``four_bar_wear`` with an elastic bush as the bearing, which wears."""

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance.cases.four_bar_wear import ARCHARD, BUSH_FRICTION


def test_forces_and_wear_of_the_bush():
    """What the journal takes the coupler takes back, but for the bush's own momentum (6.4 g); the
    worn volume is k / H times the work of friction by its coefficient, which tanh(v / v0) leaves
    a little below mu; wear ten times as fast shows ten times the depth and the same volume."""
    found = {}
    for repeat in (1.0, 10.0):
        changes = {"joint.kind": "bush", "t_end": 1.6e-3, "bush.repeat": repeat}
        results = cases.get("four_bar_wear").simulation(changes, progress=False).run()
        found[repeat] = results
    results, time = found[1.0], found[1.0].time
    assert results["joint.normal_force"].max() > 1e3
    for x in "xy":
        taken = np.trapezoid(results[f"joint.force.{x}"], time)
        given = np.trapezoid(results[f"press_fit.reaction.{x}"], time)
        assert abs(taken + given) < 6.4e-3 * 2 * 40.0  # m/s, of the coupler's end
    assert abs(np.trapezoid(results["joint.force.y"], time)) > 1.0
    loss = np.trapezoid(results["joint.friction_loss"], time)
    volume = results["joint.worn_volume"][-1]
    assert volume == pytest.approx(ARCHARD.rate * loss / BUSH_FRICTION.mu, rel=0.05)
    assert found[10.0]["joint.worn_volume"][-1] == pytest.approx(volume, rel=0.02)
    depth = [found[n]["joint.worn_depth"][-1] for n in (1.0, 10.0)]
    assert depth[1] == pytest.approx(10 * depth[0], rel=0.05)
