"""Numbers of our own, without an outside source: they only say that something has changed."""

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import equivalent_mass


@pytest.mark.slow
def test_dynamic_factor_at_the_natural_frequency():
    """Found on 2026-11-28 with the case's defaults and a tolerance of 1e-8."""
    mass = equivalent_mass(spur_gear_pair.mesh(), spur_gear_pair.INERTIAS)
    rpm = np.sqrt(spur_gear_pair.MEAN / mass) / (2 * np.pi) * 60 / 25
    case = cases.get("spur_gear_pair")
    changes = case.resolve({"pinion.rpm": rpm, "tolerance": 1e-8})
    results = case.simulation(changes, progress=False).run()
    assert results.summary["dynamic_factor"] == pytest.approx(3.47, rel=2e-2)
