"""Raimondi and Boyd (1958), full bearing: Sommerfeld number, attitude, friction, flow, pressure.

Up to eps = .9, where the table's own error is 1.4 % in S: S within 2 %, the attitude within 1
degree, friction within 1.2 %, side flow within .6 %, the largest pressure within 3 %.
"""

import numpy as np
import pytest

import fem_clearance  # noqa: F401  (MPI first)
from fem_clearance.lubrication.bearing import Bearing, Place
from fem_clearance.lubrication.equilibrium_bearing import attitude, sommerfeld_number
from fem_clearance.lubrication.plain import plain_bearing

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
RATIOS = {"inf": None, "1": 1.0, "1/2": 0.5, "1/4": 0.25}


@pytest.mark.parametrize("name", RATIOS)
def test_full_bearing(reference, name):
    data = reference("raimondi_boyd_1958.json")
    ratio = RATIOS[name]
    L = 2 * R * (ratio or 0.1)
    film = plain_bearing(
        R, L, C, MU, speed=R * SPEED, cells=(96, 24 if ratio else 1), crowd=0.85,
        starts_at_largest_gap=True, pressures=None if ratio else {},
    )  # fmt: skip
    bearing = Bearing(film)
    check = {row["eps"]: row for row in data["independent_check"][name]}
    for eps, S, phi, f, flow, part, peak in data["table"][name]:
        if eps > 0.9:
            continue
        found = bearing.solve(Place(e=(eps * C, 0, 0), Omega=(0, 0, SPEED)))
        load = float(np.hypot(*found.force[:2]))
        number = sommerfeld_number(load, radius=R, length=L, clearance=C, viscosity=MU, speed=SPEED)
        angle = np.degrees(attitude(found))
        assert number == pytest.approx(S, rel=2e-2), eps
        assert angle == pytest.approx(phi, abs=1.0), eps
        assert load / (2 * R * L) / found.pressure.max() == pytest.approx(peak, rel=3e-2), eps
        assert number == pytest.approx(check[eps]["S_fd"], rel=5e-3), eps
        assert angle == pytest.approx(check[eps]["phi_fd"], abs=0.1), eps
        assert -found.moment[2] / (R * load) * R / C == pytest.approx(f, rel=1.2e-2), eps
        if ratio:
            side = (found.outflow["z0"] + found.outflow["z1"]) / (R * C * SPEED / (2 * np.pi) * L)
            assert side == pytest.approx(flow * part, rel=6e-3), eps
