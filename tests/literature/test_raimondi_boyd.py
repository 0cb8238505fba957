"""Raimondi and Boyd (1958), full bearing: Sommerfeld number, attitude, friction, flow, pressure.

Up to eps = .9, where the table's own error is 1.4 % in S: S within 2 %, the attitude within 1
degree, friction within 1.2 %, side flow within .6 %, the largest pressure within 3 %.
"""

import numpy as np
import pytest

import fem_clearance  # noqa: F401  (MPI first)
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.bearings.equilibrium import attitude, sommerfeld_number
from fem_clearance.lubrication.bearings.plain import plain_bearing

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
SOURCE = "Raimondi and Boyd 1958, part III, table"
OWN = "finite volumes, data/raimondi_boyd_1958.json"
RATIOS = {"inf": None, "1": 1.0, "1/2": 0.5, "1/4": 0.25}


@pytest.mark.parametrize("name", RATIOS)
def test_full_bearing(reference, published, name):
    data = reference("raimondi_boyd_1958.json")
    ratio = RATIOS[name]
    L = 2 * R * (ratio or 0.1)
    film = plain_bearing(
        R, L, C, MU, sliding_speed=R * SPEED, cells=(96, 24 if ratio else 1), crowd=0.85,
        starts_at_largest_gap=True, pressures=None if ratio else {},
    )  # fmt: skip
    bearing = Bearing(film)
    check = {row["eps"]: row for row in data["independent_check"][name]}
    rows = []
    table = np.array([row for row in data["table"][name] if row[0] <= 0.9], float)
    for eps in table[:, 0]:
        found = bearing.solve(Place(e=(eps * C, 0, 0), Omega=(0, 0, SPEED)))
        load = float(np.hypot(*found.force[:2]))
        number = sommerfeld_number(load, radius=R, length=L, clearance=C, viscosity=MU, speed=SPEED)
        side = sum(found.outflow[z] for z in ("z0", "z1")) if ratio else 0.0
        rows.append([
            number, np.degrees(attitude(found)), -found.moment[2] / (R * load) * R / C,
            side / (R * C * SPEED / (2 * np.pi) * L), load / (2 * R * L) / found.pressure.max(),
        ])  # fmt: skip
    number, angle, friction, side, peak = np.transpose(rows)
    eps, S, phi, f, flow, part, P = table.T
    published(f"Sommerfeld number, L/D {name}", number, S, rel=2e-2)
    published(f"attitude, L/D {name}", angle, phi, abs=1.0, unit="deg")
    published(f"friction R/c f, L/D {name}", friction, f, rel=1.2e-2)
    published(f"mean over largest pressure, L/D {name}", peak, P, rel=3e-2)
    if ratio:
        published(f"side flow Q_s/R c N L, L/D {name}", side, flow * part, rel=6e-3)
    S, phi = np.transpose([(check[e]["S_fd"], check[e]["phi_fd"]) for e in eps])
    published(f"Sommerfeld number, L/D {name}", number, S, rel=5e-3, source=OWN)
    published(f"attitude, L/D {name}", angle, phi, abs=0.1, unit="deg", source=OWN)
