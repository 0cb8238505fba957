"""An infinitely long bearing with an elastic liner against a solution of its own.

Elasticity: Navier's equations of a ring in plane strain, harmonic by harmonic, integrated along the
radius by SciPy. Film: finite differences of the one-dimensional Reynolds equation, p >= 0 by active
sets, Newton's method with the full compliance.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.lubrication import Bearing, Liner, Place, bearing_on
from fem_clearance.meshes import hollow_cylinder

R, RIM, C, MU, SPEED, E, NU = 0.015, 0.025, 2e-5, 0.04, 1000.0, 130e9, 0.3
LENGTH = 2e-3


def compliance(n):
    """Outward displacement of the bore under the pressure cos(n theta), times cos(n theta), m/Pa.

    Displacements U(r) cos(n theta), V(r) sin(n theta), zero at the rim; at the bore the radial
    stress is -cos(n theta) and no shear acts.
    """
    mu = E / 2 / (1 + NU)
    lam = 2 * mu * NU / (1 - 2 * NU)
    both = lam + 2 * mu

    def stresses(r, y):
        U, V, dU, dV = y
        radial = both * dU + lam * (U + n * V) / r
        shear = mu * (dV - V / r - n * U / r)
        return radial, shear

    def slope(r, y):
        U, V, dU, dV = y
        hoop = both * (U + n * V) / r + lam * dU
        radial, shear = stresses(r, y)
        # d(radial)/dr = -(radial - hoop + n shear) / r, d(shear)/dr = -(2 shear - n hoop) / r
        change = -(radial - hoop + n * shear) / r - lam * (dU + n * dV - (U + n * V) / r) / r
        twist = -(2 * shear - n * hoop) / r + mu * (dV / r - V / r**2 + n * dU / r - n * U / r**2)
        return dU, dV, change / both, twist / mu

    ends = []
    for start in ((0, 0, 1, 0), (0, 0, 0, 1)):
        path = solve_ivp(slope, (RIM, R), start, rtol=1e-11, atol=1e-14, method="DOP853")
        ends.append(path.y[:, -1])
    tractions = np.array([stresses(R, y) for y in ends]).T
    share = np.linalg.solve(tractions, [-1.0, 0.0])
    return float(share @ [y[0] for y in ends])


def long_bearing(ratio, count=360, harmonics=60):
    """Pressure (Pa) at ``count`` places round the bearing from -pi on, outward displacement (m)."""
    theta = -np.pi + 2 * np.pi * np.arange(count) / count
    table = np.array([compliance(n) for n in range(harmonics)])
    weight = np.where(np.arange(harmonics) == 0, 1, 2) / count
    angles = theta[:, None] - theta
    D = sum(w * t * np.cos(n * angles) for n, (w, t) in enumerate(zip(weight, table, strict=True)))
    dx, U = 2 * np.pi * R / count, R * SPEED
    rigid = C * (1 - ratio * np.cos(theta))
    p = np.zeros(count)
    broken = np.zeros(count, bool)
    broken[0] = True  # the film starts at the largest gap
    ahead, behind = np.roll(np.arange(count), -1), np.roll(np.arange(count), 1)

    def defect(p):
        h = rigid + D @ p
        middle = (h + h[ahead]) / 2
        flux = U / 2 * middle - middle**3 / 12 / MU * (p[ahead] - p) / dx
        return flux - flux[behind], h  # outflow

    for part in np.append(np.linspace(0.1, 1, 10), [1.0] * 40):
        rigid = C * (1 - part * ratio * np.cos(theta))
        for _ in range(40):
            f, h = defect(p)
            middle = (h + h[ahead]) / 2
            by_h = U / 2 - middle**2 / 4 / MU * (p[ahead] - p) / dx
            K = np.diag(middle**3 / 12 / MU / dx)
            F = K - K @ np.roll(np.eye(count), 1, axis=1) + by_h[:, None] * (D + D[ahead]) / 2
            J = F - F[behind]
            J[broken] = np.eye(count)[broken]
            step = np.linalg.solve(J, np.where(broken, p, f))
            p = p - step
            if np.abs(step).max() < 1e-10 * np.abs(p).max():
                break
        before = broken.copy()
        broken = np.where(broken, defect(p)[0] > 0, p < 0)  # broken while oil is lacking
        broken[0] = True
        if part == 1 and np.array_equal(before, broken):
            return theta, p, D @ p
    raise AssertionError("no solution")


def test_ring_under_uniform_pressure():
    """Lame: 0.437895 p R / E (docs/solids.md)."""
    assert compliance(0) == pytest.approx(0.437895 * R / E, rel=1e-6)


@pytest.mark.slow
def test_long_bearing():
    """Load, largest pressure and displacement, eccentricity ratio .8: within .2 % (measured: .11,
    .02, .03 % with 64 cells; .5 % is asked for). 720 places change the reference by 2e-5."""
    theta, p, outward = long_bearing(0.8)
    force = -np.array([p @ np.cos(theta), p @ np.sin(theta)]) * 2 * np.pi * R / len(p)
    assert outward.max() > 0.3 * C
    mesh = hollow_cylinder(R, RIM, LENGTH, (64, 1, 2))
    law = fc.StVenantKirchhoff(E=E, nu=NU, rho=8000)
    liner = Liner(fc.Solid(mesh, law, clamped={"rim": "xyz", "z0": "z", "z1": "z"}))
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED, starts_at_largest_gap=True,
                      pressures={})  # fmt: skip
    found = Bearing(film, liner).solve(Place(e=(0.8 * C, 0, 0), Omega=(0, 0, SPEED)))
    assert np.linalg.norm(found.force[:2] / LENGTH - force) < 2e-3 * np.linalg.norm(force)
    assert found.pressure.max() == pytest.approx(p.max(), rel=2e-3)
    assert found.deformation.max() == pytest.approx(outward.max(), rel=2e-3)
