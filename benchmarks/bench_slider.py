"""Slider-crank with an elastic slider in a guide with clearance (P4) against Exudyn, over unknowns.

    python benchmarks/bench_slider.py [--rounds 3] [--quick] [--page docs/performance.md]

Fixed steps of 20 us from the start through the first contacts (5.6 ms), generalized-alpha with a
spectral radius of 0.8, modified Newton to 1e-8, in both codes; the problem is in slider.py. Every
run has a process of its own; Exudyn, fem_clearance on one rank and on two take turns, medians
count (of the slowest peer and of two ranks: one run). CPU time of the time loop, without set-up;
of two ranks that of both together over a quarter of the steps, and the time on the wall beside that
of one rank.

``--page`` writes the table between the marks of that page.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import harness

STEP, STEPS = 2e-5, 400
#: of these the pin is compared, before any contact, s
EARLY = 5e-3


# --- one run --------------------------------------------------------------------------------------
def ours(cells, steps):
    """Time loop of fem_clearance; two ranks if it was started so."""
    import numpy as np
    import slider as p

    import fem_clearance as fc
    from fem_clearance._backend import MPI

    system, body = p.ours(cells)
    stepper = fc.Stepper(system, dt=STEP, t_end=STEP * steps)
    stepper.start()
    newton, touching, early = stepper.newton, 0, None
    before = newton.iterations, newton.tangents
    wall, cpu = time.perf_counter(), time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance()
        channels = stepper.channels
        touching += any(channels[f"{side}.normal_force"] > 0 for side in p.FACES)
        if early is None and stepper.t > EARLY - STEP / 2:
            early = [channels["pin.x"], channels["pin.y"]]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    comm = MPI.COMM_WORLD
    return {
        "unknowns": 3 * len(body.nodes), "ranks": comm.size, "touching": int(touching),
        "cpu_ms": 1e3 * comm.allreduce(cpu) / steps, "wall_ms": 1e3 * wall / steps,
        "iterations": (newton.iterations - before[0]) / steps,
        "factors": newton.tangents - before[1],
        "cells": comm.allgather(int(sum(c.count for c in system.state.components))),
        "early": early and np.round(early, 12).tolist(),
    }  # fmt: skip


def exudyn(cells, steps):
    """Exudyn's time loop."""
    import numpy as np
    import slider as p

    mbs, end = p.exudyn(cells)
    import exudyn as exu
    from exudyn.itemInterface import SensorMarker

    place = mbs.AddSensor(
        SensorMarker(markerNumber=end, outputVariableType=exu.OutputVariableType.Position,
                     storeInternal=True, writeToFile=False)
    )  # fmt: skip
    mbs.Assemble()
    settings = p.problems.exudyn_settings(STEP, steps)
    settings.solution.sensors.writePeriod = STEP
    settings.show.computationTime = True  # measures the parts
    cpu = time.process_time()
    if not mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha):
        raise RuntimeError("Exudyn found no solution")
    cpu = time.process_time() - cpu
    solver, path = mbs.sys["dynamicSolver"], mbs.GetSensorStoredData(place)
    early = path[np.isclose(path[:, 0], EARLY), 1:3]
    return {
        "cpu_ms": 1e3 * cpu / steps, "factors": solver.it.newtonJacobiCount,
        "factor_part": solver.timer.factorization / solver.timer.total,
        "iterations": solver.it.newtonStepsCount / steps, "version": exu.__version__,
        "early": early[0].tolist() if len(early) else None,
    }  # fmt: skip


# --- all runs -------------------------------------------------------------------------------------
def start(who, mesh, steps, ranks=1):
    """A run in a process of its own."""
    return harness.alone(__file__, "--run", who, mesh, steps, ranks=ranks)


def measure(mesh, steps, rounds):
    """One row of the table."""
    runs = {"exudyn": [], "one": [], "two": []}
    for k in range(rounds):
        if k == 0 or runs["exudyn"][0]["cpu_ms"] * steps < 6e4:
            runs["exudyn"].append(start("exudyn", mesh, steps))
        runs["one"].append(start("ours", mesh, steps))
    runs["two"].append(start("ours", mesh, steps // 4, 2))
    result = {}
    for who, each in runs.items():
        result[who] = each[0] | {
            key: statistics.median(r[key] for r in each)
            for key in ("cpu_ms", "wall_ms")
            if key in each[0]
        }
    result["ratio"] = result["one"]["cpu_ms"] / result["exudyn"]["cpu_ms"]
    print(row(result), flush=True)
    return result


HEAD = (
    "| unknowns | Exudyn (ms for a step) | share of factors | iterations (all factors) "
    "| fem_clearance (ms) | iterations (factors) | ratio | two ranks (CPU ms) | wall, one : two |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def row(r):
    peer, one, two = r["exudyn"], r["one"], r["two"]
    return (
        f"| {one['unknowns']} | {peer['cpu_ms']:.1f} | {peer['factor_part']:.0%} "
        f"| {peer['iterations']:.1f} ({peer['factors']}) | {one['cpu_ms']:.1f} "
        f"| {one['iterations']:.1f} ({one['factors']}) | {r['ratio']:.3f} | {two['cpu_ms']:.1f} "
        f"| {one['wall_ms']:.1f} : {two['wall_ms']:.1f} |"
    )


def growth(results):
    """Exponent of the cost over the unknowns, first to last mesh."""
    from math import log

    first, last = results[0], results[-1]
    size = log(last["one"]["unknowns"] / first["one"]["unknowns"])
    return {
        who: log(last[who]["cpu_ms"] / first[who]["cpu_ms"]) / size for who in ("exudyn", "one")
    }


def about(results, load):
    """What stands below the table."""
    powers, last = growth(results), results[-1]
    cells = ", ".join(" + ".join(str(n) for n in r["two"]["cells"]) for r in results)
    lines = [
        f"Cost grows with the unknowns to the power {powers['one']:.2f} (Exudyn: "
        f"{powers['exudyn']:.2f}). Cells on two ranks: {cells}.",
        f"Load of the machine (runs waiting for {os.cpu_count()} cores): {load:.1f}; Exudyn "
        f"{last['exudyn']['version']}. The slider touches its guide in "
        f"{results[0]['one']['touching']} (smallest mesh) to {last['one']['touching']} (largest "
        "mesh) of the steps.",
    ]
    early = [(r["one"]["early"], r["exudyn"]["early"]) for r in results]
    if all(a and b for a, b in early):
        off = max(abs(x - y) for a, b in early for x, y in zip(a, b, strict=True))
        lines.append(f"At {EARLY:g} s the pins of both codes are {off:.1e} m apart at most.")
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    import slider as p

    if options.run:
        who, mesh, steps = options.run
        found = {"ours": ours, "exudyn": exudyn}[who](p.MESHES[int(mesh)], int(steps))
        harness.hand_over(found, p.fc._backend.MPI.COMM_WORLD.rank)
        return
    try:
        import exudyn as _  # noqa: F401
    except ImportError:
        print("this benchmark needs Exudyn: pip install -e '.[bench]'")
        return
    steps = STEPS // 10 if options.quick else STEPS
    start("ours", 0, 2)  # compiles the forms
    print(HEAD)
    load, results = [os.getloadavg()[0]], []
    for mesh in range(len(p.MESHES)):
        results.append(measure(mesh, steps, options.rounds))
        load.append(os.getloadavg()[0])
    lines = about(results, sum(load) / len(load))
    print("", *lines, sep="\n")
    harness.keep("slider", results, dated=True)
    if options.page:
        text = "\n".join([HEAD, *(row(r) for r in results), "", *lines])
        harness.write_into(options.page, "bench_slider", text)


if __name__ == "__main__":
    main()
