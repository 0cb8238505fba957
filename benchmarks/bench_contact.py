"""Cost of contact between two elastic solids beside the same bodies without contact.

    python benchmarks/bench_contact.py             # a table in Markdown; about two minutes
    python benchmarks/bench_contact.py 52          # blocks of 52 cells along the lower one

A block is thrown onto another and slides along it, both loaded at one side, in fixed steps. What is
measured is processor time a step, after a run that has compiled the forms; the smaller of two runs
counts.
"""

import sys
import time

import fem_clearance as fc
from fem_clearance import meshes

STEPS, DT = 100, 5e-6
SOFT = fc.StVenantKirchhoff(2e9, 0.3, 1000.0)
CASES = {
    "no contact": None,
    "no friction": {},
    "`SmoothCoulomb`": {"friction": fc.SmoothCoulomb(0.2, v0=1e-2)},
    "`SurfaceStick`": {"friction": fc.SurfaceStick(0.2)},
    "`LuGre`": {"friction": fc.LuGre(0.2, 0.2, v_s=1e-2)},
    "no friction, `reach=0.01`": {"reach": 0.01},
}


def system(cells, contact):
    """Two free blocks, with so many cells along the lower one."""
    model = fc.System(gravity=(0, 0, 0))
    same = {"state": "plane_strain", "thickness": 0.02, "degree": 2, "free": True}
    bodies = []
    for n, y, name, velocity in (
        (cells, -0.025, "low", (0, 0, 0)), (cells + 2, 0.025, "up", (1.0, -1.0, 0)),
    ):  # fmt: skip
        mesh = meshes.block((0.1, 0.05), (n, n // 2), center=(0, y, 0))
        bodies.append(model.add(fc.Solid(mesh, SOFT, name=name, velocity=velocity, **same)))
        model.add(fc.Pressure(bodies[-1].facets("x1"), 1e6))  # so that they deform without contact
    low, up = bodies
    if contact is not None:
        law = fc.Winkler(1e12)
        model.add(fc.SurfaceContact(up.facets("y0"), low.facets("y1"), law=law, **contact))
    return model


def cost(cells, contact) -> tuple[float, float, int]:
    """Processor time a step, ms, Newton iterations a step, and unknowns."""
    best, iterations, size = float("inf"), 0, 0
    for _ in range(3):  # the first compiles
        stepper = fc.Stepper(
            system(cells, contact), fc.GeneralizedAlpha(0.8), dt=DT, t_end=DT * STEPS
        )
        stepper.start()
        begun = time.process_time()
        while stepper.t < stepper.t_end - DT / 2:
            stepper.advance()
        best = min(best, time.process_time() - begun)
        iterations, size = stepper.newton.iterations, stepper.state.size
    return 1e3 * best / STEPS, iterations / STEPS, size


def main():
    print("| cells | contact | unknowns | ms a step | by that without | iterations a step |")
    print("|---|---|---|---|---|---|")
    for cells in map(int, sys.argv[1:] or (8, 24)):
        free = None
        for name, contact in CASES.items():
            each, iterations, size = cost(cells, contact)
            free = free or each
            sizes = f"{cells} x {cells // 2}, {cells + 2} x {cells // 2 + 1}"
            row = (sizes, name, size, f"{each:.2f}", f"{each / free:.2f}", f"{iterations:.1f}")
            print("|", " | ".join(map(str, row)), "|", flush=True)


if __name__ == "__main__":
    main()
