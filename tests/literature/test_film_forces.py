"""Forces of films between cylinders: closed forms, and finite volumes for L/D = 1."""

import numpy as np
import pytest

import fem_clearance  # noqa: F401  (MPI first)
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.bearings.plain import plain_bearing
from fem_clearance.lubrication.closed_forms.journal import LongBearing, ShortBearing
from fem_clearance.lubrication.film.cavitation import Full, Guembel

SOURCE = "finite volumes, data/g_reynolds_LD1.csv"
R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0


def test_closed_forms(published):
    """In their usual dimensionless form, eps = .5, as tabulated in textbooks."""
    unit, close = (1, 1, 1e-3, 1), {"rel": 1e-6, "abs": 1e-12}

    def force(law, **motion):
        return law.force(Place(e=(0.5e-3, 0, 0), **motion)) * 1e-6

    turning = {"Omega": (0, 0, 1)}
    short = force(ShortBearing(*unit), **turning)
    load, angle = np.hypot(*short[:2]), np.arctan2(short[1], -short[0])
    exact = 0.5 / 0.75**2 / 4 * np.sqrt(4 + 0.75 * np.pi**2), np.arctan(np.pi * 0.75**0.5 / 2)
    published("short bearing, load and attitude", (load, angle), exact, **close, source="Ocvirk")
    full, half = (force(LongBearing(*unit, law), **turning) for law in (Full(), Guembel()))
    exact = np.array([0, 12 * np.pi * 0.5 / (2.25 * 0.75**0.5), 0])
    published("long bearing, full film", full, exact, **close, source="Sommerfeld")
    exact = -12 * 0.25 / (2.25 * 0.75), exact[1] / 2, 0
    published("long bearing, half film", half, exact, **close, source="Sommerfeld")
    squeezed = force(LongBearing(*unit, Full()), V=(1e-3, 0, 0))
    source = "Ebrahimi et al. 2017, eq. (14)"
    published("squeezed long bearing", squeezed[0], -58.0416, abs=1e-4, source=source)


@pytest.mark.parametrize("kind", ["wedge", "squeeze"])
@pytest.mark.parametrize("law", [Full(), Guembel()], ids=["full", "guembel"])
def test_finite_bearing(reference, published, request, kind, law):
    name = request.node.callspec.id.split("-")[0]
    table = reference("g_reynolds_LD1.csv")[("wedge", "squeeze").index(kind) :: 2]  # they alternate
    film = plain_bearing(
        R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=(96, 24), crowd=0.85, cavitation=law
    )
    bearing, found = Bearing(film), []
    for eps in table["eps"]:
        motion = {"Omega": (0, 0, SPEED)} if kind == "wedge" else {"V": (C * SPEED, 0, 0)}
        force = bearing.solve(Place(e=(eps * C, 0, 0), **motion)).force[:2]
        found.append(force * C**2 / (6 * MU * R**3 * 2 * R * SPEED))
    wanted = np.transpose([table[f"F{x}_{name}"] for x in ("cos", "sin")])
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    published(f"force, {kind}, {name} film, L/D 1", found, wanted, abs=4e-3 * size)
    assert np.all(np.linalg.norm(found - wanted, axis=1) < 4e-3 * size[:, 0])
