"""Solids on one and two ranks, direct and iterative: times, memory and iterations against size.

python benchmarks/bench_solids.py [--cells 10 17 25] [--ranks 1 2]: a cantilever of trilinear
hexahedra swings under gravity. Each run is a process of its own under mpirun. Writes
benchmarks/results/solids.json, docs/figures/solids_scaling.png and prints the table of
docs/performance.md. Wall-clock times: nothing else should run.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

import harness

STEPS = 3


def run(cells: int, solver: str) -> dict:
    """One run on the present ranks."""
    import fem_clearance as fc
    from fem_clearance._backend import MPI
    from fem_clearance.meshes.structured import block

    comm = MPI.COMM_WORLD
    mesh = block((1, 0.5, 0.5), (2 * cells, cells, cells), center=(0.5, 0, 0), degree=1)
    system = fc.System(gravity=(0, -9.81, 0))
    steel = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    bar = system.add(fc.Solid(mesh, steel, degree=mesh.degree, clamped=["x0"], name="bar"))
    system.add(fc.Probe(bar.at((1, 0.25, 0.25)), name="tip"))
    stepper = fc.Stepper(system, dt=1e-3, t_end=1.0, solver=solver)
    times = {}

    def lap(name, work):
        comm.barrier()
        tic = time.perf_counter()
        result = work()
        comm.barrier()
        times[name] = time.perf_counter() - tic
        return result

    lap("start", stepper.start)
    state, newton = stepper.state, stepper.newton
    lap("tangents", lambda: state.tangent(newton.c.beta, newton.c.gamma))
    newton.rebuild = True
    lap("step with a new tangent", stepper.advance)
    iterations = linear = 0
    tic = time.perf_counter()
    for _ in range(STEPS):
        stepper.advance()
        iterations += newton.its
        linear += newton.snes.getLinearSolveIterations()
    times["iteration"] = (time.perf_counter() - tic) / iterations
    memory = comm.allreduce(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
    counts = comm.allgather(state.components[0].count)
    return {
        "unknowns": state.size, "ranks": comm.size, "solver": solver, **times,
        "linear iterations": linear / iterations if solver == "iterative" else 1,
        "memory, GB": memory, "cells per rank": counts, "tip": stepper.channels["tip.y"],
    }  # fmt: skip


def table(rows: list[dict]) -> str:
    lines = [
        "| unknowns | solver | ranks | start, s | tangents, s | step with a new tangent, s | "
        "further iteration, s | linear iterations | memory (GB) |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        lines.append(
            f"| {r['unknowns']} | {r['solver']} | {r['ranks']} | {r['start']:.1f} | "
            f"{r['tangents']:.2f} | {r['step with a new tangent']:.2f} | {r['iteration']:.3f} | "
            f"{r['linear iterations']:.1f} | {r['memory, GB']:.2f} |"
        )
    return "\n".join(lines)


def figure(rows: list[dict], target: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for solver, color in (("mumps", "tab:blue"), ("iterative", "tab:orange")):
        for ranks, style in ((1, "o-"), (2, "s--")):
            mine = [r for r in rows if r["solver"] == solver and r["ranks"] == ranks]
            x = [r["unknowns"] for r in mine]
            y = [r["step with a new tangent"] for r in mine]
            axes[0].loglog(x, y, style, color=color, label=f"{solver}, {ranks} rank(s)")
            if solver == "iterative":
                y = [r["linear iterations"] for r in mine]
                axes[1].semilogx(x, y, style, color=color, label=f"{ranks} rank(s)")
    axes[0].set(xlabel="unknowns", ylabel="step with a new tangent, s")
    axes[1].set(xlabel="unknowns", ylabel="iterations of GMRES a solve", ylim=(0, None))
    for ax in axes:
        ax.legend()
        ax.grid(alpha=0.3)
    fig.savefig(target, dpi=110)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, nargs="+", default=[10, 17, 25])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        result = run(int(options.one[0]), options.one[1])
        from fem_clearance._backend import MPI

        harness.hand_over(result, MPI.COMM_WORLD.rank)
        return
    rows = []
    for cells in options.cells:
        for solver in ("mumps", "iterative"):
            for ranks in options.ranks:
                try:
                    rows.append(harness.alone(__file__, "--one", cells, solver, ranks=ranks))
                except RuntimeError as error:
                    print(error, file=sys.stderr)
                    continue
                print(rows[-1], flush=True)
    harness.keep("solids", rows)
    print(table(rows))
    if options.page:
        harness.write_into(options.page, "bench_solids", table(rows))
        figure(rows, options.page.parent / "figures" / "solids_scaling.png")


if __name__ == "__main__":
    main()
