"""One turn of the quick-return mechanism with each kind of bearing, on one and two ranks.

    python benchmarks/bench_quick_return.py [--ranks 1 2] [--only NAME ...] [--page PAGE]

3351 fixed steps of 20 us (200 with full liners), each run a process of its own under mpirun, forms
compiled before. "Apart" is the largest difference of the journals' paths to those of one rank, by
their largest excursion. Prints the table and, with ``--page docs/performance.md``, writes it there,
between marks. Wall-clock times: nothing else should run.
"""

import os
import tempfile

import harness
import numpy as np

EHD = {"bearings": "ehd"}
#: name -> what differs from the defaults of the case
CASES = {
    "spring": {"bearings": "spring"},
    "hd, closed form": {"joint.film": "closed_form"},
    "hd": {},
    "ehd, condensed": EHD,
    "ehd, full, 200 steps": EHD | {"liner": "full", "t_end": 4e-3},
}
#: whose difference between ranks is reported
CHANNELS = [f"journal.{n}.{x}" for n in "ADCF" for x in "xy"]


def run(name: str, output: str) -> dict:
    """One run on the present ranks; rank 0 leaves the journals' paths in ``output``."""
    from fem_clearance import cases
    from fem_clearance._backend import MPI

    case, changes = cases.get("quick_return"), CASES[name]
    case.simulation(changes | {"t_end": 4e-5}, progress=False).run()  # compiles
    results = case.simulation(changes, progress=False).run()
    summary = results.summary
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        np.save(output, np.array([results[n] for n in CHANNELS]))
    return {
        "name": name, "ranks": comm.size, "steps": summary["steps"],
        "iterations": summary["newton_iterations"], "tangents": summary["jacobians"],
        "wall": summary["wall_s"], "cells": summary["cells_per_rank"],
    }  # fmt: skip


def table(rows: list[dict]) -> str:
    """The table in Markdown."""
    head = (
        "| bearings | ranks | steps | Newton iterations | tangents | seconds | speed-up | apart |"
    )
    lines = [head, "|---" * head.count(" |") + "|"]
    alone = {r["name"]: r["wall"] for r in rows if r["ranks"] == 1}
    for r in rows:
        more = r["ranks"] > 1 and r["name"] in alone
        faster = f"{alone[r['name']] / r['wall']:.2f}" if more else ""
        apart = f"{r['apart']:.0e}" if r.get("apart") is not None else ""
        lines.append(
            f"| {r['name']} | {r['ranks']} | {r['steps']} | {r['iterations']} | {r['tangents']} | "
            f"{r['wall']:.1f} | {faster} | {apart} |"
        )
    return "\n".join(lines)


def main() -> None:
    options = harness.options(CASES, nargs=2)
    if options.one:
        result = run(*options.one)
        from fem_clearance._backend import MPI

        harness.hand_over(result, MPI.COMM_WORLD.rank)
        return
    os.environ["OMP_NUM_THREADS"] = "1"
    rows: list[dict] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only:
            one = None
            for ranks in options.ranks:
                path = f"{folder}/paths.npy"
                row = harness.alone(__file__, "--one", name, path, ranks=ranks)
                paths = np.load(path)
                if ranks == 1:
                    one = paths
                elif one is not None and one.shape == paths.shape:
                    row["apart"] = float(np.abs(paths - one).max() / np.abs(one).max())
                rows.append(row)
                print(table(rows).splitlines()[-1], flush=True)
    text = table(rows) + f"\n\nLoad of the machine at the end: {os.getloadavg()[0]:.1f}."
    if options.page:
        harness.write_into(options.page, "bench_quick_return", text)


if __name__ == "__main__":
    main()
