"""Large solids: memory, start, tangent and solve on several ranks, beside DOLFINx's own assembly.

python benchmarks/bench_solids_distributed.py [--cells 10 17 25] [--ranks 1 2]
python benchmarks/bench_solids_distributed.py --distributed [--cells 25] [--ranks 1 2] [--steps 20]
python benchmarks/bench_solids_distributed.py --memory [--cells 25] [--ranks 1 2 4]
python benchmarks/bench_solids_distributed.py --weak 12 [--on 1 2 4]

A cantilever of trilinear hexahedra, 1 m x 0.5 m x 0.5 m, swings under gravity with steps of 1 ms,
solved by multigrid. Each run is a process of its own under mpirun: memory is the largest that a
rank has held beyond what it imports, and CPU times are those of the slowest rank, so that others on
the machine count less. ``--distributed``: the mesh is DOLFINx's, and each rank holds its part
(fem_clearance.dolfinx.mesh(..., distributed=True)); else each rank holds the whole.

``--steps N``: a run of N further steps, in which tangents are kept as long as they are good enough.

``--weak N``: as many unknowns on each rank as N cells make on one (2 N^3 hexahedra a rank); numbers
of ranks beyond the cores are marked. 1e6 unknowns are 54 cells and take some 3 GB:
python benchmarks/bench_solids_distributed.py --cells 54 --ranks 2
"""

import argparse
import gc
import os
import resource
import sys
import time
from pathlib import Path

import harness

#: tangents of which the fastest counts
TIMES = 3


def mesh_sizes(cells: int, ranks: int) -> tuple[int, int, int]:
    """Cells along x, y and z: as many for each rank, the body longer by every rank."""
    return 2 * cells * ranks, cells, cells


def peak() -> float:
    """Most memory that this process has held, MB; Linux counts it in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


class Laps:
    """CPU times of the slowest rank, s."""

    def __init__(self, comm):
        self.comm, self.times = comm, {}

    def __call__(self, name: str, work):
        self.comm.barrier()
        tic = time.process_time()
        result = work()
        spent = max(self.comm.allgather(time.process_time() - tic))
        self.times[name] = min(spent, self.times.get(name, spent))
        return result


def of_dolfinx(sizes: tuple[int, int, int], length: float) -> float:
    """CPU time of the same tangent by ``dolfinx.fem.petsc.assemble_matrix``, s."""
    import dolfinx.fem.petsc
    import numpy as np
    import ufl
    from dolfinx import fem, mesh

    from fem_clearance._backend import MPI
    from fem_clearance.core.forms import jit_options

    comm = MPI.COMM_WORLD
    corners = [[0, -0.25, -0.25], [length, 0.25, 0.25]]
    box = mesh.create_box(comm, corners, sizes, mesh.CellType.hexahedron)
    V = fem.functionspace(box, ("Lagrange", 1, (3,)))
    u, w, du = fem.Function(V), ufl.TestFunction(V), ufl.TrialFunction(V)
    E, nu, rho = 1e7, 0.3, 1000.0
    lam, mu = E * nu / (1 + nu) / (1 - 2 * nu), E / 2 / (1 + nu)
    F = ufl.Identity(3) + ufl.grad(u)
    G = (F.T * F - ufl.Identity(3)) / 2
    energy = lam / 2 * ufl.tr(G) ** 2 + mu * ufl.inner(G, G)
    dx = ufl.dx(metadata={"quadrature_degree": 3})
    J = ufl.derivative(ufl.derivative(energy * dx, u, w), u, du)
    J += fem.Constant(box, 4e6) * rho * ufl.inner(du, w) * ufl.dx
    ends = mesh.locate_entities_boundary(box, 2, lambda x: np.isclose(x[0], 0))
    held = fem.dirichletbc(np.zeros(3), fem.locate_dofs_topological(V, 2, ends), V)
    form = fem.form(J, jit_options=jit_options("hexahedron"))
    laps = Laps(comm)
    A = dolfinx.fem.petsc.create_matrix(form)

    def tangent():
        A.zeroEntries()
        dolfinx.fem.petsc.assemble_matrix(A, form, bcs=[held])
        A.assemble()

    for _ in range(TIMES + 1):
        laps("tangent", tangent)
    return laps.times["tangent"]


def parts(sizes: tuple[int, int, int], length: float):
    """The same mesh by DOLFINx, of which each rank holds its part."""
    import numpy as np
    from dolfinx import mesh

    from fem_clearance import dolfinx as fcd
    from fem_clearance._backend import MPI

    corners = [[0, -0.25, -0.25], [length, 0.25, 0.25]]
    box = mesh.create_box(MPI.COMM_WORLD, corners, sizes, mesh.CellType.hexahedron)
    ends = mesh.locate_entities_boundary(box, 2, lambda x: np.isclose(x[0], 0))
    tags = mesh.meshtags(box, 2, np.sort(ends), np.ones(len(ends), np.int32))
    return fcd.mesh(box, tags, {"x0": 1}, distributed=True)


def model(kind: str, sizes: tuple[int, int, int], length: float):
    """The system of the cantilever."""
    import fem_clearance as fc
    from fem_clearance.meshes.structured import block

    if kind == "parts":
        mesh = parts(sizes, length)
    else:
        mesh = block((length, 0.5, 0.5), sizes, center=(length / 2, 0, 0), degree=1)
    system = fc.System(gravity=(0, -9.81, 0))
    rubber = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    bar = system.add(fc.Solid(mesh, rubber, degree=1, clamped="x0", name="bar"))
    system.add(fc.Probe(bar.at((length, 0.25, 0.25)), name="tip"))
    return system


def held(cells: int, kind: str) -> dict:
    """Memory that the model and the assembled problem hold, MB: the largest of the ranks."""
    from fem_clearance._backend import MPI

    def memory() -> float:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 1e6

    comm = MPI.COMM_WORLD
    model(kind, (4, 2, 2), 1.0).assemble()  # libraries and kernels are loaded
    before = memory()
    system = model(kind, mesh_sizes(cells, 1), 1.0)
    built = memory() - before
    problem = system.assemble()
    return {
        "unknowns": problem.size, "ranks": comm.size, "mesh": kind,
        "model": max(comm.allgather(built)), "assembled": max(comm.allgather(memory() - before)),
    }  # fmt: skip


def run(cells: int, kind: str, steps: int) -> dict:
    """One run on the present ranks, with so many further steps."""
    weak = kind == "weak"
    import fem_clearance as fc
    from fem_clearance._backend import MPI

    comm = MPI.COMM_WORLD
    sizes = mesh_sizes(cells, comm.size if weak else 1)
    length = sizes[0] / (2 * cells)

    def made(sizes, length):
        return fc.Stepper(model(kind, sizes, length), dt=1e-3, t_end=1.0, solver="iterative")

    made((4, 2, 2), 1.0).start()  # libraries and kernels are loaded
    before, laps = peak(), Laps(comm)
    stepper = laps("model", lambda: made(sizes, length))
    laps("start", stepper.start)
    newton, state = stepper.newton, stepper.state
    for _ in range(TIMES):
        laps("tangent", newton.build)
    newton.rebuild = True
    laps("step", stepper.advance)
    memory = max(comm.allgather(peak() - before))
    iterations, built = newton.snes.getLinearSolveIterations() / newton.its, newton.tangents
    if steps:
        laps("steps", lambda: [stepper.advance() for _ in range(steps)])
    other = float("nan") if weak else of_dolfinx(sizes, length)
    return {
        "unknowns": state.size, "ranks": comm.size, "memory": memory,
        "start": laps.times["model"] + laps.times["start"], "tangent": laps.times["tangent"],
        "step": laps.times["step"],
        "iterations": iterations, "steps": steps, "run": laps.times.get("steps", 0.0),
        "tangents": newton.tangents - built, "dolfinx": other, "tip": stepper.channels["tip.y"],
    }  # fmt: skip


def table(rows: list[dict]) -> str:
    """For the page."""
    steps = rows[0]["steps"] if rows else 0
    lines = [
        "| unknowns | ranks | memory of a rank (MB) | kB for each unknown of a rank | start, s | "
        "tangent, s | DOLFINx's, s | step with a new tangent, s | linear iterations |"
        + f" {steps} further steps, s (new tangents) |"
        * bool(steps),
        "|---|---|---|---|---|---|---|---|---|" + "---|" * bool(steps),
    ]
    for r in rows:
        ranks = f"{r['ranks']}" + " (more than cores)" * (r["ranks"] > (os.cpu_count() or 1))
        share = r["memory"] * 1e3 * r["ranks"] / r["unknowns"]
        other = "" if r["dolfinx"] != r["dolfinx"] else f"{r['dolfinx']:.2f}"
        lines.append(
            f"| {r['unknowns']} | {ranks} | {r['memory']:.0f} | {share:.1f} | {r['start']:.1f} | "
            f"{r['tangent']:.2f} | {other} | {r['step']:.1f} | {r['iterations']:.1f} |"
            + f" {r['run']:.1f} ({r['tangents']}) |"
            * bool(steps)
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, nargs="*", default=[10, 17, 25])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--weak", type=int, help="cells on each rank: weak scaling instead")
    parser.add_argument("--on", type=int, nargs="+", default=[1, 2, 4], help="its ranks")
    parser.add_argument("--distributed", action="store_true", help="each rank holds its part alone")
    parser.add_argument("--memory", action="store_true", help="of model and problem alone, MB")
    parser.add_argument("--steps", type=int, default=0, help="further steps, timed together")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        cells, kind, steps = options.one
        what, _, kind = kind.rpartition(" ")
        result = held(int(cells), kind) if what else run(int(cells), kind, int(steps))
        from fem_clearance._backend import MPI

        harness.hand_over(result, MPI.COMM_WORLD.rank)
        return
    strong = "parts" if options.distributed else "strong"
    runs = [(cells, strong, ranks) for cells in options.cells for ranks in options.ranks]
    if options.weak:
        runs = [(options.weak, "weak", ranks) for ranks in options.on]
    if options.memory:
        runs = [(c, f"held {kind}", n) for c, _, n in runs for kind in ("strong", "parts")]
    rows = []
    for cells, kind, ranks in runs:
        try:
            one = "--one", cells, kind, options.steps
            rows.append(harness.alone(__file__, *one, ranks=ranks))
        except RuntimeError as error:
            print(error, file=sys.stderr)
            continue
        print(rows[-1], flush=True)
    if options.memory:
        return
    names = {"weak": "solids_weak", "parts": "solids_parts"}
    harness.keep(names.get(runs[0][1], "solids_distributed"), rows)
    print(table(rows))
    print(harness.stamp())


if __name__ == "__main__":
    main()
