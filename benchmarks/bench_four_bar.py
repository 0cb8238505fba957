"""Four-bar mechanism with a dry revolute clearance joint against Exudyn: CPU time at equal error.

    python benchmarks/bench_four_bar.py [--turns 2] [--rounds 3] [--page benchmarks/README.md]

P3: the mechanism of Bai, Zhang and Sun (2014) with rigid links, crank at 600 rpm, Liu's force with
the paper's hysteresis, friction 0.1 over 0.01 m/s. Both codes take the same fixed steps; Exudyn has
no such joint, so the law is a Python function of two generic coordinates (coupler and follower
angle, exact equations of motion), as its users write it.

The error is that of the largest force of the last turn, against the same equations solved by scipy
(DOP853, stopped at each onset and end of contact). Errors do not fall evenly with the step, so the
error counted at a step is the largest at it or any smaller one; the cost of an error in between is
interpolated in the logarithms of both. ``--page`` writes the tables between the marks of that page.
"""

import argparse
import math
import os
import statistics
import time
from pathlib import Path

import harness
import numpy as np
import problems
from scipy.integrate import solve_ivp

from fem_clearance import Stepper, cases
from fem_clearance.cases import four_bar_wear as bar

SCALE = 0.015 * 207e9 / (2 * 0.91)
CHI = 0.75 * (1 - 0.9**2) * math.exp(2 * (1 - 0.9))
GAP, MU, SLOW = 5e-4, 0.1, 0.01
STEPS = (4e-5, 2e-5, 1e-5, 5e-6, 2.5e-6)


def ours(h, t_end):
    """CPU seconds and the largest force of the last turn."""
    case = cases.get("four_bar_wear")
    stepper = Stepper(bar.mechanism(case.resolve(), None).system, dt=h, t_end=t_end)
    stepper.start()
    gap = stepper.watch.gaps[0]
    depth, rate = [], []
    tic = time.process_time()
    while stepper.t < t_end:
        stepper.advance()
        depth.append(gap.now[0][0])
        rate.append(gap.now[0][1])
    spent = time.process_time() - tic
    last = int(round(0.1 / h))
    d, v = np.array(depth[-last:]), np.array(rate[-last:])
    return spent, float(max(law(*z, gap.approach[0]) for z in zip(d, v, strict=True)))


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
    """Generalised forces of gravity, the driven crank, and contact on (coupler, follower) angle."""

    def __init__(self):
        self.approach, self.touching, self.forces = 1e-3, False, []

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
            self.approach = max(rate, 1e-3)
        force = law(depth, rate, self.approach)
        speed = nx * vy - ny * vx + w3 * bar.JOURNAL - w2 * bar.BEARING
        drag = friction(speed) * force
        fx, fy = -force * nx + drag * ny, -force * ny - drag * nx
        ax, ay = -l1 * bar.SPEED**2 * c1, -l1 * bar.SPEED**2 * s1 + 9.81
        m2, m3 = bar.COUPLER[1], bar.FOLLOWER[1]
        q2 = l2 * (s2 * fx - c2 * fy) + drag * bar.BEARING - m2 * l2 / 2 * (-s2 * ax + c2 * ay)
        q3 = l3 * (-s3 * fx + c3 * fy) - drag * bar.JOURNAL - m3 * l3 / 2 * c3 * 9.81
        return [q2, q3], depth, rate, force


def exudyn(h, t_end):
    """CPU seconds and the largest force of the last turn."""
    mbs = problems.new_system()
    import exudyn as exu
    from exudyn import itemInterface as item  # noqa: N813

    angles, speeds = bar.assembly(1)
    inertia = [z[2] + z[1] * (z[0] / 2) ** 2 for z in (bar.COUPLER, bar.FOLLOWER)]
    node = mbs.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=[0, 0], initialCoordinates=list(angles[1:]),
            initialCoordinates_t=list(speeds[1:]), numberOfODE2Coordinates=2,
        )
    )  # fmt: skip
    model = Law()

    def forces(mbs, t, number, q, q_t):
        return model.at(t, *q, *q_t)[0]

    mbs.AddObject(
        item.ObjectGenericODE2(
            nodeNumbers=[node], massMatrix=np.diag(inertia), forceUserFunction=forces
        )
    )

    def after(mbs, t):
        q = mbs.systemData.GetODE2Coordinates()
        v = mbs.systemData.GetODE2Coordinates_t()
        _, depth, _, force = model.at(t, q[0], q[1], v[0], v[1])
        model.touching = depth > 0
        if t > t_end - 0.1:
            model.forces.append(force)
        return True

    mbs.SetPostStepUserFunction(after)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    integration = settings.timeIntegration
    steps = round(t_end / h)
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, t_end, 0
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = 1e-8
    integration.newton.absoluteTolerance = 1e-6
    tic = time.process_time()
    if not mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha):
        raise RuntimeError("Exudyn found no solution")
    return time.process_time() - tic, max(model.forces)


def converged(t_end):
    """Largest force of the last turn, N, by an adaptive integrator of order 8."""
    angles, speeds = bar.assembly(1)
    inertia = [z[2] + z[1] * (z[0] / 2) ** 2 for z in (bar.COUPLER, bar.FOLLOWER)]
    model, t, y, peak = Law(), 0.0, np.array([*angles[1:], *speeds[1:]]), 0.0

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
            model.approach = max(model.at(t, *y)[2], 1e-3)
        model.touching = not model.touching
    return peak


def cost(runs, error):
    """CPU seconds for a relative error of the peak, from rows of (step, seconds, error); not a
    number for an error that no step of these has."""
    runs = sorted(runs)
    errors = np.log(np.maximum.accumulate([z[2] for z in runs]))
    seconds = np.log([z[1] for z in runs])
    return float(np.exp(np.interp(np.log(error), errors, seconds, left=np.nan, right=np.nan)))


def tables(results, equal, exact, rounds):
    """Both tables, and what they were measured by."""
    pairs = {z["h"]: {} for z in results}
    for z in results:
        pairs[z["h"]][z["code"]] = z
    lines = ["| step, us | Exudyn, s | peak, N | error | fem_clearance, s | peak, N | error |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    for h, pair in pairs.items():
        cells = [f"{1e6 * h:g}"]
        for code in ("exudyn", "fem_clearance"):
            z = pair.get(code)
            error = 100 * abs(z["peak_N"] / exact - 1) if z else 0.0
            cells += (
                [f"{z['cpu_s']:.2f}", f"{z['peak_N']:.0f}", f"{error:.2f} %"] if z else 3 * ["-"]
            )
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| error of the peak | Exudyn, s | fem_clearance, s | times faster |",
              "|---|---|---|---|"]  # fmt: skip
    for z in equal:
        ratio = z["exudyn"] / z["fem_clearance"]
        cells = [f"{100 * z['error']:g} %", f"{z['exudyn']:.2f}", f"{z['fem_clearance']:.2f}"]
        lines.append(f"| {' | '.join(cells)} | {ratio:.1f} |")
    load = f"{os.getloadavg()[0]:.1f} of {os.cpu_count()} cores"
    lines += ["", f"Converged peak {exact:.1f} N; {rounds} rounds; load of the machine: {load}."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=Path, help="write the tables into this page")
    options = parser.parse_args()
    t_end, results, curves = 0.1 * options.turns, [], {"exudyn": [], "fem_clearance": []}
    exact = converged(t_end)
    print(f"converged peak {exact:.1f} N")
    ours(1e-5, 1e-3)  # compiles the forms
    for h in STEPS:
        runs = {name: [] for name in curves}
        for _ in range(options.rounds):
            for name, code in (("exudyn", exudyn), ("fem_clearance", ours)):
                try:
                    runs[name].append(code(h, t_end))
                except RuntimeError as error:
                    print(f"{name}: {error}")
        for name, each in runs.items():
            if each:
                cpu, peak = statistics.median(z[0] for z in each), each[0][1]
                curves[name].append((h, cpu, abs(peak / exact - 1)))
                results.append({"code": name, "h": h, "cpu_s": cpu, "peak_N": peak})
                print(f"h = {h:g}: {name:14} {cpu:7.2f} s, {1e6 * cpu * h / t_end:6.1f} us a step, "
                      f"peak {peak:.1f} N, error {100 * (peak / exact - 1):.3f} %")  # fmt: skip
    equal = []
    for error in (1e-2, 5e-3, 2e-3):
        seconds = {name: cost(rows, error) for name, rows in curves.items()}
        equal.append({"error": error, **seconds})
        print(
            f"error {100 * error:g} %: " + ", ".join(f"{n} {s:.2f} s" for n, s in seconds.items())
        )
    about = {"cores": os.cpu_count(), "load": os.getloadavg(), "time": time.strftime("%F %T")}
    numbers = {"about": about, "converged_N": exact, "results": results, "equal_error": equal}
    harness.keep("four-bar", numbers, dated=True)
    if options.page:
        harness.write_into(
            options.page, "bench_four_bar", tables(results, equal, exact, options.rounds)
        )


if __name__ == "__main__":
    main()
