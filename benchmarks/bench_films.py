"""Films in a running system: times of a Newton step on one and two ranks.

    python benchmarks/bench_films.py [--ranks 1 2] [--only NAME ...] [--page docs/performance.md]

A journal under a load jump in a rigid bearing, one with a condensed liner, one with a full liner
(bore 15 mm, width 14 mm, clearance .02 mm, 1000 rad/s). Each run is a process of its own under
mpirun. Prints the table, writes benchmarks/results/films.json and, with ``--page``, the table
between the marks of that page. Wall-clock times (medians of single calls; means of time steps):
nothing else should run.
"""

import os
import resource
import statistics
import time

import harness

STEPS = 20
R, LENGTH, C, MU, SPEED, E = 0.015, 0.014, 2e-5, 0.04, 1000.0, 130e9
#: name -> film's cells, liner's cells, kind of liner, responses, ranks
CASES = {
    "rigid 48x8": ((48, 8), None, None, None),
    "rigid 96x16": ((96, 16), None, None, None),
    "rigid 192x32": ((192, 32), None, None, None),
    "condensed 48x8": ((48, 8), (48, 8, 2), "condensed", 80),
    "condensed 96x16, 40 responses": ((96, 16), (48, 8, 2), "condensed", 40),
    "condensed 96x16": ((96, 16), (48, 8, 2), "condensed", 80),
    "full 24x4x2": (None, (24, 4, 2), "full", None),
    "full 48x4x2": (None, (48, 4, 2), "full", None),
}


def rotor(name: str):
    """The system of a case."""
    import fem_clearance as fc
    from fem_clearance.lubrication import CylindricalFilm, Film, Liner, Lubricant, cylinder
    from fem_clearance.meshes import hollow_cylinder

    cells, solid, kind, responses = CASES[name]
    liner, surface = None, None
    if solid is not None:
        mesh = hollow_cylinder(R, 0.025, LENGTH, solid)
        bronze = fc.StVenantKirchhoff(E=E, nu=0.3, rho=8000)
        if kind == "full":
            liner = Liner(fc.Solid(mesh, bronze, clamped="rim"))
            surface = liner.surface()
        else:
            liner = Liner(
                fc.CondensedSolid(mesh, bronze, clamped="rim", facets="bore", direction="normal",
                                  responses=responses)
            )  # fmt: skip
    film = Film(surface or cylinder(R, LENGTH, cells), C, Lubricant(MU), sliding_speed=R * SPEED)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(1.0, (1e3, 1e3, 1e3), name="journal", angular_velocity=(0, 0, SPEED),
                     position=(0.5 * C, 0.2 * C, 0))
    )  # fmt: skip
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                               liner=liner, name="film"))  # fmt: skip
    system.add(fc.Force(journal.center, (4000.0, -1500.0, 0), name="load"))
    return system


def run(name: str) -> dict:
    """One run on the present ranks."""
    import fem_clearance as fc
    from fem_clearance._backend import MPI

    comm, system = MPI.COMM_WORLD, rotor(name)
    stepper = fc.Stepper(system, dt=2e-5, t_end=1.0)
    tic = time.perf_counter()
    stepper.prepare()
    prepared = time.perf_counter() - tic
    stepper.start()
    state, newton = stepper.state, stepper.newton
    for _ in range(5):
        stepper.advance()

    def median(work, times):
        work()
        took = []
        for _ in range(times):
            comm.barrier()
            start = time.perf_counter()
            work()
            comm.barrier()
            took.append(time.perf_counter() - start)
        return statistics.median(took)

    ksp, (x, f) = newton.snes.getKSP(), state.A.createVecs()
    kernels = median(lambda: state.problem.tangent_kernels.evaluate(state.address), 9)
    tangent = median(newton.build, 9)
    residual = median(lambda: newton.snes.computeFunction(newton.x, f), 25)
    f.set(1.0)

    def factorise():
        newton.build()
        ksp.setOperators(state.A)
        ksp.solve(f, x)

    factors = median(factorise, 9) - tangent
    solve = median(lambda: ksp.solve(f, x), 25)
    newton.rebuild = True
    its, built, tic = newton.iterations, newton.tangents, time.perf_counter()
    for _ in range(STEPS):
        stepper.advance()
    took = time.perf_counter() - tic
    memory = comm.allreduce(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
    return {
        "name": name, "ranks": comm.size, "unknowns": state.size, "prepare": prepared,
        "kernels": kernels, "tangent": tangent, "factors": factors,
        "newton": tangent + factors + residual,
        "kept": residual + solve, "step": took / STEPS,
        "iterations": (newton.iterations - its) / STEPS,
        "tangents": (newton.tangents - built) / STEPS, "memory": memory,
    }  # fmt: skip


COLUMNS = (
    ("film", "name", "{}"), ("ranks", "ranks", "{}"), ("unknowns", "unknowns", "{}"),
    ("prepare, s", "prepare", "{:.1f}"),
    ("Newton step with a new tangent (ms)", "newton", "{:.1f}"),
    ("of it tangent, ms", "tangent", "{:.1f}"), ("(its kernels)", "kernels", "{:.1f}"),
    ("factors and solve, ms", "factors", "{:.1f}"),
    ("Newton step with a kept one (ms)", "kept", "{:.2f}"), ("time step (ms)", "step", "{:.1f}"),
    ("iterations for a time step", "iterations", "{:.1f}"),
    ("tangents for a time step", "tangents", "{:.2f}"), ("memory (GB)", "memory", "{:.2f}"),
)  # fmt: skip
MILLISECONDS = ("newton", "tangent", "kernels", "factors", "kept", "step")


def table(rows: list[dict]) -> str:
    head = "| " + " | ".join(title for title, _, _ in COLUMNS) + " |"
    lines = [head, "|---" * len(COLUMNS) + "|"]
    for row in rows:
        row = {k: 1e3 * v if k in MILLISECONDS else v for k, v in row.items()}
        lines.append("| " + " | ".join(form.format(row[key]) for _, key, form in COLUMNS) + " |")
    return "\n".join(lines)


def main() -> None:
    options = harness.options(CASES)
    if options.one:
        result = run(options.one)
        from fem_clearance._backend import MPI

        harness.hand_over(result, MPI.COMM_WORLD.rank)
        return
    rows, load = [], [os.getloadavg()[0]]
    for name in options.only:
        for ranks in options.ranks if name.startswith("full") else [1]:
            rows.append(harness.alone(__file__, "--one", name, ranks=ranks))
            print(table(rows[-1:]).splitlines()[-1], flush=True)
            load.append(os.getloadavg()[0])
    harness.keep("films", rows)
    text = table(rows) + (
        f"\n\nLoad of the machine (runs waiting for {os.cpu_count()} cores): "
        f"{statistics.median(load):.1f}."
    )
    print(text)
    if options.page:
        harness.write_into(options.page, "bench_films", text)


if __name__ == "__main__":
    main()
