"""Case ``pin_in_lug``: an elastic pin and plate of one material against Persson (1964)."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases

MODULUS, CLEARANCE, RADIUS = 2e11 / (1 - 0.3**2), 1e-5, 0.01


def persson(half):
    """Load of a half angle (degrees) by his closed form, whose integral I_b is pi ln(1 + b^2),
    b = tan(half angle / 2): N/m."""
    b = np.tan(np.radians(half) / 2)
    wanted = (2 * (1 - b**4) - np.log(1 + b**2)) / (np.pi * b**2 * (1 + b**2))
    return MODULUS * CLEARANCE / wanted


@pytest.mark.slow
@pytest.mark.parametrize("half", [20, 40, 60, 75])
def test_persson(half):
    """Half angle within 0.5 degrees of the closed form, peak within 0.5 % of the Fourier series
    under the same load, in a plate of 20 radii."""
    load = persson(half)
    found = cases.get("pin_in_lug").simulation({"load": load}, progress=False).run().summary
    assert found["load"] == pytest.approx(load, rel=1e-6)
    assert found["E_star"] == pytest.approx(MODULUS) and found["clearance"] == CLEARANCE
    assert found["half_angle_deg"] == pytest.approx(half, abs=0.5)
    steel = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
    series = fc.PinInBore(RADIUS, CLEARANCE, steel, steel, points=1600).at_load(load)
    assert found["peak_pressure"] == pytest.approx(series.peak, rel=5e-3)


def test_small_plate_is_narrower():
    """In a plate of 2 radii the wall bends round less of the pin: contact is narrower, and its peak
    higher, than in a large one under the same load."""
    changes = {"load": persson(60), "plate.radii": 2.0, "contact.cells": 24, "steps": 3}
    found = cases.get("pin_in_lug").simulation(changes, progress=False).run().summary
    steel = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
    large = fc.PinInBore(RADIUS, CLEARANCE, steel, steel, points=800).at_load(persson(60))
    assert 50 < found["half_angle_deg"] < 59
    assert 1.01 * large.peak < found["peak_pressure"] < 1.2 * large.peak
