"""Four-bar mechanism with a dry revolute clearance joint against Exudyn: CPU time at equal error.

    python benchmarks/bench_four_bar.py [--turns 2] [--rounds 3] [--page benchmarks/README.md]

P3: the mechanism of Bai, Zhang and Sun (2014) with rigid links, crank at 600 rpm, Liu's force with
the paper's hysteresis, friction 0.1 over 0.01 m/s. Both codes take the same fixed steps; Exudyn has
no such joint, so the law is a Python function of two generic coordinates (coupler and follower
angle, exact equations of motion), as its users write it. Hysteresis is measured by the speed of
the first touch, as in the paper. Our fixed steps are cut while the contact asks for shorter ones
(at its onsets, some hundred times a run); the CPU time contains that.

The error is that of the largest force of the last turn, against the same equations solved by scipy
(DOP853, stopped at each onset and end of contact). Errors do not fall evenly with the step, so the
error counted at a step is the largest at it or any smaller one; the cost of an error in between is
interpolated in the logarithms of both. ``--page`` writes the tables between the marks of that page.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import harness
import numpy as np
import problems
from four_bar_equations import Law, converged, law, start

from fem_clearance import Stepper, cases
from fem_clearance.cases import four_bar_wear as bar

STEPS = (4e-5, 2e-5, 1e-5, 5e-6, 2.5e-6)


def ours(h, t_end):
    """CPU seconds and the largest force of the last turn."""
    case = cases.get("four_bar_wear")
    values = case.resolve({"approach_speed": "first_touch"})
    stepper = Stepper(bar.mechanism(values, None).system, dt=h, t_end=t_end)
    stepper.start()
    gap = stepper.event_set.contacts[0]
    times, depth, rate = [], [], []
    tic = time.process_time()
    while stepper.t < t_end:
        stepper.advance()
        times.append(stepper.t)
        depth.append(gap.now[0][0])
        rate.append(gap.now[0][1])
    spent = time.process_time() - tic
    last = np.array(times) > t_end - 0.1
    d, v = np.array(depth)[last], np.array(rate)[last]
    return spent, float(max(law(*z, gap.approach[0]) for z in zip(d, v, strict=True)))


def exudyn(h, t_end):
    """CPU seconds and the largest force of the last turn."""
    mbs = problems.new_system()
    import exudyn as exu
    from exudyn import itemInterface as item  # noqa: N813

    initial, inertia = start()
    node = mbs.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=[0, 0], initialCoordinates=list(initial[:2]),
            initialCoordinates_t=list(initial[2:]), numberOfODE2Coordinates=2,
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
    for error in (5e-3, 3e-3, 2e-3):
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
