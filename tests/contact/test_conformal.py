"""A pin in the bore of an infinite plate: Persson's closed form and Hertz's limit."""

import numpy as np
import pytest

import fem_clearance as fc

STEEL = fc.LinearElastic(E=2e11, nu=0.3, rho=7800.0)
RADIUS, CLEARANCE = 0.01, 1e-5
MODULUS = STEEL.E / (1 - STEEL.nu**2)


@pytest.mark.parametrize("state, modulus", [("plane_strain", MODULUS), ("plane_stress", STEEL.E)])
@pytest.mark.parametrize("half", [5, 20, 45, 70])
def test_persson(half, state, modulus):
    """Pin and plate of one material (Persson 1964; his integral I_b is pi ln(1 + b^2)): with
    b = tan(half angle / 2), E* dR / Q = (2 (1 - b^4) - ln(1 + b^2)) / (pi b^2 (1 + b^2))."""
    points = 2400 if half < 10 else 1200
    contact = fc.PinInBore(RADIUS, CLEARANCE, STEEL, STEEL, state=state, points=points)
    found = contact.at_angle(np.radians(half))
    b = np.tan(np.radians(half) / 2)
    wanted = (2 * (1 - b**4) - np.log(1 + b**2)) / (np.pi * b**2 * (1 + b**2))
    assert modulus * CLEARANCE / found.load == pytest.approx(wanted, rel=4e-3)
    assert found.half_angle == pytest.approx(np.radians(half), rel=1e-6)
    step = found.angles[1] - found.angles[0]
    carried = 2 * RADIUS * step * found.pressure @ np.cos(found.angles)
    assert found.load == pytest.approx(carried, rel=1e-12)


@pytest.mark.parametrize("pin, modulus", [(STEEL, MODULUS / 2), (None, MODULUS)])
def test_narrow_contact_is_hertz(pin, modulus):
    """a = sqrt(4 Q R^2 / (pi dR E*)), p0 = 2 Q / (pi a)."""
    found = fc.PinInBore(RADIUS, CLEARANCE, STEEL, pin, points=2400).at_angle(np.radians(3))
    a = np.sqrt(4 * found.load * RADIUS**2 / (np.pi * CLEARANCE * modulus))
    assert found.half_angle * RADIUS == pytest.approx(a, rel=0.01)
    assert found.peak == pytest.approx(2 * found.load / (np.pi * a), rel=0.01)


def test_ways_in_agree():
    contact = fc.PinInBore(RADIUS, CLEARANCE, STEEL, points=400)
    first = contact.at_angle(0.8)
    assert contact.at_load(first.load).half_angle == pytest.approx(0.8, rel=1e-5)
    for call, message in (
        (lambda: contact.at_angle(2.0), "114.592 degrees exceeds"),
        (lambda: contact.at_load(-1.0), "load must be positive"),
        (lambda: contact.at_shift(CLEARANCE), "shift must be above the clearance"),
        (lambda: contact.at_shift(-CLEARANCE), "shift must be above the clearance"),
        (lambda: contact.at_shift(200.0), "got 200"),  # in multiples of the clearance, or um
        (lambda: contact.at_shift("wide"), "shift must be a number"),
        (lambda: fc.PinInBore(RADIUS, 0.0, STEEL), "clearance must be positive"),
        (lambda: fc.PinInBore(RADIUS, CLEARANCE, 2e11), "needs materials with E and nu"),
        (lambda: fc.PinInBore(RADIUS, CLEARANCE, STEEL, points=2), "points must be at least 10"),
    ):
        with pytest.raises(fc.InputError, match=message):
            call()
