"""The time loop against Exudyn: CPU time of a step, the same problems and steps in the same run.

    python benchmarks/bench_loop.py [--rounds 3] [--quick] [--page docs/performance.md]

P1: flexible pendulum (Tian et al. 2009, table 1), steps of 1 ms; thin cable elements in both codes,
and fem_clearance's quadratic beam beside Exudyn's cable. P2: double pendulum with a spherical
clearance joint; two arms of 6 cable elements, steps of 10 us, or rigid arms, steps of 5 us.

Exudyn runs its fast build, EigenSparse, modified Newton, relative tolerance 1e-8 (and 1e-6 N: with
1e-8 N its steel cables do not converge); in P2 its built-in hollow sphere, with the approach speed
of the first touch as ours. The step is the same; ours is cut while a contact needs shorter ones,
and times are per step taken. Runs alternate, so that the load of the machine hits both; medians of
the rounds are compared. Errors are measured in runs of their own: of the tip against 80 cables with
steps of 0.2 ms, of the first impact's largest force against the converged one.

``--page`` writes the table between the marks of that page and the figure of cost over elements into
the folder ``figures`` beside it.
"""

import argparse
import os
import platform
import statistics
import time
from pathlib import Path

import harness
import numpy as np
import problems as p

#: P1's tip at these times, s (80 cables, h = 2e-4); P2's largest forces in the first impact, N:
#: 48 cables an arm; rigid, exact
TIP = {1: (-0.883911, 0.161776, 0), 5: (-0.933731, 0.013981, 0)}
PEAK, RIGID_PEAK = 36.0, 157.19
#: elements of the curve of cost
ELEMENTS = (5, 10, 20, 50, 100, 200, 500)
US = "us_per_step"


def cases(scale):
    """Name, both problems, step, steps of a timed run, and what the error is taken of."""
    for n, steps, end in ((5, 5000, 5), (20, 3000, 5), (200, 400, 1)):
        yield (f"P1, {n} cable elements", lambda n=n: p.pendulum(n),
               lambda n=n: p.exudyn_pendulum(n), 1e-3, steps // scale, ("tip", end))  # fmt: skip
    for n, steps in ((5, 2000), (20, 600)):
        yield (f"P1, {n} quadratic beams", lambda n=n: p.pendulum(n, "quadratic"),
               lambda n=n: p.exudyn_pendulum(n), 1e-3, steps // scale, ("tip", 1))  # fmt: skip
    yield ("P2, 2 x 6 cables", p.flexible_arms, p.exudyn_flexible_arms, 1e-5, 10000 // scale,
           ("peak", PEAK, 0.03))  # fmt: skip
    yield ("P2, rigid arms", p.rigid_arms, p.exudyn_rigid_arms, 5e-6, 10000 // scale,
           ("peak", RIGID_PEAK, 0.0295))  # fmt: skip


def error(run, problem, h, what):
    """Of the tip, m, or of the first impact's largest force, relative."""
    if what[0] == "tip":
        found = run(problem, h, round(what[1] / h))["tip"]
        return float(np.linalg.norm(np.subtract(found, TIP[what[1]])))
    force = run(problem, h, round(what[2] / h), record=True)["peak_force"]
    return force / what[1] - 1


def alternate(ours, peer, h, steps, rounds):
    """Runs of both in turn, and of fem_clearance recording."""
    p.ours(ours(), h, 2)  # compiles the forms
    runs: dict[str, list] = {"exudyn": [], "fem_clearance": [], "recording": []}
    for _ in range(rounds):
        runs["exudyn"].append(p.exudyn(peer(), h, steps))
        runs["fem_clearance"].append(p.ours(ours(), h, steps))
        runs["recording"].append(p.ours(ours(), h, steps, record=True))
    return {
        who: each[0]
        | {US: statistics.median(r[US] for r in each), "all": [round(r[US], 2) for r in each]}
        for who, each in runs.items()
    }


def compare(case, rounds):
    """One row of the table."""
    name, ours, peer, h, steps, what = case
    result = {"problem": name, "h": h, "steps": steps, **alternate(ours, peer, h, steps, rounds)}
    result["error_of"] = what[0]
    for who, run, problem in (("exudyn", p.exudyn, peer), ("fem_clearance", p.ours, ours)):
        result[who]["error"] = error(run, problem(), h, what)
    peer_time = result["exudyn"][US]
    for who in ("fem_clearance", "recording"):
        result[who]["ratio"] = result[who][US] / peer_time
    print(row(result), flush=True)
    return result


def row(r):
    """A line of the table."""
    peer, own, recording = r["exudyn"], r["fem_clearance"], r["recording"]
    form = "{:.1e} m" if r["error_of"] == "tip" else "{:+.1%}"
    return (
        f"| {r['problem']} | {peer[US]:.1f} ({peer['iterations_per_step']:.1f}) "
        f"| {own[US]:.1f} ({own['iterations_per_step']:.1f}) | {own['ratio']:.2f} "
        f"| {recording['ratio']:.2f} | {form.format(peer['error'])} "
        f"| {form.format(own['error'])} |"
    )


HEAD = (
    "| problem | Exudyn | fem_clearance | ratio | recording | Exudyn's error | ours |\n"
    "|---|---|---|---|---|---|---|"
)


def curve(rounds, scale):
    """Cost of P1's step over the number of elements."""
    result = []
    for n in ELEMENTS:
        steps = max(20, (200 + 10000 // n) // scale)
        both = alternate(
            lambda n=n: p.pendulum(n), lambda n=n: p.exudyn_pendulum(n), 1e-3, steps, rounds
        )
        result.append({"elements": n, **{who: each[US] for who, each in both.items()}})
        print(", ".join(f"{k} {v:.4g}" for k, v in result[-1].items()), flush=True)
    return result


def draw(points, path):
    """The figure of cost over elements."""
    import matplotlib.pyplot as plt

    from fem_clearance.plotting import style

    plt.rcParams.update(style.STYLE)
    figure, (ax,) = style.new()
    n = [z["elements"] for z in points]
    ax.loglog(n, [z["exudyn"] for z in points], "o-", label="Exudyn, ANCF cable")
    ax.loglog(n, [z["fem_clearance"] for z in points], "s-", label="fem_clearance, cable")
    ax.set(xlabel="elements", ylabel="CPU time of a step in µs", xticks=n, xticklabels=n)
    ax.minorticks_off()
    ax.legend()
    figure.savefig(path)


def write(page, results, points, about):
    """Put the table and the curve between the marks of a page."""
    lines = [HEAD, *(row(r) for r in results), ""]
    lines += ["| elements | Exudyn | fem_clearance | ratio |", "|---|---|---|---|"]
    for z in points:
        ratio = z["fem_clearance"] / z["exudyn"]
        lines.append(
            f"| {z['elements']} | {z['exudyn']:.4g} | {z['fem_clearance']:.4g} | {ratio:.2f} |"
        )
    lines.append(
        f"\nLoad of the machine (runs waiting for {about['cores']} cores): {about['load']:.1f}; "
        f"Exudyn {about['exudyn']}, {about['rounds']} rounds."
    )
    harness.write_into(page, "bench_loop", "\n".join(lines))
    draw(points, page.parent / "figures" / "cost.png")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    parser.add_argument("--page", type=Path, help="write the table into this page")
    options = parser.parse_args()
    try:
        import exudyn
    except ImportError:
        print("this benchmark needs Exudyn: pip install -e '.[bench]'")
        return
    scale = 10 if options.quick else 1
    print("CPU time of a step, us (iterations)", HEAD, sep="\n")
    load = [os.getloadavg()[0]]
    results = [compare(case, options.rounds) for case in cases(scale)]
    load.append(os.getloadavg()[0])
    points = curve(options.rounds, scale)
    load.append(os.getloadavg()[0])
    about = {
        "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(),
        "load": float(np.mean(load)), "exudyn": exudyn.__version__, "rounds": options.rounds,
        "time": time.strftime("%F %T"),
    }  # fmt: skip
    harness.keep("loop", {"about": about, "results": results, "curve": points}, dated=True)
    if options.page:
        write(options.page, results, points, about)


if __name__ == "__main__":
    main()
