"""The four-bar mechanism of Bai, Zhang and Sun (2014) in two coordinates, and SciPy's solutions.

    python benchmarks/four_bar_equations.py

prints the largest force of the second turn by both rules of the approach speed and both ways of
assembly. Liu's force with the paper's hysteresis, friction 0.1 over 0.01 m/s at the nominal radii
of both bodies; nothing of the package but the mechanism's numbers.
"""

import math

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

from fem_clearance.cases import four_bar_wear as bar

SCALE = 0.015 * 207e9 / (2 * 0.91)
CHI = 0.75 * (1 - 0.9**2) * math.exp(2 * (1 - 0.9))
GAP, MU, SLOW = 5e-4, 0.1, 0.01


def law(depth, rate, approach):
    """Liu's force with the paper's hysteresis, N."""
    if depth <= 0:
        return 0.0
    force = math.pi / 2 * SCALE * depth * math.sqrt(depth / (2 * (GAP + depth)))
    return max(force * (1 + CHI * rate / approach), 0.0)


def friction(speed):
    """Coefficient of friction, odd in the speed."""
    x = speed / SLOW
    return math.copysign(MU, x) if abs(x) >= 1 else MU * x * (3 - x * x) / 2


class Law:
    """Generalised forces of gravity, the driven crank, and contact on (coupler, follower) angle.

    Args:
        phase: whether the approach speed is renewed by phases (docs/contact.md), or that of the
            first touch.
        floor: least approach speed, m/s.
    """

    def __init__(self, phase=False, floor=1e-3):
        self.phase, self.floor = phase, floor
        self.approach, self.peak, self.touching, self.forces = floor, 0.0, False, []

    def at(self, t, p2, p3, w2, w3):
        """Generalised forces; depth, rate and force of the contact."""
        l1, l2, l3 = bar.CRANK[0], bar.COUPLER[0], bar.FOLLOWER[0]
        p1 = math.pi / 2 + bar.SPEED * t
        c1, s1, c2, s2, c3, s3 = (f(p) for p in (p1, p2, p3) for f in (math.cos, math.sin))
        ex = bar.GROUND + l3 * c3 - l1 * c1 - l2 * c2
        ey = l3 * s3 - l1 * s1 - l2 * s2
        vx = -l3 * s3 * w3 + l1 * s1 * bar.SPEED + l2 * s2 * w2
        vy = l3 * c3 * w3 - l1 * c1 * bar.SPEED - l2 * c2 * w2
        r = math.hypot(ex, ey) + 1e-15
        nx, ny = ex / r, ey / r
        depth, rate = r - GAP, nx * vx + ny * vy
        if not self.touching:
            self.approach = self.peak = max(rate, self.floor)
        measure = max(self.approach, abs(rate)) if self.phase else self.approach
        force = law(depth, rate, measure)
        speed = nx * vy - ny * vx + w3 * bar.JOURNAL - w2 * bar.BEARING
        drag = friction(speed) * force
        fx, fy = -force * nx + drag * ny, -force * ny - drag * nx
        ax, ay = -l1 * bar.SPEED**2 * c1, -l1 * bar.SPEED**2 * s1 + 9.81
        m2, m3 = bar.COUPLER[1], bar.FOLLOWER[1]
        q2 = l2 * (s2 * fx - c2 * fy) + drag * bar.BEARING - m2 * l2 / 2 * (-s2 * ax + c2 * ay)
        q3 = l3 * (-s3 * fx + c3 * fy) - drag * bar.JOURNAL - m3 * l3 / 2 * c3 * 9.81
        return [q2, q3], depth, rate, force

    def accept(self, before, rate):
        """Renew the approach speed of a contact whose rate went from ``before`` to ``rate``."""
        if self.phase:
            if (before > 0) != (rate > 0):
                self.approach, self.peak = max(self.peak, self.floor), 0.0
            self.peak = max(self.peak, abs(rate))
            self.approach = max(self.approach, abs(rate))


def start(branch=1):
    """Angles of coupler and follower, their rates, and moments of inertia about the pivots."""
    angles, speeds = bar.assembly(branch)
    inertia = [z[2] + z[1] * (z[0] / 2) ** 2 for z in (bar.COUPLER, bar.FOLLOWER)]
    return np.array([*angles[1:], *speeds[1:]]), inertia


def converged(t_end, branch=1):
    """Largest force of the last turn, N, by an adaptive integrator of order 8; approach speed of
    the first touch."""
    y, inertia = start(branch)
    model, t, peak = Law(), 0.0, 0.0

    def rates(t, y):
        (q2, q3), *_ = model.at(t, *y)
        return [y[2], y[3], q2 / inertia[0], q3 / inertia[1]]

    def depth(t, y):
        return model.at(t, *y)[1]

    depth.terminal = True
    while t < t_end:
        depth.direction = -1.0 if model.touching else 1.0
        found = solve_ivp(rates, (t, t_end), y, "DOP853", rtol=1e-11, atol=1e-13, max_step=1e-5,
                          events=depth)  # fmt: skip
        late = zip(found.t, *found.y, strict=True)
        peak = max([peak, *(model.at(*z)[3] for z in late if z[0] > t_end - 0.1)])
        t, y = found.t[-1], found.y[:, -1]
        if not model.touching:
            model.approach = max(model.at(t, *y)[2], model.floor)
        model.touching = not model.touching
    return peak


def by_phases(t_end, floor, branch=1, step=2e-6):
    """Largest force of the last turn, N, and its time, s: approach speed renewed by phases after
    each step of at most ``step``, of order 8; onsets are located."""
    y, inertia = start(branch)
    model, peak = Law(True, floor), (0.0, 0.0)

    def rates(t, y):
        (q2, q3), *_ = model.at(t, *y)
        return [y[2], y[3], q2 / inertia[0], q3 / inertia[1]]

    t, before = 0.0, 0.0
    solver = DOP853(rates, t, y, t_end, rtol=1e-9, atol=1e-12, max_step=step)
    while solver.status == "running":
        solver.step()
        t, y = solver.t, solver.y
        _, depth, rate, force = model.at(t, *y)
        if (depth > 0) != model.touching:
            path = solver.dense_output()
            t = brentq(lambda s, z=path: model.at(s, *z(s))[1], solver.t_old, solver.t, xtol=1e-16)
            y = path(t)
            before = model.at(t, *y)[2]
            model.touching = not model.touching
            solver = DOP853(rates, t, y, t_end, rtol=1e-9, atol=1e-12, max_step=step)
        elif model.touching:
            model.accept(before, rate)
            before = rate
        if t > t_end - 0.1:
            peak = max(peak, (force, t))
    return peak


def main():
    derived = {1: 2.4e-3, -1: 2.125e-3}  # least approach speeds, a thousandth of sqrt(g L)
    for branch in (1, -1):
        print(f"assembly {branch:+d}, first_touch: {converged(0.2, branch):.1f} N")
        for floor in (1e-3, derived[branch]):
            force, time = by_phases(0.2, floor, branch)
            print(f"assembly {branch:+d}, phase, least {1e3 * floor:g} mm/s: {force:.1f} N at "
                  f"{time * 3600 % 360:.2f} deg", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
