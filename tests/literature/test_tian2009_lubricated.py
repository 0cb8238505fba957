"""Rigid double pendulum with a lubricated spherical joint: Tian et al. (2009), section 6.1.

The independent solution has two rods in a plane and the closed-form film between them.
"""

import numpy as np
from scipy.integrate import solve_ivp

from fem_clearance import cases

SOURCE = "SciPy, plane rods and closed-form film, LSODA"
RADIUS, C, MU = 0.02, 0.002, 0.4
LENGTH, WIDTH, RHO, G = 0.3, 0.01, 7800.0, 9.81


def plane_pendulum(t_end):
    """Place of the tip and eccentricity at the end, m."""
    m = RHO * LENGTH * WIDTH**2
    inertia, half = m * (LENGTH**2 + WIDTH**2) / 12, LENGTH / 2
    wide = 1.1 * C  # e_1 = 0.1 c
    D = 6 * np.pi * MU * RADIUS**4 / wide**3

    def size(x):
        if x < 0.3:
            return sum((n + 2) / (n + 3) * x**n for n in range(60))
        return np.log(1 - x) / x**3 + 1 / (x**2 * (1 - x)) - 1 / (2 * x)

    def arms(angle):
        return np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])

    def rates(_, y):
        (d1, n1), (d2, n2) = arms(y[0]), arms(y[3])
        e = y[1:3] - half * d2 - LENGTH * d1
        v = y[5:7] - half * y[7] * n2 - LENGTH * y[4] * n1
        distance = np.hypot(*e)
        if distance < 1e-14:
            force = -D * 2 / 3 * v
        else:
            n = e / distance
            force = -D * size(distance / wide) * max(v @ n, 0.0) * n
        first = (-m * G * half * d1[0] - LENGTH * (n1 @ force)) / (inertia + m * half**2)
        return [*y[4:], first, *(force / m - (0, G)), -half * (n2 @ force) / inertia]

    start = [0, 1.5 * LENGTH, 0, 0, 0, 0, 0, 0]
    y = solve_ivp(rates, (0, t_end), start, method="LSODA", rtol=1e-11, atol=1e-13).y[:, -1]
    elbow, d2 = LENGTH * arms(y[0])[0], arms(y[3])[0]
    return y[1:3] + half * d2, np.hypot(*(y[1:3] - half * d2 - elbow))


def test_rigid_arms(published):
    changes = {"joint.kind": "lubricated", "arm.model": "rigid", "t_end": 0.1, "dt": 5e-5}
    results = cases.get("double_pendulum").simulation(changes, progress=False).run()
    tip, e = plane_pendulum(0.1)
    found = [results[f"tip.{x}"][-1] for x in "xy"]
    published("tip at 0.1 s", found, tip, abs=1e-7, unit="m")
    out = results["joint.eccentricity"][-1]
    published("eccentricity at 0.1 s", out, e, abs=1e-5 * C, unit="m")
    assert np.all(results["joint.normal_force"] == results["joint.film_force"])  # no contact
