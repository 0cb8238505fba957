"""A slider-crank with a flexible rod: as a `Solid` and as a `ReducedBody`, processor time of a step
and deflection.

`python benchmarks/reduced_bodies.py` prints rows of the tables in docs/reduced.md (half a minute
after the forms are compiled); the time is that of the longer of two runs less that of the shorter.
"""

import time

import numpy as np

import fem_clearance as fc

CRANK, LENGTH, RATE = 0.05, 0.3, 20 * np.pi
STEP = 5e-4


def rod(cells, E):
    """0.3 m long, 10 mm x 10 mm, moved by the crank at the start."""
    size = (LENGTH, 0.01, 0.01)[: len(cells)]
    plane = {"state": "plane_stress", "thickness": 0.01} if len(cells) == 2 else {}
    return fc.Solid(
        fc.meshes.block(size, cells, center=(CRANK + LENGTH / 2, 0, 0)),
        fc.StVenantKirchhoff(E, 0.3, 7800), degree=2, name="rod", **plane,
        velocity=lambda x: np.outer(1 - (x[:, 0] - CRANK) / LENGTH, [0, RATE * CRANK, 0]),
    )  # fmt: skip


def mechanism(body):
    """Crank at 600 rpm, rod, and a point that slides along x; probes at the rod."""
    system = fc.System(gravity=(0, 0, 0))
    crank = system.add(
        fc.RigidBody(
            0.1, (1e-4, 1e-4, 1e-4), position=(CRANK / 2, 0, 0),
            velocity=(0, RATE * CRANK / 2, 0), angular_velocity=(0, 0, RATE), name="crank",
        )
    )  # fmt: skip
    pin = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), axis=(0, 0, 1)))
    turning = fc.functions.Linear(rate=RATE)
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), turning))
    system.add(body)
    ends = [(CRANK, 0, 0), (CRANK + LENGTH, 0, 0)]
    slide = system.ground.point(ends[1])
    if body.dimension == 2:
        near, far = (body.at(x) for x in ends)
        system.add(fc.SphericalJoint(crank.at(ends[0]), near))
        system.add(fc.PointOnLine(slide, far, axis=(1, 0, 0)))
    else:
        near, far = (system.add(fc.Attachment(body.facets(n))).frame for n in ("x0", "x1"))
        system.add(fc.RevoluteJoint(crank.at(ends[0]), near, axis=(0, 0, 1)))
        system.add(fc.PointOnLine(slide, far, axis=(1, 0, 0)))
    for name, x in (("A", ends[0]), ("B", ends[1]), ("M", (CRANK + LENGTH / 2, 0, 0))):
        system.add(fc.Probe(body.at(x), name=name))
    return system


def run(body, steps):
    """Deflection of the middle, m, and processor time, s."""
    system = mechanism(body)
    system.assemble()
    tic = time.process_time()
    results = fc.Simulation(system, dt=STEP, t_end=steps * STEP, fields_every=0).run()
    spent = time.process_time() - tic
    A, B, M = (np.stack([results[f"{n}.{x}"] for x in "xy"], axis=1) for n in "ABM")
    axis, arm = B - A, M - A
    deflection = (axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]) / np.hypot(*axis.T)
    return system, deflection, spent


def measured(make, steps):
    """Unknowns, deflection over the longer run, and ms a step."""
    first = run(make(), steps // 4)[2]
    system, deflection, spent = run(make(), steps)
    return system.state.size, deflection, 1e3 * (spent - first) / (steps - steps // 4)


def table(cells, E, variants, steps=200):
    """Rows: cells, E, body, unknowns, error of the deflection, ms a step and their ratio."""
    size, wanted, whole = measured(lambda: rod(cells, E), steps)
    name = " × ".join(map(str, cells))
    most = abs(wanted).max()
    print(f"| {name} | {E:.0e} | `Solid` | {size} | {most * 1e3:.4f} mm | {whole:.2f} | |")
    for words, options in variants:
        size, found, spent = measured(
            lambda options=options: fc.ReducedBody.from_solid(rod(cells, E), **options), steps
        )
        off = abs(found - wanted).max() / most
        print(
            f"| {name} | {E:.0e} | {words} | {size} | {100 * off:.2f} % | {spent:.2f} "
            f"| {spent / whole:.3f} |", flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    print("| cells | E (Pa) | body | unknowns | deflection, error | ms a step | of the solid's |")
    print("|---|---|---|---|---|---|---|")
    few = ("3 modes", {"modes": 3})
    stiffer = ("3 modes, stiffening", {"modes": 3, "stiffening": True})
    table((24, 2), 2e11, [few, ("6 modes", {"modes": 6}), stiffer])
    table((24, 2), 5e9, [few, stiffer])
    table((24, 2, 2), 2e11, [few, stiffer], steps=100)
    table((24, 3, 3), 2e11, [few, stiffer], steps=60)
